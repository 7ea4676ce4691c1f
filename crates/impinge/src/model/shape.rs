//! Shapes: a model and a radius, for many poses.
use super::{Model, Rounded, checked_radius};
use crate::{Body, Error, Mesh, Pose, mesh::halved};
use std::sync::Arc;

/// A sphere, a capsule, a box with round edges or a mesh with a skin: all points no farther than a radius
/// from the triangles of a model. It has no pose; [`Shape::at`] places it, and a scene takes it by
/// [`Scene::add_shape`](crate::Scene::add_shape).
///
/// These are the sets themselves, not triangulations of them: results are exact.
///
/// ```
/// use impinge::{Mesh, Model, Pose, Query, model::Shape};
/// // An arm of radius 0.05 over a table.
/// let arm = Shape::capsule(0.05, 0.4)?;
/// let table = Shape::padded(Model::new(Mesh::cuboid([2., 1., 0.1])?), 0.)?;
/// let table = table.at(Pose::IDENTITY);
/// let lying = Pose::from_translation([0., 0., 0.5])?;
/// let gap = Query::new().distance(&arm.at(lying), &table).expect("they have triangles");
/// // 0.5, less the half height 0.2, the radius 0.05 and half of the table's thickness.
/// assert!((gap.lo - 0.2).abs() < 1e-12 && gap.hi - gap.lo < 1e-12);
/// # Ok::<(), impinge::Error>(())
/// ```
#[doc(alias("Ball", "Sphere", "Capsule", "RoundCuboid", "CollisionObject", "SharedShape"))]
#[derive(Clone, Debug)]
pub struct Shape {
    model: Arc<Model>,
    radius: f64,
}

impl Shape {
    /// All points no farther than `radius` from the triangles of a model: a mesh with a skin. Models that
    /// several shapes share are given as an [`Arc`].
    ///
    /// # Errors
    /// The radius is negative, NaN or more than 2^900: [`ErrorKind::InvalidRadius`](crate::ErrorKind).
    pub fn padded(model: impl Into<Arc<Model>>, radius: f64) -> Result<Self, Error> {
        Ok(Self { model: model.into(), radius: checked_radius(radius)? })
    }
    /// A sphere around the origin.
    ///
    /// # Errors
    /// As [`Self::padded`].
    pub fn sphere(radius: f64) -> Result<Self, Error> {
        Self::padded(Model::points(&[[0.0; 3]])?, radius)
    }
    /// A capsule along the z axis: all points no farther than `radius` from the segment from z = -height / 2
    /// to z = height / 2. From end to end it is `height + 2 * radius` long, as in trimesh and FCL. parry
    /// takes half of the height.
    ///
    /// # Errors
    /// As [`Self::padded`], and if the height is negative or not finite, or cannot be halved exactly:
    /// [`ErrorKind::InvalidSize`](crate::ErrorKind).
    pub fn capsule(radius: f64, height: f64) -> Result<Self, Error> {
        let half = if height == 0.0 { 0.0 } else { halved(height, "the capsule's height")? };
        Self::padded(Model::segment([0.0, 0.0, -half], [0.0, 0.0, half])?, radius)
    }
    /// A box with round edges: all points no farther than `radius` from the surface of the box with these
    /// full lengths, parallel to the axes. It is wider than that box by `radius` on each side. With
    /// [`Accuracy::solids`](crate::distance::Accuracy::solids) its inside counts.
    ///
    /// # Errors
    /// As [`Self::padded`] and [`Mesh::cuboid`].
    pub fn rounded_box(sides: [f64; 3], radius: f64) -> Result<Self, Error> {
        Self::padded(Model::new(Mesh::cuboid(sides)?), radius)
    }

    /// The shape at a pose. A pose that scales does not change the radius.
    pub fn at(&self, pose: Pose) -> Rounded<'_> {
        Rounded { body: Body::new(&self.model, pose), radius: self.radius }
    }
    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }
    /// The radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}
