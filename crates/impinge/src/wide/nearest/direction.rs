//! The direction in which bodies are nearest, and the reach of volumes along it.
use super::{
    super::{
        node::{DecodedSlabs, QuantizedNode},
        tree::turned,
    },
    task::WideNearestTask,
};
use crate::{
    simd::{Lanes, Simd},
    triangle::lanes::{LaneVector, dot},
};

/// A unit vector in the resting tree's frame, and in the moving one's.
#[derive(Clone, Copy)]
pub(super) struct Direction {
    pub(super) resting: [f32; 3],
    pub(super) moving: [f32; 3],
}

impl Direction {
    const NONE: Self = Self { resting: [0.0; 3], moving: [0.0; 3] };

    /// The direction of a vector in the world, as a guess.
    pub(super) fn of(w: Option<[f64; 3]>, task: &WideNearestTask<'_>) -> Self {
        let Some(w) = w else { return Self::NONE };
        // The pose's linear part is used as a rotation: other maps give a worse guess.
        let rows = task.pose.rows();
        let own = [0, 1, 2].map(|k| rows[0][k] * w[0] + rows[1][k] * w[1] + rows[2][k] * w[2]);
        let turned = turned(task.trees[0].turn, &own);
        let length = (turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]).sqrt();
        let resting = turned.map(|x| (x / length) as f32);
        if !resting.iter().all(|x| x.abs() <= 1.0) {
            return Self::NONE;
        }
        let r = &task.transforms.to_resting.r;
        let moving = [0, 1, 2].map(|k| r[0][k] * resting[0] + r[1][k] * resting[1] + r[2][k] * resting[2]);
        Self { resting, moving }
    }
}

/// Upper bound of w.(x - c) for the points x of each lane's volume, a box round c that slabs cut.
#[inline(always)]
pub(super) fn support<S: Simd>(
    simd: S,
    node: &QuantizedNode,
    e: &LaneVector<S::Eight>,
    w: &LaneVector<S::Eight>,
) -> S::Eight {
    let mut most = dot([w[0].abs(), w[1].abs(), w[2].abs()], *e);
    for which in 0..usize::from(node.slabs) {
        let DecodedSlabs { n, mid, half } = node.slabs(simd, which & 1);
        let al = dot(n, *w);
        let rest = [w[0] - al * n[0], w[1] - al * n[1], w[2] - al * n[2]];
        let other = dot([rest[0].abs(), rest[1].abs(), rest[2].abs()], *e);
        most = most.min(al.mul_add(mid, al.abs().mul_add(half, other)));
    }
    most
}
