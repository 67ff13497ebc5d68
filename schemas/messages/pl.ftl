Offer_name_TooLong = Tytuł oferty może mieć najwyżej { $maxLength } znaków.
User_password_TooShort = Hasło musi mieć co najmniej { $minLength } znaków.

## Na co nie pozwala stan

User_status_WrongState = { $state ->
    [BLOCKED] Ten użytkownik jest już zablokowany.
   *[ACTIVE] Ten użytkownik nie jest zablokowany.
}
Offer_status_WrongState = { $state ->
    [ACTIVE] Ta oferta jeszcze trwa.
   *[ENDED] Ta oferta się zakończyła.
}
Transaction_status_WrongState = { $state ->
    [SENT] Zakupiony towar jest już w drodze.
    [CANCELLED] Ten zakup został już wycofany.
    [PAID] Ten zakup został już opłacony.
   *[PENDING] Ten zakup nie został jeszcze opłacony.
}
Payment_status_WrongState = { $state ->
    [REFUNDED] Pieniądze zostały już zwrócone.
   *[PAID] Pieniądze już wpłynęły.
}
Shipment_status_WrongState = { $state ->
    [PREPARED] Ta przesyłka nie została jeszcze nadana.
    [DISPATCHED] Przewoźnik ma już tę przesyłkę.
   *[DELIVERED] Ta przesyłka już dotarła.
}
GeneralDelivery_status_WrongState = Tej przesyłki nie ma już w placówce.
Contest_status_WrongState = Ten konkurs ma już zwycięzcę.

## Czego odmawiają polecenia i reguły

EndsInThePast = Z takim czasem trwania oferta byłaby już zakończona. Wybierz dłuższy.
OtherCurrency = Podaj ceny wysyłki w walucie oferty.
OfferEnded = Ta oferta się zakończyła.
OutOfStock = Tyle sztuk już nie zostało.
UserBlocked = Zablokowany użytkownik nie może kupować ani sprzedawać.
OtherOffer = Ten zakup dotyczy innej oferty.
StoredTooLong = Przesyłka czekała do { $storedUntil } i została odesłana.
MoreThanPaid = Można zwrócić najwyżej zapłacone { $paid }.
NotBegun = Ten konkurs jeszcze się nie zaczął.
OrganizerCannotWin = Organizator konkursu nie może go wygrać.
