//! Words whose singular or plural their ending does not tell. Everything is in lower case.

/// Words that are their own plural.
#[rustfmt::skip]
pub(super) const UNCOUNTABLE: &[&str] = &[
    "advice", "arrears", "asbestos", "baggage", "biceps", "cannabis", "cattle", "cutlery", "data", "earnings",
    "economics", "electricity", "feedback", "forceps", "furniture", "goods", "ibis", "info", "jewellery", "jewelry",
    "knowledge", "livestock", "logistics", "luggage", "machinery", "mathematics", "means", "media", "merchandise",
    "metadata", "pathos", "physics", "politics", "poultry", "proceeds", "progress", "quadriceps", "rendezvous",
    "rhinoceros", "savings", "series", "species", "staff", "stationery", "statistics", "tennis", "triceps", "weather",
    "whereabouts",
];

/// Endings of words that are their own plural: `glassware`, `footwear`, `arthritis`, `megahertz`.
pub(super) const UNCOUNTABLE_ENDINGS: &[&str] = &["hertz", "litis", "ritis", "series", "ware", "wear"];

/// Singular words in `s` that would pass for plurals. Their own plural adds `es`.
#[rustfmt::skip]
pub(super) const SINGULAR_IN_S: &[&str] = &[
    "aegis", "always", "amaryllis", "atlas", "aws", "bias", "bios", "bps", "burnous", "canvas", "chaos", "christmas",
    "chrysalis", "clitoris", "cms", "cosmos", "css", "dais", "dns", "epidermis", "ethos", "fps", "fracas", "gas",
    "glottis", "gps", "has", "hires", "https", "ios", "jenkins", "kbps", "kubernetes", "lens", "lexis", "lowres",
    "macos", "mantis", "maxres", "mbps", "metropolis", "nas", "os", "pancreas", "pelvis", "penis", "pos", "postgres",
    "proboscis", "redis", "saas", "sas", "sms", "storageos", "summons", "thermos", "tls", "trellis", "ups",
];

/// Endings of the same.
pub(super) const SINGULAR_ENDINGS_IN_S: &[&str] = &["dermis", "glottis", "polis"];

/// Singular and plural where an ending would mislead in one direction or the other.
#[rustfmt::skip]
pub(super) const IRREGULAR: &[(&str, &str)] = &[
    ("ache", "aches"), ("adieu", "adieus"), ("agenda", "agendas"), ("alga", "algae"), ("apache", "apaches"),
    ("archdiocese", "archdioceses"), ("attache", "attaches"), ("avalanche", "avalanches"), ("axis", "axes"),
    ("backache", "backaches"), ("bayou", "bayous"), ("bellyache", "bellyaches"), ("bodega", "bodegas"),
    ("brioche", "brioches"), ("cache", "caches"), ("caiman", "caimans"), ("caribou", "caribous"),
    ("clergyman", "clergymen"), ("cliche", "cliches"), ("cloche", "cloches"), ("cpu", "cpus"), ("creche", "creches"),
    ("diocese", "dioceses"), ("douche", "douches"), ("earache", "earaches"), ("ellipsis", "ellipses"),
    ("embassy", "embassies"), ("excuse", "excuses"), ("finesse", "finesses"), ("fuse", "fuses"),
    ("german", "germans"), ("gnu", "gnus"), ("go", "goes"), ("gpu", "gpus"), ("guru", "gurus"),
    ("headache", "headaches"), ("heartache", "heartaches"), ("hierarchy", "hierarchies"),
    ("hypotenuse", "hypotenuses"), ("impasse", "impasses"), ("masseuse", "masseuses"), ("matrix", "matrices"),
    ("microfiche", "microfiches"), ("milieu", "milieus"), ("misuse", "misuses"), ("mosquito", "mosquitoes"),
    ("moustache", "moustaches"), ("muse", "muses"), ("mustache", "mustaches"), ("niche", "niches"),
    ("norman", "normans"), ("nova", "novas"), ("oasis", "oases"), ("omega", "omegas"), ("opera", "operas"),
    ("ottoman", "ottomans"), ("panache", "panaches"), ("pastiche", "pastiches"), ("persona", "personas"),
    ("poi", "pois"), ("pose", "poses"), ("posse", "posses"), ("premise", "premises"), ("psyche", "psyches"),
    ("quiche", "quiches"), ("recluse", "recluses"), ("roman", "romans"), ("rutabaga", "rutabagas"),
    ("safari", "safaris"), ("saga", "sagas"), ("sari", "saris"), ("schema", "schemas"), ("shaman", "shamans"),
    ("sku", "skus"), ("snafu", "snafus"), ("standby", "standbys"), ("stomachache", "stomachaches"),
    ("supernova", "supernovas"), ("tabu", "tabus"), ("talisman", "talismans"), ("toga", "togas"),
    ("toothache", "toothaches"), ("tranche", "tranches"), ("tuna", "tunas"), ("uri", "uris"), ("veto", "vetoes"),
    ("vibrato", "vibratos"), ("virus", "viruses"), ("zebu", "zebus"), ("zero", "zeroes"),
];

/// Further plurals, mostly Latin and Greek ones, whose singular has another plural too.
#[rustfmt::skip]
pub(super) const OTHER_PLURALS: &[(&str, &str)] = &[
    ("alluvia", "alluvium"), ("amanuenses", "amanuensis"), ("anathemas", "anathema"), ("aphelia", "aphelion"),
    ("apices", "apex"), ("aquaria", "aquarium"), ("auditoria", "auditorium"), ("beeves", "beef"),
    ("bivalves", "bivalve"), ("bronchi", "bronchus"), ("calculi", "calculus"), ("candelabra", "candelabrum"),
    ("catharses", "catharsis"), ("cerebella", "cerebellum"), ("cerebra", "cerebrum"), ("cervices", "cervix"),
    ("cicatrices", "cicatrix"), ("cilia", "cilium"), ("colloquia", "colloquium"), ("colossi", "colossus"),
    ("compendia", "compendium"), ("consortia", "consortium"), ("continua", "continuum"), ("cortices", "cortex"),
    ("crematoria", "crematorium"), ("cumuli", "cumulus"), ("desiderata", "desideratum"), ("dialyses", "dialysis"),
    ("dicta", "dictum"), ("diereses", "dieresis"), ("dieses", "diesis"), ("dormice", "dormouse"),
    ("duodena", "duodenum"), ("electrolyses", "electrolysis"), ("emporia", "emporium"), ("equilibria", "equilibrium"),
    ("esophagi", "esophagus"), ("eucalypti", "eucalyptus"), ("executrices", "executrix"), ("exegeses", "exegesis"),
    ("flagella", "flagellum"), ("ganglia", "ganglion"), ("geneses", "genesis"), ("graffiti", "graffito"),
    ("gymnasia", "gymnasium"), ("heaves", "heave"), ("helices", "helix"), ("honoraria", "honorarium"),
    ("humeri", "humerus"), ("incubi", "incubus"), ("intermezzi", "intermezzo"), ("kibbutzim", "kibbutz"),
    ("kroner", "krone"), ("labia", "labium"), ("laypeople", "layperson"), ("libretti", "libretto"), ("lire", "lira"),
    ("maxima", "maximum"), ("memoranda", "memorandum"), ("messieurs", "monsieur"), ("milieux", "milieu"),
    ("millennia", "millennium"), ("minima", "minimum"), ("momenta", "momentum"),
    ("monies", "money"), ("moratoria", "moratorium"), ("nemeses", "nemesis"), ("nimbi", "nimbus"),
    ("optima", "optimum"), ("ova", "ovum"), ("papyri", "papyrus"), ("paralyses", "paralysis"),
    ("paramecia", "paramecium"), ("passersby", "passerby"), ("pericardia", "pericardium"),
    ("perihelia", "perihelion"), ("periphrases", "periphrasis"), ("pharynges", "pharynx"), ("phyla", "phylum"),
    ("plectra", "plectrum"), ("podia", "podium"), ("protozoa", "protozoan"), ("quanta", "quantum"),
    ("quorums", "quorum"), ("referenda", "referendum"), ("rhombi", "rhombus"), ("salves", "salve"),
    ("sanatoria", "sanatorium"), ("scherzi", "scherzo"), ("sera", "serum"), ("solaria", "solarium"),
    ("spectra", "spectrum"), ("stadia", "stadium"), ("syllabuses", "syllabus"), ("symposia", "symposium"),
    ("termini", "terminus"), ("thalami", "thalamus"), ("thoraces", "thorax"), ("thrombi", "thrombus"),
    ("thymi", "thymus"), ("titmice", "titmouse"), ("umbilici", "umbilicus"), ("urinalyses", "urinalysis"),
    ("viscera", "viscus"), ("vortices", "vortex"),
];

/// Plurals without an `s`. `pluralizer` sees many more (`nova` is not the plural of a `novum`).
#[rustfmt::skip]
pub(super) const PLURAL_WITHOUT_S: &[&str] = &[
    "addenda", "alumni", "automata", "bacilli", "bacteria", "cacti", "criteria", "curricula", "dice", "errata",
    "foci", "fungi", "geese", "genera", "lice", "loci", "mice", "nuclei", "oxen", "phenomena", "polyhedra", "radii",
    "schemata", "stimuli", "strata", "substrata",
];

/// Endings of the same.
#[rustfmt::skip]
pub(super) const PLURAL_ENDINGS_WITHOUT_S: &[&str] = &[
    "children", "feet", "people", "teeth",
];

/// Plurals in `ae`, of words in `a`.
#[rustfmt::skip]
pub(super) const PLURAL_IN_AE: &[&str] = &[
    "abscissae", "alumnae", "amebae", "amoebae", "antennae", "aortae", "aquae", "cochleae", "copulae", "faunae",
    "florae", "formulae", "hyphae", "lacunae", "larvae", "maxillae", "minutiae", "nebulae", "novae", "papillae",
    "patellae", "patinae", "personae", "pupae", "retinae", "salmonellae", "scapulae", "supernovae", "tracheae", "ulnae",
    "urethrae", "uvulae", "vertebrae",
];

/// Singular words in `men`; all others are plurals, of words in `man`.
#[rustfmt::skip]
pub(super) const SINGULAR_IN_MEN: &[&str] = &[
    "abdomen", "acumen", "albumen", "amen", "bitumen", "cognomen", "cyclamen", "dolmen", "foramen", "hymen", "lumen",
    "omen", "prenomen", "ramen", "regimen", "rumen", "semen", "specimen", "stamen", "yemen",
];

/// Endings of plurals of words in `osis`, `asis` and `esis`: `thromboses`, `metastases`, `amniocenteses`.
#[rustfmt::skip]
pub(super) const SES_OF_SIS: &[&str] = &[
    "bioses", "centeses", "choses", "euroses", "fibroses", "kineses", "leroses", "mboses", "mitoses",
    "phoses", "stases", "theoses", "ypnoses",
];

/// Singular words in `ie`; all other plurals in `ies` are of words in `y`.
#[rustfmt::skip]
pub(super) const SINGULAR_IN_IE: &[&str] = &[
    "aerie", "anomie", "auntie", "beanie", "birdie", "bookie", "bootie", "bourgeoisie", "brie", "brownie", "budgie",
    "calorie", "camaraderie", "charcuterie", "charlie", "collie", "cookie", "coolie", "coterie", "cowrie", "curie",
    "cutie", "die", "doggie", "eyrie", "faerie", "foodie", "freebie", "genie", "goalie", "groupie", "hippie", "homie",
    "hoodie", "indie", "jalousie", "junkie", "laddie", "lassie", "lie", "magpie", "menagerie", "mountie", "movie",
    "necktie", "newbie", "nightie", "oldie", "patisserie", "pie", "pinkie", "pixie", "potpie", "prairie", "preemie",
    "pyxie", "quickie", "reverie", "rookie", "roomie", "rotisserie", "selfie", "smoothie", "softie", "sortie",
    "specie", "stymie", "talkie", "techie", "tie", "townie", "veggie", "walkie", "wedgie", "yuppie", "zombie",
];

/// Singular words in `oe`; all other plurals in `oes` are of words in `o`.
#[rustfmt::skip]
pub(super) const SINGULAR_IN_OE: &[&str] = &[
    "aloe", "backhoe", "canoe", "doe", "floe", "foe", "hoe", "mistletoe", "oboe", "roe", "sloe", "throe", "tiptoe",
    "toe", "woe",
];

/// Endings of words in `arch` and the like whose `ch` is hard: their plural adds an `s`.
#[rustfmt::skip]
pub(super) const HARD_CH: &[&str] = &[
    "czech", "epoch", "eunuch", "garch", "iarch", "loch", "narch", "stomach", "tech", "trarch", "triptych",
];

/// Words in `lf` or `oaf` whose plural adds an `s`.
#[rustfmt::skip]
pub(super) const F_ADDS_S: &[&str] = &[
    "golf", "gulf", "oaf",
];

/// Words in `d`, `g`, `k`, `l`, `p`, `r` or `t` that `pluralizer` gives no `s`.
#[rustfmt::skip]
pub(super) const NO_ADDED_S: &[&str] = &[
    "adulthood", "aid", "aircraft", "alcohol", "blood", "butter", "carp", "clothing", "cod", "elk", "equipment",
    "feet", "flounder", "foot", "her", "homework", "housework", "labour", "mackerel", "mail", "mud", "our",
    "personnel", "shrimp", "that", "their", "trout", "whiting", "wildebeest",
];
