//! Scenes made to break bounds: every pair of triangles is asked of the testkit's oracle, with no box in front, and every
//! tree, box test and order of the bodies must give those pairs. Counterexamples found by reading are kept with their bits.
#![allow(clippy::print_stdout)] // What was counted, with --nocapture.
use impinge::{Body, BuildOptions, Kind, Mesh, Model, Pose, Scratch, Split, WorldBox, brute_force, pose};
use impinge_testkit::{
    oracle,
    rng::{Rng, nudge},
    ways::queries,
};
use num_bigint::BigInt;
use std::collections::BTreeMap;

type Vector = [f64; 3];
type Matrix = [[f64; 3]; 3];

const UNIT: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn soup(corners: Vec<[Vector; 3]>) -> Mesh {
    let triangles = (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(corners.into_iter().flatten().collect(), triangles).unwrap()
}

/// Every pair, by the oracle; and that all there is of the library says the same. Returns how many.
fn check(name: &str, a: &Mesh, pose_a: Pose, b: &Mesh, pose_b: Pose) -> usize {
    let mut want = Vec::new();
    for i in 0..a.len() as u32 {
        for j in 0..b.len() as u32 {
            if oracle::intersects(&a.corners(i), &pose_a, &b.corners(j), &pose_b) {
                want.push([i, j]);
            }
        }
    }
    let transposed = {
        let mut t: Vec<_> = want.iter().map(|&[i, j]| [j, i]).collect();
        t.sort_unstable();
        t
    };
    let (mut scratch, mut got) = (Scratch::new(), Vec::new());
    for &kind in Kind::ALL {
        for (split, leaf_size) in [(Split::Sah, 1), (Split::Midpoint, 1), (Split::Sah, 4)] {
            let options = BuildOptions { kind, split, leaf_size, ..BuildOptions::default() };
            let (a, b) = (Model::new(a.clone(), &options), Model::new(b.clone(), &options));
            a.validate().unwrap_or_else(|e| panic!("{name}, {options:?}: {e}"));
            b.validate().unwrap_or_else(|e| panic!("{name}, {options:?}: {e}"));
            let (x, y) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
            for (x, y, want) in [(&x, &y, &want), (&y, &x, &transposed)] {
                let bodies = || format!("{name}, {options:?}: {x:?} against {y:?}");
                brute_force::intersecting_pairs(x, y, &mut scratch, &mut got, &mut ());
                assert_eq!(&got, want, "brute force, {}", bodies());
                for query in queries(kind) {
                    query.intersecting_pairs(x, y, &mut scratch, &mut got, &mut ());
                    assert_eq!(&got, want, "{query:?}, {}", bodies());
                }
            }
            let boxes = [&x, &y].map(|body| WorldBox::new(body.model.mesh(), &body.pose).unwrap());
            assert!(
                want.is_empty() || boxes[0].meets(&boxes[1]),
                "{name}: bodies that meet have boxes that do"
            );
        }
    }
    want.len()
}

fn power(e: i64) -> f64 {
    // In two steps, so that subnormal results come out, too.
    let p = |e: i64| f64::from_bits(((e + 1023) as u64) << 52);
    p(e / 2) * p(e - e / 2)
}

fn times(m: &Matrix, n: &Matrix) -> Matrix {
    m.map(|row| std::array::from_fn(|j| (0..3).map(|k| row[k] * n[k][j]).sum()))
}
fn apply(m: &Matrix, v: &Vector) -> Vector {
    m.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

// ---- counterexamples ----

/// Both leaves' boxes overlap on z by 0.05. The edge axis e_x x m_x is (0, 0, 2^-1074): along it 0.8 rounded up to one,
/// the two half-widths of 0.45 down to nothing, and so did the pad.
#[test]
fn an_edge_axis_may_be_subnormal() {
    let tiny = f64::from_bits(1);
    let a = soup(vec![[[-0.9, 0.0, 0.0], [0.9, 0.0, 0.0], [0.0, 0.0, 0.45]]]);
    let b = soup(vec![[[0.0, -0.9, 0.4], [0.0, 0.9, 0.4], [0.0, 0.0, 0.85]]]);
    let turn = Pose::rigid([[1.0, -tiny, 0.0], [tiny, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    assert_eq!(check("subnormal axis", &a, Pose::IDENTITY, &b, turn), 1);
}

/// A speck inside a needle. In the speck's chart the needle is 2^515 long, and along the axis across it, of two
/// products that nearly cancel, one overflowed and the other did not: infinitely far apart.
#[test]
fn an_edge_axis_may_be_huge() {
    let speck = power(-516);
    let a = soup(vec![[[-speck, -speck, 0.0], [speck, -speck, 0.0], [0.0, speck, 0.0]]]);
    let thin = 1.0 / 1048576.0;
    let b = soup(vec![[[-0.9, -0.9, 0.0], [0.9, 0.9, 0.0], [0.9, -0.9, 0.0]]]);
    let rows = [[0.6, -0.8 * thin, 0.0], [0.8, 0.6 * thin, 0.0], [0.0, 0.0, thin]];
    // 0.48 (2 t 2^515) 2^515 is 2^1024, and `across` pulls the two products apart.
    let (t, across) = (power(-7) / 0.48, thin / 2.0);
    let at = [0.6 * t - 0.8 * across, 0.8 * t + 0.6 * across, 0.0];
    assert_eq!(check("huge axis", &a, Pose::IDENTITY, &b, Pose::affine(rows, at).unwrap()), 1);
}

/// Rounded outwards to f32, a chart of the largest mesh reaches a little beyond 4, and a product with
/// its box's doubled centre overflowed where the bound on its rounding did not.
#[test]
fn the_largest_mesh_may_be_sheared() {
    let m = f64::MAX;
    let (ulp, e) = (power(971), power(-24));
    let b = soup(vec![
        [[m, m, -ulp], [m, m, ulp], [m - ulp, m, ulp]],
        [[-m, -m, -m], [-m, -m, -m], [-m, -m, -m]],
    ]);
    let a = soup(vec![[[-0.9, -0.5, 0.0], [0.9, -0.5, 0.0], [0.0, 0.9, 0.9]]]);
    let (r, s) = (0.5 - e / 8.0, -(0.5 - e / 2.0));
    let rows = [[r, s, 0.0], [0.0, power(-1023), 0.0], [0.0, 0.0, 1.0]];
    // One ulp more, so that the corner lands beyond `a`.
    let t = nudge(-pose::place(&rows, &[0.0; 3], [m, m, 0.0])[0], 1);
    let pose = Pose::affine(rows, [t, -2.0, 0.0]).unwrap();
    assert_eq!(check("sheared giant", &a, Pose::IDENTITY, &b, pose), 1);
}

/// The sum of these four products overflows on the way to a number that does not: a caller who sorts boxes by
/// their corners must not get NaN.
#[test]
fn corners_of_a_world_box_are_never_nan() {
    let m = f64::MAX;
    let model =
        Model::new(soup(vec![[[m, m, 0.0], [m, m, 1.0], [m, m / 2.0, 0.0]]]), &BuildOptions::default());
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

// ---- random scenes ----

type Scene = (Mesh, Pose, Mesh, Pose);

fn cloud(rng: &mut Rng, centre: Vector, size: f64) -> Mesh {
    let near =
        |rng: &mut Rng, c: Vector, r: f64| -> Vector { std::array::from_fn(|k| c[k] + rng.between(-r, r)) };
    soup((0..6).map(|_| [0; 3].map(|_| near(rng, centre, size))).collect())
}

/// Coordinates of 1e7 with details of 1e-3, or worse, brought together by a turn and a shift.
fn site(rng: &mut Rng) -> Scene {
    let size = *rng.pick(&[1e-3, 1e-6, 3e-8]);
    let (ca, cb) = (rng.point(1e7), rng.point(1e7));
    let rows = rng.rotation();
    let there = pose::place(&rows, &[0.0; 3], cb);
    let pose = Pose::rigid(rows, std::array::from_fn(|k| ca[k] - there[k])).unwrap();
    (cloud(rng, ca, size), Pose::IDENTITY, cloud(rng, cb, size), pose)
}

/// Two poses far out, which cancel all but a little.
fn far_out(rng: &mut Rng) -> Scene {
    let reach = *rng.pick(&[1e9, 1e15, 1e40, 1e200]);
    let shift = rng.point(reach);
    let near = shift.map(|x| nudge(x, rng.int(-2, 2)));
    let size = if reach < 1e10 { 1e-6 } else { reach * 3e-16 };
    let (a, b) = (cloud(rng, [0.0; 3], size), cloud(rng, [0.0; 3], size));
    (a, Pose::rigid(rng.rotation(), shift).unwrap(), b, Pose::rigid(rng.rotation(), near).unwrap())
}

/// Coordinates from a palette of all sizes there are, so that many are equal.
fn palette(rng: &mut Rng) -> Scene {
    const SIZES: [f64; 10] = [0.0, 5e-324, 1e-310, 3e-308, 1e-150, 1.0, 1.5, 1e150, 1e300, f64::MAX];
    // Neighbours, mostly: the widest integers take milliseconds a pair.
    let sizes = if rng.one_in(40) {
        &SIZES[..]
    } else {
        let start = *rng.pick(&[0, 1, 1, 5]);
        &SIZES[start..start + if start == 5 { 2 } else { 3 }]
    };
    let few: [f64; 4] = std::array::from_fn(|_| *rng.pick(sizes) * if rng.one_in(2) { -1.0 } else { 1.0 });
    let mesh =
        |rng: &mut Rng| soup((0..5).map(|_| [0; 3].map(|_| [0; 3].map(|_| *rng.pick(&few)))).collect());
    let pose = |rng: &mut Rng| {
        let rows = *rng.pick(&[UNIT, [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]]);
        Pose::rigid(rows, [0; 3].map(|_| if rng.one_in(2) { 0.0 } else { *rng.pick(&few) })).unwrap()
    };
    (mesh(rng), pose(rng), mesh(rng), pose(rng))
}

/// Affine maps of condition up to 1e24 on both sides; a point of one mesh is taken to a point of the other.
fn ill_conditioned(rng: &mut Rng) -> Scene {
    let map = |rng: &mut Rng| {
        let stretch: Vector = [0; 3].map(|_| power(rng.int(-40, 40)));
        let diagonal =
            std::array::from_fn(|i| std::array::from_fn(|j| if i == j { stretch[i] } else { 0.0 }));
        times(&times(&rng.rotation(), &diagonal), &rng.rotation())
    };
    let (ra, rb) = (map(rng), if rng.one_in(2) { rng.rotation() } else { map(rng) });
    let (a, b) = (cloud(rng, [0.0; 3], 1.0), cloud(rng, [0.0; 3], 1.0));
    let (va, vb) = (apply(&ra, &a.points()[0]), apply(&rb, &b.points()[0]));
    let t = std::array::from_fn(|k| va[k] - vb[k]);
    match (Pose::affine(ra, [0.0; 3]), Pose::affine(rb, t)) {
        (Ok(pa), Ok(pb)) => (a, pa, b, pb),
        _ => ill_conditioned(rng),
    }
}

/// The same grid points of the world reached from two frames, exactly: integer shears with columns scaled by powers of
/// two. Then perhaps an ulp off.
fn sheared_grid(rng: &mut Rng) -> Scene {
    let most = *rng.pick(&[0, 3, 40, 200, 500]);
    let body = |rng: &mut Rng| -> (Mesh, Pose) {
        let (mut rows, mut inverse) = (UNIT, UNIT);
        for _ in 0..rng.int(0, 4) {
            let (i, j) = *rng.pick(&[(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)]);
            let c = rng.int(-3, 3) as f64;
            let (mut shear, mut back) = (UNIT, UNIT);
            (shear[i][j], back[i][j]) = (c, -c);
            (rows, inverse) = (times(&rows, &shear), times(&back, &inverse));
        }
        let k: [i64; 3] = match rng.below(3) {
            0 => [0; 3],
            1 => [rng.int(-most, most); 3],
            _ => [0; 3].map(|_| rng.int(-most, most)),
        };
        let t = if rng.one_in(2) { rng.grid_point(2) } else { rng.grid_point(1 << 40) };
        let mut corners: Vec<[Vector; 3]> = (0..6)
            .map(|_| {
                [0; 3].map(|_| {
                    let world = rng.grid_point(3);
                    let local = apply(&inverse, &std::array::from_fn(|i| world[i] - t[i]));
                    std::array::from_fn(|i| local[i] * power(-k[i]))
                })
            })
            .collect();
        if rng.one_in(2) {
            let (i, j, c) = (rng.below(6) as usize, rng.below(3) as usize, rng.below(3) as usize);
            corners[i][j][c] = nudge(corners[i][j][c], rng.int(-1, 1));
        }
        let rows = rows.map(|row| std::array::from_fn(|j| row[j] * power(k[j])));
        (soup(corners), Pose::affine(rows, t).unwrap())
    };
    let ((a, pa), (b, pb)) = (body(rng), body(rng));
    (a, pa, b, pb)
}

/// Turns so small that an entry of the matrix is anything down to 5e-324.
fn hardly_turned(rng: &mut Rng) -> Scene {
    let pose = |rng: &mut Rng| {
        let mut rows = UNIT;
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let e = if rng.one_in(3) { 1074 } else { rng.int(12, 1074) };
            let t = if rng.one_in(3) { 0.0 } else { power(-e) };
            (rows[i][j], rows[j][i]) = (-t, t);
        }
        Pose::rigid(rows, rng.grid_point(1).map(|x| x / 8.0)).unwrap()
    };
    let mesh =
        |rng: &mut Rng| soup((0..6).map(|_| [0; 3].map(|_| rng.grid_point(4).map(|x| x / 8.0))).collect());
    let (a, b) = (mesh(rng), mesh(rng));
    (a, pose(rng), b, if rng.one_in(4) { Pose::IDENTITY } else { pose(rng) })
}

/// A large body and a speck on one of its triangles, up to 2^-300 of its size.
fn speck(rng: &mut Rng) -> Scene {
    let size = power(-rng.int(10, 300));
    let a = cloud(rng, [0.0; 3], 1.0);
    let at = a.points()[rng.below(3) as usize];
    let b = cloud(rng, [0.0; 3], size);
    let pose_a = if rng.one_in(2) { Pose::IDENTITY } else { Pose::rigid(rng.rotation(), [0.0; 3]).unwrap() };
    let pose_b = Pose::rigid(rng.rotation(), pose_a.place(at)).unwrap();
    (a, pose_a, b, pose_b)
}

/// A plate and a point on it: flat boxes, which rounding to f32 does not widen, so that only the pads hold them together. The
/// plate stands at an integer multiple of a rotation, whose inverse rounds.
fn plate(rng: &mut Rng) -> Scene {
    let [a, b, c, d] = [0; 4].map(|_| rng.int(-3, 3) as f64);
    let rows = [
        [a * a + b * b - c * c - d * d, 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)],
        [2.0 * (b * c + a * d), a * a - b * b + c * c - d * d, 2.0 * (c * d - a * b)],
        [2.0 * (b * d - a * c), 2.0 * (c * d + a * b), a * a - b * b - c * c + d * d],
    ];
    let far = *rng.pick(&[1 << 3, 1 << 20, 1 << 40]);
    let t = rng.grid_point(far);
    let Ok(pose) = Pose::affine(rows, t) else { return plate(rng) };
    let (axis, height) = (rng.below(3) as usize, rng.int(-3, 3) as f64);
    let mut local = || {
        let mut v = rng.grid_point(8);
        v[axis] = height;
        v
    };
    let a = soup((0..4).map(|_| [0; 3].map(|_| local())).collect());
    let [u, v] = [local(), local()].map(|v| pose.place(v));
    let other = Pose::from_translation(rng.grid_point(far)).unwrap();
    let there = |v: Vector| std::array::from_fn(|k| v[k] - other.translation()[k]);
    let (u, mut v) = (there(u), if rng.one_in(2) { there(u) } else { there(v) });
    if rng.one_in(4) {
        v[axis] = nudge(v[axis], rng.int(-1, 1));
    }
    (a, pose, soup(vec![[u, v, v]]), other)
}

#[test]
fn random_scenes_agree_with_the_oracle() {
    type Family = (&'static str, fn(&mut Rng) -> Scene, u64);
    const FAMILIES: [Family; 8] = [
        ("site", site, 300),
        ("far out", far_out, 300),
        ("palette", palette, 50),
        ("ill-conditioned", ill_conditioned, 200),
        ("sheared grid", sheared_grid, 400),
        ("hardly turned", hardly_turned, 300),
        ("speck", speck, 300),
        ("plate", plate, 800),
    ];
    let mut met = BTreeMap::new();
    for (name, scene, scenes) in FAMILIES {
        for i in 0..scenes {
            let (a, pose_a, b, pose_b) = scene(&mut Rng::for_case(77, i));
            let pairs = check(name, &a, pose_a, &b, pose_b);
            *met.entry(name).or_insert(0) += pairs;
            boxes_are_exact(&a, pose_a, &b, pose_b);
        }
    }
    println!("pairs that meet: {met:?}");
    assert!(met.values().all(|&n| n > 100), "{met:?}");
}

// ---- placed points in big integers ----

/// In units of 2^-2148, of which every product of two numbers is a multiple.
fn big(row: &Vector, t: f64, v: &Vector) -> BigInt {
    let parts = |x: f64| -> (BigInt, u64) {
        let bits = x.to_bits();
        let (field, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
        let m = BigInt::from(if field == 0 { fraction } else { fraction | 1 << 52 });
        (if x < 0.0 { -m } else { m }, field.max(1) - 1)
    };
    // A number is m 2^(e - 1074).
    let (m, e) = parts(t);
    let mut sum = m << (e + 1074);
    for k in 0..3 {
        let ((r, e), (x, f)) = (parts(row[k]), parts(v[k]));
        sum += (r * x) << (e + f);
    }
    sum
}

fn boxes_are_exact(a: &Mesh, pose_a: Pose, b: &Mesh, pose_b: Pose) {
    let extents = |mesh: &Mesh, pose: &Pose| -> [[BigInt; 2]; 3] {
        std::array::from_fn(|k| {
            let all = || mesh.points().iter().map(|v| big(&pose.rows()[k], pose.translation()[k], v));
            [all().min().unwrap(), all().max().unwrap()]
        })
    };
    let (x, y) = (extents(a, &pose_a), extents(b, &pose_b));
    let want = (0..3).all(|k| x[k][0] <= y[k][1] && y[k][0] <= x[k][1]);
    let models = [a, b].map(|m| Model::new(m.clone(), &BuildOptions::default()));
    let bodies = [Body::new(&models[0], pose_a), Body::new(&models[1], pose_b)];
    let boxes = [&bodies[0], &bodies[1]].map(|body| WorldBox::new(body.model.mesh(), &body.pose).unwrap());
    assert_eq!(boxes[0].meets(&boxes[1]), want, "{bodies:?}");
    assert_eq!(boxes[1].meets(&boxes[0]), want, "{bodies:?}");
    for (world, extent) in boxes.iter().zip([&x, &y]) {
        for (k, [least, most]) in extent.iter().enumerate() {
            let (lo, hi) = (world.lower()[k], world.upper()[k]);
            assert!(lo == f64::NEG_INFINITY || big(&[0.0; 3], lo, &[0.0; 3]) <= *least, "{world:?}");
            assert!(hi == f64::INFINITY || big(&[0.0; 3], hi, &[0.0; 3]) >= *most, "{world:?}");
        }
    }
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
        let exact = big(&row, t, &v);
        // 2^1024 stands for infinity: beyond its midpoint with f64::MAX lies what overflows.
        let at = |x: f64| {
            if x.is_finite() { big(&[0.0; 3], x, &[0.0; 3]) } else { BigInt::from(x.signum() as i64) << 3172 }
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
