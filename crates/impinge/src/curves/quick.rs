//! The commonest contact, in floating point: two triangles in general position that cross in a segment.
//!
//! # Definition
//! Two triangles that meet, each with corners strictly on both sides of the other's plane, and with all four
//! orders of their intervals' ends on the line of the planes strict: see `intervals_overlap` in
//! `triangle/exact.rs`, whose signs these are. The ends of the segment are where the later one of the two
//! first edges, and the earlier one of the two last ones, run through the other triangle. If they meet in
//! more than a point, two comparisons remain.
//!
//! # Errors
//! With u = 2^-53: a placed coordinate R v + t is off by at most e = 5 u (|R| r + |t|), with r no less than
//! any |v|: three products and three sums, and an underflow. A difference d of two is off by 2 e and u |d|,
//! so by no more than f = 2 e + u m where m is the largest of them. A determinant of three differences has
//! six monomials: three factors of size m + f, off by f, make 18 (m + f)^2 f; two products, and sums of a
//! minor and of three, round by at most 8 u of six monomials, 48 u (m + f)^3. 20 and 64 are taken.

use crate::{
    Body, Pose,
    triangle::intersection::Carriers,
    vector::{UNIT, Vector, cross, dot, sub},
};

/// Two placed bodies, and how far their points' coordinates may be off.
pub(super) struct Quick {
    poses: [Pose; 2],
    error: f64,
}

const NEXT: [usize; 3] = [1, 2, 0];

impl Quick {
    pub(super) fn new(bodies: [&Body<'_>; 2]) -> Self {
        let of = |body: &Body<'_>| {
            let (rows, t, reach) = (body.pose.rows(), body.pose.translation(), body.model.reach());
            let size = |k: usize| (0..3).map(|i| rows[k][i].abs() * reach[i]).sum::<f64>() + t[k].abs();
            5.0 * UNIT * (1.0 + 16.0 * UNIT) * size(0).max(size(1)).max(size(2)) + f64::MIN_POSITIVE
        };
        Self { poses: bodies.map(|body| body.pose), error: of(bodies[0]).max(of(bodies[1])) }
    }
    /// The ends of the segment in which two triangles that meet cross, if that is certain.
    #[inline(always)]
    pub(super) fn segment(&self, p: &[Vector; 3], q: &[Vector; 3]) -> Option<[Carriers; 2]> {
        let place = |body: usize, v: &Vector| {
            let (rows, t) = (self.poses[body].rows(), self.poses[body].translation());
            // Written out: `map` is not always inlined.
            [dot(rows[0], *v) + t[0], dot(rows[1], *v) + t[1], dot(rows[2], *v) + t[2]]
        };
        let a = [place(0, &p[0]), place(0, &p[1]), place(0, &p[2])];
        let b = [place(1, &q[0]), place(1, &q[1]), place(1, &q[2])];
        let mut m = 0.0_f64;
        for v in a.iter().chain(&b) {
            for k in 0..3 {
                let d = (v[k] - a[0][k]).abs();
                m = if d > m { d } else { m };
            }
        }
        // For any two of them.
        let m = 2.0 * m;
        let off = 2.0 * self.error + 2.0 * UNIT * m;
        let wide = m + off;
        let certain = 20.0 * wide * wide * off + 64.0 * UNIT * wide * wide * wide + f64::MIN_POSITIVE;
        let sign = |x: f64| {
            // NaN is nothing.
            if x > certain {
                1
            } else if x < -certain {
                -1
            } else {
                0
            }
        };
        let sides = |t: &[Vector; 3], of: &[Vector; 3]| {
            let normal = cross(sub(t[1], t[0]), sub(t[2], t[0]));
            let side = |i: usize| sign(dot(normal, sub(of[i], t[0])));
            [side(0), side(1), side(2)]
        };
        let (of_a, of_b) = (sides(&b, &a), sides(&a, &b));
        let ((i, s), (j, r)) = (alone(of_a)?, alone(of_b)?);
        let ends = |i: usize, sign: i32| {
            let (least, most) = if sign > 0 { (NEXT[NEXT[i]], NEXT[i]) } else { (NEXT[i], NEXT[NEXT[i]]) };
            [least, most]
        };
        let ([a0, a1], [b0, b1]) = (ends(i, s), ends(j, -r));
        // 1 where the end on a's edge from i to k comes before that on b's edge from j to l.
        let before = |k: usize, l: usize| {
            let normal = cross(sub(a[k], a[i]), sub(b[j], a[i]));
            s * r * sign(dot(normal, sub(b[l], a[i])))
        };
        if before(a0, b1) != 1 || before(a1, b0) != -1 {
            return None;
        }
        let edge = |i: usize, k: usize| 1_u8 << i | 1 << k;
        let first = match before(a0, b0) {
            1 => [7, edge(j, b0)],
            -1 => [edge(i, a0), 7],
            _ => return None,
        };
        let last = match before(a1, b1) {
            1 => [edge(i, a1), 7],
            -1 => [7, edge(j, b1)],
            _ => return None,
        };
        Some([first, last])
    }
}

/// The corner that lies on another side than both others, and its side.
#[inline(always)]
fn alone(sides: [i32; 3]) -> Option<(usize, i32)> {
    if sides.contains(&0) {
        return None;
    }
    let i = (0..3).find(|&i| sides[NEXT[i]] != sides[i] && sides[NEXT[NEXT[i]]] != sides[i])?;
    Some((i, sides[i]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::near_degenerate::{FAMILIES, near_degenerate};
    use crate::{BuildOptions, Mesh, Model, posed::probe::Space, triangle::intersection};

    /// Every certain result is that of integers, for triangles that nearly touch.
    #[test]
    fn what_is_said_is_what_integers_say() {
        let (mut said, mut met) = (0, 0);
        for i in 0..FAMILIES.len() as u64 * 3000 {
            let case = near_degenerate(92, i);
            // The testkit's poses are of another build of this library.
            let own = |rows: &[[f64; 3]; 3], t: &[f64; 3]| Pose::affine(*rows, *t).unwrap();
            let poses = [
                own(case.pose_p.rows(), case.pose_p.translation()),
                own(case.pose_q.rows(), case.pose_q.translation()),
            ];
            let model = |t: [Vector; 3]| {
                Model::new(Mesh::new(t.to_vec(), vec![[0, 1, 2]]).unwrap(), &BuildOptions::default())
            };
            let models = [model(case.p), model(case.q)];
            let [a, b] = [0, 1].map(|x| Body::new(&models[x], poses[x]));
            if !crate::intersects(&a, &b) {
                continue;
            }
            met += 1;
            let Some(mut ends) = Quick::new([&a, &b]).segment(&case.p, &case.q) else { continue };
            said += 1;
            let space = Space::in_world(poses.each_ref(), [0, 1].map(|x| models[x].solid().bits()));
            let mut found = Vec::new();
            space.ask_triangles([0, 1], [&case.p, &case.q], &mut |g| {
                intersection::each(g, &mut |cell| found.push(cell.vertices[..cell.len].to_vec()));
            });
            ends.sort_unstable();
            found.iter_mut().for_each(|vertices| vertices.sort_unstable());
            assert_eq!(found, [ends.to_vec()], "{case:?}");
        }
        assert!(said > 500 && met > said, "{said} of {met}");
    }
}
