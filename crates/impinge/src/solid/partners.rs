//! Which faces of a mesh meet each other elsewhere than in common corners and edges.
use super::{SMALL, Solid, convex};
use crate::{
    Body, Count, Model, Pose,
    narrow::{Moved, Narrow},
    query::{Ask, Scratch},
    sink::Sink,
};
use std::ops::ControlFlow;

/// Faces that meet other ones of their mesh elsewhere than in common corners and edges.
pub(super) struct Dirty {
    /// Of each triangle whether it is one; empty if none is.
    pub(super) is_dirty: Vec<bool>,
    /// Whether two of one component meet.
    pub(super) within: bool,
}

pub(super) fn dirty(solid: &Solid, model: &Model) -> Dirty {
    let (mut is_dirty, mut within) = (Vec::new(), false);
    if convex::is_convex(solid, model) {
        return Dirty { is_dirty, within };
    }
    let mut found = |pair: [u32; 2]| {
        if pair.iter().all(|&t| solid.is_face(t)) {
            within |= solid.component(pair[0]) == solid.component(pair[1]);
            is_dirty.resize(model.mesh().len(), false);
            pair.iter().for_each(|&t| is_dirty[t as usize] = true);
        }
        ControlFlow::Continue(())
    };
    // Nothing stops them.
    let _ = if model.mesh().len() <= SMALL {
        sweep(solid, model, &mut found)
    } else {
        let ask = Ask::new(Default::default(), false, true, None);
        ask.walk_within(model, &mut Scratch::default(), &mut Sink::Each(&mut found))
    };
    Dirty { is_dirty, within }
}

/// Pairs of faces of a small mesh that meet elsewhere than in common corners and edges: those whose boxes
/// overlap, met in the order in which they begin along the mesh's longest side.
fn sweep(
    solid: &Solid,
    model: &Model,
    found: &mut impl FnMut([u32; 2]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let body = Body::new(model, Pose::IDENTITY);
    let narrow = Narrow::within(&body);
    let ([lo, hi], count) = (model.extent(), &mut Count::default());
    let length = |k: &usize| hi[*k] - lo[*k];
    let axis = (0..3).max_by(|j, k| length(j).total_cmp(&length(k))).unwrap_or(0);
    let faces = (0..model.mesh().len() as u32).filter(|&t| solid.is_face(t));
    let mut faces: Vec<(Moved, u32)> = faces.map(|t| (narrow.moved(t), t)).collect();
    faces.sort_unstable_by(|(a, s), (b, t)| a.lo[axis].total_cmp(&b.lo[axis]).then(s.cmp(t)));
    for (k, (first, s)) in faces.iter().enumerate() {
        let close = faces[k + 1..].iter().take_while(|(other, _)| other.lo[axis] <= first.hi[axis]);
        for (other, t) in close {
            let beside = (0..3).any(|k| first.lo[k] > other.hi[k] || other.lo[k] > first.hi[k]);
            if !beside && narrow.meet_within(*s, *t, other, count) {
                found([*s, *t])?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// The other faces of its mesh that a face meets elsewhere than in common corners and edges.
pub(crate) fn partners(solid: &Solid, model: &Model, t: u32) -> Vec<u32> {
    let body = Body::new(model, Pose::IDENTITY);
    let narrow = Narrow::within(&body);
    let (moved, count) = (narrow.moved(t), &mut Count::default());
    let (lo, hi) = (moved.lo, moved.hi);
    let mut found = Vec::new();
    let mut each = |u: u32| {
        if u != t && solid.is_face(u) && narrow.meet_within(u, t, &moved, count) {
            found.push(u);
        }
    };
    match solid.placed(model, 0, 1).boxes {
        Some(boxes) => boxes.visit(&|[l, h]| (0..3).all(|k| l[k] <= hi[k] && h[k] >= lo[k]), &mut each),
        None => (0..model.mesh().len() as u32).for_each(each),
    }
    // Whether by boxes or not: what is done next does not depend on it.
    found.sort_unstable();
    found
}
