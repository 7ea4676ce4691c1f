//! The scale on which the coordinates of placed points are integers.
use super::integer::Integer;

/// x = m 2^lo with m odd, and |x| < 2^hi; or m = 0.
#[derive(Clone, Copy, Debug)]
struct Dyadic {
    m: i64,
    span: ExponentRange,
}

impl Dyadic {
    const ZERO: Self = Self { m: 0, span: ExponentRange::NONE };

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
        // Subnormal numbers end lower than `hi`, which does no harm.
        let span = ExponentRange { lo: raw - 1075 + zeros as i32, hi: raw - 1022 };
        Self { m: if x < 0.0 { -m } else { m }, span }
    }
}

/// The range of bits of a set of numbers: all are multiples of 2^lo and less than 2^hi in size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExponentRange {
    lo: i32,
    hi: i32,
}

impl ExponentRange {
    /// The range of zeros: far from that of any number, so that it stays neutral when it is one factor.
    const NONE: Self = Self { lo: 1 << 20, hi: -(1 << 20) };

    /// The range of one number.
    pub(crate) fn of(x: f64) -> Self {
        Dyadic::new(x).span
    }
    #[inline]
    pub(crate) fn and(self, o: Self) -> Self {
        Self { lo: self.lo.min(o.lo), hi: self.hi.max(o.hi) }
    }
    #[inline]
    fn times(self, o: Self) -> Self {
        Self { lo: self.lo + o.lo, hi: self.hi + o.hi }
    }
}

/// Splits numbers into mantissas and exponents, in place and in loops: a constructor with `map` compiles to
/// calls and copies.
#[inline(always)]
fn take(to: &mut [Dyadic], from: &[f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = Dyadic::new(*from);
    }
}

/// Rows of an affine transform, as mantissas and exponents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DyadicTransform<const ROWS: usize> {
    rows: [[Dyadic; 3]; ROWS],
    t: [Dyadic; ROWS],
    /// For each coordinate of a point, the range of bits of the rows' numbers that multiply it.
    columns: [ExponentRange; 3],
    /// The range of bits of `t`.
    offset: ExponentRange,
}

impl<const ROWS: usize> DyadicTransform<ROWS> {
    pub(crate) fn new(rows: &[[f64; 3]; ROWS], t: &[f64; ROWS]) -> Self {
        let mut map = Self {
            rows: [[Dyadic::ZERO; 3]; ROWS],
            t: [Dyadic::ZERO; ROWS],
            columns: [ExponentRange::NONE; 3],
            offset: ExponentRange::NONE,
        };
        take(map.rows.as_flattened_mut(), rows.as_flattened());
        take(&mut map.t, t);
        for (row, t) in map.rows.iter().zip(&map.t) {
            map.offset = map.offset.and(t.span);
            for (column, x) in map.columns.iter_mut().zip(row) {
                *column = column.and(x.span);
            }
        }
        map
    }
}

impl DyadicTransform<3> {
    /// The identity.
    pub(crate) fn identity() -> Self {
        Self::new(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], &[0.0; 3])
    }
    /// The range of bits of all terms of placed coordinates, given those of the points' coordinates.
    pub(crate) fn span(&self, coordinates: &[ExponentRange; 3]) -> ExponentRange {
        (0..3).fold(self.offset, |span, k| span.and(self.columns[k].times(coordinates[k])))
    }
    /// The images of the axes, up to one power of two. Each integer is a number and the bits to shift it up.
    pub(crate) fn columns(&self) -> [[(i64, u32); 3]; 3] {
        let span = self.linear_span();
        [0, 1, 2].map(|axis| {
            self.rows.map(|row| match row[axis] {
                Dyadic { m: 0, .. } => (0, 0),
                Dyadic { m, span: own } => (m, (own.lo - span.lo) as u32),
            })
        })
    }
    fn linear_span(&self) -> ExponentRange {
        self.columns.iter().fold(ExponentRange::NONE, |span, column| span.and(*column))
    }
    /// Bits of the largest number of [`Self::columns`].
    pub(crate) fn direction_bits(&self) -> usize {
        let span = self.linear_span();
        (span.hi - span.lo).max(0) as usize
    }
}

/// Points, as mantissas and exponents.
#[derive(Clone, Copy)]
pub(crate) struct DyadicPoints<const POINTS: usize>([[Dyadic; 3]; POINTS]);

impl<const POINTS: usize> DyadicPoints<POINTS> {
    pub(crate) const ZERO: Self = Self([[Dyadic::ZERO; 3]; POINTS]);

    #[inline(always)]
    pub(crate) fn take(&mut self, points: &[[f64; 3]; POINTS]) {
        take(self.0.as_flattened_mut(), points.as_flattened());
    }
    /// The range of bits of some points' coordinates, axis by axis.
    pub(crate) fn ranges(points: &[[f64; 3]]) -> [ExponentRange; 3] {
        points.iter().fold([ExponentRange::NONE; 3], |ranges, point| {
            std::array::from_fn(|k| ranges[k].and(Dyadic::new(point[k]).span))
        })
    }
    /// The range of bits of all terms of the placed points' coordinates.
    #[inline(always)]
    pub(crate) fn span<const ROWS: usize>(&self, map: &DyadicTransform<ROWS>) -> ExponentRange {
        let mut span = map.offset;
        for k in 0..3 {
            let mut column = ExponentRange::NONE;
            for v in &self.0 {
                column = column.and(v[k].span);
            }
            span = span.and(map.columns[k].times(column));
        }
        span
    }
}

/// Two triangles and their transforms.
#[derive(Clone, Copy)]
pub(crate) struct TwoTriangles<'a> {
    pub(crate) maps: [&'a DyadicTransform<3>; 2],
    pub(crate) points: [DyadicPoints<3>; 2],
}

impl<'a> TwoTriangles<'a> {
    #[inline(always)]
    pub(crate) fn new([a, b]: &'a [DyadicTransform<3>; 2], triangles: [&[[f64; 3]; 3]; 2]) -> Self {
        Self::of([a, b], triangles)
    }
    #[inline(always)]
    pub(crate) fn of(maps: [&'a DyadicTransform<3>; 2], [p, q]: [&[[f64; 3]; 3]; 2]) -> Self {
        let mut six = Self { maps, points: [DyadicPoints::ZERO; 2] };
        six.points[0].take(p);
        six.points[1].take(q);
        six
    }
    #[inline(always)]
    pub(crate) fn lattice(&self) -> Lattice {
        Lattice::new(self.points[0].span(self.maps[0]).and(self.points[1].span(self.maps[1])))
    }
}

/// The scale on which all coordinates of some placed points are integers.
#[derive(Clone, Copy)]
pub(crate) struct Lattice {
    /// The unit is 2^lo.
    pub(crate) lo: i32,
    /// Bits of a coordinate, without sign.
    pub(crate) bits: usize,
}

impl Lattice {
    /// A number, in units of 2^lo.
    pub(crate) fn number<I: Integer>(self, x: f64) -> I {
        let x = Dyadic::new(x);
        let mut number = I::ZERO;
        if x.m != 0 {
            number.add_product(x.m, 1, (x.span.lo - self.lo) as u32);
        }
        number
    }
    #[inline]
    pub(crate) fn new(span: ExponentRange) -> Self {
        // Four terms: two bits more than the largest.
        if span.lo > span.hi {
            return Self { lo: 0, bits: 2 };
        }
        Self { lo: span.lo, bits: (span.hi - span.lo) as usize + 2 }
    }
    /// A coordinate of a placed point, in units of 2^lo.
    #[inline(always)]
    pub(crate) fn coordinate<I: Integer, const ROWS: usize, const POINTS: usize>(
        self,
        map: &DyadicTransform<ROWS>,
        points: &DyadicPoints<POINTS>,
        axis: usize,
        point: usize,
    ) -> I {
        let mut sum = I::ZERO;
        // Only a 0 may have an exponent below the lattice's: it adds nothing, however far it is shifted.
        // Poses have many zeros.
        for k in 0..3 {
            let (r, x) = (map.rows[axis][k], points.0[point][k]);
            if r.m != 0 {
                let e = r.span.lo + x.span.lo;
                sum.add_product(r.m, x.m, (e - self.lo) as u32);
            }
        }
        let t = map.t[axis];
        if t.m != 0 {
            sum.add_product(t.m, 1, (t.span.lo - self.lo) as u32);
        }
        sum
    }
}
