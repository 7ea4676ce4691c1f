//! What a scene knows of two bodies.
use super::{
    Worker,
    bodies::{BodyId, Slot},
    contacts::{Contact, Detail},
    plane,
};
use crate::{Body, QueryCache, query::Ask, sink::sort};

/// Pairs that may have a cache, of at most 0.1 MiB each and mostly far less: more than that many moving pairs whose boxes meet start at the roots.
const MOST_CACHES: usize = 1 << 14;

/// Two bodies whose boxes meet, and what was found when they were last compared.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) bodies: [BodyId; 2],
    /// Of both bodies, when they were compared; `None` if that has to be done.
    decided: Option<[u64; 2]>,
    /// Versions now.
    versions: [u64; 2],
    detail: Detail,
    witness: Option<[u32; 2]>,
    count: u64,
    triangles: Vec<[u32; 2]>,
    /// Whether their triangles were compared when they were last.
    compared: bool,
    /// Whether they met at the last update that was carried through, and whether they do as far as is known.
    met: [bool; 2],
    cache: Option<Box<QueryCache>>,
    /// As long as both models are these and both bodies together have travelled less than that far, they do not meet.
    apart: Option<([u64; 2], f64)>,
}

/// What two bodies have travelled, together.
fn travelled([a, b]: [&Slot; 2]) -> f64 {
    a.travelled + b.travelled
}

impl Pair {
    pub(super) fn new(bodies: [BodyId; 2]) -> Self {
        Self {
            bodies,
            decided: None,
            versions: [0; 2],
            detail: Detail::Bodies,
            witness: None,
            count: 0,
            triangles: Vec::new(),
            compared: false,
            met: [false; 2],
            cache: None,
            apart: None,
        }
    }

    /// It is near in this update, too, with its bodies as they are now.
    pub(super) fn see(&mut self, bodies: [&Slot; 2], detail: Detail, caches: &mut usize) {
        self.versions = bodies.map(|slot| slot.version);
        if self.decided.is_some_and(|decided| decided != self.versions) {
            let stays = |(models, until): ([u64; 2], f64)| {
                models == bodies.map(Slot::model_id) && travelled(bodies) * (1.0 + 2.0 * f64::EPSILON) < until
            };
            if self.apart.is_some_and(stays) {
                self.decided = Some(self.versions);
                self.skip();
            } else {
                self.decided = None;
                // Something moves: what is found now may serve again.
                if self.cache.is_none() && *caches < MOST_CACHES {
                    self.cache = Some(Box::default());
                }
            }
        }
        if self.detail < detail && self.witness.is_some() {
            self.decided = None;
        }
        *caches = caches.saturating_add(usize::from(self.cache.is_some()));
        if !self.is_decided() && !self.meets() {
            plane::want(bodies);
        }
    }

    /// The cache is not asked about this step of the motion.
    fn skip(&mut self) {
        if let Some(cache) = &mut self.cache {
            cache.skipped = cache.skipped.saturating_add(1);
        }
    }
    pub(super) fn is_decided(&self) -> bool {
        self.decided.is_some()
    }
    /// Whether the bodies met when they were last compared.
    pub(super) fn meets(&self) -> bool {
        self.met[1]
    }
    /// Whether they met at the last update that was carried through.
    pub(super) fn met_before(&self) -> bool {
        self.met[0]
    }
    /// The update is carried through.
    pub(super) fn tell(&mut self) {
        self.met[0] = self.met[1];
    }
    /// Whether they met before, and do not now.
    pub(super) fn parted(&self) -> bool {
        self.met == [true, false]
    }
    /// Triangles of both.
    pub(super) fn size(&self, slots: &[Slot]) -> usize {
        let of = |body: BodyId| slots[body.slot()].model.as_ref().map_or(0, |model| model.mesh().len());
        self.bodies.map(of).iter().sum()
    }

    /// Whether their triangles were compared when it was last decided.
    pub(super) fn is_compared(&self) -> bool {
        self.compared
    }

    /// `remember`: what is known of them now may serve again.
    pub(super) fn decide(
        &mut self,
        slots: &[Slot],
        (ask, detail, remember): (&Ask<'_>, Detail, bool),
        worker: &mut Worker,
    ) {
        let [slot_a, slot_b] = self.bodies.map(|body| &slots[body.slot()]);
        // Of bodies that met it would mostly be in vain.
        let plane = if self.met[1] { None } else { plane::clearance([slot_a, slot_b]) };
        self.compared = plane.is_none();
        if plane.is_some() {
            (self.witness, self.count) = (None, 0);
            self.triangles.clear();
            self.skip();
        }
        let clearance = plane.unwrap_or_else(|| self.compare([slot_a, slot_b], (ask, detail), worker));
        if ask.stop.is_set() {
            // Whatever was found may not be all.
            return;
        }
        let until = (travelled([slot_a, slot_b]) + clearance) * (1.0 - 4.0 * f64::EPSILON);
        self.apart = (remember && clearance > 0.0).then(|| ([slot_a, slot_b].map(Slot::model_id), until));
        (self.decided, self.detail) = (Some(self.versions), detail);
    }

    /// Compares their triangles. Not more than the bodies' distance, if that becomes known.
    fn compare(
        &mut self,
        [slot_a, slot_b]: [&Slot; 2],
        (ask, detail): (&Ask<'_>, Detail),
        worker: &mut Worker,
    ) -> f64 {
        let (Some(model_a), Some(model_b)) = (&slot_a.model, &slot_b.model) else { return 0.0 };
        let (a, b) = (Body::new(model_a, slot_a.pose), Body::new(model_b, slot_b.pose));
        let Worker { scratches, found, alone } = worker;
        if detail == Detail::Bodies {
            let scratch = &mut scratches.first().scratch;
            self.witness = match &mut self.cache {
                Some(cache) => ask.first_cached(&a, &b, cache, scratch),
                None => ask.first(&a, &b, scratch),
            };
        } else {
            let pairs = if detail == Detail::Triangles { &mut self.triangles } else { found };
            let scratch = &mut scratches.first().scratch;
            if let Some(cache) = &mut self.cache {
                ask.pairs_cached(&a, &b, cache, scratch, pairs);
            } else {
                pairs.clear();
                if *alone {
                    ask.append(&a, &b, scratch, pairs);
                } else {
                    // Threads that have no pair of bodies left take part in the last ones.
                    ask.divided(&a, &b, scratches, pairs);
                }
                sort(pairs);
            }
            self.count = pairs.len() as u64;
            self.witness = pairs.first().copied();
        }
        self.met[1] = self.witness.is_some();
        self.cache.as_ref().map_or(0.0, |cache| cache.clearance)
    }

    /// `index` is its place.
    pub(super) fn contact(&self, index: usize, detail: Detail) -> Option<Contact> {
        let witness = self.witness.filter(|_| self.met[1])?;
        Some(Contact {
            bodies: self.bodies,
            began: !self.met[0],
            witness,
            triangle_pairs: (detail > Detail::Bodies).then_some(self.count),
            pair: index,
        })
    }
    /// Those of that contact: empty if it is of another update, or of one that did not ask for them.
    pub(super) fn triangles(&self, contact: &Contact) -> &[[u32; 2]] {
        if self.bodies == contact.bodies && self.detail == Detail::Triangles { &self.triangles } else { &[] }
    }
}
