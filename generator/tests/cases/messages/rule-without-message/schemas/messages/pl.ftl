# of the field
Offer_endingOn_EndsFirst = Koniec musi być po początku.
