//! Scenes of all kinds against brute force.
use impinge::{Body, Pose, Scene, brute_force, model::Rebuild, scene::Detail};
use impinge_testkit::{
    meshes,
    rng::Rng,
    ways::{papers, setups},
};
use impinge_volumes::Options;
use std::sync::Arc;

#[test]
fn a_scene_of_any_kind_says_what_brute_force_says() {
    let (mut met, mut began) = (0, 0);
    for setup in setups(papers().map(Options::new)) {
        let models = [meshes::icosphere(1), meshes::torus(10, 8, 0.3), meshes::needles(4, 30)]
            .map(|mesh| Arc::new(setup.model(&mesh)));
        let (mut rng, mut scene) = (Rng::new(6), Scene::new());
        let mut pose = || Pose::rigid(rng.rotation(), rng.point(1.2)).unwrap();
        let ids: Vec<_> = (0..9).map(|n| scene.add(Arc::clone(&models[n % 3]), pose()).unwrap()).collect();
        for frame in 0..40 {
            for &id in ids.iter().skip(frame % 3).step_by(2) {
                scene.set_pose(id, pose()).unwrap();
            }
            let id = ids[frame % ids.len()];
            let points = scene.body(id).unwrap().0.mesh().points();
            let points: Vec<_> = points.iter().map(|&[x, y, z]| [y, z, 0.99 * x]).collect();
            scene.deform(id, &points, Rebuild::default()).unwrap();
            scene.update(Detail::Triangles);
            let mut contacts = scene.contacts().iter().peekable();
            for (i, &a) in ids.iter().enumerate() {
                for &b in &ids[i + 1..] {
                    let [x, y] = [a, b].map(|id| scene.body(id).unwrap()).map(|(m, p)| Body::new(m, *p));
                    let want = brute_force::pairs(&x, &y);
                    let contact = contacts.next_if(|contact| contact.bodies == [a, b]);
                    let got = contact.map_or(&[][..], |contact| scene.triangle_pairs(contact).unwrap());
                    assert_eq!(got, want, "{setup:?}, frame {frame}: {a:?}, {b:?}");
                    met += usize::from(!want.is_empty());
                    began += usize::from(contact.is_some_and(|contact| contact.began));
                }
            }
            assert!(contacts.next().is_none(), "{setup:?}, frame {frame}");
        }
    }
    println!("{met} contacts, {began} began");
    assert!(met > 2000 && began > 1000, "{met} contacts, {began} began");
}
