//! Scenes: many bodies that move, their contacts, and what changed since the last update.
//!
//! A [`Scene`] remembers, for each pair of bodies whose boxes meet, the result of the pair's last decision.
//! An update decides again only the pairs that may have changed. Its result is always that of a new scene
//! with the same bodies.
mod bodies;
mod body_pair;
mod bounds;
mod contacts;
mod enclosure;
mod half_spaces;
mod margins;
mod near;
mod nearest;
mod nearest_body;
mod options;
mod oriented;
mod plane;
mod sweep;
mod thread_memory;
mod update;
mod watch;

pub use self::{
    bodies::Filter,
    contacts::{Contact, Detail, SceneStats},
    enclosure::Enclosure,
    margins::Proximity,
    nearest_body::NearestBody,
    options::SceneOptions,
    sweep::SceneSweep,
    watch::{Progress, Stage, Watch},
};
pub use crate::body_id::BodyId;

use self::{bodies::Slot, body_pair::BodyPair, margins::Margins, thread_memory::ThreadMemory};
use crate::{
    Error, ErrorKind, Model, Pose,
    broad_phase::{Aabb, AnyBroadPhase},
    model::{Deformed, Rebuild},
};
use std::{collections::BTreeSet, sync::Arc};

/// The largest number of bodies: broad phases number the ends of boxes with 32 bits.
const MOST_BODIES: usize = 1 << 31;

/// Many bodies, each a shared model at a pose, and their contacts.
///
/// Parts of an assembly that do not move get few queries: [`Quality::OnDemand`](crate::Quality::OnDemand)
/// builds trees only where they pay.
///
/// Add, move or change bodies, then call [`update`](Self::update): [`contacts`](Self::contacts) returns the
/// pairs that meet, [`ended`](Self::ended) those that no longer do.
///
/// ```
/// use impinge::{scene::Detail, Mesh, Model, Pose, Scene};
/// use std::sync::Arc;
/// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
/// let model = Arc::new(Model::new(triangle));
/// let mut scene = Scene::new();
/// let a = scene.add(Arc::clone(&model), Pose::IDENTITY)?;
/// let b = scene.add(model, Pose::from_translation([3., 0., 0.])?)?;
/// scene.update(Detail::Bodies);
/// assert!(scene.contacts().is_empty());
/// scene.set_pose(b, Pose::from_translation([2., 0., 0.])?)?;
/// scene.update(Detail::Bodies);
/// assert_eq!(scene.contacts()[0].bodies, [a, b]);
/// assert!(scene.contacts()[0].began);
/// # Ok::<(), impinge::Error>(())
/// ```
#[doc(alias("CollisionManager", "BroadPhaseCollisionManager", "btCollisionWorld"))]
#[derive(Debug, Default)]
pub struct Scene {
    options: SceneOptions,
    slots: Vec<Slot>,
    /// Slots without a body that can hold another one.
    free: Vec<u32>,
    /// The number of bodies.
    bodies: usize,
    /// The box of each slot's body at the last update.
    boxes: Vec<Aabb>,
    /// Slots that have changed since the last update, each once.
    changed: Vec<u32>,
    /// The number of changes so far: each change of a body gets a version of its own.
    version: u64,
    /// The allowed collision matrix: pairs of bodies that are not tested, the smaller id first.
    allowed: BTreeSet<[BodyId; 2]>,
    broad_phase: AnyBroadPhase,
    margins: Margins,
    /// Pairs of slots whose boxes meet.
    candidates: Vec<[u32; 2]>,
    /// The pairs of bodies to test whose boxes meet, sorted. Boxed, as each update moves them all.
    #[expect(clippy::vec_box)]
    pairs: Vec<Box<BodyPair>>,
    /// Memory for the next list of pairs.
    #[expect(clippy::vec_box)]
    spare: Vec<Box<BodyPair>>,
    contacts: Vec<Contact>,
    ended: Vec<[BodyId; 2]>,
    near: Vec<Proximity>,
    near_ended: Vec<[BodyId; 2]>,
    /// The bodies that may be nearest to a point, with boxes around them; and results.
    placed: Vec<(BodyId, Aabb)>,
    nearest: Vec<Option<NearestBody>>,
    /// The number of the last update.
    update: u64,
    /// The detail of the last update.
    detail: Detail,
    /// True if the last update was completed.
    completed: bool,
    stats: SceneStats,
    threads: Vec<ThreadMemory>,
}

impl Scene {
    /// A scene without bodies, with the default settings.
    pub fn new() -> Self {
        Self::default()
    }
    /// A scene without bodies, with these settings.
    pub fn with_options(options: SceneOptions) -> Self {
        Self { options, broad_phase: AnyBroadPhase::new(options.broad_phase), ..Self::default() }
    }
    /// The scene's settings.
    pub fn options(&self) -> SceneOptions {
        self.options
    }

    /// Adds a body. It shares the model with all others that have it.
    ///
    /// # Errors
    /// The model's tree does not fit those of the other bodies ([`Model::fits`]), or the scene has 2^31
    /// bodies.
    pub fn add(&mut self, model: Arc<Model>, pose: Pose) -> Result<BodyId, Error> {
        self.check_fit(&model)?;
        self.fill(model, pose)
    }
    fn fill(&mut self, model: Arc<Model>, pose: Pose) -> Result<BodyId, Error> {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => self.new_slot()?,
        };
        let id = self.slots[slot as usize].fill(slot, model, pose);
        self.bodies += 1;
        self.touch(slot);
        Ok(id)
    }
    fn new_slot(&mut self) -> Result<u32, Error> {
        let slot = self.slots.len();
        if slot == MOST_BODIES {
            let what = "bodies in one scene";
            return Err(ErrorKind::TooMany { found: slot + 1, most: MOST_BODIES, what }.into());
        }
        self.slots.push(Slot::default());
        self.boxes.push(Aabb::EMPTY);
        Ok(slot as u32)
    }
    /// Checks that a model fits the first body's: then it fits all of them.
    fn check_fit(&self, model: &Model) -> Result<(), Error> {
        let meshes = self.slots.iter().filter(|slot| slot.half_space.is_none());
        let mut models = meshes.filter_map(|slot| slot.model.as_ref());
        models.next().map_or(Ok(()), |first| first.fits(model))
    }
    /// Removes a body. Its id is never given again.
    ///
    /// # Errors
    /// The scene has no such body.
    pub fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        self.slot(body)?;
        let slot = &mut self.slots[body.slot()];
        slot.clear();
        if slot.is_reusable() {
            self.free.push(body.slot() as u32);
        }
        self.bodies -= 1;
        self.allowed.retain(|pair| !pair.contains(&body));
        self.drop_margins(body);
        self.touch(body.slot() as u32);
        Ok(())
    }
    /// Moves a body.
    ///
    /// # Errors
    /// The scene has no such body, or it is a half-space.
    pub fn set_pose(&mut self, body: BodyId, pose: Pose) -> Result<(), Error> {
        self.check_mesh(body)?;
        let slot = &mut self.slots[body.slot()];
        if slot.pose != pose {
            slot.pose = pose;
            self.touch(body.slot() as u32);
        }
        Ok(())
    }
    /// Gives a body another model.
    ///
    /// # Errors
    /// The scene has no such body, it is a half-space, or the model's tree does not fit those of the bodies
    /// ([`Model::fits`]).
    pub fn set_model(&mut self, body: BodyId, model: Arc<Model>) -> Result<(), Error> {
        self.check_mesh(body)?;
        self.check_fit(&model)?;
        self.slots[body.slot()].set_model(model);
        self.touch(body.slot() as u32);
        Ok(())
    }
    /// Moves all vertices of a body's mesh: see [`Model::deform`]. A model that other bodies share is copied
    /// first; they keep their shape.
    ///
    /// # Errors
    /// The scene has no such body, it is a half-space, the mesh has more or fewer vertices than there are
    /// points, or a point is not finite. The body then keeps its shape.
    pub fn deform(&mut self, body: BodyId, points: &[[f64; 3]], policy: Rebuild) -> Result<Deformed, Error> {
        self.reshape(body, |model| model.deform(points, policy))
    }
    /// Moves some vertices of a body's mesh: see [`Model::refit_some`]. A model that other bodies share is
    /// copied first; they keep their shape.
    ///
    /// # Errors
    /// The scene has no such body, it is a half-space, the mesh has no such vertex, or a point is not finite.
    /// The body then keeps its shape.
    pub fn deform_some(&mut self, body: BodyId, moved: &[(u32, [f64; 3])]) -> Result<(), Error> {
        self.reshape(body, |model| model.refit_some(moved))
    }
    /// Sets which bodies a body is tested against: see [`Filter`].
    ///
    /// # Errors
    /// The scene has no such body.
    pub fn set_filter(&mut self, body: BodyId, filter: Filter) -> Result<(), Error> {
        self.slot(body)?;
        self.slots[body.slot()].filter = filter;
        Ok(())
    }
    /// Allows two bodies to intersect: their pair is no longer tested. This is one entry of the *allowed
    /// collision matrix*, which is empty at first. Entries of a body are dropped when it is removed.
    ///
    /// # Errors
    /// The scene does not have both bodies.
    #[doc(alias = "AllowedCollisionMatrix")]
    pub fn set_allowed(&mut self, [a, b]: [BodyId; 2], allowed: bool) -> Result<(), Error> {
        self.slot(a)?;
        self.slot(b)?;
        let pair = [a.min(b), a.max(b)];
        if allowed {
            self.allowed.insert(pair);
        } else {
            self.allowed.remove(&pair);
        }
        Ok(())
    }

    /// The model and the pose of a body. Those of a half-space are an empty model and the identity.
    ///
    /// # Errors
    /// The scene has no such body.
    pub fn body(&self, body: BodyId) -> Result<(&Arc<Model>, &Pose), Error> {
        let (model, slot) = self.slot(body)?;
        Ok((model, &slot.pose))
    }
    /// The ids of all bodies, sorted.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> {
        (0..).zip(&self.slots).filter_map(|(slot, of)| of.id(slot))
    }

    /// Decides which bodies meet now. Pairs without a change since the last update are not tested again,
    /// unless `detail` requests more than last time.
    pub fn update(&mut self, detail: Detail) {
        // Without a flag it is not stopped, and nothing else can fail.
        let _ = self.update_with(detail, &Watch::new());
    }
    /// Runs [`update`](Self::update) with a [`Watch`] that receives its progress and may stop it.
    ///
    /// # Errors
    /// The update was stopped ([`ErrorKind::Stopped`]). Then there are no contacts. The next update continues
    /// where this one ended, and [`Contact::began`] and [`ended`](Self::ended) compare with the last update
    /// that was completed.
    pub fn update_with(&mut self, detail: Detail, watch: &Watch<'_>) -> Result<(), Error> {
        self.run_update(detail, watch)
    }

    /// The pairs of bodies that met at the last update, sorted. Empty if that update was stopped.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }
    /// The pairs that met at the update before the last but not at the last: they parted, one was removed, or
    /// a filter now excludes them. Sorted.
    pub fn ended(&self) -> &[[BodyId; 2]] {
        &self.ended
    }
    /// All intersecting pairs of triangles (of `bodies[0]`, of `bodies[1]`) of a contact of the last update,
    /// sorted.
    ///
    /// # Errors
    /// The contact is not of this scene's last update ([`ErrorKind::StaleContact`]), or that update had a
    /// lower detail than [`Detail::Triangles`] ([`ErrorKind::MissingDetail`]).
    ///
    /// ```
    /// use impinge::{scene::Detail, ErrorKind, Mesh, Model, Pose, Scene};
    /// use std::sync::Arc;
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
    /// let model = Arc::new(Model::new(triangle));
    /// let mut scene = Scene::new();
    /// scene.add(Arc::clone(&model), Pose::IDENTITY)?;
    /// scene.add(model, Pose::IDENTITY)?;
    /// scene.update(Detail::Triangles);
    /// let contact = scene.contacts()[0];
    /// assert_eq!(scene.triangle_pairs(&contact)?, [[0, 0]]);
    /// scene.update(Detail::Counts);
    /// let stale = scene.triangle_pairs(&contact).unwrap_err();
    /// assert_eq!(*stale.kind(), ErrorKind::StaleContact { bodies: contact.bodies });
    /// let not_listed = scene.triangle_pairs(&scene.contacts()[0]).unwrap_err();
    /// assert_eq!(*not_listed.kind(), ErrorKind::MissingDetail);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn triangle_pairs(&self, contact: &Contact) -> Result<&[[u32; 2]], Error> {
        let pair = self.pairs.get(contact.source.pair).filter(|pair| {
            contact.source.update == self.update && contact.bodies == pair.bodies && self.completed
        });
        let pair = pair.ok_or(ErrorKind::StaleContact { bodies: contact.bodies })?;
        if self.detail < Detail::Triangles {
            return Err(ErrorKind::MissingDetail.into());
        }
        Ok(pair.triangles())
    }
    /// The work of the last update that was completed.
    pub fn stats(&self) -> SceneStats {
        self.stats
    }

    fn slot(&self, body: BodyId) -> Result<(&Arc<Model>, &Slot), Error> {
        let slot = self.slots.get(body.slot()).filter(|slot| slot.id(body.slot() as u32) == Some(body));
        slot.and_then(|slot| Some((slot.model.as_ref()?, slot)))
            .ok_or_else(|| ErrorKind::NoSuchBody { body }.into())
    }

    fn reshape<T>(
        &mut self,
        body: BodyId,
        change: impl FnOnce(&mut Model) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.check_mesh(body)?;
        let model = self.slots[body.slot()].model.as_mut().ok_or(ErrorKind::NoSuchBody { body })?;
        let done = change(Arc::make_mut(model))?;
        self.slots[body.slot()].ball = None;
        self.touch(body.slot() as u32);
        Ok(done)
    }

    /// Notes that a body has changed.
    fn touch(&mut self, slot: u32) {
        self.version += 1;
        if self.slots[slot as usize].touch(self.version) {
            self.changed.push(slot);
        }
    }
}
