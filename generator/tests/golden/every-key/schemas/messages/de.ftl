OfferStillActive = Das Angebot läuft bis { $endingAt }.
TooLong = Höchstens { $maxLength } Zeichen.
StockForgotten = Wie viele gibt es?
TooLight = Das ist zu leicht.
