# A message's id is the error's code, or that of one field.
Offer_name_TooLong = Please keep the offer's title to { $maxLength } characters.
User_password_TooShort = A password needs { $minLength } characters or more.

## What the commands and rules refuse

OfferStillActive = This offer is still running.
EndsInThePast = With this duration the offer would be over already. Please choose a longer one.
OfferEnded = This offer has ended.
OutOfStock = { $stock ->
    [0] This is sold out.
    [one] Only { $stock } piece is left.
   *[other] Only { $stock } pieces are left.
}
AlreadySent = What you bought is on its way already.
AlreadyCancelled = This purchase has been taken back already.
AlreadyDispatched = The carrier has this parcel already.
NotWaiting = This parcel is no longer at the post office.
StoredTooLong = This parcel was kept until { $storedUntil } and has been sent back.
AlreadyRefunded = The money has been given back already.
MoreThanPaid = No more than the { $paid } that were paid can be given back.
AlreadyAwarded = This contest has its winner already.
OrganizerCannotWin = Who holds a contest cannot win it.
UserBlocked = This user is blocked already.
