//! Fitting routines that several volumes share. No caller relies on a fit to contain its points: each volume
//! measures its extent afterwards.
pub(crate) mod axes;
pub(crate) mod ball;
pub(crate) mod extremal;
pub(crate) mod hull;
pub(crate) mod slab;

/// The fits of slab cut balls, for the experiments of `impinge-reproduce`.
#[doc(hidden)]
pub mod experiments {
    pub use super::{
        ball::{Ball, of_extremal},
        extremal::extremal_points,
        slab::narrow_by,
    };
}

impinge::choice! {
    /// Method that fits a volume to triangles, where there is a choice.
    pub enum Fit {
        /// The volume's best method.
        #[default]
        Auto = "auto",
        /// Ritter's ball (1990) in place of the smallest enclosing ball of extremal points.
        Ritter = "ritter",
        /// Hybrid trees with the axes of RAPID's boxes in place of the convex hull's, below the same cube.
        Triangles = "triangles",
        /// Hybrid trees with RAPID's boxes at all nodes, the root included: neither cube nor hull.
        Rapid = "rapid",
    }
}
