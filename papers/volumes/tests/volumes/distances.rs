//! Distances by trees: the same as by brute force, and by comparing few of the triangles.
use crate::agreement::every_option;
use impinge::{
    Body, Mesh, Model, Pose, Query, brute_force,
    distance::{Accuracy, DistanceBounds},
};
use impinge_testkit::{
    cases::{poses, scenes, share},
    meshes,
    rng::Rng,
    ways::{papers, setups},
};
use impinge_volumes::Options;

/// True if two results agree. Of several places of contact any may be reported.
fn same(a: Option<DistanceBounds>, b: Option<DistanceBounds>) -> bool {
    let meet = |gap: Option<DistanceBounds>| gap.is_some_and(|gap| gap.hi == 0.0);
    a == b || meet(a) && meet(b)
}

fn first_triangles(mesh: &Mesh, count: usize) -> Mesh {
    Mesh::new(mesh.points().to_vec(), mesh.triangles()[..count].to_vec()).expect("a part of a mesh is one")
}

/// Bodies as the scenes place them, which mostly meet, and further apart along each axis.
#[test]
fn every_option_gives_the_distance_of_brute_force() {
    let (mut queries, mut apart) = (0, 0);
    for (turn, (name, mut a, mut b)) in scenes().into_iter().enumerate() {
        if name == "subnormal" {
            // Far from the origin all pairs are equally near, up to the last of two thousand bits: each
            // comparison takes a millisecond.
            [a, b] = [first_triangles(&a, 10), first_triangles(&b, 12)];
        }
        let plain = [&a, &b].map(|mesh| Model::new(mesh.clone()));
        let [lo, hi] = impinge::hierarchy::extent_of(&a);
        let size = (0..3).fold(0.0, |most: f64, k| most.max(hi[k] - lo[k]));
        let mut wanted = Vec::new();
        for (pose_a, pose_b) in poses().into_iter().skip(turn % 12).step_by(12) {
            for far in [0.0, 0.6, 1.5, 40.0] {
                let mut beside = *pose_b.translation();
                beside[(turn + wanted.len()) % 3] += far * size;
                let Ok(pose_b) = Pose::affine(*pose_b.rows(), beside) else { continue };
                let (x, y) = (Body::new(&plain[0], pose_a), Body::new(&plain[1], pose_b));
                for accuracy in [Accuracy::new(), Accuracy::new().exact()] {
                    let want = brute_force::distance(&x, &y, accuracy);
                    apart += usize::from(want.is_some_and(|gap| gap.lo > 0.0));
                    wanted.push((pose_a, pose_b, accuracy, want));
                }
            }
        }
        for setup in setups(share(every_option(), turn)) {
            let (a, b, mut query) = (setup.model(&a), setup.model(&b), setup.query());
            for &(pose_a, pose_b, accuracy, want) in &wanted {
                let (x, y) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
                let found = query.with_accuracy(accuracy).distance(&x, &y);
                assert!(same(found, want), "{name}, {setup:?}, {pose_a:?}, {pose_b:?}: {found:?}, {want:?}");
                queries += 1;
            }
        }
    }
    println!("{queries} distances, {apart} of brute force above 0");
    assert!(queries > 1000 && apart > 50, "{queries} {apart}");
}

/// A bound that proves nothing would compare all 5,120 x 3,072 pairs.
#[test]
fn few_triangles_are_compared() {
    let (a, b) = (meshes::icosphere(4), meshes::torus(48, 32, 0.3));
    let pose = Pose::affine([[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]], [2.5, 0.25, 0.5]).unwrap();
    for kind in papers() {
        for &overlap in kind.overlaps() {
            let options = Options::new(kind).overlap(overlap);
            let (a, b) = (options.build(a.clone()).unwrap(), options.build(b.clone()).unwrap());
            let all = a.mesh().len() as u64 * b.mesh().len() as u64;
            let mut query = Query::new().counting(true);
            let gap = query.distance(&Body::new(&a, Pose::IDENTITY), &Body::new(&b, pose));
            assert!(gap.is_some_and(|gap| gap.lo > 0.0));
            let count = query.counters().expect("it counts").count;
            println!("{:12} {:8} {count:?}", kind.name(), overlap.name());
            assert!(count.leaf_pairs < all / 200, "{}: {count:?} of {all}", kind.name());
            assert!(count.volume_tests < all / 200, "{}: {count:?} of {all}", kind.name());
        }
    }
}

/// Rows of planes side by side: all pairs of subtrees are equally near, and the queue gets full.
#[test]
fn many_pairs_may_be_as_near() {
    let mesh = meshes::sheet(3, 32, 0.0);
    let pose = Pose::from_translation([0.0, 0.0, 0.25]).unwrap();
    let plain = Model::new(mesh.clone());
    let of =
        |model: &Model| Query::new().distance(&Body::new(model, Pose::IDENTITY), &Body::new(model, pose));
    let want = of(&plain);
    assert!(want.is_some_and(|gap| gap.lo > 0.0), "{want:?}");
    for kind in papers() {
        let model = Options::new(kind).leaf_size(1).build(mesh.clone()).unwrap();
        assert_eq!(of(&model), want, "{}", kind.name());
    }
}

/// Points on the surface, near it and far away, of bodies at rigid and affine poses.
#[test]
fn every_kind_finds_the_closest_point_of_brute_force() {
    let (mut rng, mut found, mut compared) = (Rng::new(39), 0, 0);
    for (turn, (name, mesh, _)) in scenes().into_iter().enumerate() {
        let plain = Model::new(mesh.clone());
        let mut wanted = Vec::new();
        for (pose, _) in poses().into_iter().skip(turn % 12).step_by(12) {
            let body = Body::new(&plain, pose);
            for i in 0..9 {
                let corner = *rng.pick(mesh.points());
                let by = rng.point([0.0, 1e-9, 1.0][i % 3]);
                let mut point = pose.place(std::array::from_fn(|k| corner[k] + by[k]));
                point[0] += [0.0, 1e6][usize::from(i == 8)];
                for accuracy in [Accuracy::new(), Accuracy::new().exact()] {
                    let want = brute_force::closest_point(&body, point, accuracy);
                    wanted.push((pose, point, accuracy, want));
                }
            }
        }
        for kind in papers() {
            let model = Options::new(kind).build(mesh.clone()).unwrap();
            let mut query = Query::new().counting(true);
            for &(pose, point, accuracy, want) in &wanted {
                let got = query.with_accuracy(accuracy).closest_point(&Body::new(&model, pose), point);
                assert_eq!(got, want, "{name}, {}, {pose:?}, {point:?}", kind.name());
                found += usize::from(want.is_some());
            }
            compared += query.counters().expect("it counts").count.leaf_pairs / mesh.len().max(1) as u64;
        }
    }
    println!("{found} closest points, the work of {compared} by brute force");
    assert!(found > 1000 && compared < found as u64 / 2, "{found} {compared}");
}
