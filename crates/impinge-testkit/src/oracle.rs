//! Decides whether two placed triangles share a point, in integers and by linear algebra only.
//!
//! The method is independent of the library's, so that it disagrees if the library is wrong: no
//! floating-point arithmetic, no orientation predicate, no case for coplanar or degenerate input. The
//! triangles P and Q meet if there are weights
//!
//! ```text
//! a0 P0 + a1 P1 + a2 P2 = b0 Q0 + b1 Q1 + b2 Q2,    a0 + a1 + a2 = b0 + b1 + b2,    all >= 0, not all 0
//! ```
//!
//! (dividing by the common sum gives two convex combinations of the same point). This is a homogeneous system
//! of 4 equations in 6 unknowns. Gauss-Jordan elimination without fractions (Bareiss 1968) expresses as many
//! unknowns as its rank as linear forms in the others, the free ones. The remaining test is whether the cone
//! of free unknowns >= 0 on which all those forms are >= 0 contains more than the origin; its rays are found
//! form by form (double description, Motzkin et al. 1953). Triangles that are segments or points, or
//! coplanar, only lower the rank.
#[path = "oracle/distance.rs"]
mod distance;
#[path = "oracle/elsewhere.rs"]
mod elsewhere;
#[path = "oracle/height.rs"]
mod height;
#[path = "oracle/ray.rs"]
mod ray;

pub use self::{
    distance::{compare_distance, compare_distance_with_sum},
    elsewhere::meet_elsewhere,
    height::compare_height,
    ray::{is_in_region, segment_meets},
};
use impinge::Pose;
use num_bigint::BigInt;
use num_rational::Ratio;
use std::cmp::Ordering;

/// True if the closed triangles `p` and `q`, placed at R v + t over the real numbers, share a point.
///
/// A degenerate triangle is a segment or a point. All input must be finite.
pub fn intersects(p: &[[f64; 3]; 3], pose_p: &Pose, q: &[[f64; 3]; 3], pose_q: &Pose) -> bool {
    let exact: [[Term; 24]; 3] = std::array::from_fn(|axis| terms(p, pose_p, q, pose_q, axis));
    // In 128 bits while they suffice for every number, then in as many as necessary.
    let answer = match corners::<i128>(&exact) {
        Some(at) if apart(&at) => Some(false),
        Some(at) => decide(&at).or_else(|| decide(&at.map(|row| row.map(BigInt::from)))),
        None => corners::<BigInt>(&exact).and_then(|at| if apart(&at) { Some(false) } else { decide(&at) }),
    };
    answer.unwrap_or_else(|| unreachable!("big integers do not overflow"))
}

/// `mantissa` * 2^`exponent`; the mantissa is odd, or 0.
#[derive(Clone, Copy, Default)]
pub(crate) struct Term {
    pub(crate) mantissa: i128,
    pub(crate) exponent: i32,
}

impl Term {
    /// The exact value of a finite number.
    pub(crate) fn of(x: f64) -> Self {
        let bits = x.to_bits();
        let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
        let (magnitude, exponent) =
            if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
        if magnitude == 0 {
            return Self::default();
        }
        let odd = magnitude >> magnitude.trailing_zeros();
        let mantissa = i128::from(if x < 0.0 { -odd } else { odd });
        Self { mantissa, exponent: exponent + magnitude.trailing_zeros() as i32 }
    }

    /// The number as a fraction.
    pub(crate) fn rational(self) -> Ratio<BigInt> {
        let whole = Ratio::from_integer(BigInt::from(1) << self.exponent.unsigned_abs());
        Ratio::from_integer(BigInt::from(self.mantissa))
            * if self.exponent < 0 { whole.recip() } else { whole }
    }

    /// The product: at most 106 bits, and odd times odd is odd.
    pub(crate) fn times(self, other: Self) -> Self {
        Self { mantissa: self.mantissa * other.mantissa, exponent: self.exponent + other.exponent }
    }
}

/// One coordinate of the six placed corners, each as a sum of four terms.
fn terms(p: &[[f64; 3]; 3], pose_p: &Pose, q: &[[f64; 3]; 3], pose_q: &Pose, axis: usize) -> [Term; 24] {
    let mut out = [Term::default(); 24];
    for (corner, sum) in out.chunks_exact_mut(4).enumerate() {
        let (v, pose) = if corner < 3 { (&p[corner], pose_p) } else { (&q[corner - 3], pose_q) };
        let row = &pose.rows()[axis];
        for k in 0..3 {
            sum[k] = Term::of(row[k]).times(Term::of(v[k]));
        }
        sum[3] = Term::of(pose.translation()[axis]);
    }
    out
}

/// The coordinates of P0, P1, P2, Q0, Q1, Q2 by axis, as integers: multiples of the smallest power of two
/// among the axis's terms, counted from P0 so that they are small. `None` if a number outgrew `I`.
fn corners<I: Int>(exact: &[[Term; 24]; 3]) -> Option<[[I; 6]; 3]> {
    let mut out = [(); 3].map(|()| [0; 6].map(I::from_i128));
    for (axis, terms) in out.iter_mut().zip(exact) {
        let smallest = terms.iter().filter(|t| t.mantissa != 0).map(|t| t.exponent).min().unwrap_or(0);
        for (sum, terms) in axis.iter_mut().zip(terms.chunks_exact(4)) {
            for term in terms.iter().filter(|t| t.mantissa != 0) {
                *sum = sum.plus(&I::shifted(term.mantissa, (term.exponent - smallest) as u32)?)?;
            }
        }
        let p0 = axis[0].clone();
        for at in axis.iter_mut() {
            *at = at.minus(&p0)?;
        }
    }
    Some(out)
}

/// True if one coordinate alone separates P and Q, which decides most pairs.
fn apart<I: Ord>(at: &[[I; 6]; 3]) -> bool {
    at.iter().any(|axis| {
        let (p, q) = axis.split_at(3);
        p.iter().max() < q.iter().min() || q.iter().max() < p.iter().min()
    })
}

/// The result for corners measured from any origin and in any unit on each axis, as neither affects the
/// solutions. `None` if a number outgrew `I`.
fn decide<I: Int>(at: &[[I; 6]; 3]) -> Option<bool> {
    let mut equations = Vec::with_capacity(4);
    equations.push([1, 1, 1, -1, -1, -1].map(I::from_i128));
    for axis in at {
        let mut row = axis.clone();
        for entry in &mut row[3..] {
            *entry = entry.negative()?;
        }
        equations.push(row);
    }
    let forms = eliminate(equations)?;
    holds_a_ray(&forms.rows, forms.unknowns)
}

/// Linear forms in free unknowns.
struct Forms<I> {
    rows: Vec<Vec<I>>,
    unknowns: usize,
}

/// Solves the equations for as many unknowns as they determine: returns these, each times one positive
/// number, as forms in the others.
fn eliminate<I: Int>(mut m: Vec<[I; 6]>) -> Option<Forms<I>> {
    let mut pivots = Vec::with_capacity(4);
    let mut last = I::from_i128(1);
    for column in 0..6 {
        let rank = pivots.len();
        let Some(row) = (rank..m.len()).find(|&r| m[r][column].sign() != Ordering::Equal) else { continue };
        m.swap(rank, row);
        pivots.push(column);
        let pivot = m[rank].clone();
        for (_, row) in m.iter_mut().enumerate().filter(|(r, _)| *r != rank) {
            let factor = row[column].clone();
            if factor.sign().is_eq() && pivot[column] == last {
                continue;
            }
            for k in (0..6).filter(|k| !pivots.contains(k)) {
                // Every entry is a minor of the first matrix, so the division has no remainder.
                let cross = pivot[column].times(&row[k])?.minus(&factor.times(&pivot[k])?)?;
                row[k] = cross.over(&last)?;
            }
        }
        last = pivot[column].clone();
    }
    let free: Vec<usize> = (0..6).filter(|k| !pivots.contains(k)).collect();
    // Row r now means: last * x[pivots[r]] + sum over the free k of m[r][k] * x[k] = 0.
    let mut rows = Vec::with_capacity(pivots.len());
    for row in &m[..pivots.len()] {
        let form =
            free.iter().map(|&k| if last.sign().is_gt() { row[k].negative() } else { Some(row[k].clone()) });
        rows.push(form.collect::<Option<Vec<I>>>()?);
    }
    Some(Forms { rows, unknowns: free.len() })
}

/// True if some y >= 0 other than 0 makes every form >= 0.
fn holds_a_ray<I: Int>(forms: &[Vec<I>], unknowns: usize) -> Option<bool> {
    // The current cone is the span of these rays with weights >= 0: at first, all y >= 0.
    let unit = |k| (0..unknowns).map(|i| I::from_i128(i128::from(i == k))).collect();
    let mut rays: Vec<Vec<I>> = (0..unknowns).map(unit).collect();
    for form in forms {
        let mut values = Vec::with_capacity(rays.len());
        for ray in &rays {
            let mut value = I::from_i128(0);
            for (f, y) in form.iter().zip(ray) {
                value = value.plus(&f.times(y)?)?;
            }
            values.push(value);
        }
        // Cut the cone with the half-space: the rays inside stay, and each ray inside spans with each outside
        // one on its boundary. Some of those are redundant, which does no harm.
        let mut cut = Vec::new();
        for (inside, above) in rays.iter().zip(&values).filter(|(_, v)| v.sign().is_gt()) {
            for (outside, below) in rays.iter().zip(&values).filter(|(_, v)| v.sign().is_lt()) {
                cut.push(match form.as_slice() {
                    // The same ray in smaller numbers: with two unknowns only one is on the boundary.
                    [f, g] => vec![g.magnitude()?, f.magnitude()?],
                    _ => {
                        let mut ray = Vec::with_capacity(unknowns);
                        for (i, o) in inside.iter().zip(outside) {
                            ray.push(above.times(o)?.minus(&below.times(i)?)?);
                        }
                        ray
                    }
                });
            }
        }
        let mut kept = values.iter().map(|v| v.sign().is_ge());
        rays.retain(|_| kept.next().unwrap_or(false));
        rays.append(&mut cut);
        if rays.is_empty() {
            return Some(false);
        }
    }
    Some(true)
}

/// Integer operations of the method. `None` always means an overflow.
trait Int: Clone + Ord + Sized {
    fn from_i128(x: i128) -> Self;
    fn shifted(x: i128, left: u32) -> Option<Self>;
    fn plus(&self, other: &Self) -> Option<Self>;
    fn minus(&self, other: &Self) -> Option<Self>;
    fn times(&self, other: &Self) -> Option<Self>;
    /// The quotient. `other` must not be 0, and must leave no remainder.
    fn over(self, other: &Self) -> Option<Self>;
    fn sign(&self) -> Ordering;

    fn negative(&self) -> Option<Self> {
        Self::from_i128(0).minus(self)
    }
    fn magnitude(&self) -> Option<Self> {
        if self.sign().is_lt() { self.negative() } else { Some(self.clone()) }
    }
}

impl Int for i128 {
    fn from_i128(x: i128) -> Self {
        x
    }
    fn shifted(x: i128, left: u32) -> Option<Self> {
        // The sign needs one bit more than the magnitude.
        (x.unsigned_abs().leading_zeros() > left.saturating_add(1)).then(|| x << left)
    }
    fn plus(&self, other: &Self) -> Option<Self> {
        self.checked_add(*other)
    }
    fn minus(&self, other: &Self) -> Option<Self> {
        self.checked_sub(*other)
    }
    fn times(&self, other: &Self) -> Option<Self> {
        self.checked_mul(*other)
    }
    fn over(self, other: &Self) -> Option<Self> {
        self.checked_div(*other)
    }
    fn sign(&self) -> Ordering {
        self.cmp(&0)
    }
}

impl Int for BigInt {
    fn from_i128(x: i128) -> Self {
        Self::from(x)
    }
    fn shifted(x: i128, left: u32) -> Option<Self> {
        Some(Self::from(x) << left)
    }
    fn plus(&self, other: &Self) -> Option<Self> {
        Some(self + other)
    }
    fn minus(&self, other: &Self) -> Option<Self> {
        Some(self - other)
    }
    fn times(&self, other: &Self) -> Option<Self> {
        // Zeros are frequent, and skipping them is cheaper.
        Some(if Int::sign(self).is_eq() || Int::sign(other).is_eq() { Self::default() } else { self * other })
    }
    fn over(self, other: &Self) -> Option<Self> {
        Some(if *other == Self::from(1) { self } else { self / other })
    }
    fn sign(&self) -> Ordering {
        self.sign().cmp(&num_bigint::Sign::NoSign)
    }
}
