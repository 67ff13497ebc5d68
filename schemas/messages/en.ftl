# A message's id is the error's code, or that of one field.
Offer_name_TooLong = Please keep the offer's title to { $maxLength } characters.
User_password_TooShort = A password needs { $minLength } characters or more.

## What is refused because of its state

User_status_WrongState = { $state ->
    [BLOCKED] This user is blocked already.
   *[ACTIVE] This user is not blocked.
}
Offer_status_WrongState = { $state ->
    [ACTIVE] This offer is still running.
   *[ENDED] This offer has ended.
}
Transaction_status_WrongState = { $state ->
    [SENT] What was bought is on its way already.
    [CANCELLED] This purchase has been taken back already.
    [PAID] This purchase has been paid already.
   *[PENDING] This purchase has not been paid yet.
}
Payment_status_WrongState = { $state ->
    [REFUNDED] The money has been given back already.
   *[PAID] The money has arrived already.
}
Shipment_status_WrongState = { $state ->
    [PREPARED] This parcel has not been sent yet.
    [DISPATCHED] The carrier has this parcel already.
   *[DELIVERED] This parcel has arrived already.
}
GeneralDelivery_status_WrongState = This parcel is no longer at the post office.
Contest_status_WrongState = This contest has its winner already.

## What the commands and rules refuse

EndsInThePast = With this duration the offer would be over already. Please choose a longer one.
OtherCurrency = Please give the prices of shipping in the currency of the offer.
OfferEnded = This offer has ended.
OutOfStock = There is not as much of this left.
UserBlocked = A blocked user can neither buy nor sell.
OtherOffer = This purchase is of another offer.
StoredTooLong = This parcel was kept until { $storedUntil } and has been sent back.
MoreThanPaid = No more than the { $paid } that were paid can be given back.
NotBegun = This contest has not begun yet.
OrganizerCannotWin = The organizer of a contest cannot win it.
