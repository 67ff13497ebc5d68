//! Words that decide what the head of a name is. Everything is in lower case.

/// Words that begin what does not belong to the head.
#[rustfmt::skip]
pub(super) const PREPOSITIONS: &[&str] = &[
    "about", "above", "after", "against", "among", "as", "at", "before", "below", "between", "by", "during", "except",
    "excluding", "for", "from", "in", "including", "into", "of", "on", "per", "since", "than", "to", "under", "until",
    "with", "without",
];

/// Verbs of predicates, wherever they are in the name: `membersCanCreateRepositories`.
#[rustfmt::skip]
pub(super) const AUXILIARIES: &[&str] = &[
    "are", "can", "cannot", "could", "did", "do", "does", "had", "has", "have", "is", "may", "must", "needs", "shall",
    "should", "was", "were", "will",
];

/// Words that begin a clause: `ifAnyMatch`.
pub(super) const CONJUNCTIONS: &[&str] = &["if", "unless", "when", "where"];

/// Other verbs that begin a predicate: `showTips`. In the third person any verb does: `allowsRefunds`.
#[rustfmt::skip]
pub(super) const VERBS: &[&str] = &[
    "accept", "add", "allow", "append", "apply", "approve", "archive", "assign", "auto", "automount", "block",
    "bypass", "cancel", "check", "clear", "close", "collect", "contain", "copy", "create", "cut", "delete", "deny",
    "disable", "dismiss", "display", "drop", "embed", "enable", "enforce", "exclude", "expand", "export", "find",
    "follow", "force", "generate", "get", "hide", "ignore", "import", "include", "inherit", "insert", "keep", "limit",
    "list", "lock", "match", "merge", "mount", "move", "notify", "offer", "omit", "override", "paste", "permit",
    "prevent", "provide", "publish", "read", "receive", "refresh", "remove", "require", "resize", "restrict",
    "return", "review", "run", "send", "set", "share", "show", "skip", "sort", "support", "sync", "track", "trim",
    "unmerge", "update", "use",
];

/// Units that follow a quantity: `timeoutSeconds`.
#[rustfmt::skip]
pub(super) const UNITS: &[&str] = &[
    "bits", "bps", "bytes", "centimeters", "centimetres", "cents", "characters", "cm", "days", "degrees", "dpi",
    "feet", "gb", "gigabytes", "grams", "hours", "inches", "kb", "kg", "kilobytes", "kilograms", "kilometers",
    "kilometres", "kilowatts", "km", "kms", "kwh", "liters", "litres", "mb", "megabytes", "meters", "metres",
    "micros", "microseconds", "miles", "millicores", "milligrams", "milliliters", "millilitres", "millimeters",
    "millimetres", "millis", "milliseconds", "mins", "minutes", "mm", "months", "ms", "nanos", "nanoseconds", "ns",
    "percent", "pixels", "seconds", "secs", "weeks", "years",
];

/// Verbs in the third person that are names of single values by themselves.
#[rustfmt::skip]
pub(super) const PREDICATES: &[&str] = &[
    "applies", "begins", "belongs", "contains", "depends", "ends", "equals", "excludes", "exists", "expires",
    "includes", "matches", "occurs", "requires", "starts",
];

/// Words in `ed` that are nouns.
#[rustfmt::skip]
pub(super) const NOUNS_IN_ED: &[&str] = &[
    "bed", "biped", "breed", "creed", "deed", "embed", "feed", "hundred", "moped", "need", "reed", "seed", "shed",
    "speed", "watershed", "weed",
];

/// Participles that do not end in `ed`.
#[rustfmt::skip]
pub(super) const PARTICIPLES: &[&str] = &[
    "begun", "bought", "broken", "built", "chosen", "done", "drawn", "driven", "eaten", "forgotten", "found",
    "frozen", "given", "gone", "held", "hidden", "kept", "known", "left", "lost", "made", "met", "paid", "seen",
    "sent", "shown", "sold", "taken", "won", "written",
];

/// Words before a noun, or in its place, whose number shows in nothing.
#[rustfmt::skip]
pub(super) const DETERMINERS: &[&str] = &[
    "all", "any", "both", "each", "either", "every", "few", "many", "neither", "none", "one", "other", "some", "such",
];

/// Adjectives of no particular ending.
#[rustfmt::skip]
pub(super) const ADJECTIVES: &[&str] = &[
    "busy", "common", "dirty", "empty", "extra", "free", "latest", "main", "new", "offline", "old", "online", "open",
    "primary", "private", "public", "ready", "recent", "secondary", "unread",
];

/// Words before a noun that make it a bound, not a number of things: `maxItems`.
pub(super) const BOUNDS: &[&str] = &["max", "maximum", "min", "minimum"];

/// Words in `s` that are no nouns.
#[rustfmt::skip]
pub(super) const FUNCTION_WORDS: &[&str] = &[
    "as", "does", "is", "its", "this", "us", "vs", "was", "yes",
];

/// Endings of adjectives. Nouns have them too, so that a name with one is doubtful.
#[rustfmt::skip]
pub(super) const ADJECTIVE_ENDINGS: &[&str] = &[
    "able", "al", "est", "ful", "ible", "ing", "ive", "less", "ous",
];

/// Words that are singular as well as plural.
#[rustfmt::skip]
pub(super) const EITHER: &[&str] = &[
    "egress", "ingress", "ios", "macos", "os", "storage", "windows",
];
