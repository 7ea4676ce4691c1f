//! Balls cut by up to two slabs (Larsson and Akenine-Moller 2008, section 6), and their parameters relative
//! to the parent's (section 7).
//!
//! The second slab is at right angles to the first. The tests are the paper's, except that the last one has
//! the general form of `impinge-volumes` (`volume/scb.rs`). Along a normal g, a ball that is cut by slabs of
//! normals n1 and n2 at right angles lies in sum k_i [f_i, e_i] -+ |g - sum k_i n_i| r, where k_i = g.n_i.
use super::walk::{Map, ROUNDING, Vector, Volume, dot, sub};

/// { x : low <= normal.(x - c) <= high }, where c is the centre of the ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab {
    pub(super) normal: Vector,
    low: f64,
    high: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CutBall {
    pub(super) centre: Vector,
    pub(super) radius: f64,
    slabs: [Slab; 2],
    /// The number of slabs.
    pub(super) count: usize,
}

/// Cosine above which slabs are compared, of the angle between their normals (as in the paper).
const ALIGNED: f64 = 0.7;

/// Operations and comparisons by the paper's Table 1: those of transforming a point and a normal, and of each
/// test. A second slab adds a product, a residual and an interval to the last test.
const POINT: u64 = 18;
const NORMAL: u64 = 15;
const BALLS: u64 = 11;
const SLAB_BALL: u64 = 9;
const BALL_SLAB: u64 = 12;
const SLAB_CUT: u64 = 26;
const CUT_SLAB: u64 = 21;
const SECOND: u64 = 15;

/// Operations to decode a volume relative to its parent: centre and radius (7), normal from two numbers (13
/// and a root), planes (4).
pub(super) const DECODING: u64 = 25;

fn scaled(v: &Vector, by: f64) -> Vector {
    v.map(|x| x * by)
}
fn unit(v: Vector) -> Option<Vector> {
    let length = dot(&v, &v).sqrt();
    (length > 1e-150).then(|| scaled(&v, 1.0 / length))
}
fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
}

impl Slab {
    fn around(normal: Vector, centre: &Vector, points: &[Vector]) -> Self {
        let [low, high] = points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], p| {
            let x = dot(&normal, &sub(p, centre));
            [low.min(x), high.max(x)]
        });
        Self { normal, low, high }
    }
    fn misses_ball(&self, distance: f64, radius: f64) -> bool {
        distance - self.high > radius || self.low - distance > radius
    }
}

fn furthest(centre: &Vector, points: &[Vector]) -> f64 {
    let square = |p: &Vector| {
        let d = sub(p, centre);
        dot(&d, &d)
    };
    points.iter().map(square).fold(0.0, f64::max).sqrt()
}

impl CutBall {
    /// Ball around the centre that contains the points, cut by slabs with these normals.
    pub(super) fn around(centre: Vector, normals: &[Vector], points: &[Vector]) -> Self {
        let slab = |k: usize| normals.get(k).map(|&normal| Slab::around(normal, &centre, points));
        let none = Slab { normal: [0.0; 3], low: 0.0, high: 0.0 };
        Self {
            centre,
            radius: furthest(&centre, points),
            slabs: [slab(0).unwrap_or(none), slab(1).unwrap_or(none)],
            count: normals.len().min(2),
        }
    }
    /// The normal of the first slab.
    pub(super) fn normal(&self) -> Vector {
        self.slabs[0].normal
    }
    /// Ball with at most the first `count` slabs.
    pub(super) fn with(self, count: usize) -> Self {
        Self { count: count.min(self.count), ..self }
    }
    /// Ball with the slabs before the first that cuts off less than this part of the rest.
    pub(super) fn worthwhile(self, part: f64) -> Self {
        let mut kept = self.with(0);
        for count in 1..=self.count {
            let next = self.with(count);
            if next.volume() > (1.0 - part) * kept.volume() {
                break;
            }
            kept = next;
        }
        kept
    }

    /// Volume; for two slabs by Simpson's rule across the first.
    fn volume(&self) -> f64 {
        const STEPS: usize = 16;
        use std::f64::consts::PI;
        let r = self.radius;
        let [first, second] = self.slabs.map(|slab| [slab.low.max(-r), slab.high.min(r)]);
        match self.count {
            0 => 4.0 / 3.0 * PI * r.powi(3),
            // Volume of the ball below x: the integral of pi (r^2 - x^2).
            1 => {
                let below = |x: f64| PI * (r * r * x - x.powi(3) / 3.0);
                below(first[1]) - below(first[0])
            }
            _ => {
                // Area below x of a disc of radius q, up to a constant.
                let below = |q: f64, x: f64| {
                    let x = x.clamp(-q, q);
                    if q > 0.0 { x * (q * q - x * x).max(0.0).sqrt() + q * q * (x / q).asin() } else { 0.0 }
                };
                let step = (first[1] - first[0]) / STEPS as f64;
                let section = |k: usize| {
                    let x = first[0] + k as f64 * step;
                    let q = (r * r - x * x).max(0.0).sqrt();
                    below(q, second[1]) - below(q, second[0])
                };
                let weight = |k: usize| if k == 0 || k == STEPS { 1.0 } else { 2.0 + 2.0 * (k % 2) as f64 };
                (0..=STEPS).map(|k| weight(k) * section(k)).sum::<f64>() * step / 3.0
            }
        }
    }

    fn slabs(&self) -> &[Slab] {
        &self.slabs[..self.count]
    }
    /// Ball in other coordinates.
    fn placed(&self, map: &Map) -> Self {
        let slabs = self.slabs.map(|slab| Slab { normal: map.direction(&slab.normal), ..slab });
        Self { centre: map.point(&self.centre), slabs, ..*self }
    }

    /// True if a slab, at distance d along its normal from the other's centre, misses the whole of `other`.
    fn slab_misses(
        slab: &Slab,
        d: f64,
        other: &Self,
        slack: f64,
        (cost, operations): (u64, &mut u64),
    ) -> bool {
        let k: Vec<f64> = other.slabs().iter().map(|o| dot(&slab.normal, &o.normal)).collect();
        if k.iter().map(|k| k * k).sum::<f64>() <= ALIGNED * ALIGNED {
            return false;
        }
        *operations += cost + SECOND * (k.len() as u64 - 1);
        // The slabs of `other`, one by one and together, each give an interval.
        let sets: &[&[usize]] = if k.len() == 2 { &[&[0], &[1], &[0, 1]] } else { &[&[0]] };
        sets.iter().any(|set| {
            let (mut residual, [mut low, mut high]) = (slab.normal, [d, d]);
            for &i in *set {
                let (k, o) = (k[i], &other.slabs[i]);
                residual = std::array::from_fn(|x| residual[x] - k * o.normal[x]);
                low += (k * o.low).min(k * o.high);
                high += (k * o.low).max(k * o.high);
            }
            let reach = dot(&residual, &residual).sqrt() * other.radius + slack;
            low - reach > slab.high || high + reach < slab.low
        })
    }
}

impl Volume for CutBall {
    fn is_apart(&self, moving: &Self, map: &Map, operations: &mut u64) -> bool {
        let other = moving.placed(map);
        let across = sub(&other.centre, &self.centre);
        let size =
            self.centre.iter().chain(&other.centre).chain(&moving.centre).map(|x| x.abs()).sum::<f64>();
        let slack = ROUNDING * (size + self.radius + other.radius);
        let [r, s] = [self.radius + slack, other.radius + slack];
        *operations += POINT + BALLS;
        if dot(&across, &across) > (r + s) * (r + s) {
            return true;
        }
        let along = |slab: &Slab| dot(&slab.normal, &across);
        for slab in self.slabs() {
            *operations += SLAB_BALL;
            if slab.misses_ball(along(slab), s) {
                return true;
            }
        }
        for slab in other.slabs() {
            *operations += NORMAL + BALL_SLAB;
            if slab.misses_ball(-along(slab), r) {
                return true;
            }
        }
        let mut misses = |one: &Self, d: f64, slab: &Slab, cost| {
            Self::slab_misses(slab, d, one, 2.0 * slack, (cost, &mut *operations))
        };
        self.slabs().iter().any(|slab| misses(&other, along(slab), slab, SLAB_CUT))
            || other.slabs().iter().any(|slab| misses(self, -along(slab), slab, CUT_SLAB))
    }
    fn size(&self) -> f64 {
        self.radius
    }
}

/// Direction at right angles to the normal along which the points are narrow. It is the best of 8 around the
/// normal and of those across the longest distances.
pub(super) fn second_normal(normal: &Vector, points: &[Vector], ends: &[[Vector; 2]]) -> Option<Vector> {
    let axis = (0..3).min_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs()))?;
    let u = unit(cross(normal, &std::array::from_fn(|k| f64::from(u8::from(k == axis)))))?;
    let v = cross(normal, &u);
    let around = (0..8).map(|k| {
        let (s, c) = (f64::from(k) * std::f64::consts::PI / 8.0).sin_cos();
        std::array::from_fn(|i| c * u[i] + s * v[i])
    });
    let across = ends.iter().filter_map(|[p, q]| unit(cross(normal, &sub(q, p))));
    // Widths of the extremal points, which are few, are lower bounds.
    let few = if points.len() <= 26 { points } else { ends.as_flattened() };
    let width = |n: &Vector| {
        let Slab { low, high, .. } = Slab::around(*n, &few[0], few);
        high - low
    };
    around.chain(across).min_by(|a, b| width(a).total_cmp(&width(b)))
}

/// Number of bits of each parameter of a child relative to its parent: three of the centre, radius, two of
/// the normal, two of the planes. Eight parameters of b bits take b bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relative {
    pub(super) bits: u32,
}

impl Relative {
    /// Volume around the points with one slab, as it is decoded.
    pub(super) fn store(
        self,
        parent: &CutBall,
        centre: &Vector,
        normal: &Vector,
        points: &[Vector],
    ) -> CutBall {
        let half = f64::from((1_u32 << (self.bits - 1)) - 1);
        let whole = f64::from((1_u32 << self.bits) - 1);
        // Centre: multiples of R / half from the parent's; radius: of R / whole. If the ball were larger than
        // the parent's, it is the parent's, which holds the points, too.
        let offset = sub(centre, &parent.centre);
        let steps = offset.map(|x| (x / parent.radius * half).round().clamp(-half, half));
        let mut stored: Vector = std::array::from_fn(|k| {
            parent.centre[k] + if parent.radius > 0.0 { steps[k] * parent.radius / half } else { 0.0 }
        });
        let mut step = (furthest(&stored, points) / parent.radius * whole * (1.0 + ROUNDING)).ceil();
        if step.partial_cmp(&whole).is_none_or(std::cmp::Ordering::is_gt) {
            (stored, step) = (parent.centre, whole);
        }
        let radius = parent.radius * step / whole;
        let normal = self.normal(normal);
        let mut slab = Slab::around(normal, &stored, points);
        if radius > 0.0 {
            // Rounded outwards; beyond the ball a plane cuts nothing.
            slab.low = ((slab.low / radius * half) - 1e-6).floor().max(-half) * radius / half;
            slab.high = ((slab.high / radius * half) + 1e-6).ceil().min(half) * radius / half;
        }
        CutBall { centre: stored, radius, slabs: [slab; 2], count: 1 }
    }

    /// Unit vector from two rounded numbers: half of an octahedron, unfolded into a square.
    fn normal(self, n: &Vector) -> Vector {
        let half = f64::from((1_u32 << (self.bits - 1)) - 1);
        let n = if n[2] < 0.0 { n.map(|x| -x) } else { *n };
        let sum = n.iter().map(|x| x.abs()).sum::<f64>();
        let [u, v] = [n[0] + n[1], n[0] - n[1]].map(|x| (x / sum * half).round() / half);
        let (x, y) = ((u + v) / 2.0, (u - v) / 2.0);
        unit([x, y, 1.0 - x.abs() - y.abs()]).unwrap_or([0.0, 0.0, 1.0])
    }
}

#[cfg(test)]
mod tests;
