//! AVX2 with FMA: vectors of pairs have eight lanes.
#![allow(unsafe_code)]
use super::{
    bytes::eight_bytes,
    lanes::{Doubles, Lanes, MOST_DOUBLES, Mask, Ones, Simd, SimdLevel, TriangleCoordinates, Work},
};
use std::{
    arch::x86_64::*,
    ops::{Add, BitAnd, BitOr, Div, Mul, Sub},
};

/// Proof that the processor has AVX2, FMA, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    pub(crate) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Self(()))
    }
}

/// Eight lanes of f32. Only [`Avx2`] makes it, so it proves the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eight(__m256);

/// Four lanes of f64. Only [`Avx2`] makes it, so it proves the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Four(__m256d);

#[derive(Clone, Copy, Debug)]
pub(crate) struct FourMask(__m256d);

/// A mask with all bits of a lane or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EightMask(__m256);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Index(__m256i);

macro_rules! masks {
    ($type:ident, $and:ident, $or:ident, $movemask:ident) => {
        operators!($type: BitAnd bitand $and, BitOr bitor $or);
        impl Mask for $type {
            #[inline(always)]
            fn bits(self) -> u32 {
                proved!($movemask(self.0)) as u32
            }
        }
    };
}
masks!(EightMask, _mm256_and_ps, _mm256_or_ps, _mm256_movemask_ps);
masks!(FourMask, _mm256_and_pd, _mm256_or_pd, _mm256_movemask_pd);

macro_rules! lanes {
    (
        $type:ident, $mask:ident, $add:ident, $sub:ident, $mul:ident, $fmadd:ident, $fmsub:ident,
        $andnot:ident, $set1:ident, $min:ident, $max:ident, $cmp:ident, $div:ident, $blend:ident
    ) => {
        operators!($type: Add add $add, Sub sub $sub, Mul mul $mul, Div div $div);
        impl Lanes for $type {
            type Mask = $mask;
            methods! {
                mul_add $fmadd(b, c);
                mul_sub $fmsub(b, c);
                min $min(o);
                max $max(o);
            }
            #[inline(always)]
            fn abs(self) -> Self {
                Self(proved!($andnot($set1(-0.0), self.0)))
            }
            #[inline(always)]
            fn gt(self, o: Self) -> $mask {
                $mask(proved!($cmp::<_CMP_GT_OQ>(self.0, o.0)))
            }
            #[inline(always)]
            fn or_else(self, mask: $mask, o: Self) -> Self {
                Self(proved!($blend(o.0, self.0, mask.0)))
            }
        }
    };
}
lanes!(
    Eight,
    EightMask,
    _mm256_add_ps,
    _mm256_sub_ps,
    _mm256_mul_ps,
    _mm256_fmadd_ps,
    _mm256_fmsub_ps,
    _mm256_andnot_ps,
    _mm256_set1_ps,
    _mm256_min_ps,
    _mm256_max_ps,
    _mm256_cmp_ps,
    _mm256_div_ps,
    _mm256_blendv_ps
);
lanes!(
    Four,
    FourMask,
    _mm256_add_pd,
    _mm256_sub_pd,
    _mm256_mul_pd,
    _mm256_fmadd_pd,
    _mm256_fmsub_pd,
    _mm256_andnot_pd,
    _mm256_set1_pd,
    _mm256_min_pd,
    _mm256_max_pd,
    _mm256_cmp_pd,
    _mm256_div_pd,
    _mm256_blendv_pd
);

impl Doubles for Four {
    // Rounded once.
    #[inline(always)]
    fn product_error(self, b: Self, product: Self) -> Self {
        self.mul_sub(b, product)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(proved!(_mm256_sqrt_pd(self.0)))
    }
}

/// The columns of a block of the first four rows: four numbers of each, from number `first` on.
#[inline(always)]
fn columns(rows: &[&TriangleCoordinates; MOST_DOUBLES], first: usize) -> [Four; 4] {
    let (a, b) = (&rows[0][first..first + 4], &rows[1][first..first + 4]);
    let (c, d) = (&rows[2][first..first + 4], &rows[3][first..first + 4]);
    proved!({
        let (a, b) = (_mm256_loadu_pd(a.as_ptr()), _mm256_loadu_pd(b.as_ptr()));
        let (c, d) = (_mm256_loadu_pd(c.as_ptr()), _mm256_loadu_pd(d.as_ptr()));
        let (even, odd) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
        let (more, rest) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
        [
            Four(_mm256_permute2f128_pd::<0x20>(even, more)),
            Four(_mm256_permute2f128_pd::<0x20>(odd, rest)),
            Four(_mm256_permute2f128_pd::<0x31>(even, more)),
            Four(_mm256_permute2f128_pd::<0x31>(odd, rest)),
        ]
    })
}

impl Simd for Avx2 {
    type Eight = Eight;
    type Pairs = Eight;
    type Index = Index;
    type Doubles = Four;
    const LEVEL: SimdLevel = SimdLevel::Avx2;
    const PAIRS: usize = 8;
    const DOUBLES: usize = 4;

    #[inline(always)]
    fn call<W: Work>(self, work: W) -> W::Out {
        #[inline(never)]
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
        fn inner<W: Work>(simd: Avx2, work: W) -> W::Out {
            work.run(simd)
        }
        proved!(inner(self, work))
    }
    eight_lanes!();
    #[inline(always)]
    fn keys(self, x: Eight, lanes: u8, to: &mut [i32; 8]) {
        proved!({
            let bits = _mm256_castps_si256(x.0);
            let negative = _mm256_srai_epi32::<31>(bits);
            let ordered = _mm256_xor_si256(bits, _mm256_srli_epi32::<1>(negative));
            let own = _mm256_andnot_si256(_mm256_set1_epi32(7), ordered);
            let own = _mm256_or_si256(own, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
            let each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let has = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(i32::from(lanes)), each), each);
            let keys = _mm256_blendv_epi8(_mm256_set1_epi32(i32::MAX), own, has);
            _mm256_storeu_si256(to.as_mut_ptr().cast(), keys);
        });
    }
    #[inline(always)]
    fn pairs(self, x: f32) -> Eight {
        self.eight(x)
    }
    #[inline(always)]
    fn load_pairs(self, from: &[f32]) -> Eight {
        let from = &from[..8];
        Eight(proved!(_mm256_loadu_ps(from.as_ptr())))
    }
    #[inline(always)]
    fn store_pairs(self, x: Eight, to: &mut [f32]) {
        let to = &mut to[..8];
        proved!(_mm256_storeu_ps(to.as_mut_ptr(), x.0));
    }
    #[inline(always)]
    fn doubles(self, x: f64) -> Four {
        Four(proved!(_mm256_set1_pd(x)))
    }
    #[inline(always)]
    fn load_doubles(self, from: &[f64; MOST_DOUBLES]) -> Four {
        Four(proved!(_mm256_loadu_pd(from.as_ptr())))
    }
    #[inline(always)]
    fn load_corners(self, rows: &[&TriangleCoordinates; MOST_DOUBLES]) -> [[Four; 3]; 3] {
        let [x0, x1, x2, x3] = columns(rows, 0);
        let [x4, x5, x6, x7] = columns(rows, 4);
        let x8 = Four(proved!(_mm256_setr_pd(rows[0][8], rows[1][8], rows[2][8], rows[3][8])));
        [[x0, x1, x2], [x3, x4, x5], [x6, x7, x8]]
    }
    #[inline(always)]
    fn store_doubles(self, x: Four, to: &mut [f64; MOST_DOUBLES]) {
        proved!(_mm256_storeu_pd(to.as_mut_ptr(), x.0));
    }
    #[inline(always)]
    fn store_singles(self, x: Four, to: &mut [f32; MOST_DOUBLES]) {
        proved!(_mm_storeu_ps(to.as_mut_ptr(), _mm256_cvtpd_ps(x.0)));
    }
    #[inline(always)]
    fn lookup(self, table: Eight, at: Index) -> Eight {
        Eight(proved!(_mm256_permutevar8x32_ps(table.0, at.0)))
    }
    #[inline(always)]
    fn ones(self, bits: u64, to: &mut Ones) {
        to.set(bits);
    }
    #[inline(always)]
    fn rows_and_columns(self, ones: &Ones, start: usize) -> (Index, Index) {
        let at = &ones.0[start..start + 8];
        let at = proved!(_mm256_cvtepu8_epi32(_mm_loadl_epi64(at.as_ptr().cast())));
        (
            Index(proved!(_mm256_srli_epi32::<3>(at))),
            Index(proved!(_mm256_and_si256(at, _mm256_set1_epi32(7)))),
        )
    }
    #[inline(always)]
    fn store_ranks(self, first: u32, at: Index, to: &mut [u32]) {
        let to = &mut to[..8];
        proved!(_mm256_storeu_si256(
            to.as_mut_ptr().cast(),
            _mm256_add_epi32(at.0, _mm256_set1_epi32(first as i32))
        ));
    }
}
