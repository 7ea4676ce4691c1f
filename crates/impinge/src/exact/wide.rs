//! Signed integers of up to N limbs on the stack: no allocation, and no time for limbs that are not used.
//!
//! Coordinates that span many exponents are long but nearly empty, so the work follows the limbs in use.
use super::integer::{Magnitude, any_below, shifted_down};
use std::cmp::Ordering;

/// A sign and a magnitude. An operation whose result has more than N limbs panics: callers prove that none
/// does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide<const N: usize> {
    negative: bool,
    /// Limbs in use: the last of them is not 0.
    len: usize,
    /// The least significant first; those from `len` on are 0.
    limbs: [u64; N],
}

impl<const N: usize> Wide<N> {
    pub(crate) const ZERO: Self = Self { negative: false, len: 0, limbs: [0; N] };
    pub(crate) const ONE: Self = {
        let mut one = Self { negative: false, len: 1, limbs: [0; N] };
        one.limbs[0] = 1;
        one
    };

    /// m 2^shift.
    pub(crate) fn new(m: i128, shift: u32) -> Self {
        let (at, by) = ((shift / 64) as usize, shift % 64);
        let size = m.unsigned_abs();
        let (low, high) = (size << by, if by == 0 { 0 } else { size >> (128 - by) });
        let mut x = Self { negative: m < 0, ..Self::ZERO };
        for (i, limb) in [low as u64, (low >> 64) as u64, high as u64].into_iter().enumerate() {
            if limb != 0 {
                x.limbs[at + i] = limb;
                x.len = at + i + 1;
            }
        }
        x
    }
    fn used(&self) -> &[u64] {
        &self.limbs[..self.len]
    }
    fn compare_size(&self, o: &Self) -> Ordering {
        self.len.cmp(&o.len).then_with(|| self.used().iter().rev().cmp(o.used().iter().rev()))
    }
    /// Adds a number, or subtracts it where `minus`, in place: copies take longer than sums.
    #[inline(always)]
    fn accumulate(&mut self, o: &Self, minus: bool) {
        let negative = o.negative != minus;
        if self.negative == negative {
            self.grow(o);
            return;
        }
        match self.compare_size(o) {
            Ordering::Greater => self.shrink(o),
            Ordering::Less => {
                self.shrink_from(o);
                self.negative = negative;
            }
            Ordering::Equal => {
                self.limbs[..self.len].fill(0);
                self.len = 0;
            }
        }
    }
    pub(crate) fn add(&mut self, o: &Self) {
        self.accumulate(o, false);
    }
    pub(crate) fn subtract(&mut self, o: &Self) {
        self.accumulate(o, true);
    }
    /// |self| + |o|.
    fn grow(&mut self, o: &Self) {
        self.len = self.len.max(o.len);
        let (mut carry, (low, high)) = (false, self.limbs.split_at_mut(o.len));
        for (limb, &add) in low.iter_mut().zip(o.used()) {
            (*limb, carry) = limb.carrying_add(add, carry);
        }
        for (i, limb) in high.iter_mut().enumerate() {
            if !carry {
                return;
            }
            (*limb, carry) = limb.overflowing_add(1);
            self.len = self.len.max(o.len + i + 1);
        }
        assert!(!carry, "a sum has no room in {N} limbs");
    }
    /// |self| - |o| for |self| > |o|.
    fn shrink(&mut self, o: &Self) {
        let (mut borrow, (low, high)) = (false, self.limbs.split_at_mut(o.len));
        for (limb, &less) in low.iter_mut().zip(o.used()) {
            (*limb, borrow) = limb.borrowing_sub(less, borrow);
        }
        for limb in high {
            if !borrow {
                break;
            }
            (*limb, borrow) = limb.overflowing_sub(1);
        }
        self.trim();
    }
    /// |o| - |self| for |self| < |o|.
    fn shrink_from(&mut self, o: &Self) {
        let mut borrow = false;
        for (limb, &from) in self.limbs.iter_mut().zip(o.used()) {
            (*limb, borrow) = from.borrowing_sub(*limb, borrow);
        }
        self.len = o.len;
        self.trim();
    }
    fn trim(&mut self) {
        self.len = self.used().iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1);
    }
    pub(crate) fn times(&self, o: &Self) -> Self {
        let mut product = Self { negative: self.negative != o.negative, ..Self::ZERO };
        if self.len == 0 || o.len == 0 {
            return product;
        }
        product.len = (self.len + o.len).min(N);
        for (i, &x) in self.used().iter().enumerate().filter(|(_, x)| **x != 0) {
            let mut carry = 0;
            for (limb, &y) in product.limbs[i..i + o.len].iter_mut().zip(o.used()) {
                (*limb, carry) = x.carrying_mul_add(y, *limb, carry);
            }
            if carry != 0 {
                product.limbs[i + o.len] = carry;
            }
        }
        product.trim();
        product
    }
}

impl<const N: usize> Magnitude for Wide<N> {
    fn sign(&self) -> i32 {
        match (self.len, self.negative) {
            (0, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        }
    }
    fn bits(&self) -> u32 {
        match self.used().last() {
            Some(top) => self.len as u32 * 64 - top.leading_zeros(),
            None => 0,
        }
    }
    fn shifted_down(&self, shift: u32) -> u64 {
        shifted_down(self.used(), shift)
    }
    fn any_below(&self, n: u32) -> bool {
        any_below(self.used(), n)
    }
}

impl<const N: usize> PartialEq for Wide<N> {
    fn eq(&self, o: &Self) -> bool {
        self.cmp(o).is_eq()
    }
}

impl<const N: usize> Eq for Wide<N> {}

impl<const N: usize> PartialOrd for Wide<N> {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

impl<const N: usize> Ord for Wide<N> {
    fn cmp(&self, o: &Self) -> Ordering {
        self.sign().cmp(&o.sign()).then_with(|| {
            let by_size = self.compare_size(o);
            if self.negative { by_size.reverse() } else { by_size }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::{BigInt, Sign};

    type W = Wide<12>;

    fn big(x: &W) -> BigInt {
        assert!(x.len == 0 || x.limbs[x.len - 1] != 0, "trimmed");
        assert!(x.limbs[x.len..].iter().all(|&limb| limb == 0), "nothing above");
        let digits: Vec<u32> = x.limbs.iter().flat_map(|&l| [l as u32, (l >> 32) as u32]).collect();
        BigInt::from_slice(if x.negative { Sign::Minus } else { Sign::Plus }, &digits)
    }

    fn plus(x: &W, y: &W) -> W {
        let mut sum = *x;
        sum.add(y);
        sum
    }
    fn minus(x: &W, y: &W) -> W {
        let mut difference = *x;
        difference.subtract(y);
        difference
    }

    /// Numbers of a few bits at both ends: carries, borrows, empty limbs, cancellation.
    fn numbers() -> Vec<W> {
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state ^ state >> 29
        };
        let mut all =
            vec![W::ZERO, W::new(1, 0), W::new(-1, 0), W::new(i128::MAX, 0), W::new(-i128::MAX, 63)];
        for _ in 0..60 {
            let m = i128::from(next() as i64) * i128::from(next() as i64 >> (next() % 64));
            let x = W::new(m, (next() % 190) as u32);
            let y = W::new(i128::from(next() as i64), 0);
            all.extend([x, plus(&x, &y), minus(&x, &y), plus(&W::new(-1, 0), &x)]);
        }
        all
    }

    #[test]
    fn arithmetic_agrees_with_num_bigint() {
        for x in &numbers() {
            assert_eq!(x.bits() as u64, big(x).bits());
            for y in &numbers() {
                let (a, b) = (big(x), big(y));
                assert_eq!(big(&plus(x, y)), &a + &b);
                assert_eq!(big(&minus(x, y)), &a - &b);
                assert_eq!(big(&x.times(y)), &a * &b);
                assert_eq!(x.cmp(y), a.cmp(&b));
                assert_eq!(minus(x, y).sign(), i32::from(a > b) - i32::from(a < b));
            }
        }
    }

    #[test]
    fn shifts_agree_with_num_bigint() {
        for x in &numbers() {
            for shift in (0..330_u32).step_by(7).chain([64, 128, 192]) {
                let size = big(x).magnitude().clone();
                let low = (&size >> shift).iter_u64_digits().next().unwrap_or(0);
                assert_eq!(x.shifted_down(shift), low);
                assert_eq!(x.any_below(shift), size.trailing_zeros().is_some_and(|z| z < u64::from(shift)));
            }
        }
        assert_eq!(big(&W::new(-5, 130)), BigInt::from(-5) << 130);
    }

    #[test]
    #[should_panic(expected = "out of range")]
    fn too_wide_is_not_silent() {
        let x = W::new(1, 700);
        let _ = x.times(&x);
    }
}
