//! The ordinal plural rules of languages: data of CLDR 48. `bench/plural_rules.py` writes this file.
//!
//! © Unicode, Inc., under the Unicode License v3 (Unicode-3.0), which is in `LICENSE-UNICODE` beside this file.

use super::PluralCategory::{Few, Many, One, Two, Zero};
use super::operands::Operand::{I, N};
use super::{LanguageGroup, is, is_not};

pub(super) const LANGUAGES: &[LanguageGroup] = &[
    LanguageGroup {
        languages: &[
            "af", "am", "an", "ar", "ast", "bg", "bs", "ce", "cs", "cv", "da", "de", "dsb", "el", "es", "et", "eu",
            "fa", "fi", "fy", "gl", "gsw", "he", "hr", "hsb", "ia", "id", "ie", "is", "ja", "km", "kn", "ko", "ky",
            "lt", "lv", "ml", "mn", "my", "nb", "nl", "no", "pa", "pl", "prg", "ps", "pt", "ru", "sd", "sh", "si",
            "sk", "sl", "sr", "sw", "ta", "te", "th", "tpi", "tr", "und", "ur", "uz", "yue", "zh", "zu",
        ],
        rules: &[],
    },
    LanguageGroup {
        languages: &["as", "bn"],
        rules: &[
            (One, &[&[is(N, 0, &[(1, 1), (5, 5), (7, 7), (8, 8), (9, 9), (10, 10)])]]),
            (Two, &[&[is(N, 0, &[(2, 2), (3, 3)])]]),
            (Few, &[&[is(N, 0, &[(4, 4)])]]),
            (Many, &[&[is(N, 0, &[(6, 6)])]]),
        ],
    },
    LanguageGroup {
        languages: &["az"],
        rules: &[
            (
                One,
                &[
                    &[is(I, 10, &[(1, 1), (2, 2), (5, 5), (7, 7), (8, 8)])],
                    &[is(I, 100, &[(20, 20), (50, 50), (70, 70), (80, 80)])],
                ],
            ),
            (
                Few,
                &[
                    &[is(I, 10, &[(3, 3), (4, 4)])],
                    &[is(
                        I,
                        1000,
                        &[
                            (100, 100),
                            (200, 200),
                            (300, 300),
                            (400, 400),
                            (500, 500),
                            (600, 600),
                            (700, 700),
                            (800, 800),
                            (900, 900),
                        ],
                    )],
                ],
            ),
            (Many, &[&[is(I, 0, &[(0, 0)])], &[is(I, 10, &[(6, 6)])], &[is(I, 100, &[(40, 40), (60, 60), (90, 90)])]]),
        ],
    },
    LanguageGroup {
        languages: &["bal", "fil", "fr", "ga", "hy", "lo", "mo", "ms", "ro", "tl", "vi"],
        rules: &[(One, &[&[is(N, 0, &[(1, 1)])]])],
    },
    LanguageGroup {
        languages: &["be"],
        rules: &[(Few, &[&[is(N, 10, &[(2, 2), (3, 3)]), is_not(N, 100, &[(12, 12), (13, 13)])]])],
    },
    LanguageGroup {
        languages: &["blo"],
        rules: &[
            (Zero, &[&[is(I, 0, &[(0, 0)])]]),
            (One, &[&[is(I, 0, &[(1, 1)])]]),
            (Few, &[&[is(I, 0, &[(2, 2), (3, 3), (4, 4), (5, 5), (6, 6)])]]),
        ],
    },
    LanguageGroup {
        languages: &["ca"],
        rules: &[
            (One, &[&[is(N, 0, &[(1, 1), (3, 3)])]]),
            (Two, &[&[is(N, 0, &[(2, 2)])]]),
            (Few, &[&[is(N, 0, &[(4, 4)])]]),
        ],
    },
    LanguageGroup {
        languages: &["cy"],
        rules: &[
            (Zero, &[&[is(N, 0, &[(0, 0), (7, 7), (8, 8), (9, 9)])]]),
            (One, &[&[is(N, 0, &[(1, 1)])]]),
            (Two, &[&[is(N, 0, &[(2, 2)])]]),
            (Few, &[&[is(N, 0, &[(3, 3), (4, 4)])]]),
            (Many, &[&[is(N, 0, &[(5, 5), (6, 6)])]]),
        ],
    },
    LanguageGroup {
        languages: &["en"],
        rules: &[
            (One, &[&[is(N, 10, &[(1, 1)]), is_not(N, 100, &[(11, 11)])]]),
            (Two, &[&[is(N, 10, &[(2, 2)]), is_not(N, 100, &[(12, 12)])]]),
            (Few, &[&[is(N, 10, &[(3, 3)]), is_not(N, 100, &[(13, 13)])]]),
        ],
    },
    LanguageGroup {
        languages: &["gd"],
        rules: &[
            (One, &[&[is(N, 0, &[(1, 1), (11, 11)])]]),
            (Two, &[&[is(N, 0, &[(2, 2), (12, 12)])]]),
            (Few, &[&[is(N, 0, &[(3, 3), (13, 13)])]]),
        ],
    },
    LanguageGroup {
        languages: &["gu", "hi"],
        rules: &[
            (One, &[&[is(N, 0, &[(1, 1)])]]),
            (Two, &[&[is(N, 0, &[(2, 2), (3, 3)])]]),
            (Few, &[&[is(N, 0, &[(4, 4)])]]),
            (Many, &[&[is(N, 0, &[(6, 6)])]]),
        ],
    },
    LanguageGroup { languages: &["hu"], rules: &[(One, &[&[is(N, 0, &[(1, 1), (5, 5)])]])] },
    LanguageGroup {
        languages: &["it", "lld", "sc", "vec"],
        rules: &[(Many, &[&[is(N, 0, &[(11, 11), (8, 8), (80, 80), (800, 800)])]])],
    },
    LanguageGroup {
        languages: &["ka"],
        rules: &[
            (One, &[&[is(I, 0, &[(1, 1)])]]),
            (Many, &[&[is(I, 0, &[(0, 0)])], &[is(I, 100, &[(2, 20), (40, 40), (60, 60), (80, 80)])]]),
        ],
    },
    LanguageGroup {
        languages: &["kk"],
        rules: &[(
            Many,
            &[&[is(N, 10, &[(6, 6)])], &[is(N, 10, &[(9, 9)])], &[is(N, 10, &[(0, 0)]), is_not(N, 0, &[(0, 0)])]],
        )],
    },
    LanguageGroup {
        languages: &["kok", "kok-Latn", "mr"],
        rules: &[
            (One, &[&[is(N, 0, &[(1, 1)])]]),
            (Two, &[&[is(N, 0, &[(2, 2), (3, 3)])]]),
            (Few, &[&[is(N, 0, &[(4, 4)])]]),
        ],
    },
    LanguageGroup {
        languages: &["kw"],
        rules: &[
            (One, &[&[is(N, 0, &[(1, 4)])], &[is(N, 100, &[(1, 4), (21, 24), (41, 44), (61, 64), (81, 84)])]]),
            (Many, &[&[is(N, 0, &[(5, 5)])], &[is(N, 100, &[(5, 5)])]]),
        ],
    },
    LanguageGroup {
        languages: &["lij", "scn"],
        rules: &[(Many, &[&[is(N, 0, &[(11, 11), (8, 8), (80, 89), (800, 899)])]])],
    },
    LanguageGroup {
        languages: &["mk"],
        rules: &[
            (One, &[&[is(I, 10, &[(1, 1)]), is_not(I, 100, &[(11, 11)])]]),
            (Two, &[&[is(I, 10, &[(2, 2)]), is_not(I, 100, &[(12, 12)])]]),
            (Many, &[&[is(I, 10, &[(7, 7), (8, 8)]), is_not(I, 100, &[(17, 17), (18, 18)])]]),
        ],
    },
    LanguageGroup { languages: &["ne"], rules: &[(One, &[&[is(N, 0, &[(1, 4)])]])] },
    LanguageGroup {
        languages: &["or"],
        rules: &[
            (One, &[&[is(N, 0, &[(1, 1), (5, 5), (7, 9)])]]),
            (Two, &[&[is(N, 0, &[(2, 2), (3, 3)])]]),
            (Few, &[&[is(N, 0, &[(4, 4)])]]),
            (Many, &[&[is(N, 0, &[(6, 6)])]]),
        ],
    },
    LanguageGroup {
        languages: &["sq"],
        rules: &[(One, &[&[is(N, 0, &[(1, 1)])]]), (Many, &[&[is(N, 10, &[(4, 4)]), is_not(N, 100, &[(14, 14)])]])],
    },
    LanguageGroup {
        languages: &["sv"],
        rules: &[(One, &[&[is(N, 10, &[(1, 1), (2, 2)]), is_not(N, 100, &[(11, 11), (12, 12)])]])],
    },
    LanguageGroup { languages: &["tk"], rules: &[(Few, &[&[is(N, 10, &[(6, 6), (9, 9)])], &[is(N, 0, &[(10, 10)])]])] },
    LanguageGroup { languages: &["uk"], rules: &[(Few, &[&[is(N, 10, &[(3, 3)]), is_not(N, 100, &[(13, 13)])]])] },
];
