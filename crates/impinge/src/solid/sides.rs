//! Winding numbers on both sides of faces.
use super::components::{Components, NO_COMPONENT};
use std::sync::{
    OnceLock,
    atomic::{AtomicU16, AtomicU64, AtomicUsize},
};

/// Winding numbers on both sides of faces, and the faces that meet others of their mesh.
#[derive(Debug)]
pub(crate) struct FaceSides {
    /// For each triangle, true if it is a face with partners: other faces of its mesh that it meets elsewhere
    /// than in common corners and edges. Empty if there is none. Partners are computed on demand.
    pub(super) is_dirty: Vec<bool>,
    /// The pairs of partners; `None` if there are too many to keep.
    pub(super) pairs: Option<Vec<[u32; 2]>>,
    /// Connected faces without partners.
    pub(super) clean: Components,
    /// The winding number in front of each of these components.
    pub(super) fronts: Vec<i32>,
    /// For each component of the whole chain, true if all its faces are clean.
    pub(super) is_clean: Vec<bool>,
    /// The one sign of the volumes of all components, if each is closed and does not meet itself, though it
    /// may meet others; else 0.
    pub(super) shells: i32,
    /// Results of [`FaceSides::occurring`] so far, for each triangle: four bits for each rule. Empty if no
    /// face has partners.
    pub(super) occurring: Vec<AtomicU16>,
}

impl FaceSides {
    /// The winding numbers in front of a face and behind it, which are the same all over it if it has no
    /// partners. `None` for other faces.
    pub(crate) fn windings(&self, t: u32) -> Option<[i32; 2]> {
        match self.clean.of[t as usize] {
            NO_COMPONENT => None,
            component => {
                let front = self.fronts[component as usize];
                // The numbers of a chain closed by parity are only odd or even.
                Some(if self.clean.is_reversed(t) { [front + 1, front] } else { [front, front + 1] })
            }
        }
    }
    /// Sides of all faces, front and back, that are inside of their own component; `None` unless each
    /// component by itself bounds a solid, and all volumes have one sign.
    pub(crate) fn of_shells(&self) -> Option<[bool; 2]> {
        (self.shells != 0).then_some([self.shells < 0, self.shells > 0])
    }
    pub(crate) fn are_clean(&self) -> bool {
        self.is_dirty.is_empty()
    }
    /// All pairs of faces that meet elsewhere than in common corners and edges, the lesser number first, in
    /// any order. `None` if there are more than 32 for each triangle of the mesh, and half a million.
    pub(crate) fn pairs(&self) -> Option<&[[u32; 2]]> {
        self.pairs.as_deref()
    }
    /// True if all faces of a component have [`windings`](Self::windings).
    pub(crate) fn is_clean(&self, component: u32) -> bool {
        self.is_clean[component as usize]
    }
}

/// The sides of a few faces alone: the result of [`FaceSides::windings`] for them.
#[derive(Debug, Default)]
pub(super) struct FewSides {
    pub(super) asked: AtomicUsize,
    /// For each triangle: 0 if no query has needed it, 1 if it has partners, else 2 and, shifted up by two
    /// bits, the winding number in front of it.
    pub(super) known: OnceLock<Box<[AtomicU64]>>,
}
