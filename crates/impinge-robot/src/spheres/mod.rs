//! Sphere models of links, in the formats that people have.
//!
//! | Format | Recognised by |
//! |---|---|
//! | cuRobo: `collision_spheres: {LINK: [{center: [x, y, z], radius: r}]}` | `.yml`, `.yaml`, or a colon |
//! | XRDF: `geometry: {NAME: {spheres: {LINK: ...}}}` | `.xrdf` |
//! | JSON of foam: levels, a list of them, or a database | `[` or `{` |
//! | URDF with balls and capsules as collision geometry, such as foam and VAMP write | `<` |
//! | SRDF: `link_sphere_approximation` | `<`, and `.srdf` or such an element |
//! | lines `x y z r` or `x,y,z,r`, comments from `#` on, with or without a first line of names | four words |
//! | impinge's own JSON | `{` and `"format": "impinge-proxy"` |
//!
//! cuRobo's `collision_spheres` is at the top, in `kinematics`, or in `robot_cfg: kinematics`. Before version
//! 0.8 it could be the path of another file; the error names that file.
//!
//! # impinge's own format
//!
//! ```json
//! {"format": "impinge-proxy", "version": 1, "links": {
//!     "hand": {"spheres": [[0, 0, 0.05, 0.03]], "capsules": [[0, 0, 0, 0, 0, 0.1, 0.02]]}
//! }}
//! ```
//!
//! A sphere is `[x, y, z, r]`, a capsule `[x0, y0, z0, x1, y1, z1, r]`: the points within r of the segment
//! from (x0, y0, z0) to (x1, y1, z1). Metres, in the frame of the link. `spheres` and `capsules` may be
//! missing. Other names are errors.
mod curobo;
mod foam;
mod json;
mod lines;
mod proxy;
mod xml_models;
mod yaml;

use crate::{error::Error, model::SphereModel};
use serde::{Deserialize, de::IgnoredAny};

/// Reads a sphere model. Its format follows from the content and from the extension of `name`, a file name.
///
/// ```
/// let text = "collision_spheres: {hand: [{center: [0, 0, 0.1], radius: 0.05}]}";
/// let model = impinge_robot::spheres::parse("arm.yml", text)?;
/// assert_eq!(model.links[0].link.as_deref(), Some("hand"));
/// assert_eq!(&text[model.links[0].spheres[0].radius.at.clone()], "0.05");
/// # Ok::<(), impinge_robot::Error>(())
/// ```
///
/// # Errors
/// A text of no known format, or one that breaks the rules of its format; numbers that are not finite;
/// negative radii, except for cuRobo's, which turn a sphere off. Each error has its place and names the
/// remedy.
pub fn parse(name: &str, text: &str) -> Result<SphereModel, Error> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    let content = text.trim_start_matches('\u{feff}').trim_start();
    match (content.as_bytes().first(), &*extension) {
        (Some(b'<'), _) => xml_models::parse(&extension, text),
        (Some(b'{' | b'['), extension) if !matches!(extension, "yml" | "yaml" | "xrdf") => parse_json(text),
        (_, "yml" | "yaml" | "xrdf") => curobo::parse(text),
        (_, "csv" | "txt" | "xyzr") => lines::parse(text),
        _ if lines::is_likely(text) => lines::parse(text),
        (Some(_), _) if content.contains(':') => curobo::parse(text),
        _ => {
            let byte = text.len() - content.len();
            let what = "this is no sphere model; known are cuRobo's YAML, XRDF, foam's JSON, URDF, SRDF, \
                        lines x y z r, and JSON with \"format\": \"impinge-proxy\"";
            Err(Error::at(text, byte, what))
        }
    }
}

/// Names that tell the formats in JSON apart.
#[derive(Deserialize)]
struct JsonHead {
    format: Option<IgnoredAny>,
    spheres: Option<IgnoredAny>,
    collision_spheres: Option<IgnoredAny>,
    kinematics: Option<IgnoredAny>,
    robot_cfg: Option<IgnoredAny>,
}

fn parse_json(text: &str) -> Result<SphereModel, Error> {
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('[') {
        return foam::parse_list(text);
    }
    let head: JsonHead = json::read(text)?;
    if head.format.is_some() {
        proxy::parse(text)
    } else if head.collision_spheres.is_some() || head.kinematics.is_some() || head.robot_cfg.is_some() {
        curobo::parse(text)
    } else if head.spheres.is_some() {
        foam::parse_level(text)
    } else {
        foam::parse_database(text)
    }
}
