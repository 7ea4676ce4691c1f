//! Triangle against triangle: a floating-point filter in front, the exact stage behind it.
pub(crate) mod contact;
pub(crate) mod exact;
pub(crate) mod filter;
pub(crate) mod lanes;
pub(crate) mod neighbours;
