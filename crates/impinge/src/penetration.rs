//! The penetration of two solids: the volume of their intersection, and bounds of the depth.
//!
//! The penetration depth is the length of the shortest translation of one body after which the insides have
//! no point in common. [`Penetration::separating_distance`] is an interval that contains it: a narrow one for
//! convex bodies. For others it takes time without bound to find (all of the one's triangles with all of the
//! other's). The volume of the intersection is not hard to find.
mod clear;
mod convex;
mod crossing;
mod depth;
mod overlay;
mod parts;
mod pierce;
mod place;
mod polytope;
mod query;
mod regions;
mod shifts;
mod sum;
mod volume;

pub use self::{depth::Depth, parts::PenetrationParts};

use self::{
    clear::{Directions, Goal},
    convex::ConvexMemory,
    overlay::Overlay,
    place::{BodyPoints, OverlayPoints},
};
use crate::{Body, relation::Relation, solid::FillRule, stop::StopFlag};
use std::ops::ControlFlow;

/// Penetration of two bodies: the result of [`Query::penetration`](crate::Query::penetration).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Penetration {
    /// Lower and upper bound of the volume of the points inside of both bodies, in cubes of the unit of
    /// length. Mostly 1e-13 of the volume apart.
    ///
    /// Both are 0 if no point is inside of both. Otherwise the result is `None` in these cases:
    ///
    /// * The query did not request it.
    /// * A mesh is no solid, or a solid by parity alone.
    /// * The winding number of a mesh is positive at some points and negative at others, or more than 1
    ///   somewhere in a query with [`FillRule::EvenOdd`].
    /// * A mesh meets itself in more than 32 pairs of triangles for each of its triangles, and half a
    ///   million. The pairs of such triangles and their neighbours count, too.
    /// * f64 cannot hold it, as where coordinates are 2^500 or more.
    ///
    /// The query computes the integral of the product of both winding numbers:
    ///
    /// * If these are 1 all over the insides, the integral is the volume.
    /// * If shells of one mesh overlap, the product is up to some m. The volume is then no more than the
    ///   integral, and no less than the m-th part of it.
    /// * If a mesh meets itself, the integral of w (w - 1) widens the interval, over those regions alone that
    ///   the other body's box meets.
    /// * If one body is a part of the other, the result is that one's volume, and the other's mesh does not
    ///   count.
    ///
    /// Neither bound is more than the volume of a body.
    pub overlap_volume: Option<[f64; 2]>,
    /// Lower and upper bound of the *interference depth*: the greatest distance of a point of either body's
    /// surface inside of the other from the other's surface. A pin too thick for its hole is as deep in the
    /// plate as its radius is too large, though no translation frees it. No separating translation is
    /// shorter. Mostly a part in 1,024 of the depth apart, unless there is too much to divide
    /// ([`Query::farthest_distance`](crate::Query::farthest_distance)).
    ///
    /// Both are 0 if no point is inside of both, and for bodies that are the same, whatever their triangles.
    /// Otherwise `None` if the query did not request it; if a mesh is no solid; if its triangles are not the
    /// border of its inside everywhere, as where shells overlap or abut, or very many of them meet others;
    /// and if f64 cannot hold it.
    pub interference_depth: Option<[f64; 2]>,
    /// A corner of one body that lies inside of the other, and its depth: a shorter translation leaves it
    /// inside. It is the deepest of the corners that are tested, which are all corners in ordinary meshes.
    ///
    /// `None` if the query did not request it; if a mesh is no solid; if coordinates are 2^500 or more; or if
    /// no corner is certainly inside: bodies can overlap without one.
    pub depth_at_least: Option<Depth>,
    /// A translation of the second body after which no point of one body is inside of the other, surfaces and
    /// fins included ([`Relation::overlaps`] is false): proved for exactly these numbers. Its length is
    /// an upper bound of the penetration depth, though the shortest one may be shorter; of convex bodies by no
    /// more than rounding. Zero if and only if the bodies do not overlap.
    ///
    /// `None` if the query did not request it, or if f64 cannot hold it, as where coordinates are 2^500 or
    /// more.
    pub separating_translation: Option<[f64; 3]>,
    /// Lower and upper bound of the length of the shortest separating translation, the penetration depth of
    /// EPA and SAT.
    ///
    /// * If both meshes bound [convex](crate::Mesh::is_convex) bodies, both bounds are mostly 1e-14 of the
    ///   bodies' size apart.
    /// * Otherwise the upper bound is the length of the separating translation, rounded up. The lower one is
    ///   that of the interference depth or the depth of a corner, if the query requests these, or 0.
    ///
    /// Both are 0 if the bodies do not overlap. `None` if the query did not request it, or found no separating
    /// translation.
    pub separating_distance: Option<[f64; 2]>,
}

#[derive(Debug, Default)]
pub(crate) struct PenetrationMemory {
    overlay: overlay::OverlayMemory,
    directions: Directions,
    convex: ConvexMemory,
    /// True if the last depth is the greatest of all corners inside.
    is_depth_of_all: bool,
}

/// Function that returns true if a point is inside of both bodies, given the second body. Breaks if it is
/// stopped.
pub(crate) type Meet<'m> = dyn FnMut(&Body<'_>) -> ControlFlow<(), bool> + 'm;

/// A query for the penetration of two bodies, with their relation.
#[derive(Clone, Copy)]
struct PenetrationQuestion<'q> {
    bodies: [&'q Body<'q>; 2],
    relation: &'q Relation,
    fill_rule: FillRule,
    wanted: &'q PenetrationParts,
    stop: StopFlag<'q>,
}

/// The requested parts of the penetration of two bodies, if their relation alone determines all of them.
/// Breaks if it is stopped.
fn of_relation(question: PenetrationQuestion<'_>) -> ControlFlow<(), Option<Penetration>> {
    let PenetrationQuestion { bodies, relation, fill_rule, wanted, stop } = question;
    let mut found = Penetration::default();
    stop.check()?;
    if !relation.status.iter().all(|status| status.is_closed()) {
        return ControlFlow::Continue(None);
    }
    // The relation alone decides this.
    if !relation.overlaps() {
        found.overlap_volume = wanted.overlap_volume.then_some([0.0; 2]);
        found.interference_depth = wanted.interference_depth.then_some([0.0; 2]);
        found.separating_translation = wanted.separating_translation.then_some([0.0; 3]);
        found.separating_distance = wanted.separating_distance.then_some([0.0; 2]);
        return ControlFlow::Continue(Some(found));
    }
    let is_more = wanted.interference_depth || wanted.depth_at_least || wanted.are_parting();
    if !wanted.overlap_volume || is_more {
        return ControlFlow::Continue(None);
    }
    let volume = volume::of_relation(bodies, relation.kind, fill_rule, stop)?;
    found.overlap_volume = volume;
    ControlFlow::Continue(volume.map(|_| found))
}

/// Computes the requested parts of the penetration of two bodies, given all pairs of triangles that meet,
/// sorted. `meet` returns whether a point is inside of both after the second body has moved. Breaks if it is
/// stopped.
fn penetration(
    question: PenetrationQuestion<'_>,
    pairs: &[[u32; 2]],
    memory: &mut PenetrationMemory,
    meet: &mut Meet<'_>,
) -> ControlFlow<(), Penetration> {
    let PenetrationQuestion { bodies, relation, fill_rule, wanted, stop } = question;
    // A stopped query has not found all pairs.
    stop.check()?;
    let mut found = Penetration::default();
    let PenetrationMemory { overlay: memory, directions, convex, is_depth_of_all } = memory;
    *is_depth_of_all = false;
    if !(wanted.overlap_volume || wanted.depth_at_least || wanted.are_parting()) {
        return ControlFlow::Continue(found);
    }
    let overlay = Overlay::new(bodies, stop);
    let are_solid = overlay.solids.iter().all(|solid| solid.status().is_closed());
    if are_solid && wanted.are_only_parting() && relation.overlaps() && are_convex(&question) {
        overlay.place([&bodies[0].pose, &bodies[1].pose], memory)?;
        if memory.points.are_known()
            && let Some(width) = convex::least_width(&overlay, memory, convex)?
        {
            // With this depth it looks for no shorter ones, which needs the bodies laid over each other.
            let goal = Goal { depth: f64::INFINITY, way: Some(width.way), volume: 0.0, origin: None };
            let by = clear::separating_translation(&overlay, pairs, &goal, memory, directions, meet)?;
            if let Some((by, at_most)) = by
                && width.at_least >= clear::WORTH * at_most
            {
                found.separating_translation = wanted.separating_translation.then_some(by);
                found.separating_distance = wanted.separating_distance.then_some([width.at_least, at_most]);
                return ControlFlow::Continue(found);
            }
        }
    }
    let (mut volume, mut is_known) = (None, true);
    if are_solid {
        overlay.place(overlay.poses.each_ref(), memory)?;
        is_known = memory.points.are_known();
        if is_known {
            overlay.lay(pairs, memory)?;
        }
        if wanted.overlap_volume || wanted.are_parting() {
            volume = volume::of_relation(bodies, relation.kind, fill_rule, stop)?;
            if volume.is_none() && is_known {
                volume = volume::overlap_volume(&overlay, fill_rule, memory)?;
            }
            found.overlap_volume = volume.filter(|_| wanted.overlap_volume);
        }
    }
    let origin = (are_solid && is_known).then_some(memory.points.origin);
    // Lengths are those of the world.
    let is_placed = are_solid && overlay.poses[0] == bodies[0].pose;
    if (wanted.depth_at_least || wanted.are_parting()) && !is_placed {
        overlay.place([&bodies[0].pose, &bodies[1].pose], memory)?;
        is_known &= memory.points.are_known();
    }
    let mut depth = None;
    if is_known && are_solid && (wanted.depth_at_least || wanted.are_parting()) {
        (depth, *is_depth_of_all) = depth::depth(&overlay, fill_rule, memory)?;
        found.depth_at_least = depth.filter(|_| wanted.depth_at_least);
    }
    if wanted.are_parting() {
        let (mut by, mut at_least) = (Some(([0.0; 3], 0.0)), 0.0);
        if relation.overlaps() {
            at_least = depth.map_or(0.0, |depth| depth.length);
            let mut way = None;
            if is_known && are_convex(&question) {
                let width = convex::least_width(&overlay, memory, convex)?;
                at_least = width.map_or(at_least, |width| at_least.max(width.at_least));
                way = width.map(|width| width.way);
            }
            let goal = Goal { depth: at_least, way, volume: volume.map_or(0.0, |[lo, _]| lo), origin };
            by = None;
            if is_known {
                by = clear::separating_translation(&overlay, pairs, &goal, memory, directions, meet)?;
            }
        }
        found.separating_translation = by.map(|(by, _)| by).filter(|_| wanted.separating_translation);
        let bounds = by.map(|(_, at_most)| [at_least, at_most]);
        found.separating_distance = bounds.filter(|_| wanted.separating_distance);
    }
    ControlFlow::Continue(found)
}

/// True if the insides of both bodies are convex, and have all of the surfaces on their border.
fn are_convex(question: &PenetrationQuestion<'_>) -> bool {
    question.bodies.iter().all(|body| {
        let rule = body.model.solid().rule(question.fill_rule);
        body.model.convex_winding().is_some_and(|winding| rule.holds(winding))
    })
}
