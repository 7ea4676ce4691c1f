//! Refits of a tree, whose topology stays while its points move: the parts that all share. The refits of the
//! fast tree are in `wide/refit.rs` and `wide/partial.rs`, those of other volumes in the crate
//! `impinge-volumes`.
mod touched;

pub use self::touched::{Links, Touched};

/// The surface areas of a tree's boxes, in its normalized frame: the expected work of a query (Goldsmith and
/// Salmon 1987).
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// The sum over all children of all nodes.
    pub sum: f64,
    /// The area of the root's box.
    pub root: f64,
}

impl Cost {
    /// The sum relative to the root, which does not depend on the normalized frame; 0 where all boxes are
    /// flat in two directions.
    pub(crate) fn relative(&self) -> f64 {
        if self.root > 0.0 && self.sum > 0.0 { self.sum / self.root } else { 0.0 }
    }
    /// The ratio of this cost to another, or 1 if either is 0 or undefined.
    pub(crate) fn over(&self, built: &Self) -> f64 {
        let (now, then) = (self.relative(), built.relative());
        if now > 0.0 && then > 0.0 { now / then } else { 1.0 }
    }
}
