//! New points for a tree whose topology stays: what its refits share. Boxes and DOPs are summed up (`merge.rs`), other volumes fitted again to what
//! lies beneath them (`reseal.rs`); the fast tree has its own (`wide/refit.rs`, `wide/partial.rs`).
pub(crate) mod merge;
pub(crate) mod reseal;
mod touched;

use crate::{Mesh, pool::Crew, volume::Fit, wide};
use std::fmt;

pub(crate) use self::touched::{Links, Touched};

/// The surfaces of a tree's boxes, in its chart: what a query may expect to open (Goldsmith and Salmon 1987).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// Of all children of all nodes.
    pub(crate) sum: f64,
    pub(crate) root: f64,
}

impl Cost {
    /// Does not depend on the chart; 0 where all boxes are flat in two directions.
    pub(crate) fn relative(&self) -> f64 {
        if self.root > 0.0 && self.sum > 0.0 { self.sum / self.root } else { 0.0 }
    }
    /// How many times as large it is as another, or 1 if either says nothing.
    pub(crate) fn over(&self, built: &Self) -> f64 {
        let (now, then) = (self.relative(), built.relative());
        if now > 0.0 && then > 0.0 { now / then } else { 1.0 }
    }
}

/// How a tree is to be refitted to all points of its mesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// The corners of the mesh's extent.
    pub(crate) extent: [[f64; 3]; 2],
    pub(crate) fit: Fit,
    pub(crate) crew: Crew,
}

/// What refits remember of a tree's topology, and their memory. It is empty until used; a clone starts afresh.
#[derive(Default)]
pub(crate) struct Warm {
    /// Whether a triangle has each vertex: then the mesh's extent is that of its points.
    pub(crate) all_used: Option<bool>,
    /// The cost after the build, and now.
    pub(crate) cost: Option<[Cost; 2]>,
    pub(crate) sums: merge::Sums,
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

/// It is no part of what a model is.
impl fmt::Debug for Warm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Warm")
    }
}
