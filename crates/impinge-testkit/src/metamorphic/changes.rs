//! Changes of meshes that keep the set of points, or move both sets in the same way.
use super::{
    bodies::{Point, Triangles, reversed},
    change::Change,
    variant::{Variant, is_sum},
};
use crate::rng::Rng;

impl Change {
    /// Makes the change. Returns false if the pair does not allow it.
    pub(super) fn make(self, rng: &mut Rng, variant: &mut Variant) -> bool {
        let i = rng.below(2) as usize;
        let body = &mut variant.bodies[i];
        let triangles = &mut body.triangles;
        match self {
            Self::Permute => rng.shuffle(triangles),
            Self::RotateCorners => triangles.iter_mut().for_each(|t| t.rotate_left(rng.below(3) as usize)),
            Self::OtherDiagonals => return other_diagonals(rng, triangles),
            Self::SplitEdges => return split_edge(rng, triangles),
            Self::SplitFaces => {
                let Some(t) = any_index(rng, triangles) else { return false };
                let [a, b, c] = triangles[t];
                let Some(p) = midpoint(a, b).and_then(|m| midpoint(m, c)) else { return false };
                triangles[t] = [a, b, p];
                triangles.extend([[b, c, p], [c, a, p]]);
            }
            Self::DoubleSheets => return variant.double(rng, i),
            Self::InnerWalls => {
                if !variant.is_full[i] || body.convex.is_empty() {
                    return false;
                }
                let points = &body.convex[rng.below(body.convex.len() as u64) as usize];
                let mut corner = || midpoint(*rng.pick(points), *rng.pick(points));
                let (Some(a), Some(b), Some(c)) = (corner(), corner(), corner()) else { return false };
                let wall = [a, b, c];
                triangles.extend([wall, [wall[2], wall[1], wall[0]]]);
                variant.has_walls = true;
            }
            Self::Degenerate => {
                let Some(t) = any_index(rng, triangles) else { return false };
                let [a, b, c] = triangles[t];
                let Some(middle) = midpoint(a, b) else { return false };
                triangles.push(*rng.pick(&[[a; 3], [a, b, b], [c, a, c], [a, b, middle], [middle, b, a]]));
            }
            Self::Repeat => {
                if !variant.is_oriented[i] || triangles.len() > 40 {
                    return false;
                }
                let again = triangles.clone();
                triangles.extend(again);
            }
            Self::Reverse => *triangles = reversed(triangles),
            Self::Merge => variant.merged[i] = true,
            Self::Mirror => {
                let axis = rng.below(3) as usize;
                return variant.map(|mut p| {
                    p[axis] = -p[axis];
                    Some(p)
                });
            }
            Self::Turn => {
                let by = 1 + rng.below(2) as usize;
                return variant.map(|mut p| {
                    p.rotate_left(by);
                    Some(p)
                });
            }
            Self::Translate => {
                let far = 1_i64 << rng.int(0, 44);
                let t = rng.grid_point(far);
                return variant.map(|p| {
                    let q = [0, 1, 2].map(|k| p[k] + t[k]);
                    (0..3).all(|k| is_sum(p[k], t[k], q[k])).then_some(q)
                });
            }
            Self::Scale => {
                let exponent = *rng.pick(&[-1, 1, 10, -99, 133, -498, 498, -960, 980]);
                let by = f64::from_bits(u64::from((1023_i32 + exponent).unsigned_abs()) << 52);
                let done = variant.map(|p| {
                    let q = p.map(|x| x * by);
                    q.iter().zip(p).all(|(&x, from)| x.is_normal() || from == 0.0).then_some(q)
                });
                variant.scale += if done { exponent } else { 0 };
                return done;
            }
            Self::Swap => {
                variant.swap();
            }
            Self::Pose => {
                variant.posed[i] = true;
            }
        }
        true
    }
}

fn any_index(rng: &mut Rng, triangles: &Triangles) -> Option<usize> {
    (!triangles.is_empty()).then(|| rng.below(triangles.len() as u64) as usize)
}

/// Midpoint of a and b. `None` if it would be rounded: differences from both ends are exact, as these have
/// few bits.
fn midpoint(a: Point, b: Point) -> Option<Point> {
    let m = [0, 1, 2].map(|k| (a[k] + b[k]) / 2.0);
    (0..3).all(|k| m[k] - a[k] == b[k] - m[k]).then_some(m)
}

pub(super) fn normal([a, b, c]: [Point; 3]) -> Point {
    let [u, v] = [b, c].map(|p| [0, 1, 2].map(|k| p[k] - a[k]));
    [0, 1, 2].map(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        u[i] * v[j] - u[j] * v[i]
    })
}

fn dot(u: Point, v: Point) -> f64 {
    (0..3).map(|k| u[k] * v[k]).sum()
}

/// Exchanges the diagonal of one quadrilateral, or of several. Differences of coordinates have few bits, so
/// normals are exact unless they overflow or underflow. In those cases [`exchanged`] finds no area.
fn other_diagonals(rng: &mut Rng, triangles: &mut Triangles) -> bool {
    let mut changed = false;
    let start = rng.below(triangles.len() as u64) as usize;
    let many = rng.one_in(2);
    for i in (start..triangles.len()).chain(0..start) {
        for j in 0..triangles.len() {
            if let Some(other) = exchanged(triangles[i], triangles[j]).filter(|_| i != j) {
                [triangles[i], triangles[j]] = other;
                changed = true;
                break;
            }
        }
        if changed && !many {
            break;
        }
    }
    changed
}

/// Triangles a, b, d and a, d, c in place of a, b, c and c, b, d, if these are a flat, strictly convex
/// quadrilateral.
fn exchanged(t: [Point; 3], u: [Point; 3]) -> Option<[[Point; 3]; 2]> {
    for k in 0..3 {
        let [a, b, c] = [t[k], t[(k + 1) % 3], t[(k + 2) % 3]];
        let Some(l) = (0..3).find(|&l| u[l] == c && u[(l + 1) % 3] == b) else { continue };
        let d = u[(l + 2) % 3];
        let n = normal(t);
        let halves = [[a, b, d], [a, d, c]];
        let is_flat = dot(n, [0, 1, 2].map(|k| d[k] - a[k])) == 0.0;
        let is_convex = halves.iter().chain([&u]).all(|&half| dot(normal(half), n) > 0.0);
        if is_flat && is_convex {
            return Some(halves);
        }
    }
    None
}

fn split_edge(rng: &mut Rng, triangles: &mut Triangles) -> bool {
    let Some(t) = any_index(rng, triangles) else { return false };
    let [a, b, c] = triangles[t];
    let Some(middle) = midpoint(a, b) else { return false };
    triangles[t] = [a, middle, c];
    triangles.push([middle, b, c]);
    if rng.one_in(2) {
        for t in 0..triangles.len() {
            let [x, y, z] = triangles[t];
            for [p, q, r] in [[x, y, z], [y, z, x], [z, x, y]] {
                if p == b && q == a {
                    triangles[t] = [p, middle, r];
                    triangles.push([middle, q, r]);
                    break;
                }
            }
        }
    }
    true
}

impl Variant {
    /// Maps all points of both bodies; does nothing if one of them cannot be mapped without rounding.
    fn map(&mut self, map: impl Fn(Point) -> Option<Point>) -> bool {
        let mut done = self.bodies.clone();
        for body in &mut done {
            let convex = body.convex.iter_mut().flatten();
            for p in body.triangles.iter_mut().flatten().chain(convex) {
                let Some(q) = map(*p) else { return false };
                *p = q;
            }
        }
        self.bodies = done;
        true
    }
    /// Gives a surface a back.
    fn double(&mut self, rng: &mut Rng, i: usize) -> bool {
        let triangles = &mut self.bodies[i].triangles;
        if self.is_closed[i] || triangles.len() > 20 {
            return false;
        }
        let mut back = reversed(triangles);
        for _ in 0..rng.below(3) {
            if rng.one_in(3) {
                split_edge(rng, &mut back);
            } else if !back.is_empty() {
                other_diagonals(rng, &mut back);
            }
        }
        triangles.extend(back);
        self.is_doubled[i] = true;
        true
    }
}
