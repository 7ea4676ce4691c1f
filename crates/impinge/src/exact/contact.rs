//! Where two placed triangles meet, and which way they face: decided over the real numbers, then rounded to
//! f64.
use super::{
    Poses,
    integer::{WIDTHS, at_width, cross},
    lattice::{Lattice, Map, Six},
    wide::Wide,
};
use crate::Pose;

/// A point that both triangles share, on the segment from one to another of the six corners (0 to 2 the first
/// triangle's, 3 to 5 the second's).
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
    /// Normals in the world, right-handed by the order of the placed corners, their largest component in size
    /// being 2^61 to 2^62, each component within u of that; `None` exactly where the corners lie on one line.
    pub(crate) normals: [Option<[f64; 3]>; 2],
}

impl Places {
    /// Six corners, six edges through the other's inside, nine crossings of edges.
    pub(crate) const MOST: usize = 6 + 6 + 9;

    /// All vertices of the two triangles' intersection, each once; none if they do not meet.
    ///
    /// What they share is convex. An end of it is a corner of one that lies in the other; or it lies inside
    /// an edge of one and strictly inside the other, whose plane the edge crosses; or it is where two edges
    /// cross, each between the other's ends.
    pub(crate) fn of(a: &Pose, p: &[[f64; 3]; 3], b: &Pose, q: &[[f64; 3]; 3]) -> Self {
        // A corner is a triangle, too.
        let poses = Poses::new(a, b);
        let inside = std::array::from_fn(|i| match i {
            0..3 => poses.meet(&[p[i]; 3], q),
            _ => poses.meet(p, &[q[i - 3]; 3]),
        });
        let maps = [a, b].map(|pose| Map::new(pose.rows(), pose.translation()));
        let six = Six::new(&maps, [p, q]);
        let lattice = six.lattice();
        at_width!(lattice.bits, 3, I => Corners::new(lattice, &six, I::ZERO).places(inside))
    }
    pub(crate) fn as_slice(&self) -> &[Place] {
        &self.places[..self.len]
    }
    fn push(&mut self, place: Place) {
        self.places[self.len] = place;
        self.len += 1;
    }
}

/// Corners of a triangle's edges.
const EDGES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

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
    /// `inside` says which corners lie in the other triangle.
    #[inline(never)]
    fn places(&self, inside: [bool; 6]) -> Places {
        let mut places = Places {
            places: [Place { from: 0, to: 0, along: 0.0 }; Places::MOST],
            len: 0,
            normals: [self.normal(0), self.normal(3)],
        };
        for i in (0..6).filter(|&i| inside[i]) {
            // A corner that both have counts once.
            if !(0..i).any(|j| inside[j] && self.0[i] == self.0[j]) {
                places.push(Place { from: i, to: i, along: 0.0 });
            }
        }
        let edges = [self.edges(0, places.normals[0].is_some()), self.edges(3, places.normals[1].is_some())];
        for (edges, first, face) in [(&edges[0], 0, 3), (&edges[1], 3, 0)] {
            let heights: [Wide<N>; 3] =
                std::array::from_fn(|i| self.volume(face, face + 1, face + 2, first + i));
            for &[from, to] in edges.iter().flatten() {
                let (start, end) = (&heights[from - first], &heights[to - first]);
                if start.sign() * end.sign() >= 0 {
                    continue;
                }
                // Seen along the edge, the other triangle goes round it.
                let sides = EDGES.map(|[k, l]| self.volume(from, to, face + k, face + l).sign());
                if sides == [1; 3] || sides == [-1; 3] {
                    places.push(Place { from, to, along: fraction(start, end) });
                }
            }
        }
        for &[a, b] in edges[0].iter().flatten() {
            for &[c, d] in edges[1].iter().flatten() {
                if let Some(along) = self.crossing([a, b], [c, d]) {
                    places.push(Place { from: a, to: b, along });
                }
            }
        }
        places
    }
    /// The edges of three corners from `first` on; if these lie on one line, it is the one that holds the
    /// others.
    fn edges(&self, first: usize, proper: bool) -> [Option<[usize; 2]>; 3] {
        if proper {
            return EDGES.map(|edge| Some(edge.map(|i| first + i)));
        }
        // Along a line, the lexicographic order of points is the order on the line.
        let ends = [first + 1, first + 2].iter().fold([first; 2], |[least, most], &i| {
            let less = self.0[i] < self.0[least];
            let more = self.0[i] > self.0[most];
            [if less { i } else { least }, if more { i } else { most }]
        });
        [Some(ends), None, None]
    }
    /// How far along the first edge the second crosses it, if each does so between the other's ends.
    fn crossing(&self, [a, b]: [usize; 2], [c, d]: [usize; 2]) -> Option<f64> {
        if self.volume(a, b, c, d).sign() != 0 {
            return None;
        }
        // Along an axis along which their plane is seen as a line, no side is strict.
        (0..3).find_map(|axis| {
            let area = |x, y, z| self.area(axis, x, y, z);
            let (start, end) = (area(c, d, a), area(c, d, b));
            let crosses = start.sign() * end.sign() < 0 && area(a, b, c).sign() * area(a, b, d).sign() < 0;
            crosses.then(|| fraction(&start, &end))
        })
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

/// The fraction |x| / (|x| + |y|), of which the larger is not 0: both are off by 1 in 2^61 of the larger at
/// most, and by u; the sum and the quotient round once each.
fn fraction<const N: usize>(x: &Wide<N>, y: &Wide<N>) -> f64 {
    let bits = x.bits().max(y.bits());
    let (x, y) = (top(x, bits) as f64, top(y, bits) as f64);
    x / (x + y)
}
