//! Bodies of a scene, and what is said of them.
use super::{
    enclosure::{Ball, Enclosed},
    oriented::Oriented,
};
use crate::{Model, Pose, WorldBox, broad_phase::Aabb};
use std::sync::Arc;

/// Names a body of a scene, for as long as the scene lives. Ids are sorted by place; a place that was given up is used again, under another id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    slot: u32,
    generation: u32,
}

impl BodyId {
    /// Its place: less than the number of bodies that there have been at a time. For tables of one's own; of two bodies that are there, no two have the same.
    pub fn slot(self) -> usize {
        self.slot as usize
    }
}

/// With whom a body is compared: two are, if each is in a group of the other's mask. At first every body is in all groups, and compared with all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// A bit for each group that the body is in.
    pub groups: u32,
    /// A bit for each group that it is compared with.
    pub mask: u32,
}

impl Default for Filter {
    fn default() -> Self {
        Self { groups: u32::MAX, mask: u32::MAX }
    }
}

impl Filter {
    /// Whether two bodies are compared.
    pub fn meets(&self, other: &Self) -> bool {
        self.groups & other.mask != 0 && other.groups & self.mask != 0
    }
}

/// A place for a body.
#[derive(Debug, Default)]
pub(super) struct Slot {
    /// `None` while there is no body.
    pub(super) model: Option<Arc<Model>>,
    pub(super) pose: Pose,
    pub(super) filter: Filter,
    pub(super) ball: Option<Ball>,
    pub(super) exact: Option<Box<WorldBox>>,
    pub(super) oriented: Option<Oriented>,
    /// The pose at the last update.
    pub(super) before: Option<Pose>,
    /// How far any of its points has moved at most, from update to update, in all.
    pub(super) travelled: f64,
    /// Of the last change.
    pub(super) version: u64,
    /// Whether that was since the last update.
    dirty: bool,
    /// How many bodies have been here.
    generation: u32,
}

impl Slot {
    pub(super) fn id(&self, slot: u32) -> Option<BodyId> {
        self.model.as_ref().map(|_| BodyId { slot, generation: self.generation })
    }
    pub(super) fn fill(&mut self, slot: u32, model: Arc<Model>, pose: Pose) -> BodyId {
        // After 2^32 bodies in one place, ids would come again: that takes years.
        self.generation = self.generation.wrapping_add(1);
        self.set_model(model);
        self.before = None;
        (self.pose, self.filter) = (pose, Filter::default());
        BodyId { slot, generation: self.generation }
    }
    pub(super) fn set_model(&mut self, model: Arc<Model>) {
        self.model = Some(model);
        self.ball = None;
    }
    pub(super) fn clear(&mut self) {
        (self.model, self.exact, self.oriented, self.ball) = (None, None, None, None);
    }
    /// Keeps what was found about its box, and hands on its extent.
    pub(super) fn take(&mut self, enclosed: Enclosed) -> Aabb {
        (self.exact, self.oriented, self.ball) = (enclosed.exact, enclosed.oriented, enclosed.ball);
        self.before = Some(self.pose);
        // Rounded up, so that what is summed is never less than what was moved.
        self.travelled = (self.travelled + enclosed.moved).next_up();
        enclosed.extent
    }
    pub(super) fn model_id(&self) -> u64 {
        self.model.as_ref().map_or(0, |model| model.id())
    }
    /// Whether that is the first change since the last update.
    pub(super) fn touch(&mut self, version: u64) -> bool {
        self.version = version;
        !std::mem::replace(&mut self.dirty, true)
    }
    pub(super) fn settle(&mut self) {
        self.dirty = false;
    }
}
