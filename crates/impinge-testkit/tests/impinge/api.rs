//! Promises of the public interface: types that threads may share, texts of errors, places of contacts.
mod contact;
#[cfg(feature = "serde")]
mod serde;

use impinge::{
    Error, ErrorKind, HalfSpace, Mesh, Model, Pose, Scene, Side, broad_phase,
    scene::Detail,
    world::{WorldBox, WorldBoxes},
};

/// A list of public types. A loss of `Send` or `Sync` would break their users' builds, so it breaks this one.
const _: () = {
    const fn shared<T: Send + Sync + 'static>() {}
    shared::<Error>();
    shared::<ErrorKind>();
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
    shared::<impinge::model::OwnedBody>();
    shared::<impinge::scene::Detail>();
    shared::<impinge::scene::Enclosure>();
    shared::<impinge::scene::Filter>();
    shared::<impinge::regions::InRegion>();
    shared::<impinge::query::PairLists>();
    shared::<HalfSpace>();
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
    assert!(matches!(error.kind(), ErrorKind::VertexNotFinite { vertex: 1, .. }), "{error}");
}

/// Each kind of error with its numbers, and a part of its text.
#[test]
fn errors_have_a_kind_and_a_text() {
    use ErrorKind as K;
    let mesh = |n: usize, t| Mesh::new(vec![[0.0; 3]; n], vec![t]).unwrap_err();
    let pose = |rows| Pose::affine(rows, [0.0; 3]).unwrap_err();
    let body = {
        let model = std::sync::Arc::new(Model::new(Mesh::default()));
        Scene::new().add(model, Pose::IDENTITY).unwrap()
    };
    let stale = Scene::new().set_pose(body, Pose::IDENTITY).unwrap_err();
    let mut halves = Scene::new();
    let floor = halves.add_half_space(HalfSpace::new([1.0; 3], 0.0).unwrap()).unwrap();
    let wrong_kind = halves.set_pose(floor, Pose::IDENTITY).unwrap_err();
    let (bodies, old_contact, no_triangles) = {
        let triangle = Mesh::new(vec![[0.; 3], [1., 0., 0.], [0., 1., 0.]], vec![[0, 1, 2]]).unwrap();
        let model = std::sync::Arc::new(Model::new(triangle));
        let mut scene = Scene::new();
        let bodies = [0, 1].map(|_| scene.add(model.clone(), Pose::IDENTITY).unwrap());
        assert_ne!(bodies[0], bodies[1]);
        scene.update(Detail::Bodies);
        let contact = scene.contacts()[0];
        let no_triangles = scene.triangle_pairs(&contact).unwrap_err();
        scene.update(Detail::Triangles);
        (bodies, scene.triangle_pairs(&contact).unwrap_err(), no_triangles)
    };
    let singular = [[1., 2., 3.], [4., 5., 6.], [7., 8., 9.]];
    let mut nearly = singular;
    nearly[2][2] = 9_f64.next_up();
    let nearly = Pose::affine(nearly, [0.0; 3]).unwrap().inverse().unwrap_err();
    let not_saved = Model::from_saved(*b"solid").unwrap_err();
    let far = Pose::from_translation([0.0, f64::MAX, 0.0]).unwrap();
    let mut model = Model::new(Mesh::new(vec![[0.0; 3]], vec![]).unwrap());
    let mirror = [[-1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
    let (few, eggs) = ("rings of a sphere", "eggs in one basket");
    let many = K::TooMany { found: 7, most: 5, what: eggs };
    let (no_ray, no_plane) =
        ("a ray's direction is 0, which is none", "a number of a half-space is not finite");
    let no_model = not_saved.to_string().into();
    let infinite = f64::INFINITY;
    let table: Vec<(Error, ErrorKind, &str)> = vec![
        (
            Mesh::new(vec![[0.0; 3], [0.0, infinite, 1.5]], vec![]).unwrap_err(),
            K::VertexNotFinite { vertex: 1, value: [0.0, infinite, 1.5] },
            "vertex 1 is not finite: (0, inf, 1.5)",
        ),
        (
            mesh(3, [0, 1, 3]),
            K::IndexOutOfRange { triangle: 0, index: 3, vertices: 3 },
            "triangle 0 names vertex 3, but there are only 3 vertices",
        ),
        (
            model.refit_some(&[(2, [0.0; 3])]).unwrap_err(),
            K::MovedVertexOutOfRange { index: 2, vertices: 1 },
            "vertex 2 is to move, but there are only 1 vertices",
        ),
        (
            model.refit(&[]).unwrap_err(),
            K::WrongPointCount { points: 0, vertices: 1 },
            "0 points for 1 vertices",
        ),
        (many.clone().into(), many, "7 eggs in one basket; at most 5 fit"),
        (
            Mesh::uv_sphere(1.0, 1, 8).unwrap_err(),
            K::TooFew { found: 1, least: 2, what: few },
            "1 rings of a sphere; at least 2 are needed",
        ),
        (
            Mesh::prism(1.0, -2.0, 8).unwrap_err(),
            K::InvalidSize { what: "the prism's height", size: -2.0 },
            "the prism's height is -2, which is not positive and finite",
        ),
        (
            Mesh::cone(1.0, 2.0, f64::NEG_INFINITY, Side::Inscribed).unwrap_err(),
            K::InvalidChord { chord: f64::NEG_INFINITY, least: 2.0_f64.powi(-44) },
            "the chord is -inf, which is not positive and finite",
        ),
        (
            pose([[infinite; 3]; 3]),
            K::PoseNotFinite { row: 0, column: 0, value: infinite },
            "the pose's entry in row 0, column 0 is inf",
        ),
        (
            far.then(&far).unwrap_err(),
            K::PoseOverflow { row: 1, column: 3 },
            "the resulting pose's entry in row 1, column 3 is beyond what f64 holds",
        ),
        (
            Pose::rigid([[2.0; 3]; 3], [0.0; 3]).unwrap_err(),
            K::NotRigid { deviation: 12.0, may_be_rounding: false },
            "by 1.2e1",
        ),
        (Pose::rigid(mirror, [0.0; 3]).unwrap_err(), K::Mirror, "it mirrors"),
        (pose(singular), K::SingularPose, "the affine map is singular: it flattens space"),
        (nearly, K::IllConditionedPose, "inverse means nothing"),
        (
            Pose::from_matrix([[0.0; 4]; 4]).unwrap_err(),
            K::NotAffine { last_row: [0.0; 4] },
            "0 0 0 0, not 0 0 0 1",
        ),
        (
            Pose::from_quaternion([infinite; 4], [0.0; 3]).unwrap_err(),
            K::QuaternionNotFinite { quaternion: [infinite; 4] },
            "the quaternion is not finite: x inf, y inf, z inf, w inf",
        ),
        (
            Pose::from_quaternion([0.0; 4], [0.0; 3]).unwrap_err(),
            K::ZeroQuaternion,
            "the quaternion is 0, which is no rotation",
        ),
        (
            Pose::from_axis_angle([0.0; 3], infinite, [0.0; 3]).unwrap_err(),
            K::AxisAngleNotFinite { axis: [0.0; 3], angle: infinite },
            "the axis (0, 0, 0) or the angle inf is not finite",
        ),
        (
            Pose::from_axis_angle([0.0; 3], 1.0, [0.0; 3]).unwrap_err(),
            K::ZeroAxis,
            "the axis is 0, which has no direction",
        ),
        (
            impinge::distance::Margin::new(-1.0).unwrap_err(),
            K::InvalidMargin { distance: -1.0 },
            "but this one is -1",
        ),
        (impinge::rays::Ray::new([0.0; 3], [0.0; 3]).unwrap_err(), K::InvalidRay { reason: no_ray }, no_ray),
        (HalfSpace::new([1.0; 3], infinite).unwrap_err(), K::InvalidHalfSpace { reason: no_plane }, no_plane),
        (stale, K::NoSuchBody { body }, "the scene has no BodyId"),
        (
            wrong_kind,
            K::WrongKindOfBody { body: floor, is_half_space: true },
            "is a half-space, which has no",
        ),
        (old_contact, K::StaleContact { bodies }, "is not of the scene's last update"),
        (no_triangles, K::MissingDetail, "update it with Detail::Triangles"),
        (not_saved, K::InvalidSavedModel { reason: no_model }, "this is no saved model"),
    ];
    let mut kinds = std::collections::HashSet::new();
    for (error, kind, text) in table {
        assert_eq!(*error.kind(), kind);
        assert_eq!(error, kind.clone().into());
        let found = error.to_string();
        assert!(found.contains(text) && !found.contains('\n'), "{found}");
        assert!(kinds.insert(std::mem::discriminant(&kind)), "{kind:?} is there twice");
    }
    for (kind, text) in [
        (
            K::MixedHierarchies { first: "obb", second: "wide" },
            "do not fit together: obb and wide; both want",
        ),
        (K::UnsupportedOption { reason: "no arity 3".into() }, "no arity 3"),
        (K::Stopped, "stopped before the work was done"),
        (K::Defect { reason: "node 3".into() }, "a defect of this library: node 3"),
    ] {
        assert!(Error::from(kind).to_string().contains(text), "{text}");
    }
}
