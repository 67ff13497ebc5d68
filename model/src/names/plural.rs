//! Singular and plural of a name's last word.
//!
//! `pluralizer` knows the rules of English. The tables here come first: they overrule its guesses and add the words of
//! computing that it does not know. A word costs it a fraction of a microsecond, so nothing is cached. But it begins
//! with the compilation of all its rules, which was most of a start's work: of words whose ending says it all, it is
//! not asked.

mod words;

use pluralizer::pluralize;
use words::{
    F_ADDS_S, HARD_CH, IRREGULAR, NO_ADDED_S, OTHER_PLURALS, PLURAL_ENDINGS_WITHOUT_S, PLURAL_IN_AE, PLURAL_WITHOUT_S,
    SES_OF_SIS, SINGULAR_ENDINGS_IN_S, SINGULAR_IN_IE, SINGULAR_IN_MEN, SINGULAR_IN_OE, SINGULAR_IN_S, UNCOUNTABLE,
    UNCOUNTABLE_ENDINGS,
};

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
    if is_uncountable(word) || singular_of_known(word).is_some() {
        word.to_owned()
    } else if let Some((_, plural)) = IRREGULAR.iter().find(|(singular, _)| *singular == word) {
        (*plural).to_owned()
    } else if is_singular_in_s(word) {
        format!("{word}es")
    } else if has_plural_ending(word) || is_plural_without_s(word) {
        word.to_owned()
    } else if let Some(plural) = plural_by_ending(word) {
        plural
    } else if adds_s(word) {
        format!("{word}s")
    } else {
        pluralize(word, 2, false)
    }
}

fn singular_word(word: &str) -> String {
    if let Some(singular) = singular_of_known(word) {
        singular.to_owned()
    } else if is_uncountable(word) || is_singular_in_s(word) || !may_be_plural(word) || has_singular_ending(word) {
        word.to_owned()
    } else if let Some(singular) = word.strip_suffix("es").filter(|word| is_singular_in_s(word)) {
        singular.to_owned()
    } else if let Some(singular) = singular_by_ending(word) {
        singular
    } else {
        pluralize(word, 1, false)
    }
}

/// Whether a word is its own plural.
fn is_uncountable(word: &str) -> bool {
    UNCOUNTABLE.contains(&word) || UNCOUNTABLE_ENDINGS.iter().any(|end| word.len() > end.len() && word.ends_with(end))
}

/// Whether a word in `s` is a singular: `canvas`, `metropolis`, `arthritis`.
fn is_singular_in_s(word: &str) -> bool {
    word.ends_with('s') && (SINGULAR_IN_S.contains(&word) || ends_with_any(word, SINGULAR_ENDINGS_IN_S))
}

/// The singular of a plural that is in a table.
fn singular_of_known(word: &str) -> Option<&'static str> {
    let irregular = IRREGULAR.iter().find(|(_, plural)| *plural == word).map(|(singular, _)| *singular);
    irregular.or_else(|| OTHER_PLURALS.iter().find(|(plural, _)| *plural == word).map(|(_, singular)| *singular))
}

fn ends_with_any(word: &str, endings: &[&str]) -> bool {
    endings.iter().any(|end| word.ends_with(end))
}

/// Whether a word that is in no table is a plural by its ending alone: `offers`, `images`.
fn has_plural_ending(word: &str) -> bool {
    let before = word.strip_suffix('s').and_then(|word| word.bytes().next_back());
    let is_regular = before.is_some_and(|before| before.is_ascii_lowercase() && !b"aiosu".contains(&before));
    is_regular && !["its", "yes"].contains(&word)
}

/// Whether a word is a plural without an `s`: `people`, `grandchildren`, `firemen`, `larvae`.
fn is_plural_without_s(word: &str) -> bool {
    PLURAL_WITHOUT_S.contains(&word)
        || ends_with_any(word, PLURAL_ENDINGS_WITHOUT_S)
        || word.ends_with("men") && !SINGULAR_IN_MEN.contains(&word)
        || PLURAL_IN_AE.contains(&word)
}

/// Whether the plural of a word that is in no other table adds an `s` by its ending alone: `order`, `product`.
fn adds_s(word: &str) -> bool {
    let is_regular = word.ends_with(['d', 'g', 'k', 'l', 'p', 'r', 't']);
    let is_irregular = ["child", "deer", "sheep"].iter().any(|end| word.ends_with(end));
    is_regular && !is_irregular && !NO_ADDED_S.contains(&word)
}

/// The plural by an ending that `pluralizer` does not know.
fn plural_by_ending(word: &str) -> Option<String> {
    if SINGULAR_IN_MEN.contains(&word) || ends_with_any(word, HARD_CH) || F_ADDS_S.contains(&word) {
        return Some(format!("{word}s"));
    }
    if let Some(stem) = word.strip_suffix("foot").or_else(|| word.strip_suffix("tooth")) {
        let ending = if word.ends_with("foot") { "feet" } else { "teeth" };
        return Some(format!("{stem}{ending}"));
    }
    match word.strip_suffix('z') {
        // `quiz`, `fez`: a short word doubles it
        Some("qui" | "whi" | "fe" | "bi") => Some(format!("{word}zes")),
        Some(_) => Some(format!("{word}es")),
        None => None,
    }
}

/// The singular by an ending that `pluralizer` does not know.
fn singular_by_ending(word: &str) -> Option<String> {
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| !stem.is_empty()) {
        let in_ie = &word[..word.len() - 1];
        let is_short = stem.len() == 1; // `pies`, `ties`
        let ending = if is_short || SINGULAR_IN_IE.contains(&in_ie) { "ie" } else { "y" };
        return Some(format!("{stem}{ending}"));
    }
    if let Some(stem) = word.strip_suffix("oes") {
        let in_oe = &word[..word.len() - 1];
        let is_in_oe = in_oe.ends_with("shoe") || SINGULAR_IN_OE.contains(&in_oe);
        return Some(format!("{stem}{}", if is_in_oe { "oe" } else { "o" }));
    }
    if let Some(stem) = word.strip_suffix("feet") {
        return Some(format!("{stem}foot"));
    }
    if let Some(stem) = word.strip_suffix("teeth") {
        return Some(format!("{stem}tooth"));
    }
    if let Some(in_a) = word.strip_suffix('e').filter(|stem| stem.ends_with('a')) {
        return Some(in_a.to_owned());
    }
    if ends_with_any(word, SES_OF_SIS) {
        return Some(format!("{}is", &word[..word.len() - 2]));
    }
    let stem = word.strip_suffix("es")?;
    if let Some(short) = ["quizz", "whizz", "fezz", "bizz"].iter().find(|it| **it == stem) {
        return Some(short[..short.len() - 1].to_owned());
    }
    let is_in_z = stem.ends_with("tz") || stem == "topaz";
    is_in_z.then(|| stem.to_owned())
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
    word.ends_with('s') && !is_singular_in_is || is_plural_without_s(word)
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

    /// Of each ending that has a rule of its own, and of each table, some words. `bench/plurals.py` compares all nouns
    /// of a dictionary.
    #[test]
    fn an_ending_has_its_plural() {
        let words = "waltz:waltzes topaz:topazes quartz:quartzes blitz:blitzes buzz:buzzes fez:fezzes quiz:quizzes \
            gulf:gulfs oaf:oafs calf:calves shelf:shelves wolf:wolves loaf:loaves roof:roofs chief:chiefs proof:proofs \
            olive:olives bivalve:bivalves salve:salves epoch:epochs monarch:monarchs patriarch:patriarchs tech:techs \
            stomach:stomachs eunuch:eunuchs loch:lochs arch:arches march:marches speech:speeches branch:branches \
            avalanche:avalanches quiche:quiches niche:niches peach:peaches coach:coaches beach:beaches \
            fireman:firemen spokeswoman:spokeswomen human:humans ottoman:ottomans abdomen:abdomens stamen:stamens \
            grandchild:grandchildren salesperson:salespeople clubfoot:clubfeet eyetooth:eyeteeth goose:geese \
            daisy:daisies monarchy:monarchies sympathy:sympathies prophecy:prophecies cookie:cookies calorie:calories \
            pie:pies tie:ties zombie:zombies toe:toes shoe:shoes canoe:canoes hero:heroes potato:potatoes photo:photos \
            pelvis:pelvises metropolis:metropolises epidermis:epidermises iris:irises mantis:mantises fracas:fracases \
            summons:summonses muse:muses recluse:recluses excuse:excuses toga:togas bodega:bodegas sari:saris gnu:gnus \
            nova:novas tuna:tunas diocese:dioceses premise:premises pose:poses posse:posses dose:doses rose:roses \
            money:monies";
        for pair in words.split_whitespace() {
            let (one, many) = pair.split_once(':').unwrap();
            assert_eq!((plural(one).as_str(), singular(many).as_str()), (many, one));
            assert_eq!((plural(many).as_str(), singular(one).as_str()), (many, one));
        }
    }

    #[test]
    fn a_second_plural_is_known_too() {
        let words = "larvae:larva nebulae:nebula thromboses:thrombosis neuroses:neurosis metamorphoses:metamorphosis \
            metastases:metastasis dialyses:dialysis nemeses:nemesis vortices:vortex helices:helix apices:apex \
            quanta:quantum phyla:phylum optima:optimum papyri:papyrus haloes:halo fiascoes:fiasco syllabuses:syllabus";
        for pair in words.split_whitespace() {
            let (many, one) = pair.split_once(':').unwrap();
            assert_eq!(singular(many), one);
            assert!(is_plural(many) && !is_singular(many), "{many}");
        }
    }

    #[test]
    fn mass_nouns_are_their_own_plural() {
        let words = "furniture luggage baggage jewelry cutlery machinery stationery footwear glassware malware \
            software hardware livestock poultry cattle knowledge weather arthritis megahertz biceps staff feedback equipment";
        for word in words.split_whitespace() {
            assert!(is_singular(word) && is_plural(word), "{word}");
        }
    }

    #[test]
    fn words_without_an_s_are_singular_unless_irregular() {
        for word in ["nova", "regimen", "specimen", "opera", "wifi", "taxi", "ramen", "hidden", "agenda", "our"] {
            assert_eq!(singular(word), word);
        }
    }
}
