//! Margins between bodies, as walks use them.
use super::Margin;
use crate::{
    Body,
    motion::{self, Placement},
    vector::Vector,
    wide::{RelativeTransforms, WideTree},
    world::rotated,
};

/// True if bodies may be within the margin, by their boxes in the world. It needs no tree.
pub(super) fn may_be_near([a, b]: [&Body<'_>; 2], margin: Margin) -> bool {
    let [box_a, box_b] = [a, b].map(|body| rotated(body.model, &body.pose));
    // A comparison with NaN is false: then the bodies may be near.
    let is_beyond = box_a.apart_from(&box_b) > margin.get();
    !is_beyond
}

/// Where a body's origin is placed, if that is all of the body. Other points are rounded where they are placed.
pub(super) fn origin(body: &Body<'_>) -> Option<Vector> {
    let mesh = body.model.mesh();
    (mesh.len() == 1 && mesh.corners(0) == [[0.0; 3]; 3]).then(|| *body.pose.translation())
}

/// A margin in a body's own coordinates: pairs within `margin` in the world are within it.
pub(super) fn margin_of(body: &Body<'_>, margin: Margin) -> f64 {
    // The last term covers underflow.
    margin.get() * motion::inverse_norm(&body.pose) * (1.0 + 1e-9) + f64::MIN_POSITIVE
}

/// A margin in the coordinates of two bodies' trees.
pub(crate) fn margins_of([a, b]: [&Body<'_>; 2], [of_a, of_b]: [&WideTree; 2], margin: Margin) -> [f64; 2] {
    let inverse_norm = |body: &Body<'_>| motion::inverse_norm(&body.pose);
    [margin.get() / of_a.unit_length(inverse_norm(a)), margin.get() / of_b.unit_length(inverse_norm(b))]
}

/// Transforms of a walk that misses nothing within the margin.
pub(super) fn loosened(
    bodies: [&Body<'_>; 2],
    of_a: &WideTree,
    of_b: &WideTree,
    placement: &Placement,
    margin: Margin,
) -> RelativeTransforms {
    let margins = margins_of(bodies, [of_a, of_b], margin);
    of_a.relative_transforms(of_b, &of_a.placement(of_b, placement)).loosened(margins)
}
