//! Queries of one or two trees: the arguments of walks.
use crate::{
    from_world::{RoundedPlane, RoundedVector},
    motion::Placement,
    narrow::Narrow,
    stop::StopFlag,
};

/// One query of two trees, or of one and itself.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// Placement of the moving tree's normalized frame relative to the resting one's.
    pub placement: &'a Placement,
    /// The narrow phase, which decides pairs of triangles.
    pub narrow: &'a Narrow<'a>,
    /// True if volume tests are to be counted, too.
    pub counting: bool,
    /// A walk breaks once this is set.
    pub stop: StopFlag<'a>,
}

/// A query for the distance of two trees.
#[derive(Clone, Copy)]
pub struct NearestTask<'a> {
    /// Placement of the moving tree's normalized frame relative to the resting one's.
    pub placement: &'a Placement,
    /// Lower bound of the distance in the world of points that are 1 apart in the resting normalized frame.
    /// NaN without a bound.
    pub length: f64,
    /// True if volume tests are to be counted, too.
    pub counting: bool,
    /// A walk breaks once this is set.
    pub stop: StopFlag<'a>,
}

/// A query for the triangles of a tree that a ray may meet.
#[derive(Clone, Copy, Debug)]
pub struct RayTask<'a> {
    /// The ray's origin in the tree's normalized frame.
    pub origin: RoundedVector,
    /// The ray's direction in that frame, the unit of t.
    pub direction: RoundedVector,
    /// True if volume tests are to be counted, too.
    pub counting: bool,
    /// A walk ends once this is set.
    pub stop: StopFlag<'a>,
}

/// A query for the triangles of a tree that may be in a convex region.
#[derive(Clone, Copy, Debug)]
pub struct RegionTask<'a> {
    /// The half-spaces whose intersection is the region, in the tree's normalized frame.
    pub planes: &'a [RoundedPlane],
    /// True if volume tests are to be counted, too.
    pub counting: bool,
    /// A walk ends once this is set.
    pub stop: StopFlag<'a>,
}
