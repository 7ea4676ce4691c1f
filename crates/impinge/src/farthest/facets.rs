//! Facets: two triangles that make up a flat convex quadrangle, or one triangle.
//!
//! The distance from a convex set is a convex function, so that the corners of a cell bound it: the larger
//! the set the better. Triangles are taken together where the longest edge of both is the same, the
//! quadrangle is convex, and its fourth corner is within [`FarthestFrame::flat`] of the plane of the other
//! three.
use super::frame::{FarthestFrame, placed};
use crate::{
    Body, Pose,
    solid::NONE,
    vector::{Triangle, Vector, cross, dot, sub},
};

/// The triangles of a facet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    triangles: [Triangle; 2],
    is_pair: bool,
    /// A vector in the plane, across the common edge, from the second triangle to the first.
    across: Vector,
    /// An end of that edge.
    on: Vector,
}

impl Facet {
    fn new(triangles: [Triangle; 2], is_pair: bool) -> Self {
        let [first, second] = &triangles;
        let k = longest(first);
        let (on, end, apex) = (first[k], first[(k + 1) % 3], first[(k + 2) % 3]);
        let along = sub(end, on);
        let across = cross(along, cross(sub(apex, on), along));
        debug_assert!(!is_pair || second.contains(&on));
        Self { triangles, is_pair, across, on }
    }
    pub(super) fn triangles(&self) -> &[Triangle] {
        if self.is_pair { &self.triangles } else { &self.triangles[..1] }
    }
    /// The triangle that is on the same side of the common edge as a point. It is the nearer one of both:
    /// their common edge is the longest one, and so the angles at its ends are acute.
    fn nearer(&self, p: &Vector) -> &Triangle {
        let is_second = self.is_pair && dot(self.across, sub(*p, self.on)) < 0.0;
        &self.triangles[usize::from(is_second)]
    }
    /// A point's distance from a triangle of it: not less than from the facet, but for rounding.
    pub(super) fn distance(&self, p: &Vector) -> f64 {
        distance(p, self.nearer(p))
    }
    /// The point of that triangle that is nearest to a point.
    pub(super) fn foot(&self, p: &Vector) -> Vector {
        foot(p, self.nearer(p))
    }
}

/// The facets of a placed body, made when they are needed.
#[derive(Debug, Default)]
pub(super) struct Facets {
    /// The body's pose in the frame.
    pose: Pose,
    /// See [`FarthestFrame::flat`].
    flat: f64,
    /// Placed corners, by the number of the mesh's point.
    at: Vec<Vector>,
    /// For each triangle the other one of its facet, or itself; [`NONE`] before it is needed.
    partners: Vec<u32>,
    /// The place of each facet in `made`, by its number; or [`NONE`].
    places: Vec<u32>,
    made: Vec<Facet>,
}

impl Facets {
    /// Empties it for a body of a frame, by its number there.
    pub(super) fn reset(&mut self, body: &Body<'_>, frame: &FarthestFrame, which: usize) {
        let mesh = body.model.mesh();
        (self.pose, self.flat) = (frame.poses[which], frame.flat);
        self.at.clear();
        self.at.resize(mesh.points().len(), [f64::NAN; 3]);
        self.partners.clear();
        self.partners.resize(mesh.len(), NONE);
        self.places.clear();
        self.places.resize(mesh.len(), NONE);
        self.made.clear();
    }
    /// The placed point of the mesh.
    pub(super) fn point(&mut self, body: &Body<'_>, v: u32) -> Vector {
        let at = &mut self.at[v as usize];
        if at[0].is_nan() {
            *at = placed(&self.pose, body.model.mesh().points()[v as usize]);
        }
        *at
    }
    /// The placed triangle.
    pub(super) fn triangle(&mut self, body: &Body<'_>, t: u32) -> Triangle {
        body.model.mesh().triangles()[t as usize].map(|v| self.point(body, v))
    }
    /// The number of a triangle's facet: the lesser one of its triangles.
    pub(super) fn number(&mut self, body: &Body<'_>, t: u32) -> u32 {
        let other = self.partner(body, t);
        let [first, second] = [t.min(other), t.max(other)];
        if self.places[first as usize] == NONE {
            let triangles = [self.triangle(body, first), self.triangle(body, second)];
            self.places[first as usize] = self.made.len() as u32;
            self.made.push(Facet::new(triangles, first != second));
        }
        first
    }
    /// The facet with a number of [`Self::number`].
    pub(super) fn get(&self, number: u32) -> &Facet {
        &self.made[self.places[number as usize] as usize]
    }
    /// The points of a facet's mesh that are its corners, in their order.
    pub(super) fn corners(&mut self, body: &Body<'_>, t: u32) -> ([u32; 4], usize) {
        let other = self.partner(body, t);
        let triangles = body.model.mesh().triangles();
        let [a, b, c] = triangles[t as usize];
        if other == t {
            return ([a, b, c, c], 3);
        }
        let [k, l] = [t, other].map(|t| longest(&self.triangle(body, t)));
        let [p, q, o] = [0, 1, 2].map(|i| triangles[t as usize][(k + i) % 3]);
        ([o, p, triangles[other as usize][(l + 2) % 3], q], 4)
    }
    /// The other triangle of the facet, or the same.
    pub(super) fn partner(&mut self, body: &Body<'_>, t: u32) -> u32 {
        if self.partners[t as usize] == NONE {
            let other = self.find_partner(body, t).unwrap_or(t);
            self.partners[t as usize] = other;
            self.partners[other as usize] = t;
        }
        self.partners[t as usize]
    }
    fn find_partner(&mut self, body: &Body<'_>, t: u32) -> Option<u32> {
        let k = longest(&self.triangle(body, t));
        let twin = body.model.solid().twin(3 * t + k as u32);
        if twin == NONE {
            return None;
        }
        let (other, l) = (twin / 3, (twin % 3) as usize);
        if other == t || longest(&self.triangle(body, other)) != l {
            return None;
        }
        // In one order, so that both triangles have the same result.
        let [(first, k), (second, l)] = if t < other { [(t, k), (other, l)] } else { [(other, l), (t, k)] };
        let [first, second] = [first, second].map(|t| self.triangle(body, t));
        let (o, r) = (first[(k + 2) % 3], second[(l + 2) % 3]);
        let [p, q, r] = [first[k], first[(k + 1) % 3], r].map(|x| sub(x, o));
        let n = cross(p, q);
        let (square, pp, qq, pq) = (dot(n, n), dot(p, p), dot(q, q), dot(p, q));
        // The sine of the angle at o is 1/4 at least.
        let is_wide = square >= pp * qq * 0.0625 && square < f64::INFINITY;
        let height = dot(n, r) / square.sqrt();
        // r = alpha p + beta q, times the square: the diagonals cross.
        let (rp, rq) = (dot(r, p), dot(r, q));
        let (alpha, beta) = (rp * qq - rq * pq, rq * pp - rp * pq);
        let is_convex = alpha >= 0.0 && beta >= 0.0 && alpha + beta >= square;
        (is_wide && is_convex && height.abs() <= self.flat).then_some(other)
    }
}

/// The longest edge of a triangle, from corner k to the next; the first of those that are equally long.
fn longest(t: &Triangle) -> usize {
    let square = |k: usize| {
        let w = sub(t[(k + 1) % 3], t[k]);
        dot(w, w)
    };
    (1..3).fold(0, |most, k| if square(k) > square(most) { k } else { most })
}

/// The distance from a point to about the nearest point of a triangle: not less than the distance, but for
/// rounding (Ericson 2005, section 5.1.5).
pub(super) fn distance(p: &Vector, t: &Triangle) -> f64 {
    let foot = foot(p, t);
    let w = sub(foot, *p);
    let square = dot(w, w);
    if square >= 0.0 { square.sqrt() } else { f64::INFINITY }
}

/// The nearest point of a triangle, roughly. It is always a point of the triangle, but for rounding.
pub(super) fn foot(p: &Vector, &[a, b, c]: &Triangle) -> Vector {
    let along = |p: Vector, q: Vector, n: f64, d: f64| {
        // Equal points have no direction.
        let s = if d > 0.0 { (n / d).clamp(0.0, 1.0) } else { 0.0 };
        [0, 1, 2].map(|k| p[k] + s * (q[k] - p[k]))
    };
    let (ab, ac, ap) = (sub(b, a), sub(c, a), sub(*p, a));
    let (d1, d2) = (dot(ab, ap), dot(ac, ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = sub(*p, b);
    let (d3, d4) = (dot(ab, bp), dot(ac, bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return along(a, b, d1, d1 - d3);
    }
    let cp = sub(*p, c);
    let (d5, d6) = (dot(ab, cp), dot(ac, cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return along(a, c, d2, d2 - d6);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return along(b, c, d4 - d3, (d4 - d3) + (d5 - d6));
    }
    let sum = va + vb + vc;
    // Rounding may have left none of the regions: a corner is a point of the triangle, too.
    if !(va >= 0.0 && vb >= 0.0 && vc >= 0.0 && sum > 0.0 && sum < f64::INFINITY) {
        return a;
    }
    let (v, w) = (vb / sum, vc / sum);
    [0, 1, 2].map(|k| a[k] + v * ab[k] + w * ac[k])
}
