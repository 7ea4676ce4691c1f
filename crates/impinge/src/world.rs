//! A placed mesh's box in the world, compared over the real numbers.
use crate::{Mesh, Pose, exact::Coordinate, motion::UNIT};
use std::cmp::Ordering;

/// The closed axis-aligned box of a placed mesh: exact, though its corners may not be f64 numbers.
///
/// Made in O(vertices); two are compared in O(1).
#[derive(Clone, Debug)]
pub struct WorldBox {
    /// Per axis, the least and the greatest coordinate.
    faces: [[Face; 2]; 3],
}

/// One exact coordinate, and an f64 interval that holds it.
#[derive(Clone, Copy, Debug)]
struct Face {
    exact: Coordinate,
    lo: f64,
    hi: f64,
}

impl Face {
    fn new(row: [f64; 3], t: f64, v: [f64; 3]) -> Self {
        let near = row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + t;
        let exact = Coordinate { row, t, v };
        if t == 0.0
            && row.iter().filter(|&&r| r != 0.0).count() == 1
            && row.iter().all(|&r| r == 0.0 || r == 1.0)
        {
            return Self { exact, lo: near, hi: near };
        }
        let size = (row[0] * v[0]).abs() + (row[1] * v[1]).abs() + (row[2] * v[2]).abs() + t.abs();
        // Four roundings at most, a fifth for those of the bound; MIN_POSITIVE for underflow.
        let error = 5.0 * UNIT * size + f64::MIN_POSITIVE;
        // `near` overflows, to infinity or NaN, only where `size` does: then nothing is known.
        if error == f64::INFINITY {
            return Self { exact, lo: f64::NEG_INFINITY, hi: f64::INFINITY };
        }
        Self { exact, lo: (near - error).next_down(), hi: (near + error).next_up() }
    }
    /// Over the reals.
    fn compare(&self, o: &Self) -> Ordering {
        if self.hi < o.lo {
            Ordering::Less
        } else if self.lo > o.hi {
            Ordering::Greater
        } else if self.lo == self.hi && o.lo == o.hi {
            self.lo.partial_cmp(&o.lo).unwrap_or(Ordering::Equal)
        } else {
            self.exact.compare(&o.exact)
        }
    }
}

impl WorldBox {
    /// Of all triangles of a mesh at a pose; `None` if it has none.
    pub fn new(mesh: &Mesh, pose: &Pose) -> Option<Self> {
        let faces = std::array::from_fn(|k| {
            let (row, t) = (pose.rows()[k], pose.translation()[k]);
            let mut ends: Option<[Face; 2]> = None;
            for &i in mesh.triangles().iter().flatten() {
                let face = Face::new(row, t, mesh.points()[i as usize]);
                let ends = ends.get_or_insert([face; 2]);
                // Almost every vertex is clearly inside.
                if ends[0].hi >= face.lo && face.compare(&ends[0]).is_lt() {
                    ends[0] = face;
                }
                if face.hi >= ends[1].lo && face.compare(&ends[1]).is_gt() {
                    ends[1] = face;
                }
            }
            ends
        });
        let [Some(x), Some(y), Some(z)] = faces else { return None };
        Some(Self { faces: [x, y, z] })
    }
    /// A corner not above the box in any coordinate, within a few roundings; minus infinity where those may overflow.
    pub fn lower(&self) -> [f64; 3] {
        std::array::from_fn(|k| self.faces[k][0].lo)
    }
    /// A corner not below it; infinity where roundings may overflow.
    pub fn upper(&self) -> [f64; 3] {
        std::array::from_fn(|k| self.faces[k][1].hi)
    }
    /// Whether the two closed boxes share a point, over the real numbers.
    pub fn meets(&self, other: &Self) -> bool {
        (0..3).all(|k| {
            self.faces[k][0].compare(&other.faces[k][1]).is_le()
                && other.faces[k][0].compare(&self.faces[k][1]).is_le()
        })
    }
}
