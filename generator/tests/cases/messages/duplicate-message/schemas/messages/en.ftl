OfferEnded = The offer has ended.
