//! An instruction set without fused products: every number is the same on all of them.
use super::{Doubles, Lanes, MOST_DOUBLES, Ones, Simd, SimdLevel, Work};
use std::ops::{Add, Div, Mul, Sub};

/// An instruction set or a vector of it, whose [`Lanes::mul_add`] and [`Lanes::mul_sub`] round twice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unfused<T>(T);

/// Work that gets an instruction set without fused products.
pub(super) struct UnfusedWork<W>(pub(super) W);

impl<W: Work> Work for UnfusedWork<W> {
    type Out = W::Out;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> W::Out {
        self.0.run(Unfused(simd))
    }
}

macro_rules! by_lanes {
    ($($operation:ident::$name:ident)*) => {$(
        impl<L: Lanes> $operation for Unfused<L> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, o: Self) -> Self {
                Self(self.0.$name(o.0))
            }
        }
    )*};
}
by_lanes!(Add::add Sub::sub Mul::mul Div::div);

impl<L: Lanes> Lanes for Unfused<L> {
    type Mask = L::Mask;
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        self * b + c
    }
    #[inline(always)]
    fn mul_sub(self, b: Self, c: Self) -> Self {
        self * b - c
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs())
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self(self.0.min(o.0))
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self(self.0.max(o.0))
    }
    #[inline(always)]
    fn gt(self, o: Self) -> L::Mask {
        self.0.gt(o.0)
    }
    #[inline(always)]
    fn or_else(self, mask: L::Mask, o: Self) -> Self {
        Self(self.0.or_else(mask, o.0))
    }
}

impl<L: Doubles> Doubles for Unfused<L> {
    #[inline(always)]
    fn product_error(self, b: Self, product: Self) -> Self {
        Self(self.0.product_error(b.0, product.0))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
}

impl<S: Simd> Simd for Unfused<S> {
    type Eight = Unfused<S::Eight>;
    type Pairs = Unfused<S::Pairs>;
    type Index = S::Index;
    type Doubles = Unfused<S::Doubles>;
    const LEVEL: SimdLevel = S::LEVEL;
    const PAIRS: usize = S::PAIRS;
    const DOUBLES: usize = S::DOUBLES;

    #[inline(always)]
    fn call<W: Work>(self, work: W) -> W::Out {
        self.0.call(UnfusedWork(work))
    }
    #[inline(always)]
    fn eight(self, x: f32) -> Self::Eight {
        Unfused(self.0.eight(x))
    }
    #[inline(always)]
    fn bytes(self, x: &[u8; 8]) -> Self::Eight {
        Unfused(self.0.bytes(x))
    }
    #[inline(always)]
    fn signed(self, x: &[i16; 8]) -> Self::Eight {
        Unfused(self.0.signed(x))
    }
    #[inline(always)]
    fn unsigned(self, x: &[u16; 8]) -> Self::Eight {
        Unfused(self.0.unsigned(x))
    }
    #[inline(always)]
    fn bytes_at(self, words: &[i16], at: usize) -> Self::Eight {
        Unfused(self.0.bytes_at(words, at))
    }
    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> Self::Eight {
        Unfused(self.0.load(from))
    }
    #[inline(always)]
    fn store(self, x: Self::Eight, to: &mut [f32; 8]) {
        self.0.store(x.0, to);
    }
    #[inline(always)]
    fn keys(self, x: Self::Eight, lanes: u8, to: &mut [i32; 8]) {
        self.0.keys(x.0, lanes, to);
    }
    #[inline(always)]
    fn pairs(self, x: f32) -> Self::Pairs {
        Unfused(self.0.pairs(x))
    }
    #[inline(always)]
    fn load_pairs(self, from: &[f32]) -> Self::Pairs {
        Unfused(self.0.load_pairs(from))
    }
    #[inline(always)]
    fn store_pairs(self, x: Self::Pairs, to: &mut [f32]) {
        self.0.store_pairs(x.0, to);
    }
    #[inline(always)]
    fn doubles(self, x: f64) -> Self::Doubles {
        Unfused(self.0.doubles(x))
    }
    #[inline(always)]
    fn load_doubles(self, from: &[f64; MOST_DOUBLES]) -> Self::Doubles {
        Unfused(self.0.load_doubles(from))
    }
    #[inline(always)]
    fn store_doubles(self, x: Self::Doubles, to: &mut [f64; MOST_DOUBLES]) {
        self.0.store_doubles(x.0, to);
    }
    #[inline(always)]
    fn store_singles(self, x: Self::Doubles, to: &mut [f32; MOST_DOUBLES]) {
        self.0.store_singles(x.0, to);
    }
    #[inline(always)]
    fn lookup(self, table: Self::Eight, at: Self::Index) -> Self::Pairs {
        Unfused(self.0.lookup(table.0, at))
    }
    #[inline(always)]
    fn ones(self, bits: u64, to: &mut Ones) {
        self.0.ones(bits, to);
    }
    #[inline(always)]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        self.0.deposit(bits, mask)
    }
    #[inline(always)]
    fn prefetch<T>(self, of: &[T], at: usize) {
        self.0.prefetch(of, at);
    }
    #[inline(always)]
    fn rows_and_columns(self, ones: &Ones, start: usize) -> (Self::Index, Self::Index) {
        self.0.rows_and_columns(ones, start)
    }
    #[inline(always)]
    fn store_ranks(self, first: u32, at: Self::Index, to: &mut [u32]) {
        self.0.store_ranks(first, at, to);
    }
}
