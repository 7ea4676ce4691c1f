//! Many bodies: which of them meet, and what has changed since the last look.
//!
//! A [`Scene`] knows for each pair of bodies whose boxes meet what was found when it was last decided, and decides again only what has changed since. The answer is that of a scene built anew, always.
mod bodies;
mod contacts;
mod enclosure;
mod oriented;
mod pairs;
mod plane;

pub use self::{
    bodies::{BodyId, Filter},
    contacts::{Contact, Detail, SceneStats},
    enclosure::Enclosure,
};

use self::{bodies::Slot, pairs::Pair};
use crate::{
    Deformed, Error, Model, Pose, Rebuild, SimdLevel, Threads,
    broad_phase::{Aabb, BroadPhase, Phase, PhaseKind},
    pool,
    query::{Ask, Scratches, hand_out, run_length},
};
use std::{
    collections::BTreeSet,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

/// How a scene works. Its answers do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SceneOptions {
    /// How pairs of boxes are found.
    pub broad_phase: PhaseKind,
    /// What a body's box is.
    pub enclosure: Enclosure,
    /// Whether pairs of bodies that move are remembered: how far they are apart, and in a
    /// [`QueryCache`](crate::QueryCache) what there is between them, for the first 16,384 of them up to 0.1 MiB each,
    /// mostly far less.
    pub caches: bool,
    /// The instructions of its queries.
    pub simd: SimdLevel,
    /// Whose threads do an update. Large pairs are divided.
    pub threads: Threads,
}

impl Default for SceneOptions {
    fn default() -> Self {
        Self {
            broad_phase: PhaseKind::default(),
            enclosure: Enclosure::default(),
            caches: true,
            simd: SimdLevel::default(),
            threads: Threads::default(),
        }
    }
}

impl SceneOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }
    /// With that broad phase.
    pub fn broad_phase(self, broad_phase: PhaseKind) -> Self {
        Self { broad_phase, ..self }
    }
    /// With such boxes.
    pub fn enclosure(self, enclosure: Enclosure) -> Self {
        Self { enclosure, ..self }
    }
    /// Remembering pairs, or not.
    pub fn caches(self, caches: bool) -> Self {
        Self { caches, ..self }
    }
    /// With these instructions.
    pub fn simd(self, simd: SimdLevel) -> Self {
        Self { simd, ..self }
    }
    /// On these threads.
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }
}

/// Who hears of an update while it goes on, and may end it.
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Watch<'a> {
    /// Nobody.
    pub fn new() -> Self {
        Self::default()
    }
    /// `progress` hears, on any thread, of each stage: once at its start, then after each piece of its work.
    pub fn progress(self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        Self { progress: Some(progress), ..self }
    }
    /// The update ends soon after the flag is set.
    pub fn stop(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }
    fn hear(&self, stage: Stage, done: usize, total: usize) {
        if let Some(progress) = self.progress {
            progress(Progress { stage, done, total });
        }
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("stop", &self.stop).finish_non_exhaustive()
    }
}

/// How far an update is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// What is done now.
    pub stage: Stage,
    /// How many pieces of it are done.
    pub done: usize,
    /// Out of how many.
    pub total: usize,
}

/// The stages of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Boxes of bodies that have changed.
    Boxes,
    /// Which boxes meet: one piece of work.
    BroadPhase,
    /// Pairs of bodies whose boxes meet.
    Pairs,
}

/// Bodies that share models, each at its pose.
///
/// ```
/// use impinge::{BuildOptions, Detail, Mesh, Model, Pose, Scene};
/// use std::sync::Arc;
/// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
/// let model = Arc::new(Model::new(triangle, &BuildOptions::default()));
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
#[derive(Debug, Default)]
pub struct Scene {
    options: SceneOptions,
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// Of each slot.
    extents: Vec<Aabb>,
    /// Slots that changed since the last update, each once.
    changed: Vec<u32>,
    /// No two changes have the same.
    version: u64,
    allowed: BTreeSet<[BodyId; 2]>,
    phase: Phase,
    /// Pairs of slots whose extents meet.
    near: Vec<[u32; 2]>,
    /// Those of them that are asked about, sorted. In boxes, since each update moves them all.
    #[expect(clippy::vec_box)]
    pairs: Vec<Box<Pair>>,
    /// Memory of the next list.
    #[expect(clippy::vec_box)]
    spare: Vec<Box<Pair>>,
    contacts: Vec<Contact>,
    ended: Vec<[BodyId; 2]>,
    /// Whether the last update was carried through.
    finished: bool,
    stats: SceneStats,
    workers: Vec<Worker>,
}

/// What one thread keeps.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Worker {
    scratches: Scratches,
    found: Vec<[u32; 2]>,
    /// Whether no other thread may help.
    alone: bool,
}

impl Scene {
    /// Without bodies.
    pub fn new() -> Self {
        Self::default()
    }
    /// Without bodies, and told how to work.
    pub fn with_options(options: SceneOptions) -> Self {
        Self { options, phase: Phase::new(options.broad_phase), ..Self::default() }
    }

    /// A new body. It shares the model with whoever else has it.
    ///
    /// # Errors
    /// The model's tree does not fit to those that are there ([`Model::fits`]).
    pub fn add(&mut self, model: Arc<Model>, pose: Pose) -> Result<BodyId, Error> {
        self.check_fit(&model)?;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.extents.push(Aabb::EMPTY);
            self.slots.len() as u32 - 1
        });
        let id = self.slots[slot as usize].fill(slot, model, pose);
        self.touch(slot);
        Ok(id)
    }
    /// All trees fit to the first one, and so to each other.
    fn check_fit(&self, model: &Model) -> Result<(), Error> {
        let mut models = self.slots.iter().filter_map(|slot| slot.model.as_ref());
        models.next().map_or(Ok(()), |first| first.fits(model))
    }
    /// Takes a body away; its id is never given again.
    ///
    /// # Errors
    /// There is no such body.
    pub fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        self.slot(body)?;
        self.slots[body.slot()].clear();
        self.allowed.retain(|pair| !pair.contains(&body));
        self.free.push(body.slot() as u32);
        self.touch(body.slot() as u32);
        Ok(())
    }
    /// Moves a body.
    ///
    /// # Errors
    /// There is no such body.
    pub fn set_pose(&mut self, body: BodyId, pose: Pose) -> Result<(), Error> {
        self.slot(body)?;
        let slot = &mut self.slots[body.slot()];
        if slot.pose != pose {
            slot.pose = pose;
            self.touch(body.slot() as u32);
        }
        Ok(())
    }
    /// Gives a body another shape.
    ///
    /// # Errors
    /// There is no such body, or the model's tree does not fit to the others' ([`Model::fits`]).
    pub fn set_model(&mut self, body: BodyId, model: Arc<Model>) -> Result<(), Error> {
        self.slot(body)?;
        self.check_fit(&model)?;
        self.slots[body.slot()].set_model(model);
        self.touch(body.slot() as u32);
        Ok(())
    }
    /// Moves the vertices of a body's mesh: see [`Model::deform`]. A model that others share, too, is copied first, and becomes the body's own.
    ///
    /// # Errors
    /// There is no such body; not as many points as vertices, or one that is not finite: then the body keeps the shape that it has.
    pub fn deform(&mut self, body: BodyId, points: &[[f64; 3]], policy: Rebuild) -> Result<Deformed, Error> {
        self.reshape(body, |model| model.deform(points, policy))
    }
    /// The same of some vertices: see [`Model::refit_some`].
    ///
    /// # Errors
    /// There is no such body or vertex, or a point is not finite: then the body keeps the shape that it has.
    pub fn deform_some(&mut self, body: BodyId, moved: &[(u32, [f64; 3])]) -> Result<(), Error> {
        self.reshape(body, |model| model.refit_some(moved))
    }
    /// Says with whom a body is compared at all: see [`Filter`].
    ///
    /// # Errors
    /// There is no such body.
    pub fn set_filter(&mut self, body: BodyId, filter: Filter) -> Result<(), Error> {
        self.slot(body)?;
        self.slots[body.slot()].filter = filter;
        Ok(())
    }
    /// Whether two bodies may meet, so that they are not compared: an entry of the *allowed collision matrix*. No two may at first; what is said of a body is forgotten with it.
    ///
    /// # Errors
    /// There is no such body.
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

    /// A body's model and pose.
    ///
    /// # Errors
    /// There is no such body.
    pub fn body(&self, body: BodyId) -> Result<(&Arc<Model>, &Pose), Error> {
        let (model, slot) = self.slot(body)?;
        Ok((model, &slot.pose))
    }
    /// All bodies, sorted.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> {
        (0..).zip(&self.slots).filter_map(|(slot, of)| of.id(slot))
    }

    /// Finds out which bodies meet now. What has not changed since the last update is not looked at again, unless
    /// more is asked of it.
    pub fn update(&mut self, detail: Detail) {
        // Nobody stops it.
        let _ = self.update_with(detail, &Watch::new());
    }
    /// The same, watched.
    ///
    /// # Errors
    /// It was stopped ([`Error::is_stopped`]): then there are no contacts until an update is carried through, which
    /// goes on where this one ended. What began and ended is always told since the last one that was.
    pub fn update_with(&mut self, detail: Detail, watch: &Watch<'_>) -> Result<(), Error> {
        let threads = if self.options.threads == Threads::Pool { pool::threads() } else { 1 };
        if self.workers.len() < threads {
            self.workers.resize_with(threads, Worker::default);
        }
        self.enclose(threads, watch);
        watch.hear(Stage::BroadPhase, 0, 1);
        self.phase.update(&self.extents, &self.changed, &mut self.near);
        let changed = self.changed.len();
        self.changed.drain(..).for_each(|slot| self.slots[slot as usize].settle());

        self.near.sort_unstable();
        self.merge(detail);
        watch.hear(Stage::BroadPhase, 1, 1);
        self.decide(detail, threads, watch);
        if watch.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            self.contacts.clear();
            return Err(Error::stopped());
        }
        self.report(changed, detail);
        Ok(())
    }

    /// The pairs of bodies that met at the last update, sorted.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }
    /// The pairs that met at the update before, but not at the last: parted, or removed, or no longer asked about. Sorted.
    pub fn ended(&self) -> &[[BodyId; 2]] {
        &self.ended
    }
    /// All pairs of triangles (of `bodies[0]`, of `bodies[1]`) of a contact of the last update, sorted, if that was asked for [`Detail::Triangles`].
    pub fn triangle_pairs(&self, contact: &Contact) -> &[[u32; 2]] {
        self.pairs.get(contact.pair).map_or(&[], |pair| pair.triangles(contact))
    }
    /// What the last update had to do.
    pub fn stats(&self) -> SceneStats {
        self.stats
    }

    fn slot(&self, body: BodyId) -> Result<(&Arc<Model>, &Slot), Error> {
        let slot = self.slots.get(body.slot()).filter(|slot| slot.id(body.slot() as u32) == Some(body));
        slot.and_then(|slot| Some((slot.model.as_ref()?, slot))).ok_or_else(|| Error::no_such_body(body))
    }

    fn reshape<T>(
        &mut self,
        body: BodyId,
        change: impl FnOnce(&mut Model) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.slot(body)?;
        let Some(model) = &mut self.slots[body.slot()].model else { return Err(Error::no_such_body(body)) };
        let done = change(Arc::make_mut(model))?;
        self.slots[body.slot()].ball = None;
        self.touch(body.slot() as u32);
        Ok(done)
    }

    fn touch(&mut self, slot: u32) {
        self.version += 1;
        if self.slots[slot as usize].touch(self.version) {
            self.changed.push(slot);
        }
    }

    /// The boxes of what has changed.
    fn enclose(&mut self, threads: usize, watch: &Watch<'_>) {
        let (enclosure, count) = (self.options.enclosure, self.changed.len());
        watch.hear(Stage::Boxes, 0, count);
        if threads == 1 {
            for (done, &slot) in (1..).zip(&self.changed) {
                let of = &mut self.slots[slot as usize];
                self.extents[slot as usize] = of.take(enclosure.of(of));
                watch.hear(Stage::Boxes, done, count);
            }
            return;
        }
        let slots = &self.slots;
        let mut fresh: Vec<(u32, enclosure::Enclosed)> =
            self.changed.iter().map(|&slot| (slot, enclosure::Enclosed::default())).collect();
        let (run, done) = (run_length(fresh.len(), threads), AtomicUsize::new(0));
        hand_out(&mut self.workers[..threads], &mut fresh, run, &|_, _, _, fresh| {
            for (slot, enclosed) in fresh {
                *enclosed = enclosure.of(&slots[*slot as usize]);
                watch.hear(Stage::Boxes, done.fetch_add(1, Ordering::Relaxed) + 1, count);
            }
        });
        for (slot, enclosed) in fresh {
            self.extents[slot as usize] = self.slots[slot as usize].take(enclosed);
        }
    }

    /// Brings what is known of pairs in line with which are near.
    fn merge(&mut self, detail: Detail) {
        std::mem::swap(&mut self.pairs, &mut self.spare);
        self.pairs.clear();
        // What ended at an update that was stopped has not been told yet.
        if self.finished {
            self.ended.clear();
        }
        self.finished = false;
        let mut known = self.spare.drain(..).peekable();
        let mut caches = if self.options.caches { 0 } else { usize::MAX };
        for &[a, b] in &self.near {
            let (of_a, of_b) = (&self.slots[a as usize], &self.slots[b as usize]);
            let (Some(id_a), Some(id_b)) = (of_a.id(a), of_b.id(b)) else { continue };
            let bodies = [id_a, id_b];
            if !of_a.filter.meets(&of_b.filter)
                || (!self.allowed.is_empty() && self.allowed.contains(&bodies))
                || !enclosure::meet(of_a, of_b)
            {
                continue;
            }
            while let Some(pair) = known.next_if(|pair| pair.bodies < bodies) {
                self.ended.extend(pair.met_before().then_some(pair.bodies));
            }
            let pair = known.next_if(|pair| pair.bodies == bodies);
            let mut pair = pair.unwrap_or_else(|| Box::new(Pair::new(bodies)));
            pair.see([of_a, of_b], detail, &mut caches);
            self.pairs.push(pair);
        }
        for pair in known {
            self.ended.extend(pair.met_before().then_some(pair.bodies));
        }
    }

    /// Decides what is not.
    fn decide(&mut self, detail: Detail, threads: usize, watch: &Watch<'_>) {
        let (slots, remember) = (&self.slots, self.options.caches);
        let ask = Ask::new(self.options.simd, false, false, watch.stop);
        let pairs = self.pairs.iter_mut().map(|pair| &mut **pair);
        let mut open: Vec<&mut Pair> = pairs.filter(|pair| !pair.is_decided()).collect();
        if threads > 1 {
            // The longest first, so that no thread is left alone with one at the end.
            open.sort_by_key(|pair| std::cmp::Reverse(pair.size(slots)));
        }
        self.workers[..threads].iter_mut().for_each(|worker| worker.alone = threads == 1);
        let (count, done) = (open.len(), AtomicUsize::new(0));
        watch.hear(Stage::Pairs, 0, count);
        let run = if count < 4096 { 1 } else { 16 };
        hand_out(&mut self.workers[..threads], &mut open, run, &|_, worker, _, open| {
            for pair in open {
                if ask.stop.is_set() {
                    return;
                }
                pair.decide(slots, (&ask, detail, remember), worker);
                watch.hear(Stage::Pairs, done.fetch_add(1, Ordering::Relaxed) + 1, count);
            }
        });
        self.stats.decided = open.iter().filter(|pair| pair.is_compared()).count();
    }

    fn report(&mut self, changed: usize, detail: Detail) {
        self.contacts.clear();
        self.ended.sort_unstable();
        let told_before = self.ended.len();
        for (index, pair) in self.pairs.iter_mut().enumerate() {
            match pair.contact(index, detail) {
                Some(mut contact) => {
                    // It was lost from sight in an update that was stopped, and is back.
                    let lost = self.ended[..told_before].binary_search(&contact.bodies);
                    contact.began &= lost.is_err();
                    self.contacts.push(contact);
                }
                None => self.ended.extend(pair.parted().then_some(pair.bodies)),
            }
            pair.tell();
        }
        let contacts = &self.contacts;
        let meets = |bodies: &[BodyId; 2]| contacts.binary_search_by_key(bodies, |c| c.bodies).is_ok();
        self.ended.retain(|bodies| !meets(bodies));
        self.ended.sort_unstable();
        self.finished = true;
        self.stats = SceneStats {
            bodies: self.slots.len() - self.free.len(),
            changed,
            near: self.pairs.len(),
            decided: self.stats.decided,
            meet: self.contacts.len(),
        };
    }
}
