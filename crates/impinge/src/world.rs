//! Axis-aligned boxes of placed meshes, compared over the real numbers.
mod many;

pub use many::WorldBoxes;

use crate::{
    Mesh, Model, Pose,
    broad_phase::Aabb,
    exact::Coordinate,
    mesh::extent_of,
    vector::{NO_EXTENT, UNIT, dot, grow, sub},
};
use std::cmp::Ordering;

/// The closed axis-aligned box of a mesh at a pose, in world coordinates. It is exact, even where its corners
/// are no f64 numbers.
///
/// O(vertices) to compute; two boxes are compared in O(1).
///
/// ```
/// use impinge::{Mesh, Pose, world::WorldBox};
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
        let near = dot(row, v) + t;
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
        // If `near` overflows, to infinity or NaN, `size` does too: then there is no bound.
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

fn corners(mesh: &Mesh) -> impl Iterator<Item = &[f64; 3]> {
    mesh.triangles().as_flattened().iter().map(|&i| &mesh.points()[i as usize])
}

/// The greatest sizes of a mesh's coordinates.
#[derive(Clone, Copy, Debug)]
struct Reach([f64; 3]);

impl Reach {
    fn of(mesh: &Mesh) -> Self {
        let mut reach = [0.0; 3];
        for v in corners(mesh) {
            for k in 0..3 {
                let size = v[k].abs();
                reach[k] = if size > reach[k] { size } else { reach[k] };
            }
        }
        Self(reach)
    }
    /// Error bound of the difference of two corners' computed places along a row: a larger difference has the
    /// exact sign. Infinite or NaN where something may overflow.
    fn error(&self, row: &[f64; 3]) -> f64 {
        // Three roundings for each of the two, one where this is added to a place, and those of the bound
        // itself; and underflow.
        8.0 * UNIT * dot(row.map(f64::abs), self.0) + f64::MIN_POSITIVE
    }
}

/// True if a corner is further along a row than another one, over the real numbers.
fn is_further(row: &[f64; 3], v: &[f64; 3], than: &[f64; 3]) -> bool {
    if (0..3).all(|j| row[j] == 0.0 || v[j] == than[j]) {
        return false;
    }
    let ahead = sub(*v, *than);
    let near = dot(*row, ahead);
    // A rounding of each difference, three of the sum, and one for those of the bound itself.
    let error = 5.0 * UNIT * dot(row.map(f64::abs), ahead.map(f64::abs)) + f64::MIN_POSITIVE;
    // Infinity and NaN, where something overflows, decide nothing.
    if near.abs() > error {
        return near > 0.0;
    }
    let at = |v: &[f64; 3]| Coordinate { row: *row, t: 0.0, v: *v };
    at(v).compare(&at(than)).is_gt()
}

impl WorldBox {
    /// The box of all triangles of a mesh at a pose; `None` if the mesh has no triangles.
    ///
    /// For many poses of one mesh there is [`WorldBoxes`].
    pub fn new(mesh: &Mesh, pose: &Pose) -> Option<Self> {
        if mesh.is_empty() {
            return None;
        }
        if *pose == Pose::IDENTITY {
            return Some(Self::at_rest(&extent_of(mesh)));
        }
        // Nearly all corners are well inside; only the others are compared exactly. The comparison leaves out
        // the translation, so that a body far from the origin has no more of them.
        let rows = pose.rows();
        let mut near = NO_EXTENT;
        for v in corners(mesh) {
            grow(&mut near, &rows.map(|row| dot(row, *v)));
        }
        let [mut lo, mut hi] = near;
        let reach = Reach::of(mesh);
        for k in 0..3 {
            let error = reach.error(&rows[k]);
            (lo[k], hi[k]) = (lo[k] + error, hi[k] - error);
        }
        let mut ends: [Option<[&[f64; 3]; 2]>; 3] = [None; 3];
        for v in corners(mesh) {
            for (k, ends) in ends.iter_mut().enumerate() {
                // NaN, which has no bound, is not inside.
                let near = dot(rows[k], *v);
                if near > lo[k] && near < hi[k] {
                    continue;
                }
                // The first of several that are equally far out is the one that counts.
                let ends = ends.get_or_insert([v; 2]);
                if is_further(&rows[k], ends[0], v) {
                    ends[0] = v;
                }
                if is_further(&rows[k], v, ends[1]) {
                    ends[1] = v;
                }
            }
        }
        let face = |k: usize, end: usize| Some(Face::new(rows[k], pose.translation()[k], *ends[k]?[end]));
        let side = |k: usize| Some([face(k, 0)?, face(k, 1)?]);
        Some(Self { faces: [side(0)?, side(1)?, side(2)?] })
    }
    /// The box of a mesh at the identity. Each row takes one coordinate of a corner and nothing of the
    /// others, so the corners of the mesh's own box give the same result.
    fn at_rest(extent: &[[f64; 3]; 2]) -> Self {
        let face = |k: usize, end: usize| Face::new(Pose::IDENTITY.rows()[k], 0.0, extent[end]);
        Self { faces: [0, 1, 2].map(|k| [face(k, 0), face(k, 1)]) }
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
    /// True if the two closed boxes share a point, over the real numbers.
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
    #[serde(rename = "Coordinate", deny_unknown_fields)]
    struct StoredCoordinate {
        row: [f64; 3],
        t: f64,
        v: [f64; 3],
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename = "WorldBox", deny_unknown_fields)]
    struct Faces {
        faces: [[StoredCoordinate; 2]; 3],
    }

    impl Serialize for WorldBox {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let coordinate =
                |face: &Face| StoredCoordinate { row: face.exact.row, t: face.exact.t, v: face.exact.v };
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

/// A box with these sides. A side that is NaN after an overflow becomes infinite.
pub(crate) fn known(lo: [f64; 3], hi: [f64; 3]) -> Aabb {
    Aabb { lo: lo.map(|x| x.max(f64::NEG_INFINITY)), hi: hi.map(|x| x.min(f64::INFINITY)) }
}

/// A box that contains a model at a pose: the axis-aligned box around the placed box of its mesh, rounded
/// outwards. O(1), where a [`WorldBox`] is O(vertices). Bodies whose boxes are apart have no point in common,
/// and none is inside the other.
///
/// ```
/// use impinge::{Mesh, Model, Pose, world::rotated};
/// let cube = Model::new(Mesh::cuboid([1.0; 3])?);
/// let around = rotated(&cube, &Pose::from_translation([1.0, 0.0, 0.0])?);
/// assert!(around.lo[0] <= 0.5 && around.hi[0] >= 1.5 && around.hi[0] < 1.5 + 1e-14);
/// # Ok::<(), impinge::Error>(())
/// ```
//
// It is R v + t for v in [lo, hi]: row by row t plus the smallest, or the greatest, value of each product.
// Error: five roundings of values up to |R| |v| + |t|, and one for the bound's own.
pub fn rotated(model: &Model, pose: &Pose) -> Aabb {
    let [lo, hi] = model.extent();
    let side = |k: usize| {
        let (row, t) = (&pose.rows()[k], pose.translation()[k]);
        let (mut least, mut most, mut size) = (t, t, t.abs());
        for j in 0..3 {
            let (x, y) = (row[j] * lo[j], row[j] * hi[j]);
            least += x.min(y);
            most += x.max(y);
            size += x.abs().max(y.abs());
        }
        let error = 6.0 * UNIT * size + f64::MIN_POSITIVE;
        [least - error, most + error]
    };
    let sides = [side(0), side(1), side(2)];
    known(sides.map(|s| s[0]), sides.map(|s| s[1]))
}
