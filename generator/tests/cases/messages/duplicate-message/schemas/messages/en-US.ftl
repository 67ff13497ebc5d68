OfferEnded = This offer is over.
