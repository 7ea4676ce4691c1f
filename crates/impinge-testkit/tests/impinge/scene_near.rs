//! Scenes with margins and radii: near bodies, and when they came near. Queries of each pair must agree.
use impinge::{
    Body, ErrorKind, Mesh, Model, Pose, Query, Rounded, Scene, Threads,
    broad_phase::BroadPhaseKind,
    distance::{Accuracy, DistanceBounds, Margin},
    scene::{BodyId, Contact, Detail, Enclosure, Proximity, SceneOptions, Watch},
};
use impinge_testkit::{meshes, rng::Rng};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, atomic::AtomicBool},
};

fn margin(d: f64) -> Margin {
    Margin::new(d).unwrap()
}

fn model(mesh: Mesh) -> Arc<Model> {
    Arc::new(Model::new(mesh))
}

/// Margins of a scene, and the pairs that were near in the last update.
#[derive(Default)]
struct Expected {
    all: f64,
    own: BTreeMap<BodyId, f64>,
    pairs: BTreeMap<[BodyId; 2], f64>,
    near: BTreeSet<[BodyId; 2]>,
    /// The number of pairs of rounded bodies that met.
    met: usize,
}

impl Expected {
    fn margin(&self, [a, b]: [BodyId; 2]) -> f64 {
        let own = |id: BodyId| self.own.get(&id).copied().unwrap_or(self.all);
        self.pairs.get(&[a, b]).copied().unwrap_or(own(a).max(own(b)))
    }
    /// Compares the last update with queries. Returns the number of near pairs.
    fn check(&mut self, scene: &Scene) -> usize {
        let ids: Vec<BodyId> = scene.bodies().collect();
        let mut want: Vec<([BodyId; 2], DistanceBounds)> = Vec::new();
        for (i, &a) in ids.iter().enumerate() {
            for &b in &ids[i + 1..] {
                let ((x, p), (y, q)) = (scene.body(a).unwrap(), scene.body(b).unwrap());
                let stop = Accuracy::new().above(margin(self.margin([a, b])));
                let radii = [a, b].map(|id| scene.radius(id).unwrap());
                let [x, y] = [(x, p, radii[0]), (y, q, radii[1])]
                    .map(|(model, pose, radius)| Body::new(model, *pose).rounded(radius).unwrap());
                let gap = Query::new().with_accuracy(stop).distance(&x, &y);
                want.extend(gap.filter(|gap| gap.hi > 0.0).map(|gap| ([a, b], gap)));
                let contact = scene.contacts().iter().find(|contact| contact.bodies == [a, b]);
                self.met += usize::from(contact.is_some() && radii != [0.0; 2]);
                check_contact(scene, contact, [&x, &y]);
            }
        }
        let got: Vec<([BodyId; 2], DistanceBounds)> =
            scene.near().iter().map(|near| (near.bodies, near.gap)).collect();
        assert_eq!(got, want);
        let now: BTreeSet<[BodyId; 2]> = want.iter().map(|(bodies, _)| *bodies).collect();
        for Proximity { bodies, began, .. } in scene.near() {
            assert_eq!(*began, !self.near.contains(bodies), "{bodies:?}");
        }
        let ended: Vec<_> = self.near.difference(&now).copied().collect();
        assert_eq!(scene.near_ended(), ended);
        self.near = now;
        want.len()
    }
}

/// Compares a contact, or none, with queries for the pair.
fn check_contact(scene: &Scene, contact: Option<&Contact>, [x, y]: [&Rounded<'_>; 2]) {
    let pairs = impinge::pairs(x, y);
    let is_rounded = x.radius() + y.radius() > 0.0;
    match contact {
        Some(contact) => {
            assert_eq!(contact.witness.is_none(), pairs.is_empty());
            assert!(contact.triangle_pairs.is_none_or(|count| count == pairs.len() as u64));
            assert!(!is_rounded || contact.relation.is_none());
            if contact.triangle_pairs.is_some() {
                assert_eq!(contact.witness, pairs.first().copied());
            }
            if let Ok(listed) = scene.triangle_pairs(contact) {
                assert_eq!(listed, pairs);
            }
            if pairs.is_empty() {
                let solids = Accuracy::new().solids();
                let gap = Query::new().with_accuracy(solids).distance(x, y).unwrap();
                assert_eq!(gap.hi, 0.0, "one is inside the other");
            }
        }
        None => assert!(pairs.is_empty(), "{pairs:?}"),
    }
}

#[test]
fn what_is_near_is_what_queries_say_of_each_pair() {
    let mut near = 0;
    for (turn, enclosure) in Enclosure::ALL.iter().enumerate() {
        for (broad_phase, caches) in BroadPhaseKind::ALL.iter().zip([true, false].into_iter().cycle()) {
            let options = SceneOptions::new().enclosure(*enclosure).broad_phase(*broad_phase).caches(caches);
            let options = if turn == 1 { options.threads(Threads::Pool) } else { options };
            near += motion(options, turn as u64 + 3, false).0;
            let (rounded, met) = motion(options, turn as u64 + 30, true);
            assert!(rounded > 20 && met > 20, "{rounded} near, {met} met");
        }
    }
    assert!(near > 500, "{near}");
}

/// The numbers of pairs that were near, and of those with a radius that met.
fn motion(options: SceneOptions, seed: u64, rounded: bool) -> (usize, usize) {
    let mut rng = Rng::new(seed);
    let shapes =
        [meshes::icosphere(1), meshes::torus(12, 8, 0.3), meshes::cuboid([0.8, 0.2, 0.4]), Mesh::default()];
    let shapes = shapes.map(model);
    let (mut scene, mut expected) = (Scene::with_options(options), Expected::default());
    let place = |rng: &mut Rng, reach: f64| Pose::rigid(rng.rotation(), rng.point(reach)).unwrap();
    let ids: Vec<BodyId> = (0..9)
        .map(|i| {
            scene.add(Arc::clone(&shapes[[0, 1, 2, 0, 1, 2, 0, 1, 3][i]]), place(&mut rng, 2.5)).unwrap()
        })
        .collect();
    let mut near = 0;
    for step in 0..24 {
        match step {
            1 => expected.all = 0.3,
            6 => expected.all = 1.0,
            12 => expected.all = 0.1,
            _ => {}
        }
        scene.set_margin(margin(expected.all));
        if rounded && step % 5 == 2 {
            let id = ids[rng.below(9) as usize];
            let any = rng.unit();
            let radius = *rng.pick(&[0.0, 0.1, 0.3, 1e-300, any]);
            assert_eq!(scene.set_radius(id, radius).is_ok(), scene.radius(id) == Ok(radius));
        }
        if step == 8 {
            scene.set_body_margin(ids[1], Some(margin(2.0))).unwrap();
            scene.set_body_margin(ids[2], Some(margin(0.0))).unwrap();
            expected.own = [(ids[1], 2.0), (ids[2], 0.0)].into();
        }
        if step == 10 {
            for (pair, d) in [([ids[4], ids[3]], 3.0), ([ids[0], ids[5]], 0.01)] {
                scene.set_pair_margin(pair, Some(margin(d))).unwrap();
                expected.pairs.insert([pair[0].min(pair[1]), pair[0].max(pair[1])], d);
            }
        }
        if step == 16 {
            scene.set_body_margin(ids[1], None).unwrap();
            scene.set_pair_margin([ids[5], ids[0]], None).unwrap();
            expected.own.remove(&ids[1]);
            expected.pairs.remove(&[ids[0], ids[5]]);
        }
        if step == 20 {
            scene.remove(ids[3]).unwrap();
            expected.pairs.clear();
            expected.own.remove(&ids[3]);
        }
        for &id in ids.iter().filter(|_| step % 3 > 0) {
            let Ok((_, pose)) = scene.body(id) else { continue };
            let by = rng.point(if step % 7 == 0 { 2.0 } else { 0.15 });
            let t = *pose.translation();
            let to = Pose::rigid(*pose.rows(), [0, 1, 2].map(|k| (t[k] + by[k]).clamp(-2.5, 2.5))).unwrap();
            scene.set_pose(id, to).unwrap();
        }
        if step == 13 {
            // A stopped update reports nothing, and loses nothing.
            let flag = AtomicBool::new(true);
            scene.update_with(Detail::Bodies, &Watch::new().stop(&flag)).unwrap_err();
            assert!(scene.near().is_empty());
        }
        scene.update([Detail::Bodies, Detail::Counts, Detail::Triangles, Detail::Relations][step % 4]);
        near += expected.check(&scene);
    }
    (near, expected.met)
}

#[test]
fn a_margin_is_closed_and_meeting_is_not_near() {
    let cube = model(meshes::cuboid([1.0; 3]));
    let mut scene = Scene::new();
    let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]).unwrap();
    let a = scene.add(Arc::clone(&cube), at(0.0)).unwrap();
    let b = scene.add(cube, at(2.5)).unwrap();
    scene.set_margin(margin(0.5_f64.next_down()));
    scene.update(Detail::Bodies);
    assert!(scene.near().is_empty());
    scene.set_margin(margin(0.5));
    scene.update(Detail::Bodies);
    let [near] = scene.near() else { panic!() };
    assert_eq!((near.bodies, near.gap.hi, near.began), ([a, b], 0.5, true));
    scene.set_pose(b, at(2.0)).unwrap();
    scene.update(Detail::Bodies);
    assert_eq!((scene.near().len(), scene.near_ended(), scene.contacts().len()), (0, &[[a, b]][..], 1));
    scene.set_pose(b, at(2.25)).unwrap();
    scene.update(Detail::Bodies);
    assert_eq!((scene.near().len(), scene.ended()), (1, &[[a, b]][..]));
    // A body in another is far from its surface; as solids they meet.
    let small = model(meshes::cuboid([0.1; 3]));
    let c = scene.add(small, at(0.0)).unwrap();
    scene.update(Detail::Bodies);
    assert!(scene.near().iter().all(|near| near.bodies == [a, b]));
    scene.set_margin(margin(1.0));
    scene.update(Detail::Bodies);
    assert!(scene.near().iter().any(|near| near.bodies == [a, c]));
    scene.update(Detail::Relations);
    assert!(scene.near().iter().all(|near| near.bodies == [a, b]), "{:?}", scene.near());
    assert!(scene.contacts().iter().any(|contact| contact.bodies == [a, c]));
    assert!(scene.set_body_margin(c, None).is_ok());
    scene.remove(c).unwrap();
    let removed = ErrorKind::NoSuchBody { body: c };
    assert_eq!(scene.set_body_margin(c, None), Err(removed.clone().into()));
    assert_eq!(scene.set_pair_margin([a, c], None), Err(removed.into()));
}
