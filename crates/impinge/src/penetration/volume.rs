//! The volume of what two solids have in common, without building it: from the integral of the product of
//! both winding numbers, which `sum.rs` finds.
//!
//! Let v and w be the winding numbers of A and B.
//!
//! # From winding numbers to insides
//! With winding numbers 0 and 1 the integral is the volume. If v goes from 1 to m inside of A, and w to n, it
//! is up to m n times the volume. A mesh that meets itself mostly winds round its inside once all the same:
//! walls of layers, beams that run into each other. Let E(v) be the integral of v (v - 1), which is nowhere
//! negative, and V the number that v should be, 1 inside and 0 outside, by any rule. With a = v - V, |a| is
//! at most v (v - 1) and its square at most twice that, as one sees for v from -2 to 3; and v w - V W = a W +
//! V b + a b. So the integral is off by at most E(v) + E(w) + 2 sqrt(E(v) E(w)), by the inequality of Cauchy
//! and Schwarz. E is found once for a mesh (`crossing.rs`). Of a mesh whose triangles meet each other too
//! often to be looked at nothing is said.
//!
//! # Errors
//! Every number carries a bound of its error, roundings included ([`Rounded`]).
use super::{
    crossing,
    overlay::{Memory, Overlay},
    sum::six_times,
};
use crate::{
    Body,
    posed::probe::{Algebra, Number, Rounded},
    relation::RelationKind,
    solid::{FillRule, Levels},
    stop::StopFlag,
    vector::UNIT,
};
use std::ops::ControlFlow;

/// A lower and an upper bound of the volume, if the solids' winding numbers define one: see
/// [`Penetration::overlap_volume`](crate::penetration::Penetration::overlap_volume). Breaks if it is stopped.
pub(super) fn overlap_volume(
    overlay: &Overlay<'_>,
    fill_rule: FillRule,
    memory: &Memory,
) -> ControlFlow<(), Option<[f64; 2]>> {
    let (mut most, mut sign, mut rest) = ([1.0; 2], 1.0, [0.0; 2]);
    let mut least = 1.0;
    for x in 0..2 {
        let (solid, model) = (overlay.solids[x], overlay.bodies[x].model);
        let found =
            solid.levels(model.geometry(), overlay.stop, || crossing::of_crossing(model, overlay.stop))?;
        let Some((levels, are_inside)) = of_rule(found, solid.rule(fill_rule)) else {
            return ControlFlow::Continue(None);
        };
        if !are_inside {
            return ControlFlow::Continue(Some([0.0; 2]));
        }
        least *= f64::from(levels.least);
        most[x] = f64::from(levels.most);
        sign *= f64::from(levels.sign * overlay.handedness[x]);
        let stretch = determinant(overlay.bodies[x].pose.rows());
        rest[x] = levels.excess * (stretch.value() + stretch.error()) * (1.0 + 4.0 * UNIT);
    }
    let [lo, hi] = memory.points.common_box();
    let (mut all, mut cap) = (six_times(overlay, memory)?, 1.0);
    for k in 0..3 {
        let side = hi[k] - lo[k];
        cap = no_less(cap, if side > 0.0 { side.next_up() } else { 0.0 });
    }
    if overlay.bodies[0].pose == overlay.bodies[1].pose {
        // Both were left where their meshes are.
        let stretch = determinant(overlay.bodies[0].pose.rows());
        all = all.times(&stretch);
        cap = no_less(cap, (stretch.value() + stretch.error()).next_up());
    }
    let value = sign * all.value() / 6.0;
    // The product of both under one root may underflow.
    let mixed = 2.0 * rest[0].sqrt() * rest[1].sqrt();
    let excess = most[1] * rest[0] + most[0] * rest[1] + mixed;
    let error = all.error() / 6.0 + UNIT * all.value().abs() + excess * (1.0 + 8.0 * UNIT);
    let [lo, hi] = outwards([(value - error) / (most[0] * most[1]), (value + error) / least]);
    if !(lo.is_finite() && hi.is_finite() && cap.is_finite()) {
        // Beyond the range of f64.
        return ControlFlow::Continue(None);
    }
    let hi = hi.clamp(0.0, cap);
    ControlFlow::Continue(Some([lo.clamp(0.0, hi), hi]))
}

/// Which winding numbers there are, and whether they are inside, where that is the same of all.
fn of_rule(levels: Option<Levels>, rule: FillRule) -> Option<(Levels, bool)> {
    let levels = levels?;
    Some((levels, levels.are_inside(rule)?))
}

/// The volume in common of two solids if one of them is a part of the other: the volume of that one.
pub(super) fn of_relation(
    bodies: [&Body<'_>; 2],
    kind: RelationKind,
    asked: (FillRule, StopFlag<'_>),
) -> ControlFlow<(), Option<[f64; 2]>> {
    match kind {
        RelationKind::AInB => of_one(bodies[0], asked),
        RelationKind::BInA => of_one(bodies[1], asked),
        // A fin has none.
        RelationKind::Pierce | RelationKind::InsideOpen => ControlFlow::Continue(Some([0.0; 2])),
        RelationKind::Same => match of_one(bodies[0], asked)? {
            None => of_one(bodies[1], asked),
            volume => ControlFlow::Continue(volume),
        },
        _ => ControlFlow::Continue(None),
    }
}

/// The volume of what is inside of a body: as above, |a| is at most v (v - 1).
fn of_one(body: &Body<'_>, (fill_rule, stop): (FillRule, StopFlag<'_>)) -> ControlFlow<(), Option<[f64; 2]>> {
    let (model, solid) = (body.model, body.model.solid());
    let found = solid.levels(model.geometry(), stop, || crossing::of_crossing(model, stop))?;
    let Some((levels, are_inside)) = of_rule(found, solid.rule(fill_rule)) else {
        return ControlFlow::Continue(None);
    };
    if !are_inside {
        return ControlFlow::Continue(Some([0.0; 2]));
    }
    let stretch = determinant(body.pose.rows());
    let all = solid.six_volumes(model.geometry()).times(&stretch);
    let excess = levels.excess * (stretch.value() + stretch.error()) * (1.0 + 4.0 * UNIT);
    let value = f64::from(levels.sign) * all.value() / 6.0;
    let error = all.error() / 6.0 + UNIT * all.value().abs() + excess * (1.0 + 8.0 * UNIT);
    let [lo, hi] =
        outwards([(value - error) / f64::from(levels.most), (value + error) / f64::from(levels.least)]);
    let is_known = lo.is_finite() && hi.is_finite();
    ControlFlow::Continue(is_known.then(|| [lo.clamp(0.0, hi.max(0.0)), hi.max(0.0)]))
}

/// Bounds after four roundings (some may be subnormal).
fn outwards([lo, hi]: [f64; 2]) -> [f64; 2] {
    let off = |x: f64| 4.0 * UNIT * x.abs() + f64::MIN_POSITIVE;
    [lo - off(lo), hi + off(hi)]
}

/// A number that is no less than a product of numbers that are not negative, and 0 only if one is.
fn no_less(a: f64, b: f64) -> f64 {
    if a > 0.0 && b > 0.0 { (a * b).next_up() } else { 0.0 }
}

/// The absolute value of a determinant.
fn determinant(rows: &[[f64; 3]; 3]) -> Rounded {
    let exactly = |x: f64| Rounded::new(x, 0.0);
    let [u, v, w] = rows.map(|row| row.map(exactly));
    let value = u.cross(&v).dot(&w);
    Rounded::new(value.value().abs(), value.error())
}
