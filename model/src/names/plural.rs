//! Singular and plural of a name's last word.
//!
//! `pluralizer` knows the rules of English. The tables here come first: they overrule its guesses and add the words of
//! computing that it does not know.

use pluralizer::pluralize;

/// Words that are their own plural.
const UNCOUNTABLE: [&str; 22] = [
    "data",
    "economics",
    "feedback",
    "info",
    "logistics",
    "mathematics",
    "means",
    "media",
    "merchandise",
    "metadata",
    "physics",
    "politics",
    "progress",
    "species",
    "staff",
    "statistics",
    "whereabouts",
    "arrears",
    "goods",
    "proceeds",
    "savings",
    "earnings",
];

/// Singular words in `s` that would pass for plurals. Their own plural adds `es`.
const SINGULAR_IN_S: [&str; 32] = [
    "always", "atlas", "aws", "bias", "bios", "bps", "canvas", "chaos", "cms", "cosmos", "css", "dns", "ethos", "fps",
    "gas", "gps", "has", "https", "ios", "kbps", "lens", "macos", "mbps", "nas", "os", "pos", "redis", "sas", "sms",
    "tls", "trellis", "ups",
];

/// Singular and plural where `pluralizer` errs in one direction or the other.
const IRREGULAR: [(&str, &str); 34] = [
    ("agenda", "agendas"),
    ("axis", "axes"),
    ("cache", "caches"),
    ("cpu", "cpus"),
    ("ellipsis", "ellipses"),
    ("excuse", "excuses"),
    ("fuse", "fuses"),
    ("german", "germans"),
    ("gpu", "gpus"),
    ("guru", "gurus"),
    ("headache", "headaches"),
    ("hierarchy", "hierarchies"),
    ("hoodie", "hoodies"),
    ("embassy", "embassies"),
    ("mosquito", "mosquitoes"),
    ("niche", "niches"),
    ("oasis", "oases"),
    ("omen", "omens"),
    ("poi", "pois"),
    ("prairie", "prairies"),
    ("regimen", "regimens"),
    ("roman", "romans"),
    ("safari", "safaris"),
    ("saga", "sagas"),
    ("schema", "schemas"),
    ("selfie", "selfies"),
    ("shaman", "shamans"),
    ("sku", "skus"),
    ("specimen", "specimens"),
    ("talisman", "talismans"),
    ("uri", "uris"),
    ("veto", "vetoes"),
    ("virus", "viruses"),
    ("zero", "zeroes"),
];

/// Plurals without an `s`. `pluralizer` sees many more (`nova` is not the plural of a `novum`).
const PLURAL_WITHOUT_S: [&str; 36] = [
    "addenda",
    "algae",
    "alumni",
    "automata",
    "bacilli",
    "bacteria",
    "cacti",
    "children",
    "criteria",
    "curricula",
    "dice",
    "errata",
    "feet",
    "foci",
    "fungi",
    "geese",
    "genera",
    "grandchildren",
    "lice",
    "loci",
    "men",
    "mice",
    "nuclei",
    "oxen",
    "people",
    "phenomena",
    "radii",
    "salesmen",
    "salespeople",
    "schemata",
    "stimuli",
    "strata",
    "syllabi",
    "teeth",
    "vertebrae",
    "women",
];

/// The name with its last word in the plural: `Person` → `People`. A plural stays as it is.
pub(super) fn plural(name: &str) -> String {
    with_last_word(name, plural_word)
}

/// The name with its last word in the singular: `parameterGroups` → `parameterGroup`. A singular stays as it is.
#[must_use]
pub fn singular(name: &str) -> String {
    with_last_word(name, singular_word)
}

/// Whether the last word is a plural, or its own plural.
#[must_use]
pub fn is_plural(name: &str) -> bool {
    plural(name) == name
}

/// Whether the last word is a singular, or its own plural.
#[must_use]
pub fn is_singular(name: &str) -> bool {
    singular(name) == name
}

fn plural_word(word: &str) -> String {
    if UNCOUNTABLE.contains(&word) || IRREGULAR.iter().any(|(_, plural)| *plural == word) {
        word.to_owned()
    } else if let Some((_, plural)) = IRREGULAR.iter().find(|(singular, _)| *singular == word) {
        (*plural).to_owned()
    } else if SINGULAR_IN_S.contains(&word) {
        format!("{word}es")
    } else {
        pluralize(word, 2, false)
    }
}

fn singular_word(word: &str) -> String {
    let is_in_s = |word: &str| SINGULAR_IN_S.contains(&word);
    if let Some((singular, _)) = IRREGULAR.iter().find(|(_, plural)| *plural == word) {
        (*singular).to_owned()
    } else if UNCOUNTABLE.contains(&word) || is_in_s(word) || !may_be_plural(word) {
        word.to_owned()
    } else if let Some(singular) = word.strip_suffix("es").filter(|word| is_in_s(word)) {
        singular.to_owned()
    } else {
        pluralize(word, 1, false)
    }
}

/// Neither what has no `s` nor an `axis` or a `basis`.
fn may_be_plural(word: &str) -> bool {
    let is_singular_in_is = word.ends_with("sis") || word == "axis";
    word.ends_with('s') && !is_singular_in_is || PLURAL_WITHOUT_S.contains(&word)
}

/// The name with its last word, without the digits behind it, changed: the word is given in lower case, and a capital
/// it began with is put back.
fn with_last_word(name: &str, change: impl Fn(&str) -> String) -> String {
    let stem = name.trim_end_matches(|last: char| last.is_ascii_digit());
    let (stem, digits) = name.split_at(stem.len());
    let (before, word) = stem.split_at(last_word(stem));
    if word.is_empty() {
        return name.to_owned();
    }
    let mut changed = change(&word.to_ascii_lowercase());
    if word.starts_with(|first: char| first.is_ascii_uppercase())
        && let Some(first) = changed.get_mut(..1)
    {
        first.make_ascii_uppercase();
    }
    format!("{before}{changed}{digits}")
}

/// Where the last word of a name begins: at its last capital or behind its last dash or underscore.
fn last_word(stem: &str) -> usize {
    let boundary = |c: char| c.is_ascii_uppercase() || c == '-' || c == '_';
    match stem.rfind(boundary) {
        Some(at) if stem[at..].starts_with(['-', '_']) => at + 1,
        Some(at) => at,
        None => 0,
    }
}
