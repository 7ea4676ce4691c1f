//! Tetrahedra that are stretched by powers of two along each axis, against exact integers.
//!
//! The reference cuts one tetrahedron by the four planes of the other into tetrahedra, before it is
//! stretched: signs and ratios do not depend on the stretch, and the volume is multiplied by it. Points are
//! homogeneous integers with a positive last coordinate.
use super::{Point, model};
use impinge::{
    Body, Model, Pose, Query,
    penetration::{Penetration, PenetrationParts},
};
use impinge_testkit::{cases::is_full, rng::Rng};
use num_bigint::BigInt;

type Homogeneous = [BigInt; 4];
type Tetrahedron = [Homogeneous; 4];

const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// Number of bits behind the point to which the reference truncates volumes.
const BITS: i32 = 400;

fn zero() -> BigInt {
    BigInt::from(0)
}
fn sign(x: &BigInt) -> i32 {
    i32::from(*x > zero()) - i32::from(*x < zero())
}
/// x 2^-unit, which has to be an integer.
fn whole(x: f64, unit: i32) -> BigInt {
    let bits = x.to_bits();
    let (raw, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let (m, e) = if raw == 0 { (fraction, -1074) } else { (fraction | 1 << 52, raw - 1075) };
    let m = BigInt::from(m) * if x < 0.0 { -1 } else { 1 };
    shifted(&m, e - unit)
}
/// x 2^by, which has to be an integer.
fn shifted(x: &BigInt, by: i32) -> BigInt {
    let shifted = if by < 0 { x >> by.unsigned_abs() } else { x << by.unsigned_abs() };
    assert!(by >= 0 || (&shifted << by.unsigned_abs()) == *x);
    shifted
}

/// Corners in units of 2^-60: they are grid points, or results of `Rng::point(1.0)`.
fn exactly(p: &[Point; 4]) -> Tetrahedron {
    p.map(|[x, y, z]| [whole(x, -60), whole(y, -60), whole(z, -60), BigInt::from(1)])
}

/// The determinant of four points: six times a volume, times the product of the last coordinates.
fn determinant([p, q, r, s]: [&Homogeneous; 4]) -> BigInt {
    let minor = |i: usize, j: usize| &p[i] * &q[j] - &p[j] * &q[i];
    let other = |i: usize, j: usize| &r[i] * &s[j] - &r[j] * &s[i];
    // Laplace's expansion by the first two rows. Its sign is that of det(q - p, r - p, s - p).
    let sum = minor(0, 1) * other(2, 3) - minor(0, 2) * other(1, 3) + minor(0, 3) * other(1, 2);
    zero() - (sum + minor(1, 2) * other(0, 3) - minor(1, 3) * other(0, 2) + minor(2, 3) * other(0, 1))
}

/// The part of a tetrahedron on the side of a plane where `value` is not positive.
fn cut(t: &Tetrahedron, value: impl Fn(&Homogeneous) -> BigInt) -> Vec<Tetrahedron> {
    let values = t.each_ref().map(&value);
    let (inside, outside): (Vec<usize>, Vec<usize>) = (0..4).partition(|&i| sign(&values[i]) <= 0);
    // The point in which the plane divides the edge from a corner inside to one outside.
    let between = |i: usize, j: usize| [0, 1, 2, 3].map(|k| &values[j] * &t[i][k] - &values[i] * &t[j][k]);
    let corner = |i: usize| t[i].clone();
    // A prism between two triangles, corner by corner.
    let prism = |[a, b, c]: [Homogeneous; 3], [d, e, f]: [Homogeneous; 3]| {
        let second = [b.clone(), c.clone(), d.clone(), e.clone()];
        vec![[a, b, c.clone(), d.clone()], second, [c, d, e, f]]
    };
    match (&inside[..], &outside[..]) {
        (_, []) => vec![t.clone()],
        ([], _) => Vec::new(),
        (&[a], &[b, c, d]) => vec![[corner(a), between(a, b), between(a, c), between(a, d)]],
        (&[a, b], &[c, d]) => {
            prism([corner(a), between(a, c), between(a, d)], [corner(b), between(b, c), between(b, d)])
        }
        (&[a, b, c], &[d]) => {
            prism([corner(a), corner(b), corner(c)], [between(a, d), between(b, d), between(c, d)])
        }
        _ => unreachable!("four corners"),
    }
}

/// The intersection of two tetrahedra, as tetrahedra with a volume.
fn common(a: &Tetrahedron, b: &Tetrahedron) -> Vec<Tetrahedron> {
    let turn = sign(&determinant(b.each_ref()));
    let mut parts = vec![a.clone()];
    for face in FACES {
        let [p, q, r] = face.map(|i| &b[i]);
        // The fourth corner is on the inside.
        parts = parts.iter().flat_map(|t| cut(t, |x| determinant([p, q, r, x]) * turn)).collect();
    }
    parts.retain(|t| sign(&determinant(t.each_ref())) != 0);
    parts
}

/// Six times the volume of all parts, truncated, in units of 2^-BITS cubes of the unit of coordinates.
fn six_volumes(parts: &[Tetrahedron]) -> BigInt {
    let volumes = parts.iter().map(|t| {
        let denominator = t.iter().map(|p| &p[3]).product::<BigInt>();
        BigInt::from(determinant(t.each_ref()).magnitude().clone() << BITS as u32) / denominator
    });
    volumes.sum()
}

/// A tetrahedron of positive volume: of small integers, or of any numbers up to 1.
fn tetrahedron(rng: &mut Rng, is_grid: bool, size: i64) -> [Point; 4] {
    loop {
        let mut p =
            [(); 4].map(|()| if is_grid { rng.grid_point(size) } else { rng.point(size as f64 / 8.0) });
        let turn = sign(&determinant(exactly(&p).each_ref()));
        if turn < 0 {
            p.swap(2, 3);
        }
        if turn != 0 {
            return p;
        }
    }
}

fn stretched(p: &[Point; 4], by: [i32; 3]) -> Model {
    // In two steps: 2^-1060 is subnormal, and its inverse no number.
    let power = |e: i32| [2.0_f64.powi(e / 2), 2.0_f64.powi(e - e / 2)];
    let q = p.map(|p| [0, 1, 2].map(|k| p[k] * power(by[k])[0] * power(by[k])[1]));
    model(&FACES.map(|face| face.map(|i| q[i])))
}

fn points(body: &Body<'_>) -> impl Iterator<Item = Point> {
    let (rows, points) = (*body.pose.rows(), body.model.mesh().points().to_vec());
    points.into_iter().map(move |p| [0, 1, 2].map(|k| rows[k][k] * p[k]))
}

/// The intersection of two tetrahedra. The unit of its volume is 2^unit.
struct Truth {
    parts: Vec<Tetrahedron>,
    unit: i32,
}

/// Checks the results for two bodies that are only stretched along the axes.
fn check(query: &mut Query, [a, b]: [&Body<'_>; 2], truth: &Truth, context: &str) -> Penetration {
    let found = query.penetration(a, b, &PenetrationParts::all());
    let meet = query.relation(a, b).overlaps();
    assert_eq!(meet, !truth.parts.is_empty(), "{context}");
    let unit = truth.unit - BITS;
    let truth_volume = six_volumes(&truth.parts);
    // f64 cannot hold a volume of 2^1024, and sums on the way to one are larger.
    let is_beyond = truth_volume.bits() as i32 + unit > 1000;
    if !(is_beyond && found.overlap_volume.is_none()) {
        let [lo, hi] = found.overlap_volume.unwrap_or_else(|| panic!("{context}: {found:?}"));
        let least = unit.min(-1074);
        let [lo, hi] = [lo, hi].map(|x| whole(x, least) * 6);
        let volume = shifted(&truth_volume, unit - least);
        // Each part was truncated.
        let off = shifted(&BigInt::from(truth.parts.len()), unit - least);
        assert!(lo <= &volume + &off && volume <= hi, "{context}: {found:?}");
    }
    // A translation along one axis separates the boxes.
    let of_box = (0..3).flat_map(|k| {
        let ends = [a, b].map(|body| {
            points(body).fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], p| [lo.min(p[k]), hi.max(p[k])])
        });
        [ends[0][1] - ends[1][0], ends[1][1] - ends[0][0]]
    });
    let most = of_box.fold(f64::INFINITY, f64::min) * (1.0 + 1e-15);
    let t = found.separating_translation.unwrap_or_else(|| panic!("{context}: {found:?}"));
    let length = t[0].hypot(t[1]).hypot(t[2]) * (1.0 + 1e-15);
    assert_eq!(meet, t != [0.0; 3], "{context}: {found:?}");
    if let Some(depth) = found.depth_at_least {
        assert!(meet && 0.0 < depth.length, "{context}: {found:?}");
        assert!(depth.length <= most.min(length), "{context}: {found:?}, {most:e}");
    }
    found
}

/// True if no point is inside both after a translation of the second.
fn are_apart([a, b]: [&[Point; 4]; 2], by: [i32; 3], t: Point) -> bool {
    let placed = |p: &[Point; 4], t: Point| {
        p.map(|p| {
            let [x, y, z] =
                [0, 1, 2].map(|k| shifted(&whole(p[k], -60), by[k] - 60 + 1200) + whole(t[k], -1200));
            [x, y, z, BigInt::from(1)]
        })
    };
    common(&placed(a, [0.0; 3]), &placed(b, t)).is_empty()
}

#[test]
fn tetrahedra_of_any_scales() {
    let (mut query, mut rng) = (Query::new(), Rng::new(332));
    let (mut met, mut tight, mut deep) = (0, 0, 0);
    let all = if is_full() { 2000 } else { 200 };
    for case in 0..all {
        let is_grid = case % 2 == 0;
        // A small one has corners inside of a large one.
        let [p, q] = [8, *rng.pick(&[2, 8])].map(|size| tetrahedron(&mut rng, is_grid, size));
        // The stretch is in the coordinates, in the poses, or in both. Subnormal grid points are still exact.
        let least = if is_grid { -1060 } else { -500 };
        let by = [(); 3].map(|()| if rng.one_in(3) { 0 } else { rng.int(least, 480) as i32 });
        let of_pose = match case / 2 % 3 {
            0 => [0; 3],
            1 => by.map(|e| e.clamp(-400, 400)),
            _ => by.map(|e| e.clamp(-700, 400) / 2),
        };
        let own = [0, 1, 2].map(|k| by[k] - of_pose[k]);
        let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|k| if i == k { 2.0_f64.powi(of_pose[k]) } else { 0.0 }));
        let pose = Pose::affine(rows, [0.0; 3]).unwrap();
        // The same pose, or the scale in one body's pose and the other one's coordinates.
        let apart = case % 5 == 4;
        let models = [stretched(&p, own), stretched(&q, if apart { by } else { own })];
        let poses = [pose, if apart { Pose::IDENTITY } else { pose }];
        let [a, b] = [0, 1].map(|x| Body::new(&models[x], poses[x]));
        let truth = Truth { parts: common(&exactly(&p), &exactly(&q)), unit: by.iter().sum::<i32>() - 180 };
        let context = format!("case {case}: {p:?} {q:?} 2^{by:?} {of_pose:?}");
        let found = check(&mut query, [&a, &b], &truth, &context);
        let swapped = check(&mut query, [&b, &a], &truth, &format!("swapped {context}"));
        assert_eq!(found.depth_at_least.is_some(), swapped.depth_at_least.is_some(), "{context}");
        if case % 10 == 0 {
            assert!(are_apart([&p, &q], by, found.separating_translation.unwrap()), "{context}: {found:?}");
        }
        met += i32::from(!truth.parts.is_empty());
        let [lo, hi] = found.overlap_volume.unwrap_or([0.0, f64::INFINITY]);
        tight += i32::from(hi > 0.0 && hi - lo < 1e-9 * hi);
        deep += i32::from(found.depth_at_least.is_some());
    }
    println!("{met} of {all} met, {tight} volumes tight, {deep} depths");
    assert!(met > all / 3 && tight > all / 10 && deep > all / 50, "{met} {tight} {deep}");
}

/// Tetrahedra, flat in two directions and long in the third: minors underflow, and are multiplied by 2^480.
#[test]
fn minors_that_underflow() {
    let depth = [
        [[0.0, 2.0, 0.0], [3.0, 2.0, 0.0], [2.0, 1.0, 3.0], [1.0, 0.0, 2.0]],
        [[2.0, 1.0, 1.0], [1.0, 1.0, 1.0], [2.0, 1.0, 3.0], [1.0, 2.0, 0.0]],
    ];
    let volume = [
        [[0.0, 2.0, 0.0], [3.0, 1.0, 2.0], [1.0, 0.0, 1.0], [2.0, 2.0, 3.0]],
        [[0.0, 0.0, 0.0], [1.0, 3.0, 3.0], [3.0, 2.0, 3.0], [3.0, 3.0, 2.0]],
    ];
    for (pair, by) in [(depth, [-700, 480, -600]), (volume, [451, -800, -400]), (volume, [-1060, -100, 490])]
    {
        let [p, q] = pair.map(|mut p: [Point; 4]| {
            if sign(&determinant(exactly(&p).each_ref())) < 0 {
                p.swap(2, 3);
            }
            p
        });
        let models = [stretched(&p, by), stretched(&q, by)];
        let [a, b] = [0, 1].map(|k| Body::new(&models[k], Pose::IDENTITY));
        let truth = Truth { parts: common(&exactly(&p), &exactly(&q)), unit: by.iter().sum::<i32>() - 180 };
        check(&mut Query::new(), [&a, &b], &truth, "as in the issue");
        check(&mut Query::new(), [&b, &a], &truth, "exchanged");
    }
}
