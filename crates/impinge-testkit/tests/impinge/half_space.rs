//! Bodies and half-spaces, against rational numbers.
use impinge::{
    Body, ErrorKind, HalfSpace, Mesh, Model, Obstacle, Pose, Query, Rounded, Scene, SimdLevel, Threads,
    distance::{Accuracy, DistanceBounds, Margin},
    scene::{BodyId, Detail, SceneOptions},
};
use impinge_testkit::{
    cases::is_full,
    meshes,
    oracle::compare_height,
    rng::{Rng, nudge},
};
use std::{cmp::Ordering, sync::Arc};

fn margin(m: f64) -> Margin {
    Margin::new(m).unwrap()
}

/// A coordinate, on a grid or any.
fn point(rng: &mut Rng, kind: u64) -> [f64; 3] {
    if kind == 0 { rng.grid_point(3) } else { rng.point(3.0) }
}

/// Points, segments, triangles, some of them degenerate, and meshes with a tree.
fn model(rng: &mut Rng, kind: u64) -> Model {
    match rng.below(4) {
        0 => Model::points(&[point(rng, kind), point(rng, kind)]).unwrap(),
        1 => Model::segment(point(rng, kind), point(rng, kind)).unwrap(),
        2 => {
            let points = (0..6).map(|_| point(rng, kind)).collect();
            Model::new(Mesh::new(points, vec![[0, 1, 2], [3, 4, 3], [5, 2, 0]]).unwrap())
        }
        _ => {
            let points: Vec<_> = (0..40).map(|_| point(rng, kind)).collect();
            let triangles = (0..50).map(|_| [0; 3].map(|_| rng.below(40) as u32)).collect();
            Model::new(Mesh::new(points, triangles).unwrap())
        }
    }
}

fn pose(rng: &mut Rng, kind: u64) -> Pose {
    let t = point(rng, kind);
    match rng.below(3) {
        0 => Pose::from_translation(t).unwrap(),
        1 if kind > 0 => Pose::rigid(rng.rotation(), t).unwrap(),
        _ => Pose::affine([[-1.0, 0.0, 0.5], [0.5, 1.0, 0.0], [0.0, 0.25, 2.0]], t).unwrap(),
    }
}

fn half_space(rng: &mut Rng, kind: u64) -> HalfSpace {
    let normals = [[0.0, 0.0, 1.0], [0.0, -3.0, 0.0], [2.0, 3.0, 6.0], [1e-3, 0.0, 1.0]];
    let n = if rng.one_in(2) { *rng.pick(&normals) } else { point(rng, kind) };
    let n = if n == [0.0; 3] { [1.0; 3] } else { n };
    HalfSpace::new(n, rng.int(-40, 6) as f64 / 2.0).unwrap()
}

/// The order of a body's height over a half-space and a sum.
fn order(body: &Body<'_>, half_space: &HalfSpace, sum: &[f64]) -> Ordering {
    let plane = (half_space.normal(), half_space.offset());
    let mesh = body.model.mesh();
    let each = (0..mesh.len() as u32).map(|t| compare_height(&mesh.corners(t), &body.pose, plane, sum));
    each.min().unwrap()
}

/// The triangles that are as low as a sum.
fn low(body: &Body<'_>, half_space: &HalfSpace, sum: &[f64]) -> Vec<[u32; 2]> {
    let plane = (half_space.normal(), half_space.offset());
    let mesh = body.model.mesh();
    let is_low = |t: &u32| compare_height(&mesh.corners(*t), &body.pose, plane, sum).is_le();
    (0..mesh.len() as u32).filter(is_low).map(|t| [t, 0]).collect()
}

/// A number that is about the height, often it or its neighbour.
fn about(rng: &mut Rng, gap: &DistanceBounds) -> f64 {
    let bound = if rng.one_in(2) { gap.lo } else { gap.hi };
    let about = [bound, bound.round(), bound * rng.unit(), 2.0 * bound];
    let by = if rng.one_in(2) { 0 } else { rng.int(-1, 1) };
    nudge(*rng.pick(&about), by).max(0.0)
}

#[test]
fn bodies_meet_half_spaces_as_rational_numbers_say() {
    let (mut rng, mut query) = (Rng::new(552), Query::new());
    let mut counts = [0; 3];
    for round in 0..if is_full() { 30_000 } else { 600 } {
        let kind = round % 2;
        let model = model(&mut rng, kind);
        let body = Body::new(&model, pose(&mut rng, kind));
        let plane = half_space(&mut rng, kind);
        let gap = query.with_accuracy(Accuracy::new().exact()).distance(&body, &plane).unwrap();
        check_distance(&mut query, &body, 0.0, &plane);
        assert_eq!(query.intersects(&body, &plane), order(&body, &plane, &[]).is_le());

        let radius = about(&mut rng, &gap);
        let extra = [0.0, about(&mut rng, &gap), 2_f64.powi(-60)][round as usize % 3];
        let rounded = body.rounded(radius).unwrap();
        let (contact, near) = (order(&body, &plane, &[radius]), order(&body, &plane, &[radius, extra]));
        counts[(contact as i8 + 1) as usize] += 1;
        assert_eq!(query.intersects(&rounded, &plane), contact.is_le(), "{round}");
        assert_eq!(query.within(&rounded, &plane, margin(extra)), near.is_le(), "{round}");
        assert_eq!(query.pairs(&rounded, &plane), low(&body, &plane, &[radius]), "{round}");
        assert_eq!(
            query.pairs_within(&rounded, &plane, margin(extra)),
            low(&body, &plane, &[radius, extra]),
            "{round}"
        );
        let first = query.first_contact(&rounded, &plane);
        assert!(first.map_or(contact.is_gt(), |first| low(&body, &plane, &[radius]).contains(&first)));
        check_distance(&mut query, &body, radius, &plane);
        let near = Accuracy::new().above(margin(extra));
        let found = query.with_accuracy(near).distance(&rounded, &plane);
        assert_eq!(found.is_some(), order(&body, &plane, &[radius, extra]).is_le(), "{round}");
        assert!(found.is_none_or(|found| found.hi <= extra));
    }
    assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
}

/// The interval contains the distance; with the highest accuracy its ends are neighbours or equal.
fn check_distance(query: &mut Query, body: &Body<'_>, radius: f64, plane: &HalfSpace) {
    let rounded = body.rounded(radius).unwrap();
    let meet = order(body, plane, &[radius]).is_le();
    for exact in [false, true] {
        let accuracy = if exact { Accuracy::new().exact() } else { Accuracy::new() };
        let gap = query.with_accuracy(accuracy).distance(&rounded, plane).unwrap();
        assert_eq!(gap.hi == 0.0, meet);
        assert!(gap.lo <= gap.hi && gap.triangles[1] == 0);
        if meet {
            assert_eq!(gap.points[0], gap.points[1]);
            continue;
        }
        assert!(order(body, plane, &[radius, gap.lo]).is_ge());
        assert!(gap.hi.is_infinite() || order(body, plane, &[radius, gap.hi]).is_le());
        assert!(!exact || gap.hi == gap.lo || gap.hi == gap.lo.next_up(), "{gap:?}");
        assert!(exact || gap.hi - gap.lo < 1e-12 * (1.0 + gap.hi));
        let apart = [0, 1, 2].map(|k| gap.points[0][k] - gap.points[1][k]);
        let apart = apart.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!((apart - gap.hi).abs() < 1e-9, "{gap:?}");
    }
}

/// Large meshes, all instruction sets, batches: the same results as one by one.
#[test]
fn trees_and_batches_agree_with_single_triangles() {
    let mut rng = Rng::new(553);
    let models =
        [meshes::icosphere(3), meshes::torus(40, 30, 0.3), meshes::soup(7, 500, 0.2)].map(Model::new);
    for round in 0..if is_full() { 120 } else { 9 } {
        let model = &models[round % 3];
        let poses: Vec<Pose> = (0..3).map(|_| pose(&mut rng, 1)).collect();
        let plane = half_space(&mut rng, 1);
        let limit = margin(*rng.pick(&[0.0, 0.5, 1e-9]));
        let bodies = poses.iter().map(|pose| Body::new(model, *pose));
        let lists: Vec<_> =
            bodies.map(|body| [0.0, limit.get()].map(|sum| low(&body, &plane, &[sum]))).collect();
        for simd in SimdLevel::ALL.iter().copied() {
            let mut query = Query::new().simd(simd).threads(Threads::Pool);
            let bodies = poses.iter().map(|pose| Body::new(model, *pose));
            for (body, [meet, near]) in bodies.clone().zip(&lists) {
                assert_eq!(query.pairs(&body, &plane), meet, "{simd:?}");
                assert_eq!(query.pairs_within(&body, &plane, limit), near, "{simd:?}");
            }
            let gaps: Vec<_> = bodies.clone().map(|body| query.distance(&body, &plane)).collect();
            let meet: Vec<_> = bodies.clone().map(|body| query.intersects(&body, &plane)).collect();
            let near: Vec<_> = bodies.map(|body| query.within(&body, &plane, limit)).collect();
            assert_eq!(query.intersects_at(&plane, model, &poses), meet);
            assert_eq!(query.within_at(&plane, model, &poses, limit), near);
            let firsts = query.first_contact_at(&plane, model, &poses);
            assert!(firsts.iter().zip(&meet).all(|(first, meet)| first.is_some() == *meet));
            assert!(firsts.iter().flatten().all(|[face, _]| *face == 0));
            let listed = query.pairs_at(&plane, model, &poses);
            for (at, [meet, _]) in listed.iter().zip(&lists) {
                let turned: Vec<[u32; 2]> = at.iter().map(|[face, t]| [*t, *face]).collect();
                assert_eq!(&turned, meet, "{simd:?}");
            }
            let turned = query.distance_at(&plane, model, &poses).to_vec();
            for (one, other) in gaps.iter().zip(turned) {
                let (one, other) = (one.unwrap(), other.unwrap());
                assert_eq!((one.lo, one.hi), (other.lo, other.hi));
                assert_eq!(one.points, [other.points[1], other.points[0]]);
                assert_eq!(one.triangles, [other.triangles[1], other.triangles[0]]);
            }
        }
    }
}

/// Numbers whose products overflow or underflow.
#[test]
fn heights_of_any_size_are_exact() {
    let (mut rng, mut query) = (Rng::new(554), Query::new());
    for round in 0..300 {
        let scales = [0; 4].map(|_| 2_f64.powi(rng.int(-300, 300) as i32));
        let corners = [0; 3].map(|_| point(&mut rng, 1).map(|x| x * scales[0]));
        let model = Model::new(Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap());
        let rows = rng.rotation().map(|row| row.map(|x| x * scales[3]));
        let shift = point(&mut rng, 1).map(|x| x * scales[0]);
        let body = Body::new(&model, Pose::affine(rows, shift).unwrap());
        let n = point(&mut rng, 1).map(|x| x * scales[1]);
        let plane = HalfSpace::new(n, rng.between(-1.0, 1.0) * scales[2]).unwrap();
        let radius = scales[0] * rng.unit();
        let rounded = body.rounded(radius).unwrap();
        assert_eq!(query.intersects(&rounded, &plane), order(&body, &plane, &[radius]).is_le(), "{round}");
        let gap = query.distance(&rounded, &plane).unwrap();
        assert!(gap.hi == 0.0 || order(&body, &plane, &[radius, gap.lo]).is_ge(), "{round}: {gap:?}");
        assert!(gap.hi.is_infinite() || order(&body, &plane, &[radius, gap.hi]).is_le(), "{round}: {gap:?}");
    }
}

/// A scene's contacts and near pairs are those of queries, at each detail, while all things change.
#[test]
fn half_spaces_of_scenes_meet_what_queries_say() {
    let mut rng = Rng::new(555);
    let shapes = [meshes::icosphere(1), meshes::torus(12, 8, 0.3), meshes::cuboid([0.8, 0.2, 0.4])];
    let shapes = shapes.map(|mesh| Arc::new(Model::new(mesh)));
    let mut counts = [0; 3];
    for threads in [Threads::One, Threads::Pool] {
        let mut scene = Scene::with_options(SceneOptions::new().threads(threads));
        let planes = [0; 3].map(|_| half_space(&mut rng, 0));
        let mut ids = vec![scene.add_half_space(planes[0]).unwrap()];
        for model in &shapes {
            ids.push(scene.add(Arc::clone(model), Pose::from_translation(rng.point(3.0)).unwrap()).unwrap());
        }
        ids.extend(planes[1..].iter().map(|plane| scene.add_half_space(*plane).unwrap()));
        for step in 0..60 {
            let id = ids[rng.below(ids.len() as u64) as usize];
            if scene.half_space(id).unwrap().is_some() {
                if rng.one_in(3) {
                    scene.set_half_space(id, half_space(&mut rng, step % 2)).unwrap();
                }
            } else {
                let place = Pose::rigid(rng.rotation(), rng.point(4.0)).unwrap();
                scene.set_pose(id, place).unwrap();
                scene.set_radius(id, *rng.pick(&[0.0, 0.0, 0.5])).unwrap();
            }
            match step {
                5 => scene.set_margin(margin(0.5)),
                30 => scene.set_body_margin(ids[0], Some(margin(2.0))).unwrap(),
                40 => scene.set_pair_margin([ids[0], ids[1]], Some(margin(9.0))).unwrap(),
                _ => {}
            }
            let detail = [Detail::Bodies, Detail::Counts, Detail::Triangles, Detail::Relations];
            scene.update(detail[step as usize / 2 % 4]);
            check_scene(&scene, step, &mut counts);
        }
    }
    assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
}

fn check_scene(scene: &Scene, step: u64, counts: &mut [usize; 3]) {
    let ids: Vec<BodyId> = scene.bodies().collect();
    for (i, &a) in ids.iter().enumerate() {
        for &b in &ids[i + 1..] {
            let contact = scene.contacts().iter().find(|contact| contact.bodies == [a, b]);
            let near = scene.near().iter().find(|near| near.bodies == [a, b]);
            let sides = [a, b].map(|id| scene.half_space(id).unwrap());
            let (half_space, other, is_first) = match sides {
                [Some(_), Some(_)] => {
                    assert!(contact.is_none() && near.is_none());
                    continue;
                }
                [None, None] => continue,
                [Some(of), None] => (of, b, true),
                [None, Some(of)] => (of, a, false),
            };
            let (model, pose) = scene.body(other).unwrap();
            let body: Rounded<'_> = Body::new(model, *pose).rounded(scene.radius(other).unwrap()).unwrap();
            let mut pairs = impinge::pairs(&body, &half_space);
            if is_first {
                pairs.iter_mut().for_each(|pair| pair.reverse());
            }
            assert_eq!(contact.is_some(), !pairs.is_empty(), "{step}");
            counts[usize::from(contact.is_some())] += 1;
            if let Some(contact) = contact {
                assert!(pairs.contains(&contact.witness.unwrap()));
                assert!(contact.triangle_pairs.is_none_or(|count| count == pairs.len() as u64));
                if let Ok(listed) = scene.triangle_pairs(contact) {
                    assert_eq!(listed, pairs);
                }
            }
            let reach = match step {
                ..5 => 0.0,
                40.. if [a, b] == [ids[0], ids[1]] => 9.0,
                30.. if a == ids[0] => 2.0,
                _ => 0.5,
            };
            let limit = Accuracy::new().above(margin(reach));
            let gap = Query::new().with_accuracy(limit).distance(&body, &half_space);
            let gap = gap.filter(|gap| gap.hi > 0.0);
            counts[2] += usize::from(gap.is_some());
            assert_eq!(near.map(|near| near.gap.hi), gap.map(|gap| gap.hi), "{step}: {a:?} {b:?}");
            if let (Some(near), Some(gap)) = (near, gap) {
                let side = usize::from(is_first);
                assert_eq!(near.gap.triangles[side], gap.triangles[0]);
                assert_eq!(near.gap.points[side], gap.points[0]);
            }
        }
    }
}

#[test]
fn a_half_space_has_no_mesh_pose_or_radius() {
    let cube = Arc::new(Model::new(meshes::cuboid([1.0; 3])));
    let mut scene = Scene::new();
    let floor = scene.add_half_space(HalfSpace::new([0.0, 0.0, 1.0], 0.0).unwrap()).unwrap();
    let body = scene.add(Arc::clone(&cube), Pose::IDENTITY).unwrap();
    let wrong = [
        scene.set_pose(floor, Pose::IDENTITY),
        scene.set_model(floor, cube),
        scene.set_radius(floor, 1.0),
        scene.deform_some(floor, &[]),
        scene.set_half_space(body, HalfSpace::new([1.0; 3], 0.0).unwrap()),
    ];
    for result in wrong {
        assert!(matches!(result.unwrap_err().kind(), ErrorKind::WrongKindOfBody { .. }));
    }
    assert_eq!(scene.half_space(body), Ok(None));
    scene.remove(floor).unwrap();
    scene.update(Detail::Bodies);
    assert!(scene.contacts().is_empty());
    // A slot that held a half-space holds any body.
    let again = scene.add(Arc::new(Model::points(&[[0.0; 3]]).unwrap()), Pose::IDENTITY).unwrap();
    assert_eq!(scene.half_space(again), Ok(None));
    fn takes_any(_: &dyn Obstacle) {}
    takes_any(&HalfSpace::new([1.0; 3], 0.0).unwrap());
}
