//! Singular and plural of a name's last word.
//!
//! `pluralizer` knows the rules of English. The tables here come first: they overrule its guesses and add the words of
//! computing that it does not know. A word costs it a fraction of a microsecond, so nothing is cached. But it begins
//! with the compilation of all its rules, which was most of a start's work: of words whose ending says it all, it is
//! not asked.

use pluralizer::pluralize;

/// Words that are their own plural.
const UNCOUNTABLE: &[&str] = &[
    "arrears",
    "data",
    "earnings",
    "economics",
    "feedback",
    "goods",
    "info",
    "logistics",
    "mathematics",
    "means",
    "media",
    "merchandise",
    "metadata",
    "physics",
    "politics",
    "proceeds",
    "progress",
    "savings",
    "species",
    "staff",
    "statistics",
    "whereabouts",
];

/// Singular words in `s` that would pass for plurals. Their own plural adds `es`.
const SINGULAR_IN_S: &[&str] = &[
    "always", "atlas", "aws", "bias", "bios", "bps", "canvas", "chaos", "cms", "cosmos", "css", "dns", "ethos", "fps",
    "gas", "gps", "has", "https", "ios", "kbps", "lens", "macos", "mbps", "nas", "os", "pos", "redis", "sas", "sms",
    "tls", "trellis", "ups",
];

/// Singular and plural where `pluralizer` errs in one direction or the other.
const IRREGULAR: &[(&str, &str)] = &[
    ("agenda", "agendas"),
    ("axis", "axes"),
    ("cache", "caches"),
    ("cpu", "cpus"),
    ("ellipsis", "ellipses"),
    ("embassy", "embassies"),
    ("excuse", "excuses"),
    ("fuse", "fuses"),
    ("german", "germans"),
    ("gpu", "gpus"),
    ("guru", "gurus"),
    ("headache", "headaches"),
    ("hierarchy", "hierarchies"),
    ("hoodie", "hoodies"),
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
const PLURAL_WITHOUT_S: &[&str] = &[
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

/// Words in `d`, `g`, `k`, `l`, `p`, `r` or `t` that `pluralizer` gives no `s`.
const NO_ADDED_S: &[&str] = &[
    "adulthood",
    "aid",
    "aircraft",
    "alcohol",
    "blood",
    "butter",
    "carp",
    "clothing",
    "cod",
    "elk",
    "equipment",
    "feet",
    "flounder",
    "foot",
    "her",
    "homework",
    "housework",
    "labour",
    "mackerel",
    "mail",
    "mud",
    "our",
    "personnel",
    "shrimp",
    "that",
    "their",
    "trout",
    "whiting",
    "wildebeest",
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
    } else if has_plural_ending(word) {
        word.to_owned()
    } else if adds_s(word) {
        format!("{word}s")
    } else {
        pluralize(word, 2, false)
    }
}

fn singular_word(word: &str) -> String {
    let is_in_s = |word: &str| SINGULAR_IN_S.contains(&word);
    if let Some((singular, _)) = IRREGULAR.iter().find(|(_, plural)| *plural == word) {
        (*singular).to_owned()
    } else if UNCOUNTABLE.contains(&word) || is_in_s(word) || !may_be_plural(word) || has_singular_ending(word) {
        word.to_owned()
    } else if let Some(singular) = word.strip_suffix("es").filter(|word| is_in_s(word)) {
        singular.to_owned()
    } else {
        pluralize(word, 1, false)
    }
}

/// Whether a word that is in no table is a plural by its ending alone: `offers`, `images`.
fn has_plural_ending(word: &str) -> bool {
    let before = word.strip_suffix('s').and_then(|word| word.bytes().next_back());
    let is_regular = before.is_some_and(|before| before.is_ascii_lowercase() && !b"aiosu".contains(&before));
    is_regular && !["its", "yes"].contains(&word)
}

/// Whether the plural of a word that is in no other table adds an `s` by its ending alone: `order`, `product`.
fn adds_s(word: &str) -> bool {
    let is_regular = word.ends_with(['d', 'g', 'k', 'l', 'p', 'r', 't']);
    let is_irregular = ["child", "deer", "sheep"].iter().any(|end| word.ends_with(end));
    is_regular && !is_irregular && !NO_ADDED_S.contains(&word)
}

/// Whether a word in `s` that is in no table is a singular by its ending alone: `address`, `status`.
fn has_singular_ending(word: &str) -> bool {
    let before_us = word.strip_suffix("us").and_then(|word| word.bytes().next_back());
    let is_regular = before_us.is_some_and(|before| before.is_ascii_lowercase() && !b"aou".contains(&before));
    word.ends_with("ss") || is_regular && !["emus", "enus"].iter().any(|end| word.ends_with(end))
}

/// What has no `s` is not asked about, and no `axis` or `basis`, which `pluralizer` would shorten.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_last_word_is_changed_and_nothing_else() {
        let cases = [
            ("value", "values"),
            ("parameterGroup", "parameterGroups"),
            ("salesOrderLine", "salesOrderLines"),
            ("GeneralDelivery", "GeneralDeliveries"),
            ("Person", "People"),
            ("general-delivery", "general-deliveries"),
            ("order_line", "order_lines"),
            ("line2", "lines2"),
            ("imageUri", "imageUris"),
        ];
        for (one, many) in cases {
            assert_eq!(plural(one), many);
            assert_eq!(singular(many), one);
        }
    }

    #[test]
    fn a_word_is_either_singular_or_plural() {
        let words = "address:addresses agenda:agendas alias:aliases analysis:analyses api:apis axis:axes \
            batch:batches bias:biases bonus:bonuses box:boxes branch:branches business:businesses cache:caches \
            campus:campuses canvas:canvases case:cases category:categories cause:causes child:children class:classes \
            clause:clauses company:companies cookie:cookies country:countries course:courses criterion:criteria \
            currency:currencies database:databases day:days device:devices employee:employees expense:expenses \
            fee:fees file:files gas:gases hero:heroes hierarchy:hierarchies house:houses id:ids idea:ideas \
            index:indices invoice:invoices journey:journeys kpi:kpis leaf:leaves lens:lenses license:licenses \
            life:lives man:men matrix:matrices menu:menus movie:movies opera:operas person:people phase:phases \
            photo:photos policy:policies price:prices process:processes proxy:proxies purchase:purchases query:queries \
            quiz:quizzes quota:quotas radius:radii reply:replies response:responses route:routes saga:sagas \
            schema:schemas search:searches service:services shelf:shelves size:sizes sku:skus status:statuses \
            stock:stocks tax:taxes thesis:theses uri:uris url:urls use:uses valve:valves vertex:vertices video:videos \
            virus:viruses watch:watches wife:wives wiki:wikis woman:women";
        for pair in words.split_whitespace() {
            let (one, many) = pair.split_once(':').unwrap();
            assert_eq!((plural(one).as_str(), singular(many).as_str()), (many, one));
            assert!(is_singular(one) && !is_plural(one), "{one}");
            assert!(is_plural(many) && !is_singular(many), "{many}");
        }
    }

    #[test]
    fn singular_words_in_s_pass_for_no_plurals() {
        let words = "status address access stock analysis business canvas bonus radius gps sms process class bus focus \
            lens bias atlas axis basis crisis dns aws css https ios os progress success compass virus campus census";
        for word in words.split_whitespace() {
            assert!(is_singular(word), "{word}");
        }
        for word in ["offerStatus", "emailAddress", "gps", "sms", "stock", "hasAccess", "business"] {
            assert!(!is_plural(word), "{word}");
        }
    }

    #[test]
    fn uncountable_words_are_both() {
        let words = "news series data metadata info species chassis media information equipment headquarters logistics";
        for word in words.split_whitespace() {
            assert!(is_singular(word) && is_plural(word), "{word}");
        }
    }

    proptest! {
        #[test]
        fn of_what_an_ending_says_the_library_says_the_same(
            start in "[a-z]{0,4}", end in "[a-z]{0,2}(e|[a-z])(s|us|ss|es|ies|ses|xes)"
        ) {
            let word = format!("{start}{end}");
            if has_plural_ending(&word) {
                prop_assert_eq!(pluralize(&word, 2, false), &word[..]);
            }
            if has_singular_ending(&word) {
                prop_assert_eq!(pluralize(&word, 1, false), &word[..]);
            }
        }

        #[test]
        fn where_an_s_is_added_the_library_adds_it(word in "[a-z]{0,6}[dgklprt]") {
            if adds_s(&word) {
                prop_assert_eq!(pluralize(&word, 2, false), format!("{word}s"));
            }
        }
    }

    #[test]
    fn what_gets_no_s_is_as_the_library_says() {
        for word in NO_ADDED_S.iter().chain(&["child", "grandchild", "reindeer", "sheep"]) {
            assert!(!adds_s(word), "{word}");
            assert_ne!(pluralize(word, 2, false), format!("{word}s"));
        }
    }

    #[test]
    fn words_without_an_s_are_singular_unless_irregular() {
        for word in ["nova", "regimen", "specimen", "opera", "wifi", "taxi", "ramen", "hidden", "agenda", "our"] {
            assert_eq!(singular(word), word);
        }
    }
}
