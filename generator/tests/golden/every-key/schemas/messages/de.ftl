OfferStillActive = Das Angebot läuft bis { $endingAt }.
TooLong = Höchstens { $maxLength } Zeichen.
