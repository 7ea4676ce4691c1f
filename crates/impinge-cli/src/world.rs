//! Stands for `impinge::WorldBox` until the library has it: the same three verbs, on boxes that are not exact.
use impinge::{Body, world_box};

pub(crate) struct WorldBox([[f64; 3]; 2]);

impl WorldBox {
    pub(crate) fn new(body: &Body<'_>) -> Option<Self> {
        world_box(body).map(Self)
    }
    pub(crate) fn lower(&self) -> [f64; 3] {
        self.0[0]
    }
    pub(crate) fn upper(&self) -> [f64; 3] {
        self.0[1]
    }
    pub(crate) fn meets(&self, other: &Self) -> bool {
        (0..3).all(|k| self.0[0][k] <= other.0[1][k] && other.0[0][k] <= self.0[1][k])
    }
}
