-shop = The corner shop
OfferEnded = { -shopp } does not sell this any more.
