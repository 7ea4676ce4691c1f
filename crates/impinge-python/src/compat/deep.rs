//! Penetration depth of two placed shapes, and a point of both.
use super::{
    convex::{Deep, deepest},
    hull::{Difference, Nearest, Until, nearest},
    meet::{are_curved, holds, meet_of, work},
    shape::{Placed, PySolid},
    vector::{Point, along, cross, dot, length_1, minus, unit},
};
use crate::run::ask;
use impinge::Query;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::{Arc, OnceLock};

impl Deep {
    /// The result of a query that did not run, or of empty shapes.
    pub(super) const NONE: Self = Self { normal: [0.0; 3], depth: 0.0, ends: [[0.0; 3]; 2], point: [0.0; 3] };
}

/// True if a search has reached the nearest points of two bodies, but for roundings.
pub(super) fn is_near(distance: f64, least: f64, [p, q]: [Point; 2]) -> bool {
    distance - least <= 1e-12 * (distance + length_1(p) + length_1(q))
}

/// The shortest translation that parts two shapes that meet, the first convex and full. If the second is not
/// convex, the translation parts its convex hull.
pub(crate) fn deep(query: &mut Query, a: &Placed, b: &Placed) -> Deep {
    if let Some(found) = deep_of_hulls(a, b, None) {
        return found;
    }
    let reach = a.shape.radius + b.shape.radius;
    if reach > 0.0 {
        let gap = query.distance(&a.body(), &b.body());
        if let Some(gap) = gap.filter(|gap| gap.hi > 0.0) {
            let [p, q] = gap.points;
            let (inside_a, inside_b) = (holds(query, a, b), holds(query, b, a));
            let towards = unit(minus(q, p));
            match towards {
                Some(normal) if !(inside_a || inside_b) => return apart_by(normal, gap.hi, [p, q], [a, b]),
                // A point inside of a convex body leaves it by the nearest point of the surface.
                Some(towards) if inside_a && b.shape.is_ball => {
                    let normal = towards.map(|x| -x);
                    let end = along(q, normal, -b.shape.radius);
                    return Deep { normal, depth: gap.hi + reach, ends: [p, end], point: q };
                }
                Some(normal) if inside_b && a.shape.is_ball => {
                    let normal = normal.map(|x| -x);
                    let end = along(p, normal, a.shape.radius);
                    return Deep { normal, depth: gap.hi + reach, ends: [end, q], point: p };
                }
                _ => {}
            }
        } else if let Some(gap) = gap.filter(|_| !(a.shape.is_full && b.shape.is_full)) {
            // The core of a round shape touches a surface: it leaves along the surface's normal.
            let [s, t] = gap.triangles;
            let [p, q, r] = if a.shape.radius > 0.0 { b.triangle(t) } else { a.triangle(s) };
            let normal = unit(cross(minus(q, p), minus(r, p))).unwrap_or([1.0, 0.0, 0.0]);
            return apart_by(normal, 0.0, gap.points, [a, b]);
        }
    }
    cores_overlap(a, b, None)
}

/// The result of [`deep`] for small or curved full shapes, without their meshes; `known` are differences of
/// their cores about the origin. `None` for others, and where the search for nearest points fails.
fn deep_of_hulls(a: &Placed, b: &Placed, known: Option<[Difference; 4]>) -> Option<Deep> {
    match (a.shape.is_ball, b.shape.is_ball, a.shape.half, b.shape.half) {
        (true, true, ..) => {
            let [p, q] = [a, b].map(|of| *of.pose.translation());
            let between = minus(q, p);
            let normal = unit(between).unwrap_or([1.0, 0.0, 0.0]);
            return Some(apart_by(normal, dot(between, between).sqrt(), [p, q], [a, b]));
        }
        (true, _, _, Some(half)) => {
            if let Some(found) = ball_in_box(b, half, a) {
                let [of_box, of_ball] = found.ends;
                return Some(Deep { normal: found.normal.map(|x| -x), ends: [of_ball, of_box], ..found });
            }
        }
        (_, true, Some(half), _) => {
            if let Some(found) = ball_in_box(a, half, b) {
                return Some(found);
            }
        }
        _ => {}
    }
    let curved = are_curved(a, b);
    if !(curved || a.shape.is_small_hull() && b.shape.is_small_hull()) {
        return None;
    }
    if known.is_some() {
        return Some(cores_overlap(a, b, known));
    }
    match nearest(&a.hull(), &b.hull(), Until::RoughlyAbove(0.0)) {
        Nearest::Apart { distance, least, ends: [p, q] } => {
            let normal = unit(minus(q, p)).filter(|_| curved || is_near(distance, least, [p, q]))?;
            let found = apart_by(normal, distance, [p, q], [a, b]);
            // This depth parts them, though the search stopped near the nearest points.
            let depth = (a.shape.radius + b.shape.radius - least).max(0.0);
            Some(Deep { depth: if curved { depth } else { found.depth }, ..found })
        }
        // Polyhedra have ties, and then the axes are what people expect.
        Nearest::Meet(known) => Some(cores_overlap(a, b, known.filter(|_| curved))),
    }
}

/// The depth of shapes whose cores meet.
fn cores_overlap(a: &Placed, b: &Placed, known: Option<[Difference; 4]>) -> Deep {
    let mut found = deepest(&a.hull(), &b.hull(), known);
    found.depth += a.shape.radius + b.shape.radius;
    found.ends = [
        along(found.ends[0], found.normal, a.shape.radius),
        along(found.ends[1], found.normal, -b.shape.radius),
    ];
    found
}

/// A ball and a box that meet, in the box's frame: `None` unless its pose is a rotation but for roundings.
fn ball_in_box(of_box: &Placed, half: Point, ball: &Placed) -> Option<Deep> {
    let centre = *ball.pose.translation();
    let local = of_box.local(centre)?;
    let turned = |v: Point| of_box.pose.rows().map(|row| dot(row, v));
    let mut nearest = [0, 1, 2].map(|k| local[k].clamp(-half[k], half[k]));
    let out = minus(local, nearest);
    if let Some(normal) = unit(out) {
        let distance = dot(out, out).sqrt();
        return Some(apart_by(turned(normal), distance, [of_box.place(nearest), centre], [of_box, ball]));
    }
    // The centre is inside, and leaves by the nearest face.
    let to_face = |k: usize| half[k] - local[k].abs();
    let k = (0..3).min_by(|&i, &j| to_face(i).total_cmp(&to_face(j)))?;
    let mut normal = [0.0; 3];
    normal[k] = 1.0_f64.copysign(local[k]);
    nearest[k] = half[k].copysign(local[k]);
    let (normal, radius) = (turned(normal), ball.shape.radius);
    let ends = [of_box.place(nearest), along(centre, normal, -radius)];
    Some(Deep { normal, depth: to_face(k) + radius, ends, point: centre })
}

/// The depth of shapes whose cores are apart, with these nearest points: their radii make them meet.
pub(super) fn apart_by(normal: Point, distance: f64, [p, q]: [Point; 2], [a, b]: [&Placed; 2]) -> Deep {
    let (of_a, of_b) = (a.shape.radius, b.shape.radius);
    let ends = [along(p, normal, of_a), along(q, normal, -of_b)];
    // On the line through both, from p, the first has the points up to `of_a`, and the second those from
    // `distance - of_b`; both may reach beyond the other's core.
    let common = [(-of_a).max(distance - of_b), of_a.min(distance + of_b)];
    let point = along(p, normal, 0.5 * (common[0] + common[1]));
    Deep { normal, depth: (of_a + of_b - distance).max(0.0), ends, point }
}

/// Normal, depth, and a point of both.
pub(crate) type Numbers<'py> = (Bound<'py, PyArray1<f64>>, f64, Bound<'py, PyArray1<f64>>);

pub(super) fn numbers(py: Python<'_>, normal: Point, depth: f64, point: Point) -> Numbers<'_> {
    (PyArray1::from_slice(py, &normal), depth, PyArray1::from_slice(py, &point))
}

/// The one contact of two shapes that meet, both full or one round: computed when it is read.
#[pyclass(frozen, name = "_Overlap", module = "impinge._core")]
pub(crate) struct PyOverlap {
    shapes: [Arc<Placed>; 2],
    known: Option<[Difference; 4]>,
    found: OnceLock<Deep>,
}

/// The overlap of two shapes, both full or one round; None if they do not meet.
#[pyfunction]
pub(crate) fn _overlap(
    py: Python<'_>,
    a: &Bound<'_, PySolid>,
    b: &Bound<'_, PySolid>,
) -> PyResult<Option<PyOverlap>> {
    let (a, b) = (&a.get().0, &b.get().0);
    let made = |known| PyOverlap { shapes: [a, b].map(Arc::clone), known, found: OnceLock::new() };
    Ok(meet_of(py, a, b)?.map(made))
}

impl PyOverlap {
    fn deep(&self, py: Python<'_>) -> PyResult<&Deep> {
        if let Some(found) = self.found.get() {
            return Ok(found);
        }
        let [a, b] = &self.shapes;
        let found = match deep_of_hulls(a, b, self.known) {
            Some(found) => found,
            None => {
                let [a, b] = [a, b].map(Arc::clone);
                ask(py, work(&a, &b), move |query| deep(query, &a, &b))?
            }
        };
        Ok(self.found.get_or_init(|| found))
    }
}

#[pymethods]
impl PyOverlap {
    /// Normal, depth, and a point of both; `k` is 0, as there is one contact.
    pub(super) fn numbers<'py>(&self, py: Python<'py>, k: usize) -> PyResult<Numbers<'py>> {
        let (_, found) = (k, self.deep(py)?);
        Ok(numbers(py, found.normal, found.depth, found.point))
    }
    /// The faces that look towards each other the most.
    pub(super) fn triangles(&self, py: Python<'_>, k: usize) -> PyResult<(u32, u32)> {
        let (_, normal) = (k, self.deep(py)?.normal);
        let [a, b] = &self.shapes;
        Ok((a.face_along(normal), b.face_along(normal.map(|x| -x))))
    }
}

/// Normal, depth, a point of both and a face of each, for a surface inside of a full shape that it does not
/// touch: at the surface's corner that is deepest inside.
#[pyfunction]
pub(crate) fn _held<'py>(
    py: Python<'py>,
    a: &Bound<'_, PySolid>,
    b: &Bound<'_, PySolid>,
) -> PyResult<(Numbers<'py>, (u32, u32))> {
    let (a, b) = (Arc::clone(&a.get().0), Arc::clone(&b.get().0));
    let (found, faces) = ask(py, work(&a, &b), move |query| {
        let is_a = holds(query, &a, &b);
        let (full, other) = if is_a { (&a, &b) } else { (&b, &a) };
        let corners: Vec<Point> = other.shape.corners().iter().map(|&point| other.place(point)).collect();
        let found = query.closest_points(&full.body(), &corners);
        let each = corners.iter().zip(found).filter_map(|(corner, found)| Some((*corner, (*found)?)));
        let deepest = each.max_by(|(_, one), (_, two)| one.hi.total_cmp(&two.hi));
        let Some((corner, nearest)) = deepest else { return (Deep::NONE, (0, 0)) };
        let outward = unit(minus(nearest.point, corner)).unwrap_or([1.0, 0.0, 0.0]);
        let of_other = other.face_along(outward.map(|x| -x));
        let (normal, faces, ends) = match is_a {
            true => (outward, (nearest.triangle, of_other), [nearest.point, corner]),
            false => (outward.map(|x| -x), (of_other, nearest.triangle), [corner, nearest.point]),
        };
        (Deep { normal, depth: nearest.hi, ends, point: corner }, faces)
    })?;
    Ok((numbers(py, found.normal, found.depth, found.point), faces))
}
