//! Each instruction set that this processor has does what the portable one does.
use super::*;
use impinge_testkit::rng::Rng;
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
    // The ones stand at 0, 1, 6, 25, 36 and so on.
    assert_eq!(simd.deposit(0b1101, bits), 1 | 1 << 6 | 1 << 25);
    let doubles = simd.load_doubles(&[1.5, -2.25, 1e300, 0.1, 1.0, 2.0, 3.0, 4.0]);
    let mut singles = [0.0; MOST_DOUBLES];
    simd.store_singles(doubles + simd.doubles(0.5), &mut singles);
    assert_eq!(singles[..4], [2.0, -1.75, f32::INFINITY, 0.6_f64 as f32]);
    simd.ones(u64::MAX, &mut ones);
    assert!((0..64).all(|k| ones.0[k] == k as u8));
}

/// The same of f64: results against those of one number at a time.
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
        assert_eq!((x.gt(y) | y.gt(x)).bits(), lanes(&|a, b| a > b || a < b), "{simd:?}");
        assert_eq!((x.gt(y) & y.gt(x)).bits(), 0, "{simd:?}");
        // Equal are two numbers of which neither is greater. With a NaN, nothing is claimed.
        let same = |got: S::Doubles, want: &dyn Fn(f64, f64) -> f64| {
            let mut row = [0.0; MOST_DOUBLES];
            for (k, to) in row.iter_mut().enumerate().take(n) {
                *to = want(row_a[k], row_b[k]);
            }
            let want = simd.load_doubles(&row);
            assert_eq!((got.gt(want) | want.gt(got)).bits(), 0, "{simd:?}: {row:?}");
            // What is a number must be one: then it is greater than something, or something than it.
            let (low, high) = (simd.doubles(f64::NEG_INFINITY), simd.doubles(f64::INFINITY));
            let numbers = (0..n).fold(0, |bits, k| bits | u32::from(!row[k].is_nan()) << k);
            assert_eq!((got.gt(low) | high.gt(got)).bits() & numbers, numbers, "{simd:?}: {row:?}");
        };
        same(x + y, &|a, b| a + b);
        same(x - y, &|a, b| a - b);
        same(x * y, &|a, b| a * b);
        same(x.abs(), &|a, _| a.abs());
        same(x.mul_add(y, x), &|a, b| a * b + a);
        same(x.mul_sub(y, x), &|a, b| a * b - a);
        let either = |f: fn(f64, f64) -> f64| {
            move |a: f64, b: f64| if a.is_nan() || b.is_nan() { f64::NAN } else { f(a, b) }
        };
        same(x.min(y), &either(f64::min));
        same(x.max(y), &either(f64::max));
    }
}

/// Products and sums that round differently once and twice: it must be one of the two.
fn check_fused<S: Simd>(simd: S) {
    let mut rng = Rng::new(5);
    let (mut differ, mut out) = (0, [0.0_f32; MOST_PAIRS]);
    // Miri, which interprets, is thousands of times slower.
    let rounds = if cfg!(miri) { 30 } else { 1000 };
    for _ in 0..rounds {
        // Now and then one so small that products are subnormal.
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

/// All of the above.
struct Check;

impl Work for Check {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        check(simd);
        check_doubles(simd);
        check_fused(simd);
        check_bytes_at(simd);
    }
}

#[test]
fn every_instruction_set_does_the_same() {
    for &level in SimdLevel::ALL {
        detect(level).call(Check);
    }
}

#[test]
fn the_level_in_use_is_one_of_this_architecture() {
    assert_eq!(SimdLevel::Portable.in_use(), SimdLevel::Portable);
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
        assert_eq!(SimdLevel::Avx512.in_use(), SimdLevel::Portable);
    }
}
