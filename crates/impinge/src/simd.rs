//! Vectors of numbers (SIMD): eight f32 lanes, and longer vectors of f32 and f64. The code is written once
//! and compiled for each instruction set.
//!
//! A value of an instruction set's type ([`Simd`]) proves that this processor has it: only [`detect`] makes
//! one. The level that every processor of the architecture has ([`Portable`]) needs no proof.
//!
//! Every operation rounds as IEEE 754 requires or not at all, except that [`Lanes::mul_add`] and
//! [`Lanes::mul_sub`] may round once or twice: error bounds of code that uses them cover both. So
//! intermediate results may differ in their last bits between instruction sets, and no result may depend on
//! those bits. Work that has to depend on them rounds twice everywhere ([`Detected::call_unfused`]).
//!
//! Except in [`Portable`], everything between an instruction set's entry ([`Simd::call`]) and its intrinsics
//! is `#[inline(always)]` and free of closures, also of those passed to `map`. The compiler may leave a
//! closure as a function of its own, which is then compiled without the instruction set and calls a function
//! for each intrinsic.
#[cfg(target_arch = "x86_64")]
#[macro_use]
mod x86;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod bytes;
mod lanes;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
#[cfg(any(test, not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod sse2;
mod unfused;

pub use self::lanes::SimdLevel;
pub(crate) use self::lanes::{
    Doubles, Lanes, MOST_DOUBLES, MOST_PAIRS, Mask, Ones, Simd, TriangleCoordinates, Work, ordered,
};
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use self::neon::Neon;
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
pub(crate) use self::portable::Portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use self::simd128::Simd128 as Portable;
#[cfg(target_arch = "x86_64")]
pub(crate) use self::sse2::Sse2 as Portable;
use self::unfused::UnfusedWork;
#[cfg(target_arch = "x86_64")]
use self::{avx2::Avx2, avx512::Avx512};

/// An instruction set that this processor has, with its proof.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Detected {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    Neon(Neon),
}

impl Detected {
    pub(crate) fn call<W: Work>(self, work: W) -> W::Out {
        match self {
            Self::Portable(simd) => simd.call(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(simd) => simd.call(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(simd) => simd.call(work),
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Self::Neon(simd) => simd.call(work),
        }
    }
    /// Does work whose every number is the same on all instruction sets.
    pub(crate) fn call_unfused<W: Work>(self, work: W) -> W::Out {
        self.call(UnfusedWork(work))
    }
}

/// The best instruction set that this processor has and `most` allows.
pub(crate) fn detect(most: SimdLevel) -> Detected {
    #[cfg(target_arch = "x86_64")]
    {
        if matches!(most, SimdLevel::Auto | SimdLevel::Avx512)
            && let Some(simd) = Avx512::detect()
        {
            return Detected::Avx512(simd);
        }
        if matches!(most, SimdLevel::Auto | SimdLevel::Avx512 | SimdLevel::Avx2)
            && let Some(simd) = Avx2::detect()
        {
            return Detected::Avx2(simd);
        }
    }
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    if matches!(most, SimdLevel::Auto | SimdLevel::Neon) {
        return Detected::Neon(Neon);
    }
    let _ = most;
    Detected::Portable(Portable)
}

/// Work that returns the instruction set that it is compiled for.
struct Level;

impl Work for Level {
    type Out = SimdLevel;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> SimdLevel {
        S::LEVEL
    }
}

impl SimdLevel {
    /// The level that queries with this setting use on this processor.
    pub fn in_use(self) -> Self {
        detect(self).call(Level)
    }
}

#[cfg(test)]
mod tests;
