//! Extreme input: none of it panics, and all of it has one result.
use impinge::{Body, BuildOptions, Mesh, Model, Pose, Query, brute_force, world::WorldBox};

const UNIT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn scaled(s: f64) -> [[f64; 3]; 3] {
    UNIT.map(|row| row.map(|x| x * s))
}

#[test]
fn poses_are_refused_for_what_they_are() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for k in 0..9 {
            let mut rows = UNIT;
            rows[k / 3][k % 3] = bad;
            assert!(Pose::rigid(rows, [0.0; 3]).is_err() && Pose::affine(rows, [0.0; 3]).is_err());
        }
        assert!(Pose::from_translation([0.0, bad, 0.0]).is_err());
    }
    let mirror = [[-1.0, 0.0, 0.0], UNIT[1], UNIT[2]];
    let overflows = [[1e200, 1e200, 0.0], [1e200, -1e200, 0.0], UNIT[2]];
    for rows in [mirror, overflows, scaled(1e-200), scaled(f64::MAX), scaled(1.0 + 1e-6), [[0.0; 3]; 3]] {
        assert!(Pose::rigid(rows, [0.0; 3]).is_err(), "{rows:?}");
    }
    // The determinant of `nearly` is -2^-104. It is not singular, but f64 rounds that to 0.
    let (up, down) = (1.0_f64.next_up(), 1.0_f64.next_down());
    let nearly = [[up, 1.0, 0.0], [1.0, 1.0 / up, 0.0], UNIT[2]];
    assert!(!Pose::affine(nearly, [0.0; 3]).unwrap().is_rigid());
    assert!(Pose::affine([[up, 1.0, 0.0], [1.0, down, 0.0], UNIT[2]], [f64::MAX; 3]).is_ok());
    assert!(Pose::affine([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], UNIT[2]], [0.0; 3]).is_err());
    assert!(Pose::affine([[0.0; 3]; 3], [0.0; 3]).is_err());
    for s in [f64::MAX, 5e-324, -1e-300] {
        assert!(!Pose::affine(scaled(s), [f64::MAX; 3]).unwrap().is_rigid());
    }
}

#[test]
fn meshes_name_what_is_wrong() {
    assert!(Mesh::new(vec![], vec![]).is_ok());
    assert!(Mesh::new(vec![], vec![[0, 0, 0]]).is_err());
    assert!(Mesh::new(vec![[0.0; 3]; 3], vec![[0, 1, 3]]).is_err());
    assert!(Mesh::new(vec![[0.0; 3]; 3], vec![[0, 1, u32::MAX]]).is_err());
    assert!(
        Mesh::new(vec![[0.0, f64::NAN, 0.0]], vec![]).is_err(),
        "a point that no triangle uses counts, too"
    );
    assert!(Mesh::new(vec![[-f64::MAX, 5e-324, -0.0]], vec![[0, 0, 0]]).is_ok());
}

#[test]
fn any_leaf_size_and_any_number_of_triangles() {
    for n in [0, 1, 2, 3, 9, 40] {
        // All in one place, or in a row; and far away a point that no triangle uses.
        for step in [0.0, 1.0, 1e300 / 40.0] {
            let mut points: Vec<_> = (0..n).map(|i| [f64::from(i) * step, 0.5, 0.0]).collect();
            points.push([f64::MAX, -f64::MAX, 0.0]);
            let mesh = Mesh::new(points, (0..n).map(|i| [i; 3]).collect()).unwrap();
            for leaf_size in [0, 1, 3, 8, usize::MAX] {
                // The field may contain a number that is no leaf size.
                let mut options = BuildOptions::new();
                options.leaf_size = leaf_size;
                let model = Model::with_options(mesh.clone(), &options);
                model.validate().unwrap();
                let turned = Pose::rigid([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], UNIT[2]], [0.5; 3]).unwrap();
                let (a, b) = (Body::new(&model, Pose::IDENTITY), Body::new(&model, turned));
                assert_eq!(WorldBox::new(a.model.mesh(), &a.pose).is_some(), n > 0);
                let want = if step == 0.0 { (n * n) as usize } else { n as usize };
                let mut query = Query::new();
                assert_eq!(query.pairs(&a, &a).len(), want, "{n} {step} {leaf_size}");
                // Rotated and shifted in z: disjoint. The distant point only costs speed.
                assert_eq!(query.pairs(&a, &b), [] as [[u32; 2]; 0]);
                assert_eq!(brute_force::first_contact(&a, &b), None);
            }
        }
    }
}

/// Maps whose determinant, inverse or products over- or underflow: the motion has no bound in floating point,
/// and the result is still exact.
#[test]
fn motions_beyond_floating_point_are_decided_exactly() {
    let mesh = Mesh::new(
        vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.25, 0.25, -1.0], [0.25, 0.25, 1.0]],
        vec![[0, 1, 2], [3, 4, 4], [0, 0, 0]],
    )
    .unwrap();
    let model = Model::new(mesh);
    let sizes = [5e-324, 1e-300, 1e-120, 1.0, 1e120, 1e300, f64::MAX];
    let mut query = Query::new();
    for s in sizes {
        for t in sizes {
            let (a, b) =
                (Pose::affine(scaled(s), [0.0; 3]).unwrap(), Pose::affine(scaled(t), [0.0; 3]).unwrap());
            let (a, b) = (Body::new(&model, a), Body::new(&model, b));
            let pairs = query.pairs(&a, &b);
            assert_eq!(pairs, brute_force::pairs(&a, &b), "{s:e} {t:e}");
            // Both faces share the origin; a needle passes the other's face at a quarter of its own size.
            for pair in [[0, 0], [0, 2], [2, 0], [2, 2]] {
                assert!(pairs.contains(&pair), "{s:e} {t:e} {pair:?}");
            }
            assert_eq!(pairs.contains(&[0, 1]), t <= 2.0 * s, "{s:e} {t:e}");
            assert_eq!(pairs.contains(&[1, 1]), s == t, "{s:e} {t:e}");
        }
    }
}
