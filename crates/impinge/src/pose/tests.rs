use super::*;
use crate::{samples::rng::Rng, vector::Matrix};

/// a . v + t, rounded once.
fn exactly(row: [f64; 3], t: f64, v: [f64; 3]) -> f64 {
    exact::Coordinate { row, t, v }.round()
}

fn column(m: &Matrix, j: usize) -> [f64; 3] {
    [m[0][j], m[1][j], m[2][j]]
}

/// The largest entry of I - A B, each rounded once.
fn residual(a: &Matrix, b: &Matrix) -> f64 {
    largest((0..9).map(|k| {
        let (i, j) = (k / 3, k % 3);
        exactly(a[i].map(|x| -x), f64::from(u8::from(i == j)), column(b, j)).abs()
    }))
}

/// Takes quaternions of small integers: n = |q|^2 and n R are then integers, so the error of an entry is
/// exact to the last bit.
#[test]
fn quaternions_give_the_rotation_they_name_within_the_bound() {
    let mut rng = Rng::new(1);
    let mut worst = 0.0;
    for case in 0..20_000 {
        let half = 1 << rng.int(0, 20);
        let q: [i64; 4] = std::array::from_fn(|_| rng.int(-half, half));
        if q == [0; 4] {
            continue;
        }
        let [x, y, z, w] = q;
        let n = x * x + y * y + z * z + w * w;
        let want = [
            [n - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), n - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), n - 2 * (x * x + y * y)],
        ];
        // Any length.
        let scale = 2.0_f64.powi([0, 150, -150, 500, -525][case % 5]).powi(2);
        let pose = Pose::from_quaternion(q.map(|c| c as f64 * scale), [1.0, 2.0, 3.0]).unwrap();
        for (i, row) in want.iter().enumerate() {
            for (j, &entry) in row.iter().enumerate() {
                let off = exactly([pose.rows()[i][j], 0.0, 0.0], -(entry as f64), [n as f64, 0.0, 0.0]);
                worst = f64::max(worst, off.abs() / n as f64);
            }
        }
        assert_eq!(pose.translation(), &[1.0, 2.0, 3.0]);
    }
    assert!(worst <= 16.0 * UNIT && worst > UNIT, "{worst:e}");
}

#[test]
fn quaternions_are_x_y_z_w() {
    // A third of a turn about (1, 1, 1) takes x to y, y to z and z to x. Here w is like the others, so this
    // alone does not show the order.
    let third = Pose::from_quaternion([1.0, 1.0, 1.0, 1.0], [0.0; 3]).unwrap();
    assert_eq!(third.rows(), &[[0., 0., 1.], [1., 0., 0.], [0., 1., 0.]]);
    // A quarter about y.
    let quarter = Pose::from_quaternion([0.0, -2.0, 0.0, -2.0], [0.0; 3]).unwrap();
    assert_eq!(quarter.rows(), &[[0., 0., 1.], [0., 1., 0.], [-1., 0., 0.]]);
    assert_eq!(Pose::from_quaternion([0.0, 0.0, 0.0, -3.0], [0.0; 3]).unwrap(), Pose::IDENTITY);
    for size in [f64::from_bits(1), 1e-310, f64::MAX] {
        let turn = Pose::from_quaternion([0.0, 0.0, size, size], [0.0; 3]).unwrap();
        assert_eq!(turn.rows(), &[[0., -1., 0.], [1., 0., 0.], [0., 0., 1.]]);
    }
    let zero = Pose::from_quaternion([0.0, -0.0, 0.0, 0.0], [0.0; 3]).unwrap_err();
    assert_eq!(*zero.kind(), ErrorKind::ZeroQuaternion);
    for bad in [f64::NAN, f64::INFINITY] {
        let error = Pose::from_quaternion([0.0, bad, 0.0, 1.0], [0.0; 3]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::QuaternionNotFinite { .. }), "{error}");
        let error = Pose::from_quaternion([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, bad]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::PoseNotFinite { row: 2, column: 3, .. }), "{error}");
    }
}

/// An axis of any length; some lie along a coordinate axis, or nearly so.
fn random_axis(rng: &mut Rng) -> [f64; 3] {
    let mut axis = rng.direction();
    for x in &mut axis {
        if rng.one_in(4) {
            *x *= [0.0, 1e-9, 1e-200][rng.below(3) as usize];
        }
    }
    let scale = 10_f64.powf(rng.between(-300.0, 300.0));
    let axis = axis.map(|x| x * scale);
    if axis == [0.0; 3] { [0.0, -scale, 0.0] } else { axis }
}

/// The exact rotation keeps the axis, has the trace 1 + 2 cos and the entries of Rodrigues' formula. Its
/// quaternion has the sine and cosine of half of the angle.
#[test]
fn an_axis_and_an_angle_give_the_rotation_within_the_bound() {
    const BOUND: f64 = 32.0 * UNIT;
    let (mut rng, mut worst) = (Rng::new(9), 0.0);
    for case in 0..50_000 {
        let axis = random_axis(&mut rng);
        let angle = match case % 4 {
            0 => rng.between(-7.0, 7.0),
            1 => 10_f64.powf(rng.between(-300.0, 1.0)),
            2 => f64::from(rng.int(-1_000, 1_000) as i32) * std::f64::consts::FRAC_PI_4,
            _ => -(10_f64.powf(rng.between(1.0, 300.0))),
        };
        let pose = Pose::from_axis_angle(axis, angle, [1.0, 2.0, 3.0]).unwrap();
        assert!(pose.is_rigid() && rigid_defect(pose.rows()) < 4.0 * BOUND, "{axis:?} {angle}");
        assert_eq!(pose.translation(), &[1.0, 2.0, 3.0]);
        // Divided by a power of ten first: squares of the axis overflow.
        let size = largest(axis.map(f64::abs));
        let length = axis.iter().map(|x| (x / size).powi(2)).sum::<f64>().sqrt();
        let unit = axis.map(|x| x / size / length);
        let ((sin, cos), (half_sin, half_cos)) = (angle.sin_cos(), (0.5 * angle).sin_cos());
        let turned = place(pose.rows(), &[0.0; 3], unit);
        let trace: f64 = (0..3).map(|i| pose.rows()[i][i]).sum();
        assert!((trace - 1.0 - 2.0 * cos).abs() < 4.0 * BOUND, "{axis:?} {angle}: {trace}");
        let [x, y, z] = unit;
        let quaternion = Pose::from_quaternion([x * half_sin, y * half_sin, z * half_sin, half_cos], [0.; 3]);
        // Rodrigues: cos I + sin [a]x + (1 - cos) a a^T.
        let skew = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
        for i in 0..3 {
            assert!((turned[i] - unit[i]).abs() < 2.0 * BOUND, "{axis:?} {angle}: {turned:?}");
            for j in 0..3 {
                let one = f64::from(u8::from(i == j));
                let want = cos * one + sin * skew[i][j] + (1.0 - cos) * unit[i] * unit[j];
                let found = pose.rows()[i][j];
                worst = f64::max(worst, (found - want).abs());
                let other = quaternion.as_ref().unwrap().rows()[i][j];
                assert!((found - other).abs() < 2.0 * BOUND, "{axis:?} {angle}: {found} {other}");
            }
        }
    }
    assert!(worst <= BOUND && worst > UNIT, "{worst:e}");
}

#[test]
fn turns_are_counterclockwise_and_need_an_axis() {
    let quarter = std::f64::consts::FRAC_PI_2;
    for size in [1.0, f64::from_bits(1), 1e-310, f64::MAX] {
        let pose = Pose::from_axis_angle([0.0, 0.0, size], quarter, [0.0, 0.0, 5.0]).unwrap();
        let [x, y, z] = pose.place([1.0, 0.0, 0.0]);
        assert!(x.abs() < 1e-15 && (y - 1.0).abs() < 1e-15 && z == 5.0, "{x} {y} {z}");
    }
    assert_eq!(Pose::from_axis_angle([f64::MAX; 3], 0.0, [0.0; 3]).unwrap(), Pose::IDENTITY);
    // A small angle is not lost.
    assert_eq!(Pose::from_axis_angle([0.0, 0.0, 3.0], 1e-200, [0.0; 3]).unwrap().rows()[1][0], 1e-200);
    let zero = Pose::from_axis_angle([0.0, -0.0, 0.0], 1.0, [0.0; 3]).unwrap_err();
    assert_eq!(*zero.kind(), ErrorKind::ZeroAxis);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for (axis, angle) in [([0.0, bad, 1.0], 1.0), ([0.0, 0.0, 1.0], bad), ([0.0; 3], bad)] {
            let error = Pose::from_axis_angle(axis, angle, [0.0; 3]).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::AxisAngleNotFinite { .. }), "{error}");
        }
        let error = Pose::from_axis_angle([1.0; 3], 1.0, [bad, 0.0, 0.0]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::PoseNotFinite { row: 0, column: 3, .. }), "{error}");
    }
}

#[test]
fn matrices_are_read_row_by_row() {
    let rows = [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
    let pose = Pose::rigid(rows, [5.0, 6.0, 7.0]).unwrap();
    let matrix = [[0.6, -0.8, 0.0, 5.0], [0.8, 0.6, 0.0, 6.0], [0.0, 0.0, 1.0, 7.0], [0.0, 0.0, 0.0, 1.0]];
    assert_eq!(<[[f64; 4]; 4]>::from(pose), matrix);
    assert_eq!(Pose::try_from(matrix), Ok(pose));
    assert_eq!(Pose::from_matrix(Pose::default().to_matrix()), Ok(Pose::IDENTITY));
    // Columns taken for rows show in the last row.
    let transposed: [[f64; 4]; 4] = std::array::from_fn(|i| std::array::from_fn(|j| matrix[j][i]));
    let error = Pose::from_matrix(transposed).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::NotAffine { last_row: [5.0, 6.0, 7.0, 1.0] });
    let text = error.to_string();
    assert!(text.contains("last row is 5 6 7 1, not 0 0 0 1") && text.contains("transposed"), "{text}");
    let mut bad = matrix;
    bad[3][3] = f64::NAN;
    assert!(matches!(Pose::from_matrix(bad).unwrap_err().kind(), ErrorKind::NotAffine { .. }));
    bad = matrix;
    bad[1][3] = f64::INFINITY;
    let value = f64::INFINITY;
    let error = ErrorKind::PoseNotFinite { row: 1, column: 3, value }.into();
    assert_eq!(Pose::from_matrix(bad), Err(error));
    bad = matrix;
    bad[2] = bad[0];
    assert_eq!(Pose::from_matrix(bad), Err(ErrorKind::SingularPose.into()));
}

#[test]
fn one_after_another_is_rounded_once() {
    let mut rng = Rng::new(2);
    for _ in 0..500 {
        let first = Pose::rigid(rng.rotation(), rng.point(100.0)).unwrap();
        let next = Pose::rigid(rng.rotation(), rng.point(1e-3)).unwrap();
        let both = first.then(&next).unwrap();
        assert!(both.is_rigid());
        for i in 0..3 {
            for j in 0..3 {
                assert_eq!(both.rows()[i][j], exactly(next.rows()[i], 0.0, column(first.rows(), j)));
            }
        }
        assert_eq!(both.translation(), &next.place(*first.translation()));
        // The other order would give another pose.
        let v = rng.point(10.0);
        let (there, want) = (both.place(v), next.place(first.place(v)));
        assert!((0..3).all(|k| (there[k] - want[k]).abs() < 1e-12), "{there:?} {want:?}");
    }
    // Overflow is an error, not infinity.
    let far = Pose::from_translation([0.0, f64::MAX, 0.0]).unwrap();
    assert_eq!(far.then(&far), Err(ErrorKind::PoseOverflow { row: 1, column: 3 }.into()));
    let small = Pose::affine([[1e-200, 0., 0.], [0., 1., 0.], [0., 0., 1.]], [0.0; 3]).unwrap();
    assert_eq!(small.then(&small), Err(ErrorKind::SingularPose.into()));
}

/// Checks residuals: for N = A^-1 + d, I - A N = -A d. With |d| at most 2^-53 (1 + 1e-6) and a little, a
/// residual is at most |A| times that.
#[test]
fn the_inverse_of_a_rigid_pose_is_within_its_bound() {
    let mut rng = Rng::new(3);
    for case in 0..2000 {
        let mut rows = rng.rotation();
        if case % 2 == 1 {
            // Off by as much as a rotation may be: inverted as it is.
            rows = rows.map(|row| row.map(|x| x + rng.between(-2e-7, 2e-7)));
        }
        let pose = Pose::rigid(rows, rng.point(1e3)).unwrap();
        let back = pose.inverse().unwrap();
        let most = 1.0001 * UNIT * 1.75;
        assert!(residual(&rows, back.rows()) <= most, "{:e}", residual(&rows, back.rows()));
        let t = pose.translation();
        let bound = 4.0 * UNIT * (t[0].abs() + t[1].abs() + t[2].abs());
        // t' = -A^-1 t, so A t' + t = 0, within |A| times the bound of t'.
        for i in 0..3 {
            let off = exactly(rows[i], t[i], *back.translation());
            assert!(off.abs() <= 1.75 * bound, "{off:e} {bound:e}");
        }
    }
    assert_eq!(Pose::IDENTITY.inverse(), Ok(Pose::IDENTITY));
    let far = Pose::from_translation([f64::MAX, -1e-320, 0.0]).unwrap();
    assert_eq!(far.inverse().unwrap().translation(), &[-f64::MAX, 1e-320, 0.0]);
    let third = 1.0 / 3.0_f64.sqrt();
    let (s, c) = (0.5_f64.sqrt(), 1.5_f64.sqrt() / 3.0);
    let turn = [[third, third, third], [s, -s, 0.0], [c, c, -2.0 * c]];
    let error = Pose::rigid(turn, [f64::MAX; 3]).unwrap().inverse().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::PoseOverflow { .. }), "{error}");
}

#[test]
fn the_inverse_of_an_affine_pose_is_right_or_refused() {
    let mut rng = Rng::new(4);
    let (mut done, mut refused) = (0, 0);
    for case in 0..4000_u32 {
        // A rotation squeezed along a direction, and scaled along axes before and after, up to the ends of
        // f64.
        let squeeze = 2.0_f64.powi(-(case as i32 % 70));
        let (turn, d) = (rng.rotation(), rng.direction());
        let size: [[i32; 3]; 2] =
            [(); 2].map(|()| std::array::from_fn(|_| rng.int(-1, 1) as i32 * (case as i32 % 3) * 230));
        let rows: Matrix = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let along = turn[i][0] * d[0] + turn[i][1] * d[1] + turn[i][2] * d[2];
                let x = turn[i][j] - (1.0 - squeeze) * along * d[j];
                x * 2.0_f64.powi(size[0][i]) * 2.0_f64.powi(size[1][j])
            })
        });
        let Ok(pose) = Pose::affine(rows, [1.0, 2.0, 3.0]) else { continue };
        match pose.inverse() {
            Ok(back) => {
                done += 1;
                // N A must be I up to the rounding of N: |N| |A| u, and u / 16 for the loss by squeezing.
                for i in 0..3 {
                    for j in 0..3 {
                        let one = f64::from(u8::from(i == j));
                        let off = exactly(back.rows()[i].map(|x| -x), one, column(&rows, j)).abs();
                        let sizes: f64 = (0..3).map(|k| (back.rows()[i][k] * rows[k][j]).abs()).sum();
                        assert!(off <= 4.0 * UNIT * sizes + UNIT / 16.0, "case {case}: {off:e} {sizes:e}");
                    }
                }
                assert!(squeeze > 1e-16, "case {case}");
            }
            Err(error) => {
                refused += 1;
                assert_eq!(*error.kind(), ErrorKind::IllConditionedPose);
                assert!(squeeze < 1e-10, "case {case}: {squeeze:e}");
            }
        }
    }
    assert!(done > 2000 && refused > 500, "{done} {refused}");
    // Scales alone are no trouble, subnormal ones included.
    let stretch = [[1e-320, 0., 0.], [0., 0., 1e300], [0., 5e-10, 0.]];
    let overflow = ErrorKind::PoseOverflow { row: 0, column: 0 }.into();
    assert_eq!(Pose::affine(stretch, [0.0; 3]).unwrap().inverse(), Err(overflow));
    let stretch = [[1e-300, 0., 0.], [0., 0., 1e300], [0., 4.0, 0.]];
    let back = Pose::affine(stretch, [0.0; 3]).unwrap().inverse().unwrap();
    assert_eq!(back.rows(), &[[1.0 / 1e-300, 0., 0.], [0., 0., 0.25], [0., 1.0 / 1e300, 0.]]);
}

type Single = [[f32; 3]; 3];

fn single(m: &Matrix) -> Single {
    m.map(|row| row.map(|x| x as f32))
}

/// A robot's arm of 200 links whose poses are multiplied in f32.
#[test]
fn a_chain_of_f32_rotations_is_refused_with_a_hint_and_can_be_mended() {
    // The sum of squares of 0.6 and 0.8 in f32 is 5e-8 too large, and each step adds that.
    let step = [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
    let (mut chain, mut reference) = (single(Pose::IDENTITY.rows()), *Pose::IDENTITY.rows());
    let mut refused = 0;
    for link in 1..=200 {
        let product = |i: usize, j: usize| (0..3).map(|k| chain[i][k] * single(&step)[k][j]).sum::<f32>();
        chain = std::array::from_fn(|i| std::array::from_fn(|j| product(i, j)));
        let product = |i: usize, j: usize| (0..3).map(|k| reference[i][k] * step[k][j]).sum::<f64>();
        reference = std::array::from_fn(|i| std::array::from_fn(|j| product(i, j)));
        let (rows, t) = (chain.map(|row| row.map(f64::from)), [1.0, 2.0, 3.0]);
        if let Err(error) = Pose::rigid(rows, t) {
            refused += 1;
            let deviation = rigid_defect(&rows);
            assert_eq!(
                *error.kind(),
                ErrorKind::NotRigid { deviation, may_be_rounding: true },
                "link {link}"
            );
            let text = error.to_string();
            assert!(text.contains("Pose::nearest_rigid") && text.contains("Pose::affine"), "{text}");
            assert!(text.contains(&format!("{deviation:e}")), "{text}");
        }
        let mended = Pose::nearest_rigid(rows, t).unwrap();
        assert!(mended.is_rigid() && rigid_defect(mended.rows()) <= 1e-15, "link {link}");
        // No rotation is nearer, so the chain in f64 is not.
        let apart = |a: &Matrix, b: &Matrix| {
            (0..9).map(|k| (a[k / 3][k % 3] - b[k / 3][k % 3]).powi(2)).sum::<f64>().sqrt()
        };
        assert!(apart(mended.rows(), &rows) <= apart(&reference, &rows) + 1e-12, "link {link}");
        assert!(apart(mended.rows(), &reference) < 1e-4, "link {link}");
        assert_eq!(Pose::affine(rows, t).unwrap().rows(), &rows);
    }
    assert!(refused > 100, "the chain was to drift: {refused}");
}

#[test]
fn the_nearest_rotation_is_the_polar_factor() {
    let mut rng = Rng::new(6);
    for _ in 0..2000 {
        let most = [1e-12, 1e-6, 1e-3, 0.01][rng.below(4) as usize];
        let rows = rng.rotation().map(|row| row.map(|x| x + rng.between(-most, most)));
        let pose = Pose::nearest_rigid(rows, [0.0; 3]).unwrap();
        assert!(rigid_defect(pose.rows()) <= 1e-15);
        // Q is the polar factor of A if and only if Q^T A is symmetric and positive definite.
        let h: Matrix = std::array::from_fn(|i| {
            std::array::from_fn(|j| exactly(column(pose.rows(), i), 0.0, column(&rows, j)))
        });
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            assert!((h[i][j] - h[j][i]).abs() < 3e-15, "{:e}", h[i][j] - h[j][i]);
        }
        assert!((0..3).all(|i| h[i][i] > 0.9));
    }
    let scaled = Pose::IDENTITY.rows().map(|row| row.map(|x| x * 1.06));
    for wrong in [scaled, [[f64::MAX; 3]; 3]] {
        let error = Pose::nearest_rigid(wrong, [0.0; 3]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NotRigid { may_be_rounding: false, .. }), "{error}");
        assert!(error.to_string().contains("scale or shear"), "{error}");
    }
    let mirror = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for refused in [Pose::nearest_rigid(mirror, [0.0; 3]), Pose::rigid(mirror, [0.0; 3])] {
        assert_eq!(refused, Err(ErrorKind::Mirror.into()));
    }
    let error = Pose::nearest_rigid([[f64::NAN; 3]; 3], [0.0; 3]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::PoseNotFinite { .. }), "{error}");
}
