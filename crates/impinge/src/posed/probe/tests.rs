//! Rounded signs against integers.
use super::*;
use crate::samples::rng::Rng;

/// Numbers of a few bits and of many, some of them equal.
fn number(rng: &mut Rng) -> f64 {
    match rng.below(4) {
        0 => rng.int(-3, 3) as f64,
        1 => rng.int(-3, 3) as f64 + rng.int(-2, 2) as f64 * 2.0_f64.powi(-40),
        2 => rng.int(-40, 40) as f64 * 0.1,
        _ => rng.between(-4.0, 4.0),
    }
}

/// The side of a plane on which a probe lies, with directions reversed where `signs` are -1.
fn side<T: Number>(probe: &Probe<T>, signs: [i32; 3], plane: &ProbePlane<T>) -> Option<i32> {
    probe.beside(plane, [false; 2]).map(|side| side.turned(signs))
}

#[test]
fn rounded_signs_are_those_of_integers() {
    let (mut rng, mut certain, mut zeros, mut all) = (Rng::new(24), 0, 0, 0);
    for round in 0..20_000 {
        let mut p: Vec<[f64; 3]> = (0..12).map(|_| [(); 3].map(|()| number(&mut rng))).collect();
        if round % 2 == 0 {
            // Planes perpendicular to axes, through common points.
            for i in 0..3 {
                let k = rng.below(3) as usize;
                (p[3 * i + 1][k], p[3 * i + 2][k]) = (p[3 * i][k], p[3 * i][k]);
            }
            p[9] = p[rng.below(9) as usize];
        }
        let pose = [&Pose::IDENTITY; 2];
        let bits = CoordinateBits::of_points(&p);
        let space = Space::new(pose, [&bits; 2]);
        assert_eq!(space.limbs, WIDTHS[0]);
        let (exact, near) = (Exact::<12>(&space), RoundedPoints::new(pose, 0, &p[0]));
        let t = |i: usize| [p[3 * i], p[3 * i + 1], p[3 * i + 2]];
        let integers = [0, 1, 2, 3].map(|i| ProbePlane::of(&exact.corners(0, &t(i))));
        let rounded = [0, 1, 2, 3].map(|i| ProbePlane::of(&near.corners(0, &t(i))));
        let mut agree = |of_rounded: Option<i32>, of_integers: Option<i32>| {
            all += 1;
            if of_rounded.is_some() {
                assert_eq!(of_rounded, of_integers, "{p:?}");
                certain += 1;
                zeros += u32::from(of_rounded == Some(0));
            }
        };
        for v in &p {
            agree(rounded[0].side(&near.point(0, v)), integers[0].side(&exact.point(0, v)));
        }
        let [a, b, c, d] = &integers;
        let [e, f, g, h] = &rounded;
        match (Probe::where_meet(a, b, c), Probe::where_meet(e, f, g)) {
            (PlaneIntersection::At(integers), PlaneIntersection::At(rounded)) => {
                for signs in [[1, 1, 1], [1, -1, 1], [-1, 1, -1]] {
                    agree(side(&rounded, signs, h), side(&integers, signs, d));
                    assert!(side(&integers, signs, d) != Some(0) || d.axis().is_none());
                }
                let (x, off) = rounded.place();
                let (y, off_y) = integers.place(space.unit());
                assert!((0..3).all(|k| (x[k] - y[k]).abs() <= off + off_y), "{x:?} {y:?} {off:e}");
            }
            (PlaneIntersection::Nowhere, PlaneIntersection::Nowhere) | (_, PlaneIntersection::Unsure) => {}
            _ => panic!("rounded numbers were wrong about {p:?}"),
        }
    }
    assert!(certain * 10 > all * 7 && zeros > 1000, "{certain} of {all}, {zeros} zeros");
}

#[test]
fn planes_along_axes_meet_in_points_without_integers() {
    let mut rng = Rng::new(25);
    for _ in 0..2000 {
        // Products of such coordinates are rounded.
        let mut random = || [(); 3].map(|()| rng.between(-4.0, 4.0));
        let p = random();
        let across = [0, 1, 2, 0].map(|axis| {
            let mut t = [random(), random(), random()];
            t.iter_mut().for_each(|v| v[axis] = p[axis]);
            t
        });
        let points = [across.as_flattened(), &[p]].concat();
        let (pose, bits) = ([&Pose::IDENTITY; 2], CoordinateBits::of_points(&points));
        let space = Space::new(pose, [&bits; 2]);
        let (exact, near) = (Exact::<12>(&space), RoundedPoints::new(pose, 0, &p));
        let [a, b, c, d] = across.map(|t| ProbePlane::of(&near.corners(0, &t)));
        let PlaneIntersection::At(probe) = Probe::where_meet(&a, &b, &c) else { panic!("three planes meet") };
        assert!(probe.is_at(&near.point(0, &p)) && probe.place().0 == p);
        // The fourth has that point, too.
        let [u, v, w, x] = across.map(|t| ProbePlane::of(&exact.corners(0, &t)));
        let PlaneIntersection::At(integers) = Probe::where_meet(&u, &v, &w) else {
            panic!("three planes meet")
        };
        for signs in [[1, 1, 1], [-1, 1, 1], [1, -1, -1]] {
            assert_eq!(side(&probe, signs, &d), side(&integers, signs, &x));
        }
        assert!(probe.beside(&d, [false; 2]).is_some_and(|side| side.direction.is_some()));
    }
}

#[test]
fn what_is_zero_makes_zero_of_what_is_finite() {
    let (zero, some) = (RoundedNumber::ZERO, RoundedNumber::new(0.1, 1e-9));
    assert_eq!([zero.product(&some).sign(), some.product(&zero).sign()], [Some(0); 2]);
    for unknown in [
        RoundedNumber::new(f64::NAN, 0.0),
        RoundedNumber::new(1.0, f64::NAN),
        RoundedNumber::new(f64::INFINITY, 0.0),
        RoundedNumber::new(1.0, f64::INFINITY),
    ] {
        assert_eq!([zero.product(&unknown).sign(), unknown.product(&zero).sign()], [None; 2]);
    }
    // Not certain to be 0.
    assert_eq!(RoundedNumber::new(0.0, 1e-300).product(&some).sign(), None);
}
