//! Signed integers of any length, for polynomials whose remainders grow.
use std::cmp::Ordering;

/// A sign and a magnitude on the heap. No operation overflows.
#[derive(Clone, Debug, Default)]
pub(super) struct LongInteger {
    negative: bool,
    /// The least significant first; the last one is not 0.
    limbs: Vec<u64>,
}

impl LongInteger {
    pub(super) const ZERO: Self = Self { negative: false, limbs: Vec::new() };

    /// m 2^shift.
    pub(super) fn new(m: i64, shift: u32) -> Self {
        Self { negative: m < 0, limbs: if m == 0 { Vec::new() } else { vec![m.unsigned_abs()] } }.up(shift)
    }
    fn trim(&mut self) {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }
    fn compare_size(&self, o: &Self) -> Ordering {
        self.limbs.len().cmp(&o.limbs.len()).then_with(|| self.limbs.iter().rev().cmp(o.limbs.iter().rev()))
    }
    /// Adds a number, or subtracts it where `minus`.
    fn accumulate(&mut self, o: &Self, minus: bool) {
        let negative = o.negative != minus;
        if self.negative == negative || self.limbs.is_empty() {
            self.negative = negative;
            self.grow(o);
        } else if self.compare_size(o).is_ge() {
            shrink(&mut self.limbs, &o.limbs);
        } else {
            let mut limbs = o.limbs.clone();
            shrink(&mut limbs, &self.limbs);
            *self = Self { negative, limbs };
        }
        self.trim();
    }
    /// |self| + |o|.
    fn grow(&mut self, o: &Self) {
        let len = self.limbs.len().max(o.limbs.len());
        self.limbs.resize(len, 0);
        let mut carry = false;
        for (i, limb) in self.limbs.iter_mut().enumerate() {
            if i >= o.limbs.len() && !carry {
                return;
            }
            (*limb, carry) = limb.carrying_add(o.limbs.get(i).copied().unwrap_or(0), carry);
        }
        if carry {
            self.limbs.push(1);
        }
    }
    pub(super) fn add(&mut self, o: &Self) {
        self.accumulate(o, false);
    }
    pub(super) fn subtract(&mut self, o: &Self) {
        self.accumulate(o, true);
    }
    pub(super) fn times(&self, o: &Self) -> Self {
        if self.limbs.is_empty() || o.limbs.is_empty() {
            return Self::ZERO;
        }
        let mut limbs = vec![0; self.limbs.len() + o.limbs.len()];
        for (i, &x) in self.limbs.iter().enumerate().filter(|(_, x)| **x != 0) {
            let mut carry = 0;
            for (limb, &y) in limbs[i..].iter_mut().zip(&o.limbs) {
                (*limb, carry) = x.carrying_mul_add(y, *limb, carry);
            }
            limbs[i + o.limbs.len()] = carry;
        }
        let mut product = Self { negative: self.negative != o.negative, limbs };
        product.trim();
        product
    }
    /// self 2^shift.
    pub(super) fn up(mut self, shift: u32) -> Self {
        let (whole, by) = ((shift / 64) as usize, shift % 64);
        if self.limbs.is_empty() || shift == 0 {
            return self;
        }
        if by != 0 {
            let mut carry = 0;
            for limb in &mut self.limbs {
                (*limb, carry) = (*limb << by | carry, *limb >> (64 - by));
            }
            if carry != 0 {
                self.limbs.push(carry);
            }
        }
        if whole != 0 {
            self.limbs.splice(0..0, std::iter::repeat_n(0, whole));
        }
        self
    }
    /// self 2^-shift, rounded towards 0.
    pub(super) fn down(mut self, shift: u32) -> Self {
        let (whole, by) = ((shift / 64) as usize, shift % 64);
        self.limbs.drain(..whole.min(self.limbs.len()));
        if by != 0 {
            let mut carry = 0;
            for limb in self.limbs.iter_mut().rev() {
                (*limb, carry) = (*limb >> by | carry, *limb << (64 - by));
            }
        }
        self.trim();
        self
    }
    /// Zero bits below the lowest bit; `None` for 0.
    pub(super) fn trailing_zeros(&self) -> Option<u32> {
        let at = self.limbs.iter().position(|&limb| limb != 0)?;
        Some(64 * at as u32 + self.limbs[at].trailing_zeros())
    }
    pub(super) fn sign(&self) -> i32 {
        match (self.limbs.is_empty(), self.negative) {
            (true, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        }
    }
    /// Bits of the magnitude; 0 for 0.
    pub(super) fn bits(&self) -> u32 {
        self.limbs.last().map_or(0, |top| self.limbs.len() as u32 * 64 - top.leading_zeros())
    }
    /// The low 64 bits of the magnitude.
    pub(super) fn low(&self) -> u64 {
        self.limbs.first().copied().unwrap_or(0)
    }
}

/// a - b for a >= b.
fn shrink(a: &mut [u64], b: &[u64]) {
    let mut borrow = false;
    for (i, limb) in a.iter_mut().enumerate() {
        if i >= b.len() && !borrow {
            return;
        }
        (*limb, borrow) = limb.borrowing_sub(b.get(i).copied().unwrap_or(0), borrow);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::{BigInt, Sign};

    fn big(x: &LongInteger) -> BigInt {
        assert!(x.limbs.last() != Some(&0), "trimmed");
        let digits: Vec<u32> = x.limbs.iter().flat_map(|&l| [l as u32, (l >> 32) as u32]).collect();
        BigInt::from_slice(if x.negative { Sign::Minus } else { Sign::Plus }, &digits)
    }

    #[test]
    fn arithmetic_agrees_with_num_bigint() {
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state ^ state >> 29
        };
        let mut all = vec![LongInteger::ZERO, LongInteger::new(1, 0), LongInteger::new(-1, 64)];
        for _ in 0..40 {
            let x = LongInteger::new(next() as i64 >> (next() % 64), (next() % 260) as u32);
            let y = LongInteger::new(next() as i64, 0);
            let mut z = x.clone();
            z.subtract(&y);
            all.extend([x, z, LongInteger { negative: false, limbs: vec![u64::MAX; 3] }]);
        }
        for x in &all {
            let a = big(x);
            assert_eq!(u64::from(x.bits()), a.bits());
            assert_eq!(x.trailing_zeros().map(u64::from), a.trailing_zeros());
            assert_eq!(x.low(), a.iter_u64_digits().next().unwrap_or(0));
            for shift in [0, 1, 63, 64, 65, 128, 200, 1000] {
                assert_eq!(big(&x.clone().up(shift)), &a << shift);
                assert_eq!(big(&x.clone().down(shift)).magnitude(), &(a.magnitude() >> shift));
            }
            for y in &all {
                let b = big(y);
                let (mut sum, mut difference) = (x.clone(), x.clone());
                sum.add(y);
                difference.subtract(y);
                assert_eq!(big(&sum), &a + &b);
                assert_eq!(big(&difference), &a - &b);
                assert_eq!(big(&x.times(y)), &a * &b);
                assert_eq!(difference.sign(), i32::from(a > b) - i32::from(a < b));
            }
        }
    }
}
