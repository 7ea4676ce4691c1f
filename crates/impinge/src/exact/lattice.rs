//! The scale on which the coordinates of placed points are integers.
use super::integer::Integer;

/// x = m 2^lo with m odd, and |x| < 2^hi; or m = 0.
#[derive(Clone, Copy)]
struct Dyadic {
    m: i64,
    span: Span,
}

impl Dyadic {
    const ZERO: Self = Self { m: 0, span: Span::NONE };

    #[inline(always)]
    fn new(x: f64) -> Self {
        debug_assert!(x.is_finite());
        let bits = x.to_bits();
        let (raw, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
        let (m, raw) = if raw == 0 { (fraction, 1) } else { (fraction | 1 << 52, raw) };
        if m == 0 {
            return Self::ZERO;
        }
        let zeros = m.trailing_zeros();
        let m = m >> zeros;
        // Subnormal numbers end lower than `hi` says, which does no harm.
        let span = Span { lo: raw - 1075 + zeros as i32, hi: raw - 1022 };
        Self { m: if x < 0.0 { -m } else { m }, span }
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
#[derive(Clone, Copy)]
pub(super) struct Terms<const ROWS: usize, const POINTS: usize> {
    rows: [[Dyadic; 3]; ROWS],
    t: [Dyadic; ROWS],
    points: [[Dyadic; 3]; POINTS],
}

impl<const ROWS: usize, const POINTS: usize> Terms<ROWS, POINTS> {
    pub(super) const ZERO: Self = Self {
        rows: [[Dyadic::ZERO; 3]; ROWS],
        t: [Dyadic::ZERO; ROWS],
        points: [[Dyadic::ZERO; 3]; POINTS],
    };

    /// Takes the numbers apart, in place and in loops: of a constructor with `map` the compiler makes calls and copies.
    #[inline(always)]
    pub(super) fn take(&mut self, rows: &[[f64; 3]; ROWS], t: &[f64; ROWS], points: &[[f64; 3]; POINTS]) {
        #[inline(always)]
        fn each(to: &mut [Dyadic], from: &[f64]) {
            for (to, from) in to.iter_mut().zip(from) {
                *to = Dyadic::new(*from);
            }
        }
        each(self.rows.as_flattened_mut(), rows.as_flattened());
        each(&mut self.t, t);
        each(self.points.as_flattened_mut(), points.as_flattened());
    }
    /// What the terms of all coordinates span.
    #[inline(always)]
    pub(super) fn span(&self) -> Span {
        let mut span = Span::NONE;
        for t in &self.t {
            span = span.and(t.span);
        }
        for k in 0..3 {
            let mut column = Span::NONE;
            for v in &self.points {
                column = column.and(v[k].span);
            }
            for row in &self.rows {
                span = span.and(row[k].span.times(column));
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
        // Only a 0 may lie off the lattice: it adds nothing, however far it is shifted. Poses have many.
        for k in 0..3 {
            let (r, x) = (terms.rows[axis][k], terms.points[point][k]);
            if r.m != 0 {
                let e = r.span.lo + x.span.lo;
                sum.add_shifted(i128::from(r.m) * i128::from(x.m), (e - self.lo) as u32);
            }
        }
        let t = terms.t[axis];
        if t.m != 0 {
            sum.add_shifted(i128::from(t.m), (t.span.lo - self.lo) as u32);
        }
        sum
    }
}
