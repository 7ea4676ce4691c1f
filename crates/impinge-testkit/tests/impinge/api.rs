//! What the public interface promises by itself: which types threads may share, what errors say, where
//! contacts lie.
mod contact;
#[cfg(feature = "serde")]
mod serde;

use impinge::{
    Error, Mesh, Model, Pose, Scene, broad_phase,
    scene::Detail,
    world::{WorldBox, WorldBoxes},
};

/// A type that lost `Send` or `Sync` would break its users' builds: so it breaks this one first. A list of
/// all public types.
const _: () = {
    const fn shared<T: Send + Sync + 'static>() {}
    shared::<Error>();
    shared::<Mesh>();
    shared::<Pose>();
    shared::<WorldBox>();
    shared::<WorldBoxes>();
    shared::<Model>();
    shared::<impinge::Body<'static>>();
    shared::<impinge::scene::BodyId>();
    shared::<impinge::BuildOptions>();
    shared::<impinge::scene::Contact>();
    shared::<impinge::certainty::Certainty>();
    shared::<impinge::query::ContactPairs<'static>>();
    shared::<impinge::contact::ContactPoint>();
    shared::<impinge::query::CachedQuery<'static>>();
    shared::<impinge::distance::ClosestPoint>();
    shared::<impinge::query::Count>();
    shared::<impinge::query::Counters>();
    shared::<impinge::curves::Curves>();
    shared::<impinge::curves::Feature>();
    shared::<impinge::curves::Line<'static>>();
    shared::<impinge::curves::LineKind>();
    shared::<impinge::curves::Node>();
    shared::<impinge::curves::Patch<'static>>();
    shared::<impinge::model::Deformed>();
    shared::<impinge::scene::Detail>();
    shared::<impinge::scene::Enclosure>();
    shared::<impinge::scene::Filter>();
    shared::<impinge::regions::InRegion>();
    shared::<impinge::query::PairLists>();
    shared::<impinge::regions::Plane>();
    shared::<impinge::Quality>();
    shared::<impinge::Query>();
    shared::<impinge::query::QueryCache>();
    shared::<impinge::scene::Progress>();
    shared::<impinge::rays::Ray>();
    shared::<impinge::rays::RayHit>();
    shared::<impinge::model::Rebuild>();
    shared::<impinge::scene::Stage>();
    shared::<impinge::Threads>();
    shared::<impinge::scene::Watch<'static>>();
    shared::<Scene>();
    shared::<impinge::scene::SceneOptions>();
    shared::<impinge::scene::SceneStats>();
    shared::<impinge::SimdLevel>();
    shared::<impinge::model::TreeStats>();
    shared::<broad_phase::Aabb>();
    shared::<broad_phase::BroadPhaseKind>();
};

#[test]
fn an_f32_mesh_is_widened_exactly() {
    let points: [[f32; 3]; 3] = [[0.1, -3.4e38, 1e-45], [1.0, 2.0, 3.0], [0.3, 0.2, 0.7]];
    let mesh = Mesh::from_f32(&points, vec![[2, 0, 1]]).unwrap();
    assert_eq!(mesh.points(), points.map(|p| p.map(f64::from)));
    assert_eq!(mesh.triangles(), [[2, 0, 1]]);
    let error = Mesh::from_f32(&[[0.0; 3], [0.0, 0.0, f32::NEG_INFINITY]], vec![]).unwrap_err();
    assert_eq!(error.vertex(), Some(1));
    assert!(error.is_not_finite() && !error.is_pose());
}

/// Each kind of error, and the only one of these methods that returns true for it.
#[test]
fn errors_answer_what_they_are_asked() {
    let mesh = |n: usize, t| Mesh::new(vec![[0.0; 3]; n], vec![t]).unwrap_err();
    let pose = |rows| Pose::affine(rows, [0.0; 3]).unwrap_err();
    let body = {
        let model = std::sync::Arc::new(Model::new(Mesh::default(), &impinge::BuildOptions::default()));
        Scene::new().add(model, Pose::IDENTITY).unwrap()
    };
    let stale = Scene::new().set_pose(body, Pose::IDENTITY).unwrap_err();
    assert_eq!(stale.body(), Some(body));
    let (old_contact, no_triangles) = {
        let triangle = Mesh::new(vec![[0.; 3], [1., 0., 0.], [0., 1., 0.]], vec![[0, 1, 2]]).unwrap();
        let model = std::sync::Arc::new(Model::new(triangle, &impinge::BuildOptions::default()));
        let mut scene = Scene::new();
        let bodies = [0, 1].map(|_| scene.add(model.clone(), Pose::IDENTITY).unwrap());
        assert_ne!(bodies[0], bodies[1]);
        scene.update(Detail::Bodies);
        let contact = scene.contacts()[0];
        let no_triangles = scene.triangle_pairs(&contact).unwrap_err();
        scene.update(Detail::Triangles);
        (scene.triangle_pairs(&contact).unwrap_err(), no_triangles)
    };
    let many = Error::too_many(7, 5, "eggs in one basket");
    assert_eq!(
        (many.to_string().as_str(), many.count()),
        ("7 eggs in one basket; at most 5 fit", Some([7, 5]))
    );
    let singular = [[1., 2., 3.], [4., 5., 6.], [7., 8., 9.]];
    let mut nearly = singular;
    nearly[2][2] = 9_f64.next_up();
    let nearly = Pose::affine(nearly, [0.0; 3]).unwrap().inverse().unwrap_err();
    type Question = fn(&Error) -> bool;
    let table: [(Error, &str, Question); 21] = [
        (impinge::rays::Ray::new([0.0; 3], [0.0; 3]).unwrap_err(), "direction is 0", Error::is_not_a_ray),
        (impinge::regions::Plane::new([0.0; 3], 0.0).unwrap_err(), "normal is 0", Error::is_not_a_plane),
        (pose([[f64::INFINITY; 3]; 3]), "row 0, column 0 is inf", Error::is_not_finite),
        (mesh(3, [0, 1, 3]), "triangle 0 names vertex 3", Error::is_index_out_of_range),
        (many, "at most 5 fit", Error::is_too_many),
        (Mesh::uv_sphere(1.0, 1, 8).unwrap_err(), "1 rings of a sphere; at least 2", Error::is_too_few),
        (Mesh::cylinder(1.0, -2.0, 8).unwrap_err(), "the cylinder's height is -2,", Error::is_not_a_size),
        (Pose::from_axis_angle([0.0; 3], 1.0, [0.0; 3]).unwrap_err(), "the axis is 0", Error::is_zero_axis),
        (Pose::rigid([[2.0; 3]; 3], [0.0; 3]).unwrap_err(), "by 1.2e1", Error::is_not_rigid),
        (pose(singular), "singular", Error::is_singular_pose),
        (nearly, "inverse means nothing", Error::is_ill_conditioned),
        (Pose::from_matrix([[0.0; 4]; 4]).unwrap_err(), "0 0 0 0, not 0 0 0 1", Error::is_not_affine),
        (Pose::from_quaternion([0.0; 4], [0.0; 3]).unwrap_err(), "0", Error::is_zero_quaternion),
        (stale, "the scene has no BodyId", Error::is_no_such_body),
        (old_contact, "not of the scene's last update", Error::is_stale_contact),
        (no_triangles, "Detail::Triangles", Error::is_missing_detail),
        (Error::mixed_hierarchies("obb", "wide"), "obb and wide", Error::is_mixed),
        (Error::unsupported_option("no arity 3"), "no arity 3", Error::is_unsupported_option),
        (Model::from_saved(*b"solid").unwrap_err(), "this is no saved model", Error::is_invalid_saved_model),
        (Error::stopped(), "stopped", Error::is_stopped),
        (Error::invalid_tree("node 3"), "defect of this library: node 3", Error::is_defect),
    ];
    for (i, (error, text, _)) in table.iter().enumerate() {
        assert!(error.to_string().contains(text), "{error}");
        assert!(!error.to_string().contains('\n'));
        assert_eq!(error, &error.clone());
        for (j, (other, _, question)) in table.iter().enumerate() {
            assert_eq!(question(error), i == j, "{error}: asked what {other} is");
        }
    }
}
