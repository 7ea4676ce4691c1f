//! Signed integers of exactly N limbs, for few limbs: no lengths to look after, and loops that the compiler
//! unrolls.
use super::integer::{Magnitude, any_below, shifted_down};
use std::cmp::Ordering;

/// Two's complement, the least significant limb first. Callers prove that no sum overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fixed<const N: usize>([u64; N]);

impl<const N: usize> Fixed<N> {
    pub(crate) const ZERO: Self = Self([0; N]);

    /// All ones if it is negative, else 0.
    #[inline(always)]
    fn fill(&self) -> u64 {
        (self.0[N - 1] as i64 >> 63) as u64
    }
    #[inline(always)]
    pub(crate) fn plus(&self, o: &Self) -> Self {
        let (mut sum, mut carry) = ([0; N], false);
        for (i, limb) in sum.iter_mut().enumerate() {
            (*limb, carry) = self.0[i].carrying_add(o.0[i], carry);
        }
        let sum = Self(sum);
        debug_assert!(self.fill() != o.fill() || sum.fill() == self.fill(), "overflow");
        sum
    }
    #[inline(always)]
    pub(crate) fn minus(&self, o: &Self) -> Self {
        let (mut difference, mut borrow) = ([0; N], false);
        for (i, limb) in difference.iter_mut().enumerate() {
            (*limb, borrow) = self.0[i].borrowing_sub(o.0[i], borrow);
        }
        let difference = Self(difference);
        debug_assert!(self.fill() == o.fill() || difference.fill() == self.fill(), "overflow");
        difference
    }
    /// Adds a b 2^shift. The sum has room, and so has every term: one or two limbs need only their bits.
    #[inline(always)]
    pub(crate) fn add_product(&mut self, a: i64, b: i64, shift: u32) {
        match N {
            1 => {
                debug_assert!(shift < 64 || a == 0 || b == 0);
                let term = (a.wrapping_mul(b) as u64) << (shift & 63);
                self.0[0] = self.0[0].wrapping_add(term);
            }
            2 => {
                debug_assert!(shift < 128 || a == 0 || b == 0);
                let term = (i128::from(a) * i128::from(b)) << (shift & 127);
                let (low, carry) = self.0[0].carrying_add(term as u64, false);
                self.0[0] = low;
                self.0[1] = self.0[1].wrapping_add((term >> 64) as u64).wrapping_add(u64::from(carry));
            }
            _ => self.add_shifted(i128::from(a) * i128::from(b), shift),
        }
    }
    /// Adds m 2^shift.
    #[inline(always)]
    fn add_shifted(&mut self, m: i128, shift: u32) {
        let (at, by) = ((shift / 64) as usize, shift % 64);
        let fill = (m >> 127) as u64;
        // In two steps, as a shift by 64 bits is none.
        let part = [(m << by) as u64, ((m << by) >> 64) as u64, ((m >> 64) as i64 >> 1 >> (63 - by)) as u64];
        let mut term = [0; N];
        for (i, limb) in term.iter_mut().enumerate() {
            *limb = match i.wrapping_sub(at) {
                0 => part[0],
                1 => part[1],
                2 => part[2],
                j if j < N => fill,
                _ => 0,
            };
        }
        *self = self.plus(&Self(term));
    }
    /// The product, in M + N limbs, where it always has room.
    #[inline(always)]
    pub(crate) fn times<const M: usize, const SUM: usize>(&self, o: &Fixed<M>) -> Fixed<SUM> {
        const { assert!(SUM == M + N) };
        let mut product = [0; SUM];
        for i in 0..N {
            let mut carry = 0;
            for j in 0..M {
                (product[i + j], carry) = self.0[i].carrying_mul_add(o.0[j], carry, product[i + j]);
            }
            product[i + M] = carry;
        }
        // As unsigned, a negative x of n limbs counts as x + 2^(64 n): too much by the other factor, n limbs
        // up.
        let (own, other) = (self.fill(), o.fill());
        let mut borrow = false;
        for j in 0..M {
            (product[N + j], borrow) = product[N + j].borrowing_sub(o.0[j] & own, borrow);
        }
        borrow = false;
        for i in 0..N {
            (product[M + i], borrow) = product[M + i].borrowing_sub(self.0[i] & other, borrow);
        }
        let _ = borrow;
        Fixed(product)
    }
    /// The magnitude.
    #[inline(always)]
    fn size(&self) -> [u64; N] {
        let fill = self.fill();
        let (mut size, mut carry) = ([0; N], fill != 0);
        for (i, limb) in size.iter_mut().enumerate() {
            (*limb, carry) = (self.0[i] ^ fill).carrying_add(0, carry);
        }
        size
    }
    /// The number in f64, rounded towards 0.
    #[inline(always)]
    pub(crate) fn approximate(&self) -> f64 {
        let size = self.size();
        let Some(top) = (0..N).rev().find(|&i| size[i] != 0) else { return 0.0 };
        let zeros = size[top].leading_zeros();
        let below = if top == 0 { 0 } else { size[top - 1] };
        let leading = size[top] << zeros | below >> 1 >> (63 - zeros);
        // 53 bits, which the sign does not touch, and their scale.
        let e = 64 * top as i32 + 11 - zeros as i32;
        let m = (leading >> 11) as i64;
        let m = if self.fill() == 0 { m } else { -m };
        m as f64 * f64::from_bits(((e + 1023) as u64) << 52)
    }
}

impl<const N: usize> Magnitude for Fixed<N> {
    #[inline(always)]
    fn sign(&self) -> i32 {
        let some = self.0.iter().fold(0, |all, limb| all | limb) != 0;
        self.fill() as i32 | i32::from(some)
    }
    fn bits(&self) -> u32 {
        let size = self.size();
        let top = (0..N).rev().find(|&i| size[i] != 0);
        top.map_or(0, |top| 64 * (top as u32 + 1) - size[top].leading_zeros())
    }
    fn shifted_down(&self, shift: u32) -> u64 {
        shifted_down(&self.size(), shift)
    }
    fn any_below(&self, n: u32) -> bool {
        any_below(&self.size(), n)
    }
}

impl<const N: usize> PartialOrd for Fixed<N> {
    #[inline(always)]
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

impl<const N: usize> Ord for Fixed<N> {
    #[inline(always)]
    fn cmp(&self, o: &Self) -> Ordering {
        let top = (self.0[N - 1] as i64).cmp(&(o.0[N - 1] as i64));
        top.then_with(|| self.0.iter().rev().cmp(o.0.iter().rev()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::{BigInt, Sign};

    fn big<const N: usize>(x: &Fixed<N>) -> BigInt {
        let digits: Vec<u32> = x.0.iter().flat_map(|&l| [l as u32, (l >> 32) as u32]).collect();
        let size = BigInt::from_slice(Sign::Plus, &digits);
        if x.fill() == 0 { size } else { size - (BigInt::from(1) << (64 * N)) }
    }

    /// Limbs that carry, borrow, cancel and are empty, with room for a sum of two.
    fn numbers<const N: usize>() -> Vec<Fixed<N>> {
        let mut state = 11_u64;
        let mut next = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state ^ state >> 29
        };
        let mut all = vec![Fixed::ZERO, Fixed([u64::MAX; N])];
        for _ in 0..100 {
            let mut limbs: [u64; N] = std::array::from_fn(|_| match next() % 4 {
                0 => 0,
                1 => u64::MAX,
                2 => 1 << (next() % 64),
                _ => next(),
            });
            limbs[N - 1] = (limbs[N - 1] as i64 >> (1 + next() % 63)) as u64;
            all.push(Fixed(limbs));
        }
        all
    }

    fn agrees<const N: usize, const TWICE: usize, const THRICE: usize>() {
        for x in &numbers::<N>() {
            let size = big(x);
            assert_eq!(x.sign(), i32::from(size > BigInt::ZERO) - i32::from(size < BigInt::ZERO));
            // Rounded towards 0: at most a 2^52nd part too small.
            let near = x.approximate();
            assert!(near.abs() < f64::from_bits((1023 + 1000) << 52));
            let shift = 64 * N as u32;
            let near = {
                let bits = near.abs().to_bits();
                let m = BigInt::from(if near == 0.0 { 0 } else { bits & ((1 << 52) - 1) | 1 << 52 });
                (m << ((bits >> 52) as u32 + shift)) >> 1075_u32
            };
            let size = BigInt::from(size.magnitude().clone()) << shift;
            assert!(near <= size && (&size - &near) << 52_u32 <= size);
            assert_eq!(x.approximate() < 0.0, x.sign() < 0);
            let size = big(x).magnitude().clone();
            assert_eq!(u64::from(x.bits()), size.bits());
            for shift in (0..70 * N as u32).step_by(7).chain([64, 128]) {
                assert_eq!(x.shifted_down(shift), (&size >> shift).iter_u64_digits().next().unwrap_or(0));
                assert_eq!(x.any_below(shift), size.trailing_zeros().is_some_and(|z| z < u64::from(shift)));
            }
            for y in &numbers::<N>() {
                let (a, b) = (big(x), big(y));
                assert_eq!(big(&x.plus(y)), &a + &b);
                assert_eq!(big(&x.minus(y)), &a - &b);
                assert_eq!(x.cmp(y), a.cmp(&b));
                let product: Fixed<TWICE> = x.times(y);
                assert_eq!(big(&product), &a * &b);
                let cube: Fixed<THRICE> = product.times(y);
                assert_eq!(big(&cube), &a * &b * &b);
            }
        }
    }

    #[test]
    fn arithmetic_agrees_with_num_bigint() {
        agrees::<1, 2, 3>();
        agrees::<2, 4, 6>();
        agrees::<3, 6, 9>();
        agrees::<4, 8, 12>();
    }

    #[test]
    fn shifted_terms_agree_with_num_bigint() {
        for m in [1, -1, (1 << 106) - 1, -(1 << 106) + 1, 3 << 61, -(1 << 64), i128::from(i64::MAX)] {
            for shift in 0..149 {
                let mut x = Fixed::<4>::ZERO;
                x.add_shifted(m, shift);
                assert_eq!(big(&x), BigInt::from(m) << shift);
                x.add_shifted(-m, shift);
                assert_eq!(x, Fixed::ZERO);
            }
        }
    }
}
