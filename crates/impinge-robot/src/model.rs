//! [`SphereModel`]: balls and capsules that stand for the links of a robot.
use crate::{error::Place, number::Number};

/// Balls and capsules that stand for the links of a robot, in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct SphereModel {
    /// The format that the text was read as.
    pub format: SphereFormat,
    /// Links with their balls, in the order of the text.
    pub links: Vec<LinkSpheres>,
    /// Places of balls that cuRobo turns off by a negative radius. They are in no link.
    pub disabled: Vec<Place>,
}

/// Formats of sphere models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SphereFormat {
    /// cuRobo's YAML.
    Curobo,
    /// XRDF, NVIDIA's description of robots beside a URDF.
    Xrdf,
    /// JSON of foam.
    Foam,
    /// A URDF whose collision geometry is balls and capsules.
    Urdf,
    /// `link_sphere_approximation` of an SRDF.
    Srdf,
    /// Lines of four numbers.
    Lines,
    /// impinge's own JSON.
    Proxy,
}

/// Balls and capsules of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkSpheres {
    /// Name of the link; `None` in formats that name none.
    pub link: Option<String>,
    /// The shape of the link that it covers, as foam's database names it: a mesh, or `primitive0`.
    pub shape: Option<String>,
    /// The level of foam's tree; `None` in other formats. Each level covers the whole link.
    pub level: Option<FoamLevel>,
    /// Its balls.
    pub spheres: Vec<Sphere>,
    /// Its capsules; only URDF and impinge's own format have some.
    pub capsules: Vec<Capsule>,
}

impl LinkSpheres {
    /// A link without balls yet.
    pub(crate) fn new(link: Option<String>) -> Self {
        Self { link, shape: None, level: None, spheres: Vec::new(), capsules: Vec::new() }
    }
}

/// Level of one of foam's trees of spheres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoamLevel {
    /// Number of children of a sphere; `None` where the file does not state it.
    pub branch: Option<u32>,
    /// Depth in the tree, from 0.
    pub depth: u32,
}

/// A ball, in the frame of its link.
#[derive(Clone, Debug, PartialEq)]
pub struct Sphere {
    /// Its centre.
    pub center: [f64; 3],
    /// Its radius, not negative.
    pub radius: Number,
}

/// The points within a radius of a segment, in the frame of its link.
#[derive(Clone, Debug, PartialEq)]
pub struct Capsule {
    /// Ends of the segment.
    pub ends: [[f64; 3]; 2],
    /// Its radius, not negative.
    pub radius: Number,
}

impl SphereModel {
    pub(crate) fn new(format: SphereFormat, links: Vec<LinkSpheres>) -> Self {
        Self { format, links, disabled: Vec::new() }
    }
    /// All radii, in the order of the links; balls before capsules.
    pub fn radii(&self) -> impl Iterator<Item = &Number> {
        self.links.iter().flat_map(|link| {
            let spheres = link.spheres.iter().map(|sphere| &sphere.radius);
            spheres.chain(link.capsules.iter().map(|capsule| &capsule.radius))
        })
    }
}
