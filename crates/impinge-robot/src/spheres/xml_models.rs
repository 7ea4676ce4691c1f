//! Sphere models in XML: SRDF, and URDF whose collision geometry is balls and capsules.
//!
//! Such URDFs are `resources/*/*_spherized.urdf` of <https://github.com/KavrakiLab/vamp>, and those that
//! <https://github.com/CoMMALab/foam/blob/main/scripts/generate_sphere_urdf.py> writes.
use crate::{
    error::Error,
    model::{Capsule, LinkSpheres, Sphere, SphereFormat, SphereModel},
    quote::shown,
    srdf::Srdf,
    urdf::{Geometry, Urdf},
};

/// Reads a text that is XML.
pub(super) fn parse(extension: &str, text: &str) -> Result<SphereModel, Error> {
    if extension == "srdf" || text.contains("<link_sphere_approximation") {
        let links = Srdf::parse(text)?.spheres;
        if links.is_empty() {
            return Err(Error::at(text, 0, "there is no 'link_sphere_approximation' in this SRDF"));
        }
        return Ok(SphereModel::new(SphereFormat::Srdf, links));
    }
    let urdf = Urdf::parse(text)?;
    let mut links = Vec::new();
    for link in urdf.links {
        if link.collisions.is_empty() {
            continue;
        }
        let mut spheres = LinkSpheres::new(Some(link.name));
        for body in link.collisions {
            match body.geometry {
                // The pose takes the origin to its translation, exactly.
                Geometry::Sphere { radius } => {
                    spheres.spheres.push(Sphere { center: *body.origin.translation(), radius });
                }
                Geometry::Capsule { radius, length } => {
                    let end = |z: f64| body.origin.place([0.0, 0.0, z]);
                    spheres.capsules.push(Capsule { ends: [end(-length / 2.0), end(length / 2.0)], radius });
                }
                Geometry::Mesh { .. } | Geometry::Box { .. } | Geometry::Cylinder { .. } => {
                    let link = shown(spheres.link.as_deref().unwrap_or_default());
                    let what = format!("this collision of '{link}' is no sphere and no capsule");
                    return Err(Error::placed(body.place, what + "; give a URDF with spheres alone"));
                }
            }
        }
        links.push(spheres);
    }
    if links.is_empty() {
        return Err(Error::at(text, 0, "no link of this URDF has a collision geometry"));
    }
    Ok(SphereModel::new(SphereFormat::Urdf, links))
}
