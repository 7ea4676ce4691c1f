use impinge::Pose;
use impinge_testkit::oracle::*;
use impinge_testkit::{oracle, rng::Rng};

#[test]
fn says_what_the_definition_says() {
    let (o, x, y, z) = ([0., 0., 0.], [2., 0., 0.], [0., 2., 0.], [0., 0., 2.]);
    let floor = [o, x, y];
    for (t, want) in [
        (floor, true),
        ([x, y, o], true),
        // An edge in common: beside it, upright, over it.
        ([x, y, [2., 2., 0.]], false),
        ([o, x, z], false),
        ([o, x, [1., 1., 0.]], true),
        // A corner: away, through the inside, along an edge, upright on the inside.
        ([o, [-1., 0., 0.], z], false),
        ([[-0., 0., 0.], [1., 1., 1.], [1., 1., -1.]], true),
        ([o, [1., 0., 0.], z], true),
        ([o, [1., 1., 0.], z], true),
        // The third corner touches.
        ([o, z, [1., 1., 0.]], true),
        // None in common: a touch from above, none.
        ([[1., 0., 0.], z, [1., 0., 1.]], true),
        ([[3., 0., 0.], z, [0., 0., 1.]], false),
        // Segments and points: an edge is shared, also as a part of a longer segment; half of one is not. A
        // shared corner is.
        ([o, x, x], false),
        ([o, [1., 0., 0.], o], true),
        ([o, x, [3., 0., 0.]], false),
        ([o, o, o], false),
        ([[1., 0., 0.]; 3], true),
    ] {
        assert_eq!(meet_elsewhere(&floor, &t), want, "{t:?}");
        assert_eq!(meet_elsewhere(&t, &floor), want, "{t:?}, exchanged");
        // In units that need more than 128 bits.
        let large = |t: [[f64; 3]; 3]| t.map(|v| v.map(|c| c * 1e15 + if c == 1. { 1. / 16. } else { 0. }));
        if t.as_flattened().iter().all(|c| c.abs() != 1.) {
            assert_eq!(meet_elsewhere(&large(floor), &large(t)), want, "{t:?}, large");
        }
    }
    // On one line.
    let [a, b, c, d] = [0., 1., 2., 3.].map(|x| [x, x, 0.]);
    for (s, t, want) in [
        ([a, b, c], [a, b, c], false),
        ([a, c, b], [a, c, d], false),
        ([b, c, d], [b, c, d], false),
        ([a, b, d], [a, b, c], true),
        ([b, c, a], [b, c, d], false),
        ([a, a, b], [b, c, c], false),
        ([a, a, c], [b, d, d], true),
        ([a, a, c], [a, b, b], true),
    ] {
        assert_eq!(meet_elsewhere(&s, &t), want, "{s:?} {t:?}");
        assert_eq!(meet_elsewhere(&t, &s), want, "{t:?} {s:?}");
    }
}

#[test]
fn strangers_meet_as_the_other_oracle_says() {
    let (mut rng, mut met) = (Rng::new(8), 0);
    for round in 0..20_000 {
        let half = if round % 2 == 0 { 1 } else { 3 };
        let [s, t] = [(); 2].map(|()| [(); 3].map(|()| rng.grid_point(half)));
        let want = oracle::intersects(&s, &Pose::IDENTITY, &t, &Pose::IDENTITY);
        let got = meet_elsewhere(&s, &t);
        if s.iter().any(|v| t.contains(v)) {
            assert!(want || !got, "{s:?} {t:?}: they must meet to meet elsewhere");
        } else {
            assert_eq!(got, want, "{s:?} {t:?}");
            met += usize::from(got);
        }
    }
    assert!(met > 1000, "{met}");
}
