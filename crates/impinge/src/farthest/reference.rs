//! The farthest point of a surface from another one without a tree: by small triangles, each with one
//! distance.
use super::{Farthest, FarthestPoint, SolidSide};
use crate::{
    Body,
    distance::Accuracy,
    points::reference::closest_point,
    query::reference::first_contact,
    solid::{FillRule, Location, locate_at},
    vector::{Vector, dot, sub},
};

/// The most triangles that are measured.
const MOST: usize = 200_000;

/// A triangle, its bound, and its face.
struct Part {
    at: [Vector; 3],
    bound: f64,
    face: u32,
}

/// Distance as [`Query::farthest_distance`](crate::Query::farthest_distance) finds it, without a tree. No
/// point of a triangle is farther than its centre by more than its radius; a triangle is divided into four
/// while this bound is too large. O(n m) for a first contact, and O(m) for each of up to 200,000 distances.
/// The interval may be off by 2^-40 of the size of both bodies.
pub fn farthest_distance(
    a: &Body<'_>,
    b: &Body<'_>,
    (side, fill_rule): (SolidSide, FillRule),
    accuracy: Accuracy,
) -> Farthest {
    let solid = b.model.solid();
    if side != SolidSide::Any && !solid.status().is_closed() {
        return Farthest::NoSolid;
    }
    let mesh = a.model.mesh();
    if mesh.is_empty() || b.model.mesh().is_empty() {
        return Farthest::NoPoint;
    }
    let wanted = if side == SolidSide::Inside { Location::Inside } else { Location::Outside };
    let corner = |face: u32| a.pose.place(mesh.corners(face)[0]);
    // A point that counts, perhaps at distance 0.
    let first = first_contact(a, b).map(|[face, _]| face).or_else(|| {
        (0..mesh.len() as u32).find(|&face| {
            let corner = mesh.corners(face)[0];
            side == SolidSide::Any || locate_at(solid, b.placed(), &a.pose, corner, fill_rule) == wanted
        })
    });
    let Some(first) = first else { return Farthest::NoPoint };
    let at = corner(first);
    let near = closest_point(b, at, Accuracy::new());
    let (triangle, point) = near.map_or((0, at), |near| (near.triangle, near.point));
    let mut best = FarthestPoint { lo: 0.0, hi: 0.0, triangles: [first, triangle], points: [at, point] };
    let mut parts: Vec<Part> = (0..mesh.len() as u32)
        .map(|face| Part { at: mesh.corners(face).map(|v| a.pose.place(v)), bound: f64::INFINITY, face })
        .collect();
    let (mut looked, mut dropped) = (0, 0.0_f64);
    // In rounds of one size each.
    while !parts.is_empty() {
        let mut next = Vec::new();
        for part in parts {
            if part.bound <= best.lo + accuracy.step(best.lo) || looked >= MOST {
                dropped = dropped.max(part.bound);
                continue;
            }
            looked += 1;
            let [p, q, r] = part.at;
            let centre = [0, 1, 2].map(|k| (p[k] + q[k] + r[k]) / 3.0);
            let radius = part.at.iter().fold(0.0_f64, |most, v| {
                let w = sub(*v, centre);
                most.max(dot(w, w).sqrt())
            });
            let Some(near) = closest_point(b, centre, Accuracy::new()) else {
                dropped = f64::INFINITY;
                continue;
            };
            let location = locate_at(solid, b.placed(), &crate::Pose::IDENTITY, centre, fill_rule);
            let counts = side == SolidSide::Any || location == wanted || location == Location::OnSurface;
            if counts && near.lo > best.lo {
                (best.lo, best.triangles) = (near.lo, [part.face, near.triangle]);
                best.points = [centre, near.point];
            }
            // The way out of a side leads through the surface.
            let bound = if counts { near.hi + radius } else { radius - near.lo }.min(part.bound);
            let middle = |x: Vector, y: Vector| [0, 1, 2].map(|k| 0.5 * x[k] + 0.5 * y[k]);
            let (pq, qr, rp) = (middle(p, q), middle(q, r), middle(r, p));
            for at in [[p, pq, rp], [pq, q, qr], [rp, qr, r], [pq, qr, rp]] {
                next.push(Part { at, bound, face: part.face });
            }
        }
        parts = next;
    }
    best.hi = dropped.max(best.lo);
    Farthest::At(best)
}
