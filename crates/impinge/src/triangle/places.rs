//! Where two placed triangles meet, and which way they face: decided over the real numbers, then rounded to
//! f64.
use super::exact::{contains, lexicographic};
use crate::{
    Pose,
    exact::{
        DyadicTransform, Fixed, Integer, IntegerPoints, Lattice, Magnitude, Predicates, TwoTriangles, WIDTHS,
        Wide, at_size, at_width,
    },
};

/// A point that both triangles share, on the segment from one to another of the six corners (0 to 2 the first
/// triangle's, 3 to 5 the second's).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// In [0, 1], and within 4 u of the exact fraction.
    pub(crate) along: f64,
}

/// The vertices of the intersection of a pair of triangles, and both normals.
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
    /// The intersection is convex. An end of it is a corner of one that lies in the other; or it lies inside
    /// an edge of one and strictly inside the other, whose plane the edge crosses; or it is where two edges
    /// cross, each between the other's ends.
    pub(crate) fn of(a: &Pose, p: &[[f64; 3]; 3], b: &Pose, q: &[[f64; 3]; 3]) -> Self {
        let maps = [a, b].map(|pose| DyadicTransform::new(pose.rows(), pose.translation()));
        let six = TwoTriangles::new(&maps, [p, q]);
        let lattice = six.lattice();
        at_size!(lattice.bits, 3, I => Corners::<I>::places(lattice, &six))
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
struct Corners<I>(IntegerPoints<I>);

impl<I: Integer> Corners<I> {
    #[inline(never)]
    fn places(lattice: Lattice, six: &TwoTriangles<'_>) -> Places {
        let mut corners = Self(IntegerPoints::ZERO);
        corners.0.put(lattice, six);
        corners.all()
    }
    fn all(&self) -> Places {
        let g = &self.0;
        let mut places = Places {
            places: [Place { from: 0, to: 0, along: 0.0 }; Places::MOST],
            len: 0,
            normals: [self.normal([0, 1, 2]), self.normal([3, 4, 5])],
        };
        let inside = [contains(g, [3, 4, 5], [0, 1, 2]), contains(g, [0, 1, 2], [3, 4, 5])];
        let inside = inside.as_flattened();
        for i in (0..6).filter(|&i| inside[i]) {
            // A corner that both have counts once.
            if !(0..i).any(|j| inside[j] && g.same(i, j)) {
                places.push(Place { from: i, to: i, along: 0.0 });
            }
        }
        let edges = [self.edges(0, places.normals[0].is_some()), self.edges(3, places.normals[1].is_some())];
        for (edges, first, face) in [(&edges[0], 0, 3), (&edges[1], 3, 0)] {
            let plane = [face, face + 1, face + 2];
            let sides = g.sides(plane, [first, first + 1, first + 2]);
            for &[from, to] in edges.iter().flatten() {
                if sides[from - first] * sides[to - first] >= 0 {
                    continue;
                }
                // Seen along the edge, the other triangle goes round it.
                let turns = EDGES.map(|[k, l]| g.orient3d(from, to, face + k, face + l));
                if turns == [1; 3] || turns == [-1; 3] {
                    let [start, end] = [from, to].map(|i| g.volume(face, face + 1, face + 2, i));
                    places.push(Place { from, to, along: fraction(&start, &end) });
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
            let less = lexicographic(&self.0, i, least).is_lt();
            let more = lexicographic(&self.0, i, most).is_gt();
            [if less { i } else { least }, if more { i } else { most }]
        });
        [Some(ends), None, None]
    }
    /// How far along the first edge the second crosses it, if each does so between the other's ends.
    fn crossing(&self, [a, b]: [usize; 2], [c, d]: [usize; 2]) -> Option<f64> {
        let g = &self.0;
        if g.orient3d(a, b, c, d) != 0 {
            return None;
        }
        // Along an axis along which their plane is seen as a line, no side is strict.
        let axis = (0..3).find(|&axis| {
            let side = |x, y, z| g.orient2d(axis, x, y, z);
            side(c, d, a) * side(c, d, b) < 0 && side(a, b, c) * side(a, b, d) < 0
        })?;
        Some(fraction(&g.area(axis, c, d, a), &g.area(axis, c, d, b)))
    }
    fn normal(&self, [a, b, c]: [usize; 3]) -> Option<[f64; 3]> {
        let n = self.0.normal(a, b, c);
        let bits = n.iter().map(Magnitude::bits).max().filter(|&bits| bits > 0)?;
        Some(n.map(|x| f64::from(x.sign()) * top(&x, bits) as f64))
    }
}

/// The leading bits of |x|, on a scale on which a number of so many bits has 62.
fn top(x: &impl Magnitude, bits: u32) -> u64 {
    x.shifted_down(bits.saturating_sub(62)) << 62_u32.saturating_sub(bits)
}

/// The fraction |x| / (|x| + |y|), the larger not being 0: both are off by 1 in 2^61 of the larger at most,
/// and by u; the sum and the quotient round once each.
fn fraction<M: Magnitude>(x: &M, y: &M) -> f64 {
    let bits = x.bits().max(y.bits());
    let (x, y) = (top(x, bits) as f64, top(y, bits) as f64);
    x / (x + y)
}
