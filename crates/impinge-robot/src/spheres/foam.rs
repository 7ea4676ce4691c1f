//! JSON of foam (<https://github.com/CoMMALab/foam>).
//!
//! `SphereEncoder` of <https://github.com/CoMMALab/foam/blob/main/foam/model/__init__.py> writes a sphere as
//! `{"origin": [x, y, z], "radius": r}` and a level of a tree as `{"mean": .., "best": .., "worst": ..,
//! "spheres": [..]}`. The program <https://github.com/CoMMALab/foam/blob/main/scripts/generate_spheres.py>
//! writes a list of levels. The database (`SpherizationDatabase` of
//! <https://github.com/CoMMALab/foam/blob/main/foam/__init__.py>) is `{MESH: {BRANCH: {DEPTH: level}}}`. MESH is
//! `LINK::FILE` or `LINK::primitiveN`:
//! <https://github.com/CoMMALab/foam/blob/main/foam/utility/__init__.py>.
use super::json::{self, Entries};
use crate::{
    error::Error,
    model::{FoamLevel, LinkSpheres, Sphere, SphereFormat, SphereModel},
    quote::shown,
};
use serde::Deserialize;
use serde_json::value::RawValue;

/// A level. Its errors (`mean`, `best`, `worst`) are not needed.
#[derive(Deserialize)]
struct FoamSpheres<'t> {
    #[serde(borrow)]
    spheres: Vec<FoamSphere<'t>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FoamSphere<'t> {
    origin: [f64; 3],
    #[serde(borrow)]
    radius: &'t RawValue,
}

impl FoamSpheres<'_> {
    /// The spheres; `mesh` is a name of the database.
    fn model(&self, text: &str, mesh: Option<&str>, level: FoamLevel) -> Result<LinkSpheres, Error> {
        let spheres = self
            .spheres
            .iter()
            .map(|sphere| Ok(Sphere { center: sphere.origin, radius: json::radius(text, sphere.radius)? }));
        let (link, shape) = match mesh.and_then(|mesh| mesh.split_once("::")) {
            Some((link, shape)) => (Some(link), Some(shape)),
            None => (None, mesh),
        };
        Ok(LinkSpheres {
            shape: shape.map(Into::into),
            level: Some(level),
            spheres: spheres.collect::<Result<_, Error>>()?,
            ..LinkSpheres::new(link.map(Into::into))
        })
    }
}

/// Reads a list of levels.
pub(super) fn parse_list(text: &str) -> Result<SphereModel, Error> {
    let levels: Vec<FoamSpheres<'_>> = json::read(text)?;
    let links = levels
        .iter()
        .zip(0..)
        .map(|(level, depth)| level.model(text, None, FoamLevel { branch: None, depth }));
    Ok(SphereModel::new(SphereFormat::Foam, links.collect::<Result<_, _>>()?))
}

/// Reads one level.
pub(super) fn parse_level(text: &str) -> Result<SphereModel, Error> {
    let level: FoamSpheres<'_> = json::read(text)?;
    let link = level.model(text, None, FoamLevel { branch: None, depth: 0 })?;
    Ok(SphereModel::new(SphereFormat::Foam, vec![link]))
}

/// Reads a database.
pub(super) fn parse_database(text: &str) -> Result<SphereModel, Error> {
    type Levels<'t> = Entries<Entries<Entries<FoamSpheres<'t>>>>;
    let meshes: Levels<'_> = json::read(text).map_err(|e| e.read_as("foam's database"))?;
    let number = |name: &str, kind: &str| {
        let what = || format!("the {kind} '{}' of a mesh is not a whole number", shown(name));
        name.parse::<u32>()
            .map_err(|_| Error::at(text, text.find(&format!("\"{name}\"")).unwrap_or(0), what()))
    };
    let mut links = Vec::new();
    for (mesh, branches) in &meshes.0 {
        for (branch, depths) in &branches.0 {
            for (depth, level) in &depths.0 {
                let place =
                    FoamLevel { branch: Some(number(branch, "branch")?), depth: number(depth, "depth")? };
                links.push(level.model(text, Some(mesh), place)?);
            }
        }
    }
    Ok(SphereModel::new(SphereFormat::Foam, links))
}
