//! Corners of one body that are inside of the other, and lower bounds of their distances from its surface.
//!
//! # A lower bound of a distance
//! Let q be a point and t a triangle with corners t_j. For any vector w the distance is at least the least of
//! w . (t_j - q), divided by |w|: a plane across w keeps that far from q. It is the distance itself if w
//! points to the triangle's nearest point. If rounding makes w another vector, the bound is lower, but true.
//!
//! Coordinates of a difference are off by at most f_k. So a product with w moves by the sum of |w_k| f_k, and
//! rounds by 4 u of the sum of |w_k| times the difference's size; the code takes 8 u.
use super::{
    overlay::{Overlay, OverlayMemory},
    place::OverlayPoints,
};
use crate::{
    Model,
    solid::{FaceSides, FillRule, near_corner},
    stop::StopFlag,
    vector::{UNIT, Vector, cross, dot, extent, sub},
};
use std::ops::ControlFlow;

/// The most corners of a body that are measured, and the most corners times faces.
const MOST_CORNERS: usize = 1024;
const MOST_DISTANCES: usize = 1 << 20;
const LEAST_CORNERS: usize = 8;
/// The number of triangles in a box; boxes are made for many triangles and more than [`FEW`] corners.
const RUN: usize = 16;
const FEW: usize = 2;

/// A corner of a body that is inside of the other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Depth {
    /// Lower bound of the distance from the corner to the border of the other body's inside. Walls and sheets
    /// within the inside do not count.
    pub length: f64,
    /// The body that has the corner: 0 for the first one, 1 for the second.
    pub body: usize,
    /// Its number among the points of that body's mesh.
    pub vertex: u32,
}

/// The deepest of the measured corners; true if these are all: then its length is the same in either order of
/// the bodies. Points are placed in the world. Breaks if it is stopped.
pub(super) fn depth(
    overlay: &Overlay<'_>,
    fill_rule: FillRule,
    memory: &mut OverlayMemory,
) -> ControlFlow<(), (Option<Depth>, bool)> {
    let mut best: Option<Depth> = None;
    let mut are_all = true;
    for body in 0..2 {
        let (own, other) = (overlay.solids[body], overlay.solids[1 - body]);
        let (rule, rule_of_other) = (own.rule(fill_rule), other.rule(fill_rule));
        let own_model = overlay.bodies[body].model;
        let handedness = overlay.handedness[1 - body];
        let is_deep = |windings: &[i32], v: u32| rule_of_other.holds(windings[v as usize] * handedness);
        let count = memory.face_points(body).iter().filter(|&&v| is_deep(&memory.windings[body], v)).count();
        if count == 0 {
            continue;
        }
        let faces = overlay.bodies[1 - body].model.mesh().len();
        let most = (MOST_DISTANCES / faces.max(1)).clamp(LEAST_CORNERS, MOST_CORNERS);
        // With other rules, and where it meets itself, a mesh may have faces with nothing inside on either
        // side: those of a tetrahedron that is flat.
        let sides = own.sides(own_model.geometry(), overlay.stop)?;
        let all_border = rule == FillRule::NonZero && sides.are_clean();
        if !all_border {
            let windings = &memory.windings[body];
            let is_wanted = |v| is_deep(windings, v);
            borders(own_model, sides, rule, overlay.stop, &is_wanted, &mut memory.borders)?;
        }
        // At most so many, evenly spread.
        let step = count.div_ceil(most);
        // The order of bodies decides which corners on the other's surface are inside, and so the choice.
        are_all &= step == 1 && all_border;
        if count / step > FEW && faces > 4 * RUN {
            box_runs(overlay, 1 - body, memory);
        } else {
            memory.runs.clear();
        }
        let memory = &*memory;
        let deep = memory.face_points(body).iter().copied().filter(|&v| is_deep(&memory.windings[body], v));
        let mut nearest = 0;
        for v in deep.step_by(step) {
            overlay.stop.check()?;
            if !all_border && !memory.borders[v as usize] {
                continue;
            }
            let least = best.map_or(0.0, |best| best.length);
            if let Some(length) = farther(overlay, memory, body, v, least, &mut nearest)? {
                best = Some(Depth { length, body, vertex: v });
            }
        }
    }
    ControlFlow::Continue((best, are_all))
}

/// Marks each point that certainly is a corner of a face with a side inside of its own body. For faces that
/// meet others of their mesh, it tests both sides near each `wanted` corner, up to a number of corners that
/// takes no longer than the distances.
fn borders(
    model: &Model,
    sides: &FaceSides,
    rule: FillRule,
    stop: StopFlag<'_>,
    wanted: &dyn Fn(u32) -> bool,
    borders: &mut Vec<bool>,
) -> ControlFlow<()> {
    let (mesh, solid) = (model.mesh(), model.solid());
    borders.clear();
    borders.resize(mesh.points().len(), false);
    for (t, corners) in (0_u32..).zip(mesh.triangles()) {
        stop.check()?;
        let is_inside = |sides: [i32; 2]| sides.into_iter().any(|w| rule.holds(w));
        if solid.is_face(t) && sides.windings(t).is_some_and(is_inside) {
            corners.iter().for_each(|&v| borders[v as usize] = true);
        }
    }
    let mut left = (MOST_DISTANCES / mesh.len().max(1)).clamp(LEAST_CORNERS, MOST_CORNERS);
    for (t, corners) in (0_u32..).zip(mesh.triangles()) {
        if !solid.is_face(t) || sides.windings(t).is_some() {
            continue;
        }
        for (k, &v) in corners.iter().enumerate() {
            if left > 0 && !borders[v as usize] && wanted(v) {
                stop.check()?;
                left -= 1;
                let is_inside = |behind| rule.holds(near_corner(solid, model.geometry(), t, k, behind));
                borders[v as usize] = is_inside(false) || is_inside(true);
            }
        }
    }
    ControlFlow::Continue(())
}

/// Boxes around the faces of each [`RUN`] of a body's triangles.
fn box_runs(overlay: &Overlay<'_>, x: usize, memory: &mut OverlayMemory) {
    let (mesh, at) = (overlay.bodies[x].model.mesh(), &memory.points.at[x]);
    memory.runs.clear();
    for (first, run) in (0_u32..).step_by(RUN).zip(mesh.triangles().chunks(RUN)) {
        let faces = (first..).zip(run).filter(|(t, _)| overlay.solids[x].is_face(*t));
        memory.runs.push(extent(faces.flat_map(|(_, corners)| corners).map(|&v| &at[v as usize])));
    }
}

/// A lower bound of a corner's distance from the other body's surface, if it is more than `least`. Tests the
/// face first that was nearest to the last corner. Breaks if it is stopped.
fn farther(
    overlay: &Overlay<'_>,
    memory: &OverlayMemory,
    body: usize,
    v: u32,
    least: f64,
    nearest: &mut u32,
) -> ControlFlow<(), Option<f64>> {
    let (other, points) = (1 - body, &memory.points);
    let mesh = overlay.bodies[other].model.mesh();
    let q = points.at[body][v as usize];
    let mut bound = f64::INFINITY;
    let mut off = [0.0; 3];
    for k in 0..3 {
        // A corner is off by its tail and 2 u of itself, and it is the sum of the difference and q.
        off[k] = 4.0 * points.off(body, q[k], k) + 2.0 * points.tail[other][k];
    }
    let first = *nearest;
    let first = first..first + 1;
    let all = mesh.len() as u32;
    // The first face, and then all in their runs.
    let runs = (0..all).step_by(RUN).map(|from| from..all.min(from + RUN as u32));
    for (number, run) in std::iter::once(first).chain(runs).enumerate() {
        if number % 64 == 0 {
            overlay.stop.check()?;
        }
        if number > 0 && memory.runs.get(number - 1).is_some_and(|run| is_beyond(&q, off, run, bound)) {
            continue;
        }
        for t in run.filter(|&t| overlay.solids[other].is_face(t)) {
            let corners = mesh.triangles()[t as usize].map(|v| points.at[other][v as usize]);
            if is_beyond(&q, off, &corners, bound) {
                continue;
            }
            let distance = distance_at_least(points, body, &q, &corners);
            if distance >= bound {
                continue;
            }
            (bound, *nearest) = (distance, t);
            // A bound that is not a number proves nothing.
            if bound.is_nan() || bound <= least {
                return ControlFlow::Continue(None);
            }
        }
    }
    ControlFlow::Continue(bound.is_finite().then_some(bound))
}

/// True if all of a triangle, or of a box, is certainly farther from a point than `bound`, along an axis.
/// Differences are off by `off`. If it is true for a box, it is true for every triangle in it.
fn is_beyond<const N: usize>(q: &Vector, off: Vector, corners: &[Vector; N], bound: f64) -> bool {
    (0..3).any(|k| {
        let far = bound * (1.0 + 16.0 * UNIT) + off[k];
        corners.iter().all(|c| c[k] - q[k] > far) || corners.iter().all(|c| c[k] - q[k] < -far)
    })
}

/// A lower bound of the distance of a body's point from a triangle of the other body; 0 or less, or not a
/// number, if there is none.
fn distance_at_least(points: &OverlayPoints, body: usize, q: &Vector, t: &[Vector; 3]) -> f64 {
    let d = t.map(|corner| sub(corner, *q));
    let w = nearest_to_origin(&d);
    let square = dot(w, w);
    // The bound does not cover an underflow of the square.
    if square < 1e-280 {
        return f64::NAN;
    }
    let length = square.sqrt();
    let (mut value, mut error) = (f64::INFINITY, 0.0);
    for (d, corner) in d.iter().zip(t) {
        let mut moves = 0.0;
        for k in 0..3 {
            let off = points.off(body, q[k], k) + points.off(1 - body, corner[k], k);
            moves += w[k].abs() * (off + 8.0 * UNIT * d[k].abs());
        }
        value = value.min(dot(w, *d));
        error = if moves > error { moves } else { error };
    }
    // MIN_POSITIVE covers what underflows in the products.
    (value - error * (1.0 + 8.0 * UNIT) - f64::MIN_POSITIVE) / length * (1.0 - 8.0 * UNIT)
}

/// About the point of a triangle that is nearest to the origin (Ericson 2005, section 5.1.5).
fn nearest_to_origin(&[a, b, c]: &[Vector; 3]) -> Vector {
    let along = |p: Vector, q: Vector, s: f64| [0, 1, 2].map(|k| p[k] + s * (q[k] - p[k]));
    let (ab, ac) = (sub(b, a), sub(c, a));
    let (d1, d2) = (-dot(ab, a), -dot(ac, a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let (d3, d4) = (-dot(ab, b), -dot(ac, b));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return along(a, b, d1 / (d1 - d3));
    }
    let (d5, d6) = (-dot(ab, c), -dot(ac, c));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return along(a, c, d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return along(b, c, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    // Across the plane: more accurate than by parts of the corners.
    let n = cross(ab, ac);
    let s = dot(n, a) / dot(n, n);
    [n[0] * s, n[1] * s, n[2] * s]
}
