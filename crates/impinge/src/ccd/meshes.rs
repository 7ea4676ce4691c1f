//! The first contact of meshes whose vertices move straight: two of them, or one with itself.
//!
//! Each triangle has a box around its motion, and [`broad_phase::pairs`] finds those that meet. A vertex or an
//! edge belongs to the first triangle that has it, so that each feature is compared with another one once.
use super::{FirstTime, decide, feature_kind::FeatureKind};
use crate::{
    Error, ErrorKind, Mesh,
    broad_phase::{self, Aabb},
    vector::Vector,
};
use std::collections::HashMap;

/// A mesh whose vertices move straight from where they are to other places: a cloth between two frames.
#[derive(Clone, Debug)]
pub struct MovingMesh<'m> {
    mesh: &'m Mesh,
    end: &'m [Vector],
    /// For each corner of each triangle: whether the vertex, and the edge to the next corner, belong to it.
    owns: Vec<[[bool; 2]; 3]>,
}

/// The first contact of meshes whose vertices move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshContact {
    /// The first time of contact.
    pub time: FirstTime,
    /// A triangle of the first mesh and one of the second, or two of one mesh, that meet then.
    pub triangles: [u32; 2],
}

impl<'m> MovingMesh<'m> {
    /// A mesh, and the places of its [points](Mesh::points) at time 1.
    ///
    /// # Errors
    /// Another number of places than of points; a coordinate that is NaN or infinite.
    pub fn new(mesh: &'m Mesh, end: &'m [Vector]) -> Result<Self, Error> {
        let vertices = mesh.points().len();
        if end.len() != vertices {
            return Err(ErrorKind::WrongPointCount { points: end.len(), vertices }.into());
        }
        for (vertex, &value) in end.iter().enumerate() {
            if !value.iter().all(|x| x.is_finite()) {
                return Err(ErrorKind::VertexNotFinite { vertex, value }.into());
            }
        }
        let (mut known, mut edges) = (vec![false; vertices], HashMap::new());
        let owns = mesh.triangles().iter().map(|triangle| {
            [0, 1, 2].map(|k| {
                let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
                let is_first = !std::mem::replace(&mut known[from as usize], true);
                [is_first, edges.insert([from.min(to), from.max(to)], ()).is_none()]
            })
        });
        let owns = owns.collect();
        Ok(Self { mesh, end, owns })
    }
    /// A vertex at both times.
    fn vertex(&self, index: u32) -> [Vector; 2] {
        [self.mesh.points()[index as usize], self.end[index as usize]]
    }
    /// Boxes around the motions of the triangles.
    fn boxes(&self) -> impl Iterator<Item = Aabb> + '_ {
        self.mesh.triangles().iter().map(|triangle| {
            let [mut lo, mut hi] = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
            for point in triangle.iter().flat_map(|index| self.vertex(*index)) {
                (lo, hi) = (
                    std::array::from_fn(|k| lo[k].min(point[k])),
                    std::array::from_fn(|k| hi[k].max(point[k])),
                );
            }
            Aabb { lo, hi }
        })
    }
}

/// Returns the first time in [0, 1] at which a vertex of one mesh is on a triangle of the other, or an edge of
/// one meets an edge of the other; `None` if there is none. Meshes that are apart at first meet so first.
///
/// Meshes that cross each other at time 0, which [`Query::intersects`](crate::Query::intersects) finds, may
/// have no such contact.
///
/// ```
/// use impinge::{Mesh, ccd::{MovingMesh, first_mesh_contact}};
/// // A cube falls by 3 onto a table, one below.
/// let table = Mesh::cuboid([9., 9., 2.])?;
/// let cube = Mesh::cuboid([2.; 3])?;
/// let above = cube.points().iter().map(|[x, y, z]| [*x, *y, z + 3.]).collect();
/// let cube = Mesh::new(above, cube.triangles().to_vec())?;
/// let fallen: Vec<_> = cube.points().iter().map(|[x, y, z]| [*x, *y, z - 3.]).collect();
/// let (resting, falling) = (MovingMesh::new(&table, table.points())?, MovingMesh::new(&cube, &fallen)?);
/// let contact = first_mesh_contact(&resting, &falling).unwrap();
/// assert_eq!(contact.time.free_until, 1. / 3.);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn first_mesh_contact(a: &MovingMesh<'_>, b: &MovingMesh<'_>) -> Option<MeshContact> {
    let boxes: Vec<Aabb> = a.boxes().chain(b.boxes()).collect();
    let count = a.mesh.len() as u32;
    let pairs = broad_phase::pairs(&boxes).into_iter().filter(|[i, j]| *i < count && *j >= count);
    first([a, b], pairs.map(|[i, j]| [i, j - count]), false)
}

/// [`first_mesh_contact`] of a mesh with itself. A vertex and a triangle, or two edges, that have a vertex in
/// common do not count.
///
/// ```
/// use impinge::{Mesh, ccd::{MovingMesh, first_self_contact}};
/// // A strip of two leaves, each with a third corner: one is folded onto the other, and through it.
/// let strip = Mesh::new(
///     vec![[0., 0., 0.], [0., 3., 0.], [3., 1., 0.], [-2., 1., 4.], [-2., 2., 4.]],
///     vec![[0, 1, 2], [0, 1, 3], [1, 4, 3]],
/// )?;
/// let mut end = strip.points().to_vec();
/// (end[3], end[4]) = ([4., 1., -4.], [4., 2., -4.]);
/// let contact = first_self_contact(&MovingMesh::new(&strip, &end)?);
/// assert_eq!(contact.unwrap().time.meets_at, 0.5);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn first_self_contact(mesh: &MovingMesh<'_>) -> Option<MeshContact> {
    let boxes: Vec<Aabb> = mesh.boxes().collect();
    first([mesh, mesh], broad_phase::pairs(&boxes).into_iter(), true)
}

fn first(
    [a, b]: [&MovingMesh<'_>; 2],
    pairs: impl Iterator<Item = [u32; 2]>,
    is_same: bool,
) -> Option<MeshContact> {
    let mut first: Option<MeshContact> = None;
    let mut take = |kind: FeatureKind, points: [[Vector; 2]; 4], triangles: [u32; 2]| {
        let Some(time) = decide(kind, &[0, 1].map(|time| points.map(|point| point[time]))) else { return };
        let key = |time: &FirstTime| [time.free_until, time.meets_at];
        if first.is_none_or(|first| key(&time) < key(&first.time)) {
            first = Some(MeshContact { time, triangles });
        }
    };
    let share = |x: &[u32], y: &[u32]| is_same && x.iter().any(|vertex| y.contains(vertex));
    for triangles in pairs {
        let [of_a, of_b] = [(a, 0), (b, 1)].map(|(of, k)| of.mesh.triangles()[triangles[k] as usize]);
        let [owns_a, owns_b] = [(a, 0), (b, 1)].map(|(of, k)| of.owns[triangles[k] as usize]);
        for k in 0..3 {
            let (p, [x, y, z]) = (of_a[k], of_b);
            if owns_a[k][0] && !share(&[p], &of_b) {
                let points = [a.vertex(p), b.vertex(x), b.vertex(y), b.vertex(z)];
                take(FeatureKind::PointTriangle, points, triangles);
            }
            let (p, [x, y, z]) = (of_b[k], of_a);
            if owns_b[k][0] && !share(&[p], &of_a) {
                let points = [b.vertex(p), a.vertex(x), a.vertex(y), a.vertex(z)];
                take(FeatureKind::PointTriangle, points, triangles);
            }
            for l in 0..3 {
                let ([c, d], [e, f]) = ([of_a[k], of_a[(k + 1) % 3]], [of_b[l], of_b[(l + 1) % 3]]);
                if owns_a[k][1] && owns_b[l][1] && !share(&[c, d], &[e, f]) {
                    let points = [a.vertex(c), a.vertex(d), b.vertex(e), b.vertex(f)];
                    take(FeatureKind::EdgeEdge, points, triangles);
                }
            }
        }
    }
    first
}
