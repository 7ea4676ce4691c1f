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
    Deformed, Error, Model, Pose, Query, Rebuild, Scratches,
    batch::{hand_out, run_length},
    broad_phase::{BroadPhase, Extent, Phase, PhaseKind},
    pool,
};
use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// How a scene works. Its answers do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneOptions {
    /// How pairs of boxes are found.
    pub broad_phase: PhaseKind,
    /// What a body's box is.
    pub enclosure: Enclosure,
    /// Whether pairs of bodies that move are remembered: how far they are apart, and in a [`QueryCache`](crate::QueryCache) what there is between them, for the first 16,384 of them up to 0.1 MiB each, mostly far less.
    pub caches: bool,
}

impl Default for SceneOptions {
    fn default() -> Self {
        Self { broad_phase: PhaseKind::default(), enclosure: Enclosure::default(), caches: true }
    }
}

/// Bodies that share models, each at its pose.
///
/// ```
/// use impinge::{BuildOptions, Detail, Mesh, Model, Pose, Query, Scene};
/// use std::sync::Arc;
/// let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
/// let model = Arc::new(Model::new(triangle, &BuildOptions::default()));
/// let mut scene = Scene::new();
/// let a = scene.add(Arc::clone(&model), Pose::IDENTITY);
/// let b = scene.add(model, Pose::from_translation([3., 0., 0.])?);
/// scene.update(&Query::default(), Detail::Bodies);
/// assert!(scene.contacts().is_empty());
/// scene.set_pose(b, Pose::from_translation([2., 0., 0.])?)?;
/// scene.update(&Query::default(), Detail::Bodies);
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
    extents: Vec<Extent>,
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
    pub fn add(&mut self, model: Arc<Model>, pose: Pose) -> BodyId {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.extents.push(Extent::EMPTY);
            self.slots.len() as u32 - 1
        });
        let id = self.slots[slot as usize].fill(slot, model, pose);
        self.touch(slot);
        id
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
    /// There is no such body.
    pub fn set_model(&mut self, body: BodyId, model: Arc<Model>) -> Result<(), Error> {
        self.slot(body)?;
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

    /// Finds out which bodies meet now. What has not changed since the last update is not looked at again, unless more is asked of it.
    pub fn update(&mut self, query: &Query, detail: Detail) {
        self.advance(query, detail, 1, &|_, _| ());
    }
    /// The same on the threads of the pool in which it is called (feature `rayon`; without it, on one): the same contacts. Large pairs are divided.
    ///
    /// `progress` hears, on any thread, of how many pairs are done out of how many: once at 0, then after each.
    pub fn par_update(&mut self, query: &Query, detail: Detail, progress: &(dyn Fn(usize, usize) + Sync)) {
        self.advance(query, detail, pool::threads(), progress);
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

    fn advance(
        &mut self,
        query: &Query,
        detail: Detail,
        threads: usize,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) {
        if self.workers.len() < threads {
            self.workers.resize_with(threads, Worker::default);
        }
        self.enclose(threads);
        self.phase.update(&self.extents, &self.changed, &mut self.near);
        let changed = self.changed.len();
        self.changed.drain(..).for_each(|slot| self.slots[slot as usize].settle());

        self.near.sort_unstable();
        self.merge(detail);
        self.decide(query, detail, threads, progress);
        self.report(changed, detail);
    }

    /// The boxes of what has changed.
    fn enclose(&mut self, threads: usize) {
        let enclosure = self.options.enclosure;
        if threads == 1 {
            for &slot in &self.changed {
                let of = &mut self.slots[slot as usize];
                self.extents[slot as usize] = of.take(enclosure.of(of));
            }
            return;
        }
        let slots = &self.slots;
        let mut fresh: Vec<(u32, enclosure::Enclosed)> =
            self.changed.iter().map(|&slot| (slot, enclosure::Enclosed::default())).collect();
        let run = run_length(fresh.len(), threads);
        hand_out(&mut self.workers[..threads], &mut fresh, run, &|_, _, _, fresh| {
            for (slot, enclosed) in fresh {
                *enclosed = enclosure.of(&slots[*slot as usize]);
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
        self.ended.clear();
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
                self.ended.extend(pair.meets().then_some(pair.bodies));
            }
            let pair = known.next_if(|pair| pair.bodies == bodies);
            let mut pair = pair.unwrap_or_else(|| Box::new(Pair::new(bodies)));
            pair.see([of_a, of_b], detail, &mut caches);
            self.pairs.push(pair);
        }
        for pair in known {
            self.ended.extend(pair.meets().then_some(pair.bodies));
        }
    }

    /// Decides what is not.
    fn decide(
        &mut self,
        query: &Query,
        detail: Detail,
        threads: usize,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) {
        let (slots, remember) = (&self.slots, self.options.caches);
        let pairs = self.pairs.iter_mut().map(|pair| &mut **pair);
        let mut open: Vec<&mut Pair> = pairs.filter(|pair| !pair.is_decided()).collect();
        if threads > 1 {
            // The longest first, so that no thread is left alone with one at the end.
            open.sort_by_key(|pair| std::cmp::Reverse(pair.size(slots)));
        }
        self.workers[..threads].iter_mut().for_each(|worker| worker.alone = threads == 1);
        let (count, done) = (open.len(), AtomicUsize::new(0));
        progress(0, count);
        let run = if count < 4096 { 1 } else { 16 };
        hand_out(&mut self.workers[..threads], &mut open, run, &|_, worker, _, open| {
            for pair in open {
                pair.decide(slots, (query, detail, remember), worker);
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, count);
            }
        });
        self.stats.decided = open.iter().filter(|pair| pair.is_compared()).count();
    }

    fn report(&mut self, changed: usize, detail: Detail) {
        self.contacts.clear();
        for (index, pair) in self.pairs.iter_mut().enumerate() {
            match pair.contact(index, detail) {
                Some(contact) => self.contacts.push(contact),
                None => self.ended.extend(pair.parted().then_some(pair.bodies)),
            }
        }
        self.ended.sort_unstable();
        self.stats = SceneStats {
            bodies: self.slots.len() - self.free.len(),
            changed,
            near: self.pairs.len(),
            decided: self.stats.decided,
            meet: self.contacts.len(),
        };
    }
}
