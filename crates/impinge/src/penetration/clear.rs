//! Translations that part two bodies.
//!
//! # A plane between
//! For a direction n let a be the greatest n . x of a body A, and b the least n . y of B. If n . t >= a - b,
//! then after moving B by t all of A is on the one side of a plane and all of B on the other, so that no
//! point of the one, fins included, is inside of the other. Each n gives such a t, along n, and for bodies
//! that are convex the shortest is among these (`convex.rs`). Here n is a normal of a face in contact, an axis,
//! or the line of both centres.
//!
//! Products n . x are calculated for coordinates that are off by at most 2 u of themselves and the tail
//! (`place.rs`), and round by 3 u of the sum of |n_k x_k|. With M the largest coordinates of the body's box,
//! 8 u of |n| . M and |n| . tail cover both. The needed length is rounded up, and n . t, for the t that is
//! returned, is bounded from below in the same way.
//!
//! A direction of length 1 gives no translation shorter than the greatest n . x of some points of A less the
//! least of some of B. So a few points that were far out along other directions mostly rule it out.
//!
//! # Shorter ones
//! If a small part of a large body that is not convex is inside of another body, a plane between both is far
//! away. A shorter shift ([`Shifts`]) may still clear B of A. It does if exact arithmetic proves it of B at
//! its new place ([`Query::overlaps`]). Only a few shifts are tested, the shortest first. The choice depends
//! on the bodies alone, so that the length is the same for every caller.
//!
//! [`Query::overlaps`]: crate::Query::overlaps
use super::{
    OverlayPoints,
    overlay::{Overlay, OverlayMemory},
    shifts::{GROWTH, Shifts, TrialShift, error},
};
use crate::{
    Body, Pose,
    margin::sum_up,
    posed::twice::two_sum,
    vector::{UNIT, Vector, cross, dot, shrinking, sub},
};
use std::ops::ControlFlow;

/// The most faces of each body whose normals are tried.
const MOST_NORMALS: usize = 8;
/// The most shifts past walls, and the most longer ones, that exact arithmetic tests.
const MOST_TRIES: [usize; 2] = [12, 6];
/// Halvings of the range of a longer one.
const MOST_HALVINGS: usize = 5;
/// Only shifts shorter than this part of the shortest translation that a plane proves are worth a proof.
pub(super) const WORTH: f64 = 0.9;
/// 2^-44: lengths whose relative difference is no larger may differ by rounding alone.
const ALIKE: f64 = 1.0 / (1_u64 << 44) as f64;
/// The number of points between two tests whether a direction can still be of use.
const RUN: usize = 32;
/// The most points of a body, far out along other directions, before the first of these tests.
const MOST_OUTER: usize = 8;

/// Directions to try.
#[derive(Debug, Default)]
pub(super) struct Directions {
    /// Their lengths are 1 but for rounding.
    pub(super) ways: Vec<Vector>,
    /// Corners of either body that were the last ones along a direction. Along others they are far out, too.
    outer: [Vec<u32>; 2],
    shifts: Shifts,
}

/// Returns whether a point is inside of both bodies after one of them was moved. Breaks if it is stopped.
pub(super) type StillMeet<'q> = &'q mut dyn FnMut(&Body<'_>) -> ControlFlow<(), bool>;

/// Bounds of the goal that were found before.
pub(super) struct Goal {
    /// A translation shorter than this does not part them.
    pub(super) depth: f64,
    /// For convex bodies about the direction of the shortest one.
    pub(super) way: Option<Vector>,
    /// Lower bound of the volume inside of both.
    pub(super) volume: f64,
    /// The origin of events in the frame of the overlay; `None` if they are not available.
    pub(super) origin: Option<Vector>,
}

/// The shortest translation found that parts both bodies, and an upper bound of the length of the shortest one.
/// Points are placed in the world. Breaks if it is stopped.
pub(super) fn separating_translation(
    overlay: &Overlay<'_>,
    pairs: &[[u32; 2]],
    goal: &Goal,
    memory: &OverlayMemory,
    directions: &mut Directions,
    still_meet: StillMeet<'_>,
) -> ControlFlow<(), Option<(Vector, f64)>> {
    directions.find(overlay, pairs, memory)?;
    let Directions { ways, outer, shifts } = directions;
    let mut along = |way: Vector, least: f64| {
        let mut best: Option<SeparatingTranslation> = None;
        for t in planes(overlay, memory, way, least, outer)?.into_iter().flatten() {
            let found = SeparatingTranslation { t, length: length(t) };
            if found.length.is_finite() && best.is_none_or(|best| found.is_better(&best)) {
                best = Some(found);
            }
        }
        ControlFlow::Continue(best)
    };
    let mut convex = None;
    if let Some(way) = goal.way {
        convex = along(way, f64::INFINITY)?;
    }
    let most = convex.map_or(f64::INFINITY, |convex| convex.length);
    let mut best: Option<SeparatingTranslation> = None;
    for way in &*ways {
        let least = best.map_or(most, |best| best.length.min(most));
        if let Some(found) = along(*way, least)?
            && best.is_none_or(|best| found.is_better(&best))
        {
            best = Some(found);
        }
    }
    let lengths = [best, convex].into_iter().flatten().map(|found| length_at_most(found.t));
    let at_most = lengths.fold(f64::INFINITY, f64::min);
    // Rounding does not decide between two ways out.
    let best = best.filter(|best| best.length * (1.0 - ALIKE) <= most).or(convex);
    let Some(SeparatingTranslation { t: found, length }) = best else { return ControlFlow::Continue(None) };
    let range = [goal.depth, WORTH * length];
    if range[0] <= range[1] {
        shifts.find(overlay, pairs, memory, ways, goal.origin, range)?;
        for (list, tries) in MOST_TRIES.into_iter().enumerate() {
            if let Some(shorter) =
                prove(overlay, &memory.points, goal, shifts, list, tries, &mut *still_meet)?
            {
                return ControlFlow::Continue(Some((shorter, length_at_most(shorter))));
            }
        }
    }
    ControlFlow::Continue(Some((found, at_most)))
}

/// The length of a translation, rounded. Squares do not underflow.
fn length(t: Vector) -> f64 {
    let scale = shrinking(t[0].abs().max(t[1].abs()).max(t[2].abs()));
    let t = t.map(|x| x * scale);
    dot(t, t).sqrt() / scale
}

/// Upper bound of the length of a translation: it is the length along an axis.
fn length_at_most(t: Vector) -> f64 {
    // Squares, sums and the root round by 3 u. What underflows in a square is less than u of the largest one.
    match t.map(f64::abs) {
        [x, 0.0, 0.0] | [0.0, x, 0.0] | [0.0, 0.0, x] => x,
        _ => (length(t) * (1.0 + 8.0 * UNIT)).next_up(),
    }
}

/// The first of a list of shifts that is proved to part both bodies, among the first `tries` that may.
fn prove(
    overlay: &Overlay<'_>,
    points: &OverlayPoints,
    goal: &Goal,
    shifts: &mut Shifts,
    list: usize,
    mut tries: usize,
    still_meet: StillMeet<'_>,
) -> ControlFlow<(), Option<Vector>> {
    let moving = overlay.bodies[1];
    for place in 0..shifts.lists[list].len() {
        let TrialShift { least, by, length } = shifts.lists[list][place];
        if tries == 0 {
            break;
        }
        if !is_open(points, by.map(|x| x / length), length, goal.volume) {
            continue;
        }
        let mut is_tried = false;
        // First without an addition for rounding: mostly it is not needed, and a part that fits into the
        // other has no room for it.
        for by in [Some(least), Some(by).filter(|by| *by != least)].into_iter().flatten() {
            overlay.stop.check()?;
            if shifts.still_cross(by) {
                continue;
            }
            let Some((body, t)) = moved(moving, by) else { continue };
            is_tried = true;
            // A stopped query does not find that they meet.
            if still_meet(&body)? {
                continue;
            }
            let t = if list == 1 { bisect(overlay, by, t, shifts, still_meet)? } else { t };
            return ControlFlow::Continue(Some(t));
        }
        tries -= usize::from(is_tried);
    }
    ControlFlow::Continue(None)
}

/// A shorter translation in the direction of one that is proved.
fn bisect(
    overlay: &Overlay<'_>,
    by: Vector,
    mut found: Vector,
    shifts: &mut Shifts,
    still_meet: StillMeet<'_>,
) -> ControlFlow<(), Vector> {
    let [mut lo, mut hi] = [1.0 / GROWTH, 1.0];
    for _ in 0..MOST_HALVINGS {
        overlay.stop.check()?;
        let middle = (lo + hi) / 2.0;
        let by = by.map(|x| x * middle);
        match moved(overlay.bodies[1], by) {
            Some((body, t)) if !shifts.still_cross(by) && !still_meet(&body)? => (hi, found) = (middle, t),
            _ => lo = middle,
        }
    }
    ControlFlow::Continue(found)
}

/// True if a translation of some length along a direction may part bodies with this volume in common.
///
/// Let C be the part of a line in that direction that is inside of both bodies. After a translation that
/// parts them, C and C moved by its length have nothing in common. So C is at most half of any part of the
/// line that is twice as long as the translation: at most half of the line's part in the box of both bodies,
/// plus half of the length. So the volume is at most half of the box's, plus half of the length times the
/// area of the box as it is seen along the line.
fn is_open(points: &OverlayPoints, n: Vector, length: f64, volume: f64) -> bool {
    let [lo, hi] = points.common_box();
    let [x, y, z] = [0, 1, 2].map(|k| (hi[k] - lo[k]).max(0.0));
    let area = n[0].abs() * y * z + n[1].abs() * z * x + n[2].abs() * x * y;
    let most = (x * y * z + length * area) / 2.0 * (1.0 + 1e-9);
    // NaN rules out nothing. A product of two that underflows, times 2^501, is below 1e-170.
    most.is_nan() || most < 1e-140 || volume <= most
}

/// A translation that parts both bodies, with its length.
#[derive(Clone, Copy)]
struct SeparatingTranslation {
    t: Vector,
    length: f64,
}

impl SeparatingTranslation {
    /// True if it is shorter, or of equal length and longer along the first axis, in either way: exchanged
    /// bodies have the opposite one.
    fn is_better(&self, than: &Self) -> bool {
        self.length < than.length || self.length == than.length && self.t.map(f64::abs) > than.t.map(f64::abs)
    }
}

impl Directions {
    /// Finds the axes, the line of centres, and normals of faces in contact, each once.
    fn find(&mut self, overlay: &Overlay<'_>, pairs: &[[u32; 2]], memory: &OverlayMemory) -> ControlFlow<()> {
        self.ways.clear();
        self.outer.iter_mut().for_each(Vec::clear);
        let points = &memory.points;
        for k in 0..3 {
            self.add([0, 1, 2].map(|i| f64::from(i == k)));
        }
        self.add(points.away());
        for x in 0..2 {
            let mesh = overlay.bodies[x].model.mesh();
            let (most, mut last) = (self.ways.len() + MOST_NORMALS, None);
            for pair in pairs {
                overlay.stop.check()?;
                let t = pair[x];
                if self.ways.len() == most {
                    break;
                }
                if last.replace(t) == Some(t) || !overlay.solids[x].is_face(t) {
                    continue;
                }
                let [p, q, r] = mesh.triangles()[t as usize].map(|v| points.at[x][v as usize]);
                self.add(cross(sub(q, p), sub(r, p)));
            }
        }
        ControlFlow::Continue(())
    }
    /// Adds a direction, unless there is one like it, or opposite.
    fn add(&mut self, n: Vector) {
        let largest = n[0].abs().max(n[1].abs()).max(n[2].abs());
        if !(largest > f64::MIN_POSITIVE && largest.is_finite()) {
            return;
        }
        let n = n.map(|x| x / largest);
        let n = n.map(|x| x / dot(n, n).sqrt());
        // Lengths are 1 but for rounding.
        let is_alike = |way: &Vector| {
            let c = cross(*way, n);
            dot(c, c) < 1e-20
        };
        if !self.ways.iter().any(is_alike) {
            self.ways.push(n);
        }
    }
}

/// The signs of the second body's moves along a direction, the one that leads away first.
fn ways_out(points: &OverlayPoints, n: Vector) -> [f64; 2] {
    if dot(n, points.away()) < 0.0 { [-1.0, 1.0] } else { [1.0, -1.0] }
}

/// The reach of bodies against a direction and along it.
struct DirectionalReach<'m> {
    n: Vector,
    points: [&'m [Vector]; 2],
    /// The number to add to the products of each body.
    offsets: [f64; 2],
    /// Least and greatest product, and the points that have them.
    ends: [[(f64, u32); 2]; 2],
}

impl DirectionalReach<'_> {
    fn add(&mut self, x: usize, used: &[u32]) {
        let [mut lo, mut hi] = self.ends[x];
        for &v in used {
            let product = dot(self.n, self.points[x][v as usize]);
            lo = if product < lo.0 { (product, v) } else { lo };
            hi = if product > hi.0 { (product, v) } else { hi };
        }
        self.ends[x] = [lo, hi];
    }
    fn ends(&self) -> [[f64; 2]; 2] {
        self.ends.map(|ends| ends.map(|(x, _)| x))
    }
    /// True if translations that bring a plane between the bodies are certainly longer than a length, both
    /// ways. They are no shorter than differences of these products; the direction's length is 1, up to some
    /// u. 1e-150 covers lengths whose squares underflow.
    fn is_beyond(&self, length: f64) -> bool {
        let [[lo_a, hi_a], [lo_b, hi_b]] = self.ends();
        let (a, b) = (self.offsets[0], self.offsets[1]);
        let [lo_a, hi_a, lo_b, hi_b] = [lo_a + a, hi_a + a, lo_b + b, hi_b + b];
        let far = length * (1.0 + 2.0_f64.powi(-40)) + 1e-150;
        hi_a - lo_b > far && hi_b - lo_a > far
    }
}

/// Translations of the second body along a direction, and against it, that bring a plane between both. The
/// one that leads away comes first. Neither, if both are longer than `least`.
fn planes(
    overlay: &Overlay<'_>,
    memory: &OverlayMemory,
    n: Vector,
    least: f64,
    outer: &mut [Vec<u32>; 2],
) -> ControlFlow<(), [Option<Vector>; 2]> {
    let points = &memory.points;
    let axis = axis_of(n);
    let is_unturned = overlay.bodies.iter().all(|body| body.pose.rows() == Pose::IDENTITY.rows());
    let as_stored = axis.filter(|_| is_unturned);
    let nothing = [(f64::INFINITY, u32::MAX), (f64::NEG_INFINITY, u32::MAX)];
    // Along an axis, stored coordinates are not rounded. A move changes all of a body by the same number,
    // which only the ends of its reach need.
    let table = |x: usize| match as_stored {
        Some(_) => overlay.bodies[x].model.mesh().points(),
        None => &points.at[x],
    };
    let offset = |x: usize| as_stored.map_or(0.0, |k| n[k] * overlay.bodies[x].pose.translation()[k]);
    let offsets = [offset(0), offset(1)];
    let mut reach = DirectionalReach { n, points: [table(0), table(1)], offsets, ends: [nothing; 2] };
    for (x, outer) in outer.iter().enumerate() {
        reach.add(x, outer);
    }
    for x in 0..2 {
        for used in memory.used[x].chunks(RUN) {
            overlay.stop.check()?;
            if reach.is_beyond(least) {
                return ControlFlow::Continue([None; 2]);
            }
            reach.add(x, used);
        }
    }
    for (outer, ends) in outer.iter_mut().zip(&reach.ends) {
        for &(_, v) in ends {
            if v != u32::MAX && outer.len() < MOST_OUTER && !outer.contains(&v) {
                outer.push(v);
            }
        }
    }
    let ends = reach.ends();
    let error = if as_stored.is_some() { 0.0 } else { error(points, n) };
    // The length that the ends of bodies x and 1 - x need.
    let needed = |x: usize, most: f64, least: f64| {
        let sum = sum_up(sum_up(most, offsets[x]), sum_up(-least, -offsets[1 - x]));
        if error > 0.0 { (sum + error).next_up() } else { sum }
    };
    let [a, b] = ends;
    let along = |needed: f64, sign: f64| {
        // They are apart already, which the caller has decided in another way.
        if needed <= 0.0 {
            return Some([0.0; 3]);
        }
        let n = n.map(|x| sign * x);
        if axis.is_some() {
            return Some(n.map(|x| if x == 0.0 { 0.0 } else { x * needed }));
        }
        let mut length = needed / dot(n, n);
        for _ in 0..8 {
            let t = n.map(|x| x * length);
            let size = n[0].abs() * t[0].abs() + n[1].abs() * t[1].abs() + n[2].abs() * t[2].abs();
            if dot(n, t) - 8.0 * UNIT * size - f64::MIN_POSITIVE >= needed {
                return Some(t);
            }
            length = length * (1.0 + 16.0 * UNIT) + f64::MIN_POSITIVE;
        }
        None
    };
    let ([lo_a, hi_a], [lo_b, hi_b]) = (a, b);
    let both = |sign: f64| {
        if sign > 0.0 { along(needed(0, hi_a, lo_b), 1.0) } else { along(needed(1, hi_b, lo_a), -1.0) }
    };
    ControlFlow::Continue(ways_out(points, n).map(both))
}

/// The axis along which a direction of length 1 runs exactly.
fn axis_of(n: Vector) -> Option<usize> {
    (0..3).find(|&k| n[k].abs() == 1.0 && (0..3).all(|i| i == k || n[i] == 0.0))
}

/// A body after about this translation, and its translation over the real numbers. `None` if f64 cannot hold
/// the translation or the pose.
fn moved<'b>(body: &Body<'b>, by: Vector) -> Option<(Body<'b>, Vector)> {
    let from = body.pose.translation();
    let to = [0, 1, 2].map(|k| from[k] + by[k]);
    let mut t = [0.0; 3];
    for k in 0..3 {
        let (difference, lost) = two_sum(to[k], -from[k]);
        if lost != 0.0 {
            return None;
        }
        t[k] = difference;
    }
    let pose = Pose::affine(*body.pose.rows(), to).ok()?;
    Some((Body { model: body.model, pose }, t))
}
