//! The faults, a table for each area of the language. The order of the tables, and of the faults in each, is that of
//! the pages, of which each table has one.
//!
//! Each table is a macro that adds its rows to those before and hands them on: the enum, the order of the page and the
//! texts follow from one list of rows, so that no code is named twice.

#[macro_use]
mod documents;
#[macro_use]
mod names;
#[macro_use]
mod fields;
#[macro_use]
mod references;
#[macro_use]
mod access;
#[macro_use]
mod conditions;
#[macro_use]
mod versions;
#[macro_use]
mod operations;
#[macro_use]
mod rules;
#[macro_use]
mod messages;
#[macro_use]
mod data_loss;
#[macro_use]
mod exemptions;

use super::{AllowPolicy, Entry, Severity};

macro_rules! catalogue {
    ($( #[$table:ident] $( $variant:ident = $code:literal, $severity:ident $(, $allow:ident)?;
        $title:literal
        $explanation:literal
        wrong $wrong:literal
        right $right:literal )* )*) => {
        /// Which rule is broken. The code is stable.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FaultCode {
            $($( #[doc = concat!("`", $code, "`: ", $title, ".")] $variant, )*)*
        }

        impl FaultCode {
            /// Every code, in the order of the pages.
            pub const ALL: &[Self] = &[$($( Self::$variant, )*)*];

            /// The table that the code is in.
            pub(super) const fn table(self) -> &'static str {
                match self {
                    $( $( Self::$variant )|* => stringify!($table), )*
                }
            }

            pub(super) const fn entry(self) -> &'static Entry {
                match self {
                    $($( Self::$variant => &Entry {
                        code: $code,
                        severity: Severity::$severity,
                        exemption: exemption!($($allow)?),
                        title: $title,
                        explanation: $explanation,
                        wrong: $wrong,
                        right: $right,
                    }, )*)*
                }
            }
        }
    };
}

macro_rules! exemption {
    () => {
        AllowPolicy::Never
    };
    (allow) => {
        AllowPolicy::Allowed
    };
}

/// Gathers the rows of some tables, in their order, for `catalogue`. The name of a table stands before its rows.
macro_rules! gather {
    ([] $($rows:tt)*) => {
        catalogue! { $($rows)* }
    };
    ([$table:ident $($rest:ident)*] $($rows:tt)*) => {
        $table! { gather [$($rest)*] $($rows)* #[$table] }
    };
}

gather! {
    [documents names fields references access conditions versions operations rules messages data_loss exemptions]
}
