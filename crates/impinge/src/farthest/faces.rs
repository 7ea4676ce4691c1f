//! The placed faces of the second body, and distances from them in f64.
use super::frame::Frame;
use crate::{
    Body,
    vector::{Vector, cross, dot, sub},
};

pub(super) type Triangle = [Vector; 3];

/// Placed corners, by the number of the mesh's point: those that were needed so far.
#[derive(Debug, Default)]
pub(super) struct Faces {
    at: Vec<Vector>,
}

impl Faces {
    pub(super) fn reset(&mut self, body: &Body<'_>) {
        self.at.clear();
        self.at.resize(body.model.mesh().points().len(), [f64::NAN; 3]);
    }
    /// The placed triangle.
    pub(super) fn corners(&mut self, frame: &Frame, body: &Body<'_>, t: u32) -> Triangle {
        let mesh = body.model.mesh();
        mesh.triangles()[t as usize].map(|v| {
            let at = &mut self.at[v as usize];
            if at[0].is_nan() {
                *at = frame.place(1, mesh.points()[v as usize]);
            }
            *at
        })
    }
}

/// The distance from a point to about the nearest point of a triangle: not less than the distance, but for
/// rounding (Ericson 2005, section 5.1.5).
pub(super) fn distance(p: &Vector, t: &Triangle) -> f64 {
    let foot = foot(p, t);
    let w = sub(foot, *p);
    let square = dot(w, w);
    if square >= 0.0 { square.sqrt() } else { f64::INFINITY }
}

/// About the nearest point of a triangle: within rounding of a point of it, whatever it is taken for.
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

/// Whether triangles whose corners may be off by a third of `room` certainly have no point in common: a
/// direction separates them. Its values round by less than 8 u of the size of coordinates, which `room` has.
pub(super) fn are_apart(p: &Triangle, q: &Triangle, room: f64) -> bool {
    if (0..3).any(|k| {
        let of = |t: &Triangle, pick: fn(f64, f64) -> f64| pick(pick(t[0][k], t[1][k]), t[2][k]);
        of(p, f64::min) - of(q, f64::max) > room || of(q, f64::min) - of(p, f64::max) > room
    }) {
        return true;
    }
    let edges = |t: &Triangle| [sub(t[1], t[0]), sub(t[2], t[1]), sub(t[0], t[2])];
    let (u, v) = (edges(p), edges(q));
    let separates = |w: Vector| {
        let (of_p, of_q) = (p.map(|x| dot(w, x)), q.map(|x| dot(w, x)));
        let least = |s: [f64; 3]| s[0].min(s[1]).min(s[2]);
        let most = |s: [f64; 3]| s[0].max(s[1]).max(s[2]);
        let room = room * (w[0].abs() + w[1].abs() + w[2].abs());
        least(of_q) - most(of_p) > room || least(of_p) - most(of_q) > room
    };
    let [n, m] = [cross(u[0], u[1]), cross(v[0], v[1])];
    separates(m)
        || separates(n)
        || u.iter().any(|u| v.iter().any(|v| separates(cross(*u, *v))))
        // In one plane.
        || v.iter().any(|v| separates(cross(m, *v)))
        || u.iter().any(|u| separates(cross(n, *u)))
}
