Offer_name_TooLong = Tytuł oferty może mieć najwyżej { $maxLength } znaków.
User_password_TooShort = Hasło musi mieć co najmniej { $minLength } znaków.

## Czego odmawiają polecenia i reguły

OfferStillActive = Ta oferta jeszcze trwa.
EndsInThePast = Z takim czasem trwania oferta byłaby już zakończona. Wybierz dłuższy.
OfferEnded = Ta oferta się zakończyła.
OutOfStock = { $stock ->
    [0] Ten towar został wyprzedany.
    [one] Została tylko { $stock } sztuka.
    [few] Zostały tylko { $stock } sztuki.
    [many] Zostało tylko { $stock } sztuk.
   *[other] Zostało tylko { $stock } sztuki.
}
AlreadySent = Zakupiony towar jest już w drodze.
AlreadyCancelled = Ten zakup został już wycofany.
AlreadyDispatched = Przewoźnik ma już tę przesyłkę.
NotWaiting = Tej przesyłki nie ma już w placówce.
StoredTooLong = Przesyłka czekała do { $storedUntil } i została odesłana.
AlreadyRefunded = Pieniądze zostały już zwrócone.
MoreThanPaid = Można zwrócić najwyżej zapłacone { $paid }.
AlreadyAwarded = Ten konkurs ma już zwycięzcę.
OrganizerCannotWin = Organizator konkursu nie może go wygrać.
UserBlocked = Ten użytkownik jest już zablokowany.
