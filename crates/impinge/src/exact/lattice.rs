//! The scale on which the coordinates of placed points are integers.
use super::integer::Integer;

/// x = m 2^e with m odd, or m = 0.
#[derive(Clone, Copy)]
struct Dyadic {
    m: i64,
    e: i32,
}

impl Dyadic {
    #[inline]
    fn new(x: f64) -> Self {
        debug_assert!(x.is_finite());
        let bits = x.to_bits();
        let (raw, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
        let (m, e) = if raw == 0 { (fraction, -1074) } else { (fraction | 1 << 52, raw - 1075) };
        if m == 0 {
            return Self { m: 0, e: 0 };
        }
        let zeros = m.trailing_zeros();
        let m = m >> zeros;
        Self { m: if x < 0.0 { -m } else { m }, e: e + zeros as i32 }
    }
    #[inline]
    fn span(self) -> Span {
        if self.m == 0 {
            return Span::NONE;
        }
        Span { lo: self.e, hi: self.e + (64 - self.m.unsigned_abs().leading_zeros()) as i32 }
    }
}

/// Bits that a set of numbers spans: all are multiples of 2^lo and less than 2^hi in size.
#[derive(Clone, Copy)]
pub(super) struct Span {
    lo: i32,
    hi: i32,
}

impl Span {
    /// Of zeros: far from what any number has, so that it stays neutral when it is one factor.
    const NONE: Self = Self { lo: 1 << 20, hi: -(1 << 20) };

    #[inline]
    pub(super) fn and(self, o: Self) -> Self {
        Self { lo: self.lo.min(o.lo), hi: self.hi.max(o.hi) }
    }
    #[inline]
    fn times(self, o: Self) -> Self {
        Self { lo: self.lo + o.lo, hi: self.hi + o.hi }
    }
}

/// Points and the rows of an affine map that places them: each number is taken apart once.
pub(super) struct Terms<const ROWS: usize, const POINTS: usize> {
    rows: [[Dyadic; 3]; ROWS],
    t: [Dyadic; ROWS],
    points: [[Dyadic; 3]; POINTS],
}

impl<const ROWS: usize, const POINTS: usize> Terms<ROWS, POINTS> {
    #[inline]
    pub(super) fn new(rows: &[[f64; 3]; ROWS], t: &[f64; ROWS], points: &[[f64; 3]; POINTS]) -> Self {
        Self {
            rows: rows.map(|row| row.map(Dyadic::new)),
            t: t.map(Dyadic::new),
            points: points.map(|v| v.map(Dyadic::new)),
        }
    }
    /// What the terms of all coordinates span.
    #[inline]
    pub(super) fn span(&self) -> Span {
        let mut span = self.t.iter().fold(Span::NONE, |span, t| span.and(t.span()));
        for k in 0..3 {
            let column = self.points.iter().fold(Span::NONE, |span, v| span.and(v[k].span()));
            for row in &self.rows {
                span = span.and(row[k].span().times(column));
            }
        }
        span
    }
}

/// The scale on which all coordinates of some placed points are integers.
#[derive(Clone, Copy)]
pub(super) struct Lattice {
    /// The unit is 2^lo.
    pub(super) lo: i32,
    /// Bits of a coordinate, without sign.
    pub(super) bits: usize,
}

impl Lattice {
    #[inline]
    pub(super) fn new(span: Span) -> Self {
        // Four terms: two bits more than the largest.
        if span.lo > span.hi {
            return Self { lo: 0, bits: 2 };
        }
        Self { lo: span.lo, bits: (span.hi - span.lo) as usize + 2 }
    }
    /// A coordinate of a placed point, in units of 2^lo.
    #[inline(always)]
    pub(super) fn coordinate<I: Integer, const ROWS: usize, const POINTS: usize>(
        self,
        terms: &Terms<ROWS, POINTS>,
        axis: usize,
        point: usize,
    ) -> I {
        let mut sum = I::ZERO;
        // Only a number that is 0 may lie below the lattice.
        let mut add = |m: i128, e: i32| {
            if m != 0 {
                sum.add_shifted(m, (e - self.lo) as u32);
            }
        };
        for (r, x) in terms.rows[axis].iter().zip(&terms.points[point]) {
            add(i128::from(r.m) * i128::from(x.m), r.e + x.e);
        }
        add(i128::from(terms.t[axis].m), terms.t[axis].e);
        sum
    }
}
