use impinge::Pose;
use impinge_testkit::oracle::intersects;
use impinge_testkit::rng::{Rng, nudge};

type Triangle = [[f64; 3]; 3];

const UP: f64 = 1.0 + f64::EPSILON;
const DOWN: f64 = 1.0 - f64::EPSILON / 2.0;
/// The least positive number.
const TINY: f64 = 5e-324;

/// A triangle in the plane z = `z`.
const fn flat(z: f64, xy: [[f64; 2]; 3]) -> Triangle {
    [[xy[0][0], xy[0][1], z], [xy[1][0], xy[1][1], z], [xy[2][0], xy[2][1], z]]
}
const fn segment(a: [f64; 3], b: [f64; 3]) -> Triangle {
    [a, b, a]
}
const fn point(a: [f64; 3]) -> Triangle {
    [a, a, a]
}

/// The triangle x, y >= 0, x + y <= 4 in the plane z = 0, which most of the table is compared with.
const T: Triangle = flat(0.0, [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]);
const YES: bool = true;
const NO: bool = false;

/// Pairs with results found by reasoning. A name states which features touch.
#[rustfmt::skip]
const TABLE: &[(&str, bool, Triangle, Triangle)] = &[
    // A vertex against T.
    ("vertex on vertex, crosswise", YES, T, [[0.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [0.0, -1.0, 1.0]]),
    ("vertex short of vertex", NO, T, [[-TINY, 0.0, 0.0], [-1.0, 0.0, 1.0], [-1.0, -1.0, 1.0]]),
    ("vertex on edge from outside", YES, T, [[2.0, 0.0, 0.0], [1.0, -1.0, 1.0], [3.0, -1.0, 1.0]]),
    ("vertex short of edge", NO, T, [[2.0, -TINY, 0.0], [1.0, -1.0, 1.0], [3.0, -1.0, 1.0]]),
    ("vertex on slanted edge", YES, T, [[1.0, 3.0, 0.0], [2.0, 4.0, 1.0], [2.0, 4.0, -1.0]]),
    ("vertex an ulp beyond slanted edge", NO, T, [[UP, 3.0, 0.0], [2.0, 4.0, 1.0], [2.0, 4.0, -1.0]]),
    ("vertex an ulp inside slanted edge", YES, T, [[DOWN, 3.0, 0.0], [2.0, 4.0, 1.0], [2.0, 4.0, -1.0]]),
    ("vertex on face from above", YES, T, [[1.0, 1.0, 0.0], [1.0, 2.0, 1.0], [2.0, 1.0, 1.0]]),
    ("vertex just above face", NO, T, [[1.0, 1.0, TINY], [1.0, 2.0, 1.0], [2.0, 1.0, 1.0]]),
    ("vertex just below face", YES, T, [[1.0, 1.0, -TINY], [1.0, 2.0, 1.0], [2.0, 1.0, 1.0]]),
    ("vertex of T on a wall", YES, T, [[0.0, -1.0, -1.0], [0.0, -1.0, 5.0], [0.0, 5.0, -1.0]]),
    ("T an ulp off a wall", NO, T, [[4.0 * UP, -9.0, -9.0], [4.0 * UP, 9.0, -9.0], [4.0 * UP, 0.0, 9.0]]),
    ("a wall at the very corner of T", YES, T, [[4.0, -9.0, -9.0], [4.0, 9.0, -9.0], [4.0, 0.0, 9.0]]),
    // An edge against T.
    ("edge across edge at one point", YES, T, [[2.0, 0.0, -1.0], [2.0, 0.0, 1.0], [2.0, -5.0, 0.0]]),
    ("edge passes edge", NO, T, [[2.0, -TINY, -1.0], [2.0, -TINY, 1.0], [2.0, -5.0, 0.0]]),
    ("edge across slanted edge", YES, T, [[2.0, 2.0, -1.0], [2.0, 2.0, 1.0], [5.0, 5.0, 0.0]]),
    ("edge passes slanted edge by an ulp", NO,
        T, [[2.0 * UP, 2.0, -1.0], [2.0 * UP, 2.0, 1.0], [5.0, 5.0, 0.0]]),
    ("skew edge crosses edge", YES, T, [[1.0, -1.0, -1.0], [3.0, 1.0, 1.0], [3.0, -5.0, 1.0]]),
    ("skew edge passes edge", NO, T, [[1.0, -1.0, 1.0], [3.0, 1.0, 3.0], [3.0, -5.0, 1.0]]),
    ("edge through face", YES, T, [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [9.0, 9.0, 1.0]]),
    ("edge beside face", NO, T, [[3.0, 3.0, -1.0], [3.0, 3.0, 1.0], [9.0, 9.0, 1.0]]),
    ("edge lying on face", YES, T, [[1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [1.0, 1.0, 3.0]]),
    ("edge across the whole face", YES, T, [[-1.0, 1.0, 0.0], [9.0, 1.0, 0.0], [1.0, 1.0, 3.0]]),
    ("edge in the plane, outside", NO, T, [[3.0, 2.0, 0.0], [2.0, 3.0, 0.0], [3.0, 3.0, 3.0]]),
    ("edge in the plane touches the corner", YES, T, [[4.0, -1.0, 0.0], [4.0, 1.0, 0.0], [5.0, 0.0, 3.0]]),
    ("shared edge, folded", YES, T, [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]]),
    ("part of an edge shared, folded", YES, T, [[3.0, 0.0, 0.0], [7.0, 0.0, 0.0], [3.0, 0.0, 4.0]]),
    ("edges on one line, apart", NO, T, [[5.0, 0.0, 0.0], [7.0, 0.0, 0.0], [5.0, 0.0, 4.0]]),
    ("edges on one line, an ulp apart", NO, T, [[4.0 * UP, 0.0, 0.0], [7.0, 0.0, 0.0], [5.0, 0.0, 4.0]]),
    ("edges on one line, end to end", YES, T, [[4.0, 0.0, 0.0], [7.0, 0.0, 0.0], [5.0, 0.0, 4.0]]),
    // Face through face.
    ("each pierces the other", YES, T, [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, -5.0, 0.0]]),
    ("T pierced by a needle", YES, T, [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [UP, UP, 1.0]]),
    ("crossing planes, interval apart", NO, T, [[1.0, 9.0, -1.0], [1.0, 9.0, 1.0], [1.0, 4.0, 0.0]]),
    ("crossing planes, interval meets at a point", YES,
        T, [[1.0, 9.0, -1.0], [1.0, 9.0, 1.0], [1.0, 3.0, 0.0]]),
    ("crossing planes, interval an ulp short", NO,
        T, [[1.0, 9.0, -1.0], [1.0, 9.0, 1.0], [1.0, 3.0 * UP, 0.0]]),
    ("parallel planes", NO, T, flat(1.0, [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])),
    ("parallel planes, the least distance", NO, T, flat(TINY, [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])),
    // In one plane.
    ("identical", YES, T, T),
    ("identical, turned over", YES, T, flat(0.0, [[0.0, 0.0], [0.0, 4.0], [4.0, 0.0]])),
    ("coplanar, inside", YES, T, flat(0.0, [[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]])),
    ("coplanar, around", YES, T, flat(0.0, [[-9.0, -9.0], [30.0, -9.0], [-9.0, 30.0]])),
    ("coplanar, overlap", YES, T, flat(0.0, [[1.0, 1.0], [9.0, 1.0], [9.0, 9.0]])),
    ("coplanar star of David", YES, T, flat(0.0, [[3.0, 3.0], [-1.0, 3.0], [3.0, -1.0]])),
    ("coplanar, shared edge", YES, T, flat(0.0, [[4.0, 0.0], [0.0, 4.0], [4.0, 4.0]])),
    ("coplanar, an ulp beyond the edge", NO, T, flat(0.0, [[4.0 * UP, 0.0], [0.0, 4.0 * UP], [4.0, 4.0]])),
    ("coplanar, vertex on edge", YES, T, flat(0.0, [[2.0, 2.0], [5.0, 4.0], [4.0, 5.0]])),
    ("coplanar, vertex on vertex", YES, T, flat(0.0, [[0.0, 0.0], [-1.0, 0.0], [0.0, -1.0]])),
    ("coplanar, boxes overlap, apart", NO, T, flat(0.0, [[3.0, 2.0], [4.0, 2.0], [4.0, 4.0]])),
    ("coplanar, boxes apart", NO, T, flat(0.0, [[5.0, 5.0], [6.0, 5.0], [5.0, 6.0]])),
    ("coplanar in a slanted plane", YES,
        [[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]],
        [[1.0, 1.0, 1.0], [5.0, -1.0, -1.0], [5.0, -2.0, 0.0]]),
    ("slanted plane, an ulp off", NO,
        [[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]],
        [[1.0, 1.0, UP], [5.0, -1.0, UP], [5.0, -2.0, 1.0]]),
    // Segments.
    ("segment through face", YES, T, segment([1.0, 1.0, -1.0], [1.0, 1.0, 1.0])),
    ("segment ends on face", YES, T, segment([1.0, 1.0, 0.0], [5.0, 5.0, 1.0])),
    ("segment ends above face", NO, T, segment([1.0, 1.0, TINY], [5.0, 5.0, 1.0])),
    ("segment through vertex", YES, T, segment([-1.0, 0.0, -1.0], [1.0, 0.0, 1.0])),
    ("segment in plane crosses", YES, T, segment([-1.0, 2.0, 0.0], [9.0, 2.0, 0.0])),
    ("segment in plane misses", NO, T, segment([4.0, 1.0, 0.0], [1.0, 4.0, 0.0])),
    ("segment along edge", YES, T, segment([-9.0, 0.0, 0.0], [9.0, 0.0, 0.0])),
    ("segment from three different points", YES, T, [[1.0, 1.0, 2.0], [1.0, 1.0, 1.0], [1.0, 1.0, -1.0]]),
    ("segments cross", YES,
        segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), segment([0.0, -1.0, 0.0], [0.0, 1.0, 0.0])),
    ("segments skew", NO,
        segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), segment([0.0, -1.0, TINY], [0.0, 1.0, TINY])),
    ("segments overlap on a line", YES, segment([0.0; 3], [2.0, 2.0, 2.0]), segment([1.0; 3], [3.0; 3])),
    ("segments end to end", YES, segment([0.0; 3], [1.0; 3]), segment([1.0; 3], [3.0; 3])),
    ("segments on a line, an ulp apart", NO, segment([0.0; 3], [1.0; 3]), segment([UP; 3], [3.0; 3])),
    ("segments parallel", NO, segment([0.0; 3], [1.0, 1.0, 1.0]), segment([0.0, 0.0, TINY], [1.0, 1.0, UP])),
    // Points.
    ("point in face", YES, T, point([1.0, 1.0, 0.0])),
    ("point on edge", YES, T, point([1.0, 3.0, 0.0])),
    ("point an ulp beyond edge", NO, T, point([UP, 3.0, 0.0])),
    ("point off face", NO, T, point([1.0, 1.0, -TINY])),
    ("point on vertex", YES, T, point([4.0, 0.0, 0.0])),
    ("point on segment", YES, segment([0.0; 3], [3.0, 6.0, 9.0]), point([1.0, 2.0, 3.0])),
    ("point beside segment", NO, segment([0.0; 3], [3.0, 6.0, 9.0]), point([1.0, 2.0, 3.0 * DOWN])),
    ("point beyond segment", NO, segment([0.0; 3], [1.0, 2.0, 3.0]), point([2.0, 4.0, 6.0])),
    ("same point", YES, point([1.0, 2.0, 3.0]), point([1.0, 2.0, 3.0])),
    ("two points", NO, point([0.0; 3]), point([0.0, 0.0, TINY])),
    // Slivers and far apart scales.
    ("sliver across sliver", YES,
        [[-1e9, 0.0, 0.0], [1e9, 0.0, 0.0], [0.0, TINY, 0.0]],
        [[0.0, -1e9, 0.0], [0.0, 1e9, 0.0], [0.0, 0.0, TINY]]),
    ("sliver passes sliver", NO,
        [[-1e9, 0.0, 0.0], [1e9, 0.0, 0.0], [0.0, TINY, 0.0]],
        [[0.0, -1e9, TINY], [0.0, 1e9, TINY], [0.0, 0.0, 1.0]]),
    ("speck on a huge face", YES,
        [[-1e150, -1e150, 0.0], [1e150, -1e150, 0.0], [0.0, 1e150, 0.0]],
        [[0.0, 0.0, 0.0], [TINY, 0.0, TINY], [0.0, TINY, TINY]]),
    ("speck over a huge face", NO,
        [[-1e150, -1e150, 0.0], [1e150, -1e150, 0.0], [0.0, 1e150, 0.0]],
        [[0.0, 0.0, TINY], [TINY, 0.0, TINY], [0.0, TINY, TINY]]),
    ("tiny triangle in tiny triangle", YES,
        [[0.0; 3], [4.0 * TINY, 0.0, 0.0], [0.0, 4.0 * TINY, 0.0]],
        [[TINY, TINY, 0.0], [TINY, TINY, TINY], [TINY; 3]]),
];

#[test]
fn the_table_is_answered_in_every_order_and_place() {
    assert!(TABLE.len() >= 60);
    let identity = Pose::IDENTITY;
    // Common poses: a permutation of the axes, a quarter turn, a mirror, a general affine map.
    let moves = [
        Pose::rigid([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [0.0; 3]),
        Pose::rigid([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [1e9, -3.25, 1e-30]),
        Pose::affine([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]], [0.0, 0.0, 1e9]),
        Pose::affine([[1e9, 0.1, 0.0], [0.0, 1e-9, 0.3], [0.7, 0.0, 1.0]], [0.1, 0.2, 1e9]),
    ];
    let turns = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    for (name, answer, p, q) in TABLE {
        for turn in turns {
            let q = turn.map(|k| q[k]);
            assert_eq!(intersects(p, &identity, &q, &identity), *answer, "{name}, {turn:?}");
            assert_eq!(intersects(&q, &identity, p, &identity), *answer, "{name}, swapped, {turn:?}");
        }
        for pose in moves.iter().map(|m| m.as_ref().unwrap()) {
            assert_eq!(intersects(p, pose, q, pose), *answer, "{name}, both at {pose:?}");
            assert_eq!(intersects(q, pose, p, pose), *answer, "{name}, swapped, both at {pose:?}");
        }
    }
}

#[test]
fn a_pose_is_taken_at_its_last_bit() {
    // (0.1, 0, 0) + t is on the wall x = 0 if t is minus the f64 0.1, and on either side of it if t is the
    // adjacent number.
    let wall = [[0.0, -1.0, -1.0], [0.0, 1.0, -1.0], [0.0, 0.0, 2.0]];
    let q = [[0.1, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, -1.0, 0.0]];
    let at = |t| Pose::from_translation([t, 0.0, 0.0]).unwrap();
    assert!(intersects(&wall, &Pose::IDENTITY, &q, &at(-0.1)));
    assert!(intersects(&wall, &Pose::IDENTITY, &q, &at(nudge(-0.1, -1))));
    assert!(!intersects(&wall, &Pose::IDENTITY, &q, &at(nudge(-0.1, 1))));
    // 3 * (1 + e) in exact arithmetic is not the rounded product.
    let scaled = Pose::affine([[UP, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    let p = point([3.0, 0.0, 0.0]);
    assert!(!intersects(&p, &scaled, &point([3.0 * UP, 0.0, 0.0]), &Pose::IDENTITY));
    assert!(intersects(&p, &scaled, &p, &scaled));
    // The least subnormal number times 2^52 is the least normal one.
    let scaled =
        Pose::affine([[2.0_f64.powi(52), 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    let least = |x| point([x, 0.0, 0.0]);
    assert!(intersects(&least(TINY), &scaled, &least(f64::MIN_POSITIVE), &Pose::IDENTITY));
    assert!(!intersects(&least(TINY), &scaled, &least(f64::MIN_POSITIVE.next_up()), &Pose::IDENTITY));
}

/// True if some direction separates the triangles: all nine differences P - Q are strictly on one side of the
/// plane through the origin. If one does, so does one of the candidates for each dimension of the
/// differences' hull.
fn apart_by_separation(p: &[[i128; 3]; 3], q: &[[i128; 3]; 3]) -> bool {
    let dot = |a: [i128; 3], b: [i128; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let sub = |a: [i128; 3], b: [i128; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let cross = |a: [i128; 3], b: [i128; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let s: Vec<[i128; 3]> = p.iter().flat_map(|a| q.iter().map(move |b| sub(*a, *b))).collect();
    let separates = |n| s.iter().all(|x| dot(*x, n) > 0) || s.iter().all(|x| dot(*x, n) < 0);
    for &a in &s {
        // The hull is a point.
        if separates(a) {
            return true;
        }
        for &b in &s {
            let u = sub(b, a);
            // A segment, with the origin on its line or beside it.
            if separates(u) || separates(cross(cross(u, a), u)) {
                return true;
            }
            for &c in &s {
                // A polygon or a solid: the plane of three points; or the plane through an edge, upright on
                // it.
                let n = cross(u, sub(c, a));
                if separates(n) || separates(cross(n, u)) {
                    return true;
                }
            }
        }
    }
    false
}

#[test]
fn agrees_with_separating_planes_on_small_integers() {
    let mut rng = Rng::new(7);
    let skewed = Pose::affine([[0.3, 0.1, 0.7], [0.2, 1e-3, 0.3], [0.7, 0.0, 1.1]], [0.1, 1e6, 0.3]).unwrap();
    let mut met = 0;
    for _ in 0..20_000 {
        let half = rng.int(1, 3);
        let mut corners = || -> [[i128; 3]; 3] {
            let mut t = std::array::from_fn(|_| std::array::from_fn(|_| i128::from(rng.int(-half, half))));
            match rng.below(6) {
                0 => t[2] = t[0],
                1 => t = t.map(|v: [i128; 3]| [v[0], v[1], 0]),
                _ => {}
            }
            t
        };
        let (p, q) = (corners(), corners());
        let float = |t: &[[i128; 3]; 3]| t.map(|v| v.map(|c| c as f64));
        let answer = intersects(&float(&p), &Pose::IDENTITY, &float(&q), &Pose::IDENTITY);
        assert_eq!(answer, !apart_by_separation(&p, &q), "{p:?} {q:?}");
        // A common map changes nothing, except that the numbers outgrow 128 bits.
        assert_eq!(answer, intersects(&float(&p), &skewed, &float(&q), &skewed), "{p:?} {q:?}, skewed");
        met += usize::from(answer);
    }
    assert!((4_000..16_000).contains(&met), "{met} of 20000 meet");
}
