//! Polynomials in one variable with integer coefficients.
use super::long_integer::LongInteger;

/// A polynomial: its coefficients, the constant first. The last one is not 0, and the polynomial 0 has none.
#[derive(Clone, Debug)]
pub(super) struct Polynomial(Vec<LongInteger>);

impl Polynomial {
    pub(super) const ZERO: Self = Self(Vec::new());

    pub(super) fn new(coefficients: Vec<LongInteger>) -> Self {
        let mut new = Self(coefficients);
        new.trim();
        new
    }
    fn trim(&mut self) {
        while self.0.last().is_some_and(|c| c.sign() == 0) {
            self.0.pop();
        }
    }
    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }
    /// The degree; 0 for the polynomial 0.
    fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }
    fn accumulate(&self, o: &Self, minus: bool) -> Self {
        let mut sum = self.0.clone();
        sum.resize(sum.len().max(o.0.len()), LongInteger::ZERO);
        for (to, from) in sum.iter_mut().zip(&o.0) {
            if minus { to.subtract(from) } else { to.add(from) }
        }
        Self::new(sum)
    }
    pub(super) fn plus(&self, o: &Self) -> Self {
        self.accumulate(o, false)
    }
    pub(super) fn minus(&self, o: &Self) -> Self {
        self.accumulate(o, true)
    }
    pub(super) fn times(&self, o: &Self) -> Self {
        if self.is_zero() || o.is_zero() {
            return Self::ZERO;
        }
        let mut product = vec![LongInteger::ZERO; self.0.len() + o.0.len() - 1];
        for (i, x) in self.0.iter().enumerate() {
            for (j, y) in o.0.iter().enumerate() {
                product[i + j].add(&x.times(y));
            }
        }
        Self(product)
    }
    pub(super) fn derivative(&self) -> Self {
        let terms = self.0.iter().enumerate().skip(1);
        Self(terms.map(|(i, c)| c.times(&LongInteger::new(i as i64, 0))).collect())
    }
    /// Divides by the largest power of two that divides all coefficients.
    fn without_twos(self) -> Self {
        match self.0.iter().filter_map(LongInteger::trailing_zeros).min() {
            None | Some(0) => self,
            Some(zeros) => Self(self.0.into_iter().map(|c| c.down(zeros)).collect()),
        }
    }
    /// Quotient and remainder of c self by another polynomial, which is not 0, for some integer c != 0.
    fn divided_by(&self, o: &Self) -> [Self; 2] {
        let (mut rest, degree) = (self.clone(), o.degree());
        let Some(lead) = o.0.last() else { return [Self::ZERO, rest] };
        let mut quotient = vec![LongInteger::ZERO; (self.0.len() + 1).saturating_sub(o.0.len())];
        while rest.0.len() > degree {
            let Some(top) = rest.0.pop() else { break };
            let at = rest.0.len() - degree;
            for c in rest.0.iter_mut().chain(&mut quotient) {
                *c = c.times(lead);
            }
            for (to, from) in rest.0[at..].iter_mut().zip(&o.0) {
                to.subtract(&from.times(&top));
            }
            quotient[at] = top;
            rest.trim();
        }
        [Self::new(quotient), rest]
    }
    /// A greatest common divisor over the rational numbers, up to a factor; not of 0 and 0.
    pub(super) fn common_divisor(&self, o: &Self) -> Self {
        let (mut a, mut b) = (self.clone().without_twos(), o.clone().without_twos());
        while !b.is_zero() {
            let [_, rest] = a.divided_by(&b);
            (a, b) = (b, rest.without_twos());
        }
        a
    }
    /// A polynomial with the same roots, each of them simple.
    pub(super) fn with_simple_roots(&self) -> Self {
        let common = self.common_divisor(&self.derivative());
        if common.degree() == 0 {
            return self.clone();
        }
        let [quotient, _] = self.divided_by(&common);
        quotient.without_twos()
    }
    /// The polynomial s -> 2^(k d) p((m + s) / 2^k), for the degree d of p: that of an interval of length
    /// 2^-k as s goes from 0 to 1.
    pub(super) fn on_interval(&self, m: &LongInteger, k: u32) -> Self {
        let degree = self.degree();
        let shifted = self.0.iter().enumerate().map(|(i, c)| c.clone().up(k * (degree - i) as u32));
        let mut c: Vec<LongInteger> = shifted.collect();
        if m.sign() != 0 {
            for i in 0..degree {
                for j in (i..degree).rev() {
                    let product = c[j + 1].times(m);
                    c[j].add(&product);
                }
            }
        }
        Self(c)
    }
    /// The polynomials of the two halves of the interval 0 <= s <= 1.
    pub(super) fn halves(&self) -> [Self; 2] {
        let degree = self.degree();
        let doubled = self.0.iter().enumerate().map(|(i, c)| c.clone().up((degree - i) as u32));
        let left: Vec<LongInteger> = doubled.collect();
        let mut right = left.clone();
        for i in 0..degree {
            for j in (i..degree).rev() {
                let (low, high) = right.split_at_mut(j + 1);
                low[j].add(&high[0]);
            }
        }
        [Self(left), Self(right)]
    }
    /// The sign at s = 0.
    pub(super) fn sign_at_start(&self) -> i32 {
        self.0.first().map_or(0, LongInteger::sign)
    }
    /// The sign at s = 1.
    pub(super) fn sign_at_end(&self) -> i32 {
        let mut sum = LongInteger::ZERO;
        self.0.iter().for_each(|c| sum.add(c));
        sum.sign()
    }
    /// The sign for 0 <= s <= 1, if it is certainly one, and not 0: the constant outweighs the coefficients
    /// of the other sign.
    pub(super) fn certain_sign(&self) -> Option<i32> {
        let (first, others) = self.0.split_first()?;
        let mut bound = first.clone();
        others.iter().filter(|c| c.sign() == -first.sign()).for_each(|c| bound.add(c));
        (bound.sign() == first.sign() && first.sign() != 0).then(|| first.sign())
    }
}

/// A vector of polynomials.
pub(super) type MovingVector = [Polynomial; 3];

pub(super) fn difference(a: &MovingVector, b: &MovingVector) -> MovingVector {
    std::array::from_fn(|k| a[k].minus(&b[k]))
}
pub(super) fn product(a: &MovingVector, b: &MovingVector) -> MovingVector {
    let minor = |i: usize, j: usize| a[i].times(&b[j]).minus(&a[j].times(&b[i]));
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}
pub(super) fn scalar_product(a: &MovingVector, b: &MovingVector) -> Polynomial {
    a[0].times(&b[0]).plus(&a[1].times(&b[1])).plus(&a[2].times(&b[2]))
}
