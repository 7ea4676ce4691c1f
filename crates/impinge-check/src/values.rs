//! Plain values: dates, lengths, names, numbers, relations, and their texts.
pub(crate) mod count;
pub(crate) mod date;
pub(crate) mod digest;
pub(crate) mod disjoint;
pub(crate) mod error;
pub(crate) mod finding_kind;
pub(crate) mod guid;
pub(crate) mod length;
pub(crate) mod named;
pub mod numbers;
pub(crate) mod pose_numbers;
pub mod relations;
pub mod text;
pub(crate) mod warning;

pub use self::{count::Count, guid::Guid, warning::Warning};

/// True for 0; serialization skips such fields.
pub(crate) fn is_zero(n: &u64) -> bool {
    *n == 0
}
