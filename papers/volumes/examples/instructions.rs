//! A fixed workload for `.ci/instructions`, which counts its instructions:
//! `instructions KIND pairs|first FRAMES`.
use impinge::{Body, Query};
use impinge_testkit::scenes::{Sources, build};
use impinge_volumes::{Kind, Options};
use std::{error::Error, hint::black_box};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (kind, ask, frames) = match &arguments[..] {
        [kind, ask, frames] => (kind.as_str(), ask.as_str(), frames.parse()?),
        // Defaults, so that it runs without arguments as every other example does.
        _ => ("aabb", "pairs", usize::MAX),
    };
    let kind =
        Kind::ALL.iter().copied().find(|k| k.name() == kind).ok_or(format!("there is no volume '{kind}'"))?;
    let scene = build("spheres-l1", &Sources { data: None, quick: true })?;
    let [a, b] = scene.meshes.map(|mesh| Options::new(kind).build(mesh));
    let (a, b, mut query, mut found) = (a?, b?, Query::new(), 0);
    for &[pose_a, pose_b] in scene.frames.iter().take(frames) {
        let (a, b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
        found +=
            if ask == "first" { usize::from(query.intersects(&a, &b)) } else { query.pairs(&a, &b).len() };
    }
    println!("{} {ask}: {} found", kind.name(), black_box(found));
    Ok(())
}
