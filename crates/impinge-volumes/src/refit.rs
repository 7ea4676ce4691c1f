//! Refits: new points for a tree whose topology stays. Boxes and DOPs are refitted bottom-up
//! (`bottom_up.rs`); other volumes are fitted again to all triangles below them (`by_fitting.rs`).
pub(crate) mod bottom_up;
pub(crate) mod by_fitting;
