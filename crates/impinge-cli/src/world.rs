//! Stands for `impinge::WorldBox` until the library has it: the same verbs, on boxes that are not exact.
use impinge::{Mesh, Pose};

pub(crate) struct WorldBox([[f64; 3]; 2]);

impl WorldBox {
    pub(crate) fn new(mesh: &Mesh, pose: &Pose) -> Option<Self> {
        let corners = (0..mesh.len() as u32).flat_map(|i| mesh.corners(i)).map(|point| pose.place(point));
        corners
            .map(|point| [point, point])
            .reduce(|[low, high], [point, _]| {
                [0, 1].map(|end| [0, 1, 2].map(|k| [low[k].min(point[k]), high[k].max(point[k])][end]))
            })
            .map(Self)
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
