//! Shapes, and shapes at poses.
use super::vector::{Point, cross, dot, minus, unit};
use crate::{arrays, body::PyBody, errors, model::PyModel, poses};
use impinge::{Body, Mesh, Model, Pose, model::Rounded};
use numpy::PyArray2;
use pyo3::prelude::*;
use std::sync::{Arc, OnceLock};

/// A shape in its own frame: all points that are no farther than `radius` from a mesh, its core. A ball has
/// one point for a core, a capsule a segment; other shapes have the radius 0.
pub(crate) struct Shape {
    pub(crate) model: Arc<Model>,
    object: Py<PyModel>,
    pub(crate) radius: f64,
    /// True if the shape is convex and full.
    pub(crate) is_full: bool,
    /// True if the core is the origin.
    pub(crate) is_ball: bool,
    /// The least and the greatest coordinates of the core.
    bounds: [Point; 2],
    corners: OnceLock<Vec<Point>>,
    samples: OnceLock<Vec<Point>>,
    hull: OnceLock<Model>,
}

impl Shape {
    /// The corners of all triangles, each once.
    fn corners(&self) -> &[Point] {
        self.corners.get_or_init(|| {
            let mesh = self.model.mesh();
            let mut used: Vec<u32> = mesh.triangles().iter().flatten().copied().collect();
            used.sort_unstable();
            used.dedup();
            used.into_iter().map(|i| mesh.points()[i as usize]).collect()
        })
    }
    /// A corner of each connected part of the core, or all corners.
    fn samples(&self) -> &[Point] {
        self.samples.get_or_init(|| {
            let mesh = self.model.mesh();
            match mesh.triangles().first() {
                Some(&[i, ..]) if self.is_full || self.model.solid().shells() == 1 => {
                    vec![mesh.points()[i as usize]]
                }
                _ => self.corners().to_vec(),
            }
        })
    }
    /// The convex hull of the core: the exact queries take no mesh for convex that is so but for roundings.
    fn hull(&self) -> &Model {
        // The corners are those of a mesh, and finite.
        self.hull
            .get_or_init(|| Mesh::hull(self.corners()).map_or_else(|_| (*self.model).clone(), Model::new))
    }
}

/// A shape at a pose.
#[pyclass(frozen, name = "_Solid", module = "impinge._core")]
pub(crate) struct PySolid(pub(crate) Arc<Placed>);

pub(crate) struct Placed {
    pub(crate) shape: Arc<Shape>,
    pub(crate) pose: Pose,
    /// Coordinates of all of its points are between these.
    pub(crate) bounds: [Point; 2],
}

impl Placed {
    fn new(shape: &Arc<Shape>, pose: Pose) -> Self {
        let ([least, most], t) = (shape.bounds, pose.translation());
        let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        if least[0] <= most[0] {
            for (k, row) in pose.rows().iter().enumerate() {
                let (mut low, mut high, mut size) = (t[k], t[k], t[k].abs());
                for j in 0..3 {
                    let ends = [row[j] * least[j], row[j] * most[j]];
                    low += ends[0].min(ends[1]);
                    high += ends[0].max(ends[1]);
                    size += ends[0].abs().max(ends[1].abs());
                }
                // Each sum has three products and four sums, so it is off by less than 8 units of 2^-53 of
                // the sum of the absolute values; the radius adds one more.
                let off = (size + shape.radius) * 2.0_f64.powi(-49) + f64::MIN_POSITIVE;
                bounds[0][k] = low - shape.radius - off;
                bounds[1][k] = high + shape.radius + off;
            }
        }
        Self { shape: Arc::clone(shape), pose, bounds }
    }
    pub(crate) fn body(&self) -> Body<'_> {
        Body::new(&self.shape.model, self.pose)
    }
    /// The core's convex hull.
    pub(crate) fn hull(&self) -> Body<'_> {
        Body::new(self.shape.hull(), self.pose)
    }
    /// All of the shape.
    pub(crate) fn rounded(&self) -> Rounded<'_> {
        self.body().rounded(self.shape.radius).expect("the radius was checked when the shape was made")
    }
    pub(crate) fn place(&self, point: Point) -> Point {
        self.pose.place(point)
    }
    /// The corners of all triangles of the core, each once.
    pub(crate) fn corners(&self) -> Vec<Point> {
        self.shape.corners().iter().map(|&point| self.place(point)).collect()
    }
    /// A corner of each connected part of the core, or all corners.
    pub(crate) fn samples(&self) -> Vec<Point> {
        self.shape.samples().iter().map(|&point| self.place(point)).collect()
    }
    /// The first of the corners that are farthest in a direction.
    pub(crate) fn farthest(&self, direction: Point) -> Point {
        let local = self.local_direction(direction);
        let (mut best, mut most) = ([0.0; 3], f64::NEG_INFINITY);
        for &corner in self.shape.corners() {
            let height = dot(corner, local);
            if height > most {
                (best, most) = (corner, height);
            }
        }
        self.place(best)
    }
    /// The direction along which the shape's points have the same heights before they are placed, but for one
    /// number for all of them.
    pub(crate) fn local_direction(&self, [x, y, z]: Point) -> Point {
        let rows = self.pose.rows();
        [0, 1, 2].map(|k| rows[0][k] * x + rows[1][k] * y + rows[2][k] * z)
    }
    pub(crate) fn triangle(&self, t: u32) -> [Point; 3] {
        let mesh = self.shape.model.mesh();
        mesh.triangles()[t as usize].map(|i| self.place(mesh.points()[i as usize]))
    }
    /// The face whose normal is the most along a direction.
    pub(crate) fn face_along(&self, direction: Point) -> u32 {
        let local = self.local_direction(direction);
        let mesh = self.shape.model.mesh();
        let (mut best, mut most) = (0, f64::NEG_INFINITY);
        for (t, corners) in (0..).zip(mesh.triangles()) {
            let [a, b, c] = corners.map(|i| mesh.points()[i as usize]);
            let normal = unit(cross(minus(b, a), minus(c, a)));
            let height = normal.map_or(f64::NEG_INFINITY, |normal| dot(normal, local));
            if height > most {
                (best, most) = (t, height);
            }
        }
        best
    }
    /// The number of triangles.
    pub(crate) fn len(&self) -> usize {
        self.shape.model.mesh().len()
    }
}

/// True if two bounds have a point in common.
pub(crate) fn bounds_meet(a: &Placed, b: &Placed) -> bool {
    (0..3).all(|k| a.bounds[0][k] <= b.bounds[1][k] && b.bounds[0][k] <= a.bounds[1][k])
}

/// Lower bound of the distance of two bounds; 0 if they meet.
pub(crate) fn bounds_apart(a: &Placed, b: &Placed) -> f64 {
    let gap = |k: usize| (a.bounds[0][k] - b.bounds[1][k]).max(b.bounds[0][k] - a.bounds[1][k]).max(0.0);
    // Rounded towards 0 by more than three squares, two sums and a root are off.
    (gap(0).powi(2) + gap(1).powi(2) + gap(2).powi(2)).sqrt() * (1.0 - 1e-12)
}

#[pymethods]
impl PySolid {
    #[new]
    #[pyo3(signature = (model, is_full, radius=0.0, pose=None))]
    fn new(
        model: Py<PyModel>,
        is_full: bool,
        radius: f64,
        pose: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (pose, object) = (poses::pose(pose, true)?, model);
        let model = Arc::clone(&object.get().model);
        Body::new(&model, Pose::IDENTITY).rounded(radius).map_err(|error| errors::error(&error))?;
        let mesh = model.mesh();
        let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for &i in mesh.triangles().iter().flatten() {
            let point = mesh.points()[i as usize];
            for k in 0..3 {
                bounds[0][k] = bounds[0][k].min(point[k]);
                bounds[1][k] = bounds[1][k].max(point[k]);
            }
        }
        let is_ball = radius > 0.0 && bounds == [[0.0; 3]; 2];
        let (corners, samples, hull) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let shape = Shape { model, object, radius, is_full, is_ball, bounds, corners, samples, hull };
        Ok(Self(Arc::new(Placed::new(&Arc::new(shape), pose))))
    }
    #[expect(clippy::type_complexity)]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Py<PyModel>, bool, f64, Bound<'py, PyArray2<f64>>))> {
        let Placed { shape, pose, .. } = &*slf.get().0;
        let pose = poses::matrix(slf.py(), pose)?;
        let arguments = (shape.object.clone_ref(slf.py()), shape.is_full, shape.radius, pose);
        Ok((slf.get_type().into_any(), arguments))
    }
    /// The shape at another pose.
    fn at(&self, pose: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let pose = poses::pose(pose, true)?;
        Ok(Self(Arc::new(Placed::new(&self.0.shape, pose))))
    }
    /// The core with its pose, as a body.
    #[getter]
    fn body(&self, py: Python<'_>) -> PyBody {
        PyBody::of(self.0.shape.object.clone_ref(py), self.0.pose)
    }
    /// The radius; 0 for other shapes than balls and capsules.
    #[getter]
    fn radius(&self) -> f64 {
        self.0.shape.radius
    }
    /// True if the shape has a radius.
    #[getter]
    fn is_round(&self) -> bool {
        self.0.shape.radius > 0.0
    }
    #[getter]
    fn is_full(&self) -> bool {
        self.0.shape.is_full
    }
    /// The least and the greatest coordinates, rounded outwards: shape (2, 3).
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::table(py, self.0.bounds.to_vec())
    }
    /// The face of the core whose normal is the most along a direction.
    fn face_along(&self, direction: [f64; 3]) -> u32 {
        self.0.face_along(direction)
    }
}
