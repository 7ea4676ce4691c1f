//! [`Geometry`] of a link, and [`Body`]: a geometry with its pose.
use crate::{
    error::{Error, Place},
    number::Number,
    quote::shown,
    rigid,
    xml::Element,
};
use impinge::Pose;

/// A `visual` or a `collision` of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Its name; most have none.
    pub name: Option<String>,
    /// Its pose in the frame of the link.
    pub origin: Pose,
    /// Its shape, in its own frame.
    pub geometry: Geometry,
    /// The place of the element.
    pub place: Place,
}

/// The shape of a [`Body`], in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// The mesh of a file.
    Mesh {
        /// Path or URI as the file has it; [`Packages::resolve`](crate::Packages::resolve) finds the file.
        filename: String,
        /// Factors of the mesh's coordinates; none is 0, and negative ones mirror. 1 by default.
        scale: [f64; 3],
    },
    /// A ball about the origin.
    Sphere {
        /// Its radius.
        radius: Number,
    },
    /// A box about the origin.
    Box {
        /// Lengths of its edges along x, y and z.
        size: [f64; 3],
    },
    /// A solid cylinder about the origin, with the axis z.
    Cylinder {
        /// Its radius.
        radius: Number,
        /// Its length along z.
        length: f64,
    },
    /// A cylinder about the origin, with the axis z, and a half ball on both ends. An extension that many
    /// tools write.
    Capsule {
        /// Radius of the cylinder and of the half balls.
        radius: Number,
        /// Length of the cylinder along z, without the half balls.
        length: f64,
    },
}

impl Geometry {
    /// The radius of a sphere, cylinder or capsule.
    pub fn radius(&self) -> Option<&Number> {
        match self {
            Self::Sphere { radius } | Self::Cylinder { radius, .. } | Self::Capsule { radius, .. } => {
                Some(radius)
            }
            Self::Mesh { .. } | Self::Box { .. } => None,
        }
    }
}

impl Body {
    pub(super) fn read(element: Element<'_>) -> Result<Self, Error> {
        let name = element.text("name")?.filter(|name| !name.is_empty()).map(Into::into);
        let geometry = match element.child("geometry")? {
            Some(geometry) => read_geometry(geometry)?,
            None => {
                return Err(element.error(format!("'{}' has no geometry; add one", shown(element.name()))));
            }
        };
        Ok(Self { name, origin: read_origin(element)?, geometry, place: element.place() })
    }
}

/// The pose that the `origin` of an element states; the identity if there is none.
pub(super) fn read_origin(element: Element<'_>) -> Result<Pose, Error> {
    let Some(origin) = element.child("origin")? else { return Ok(Pose::IDENTITY) };
    if origin.has("quat_xyzw")? {
        return Err(origin.error("the attribute 'quat_xyzw' is not supported; write the rotation as 'rpy'"));
    }
    let xyz = origin.vector("xyz")?.unwrap_or_default();
    let rpy = origin.vector("rpy")?.unwrap_or_default();
    rigid::pose(xyz, rpy, origin.place())
}

fn read_geometry(element: Element<'_>) -> Result<Geometry, Error> {
    const KNOWN: &str = "known are mesh, sphere, box, cylinder and capsule";
    let mut shapes = element.children();
    let Some(shape) = shapes.next() else {
        return Err(element.error(format!("the geometry is empty; {KNOWN}")));
    };
    if let Some(second) = shapes.next() {
        return Err(second.error("a geometry has one shape; move this one to an element of its own"));
    }
    Ok(match shape.name() {
        "mesh" => {
            let scale = shape.vector("scale")?.unwrap_or([1.0; 3]);
            if scale.contains(&0.0) {
                return Err(shape.error("a scale of 0 makes the mesh flat; write another"));
            }
            Geometry::Mesh { filename: shape.required("filename")?, scale }
        }
        "sphere" => Geometry::Sphere { radius: shape.length("radius")? },
        "box" => match shape.vector("size")? {
            Some(size) if size.iter().all(|x| *x >= 0.0) => Geometry::Box { size },
            Some(_) => return Err(shape.error("a size is negative; write 0 or positive numbers")),
            None => return Err(shape.error("'box' needs the attribute 'size'")),
        },
        "cylinder" => {
            Geometry::Cylinder { radius: shape.length("radius")?, length: shape.length("length")?.value }
        }
        "capsule" => {
            Geometry::Capsule { radius: shape.length("radius")?, length: shape.length("length")?.value }
        }
        name => return Err(shape.error(format!("the geometry '{}' is unknown; {KNOWN}", shown(name)))),
    })
}
