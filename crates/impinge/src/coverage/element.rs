//! One element of a proxy: its distance from a point.
use super::{
    cylinder::Cylinder,
    facet::most_to_triangle,
    near_point::{Asked, NearPoint},
    signed_bounds::SignedBounds,
};
use crate::{
    Body, Pose, Query, Rounded,
    broad_phase::Aabb,
    distance::ClosestPoint,
    posed::distance::{TriangleAt, compare},
    solid::{FillRule, Location},
    vector::{UNIT, Vector, length, sub},
    world::rotated,
};
use std::cmp::Ordering;

/// A ball, a cylinder or a body, with the winding number of the inside of a convex one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Element<'a> {
    Ball { center: Vector, radius: f64 },
    Cylinder(Cylinder),
    Body { body: Rounded<'a>, winding: Option<i32> },
}

impl<'a> Element<'a> {
    pub(super) fn of(body: Rounded<'a>) -> Self {
        Self::Body { body, winding: body.body().model.convex_winding() }
    }
    /// True if the distance is a convex function, as the inside belongs to the element.
    pub(super) fn is_convex(&self, rule: FillRule) -> bool {
        match self {
            Self::Ball { .. } | Self::Cylinder(_) => true,
            // A triangle, a segment and a point are convex.
            Self::Body { body, winding } => {
                body.body().model.mesh().len() == 1 || winding.is_some_and(|winding| rule.holds(winding))
            }
        }
    }
    /// The radius of a ball, a cylinder, or a body that has one.
    pub(super) fn radius(&self) -> f64 {
        match self {
            Self::Ball { radius, .. } => *radius,
            Self::Cylinder(cylinder) => cylinder.radius,
            Self::Body { body, .. } => body.radius(),
        }
    }
    /// A box around it.
    pub(super) fn extent(&self) -> Aabb {
        let (Aabb { lo, hi }, radius) = match self {
            Self::Ball { center, radius } => (Aabb { lo: *center, hi: *center }, *radius),
            Self::Cylinder(cylinder) => {
                let (center, radius) = cylinder.ball();
                (Aabb { lo: center, hi: center }, radius)
            }
            Self::Body { body, .. } => (rotated(body.body().model, &body.body().pose), body.radius()),
        };
        Aabb { lo: lo.map(|x| (x - radius).next_down()), hi: hi.map(|x| (x + radius).next_up()) }
    }

    /// The distance of a point, negative inside, and the margin.
    pub(super) fn distance(&self, query: &mut Query, point: &NearPoint, asked: &Asked) -> SignedBounds {
        // An overflow.
        if !(point.off < f64::INFINITY && point.at.iter().all(|x| x.is_finite())) {
            return SignedBounds::new(f64::NEG_INFINITY, f64::INFINITY);
        }
        let (SignedBounds { lo, hi, facet }, radius) = match self {
            Self::Ball { center, radius } => (distance_of_points(&point.at, center), *radius),
            Self::Cylinder(cylinder) => (cylinder.distance(&point.at), 0.0),
            Self::Body { body, .. } => (from_surface(query, &body.body(), point.at), body.radius()),
        };
        let less = radius + point.off;
        let (lo, hi) = ((lo - less.next_up()).next_down(), (hi - radius).next_up());
        let bounds = SignedBounds { lo, hi, facet };
        let bounds = SignedBounds { hi: (bounds.hi + point.off).next_up(), ..bounds };
        if asked.margin > 0.0 {
            let SignedBounds { lo, hi, facet } = bounds;
            let (lo, hi) = ((lo + asked.margin).next_down(), (hi + asked.margin).next_up());
            return SignedBounds { lo, hi, facet };
        }
        if bounds.lo <= 0.0
            && 0.0 <= bounds.hi
            && let Some(side) = self.locate(query, point, &asked.pose)
        {
            return bounds.on_side(side);
        }
        bounds
    }

    /// A point of the element, but for roundings, that is next to a point outside of it.
    pub(super) fn near_point(&self, query: &mut Query, at: Vector) -> Option<Vector> {
        let (from, radius) = match self {
            Self::Ball { center, radius } => (*center, *radius),
            Self::Cylinder(cylinder) => return Some(cylinder.near_point(&at)),
            Self::Body { body, .. } => (query.closest_point(&body.body(), at)?.point, body.radius()),
        };
        let way = sub(at, from);
        // A little less than the radius, so that roundings leave it inside.
        let part = if radius > 0.0 { radius * (1.0 - 1e-12) / length(way) } else { 0.0 };
        part.is_finite().then(|| [0, 1, 2].map(|k| from[k] + part * way[k]))
    }
    /// Bound of the distances of all points of a triangle with these corners, by those of the corners from one
    /// triangle of a body: a convex function.
    pub(super) fn most_by_facets(
        &self,
        at: &[SignedBounds; 3],
        corners: &[NearPoint; 3],
        asked: &Asked,
    ) -> f64 {
        let Self::Body { body, .. } = self else { return f64::INFINITY };
        let mut best = f64::INFINITY;
        for (i, facet) in at.iter().enumerate() {
            let is_new = at[..i].iter().all(|earlier| earlier.facet != facet.facet);
            let Some(facet) = facet.facet.filter(|_| is_new) else { continue };
            let triangle = body.body().model.mesh().corners(facet).map(|v| body.body().pose.place(v));
            let most = corners.iter().map(|corner| most_to_triangle(corner, &triangle)).fold(0.0, f64::max);
            best = best.min(((most - body.radius()).next_up() + asked.margin).next_up());
        }
        best
    }
    /// Where a point is, exactly. `None` for points that are not exact, and shapes without an exact test.
    fn locate(&self, query: &mut Query, point: &NearPoint, pose: &Pose) -> Option<Location> {
        // Both in the frame that they share.
        if let (Self::Body { body, .. }, Some(own)) = (self, point.own)
            && body.radius() == 0.0
            && body.body().pose == *pose
        {
            return query.locate(&Body::new(body.body().model, Pose::IDENTITY), &[own]).first().copied();
        }
        let at = if point.off == 0.0 { point.at } else { return None };
        match self {
            Self::Ball { center, radius } => {
                let [p, q] = [at, *center].map(|v| [v; 3]);
                let [a, b] = [&p, &q].map(|corners| TriangleAt { pose: &Pose::IDENTITY, corners });
                Some(match compare(a, b, &[*radius]) {
                    Ordering::Less => Location::Inside,
                    Ordering::Equal => Location::OnSurface,
                    Ordering::Greater => Location::Outside,
                })
            }
            Self::Cylinder(_) => None,
            Self::Body { body, .. } => query.locate(body, &[at]).first().copied(),
        }
    }
}

/// Differences round once each, the length by 3 u; squares that underflow take less than 1e-150.
fn distance_of_points(a: &Vector, b: &Vector) -> SignedBounds {
    let distance = length(sub(*a, *b));
    if distance == f64::INFINITY {
        return SignedBounds::new(f64::NEG_INFINITY, distance);
    }
    SignedBounds::new(distance * (1.0 - 8.0 * UNIT) - 1e-150, distance * (1.0 + 8.0 * UNIT) + 1e-150)
}

/// The distance of a point of f64 from the triangles of a body, negative inside of a solid.
pub(super) fn from_surface(query: &mut Query, body: &Body<'_>, at: Vector) -> SignedBounds {
    let Some(near) = query.closest_point(body, at) else {
        return SignedBounds::new(f64::INFINITY, f64::INFINITY);
    };
    let ClosestPoint { lo, hi, triangle, .. } = near;
    let facet = Some(triangle);
    if is_inside(query, body, at) {
        // Inside, triangles of inner shells and walls may be nearer than the boundary.
        let is_simple = body.model.convex_winding().is_some();
        SignedBounds { lo: if is_simple { -hi } else { f64::NEG_INFINITY }, hi: -lo, facet }
    } else {
        SignedBounds { lo, hi, facet }
    }
}

/// True for a point inside of a solid.
fn is_inside(query: &mut Query, body: &Body<'_>, at: Vector) -> bool {
    query.locate(body, &[at]).first() == Some(&Location::Inside)
}
