//! Upper bound of the support function of a mesh, h(n) = max n . (v - c). With it a few dozen operations
//! prove that a plane lies between two bodies.
//!
//! It is sampled on a grid of directions on a cube's surface: 98 of them, those of a k-DOP (Klosowski et al.
//! 1998). Between them n is a positive combination of four of the grid's directions. As h is sublinear, h(n)
//! is at most the same combination of their values.
use crate::{
    Mesh,
    vector::UNIT,
    vector::{Vector, sub},
};
use std::sync::{
    OnceLock,
    atomic::{AtomicU32, Ordering},
};

/// The number of directions along an edge of the cube.
const SIDE: usize = 5;
/// The distance of adjacent directions, on the cube [-1, 1]^3.
const STEP: f64 = 0.5;

/// An upper bound of a mesh's support function: see the head of this file.
#[derive(Clone, Debug)]
pub(crate) struct SupportBound {
    /// The greatest |x| + |y| + |z| of a point relative to the centre, up to rounding.
    size: f64,
    /// h at the grid's directions, for the faces +x, -x, +y, -y, +z, -z of the cube.
    values: [[[f64; SIDE]; SIDE]; 6],
}

impl SupportBound {
    /// Samples the support function relative to c = lo / 2 + hi / 2, as computed. O(points), some 50 ns each.
    pub(super) fn new(mesh: &Mesh, [lo, hi]: &[Vector; 2]) -> Self {
        let centre = [0, 1, 2].map(|k| lo[k] / 2.0 + hi[k] / 2.0);
        let size = (0..3).map(|k| hi[k] / 2.0 - lo[k] / 2.0).sum();
        let mut used = vec![false; mesh.points().len()];
        mesh.triangles().as_flattened().iter().for_each(|&i| used[i as usize] = true);
        let mut values = [[[f64::NEG_INFINITY; SIDE]; SIDE]; 6];
        for (v, _) in mesh.points().iter().zip(&used).filter(|(_, used)| **used) {
            let w = sub(*v, centre);
            for k in 0..3 {
                let (x, y, z) = (w[k], w[(k + 1) % 3], w[(k + 2) % 3]);
                for i in 0..SIDE {
                    let xy = x + grid(i) * y;
                    for j in 0..SIDE {
                        let h = xy + grid(j) * z;
                        let there = &mut values[2 * k][i][j];
                        *there = if h > *there { h } else { *there };
                        let opposite = &mut values[2 * k + 1][SIDE - 1 - i][SIDE - 1 - j];
                        *opposite = if -h > *opposite { -h } else { *opposite };
                    }
                }
            }
        }
        // One difference and two sums, each with an error of at most u times the size, and the loss of a
        // subnormal side of the mesh's box.
        let error = 8.0 * UNIT * size + 8.0 * f64::MIN_POSITIVE;
        values.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|h| *h += error);
        Self { size, values }
    }

    /// The greatest |x| + |y| + |z| of a point relative to the centre, up to rounding.
    pub(crate) fn size(&self) -> f64 {
        self.size
    }

    /// An upper bound of h(m), up to an error of 32 u |m| times [`size`](Self::size); and its gradient, which
    /// is roughly the point where h(m) is attained. NaN if m is 0.
    pub(crate) fn at(&self, m: Vector) -> (f64, Vector) {
        let size = m.map(f64::abs);
        let k = if size[0] >= size[1] && size[0] >= size[2] { 0 } else { 1 + usize::from(size[2] > size[1]) };
        let (l, o, s) = ((k + 1) % 3, (k + 2) % 3, size[k]);
        let face = &self.values[2 * k + usize::from(m[k] < 0.0)];
        let cell = |x: f64| {
            let t = (x / s + 1.0) / STEP;
            // A NaN becomes the first cell.
            let i = (t as usize).min(SIDE - 2);
            (i, t - i as f64)
        };
        let ((i, u), (j, v)) = (cell(m[l]), cell(m[o]));
        let [[a, b], [c, d]] = [[face[i][j], face[i][j + 1]], [face[i + 1][j], face[i + 1][j + 1]]];
        let [low, high] = [a + v * (b - a), c + v * (d - c)];
        let h = low + u * (high - low);
        let mut gradient = [0.0; 3];
        gradient[l] = (high - low) / STEP;
        gradient[o] = ((1.0 - u) * (b - a) + u * (d - c)) / STEP;
        gradient[k] = (h - (m[l] * gradient[l] + m[o] * gradient[o]) / s) * m[k].signum();
        (s * h, gradient)
    }
}

fn grid(i: usize) -> f64 {
    STEP * i as f64 - 1.0
}

/// A support function that is computed after so many requests that it pays: its cost is about that of one
/// query for every eight points.
#[derive(Debug, Default)]
pub(super) struct OnDemand {
    wanted: AtomicU32,
    made: OnceLock<Box<SupportBound>>,
}

/// The number of points for which the support function costs about as much as one query.
const POINTS_A_TIME: usize = 8;

impl Clone for OnDemand {
    fn clone(&self) -> Self {
        Self { wanted: AtomicU32::new(self.wanted.load(Ordering::Relaxed)), made: self.made.clone() }
    }
}

impl OnDemand {
    pub(super) fn want(&self, mesh: &Mesh, extent: &[Vector; 2]) {
        if self.made.get().is_some() {
            return;
        }
        // Two threads may count as one: no result depends on the count.
        let wanted = self.wanted.load(Ordering::Relaxed);
        self.wanted.store(wanted.saturating_add(1), Ordering::Relaxed);
        if wanted as usize >= mesh.points().len() / POINTS_A_TIME {
            self.made.get_or_init(|| Box::new(SupportBound::new(mesh, extent)));
        }
    }
    pub(super) fn get(&self) -> Option<&SupportBound> {
        self.made.get().map(|made| &**made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{meshes, rng::Rng};
    use crate::{mesh::extent_of, vector::dot};

    /// The bound is never below the support function; it is equal on the grid and little above it between;
    /// and the gradient is its gradient.
    #[test]
    fn it_bounds_the_support_function() {
        let mut rng = Rng::new(5);
        let scaled = |m, s: f64, t: f64| meshes::mapped(&m, |v| v.map(|x| s * x + t));
        let (ball, torus, soup) =
            (meshes::icosphere(3), meshes::torus(20, 12, 0.3), meshes::soup(3, 40, 0.5));
        let (mut loosest, mut steps, mut smooth) = (0.0_f64, 0, 0);
        for (n, of) in [
            ball.clone(),
            torus.clone(),
            soup.clone(),
            scaled(torus, 1e-3, 1e7),
            scaled(soup, 1e300, 0.0),
            scaled(ball, 1e-200, 0.0),
        ]
        .iter()
        .enumerate()
        {
            let mesh = Mesh::new(of.points().to_vec(), of.triangles().to_vec()).unwrap();
            let extent = extent_of(&mesh);
            let support = SupportBound::new(&mesh, &extent);
            let centre = [0, 1, 2].map(|k| extent[0][k] / 2.0 + extent[1][k] / 2.0);
            let exactly = |m: Vector| {
                mesh.points().iter().map(|&v| dot(m, sub(v, centre))).fold(f64::NEG_INFINITY, f64::max)
            };
            for round in 0..3000 {
                let on_grid = round % 3 == 0;
                let m = rng.point(1.0).map(|x| if on_grid { (2.0 * x).round() / 2.0 } else { x });
                let greatest = m.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
                if greatest == 0.0 || (on_grid && greatest != 1.0) {
                    continue;
                }
                let ((h, gradient), truth) = (support.at(m), exactly(m));
                let rounding = 64.0 * UNIT * greatest * support.size();
                assert!(h + rounding >= truth, "mesh {n}, {m:?}: {h} < {truth}");
                if on_grid {
                    // The bound has edges here: it has no gradient.
                    assert!(h - truth <= rounding, "mesh {n}, {m:?}: {h} > {truth}");
                    continue;
                }
                let d = rng.point(1e-6);
                let there = support.at([0, 1, 2].map(|k| m[k] + d[k])).0;
                steps += 1;
                // Except across an edge, or where another component becomes the largest.
                smooth += usize::from((there - h - dot(gradient, d)).abs() <= 1e-10 * support.size());
                if n == 0 {
                    loosest = loosest.max(h / truth);
                }
            }
            assert!(support.at([0.0; 3]).0.is_nan());
        }
        assert!((1.01..1.06).contains(&loosest), "of a ball: {loosest}");
        assert!(smooth > steps / 10 * 9, "gradients: {smooth} of {steps}");
    }
}
