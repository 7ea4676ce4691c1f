//! Plain data can be written and read. Reading checks it.
use impinge::{
    Body, ErrorKind, Mesh, Model, Pose, Quality, Scene, SimdLevel, Threads,
    broad_phase::BroadPhaseKind,
    contact::{ContactPoint, contact_point},
    scene::{BodyId, Contact, Detail, Filter, SceneOptions, SceneStats},
    world::WorldBox,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{from_value, json, to_value};

fn back<T: Serialize + DeserializeOwned>(x: &T) -> T {
    // As text, where digits can be lost, not as a value.
    serde_json::from_str(&serde_json::to_string(x).unwrap()).unwrap()
}

fn refused<T: DeserializeOwned>(x: serde_json::Value) -> String {
    match from_value::<T>(x) {
        Ok(_) => panic!("was accepted"),
        Err(error) => error.to_string(),
    }
}

const TURN: [[f64; 3]; 3] = [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];

#[test]
fn poses_and_meshes_come_back_as_they_were() {
    let rigid = Pose::rigid(TURN, [0.1, f64::MAX, -1e-310]).unwrap();
    let affine =
        Pose::affine([[1.0, 1.0 / 3.0, 0.0], [0.0, -7.0, 0.0], [0.0, 0.0, 1e-200]], [0.0; 3]).unwrap();
    for pose in [Pose::IDENTITY, rigid, affine] {
        assert_eq!(back(&pose), pose);
        assert_eq!(back(&pose).is_rigid(), pose.is_rigid());
    }
    let text =
        json!({"rows": [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]], "translation": [1.0, 2.0, 3.0]});
    let pose = Pose::rigid(TURN, [1.0, 2.0, 3.0]).unwrap();
    assert_eq!(to_value(pose).unwrap(), text);
    assert_eq!(from_value::<Pose>(text).unwrap(), pose);
    let flat = json!({"rows": [[1, 2, 3], [4, 5, 6], [7, 8, 9]], "translation": [0, 0, 0]});
    assert!(refused::<Pose>(flat).contains("singular"));
    let named = json!({"rows": TURN, "translation": [0, 0, 0], "scale": 2});
    assert!(refused::<Pose>(named).contains("scale"));

    let mesh =
        Mesh::new(vec![[0.1, 0.2, 0.3], [1e300, 0.0, 0.0], [5e-324, 1.0, 0.0]], vec![[0, 1, 2]]).unwrap();
    assert_eq!(back(&mesh), mesh);
    let wrong = json!({"points": [[0, 0, 0]], "triangles": [[0, 0, 1]]});
    assert!(refused::<Mesh>(wrong).contains("triangle 0 names vertex 1"));
}

#[test]
fn boxes_and_contacts_come_back_as_they_were() {
    let mesh = Mesh::new(vec![[0.1, 0.0, 0.0], [1.0, 0.3, 0.0], [0.0, 1.0, 0.7]], vec![[0, 1, 2]]).unwrap();
    let pose = Pose::rigid(TURN, [0.1, 0.2, 0.3]).unwrap();
    let boxed = WorldBox::new(&mesh, &pose).unwrap();
    let again = back(&boxed);
    assert_eq!((again.lower(), again.upper()), (boxed.lower(), boxed.upper()));
    // Equal to the last bit.
    let corner = pose.place([1.0, 0.3, 0.0]);
    assert_eq!(to_value(&again).unwrap(), to_value(&boxed).unwrap());
    assert!(again.meets(&boxed) && corner[0] <= again.upper()[0]);
    let mut wrong = to_value(&boxed).unwrap();
    wrong["faces"][1].as_array_mut().unwrap().reverse();
    assert!(refused::<WorldBox>(wrong).contains("ends before it begins along axis 1"));
    let mut wrong = to_value(&boxed).unwrap();
    wrong["faces"][0][0]["t"] = json!(null);
    refused::<WorldBox>(wrong);

    let model = Model::new(mesh);
    let body = Body::new(&model, pose);
    let contact = contact_point(&body, &body, [0, 0]);
    assert_eq!(back::<ContactPoint>(&contact), contact);
    assert!(contact.normals[0].is_some());
}

fn by_name<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(all: &[T], name: fn(&T) -> &str) {
    assert!(!all.is_empty());
    for choice in all {
        assert_eq!(to_value(choice).unwrap(), json!(name(choice)));
        assert_eq!(&back(choice), choice);
    }
    let error = refused::<T>(json!("nonsense"));
    assert!(error.contains("`nonsense`") && all.iter().all(|choice| error.contains(name(choice))), "{error}");
    refused::<T>(json!(1));
}

#[test]
fn choices_are_written_by_their_names() {
    by_name(SimdLevel::ALL, |x| x.name());
    by_name(Quality::ALL, |x| x.name());
    by_name(Threads::ALL, |x| x.name());
    by_name(BroadPhaseKind::ALL, |x| x.name());
}

#[test]
fn what_a_scene_is_told_and_tells_comes_back_as_it_was() {
    let options = SceneOptions::new().caches(false).broad_phase(BroadPhaseKind::Grid).threads(Threads::Pool);
    assert_eq!(back(&options), options);
    let filter = Filter { groups: 3, mask: !1 };
    assert_eq!(to_value(filter).unwrap(), json!({"groups": 3, "mask": 0xFFFF_FFFE_u32}));
    assert_eq!(back(&filter), filter);
    refused::<Filter>(json!({"groups": 3}));

    let mesh = Mesh::new(vec![[0.1, 0.0, 0.0], [1.0, 0.3, 0.0], [0.0, 1.0, 0.7]], vec![[0, 1, 2]]).unwrap();
    let model = std::sync::Arc::new(Model::new(mesh));
    let mut scene = Scene::with_options(options);
    let ids = [0, 1].map(|_| scene.add(model.clone(), Pose::IDENTITY).unwrap());
    for detail in [Detail::Bodies, Detail::Counts, Detail::Triangles] {
        assert_eq!(back::<Detail>(&detail), detail);
        scene.update(detail);
        let contact = scene.contacts()[0];
        let read: Contact = back(&contact);
        assert_eq!(read, contact);
        // A contact that was read belongs to no update of the scene.
        assert_eq!(scene.triangle_pairs(&read), Err(ErrorKind::StaleContact { bodies: read.bodies }.into()));
        assert_eq!(back::<SceneStats>(&scene.stats()), scene.stats());
    }
    let id: BodyId = back(&ids[1]);
    assert!(id == ids[1] && scene.body(id).is_ok());
    let other = from_value(json!({"slot": 7, "generation": 1})).unwrap();
    assert_eq!(scene.set_pose(other, Pose::IDENTITY), Err(ErrorKind::NoSuchBody { body: other }.into()));
}
