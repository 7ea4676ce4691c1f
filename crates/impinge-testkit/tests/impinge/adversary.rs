//! Scenes made to break bounds: the testkit's oracle decides every pair of triangles, without a box test.
//! Brute force and the fast tree must find these pairs, in both orders. Boxes in the world must compare as
//! exact ones do.
use impinge::{
    Body, BuildOptions, Mesh, Model, Pose, brute_force, pose,
    world::{WorldBox, WorldBoxes},
};
use impinge_testkit::{
    cases::{
        Setup,
        adversary::{FAMILIES, PlacedMeshPair, UNIT, place as exactly, power},
        by_oracle, soup, transposed,
    },
    rng::Rng,
};
use num_bigint::BigInt;
use std::collections::BTreeMap;

type Vector = [f64; 3];

#[test]
fn random_scenes_agree_with_the_oracle() {
    let mut setups = Setup::both_on_all_levels();
    setups.push(Setup::wide(BuildOptions::new().leaf_size(1), Default::default()));
    let mut met = BTreeMap::new();
    for (name, scene, scenes) in FAMILIES {
        for i in 0..scenes {
            let scene = scene(&mut Rng::for_case(77, i));
            *met.entry(name).or_insert(0) += check(name, &scene, &setups);
            boxes_are_exact(&scene);
        }
    }
    println!("pairs that meet: {met:?}");
    assert!(met.len() == FAMILIES.len() && met.values().all(|&n| n > 100), "{met:?}");
}

/// Compares all setups with the oracle. Returns the number of pairs that meet.
fn check(name: &str, (a, pose_a, b, pose_b): &PlacedMeshPair, setups: &[Setup]) -> usize {
    let want = by_oracle(a, pose_a, b, pose_b);
    let swapped = transposed(&want);
    for setup in setups {
        let models = [a, b].map(|mesh| setup.model(mesh));
        for model in &models {
            model.validate().unwrap_or_else(|e| panic!("{name}, {setup:?}: {e}"));
        }
        let (x, y) = (Body::new(&models[0], *pose_a), Body::new(&models[1], *pose_b));
        for (x, y, want) in [(&x, &y, &want), (&y, &x, &swapped)] {
            let what = || format!("{name}, {setup:?}: {x:?} against {y:?}");
            assert_eq!(&brute_force::pairs(x, y), want, "brute force, {}", what());
            assert_eq!(setup.query().pairs(x, y), want, "{}", what());
        }
    }
    want.len()
}

fn boxes_are_exact((a, pose_a, b, pose_b): &PlacedMeshPair) {
    let extents = |mesh: &Mesh, pose: &Pose| -> [[BigInt; 2]; 3] {
        std::array::from_fn(|k| {
            let all = || mesh.points().iter().map(|v| exactly(&pose.rows()[k], pose.translation()[k], v));
            [all().min().unwrap(), all().max().unwrap()]
        })
    };
    let (x, y) = (extents(a, pose_a), extents(b, pose_b));
    let want = (0..3).all(|k| x[k][0] <= y[k][1] && y[k][0] <= x[k][1]);
    let boxes = [(a, pose_a), (b, pose_b)].map(|(mesh, pose)| WorldBox::new(mesh, pose).unwrap());
    for ((mesh, pose), one) in [(a, pose_a), (b, pose_b)].into_iter().zip(&boxes) {
        let of_many = WorldBoxes::new(mesh).at(pose).unwrap();
        assert_eq!(format!("{of_many:?}"), format!("{one:?}"), "{mesh:?}, {pose:?}");
    }
    assert_eq!(boxes[0].meets(&boxes[1]), want, "{a:?}, {pose_a:?}, {b:?}, {pose_b:?}");
    assert_eq!(boxes[1].meets(&boxes[0]), want, "{a:?}, {pose_a:?}, {b:?}, {pose_b:?}");
    for (world, extent) in boxes.iter().zip([&x, &y]) {
        for (k, [least, most]) in extent.iter().enumerate() {
            let (lo, hi) = (world.lower()[k], world.upper()[k]);
            assert!(lo == f64::NEG_INFINITY || exactly(&[0.0; 3], lo, &[0.0; 3]) <= *least, "{world:?}");
            assert!(hi == f64::INFINITY || exactly(&[0.0; 3], hi, &[0.0; 3]) >= *most, "{world:?}");
        }
    }
}

/// A sum of four products overflows, although its result does not. Corners must not be NaN, so that they
/// sort.
#[test]
fn corners_of_a_world_box_are_never_nan() {
    let m = f64::MAX;
    let model = Model::new(soup(&[[[m, m, 0.0], [m, m, 1.0], [m, m / 2.0, 0.0]]]));
    let (c, s) = (0.8, 0.6);
    let rows = [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]];
    let body = Body::new(&model, Pose::rigid(rows, [-m, 0.0, 0.0]).unwrap());
    let world = WorldBox::new(body.model.mesh(), &body.pose).unwrap();
    for k in 0..3 {
        for v in model.mesh().points() {
            let x = body.pose.place(*v)[k];
            assert!(world.lower()[k] <= x && x <= world.upper()[k], "{world:?}");
        }
    }
    assert!(world.meets(&world));
}

/// Numbers of all sizes, with many ties and cancellations among their sums.
fn awkward(rng: &mut Rng) -> f64 {
    let e = match rng.below(4) {
        0 => rng.int(-1074, 971),
        1 => rng.int(-1074, -1000),
        2 => rng.int(900, 971),
        _ => rng.int(-60, 8),
    };
    let m = match rng.below(3) {
        0 => rng.int(-8, 8),
        1 => rng.int(-(1 << 53), 1 << 53),
        _ => (1 << rng.int(0, 52)) + rng.int(-1, 1),
    };
    m as f64 * power(e)
}

#[test]
fn places_are_rounded_to_the_nearest() {
    let mut rng = Rng::new(3);
    let (mut ties, mut infinite) = (0, 0);
    for _ in 0..20_000 {
        let mut n = || awkward(&mut rng);
        let (mut row, mut t, mut v): (Vector, f64, Vector) = ([n(), n(), n()], n(), [n(), n(), n()]);
        if rng.one_in(3) {
            // Half an ulp off, or a little more or less than half.
            let x = awkward(&mut rng);
            let little = *rng.pick(&[0.0, 5e-324, -5e-324, x * 1e-200]);
            (row, t, v) = ([x, (x.next_up() - x).abs(), little], 0.0, [1.0, 0.5, *rng.pick(&[1.0, 5e-324])]);
        }
        let got = pose::place(&[row, UNIT[1], UNIT[2]], &[t, 0.0, 0.0], v)[0];
        let exact = exactly(&row, t, &v);
        // 2^1024 represents infinity: sums beyond its midpoint with f64::MAX overflow.
        let at = |x: f64| {
            if x.is_finite() {
                exactly(&[0.0; 3], x, &[0.0; 3])
            } else {
                BigInt::from(x.signum() as i64) << 3172
            }
        };
        let even = got.to_bits() & 1 == 0;
        for next in [got.next_down(), got.next_up()] {
            let (here, there) = (at(got), at(next));
            if here == there {
                continue; // Infinity's neighbour is infinity.
            }
            let (twice, middle) = (&exact * 2, &here + &there);
            ties += usize::from(twice == middle);
            let this_side = if there > here { twice < middle } else { twice > middle };
            assert!(this_side || twice == middle && even, "{row:?} {t:e} {v:?}: {got:e}");
        }
        infinite += usize::from(got.is_infinite());
    }
    println!("{ties} ties, {infinite} overflows");
    assert!(ties > 1000 && infinite > 1000);
}
