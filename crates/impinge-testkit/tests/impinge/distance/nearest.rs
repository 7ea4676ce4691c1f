//! The pair, the triangle and the points that an exact distance reports.
use impinge::{Body, Mesh, Model, Pose, Query, brute_force, distance::Accuracy};
use impinge_testkit::{meshes, oracle, rng::Rng};
use std::cmp::Ordering;

fn model(mesh: Mesh) -> Model {
    Model::new(mesh)
}

/// A square of 2 n^2 triangles at z = 0, permuted.
fn plate(n: u32, seed: u64) -> Model {
    let at = |k: u32| f64::from(k) / f64::from(n);
    let points = (0..=n).flat_map(|i| (0..=n).map(move |k| [at(i), at(k), 0.0])).collect();
    let corner = |i: u32, k: u32| i * (n + 1) + k;
    let square = |i: u32, k: u32| {
        let [a, b, c, d] = [corner(i, k), corner(i + 1, k), corner(i + 1, k + 1), corner(i, k + 1)];
        [[a, b, c], [a, c, d]]
    };
    let triangles = (0..n).flat_map(|i| (0..n).flat_map(move |k| square(i, k))).collect();
    model(meshes::permuted(&Mesh::new(points, triangles).unwrap(), seed).0)
}

#[test]
fn the_pair_is_the_least_that_is_as_near() {
    for turn in 0..24_u64 {
        let far = [1.0, 1e9, 1e-9][turn as usize % 3];
        let pose = Pose::from_translation([far, 3.0 * far, -7.0 * far]).unwrap();
        let ball = meshes::translated(&meshes::to_grid(&meshes::icosphere(1), 4), [0.5, 0.5, 9.0]);
        let (plate, ball) = (plate(2 + turn as u32 % 3, turn), model(meshes::permuted(&ball, turn).0));
        let (a, b) = (Body::new(&plate, pose), Body::new(&ball, pose));
        let stop = Accuracy::new().exact();
        let gap = Query::new().with_accuracy(stop).distance(&a, &b).unwrap();
        assert_eq!(brute_force::distance(&a, &b, stop), Some(gap));
        let back = Query::new().with_accuracy(stop).distance(&b, &a).unwrap();
        assert_eq!([back.triangles[1], back.triangles[0]], gap.triangles);
        assert_eq!([back.points[1], back.points[0]], gap.points);
        assert_eq!(gap.lo, gap.hi, "{turn}: the distance is a number of f64");
        let count = [&plate, &ball].map(|model| model.mesh().len() as u32);
        let all = (0..count[0]).flat_map(|i| (0..count[1]).map(move |k| [i, k]));
        let near: Vec<[u32; 2]> = all
            .filter(|&[i, k]| {
                let (t, u) = (plate.mesh().corners(i), ball.mesh().corners(k));
                oracle::compare_distance(&t, &pose, &u, &pose, gap.lo).is_eq()
            })
            .collect();
        assert!(near.len() > 1, "{turn}: {near:?}");
        // The least by the triangle of one of the bodies: the query orders the bodies itself.
        let least = [near.iter().min_by_key(|&&[i, k]| [i, k]), near.iter().min_by_key(|&&[i, k]| [k, i])];
        assert!(least.contains(&Some(&gap.triangles)), "{turn}: {gap:?} of {near:?}");
    }
}

/// Points near a sphere's corner, far from the origin: several triangles are equally near in f64, and one is
/// the nearest.
#[test]
fn the_triangle_of_a_point_is_the_nearest() {
    let (sphere, mut rng) = (model(meshes::icosphere(2)), Rng::new(9));
    let mesh = sphere.mesh();
    for turn in 0..60 {
        let far = [0.0, 1e9, 3e15][turn % 3];
        let pose = match turn / 3 % 2 {
            0 => Pose::from_translation([far, -far, far / 3.0]).unwrap(),
            _ => Pose::rigid(rng.rotation(), [far, 0.0, far]).unwrap(),
        };
        let corner = *rng.pick(mesh.points());
        let off = rng.point(1e-9);
        let x = pose.place([0, 1, 2].map(|k| 1.5 * corner[k] + off[k]));
        let body = Body::new(&sphere, pose);
        let found = Query::new().with_accuracy(Accuracy::new().exact()).closest_point(&body, x).unwrap();
        assert_eq!(brute_force::closest_point(&body, x, Accuracy::new().exact()), Some(found));
        let compare =
            |i: u32, d: f64| oracle::compare_distance(&mesh.corners(i), &pose, &[x; 3], &Pose::IDENTITY, d);
        assert_ne!(compare(found.triangle, found.hi), Ordering::Greater, "{turn}: {found:?}");
        for i in 0..mesh.len() as u32 {
            assert_ne!(compare(i, found.lo), Ordering::Less, "{turn}: {found:?}");
            if i < found.triangle && found.lo == found.hi {
                assert_ne!(compare(i, found.lo), Ordering::Equal, "{turn}: {i} is less, {found:?}");
            }
        }
    }
}

/// Two edges across each other, and a corner above a face, in a frame that is far away: the points are the
/// nearest numbers, though the bodies' own coordinates are 1e9 times as large.
#[test]
fn points_are_rounded_once() {
    let far = [1e9, -3e9, 7e9];
    let triangle = |t: [[f64; 3]; 3]| {
        let t = t.map(|v| [0, 1, 2].map(|k| v[k] + far[k]));
        model(Mesh::new(t.to_vec(), vec![[0, 1, 2]]).unwrap())
    };
    let back = Pose::from_translation(far.map(|x| -x)).unwrap();
    let ask = |p, q| {
        let (p, q) = (triangle(p), triangle(q));
        let (a, b) = (Body::new(&p, back), Body::new(&q, back));
        Query::new().with_accuracy(Accuracy::new().exact()).distance(&a, &b).unwrap().points
    };
    let third = [1.0 / 3.0, 0.0, 0.0];
    // On the edge from (0, 0, 0) to (1, 0, 0) at 1/3: the other one crosses above it.
    let q = [[0.25, -0.125, 1.0], [0.5, 0.25, 1.0], [4.0, 0.0, 9.0]];
    assert_eq!(ask([[0.0; 3], [1.0, 0.0, 0.0], [0.5, 0.0, -4.0]], q)[0], third);
    // In the face x + y + z = 1.
    let points = ask([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [[2.0; 3], [8.0; 3], [9.0; 3]]);
    assert_eq!(points, [[1.0 / 3.0; 3], [2.0; 3]]);
}
