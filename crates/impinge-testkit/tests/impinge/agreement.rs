//! Results of the fast tree follow the bodies: swapped bodies, moved bodies and reordered triangles.
use impinge::{Body, Mesh, Model, Pose, brute_force, pairs};
use impinge_testkit::{
    cases::{poses, scenes, transposed},
    meshes,
    rng::Rng,
};

#[test]
fn swapping_the_bodies_transposes_the_pairs() {
    for (name, a, b) in scenes() {
        let (a, b) = (Model::new(a), Model::new(b));
        for (pose_a, pose_b) in poses() {
            let (a, b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
            assert_eq!(transposed(&pairs(&b, &a)), pairs(&a, &b), "{name}");
        }
    }
}

#[test]
fn reordering_the_triangles_renames_the_pairs() {
    for (seed, (name, a, b)) in scenes().into_iter().enumerate() {
        // `names[new]` is the old number.
        let (shuffled, names) = meshes::permuted(&a, seed as u64);
        let b = Model::new(b);
        let (a, shuffled) = (Model::new(a), Model::new(shuffled));
        for (pose_a, pose_b) in poses() {
            let b = Body::new(&b, pose_b);
            let mut renamed: Vec<_> = pairs(&Body::new(&shuffled, pose_a), &b)
                .into_iter()
                .map(|[i, j]| [names[i as usize], j])
                .collect();
            renamed.sort_unstable();
            assert_eq!(renamed, pairs(&Body::new(&a, pose_a), &b), "{name}");
        }
    }
}

/// One exact motion of both bodies changes nothing: quarter turns and shifts of grid meshes are exact in f64.
#[test]
fn moving_both_changes_nothing() {
    let mut rng = Rng::new(5);
    for (name, a, b) in scenes().into_iter().filter(|(name, ..)| name.contains("grid")) {
        let (a, b) = (Model::new(a), Model::new(b));
        let still = pairs(&Body::new(&a, Pose::IDENTITY), &Body::new(&b, Pose::IDENTITY));
        assert!(!still.is_empty(), "{name}");
        for _ in 0..8 {
            let t = rng.grid_point(1 << 20);
            for rows in [
                [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
                [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
                [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            ] {
                let pose = Pose::rigid(rows, t).unwrap();
                assert_eq!(pairs(&Body::new(&a, pose), &Body::new(&b, pose)), still, "{name}: one pose");
                // The moved points of one body against the pose of the other.
                let moved = meshes::mapped(a.mesh(), |v| pose.place(v));
                let moved = Model::new(moved);
                assert_eq!(
                    pairs(&Body::new(&moved, Pose::IDENTITY), &Body::new(&b, pose)),
                    still,
                    "{name}: moved points against a pose"
                );
            }
        }
    }
}

#[test]
fn an_empty_mesh_meets_nothing() {
    let empty = Model::new(Mesh::default());
    let ball = Model::new(meshes::icosphere(1));
    let (e, b) = (Body::new(&empty, Pose::IDENTITY), Body::new(&ball, Pose::IDENTITY));
    empty.validate().unwrap();
    for (x, y) in [(&e, &b), (&b, &e), (&e, &e)] {
        assert!(pairs(x, y).is_empty());
        assert!(!impinge::intersects(x, y) && !brute_force::intersects(x, y));
    }
}
