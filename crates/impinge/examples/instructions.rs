//! A fixed piece of work, for `.ci/instructions` to count its instructions: `instructions KIND pairs|first FRAMES`.
use impinge::{Body, BuildOptions, Kind, Model, Query, Scratch};
use impinge_testkit::scenes::{Sources, build};
use std::{error::Error, hint::black_box};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (kind, ask, frames) = match &arguments[..] {
        [kind, ask, frames] => (kind.as_str(), ask.as_str(), frames.parse()?),
        // As every other example, it also runs alone.
        _ => ("aabb", "pairs", usize::MAX),
    };
    let kind = Kind::ALL.iter().copied().find(|k| k.name() == kind).ok_or(format!("no volume {kind}"))?;
    let scene = build("spheres-l1", &Sources { data: None, quick: true })?;
    let options = BuildOptions { kind, ..BuildOptions::default() };
    let [a, b] = scene.meshes.map(|mesh| Model::new(mesh, &options));
    let (mut scratch, mut pairs, mut found) = (Scratch::new(), Vec::new(), 0);
    for &[pose_a, pose_b] in scene.frames.iter().take(frames) {
        let (a, b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
        if ask == "first" {
            found += usize::from(Query::default().intersects(&a, &b, &mut scratch, &mut ()).is_some());
        } else {
            Query::default().intersecting_pairs(&a, &b, &mut scratch, &mut pairs, &mut ());
            found += pairs.len();
        }
    }
    println!("{} {ask}: {} found", kind.name(), black_box(found));
    Ok(())
}
