//! The winding number of triangles around a point, by signed tetrahedra.
//!
//! 1. Take a point e, the *apex*. Every triangle t and e span a tetrahedron with a sign. It is positive if e
//!    is behind t.
//! 2. The boundary of the sum of these is the sum of the triangles and of the triangles that e and their
//!    edges span. In a closed chain edges cancel, and only the triangles remain.
//! 3. So the winding number of a point on none of the planes is the sum of the signs of the tetrahedra that
//!    contain it. If it lies on the plane of e and an edge, another apex is used.
use super::numbers::{IntegerTriangle, RationalPoint, normal};
use crate::rng::Rng;

/// A half-space n x + d w, positive at the inner side of a face of a tetrahedron.
#[derive(Clone, Copy)]
struct Side {
    n: [i128; 3],
    d: i128,
}

impl Side {
    fn of(triangle: &IntegerTriangle, inner: [i64; 3]) -> Self {
        let n = normal(triangle);
        let at = |p: [i64; 3]| (0..3).map(|k| n[k] * i128::from(p[k])).sum::<i128>();
        let by = (at(inner) - at(triangle[0])).signum();
        Self { n: n.map(|x| x * by), d: -at(triangle[0]) * by }
    }
    fn value(&self, p: &RationalPoint) -> i128 {
        (0..3).map(|k| self.n[k] * p.x[k]).sum::<i128>() + self.d * p.w
    }
}

struct Tetrahedron {
    sides: [Side; 4],
    sign: i32,
}

/// Winding numbers of the triangles of one mesh.
pub(super) struct Winding<'a> {
    triangles: &'a [IntegerTriangle],
    rng: Rng,
    /// The tetrahedra of each apex that was used.
    spans: Vec<Vec<Tetrahedron>>,
}

impl<'a> Winding<'a> {
    pub(super) fn new(triangles: &'a [IntegerTriangle]) -> Self {
        Self { triangles, rng: Rng::new(11), spans: Vec::new() }
    }
    /// The winding number of a point on none of the planes, and the number of tetrahedra that contain it. The
    /// parity of that number does not depend on the orientation of triangles. `None` if no apex is suitable,
    /// which does not happen.
    pub(super) fn at(&mut self, p: &RationalPoint) -> Option<[i32; 2]> {
        (0..100).find_map(|i| {
            if i == self.spans.len() {
                let apex = self.rng.grid_point(1000).map(|x| x as i64);
                self.spans.push(self.triangles.iter().filter_map(|t| tetrahedron(t, apex)).collect());
            }
            let (mut sum, mut count) = (0, 0);
            for tetrahedron in &self.spans[i] {
                let least = tetrahedron.sides.iter().map(|side| side.value(p).signum()).min()?;
                if least == 0 {
                    return None;
                }
                if least > 0 {
                    sum += tetrahedron.sign;
                    count += 1;
                }
            }
            Some([sum, count])
        })
    }
}

fn tetrahedron(t: &IntegerTriangle, apex: [i64; 3]) -> Option<Tetrahedron> {
    let [a, b, c] = *t;
    let n = normal(t);
    let height: i128 = (0..3).map(|k| n[k] * i128::from(apex[k] - a[k])).sum();
    let sides = || {
        [
            Side::of(t, apex),
            Side::of(&[apex, a, b], c),
            Side::of(&[apex, b, c], a),
            Side::of(&[apex, c, a], b),
        ]
    };
    (height != 0).then(|| Tetrahedron { sides: sides(), sign: if height < 0 { 1 } else { -1 } })
}
