//! A proxy of one body that is not convex: its depth is a distance of surfaces.
use super::{
    element::Element,
    options::CoverageOptions,
    result::{Coverage, Witness},
};
use crate::{
    Body, Query, Rounded,
    distance::Accuracy,
    farthest::{Farthest, SolidSide},
};

/// The only body of a proxy, if it is not convex.
pub(super) fn single<'a>(query: &mut Query, elements: &[Element<'a>]) -> Option<Rounded<'a>> {
    let rule = query.parts().fill_rule;
    match elements {
        [element @ Element::Body { body, .. }] if !element.is_convex(rule) => Some(*body),
        _ => None,
    }
}

/// The cover of a part by one body, by [`Query::farthest_distance`] of the points outside of it; `None` if that
/// does not decide. `found` is a corner that is outside.
pub(super) fn cover_by(
    query: &mut Query,
    part: &Body<'_>,
    body: &Rounded<'_>,
    options: &CoverageOptions,
    found: Option<(f64, Witness)>,
) -> Option<Coverage> {
    let (surface, less) = (body.body(), body.radius());
    let is_solid = surface.model.solid().status().is_closed();
    let side = if is_solid { SolidSide::Outside } else { SolidSide::Any };
    let accuracy = Accuracy::new().rel(options.accuracy).ok()?;
    let Farthest::At(far) = query.with_accuracy(accuracy).farthest_distance(part, &surface, side) else {
        return None;
    };
    let lo = ((far.lo - less).next_down() + options.margin).next_down();
    let hi = ((far.hi - less).next_up() + options.margin).next_up();
    let is_outside = (far.lo - less).next_down() > 0.0;
    let point = Witness { triangle: far.triangles[0], point: far.points[0] };
    let best = match found {
        Some((least, _)) if is_outside && lo > least => Some((lo, point)),
        None if is_outside => Some((lo, point)),
        found => found,
    };
    let coverage = Coverage { pieces: part.model.mesh().len() as u64, ..Coverage::COVERED };
    match best {
        // A corner may be in the margin alone, and points inside may be so, too.
        Some((lo, witness)) if is_outside || options.margin == 0.0 => {
            let depth = [lo, hi.max(lo)];
            Some(Coverage { covered: Some(false), depth, witness: Some(witness), ..coverage })
        }
        None if options.margin == 0.0 && hi <= 0.0 => Some(coverage),
        None if options.margin == 0.0 => Some(Coverage { covered: None, depth: [0.0, hi], ..coverage }),
        _ => None,
    }
}
