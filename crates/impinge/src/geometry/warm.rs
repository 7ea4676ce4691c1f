//! The memory of refits.
use crate::{
    Mesh,
    refit::{Cost, Touched},
    wide,
};
use std::fmt;

/// The memory of refits, and parts of a tree's topology that they keep. It is empty until used; a clone takes
/// the cost alone.
#[derive(Default)]
pub(crate) struct Warm {
    /// True if each vertex is in a triangle: then the mesh's extent is that of its points.
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

/// Prints no contents: they are not part of a model's value.
impl fmt::Debug for Warm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Warm")
    }
}
