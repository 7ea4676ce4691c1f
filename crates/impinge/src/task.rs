//! Queries of one or two trees, as walks need them.
use crate::{
    from_world::{RoundedPlane, RoundedVector},
    motion::Placement,
    narrow::Narrow,
    stop::StopFlag,
};

/// One query of two trees, or of one and itself.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// How the moving tree's normalized frame lies to the resting one's.
    pub placement: &'a Placement,
    /// Decides pairs of triangles.
    pub narrow: &'a Narrow<'a>,
    /// Whether volume tests are to be counted, too.
    pub counting: bool,
    /// A walk breaks once this is set.
    pub stop: StopFlag<'a>,
}

/// A query for the distance of two trees.
#[derive(Clone, Copy)]
pub struct NearestTask<'a> {
    /// How the moving tree's normalized frame lies to the resting one's.
    pub placement: &'a Placement,
    /// Points that are 1 apart in the resting normalized frame are at least so far apart in the world. NaN
    /// without a bound.
    pub length: f64,
    /// Whether volume tests are to be counted, too.
    pub counting: bool,
    /// A walk breaks once this is set.
    pub stop: StopFlag<'a>,
}

/// A query for the triangles of a tree that a ray may meet.
#[derive(Clone, Copy, Debug)]
pub struct RayTask<'a> {
    /// Where the ray begins, in the tree's normalized frame.
    pub origin: RoundedVector,
    /// Its direction there, the unit of t.
    pub direction: RoundedVector,
    /// Whether volume tests are to be counted, too.
    pub counting: bool,
    /// A walk ends once this is set.
    pub stop: StopFlag<'a>,
}

/// A query for the triangles of a tree that may be in a convex region.
#[derive(Clone, Copy, Debug)]
pub struct RegionTask<'a> {
    /// The half-spaces whose intersection is the region, in the tree's normalized frame.
    pub planes: &'a [RoundedPlane],
    /// Whether volume tests are to be counted, too.
    pub counting: bool,
    /// A walk ends once this is set.
    pub stop: StopFlag<'a>,
}
