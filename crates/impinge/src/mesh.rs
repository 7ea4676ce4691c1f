//! Triangle meshes: a soup of f64 points and index triples.
mod curved;
mod hull;
mod shapes;

pub use self::curved::Side;
pub(crate) use self::shapes::halved;

use crate::{Error, ErrorKind, array::Array, exact, vector::extent};

/// Largest number of triangles of one mesh: a tree's link keeps 28 bits for an index, and places of leaves'
/// words are numbers of 32 bits.
pub(crate) const MAX_TRIANGLES: usize = 1 << 27;

/// A triangle soup of any topology.
///
/// Triangle `i` is the closed convex hull of its three points: a degenerate one is a segment or a point. The
/// constructor checks the input, so that queries cannot fail.
///
/// ```
/// use impinge::Mesh;
/// let points = vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.], [0., 0., 2.]];
/// let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// assert_eq!(mesh.len(), 4);
/// assert_eq!(mesh.corners(1), [[0., 0., 0.], [2., 0., 0.], [0., 0., 2.]]);
///
/// // Invalid input is refused, and the error names the place.
/// let error = Mesh::new(vec![[0., f64::NAN, 0.]], vec![]).unwrap_err();
/// assert_eq!(error.to_string(), "vertex 0 is not finite: (0, NaN, 0)");
/// # Ok::<(), impinge::Error>(())
/// ```
///
/// Simple shapes: [`Mesh::cuboid`], [`Mesh::ellipsoid`], [`Mesh::cylinder`], [`Mesh::hull`]. From a file: the
/// crate `impinge-io` reads STL, OBJ, PLY, OFF, glTF, 3MF and DAE.
#[doc(alias("TriMesh", "Trimesh", "TriangleMesh", "Surface_mesh", "Convex"))]
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "UncheckedMesh"))]
pub struct Mesh {
    points: Array<[f64; 3]>,
    triangles: Array<[u32; 3]>,
}

impl Mesh {
    /// Takes points and index triples as they are. An empty soup is allowed; it meets nothing.
    ///
    /// # Errors
    /// A coordinate that is not finite, an index that names no point, or more than 2^27 triangles.
    pub fn new(points: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, Error> {
        Self::of_arrays(points.into(), triangles.into())
    }
    /// Makes a mesh of arrays that may be shared, checked as by [`Mesh::new`].
    pub(crate) fn of_arrays(points: Array<[f64; 3]>, triangles: Array<[u32; 3]>) -> Result<Self, Error> {
        if triangles.len() > MAX_TRIANGLES {
            return Err(too_many_triangles(triangles.len()));
        }
        check(&points)?;
        let n = points.len();
        for (i, triangle) in triangles.iter().enumerate() {
            if let Some(&index) = triangle.iter().find(|&&k| k as usize >= n) {
                return Err(ErrorKind::IndexOutOfRange { triangle: i, index, vertices: n }.into());
            }
        }
        Ok(Self { points, triangles })
    }
    /// Makes a mesh of f32 points, as renderers have them: every f32 number is an f64 number, so nothing is
    /// rounded.
    ///
    /// ```
    /// use impinge::Mesh;
    /// let mesh = Mesh::from_f32(&[[0.1, 0., 0.], [1., 0., 0.], [0., 1., 0.]], vec![[0, 1, 2]])?;
    /// assert_eq!(mesh.points()[0][0], f64::from(0.1_f32));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Mesh::new`].
    pub fn from_f32(points: &[[f32; 3]], triangles: Vec<[u32; 3]>) -> Result<Self, Error> {
        Self::new(points.iter().map(|p| p.map(f64::from)).collect(), triangles)
    }
    /// The points, in the caller's order.
    pub fn points(&self) -> &[[f64; 3]] {
        &self.points
    }
    /// The points, to be moved. The caller keeps them finite.
    pub(crate) fn points_mut(&mut self) -> &mut [[f64; 3]] {
        self.points.to_mut()
    }
    /// The index triples, in the caller's order.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }
    /// The number of triangles.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }
    /// True if there is no triangle.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }
    /// The three points of triangle `i`.
    ///
    /// # Panics
    /// If there is no triangle `i`.
    #[inline]
    pub fn corners(&self, i: u32) -> [[f64; 3]; 3] {
        // Not `map`: where many are gathered, that stays a call.
        let [a, b, c] = self.triangles[i as usize];
        [self.points[a as usize], self.points[b as usize], self.points[c as usize]]
    }
    /// True if triangle `i` has no area: its three points are on one line, over the real numbers.
    ///
    /// # Panics
    /// If there is no triangle `i`.
    pub fn is_degenerate(&self, i: u32) -> bool {
        exact::are_collinear(&self.corners(i))
    }
}

fn too_many_triangles(found: usize) -> Error {
    ErrorKind::TooMany { found, most: MAX_TRIANGLES, what: "triangles in one mesh" }.into()
}

/// Refuses the first point that is not finite.
pub(crate) fn check(points: &[[f64; 3]]) -> Result<(), Error> {
    // No early exit, so that the compiler vectorizes it.
    let wrong = points.as_flattened().iter().fold(false, |wrong, c| wrong | !c.is_finite());
    let first = || points.iter().position(|p| p.iter().any(|c| !c.is_finite()));
    match wrong.then(first).flatten() {
        Some(i) => Err(ErrorKind::VertexNotFinite { vertex: i, value: points[i] }.into()),
        None => Ok(()),
    }
}

/// Least and greatest coordinates of the corners of a mesh's triangles; the origin if there are none.
pub fn extent_of(mesh: &Mesh) -> [[f64; 3]; 2] {
    if mesh.is_empty() {
        return [[0.0; 3]; 2];
    }
    extent(mesh.triangles().as_flattened().iter().map(|&i| &mesh.points()[i as usize]))
}

/// A mesh as read, before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename = "Mesh", deny_unknown_fields)]
struct UncheckedMesh {
    points: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

#[cfg(feature = "serde")]
impl TryFrom<UncheckedMesh> for Mesh {
    type Error = Error;
    fn try_from(mesh: UncheckedMesh) -> Result<Self, Error> {
        Self::new(mesh.points, mesh.triangles)
    }
}
