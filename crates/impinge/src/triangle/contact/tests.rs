use super::*;

const FLOOR: [Vector; 3] = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]];

fn still(p: &[Vector; 3], q: &[Vector; 3]) -> (Vector, [Option<Vector>; 2], bool) {
    contact(&Pose::IDENTITY, p, &Pose::IDENTITY, q)
}

#[test]
fn finds_the_shared_point() {
    let at = |q: [Vector; 3]| still(&FLOOR, &q).0;
    // An edge through the face, from which the other triangle goes on: the middle of what they share.
    assert_eq!(at([[1., 1., -1.], [1., 1., 1.], [9., 9., 0.]]), [1.5, 1.5, 0.]);
    // A vertex on the face, a vertex on a vertex, crossing edges.
    assert_eq!(at([[1., 2., 0.], [1., 2., 1.], [2., 2., 1.]]), [1., 2., 0.]);
    assert_eq!(at([[0., 0., 0.], [-1., 0., 1.], [-1., -1., 1.]]), [0., 0., 0.]);
    assert_eq!(at([[2., -1., 0.], [2., 0., 0.], [2., -1., 5.]]), [2., 0., 0.]);
    assert_eq!(at([[2., -1., -1.], [2., 1., 1.], [2., -1., 1.]]), [2., 0., 0.]);
    // Coplanar: one inside the other; a star, whose six ends are crossings of edges.
    let third = |a: f64| a / 3.0;
    let [x, y, z] = at([[1., 1., 0.], [2., 1., 0.], [1., 2., 0.]]);
    assert!((x - third(4.)).abs() < 1e-15 && (y - third(4.)).abs() < 1e-15 && z == 0.);
    let [x, y, z] = at([[3., 3., 0.], [-1., 2., 0.], [2., -1., 0.]]);
    let mean = (1. + 2.25 + 2.6 + 1.4) / 6.;
    assert!((x - mean).abs() < 1e-15 && (y - mean).abs() < 1e-15 && z == 0., "{x} {y}");
    // Segments and points.
    assert_eq!(at([[1., 1., 0.]; 3]), [1., 1., 0.]);
    assert_eq!(at([[1., 1., -1.], [1., 1., 0.], [1., 1., 3.]]), [1., 1., 0.]);
    assert_eq!(
        still(&[[0., 0., 0.], [1., 1., 0.], [2., 2., 0.]], &[[0., 2., 0.], [2., 0., 0.], [2., 0., 0.]]).0,
        [1., 1., 0.]
    );
    // Any size.
    for exponent in [1000, -1000, -1060] {
        let size = 2.0_f64.powi(exponent);
        let at = |v: [Vector; 3]| v.map(|v| v.map(|c| c * size));
        let q = at([[1., 2., 0.], [1., 2., 1.], [2., 2., 1.]]);
        assert_eq!(still(&at(FLOOR), &q).0, q[0]);
    }
    let ends = [[-f64::MAX, 0., -1.], [f64::MAX, 0., 1.], [f64::MAX, 0., 1.]];
    assert_eq!(still(&FLOOR, &ends).0, [0., 0., 0.]);
    // Corners that a pose takes beyond f64 give no panic, and no number that looks like a result.
    let far = Pose::affine([[1e308, 0., 0.], [0., 1., 0.], [0., 0., 1.]], [0.; 3]).unwrap();
    let wide = [[-1e9, 0., 0.], [1e9, 0., 0.], [0., 1., 0.]];
    let (point, normals, _) = contact(&far, &wide, &far, &[[-1e9, 0., -1.], [1e9, 0., 1.], [0., 0., 5.]]);
    assert!(!point[0].is_finite() && normals[0] == Some([0., 0., 1.]), "{point:?} {normals:?}");
    // Two triangles apart: midway, about.
    let (midway, _, meets) = still(&FLOOR, &[[1., 2., 1.], [1., 2., 2.], [2., 2., 2.]]);
    assert!(midway == [1., 2., 0.5] && !meets);
}

#[test]
fn normals_are_right_handed_in_the_world_and_missing_exactly_for_degenerate_triangles() {
    let up = |q: [Vector; 3]| still(&FLOOR, &q).1[1];
    assert_eq!(up(FLOOR), Some([0., 0., 1.]));
    assert_eq!(up([FLOOR[0], FLOOR[2], FLOOR[1]]), Some([0., 0., -1.]));
    // A needle: 1e-16 of its length in width, and far away; products of f64 give only noise here.
    let needle = [
        [1e8, 1e8, 1e8],
        [1e8 + 1.0, 1e8 + 1.0, 1e8 + 1.0],
        [1e8 + 0.5, 1e8 + 0.5, (1e8 + 0.5_f64).next_up()],
    ];
    let h = 0.5_f64.sqrt();
    let [x, y, z] = up(needle).unwrap();
    assert!((x - h).abs() < 1e-15 && (y + h).abs() < 1e-15 && z.abs() < 1e-15, "{x} {y} {z}");
    let mut line = needle;
    line[2][2] = 1e8 + 0.5;
    assert_eq!(up(line), None);
    assert_eq!(up([[7.; 3]; 3]), None);
    let tiny = f64::from_bits(1);
    assert_eq!(up([[0.; 3], [tiny, 0., 0.], [0., tiny, 0.]]), Some([0., 0., 1.]));
    let huge = f64::MAX;
    assert_eq!(up([[-huge; 3], [huge, -huge, -huge], [-huge, -huge, huge]]), Some([0., -1., 0.]));
    // As the pose leaves them: turned, mirrored, sheared. Collinear before and after, or neither.
    let normal =
        |rows| contact(&Pose::affine(rows, [1e6, 0., 0.]).unwrap(), &FLOOR, &Pose::IDENTITY, &FLOOR).1[0];
    assert_eq!(normal([[0., 0., 1.], [1., 0., 0.], [0., 1., 0.]]), Some([1., 0., 0.]));
    assert_eq!(normal([[-1., 0., 0.], [0., 1., 0.], [0., 0., 1.]]), Some([0., 0., -1.]));
    assert_eq!(normal([[1., 0., 0.], [0., 4., 0.], [0., 3., 4.]]), Some([0., -0.6, 0.8]));
}

/// The error, as a fraction of the corners' largest coordinate along the axis; 0 if it is subnormal.
fn off(point: Vector, corners: &[Vector; 6], want: Vector) -> f64 {
    largest((0..3).map(|k| {
        let m = largest(corners.iter().map(|c| c[k].abs()));
        let d = (point[k] - want[k]).abs();
        if d <= 1e-320 { 0.0 } else { d / m }
    }))
}

/// A crossing with exact numbers: the floor z = 0, and an edge through it at a point of small integers, at
/// every angle.
#[test]
fn flat_crossings_keep_their_digits() {
    for height in [1.0, 1e-5, 1e-10, 1e-15, 1e-30, 1e-300] {
        // Along x + y = 2 in the floor, rising by `height`: through (1, 1, 0).
        let q = [[0., 2., -height], [2., 0., height], [2., 0., height]];
        let corners = [FLOOR[0], FLOOR[1], FLOOR[2], q[0], q[1], q[2]];
        let point = still(&FLOOR, &q).0;
        assert!(off(point, &corners, [1., 1., 0.]) <= 2.0_f64.powi(-47), "{height:e}: {point:?}");
        // Edges of one plane that cross at an angle of `height`, and nothing else does.
        let flat = [[0., 0., 0.], [4., 0., 0.], [4., 0., 0.]];
        let q = [[0., -height, 0.], [4., 3.0 * height, 0.], [4., 3.0 * height, 0.]];
        let corners = [flat[0], flat[1], flat[2], q[0], q[1], q[2]];
        let point = still(&flat, &q).0;
        assert!(off(point, &corners, [1., 0., 0.]) <= 2.0_f64.powi(-47), "{height:e}: {point:?}");
    }
}
