//! The volume of the intersection of two solids, which is not built: from the integral of the product of both
//! winding numbers, which `sum.rs` finds.
//!
//! Let v and w be the winding numbers of A and B.
//!
//! # From winding numbers to insides
//! With winding numbers 0 and 1 the integral I is the volume T. If v goes from l to m inside of A, and w from
//! k to n, then T is from I / (m n) to I / (l k): bounds *by ratio*.
//!
//! Shells of a part mostly overlap at a few places alone: walls of layers, beams that run into each other.
//! Let V be the number that v should be, 1 inside and 0 outside, by any rule, and a = v - V; W and b are the
//! same of B. Then v w - V W = a W + V b + a b.
//!
//! 1. |a| is at most v (v - 1), and its square at most twice that, as one sees for v from -2 to 3. If v is
//!    nowhere negative and V is 1 wherever v is positive, a is at most half of it.
//! 2. V W and v w are 0 where A or B is not. So a counts in the box of B alone, seen from A. Let E be no less
//!    than the integral of v (v - 1) over it: the sum over those regions of A (`regions.rs`) that meet the
//!    box, of each no more than m (m - 1) times its part of the box if v is at most m there. F is the same of
//!    B.
//! 3. So I - T is at most E + F + 2 sqrt(E F), by the inequality of Cauchy and Schwarz, with half of E or F
//!    where step 1 has it: bounds *by excess*. It is at least minus that; and at least 0 if neither v nor w
//!    is negative in these regions, as then all three summands are positive.
//! 4. By excess for A and by ratio for B, V w is from k V W to n V W, and a w is at most n |a|.
//!
//! All four ways are taken, and the volume is in each interval. It is no more than the volume of A, nor of B:
//! by ratio, or by excess with all regions. With v at most m in a region, a is no less than v (v - 1) / m
//! there: of two shells that makes one number. A mesh whose triangles meet each other too often has no
//! bounds.
//!
//! # Errors
//! Every number carries a bound of its error, roundings included ([`RoundedNumber`]).
use super::{
    crossing,
    overlay::{Overlay, OverlayMemory},
    sum::six_times,
};
use crate::{
    Body,
    motion::Motion,
    posed::probe::{Algebra, Number, RoundedNumber},
    relation::RelationKind,
    solid::{FillRule, WindingRegion},
    stop::StopFlag,
    vector::{NO_EXTENT, UNIT, Vector, grow},
};
use std::ops::ControlFlow;

/// Bounds of a body's winding number v, with the sign that makes it positive, against V: 1 inside, 0 outside.
#[derive(Clone, Copy, Debug)]
struct Turns {
    /// The sign that makes v positive.
    sign: f64,
    /// v is from `least` V to `most` V; infinite if that is not known.
    least: f64,
    most: f64,
    /// The integral of v (v - 1) over the regions that count; infinite if it is not known.
    excess: f64,
    /// |v - V| is at most this times v (v - 1).
    share: f64,
    /// Lower bound of the integral of v - V over these regions.
    surplus: f64,
    /// True if v is nowhere negative in them.
    is_positive: bool,
}

/// The inside of a body: nothing, or all points round which it winds, with bounds of the winding number.
enum Inside {
    None,
    Of(Turns),
}

/// Bounds of a body's winding number, within a box in its mesh's frame or everywhere; `None` if it has both
/// signs, or the rule takes some of its numbers. Breaks if it is stopped.
fn turns(
    body: &Body<'_>,
    within: Option<&dyn Fn() -> [Vector; 2]>,
    fill_rule: FillRule,
    stop: StopFlag<'_>,
) -> ControlFlow<(), Option<Inside>> {
    let (model, solid) = (body.model, body.model.solid());
    let found = solid.levels(model.geometry(), stop, || crossing::of_crossing(model, stop))?;
    let rule = solid.rule(fill_rule);
    let Some((levels, are_inside)) = found.and_then(|levels| Some((levels, levels.are_inside(rule)?))) else {
        return ControlFlow::Continue(None);
    };
    if !are_inside {
        return ControlFlow::Continue(Some(Inside::None));
    }
    let stretch = determinant(body.pose.rows());
    let [less, more] = [
        (stretch.value() - stretch.error()) * (1.0 - 4.0 * UNIT),
        (stretch.value() + stretch.error()) * (1.0 + 4.0 * UNIT),
    ];
    let is_clean = levels.excess == 0.0;
    let mut turns = Turns {
        sign: f64::from(levels.sign),
        least: f64::from(levels.least),
        most: if is_clean { f64::from(levels.most) } else { f64::INFINITY },
        excess: if is_clean { f64::INFINITY } else { levels.excess * more },
        share: 1.0,
        surplus: 0.0,
        is_positive: is_clean,
    };
    if let Some(regions) = &levels.regions {
        let bounds = within.filter(|_| !regions.is_empty()).map(|bounds| bounds());
        let meets = |region: &&WindingRegion| bounds.is_none_or(|bounds| meet(&bounds, &region.bounds));
        let (mut excess, mut surplus, mut most) = (0.0, 0.0, 1.0_f64);
        for region in regions.iter().filter(meets) {
            stop.check()?;
            let [lo, hi] = region.excess;
            let inside = bounds.map_or(f64::INFINITY, |bounds| common(&bounds, &region.bounds));
            let at_most = no_less(region.most * (region.most - 1.0), inside);
            excess += if at_most < hi { at_most } else { hi };
            surplus += lo / region.most;
            most = most.max(region.most);
        }
        // Sums round once for each region.
        let sums = 2.0 * (regions.len() as f64 + 4.0) * UNIT;
        turns.excess = (excess * (1.0 + sums) * more).min(turns.excess);
        turns.surplus = (surplus * (1.0 - sums) * less).max(0.0);
        turns.is_positive = most.is_finite();
        if !is_clean {
            turns.most = most;
        }
    }
    // By this rule V is 0 where v is 2.
    if rule == FillRule::EvenOdd && !is_clean {
        turns.most = if turns.excess == 0.0 { 1.0 } else { f64::INFINITY };
    } else if turns.is_positive && rule != FillRule::EvenOdd {
        turns.share = 0.5;
    }
    ControlFlow::Continue(Some(Inside::Of(turns)))
}

/// True if two boxes have a point in common. NaN is no bound.
fn meet([lo, hi]: &[Vector; 2], [from, to]: &[Vector; 2]) -> bool {
    !(0..3).any(|k| hi[k] < from[k] || to[k] < lo[k])
}

/// An upper bound of the volume that two boxes have in common.
fn common([lo, hi]: &[Vector; 2], [from, to]: &[Vector; 2]) -> f64 {
    let side = |k: usize| (hi[k].min(to[k]) - lo[k].max(from[k])).next_up();
    no_less(no_less(side(0), side(1)), side(2))
}

/// A box around the other body in the frame of a body's mesh.
fn other_box(overlay: &Overlay<'_>, x: usize, memory: &OverlayMemory) -> [Vector; 2] {
    let (body, other) = (overlay.bodies[x], overlay.bodies[1 - x]);
    let motion = Motion::between(&other.pose, &body.pose);
    let points = other.model.mesh().points();
    let (mut bounds, mut off) = (NO_EXTENT, 0.0_f64);
    for &v in memory.face_points(1 - x) {
        let point = motion.apply(points[v as usize]);
        let error = motion.error(&points[v as usize].map(f64::abs));
        if !(error.is_finite() && point.iter().all(|x| x.is_finite())) {
            return [[f64::NEG_INFINITY; 3], [f64::INFINITY; 3]];
        }
        grow(&mut bounds, &point);
        off = off.max(error);
    }
    let [lo, hi] = bounds;
    [lo.map(|x| (x - off).next_down()), hi.map(|x| (x + off).next_up())]
}

/// A lower and an upper bound of the volume, if the solids' winding numbers define one: see
/// [`Penetration::overlap_volume`](crate::penetration::Penetration::overlap_volume). Breaks if it is stopped.
pub(super) fn overlap_volume(
    overlay: &Overlay<'_>,
    fill_rule: FillRule,
    memory: &OverlayMemory,
) -> ControlFlow<(), Option<[f64; 2]>> {
    let mut both = [None; 2];
    for (x, own) in both.iter_mut().enumerate() {
        let within = || other_box(overlay, x, memory);
        *own = match turns(overlay.bodies[x], Some(&within), fill_rule, overlay.stop)? {
            None => return ControlFlow::Continue(None),
            Some(Inside::None) => return ControlFlow::Continue(Some([0.0; 2])),
            Some(Inside::Of(turns)) => Some(turns),
        };
    }
    let [Some(a), Some(b)] = both else { return ControlFlow::Continue(None) };
    let [lo, hi] = memory.points.common_box();
    let (mut all, mut cap) = (six_times(overlay, memory)?, 1.0);
    for k in 0..3 {
        let side = hi[k] - lo[k];
        cap = no_less(cap, if side > 0.0 { side.next_up() } else { 0.0 });
    }
    if overlay.bodies[0].pose == overlay.bodies[1].pose {
        // Both are in the frame of their meshes.
        let stretch = determinant(overlay.bodies[0].pose.rows());
        all = all.times(&stretch);
        cap = no_less(cap, (stretch.value() + stretch.error()).next_up());
    }
    let sign = a.sign * b.sign * f64::from(overlay.handedness[0] * overlay.handedness[1]);
    let value = sign * all.value() / 6.0;
    let error = all.error() / 6.0 + UNIT * all.value().abs();
    if !(value.is_finite() && error.is_finite() && cap.is_finite()) {
        // Beyond the range of f64.
        return ControlFlow::Continue(None);
    }
    let is_exact = |turns: &Turns| turns.excess == 0.0 && (turns.least, turns.most) == (1.0, 1.0);
    if !is_exact(&a) || !is_exact(&b) {
        for body in overlay.bodies {
            if let Some([_, most]) = of_one(body, fill_rule, overlay.stop)? {
                cap = cap.min(most);
            }
        }
    }
    let found = between([a, b], value, error);
    ControlFlow::Continue(found.map(|[lo, hi]| {
        let hi = hi.clamp(0.0, cap);
        [lo.clamp(0.0, hi), hi]
    }))
}

/// Bounds of the common volume by all four ways together, from the integral and its error.
fn between(turns: [Turns; 2], value: f64, error: f64) -> Option<[f64; 2]> {
    let mut found = [f64::NEG_INFINITY, f64::INFINITY];
    for way in 0..4 {
        let by_ratio = [way & 1 != 0, way & 2 != 0];
        let [(least, most, rest), (least_b, most_b, rest_b)] = [0, 1].map(|x| {
            let Turns { least, most, excess, .. } = turns[x];
            if by_ratio[x] { (least, most, 0.0) } else { (1.0, 1.0, excess) }
        });
        // The product of both under one root may underflow.
        let mixed = 2.0 * rest.sqrt() * rest_b.sqrt();
        let linear = most_b * (turns[0].share * rest) + most * (turns[1].share * rest_b);
        let (most, least) = (most * most_b, least * least_b);
        let excess = (linear + mixed) * (1.0 + 16.0 * UNIT);
        if !(excess.is_finite() && most.is_finite()) {
            continue;
        }
        let is_positive = [0, 1].iter().all(|&x| by_ratio[x] || turns[x].is_positive);
        let below = if is_positive { 0.0 } else { excess };
        let [lo, hi] = outwards([(value - (error + excess)) / most, (value + (error + below)) / least]);
        found = [found[0].max(lo), found[1].min(hi)];
    }
    found[1].is_finite().then_some(found)
}

/// The volume in common of two solids if one of them is a part of the other: the volume of that one.
pub(super) fn of_relation(
    bodies: [&Body<'_>; 2],
    kind: RelationKind,
    fill_rule: FillRule,
    stop: StopFlag<'_>,
) -> ControlFlow<(), Option<[f64; 2]>> {
    match kind {
        RelationKind::Inside => of_one(bodies[0], fill_rule, stop),
        RelationKind::Contains => of_one(bodies[1], fill_rule, stop),
        // A fin has none.
        RelationKind::Pierce | RelationKind::SurfaceInside => ControlFlow::Continue(Some([0.0; 2])),
        RelationKind::Duplicate => match of_one(bodies[0], fill_rule, stop)? {
            None => of_one(bodies[1], fill_rule, stop),
            volume => ControlFlow::Continue(volume),
        },
        _ => ControlFlow::Continue(None),
    }
}

/// Bounds of the volume of a body's inside.
fn of_one(body: &Body<'_>, fill_rule: FillRule, stop: StopFlag<'_>) -> ControlFlow<(), Option<[f64; 2]>> {
    let turns = match turns(body, None, fill_rule, stop)? {
        None => return ControlFlow::Continue(None),
        Some(Inside::None) => return ControlFlow::Continue(Some([0.0; 2])),
        Some(Inside::Of(turns)) => turns,
    };
    let all = body.model.solid().six_volumes(body.model.geometry()).times(&determinant(body.pose.rows()));
    let (value, error) = (turns.sign * all.value() / 6.0, all.error() / 6.0 + UNIT * all.value().abs());
    let Turns { least, most, excess, share, surplus, is_positive, .. } = turns;
    let excess = share * excess * (1.0 + 4.0 * UNIT);
    let off = if is_positive { -surplus } else { excess };
    let by_excess = [value - (error + excess), value + (error + off)];
    let by_ratio = [(value - error) / most, (value + error) / least];
    let [lo, hi] = [(excess, by_excess), (most, by_ratio)]
        .into_iter()
        .filter(|(is_known, _)| is_known.is_finite())
        .map(|(_, bounds)| outwards(bounds))
        .fold([f64::NEG_INFINITY, f64::INFINITY], |all, bounds| {
            [all[0].max(bounds[0]), all[1].min(bounds[1])]
        });
    let is_known = value.is_finite() && error.is_finite() && hi.is_finite();
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
fn determinant(rows: &[[f64; 3]; 3]) -> RoundedNumber {
    let exactly = |x: f64| RoundedNumber::new(x, 0.0);
    let [u, v, w] = rows.map(|row| row.map(exactly));
    let value = u.cross(&v).dot(&w);
    RoundedNumber::new(value.value().abs(), value.error())
}
