//! The moments between two poses: each leg of a part's motion, proved by sweeps.
use super::least::{Least, LeastAt};
use crate::parts::boxes;
use anyhow::Context;
use impinge::{
    Body, Model, Pose, Query,
    broad_phase::Aabb,
    distance::Margin,
    path::Path,
    sweep::{Moving, Sweep, SweepOptions},
};
use impinge_io::Part;

/// The motion of a part through a list of poses.
pub(super) struct PartMotion {
    legs: Vec<MotionLeg>,
    /// Bodies further apart than this do not count.
    within: f64,
}

/// The motion from a pose to the next one.
pub(super) struct MotionLeg {
    pub(super) pose: u32,
    path: Path,
    /// A box around the part at all times.
    extent: Aabb,
}

impl PartMotion {
    pub(super) fn new(part: &Part, poses: &[Pose], within: f64) -> anyhow::Result<Self> {
        let corners = corners_of(part.mesh.points());
        let leg = |(pose, ends): (u32, &[Pose])| {
            let path = Path::carried(ends, &part.pose).with_context(|| format!("pose {pose} to the next"))?;
            let [from, to] = [0.0, 1.0].map(|t| corners.map(|corner| path.at(t).place(corner)));
            Ok(MotionLeg { pose, path, extent: extent_of(&from, &to, way_of(ends)) })
        };
        let legs = (0..).zip(poses.windows(2)).map(leg).collect::<anyhow::Result<_>>()?;
        Ok(Self { legs, within })
    }
    /// The legs on which the part may come as near to a box as counts.
    pub(super) fn legs_near(&self, extent: &Aabb) -> impl Iterator<Item = &MotionLeg> {
        let is_any = !extent.is_empty();
        self.legs.iter().filter(move |leg| is_any && boxes::gap(&leg.extent, extent) <= self.within)
    }
}

impl MotionLeg {
    /// Examines all moments of the leg.
    pub(super) fn look(&self, query: &mut Query, model: &Model, fixed: &Body<'_>, least: &mut Least) {
        let moving = Moving::new(model, &self.path);
        let options = SweepOptions::new().margin(least.within).verdict_only(true);
        if query.sweep(*fixed, moving, &options) == Sweep::Clear {
            return;
        }
        let Some(gap) = query.least_gap(*fixed, moving, &SweepOptions::new()) else { return };
        // The sweep was undecided, and this is not.
        if gap.lo > least.within.get() {
            return;
        }
        let lo = least.at.as_ref().map_or(gap.lo, |at| gap.lo.min(at.distance[0]));
        match &mut least.at {
            Some(at) if at.distance[1] < gap.hi || (gap.hi > 0.0 && at.distance[1] == gap.hi) => {
                at.distance[0] = lo;
                return;
            }
            _ => {}
        }
        let moved = Body::new(model, self.path.at(gap.at));
        let Some(bounds) = query.distance(&moved, fixed) else { return };
        let (pose, after) = if gap.at < 1.0 { (self.pose, gap.at) } else { (self.pose + 1, 0.0) };
        least.at = Some(LeastAt { pose, after, distance: [lo, gap.hi], points: bounds.points });
        if let Ok(hi) = Margin::new(gap.hi)
            && hi.get() < least.within.get()
        {
            least.within = hi;
        }
    }
}

/// The corners of the box around points.
fn corners_of(points: &[[f64; 3]]) -> [[f64; 3]; 8] {
    let of = |k: usize, pick: fn(f64, f64) -> f64, start| points.iter().map(|p| p[k]).fold(start, pick);
    let lo = [0, 1, 2].map(|k| of(k, f64::min, f64::INFINITY));
    let hi = [0, 1, 2].map(|k| of(k, f64::max, f64::NEG_INFINITY));
    std::array::from_fn(|i| [0, 1, 2].map(|k| if i >> k & 1 == 1 { hi[k] } else { lo[k] }))
}

/// The way of the origin from a pose to another, or more.
fn way_of(ends: &[Pose]) -> f64 {
    let [from, to] = [&ends[0], &ends[1]].map(|pose| *pose.translation());
    (0..3).map(|k| (to[k] - from[k]).abs()).sum()
}

/// A box around all positions of a box whose corners go from these places to those.
///
/// A point is turned by at most half a turn about an axis that moves straight by w. Without w it goes along
/// an arc, and is no further from its start than at its end. So it is never further than |w| and the way to
/// its end less w: |end - start| + 2 |w|. Of the points of a box a corner's way is the longest.
fn extent_of(from: &[[f64; 3]; 8], to: &[[f64; 3]; 8], way: f64) -> Aabb {
    let far = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).map(|k| (a[k] - b[k]).abs()).sum::<f64>();
    let longest = from.iter().zip(to).map(far).fold(0.0, f64::max);
    let sizes = from.iter().chain(to).flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
    // Far more than all roundings.
    let room = (longest + 2.0 * way) * (1.0 + 1e-9) + 1e-9 * sizes;
    let of = |k: usize, pick: fn(f64, f64) -> f64, start| from.iter().map(|p| p[k]).fold(start, pick);
    Aabb {
        lo: [0, 1, 2].map(|k| of(k, f64::min, f64::INFINITY) - room),
        hi: [0, 1, 2].map(|k| of(k, f64::max, f64::NEG_INFINITY) + room),
    }
}
