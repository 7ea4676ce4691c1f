//! The axis-aligned box of a mesh at a pose, in world coordinates; compared over the real numbers.
use crate::{Mesh, Pose, exact::Coordinate, vector::UNIT};
use std::cmp::Ordering;

/// The closed axis-aligned box of a mesh at a pose, in world coordinates. It is exact, even where its corners
/// are no f64 numbers.
///
/// O(vertices) to compute; two boxes are compared in O(1).
///
/// ```
/// use impinge::{Mesh, Pose, WorldBox};
/// let mesh = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
/// let here = WorldBox::new(&mesh, &Pose::IDENTITY).unwrap();
/// assert_eq!((here.lower(), here.upper()), ([0., 0., 0.], [2., 2., 0.]));
/// // Closed boxes meet if they touch. A gap of 1e-300 keeps them apart, though 2 + 1e-300 is no f64.
/// let beside = |x: f64| WorldBox::new(&mesh, &Pose::from_translation([x, 0., 0.]).unwrap()).unwrap();
/// assert!(here.meets(&beside(2.)) && !here.meets(&beside(2_f64.next_up())));
/// let tiny = Mesh::new(vec![[-1e-300, 0., 0.]; 3], vec![[0, 1, 2]])?;
/// let left = |x: f64| WorldBox::new(&tiny, &Pose::from_translation([x, 0., 0.]).unwrap()).unwrap();
/// assert!(here.meets(&left(2.)) && !here.meets(&left(0.)));
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct WorldBox {
    /// For each axis the smallest and the greatest coordinate.
    faces: [[Face; 2]; 3],
}

/// An exact coordinate, and an f64 interval that contains it.
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
        // At most four roundings, and one for those of the bound itself; MIN_POSITIVE for underflow.
        let error = 5.0 * UNIT * size + f64::MIN_POSITIVE;
        // If `near` overflows, to infinity or NaN, so does `size`: then nothing is known.
        if error == f64::INFINITY {
            return Self { exact, lo: f64::NEG_INFINITY, hi: f64::INFINITY };
        }
        Self { exact, lo: (near - error).next_down(), hi: (near + error).next_up() }
    }
    /// Compares two coordinates over the real numbers.
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
    /// The box of all triangles of a mesh at a pose; `None` if the mesh has no triangles.
    pub fn new(mesh: &Mesh, pose: &Pose) -> Option<Self> {
        let faces = std::array::from_fn(|k| {
            let (row, t) = (pose.rows()[k], pose.translation()[k]);
            let mut ends: Option<[Face; 2]> = None;
            for &i in mesh.triangles().iter().flatten() {
                let face = Face::new(row, t, mesh.points()[i as usize]);
                let ends = ends.get_or_insert([face; 2]);
                // For nearly all vertices the intervals show that they are inside.
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
    /// The smallest coordinates, or a little less: by a few rounding errors at most. Minus infinity where
    /// computing them may overflow.
    pub fn lower(&self) -> [f64; 3] {
        std::array::from_fn(|k| self.faces[k][0].lo)
    }
    /// The greatest coordinates, or a little more: by a few rounding errors at most. Infinity where computing
    /// them may overflow.
    pub fn upper(&self) -> [f64; 3] {
        std::array::from_fn(|k| self.faces[k][1].hi)
    }
    /// Whether the two closed boxes share a point, over the real numbers.
    ///
    /// If they do not, the two meshes do not intersect.
    pub fn meets(&self, other: &Self) -> bool {
        (0..3).all(|k| {
            self.faces[k][0].compare(&other.faces[k][1]).is_le()
                && other.faces[k][0].compare(&self.faces[k][1]).is_le()
        })
    }
}

/// Serialized as the smallest and the greatest coordinate of each axis, each as `row . v + t`: nothing is
/// rounded.
#[cfg(feature = "serde")]
mod serial {
    use super::{Face, WorldBox};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Coordinate {
        row: [f64; 3],
        t: f64,
        v: [f64; 3],
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename = "WorldBox", deny_unknown_fields)]
    struct Faces {
        faces: [[Coordinate; 2]; 3],
    }

    impl Serialize for WorldBox {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let coordinate =
                |face: &Face| Coordinate { row: face.exact.row, t: face.exact.t, v: face.exact.v };
            Faces { faces: self.faces.each_ref().map(|ends| ends.each_ref().map(coordinate)) }.serialize(to)
        }
    }

    impl<'de> Deserialize<'de> for WorldBox {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            let Faces { faces } = Faces::deserialize(from)?;
            for (axis, ends) in faces.iter().enumerate() {
                let mut numbers = ends.iter().flat_map(|c| c.row.iter().chain(&c.v).chain([&c.t]));
                if !numbers.all(|x| x.is_finite()) {
                    return Err(D::Error::custom(format_args!("a number of axis {axis} is not finite")));
                }
            }
            let faces = faces.map(|ends| ends.map(|c| Face::new(c.row, c.t, c.v)));
            match faces.iter().position(|[lo, hi]| lo.compare(hi).is_gt()) {
                Some(axis) => {
                    Err(D::Error::custom(format_args!("the box ends before it begins along axis {axis}")))
                }
                None => Ok(Self { faces }),
            }
        }
    }
}
