//! The body of a scene that is nearest to a point, against queries of each body.
use impinge::{
    Body, Mesh, Model, Pose, Query, Scene, Threads,
    distance::{Accuracy, Margin},
    scene::{BodyId, NearestBody, SceneOptions},
};
use impinge_testkit::{meshes, rng::Rng};
use std::sync::Arc;

fn model(mesh: Mesh) -> Arc<Model> {
    Arc::new(Model::new(mesh))
}

/// The nearest body by a query of every body, without boxes.
fn expected(scene: &Scene, point: [f64; 3], stop: Accuracy) -> Option<NearestBody> {
    let mut query = Query::new();
    let mut ask = |id: BodyId, stop: Accuracy| {
        let (model, pose) = scene.body(id).unwrap();
        query.with_accuracy(stop).closest_point(&Body::new(model, *pose), point)
    };
    let found: Vec<_> = scene.bodies().filter_map(|id| Some((id, ask(id, stop)?))).collect();
    let (body, mut closest) = found.iter().min_by(|a, b| a.1.hi.total_cmp(&b.1.hi)).copied()?;
    for (id, other) in found {
        let no_farther = Accuracy::new().above(Margin::new(closest.hi).unwrap());
        if other.lo < closest.lo && ask(id, no_farther).is_some() {
            closest.lo = other.lo;
        }
    }
    let mut want = Scene::new();
    // Only a scene makes this type: one with only this body has the other fields.
    let (model, pose) = scene.body(body).unwrap();
    want.add(Arc::clone(model), *pose).unwrap();
    let mut told = want.nearest_body(point, stop).unwrap();
    (told.body, told.closest) = (body, closest);
    Some(told)
}

#[test]
fn the_nearest_body_is_what_queries_of_each_say() {
    let mut rng = Rng::new(4);
    let models = [meshes::icosphere(1), meshes::torus(9, 6, 0.3), meshes::sheet(3, 4, 0.2), Mesh::default()];
    let models = models.map(model);
    let mut others = 0;
    for threads in [Threads::One, Threads::Pool] {
        let mut scene = Scene::with_options(SceneOptions::new().threads(threads));
        assert_eq!(scene.nearest_body([0.0; 3], Accuracy::new()), None);
        let mut ids = Vec::new();
        for round in 0..30 {
            for _ in 0..3 {
                let pose = Pose::rigid(rng.rotation(), rng.point(8.0)).unwrap();
                ids.push(scene.add(Arc::clone(rng.pick(&models)), pose).unwrap());
            }
            // Poses count without an update. Some bodies are at one pose, and equally near.
            let (moved, gone) = (*rng.pick(&ids), rng.below(ids.len() as u64) as usize);
            let pose = *scene.body(*rng.pick(&ids)).unwrap().1;
            scene.set_pose(moved, pose).unwrap();
            if round % 4 == 3 {
                scene.remove(ids.swap_remove(gone)).unwrap();
            }
            let mut points: Vec<[f64; 3]> = (0..12).map(|_| rng.point(12.0)).collect();
            // On a surface.
            let (on, pose) = scene.body(ids[0]).unwrap();
            points.extend(on.mesh().points().first().map(|v| pose.place(*v)));
            let stops = [
                Accuracy::new(),
                Accuracy::new().above(Margin::new(1.5).unwrap()),
                Accuracy::new().exact(),
                Accuracy::new().rel(0.25).unwrap(),
            ];
            for stop in stops {
                let told = scene.nearest_bodies(&points, stop).to_vec();
                let want: Vec<_> = points.iter().map(|point| expected(&scene, *point, stop)).collect();
                assert_eq!(told, want, "{round}: {stop:?}");
                others += want.iter().flatten().filter(|found| found.body != ids[0]).count();
            }
        }
    }
    assert!(others > 1000, "{others}");
}

#[test]
fn points_that_are_no_points_and_bodies_beyond_measure() {
    let far = [1e308, -1e308, 1e308];
    let near = model(Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]).unwrap());
    let mut scene = Scene::new();
    let a = scene.add(Arc::clone(&near), Pose::IDENTITY).unwrap();
    let b = scene.add(near, Pose::from_translation(far).unwrap()).unwrap();
    assert_eq!(scene.nearest_body([f64::NAN, 0.0, 0.0], Accuracy::new()), None);
    assert_eq!(scene.nearest_body([0.0, f64::INFINITY, 0.0], Accuracy::new()), None);
    assert_eq!(scene.nearest_body([0.25, 0.25, -3.0], Accuracy::new()).unwrap().body, a);
    assert_eq!(scene.nearest_body(far.map(|x| 0.9 * x), Accuracy::new()).unwrap().body, b);
    // A margin of 1e-300 excludes 1e-200 and includes 1e-301.
    let least = Accuracy::new().above(Margin::new(1e-300).unwrap());
    assert_eq!(scene.nearest_body([0.25, 0.25, 1e-200], least), None);
    assert_eq!(scene.nearest_body([0.25, 0.25, 1e-301], least).unwrap().body, a);
}
