//! Two bodies whose boxes meet, and the scene's state for them.
//!
//! A pair is in one of three states ([`PairState`]). It begins as `Open`. [`BodyPair::decide`] makes an open
//! pair `Separated`, if it finds a plane between the bodies, or else `Compared`, by a test of their
//! triangles. In the next update [`BodyPair::see`] opens the pair again if a body has changed and may have
//! come close, or if the update needs more detail than was found. If an update is stopped, pairs that it has
//! not decided stay open.
use super::{
    bodies::Slot,
    contacts::{Contact, ContactSource, Detail},
    margins::{PairReach, Proximity},
    plane,
    thread_memory::ThreadMemory,
};
use crate::{
    Body,
    body_id::BodyId,
    distance::{Accuracy, DistanceBounds},
    margin::Margin,
    query::{PairCount, QueryCache},
    relation::{Relation, RelationDetail, RelationKind},
    sink::{Listed, Rest, sort},
    solid::FillRule,
    walk::QueryContext,
};
use std::ops::ControlFlow;

/// The largest number of pairs with a cache. A cache takes at most 0.1 MiB, mostly far less; queries of
/// further moving pairs start at the roots.
pub(super) const MOST_CACHES: usize = 1 << 14;

#[derive(Debug)]
pub(super) struct BodyPair {
    /// The smaller id first.
    pub(super) bodies: [BodyId; 2],
    state: PairState,
    /// Memory for the list of intersecting pairs of triangles. Holds that list if `state` is `Compared` and
    /// has a finding of [`Detail::Triangles`] or more.
    triangles: Vec<[u32; 2]>,
    /// The state reported at the last update that was completed.
    pub(super) reported: Reported,
    reach: PairReach,
    /// The distance of the bodies, if `state` is `Compared`, they do not touch, and it is within the margin.
    gap: Option<DistanceBounds>,
    /// The models of that `gap`.
    models: [u64; 2],
    /// State of queries for the next ones, once one of the bodies has moved.
    cache: Option<Box<QueryCache>>,
    separation: Option<Separation>,
}

/// The state of a pair that an update has reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reported {
    Apart,
    Near,
    Meeting,
}

impl Reported {
    pub(super) fn is_meeting(self) -> bool {
        self == Self::Meeting
    }
    pub(super) fn is_near(self) -> bool {
        self == Self::Near
    }
}

/// The state of a pair in an update.
#[derive(Debug)]
enum PairState {
    /// The pair has to be decided. `met` is true if the bodies met when they were last decided.
    Open { met: bool },
    /// A plane proved them further apart than their margin when they had these versions.
    Separated { versions: [u64; 2] },
    /// The triangles were tested when the bodies had these versions, for an update with this detail. Without
    /// a finding, the bodies do not meet at this detail.
    Compared { versions: [u64; 2], detail: Detail, finding: Option<Finding> },
}

/// Result for two bodies that meet.
#[derive(Clone, Copy, Debug)]
struct Finding {
    detail: Detail,
    /// `None` if one is inside the other: then they are a contact only for an update with relations.
    witness: Option<[u32; 2]>,
    /// The number of intersecting pairs of triangles, unless `detail` is [`Detail::Bodies`].
    count: u64,
    relation: Option<Relation>,
}

impl Finding {
    /// True if it is a contact for an update with this detail.
    fn counts(&self, detail: Detail) -> bool {
        self.witness.is_some() || detail == Detail::Relations
    }
}

/// A proof that surfaces are further apart than their reach, as long as the bodies have these models, and
/// the sum of the distances that both have travelled is less than `until`. If one body was inside the other,
/// it still is: while all points move straight from their old places, the surfaces do not meet either, so
/// winding numbers do not change.
#[derive(Clone, Copy, Debug)]
struct Separation {
    models: [u64; 2],
    until: f64,
}

impl Separation {
    /// The proof for bodies that are further apart than the sum of their reach and `clearance`.
    fn new(bodies: [&Slot; 2], clearance: f64) -> Self {
        // Rounded down: two sums, this product.
        let until = (travelled(bodies) + clearance) * (1.0 - 4.0 * f64::EPSILON);
        Self { models: bodies.map(Slot::model_id), until }
    }
    fn holds(&self, bodies: [&Slot; 2]) -> bool {
        self.models == bodies.map(Slot::model_id)
            && travelled(bodies) * (1.0 + 2.0 * f64::EPSILON) < self.until
    }
}

/// True if one of two bodies is a half-space.
fn has_half_space(bodies: [&Slot; 2]) -> bool {
    bodies.iter().any(|slot| slot.half_space.is_some())
}

/// The sum of the distances that two bodies have travelled.
fn travelled([a, b]: [&Slot; 2]) -> f64 {
    a.travelled + b.travelled
}

pub(super) struct Decision<'a> {
    pub(super) ask: QueryContext<'a>,
    pub(super) detail: Detail,
    /// True if a pair keeps a proof that its bodies are apart.
    pub(super) remember: bool,
    /// The fill rule of bodies.
    pub(super) fill_rule: FillRule,
}

impl BodyPair {
    pub(super) fn new(bodies: [BodyId; 2]) -> Self {
        Self {
            bodies,
            state: PairState::Open { met: false },
            triangles: Vec::new(),
            reported: Reported::Apart,
            reach: PairReach::default(),
            gap: None,
            models: [0; 2],
            cache: None,
            separation: None,
        }
    }

    /// Opens the pair if its state does not suffice for this update. Called once an update, as long as the
    /// bodies' boxes meet. `caches_left` is the number of further pairs that may have a cache.
    pub(super) fn see(
        &mut self,
        bodies: [&Slot; 2],
        detail: Detail,
        reach: PairReach,
        caches_left: &mut usize,
    ) {
        let now = bodies.map(|slot| slot.version);
        let met = self.meets();
        if self.reach != reach {
            // Results and proofs are of the old margin and radii.
            (self.reach, self.separation, self.state) = (reach, None, PairState::Open { met });
        }
        if let PairState::Separated { versions } | PairState::Compared { versions, .. } = &mut self.state
            && *versions != now
        {
            if self.separation.is_some_and(|separation| separation.holds(bodies)) {
                *versions = now;
                self.skip_cache();
            } else {
                self.state = PairState::Open { met };
                // One of them moves, so a cache may help the next query. Radii and half-spaces have none.
                if self.cache.is_none() && *caches_left > 0 && !reach.is_rounded() && !has_half_space(bodies)
                {
                    self.cache = Some(Box::default());
                }
            }
        }
        let is_more_wanted = match self.state {
            // Such an update did not test whether one is inside the other.
            PairState::Compared { finding: None, detail: found, .. } => {
                detail == Detail::Relations && found != Detail::Relations
            }
            PairState::Compared { finding: Some(finding), .. } => finding.detail < detail,
            PairState::Open { .. } | PairState::Separated { .. } => false,
        };
        if is_more_wanted {
            self.state = PairState::Open { met };
        }
        *caches_left = caches_left.saturating_sub(usize::from(self.cache.is_some()));
        if self.is_open() && !met {
            plane::want(bodies);
        }
    }

    /// True if the bodies met when they were last decided, or are certainly apart still.
    pub(super) fn is_foregone(&self, bodies: [&Slot; 2]) -> bool {
        self.meets() || self.separation.is_some_and(|separation| separation.holds(bodies))
    }

    /// Notes in the cache that the bodies have moved without a query.
    fn skip_cache(&mut self) {
        if let Some(cache) = &mut self.cache {
            cache.skip_step();
        }
    }
    pub(super) fn is_open(&self) -> bool {
        matches!(self.state, PairState::Open { .. })
    }
    /// True if the pair was last decided by a test of its triangles.
    pub(super) fn is_compared(&self) -> bool {
        matches!(self.state, PairState::Compared { .. })
    }
    /// True if the bodies met when they were last decided.
    fn meets(&self) -> bool {
        matches!(self.state, PairState::Open { met: true } | PairState::Compared { finding: Some(_), .. })
    }
    fn finding(&self) -> Option<Finding> {
        match self.state {
            PairState::Compared { finding, .. } => finding,
            PairState::Open { .. } | PairState::Separated { .. } => None,
        }
    }
    /// Lists the pair as ended, with its last reported state, as the boxes no longer meet.
    pub(super) fn end(&self, meeting: &mut Vec<[BodyId; 2]>, near: &mut Vec<[BodyId; 2]>) {
        meeting.extend(self.reported.is_meeting().then_some(self.bodies));
        near.extend(self.reported.is_near().then_some(self.bodies));
    }
    /// The number of triangles of both bodies.
    pub(super) fn size(&self, slots: &[Slot]) -> usize {
        let of = |body: BodyId| slots[body.slot()].model.as_ref().map_or(0, |model| model.mesh().len());
        self.bodies.map(of).iter().sum()
    }

    /// Decides whether the bodies meet. The pair stays open if the update is stopped meanwhile.
    pub(super) fn decide(&mut self, slots: &[Slot], decision: &Decision<'_>, memory: &mut ThreadMemory) {
        let bodies = self.bodies.map(|body| &slots[body.slot()]);
        let versions = bodies.map(|slot| slot.version);
        // Bodies that met mostly still do; then no plane separates them.
        let plane = if self.meets() { None } else { plane::clearance(bodies) };
        let most = self.reach.most();
        let plane = plane.filter(|&clearance| clearance > most);
        let (state, clearance) = if let Some(clearance) = plane {
            self.triangles.clear();
            self.skip_cache();
            (PairState::Separated { versions }, clearance)
        } else {
            let (finding, clearance) = self.compare(bodies, decision, memory);
            (PairState::Compared { versions, detail: decision.detail, finding }, clearance)
        };
        if decision.ask.stop.is_set() {
            // A stopped query may have found only a part.
            return;
        }
        let clearance = clearance - most;
        self.separation = (decision.remember && clearance > 0.0).then(|| Separation::new(bodies, clearance));
        self.state = state;
    }

    /// Tests the bodies' triangles. Also returns a lower bound of the bodies' distance, 0 without a bound.
    fn compare(
        &mut self,
        [slot_a, slot_b]: [&Slot; 2],
        decision: &Decision<'_>,
        memory: &mut ThreadMemory,
    ) -> (Option<Finding>, f64) {
        if has_half_space([slot_a, slot_b]) {
            return (self.compare_half_space([slot_a, slot_b], decision, memory), 0.0);
        }
        if self.reach.is_rounded() {
            return (self.compare_rounded([slot_a, slot_b], decision, memory), 0.0);
        }
        let Decision { ask, detail, fill_rule, .. } = decision;
        let ThreadMemory { scratches, alone, .. } = memory;
        let (Some(model_a), Some(model_b)) = (&slot_a.model, &slot_b.model) else { return (None, 0.0) };
        let models = [slot_a, slot_b].map(Slot::model_id);
        let (a, b) = (Body::new(model_a, slot_a.pose), Body::new(model_b, slot_b.pose));
        let scratch = &mut scratches.first().scratch;
        let (witness, count) = if *detail == Detail::Bodies {
            let witness = match &mut self.cache {
                Some(cache) => ask.first_cached(&a, &b, cache, scratch),
                None => ask.first([a.placed(), b.placed()], &mut scratch.walk),
            };
            (witness, 0)
        } else if *detail == Detail::Counts {
            // Two meshes of n triangles may have n^2 pairs that meet: they are counted, and none is listed.
            let nothing = &mut Vec::new();
            let all = if let Some(cache) = &mut self.cache {
                ask.count_cached(&a, &b, cache, scratch)
            } else if *alone {
                ask.append_at_most([a.placed(), b.placed()], &mut scratch.walk, nothing, 0)
            } else {
                ask.divided_at_most([&a, &b], scratches, nothing, 0)
            };
            (all.first, all.count)
        } else {
            let pairs = &mut self.triangles;
            if let Some(cache) = &mut self.cache {
                ask.pairs_cached(&a, &b, cache, scratch, pairs);
            } else {
                pairs.clear();
                if *alone {
                    ask.append([a.placed(), b.placed()], &mut scratch.walk, pairs);
                } else {
                    // Threads without a pair of bodies help with the last pairs.
                    ask.divided(&a, &b, scratches, pairs);
                }
                sort(pairs);
            }
            (pairs.first().copied(), pairs.len() as u64)
        };
        let clearance = self.cache.as_ref().map_or(0.0, |cache| cache.clearance);
        let margin = self.reach.margin;
        let is_near_wanted = witness.is_none() && margin > 0.0 && clearance <= margin;
        let stop = Accuracy::new().above(Margin::of(margin));
        let scratch = &mut scratches.first().scratch;
        // The last nearest pair of triangles may still be the nearest, if it is of these models.
        let seed = self.gap.filter(|_| self.models == models).map(|gap| gap.triangles);
        self.gap = if is_near_wanted { ask.gap([&a, &b], stop, seed, scratch) } else { None };
        self.models = models;
        let relation = (*detail == Detail::Relations).then(|| {
            let scratch = &mut scratches.first().scratch;
            ask.relation([&a, &b], Some(&self.triangles), *fill_rule, RelationDetail::Relation, scratch)
        });
        // The witness is the least pair, whichever pair led to the relation.
        let relation = relation.map(|relation| Relation { witness, ..relation });
        let is_apart =
            witness.is_none() && relation.is_none_or(|relation| relation.kind == RelationKind::Apart);
        ((!is_apart).then_some(Finding { detail: *detail, witness, count, relation }), clearance)
    }

    /// [`Self::compare`] of bodies one or both of which have a radius.
    fn compare_rounded(
        &mut self,
        [slot_a, slot_b]: [&Slot; 2],
        Decision { ask, detail, fill_rule, .. }: &Decision<'_>,
        ThreadMemory { scratches, alone, .. }: &mut ThreadMemory,
    ) -> Option<Finding> {
        let (Some(model_a), Some(model_b)) = (&slot_a.model, &slot_b.model) else { return None };
        let bodies = [&Body::new(model_a, slot_a.pose), &Body::new(model_b, slot_b.pose)];
        let PairReach { margin, radii } = self.reach;
        let contact = self.reach.of_contact();
        let all = match detail {
            Detail::Bodies => {
                let first = ask.first_within(bodies, contact, &mut scratches.first().scratch);
                PairCount { count: 0, first }
            }
            _ => {
                let most = if *detail == Detail::Counts { 0 } else { usize::MAX };
                self.triangles.clear();
                let pairs = &mut self.triangles;
                let rest = if *alone {
                    ask.append_near(bodies, contact, &mut scratches.first().scratch, pairs, most)
                } else {
                    ask.divided_near(bodies, contact, scratches, pairs, most)
                };
                PairCount::of(pairs, rest)
            }
        };
        let scratch = &mut scratches.first().scratch;
        self.gap = None;
        if all.first.is_none() && margin > 0.0 {
            let stop = Accuracy::new().above(Margin::of(margin));
            self.gap = ask.rounded_distance(bodies, radii, stop, *fill_rule, scratch);
        }
        let is_inside = *detail == Detail::Relations
            && all.first.is_none()
            && ask.is_one_inside(bodies, *fill_rule, scratch);
        let PairCount { count, first: witness } = all;
        (witness.is_some() || is_inside).then_some(Finding {
            detail: *detail,
            witness,
            count,
            relation: None,
        })
    }

    /// [`Self::compare`] of a body and a half-space.
    fn compare_half_space(
        &mut self,
        slots: [&Slot; 2],
        Decision { ask, detail, .. }: &Decision<'_>,
        ThreadMemory { scratches, .. }: &mut ThreadMemory,
    ) -> Option<Finding> {
        // The half-space, and the side that it is on.
        let half_spaces = slots.map(|slot| slot.half_space);
        let (side, half_space) = (0..).zip(half_spaces).find_map(|(side, of)| Some((side, of?)))?;
        let Slot { model, pose, radius, .. } = slots[1 - side];
        let body = Body::new(model.as_ref()?, *pose);
        let in_order = |t: u32| if side == 0 { [0, t] } else { [t, 0] };
        let contact = self.reach.of_contact();
        let scratch = &mut scratches.first().scratch;
        let all = if *detail == Detail::Bodies {
            let first = ask.first_low(&body, &half_space, contact, scratch).map(in_order);
            PairCount { count: 0, first }
        } else {
            let most = if *detail == Detail::Counts { 0 } else { usize::MAX };
            let (pairs, mut rest) = (&mut self.triangles, Rest::default());
            pairs.clear();
            let mut listed = Listed { pairs, most, rest: &mut rest };
            let _ = ask.find_low::<()>(&body, &half_space, contact, scratch, |t| {
                listed.take(in_order(t));
                ControlFlow::Continue(())
            });
            PairCount::of(pairs, rest)
        };
        self.gap = None;
        if all.first.is_none() && self.reach.margin > 0.0 {
            let stop = Accuracy::new().above(Margin::of(self.reach.margin));
            let rounded = body.rounded(*radius).ok()?;
            self.gap = ask.half_space_distance(&rounded, &half_space, stop, scratch);
        }
        if let Some(gap) = self.gap.as_mut().filter(|_| side == 0) {
            gap.triangles.reverse();
            gap.points.reverse();
        }
        let PairCount { count, first: witness } = all;
        witness.is_some().then_some(Finding { detail: *detail, witness, count, relation: None })
    }

    /// The contact of this pair, if its bodies meet.
    pub(super) fn contact(&self, source: ContactSource, detail: Detail) -> Option<Contact> {
        let Finding { witness, count, relation, .. } =
            self.finding().filter(|finding| finding.counts(detail))?;
        Some(Contact {
            bodies: self.bodies,
            began: !self.reported.is_meeting(),
            witness,
            triangle_pairs: (detail > Detail::Bodies).then_some(count),
            relation: relation.filter(|_| detail == Detail::Relations),
            source,
        })
    }
    /// The proximity of the bodies, if their surfaces do not meet and are within the margin.
    pub(super) fn near(&self) -> Option<Proximity> {
        let PairState::Compared { finding, .. } = self.state else { return None };
        let gap = self.gap.filter(|_| finding.is_none_or(|finding| finding.witness.is_none()))?;
        Some(Proximity { bodies: self.bodies, gap, began: !self.reported.is_near() })
    }
    /// The intersecting pairs of triangles, sorted, if the last update listed them and the bodies meet.
    pub(super) fn triangles(&self) -> &[[u32; 2]] {
        &self.triangles
    }
}
