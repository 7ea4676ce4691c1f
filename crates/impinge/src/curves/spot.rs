//! Nodes as they are collected, before they are sorted.
use super::feature::Vertices;
use crate::vector::Vector;

/// A node before nodes are sorted. Several spots may be one point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// The features of both bodies in whose relative interiors it lies.
    pub(super) key: [Vertices; 2],
    /// The features that meet in it, if both are of one body. Otherwise those of the key do.
    pub(super) own: Option<OwnMeeting>,
    /// The first pair in which it is.
    pub(super) pair: [u32; 2],
    pub(super) point: Vector,
    pub(super) exact: [bool; 3],
    /// True if a triangle of one of its pairs meets its own mesh.
    pub(super) dirty: bool,
}

/// Two features of one body, which meet in one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OwnMeeting {
    pub(super) body: usize,
    pub(super) features: [Vertices; 2],
}
