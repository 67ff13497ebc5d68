# Co mówi się użytkownikom o każdym błędzie, po polsku. Identyfikatorem komunikatu jest kod błędu; zmienne to zawartość
# `details` i `$field`, ścieżka tego, co jest niepoprawne.

## Całe żądanie

MalformedJson = Nie można odczytać przesłanych danych.
MissingUserAgent = Aplikacja nie podaje swojej nazwy, więc jej żądania pozostają bez odpowiedzi.
MalformedRequest = Nie można odczytać żądania.
Unauthenticated = Zaloguj się.
Forbidden = Nie masz uprawnień do wykonania tej czynności.
RejectedForbidden = Nie masz uprawnień do wykonania tej czynności.
ResourceNotFound = To nie istnieje lub zostało usunięte.
RejectedNotFound = To, co jest do tego potrzebne, nie istnieje lub zostało usunięte.
MethodNotAllowed = Tutaj nie można tego zrobić.
NotAcceptable = Aplikacja oczekuje odpowiedzi w niedostępnym formacie.
RejectedConflict = Tego nie można pogodzić z tym, co stało się w międzyczasie.
VersionRetired = Aplikacja używa wersji usługi, która nie jest już dostępna. Zaktualizuj aplikację.
SearchExpired = To wyszukiwanie wygasło. Wyszukaj ponownie.
CommandExpired = Wykonano to tak dawno, że wynik nie jest już przechowywany.
EventsGone = Informacje o tym, co wydarzyło się w międzyczasie, nie są już dostępne. Wczytaj wszystko od nowa.
PreconditionFailed = W międzyczasie ktoś to zmienił. Sprawdź aktualny stan, zanim wprowadzisz zmiany.
BodyTooLarge = { $maxBytes ->
    [one] Za dużo danych: jednorazowo można przesłać najwyżej { $maxBytes } bajt.
    [few] Za dużo danych: jednorazowo można przesłać najwyżej { $maxBytes } bajty.
    [many] Za dużo danych: jednorazowo można przesłać najwyżej { $maxBytes } bajtów.
   *[other] Za dużo danych: jednorazowo można przesłać najwyżej { $maxBytes } bajta.
}
UriTooLong = Adres jest za długi.
HeadTooLarge = Ta aplikacja wysyła zbyt wiele przy każdym żądaniu.
UnsupportedMediaType = Aplikacja przesyła dane w nieobsługiwanym formacie.
UnsupportedEncoding = Aplikacja przesyła dane w nieobsługiwanym kodowaniu.

## Jedna wartość

Required = Wypełnij to pole.
WrongType = W tym miejscu oczekiwana jest wartość innego rodzaju.
InvalidText = Ten tekst zawiera niedozwolone znaki.
TooShort = { $minLength ->
    [one] Wpisz co najmniej { $minLength } znak.
    [few] Wpisz co najmniej { $minLength } znaki.
    [many] Wpisz co najmniej { $minLength } znaków.
   *[other] Wpisz co najmniej { $minLength } znaku.
}
TooLong = { $maxLength ->
    [one] Wpisz najwyżej { $maxLength } znak.
    [few] Wpisz najwyżej { $maxLength } znaki.
    [many] Wpisz najwyżej { $maxLength } znaków.
   *[other] Wpisz najwyżej { $maxLength } znaku.
}
PatternMismatch = Wartość nie ma oczekiwanej postaci.
NotEmail = Podaj adres e-mail, na przykład nazwa@example.com.
NotUri = Podaj pełny adres internetowy, na przykład https://example.com.
TooSmall = Podaj wartość nie mniejszą niż { $minimum }.
TooLarge = Podaj wartość nie większą niż { $maximum }.
NotUtc = Czas musi być podany w UTC.
InvalidTimestamp = Podaj poprawną datę i godzinę.
InvalidDate = Podaj poprawną datę.
InvalidTime = Podaj poprawną godzinę.
InvalidDuration = Podaj poprawny czas trwania.
InvalidCountry = Wybierz kraj.
InvalidLanguage = Wybierz język.
InvalidCurrency = Wybierz walutę.
InvalidTimezone = Wybierz strefę czasową.
InvalidPhone = Podaj numer telefonu z numerem kierunkowym kraju, na przykład +48123456789.
InvalidAmount = Podaj kwotę, na przykład 12.30.
InvalidDecimal = Podaj liczbę, na przykład 12.30.
TooManyDigits = { $scale ->
    [0] Podaj krótszą liczbę całkowitą.
    [one] Podaj krótszą liczbę, najwyżej z { $scale } cyfrą po kropce.
    [few] Podaj krótszą liczbę, najwyżej z { $scale } cyframi po kropce.
    [many] Podaj krótszą liczbę, najwyżej z { $scale } cyframi po kropce.
   *[other] Podaj krótszą liczbę, najwyżej z { $scale } cyfry po kropce.
}
CurrencyNotAllowed = Ta waluta nie jest tu przyjmowana. Wybierz jedną z: { $currencies }.
UnknownValue = Wybierz jedną z wartości: { $values }.
InvalidUuid = Ten identyfikator jest niepoprawny.
NotFound = Wskazany element nie istnieje lub został usunięty.
TooFewItems = { $minItems ->
    [one] Dodaj co najmniej { $minItems } element.
    [few] Dodaj co najmniej { $minItems } elementy.
    [many] Dodaj co najmniej { $minItems } elementów.
   *[other] Dodaj co najmniej { $minItems } elementu.
}
InvalidPatch = Tej zmiany nie można wprowadzić w żądany sposób.
TestFailed = Ta wartość jest inna, niż oczekiwano. Sprawdź ją ponownie, zanim ją zmienisz.
InvalidName = Każda nazwa musi tutaj mieć od 1 do { $maxLength } znaków.
NameMismatch = Ta nazwa nie ma wymaganej tutaj postaci.
TooManyBytes = To za dużo: tutaj może być najwyżej { $maxBytes } bajtów.
TooDeep = Zbyt wiele poziomów zagnieżdżenia: może ich tutaj być najwyżej { $maxDepth }.
NumberTooLong = Ta liczba jest za długa: może mieć najwyżej { $maxDigits } cyfr.
TooManyItems = { $maxItems ->
    [one] Tutaj może być najwyżej { $maxItems } element.
    [few] Tutaj mogą być najwyżej { $maxItems } elementy.
    [many] Tutaj może być najwyżej { $maxItems } elementów.
   *[other] Tutaj może być najwyżej { $maxItems } elementu.
}
DuplicateItem = To już jest na liście.
UnknownProperty = „{ $field }” nie jest tu znane.
UnknownParameter = „{ $field }” nie jest tu znane.
InvalidParameter = Żądanie dotyczy czegoś, co nie jest możliwe.
RepeatedParameter = „{ $field }” można podać tylko raz.

## To, co już istnieje

NotUnique = Ta wartość jest już zajęta. Wybierz inną.
StillReferenced = Nie można tego usunąć, dopóki korzysta z tego coś innego.
Immutable = Tego nie można już zmienić.
PathMismatch = To należy do czegoś innego.
NamesDiffer = To przesłano dwa razy, z dwiema wartościami.
PageTooLarge = To zbyt wiele na jedną stronę. Poproś o najwyżej tyle pozycji: { $fits }.
SearchFiltersFixed = Tego wyszukiwania nie można zmienić. Zacznij nowe.
CommandIdUsed = Ten identyfikator został już użyty do czegoś innego. Spróbuj ponownie.
WrongState = W tej chwili nie jest to możliwe.
Rejected = Nie można tego zrobić.
RuleBroken = Nie można tego zapisać w tej postaci.
Timeout = Trwało to zbyt długo i zostało przerwane.
Cancelled = Anulowano to przed wykonaniem.

## Usługa

RateLimited = Było zbyt wiele żądań. Odczekaj chwilę i spróbuj ponownie.
InternalError = Coś poszło nie tak po naszej stronie. Spróbuj ponownie później.
NotReady = To nie jest jeszcze dostępne.
BadGateway = Inna potrzebna do tego usługa nie zadziałała. Spróbuj ponownie później.
Unavailable = Usługa jest chwilowo niedostępna. Spróbuj ponownie za chwilę.
TooCostly = Wyszukiwanie trwałoby zbyt długo. Zawęź kryteria wyszukiwania.
GatewayTimeout = Inna potrzebna do tego usługa nie odpowiedziała na czas. Spróbuj ponownie później.
