//! One element of a proxy: its distance from a point.
use crate::{
    Pose, Query, Rounded,
    broad_phase::Aabb,
    posed::distance::{TriangleAt, compare},
    solid::{FillRule, Location},
    vector::{UNIT, Vector, length, sub},
    world::rotated,
};

/// A ball or a body, with the winding number of the inside of a convex one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Element<'a> {
    Ball { center: Vector, radius: f64 },
    Body { body: Rounded<'a>, winding: Option<i32> },
}

/// A point, and an estimate of it in f64.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearPoint {
    pub(super) at: Vector,
    /// Bound of the distance from the exact point; 0 if the point is exact.
    pub(super) off: f64,
}

/// Bounds of a distance that is negative inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignedBounds {
    pub(super) lo: f64,
    pub(super) hi: f64,
}

impl<'a> Element<'a> {
    pub(super) fn of(body: Rounded<'a>) -> Self {
        Self::Body { body, winding: body.body().model.convex_winding() }
    }
    /// True if the distance is a convex function, as the inside belongs to the element.
    pub(super) fn is_convex(&self, rule: FillRule) -> bool {
        match self {
            Self::Ball { .. } => true,
            // A triangle, a segment and a point are convex.
            Self::Body { body, winding } => {
                body.body().model.mesh().len() == 1 || winding.is_some_and(|winding| rule.holds(winding))
            }
        }
    }
    /// A box around it.
    pub(super) fn extent(&self) -> Aabb {
        let (Aabb { lo, hi }, radius) = match self {
            Self::Ball { center, radius } => (Aabb { lo: *center, hi: *center }, *radius),
            Self::Body { body, .. } => (rotated(body.body().model, &body.body().pose), body.radius()),
        };
        Aabb { lo: lo.map(|x| (x - radius).next_down()), hi: hi.map(|x| (x + radius).next_up()) }
    }

    /// The distance of a point, negative inside.
    pub(super) fn distance(&self, query: &mut Query, point: &NearPoint) -> SignedBounds {
        // An overflow.
        if !(point.off < f64::INFINITY && point.at.iter().all(|x| x.is_finite())) {
            return SignedBounds { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
        }
        let (SignedBounds { lo, hi }, radius) = match self {
            Self::Ball { center, radius } => (distance_of_points(&point.at, center), *radius),
            Self::Body { body, .. } => (from_surface(query, body, point.at), body.radius()),
        };
        let less = radius + point.off;
        let bounds = SignedBounds { lo: (lo - less.next_up()).next_down(), hi: (hi - radius).next_up() };
        let bounds = SignedBounds { hi: (bounds.hi + point.off).next_up(), ..bounds };
        if point.off == 0.0 && bounds.lo <= 0.0 && 0.0 <= bounds.hi {
            return bounds.on_side(self.locate(query, point.at));
        }
        bounds
    }

    /// Where an exact point is, exactly.
    fn locate(&self, query: &mut Query, at: Vector) -> Location {
        match self {
            Self::Ball { center, radius } => {
                let [p, q] = [at, *center].map(|v| [v; 3]);
                let [a, b] = [&p, &q].map(|corners| TriangleAt { pose: &Pose::IDENTITY, corners });
                match compare(a, b, &[*radius]) {
                    std::cmp::Ordering::Less => Location::Inside,
                    std::cmp::Ordering::Equal => Location::OnSurface,
                    std::cmp::Ordering::Greater => Location::Outside,
                }
            }
            Self::Body { body, .. } => {
                query.locate(body, &[at]).first().copied().unwrap_or(Location::Undefined)
            }
        }
    }
}

impl SignedBounds {
    /// The bounds, given on which side of the surface the point is. A point is outside of a mesh that bounds
    /// no solid, but for the points on it.
    fn on_side(self, side: Location) -> Self {
        let Self { lo, hi } = self;
        match side {
            Location::Inside => Self { lo, hi: hi.min(0.0) },
            Location::OnSurface => Self { lo: 0.0, hi: 0.0 },
            Location::Outside | Location::Undefined => Self { lo: lo.max(f64::from_bits(1)), hi },
        }
    }
}

/// Differences round once each, the length by 3 u; squares that underflow take less than 1e-150.
fn distance_of_points(a: &Vector, b: &Vector) -> SignedBounds {
    let distance = length(sub(*a, *b));
    if distance == f64::INFINITY {
        return SignedBounds { lo: f64::NEG_INFINITY, hi: distance };
    }
    SignedBounds { lo: distance * (1.0 - 8.0 * UNIT) - 1e-150, hi: distance * (1.0 + 8.0 * UNIT) + 1e-150 }
}

/// The distance of a point of f64 from the triangles of a body, negative inside of a solid.
fn from_surface(query: &mut Query, body: &Rounded<'_>, at: Vector) -> SignedBounds {
    let body = body.body();
    let Some(near) = query.closest_point(&body, at) else {
        return SignedBounds { lo: f64::INFINITY, hi: f64::INFINITY };
    };
    let is_inside = query.locate(&body, &[at]).first() == Some(&Location::Inside);
    let SignedBounds { lo, hi } = SignedBounds { lo: near.lo, hi: near.hi };
    if is_inside { SignedBounds { lo: -hi, hi: -lo } } else { SignedBounds { lo, hi } }
}
