//! Prints the contents of robot files and sphere models in numbers.
//!
//! ```text
//! cargo run --release -p impinge-robot --example robot -- robot.urdf robot.srdf spheres.yml ...
//! ```
use impinge_robot::{Error, Geometry, Link, Packages, Srdf, Urdf, read_text, spheres};
use std::path::Path;

fn main() {
    for path in std::env::args().skip(1) {
        let path = Path::new(&path);
        match describe(path) {
            Ok(text) => println!("{}: {text}", path.display()),
            Err(error) => println!("{}", error.in_file(path)),
        }
    }
}

fn describe(path: &Path) -> Result<String, Error> {
    let text = read_text(path)?;
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("urdf") => {
            let urdf = Urdf::parse(&text)?;
            let sum = |count: fn(&Link) -> usize| urdf.links.iter().map(count).sum::<usize>();
            let bodies = urdf.links.iter().flat_map(|link| link.visuals.iter().chain(&link.collisions));
            let found = bodies.filter_map(|body| match &body.geometry {
                Geometry::Mesh { filename, .. } => Some(Packages::new().resolve(filename, path).is_ok()),
                _ => None,
            });
            let (found, missing): (Vec<_>, Vec<_>) = found.partition(|found| *found);
            Ok(format!(
                "{} links, {} joints, {} visuals, {} collisions, {} rigid groups, {} of {} meshes found",
                urdf.links.len(),
                urdf.joints.len(),
                sum(|link| link.visuals.len()),
                sum(|link| link.collisions.len()),
                urdf.rigid_groups()?.len(),
                found.len(),
                found.len() + missing.len()
            ))
        }
        Some("srdf") => {
            let srdf = Srdf::parse(&text)?;
            let (groups, states, disabled) = (srdf.groups.len(), srdf.states.len(), srdf.disabled.len());
            let spheres: usize = srdf.spheres.iter().map(|link| link.spheres.len()).sum();
            Ok(format!("{groups} groups, {states} states, {disabled} disabled pairs, {spheres} spheres"))
        }
        _ => {
            let model = spheres::parse(&path.display().to_string(), &text)?;
            let (links, radii, disabled) = (model.links.len(), model.radii().count(), model.disabled.len());
            Ok(format!("{:?}, {links} links, {radii} spheres and capsules, {disabled} off", model.format))
        }
    }
}
