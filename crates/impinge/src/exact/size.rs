//! The integer types of the exact stage, and the choice of the narrowest one that is wide enough.
use super::{
    fixed::Fixed,
    integer::{Integer, Magnitude},
    wide::Wide,
};

macro_rules! fixed {
    ($($n:literal),*) => {$(
        impl Integer for Fixed<$n> {
            const ZERO: Self = Self::ZERO;
            type Minor = Fixed<{ 2 * $n }>;
            type Determinant = Fixed<{ 3 * $n }>;

            #[inline(always)]
            fn add_product(&mut self, a: i64, b: i64, shift: u32) {
                self.add_product(a, b, shift);
            }
            #[inline(always)]
            fn minus(&self, o: &Self) -> Self {
                self.minus(o)
            }
            #[inline(always)]
            fn minor(a: &Self, b: &Self, c: &Self, d: &Self) -> Self::Minor {
                a.times::<$n, { 2 * $n }>(d).minus(&b.times(c))
            }
            #[inline(always)]
            fn dot(minors: &[Self::Minor; 3], v: &[Self; 3]) -> Self::Determinant {
                let [x, y, z]: [Self::Determinant; 3] = std::array::from_fn(|k| minors[k].times(&v[k]));
                x.plus(&y).plus(&z)
            }
            #[inline(always)]
            fn near(v: &[[Self; 3]; 6], near: &mut [[f64; 3]; 6]) {
                for i in 1..6 {
                    for k in 0..3 {
                        near[i][k] = v[i][k].approximate();
                    }
                }
            }
        }
    )*};
}

fixed!(1, 2, 3, 4);

impl<const N: usize> Integer for Wide<N> {
    const ZERO: Self = Self::ZERO;
    type Minor = Self;
    type Determinant = Self;

    fn add_product(&mut self, a: i64, b: i64, shift: u32) {
        self.add(&Self::new(i128::from(a) * i128::from(b), shift));
    }
    fn minus(&self, o: &Self) -> Self {
        let mut difference = *self;
        difference.subtract(o);
        difference
    }
    fn minor(a: &Self, b: &Self, c: &Self, d: &Self) -> Self {
        let mut minor = a.times(d);
        minor.subtract(&b.times(c));
        minor
    }
    fn dot(minors: &[Self; 3], v: &[Self; 3]) -> Self {
        let mut dot = minors[0].times(&v[0]);
        dot.add(&minors[1].times(&v[1]));
        dot.add(&minors[2].times(&v[2]));
        dot
    }
    fn near(v: &[[Self; 3]; 6], near: &mut [[f64; 3]; 6]) {
        // On a scale where the largest is about 2^62: off by 1 for the bits shifted out and half a last place
        // for the rest.
        let bits = v.iter().flatten().map(Self::bits).max().unwrap_or(0);
        let shift = bits.saturating_sub(62);
        *near = v.map(|v| v.map(|x| f64::from(x.sign()) * x.shifted_down(shift) as f64));
    }
}

/// Bits of the widest determinant of three differences of placed points, sign included: a product R v reaches
/// from 2^-2148 to 2^2048, so a coordinate (four terms) has at most 4198 bits, a difference 4199, and six
/// products of three of them 3 * 4199 + 3, and one for the sign.
const MAX_BITS: usize = 3 * 4199 + 4;

/// The compiled widths of [`Wide`], in limbs of 64 bits. They are few, as each takes time to compile, and the
/// work follows the limbs in use.
pub(crate) const WIDTHS: [usize; 3] = [16, 64, 200];
const _: () = assert!(WIDTHS[2] * 64 >= MAX_BITS);

/// Limbs of a [`Wide`] that holds a sum of six products of `degree` differences of two coordinates of so many
/// bits.
pub(crate) fn width(bits: usize, degree: usize) -> usize {
    let bits = degree * (bits + 1) + 4;
    WIDTHS.into_iter().find(|w| w * 64 >= bits).unwrap_or(WIDTHS[2])
}

/// Limbs of a [`Fixed`] that holds differences d of two coordinates of so many bits; beyond 4 there is none.
///
/// A difference has |d| < 2^b with b = bits + 1 <= 64 N - 2. A minor is then less than 2^(2b + 1), in 2N
/// limbs (one bit is the sign's): 2b + 1 <= 128 N - 3. The determinant, three products of a minor and a
/// difference, is less than 3 * 2^(3b + 1) < 2^(3b + 3), in 3N limbs: 3b + 3 <= 192 N - 3.
pub(crate) fn limbs(bits: usize) -> usize {
    (bits + 1 + 2).div_ceil(64)
}

/// Runs `$body` with the type `$i`, the narrowest [`Wide`] that is enough.
macro_rules! at_width {
    ($bits:expr, $degree:expr, $i:ident => $body:expr) => {
        match $crate::exact::size::width($bits, $degree) {
            16 => {
                type $i = Wide<{ WIDTHS[0] }>;
                $body
            }
            64 => {
                type $i = Wide<{ WIDTHS[1] }>;
                $body
            }
            _ => {
                type $i = Wide<{ WIDTHS[2] }>;
                $body
            }
        }
    };
}

/// Runs `$body` with the type `$i`, the fastest integer that is enough.
macro_rules! at_size {
    ($bits:expr, $degree:expr, $i:ident => $body:expr) => {
        match $crate::exact::size::limbs($bits) {
            1 => {
                type $i = Fixed<1>;
                $body
            }
            2 => {
                type $i = Fixed<2>;
                $body
            }
            3 => {
                type $i = Fixed<3>;
                $body
            }
            4 => {
                type $i = Fixed<4>;
                $body
            }
            _ => at_width!($bits, $degree, $i => $body),
        }
    };
}
pub(crate) use {at_size, at_width};
