//! Distances of pairs of triangles, without the library's boxes and other filters.
//!
//! The nine differences of the corners are computed in f64, relative to the two translations, and divided by
//! a power of two. The distance is that of the origin from their convex hull: the least over all corners,
//! edges and triangles of these nine points. Its error is far below [`SLACK`]. If f64 does not decide, the
//! oracle's integers do.
use crate::oracle;
use impinge::{Mesh, Pose, hierarchy::Vector};
use std::{cell::Cell, cmp::Ordering};

/// Error of a bound relative to the largest number, with a margin.
const SLACK: f64 = 1e-12;

/// The distances of all pairs of triangles of two placed meshes.
pub(super) struct Distances<'a> {
    sides: [(&'a Mesh, Pose); 2],
    /// Bounds of the distance, by first triangle, then by second.
    all: Vec<[f64; 2]>,
    /// Remaining number of calls of the oracle.
    budget: Cell<u32>,
}

impl<'a> Distances<'a> {
    pub(super) fn new(sides: [(&'a Mesh, Pose); 2], budget: u32) -> Self {
        let shift = minus(sides[1].1.translation(), sides[0].1.translation());
        let turned = sides.map(|(mesh, pose)| {
            let turn = |v: Vector| pose.rows().map(|row| dot(&row, &v));
            (0..mesh.len() as u32).map(|i| mesh.corners(i).map(turn)).collect::<Vec<[Vector; 3]>>()
        });
        let [p, q] = &turned;
        let all = p.iter().flat_map(|p| q.iter().map(move |q| distance(p, q, &shift))).collect();
        Self { sides, all, budget: Cell::new(budget) }
    }
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        let [a, b] = self.sides.map(|(mesh, _)| mesh.len() as u32);
        (0..a).flat_map(move |i| (0..b).map(move |j| [i, j]))
    }
    fn triangles(&self, [i, j]: [u32; 2]) -> [[Vector; 3]; 2] {
        [self.sides[0].0.corners(i), self.sides[1].0.corners(j)]
    }
    fn found(&self, [i, j]: [u32; 2]) -> [f64; 2] {
        self.all[i as usize * self.sides[1].0.len() + j as usize]
    }
    /// Compares a pair's distance with d. `None` if f64 does not decide and the budget is spent.
    pub(super) fn compare(&self, pair: [u32; 2], d: f64) -> Option<Ordering> {
        let [least, most] = self.found(pair);
        if least > d {
            return Some(Ordering::Greater);
        }
        if most < d {
            return Some(Ordering::Less);
        }
        self.budget.set(self.budget.get().checked_sub(1)?);
        let ([p, q], [(_, a), (_, b)]) = (self.triangles(pair), &self.sides);
        Some(if d == 0.0 {
            if oracle::intersects(&p, a, &q, b) { Ordering::Equal } else { Ordering::Greater }
        } else {
            oracle::compare_distance(&p, a, &q, b, d)
        })
    }
    /// The pairs that are certainly no further apart than d, and those that may be.
    pub(super) fn within(&self, d: f64) -> [Vec<[u32; 2]>; 2] {
        let mut found = [vec![], vec![]];
        for pair in self.pairs() {
            let order = self.compare(pair, d);
            if order.is_some_and(Ordering::is_le) {
                found[0].push(pair);
            }
            if order.is_none_or(Ordering::is_le) {
                found[1].push(pair);
            }
        }
        found
    }
}

fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|k| a[k] - b[k])
}

/// Bounds of the distance of p and q + shift. The upper one is the length of a point of the hull. The lower
/// one is the distance of the half space along that point's direction that contains the hull.
fn distance(p: &[Vector; 3], q: &[Vector; 3], shift: &Vector) -> [f64; 2] {
    let mut all = [[0.0; 3]; 9];
    let mut largest = 0.0_f64;
    for (k, d) in all.iter_mut().enumerate() {
        let (x, y) = (&p[k / 3], &q[k % 3]);
        *d = [0, 1, 2].map(|i| shift[i] + (y[i] - x[i]));
        let sizes = [x, y, &*d, shift].map(|v| v[0].abs().max(v[1].abs()).max(v[2].abs()));
        largest = sizes.into_iter().fold(largest, f64::max);
    }
    if largest == 0.0 {
        return [0.0, 0.0];
    }
    // All numbers are between 2^-600 and 2^600, or 0.
    let down = 2.0_f64.powi(-(largest.log2().floor() as i32));
    let all = all.map(|v| v.map(|x| x * down));
    let mut best = (f64::INFINITY, [0.0; 3]);
    let mut take = |v: Vector| {
        let square = dot(&v, &v);
        if square < best.0 {
            best = (square, v);
        }
    };
    for (i, x) in all.iter().enumerate() {
        take(*x);
        for (j, y) in all.iter().enumerate().skip(i + 1) {
            let u = minus(y, x);
            let s = -dot(x, &u) / dot(&u, &u);
            if s > 0.0 && s < 1.0 {
                take([0, 1, 2].map(|k| x[k] + s * u[k]));
            }
            for z in &all[j + 1..] {
                let v = minus(z, x);
                let (uu, uv, vv) = (dot(&u, &u), dot(&u, &v), dot(&v, &v));
                let (xu, xv) = (-dot(x, &u), -dot(x, &v));
                let over = 1.0 / (uu * vv - uv * uv);
                let (s, t) = ((xu * vv - xv * uv) * over, (xv * uu - xu * uv) * over);
                if s > 0.0 && t > 0.0 && s + t < 1.0 {
                    take([0, 1, 2].map(|k| x[k] + (s * u[k] + t * v[k])));
                }
            }
        }
    }
    let (square, nearest) = best;
    let length = square.sqrt();
    let along = all.iter().fold(f64::INFINITY, |least, d| least.min(dot(d, &nearest)));
    let least = if length > SLACK { along / length - SLACK } else { 0.0 };
    [least.max(0.0) / down, (length + SLACK) / down]
}
