//! Translations that part two bodies.
//!
//! # A plane between
//! For a direction n let a be the greatest n . x of a body A, and b the least n . y of B. If n . t >= a - b,
//! then after moving B by t all of A is on the one side of a plane and all of B on the other, so that no
//! point of the one, fins included, is inside of the other. Each n gives such a t, along n, and for bodies
//! that are convex the shortest is among those of the faces' normals and of the products of edges. Here n is
//! a normal of a face in contact, an axis, or the line of both centres.
//!
//! Products n . x are calculated for coordinates that are off by at most 2 u of themselves and the tail
//! (`place.rs`), and round by 3 u of the sum of |n_k x_k|: with M the largest coordinates of the body's box,
//! 8 u of |n| . M are taken, and |n| . tail. What is needed is rounded up, and n . t, for the t that is
//! returned, is bounded from below in the same way.
//!
//! A direction of length 1 gives no translation shorter than the greatest n . x of some points of A less the
//! least of some of B, so a few that were far out along other directions mostly tell that it is of no use.
//!
//! # Shorter ones
//! A small part of a large body that is not convex may be in another's: a plane between both wholes is far
//! away. Along n the intersection is as wide as its corners are; moved by that, B may be clear of A. It is if
//! exact arithmetic proves it of B at its new place ([`Query::interiors_meet`]); a few such translations are
//! tested, the shortest way first.
//!
//! [`Query::interiors_meet`]: crate::Query::interiors_meet
use super::{
    Points,
    overlay::{Memory, Overlay},
};
use crate::{
    Body, Pose,
    margin::sum_up,
    posed::twice::two_sum,
    vector::{UNIT, Vector, cross, dot, sub},
};
use std::ops::ControlFlow;

/// Normals of so many faces of each body are tried.
const MOST_NORMALS: usize = 8;
/// So many translations that no plane proves are tested.
const MOST_TRIES: usize = 4;
/// Only translations shorter than this part of the shortest that is proved are worth asking about.
const WORTH: f64 = 0.9;
/// After so many points comes a test whether a direction can still be of use; and first, after so many that
/// were far out along others.
const RUN: usize = 32;
const MOST_OUTER: usize = 8;

/// A direction, and what it takes along it and against it.
#[derive(Clone, Copy, Debug)]
struct Way {
    n: Vector,
    /// How wide what both have in common is along it, times |n|.
    width: f64,
}

/// Directions to try.
#[derive(Debug, Default)]
pub(super) struct Directions {
    ways: Vec<Way>,
    /// Corners of either body that were the last ones along a direction: along others they will be far out,
    /// too.
    outer: [Vec<u32>; 2],
}

/// Whether a point is inside of both bodies after one of them was moved. Breaks if it is stopped.
pub(super) type StillMeet<'q> = &'q mut dyn FnMut(&Body<'_>) -> ControlFlow<(), bool>;

/// The goal, and the bounds found before.
pub(super) struct Goal {
    pub(super) at_most: Option<f64>,
    /// A translation shorter than this does not part them.
    pub(super) depth: f64,
    /// At least so much is inside of both.
    pub(super) volume: f64,
    /// Whether events are available.
    pub(super) are_solid: bool,
}

/// A translation that parts them: the shortest that is found. Points are placed in the world. Breaks if it is
/// stopped.
pub(super) fn separating_translation(
    overlay: &Overlay<'_>,
    pairs: &[[u32; 2]],
    goal: &Goal,
    (memory, directions): (&Memory, &mut Directions),
    still_meet: StillMeet<'_>,
) -> ControlFlow<(), Option<Vector>> {
    let points = &memory.points;
    directions.find(overlay, pairs, memory)?;
    let Directions { ways, outer } = directions;
    let mut best: Option<(f64, Vector)> = None;
    for way in &*ways {
        let least = best.map_or(f64::INFINITY, |(length, _)| length);
        for t in planes(overlay, memory, (way.n, least), outer)?.into_iter().flatten() {
            let length = dot(t, t).sqrt();
            if length.is_finite() && best.is_none_or(|best| is_better((length, t), best)) {
                best = Some((length, t));
            }
        }
    }
    let Some((mut length, mut found)) = best else { return ControlFlow::Continue(None) };
    let moving = overlay.bodies[1];
    // The nearest way out first: both ways along each direction, that which leads away first.
    let mut tries = MOST_TRIES;
    if goal.are_solid {
        // With `at_most` all that are longer are tried as well, in their order.
        let most = if goal.at_most.is_some() { f64::INFINITY } else { WORTH * length };
        for way in ways.iter_mut() {
            way.width = width(overlay, memory, way.n, most)?;
        }
        ways.sort_by(|a, b| a.width.total_cmp(&b.width));
        'ways: for way in &*ways {
            let (size, needed) = (dot(way.n, way.n).sqrt(), needed(way.n, way.width));
            if needed < goal.depth || needed.is_nan() {
                continue;
            }
            if needed > WORTH * length {
                break;
            }
            for sign in ways_out(points, way.n) {
                if tries == 0 {
                    break 'ways;
                }
                tries -= 1;
                let by = way.n.map(|n| sign * n / size * needed);
                // A stopped query does not find that they meet.
                if let Some((body, t)) = moved(moving, by)
                    && !still_meet(&body)?
                {
                    (length, found) = (dot(t, t).sqrt(), t);
                    break 'ways;
                }
            }
        }
    }
    if let Some(most) = goal.at_most
        && most > 0.0
        && most < length
        && goal.depth <= most
    {
        for way in ways.iter().filter(|way| is_open(points, way.n, most, goal.volume)) {
            for sign in ways_out(points, way.n) {
                let by = of_length(way.n.map(|n| sign * n), most);
                if let Some((body, t)) = moved(moving, by)
                    && is_no_longer(t, most)
                    && !still_meet(&body)?
                {
                    return ControlFlow::Continue(Some(t));
                }
            }
        }
    }
    ControlFlow::Continue(Some(found))
}

/// Whether a translation of some length along a direction may part bodies that have so much in common.
///
/// Let C be what a line in that direction has of both. After a translation that parts them, C and C moved by
/// its length have nothing in common, so of any part of the line that is twice that long C is at most half:
/// in all at most half of what the box of both bodies has of the line, and half of the length. So the volume
/// is at most half of the box's, and half of the length times the area of the box as it is seen along the
/// line.
fn is_open(points: &Points, n: Vector, length: f64, volume: f64) -> bool {
    let [lo, hi] = points.common_box();
    let [x, y, z] = [0, 1, 2].map(|k| (hi[k] - lo[k]).max(0.0));
    let area = n[0].abs() * y * z + n[1].abs() * z * x + n[2].abs() * x * y;
    let most = (x * y * z + length * area) / 2.0 * (1.0 + 1e-9);
    // A NaN closes nothing. A product of two that underflows, times 2^501, is below 1e-170.
    most.is_nan() || most < 1e-140 || volume <= most
}

/// Shorter; of equal lengths, that along the first axis, whichever way: exchanged bodies have the opposite.
fn is_better((length, t): (f64, Vector), (best, u): (f64, Vector)) -> bool {
    length < best || length == best && t.map(f64::abs) > u.map(f64::abs)
}

impl Directions {
    /// Axes, the line of centres, and normals of faces in contact, each once.
    fn find(&mut self, overlay: &Overlay<'_>, pairs: &[[u32; 2]], memory: &Memory) -> ControlFlow<()> {
        self.ways.clear();
        self.outer.iter_mut().for_each(Vec::clear);
        let points = &memory.points;
        for k in 0..3 {
            self.add([0, 1, 2].map(|i| f64::from(i == k)));
        }
        let (a, b) = (centre(&points.boxes[0]), centre(&points.boxes[1]));
        self.add(sub(b, a));
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
        let is_alike = |way: &Way| {
            let c = cross(way.n, n);
            dot(c, c) < 1e-20
        };
        if !self.ways.iter().any(is_alike) {
            self.ways.push(Way { n, width: f64::INFINITY });
        }
    }
}

/// How far it is along a direction past what is as wide: that may be off a little, and some is added.
fn needed(n: Vector, width: f64) -> f64 {
    width / dot(n, n).sqrt() * (1.0 + 2.0_f64.powi(-30))
}

/// How wide the intersection is along a direction, times |n|; if more is [`needed`] than `most`, some number
/// that proves it.
fn width(overlay: &Overlay<'_>, memory: &Memory, n: Vector, most: f64) -> ControlFlow<(), f64> {
    // Events are in the frame of the overlay.
    let own = if overlay.poses[0] == overlay.bodies[0].pose {
        n
    } else {
        let rows = overlay.bodies[0].pose.rows();
        [0, 1, 2].map(|k| n[0] * rows[0][k] + n[1] * rows[1][k] + n[2] * rows[2][k])
    };
    let [mut lo, mut hi] = [f64::INFINITY, f64::NEG_INFINITY];
    for events in memory.events.chunks(RUN) {
        overlay.stop.check()?;
        for event in events {
            let x = dot(own, *event);
            (lo, hi) = (lo.min(x), hi.max(x));
        }
        if needed(n, hi - lo) > most {
            break;
        }
    }
    ControlFlow::Continue(if hi >= lo { hi - lo } else { f64::INFINITY })
}

fn centre([lo, hi]: &[Vector; 2]) -> Vector {
    [0, 1, 2].map(|k| lo[k] / 2.0 + hi[k] / 2.0)
}

/// The signs with which the second body is moved along a direction: first that which leads away.
fn ways_out(points: &Points, n: Vector) -> [f64; 2] {
    let away = dot(n, sub(centre(&points.boxes[1]), centre(&points.boxes[0])));
    if away < 0.0 { [-1.0, 1.0] } else { [1.0, -1.0] }
}

/// How far bodies reach against a direction and along it.
struct Reach<'m> {
    n: Vector,
    points: [&'m [Vector]; 2],
    /// Least and greatest product, and the points that have them.
    ends: [[(f64, u32); 2]; 2],
}

impl Reach<'_> {
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
    /// Whether translations that bring a plane between the bodies are certainly longer than a length, both
    /// ways. Theirs are no less than these products tell, and the direction's is 1, up to some u. A length
    /// whose square underflows is not to be compared.
    fn is_beyond(&self, length: f64) -> bool {
        let [[lo_a, hi_a], [lo_b, hi_b]] = self.ends();
        let far = length * (1.0 + 2.0_f64.powi(-40)) + 1e-150;
        hi_a - lo_b > far && hi_b - lo_a > far
    }
}

/// Translations of the second body along a direction, and against it, that bring a plane between both: first
/// that which leads away. Neither, if both are longer than `least`.
fn planes(
    overlay: &Overlay<'_>,
    memory: &Memory,
    (n, least): (Vector, f64),
    outer: &mut [Vec<u32>; 2],
) -> ControlFlow<(), [Option<Vector>; 2]> {
    let points = &memory.points;
    let axis = axis_of(n);
    let as_stored = axis.filter(|_| overlay.bodies.iter().all(|body| body.pose == Pose::IDENTITY));
    let nothing = [(f64::INFINITY, u32::MAX), (f64::NEG_INFINITY, u32::MAX)];
    // Coordinates as they are stored, along an axis, are not rounded.
    let table = |x: usize| match as_stored {
        Some(_) => overlay.bodies[x].model.mesh().points(),
        None => &points.at[x],
    };
    let mut reach = Reach { n, points: [table(0), table(1)], ends: [nothing; 2] };
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
    let needed = |most: f64, least: f64| {
        let sum = sum_up(most, -least);
        if error > 0.0 { (sum + error).next_up() } else { sum }
    };
    let [a, b] = ends;
    let along = |needed: f64, sign: f64| {
        // They are apart already, which the caller has found out in another way.
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
    let both =
        |sign: f64| if sign > 0.0 { along(needed(hi_a, lo_b), 1.0) } else { along(needed(hi_b, lo_a), -1.0) };
    ControlFlow::Continue(ways_out(points, n).map(both))
}

/// How far the difference of a product n . x of the one body and of the other may be off.
fn error(points: &Points, n: Vector) -> f64 {
    let mut sum = 0.0;
    for x in 0..2 {
        let [lo, hi] = &points.boxes[x];
        for k in 0..3 {
            let most = lo[k].abs().max(hi[k].abs());
            sum += n[k].abs() * (8.0 * UNIT * most + points.tail[x][k]);
        }
    }
    sum * (1.0 + 32.0 * UNIT) + f64::MIN_POSITIVE
}

/// The axis along which a direction of length 1 runs exactly.
fn axis_of(n: Vector) -> Option<usize> {
    (0..3).find(|&k| n[k].abs() == 1.0 && (0..3).all(|i| i == k || n[i] == 0.0))
}

/// A direction of length 1, nearly, as a vector that is no longer than a length, and nearly as long.
fn of_length(n: Vector, length: f64) -> Vector {
    if axis_of(n).is_some() {
        return n.map(|x| if x == 0.0 { 0.0 } else { x * length });
    }
    let size = dot(n, n).sqrt();
    n.map(|x| x / size * length * (1.0 - 16.0 * UNIT))
}

/// Whether a vector is certainly no longer than a length.
fn is_no_longer(t: Vector, most: f64) -> bool {
    let axes = t.iter().filter(|x| **x != 0.0).count();
    if axes <= 1 {
        return t.iter().all(|x| x.abs() <= most);
    }
    let square = dot(t, t);
    // An underflow proves nothing.
    square > 1e-280 && square.sqrt() * (1.0 + 8.0 * UNIT) <= most
}

/// A body after a translation, or nearly that: and the translation over the real numbers. `None` if f64 does
/// not hold that, or the pose.
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
