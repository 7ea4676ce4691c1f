//! Contact points and normals against the rational oracle.
use impinge::{Body, Mesh, Model, Pose, contact::contact_point};
use impinge_testkit::{
    near_degenerate::{FAMILIES, near_degenerate},
    oracle,
};

type Vector = [f64; 3];
type Triangle = [Vector; 3];

fn model(corners: &Triangle) -> Model {
    let mesh = Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
    Model::new(mesh)
}

/// True if a placed triangle has a point in the closed box: a corner of it is inside, or it meets one of the
/// box's faces.
fn comes_near(pose: &Pose, t: &Triangle, [lo, hi]: [Vector; 2]) -> bool {
    let inside = |v: Vector| (0..3).all(|k| lo[k] <= v[k] && v[k] <= hi[k]);
    let corner =
        |i: usize| -> Vector { std::array::from_fn(|k| if i >> k & 1 == 1 { hi[k] } else { lo[k] }) };
    const FACES: [[usize; 4]; 6] =
        [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    t.iter().any(|&v| inside(pose.place(v)))
        || FACES.iter().any(|&[a, b, c, d]| {
            [[a, b, c], [a, c, d]]
                .iter()
                .any(|face| oracle::intersects(t, pose, &face.map(corner), &Pose::IDENTITY))
        })
}

/// Pairs that touch, cross, are coplanar, degenerate, far away and subnormal, at poses that differ in the
/// last bits.
#[test]
fn contact_points_lie_in_both_triangles_within_the_bound() {
    let (mut met, mut sharpest) = (0, 0);
    for index in 0..FAMILIES.len() as u64 * 1500 {
        let case = near_degenerate(17, index);
        let (p, q) = (model(&case.p), model(&case.q));
        let (a, b) = (Body::new(&p, case.pose_p), Body::new(&q, case.pose_q));
        let contact = contact_point(&a, &b, [0, 0]);
        let meets = oracle::intersects(&case.p, &case.pose_p, &case.q, &case.pose_q);
        assert_eq!(contact.meets, meets, "{index}: {case:?}");
        if !meets {
            continue;
        }
        let placed = [case.p.map(|v| a.pose.place(v)), case.q.map(|v| b.pose.place(v))];
        let size = |k: usize| placed.as_flattened().iter().fold(0.0, |m: f64, v| m.max(v[k].abs()));
        let near = |bound: f64| {
            let reach = |k: usize| size(k) * bound + 100.0 * f64::from_bits(1);
            let x = contact.point;
            let around = [x.map(|_| 0.0), x.map(|_| 0.0)];
            let around: [Vector; 2] = std::array::from_fn(|end| {
                std::array::from_fn(|k| around[end][k] + x[k] + (end as f64 * 2.0 - 1.0) * reach(k))
            });
            comes_near(&case.pose_p, &case.p, around) && comes_near(&case.pose_q, &case.q, around)
        };
        // The ends of the box are rounded, too: by u of the coordinate.
        assert!(near(2.0_f64.powi(-47) * (1.0 + 1.0 / 32.0)), "{index}: {contact:?} of {case:?}");
        met += 1;
        sharpest += usize::from(near(2.0_f64.powi(-52)));
        // Exchanged bodies have the same point but for rounding, and each triangle has the same normal.
        let back = contact_point(&b, &a, [0, 0]);
        assert_eq!([back.normals[1], back.normals[0]], contact.normals);
        let off = |k: usize| (back.point[k] - contact.point[k]).abs();
        let most = |k: usize| size(k) * 2.0_f64.powi(-46) + 200.0 * f64::from_bits(1);
        assert!((0..3).all(|k| off(k) <= most(k)), "{index}: {contact:?}, {back:?} of {case:?}");
        for normal in contact.normals.iter().flatten() {
            let length = normal.iter().map(|x| x * x).sum::<f64>();
            assert!((length - 1.0).abs() < 4e-15, "{length}");
        }
        let degenerate = [p.mesh().is_degenerate(0), q.mesh().is_degenerate(0)];
        // An invertible map keeps degenerate triangles degenerate, and makes no others so.
        assert_eq!(contact.normals.map(|normal| normal.is_none()), degenerate, "{index}: {case:?}");
    }
    assert!(met > 5000, "{met}");
    // Most points are within the last bit.
    assert!(sharpest * 10 > met * 9, "{sharpest} of {met}");
}
