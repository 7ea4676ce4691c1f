//! Common code of AVX2 and AVX-512, as macros. Their types differ, so that each proves its own instructions.

/// Calls an intrinsic. Its argument has one of the calling module's types. Only the value of that module's
/// instruction set makes these, and only its `detect` makes that value, after it has found the instructions.
macro_rules! proved {
    ($($call:tt)*) => {{
        // SAFETY: the argument proves that the processor has these instructions (see above). Memory that is
        // read or written belongs to a reference or a slice that is long enough.
        unsafe { $($call)* }
    }};
}

/// Operators that are one intrinsic for two vectors of one type.
macro_rules! operators {
    ($type:ident: $($operator:ident $name:ident $instruction:ident),*) => {$(
        impl $operator for $type {
            type Output = Self;
            #[inline(always)]
            fn $name(self, o: Self) -> Self {
                Self(proved!($instruction(self.0, o.0)))
            }
        }
    )*};
}

/// Methods that are one intrinsic of vectors of one type.
macro_rules! methods {
    ($($name:ident $instruction:ident($($other:ident),*);)*) => {$(
        #[inline(always)]
        fn $name(self, $($other: Self),*) -> Self {
            Self(proved!($instruction(self.0 $(, $other.0)*)))
        }
    )*};
}

/// The methods of `Simd` for eight lanes of f32, and methods without vectors.
macro_rules! eight_lanes {
    () => {
        #[inline(always)]
        fn eight(self, x: f32) -> Eight {
            Eight(proved!(_mm256_set1_ps(x)))
        }
        #[inline(always)]
        fn bytes(self, x: &[u8; 8]) -> Eight {
            Eight(proved!(_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(x.as_ptr().cast())))))
        }
        #[inline(always)]
        fn signed(self, x: &[i16; 8]) -> Eight {
            Eight(proved!(_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128(x.as_ptr().cast())))))
        }
        #[inline(always)]
        fn unsigned(self, x: &[u16; 8]) -> Eight {
            Eight(proved!(_mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_loadu_si128(x.as_ptr().cast())))))
        }
        #[inline(always)]
        fn bytes_at(self, words: &[i16], at: usize) -> Eight {
            self.bytes(eight_bytes(words, at))
        }
        #[inline(always)]
        fn load(self, from: &[f32; 8]) -> Eight {
            Eight(proved!(_mm256_loadu_ps(from.as_ptr())))
        }
        #[inline(always)]
        fn store(self, x: Eight, to: &mut [f32; 8]) {
            proved!(_mm256_storeu_ps(to.as_mut_ptr(), x.0));
        }
        #[inline(always)]
        fn deposit(self, bits: u64, mask: u64) -> u64 {
            proved!(_pdep_u64(bits, mask))
        }
        #[inline(always)]
        fn prefetch<T>(self, of: &[T], at: usize) {
            let of = of.as_ptr().wrapping_add(at);
            proved!(_mm_prefetch::<_MM_HINT_T0>(of.cast()));
        }
    };
}
