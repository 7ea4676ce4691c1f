//! The operations that the exact stage needs of an integer.

/// A signed integer. No operation overflows on a coordinate of a lattice for which it was chosen, on
/// differences of two, on minors of those and on their determinants.
pub(crate) trait Integer: Copy + Ord {
    const ZERO: Self;
    /// An integer that holds a 2 x 2 determinant.
    type Minor: Magnitude;
    /// An integer that holds a 3 x 3 determinant.
    type Determinant: Magnitude;

    /// Adds a b 2^shift.
    fn add_product(&mut self, a: i64, b: i64, shift: u32);
    fn minus(&self, o: &Self) -> Self;
    /// a d - b c.
    fn minor(a: &Self, b: &Self, c: &Self, d: &Self) -> Self::Minor;
    fn dot(minors: &[Self::Minor; 3], v: &[Self; 3]) -> Self::Determinant;
    /// Converts numbers to f64, up to one power of two. The largest is off by at most 2^-52 of itself, which
    /// is also the most that any other is off by. None exceeds 2^254.
    fn near(v: &[[Self; 3]; 6], near: &mut [[f64; 3]; 6]);
}

/// The sign of an integer and its leading bits.
pub(crate) trait Magnitude: Copy {
    fn sign(&self) -> i32;
    /// Bits of the magnitude; 0 for 0.
    fn bits(&self) -> u32;
    /// The low 64 bits of the magnitude shifted down: all of it if no more than 64 are left.
    fn shifted_down(&self, shift: u32) -> u64;
    /// True if the magnitude has a bit among its lowest `n`.
    fn any_below(&self, n: u32) -> bool;
}

/// [`Magnitude::shifted_down`] of limbs, the least significant first.
pub(crate) fn shifted_down(limbs: &[u64], shift: u32) -> u64 {
    let limb = |i: usize| limbs.get(i).copied().unwrap_or(0);
    let (at, by) = ((shift / 64) as usize, shift % 64);
    if by == 0 { limb(at) } else { limb(at) >> by | limb(at + 1) << (64 - by) }
}

/// [`Magnitude::any_below`] of limbs, the least significant first.
pub(crate) fn any_below(limbs: &[u64], n: u32) -> bool {
    let (whole, rest) = ((n / 64) as usize, n % 64);
    limbs.iter().take(whole).any(|&limb| limb != 0)
        || limbs.get(whole).is_some_and(|limb| limb & ((1 << rest) - 1) != 0)
}

/// u x v.
#[inline(always)]
pub(crate) fn cross<I: Integer>(u: &[I; 3], v: &[I; 3]) -> [I::Minor; 3] {
    [
        I::minor(&u[1], &u[2], &v[1], &v[2]),
        I::minor(&u[2], &u[0], &v[2], &v[0]),
        I::minor(&u[0], &u[1], &v[0], &v[1]),
    ]
}
