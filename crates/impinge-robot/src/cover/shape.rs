//! [`CoverShape`]: a shape of a proxy, with the place of its radius in the file.
use crate::{
    model::LinkSpheres,
    number::Number,
    rigid,
    urdf::{Body, Geometry},
};
use impinge::{Mesh, Model, Pose, coverage::Proxy};
use std::{ops::Range, sync::Arc};

/// A shape of a proxy, in the frame of its link.
#[derive(Clone, Debug)]
pub struct CoverShape {
    /// The set of points.
    pub solid: CoverSolid,
    /// Bytes of the file that write its radius; `None` for shapes without one.
    pub radius_at: Option<Range<usize>>,
}

/// The points of a shape.
#[derive(Clone, Debug)]
pub enum CoverSolid {
    /// A ball.
    Ball {
        /// Its centre.
        center: [f64; 3],
        /// Its radius.
        radius: f64,
    },
    /// A solid cylinder: see [`Proxy::with_cylinder`].
    Cylinder {
        /// Ends of its axis.
        ends: [[f64; 3]; 2],
        /// Its radius.
        radius: f64,
    },
    /// A mesh, a box or a segment, with all points no farther from it than a radius.
    Body {
        /// Its triangles.
        model: Arc<Model>,
        /// Its pose.
        pose: Pose,
        /// The radius.
        radius: f64,
    },
}

impl CoverShape {
    /// The shape of a URDF's body. `load` gives the mesh of a file, with the factors of its coordinates.
    ///
    /// # Errors
    /// Those of `load`, and shapes whose numbers overflow.
    pub fn of_body<E: From<impinge::Error>>(
        body: &Body,
        load: &mut dyn FnMut(&Body) -> Result<Arc<Model>, E>,
    ) -> Result<Self, E> {
        let pose = body.origin;
        let along = |z: f64| pose.place([0.0, 0.0, z]);
        let solid = match &body.geometry {
            Geometry::Mesh { .. } => CoverSolid::Body { model: load(body)?, pose, radius: 0.0 },
            Geometry::Box { size } => {
                CoverSolid::Body { model: Arc::new(Model::new(Mesh::cuboid(*size)?)), pose, radius: 0.0 }
            }
            Geometry::Sphere { radius } => CoverSolid::Ball { center: along(0.0), radius: radius.value },
            Geometry::Cylinder { radius, length } => CoverSolid::Cylinder {
                ends: [along(-length / 2.0), along(length / 2.0)],
                radius: radius.value,
            },
            Geometry::Capsule { radius, length } => {
                capsule([along(-length / 2.0), along(length / 2.0)], radius.value)?
            }
        };
        Ok(Self { solid, radius_at: body.geometry.radius().map(|radius| radius.at.clone()) })
    }

    /// The balls and capsules of a link.
    ///
    /// # Errors
    /// Capsules whose numbers overflow.
    pub fn of_spheres(link: &LinkSpheres) -> Result<Vec<Self>, impinge::Error> {
        let at = |radius: &Number| Some(radius.at.clone());
        let balls = link.spheres.iter().map(|sphere| {
            let solid = CoverSolid::Ball { center: sphere.center, radius: sphere.radius.value };
            Ok(Self { solid, radius_at: at(&sphere.radius) })
        });
        let capsules = link
            .capsules
            .iter()
            .map(|one| Ok(Self { solid: capsule(one.ends, one.radius.value)?, radius_at: at(&one.radius) }));
        balls.chain(capsules).collect()
    }

    /// The radius, if the shape has one in the file.
    pub fn radius(&self) -> Option<f64> {
        self.radius_at.as_ref()?;
        Some(match self.solid {
            CoverSolid::Ball { radius, .. }
            | CoverSolid::Cylinder { radius, .. }
            | CoverSolid::Body { radius, .. } => radius,
        })
    }
    /// The same with another radius.
    pub fn with_radius(mut self, new: f64) -> Self {
        let (CoverSolid::Ball { radius, .. }
        | CoverSolid::Cylinder { radius, .. }
        | CoverSolid::Body { radius, .. }) = &mut self.solid;
        *radius = new;
        self
    }
    /// The same in another frame, in which its link has a pose. Rounded.
    ///
    /// # Errors
    /// A pose whose numbers overflow.
    pub fn placed(&self, link: &Pose) -> Result<Self, impinge::Error> {
        let solid = match &self.solid {
            CoverSolid::Ball { center, radius } => {
                CoverSolid::Ball { center: link.place(*center), radius: *radius }
            }
            CoverSolid::Cylinder { ends, radius } => {
                CoverSolid::Cylinder { ends: ends.map(|end| link.place(end)), radius: *radius }
            }
            CoverSolid::Body { model, pose, radius } => {
                let pose = rigid::compose(link, pose)?;
                CoverSolid::Body { model: Arc::clone(model), pose, radius: *radius }
            }
        };
        Ok(Self { solid, radius_at: self.radius_at.clone() })
    }
    /// True if the points are a convex set, and only one shape can contain what is deep in it.
    pub(super) fn is_convex(&self) -> bool {
        match &self.solid {
            CoverSolid::Ball { .. } | CoverSolid::Cylinder { .. } => true,
            CoverSolid::Body { model, .. } => model.mesh().len() == 1,
        }
    }
    /// True if both are the same primitive: a ball or a cylinder of the same numbers.
    pub(super) fn is_same_primitive(&self, o: &Self) -> bool {
        match (&self.solid, &o.solid) {
            (
                CoverSolid::Ball { center, radius },
                CoverSolid::Ball { center: other_center, radius: other_radius },
            ) => (center, radius) == (other_center, other_radius),
            (
                CoverSolid::Cylinder { ends, radius },
                CoverSolid::Cylinder { ends: other_ends, radius: other_radius },
            ) => {
                let [a, b] = *other_ends;
                radius == other_radius && (*ends == [a, b] || *ends == [b, a])
            }
            _ => false,
        }
    }
}

fn capsule(ends: [[f64; 3]; 2], radius: f64) -> Result<CoverSolid, impinge::Error> {
    let model = Arc::new(Model::segment(ends[0], ends[1])?);
    Ok(CoverSolid::Body { model, pose: Pose::IDENTITY, radius })
}

/// The proxy of shapes.
///
/// # Errors
/// Numbers that a proxy refuses: centres that are not finite, radii above 2^900.
pub fn proxy_of<'a>(shapes: impl IntoIterator<Item = &'a CoverShape>) -> Result<Proxy<'a>, impinge::Error> {
    let mut proxy = Proxy::new();
    for shape in shapes {
        proxy = match &shape.solid {
            CoverSolid::Ball { center, radius } => proxy.with_ball(*center, *radius)?,
            CoverSolid::Cylinder { ends, radius } => proxy.with_cylinder(*ends, *radius)?,
            CoverSolid::Body { model, pose, radius } => {
                proxy.with(impinge::Body::new(model, *pose).rounded(*radius)?)
            }
        };
    }
    Ok(proxy)
}
