//! [`MotionGap`]: least distance of two parts while one of them moves through a list of poses.
use crate::{
    parts::boxes,
    pool::Pool,
    question::{pairs::Pairs, test_plan::TestCounts},
    records::{bodies::Bodies, candidates, run::Run},
    rules::SetRef,
};
use anyhow::Context;
use impinge::{
    Body, Pose, Query,
    broad_phase::Aabb,
    contact::contact_point,
    distance::{Accuracy, Margin},
    relation::RelationKind,
    world::WorldBoxes,
};
use impinge_io::Part;
use serde::{Deserialize, Serialize};

/// Least distance of two parts while one of them moves through a list of poses.
///
/// At each of the poses M, the moving part is at M P, where P is its own pose: the f64 product, rounded.
/// Parts that meet, or one inside the other, have distance 0. Positions between the poses are not examined.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MotionGap {
    /// The index of the test in [`Report::tests`](crate::Report::tests).
    pub test: u32,
    /// Indices of the parts, the smaller first.
    pub parts: [u32; 2],
    /// Index of the part that moves.
    pub moving: u32,
    /// Index of the pose in the list: the first with this distance.
    pub pose: u32,
    /// Lower and upper bound of the distance: equal, or neighbours.
    pub distance: [f64; 2],
    /// The nearest point of each part at that pose, rounded.
    pub points: [[f64; 3]; 2],
}

/// The results of all tests of gaps along poses.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Motions {
    /// Sorted by test and parts.
    pub(crate) gaps: Vec<MotionGap>,
    pub(crate) tests: Vec<MotionCounts>,
    /// Pairs for which there was no time.
    pub(crate) not_examined: Vec<[u32; 2]>,
}

/// The numbers of pairs of a test of gaps along poses.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct MotionCounts {
    pub(crate) test: u32,
    pub(crate) asked: u64,
    pub(crate) pairs: TestCounts,
    /// For each ignore rule the number of pairs that it removed.
    pub(crate) removed_by: Vec<u64>,
}

/// Decides all tests of gaps along poses; `None` if there is none. `extents` are the boxes of the parts at
/// their own poses.
pub(crate) fn all(
    run: &Run<'_>,
    bodies: Bodies<'_>,
    pairs: &Pairs,
    extents: &[Aabb],
) -> anyhow::Result<Option<Motions>> {
    let mut all: Option<Motions> = None;
    for (test, poses) in run.asked.tests.motions() {
        let motions = all.get_or_insert_default();
        let of = MotionTest { run, bodies, pairs, extents, test, poses };
        of.find(motions)?;
    }
    Ok(all)
}

/// A test of gaps along poses.
struct MotionTest<'a> {
    run: &'a Run<'a>,
    bodies: Bodies<'a>,
    pairs: &'a Pairs,
    extents: &'a [Aabb],
    test: usize,
    poses: &'a [Pose],
}

/// A part at one of the poses.
struct PlacedOnce {
    pose: Pose,
    extent: Aabb,
}

impl MotionTest<'_> {
    /// Finds the pairs that come as near as the clearance at one of the poses.
    fn find(&self, all: &mut Motions) -> anyhow::Result<()> {
        let Self { run, bodies, pairs, extents, test, poses } = *self;
        let (plan, parts, pool, watch) = (&run.asked.tests, run.parts, run.pool, run.watch);
        let numbers = &plan.tests[test];
        let (moves, stays) = (numbers.test.a, numbers.test.b);
        let within = numbers.clearance.unwrap_or_default();
        let in_set = |set: SetRef| (0..parts.len() as u32).filter(move |&part| plan.holds(part, set));
        let fixed: Vec<u32> = in_set(stays).filter(|&part| !plan.holds(part, moves)).collect();
        let moving: Vec<u32> = in_set(moves).collect();
        let removed_by = vec![0; plan.ignores.len()];
        let mut counts = MotionCounts { test: test as u32, removed_by, ..MotionCounts::default() };
        let first = all.gaps.len();
        watch.stage("measuring gaps along poses, parts that move", moving.len() as u64);
        for part in moving {
            watch.check()?;
            let mut others = Vec::new();
            for &other in &fixed {
                let pair = [part.min(other), part.max(other)];
                if !plan.is_in_scopes(pair) || !pairs.asks(pair) {
                    continue;
                }
                counts.asked += 1;
                match plan.removed_from_motion(test, pair) {
                    Some(rule) => {
                        counts.pairs.ignored += 1;
                        counts.removed_by[rule as usize] += 1;
                    }
                    None => others.push(other),
                }
            }
            let placed = placed(&parts[part as usize], poses, pool).with_context(|| {
                format!("the part '{}' at the poses of a test", parts[part as usize].name)
            })?;
            let is_near = |placed: &PlacedOnce, other: u32| {
                let extent = &extents[other as usize];
                !extent.is_empty() && boxes::gap(&placed.extent, extent) <= within.get()
            };
            others.retain(|&other| placed.iter().any(|placed| is_near(placed, other)));
            let model = bodies.model(part);
            let looked = pool.each(&others, |&other| {
                let fixed = bodies.body(other);
                let near = (0..).zip(&placed).filter(|(_, placed)| is_near(placed, other));
                let pair = [part.min(other), part.max(other)];
                let mut query = Query::new().fill_rule(run.asked.rule.unwrap_or_default());
                let extent = &extents[other as usize];
                watch.examine(pair, &mut query, |query| {
                    let mut least = Least { within, at: None };
                    for (pose, placed) in near {
                        let moved = Body::new(model, placed.pose);
                        least.look(query, &moved, &fixed, pose, placed.extent.meets(extent));
                        if least.within == Margin::ZERO && least.at.is_some() {
                            break;
                        }
                    }
                    least.at
                })
            });
            for (&other, looked) in others.iter().zip(looked) {
                let parts = [part.min(other), part.max(other)];
                let Some(at) = looked else {
                    counts.pairs.not_examined += 1;
                    all.not_examined.push(parts);
                    continue;
                };
                counts.pairs.tested += 1;
                all.gaps.extend(at.map(|LeastAt { pose, distance, mut points }| {
                    if parts[0] != part {
                        points.reverse();
                    }
                    MotionGap { test: test as u32, parts, moving: part, pose, distance, points }
                }));
            }
            watch.step(1);
        }
        all.gaps[first..].sort_unstable_by_key(|gap| gap.parts);
        all.tests.push(counts);
        Ok(())
    }
}

/// The least distance of two bodies so far.
struct Least {
    /// Larger distances are ignored.
    within: Margin,
    at: Option<LeastAt>,
}

struct LeastAt {
    pose: u32,
    distance: [f64; 2],
    /// The nearest point of the moving body, and that of the other one.
    points: [[f64; 3]; 2],
}

impl Least {
    /// Examines one more pose. The caller stops at the first pose with distance 0.
    fn look(&mut self, query: &mut Query, moved: &Body<'_>, fixed: &Body<'_>, pose: u32, may_meet: bool) {
        if may_meet && query.relation(moved, fixed).kind != RelationKind::Apart {
            // The least pair: the first one that a query finds depends on earlier queries of the models.
            let (all, _) = query.contact_pairs_at_most(moved, fixed, 0, Vec::new());
            let point = all.first.map(|pair| contact_point(moved, fixed, pair).point);
            // One is inside the other: all corners of the inner one are in both, and its box is the smaller
            // one.
            let point = point.unwrap_or_else(|| inner_corner(moved, fixed));
            *self = Self {
                within: Margin::ZERO,
                at: Some(LeastAt { pose, distance: [0.0; 2], points: [point; 2] }),
            };
            return;
        }
        let Some(gap) =
            query.with_accuracy(Accuracy::new().above(self.within).exact()).distance(moved, fixed)
        else {
            return;
        };
        let is_less = match &self.at {
            Some(at) => gap.hi < at.distance[1],
            None => gap.hi <= self.within.get() || query.within(moved, fixed, self.within),
        };
        if is_less {
            self.at = Some(LeastAt { pose, distance: [gap.lo, gap.hi], points: gap.points });
            // The distance is no more than this.
            if let Ok(hi) = Margin::new(gap.hi)
                && hi.get() < self.within.get()
            {
                self.within = hi;
            }
        }
    }
}

/// A corner of the body that is inside the other one.
fn inner_corner(a: &Body<'_>, b: &Body<'_>) -> [f64; 3] {
    let first = |body: &Body<'_>| {
        let mesh = body.model.mesh();
        mesh.triangles().first().map(|t| body.pose.place(mesh.points()[t[0] as usize]))
    };
    let spread = |body: &Body<'_>| {
        let points = || body.model.mesh().points().iter().map(|&point| body.pose.place(point));
        let lo = (0..3).map(|k| points().map(|p| p[k]).fold(f64::INFINITY, f64::min));
        let hi = (0..3).map(|k| points().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max));
        lo.zip(hi).map(|(lo, hi)| hi - lo).fold(0.0, f64::max)
    };
    first(if spread(a) <= spread(b) { a } else { b }).unwrap_or_default()
}

/// A part at each pose.
fn placed(part: &Part, poses: &[Pose], pool: &Pool) -> anyhow::Result<Vec<PlacedOnce>> {
    if part.mesh.is_empty() {
        return Ok(Vec::new());
    }
    let boxes = WorldBoxes::new(&part.mesh);
    let each: Vec<usize> = (0..poses.len()).collect();
    let placed = pool.each(&each, |&i| {
        let pose = part.pose.then(&poses[i]).with_context(|| format!("pose {i}"))?;
        Ok(PlacedOnce { extent: candidates::extent(boxes.at(&pose).as_ref()), pose })
    });
    placed.into_iter().collect()
}
