//! The points of a body, by coordinate.
use crate::{
    Body, Pose,
    simd::{Lanes, MOST_DOUBLES, Mask, Simd},
    vector::{Vector, dot},
};

/// The most points of a body.
pub(super) const MOST_POINTS: usize = 256;
/// Numbers of a row: a vector may reach beyond the last one.
const ROW: usize = MOST_POINTS + MOST_DOUBLES;

/// The points of a body in its own frame; and in the world their heights, and their depths behind the
/// outermost one.
#[derive(Debug)]
pub(super) struct HullPoints {
    len: usize,
    rows: [Vector; 3],
    at: [[f64; ROW]; 3],
    height: [f64; ROW],
    pub(super) depth: [f64; ROW],
}

impl Default for HullPoints {
    fn default() -> Self {
        Self {
            len: 0,
            rows: *Pose::IDENTITY.rows(),
            at: [[0.0; ROW]; 3],
            height: [0.0; ROW],
            depth: [0.0; ROW],
        }
    }
}

impl HullPoints {
    /// Sets the points, of which there are 1 to [`MOST_POINTS`].
    pub(super) fn set(&mut self, body: &Body<'_>) {
        let points = body.model.mesh().points();
        self.rows = *body.pose.rows();
        self.len = points.len();
        let [x, y, z] = &mut self.at;
        for (((x, y), z), point) in x.iter_mut().zip(y).zip(z).zip(points) {
            (*x, *y, *z) = (point[0], point[1], point[2]);
        }
        // Lanes behind the last point repeat the first.
        for (row, x) in self.at.iter_mut().zip(points[0]) {
            row[self.len..self.len + MOST_DOUBLES].fill(x);
        }
    }
    /// The point at the pose's linear part, and moved.
    #[inline(always)]
    pub(super) fn placed(&self, i: u32, by: Vector) -> Vector {
        let [x, y, z] = &self.at;
        let i = i as usize;
        let v = [x[i], y[i], z[i]];
        let [p, q, r] = &self.rows;
        [dot(*p, v) + by[0], dot(*q, v) + by[1], dot(*r, v) + by[2]]
    }
    /// A direction of the world in the body's frame.
    #[inline(always)]
    fn turned(&self, n: Vector) -> Vector {
        let [p, q, r] = &self.rows;
        [
            p[0] * n[0] + q[0] * n[1] + r[0] * n[2],
            p[1] * n[0] + q[1] * n[1] + r[1] * n[2],
            p[2] * n[0] + q[2] * n[1] + r[2] * n[2],
        ]
    }
    /// The heights of some points along a direction in the body's frame.
    #[inline(always)]
    fn some<S: Simd>(&self, simd: S, m: &[S::Doubles; 3], at: usize) -> S::Doubles {
        let [x, y, z] = &self.at;
        let (x, y, z) = (load(simd, x, at), load(simd, y, at), load(simd, z, at));
        x.mul_add(m[0], y.mul_add(m[1], z * m[2]))
    }
    /// Computes the heights of all points along a direction. Returns the least and the greatest; NaN if any
    /// is not finite.
    #[inline(always)]
    pub(super) fn heights<S: Simd>(&mut self, simd: S, n: Vector) -> [f64; 2] {
        let m = simd.splat_doubles(&self.turned(n));
        let (mut least, mut most) = (simd.doubles(f64::INFINITY), simd.doubles(f64::NEG_INFINITY));
        let (mut at, mut sum) = (0, simd.doubles(0.0));
        while at < self.len && at <= ROW - MOST_DOUBLES {
            let h = self.some(simd, &m, at);
            sum = sum + h.abs();
            least = least.min(h);
            most = most.max(h);
            store(simd, h, &mut self.height, at);
            at += S::DOUBLES;
        }
        let (mut low, mut high) = ([f64::INFINITY; MOST_DOUBLES], [f64::NEG_INFINITY; MOST_DOUBLES]);
        simd.store_doubles(least, &mut low);
        simd.store_doubles(most, &mut high);
        let mut sums = [0.0; MOST_DOUBLES];
        simd.store_doubles(sum, &mut sums);
        let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
        for lane in 0..S::DOUBLES {
            if !sums[lane].is_finite() {
                return [f64::NAN; 2];
            }
            ends[0] = if low[lane] < ends[0] { low[lane] } else { ends[0] };
            ends[1] = if high[lane] > ends[1] { high[lane] } else { ends[1] };
        }
        ends
    }
    /// Computes the depths of all points behind the outermost height. Returns those up to a limit as bits.
    #[inline(always)]
    pub(super) fn near<S: Simd>(&mut self, simd: S, end: f64, limit: f64) -> [u64; MOST_POINTS / 64] {
        let (end, limit) = (simd.doubles(end), simd.doubles(limit));
        let mut near = [0; MOST_POINTS / 64];
        let mut at = 0;
        while at < self.len && at <= ROW - MOST_DOUBLES {
            let depth = (load(simd, &self.height, at) - end).abs();
            store(simd, depth, &mut self.depth, at);
            let bits = !u64::from(depth.gt(limit).bits()) & ((1 << S::DOUBLES) - 1);
            near[at / 64 % near.len()] |= bits << (at % 64);
            at += S::DOUBLES;
        }
        // Lanes behind the last point.
        if self.len < MOST_POINTS {
            near[self.len / 64] &= (1 << (self.len % 64)) - 1;
        }
        near
    }
    /// The farthest point along a direction of the world.
    #[inline(always)]
    fn farthest<S: Simd>(&self, simd: S, n: Vector) -> u32 {
        let m = simd.splat_doubles(&self.turned(n));
        let mut best = [simd.doubles(f64::NEG_INFINITY); 2];
        let mut found = [simd.doubles(0.0); 2];
        let (mut number, step) = (simd.doubles(0.0), simd.doubles(1.0));
        let mut at = 0;
        // Two vectors at a time, which do not wait for each other.
        while at < self.len && at <= ROW - MOST_DOUBLES {
            let h = self.some(simd, &m, at);
            let higher = h.gt(best[0]);
            (best[0], found[0]) = (h.or_else(higher, best[0]), number.or_else(higher, found[0]));
            // Lanes behind the last point have an earlier one's height.
            let next = if at + S::DOUBLES < self.len { at + S::DOUBLES } else { at };
            let h = self.some(simd, &m, next);
            let higher = h.gt(best[1]);
            (best[1], found[1]) = (h.or_else(higher, best[1]), number.or_else(higher, found[1]));
            number = number + step;
            at += 2 * S::DOUBLES;
        }
        let (mut most, mut nearest) = (f64::NEG_INFINITY, 0);
        for half in 0..2 {
            let (mut heights, mut numbers) = ([0.0; MOST_DOUBLES], [0.0; MOST_DOUBLES]);
            simd.store_doubles(best[half], &mut heights);
            simd.store_doubles(found[half], &mut numbers);
            for lane in 0..S::DOUBLES {
                if heights[lane] > most {
                    most = heights[lane];
                    let at = (2 * numbers[lane] as usize + half) * S::DOUBLES + lane;
                    // The first point's height is also that of lanes behind the last.
                    nearest = if at < self.len { at } else { 0 };
                }
            }
        }
        nearest as u32
    }
}

/// The numbers from `at` on.
#[inline(always)]
fn load<S: Simd>(simd: S, row: &[f64; ROW], at: usize) -> S::Doubles {
    let Some(rest) = row.get(at..) else { return simd.doubles(f64::NAN) };
    let Some(some) = rest.first_chunk() else { return simd.doubles(f64::NAN) };
    simd.load_doubles(some)
}

/// Writes numbers from `at` on. What follows up to [`MOST_DOUBLES`] is overwritten, too.
#[inline(always)]
fn store<S: Simd>(simd: S, x: S::Doubles, row: &mut [f64; ROW], at: usize) {
    let Some(rest) = row.get_mut(at..) else { return };
    let Some(some) = rest.first_chunk_mut() else { return };
    simd.store_doubles(x, some);
}

/// The point of the first body that is farthest along a direction, and that of the second which is farthest
/// against it.
#[inline(always)]
pub(super) fn farthest_apart<S: Simd>(simd: S, [a, b]: &[HullPoints; 2], n: Vector) -> [u32; 2] {
    [a.farthest(simd, n), b.farthest(simd, [-n[0], -n[1], -n[2]])]
}
