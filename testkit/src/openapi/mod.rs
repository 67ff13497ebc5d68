//! Whether what a service answers is what its OpenAPI document says: a [`Judge`] reads a document once and then judges
//! exchanges, each a request with its answer.
//!
//! The document is read as others read it, from its JSON: nothing here knows how it was made. What a client may rely on
//! is judged strictly, the way round that the document is for: an answer must have no status, header, property, media
//! type or error code that the document does not name, and every one that it promises.

mod document;
mod elsewhere;
mod exchange;
mod judge;
mod schemas;

pub use elsewhere::undocumented_paths;
pub use exchange::Exchange;
pub use judge::Judge;
