//! Where two placed triangles meet, and which way they face: decided over the real numbers, then rounded to f64.
use super::{
    Poses,
    integer::{WIDTHS, at_width, cross},
    lattice::{Lattice, Map, Six},
    wide::Wide,
};
use crate::Pose;

/// A place that both triangles have: of the six corners (0 to 2 the first triangle's, 3 to 5 the second's), on the segment from
/// one to another, so far along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// In [0, 1], and within 4 u of the exact fraction.
    pub(crate) along: f64,
}

/// What is said of a pair of triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    places: [Place; Places::MOST],
    len: usize,
    /// Normals in the world, right-handed by the order of the placed corners, their largest component in size being 2^61 to 2^62, each
    /// component within u of that; `None` exactly where the corners lie on one line.
    pub(crate) normals: [Option<[f64; 3]>; 2],
}

impl Places {
    /// Six corners, six edges through the other's inside, nine crossings of edges.
    pub(crate) const MOST: usize = 6 + 6 + 9;

    /// All places that are an end of what the two triangles share, some perhaps twice; none if they do not meet.
    ///
    /// What they share is convex. An end of it is a corner of one that lies in the other; or it lies inside an edge of one and crosses
    /// the other's inside from one side to the other; or it is where two edges cross, each inside of the other.
    pub(crate) fn of(a: &Pose, p: &[[f64; 3]; 3], b: &Pose, q: &[[f64; 3]; 3]) -> Self {
        let mut places =
            Self { places: [Place { from: 0, to: 0, along: 0.0 }; Self::MOST], len: 0, normals: [None; 2] };
        // A corner is a triangle, too.
        let poses = Poses::new(a, b);
        for i in 0..3 {
            if poses.meet(&[p[i]; 3], q) {
                places.push(Place { from: i, to: i, along: 0.0 });
            }
            if poses.meet(p, &[q[i]; 3]) {
                places.push(Place { from: 3 + i, to: 3 + i, along: 0.0 });
            }
        }
        let maps = [a, b].map(|pose| Map::new(pose.rows(), pose.translation()));
        let six = Six::new(&maps, [p, q]);
        let lattice = six.lattice();
        at_width!(lattice.bits, 3, I => places.edges(&Corners::new(lattice, &six, I::ZERO)));
        places
    }
    pub(crate) fn as_slice(&self) -> &[Place] {
        &self.places[..self.len]
    }
    fn push(&mut self, place: Place) {
        self.places[self.len] = place;
        self.len += 1;
    }

    #[inline(never)]
    fn edges<const N: usize>(&mut self, corners: &Corners<N>) {
        const EDGES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];
        self.normals = [corners.normal(0), corners.normal(3)];
        for (edges, face) in [(0, 3), (3, 0)] {
            let heights: [Wide<N>; 3] =
                std::array::from_fn(|i| corners.volume(face, face + 1, face + 2, edges + i));
            for [i, j] in EDGES {
                if heights[i].sign() * heights[j].sign() >= 0 {
                    continue;
                }
                let (from, to) = (edges + i, edges + j);
                // On which side of the edge those of the face go round it.
                let sides = EDGES.map(|[k, l]| corners.volume(from, to, face + k, face + l).sign());
                if !(sides.contains(&1) && sides.contains(&-1)) {
                    self.push(Place { from, to, along: fraction(&heights[i], &heights[j]) });
                }
            }
        }
        for [a, b] in EDGES {
            for [c, d] in EDGES.map(|edge| edge.map(|i| 3 + i)) {
                if corners.volume(a, b, c, d).sign() != 0 {
                    continue;
                }
                // Along an axis along which their plane is seen as a line, no side is strict.
                for axis in 0..3 {
                    let area = |x, y, z| corners.area(axis, x, y, z);
                    let (of_a, of_b) = (area(c, d, a), area(c, d, b));
                    if of_a.sign() * of_b.sign() < 0 && area(a, b, c).sign() * area(a, b, d).sign() < 0 {
                        self.push(Place { from: a, to: b, along: fraction(&of_a, &of_b) });
                        break;
                    }
                }
            }
        }
    }
}

/// Six placed corners as integers.
struct Corners<const N: usize>([[Wide<N>; 3]; 6]);

impl<const N: usize> Corners<N> {
    /// `zero` says how wide.
    fn new(lattice: Lattice, six: &Six<'_>, zero: Wide<N>) -> Self {
        let mut corners = [[zero; 3]; 6];
        for (i, corner) in corners.iter_mut().enumerate() {
            for (k, x) in corner.iter_mut().enumerate() {
                *x = lattice.coordinate(six.maps[i / 3], &six.points[i / 3], k, i % 3);
            }
        }
        Self(corners)
    }
    fn minus(&self, a: usize, b: usize) -> [Wide<N>; 3] {
        std::array::from_fn(|k| self.0[a][k] - self.0[b][k])
    }
    /// det(b - a, c - a, d - a).
    fn volume(&self, a: usize, b: usize, c: usize, d: usize) -> Wide<N> {
        let (n, v) = (cross(&self.minus(b, a), &self.minus(c, a)), self.minus(d, a));
        n[0] * v[0] + n[1] * v[1] + n[2] * v[2]
    }
    /// Twice the area of a triangle, seen along an axis, and which way it turns.
    fn area(&self, axis: usize, a: usize, b: usize, c: usize) -> Wide<N> {
        let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
        let (u, v) = (self.minus(b, a), self.minus(c, a));
        u[x] * v[y] - u[y] * v[x]
    }
    /// Of three corners, from the first on.
    fn normal(&self, first: usize) -> Option<[f64; 3]> {
        let n = cross(&self.minus(first + 1, first), &self.minus(first + 2, first));
        let bits = n.iter().map(Wide::bits).max().filter(|&bits| bits > 0)?;
        Some(n.map(|x| f64::from(x.sign()) * top(&x, bits) as f64))
    }
}

/// The leading bits of |x|, on a scale on which a number of so many bits has 62.
fn top<const N: usize>(x: &Wide<N>, bits: u32) -> u64 {
    x.shifted_down(bits.saturating_sub(62)) << 62_u32.saturating_sub(bits)
}

/// |x| / (|x| + |y|), of which the larger is not 0: both are off by 1 in 2^61 of the larger at most, and by u; the sum and the quotient
/// round once each.
fn fraction<const N: usize>(x: &Wide<N>, y: &Wide<N>) -> f64 {
    let bits = x.bits().max(y.bits());
    let (x, y) = (top(x, bits) as f64, top(y, bits) as f64);
    x / (x + y)
}
