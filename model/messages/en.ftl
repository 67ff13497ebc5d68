# What users are told of each error, in English. A message's id is the error's code; its variables are what the error's
# `details` carry, and `$field`, the path of what is wrong.

## The request as a whole

MalformedJson = The data that was sent cannot be read.
MissingUserAgent = This application does not say what it is, so its requests are not answered.
MalformedRequest = The request cannot be read.
Unauthenticated = Please sign in.
Forbidden = You are not allowed to do this.
RejectedForbidden = You are not allowed to do this.
ResourceNotFound = This does not exist, or does not exist any more.
RejectedNotFound = What is needed for this does not exist, or does not exist any more.
MethodNotAllowed = This cannot be done here.
NotAcceptable = This application asks for an answer in a form that is not available.
RejectedConflict = This does not go together with what has happened in the meantime.
VersionRetired = This application uses a version of the service that is no longer available. Please update it.
SearchExpired = This search has expired. Please search again.
CommandExpired = This was done so long ago that its result is no longer kept.
EventsGone = What happened in the meantime is not available any more. Please load everything anew.
PreconditionFailed = Somebody else has changed this in the meantime. Please look at it again before you change it.
BodyTooLarge = { $maxBytes ->
    [one] This is too much data: { $maxBytes } byte can be sent at once.
   *[other] This is too much data: at most { $maxBytes } bytes can be sent at once.
}
UriTooLong = The address is too long.
HeadTooLarge = This application sends too much with each request.
UnsupportedMediaType = This application sends data in a form that is not supported.
UnsupportedEncoding = This application sends data in an encoding that is not supported.

## One value

Required = Please fill this in.
WrongType = This is not the kind of value that is expected here.
InvalidText = This text has characters that cannot be used.
TooShort = { $minLength ->
    [one] Please enter at least { $minLength } character.
   *[other] Please enter at least { $minLength } characters.
}
TooLong = { $maxLength ->
    [one] Please enter at most { $maxLength } character.
   *[other] Please enter at most { $maxLength } characters.
}
PatternMismatch = This does not have the expected form.
NotEmail = Please enter an e-mail address, like name@example.com.
NotUri = Please enter a full web address, like https://example.com.
TooSmall = Please enter { $minimum } or more.
TooLarge = Please enter { $maximum } or less.
NotUtc = This time must be given in UTC.
InvalidTimestamp = Please enter a valid date and time.
InvalidDate = Please enter a valid date.
InvalidTime = Please enter a valid time.
InvalidDuration = Please enter a valid duration.
InvalidCountry = Please choose a country.
InvalidLanguage = Please choose a language.
InvalidCurrency = Please choose a currency.
InvalidTimezone = Please choose a time zone.
InvalidPhone = Please enter the phone number with its country code, like +48123456789.
InvalidAmount = Please enter an amount, like 12.30.
InvalidDecimal = Please enter a number, like 12.30.
TooManyDigits = { $scale ->
    [0] Please enter a whole number that is not so long.
    [one] Please enter a shorter number, with at most { $scale } digit after the point.
   *[other] Please enter a shorter number, with at most { $scale } digits after the point.
}
CurrencyNotAllowed = This currency is not accepted here. Please choose one of: { $currencies }.
UnknownValue = Please choose one of: { $values }.
InvalidUuid = This identifier is not valid.
NotFound = What this refers to does not exist, or does not exist any more.
TooFewItems = { $minItems ->
    [one] Please add at least { $minItems } item.
   *[other] Please add at least { $minItems } items.
}
InvalidPatch = This change cannot be made as it was asked for.
TestFailed = This is not what it was expected to be. Please look at it again before you change it.
InvalidName = Every name here needs between 1 and { $maxLength } characters.
NameMismatch = This name does not have the form that names need here.
TooManyBytes = This is too much: there can be at most { $maxBytes } bytes here.
TooDeep = This is nested too deeply: there can be at most { $maxDepth } levels here.
NumberTooLong = This number is too long: it can have at most { $maxDigits } digits.
TooManyItems = { $maxItems ->
    [one] There can be at most { $maxItems } item here.
   *[other] There can be at most { $maxItems } items here.
}
DuplicateItem = This is in the list already.
UnknownProperty = “{ $field }” is not known here.
UnknownParameter = “{ $field }” is not known here.
InvalidParameter = The request asks for something that is not possible.
RepeatedParameter = “{ $field }” can be given only once.

## What there is already

NotUnique = This is taken already. Please choose another.
StillReferenced = This cannot be deleted while something else needs it.
Immutable = This cannot be changed any more.
PathMismatch = This belongs to something else.
NamesDiffer = This was sent twice, with two values.
PageTooLarge = This is too much for one page. Please ask for { $fits } entries at most.
SearchFiltersFixed = This search cannot be changed. Please start a new one.
CommandIdUsed = This was used for something else already. Please try again.
WrongState = This is not possible at the moment.
Rejected = This cannot be done.
RuleBroken = This cannot be saved as it is.
Timeout = This took too long and was given up.
Cancelled = This was cancelled before it was done.

## The service

RateLimited = There have been too many requests. Please wait a moment and try again.
InternalError = Something went wrong on our side. Please try again later.
NotReady = This is not available yet.
BadGateway = Another service that is needed for this did not work. Please try again later.
Unavailable = The service is not available at the moment. Please try again in a moment.
TooCostly = This takes too long to look up. Please narrow down what you are looking for.
GatewayTimeout = Another service that is needed for this did not answer in time. Please try again later.
