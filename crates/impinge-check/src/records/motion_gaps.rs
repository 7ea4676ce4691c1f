//! [`MotionGap`]: least distance of two parts while one of them moves through a list of poses.
mod between;
mod least;

use self::{
    between::PartMotion,
    least::{Least, LeastAt},
};
use crate::{
    parts::boxes,
    pool::Pool,
    question::{pairs::Pairs, test_plan::TestCounts},
    records::{bodies::Bodies, candidates, run::Run},
    rules::SetRef,
};
use anyhow::Context;
use impinge::{Body, Pose, Query, broad_phase::Aabb, path::Path, world::WorldBoxes};
use impinge_io::Part;
use serde::{Deserialize, Serialize};

/// Least distance of two parts while one of them moves through a list of poses.
///
/// At each of the poses M, the moving part is at M P, where P is its own pose: the f64 product, rounded.
/// Parts that meet, or one inside the other, have distance 0. Positions between the poses are examined if the
/// test states that ([`Test::between_poses`](crate::rules::Test::between_poses)): the least distance is then
/// that of all moments of [`Path::carried`](impinge::path::Path::carried).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MotionGap {
    /// The index of the test in [`Report::tests`](crate::Report::tests).
    pub test: u32,
    /// Indices of the parts, the smaller first.
    pub parts: [u32; 2],
    /// Index of the part that moves.
    pub moving: u32,
    /// Index of the pose in the list: the first with this distance, or the one before it.
    pub pose: u32,
    /// The part of the motion to the next pose after which they are so near; 0 at the pose itself.
    #[serde(default)]
    pub after: f64,
    /// Lower and upper bound of the distance: equal, or neighbours. Between poses they differ by a millionth,
    /// or more where the proof took too much work: then the parts may be further apart than the clearance.
    pub distance: [f64; 2],
    /// The nearest point of each part then, rounded.
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

impl MotionGap {
    /// Where a part with this pose of its own has moved to, along the poses of the test.
    pub(crate) fn moved(&self, own: &Pose, poses: &[Pose]) -> Option<Pose> {
        let at = self.pose as usize;
        if self.after == 0.0 {
            return own.then(poses.get(at)?).ok();
        }
        Some(Path::carried(poses.get(at..at + 2)?, own).ok()?.at(self.after))
    }
    /// The pose, and the part of the motion to the next one, for people: 3, or 3.250.
    pub fn place(&self) -> String {
        if self.after == 0.0 {
            return self.pose.to_string();
        }
        format!("{:.3}", f64::from(self.pose) + self.after)
    }
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
            let motion = if numbers.test.between_poses {
                let part = &parts[part as usize];
                let motion = PartMotion::new(part, poses, within.get());
                Some(motion.with_context(|| format!("the motion of the part '{}'", part.name))?)
            } else {
                None
            };
            others.retain(|&other| {
                let extent = &extents[other as usize];
                placed.iter().any(|placed| is_near(placed, other))
                    || motion.as_ref().is_some_and(|motion| motion.legs_near(extent).next().is_some())
            });
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
                        if least.is_over() {
                            break;
                        }
                    }
                    if let Some(motion) = &motion {
                        for leg in motion.legs_near(extent) {
                            if least.is_before(leg.pose) {
                                break;
                            }
                            leg.look(query, model, &fixed, &mut least);
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
                all.gaps.extend(at.map(|LeastAt { pose, after, distance, mut points }| {
                    if parts[0] != part {
                        points.reverse();
                    }
                    MotionGap { test: test as u32, parts, moving: part, pose, after, distance, points }
                }));
            }
            watch.step(1);
        }
        all.gaps[first..].sort_unstable_by_key(|gap| gap.parts);
        all.tests.push(counts);
        Ok(())
    }
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
