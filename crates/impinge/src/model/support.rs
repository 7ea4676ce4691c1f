//! The support function of a mesh, h(n) = max n . (v - c), from above: two bodies between which a plane fits are told apart by a few dozen numbers.
//!
//! It is known on a lattice of the cube's surface: 98 directions, those of a k-DOP (Klosowski et al. 1998). In between, n is a positive combination of four of them, and h no more than that of their
//! values, since it is sublinear.
use crate::{
    Mesh,
    motion::UNIT,
    vector::{Vector, sub},
};
use std::sync::{
    OnceLock,
    atomic::{AtomicU32, Ordering},
};

/// Directions along a side of the cube.
const SIDE: usize = 5;
/// Between them.
const STEP: f64 = 0.5;

/// See the head of this file.
#[derive(Clone, Debug)]
pub(crate) struct Support {
    /// No point's |x| + |y| + |z| about the centre is larger, but for rounding.
    size: f64,
    /// Of each face of the cube, +x first, then -x.
    values: [[[f64; SIDE]; SIDE]; 6],
}

impl Support {
    /// About c = lo / 2 + hi / 2, as computed. O(points), some 50 ns each.
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
                    let xy = x + lattice(i) * y;
                    for j in 0..SIDE {
                        let h = xy + lattice(j) * z;
                        let there = &mut values[2 * k][i][j];
                        *there = if h > *there { h } else { *there };
                        let opposite = &mut values[2 * k + 1][SIDE - 1 - i][SIDE - 1 - j];
                        *opposite = if -h > *opposite { -h } else { *opposite };
                    }
                }
            }
        }
        // A difference and two sums round, each by u of no more than the size; the sides of an extent that is subnormal may be off by that.
        let error = 8.0 * UNIT * size + 8.0 * f64::MIN_POSITIVE;
        values.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|h| *h += error);
        Self { size, values }
    }

    /// No point's |x| + |y| + |z| about the centre is larger, but for rounding.
    pub(crate) fn size(&self) -> f64 {
        self.size
    }

    /// A bound of h(m), but for some 32 u |m| [`size`](Self::size), and its gradient: about where it is attained. NaN for 0.
    pub(crate) fn at(&self, m: Vector) -> (f64, Vector) {
        let size = m.map(f64::abs);
        let k = if size[0] >= size[1] && size[0] >= size[2] { 0 } else { 1 + usize::from(size[2] > size[1]) };
        let (l, o, s) = ((k + 1) % 3, (k + 2) % 3, size[k]);
        let face = &self.values[2 * k + usize::from(m[k] < 0.0)];
        let cell = |x: f64| {
            let t = (x / s + 1.0) / STEP;
            // Of NaN the first.
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

/// A coordinate of the lattice.
fn lattice(i: usize) -> f64 {
    STEP * i as f64 - 1.0
}

/// A support function that is made once it has been wanted so often that it would have paid: it costs about as much as a query for every eight points.
#[derive(Debug, Default)]
pub(super) struct OnDemand {
    wanted: AtomicU32,
    made: OnceLock<Box<Support>>,
}

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
        // Two threads may count as one: no answer depends on it.
        let wanted = self.wanted.load(Ordering::Relaxed);
        self.wanted.store(wanted.saturating_add(1), Ordering::Relaxed);
        if wanted as usize >= mesh.points().len() / POINTS_A_TIME {
            self.made.get_or_init(|| Box::new(Support::new(mesh, extent)));
        }
    }
    pub(super) fn get(&self) -> Option<&Support> {
        self.made.get().map(|made| &**made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{mesh::extent_of, vector::dot};
    use impinge_testkit::{meshes, rng::Rng};

    /// Never less than the support function; the same on the lattice, and little more between; the gradient is one.
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
            let support = Support::new(&mesh, &extent);
            let centre = [0, 1, 2].map(|k| extent[0][k] / 2.0 + extent[1][k] / 2.0);
            let exactly = |m: Vector| {
                mesh.points().iter().map(|&v| dot(m, sub(v, centre))).fold(f64::NEG_INFINITY, f64::max)
            };
            for round in 0..3000 {
                let on_lattice = round % 3 == 0;
                let m = rng.point(1.0).map(|x| if on_lattice { (2.0 * x).round() / 2.0 } else { x });
                let greatest = m.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
                if greatest == 0.0 || (on_lattice && greatest != 1.0) {
                    continue;
                }
                let ((h, gradient), truth) = (support.at(m), exactly(m));
                let rounding = 64.0 * UNIT * greatest * support.size();
                assert!(h + rounding >= truth, "mesh {n}, {m:?}: {h} < {truth}");
                if on_lattice {
                    // Edges meet here: there is no gradient.
                    assert!(h - truth <= rounding, "mesh {n}, {m:?}: {h} > {truth}");
                    continue;
                }
                let d = rng.point(1e-6);
                let there = support.at([0, 1, 2].map(|k| m[k] + d[k])).0;
                steps += 1;
                // Not where it has an edge, or the largest component is another.
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
