//! Scenes constructed to break bounds, by the hundred: rounding, overflow and cancellation in boxes and
//! filters.
use super::soup;
use crate::rng::{Rng, nudge};
use impinge::{Mesh, Pose, hierarchy::Vector, pose};
use num_bigint::BigInt;

type Matrix = [[f64; 3]; 3];

/// The identity.
pub const UNIT: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Two meshes, each with its pose.
pub type PlacedMeshPair = (Mesh, Pose, Mesh, Pose);
/// A family's name, its generator of scenes, and the number of scenes in a test.
pub type AdversaryFamily = (&'static str, fn(&mut Rng) -> PlacedMeshPair, u64);

/// All families.
pub const FAMILIES: [AdversaryFamily; 8] = [
    ("site", site, 300),
    ("far out", far_out, 300),
    ("palette", palette, 50),
    ("ill-conditioned", ill_conditioned, 200),
    ("sheared grid", sheared_grid, 400),
    ("hardly turned", hardly_turned, 300),
    ("speck", speck, 300),
    ("plate", plate, 800),
];

/// Returns 2^e, which may be subnormal.
pub fn power(e: i64) -> f64 {
    // In two steps, so that each factor is a normal number.
    let p = |e: i64| f64::from_bits(((e + 1023) as u64) << 52);
    p(e / 2) * p(e - e / 2)
}

fn times(m: &Matrix, n: &Matrix) -> Matrix {
    m.map(|row| std::array::from_fn(|j| (0..3).map(|k| row[k] * n[k][j]).sum()))
}
fn apply(m: &Matrix, v: &Vector) -> Vector {
    m.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

fn cloud(rng: &mut Rng, centre: Vector, size: f64) -> Mesh {
    let near =
        |rng: &mut Rng, c: Vector, r: f64| -> Vector { std::array::from_fn(|k| c[k] + rng.between(-r, r)) };
    soup(&(0..6).map(|_| [0; 3].map(|_| near(rng, centre, size))).collect::<Vec<_>>())
}

/// Coordinates of 1e7 with details of 1e-3 to 3e-8. A rotation and a shift bring the bodies together.
fn site(rng: &mut Rng) -> PlacedMeshPair {
    let size = *rng.pick(&[1e-3, 1e-6, 3e-8]);
    let (ca, cb) = (rng.point(1e7), rng.point(1e7));
    let rows = rng.rotation();
    let there = pose::place(&rows, &[0.0; 3], cb);
    let pose = Pose::rigid(rows, std::array::from_fn(|k| ca[k] - there[k])).expect("a pose");
    (cloud(rng, ca, size), Pose::IDENTITY, cloud(rng, cb, size), pose)
}

/// Two distant poses, which nearly cancel.
fn far_out(rng: &mut Rng) -> PlacedMeshPair {
    let reach = *rng.pick(&[1e9, 1e15, 1e40, 1e200]);
    let shift = rng.point(reach);
    let near = shift.map(|x| nudge(x, rng.int(-2, 2)));
    let size = if reach < 1e10 { 1e-6 } else { reach * 3e-16 };
    let (a, b) = (cloud(rng, [0.0; 3], size), cloud(rng, [0.0; 3], size));
    (
        a,
        Pose::rigid(rng.rotation(), shift).expect("a pose"),
        b,
        Pose::rigid(rng.rotation(), near).expect("a pose"),
    )
}

/// Coordinates from a palette of all sizes, so that many are equal.
fn palette(rng: &mut Rng) -> PlacedMeshPair {
    const SIZES: [f64; 10] = [0.0, 5e-324, 1e-310, 3e-308, 1e-150, 1.0, 1.5, 1e150, 1e300, f64::MAX];
    // Mostly neighbours: the widest integers take milliseconds a pair.
    let sizes = if rng.one_in(40) {
        &SIZES[..]
    } else {
        let start = *rng.pick(&[0, 1, 1, 5]);
        &SIZES[start..start + if start == 5 { 2 } else { 3 }]
    };
    let few: [f64; 4] = std::array::from_fn(|_| *rng.pick(sizes) * if rng.one_in(2) { -1.0 } else { 1.0 });
    let mesh = |rng: &mut Rng| {
        soup(&(0..5).map(|_| [0; 3].map(|_| [0; 3].map(|_| *rng.pick(&few)))).collect::<Vec<_>>())
    };
    let pose = |rng: &mut Rng| {
        let rows = *rng.pick(&[UNIT, [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]]);
        Pose::rigid(rows, [0; 3].map(|_| if rng.one_in(2) { 0.0 } else { *rng.pick(&few) })).expect("a pose")
    };
    (mesh(rng), pose(rng), mesh(rng), pose(rng))
}

/// Affine maps of condition up to 1e24 on both sides; a point of one mesh is mapped to a point of the other.
fn ill_conditioned(rng: &mut Rng) -> PlacedMeshPair {
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

/// Grid points of the world in two frames, exactly. The frames are integer shears with columns scaled by
/// powers of two. One coordinate may then be an ulp off.
fn sheared_grid(rng: &mut Rng) -> PlacedMeshPair {
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
        (soup(&corners), Pose::affine(rows, t).expect("a pose"))
    };
    let ((a, pa), (b, pb)) = (body(rng), body(rng));
    (a, pa, b, pb)
}

/// Rotations so small that an entry of the matrix may be as small as 5e-324.
fn hardly_turned(rng: &mut Rng) -> PlacedMeshPair {
    let pose = |rng: &mut Rng| {
        let mut rows = UNIT;
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let e = if rng.one_in(3) { 1074 } else { rng.int(12, 1074) };
            let t = if rng.one_in(3) { 0.0 } else { power(-e) };
            (rows[i][j], rows[j][i]) = (-t, t);
        }
        Pose::rigid(rows, rng.grid_point(1).map(|x| x / 8.0)).expect("a pose")
    };
    let mesh = |rng: &mut Rng| {
        soup(&(0..6).map(|_| [0; 3].map(|_| rng.grid_point(4).map(|x| x / 8.0))).collect::<Vec<_>>())
    };
    let (a, b) = (mesh(rng), mesh(rng));
    (a, pose(rng), b, if rng.one_in(4) { Pose::IDENTITY } else { pose(rng) })
}

/// A large body and a speck on a vertex of it, 2^-10 to 2^-300 of its size.
fn speck(rng: &mut Rng) -> PlacedMeshPair {
    let size = power(-rng.int(10, 300));
    let a = cloud(rng, [0.0; 3], 1.0);
    let at = a.points()[rng.below(3) as usize];
    let b = cloud(rng, [0.0; 3], size);
    let pose_a =
        if rng.one_in(2) { Pose::IDENTITY } else { Pose::rigid(rng.rotation(), [0.0; 3]).expect("a pose") };
    let pose_b = Pose::rigid(rng.rotation(), pose_a.place(at)).expect("a pose");
    (a, pose_a, b, pose_b)
}

/// A plate, and a point or a segment on it. Rounding to f32 does not widen their flat boxes, so only the pads
/// keep them together. The plate's pose is an integer multiple of a rotation, whose inverse rounds.
fn plate(rng: &mut Rng) -> PlacedMeshPair {
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
    let a = soup(&(0..4).map(|_| [0; 3].map(|_| local())).collect::<Vec<_>>());
    let [u, v] = [local(), local()].map(|v| pose.place(v));
    let other = Pose::from_translation(rng.grid_point(far)).expect("a pose");
    let there = |v: Vector| std::array::from_fn(|k| v[k] - other.translation()[k]);
    let (u, mut v) = (there(u), if rng.one_in(2) { there(u) } else { there(v) });
    if rng.one_in(4) {
        v[axis] = nudge(v[axis], rng.int(-1, 1));
    }
    (a, pose, soup(&[[u, v, v]]), other)
}

/// One coordinate of a placed point, exactly, in units of 2^-2148: every product of two numbers is a multiple
/// of this unit.
pub fn place(row: &Vector, t: f64, v: &Vector) -> BigInt {
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
