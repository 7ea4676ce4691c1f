//! Decides candidate pairs: all of an assembly, those that a cache does not hold, or those of one task.
use crate::{
    parts::{Parts, placed_shapes::PlacedShapes},
    question::{
        depth_of::FirstDepths,
        pairs::Pairs,
        test_plan::{Candidate, Ledger, PairTests},
    },
    records::{
        Records,
        bodies::{self, Bodies},
        candidates::{self, BoxPairs, Candidates},
        clash::{self, Clash, Clashes},
        contact::Contact,
        depth::{self, Depth},
        first_depths,
        near::{Near, Nears},
        run::Run,
    },
};
use impinge::{
    Body, Model, Query, Threads, broad_phase::Aabb, contact::contact_point, distance::Margin,
    query::ContactPairs, relation::RelationKind,
};
use impinge_io::Part;
use std::{
    cmp::Reverse,
    mem,
    sync::{Arc, Mutex, PoisonError},
};

/// Results of deciding the pairs of an assembly.
pub(crate) struct Decided {
    pub(crate) records: Records,
    pub(crate) parts: Parts,
    pub(crate) models: Vec<Arc<Model>>,
    /// The box around each part, rounded outwards.
    pub(crate) extents: Vec<Aabb>,
    /// The shapes of the parts, if they were needed.
    pub(crate) shapes: Option<PlacedShapes>,
}

/// Decides all pairs of an assembly's parts. With `first`, the depths of other clashes may be missing.
pub(crate) fn assembly(run: &Run<'_>, pairs: &Pairs, first: Option<FirstDepths>) -> anyhow::Result<Decided> {
    let pairs = BoxPairs::find(run, pairs, |_| None)?;
    let Candidates { mut list, ledger, extents } = pairs.candidates(run, 0)?;
    let models = bodies::models(run, |_| true)?;
    let bodies = Bodies { parts: run.parts, models: &models };
    let first = first.filter(|first| pays(*first, &list));
    let mut records = all(run, bodies, &mut list, first.is_some())?;
    let mut shapes = None;
    if let Some(first) = first {
        shapes = first_depths::measure(&mut records.clashes, run, bodies, &extents, first);
        run.watch.check()?;
    }
    records.ledger = complete(run, ledger, &list, &extents, &records.not_examined());
    let parts = Parts::new(run.parts, &models, run.asked.rule, candidates::around(&extents), |_| None);
    Ok(Decided { records, parts, models, extents, shapes })
}

/// True if a second pass that measures the depths of shown clashes pays. It lists triangle pairs again, which
/// takes a tenth of the time, so it pays only if few clashes are shown.
fn pays(first: FirstDepths, candidates: &[Candidate]) -> bool {
    let (FirstDepths::Clashes(count) | FirstDepths::Groups(count)) = first;
    candidates.iter().filter(|candidate| candidate.boxes_meet).count() / 16 > count
}

/// Adds all candidates to the numbers of the tests.
pub(crate) fn complete(
    run: &Run<'_>,
    mut ledger: Ledger,
    candidates: &[Candidate],
    extents: &[Aabb],
    not_examined: &[[u32; 2]],
) -> Ledger {
    let reaches = run.reaches(extents);
    for candidate in candidates {
        let is_examined = not_examined.binary_search(&candidate.pair).is_err();
        ledger.add(&run.asked.tests, *candidate, &reaches, is_examined);
    }
    ledger
}

/// Number of pairs that a thread takes, and whose results it adds, at a time.
const RUN: usize = 16;

/// Decides all candidates, and reorders them. With `is_later`, leaves out depths that
/// [`first_depths::measure`] can measure.
pub(crate) fn all(
    run: &Run<'_>,
    bodies: Bodies<'_>,
    candidates: &mut [Candidate],
    is_later: bool,
) -> anyhow::Result<Records> {
    // Clashes before distances, for runs with little time. Pairs with the most triangles first, so that no
    // thread is left alone with one at the end.
    candidates
        .sort_unstable_by_key(|candidate| (!candidate.boxes_meet, Reverse(bodies.triangles(candidate.pair))));
    let candidates = &*candidates;
    let names = run.parts.iter().map(|part| &*part.name);
    run.watch.stage_of_pairs("testing part pairs", candidates.len(), names);
    let all = Mutex::new(Share::default());
    let own = || (PairQueries::new(run, bodies, is_later), Share::default());
    run.pool.in_order(candidates.len().div_ceil(RUN), own, |(queries, found), i| {
        for candidate in candidates.iter().skip(i * RUN).take(RUN) {
            found.add(*candidate, queries.decide(*candidate));
            run.watch.step(1);
        }
        // The lists are valid after each push, also after a panic.
        all.lock().unwrap_or_else(PoisonError::into_inner).append(found);
    });
    run.watch.check()?;
    let Share { list, depths, contacts, mut not_examined, mut nears } =
        all.into_inner().unwrap_or_else(PoisonError::into_inner);
    not_examined.sort_unstable();
    let boxes_overlap = candidates.iter().filter(|candidate| candidate.boxes_meet).count() as u64;
    let mut clashes = Clashes::known(list, depths, contacts, boxes_overlap);
    clashes.not_examined = not_examined;
    let nears = run.asked.clearance.as_ref().map(|clearance| {
        nears.boxes_within = candidates.len() as u64;
        nears.counts = vec![0; clearance.what_if.len()];
        for &(_, first) in &nears.reached {
            nears.counts[first as usize..].iter_mut().for_each(|count| *count += 1);
        }
        nears.sorted()
    });
    Ok(Records { clashes, nears, ..Records::default() })
}

/// Results for a pair of parts.
#[derive(Default)]
struct PairRecord {
    clash: Option<(Clash, Option<Depth>, Option<Contact>)>,
    near: Option<Near>,
    /// Index of the least length of [`Clearance::what_if`](crate::question::clearance::Clearance::what_if)
    /// that they are within.
    what_if: Option<u32>,
}

/// The step of a pair for which there was no time.
enum NoTime {
    /// Finding the triangles that meet.
    ToMeet,
    /// Finding the distance.
    ToMeasure,
}

/// Results of a thread.
#[derive(Default)]
struct Share {
    list: Vec<Clash>,
    depths: Vec<([u32; 2], Depth)>,
    contacts: Vec<([u32; 2], Contact)>,
    not_examined: Vec<[u32; 2]>,
    nears: Nears,
}

impl Share {
    fn add(&mut self, Candidate { pair, .. }: Candidate, found: Result<PairRecord, NoTime>) {
        match found {
            Ok(PairRecord { clash, near, what_if }) => {
                if let Some((clash, depth, contact)) = clash {
                    self.list.push(clash);
                    self.depths.extend(depth.map(|depth| (pair, depth)));
                    self.contacts.extend(contact.map(|contact| (pair, contact)));
                }
                self.nears.list.extend(near);
                self.nears.reached.extend(what_if.map(|place| (pair, place)));
            }
            Err(NoTime::ToMeet) => self.not_examined.push(pair),
            Err(NoTime::ToMeasure) => self.nears.not_examined.push(pair),
        }
    }
    fn append(&mut self, other: &mut Self) {
        self.list.append(&mut other.list);
        self.depths.append(&mut other.depths);
        self.contacts.append(&mut other.contacts);
        self.not_examined.append(&mut other.not_examined);
        self.nears.list.append(&mut other.nears.list);
        self.nears.reached.append(&mut other.nears.reached);
        self.nears.not_examined.append(&mut other.nears.not_examined);
    }
}

/// The queries of a thread, and memory that they reuse.
struct PairQueries<'a> {
    run: &'a Run<'a>,
    bodies: Bodies<'a>,
    is_later: bool,
    meet: Query,
    distance: Query,
    pairs: Vec<[u32; 2]>,
}

impl<'a> PairQueries<'a> {
    fn new(run: &'a Run<'a>, bodies: Bodies<'a>, is_later: bool) -> Self {
        // Threads that have no pair of parts left take part in the last ones.
        let meet = Query::new().threads(Threads::Pool).fill_rule(run.asked.rule.unwrap_or_default());
        let distance = run.asked.chord.as_ref().map_or_else(Query::new, |chord| chord.query());
        Self { run, bodies, is_later, meet, distance, pairs: Vec::new() }
    }

    /// Decides a pair: finds the clash, and without one the distance.
    fn decide(&mut self, Candidate { pair, boxes_meet }: Candidate) -> Result<PairRecord, NoTime> {
        let tests = self.run.asked.tests.of_pair(pair);
        let bodies = pair.map(|part| self.bodies.body(part));
        if boxes_meet {
            let Self { run, bodies: all, is_later, meet, pairs, .. } = self;
            let own = MeetingPair { run, all: *all, pair, bodies: bodies.each_ref(), is_later: *is_later };
            let found = run.watch.examine(pair, meet, |query| own.clash(query, &tests, pairs));
            if let Some(clash) = found.ok_or(NoTime::ToMeet)? {
                return Ok(PairRecord { clash: Some(clash), ..PairRecord::default() });
            }
        }
        let Some(clearance) = &self.run.asked.clearance else { return Ok(PairRecord::default()) };
        let tolerances = self.run.tolerances.as_ref();
        let compared = clearance.compared(tolerances, pair, &tests);
        let [a, b] = bodies.each_ref();
        let measure = |query: &mut Query| {
            let Some(measured) = compared.measure(query, [a, b]) else { return PairRecord::default() };
            let near = measured.listed.and_then(|listed| {
                let certainty = match tolerances {
                    Some(all) => Some(all.certainty(query, [a, b], pair, listed.reached)?),
                    None => None,
                };
                Some(Near::new(pair, &listed, certainty))
            });
            PairRecord { near, what_if: measured.what_if, clash: None }
        };
        self.run.watch.examine(pair, &mut self.distance, measure).ok_or(NoTime::ToMeasure)
    }
}

/// Two parts whose boxes meet.
struct MeetingPair<'a> {
    run: &'a Run<'a>,
    all: Bodies<'a>,
    pair: [u32; 2],
    bodies: [&'a Body<'a>; 2],
    is_later: bool,
}

impl MeetingPair<'_> {
    /// Finds the triangles that meet, and the relation of the solids; `None` if the parts are apart.
    fn clash(
        &self,
        query: &mut Query,
        tests: &PairTests,
        memory: &mut Vec<[u32; 2]>,
    ) -> Option<(Clash, Option<Depth>, Option<Contact>)> {
        let Self { run, pair, bodies: [a, b], .. } = *self;
        let asked = run.asked;
        let most = depth::most_listed([a, b]);
        let (all, listed) = query.contact_pairs_at_most(a, b, most, mem::take(memory));
        let relation = |query: &mut Query| match &listed {
            Some(pairs) => query.relation_of_pairs(pairs),
            None => query.relation(a, b),
        };
        let kind = asked.rule.map(|_| relation(query).kind);
        let found = (all.count > 0 || kind.is_some_and(|kind| kind != RelationKind::Apart)).then(|| {
            // Without a list of the triangle pairs, the depth has no numbers: there is nothing to do later.
            let is_now = !(self.is_later && listed.is_some());
            // Bodies that meet are not clear of each other.
            let certainty = run.tolerances.as_ref().and_then(|all| match &listed {
                Some(pairs) => all.certainty_of_pairs(query, pairs, pair, Margin::ZERO),
                None => all.certainty(query, [a, b], pair, Margin::ZERO),
            });
            let has_depth = kind.is_some_and(|kind| asked.wants_depth(kind, tests, certainty));
            let depth = (is_now && has_depth).then(|| Depth::measure(listed.as_ref(), query));
            let is_closed = || self.all.model(pair[0]).solid().status().is_closed();
            let point = match all.first {
                Some(least) => contact_point(a, b, least).point,
                None => {
                    let inner = pair[usize::from(clash::is_exchanged(kind, is_closed))];
                    corner(&self.all.parts[inner as usize])
                }
            };
            let measured = listed.as_ref().filter(|_| asked.contacts && has_measured_contact(kind));
            let are_equal_solids = kind == Some(RelationKind::Duplicate) && is_closed();
            let contact = measured.map(|pairs| Contact::new(query.curves_of_pairs(pairs), are_equal_solids));
            (Clash::new(pair, all.count, kind, certainty, point), depth, contact)
        });
        *memory = listed.map(ContactPairs::into_vec).unwrap_or_default();
        found
    }
}

/// True if the contact of two parts depends on their surfaces, not on the relation alone.
fn has_measured_contact(kind: Option<RelationKind>) -> bool {
    match kind {
        None | Some(RelationKind::Touch | RelationKind::Meet | RelationKind::Duplicate) => true,
        Some(
            RelationKind::Overlap
            | RelationKind::Inside
            | RelationKind::Contains
            | RelationKind::Pierce
            | RelationKind::SurfaceInside
            | RelationKind::Apart,
        ) => false,
    }
}

/// A corner of a part, rounded. It has a triangle, as its box meets another.
fn corner(Part { mesh, pose, .. }: &Part) -> [f64; 3] {
    mesh.triangles().first().map_or([0.0; 3], |t| pose.place(mesh.points()[t[0] as usize]))
}
