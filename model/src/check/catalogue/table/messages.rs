//! Faults of messages: raised by `messages::check`.

macro_rules! messages {
    ($next:ident [$($rest:ident)*] $($before:tt)*) => { $next! { [$($rest)*] $($before)*

    FluentSyntax = "fluent-syntax", Error;
    "The text is not valid Fluent"
    "A message is an id, `=` and a text; further lines of the text are indented. The check skips what it cannot read \
     and continues with the next message."
    wrong "
        # messages/en.ftl
        TooLong = At most { $maxLength characters."
    right "
        # messages/en.ftl
        TooLong = At most { $maxLength } characters."

    UnknownLanguage = "unknown-language", Error;
    "The name of a message file is not a language"
    "The file name is a language tag of RFC 5646: `pl.ftl`, `pt-BR.ftl`. Clients request languages by these tags."
    wrong "
        # messages/english.ftl
        TooLong = At most { $maxLength } characters."
    right "
        # messages/en.ftl
        TooLong = At most { $maxLength } characters."

    NoMessages = "no-messages", Error;
    "A language has no messages"
    "The files of this language contain no message, so its users would get English texts. Write messages, or remove \
     the file."
    wrong "
        # messages/de.ftl
        -shop = Der Laden"
    right "
        # messages/de.ftl
        -shop = Der Laden
        Forbidden = { -shop } erlaubt das nicht."

    UnreadMessages = "unread-messages", Warning;
    "A message file is outside of the schemas"
    "Messages are read from the folder of the schemas, at any depth: `schemas/messages/de.ftl`. A folder `messages` \
     beside it is not read."
    wrong "
        # ../messages/de.ftl
        Forbidden = Das ist nicht erlaubt."
    right "
        # messages/de.ftl
        Forbidden = Das ist nicht erlaubt."

    UnknownMessage = "unknown-message", Error;
    "No error has this message id"
    "An id is the code of an error; or the resource, the path of a field or of a command input, and the code, with \
     `_` between them. Items of an array have the path of the array. A code that is not built in counts as a custom \
     code of the service, unless it differs from a built-in code by one letter."
    wrong "
        # messages/en.ftl
        User_nmae_TooLong = At most { $maxLength } characters."
    right "
        # messages/en.ftl
        User_name_TooLong = At most { $maxLength } characters."

    MessageAttribute = "message-attribute", Error;
    "A message has an attribute"
    "An error has one text for users, which is the value of the message. Only terms may have attributes."
    wrong "
        # messages/en.ftl
        TooLong = This is too long.
            .hint = At most { $maxLength } characters."
    right "
        # messages/en.ftl
        TooLong = This is too long: at most { $maxLength } characters."

    DuplicateMessage = "duplicate-message", Error;
    "A language has the same message twice"
    "Only one of them can be used. Remove the other one."
    wrong "
        # messages/en.ftl
        OfferEnded = The offer has ended.
        OfferEnded = This offer is over."
    right "
        # messages/en.ftl
        OfferEnded = The offer has ended."

    UnknownVariable = "unknown-variable", Error;
    "A message uses a variable that its error does not have"
    "The variables of an error are its `details`, the limit that was exceeded and, if the error has a path, `$field`. \
     A custom code has the details that your code raises it with, and the check does not know these."
    wrong "
        # messages/en.ftl
        TooLong = At most { $max } characters."
    right "
        # messages/en.ftl
        TooLong = At most { $maxLength } characters."

    UnknownReference = "unknown-reference", Error;
    "A message uses a term or function that does not exist"
    "A term, like `-shop`, must be defined in the same language. The functions are `NUMBER` and `DATETIME`, \
     which has no options. A message cannot include another message."
    wrong "
        # messages/en.ftl
        OfferEnded = { -shop } does not sell this any more."
    right "
        # messages/en.ftl
        -shop = The corner shop
        OfferEnded = { -shop } does not sell this any more."

    MissingTranslation = "missing-translation", Error;
    "Another language of the service does not have this message"
    "All message files need the same messages; otherwise some users get an English text, or a more general one, and \
     the gap stays unnoticed. English and Polish have all built-in codes. A regional language inherits the messages \
     of its base language."
    wrong "
        # messages/en.ftl
        OfferEnded = The offer has ended.
        ---
        # messages/pl.ftl
        OfferSold = Oferta została sprzedana."
    right "
        # messages/en.ftl
        OfferEnded = The offer has ended.
        ---
        # messages/pl.ftl
        OfferEnded = Oferta się zakończyła."

    RuleWithoutMessage = "rule-without-message", Warning;
    "A rule has no message in a language of the service"
    "Users to whom a rule refuses something then read the text for developers, which is English. A message has the \
     rule's `code` as its id, or resource, `path` and code with `_` between them. A service without message files is \
     not asked for any."
    wrong "
        resource: Offer
        rules:
          - { check: 'end > start', code: EndsFirst, path: end }
        fields:
          start: { type: date }
          end: { type: date }
        ---
        # messages/pl.ftl
        Forbidden = Nie wolno."
    right "
        resource: Offer
        rules:
          - { check: 'end > start', code: EndsFirst, path: end }
        fields:
          start: { type: date }
          end: { type: date }
        ---
        # messages/pl.ftl
        EndsFirst = Koniec musi być po początku."

    } };
}
