//! Each instruction set that this processor has does what the portable one does.
use super::*;

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

#[test]
fn every_instruction_set_does_the_same() {
    for level in SimdLevel::ALL {
        match detect(*level) {
            Detected::Portable(simd) => check(simd),
            #[cfg(target_arch = "x86_64")]
            Detected::Avx2(simd) => check(simd),
            #[cfg(target_arch = "x86_64")]
            Detected::Avx512(simd) => check(simd),
        }
    }
}
