//! All scenes by name, and how they are built.
use super::{
    ManyBodies, Scene, Sources, assemblies, bodies,
    entry::{Draft, Entry},
    error::Error,
    held, knots,
    models::Models,
    placements, scans, slivers, spheres, tumbling,
};
use std::sync::Arc;

/// All scenes of two meshes; listing them builds nothing.
pub fn catalogue() -> impl Iterator<Item = &'static Entry> {
    [
        spheres::SCENES,
        knots::SCENES,
        scans::SCENES,
        tumbling::SCENES,
        placements::SCENES,
        slivers::SCENES,
        held::SCENES,
        assemblies::SCENES,
    ]
    .into_iter()
    .flatten()
}

/// Builds the scene of that name. The largest models take about a second.
///
/// # Errors
/// Returns an error for an unknown name; a data folder that does not exist; a model file that exists but is
/// not usable.
pub fn build(name: &str, sources: &Sources<'_>) -> Result<Scene, Error> {
    let entry = catalogue().find(|e| e.name == name).ok_or_else(|| Error::Unknown(name.to_owned()))?;
    let mut models = Models::new(sources.data)?;
    let Draft { meshes, mut frames, mut groups, quick } = (entry.make)(&mut models)?;
    if sources.quick {
        let mut index = 0..;
        frames.retain(|_| index.next().is_some_and(|i: usize| i.is_multiple_of(quick)));
        for group in &mut groups {
            group.frames = group.frames.start.div_ceil(quick)..group.frames.end.div_ceil(quick);
        }
    }
    Ok(Scene {
        name: entry.name.to_owned(),
        about: entry.about.to_owned(),
        family: entry.family,
        meshes: meshes.map(Arc::new),
        frames,
        groups,
        stand_in: models.stand_in(),
        models: models.files(),
    })
}

/// All scenes of many bodies: name and description.
pub const MANY_BODIES: [(&str, &str); 2] = [
    (
        "teapots-200",
        "200 teapots of 576 triangles tumble in a box and bounce off its walls (Hu 2016, section 3)",
    ),
    ("teapots-200-slow", "teapots-200 twenty times slower: little changes from frame to frame"),
];

/// Builds the scene of many bodies of that name.
///
/// # Errors
/// Returns an error for an unknown name.
pub fn build_many(name: &str, sources: &Sources<'_>) -> Result<ManyBodies, Error> {
    match MANY_BODIES.iter().find(|(n, _)| *n == name) {
        Some((name, about)) => {
            let pace = if name.ends_with("slow") { 0.05 } else { 1.0 };
            Ok(bodies::teapots(name, about, sources.quick, pace))
        }
        None => Err(Error::Unknown(name.to_owned())),
    }
}
