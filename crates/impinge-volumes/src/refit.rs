//! New points for a tree whose topology stays: boxes and DOPs are merged (`merge.rs`), other volumes fitted again to
//! what lies beneath them (`reseal.rs`).
pub(crate) mod bottom_up;
pub(crate) mod by_fitting;
