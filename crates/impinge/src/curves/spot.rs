//! Nodes as they are collected, before they are sorted.
use super::feature::Vertices;
use crate::vector::Vector;

/// A node before nodes are in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) key: [Vertices; 2],
    /// The first pair in which it is.
    pub(super) pair: [u32; 2],
    pub(super) point: Vector,
    pub(super) exact: [bool; 3],
    /// Whether a triangle of a pair in which it is meets its own mesh.
    pub(super) dirty: bool,
}
