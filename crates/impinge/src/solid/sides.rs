//! Which sides of triangles are inside.
use super::components::{Components, NO_COMPONENT};
use std::sync::{
    OnceLock,
    atomic::{AtomicU16, AtomicU64, AtomicUsize},
};

/// Which sides of triangles are inside.
#[derive(Debug)]
pub(crate) struct Sides {
    /// For each triangle whether it is a face with partners: other faces of its mesh that it meets elsewhere
    /// than in common corners and edges. Empty if there is none. The partners of one are computed on demand.
    pub(super) is_dirty: Vec<bool>,
    /// The pairs of these; `None` if there are too many to be kept.
    pub(super) pairs: Option<Vec<[u32; 2]>>,
    /// Connected faces without partners.
    pub(super) clean: Components,
    /// The winding number in front of each of these components.
    pub(super) fronts: Vec<i32>,
    /// For each component of the whole chain, whether all its faces are clean.
    pub(super) is_clean: Vec<bool>,
    /// The one sign of the volumes of all components, if each is closed and does not meet itself, though it
    /// may meet others; else 0.
    pub(super) shells: i32,
    /// For each face with partners that was asked about, what [`Sides::occurring`] found: four bits for each
    /// rule. Empty if there is none.
    pub(super) occurring: Vec<AtomicU16>,
}

impl Sides {
    /// The winding numbers in front of a face and behind it, if it meets no other face of its mesh but in
    /// common corners and edges: everywhere on it the same. `None` for others.
    pub(crate) fn windings(&self, t: u32) -> Option<[i32; 2]> {
        match self.clean.of[t as usize] {
            NO_COMPONENT => None,
            component => {
                let front = self.fronts[component as usize];
                // The numbers of a chain closed by parity are odd or even.
                Some(if self.clean.is_reversed(t) { [front + 1, front] } else { [front, front + 1] })
            }
        }
    }
    /// Where each component by itself bounds a solid, and none cancels another: whether the front and the
    /// back of its faces are inside of it, by itself.
    pub(crate) fn of_shells(&self) -> Option<[bool; 2]> {
        (self.shells != 0).then_some([self.shells < 0, self.shells > 0])
    }
    /// Whether no face meets another one of its mesh.
    pub(crate) fn are_clean(&self) -> bool {
        self.is_dirty.is_empty()
    }
    /// All pairs of faces that meet elsewhere than in common corners and edges, the lesser number first, in
    /// any order. `None` if there are more than 32 for each triangle of the mesh, and half a million.
    pub(crate) fn pairs(&self) -> Option<&[[u32; 2]]> {
        self.pairs.as_deref()
    }
    /// Whether all faces of a component have [`windings`](Self::windings).
    pub(crate) fn is_clean(&self, component: u32) -> bool {
        self.is_clean[component as usize]
    }
}

/// The sides of a few faces alone: the result of [`Sides::windings`] for them.
#[derive(Debug, Default)]
pub(super) struct FewSides {
    pub(super) asked: AtomicUsize,
    /// For each triangle: 0 if no query has needed it, 1 if it has partners, else the winding number in front
    /// of it, shifted up, and 2.
    pub(super) known: OnceLock<Box<[AtomicU64]>>,
}
