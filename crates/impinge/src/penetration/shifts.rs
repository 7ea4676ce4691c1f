//! [`Shifts`]: short translations that may part two bodies. They are guesses, which exact arithmetic proves
//! or refuses.
//!
//! # Walls
//! A face in contact is a *wall*: its plane has some of the intersection behind it, and a shift along its
//! normal by that depth brings all of it in front. A body that is stuck in two or three walls needs the
//! shortest shift that has each wall's depth along its normal. Along any direction, a shift by the width of
//! the intersection may be enough, too. Where walls are curved, and there are more of them than are combined,
//! some longer shifts are tried in the same directions.
//!
//! # Pairs that still cross
//! A shift after which triangles still cross that crossed before is of no use. A few pairs of triangles are
//! compared in rounded arithmetic, which takes much less time than a proof.
use super::{
    OverlayPoints,
    overlay::{Overlay, OverlayMemory},
};
use crate::{
    exact,
    vector::{UNIT, Vector, cross, dot, sub},
};
use std::{cmp::Ordering, ops::ControlFlow};

/// Most depths of walls in one direction: the least ones are kept.
const MOST_DEPTHS: usize = 3;
/// Most walls that are combined: those with the least depths.
const MOST_WALLS: usize = 12;
/// Most pairs of triangles that are compared.
const MOST_PAIRS: usize = 32;
/// Most pairs of triangles whose walls are found, and, for open bodies, that are intersected.
const MOST_FACES: usize = 4096;
/// Longer shifts grow by this factor.
pub(super) const GROWTH: f64 = 3.0;
/// Most lengths of longer shifts.
const MOST_LENGTHS: i32 = 24;

/// A direction of length 1, and the length that a shift needs along it.
#[derive(Clone, Copy, Debug)]
struct Wall {
    n: Vector,
    depth: f64,
}

/// A translation of the second body.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrialShift {
    /// The translation of the needed length, to rounding.
    pub(super) least: Vector,
    /// A little longer.
    pub(super) by: Vector,
    /// The length of `by`.
    pub(super) length: f64,
}

/// Memory of the shifts of two bodies.
#[derive(Debug, Default)]
pub(super) struct Shifts {
    walls: Vec<Wall>,
    /// The widths of the intersection, both ways along each direction.
    widths: Vec<Wall>,
    /// For each direction, the least and the greatest product of a point of the intersection.
    ranges: Vec<[f64; 2]>,
    /// Points of the intersection of bodies that are not solid.
    events: Vec<Vector>,
    /// The shifts past walls, and the longer ones; each with the shortest first.
    pub(super) lists: [Vec<TrialShift>; 2],
    /// Pairs of triangles that are compared; the one that refused the last shift is the first.
    compared: Vec<[[Vector; 3]; 2]>,
    /// Bounds of the errors of coordinates.
    off: Vector,
}

impl Shifts {
    /// Finds shifts of lengths in a range. `origin` is that of events in the frame of the overlay, if they
    /// are available.
    pub(super) fn find(
        &mut self,
        overlay: &Overlay<'_>,
        pairs: &[[u32; 2]],
        memory: &OverlayMemory,
        ways: &[Vector],
        origin: Option<Vector>,
        lengths: [f64; 2],
    ) -> ControlFlow<()> {
        let (points, away) = (&memory.points, memory.points.away());
        self.walls.clear();
        self.lists.iter_mut().for_each(Vec::clear);
        let from = overlay.bodies[1].pose.translation();
        for k in 0..3 {
            let largest = points.boxes.iter().flatten().map(|corner| corner[k].abs()).fold(0.0, f64::max);
            self.off[k] = 64.0 * UNIT * largest + points.tail[0][k] + points.tail[1][k];
            // The place after the shift is rounded.
            self.off[k] += 2.0 * UNIT * from[k].abs();
        }
        self.compare(overlay, pairs, points);
        let frame = Frame::new(overlay, origin);
        if origin.is_none() {
            self.find_events(overlay, pairs, points)?;
        }
        let events = if origin.is_some() { &memory.events } else { &self.events };
        self.ranges.clear();
        for way in ways {
            self.ranges.push(frame.range(overlay, *way, events)?);
        }
        for x in 0..2 {
            self.find_walls(overlay, pairs, memory, x, &frame, ways)?;
        }
        self.walls.sort_unstable_by(|a, b| a.depth.total_cmp(&b.depth));
        let walls = std::mem::take(&mut self.walls);
        let mut widths = std::mem::take(&mut self.widths);
        widths.clear();
        for (way, [lo, hi]) in ways.iter().zip(&self.ranges) {
            widths.extend([*way, way.map(|x| -x)].map(|n| Wall { n, depth: hi - lo }));
        }
        for wall in walls.iter().chain(&widths) {
            self.add(&[*wall], points, lengths);
        }
        let first = &walls[..walls.len().min(MOST_WALLS)];
        for (i, a) in first.iter().enumerate() {
            for (j, b) in first[..i].iter().enumerate() {
                self.add(&[*a, *b], points, lengths);
                for c in &first[..j] {
                    self.add(&[*a, *b, *c], points, lengths);
                }
            }
        }
        let order = |a: &TrialShift, b: &TrialShift| {
            let is_ahead = |shift: &TrialShift| dot(away, shift.by) > 0.0;
            let size = |shift: &TrialShift| shift.by.map(f64::abs);
            let axes = || size(b).partial_cmp(&size(a)).unwrap_or(Ordering::Equal);
            a.length.total_cmp(&b.length).then(is_ahead(b).cmp(&is_ahead(a))).then_with(axes)
        };
        self.lists[0].sort_unstable_by(order);
        // Parallel walls of both bodies lead to equal shifts.
        self.lists[0].dedup_by(|a, b| {
            let apart = sub(a.by, b.by);
            dot(apart, apart).sqrt() <= 1e-9 * b.length
        });
        self.add_longer(&walls, &widths, away, lengths);
        (self.walls, self.widths) = (walls, widths);
        ControlFlow::Continue(())
    }

    /// Adds shifts of growing lengths along all directions, from the least depth on.
    fn add_longer(&mut self, walls: &[Wall], ways: &[Wall], away: Vector, [least, most]: [f64; 2]) {
        let depths = walls.iter().chain(ways).map(|wall| wall.depth).filter(|depth| *depth > 0.0);
        let depth = depths.fold(most, f64::min).max(least).max(most * GROWTH.powi(-MOST_LENGTHS));
        let mut length = depth * GROWTH.sqrt();
        while length <= most && length > 0.0 {
            for is_ahead in [true, false] {
                let way = |way: &&Wall| (dot(away, way.n) > 0.0) == is_ahead;
                for Wall { n, .. } in ways.iter().filter(way) {
                    let by = n.map(|x| if x == 0.0 { 0.0 } else { x * length });
                    self.lists[1].push(TrialShift { least: by, by, length });
                }
            }
            length *= GROWTH;
        }
    }

    /// Finds the depths of the faces of a body that the other one's surface meets.
    fn find_walls(
        &mut self,
        overlay: &Overlay<'_>,
        pairs: &[[u32; 2]],
        memory: &OverlayMemory,
        x: usize,
        frame: &Frame,
        ways: &[Vector],
    ) -> ControlFlow<()> {
        let (points, mesh) = (&memory.points, overlay.bodies[x].model.mesh());
        let outwards = frame.outwards(overlay, memory, x);
        let (mut last, mut near, from) = (None, 0, self.walls.len());
        for pair in pairs.iter().step_by(pairs.len().div_ceil(MOST_FACES).max(1)) {
            let t = pair[x];
            if last.replace(t) == Some(t) || !overlay.solids[x].is_face(t) {
                continue;
            }
            overlay.stop.check()?;
            let corners = mesh.triangles()[t as usize];
            let [p, q, r] = corners.map(|v| points.at[x][v as usize]);
            let normal = cross(sub(q, p), sub(r, p));
            let size = dot(normal, normal);
            let is_along = |way: &Vector| {
                let c = cross(*way, normal);
                dot(c, c) < 1e-20 * size
            };
            // Neighbours are often parallel.
            if !ways.get(near).is_some_and(is_along) {
                let Some(place) = ways.iter().position(is_along) else { continue };
                near = place;
            }
            let n = ways[near];
            let at = if frame.is_own { sub(mesh.points()[corners[0] as usize], frame.origin) } else { p };
            let plane = dot(frame.own(overlay, n), at);
            let [lo, hi] = self.ranges[near];
            for sign in [1.0, -1.0] {
                // Open surfaces have two sides. The second body is moved against the normal of its own wall.
                let is_outside = outwards.is_none_or(|outwards| dot(normal, n) * outwards * sign > 0.0);
                let depth = if sign > 0.0 { plane - lo } else { hi - plane };
                if is_outside && depth > 0.0 && depth.is_finite() {
                    let sign = if x == 0 { sign } else { -sign };
                    self.note(from, Wall { n: n.map(|x| sign * x), depth });
                }
            }
        }
        ControlFlow::Continue(())
    }
    /// Adds a wall, unless [`MOST_DEPTHS`] walls in its direction have less depth.
    fn note(&mut self, from: usize, wall: Wall) {
        let (mut count, mut deepest) = (0, None::<usize>);
        for (place, other) in self.walls.iter().enumerate().skip(from).filter(|(_, other)| other.n == wall.n)
        {
            if (other.depth - wall.depth).abs() <= 1e-9 * other.depth {
                return;
            }
            count += 1;
            if deepest.is_none_or(|deepest| self.walls[deepest].depth < other.depth) {
                deepest = Some(place);
            }
        }
        match deepest {
            Some(place) if count == MOST_DEPTHS => {
                if wall.depth < self.walls[place].depth {
                    self.walls[place] = wall;
                }
            }
            _ => self.walls.push(wall),
        }
    }
    /// Adds the shortest shift that is past some walls.
    fn add(&mut self, walls: &[Wall], points: &OverlayPoints, [least, most]: [f64; 2]) {
        let padded = |wall: &Wall| {
            let off = error(points, wall.n) + dot(wall.n.map(f64::abs), self.off);
            wall.depth * (1.0 + 2.0_f64.powi(-30)) + off
        };
        let Some(by) = shortest(walls, padded) else { return };
        let length = dot(by, by).sqrt();
        // A NaN is not in the range.
        if least <= length
            && length <= most
            && let Some(least) = shortest(walls, |wall| wall.depth)
        {
            self.lists[0].push(TrialShift { least, by, length });
        }
    }

    /// Finds roughly the points where edges run through triangles, and the corners of triangles in contact.
    fn find_events(
        &mut self,
        overlay: &Overlay<'_>,
        pairs: &[[u32; 2]],
        points: &OverlayPoints,
    ) -> ControlFlow<()> {
        self.events.clear();
        let [lo, hi] = points.common_box();
        for pair in pairs.iter().step_by(pairs.len().div_ceil(MOST_FACES).max(1)) {
            overlay.stop.check()?;
            let both = placed(overlay, *pair, points);
            for (own, other) in [(both[0], both[1]), (both[1], both[0])] {
                let is_common = |p: &&Vector| (0..3).all(|k| lo[k] <= p[k] && p[k] <= hi[k]);
                self.events.extend(own.iter().filter(is_common));
                for k in 0..3 {
                    self.events.extend(run_through([own[k], own[(k + 1) % 3]], &other));
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Chooses a few pairs to compare.
    fn compare(&mut self, overlay: &Overlay<'_>, pairs: &[[u32; 2]], points: &OverlayPoints) {
        let few = pairs.iter().step_by(pairs.len().div_ceil(MOST_PAIRS).max(1));
        let of_faces = few.filter(|pair| (0..2).all(|x| overlay.solids[x].is_face(pair[x])));
        self.compared.clear();
        self.compared.extend(of_faces.map(|pair| placed(overlay, *pair, points)));
    }
    /// True if a compared pair of triangles still crosses after a shift, to rounding.
    pub(super) fn still_cross(&mut self, by: Vector) -> bool {
        let crossing = self.compared.iter().position(|pair| cross_after(pair, by, self.off));
        if let Some(place) = crossing {
            self.compared.swap(0, place);
        }
        crossing.is_some()
    }
}

/// The frame of events: that of the overlay, or the world's.
struct Frame {
    /// True if it is that of both meshes.
    is_own: bool,
    origin: Vector,
}

impl Frame {
    fn new(overlay: &Overlay<'_>, origin: Option<Vector>) -> Self {
        let is_own = origin.is_some() && overlay.poses[0] != overlay.bodies[0].pose;
        Self { is_own, origin: origin.unwrap_or_default() }
    }
    /// A direction of the world in this frame: products with it are lengths in the world.
    fn own(&self, overlay: &Overlay<'_>, n: Vector) -> Vector {
        if !self.is_own {
            return n;
        }
        let rows = overlay.bodies[0].pose.rows();
        [0, 1, 2].map(|k| n[0] * rows[0][k] + n[1] * rows[1][k] + n[2] * rows[2][k])
    }
    /// The least and the greatest product of events with a direction.
    fn range(&self, overlay: &Overlay<'_>, way: Vector, events: &[Vector]) -> ControlFlow<(), [f64; 2]> {
        let own = self.own(overlay, way);
        let [mut lo, mut hi] = [f64::INFINITY, f64::NEG_INFINITY];
        for events in events.chunks(256) {
            overlay.stop.check()?;
            for event in events {
                let x = dot(own, *event);
                (lo, hi) = (lo.min(x), hi.max(x));
            }
        }
        ControlFlow::Continue([lo, hi])
    }
    /// 1 if normals of a body's placed triangles point outwards, -1 if inwards; `None` if a body is open.
    fn outwards(&self, overlay: &Overlay<'_>, memory: &OverlayMemory, x: usize) -> Option<f64> {
        if !overlay.solids.iter().all(|solid| solid.status().is_closed()) {
            return None;
        }
        let turns = if self.is_own { exact::handedness(overlay.bodies[x].pose.rows()) } else { 1 };
        // A mesh winds round what is inside of it, mostly once.
        let inside = memory.face_points(1 - x).iter().map(|&v| memory.windings[1 - x][v as usize]);
        let winding = inside.filter(|w| *w != 0 && *w != i32::MIN).map(i32::signum).next();
        Some(f64::from(turns * winding.unwrap_or(overlay.handedness[x])))
    }
}

/// Error bound of the difference of a product n . x of the one body and of the other.
pub(super) fn error(points: &OverlayPoints, n: Vector) -> f64 {
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

/// Two triangles as they are placed.
fn placed(overlay: &Overlay<'_>, pair: [u32; 2], points: &OverlayPoints) -> [[Vector; 3]; 2] {
    [0, 1].map(|x| {
        let corners = overlay.bodies[x].model.mesh().triangles()[pair[x] as usize];
        corners.map(|v| points.at[x][v as usize])
    })
}

/// The point, roughly, where an edge runs through a triangle.
fn run_through([from, to]: [Vector; 2], t: &[Vector; 3]) -> Option<Vector> {
    let n = cross(sub(t[1], t[0]), sub(t[2], t[0]));
    let (a, b) = (dot(n, sub(from, t[0])), dot(n, sub(to, t[0])));
    if a == b || a.min(b) > 0.0 || a.max(b) < 0.0 {
        return None;
    }
    let s = a / (a - b);
    let p = [0, 1, 2].map(|k| from[k] + s * (to[k] - from[k]));
    let is_within = |k: usize| {
        let edge = sub(t[(k + 1) % 3], t[k]);
        dot(n, cross(edge, sub(p, t[k]))) >= -1e-9 * dot(n, n)
    };
    (0..3).all(is_within).then_some(p)
}

/// True if two triangles cross by more than rounding once the second is moved: no axis separates them.
fn cross_after([p, q]: &[[Vector; 3]; 2], by: Vector, off: Vector) -> bool {
    let edges = |t: &[Vector; 3]| [sub(t[1], t[0]), sub(t[2], t[1]), sub(t[0], t[2])];
    let (e, f) = (edges(p), edges(q));
    let separates = |m: Vector| {
        let moved = dot(m, by);
        let [mut lo, mut hi] = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        for k in 0..3 {
            let (a, b) = (dot(m, p[k]), dot(m, q[k]) + moved);
            (lo, hi) = ([lo[0].min(a), lo[1].min(b)], [hi[0].max(a), hi[1].max(b)]);
        }
        let off = dot(m.map(f64::abs), off);
        hi[0] <= lo[1] + off || hi[1] <= lo[0] + off
    };
    let normals = [cross(e[0], e[1]), cross(f[0], f[1])];
    !normals.into_iter().any(separates) && !e.iter().any(|&e| f.iter().any(|&f| separates(cross(e, f))))
}

/// The shortest vector with each wall's depth along its normal; `None` if fewer of the walls are enough.
fn shortest(walls: &[Wall], depth: impl Fn(&Wall) -> f64) -> Option<Vector> {
    match walls {
        [a] => Some(a.n.map(|x| if x == 0.0 { 0.0 } else { x * depth(a) })),
        [a, b] => {
            let (c, d, e) = (dot(a.n, b.n), depth(a), depth(b));
            let scale = 1.0 - c * c;
            let (s, t) = ((d - c * e) / scale, (e - c * d) / scale);
            let are_needed = scale > 1e-6 && s > 0.0 && t > 0.0;
            are_needed.then(|| [0, 1, 2].map(|k| s * a.n[k] + t * b.n[k]))
        }
        [a, b, c] => {
            let sides = [cross(b.n, c.n), cross(c.n, a.n), cross(a.n, b.n)];
            let volume = dot(a.n, sides[0]);
            let depths = [depth(a), depth(b), depth(c)];
            let t = [0, 1, 2].map(|k| (0..3).map(|i| depths[i] * sides[i][k]).sum::<f64>() / volume);
            // The shortest is a sum of normals, each times a positive number.
            let are_needed = volume.abs() > 1e-3 && sides.iter().all(|side| dot(t, *side) / volume > 0.0);
            are_needed.then_some(t)
        }
        _ => None,
    }
}
