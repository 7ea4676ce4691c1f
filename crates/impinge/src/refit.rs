//! New points for a tree whose topology stays: what all refits share. The fast tree has its own
//! (`wide/refit.rs`, `wide/partial.rs`); those of other volumes are in the crate `impinge-volumes`.
mod touched;

use crate::{Mesh, wide};
use std::fmt;

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

/// The memory of refits, and what they remember of a tree's topology. It is empty until used; a clone starts
/// empty.
#[derive(Default)]
pub(crate) struct Warm {
    /// Whether a triangle has each vertex: then the mesh's extent is that of its points.
    pub(crate) all_used: Option<bool>,
    /// The cost after the build, and now.
    pub(crate) cost: Option<[Cost; 2]>,
    pub(crate) touched: Touched,
    pub(crate) wide: wide::Partial,
    pub(crate) whole: wide::Whole,
}

impl Warm {
    pub(crate) fn all_used(&mut self, mesh: &Mesh) -> bool {
        *self.all_used.get_or_insert_with(|| {
            let mut used = vec![false; mesh.points().len()];
            mesh.triangles().as_flattened().iter().for_each(|&i| used[i as usize] = true);
            used.into_iter().all(|used| used)
        })
    }
}

impl Clone for Warm {
    fn clone(&self) -> Self {
        Self { cost: self.cost, ..Self::default() }
    }
}

/// Not part of a model's value: a clone does not copy it.
impl fmt::Debug for Warm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Warm")
    }
}
