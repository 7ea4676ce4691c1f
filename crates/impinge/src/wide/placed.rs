//! A fast tree at a pose, which queries of one body share.
use super::tree::WideTree;
use crate::{Pose, from_world::FromWorld, motion, normalized_frame::NormalizedFrame, vector::Matrix};

/// Data that queries of one body share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedTree {
    pub(crate) from_world: FromWorld,
    /// Lower bound of the world length of a unit of the tree's frame.
    pub(crate) length: f64,
}

impl PlacedTree {
    pub(crate) fn new(tree: &WideTree, pose: &Pose) -> Self {
        let length = tree.unit_length(motion::inverse_norm(pose));
        Self { from_world: FromWorld::new(&tree.normalized, &tree.turn, pose), length }
    }
}

/// The last placed tree, because the next query is mostly of the same body.
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
