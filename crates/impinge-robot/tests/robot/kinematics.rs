//! Poses of links: closed forms, bounds of errors against rational arithmetic, and what is refused.
use impinge_robot::{Kinematics, Urdf};

/// A robot whose joints are in a row, each with the text of its inner elements.
pub(crate) fn chain(joints: &[(&str, &str)]) -> Urdf {
    let mut text = String::from("<robot name='chain'><link name='l0'/>");
    for (k, (kind, inner)) in joints.iter().enumerate() {
        text += &format!(
            "<link name='l{}'/><joint name='j{k}' type='{kind}'>
               <parent link='l{k}'/><child link='l{}'/>{inner}</joint>",
            k + 1,
            k + 1
        );
    }
    Urdf::parse(&(text + "</robot>")).unwrap_or_else(|e| panic!("{e}"))
}

fn place(urdf: &Urdf, q: &[f64], link: usize, point: [f64; 3]) -> [f64; 3] {
    Kinematics::new(urdf).unwrap().poses(q).unwrap()[link].pose().place(point)
}

fn assert_near(found: [f64; 3], expected: [f64; 3], tolerance: f64) {
    let is_near = (0..3).all(|k| (found[k] - expected[k]).abs() <= tolerance);
    assert!(is_near, "{found:?} is not {expected:?}");
}

/// Three links of lengths 2, 1 and 1 in a plane.
#[test]
fn an_arm_in_a_plane_has_its_closed_form() {
    let joint = |x: f64| format!("<origin xyz='{x} 0 0'/><axis xyz='0 0 3'/>");
    let (a, b, c) = (joint(0.0), joint(2.0), joint(1.0));
    let urdf = chain(&[("continuous", &a), ("revolute", &b), ("continuous", &c)]);
    for k in 0..50 {
        let q = [0.3 * f64::from(k), 1.0 - 0.17 * f64::from(k), 0.05 * f64::from(k * k)];
        let (mut x, mut y, mut angle) = (0.0, 0.0, 0.0);
        for (position, length) in q.iter().zip([2.0, 1.0, 1.0]) {
            angle += position;
            x += length * f64::cos(angle);
            y += length * f64::sin(angle);
        }
        assert_near(place(&urdf, &q, 3, [1.0, 0.0, 0.25]), [x, y, 0.25], 1e-13);
    }
}

#[test]
fn sliders_move_along_the_direction_of_their_axis() {
    let slider = "<origin xyz='0 0 1' rpy='0 0 0'/><axis xyz='0 3 4'/><limit lower='-1' upper='2'/>";
    let urdf = chain(&[("prismatic", slider), ("prismatic", "<axis xyz='-2 0 0'/>")]);
    assert_near(place(&urdf, &[5.0, 0.5], 2, [0.0; 3]), [-0.5, 3.0, 5.0], 1e-15);
    let kinematics = Kinematics::new(&urdf).unwrap();
    let dofs: Vec<_> = kinematics.dofs().iter().map(|dof| (&*dof.name, dof.lower, dof.upper)).collect();
    assert_eq!(dofs, [("j0", -1.0, 2.0), ("j1", f64::NEG_INFINITY, f64::INFINITY)]);
    // Axes of coordinates are exact: only sums round, whatever the reach.
    let moved = kinematics.poses(&[0.0, 0.1]).unwrap()[2];
    assert_eq!(moved.pose().translation(), &[-0.1, 0.0, 1.0]);
    assert!(moved.error(1e9) < 2e-15);
}

/// The motion comes before the origin: the child's points turn first.
#[test]
fn origins_turn_axes() {
    let joint = "<origin xyz='1 2 3' rpy='1.5707963267948966 0 0'/><axis xyz='0 0 1'/>";
    let urdf = chain(&[("continuous", joint)]);
    // z of the joint is -y of the parent.
    let quarter = std::f64::consts::FRAC_PI_2;
    assert_near(place(&urdf, &[quarter], 1, [1.0, 0.0, 0.0]), [1.0, 2.0, 4.0], 1e-15);
}

/// Followers of followers, in any order of the file, and of a fixed joint.
#[test]
fn followers_are_no_degrees_of_freedom() {
    let slider = |more: &str| format!("<axis xyz='1 0 0'/>{more}");
    let second = slider("<mimic joint='j2' multiplier='-2' offset='0.5'/>");
    let third = slider("<mimic joint='j3' multiplier='3'/>");
    let last = slider("<mimic joint='j0' offset='0.125'/>");
    let joints = [
        ("fixed", ""),
        ("prismatic", &*second),
        ("prismatic", &third),
        ("prismatic", &slider("")),
        ("prismatic", &last),
    ];
    let kinematics = Kinematics::new(&chain(&joints)).unwrap();
    assert_eq!(kinematics.dofs().iter().map(|dof| &*dof.name).collect::<Vec<_>>(), ["j3"]);
    assert_eq!((kinematics.dofs()[0].joint, kinematics.dof("j1"), kinematics.dof("j3")), (3, None, Some(0)));
    let poses = kinematics.poses(&[0.25]).unwrap();
    let x: Vec<f64> = poses.iter().map(|pose| pose.pose().translation()[0]).collect();
    // 3 q = 0.75, and 0.5 - 2 (0.75) = -1.
    assert_eq!(x, [0.0, 0.0, -1.0, -0.25, 0.0, 0.125]);
}

/// Chains of quarter turns about axes of coordinates have rational poses: bounds hold, and are no more than
/// 1,000 times too wide.
#[test]
fn bounds_hold_for_rational_poses() {
    let quarter = std::f64::consts::FRAC_PI_2;
    // The f64 number is less than the quarter by 6.1e-17: that counts for the exact pose, and is less than
    // the bounds.
    let mut seed = 7_u64;
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % below
    };
    let mut widest = 0.0_f64;
    for round in 0..300 {
        let count = 1 + round % 12;
        let (mut joints, mut q) = (Vec::new(), Vec::new());
        let mut turns = Vec::new();
        for _ in 0..count {
            let axis = next(3) as usize;
            let shift = [0, 1, 2].map(|_| next(9) as i64 - 4);
            let quarters = next(4) as i64;
            let mut direction = [0; 3];
            direction[axis] = 1;
            joints.push(format!(
                "<origin xyz='{} {} {}'/><axis xyz='{} {} {}'/>",
                shift[0], shift[1], shift[2], direction[0], direction[1], direction[2]
            ));
            q.push(quarter * quarters as f64);
            turns.push((axis, shift, quarters));
        }
        let joints: Vec<_> = joints.iter().map(|inner| ("continuous", &**inner)).collect();
        let poses = Kinematics::new(&chain(&joints)).unwrap().poses(&q).unwrap();
        let point = [0, 1, 2].map(|_| next(9) as i64 - 4);
        let exact = turns.iter().rev().fold(point, |mut p, (axis, shift, quarters)| {
            let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
            for _ in 0..*quarters {
                (p[a], p[b]) = (-p[b], p[a]);
            }
            [0, 1, 2].map(|k| p[k] + shift[k])
        });
        let pose = poses[count];
        let found = pose.pose().place(point.map(|x| x as f64));
        let off = (0..3).map(|k| (found[k] - exact[k] as f64).powi(2)).sum::<f64>().sqrt();
        let reach = (point.iter().map(|x| x * x).sum::<i64>() as f64).sqrt();
        // What the f64 quarters are off turns all that is behind them.
        let far: f64 =
            turns.iter().map(|(_, t, _)| (t.iter().map(|x| x * x).sum::<i64>() as f64).sqrt()).sum();
        let bound = pose.error(reach);
        let of_quarters = 3.0 * 6.2e-17 * count as f64 * (far + reach);
        assert!(off <= bound + of_quarters, "{off:e} {bound:e}");
        widest = widest.max(off / bound.max(f64::MIN_POSITIVE));
        assert!(bound < 1e-12 * (1.0 + far + reach), "{bound:e}");
    }
    assert!(widest > 1e-3, "{widest:e}");
}

#[test]
fn what_has_no_poses_is_refused() {
    for kind in ["planar", "floating"] {
        let urdf = chain(&[("fixed", ""), (kind, "<axis xyz='0 0 1'/>")]);
        let error = Kinematics::new(&urdf).unwrap_err();
        assert!(error.text().contains(kind) && error.text().contains("'j1'"), "{error}");
        assert!(error.place().is_some());
    }
    let urdf =
        chain(&[("prismatic", "<origin xyz='1e308 0 0'/>"), ("prismatic", "<origin xyz='1e308 0 0'/>")]);
    let kinematics = Kinematics::new(&urdf).unwrap();
    for q in [&[][..], &[1.0], &[0.0, f64::NAN], &[f64::INFINITY, 0.0], &[0.0; 3], &[1e308, 1e308]] {
        assert!(kinematics.poses(q).is_err(), "{q:?}");
    }
}
