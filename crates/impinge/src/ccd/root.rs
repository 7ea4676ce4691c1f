//! Real roots of integer polynomials in [0, 1], earliest first, and signs of other polynomials there.
//!
//! 1. *Isolation.* An interval has no root if the constant term of the polynomial on it outweighs the terms
//!    of the other sign. It has at most one, a simple one, if this is true of the derivative. Otherwise it is
//!    halved. This ends if all roots are simple: where p is 0 its derivative is not.
//! 2. *Multiple roots.* At depth [`DEPTH`] p gives way to p / gcd(p, p'), whose roots are simple.
//! 3. *Signs.* The sign of g at a root r is that of g on the isolating interval, once it is narrow enough.
//!    g(r) = 0 if and only if r is a root of h = gcd(p, g). The roots of h in the interval are among those of
//!    p, so r alone, and simple: h has r as a root if and only if its signs at the ends differ.
use super::{long_integer::LongInteger, polynomial::Polynomial};
use std::cell::OnceCell;

/// Halvings before multiple roots are removed.
const DEPTH: u32 = 5;
/// Halvings after which [`Root::sign_of`] tests for a zero by a common divisor.
const PATIENCE: u32 = 12;

/// A root of a polynomial p: the time m / 2^k, or the only root in the open interval (m, m + 1) / 2^k, a
/// simple one.
#[derive(Debug)]
pub(super) struct Root<'a> {
    p: &'a Polynomial,
    /// p on the interval.
    local: Polynomial,
    m: LongInteger,
    k: u32,
    is_exact: bool,
}

impl Root<'_> {
    /// The time 0.
    pub(super) fn start() -> Self {
        const ZERO: &Polynomial = &Polynomial::ZERO;
        Root { p: ZERO, local: Polynomial::ZERO, m: LongInteger::ZERO, k: 0, is_exact: true }
    }
    /// Halves the interval.
    fn refine(&mut self) {
        let [left, right] = self.local.halves();
        let middle = right.sign_at_start();
        self.m = std::mem::take(&mut self.m).up(1);
        self.k += 1;
        if middle == left.sign_at_start() {
            self.m.add(&LongInteger::new(1, 0));
            self.local = right;
        } else if middle == 0 {
            self.m.add(&LongInteger::new(1, 0));
            self.is_exact = true;
        } else {
            self.local = left;
        }
    }
    /// The sign of a polynomial at the root.
    pub(super) fn sign_of(&mut self, g: &Polynomial) -> i32 {
        if g.is_zero() {
            return 0;
        }
        let mut halvings = 0;
        loop {
            let local = g.on_interval(&self.m, self.k);
            if self.is_exact {
                return local.sign_at_start();
            }
            if let Some(sign) = local.certain_sign() {
                return sign;
            }
            if halvings == PATIENCE {
                let common = self.p.common_divisor(g).on_interval(&self.m, self.k);
                if common.sign_at_start() != common.sign_at_end() {
                    return 0;
                }
            }
            halvings += 1;
            self.refine();
        }
    }
    /// The root, as the greatest f64 number up to it and the least from it on.
    pub(super) fn enclosure(mut self) -> [f64; 2] {
        while !self.is_exact && self.m.bits() < 53 && self.k < 1074 {
            self.refine();
        }
        // 53 bits, and none below that of the least subnormal number.
        let drop = self.m.bits().saturating_sub(53).max(self.k.saturating_sub(1074));
        let is_number = self.is_exact && self.m.trailing_zeros().is_none_or(|zeros| zeros >= drop);
        let m = self.m.down(drop).low();
        let e = self.k - drop;
        [fraction(m, e), fraction(m + u64::from(!is_number), e)]
    }
}

/// m 2^-e, for m <= 2^53 and e <= 1074.
fn fraction(m: u64, e: u32) -> f64 {
    let power = |e: u32| f64::from_bits(u64::from(1023 - e) << 52);
    m as f64 * power(e / 2) * power(e - e / 2)
}

/// An interval [m, m + 1] / 2^k.
#[derive(Clone, Debug)]
pub(super) struct DyadicInterval {
    pub(super) m: LongInteger,
    pub(super) k: u32,
}

impl DyadicInterval {
    /// All times.
    pub(super) const ALL: Self = Self { m: LongInteger::ZERO, k: 0 };
}

/// Finds the first root of p in an interval, of those that pass a test. p is not 0.
pub(super) fn first_root(
    p: &Polynomial,
    within: &DyadicInterval,
    mut passes: impl FnMut(&mut Root<'_>) -> bool,
) -> Option<[f64; 2]> {
    let simple = OnceCell::new();
    let mut p = p;
    let mut waiting = vec![(p.on_interval(&within.m, within.k), within.clone())];
    if waiting[0].0.sign_at_start() == 0 {
        let DyadicInterval { m, k } = within.clone();
        let mut root = Root { p, local: Polynomial::ZERO, m, k, is_exact: true };
        if passes(&mut root) {
            return Some(root.enclosure());
        }
    }
    while let Some((local, at)) = waiting.pop() {
        if local.certain_sign().is_some() {
            continue;
        }
        if local.derivative().certain_sign().is_some() {
            let signs = [local.sign_at_start(), local.sign_at_end()];
            let is_exact = signs[1] == 0;
            // A root at the start is the end of the interval before.
            if is_exact || signs[0] * signs[1] < 0 {
                let DyadicInterval { mut m, k } = at;
                if is_exact {
                    m.add(&LongInteger::new(1, 0));
                }
                let mut root = Root { p, local, m, k, is_exact };
                if passes(&mut root) {
                    return Some(root.enclosure());
                }
            }
            continue;
        }
        if at.k == within.k + DEPTH && simple.get().is_none() {
            p = simple.get_or_init(|| p.with_simple_roots());
            waiting.push((local, at));
            for (local, at) in &mut waiting {
                *local = p.on_interval(&at.m, at.k);
            }
            continue;
        }
        let ([first, second], m) = (local.halves(), at.m.up(1));
        let mut next = m.clone();
        next.add(&LongInteger::new(1, 0));
        waiting.push((second, DyadicInterval { m: next, k: at.k + 1 }));
        waiting.push((first, DyadicInterval { m, k: at.k + 1 }));
    }
    None
}
