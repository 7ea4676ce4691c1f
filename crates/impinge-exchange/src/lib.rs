//! Reads the clash lists of other programs, and judges them.
//!
//! | Format | From | An entry |
//! |---|---|---|
//! | JSON | ifcclash | a clash of a clash set |
//! | BCF 1, 2, 2.1, 3.0 | BIMcollab, Solibri, Tekla and others | a topic, with the components that its viewpoints select |
//! | XML | Navisworks | a `clashresult` |
//!
//! ```
//! let text = r#"[{"name": "walls x pipes", "clashes": {"x": {
//!     "a_global_id": "1hOSvn6df7F8_7GcBWlRGQ", "b_global_id": "2O2Fr$t4X7Zf8NOew3FLOH", "type": "pierce"}}}]"#;
//! let list = impinge_exchange::parse(text.as_bytes(), "clashes.json")?;
//! assert_eq!(list.entries[0].word.as_deref(), Some("pierce"));
//! assert_eq!(list.entries[0].elements[1].ids, ["2O2Fr$t4X7Zf8NOew3FLOH"]);
//! # Ok::<(), impinge_exchange::Error>(())
//! ```
//!
//! [`BcfTopics`] has statuses and comments, for a baseline. [`Judgement`] compares a list with the exact
//! relations of the parts.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod attribute;
mod bcf;
mod bcf_package;
mod bcf_topics;
mod crossing;
mod elements;
mod error;
mod ifcclash;
mod judgement;
mod list;
mod navisworks;
mod verdict;
mod xml;

pub use self::{
    bcf_topics::{BcfComment, BcfTopic, BcfTopics},
    error::Error,
    judgement::{JudgedEntry, JudgedPair, Judgement, Missing},
    list::{ClashList, Element, Entry, ListFormat},
    verdict::Verdict,
};

/// Reads a clash list. Its content gives the format. `name` names it in errors.
///
/// # Errors
/// The content has none of the formats, or is broken: the error names the place.
pub fn parse(bytes: &[u8], name: &str) -> Result<ClashList, Error> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let list = if bytes.starts_with(b"PK\x03\x04") {
        bcf::parse(bytes)
    } else if text.starts_with(b"<") {
        navisworks::parse(text)
    } else if text.starts_with(b"[") || text.starts_with(b"{") {
        ifcclash::parse(text)
    } else {
        Err(Error::new("is no clash list: neither JSON of ifcclash, nor BCF, nor XML of Navisworks"))
    };
    list.map_err(|error| error.of_file(name))
}

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
