//! Continuous collision in rational numbers, without a filter, by Sturm sequences.
//!
//! Contact is decided by signs of polynomials in t. Between two roots of any of them all signs are constant,
//! so contact begins at 0 or at a root of one of them. If the points are not always in one plane, the roots
//! of their determinant are enough. No other argument about the geometry is used. The formulas for points in
//! triangles and for segments differ from those of the core.
use super::{Case, Kind};
use num_bigint::BigInt;
use num_rational::Ratio;

type Rational = Ratio<BigInt>;

fn rational(x: f64) -> Rational {
    let bits = x.to_bits();
    let (raw, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
    let (m, e) = if raw == 0 { (fraction, -1074) } else { (fraction | 1 << 52, raw - 1075) };
    let m = BigInt::from(if x < 0.0 { -m } else { m });
    if e < 0 { Ratio::new(m, BigInt::from(1) << -e) } else { Ratio::from_integer(m << e) }
}

fn sign(x: &BigInt) -> i32 {
    i32::from(*x > BigInt::ZERO) - i32::from(*x < BigInt::ZERO)
}

/// A polynomial with integer coefficients, the constant first, trimmed.
#[derive(Clone, Debug, PartialEq)]
struct Poly(Vec<BigInt>);

impl Poly {
    fn new(mut c: Vec<BigInt>) -> Self {
        while c.last().is_some_and(|c| sign(c) == 0) {
            c.pop();
        }
        Self(c)
    }
    fn combine(&self, o: &Self, factor: i32) -> Self {
        let mut c = self.0.clone();
        c.resize(c.len().max(o.0.len()), BigInt::ZERO);
        for (to, from) in c.iter_mut().zip(&o.0) {
            *to += from * factor;
        }
        Self::new(c)
    }
    fn plus(&self, o: &Self) -> Self {
        self.combine(o, 1)
    }
    fn minus(&self, o: &Self) -> Self {
        self.combine(o, -1)
    }
    fn times(&self, o: &Self) -> Self {
        let mut c = vec![BigInt::ZERO; self.0.len() + o.0.len()];
        for (i, x) in self.0.iter().enumerate() {
            for (j, y) in o.0.iter().enumerate() {
                c[i + j] += x * y;
            }
        }
        Self::new(c)
    }
    /// The sign at a rational number.
    fn at(&self, x: &Rational) -> i32 {
        let mut power = BigInt::from(1);
        let mut sum = BigInt::ZERO;
        for c in self.0.iter().rev() {
            sum = sum * x.numer() + c * &power;
            power *= x.denom();
        }
        sign(&sum)
    }
    fn derivative(&self) -> Self {
        Self::new(self.0.iter().enumerate().skip(1).map(|(i, c)| c * i).collect())
    }
    /// Divided by the greatest common divisor of the coefficients.
    fn scaled(self) -> Self {
        let mut common = BigInt::ZERO;
        for c in self.0.iter().filter(|c| sign(c) != 0) {
            let size = BigInt::from(c.magnitude().clone());
            common = &size
                / Ratio::new(size.clone(), if sign(&common) == 0 { size.clone() } else { common }).numer();
        }
        Self(self.0.iter().map(|c| c / &common).collect())
    }
    /// Quotient and remainder of a positive multiple.
    fn divide(&self, o: &Self) -> [Self; 2] {
        let (mut rest, mut quotient) = (self.0.clone(), vec![BigInt::ZERO; self.0.len()]);
        let top = o.0.last().unwrap();
        let size = BigInt::from(top.magnitude().clone());
        while rest.len() >= o.0.len() {
            let at = rest.len() - o.0.len();
            let factor = rest.pop().unwrap() * sign(top);
            rest.iter_mut().chain(&mut quotient).for_each(|c| *c *= &size);
            for (i, c) in o.0[..o.0.len() - 1].iter().enumerate() {
                rest[at + i] -= &factor * c;
            }
            quotient[at] = factor;
        }
        [Self::new(quotient), Self::new(rest)]
    }
    fn gcd(&self, o: &Self) -> Self {
        let (mut a, mut b) = (self.clone().scaled(), o.clone().scaled());
        while !b.0.is_empty() {
            let [_, rest] = a.divide(&b);
            (a, b) = (b, rest.scaled());
        }
        a
    }
    fn square_free(&self) -> Self {
        let common = self.gcd(&self.derivative());
        if common.0.len() <= 1 { self.clone() } else { self.divide(&common)[0].clone().scaled() }
    }
    fn sturm(&self) -> Vec<Self> {
        let mut all = vec![self.clone(), self.derivative()];
        loop {
            let [.., a, b] = &all[..] else { unreachable!() };
            if b.0.is_empty() {
                all.pop();
                return all;
            }
            let next = Self(a.divide(b)[1].0.iter().map(|c| -c).collect());
            all.push(next.scaled());
        }
    }
}

/// Sign changes of a sequence at x.
fn changes(sequence: &[Poly], x: &Rational) -> usize {
    let signs: Vec<i32> = sequence.iter().map(|p| p.at(x)).filter(|s| *s != 0).collect();
    signs.windows(2).filter(|w| w[0] != w[1]).count()
}

/// The only root of a square-free polynomial in (lo, hi), where it is not 0 at the ends; or lo = hi.
#[derive(Clone, Debug)]
struct Root {
    p: Poly,
    lo: Rational,
    hi: Rational,
}

impl Root {
    fn at(x: Rational) -> Self {
        Self { p: Poly::new(Vec::new()), lo: x.clone(), hi: x }
    }
    fn refine(&mut self) {
        let middle = (&self.lo + &self.hi) / BigInt::from(2);
        let at = self.p.at(&middle);
        if at == 0 {
            (self.lo, self.hi) = (middle.clone(), middle);
        } else if at == self.p.at(&self.lo) {
            self.lo = middle;
        } else {
            self.hi = middle;
        }
    }
    fn sign(&mut self, g: &Poly) -> i32 {
        if self.lo == self.hi {
            return g.at(&self.lo);
        }
        if g.0.is_empty() {
            return 0;
        }
        let common = self.p.gcd(g);
        if common.0.len() > 1 && common.at(&self.lo) != common.at(&self.hi) {
            return 0;
        }
        let sturm = g.square_free().sturm();
        loop {
            let ends = [g.at(&self.lo), g.at(&self.hi)];
            if ends[0] != 0 && ends[1] != 0 && changes(&sturm, &self.lo) == changes(&sturm, &self.hi) {
                return ends[0];
            }
            self.refine();
            if self.lo == self.hi {
                return g.at(&self.lo);
            }
        }
    }
    /// Compares the root with a number.
    fn compare(&mut self, x: f64) -> i32 {
        let x = rational(x);
        self.sign(&Poly::new(vec![-x.numer(), x.denom().clone()]))
    }
}

/// The roots in [0, 1].
fn roots(p: &Poly) -> Vec<Root> {
    let p = p.square_free();
    let mut found = Vec::new();
    if p.0.len() <= 1 {
        return found;
    }
    if p.at(&rational(0.0)) == 0 {
        found.push(Root::at(rational(0.0)));
    }
    let sturm = p.sturm();
    let mut waiting = vec![[rational(0.0), rational(1.0)]];
    while let Some([lo, hi]) = waiting.pop() {
        // Roots in (lo, hi].
        let count = changes(&sturm, &lo) - changes(&sturm, &hi);
        if count == 1 && p.at(&hi) == 0 {
            found.push(Root::at(hi));
        } else if count == 1 && p.at(&lo) != 0 {
            found.push(Root { p: p.clone(), lo, hi });
        } else if count > 0 {
            let middle = (&lo + &hi) / BigInt::from(2);
            waiting.extend([[lo, middle.clone()], [middle, hi]]);
        }
    }
    found
}

type V = [Poly; 3];

fn sub(a: &V, b: &V) -> V {
    std::array::from_fn(|k| a[k].minus(&b[k]))
}
fn cross(a: &V, b: &V) -> V {
    let minor = |i: usize, j: usize| a[i].times(&b[j]).minus(&a[j].times(&b[i]));
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}
fn dot(a: &V, b: &V) -> Poly {
    a[0].times(&b[0]).plus(&a[1].times(&b[1])).plus(&a[2].times(&b[2]))
}

/// Polynomials whose signs decide whether p is on the segment from a to b.
struct OnSegment {
    m: V,
    ends: Poly,
}

impl OnSegment {
    fn new(p: &V, a: &V, b: &V) -> Self {
        let (from, to) = (sub(p, a), sub(p, b));
        Self { m: cross(&from, &to), ends: dot(&from, &to) }
    }
    fn polynomials(&self) -> Vec<&Poly> {
        self.m.iter().chain([&self.ends]).collect()
    }
    fn holds(&self, time: &mut Root) -> bool {
        self.m.iter().all(|m| time.sign(m) == 0) && time.sign(&self.ends) <= 0
    }
}

/// The contact times that may be the first.
#[derive(Debug)]
pub(super) struct Contacts(Vec<Root>);

impl Contacts {
    pub(super) fn of(case: &Case) -> Self {
        let [start, end] = &case.points;
        // All coordinates as integers, in a common unit.
        let all = case.points.as_flattened().as_flattened();
        let unit = all.iter().map(|x| rational(*x).denom().clone()).max().unwrap();
        let integer = |x: f64| (rational(x) * &unit).numer().clone();
        let points: [V; 4] = std::array::from_fn(|i| {
            std::array::from_fn(|k| {
                let (from, to) = (integer(start[i][k]), integer(end[i][k]));
                Poly::new(vec![from.clone(), to - from])
            })
        });
        let [a, b, c, d] = &points;
        let (u, v, w, segments) = match case.kind {
            Kind::PointTriangle => {
                let segments = [[a, b, c], [a, c, d], [a, d, b]].map(|[p, x, y]| OnSegment::new(p, x, y));
                (sub(c, b), sub(d, b), sub(a, b), Vec::from(segments))
            }
            Kind::EdgeEdge => {
                let all = [[a, c, d], [b, c, d], [c, a, b], [d, a, b]];
                (sub(b, a), sub(d, c), sub(c, a), all.map(|[p, x, y]| OnSegment::new(p, x, y)).into())
            }
        };
        let n = cross(&u, &v);
        let f = dot(&n, &w);
        // Where n is not 0, contact is where no product of a pair is positive, or all of the others are >= 0.
        let (opposite, positive) = match case.kind {
            Kind::PointTriangle => {
                let [alpha, beta] = [dot(&cross(&w, &v), &n), dot(&cross(&u, &w), &n)];
                let rest = dot(&n, &n).minus(&alpha).minus(&beta);
                (vec![], vec![alpha, beta, rest])
            }
            Kind::EdgeEdge => {
                let side = |along: &V, from: &V, p: &V| dot(&cross(along, &sub(p, from)), &n);
                let pairs = vec![[side(&u, a, c), side(&u, a, d)], [side(&v, c, a), side(&v, c, b)]];
                (pairs, vec![])
            }
        };
        let mut times = vec![Root::at(rational(0.0))];
        if f.0.is_empty() {
            let all = n.iter().chain(&positive).chain(opposite.iter().flatten());
            let all = all.chain(segments.iter().flat_map(OnSegment::polynomials));
            let mut seen: Vec<Poly> = Vec::new();
            for p in all.map(|p| p.clone().scaled()).filter(|p| p.0.len() > 1) {
                if !seen.contains(&p) {
                    times.extend(roots(&p));
                    seen.push(p);
                }
            }
        } else {
            times.extend(roots(&f));
        }
        times.retain_mut(|time| {
            if time.sign(&f) != 0 {
                return false;
            }
            if n.iter().all(|n| time.sign(n) == 0) {
                return segments.iter().any(|segment| segment.holds(time));
            }
            positive.iter().all(|p| time.sign(p) >= 0)
                && opposite.iter().all(|[x, y]| time.sign(x) * time.sign(y) <= 0)
        });
        Self(times)
    }
    /// True if there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// True if the first one is in [lo, hi].
    pub(super) fn first_is_within(&mut self, lo: f64, hi: f64) -> bool {
        self.0.iter_mut().all(|time| time.compare(lo) >= 0)
            && self.0.iter_mut().any(|time| time.compare(hi) <= 0)
    }
    /// True if the first one is x.
    pub(super) fn first_is(&mut self, x: f64) -> bool {
        self.first_is_within(x, x)
    }
}
