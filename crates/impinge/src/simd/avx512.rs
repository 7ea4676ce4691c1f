//! AVX-512: vectors of pairs have sixteen lanes, and one instruction finds the positions of a number's ones.
#![allow(unsafe_code)]
use super::{
    bytes::eight_bytes,
    lanes::{Doubles, Lanes, MOST_DOUBLES, Mask, Ones, Simd, SimdLevel, TriangleCoordinates, Work},
};
use std::{
    arch::x86_64::*,
    ops::{Add, BitAnd, BitOr, Div, Mul, Sub},
};

/// Proof that the processor has AVX-512 F, BW, DQ, VL, VBMI and VBMI2 (Ice Lake, Zen 4), and everything that
/// [`Avx2`](super::avx2::Avx2) proves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    pub(crate) fn detect() -> Option<Self> {
        let has = super::avx2::Avx2::detect().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2");
        has.then_some(Self(()))
    }
}

/// Eight lanes of f32. Only [`Avx512`] makes it, so it proves the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eight(__m256);

/// Sixteen lanes of f32. Only [`Avx512`] makes it, so it proves the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sixteen(__m512);

/// Eight lanes of f64. Only [`Avx512`] makes it, so it proves the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EightDoubles(__m512d);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits(__mmask16);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Index(__m512i);

impl BitAnd for Bits {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, o: Self) -> Self {
        Self(self.0 & o.0)
    }
}
impl BitOr for Bits {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, o: Self) -> Self {
        Self(self.0 | o.0)
    }
}
impl Mask for Bits {
    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self.0)
    }
}

macro_rules! lanes {
    (
        $type:ident, $add:ident, $sub:ident, $mul:ident, $fmadd:ident, $fmsub:ident, $abs:ident, $min:ident,
        $max:ident, $gt:ident, $div:ident, $blend:ident
    ) => {
        operators!($type: Add add $add, Sub sub $sub, Mul mul $mul, Div div $div);
        impl Lanes for $type {
            type Mask = Bits;
            methods! {
                mul_add $fmadd(b, c);
                mul_sub $fmsub(b, c);
                min $min(o);
                max $max(o);
            }
            #[inline(always)]
            fn abs(self) -> Self {
                Self(proved!($abs(self.0)))
            }
            #[inline(always)]
            fn gt(self, o: Self) -> Bits {
                Bits(__mmask16::from(proved!($gt::<_CMP_GT_OQ>(self.0, o.0))))
            }
            #[inline(always)]
            fn or_else(self, mask: Bits, o: Self) -> Self {
                // Vectors of fewer lanes have fewer bits.
                Self(proved!($blend(mask.0 as _, o.0, self.0)))
            }
        }
    };
}

/// Absolute values of eight lanes, for which there is no intrinsic.
///
/// # Safety
/// The processor must have AVX2. Only `lanes!` calls it, as it does intrinsics.
#[inline(always)]
// SAFETY: what it calls needs no more than AVX2.
unsafe fn abs_256(x: __m256) -> __m256 {
    proved!(_mm256_andnot_ps(_mm256_set1_ps(-0.0), x))
}

lanes!(
    Eight,
    _mm256_add_ps,
    _mm256_sub_ps,
    _mm256_mul_ps,
    _mm256_fmadd_ps,
    _mm256_fmsub_ps,
    abs_256,
    _mm256_min_ps,
    _mm256_max_ps,
    _mm256_cmp_ps_mask,
    _mm256_div_ps,
    _mm256_mask_blend_ps
);
lanes!(
    Sixteen,
    _mm512_add_ps,
    _mm512_sub_ps,
    _mm512_mul_ps,
    _mm512_fmadd_ps,
    _mm512_fmsub_ps,
    _mm512_abs_ps,
    _mm512_min_ps,
    _mm512_max_ps,
    _mm512_cmp_ps_mask,
    _mm512_div_ps,
    _mm512_mask_blend_ps
);

lanes!(
    EightDoubles,
    _mm512_add_pd,
    _mm512_sub_pd,
    _mm512_mul_pd,
    _mm512_fmadd_pd,
    _mm512_fmsub_pd,
    _mm512_abs_pd,
    _mm512_min_pd,
    _mm512_max_pd,
    _mm512_cmp_pd_mask,
    _mm512_div_pd,
    _mm512_mask_blend_pd
);

impl Doubles for EightDoubles {
    // Rounded once.
    #[inline(always)]
    fn product_error(self, b: Self, product: Self) -> Self {
        self.mul_sub(b, product)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(proved!(_mm512_sqrt_pd(self.0)))
    }
}

impl Simd for Avx512 {
    type Eight = Eight;
    type Pairs = Sixteen;
    type Index = Index;
    type Doubles = EightDoubles;
    const LEVEL: SimdLevel = SimdLevel::Avx512;
    const PAIRS: usize = 16;
    const DOUBLES: usize = 8;

    #[inline(always)]
    fn call<W: Work>(self, work: W) -> W::Out {
        #[inline(never)]
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
        fn inner<W: Work>(simd: Avx512, work: W) -> W::Out {
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
            let keys = _mm256_mask_mov_epi32(_mm256_set1_epi32(i32::MAX), lanes, own);
            _mm256_storeu_si256(to.as_mut_ptr().cast(), keys);
        });
    }
    #[inline(always)]
    fn pairs(self, x: f32) -> Sixteen {
        Sixteen(proved!(_mm512_set1_ps(x)))
    }
    #[inline(always)]
    fn load_pairs(self, from: &[f32]) -> Sixteen {
        let from = &from[..16];
        Sixteen(proved!(_mm512_loadu_ps(from.as_ptr())))
    }
    #[inline(always)]
    fn store_pairs(self, x: Sixteen, to: &mut [f32]) {
        let to = &mut to[..16];
        proved!(_mm512_storeu_ps(to.as_mut_ptr(), x.0));
    }
    #[inline(always)]
    fn doubles(self, x: f64) -> EightDoubles {
        EightDoubles(proved!(_mm512_set1_pd(x)))
    }
    #[inline(always)]
    fn load_doubles(self, from: &[f64; MOST_DOUBLES]) -> EightDoubles {
        EightDoubles(proved!(_mm512_loadu_pd(from.as_ptr())))
    }
    #[inline(always)]
    fn load_corners(self, rows: &[&TriangleCoordinates; MOST_DOUBLES]) -> [[EightDoubles; 3]; 3] {
        proved!({
            // The first eight numbers of each row: interleaves pairs of rows, then quarters of two and of
            // four such pairs, so that each result has one number of all eight rows.
            let [r0, r1] = [_mm512_loadu_pd(rows[0].as_ptr()), _mm512_loadu_pd(rows[1].as_ptr())];
            let [r2, r3] = [_mm512_loadu_pd(rows[2].as_ptr()), _mm512_loadu_pd(rows[3].as_ptr())];
            let [r4, r5] = [_mm512_loadu_pd(rows[4].as_ptr()), _mm512_loadu_pd(rows[5].as_ptr())];
            let [r6, r7] = [_mm512_loadu_pd(rows[6].as_ptr()), _mm512_loadu_pd(rows[7].as_ptr())];
            let [a, b] = [_mm512_unpacklo_pd(r0, r1), _mm512_unpacklo_pd(r2, r3)];
            let [c, d] = [_mm512_unpacklo_pd(r4, r5), _mm512_unpacklo_pd(r6, r7)];
            let low = [_mm512_shuffle_f64x2::<0x88>(a, b), _mm512_shuffle_f64x2::<0x88>(c, d)];
            let high = [_mm512_shuffle_f64x2::<0xDD>(a, b), _mm512_shuffle_f64x2::<0xDD>(c, d)];
            let x0 = _mm512_shuffle_f64x2::<0x88>(low[0], low[1]);
            let x4 = _mm512_shuffle_f64x2::<0xDD>(low[0], low[1]);
            let x2 = _mm512_shuffle_f64x2::<0x88>(high[0], high[1]);
            let x6 = _mm512_shuffle_f64x2::<0xDD>(high[0], high[1]);
            let [a, b] = [_mm512_unpackhi_pd(r0, r1), _mm512_unpackhi_pd(r2, r3)];
            let [c, d] = [_mm512_unpackhi_pd(r4, r5), _mm512_unpackhi_pd(r6, r7)];
            let low = [_mm512_shuffle_f64x2::<0x88>(a, b), _mm512_shuffle_f64x2::<0x88>(c, d)];
            let high = [_mm512_shuffle_f64x2::<0xDD>(a, b), _mm512_shuffle_f64x2::<0xDD>(c, d)];
            let x1 = _mm512_shuffle_f64x2::<0x88>(low[0], low[1]);
            let x5 = _mm512_shuffle_f64x2::<0xDD>(low[0], low[1]);
            let x3 = _mm512_shuffle_f64x2::<0x88>(high[0], high[1]);
            let x7 = _mm512_shuffle_f64x2::<0xDD>(high[0], high[1]);
            let x8 = _mm512_setr_pd(
                rows[0][8], rows[1][8], rows[2][8], rows[3][8], rows[4][8], rows[5][8], rows[6][8],
                rows[7][8],
            );
            [
                [EightDoubles(x0), EightDoubles(x1), EightDoubles(x2)],
                [EightDoubles(x3), EightDoubles(x4), EightDoubles(x5)],
                [EightDoubles(x6), EightDoubles(x7), EightDoubles(x8)],
            ]
        })
    }
    #[inline(always)]
    fn store_doubles(self, x: EightDoubles, to: &mut [f64; MOST_DOUBLES]) {
        proved!(_mm512_storeu_pd(to.as_mut_ptr(), x.0));
    }
    #[inline(always)]
    fn store_singles(self, x: EightDoubles, to: &mut [f32; MOST_DOUBLES]) {
        proved!(_mm256_storeu_ps(to.as_mut_ptr(), _mm512_cvtpd_ps(x.0)));
    }
    #[inline(always)]
    fn lookup(self, table: Eight, at: Index) -> Sixteen {
        // Indices are less than 8: the upper half, undefined, is not read.
        Sixteen(proved!(_mm512_permutexvar_ps(at.0, _mm512_castps256_ps512(table.0))))
    }
    #[inline(always)]
    fn ones(self, bits: u64, to: &mut Ones) {
        const ALL: [u8; 64] = {
            let mut all = [0; 64];
            let mut k = 0;
            while k < 64 {
                all[k] = k as u8;
                k += 1;
            }
            all
        };
        proved!({
            let all = _mm512_loadu_si512(ALL.as_ptr().cast());
            _mm512_storeu_si512(to.0.as_mut_ptr().cast(), _mm512_maskz_compress_epi8(bits, all));
        });
    }
    #[inline(always)]
    fn rows_and_columns(self, ones: &Ones, start: usize) -> (Index, Index) {
        let at = &ones.0[start..start + 16];
        let at = proved!(_mm512_cvtepu8_epi32(_mm_loadu_si128(at.as_ptr().cast())));
        (
            Index(proved!(_mm512_srli_epi32::<3>(at))),
            Index(proved!(_mm512_and_si512(at, _mm512_set1_epi32(7)))),
        )
    }
    #[inline(always)]
    fn store_ranks(self, first: u32, at: Index, to: &mut [u32]) {
        let to = &mut to[..16];
        proved!(_mm512_storeu_si512(
            to.as_mut_ptr().cast(),
            _mm512_add_epi32(at.0, _mm512_set1_epi32(first as i32))
        ));
    }
}
