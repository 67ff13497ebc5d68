-sklep = Sklep

OfferStillActive = { -sklep } prowadzi tę ofertę do { $endingAt }.
TooLong = Najwyżej { $maxLength } zn.
