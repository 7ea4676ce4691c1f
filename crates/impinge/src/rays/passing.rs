//! A triangle as a ray passes it, in f64 with error bounds: see the head of `rays.rs`.
use super::{
    cast::Cast,
    sides::{RayTriangle, bound},
};
use crate::vector::{UNIT, Vector, cross, dot, sub};

impl Cast<'_> {
    /// R v, and a bound of |R||v|.
    pub(super) fn turned(&self, v: &Vector) -> (Vector, f64) {
        if self.plain {
            return (*v, 0.0);
        }
        let (rows, mut most) = (self.body.pose.rows(), 0.0);
        let mut turned = [0.0; 3];
        for k in 0..3 {
            let terms = [rows[k][0] * v[0], rows[k][1] * v[1], rows[k][2] * v[2]];
            let sum = terms[0].abs() + terms[1].abs() + terms[2].abs();
            most = if sum <= most { most } else { sum };
            turned[k] = terms[0] + terms[1] + terms[2];
        }
        (turned, most)
    }
    /// Edges and plane of a triangle relative to the ray; `None` if the ray certainly misses it.
    #[inline(always)]
    pub(super) fn sides(&self, v: &[Vector; 3]) -> Option<RayTriangle> {
        let (mut c, mut e) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
        // Not `f64::max`, which drops NaN. A later number may replace a NaN here, but what is calculated from
        // the coordinate that is NaN is NaN itself, and proves nothing.
        let larger = |m: f64, x: f64| if x <= m { m } else { x };
        let (mut most_c, mut most_e, mut far, mut side) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..3 {
            let (at, sum) = self.turned(&v[i]);
            most_c = larger(most_c, sum);
            let (edge, sum) = self.turned(&sub(v[(i + 1) % 3], v[i]));
            most_e = larger(most_e, sum);
            for k in 0..3 {
                c[i][k] = at[k] + self.shift[k];
                e[i][k] = edge[k];
                far = larger(far, c[i][k].abs());
                side = larger(side, edge[k].abs());
            }
        }
        let off_c = 4.0 * UNIT * most_c + self.shift_off + UNIT * far + f64::MIN_POSITIVE;
        let off_e = 5.0 * UNIT * most_e + UNIT * side + f64::MIN_POSITIVE;
        let (x, d) = (far + off_c, self.direction);
        let bound = bound(x, side, off_c, off_e);
        let sides = [dot(cross(c[0], e[0]), d), dot(cross(c[1], e[1]), d), dot(cross(c[2], e[2]), d)];
        let above = sides.map(|x| x > bound);
        let below = sides.map(|x| x < -bound);
        if (above[0] | above[1] | above[2]) & (below[0] | below[1] | below[2]) {
            return None;
        }
        let is_through = above[0] & above[1] & above[2] | below[0] & below[1] & below[2];
        Some(RayTriangle { corner: c[0], edges: [e[0], e[1]], x, off_c, side, off_e, is_through })
    }
    /// Edges and plane of a triangle from the corner that is nearest to the origin. The two edges at that
    /// corner and the plane have its bounds: near an apex only these are small enough.
    #[inline(never)]
    pub(super) fn near_sides(&self, v: &[Vector; 3]) -> Option<RayTriangle> {
        let size = |v: &Vector| v[0].abs().max(v[1].abs()).max(v[2].abs());
        // A corner less the origin, and the bound of its error.
        let place = |v: &Vector| {
            let (at, sum) = self.turned(v);
            let c = [0, 1, 2].map(|k| at[k] + self.shift[k]);
            (c, 4.0 * UNIT * sum + self.shift_off + UNIT * size(&c) + f64::MIN_POSITIVE)
        };
        let sizes = v.map(|v| size(&place(&v).0));
        let nearest = (0..3).fold(0, |least, i| if sizes[i] < sizes[least] { i } else { least });
        let v = [0, 1, 2].map(|i| v[(nearest + i) % 3]);
        let edges = [0, 1, 2].map(|i| self.turned(&sub(v[(i + 1) % 3], v[i])));
        let [(near, off_c), (far, off_far)] = [place(&v[0]), place(&v[1])];
        let side = edges.iter().fold(0.0, |most: f64, (e, _)| most.max(size(e)));
        let most_e = edges.iter().fold(0.0, |most: f64, (_, sum)| most.max(*sum));
        let off_e = 5.0 * UNIT * most_e + UNIT * side + f64::MIN_POSITIVE;
        let (x, d) = (size(&near) + off_c, self.direction);
        let bounds = [bound(x, side, off_c, off_e), bound(size(&far) + off_far, side, off_far, off_e)];
        let bounds = [bounds[0], bounds[1], bounds[0]];
        // c_2 x e_2 is c_0 x e_2, as c_0 is c_2 + e_2.
        let ends = [near, far, near];
        let sides = [0, 1, 2].map(|i| dot(cross(ends[i], edges[i].0), d));
        let above = [0, 1, 2].map(|i| sides[i] > bounds[i]);
        let below = [0, 1, 2].map(|i| sides[i] < -bounds[i]);
        if above.contains(&true) && below.contains(&true) {
            return None;
        }
        let is_through = above == [true; 3] || below == [true; 3];
        Some(RayTriangle { corner: near, edges: [edges[0].0, edges[1].0], x, off_c, side, off_e, is_through })
    }
}
