//! Clashes of curved bodies that meshes approximate: definite, impossible or undecided.
//!
//! # Meaning of a chord tolerance
//! A mesh has the chord tolerance c if its surface can be deformed continuously into the true one without a
//! point of it ever being more than c from the mesh, and without a point of the mesh ever being more than c
//! from it. A mesher with a chordal error (sag, linear deflection) of c makes such a mesh of a smooth
//! surface. Two things follow, for bodies A and B with the tolerances a and b, and C = a + b:
//!
//! * *Distances* change by at most C. From each point of a true surface there is a point of the mesh within
//!   its tolerance, and the other way round.
//! * *Inside stays inside.* The surface of A, as it is deformed, never meets a point that is farther than a
//!   from A's triangles. So that point's winding number is that of the mesh.
//!
//! # The three verdicts
//! The query decides whether the true bodies are at most d apart, as solids: 0 apart if one is inside the
//! other.
//!
//! * *Clear:* the triangles are farther than d + C apart, and neither mesh is inside the other. The true
//!   surfaces are then farther than d apart. As all of A's surface stays farther than b from B's triangles,
//!   it stays outside of B.
//! * *Definite:* one of these five holds.
//!   1. The triangles are at most d - C apart.
//!   2. The triangles are farther than C apart, and one body is inside the other: all of it stays there.
//!   3. A corner of A is inside of B and farther than C from B's triangles. Within a of the corner is a point
//!      of A's true surface. This point is still inside of B and farther than b from B's triangles, and so
//!      inside of the true B. Next to it there are points inside of the true A.
//!   4. A corner of B is inside of A and farther than C from A's triangles.
//!   5. A point is inside of A and farther than a from A's triangles, and inside of B and farther than b from
//!      B's triangles: it is inside of both true bodies. Bars that cross have such points, and no corners in
//!      each other.
//! * *Possible:* all else.
//!
//! Sums and differences are rounded outwards: d + C up, d - C down, unless they are exact.
mod query;

use crate::{
    Pose,
    contact::ContactPoint,
    margin::Margin,
    penetration::Depth,
    posed::twice::two_sum,
    vector::{Vector, cross, dot},
};

/// Certainty of a clash of two bodies whose triangles approximate curved surfaces: the result of
/// [`Query::certainty`](crate::Query::certainty).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Certainty {
    /// The true bodies are certainly farther apart.
    Clear,
    /// The triangles determine neither.
    Possible,
    /// The true bodies are certainly that near, or overlap.
    Definite,
}

/// Margins that triangles are compared with.
pub(crate) struct Limits {
    /// C, no less than the sum of both tolerances. `None` if f64 cannot hold it: then no bodies can be
    /// proved farther apart.
    pub(crate) both: Option<Margin>,
    /// d + C: a pair of triangles that is farther apart has true surfaces farther apart than the clearance.
    /// `None` if f64 cannot hold it.
    pub(crate) farther: Option<Margin>,
    /// d - C: a pair of triangles no farther apart has true surfaces within the clearance. `None` if it is
    /// negative, or C is `None`.
    pub(crate) as_near: Option<Margin>,
}

impl Limits {
    pub(crate) fn new([a, b]: [Margin; 2], clearance: Margin) -> Self {
        let both = Margin::sum([a.get(), b.get(), 0.0]).ok();
        let farther = Margin::sum([clearance.get(), a.get(), b.get()]).ok();
        let as_near = both.and_then(|both| Margin::new(difference_down(clearance.get(), both.get())).ok());
        Self { both, farther, as_near }
    }
    /// True if a corner lies deeper in the other body than both tolerances together.
    pub(crate) fn are_less_than(&self, depth: Option<Depth>) -> bool {
        depth.zip(self.both).is_some_and(|(depth, both)| depth.length > both.get())
    }
}

/// A guess of a point that is inside of both bodies: behind both faces of a contact, 1.5 times as deep as the
/// larger tolerance. `None` if there are no two normals, or they are opposite.
pub(crate) fn in_both(contact: &ContactPoint, poses: [&Pose; 2], chords: [Margin; 2]) -> Option<Vector> {
    let depth = 1.5 * chords[0].get().max(chords[1].get());
    let [m, n] = [0, 1].map(|k| {
        let [x, y, z] = *poses[k].rows();
        // A mirror turns faces' normals inwards.
        let sign = if dot(cross(x, y), z) < 0.0 { -1.0 } else { 1.0 };
        contact.normals[k].map(|normal| normal.map(|c| sign * c))
    });
    let (m, n) = (m?, n?);
    let cosine = dot(m, n);
    if cosine < -0.999 {
        return None;
    }
    // The sum of both normals is as far behind the one face as behind the other.
    let by = depth / (1.0 + cosine);
    let point = [0, 1, 2].map(|k| contact.point[k] - by * (m[k] + n[k]));
    // Bodies may be beyond f64.
    point.iter().all(|x| x.is_finite()).then_some(point)
}

/// x - y rounded down, of numbers that are not negative.
fn difference_down(x: f64, y: f64) -> f64 {
    let (difference, error) = two_sum(x, -y);
    if error < 0.0 { difference.next_down() } else { difference }
}

#[cfg(test)]
mod tests {
    use super::{Limits, difference_down};
    use crate::margin::Margin;
    use crate::margin::sum_up;

    #[test]
    fn sums_are_exact_or_rounded_outwards() {
        assert_eq!(sum_up(1.0, 0.5), 1.5);
        assert_eq!(sum_up(1.0, 1e-30), 1_f64.next_up());
        assert_eq!(sum_up(1.0, 1.25 * f64::EPSILON), 1.0 + 2.0 * f64::EPSILON);
        assert_eq!(sum_up(f64::from_bits(1), f64::from_bits(1)), f64::from_bits(2));
        assert_eq!(sum_up(f64::MAX, f64::MAX), f64::INFINITY);
        assert_eq!(difference_down(1.0, 0.25), 0.75);
        assert_eq!(difference_down(1.0, 1e-30), 1_f64.next_down());
        assert_eq!(difference_down(1.0, 1.0), 0.0);
        assert!(difference_down(1.0, 1_f64.next_up()) < 0.0);
    }

    #[test]
    fn without_tolerances_all_limits_are_the_clearance() {
        let at = |x: f64| Margin::new(x).unwrap();
        let limits = Limits::new([Margin::ZERO; 2], at(0.1));
        assert_eq!((limits.farther, limits.as_near), (Some(at(0.1)), Some(at(0.1))));
        let limits = Limits::new([at(0.5), at(0.25)], at(1.0));
        assert_eq!((limits.farther, limits.as_near), (Some(at(1.75)), Some(at(0.25))));
        assert_eq!(Limits::new([at(0.5), at(0.25)], at(0.5)).as_near, None);
        let limits = Limits::new([at(f64::MAX); 2], at(1.0));
        assert!(limits.both.is_none() && limits.farther.is_none() && limits.as_near.is_none());
    }
}
