//! Points and directions of the world in a tree's own frame, with bounds.
//!
//! A placed tree takes y to x = R T y + t, T being its normalized frame and its turn. The way back goes by
//! x - t, one rounding of each coordinate, and by the [`Motion`] from a frame with its origin in t. So the
//! error does not grow with how far from the origin of the world both are.
use super::{Matrix, Vector, tree::WideTree};
use crate::{
    Pose,
    motion::{self, Motion, Rotation},
    normalized_frame::NormalizedFrame,
    vector::{UNIT, largest, sub},
};

/// Data that queries of one body share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedTree {
    pub(crate) from_world: FromWorld,
    /// The length of a unit of the tree's frame, in the world, at least.
    pub(crate) length: f64,
}

impl PlacedTree {
    pub(crate) fn new(tree: &WideTree, pose: &Pose) -> Self {
        let length = tree.unit_length(motion::inverse_norm(pose));
        Self { from_world: FromWorld::new(tree, pose), length }
    }
}

/// The last one, as the next question is mostly of the same body.
#[derive(Debug, Default)]
pub(crate) struct LastPlaced(Option<(Pose, NormalizedFrame, Matrix, PlacedTree)>);

impl LastPlaced {
    /// A fast tree at a pose. The result depends only on the values compared here.
    pub(crate) fn of(&mut self, tree: &WideTree, pose: &Pose) -> PlacedTree {
        if let Some((last, normalized, turn, placed)) = &self.0
            && last == pose
            && *normalized == tree.normalized
            && *turn == tree.turn.rows
        {
            return *placed;
        }
        let placed = PlacedTree::new(tree, pose);
        self.0 = Some((*pose, tree.normalized, tree.turn.rows, placed));
        placed
    }
}

/// The map to a placed tree's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FromWorld {
    /// From the frame whose origin is the pose's translation.
    motion: Motion,
    translation: Vector,
    /// A point less the translation is off by no more than `off`, and `skew` times what its coordinates sum
    /// up to.
    off: f64,
    skew: f64,
    /// The largest entry of the motion's matrix.
    entry: f64,
}

/// A vector, each coordinate within an error. NaN or infinity where it has no bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(crate) v: Vector,
    pub(crate) error: f64,
}

const WORLD: NormalizedFrame = NormalizedFrame { origin: [0.0; 3], scale: 1.0 };

impl FromWorld {
    pub(crate) fn new(tree: &WideTree, pose: &Pose) -> Self {
        let translation = *pose.translation();
        let motion = Motion::between(&Pose::at(translation), pose)
            .in_normalized_frames(&WORLD, &tree.normalized)
            .turned(&Rotation::new(*Pose::IDENTITY.rows()), &tree.turn);
        // As `Motion::error`, whose sizes are no larger than the largest entry times that sum; and x rounds
        // by u in each coordinate, which the motion lengthens.
        let entry = largest(motion.linear.as_flattened().iter().map(|x| x.abs()));
        let skew = 5.0 * UNIT * entry + motion.linear_error + 1.75 * motion.norm * UNIT;
        let off = 5.0 * UNIT * largest(motion.offset.map(f64::abs)) + largest(motion.offset_error);
        let (skew, off) = (skew * (1.0 + 32.0 * UNIT), off * (1.0 + 32.0 * UNIT) + f64::MIN_POSITIVE);
        Self { motion, translation, off, skew, entry }
    }
    /// A point.
    #[inline]
    pub(crate) fn point(&self, x: &Vector) -> Near {
        let x = sub(*x, self.translation);
        let error = (x[0].abs() + x[1].abs() + x[2].abs()) * self.skew + self.off;
        Near { v: self.motion.apply(x), error: error * (1.0 + 8.0 * UNIT) }
    }
    /// A direction, as long as it becomes: M d rounds by 3 u of |M||d| and the error of M adds its part.
    pub(crate) fn direction(&self, d: &Vector) -> Near {
        let m = &self.motion.linear;
        let v = [0, 1, 2].map(|i| m[i][0] * d[0] + m[i][1] * d[1] + m[i][2] * d[2]);
        let taxicab = d[0].abs() + d[1].abs() + d[2].abs();
        let error = taxicab * (self.motion.linear_error + 4.0 * UNIT * self.entry) * (1.0 + 8.0 * UNIT);
        Near { v, error: error + f64::MIN_POSITIVE }
    }
}
