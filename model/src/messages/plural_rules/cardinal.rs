//! The cardinal plural rules of languages: data of CLDR 48. `bench/plural_rules.py` writes this file.
//!
//! © Unicode, Inc., under the Unicode License v3 (Unicode-3.0), which is in `LICENSE-UNICODE` beside this file.

use super::PluralCategory::{Few, Many, One, Two, Zero};
use super::operands::Operand::{E, F, I, N, T, V};
use super::{LanguageGroup, is, is_not};

pub(super) const LANGUAGES: &[LanguageGroup] = &[
    LanguageGroup {
        languages: &[
            "af", "an", "asa", "az", "bal", "bem", "bez", "bg", "brx", "ce", "cgg", "chr", "ckb", "dv", "ee", "el",
            "eo", "eu", "fo", "fur", "gsw", "ha", "haw", "hu", "jgo", "jmc", "ka", "kaj", "kcg", "kk", "kkj", "kl",
            "ks", "ksb", "ku", "ky", "lb", "lg", "mas", "mgo", "ml", "mn", "mr", "nah", "nb", "nd", "ne", "nn", "nnh",
            "no", "nr", "ny", "nyn", "om", "or", "os", "pap", "ps", "rm", "rof", "rwk", "saq", "sd", "sdh", "seh",
            "sn", "so", "sq", "ss", "ssy", "st", "syr", "ta", "te", "teo", "tig", "tk", "tn", "tr", "ts", "ug", "uz",
            "ve", "vo", "vun", "wae", "xh", "xog",
        ],
        rules: &[(One, &[&[is(N, 0, &[(1, 1)])]])],
    },
    LanguageGroup {
        languages: &["ak", "bho", "csw", "guw", "ln", "mg", "nso", "pa", "ti", "wa"],
        rules: &[(One, &[&[is(N, 0, &[(0, 1)])]])],
    },
    LanguageGroup {
        languages: &["am", "as", "bn", "doi", "fa", "gu", "hi", "kn", "kok", "kok-Latn", "pcm", "zu"],
        rules: &[(One, &[&[is(I, 0, &[(0, 0)])], &[is(N, 0, &[(1, 1)])]])],
    },
    LanguageGroup {
        languages: &["ar", "ars"],
        rules: &[
            (Zero, &[&[is(N, 0, &[(0, 0)])]]),
            (One, &[&[is(N, 0, &[(1, 1)])]]),
            (Two, &[&[is(N, 0, &[(2, 2)])]]),
            (Few, &[&[is(N, 100, &[(3, 10)])]]),
            (Many, &[&[is(N, 100, &[(11, 99)])]]),
        ],
    },
    LanguageGroup {
        languages: &[
            "ast", "de", "en", "et", "fi", "fy", "gl", "ia", "ie", "io", "lij", "nl", "sc", "sv", "sw", "ur", "yi",
        ],
        rules: &[(One, &[&[is(I, 0, &[(1, 1)]), is(V, 0, &[(0, 0)])]])],
    },
    LanguageGroup {
        languages: &["be"],
        rules: &[
            (One, &[&[is(N, 10, &[(1, 1)]), is_not(N, 100, &[(11, 11)])]]),
            (Few, &[&[is(N, 10, &[(2, 4)]), is_not(N, 100, &[(12, 14)])]]),
            (Many, &[&[is(N, 10, &[(0, 0)])], &[is(N, 10, &[(5, 9)])], &[is(N, 100, &[(11, 14)])]]),
        ],
    },
    LanguageGroup {
        languages: &["blo", "cv", "ksh"],
        rules: &[(Zero, &[&[is(N, 0, &[(0, 0)])]]), (One, &[&[is(N, 0, &[(1, 1)])]])],
    },
    LanguageGroup {
        languages: &[
            "bm", "bo", "dz", "hnj", "id", "ig", "ii", "ja", "jbo", "jv", "jw", "kde", "kea", "km", "ko", "lkt", "lo",
            "ms", "my", "nqo", "osa", "sah", "ses", "sg", "su", "th", "to", "tpi", "und", "vi", "wo", "yo", "yue",
            "zh",
        ],
        rules: &[],
    },
    LanguageGroup {
        languages: &["br"],
        rules: &[
            (One, &[&[is(N, 10, &[(1, 1)]), is_not(N, 100, &[(11, 11), (71, 71), (91, 91)])]]),
            (Two, &[&[is(N, 10, &[(2, 2)]), is_not(N, 100, &[(12, 12), (72, 72), (92, 92)])]]),
            (Few, &[&[is(N, 10, &[(3, 4), (9, 9)]), is_not(N, 100, &[(10, 19), (70, 79), (90, 99)])]]),
            (Many, &[&[is_not(N, 0, &[(0, 0)]), is(N, 1000000, &[(0, 0)])]]),
        ],
    },
    LanguageGroup {
        languages: &["bs", "hr", "sh", "sr"],
        rules: &[
            (
                One,
                &[
                    &[is(V, 0, &[(0, 0)]), is(I, 10, &[(1, 1)]), is_not(I, 100, &[(11, 11)])],
                    &[is(F, 10, &[(1, 1)]), is_not(F, 100, &[(11, 11)])],
                ],
            ),
            (
                Few,
                &[
                    &[is(V, 0, &[(0, 0)]), is(I, 10, &[(2, 4)]), is_not(I, 100, &[(12, 14)])],
                    &[is(F, 10, &[(2, 4)]), is_not(F, 100, &[(12, 14)])],
                ],
            ),
        ],
    },
    LanguageGroup {
        languages: &["ca", "it", "lld", "pt-PT", "scn", "vec"],
        rules: &[
            (One, &[&[is(I, 0, &[(1, 1)]), is(V, 0, &[(0, 0)])]]),
            (
                Many,
                &[
                    &[is(E, 0, &[(0, 0)]), is_not(I, 0, &[(0, 0)]), is(I, 1000000, &[(0, 0)]), is(V, 0, &[(0, 0)])],
                    &[is_not(E, 0, &[(0, 5)])],
                ],
            ),
        ],
    },
    LanguageGroup {
        languages: &["ceb", "fil", "tl"],
        rules: &[(
            One,
            &[
                &[is(V, 0, &[(0, 0)]), is(I, 0, &[(1, 1), (2, 2), (3, 3)])],
                &[is(V, 0, &[(0, 0)]), is_not(I, 10, &[(4, 4), (6, 6), (9, 9)])],
                &[is_not(V, 0, &[(0, 0)]), is_not(F, 10, &[(4, 4), (6, 6), (9, 9)])],
            ],
        )],
    },
    LanguageGroup {
        languages: &["cs", "sk"],
        rules: &[
            (One, &[&[is(I, 0, &[(1, 1)]), is(V, 0, &[(0, 0)])]]),
            (Few, &[&[is(I, 0, &[(2, 4)]), is(V, 0, &[(0, 0)])]]),
            (Many, &[&[is_not(V, 0, &[(0, 0)])]]),
        ],
    },
    LanguageGroup {
        languages: &["cy"],
        rules: &[
            (Zero, &[&[is(N, 0, &[(0, 0)])]]),
            (One, &[&[is(N, 0, &[(1, 1)])]]),
            (Two, &[&[is(N, 0, &[(2, 2)])]]),
            (Few, &[&[is(N, 0, &[(3, 3)])]]),
            (Many, &[&[is(N, 0, &[(6, 6)])]]),
        ],
    },
    LanguageGroup {
        languages: &["da"],
        rules: &[(One, &[&[is(N, 0, &[(1, 1)])], &[is_not(T, 0, &[(0, 0)]), is(I, 0, &[(0, 0), (1, 1)])]])],
    },
    LanguageGroup {
        languages: &["dsb", "hsb"],
        rules: &[
            (One, &[&[is(V, 0, &[(0, 0)]), is(I, 100, &[(1, 1)])], &[is(F, 100, &[(1, 1)])]]),
            (Two, &[&[is(V, 0, &[(0, 0)]), is(I, 100, &[(2, 2)])], &[is(F, 100, &[(2, 2)])]]),
            (Few, &[&[is(V, 0, &[(0, 0)]), is(I, 100, &[(3, 4)])], &[is(F, 100, &[(3, 4)])]]),
        ],
    },
    LanguageGroup {
        languages: &["es"],
        rules: &[
            (One, &[&[is(N, 0, &[(1, 1)])]]),
            (
                Many,
                &[
                    &[is(E, 0, &[(0, 0)]), is_not(I, 0, &[(0, 0)]), is(I, 1000000, &[(0, 0)]), is(V, 0, &[(0, 0)])],
                    &[is_not(E, 0, &[(0, 5)])],
                ],
            ),
        ],
    },
    LanguageGroup { languages: &["ff", "hy", "kab"], rules: &[(One, &[&[is(I, 0, &[(0, 0), (1, 1)])]])] },
    LanguageGroup {
        languages: &["fr"],
        rules: &[
            (One, &[&[is(I, 0, &[(0, 0), (1, 1)])]]),
            (
                Many,
                &[
                    &[is(E, 0, &[(0, 0)]), is_not(I, 0, &[(0, 0)]), is(I, 1000000, &[(0, 0)]), is(V, 0, &[(0, 0)])],
                    &[is_not(E, 0, &[(0, 5)])],
                ],
            ),
        ],
    },
    LanguageGroup {
        languages: &["ga"],
        rules: &[
            (One, &[&[is(N, 0, &[(1, 1)])]]),
            (Two, &[&[is(N, 0, &[(2, 2)])]]),
            (Few, &[&[is(N, 0, &[(3, 6)])]]),
            (Many, &[&[is(N, 0, &[(7, 10)])]]),
        ],
    },
    LanguageGroup {
        languages: &["gd"],
        rules: &[
            (One, &[&[is(N, 0, &[(1, 1), (11, 11)])]]),
            (Two, &[&[is(N, 0, &[(2, 2), (12, 12)])]]),
            (Few, &[&[is(N, 0, &[(3, 10), (13, 19)])]]),
        ],
    },
    LanguageGroup {
        languages: &["gv"],
        rules: &[
            (One, &[&[is(V, 0, &[(0, 0)]), is(I, 10, &[(1, 1)])]]),
            (Two, &[&[is(V, 0, &[(0, 0)]), is(I, 10, &[(2, 2)])]]),
            (Few, &[&[is(V, 0, &[(0, 0)]), is(I, 100, &[(0, 0), (20, 20), (40, 40), (60, 60), (80, 80)])]]),
            (Many, &[&[is_not(V, 0, &[(0, 0)])]]),
        ],
    },
    LanguageGroup {
        languages: &["he"],
        rules: &[
            (One, &[&[is(I, 0, &[(1, 1)]), is(V, 0, &[(0, 0)])], &[is(I, 0, &[(0, 0)]), is_not(V, 0, &[(0, 0)])]]),
            (Two, &[&[is(I, 0, &[(2, 2)]), is(V, 0, &[(0, 0)])]]),
        ],
    },
    LanguageGroup {
        languages: &["is"],
        rules: &[(
            One,
            &[
                &[is(T, 0, &[(0, 0)]), is(I, 10, &[(1, 1)]), is_not(I, 100, &[(11, 11)])],
                &[is(T, 10, &[(1, 1)]), is_not(T, 100, &[(11, 11)])],
            ],
        )],
    },
    LanguageGroup {
        languages: &["iu", "naq", "sat", "se", "sma", "smi", "smj", "smn", "sms"],
        rules: &[(One, &[&[is(N, 0, &[(1, 1)])]]), (Two, &[&[is(N, 0, &[(2, 2)])]])],
    },
    LanguageGroup {
        languages: &["kw"],
        rules: &[
            (Zero, &[&[is(N, 0, &[(0, 0)])]]),
            (One, &[&[is(N, 0, &[(1, 1)])]]),
            (
                Two,
                &[
                    &[is(N, 100, &[(2, 2), (22, 22), (42, 42), (62, 62), (82, 82)])],
                    &[
                        is(N, 1000, &[(0, 0)]),
                        is(N, 100000, &[(1000, 20000), (40000, 40000), (60000, 60000), (80000, 80000)]),
                    ],
                    &[is_not(N, 0, &[(0, 0)]), is(N, 1000000, &[(100000, 100000)])],
                ],
            ),
            (Few, &[&[is(N, 100, &[(3, 3), (23, 23), (43, 43), (63, 63), (83, 83)])]]),
            (Many, &[&[is_not(N, 0, &[(1, 1)]), is(N, 100, &[(1, 1), (21, 21), (41, 41), (61, 61), (81, 81)])]]),
        ],
    },
    LanguageGroup {
        languages: &["lag"],
        rules: &[(Zero, &[&[is(N, 0, &[(0, 0)])]]), (One, &[&[is(I, 0, &[(0, 0), (1, 1)]), is_not(N, 0, &[(0, 0)])]])],
    },
    LanguageGroup {
        languages: &["lt"],
        rules: &[
            (One, &[&[is(N, 10, &[(1, 1)]), is_not(N, 100, &[(11, 19)])]]),
            (Few, &[&[is(N, 10, &[(2, 9)]), is_not(N, 100, &[(11, 19)])]]),
            (Many, &[&[is_not(F, 0, &[(0, 0)])]]),
        ],
    },
    LanguageGroup {
        languages: &["lv", "prg"],
        rules: &[
            (
                Zero,
                &[&[is(N, 10, &[(0, 0)])], &[is(N, 100, &[(11, 19)])], &[is(V, 0, &[(2, 2)]), is(F, 100, &[(11, 19)])]],
            ),
            (
                One,
                &[
                    &[is(N, 10, &[(1, 1)]), is_not(N, 100, &[(11, 11)])],
                    &[is(V, 0, &[(2, 2)]), is(F, 10, &[(1, 1)]), is_not(F, 100, &[(11, 11)])],
                    &[is_not(V, 0, &[(2, 2)]), is(F, 10, &[(1, 1)])],
                ],
            ),
        ],
    },
    LanguageGroup {
        languages: &["mk"],
        rules: &[(
            One,
            &[
                &[is(V, 0, &[(0, 0)]), is(I, 10, &[(1, 1)]), is_not(I, 100, &[(11, 11)])],
                &[is(F, 10, &[(1, 1)]), is_not(F, 100, &[(11, 11)])],
            ],
        )],
    },
    LanguageGroup {
        languages: &["mo", "ro"],
        rules: &[
            (One, &[&[is(I, 0, &[(1, 1)]), is(V, 0, &[(0, 0)])]]),
            (
                Few,
                &[
                    &[is_not(V, 0, &[(0, 0)])],
                    &[is(N, 0, &[(0, 0)])],
                    &[is_not(N, 0, &[(1, 1)]), is(N, 100, &[(1, 19)])],
                ],
            ),
        ],
    },
    LanguageGroup {
        languages: &["mt"],
        rules: &[
            (One, &[&[is(N, 0, &[(1, 1)])]]),
            (Two, &[&[is(N, 0, &[(2, 2)])]]),
            (Few, &[&[is(N, 0, &[(0, 0)])], &[is(N, 100, &[(3, 10)])]]),
            (Many, &[&[is(N, 100, &[(11, 19)])]]),
        ],
    },
    LanguageGroup {
        languages: &["pl"],
        rules: &[
            (One, &[&[is(I, 0, &[(1, 1)]), is(V, 0, &[(0, 0)])]]),
            (Few, &[&[is(V, 0, &[(0, 0)]), is(I, 10, &[(2, 4)]), is_not(I, 100, &[(12, 14)])]]),
            (
                Many,
                &[
                    &[is(V, 0, &[(0, 0)]), is_not(I, 0, &[(1, 1)]), is(I, 10, &[(0, 1)])],
                    &[is(V, 0, &[(0, 0)]), is(I, 10, &[(5, 9)])],
                    &[is(V, 0, &[(0, 0)]), is(I, 100, &[(12, 14)])],
                ],
            ),
        ],
    },
    LanguageGroup {
        languages: &["pt"],
        rules: &[
            (One, &[&[is(I, 0, &[(0, 1)])]]),
            (
                Many,
                &[
                    &[is(E, 0, &[(0, 0)]), is_not(I, 0, &[(0, 0)]), is(I, 1000000, &[(0, 0)]), is(V, 0, &[(0, 0)])],
                    &[is_not(E, 0, &[(0, 5)])],
                ],
            ),
        ],
    },
    LanguageGroup {
        languages: &["ru", "uk"],
        rules: &[
            (One, &[&[is(V, 0, &[(0, 0)]), is(I, 10, &[(1, 1)]), is_not(I, 100, &[(11, 11)])]]),
            (Few, &[&[is(V, 0, &[(0, 0)]), is(I, 10, &[(2, 4)]), is_not(I, 100, &[(12, 14)])]]),
            (
                Many,
                &[
                    &[is(V, 0, &[(0, 0)]), is(I, 10, &[(0, 0)])],
                    &[is(V, 0, &[(0, 0)]), is(I, 10, &[(5, 9)])],
                    &[is(V, 0, &[(0, 0)]), is(I, 100, &[(11, 14)])],
                ],
            ),
        ],
    },
    LanguageGroup {
        languages: &["sgs"],
        rules: &[
            (One, &[&[is(N, 10, &[(1, 1)]), is_not(N, 100, &[(11, 11)])]]),
            (Two, &[&[is(N, 0, &[(2, 2)])]]),
            (Few, &[&[is_not(N, 0, &[(2, 2)]), is(N, 10, &[(2, 9)]), is_not(N, 100, &[(11, 19)])]]),
            (Many, &[&[is_not(F, 0, &[(0, 0)])]]),
        ],
    },
    LanguageGroup {
        languages: &["shi"],
        rules: &[(One, &[&[is(I, 0, &[(0, 0)])], &[is(N, 0, &[(1, 1)])]]), (Few, &[&[is(N, 0, &[(2, 10)])]])],
    },
    LanguageGroup {
        languages: &["si"],
        rules: &[(One, &[&[is(N, 0, &[(0, 0), (1, 1)])], &[is(I, 0, &[(0, 0)]), is(F, 0, &[(1, 1)])]])],
    },
    LanguageGroup {
        languages: &["sl"],
        rules: &[
            (One, &[&[is(V, 0, &[(0, 0)]), is(I, 100, &[(1, 1)])]]),
            (Two, &[&[is(V, 0, &[(0, 0)]), is(I, 100, &[(2, 2)])]]),
            (Few, &[&[is(V, 0, &[(0, 0)]), is(I, 100, &[(3, 4)])], &[is_not(V, 0, &[(0, 0)])]]),
        ],
    },
    LanguageGroup { languages: &["tzm"], rules: &[(One, &[&[is(N, 0, &[(0, 1)])], &[is(N, 0, &[(11, 99)])]])] },
];
