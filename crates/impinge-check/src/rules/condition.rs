//! [`Condition`]: the condition for parts of a set.
use super::{
    glob::Glob,
    quantity::{Range, VolumeSize},
};
use crate::values::length::Length;
use std::sync::Arc;

/// A condition that a part fulfils or not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Condition {
    /// All of them hold.
    All(Vec<Self>),
    /// One of them holds.
    Any(Vec<Self>),
    /// It does not hold.
    Not(Box<Self>),
    /// The part is in the set with this index.
    Set(usize),
    /// The part has the field, and its value is one of these.
    Field { key: Arc<str>, any: Vec<FieldMatch>, line: usize },
    /// The volume of the mesh.
    Volume { any: Vec<Range<VolumeSize>>, line: usize },
    /// The side of the box along an axis, or the longest one.
    Side { axis: Option<usize>, any: Vec<Range<Length>>, line: usize },
    /// The number of triangles.
    Triangles { any: Vec<Range<f64>> },
}

/// Values of a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FieldMatch {
    Glob(Glob),
    Range(Range<f64>),
    Truth(bool),
}

/// Fields that are text in every input.
pub(crate) const TEXTS: [&str; 7] = ["file", "path", "name", "type", "guid", "material", "layer"];
/// Keys of numbers that are measured.
pub(crate) const MEASURED: [&str; 6] = ["volume", "triangles", "size", "length_x", "length_y", "length_z"];
/// Keys of conditions that contain others.
pub(crate) const WORDS: [&str; 4] = ["any", "all", "not", "set"];

impl Condition {
    /// Calls `take` for the conditions that contain no other.
    pub(crate) fn for_each_leaf<'a>(&'a self, take: &mut impl FnMut(&'a Self)) {
        match self {
            Self::All(all) | Self::Any(all) => all.iter().for_each(|one| one.for_each_leaf(take)),
            Self::Not(one) => one.for_each_leaf(take),
            leaf => take(leaf),
        }
    }
    /// Calls `each` with every set that it refers to.
    pub(crate) fn each_set(&self, each: &mut impl FnMut(usize)) {
        match self {
            Self::All(all) | Self::Any(all) => all.iter().for_each(|one| one.each_set(each)),
            Self::Not(one) => one.each_set(each),
            Self::Set(set) => each(*set),
            _ => {}
        }
    }
    /// Adds a number to the index of each set.
    pub(crate) fn shift_sets(&mut self, by: usize) {
        match self {
            Self::All(all) | Self::Any(all) => all.iter_mut().for_each(|one| one.shift_sets(by)),
            Self::Not(one) => one.shift_sets(by),
            Self::Set(set) => *set += by,
            _ => {}
        }
    }
}
