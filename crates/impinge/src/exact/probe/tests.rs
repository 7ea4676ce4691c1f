//! Rounded signs against integers.
use super::*;
use impinge_testkit::rng::Rng;

/// Numbers of a few bits and of many, some of them equal.
fn number(rng: &mut Rng) -> f64 {
    match rng.below(4) {
        0 => rng.int(-3, 3) as f64,
        1 => rng.int(-3, 3) as f64 + rng.int(-2, 2) as f64 * 2.0_f64.powi(-40),
        2 => rng.int(-40, 40) as f64 * 0.1,
        _ => rng.between(-4.0, 4.0),
    }
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
        let (exact, near) = (Exact::<12>(&space), Near::new(pose, 0, &p[0]));
        let t = |i: usize| [p[3 * i], p[3 * i + 1], p[3 * i + 2]];
        let integers = [0, 1, 2, 3].map(|i| Plane::of(&exact.corners(0, &t(i))));
        let rounded = [0, 1, 2, 3].map(|i| Plane::of(&near.corners(0, &t(i))));
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
            (Meeting::At(integers), Meeting::At(rounded)) => {
                for signs in [[1, 1, 1], [1, -1, 1], [-1, 1, -1]] {
                    agree(rounded.side(signs, h), integers.side(signs, d));
                    assert!(integers.side(signs, d) != Some(0) || d.axis().is_none());
                }
                let (x, off) = rounded.place();
                let (y, off_y) = integers.place(space.unit());
                assert!((0..3).all(|k| (x[k] - y[k]).abs() <= off + off_y), "{x:?} {y:?} {off:e}");
            }
            (Meeting::Nowhere, Meeting::Nowhere) | (_, Meeting::Unsure) => {}
            _ => panic!("rounded numbers were wrong about {p:?}"),
        }
    }
    assert!(certain * 10 > all * 7 && zeros > 1000, "{certain} of {all}, {zeros} zeros");
}
