//! The memory of refits.
use crate::{
    Mesh,
    refit::{Cost, Touched},
    wide,
};
use std::fmt;

/// The memory of refits, and what they remember of a tree's topology. It is empty until used; a clone starts
/// empty.
#[derive(Default)]
pub(crate) struct Warm {
    /// True if a triangle has each vertex: then the mesh's extent is that of its points.
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
