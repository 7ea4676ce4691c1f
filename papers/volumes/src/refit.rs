//! Refits: new points for a tree whose topology stays. Boxes and DOPs are refitted bottom-up
//! (`bottom_up.rs`); other volumes are fitted again to all triangles below them (`by_fitting.rs`).
pub(crate) mod bottom_up;
pub(crate) mod by_fitting;

use self::bottom_up::BottomUpRefit;
use crate::volume::{
    OverlapTest,
    bounding_volume::{BoundingVolume, NodeOf},
};

/// Refits of trees with these nodes.
pub(crate) trait Refit: OverlapTest {
    /// The functions of a bottom-up refit, if a volume can be computed from its children's. Without them each
    /// volume is fitted again.
    fn bottom_up() -> Option<BottomUpRefit<Self>> {
        None
    }
}

/// [`Refit`] of a volume, for nodes of N of them.
pub(crate) trait RefitVolume: BoundingVolume {
    /// The functions of [`Refit::bottom_up`].
    fn bottom_up<const N: usize>() -> Option<BottomUpRefit<NodeOf<Self, N>>> {
        None
    }
}

impl<V: RefitVolume, const N: usize> Refit for NodeOf<V, N> {
    fn bottom_up() -> Option<BottomUpRefit<Self>> {
        V::bottom_up()
    }
}
