//! The scalar types of the language (§2.2–2.4): each parses exactly the form the conventions give and writes it back.
//!
//! Parsing answers `None`/`Err` for anything else; nothing here allocates on the way out: each type writes itself to a
//! byte buffer, as the renderer needs it. Values are kept as what the store holds (milliseconds, days, minor units).
