//! The fast tree: nodes of eight children, each with a box and up to two slabs, and leaves of up to eight
//! triangles that keep their corners on a lattice of 24 bits. Every test takes eight or more lanes at a time.
//!
//! Slab-cut boxes are slab cut balls (Larsson and Akenine-Moller 2008) with the ball replaced by the box that
//! a node has anyway. Layout is in `tree.rs`, `node.rs` and `leaf.rs`, rounding in `relative.rs` and
//! `pending.rs`, the traversal in `walk.rs`, its two steps in `node_pair.rs` and `meet.rs`.
mod align;
mod apart;
mod build;
mod fit;
mod height;
mod leaf;
mod margin;
mod meet;
mod nearest;
mod node;
mod node_pair;
mod partial;
mod pending;
mod placed;
mod point;
mod ray;
mod rays;
mod refit;
mod region;
mod relative;
mod runs;
mod saved;
mod swept;
mod topology;
mod tree;
mod tree_pair;
mod waiting;
mod walk;

pub(crate) use self::{
    build::build,
    height::{WideHeightTask, walk as low},
    leaf::LeafRef,
    nearest::{NearestStack, WideNearestTask, walk as nearest},
    partial::Partial,
    placed::{LastPlaced, PlacedTree},
    point::{WidePointTask, walk as near_point},
    ray::{Slope, WideRayTask, walk as along_ray},
    rays::{FLIGHTS, Flights, RaySource, walk as along_rays},
    refit::Whole,
    region::{RegionMemory, WideRegionTask, walk as in_region},
    relative::RelativeTransforms,
    saved::SavedFrame,
    swept::{
        SweptBudget, SweptLists, SweptMarks, SweptMemory, SweptPart, SweptTransform, SweptWalk,
        walk as walk_swept,
    },
    tree::WideTree,
    tree_pair::{NodePair, RelativeTrees, TRAIL, WalkRange},
    waiting::WaitingStack,
    walk::TraversalStack,
};

use crate::{
    SimdLevel,
    simd::{self, Detected},
};

/// The instructions that builds are compiled for, if this processor has them. Builds use intrinsics for
/// loads, minima and prefetches alone, and the compiler's code rounds the same with all instructions. So
/// trees are the same everywhere.
fn for_builds() -> Detected {
    simd::detect(SimdLevel::Avx2)
}

/// Bound of the error of a coordinate in the tree's frame, computed in f64: the normalized frame's error, at
/// most 2^-50, times a row of the rotation, less than 2; and five roundings of sums no larger than 7.
pub(crate) const TREE_ERROR: f64 = 1.0 / (1_u64 << 46) as f64;
