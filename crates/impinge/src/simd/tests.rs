//! Tests of each instruction set of this processor against the portable one.
use super::*;
use crate::samples::{meshes, rng::Rng};
use crate::{Body, Mesh, Model, Pose, Query, brute_force};
use std::{
    array::from_fn,
    panic::{AssertUnwindSafe, catch_unwind},
};

fn check<S: Simd>(simd: S) {
    let a = [1.0_f32, -2.5, 3.25, 0.0, -0.0, 1e30, 7.0, f32::NAN];
    let b = [0.5_f32, 4.0, 3.25, -1.0, 0.0, -1e30, 8.0, 1.0];
    let mut out = [0.0; MOST_PAIRS];
    let table = simd.signed(&[-3, 300, 2, 9, 32767, -32768, 0, 5]);
    let mut lanes = [0.0; 8];
    simd.store(table, &mut lanes);
    assert_eq!(lanes, [-3.0, 300.0, 2.0, 9.0, 32767.0, -32768.0, 0.0, 5.0]);
    simd.store(simd.unsigned(&[0, 65535, 1, 2, 3, 4, 5, 6]), &mut lanes);
    assert_eq!(lanes, [0.0, 65535.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    simd.store(simd.bytes(&[0, 255, 1, 2, 3, 4, 5, 128]), &mut lanes);
    assert_eq!(lanes, [0.0, 255.0, 1.0, 2.0, 3.0, 4.0, 5.0, 128.0]);

    let mut keys = [0; 8];
    let numbers = [0.0, -1.5, 2.0, f32::INFINITY, f32::NEG_INFINITY, 1e-40, -1e-40, 3.0];
    simd.keys(simd.load(&numbers), 0b1101_1111, &mut keys);
    for (lane, (&key, x)) in keys.iter().zip(numbers).enumerate() {
        let own = (ordered(x) & !7) | lane as i32;
        assert_eq!(key, if lane == 5 { i32::MAX } else { own });
    }
    assert!(keys[4] < keys[1] && keys[1] < keys[6] && keys[6] < keys[0] && keys[0] < keys[2]);
    assert!(keys[2] < keys[7] && keys[7] < keys[3] && keys[3] < keys[5]);

    let mut two = [[0.0_f32; MOST_PAIRS]; 2];
    for k in 0..MOST_PAIRS {
        (two[0][k], two[1][k]) = (a[k % 8], b[k % 8]);
    }
    let (x, y) = (simd.load_pairs(&two[0]), simd.load_pairs(&two[1]));
    let n = S::PAIRS;
    let each =
        |f: &dyn Fn(f32, f32) -> f32| -> Vec<f32> { (0..n).map(|k| f(two[0][k], two[1][k])).collect() };
    let same =
        |got: &[f32], want: &[f32]| got.iter().zip(want).all(|(g, w)| g == w || (g.is_nan() && w.is_nan()));
    for (got, want) in [
        (x + y, each(&|a, b| a + b)),
        (x - y, each(&|a, b| a - b)),
        (x * y, each(&|a, b| a * b)),
        (x.abs(), each(&|a, _| a.abs())),
        (x.mul_add(y, x), each(&|a, b| a * b + a)),
        (x.mul_sub(y, x), each(&|a, b| a * b - a)),
        (x / y, each(&|a, b| a / b)),
        (x.or_else(x.gt(y), y), each(&|a, b| if a > b { a } else { b })),
    ] {
        simd.store_pairs(got, &mut out);
        assert!(same(&out[..n], &want), "{simd:?}: {out:?} {want:?}");
    }
    simd.store_pairs(x.min(y), &mut out);
    assert!(same(&out[..7], &each(&f32::min)[..7]));
    simd.store_pairs(x.max(y), &mut out);
    assert!(same(&out[..7], &each(&f32::max)[..7]));
    let want = (0..n).fold(0, |bits, k| bits | u32::from(two[0][k] > two[1][k]) << k);
    assert_eq!(x.gt(y).bits(), want);
    assert_eq!((x.gt(y) | y.gt(x)).bits().count_ones() as usize, n / 8 * 5, "2 of 8 are equal, 1 is NaN");
    assert_eq!((x.gt(y) & y.gt(x)).bits(), 0);

    let bits = 0x8000_1004_0200_0043_u64;
    let places: Vec<u8> = (0..64).filter(|k| bits >> k & 1 == 1).collect();
    let mut ones = Ones::NONE;
    simd.ones(bits, &mut ones);
    assert_eq!(&ones.0[..places.len()], places);
    let (rows, columns) = simd.rows_and_columns(&ones, 0);
    simd.store(table, &mut lanes);
    for (index, part) in [(rows, 8_u8), (columns, 1)] {
        simd.store_pairs(simd.lookup(table, index), &mut out);
        let mut ranks = [0; MOST_PAIRS];
        simd.store_ranks(100, index, &mut ranks);
        for (k, place) in places.iter().enumerate().take(n) {
            let at = usize::from(place / part % 8);
            assert_eq!((out[k], ranks[k]), (lanes[at], 100 + at as u32));
        }
    }
    // The ones are at 0, 1, 6, 25, 36 and so on.
    assert_eq!(simd.deposit(0b1101, bits), 1 | 1 << 6 | 1 << 25);
    let doubles = simd.load_doubles(&[1.5, -2.25, 1e300, 0.1, 1.0, 2.0, 3.0, 4.0]);
    let mut singles = [0.0; MOST_DOUBLES];
    simd.store_singles(doubles + simd.doubles(0.5), &mut singles);
    assert_eq!(singles[..4], [2.0, -1.75, f32::INFINITY, 0.6_f64 as f32]);
    simd.ones(u64::MAX, &mut ones);
    assert!((0..64).all(|k| ones.0[k] == k as u8));
}

/// Checks vectors of f64 against results of one number at a time.
fn check_doubles<S: Simd>(simd: S) {
    let a = [1.0_f64, -2.5, f64::NAN, 0.75, 1e300, f64::INFINITY, -0.0, 5e-324];
    let b = [0.5_f64, 4.0, 1.0, 0.75, -1e300, 3.0, 0.0, 0.0];
    for start in (0..8).step_by(S::DOUBLES) {
        let n = S::DOUBLES;
        let (mut row_a, mut row_b) = ([9.0; MOST_DOUBLES], [9.0; MOST_DOUBLES]);
        row_a[..n].copy_from_slice(&a[start..start + n]);
        row_b[..n].copy_from_slice(&b[start..start + n]);
        let (x, y) = (simd.load_doubles(&row_a), simd.load_doubles(&row_b));
        let lanes = |f: &dyn Fn(f64, f64) -> bool| {
            (0..n).fold(0, |bits, k| bits | u32::from(f(row_a[k], row_b[k])) << k)
        };
        assert_eq!(x.gt(y).bits(), lanes(&|a, b| a > b), "{simd:?}");
        assert_eq!(
            (x.gt(y) | y.gt(x)).bits(),
            lanes(&|a, b| a.partial_cmp(&b).is_some_and(std::cmp::Ordering::is_ne)),
            "{simd:?}"
        );
        assert_eq!((x.gt(y) & y.gt(x)).bits(), 0, "{simd:?}");
        // Two numbers are equal if neither is greater. With a NaN, nothing is claimed.
        let same = |got: S::Doubles, want: &dyn Fn(f64, f64) -> f64| {
            let mut row = [0.0; MOST_DOUBLES];
            for (k, to) in row.iter_mut().enumerate().take(n) {
                *to = want(row_a[k], row_b[k]);
            }
            let want = simd.load_doubles(&row);
            assert_eq!((got.gt(want) | want.gt(got)).bits(), 0, "{simd:?}: {row:?}");
            // A number must not be NaN: then it is greater than -infinity, or infinity is greater than it.
            let (low, high) = (simd.doubles(f64::NEG_INFINITY), simd.doubles(f64::INFINITY));
            let numbers = (0..n).fold(0, |bits, k| bits | u32::from(!row[k].is_nan()) << k);
            assert_eq!((got.gt(low) | high.gt(got)).bits() & numbers, numbers, "{simd:?}: {row:?}");
        };
        same(x + y, &|a, b| a + b);
        same(x - y, &|a, b| a - b);
        same(x * y, &|a, b| a * b);
        same(x.abs(), &|a, _| a.abs());
        same(x.abs().sqrt(), &|a, _| a.abs().sqrt());
        let mut stored = [7.0; MOST_DOUBLES];
        simd.store_doubles(y, &mut stored);
        assert_eq!((&stored[..n], &stored[n..]), (&row_b[..n], &[7.0; MOST_DOUBLES][n..]));
        same(x.mul_add(y, x), &|a, b| a * b + a);
        same(x.mul_sub(y, x), &|a, b| a * b - a);
        let either = |f: fn(f64, f64) -> f64| {
            move |a: f64, b: f64| if a.is_nan() || b.is_nan() { f64::NAN } else { f(a, b) }
        };
        same(x.min(y), &either(f64::min));
        same(x.max(y), &either(f64::max));
    }
}

/// Checks products and sums that round differently once and twice: each result must be one of the two.
fn check_fused<S: Simd>(simd: S) {
    let mut rng = Rng::new(5);
    let (mut differ, mut out) = (0, [0.0_f32; MOST_PAIRS]);
    // Miri, which interprets, is thousands of times slower.
    let rounds = if cfg!(miri) { 30 } else { 1000 };
    for _ in 0..rounds {
        // Some are so small that products are subnormal.
        let mut number = || (2.0 * rng.unit() - 1.0) as f32 * if rng.one_in(16) { 1e-39 } else { 1.0 };
        let rows: [[f32; MOST_PAIRS]; 3] = from_fn(|_| from_fn(|_| number()));
        let [a, b, c] = [0, 1, 2].map(|k| simd.load_pairs(&rows[k]));
        for (got, sign) in [(a.mul_add(b, c), 1.0), (a.mul_sub(b, c), -1.0)] {
            simd.store_pairs(got, &mut out);
            for k in 0..S::PAIRS {
                let (a, b, c) = (rows[0][k], rows[1][k], sign * rows[2][k]);
                let (once, twice) = (a.mul_add(b, c), a * b + c);
                assert!(out[k] == once || out[k] == twice, "{simd:?}: {a:e} {b:e} {c:e}: {:e}", out[k]);
                differ += usize::from(once != twice);
            }
        }
    }
    assert!(differ > rounds, "{differ}: the numbers must tell the two apart");
}

fn check_bytes_at<S: Simd>(simd: S) {
    let words: [i16; 6] = from_fn(|k| i16::from_le_bytes([20 * k as u8, 20 * k as u8 + 10]));
    let mut lanes = [0.0; 8];
    for at in 0..=4 {
        simd.store(simd.bytes_at(&words, at), &mut lanes);
        assert_eq!(lanes, from_fn(|k| (10 * (at + k)) as f32), "{simd:?}, {at}");
    }
    // Beyond the end, and where `at + 8` would be beyond the largest number.
    for at in [5, 11, 12, 13, usize::MAX - 8, usize::MAX - 7, usize::MAX - 3, usize::MAX] {
        let ask = || simd.store(simd.bytes_at(&words, at), &mut [0.0; 8]);
        let outside = catch_unwind(AssertUnwindSafe(ask));
        assert!(outside.is_err(), "{simd:?}, {at}");
    }
}

/// Checks slices of the heap of exactly the needed length: Miri finds reads and writes beyond them.
fn check_memory<S: Simd>(simd: S) {
    let n = S::PAIRS;
    let (from, mut to) = ((0..n).map(|k| k as f32).collect::<Vec<_>>(), vec![0.0; n]);
    simd.store_pairs(simd.load_pairs(&from), &mut to);
    assert_eq!(from, to);
    for short in [0, n - 1] {
        let load = || simd.store_pairs(simd.load_pairs(&from[..short]), &mut [0.0; MOST_PAIRS]);
        assert!(catch_unwind(AssertUnwindSafe(load)).is_err(), "{simd:?}");
        let store = || simd.store_pairs(simd.pairs(1.0), &mut vec![0.0; short]);
        assert!(catch_unwind(AssertUnwindSafe(store)).is_err(), "{simd:?}");
    }

    let (doubles, mut singles) = (Box::new([0.5; MOST_DOUBLES]), Box::new([0.0; MOST_DOUBLES]));
    simd.store_singles(simd.load_doubles(&doubles), &mut singles);
    assert_eq!(singles[..S::DOUBLES], [0.5; MOST_DOUBLES][..S::DOUBLES]);

    let (ones, mut ranks) = (Box::new(Ones(from_fn(|k| (k % 64) as u8))), vec![0; n]);
    for start in [0, 64] {
        let (rows, columns) = simd.rows_and_columns(&ones, start);
        simd.store_ranks(5, rows, &mut ranks);
        assert_eq!(ranks, (0..n).map(|k| 5 + k as u32 / 8).collect::<Vec<_>>(), "{simd:?}");
        simd.store_ranks(5, columns, &mut ranks);
        assert_eq!(ranks, (0..n).map(|k| 5 + k as u32 % 8).collect::<Vec<_>>(), "{simd:?}");
        let store = || simd.store_ranks(5, columns, &mut vec![0; n - 1]);
        assert!(catch_unwind(AssertUnwindSafe(store)).is_err(), "{simd:?}");
    }
    simd.prefetch(&from, 0);
    simd.prefetch(&from, usize::MAX);
}

/// The tests of arithmetic. Miri lacks some of NEON's intrinsics for it.
struct Arithmetic;

impl Work for Arithmetic {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        check(simd);
        check_doubles(simd);
        check_fused(simd);
    }
}

/// The tests of reads and writes of memory.
struct MemoryTests;

impl Work for MemoryTests {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        check_bytes_at(simd);
        check_memory(simd);
    }
}

#[test]
#[cfg_attr(all(miri, target_arch = "aarch64"), ignore = "Miri lacks some intrinsics of NEON")]
fn every_instruction_set_does_the_same() {
    for &level in SimdLevel::ALL {
        detect(level).call(Arithmetic);
    }
    portable::Portable.call(Arithmetic);
}

/// Checks that SSE2, or SIMD128, and plain arrays agree to the last bit, so that a tree is the same on every
/// architecture.
#[test]
#[cfg(any(target_arch = "x86_64", target_arch = "wasm32"))]
fn the_portable_level_rounds_as_plain_arrays() {
    let special =
        [0.0, -0.0, 1.0, -1.0, 1e30, -1e30, 1e-40, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 0.1, 3.5];
    let mut rng = Rng::new(50);
    let mut number = || {
        let x = rng.between(-1.0, 1.0) as f32;
        if x > 0.5 { special[(x * 24.0 - 12.0) as usize % special.len()] } else { x }
    };
    fn all<S: Simd>(simd: S, [a, b, c]: &[[f32; 8]; 3]) -> Vec<u64> {
        let (x, y, z) = (simd.load(a), simd.load(b), simd.load(c));
        let mask = (x.gt(y) & y.gt(z)) | z.gt(x);
        let mut bits = vec![u64::from(mask.bits())];
        let all = [
            x + y,
            x - y,
            x * y,
            x / y,
            x.min(y),
            x.max(y),
            x.abs(),
            x.mul_add(y, z),
            x.mul_sub(y, z),
            x.or_else(mask, y),
        ];
        for one in all {
            let mut to = [0.0; 8];
            simd.store(one, &mut to);
            bits.extend(to.map(|x| if x.is_nan() { u64::MAX } else { u64::from(x.to_bits()) }));
        }
        let [a, b, c] = [a, b, c].map(|x| simd.load_doubles(&x.map(|x| 1.1 * f64::from(x))));
        let mask = (a.gt(b) & b.gt(c)) | c.gt(a);
        bits.push(u64::from(mask.bits()));
        let all = [
            a + b,
            a - b,
            a * b,
            a / b,
            a.min(b),
            a.max(b),
            a.abs(),
            a.mul_add(b, c),
            a.mul_sub(b, c),
            a.or_else(mask, b),
            a.sqrt(),
            a.product_error(b, a * b),
        ];
        for one in all {
            let (mut to, mut singles) = ([0.0; MOST_DOUBLES], [0.0; MOST_DOUBLES]);
            simd.store_doubles(one, &mut to);
            simd.store_singles(one, &mut singles);
            bits.extend(to.map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() }));
            bits.extend(singles.map(|x| if x.is_nan() { u64::MAX } else { u64::from(x.to_bits()) }));
        }
        bits
    }
    for _ in 0..2000 {
        let numbers: [[f32; 8]; 3] = from_fn(|_| from_fn(|_| number()));
        assert_eq!(all(Portable, &numbers), all(portable::Portable, &numbers), "{numbers:?}");
    }
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "a panic ends the program there")]
fn memory_is_read_and_written_within_bounds() {
    for &level in SimdLevel::ALL {
        detect(level).call(MemoryTests);
    }
}

/// A small test, so that it also runs on emulated processors: `tests/impinge/wide.rs` tests far more.
#[test]
#[cfg_attr(miri, ignore = "it would take hours, and of `unsafe` the others call everything")]
fn every_instruction_set_gives_the_pairs_of_brute_force() {
    let mut rng = Rng::new(7);
    let models = [
        meshes::icosphere(2),
        meshes::needles(8, 150),
        meshes::soup(3, 150, 0.5),
        meshes::to_grid(&meshes::torus(16, 10, 0.3), 6),
    ]
    .map(|m| Mesh::new(m.points().to_vec(), m.triangles().to_vec()).expect("as it was"))
    .map(Model::new);
    let mut found = 0;
    for (k, a) in models.iter().enumerate() {
        for b in &models[k..] {
            let turned = Pose::rigid(rng.rotation(), rng.point(0.4)).expect("a rotation");
            // At the same pose, faces coincide and touch: then the exact stage decides.
            for (pose_a, pose_b) in
                [(Pose::IDENTITY, Pose::IDENTITY), (Pose::IDENTITY, turned), (turned, turned)]
            {
                let (a, b) = (Body::new(a, pose_a), Body::new(b, pose_b));
                let want = brute_force::pairs(&a, &b);
                for &level in SimdLevel::ALL.iter().filter(|level| level.in_use() == **level) {
                    let mut query = Query::new().simd(level);
                    assert_eq!(query.pairs(&a, &b), want, "{level:?}, {pose_a:?}, {pose_b:?}");
                    assert_eq!(query.intersects(&a, &b), !want.is_empty(), "{level:?}");
                }
                found += want.len();
            }
        }
    }
    assert!(found > 1000, "{found}: the meshes must touch for this test to mean anything");
}

#[test]
fn the_level_in_use_is_one_of_this_architecture() {
    let wasm = cfg!(all(target_arch = "wasm32", target_feature = "simd128"));
    let portable = if wasm { SimdLevel::Simd128 } else { SimdLevel::Portable };
    assert_eq!(SimdLevel::Portable.in_use(), portable);
    for &level in SimdLevel::ALL {
        let used = level.in_use();
        assert_eq!(used.in_use(), used, "{level:?}");
        assert_ne!(used, SimdLevel::Auto);
        let x86 = matches!(used, SimdLevel::Avx2 | SimdLevel::Avx512);
        assert!(!x86 || cfg!(target_arch = "x86_64"), "{level:?}: {used:?}");
    }
    let aarch64 = cfg!(all(target_arch = "aarch64", target_endian = "little"));
    for level in [SimdLevel::Auto, SimdLevel::Neon] {
        assert_eq!(level.in_use() == SimdLevel::Neon, aarch64, "{level:?}");
    }
    if !cfg!(target_arch = "x86_64") {
        assert_eq!(SimdLevel::Avx512.in_use(), portable);
    }
}
