//! Two hundred bodies of two shapes drift through each other. The scene finds the pairs that meet in each
//! frame, and those that began or ended.
//!
//! `cargo run --release -p impinge --example many_bodies`
use impinge::{
    Mesh, Model, Pose, Scene,
    scene::{Detail, Filter},
};
use std::{error::Error, sync::Arc};

/// A tetrahedron or an octahedron.
fn shape(corners: &[[f64; 3]], faces: &[[u32; 3]]) -> Result<Arc<Model>, impinge::Error> {
    Ok(Arc::new(Model::new(Mesh::new(corners.to_vec(), faces.to_vec())?)))
}

/// The pose of a body in a frame, which repeats after a while.
fn pose(body: usize, frame: usize) -> Result<Pose, impinge::Error> {
    let time = frame as f64 / 200.0;
    let wave =
        |k: usize| (5.0 * ((body * (7 + 4 * k)) % 31) as f64 + time * (1 + (body + k) % 3) as f64).sin();
    let (s, c) = (time + body as f64).sin_cos();
    Pose::rigid([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]], [0, 1, 2].map(|k| 9.0 * wave(k)))
}

fn main() -> Result<(), Box<dyn Error>> {
    let tetrahedron = shape(
        &[[1., 1., 1.], [1., -1., -1.], [-1., 1., -1.], [-1., -1., 1.]],
        &[[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]],
    )?;
    let ends = [[1., 0., 0.], [-1., 0., 0.], [0., 1., 0.], [0., -1., 0.], [0., 0., 1.], [0., 0., -1.]];
    let faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let octahedron = shape(&ends, &faces)?;

    let mut scene = Scene::new();
    let mut bodies = Vec::new();
    for n in 0..200 {
        let model = if n % 2 == 0 { &tetrahedron } else { &octahedron };
        bodies.push(scene.add(Arc::clone(model), pose(n, 0)?)?);
    }
    // The first twenty are ghosts to each other, and these two may touch.
    for &body in &bodies[..20] {
        scene.set_filter(body, Filter { groups: 1, mask: !1 })?;
    }
    scene.set_allowed([bodies[40], bodies[41]], true)?;

    for frame in 0..500 {
        for (n, &body) in bodies.iter().enumerate() {
            scene.set_pose(body, pose(n, frame)?)?;
        }
        scene.update(Detail::Counts);
        if frame % 50 == 0 {
            let began = scene.contacts().iter().filter(|contact| contact.began).count();
            let triangles: u64 = scene.contacts().iter().filter_map(|contact| contact.triangle_pairs).sum();
            println!(
                "frame {frame:3}: {:3} pairs of bodies meet in {triangles:4} pairs of triangles, {began:3} \
                 began, {:3} ended; {} of 19,900 pairs were near",
                scene.contacts().len(),
                scene.ended().len(),
                scene.stats().near
            );
        }
    }
    Ok(())
}
