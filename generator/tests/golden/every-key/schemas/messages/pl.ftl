-sklep = Sklep

OfferStillActive = { -sklep } prowadzi tę ofertę do { $endingAt }.
TooLong = Najwyżej { $maxLength } zn.
StockForgotten = Ile sztuk jest na sprzedaż?
TooLight = To za mało waży.
