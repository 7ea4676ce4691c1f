//! Moving triangles, against exact distances at moments of the interval.
use super::*;
use crate::{
    Pose,
    samples::{oracle::compare_distance, rng::Rng},
    simd::{MOST_PAIRS, Simd, SimdLevel, Work, detect},
    triangle::{
        closest,
        gap::{Constants, GapPairs, MovingPairs},
        lanes::LaneVector,
    },
};

/// Multiples of 2^-10, no larger than 1.
fn grid(rng: &mut Rng, size: f64, at: Vector) -> Vector {
    let v = rng.point(size);
    [0, 1, 2].map(|k| ((at[k] + v[k]) * 1024.0).round().clamp(-1024.0, 1024.0) / 1024.0)
}

fn corners(rng: &mut Rng, size: f64, at: Vector) -> Triangle {
    let t = [(); 3].map(|()| grid(rng, size, at));
    match rng.below(8) {
        0 => [t[0]; 3],
        1 => [t[0], t[1], t[1]],
        // In a plane.
        2 | 3 => t.map(|[x, y, _]| [x, y, 0.0]),
        _ => t,
    }
}

/// Numbers that f32 holds, with all sums of a corner and sixteenths of its way.
fn random(rng: &mut Rng) -> MovingTriangle {
    let (size, far) = (*rng.pick(&[0.5, 0.1, 0.02]), *rng.pick(&[0.6, 0.2, 0.05]));
    let p = corners(rng, size, [0.0; 3]);
    let at = rng.direction().map(|x| x * far);
    let q = corners(rng, size, at);
    let long = *rng.pick(&[0.5, 0.1, 0.02]);
    let ways = if rng.one_in(2) {
        [grid(rng, long, [0.0; 3]); 3]
    } else {
        [(); 3].map(|()| grid(rng, long, [0.0; 3]))
    };
    let room = *rng.pick(&[0.0, 0.0, 1.0 / 1024.0, 0.0625]);
    MovingTriangle { p, q, ways, off: 0.0, bend: room, margin: 0.0 }
}

fn at(pair: &MovingTriangle, s: f64) -> Triangle {
    [0, 1, 2].map(|i| [0, 1, 2].map(|k| pair.q[i][k] + s * pair.ways[i][k]))
}

/// Checks by integers that a pair is further apart than the room at some moments.
#[track_caller]
fn check_apart(pair: &MovingTriangle, rng: &mut Rng) {
    let moments = [-1.0, 1.0, 0.0, rng.int(-16, 16) as f64 / 16.0, nearest_moment(pair).0];
    for s in moments {
        let q = at(pair, s);
        let order = compare_distance(&pair.p, &Pose::IDENTITY, &q, &Pose::IDENTITY, pair.bend);
        assert!(order.is_gt(), "{order:?} at {s}: {pair:?}");
    }
}

/// The moment of 33 with the least distance, and that distance.
fn nearest_moment(pair: &MovingTriangle) -> (f64, f64) {
    let all = (-16..=16).map(|k| f64::from(k) / 16.0).map(|s| {
        let q = at(pair, s).map(|v| v.map(|x| 0.5 * x));
        let p = pair.p.map(|v| v.map(|x| 0.5 * x));
        (s, 2.0 * closest::nearest(&closest::RoundedTrianglePair { p, q, off: 0.0 }).lo)
    });
    all.fold((0.0, f64::MAX), |best, found| if found.1 < best.1 { found } else { best })
}

/// True if a pair has a clearance of a part of its way, at 33 moments.
fn has_clearance(pair: &MovingTriangle) -> bool {
    let longest = pair.ways.iter().map(|v| length(*v)).fold(0.0, f64::max);
    nearest_moment(pair).1 > pair.bend + 0.25 * longest + 1e-3
}

#[test]
fn triangles_that_stay_apart_are_apart_at_every_moment() {
    let mut rng = Rng::new(91);
    let (mut apart, mut until, mut clear, mut shown) = (0, 0, 0, 0);
    for _ in 0..6_000 {
        let pair = random(&mut rng);
        let free = pair.free_time();
        let stays_apart = free.is_always();
        if free.until > -1.0 && !stays_apart {
            // Apart up to that moment, which is rounded down to one that f64 holds.
            check_apart_until(&pair, free.until);
            until += 1;
        }
        if stays_apart {
            check_apart(&pair, &mut rng);
            apart += 1;
        }
        if has_clearance(&pair) {
            clear += 1;
            shown += usize::from(stays_apart);
        }
    }
    assert!(apart > 1_000 && until > 300, "{apart} {until}");
    assert!(clear > 1_000 && shown * 100 > clear * 97, "{shown} of {clear}");
}

/// Triangles whose normals have squares that underflow keep their room.
#[test]
fn tiny_triangles_keep_their_room() {
    for exponent in [20, 60, 90, 120, 140, 300] {
        let e = 10_f64.powi(-exponent);
        let p = [[0.0; 3], [e, 0.0, 0.0], [0.0, e, 0.0]];
        let pair = |room: f64, way: f64| MovingTriangle {
            p,
            q: [[0.0, 0.0, 0.5]; 3],
            ways: [[0.0, 0.0, way]; 3],
            off: 0.0,
            bend: room / 2.0,
            margin: room / 2.0,
        };
        assert!(pair(0.25, 0.125).free_time().is_always(), "{exponent}");
        assert!(!pair(0.5625, 0.0).free_time().is_always(), "{exponent}");
        assert!(!pair(0.0, 0.5625).free_time().is_always(), "{exponent}");
        assert!(!pair(0.25, 0.3125).free_time().is_always(), "{exponent}");
    }
    // Ways as small as the triangles.
    for exponent in [0, 100, 200, 300] {
        let e = 10_f64.powi(-exponent);
        let p = [[0.0; 3], [e, 0.0, 0.0], [0.0, e, 0.0]];
        let q = p.map(|[x, y, _]| [x, y, e]);
        let pair = |way: f64| MovingTriangle {
            p,
            q,
            ways: [[0.0, 0.0, way * e]; 3],
            off: 0.0,
            bend: 0.0,
            margin: 0.0,
        };
        assert!(pair(0.5).free_time().is_always() && !pair(1.5).free_time().is_always(), "{exponent}");
    }
}

/// Triangles in one plane, a hair apart: only normals of edges in the plane part them.
#[test]
fn coplanar_triangles_are_parted_by_their_edges() {
    let mut rng = Rng::new(92);
    for _ in 0..200 {
        let (u, v) = (rng.direction(), rng.direction());
        let n = cross(u, v);
        let (side, along) = (cross(n, u), u);
        let map = |x: f64, y: f64| [0, 1, 2].map(|k| 0.3 * (x * side[k] + y * along[k]));
        let gap = 1e-10;
        let p = [map(0.0, -1.0), map(0.0, 1.0), map(-1.0, 0.3)];
        let q = [map(gap, -0.5), map(gap, 0.7), map(1.0, 0.1)];
        let way = map(0.0, 0.5);
        let pair = MovingTriangle { p, q, ways: [way; 3], off: 1e-15, bend: 0.0, margin: 0.0 };
        assert!(pair.free_time().is_always() || length(n) < 0.1, "{pair:?}");
        let pair = MovingTriangle { ways: [map(-2.0 * gap, 0.0); 3], ..pair };
        assert!(!pair.free_time().is_always());
    }
}

struct Ask<'a>(&'a [MovingTriangle; MOST_PAIRS]);

impl Work for Ask<'_> {
    type Out = ([[f32; MOST_PAIRS]; 2], usize);
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Out {
        // Halved, so that ways and coordinates are no larger than the lanes take.
        let load = |of: &dyn Fn(&MovingTriangle) -> Vector| -> LaneVector<S::Pairs> {
            [0, 1, 2].map(|k| simd.load_pairs(&self.0.map(|pair| 0.5 * of(&pair)[k] as f32)))
        };
        let e = [1, 2].map(|i| load(&|pair| sub(pair.p[i], pair.p[0])));
        let q = [0, 1, 2].map(|i| load(&|pair| sub(pair.q[i], pair.p[0])));
        let ways = [0, 1, 2].map(|i| load(&|pair| pair.ways[i]));
        // All lanes have one room.
        let bend = simd.pairs(0.5 * self.0[0].bend as f32);
        let pairs = MovingPairs { at_middle: GapPairs { e, q }, ways, bend };
        let constants = Constants::new(simd, 16.0 * crate::vector::UNIT_F32 as f32);
        let mut all = [[0.0; MOST_PAIRS]; 2];
        simd.store_pairs(pairs.by_faces(&constants), &mut all[0]);
        simd.store_pairs(pairs.by_edges(&constants), &mut all[1]);
        (all, S::PAIRS)
    }
}

#[test]
fn lanes_that_show_a_gap_are_apart_at_every_moment() {
    let mut rng = Rng::new(93);
    let (mut apart, mut clear, mut shown) = ([0; 2], 0, 0);
    for _ in 0..800 {
        let room = random(&mut rng).bend;
        let pairs: [MovingTriangle; MOST_PAIRS] =
            std::array::from_fn(|_| MovingTriangle { bend: room, ..random(&mut rng) });
        for &level in SimdLevel::ALL {
            let (found, count) = detect(level).call(Ask(&pairs));
            for (k, pair) in pairs[..count].iter().enumerate() {
                let is_apart = [found[0][k] > 0.0, found[1][k] > 0.0];
                if is_apart[0] || is_apart[1] {
                    check_apart(pair, &mut rng);
                }
                for (sum, is_apart) in apart.iter_mut().zip(is_apart) {
                    *sum += usize::from(is_apart);
                }
                // Here the room counts by the sum of a direction's parts, up to sqrt 3 times.
                let with_room = MovingTriangle { bend: 1.75 * pair.bend, ..*pair };
                if has_clearance(&with_room) {
                    clear += 1;
                    shown += usize::from(is_apart[0] || is_apart[1]);
                }
            }
        }
    }
    let [by_faces, by_edges] = apart;
    assert!(by_faces > 1_000 && by_edges > 1_000, "{apart:?}");
    assert!(clear > 1_000 && shown * 100 > clear * 95, "{shown} of {clear}");
}

/// Checks the same for moments up to `until`.
#[track_caller]
fn check_apart_until(pair: &MovingTriangle, until: f64) {
    // Sixteenths, and the last moment in multiples of 2^-20, whose products f64 holds.
    let last = (until * f64::from(1 << 20)).floor() / f64::from(1 << 20);
    let moments = (-16..=16).map(|k| f64::from(k) / 16.0).filter(|s| *s <= until).chain([last.max(-1.0)]);
    for s in moments {
        let order = compare_distance(&pair.p, &Pose::IDENTITY, &at(pair, s), &Pose::IDENTITY, pair.bend);
        assert!(order.is_gt(), "{order:?} at {s} up to {until}: {pair:?}");
    }
}
