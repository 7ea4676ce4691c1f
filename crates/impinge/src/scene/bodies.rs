//! The bodies of a scene: ids, filters, and the state of each body.
use super::{
    bounds::{Ball, WorldBounds},
    oriented::PlacedObb,
};
use crate::{HalfSpace, Model, Pose, body_id::BodyId, broad_phase::Aabb, world::WorldBox};
use std::sync::Arc;

/// Collision groups and mask. Two bodies are tested if each is in a group that the other's mask has. By
/// default a body is in all groups and is tested against all.
///
/// ```
/// use impinge::{scene::{Detail, Filter}, Mesh, Model, Pose, Scene};
/// use std::sync::Arc;
/// const TOOLS: u32 = 1 << 0;
/// const PARTS: u32 = 1 << 1;
/// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
/// let model = Arc::new(Model::new(triangle));
/// let mut scene = Scene::new();
/// let tool = scene.add(Arc::clone(&model), Pose::IDENTITY)?;
/// let parts = [scene.add(Arc::clone(&model), Pose::IDENTITY)?, scene.add(model, Pose::IDENTITY)?];
/// // Parts are tested against tools, not against each other.
/// for part in parts {
///     scene.set_filter(part, Filter { groups: PARTS, mask: TOOLS })?;
/// }
/// scene.set_filter(tool, Filter { groups: TOOLS, mask: PARTS })?;
/// scene.update(Detail::Bodies);
/// let pairs: Vec<_> = scene.contacts().iter().map(|contact| contact.bodies).collect();
/// assert_eq!(pairs, [[tool, parts[0]], [tool, parts[1]]]);
/// # Ok::<(), impinge::Error>(())
/// ```
#[doc(alias("InteractionGroups", "collision_mask"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Filter {
    /// A bit for each group that the body is in.
    pub groups: u32,
    /// A bit for each group that the body is tested against.
    pub mask: u32,
}

impl Default for Filter {
    fn default() -> Self {
        Self { groups: u32::MAX, mask: u32::MAX }
    }
}

impl Filter {
    /// True if bodies with these two filters are tested against each other.
    pub fn meets(&self, other: &Self) -> bool {
        self.groups & other.mask != 0 && other.groups & self.mask != 0
    }
}

/// A slot for a body, in a slot map: slots are reused, and generations distinguish the bodies of one slot.
#[derive(Debug, Default)]
pub(super) struct Slot {
    /// `None` while there is no body.
    pub(super) model: Option<Arc<Model>>,
    /// The half-space that the body is. Its model is empty.
    pub(super) half_space: Option<HalfSpace>,
    pub(super) pose: Pose,
    /// See [`Rounded`](crate::Rounded).
    pub(super) radius: f64,
    pub(super) filter: Filter,
    /// The body's own margin; `None` for the scene's margin.
    pub(super) margin: Option<f64>,
    /// The largest margin of the body's pairs.
    pub(super) most_of_pairs: f64,
    pub(super) ball: Option<Ball>,
    pub(super) exact: Option<Box<WorldBox>>,
    pub(super) oriented: Option<PlacedObb>,
    /// The pose at the last update.
    pub(super) before: Option<Pose>,
    /// An upper bound of the distance that any point of the body has moved, summed over all updates.
    pub(super) travelled: f64,
    /// The scene's version at the body's last change.
    pub(super) version: u64,
    changed: bool,
    /// The number of bodies that this slot has held.
    generation: u32,
}

impl Slot {
    pub(super) fn id(&self, slot: u32) -> Option<BodyId> {
        self.model.as_ref().map(|_| BodyId { slot, generation: self.generation })
    }
    /// True if the slot can hold another body. Once its generations are used up it cannot, so that no id
    /// occurs again.
    pub(super) fn is_reusable(&self) -> bool {
        self.generation < u32::MAX
    }
    pub(super) fn fill(&mut self, slot: u32, model: Arc<Model>, pose: Pose) -> BodyId {
        self.generation += 1;
        self.set_model(model);
        (self.half_space, self.before) = (None, None);
        (self.pose, self.radius, self.filter) = (pose, 0.0, Filter::default());
        (self.margin, self.most_of_pairs) = (None, 0.0);
        BodyId { slot, generation: self.generation }
    }
    pub(super) fn set_model(&mut self, model: Arc<Model>) {
        self.model = Some(model);
        self.ball = None;
    }
    pub(super) fn clear(&mut self) {
        (self.model, self.exact, self.oriented, self.ball) = (None, None, None, None);
    }
    /// Stores the bounds of the body, and returns its box.
    pub(super) fn take(&mut self, bounds: WorldBounds) -> Aabb {
        (self.exact, self.oriented, self.ball) = (bounds.exact, bounds.oriented, bounds.ball);
        self.before = Some(self.pose);
        // Rounded up, so that the sum is never less than the sum of the moves.
        self.travelled = (self.travelled + bounds.moved).next_up();
        bounds.aabb
    }
    pub(super) fn model_id(&self) -> u64 {
        self.model.as_ref().map_or(0, |model| model.id())
    }
    /// Notes a change. Returns true if it is the first one since the last update.
    pub(super) fn touch(&mut self, version: u64) -> bool {
        self.version = version;
        !std::mem::replace(&mut self.changed, true)
    }
    /// Notes that an update has seen the changes.
    pub(super) fn settle(&mut self) {
        self.changed = false;
    }
}

#[cfg(test)]
mod tests {
    use crate::{ErrorKind, Mesh, Model, Pose, Scene, scene::Detail};
    use std::sync::Arc;

    /// Checks a slot whose generations of 32 bits are used up, which takes years: the next body gets another
    /// slot.
    #[test]
    fn an_id_is_never_given_twice() {
        let model = Arc::new(Model::new(Mesh::default()));
        let mut scene = Scene::new();
        let first = scene.add(Arc::clone(&model), Pose::IDENTITY).unwrap();
        scene.remove(first).unwrap();
        scene.slots[0].generation = u32::MAX - 1;
        let last = scene.add(Arc::clone(&model), Pose::IDENTITY).unwrap();
        assert_eq!((last.slot, last.generation), (0, u32::MAX));
        scene.remove(last).unwrap();
        let next = scene.add(model, Pose::IDENTITY).unwrap();
        assert_eq!((next.slot, next.generation), (1, 1));
        scene.update(Detail::Bodies);
        assert_eq!(scene.stats().bodies, 1);
        for body in [first, last] {
            assert_eq!(*scene.body(body).unwrap_err().kind(), ErrorKind::NoSuchBody { body });
        }
    }
}
