//! Vertices of the intersection of two placed triangles, and their normals: decided over the real numbers,
//! then rounded to f64.
use super::intersection::{Carriers, Intersection, crossing_axis, ends, hull};
use crate::{
    Pose,
    exact::{
        DyadicTransform, Fixed, Integer, IntegerPoints, Lattice, Magnitude, TwoTriangles, WIDTHS, Wide,
        at_size, at_width, on_lattice,
    },
};

/// A point that both triangles share, on the segment from one to another of the six corners (0 to 2 the first
/// triangle's, 3 to 5 the second's).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct IntersectionVertex {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// In [0, 1], and within 4 u of the exact fraction.
    pub(crate) along: f64,
}

/// The vertices of the intersection of a pair of triangles, and both normals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IntersectionVertices {
    places: [IntersectionVertex; Intersection::MOST],
    len: usize,
    /// Normals in the world, right-handed by the order of the placed corners, their largest component in size
    /// being 2^61 to 2^62, each component within u of that; `None` exactly where the corners lie on one line.
    pub(crate) normals: [Option<[f64; 3]>; 2],
}

impl IntersectionVertices {
    /// All vertices of the two triangles' intersection, each once; none if they do not meet.
    pub(crate) fn of(a: &Pose, p: &[[f64; 3]; 3], b: &Pose, q: &[[f64; 3]; 3]) -> Self {
        let maps = [a, b].map(|pose| DyadicTransform::new(pose.rows(), pose.translation()));
        let six = TwoTriangles::new(&maps, [p, q]);
        on_lattice!(at_size, &six, 3, IntersectionVertices, g => IntersectionVertices::of_corners(g))
    }
    fn of_corners<I: Integer>(g: &IntegerPoints<I>) -> Self {
        let shared = Intersection::find(g, [hull(g, 0), hull(g, 3)]);
        let mut places = [IntersectionVertex { from: 0, to: 0, along: 0.0 }; Intersection::MOST];
        for (place, &vertex) in places.iter_mut().zip(shared.vertices()) {
            *place = place_of(g, vertex);
        }
        Self { places, len: shared.len, normals: [normal(g, [0, 1, 2]), normal(g, [3, 4, 5])] }
    }
    pub(crate) fn as_slice(&self) -> &[IntersectionVertex] {
        &self.places[..self.len]
    }
}

fn place_of<I: Integer>(g: &IntegerPoints<I>, [x, y]: Carriers) -> IntersectionVertex {
    let corner = |i: usize| IntersectionVertex { from: i, to: i, along: 0.0 };
    let through = |[from, to]: [usize; 2], face: usize| {
        let [start, end] = [from, to].map(|i| g.volume(face, face + 1, face + 2, i));
        IntersectionVertex { from, to, along: fraction(&start, &end) }
    };
    match (x.count_ones(), y.count_ones()) {
        (1, _) => corner(x.trailing_zeros() as usize),
        (_, 1) => corner(3 + y.trailing_zeros() as usize),
        (2, 3) => through(ends(x, 0), 3),
        (3, _) => through(ends(y, 3), 0),
        _ => {
            let ([from, to], [c, d]) = (ends(x, 0), ends(y, 3));
            let axis = crossing_axis(g, [from, to], [c, d]).unwrap_or(0);
            let along = fraction(&g.area(axis, c, d, from), &g.area(axis, c, d, to));
            IntersectionVertex { from, to, along }
        }
    }
}

fn normal<I: Integer>(g: &IntegerPoints<I>, [a, b, c]: [usize; 3]) -> Option<[f64; 3]> {
    let n = g.normal(a, b, c);
    let bits = n.iter().map(Magnitude::bits).max().filter(|&bits| bits > 0)?;
    Some(n.map(|x| f64::from(x.sign()) * top(&x, bits) as f64))
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
