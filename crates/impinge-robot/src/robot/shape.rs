//! [`RobotShape`]: a rigid shape of a part of a robot.
use crate::{
    error::Error,
    rigid::ORIGIN_ERROR,
    urdf::{Body, Geometry},
};
use impinge::{Mesh, Model, Pose, Side, pose::ApproximatePose};
use std::{collections::HashMap, sync::Arc};

/// A shape: all points no farther than a radius from the triangles of a model, and the inside of a closed
/// mesh.
///
/// A cylinder is two meshes, one around the true one and one inside of it. The one around decides, so that
/// shapes that are apart are certainly so. They differ by 1/256 of the radius at most.
#[derive(Clone, Debug)]
pub struct RobotShape {
    model: Arc<Model>,
    inner: Option<Arc<Model>>,
    pose: ApproximatePose,
    radius: f64,
    /// A point of each connected part of the mesh.
    samples: Vec<[f64; 3]>,
    reach: f64,
    is_axis: bool,
}

/// The mesh that stands for a cylinder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CylinderMesh {
    /// The one around it.
    Outer,
    /// The one inside of it.
    Inner,
}

impl RobotShape {
    /// A model at a pose in the frame of its link, or in the world, with a radius.
    ///
    /// # Errors
    /// A pose that is not rigid, or a radius that is negative or not finite.
    pub fn new(model: Arc<Model>, pose: Pose, radius: f64) -> Result<Self, impinge::Error> {
        // The error says by how much.
        let pose = Pose::rigid(*pose.rows(), *pose.translation())?;
        Self::of(model, None, ApproximatePose::exact(pose), radius)
    }

    /// The shape of a URDF's body. `load` gives the mesh of a file, with the factors of its coordinates.
    ///
    /// # Errors
    /// Those of `load`, and sizes that overflow or are zero, with their place.
    pub fn of_body<E: From<Error>>(
        body: &Body,
        load: &mut dyn FnMut(&Body) -> Result<Arc<Model>, E>,
    ) -> Result<Self, E> {
        let error = if body.origin.rows() == Pose::IDENTITY.rows() { 0.0 } else { ORIGIN_ERROR };
        let pose = ApproximatePose::within(body.origin, error, 0.0);
        let segment = |length: &f64| Model::segment([0.0, 0.0, -length / 2.0], [0.0, 0.0, length / 2.0]);
        let made = match &body.geometry {
            Geometry::Mesh { .. } => Self::of(load(body)?, None, pose, 0.0),
            Geometry::Box { size } => {
                Mesh::cuboid(*size).and_then(|mesh| Self::of(Arc::new(Model::new(mesh)), None, pose, 0.0))
            }
            Geometry::Sphere { radius } => Model::points(&[[0.0; 3]])
                .and_then(|center| Self::of(Arc::new(center), None, pose, radius.value)),
            Geometry::Capsule { radius, length } => {
                segment(length).and_then(|axis| Self::of(Arc::new(axis), None, pose, radius.value))
            }
            Geometry::Cylinder { radius, length } if radius.value == 0.0 => {
                segment(length).and_then(|axis| Self::of(Arc::new(axis), None, pose, 0.0))
            }
            Geometry::Cylinder { radius, length } => {
                let mesh = |side| Mesh::cylinder(radius.value, *length, radius.value / 256.0, side);
                let meshes = mesh(Side::Circumscribed).and_then(|outer| Ok([outer, mesh(Side::Inscribed)?]));
                meshes.and_then(|meshes| {
                    let [outer, inner] = meshes.map(|mesh| Arc::new(Model::new(mesh)));
                    Self::of(outer, Some(inner), pose, 0.0)
                })
            }
        };
        made.map_err(|e| Error::placed(body.place, e.to_string()).into())
    }

    fn of(
        model: Arc<Model>,
        inner: Option<Arc<Model>>,
        pose: ApproximatePose,
        radius: f64,
    ) -> Result<Self, impinge::Error> {
        // Half of the largest radius: the padding has room.
        impinge::Body::new(&model, *pose.pose()).rounded(2.0 * radius)?;
        let samples = samples(model.mesh());
        let reach = model.mesh().points().iter().map(|&p| length(p)).fold(0.0, f64::max) * (1.0 + 1e-12);
        let is_axis = model.mesh().triangles().iter().all(|[a, b, c]| a == b || b == c || c == a);
        Ok(Self { model, inner, pose, radius, samples, reach, is_axis })
    }

    /// The shape at another pose.
    ///
    /// # Errors
    /// A pose that is not rigid.
    pub(super) fn at(&self, pose: Pose) -> Result<Self, impinge::Error> {
        let pose = Pose::rigid(*pose.rows(), *pose.translation())?;
        Ok(Self { pose: ApproximatePose::exact(pose), ..self.clone() })
    }

    /// Its triangles; for a cylinder those around it.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }
    /// The mesh inside of a cylinder; `None` for other shapes, which are exact.
    pub fn inner(&self) -> Option<&Arc<Model>> {
        self.inner.as_ref()
    }
    /// The pose in the frame of the link, or in the world.
    pub fn pose(&self) -> &ApproximatePose {
        &self.pose
    }
    /// The radius, without the padding of the part.
    pub fn radius(&self) -> f64 {
        self.radius
    }
    /// A point of each connected part of the mesh.
    pub(super) fn samples(&self) -> &[[f64; 3]] {
        &self.samples
    }
    /// Bound of the distance of its triangles from its own origin.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }
    /// The mesh that stands for it.
    pub(super) fn mesh_of(&self, kind: CylinderMesh) -> &Model {
        match (kind, &self.inner) {
            (CylinderMesh::Inner, Some(inner)) => inner,
            _ => &self.model,
        }
    }
    /// True if the model has only points and segments: spheres, capsules.
    pub(super) fn is_axis(&self) -> bool {
        self.is_axis
    }
    /// True if the mesh has an inside.
    pub(super) fn is_solid(&self) -> bool {
        self.model.solid().status().is_closed()
    }
}

fn length([x, y, z]: [f64; 3]) -> f64 {
    (x * x + y * y + z * z).sqrt()
}

/// The first point of each part of a mesh that is connected by equal points.
fn samples(mesh: &Mesh) -> Vec<[f64; 3]> {
    let points = mesh.points();
    let mut group: Vec<u32> = (0..points.len() as u32).collect();
    fn root(group: &mut [u32], mut at: u32) -> u32 {
        while group[at as usize] != at {
            group[at as usize] = group[group[at as usize] as usize];
            at = group[at as usize];
        }
        at
    }
    let mut join = |a: u32, b: u32| {
        let (a, b) = (root(&mut group, a), root(&mut group, b));
        group[a.max(b) as usize] = a.min(b);
    };
    let mut first = HashMap::new();
    for (index, point) in (0..).zip(points) {
        // -0 and 0 are equal.
        let key = point.map(|x| (x + 0.0).to_bits());
        join(*first.entry(key).or_insert(index), index);
    }
    for &[a, b, c] in mesh.triangles() {
        join(a, b);
        join(a, c);
    }
    let mut roots: Vec<u32> = mesh.triangles().iter().map(|t| root(&mut group, t[0])).collect();
    roots.sort_unstable();
    roots.dedup();
    roots.into_iter().map(|at| points[at as usize]).collect()
}
