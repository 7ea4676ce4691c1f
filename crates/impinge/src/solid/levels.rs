//! Which winding numbers a mesh has.
use super::{Sides, Solid};
use crate::{BuildOptions, Mesh, Quality, geometry::Geometry, solid::FillRule, stop::StopFlag};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// What is known of the winding numbers w of a mesh: with their sign turned to be positive, they are 0 or
/// from `least` to `most`, but for a part of space over which the integral of w (w - 1) is at most `excess`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Levels {
    pub(crate) sign: i32,
    pub(crate) least: i32,
    pub(crate) most: i32,
    /// In the mesh's own frame.
    pub(crate) excess: f64,
}

impl Levels {
    /// Whether all points that the mesh winds round so are inside, or none; `None` if some are.
    pub(crate) fn are_inside(&self, rule: FillRule) -> Option<bool> {
        match rule {
            FillRule::NonZero => Some(true),
            FillRule::Positive if self.excess > 0.0 => (self.sign > 0).then_some(true),
            FillRule::Positive => Some(self.sign > 0),
            // One number alone, or it is not known which part has which.
            FillRule::EvenOdd if self.excess > 0.0 => (self.most == 1).then_some(true),
            FillRule::EvenOdd => (self.most == self.least).then_some(self.most % 2 == 1),
        }
    }
}

/// Of a mesh that has each face equally often, more than once, facing the same way: as many times what one of
/// each has, if these do not meet each other. `None` of others.
/// Breaks if it is stopped.
pub(super) fn of_copies(
    solid: &Solid,
    geometry: &Geometry,
    stop: StopFlag<'_>,
) -> ControlFlow<(), Option<Levels>> {
    let Some((times, one)) = copies(solid, geometry) else { return ControlFlow::Continue(None) };
    let levels = Solid::new(&one).levels(&one, stop, || ControlFlow::Continue(None))?;
    let clean = levels.filter(|levels| levels.excess == 0.0);
    ControlFlow::Continue(clean.map(|Levels { sign, least, most, excess }| Levels {
        sign,
        least: times * least,
        most: times * most,
        excess,
    }))
}

/// How often a mesh has each face, if equally often and more than once, and a mesh of one of each.
fn copies(solid: &Solid, geometry: &Geometry) -> Option<(i32, Geometry)> {
    let mesh = geometry.mesh();
    let mut copies: HashMap<[u32; 3], i32> = HashMap::new();
    let mut kept = Vec::new();
    for t in (0..mesh.len() as u32).filter(|&t| solid.is_face(t)) {
        let mut corners = mesh.triangles()[t as usize].map(|v| solid.vertices()[v as usize]);
        // From the least one on.
        let least = (0..3).min_by_key(|&k| corners[k])?;
        corners.rotate_left(least);
        let count = copies.entry(corners).or_default();
        *count += 1;
        if *count == 1 {
            kept.push(corners);
        }
    }
    let times = *copies.values().next()?;
    if times < 2 || copies.values().any(|&count| count != times) {
        return None;
    }
    let one = Mesh::new(mesh.points().to_vec(), kept).ok()?;
    Some((times, Geometry::new(one.into(), &BuildOptions::new().quality(Quality::Fast))))
}

/// Of an oriented closed mesh no face of which meets another but in common corners and edges; `None` if there
/// are numbers of both signs. Every cell of space has a face on its boundary, so the sides of all faces tell.
pub(super) fn of_clean(solid: &Solid, geometry: &Geometry, sides: &Sides) -> Option<Levels> {
    let (mut lo, mut hi, mut least) = (0, 0, i32::MAX);
    for t in (0..geometry.mesh().len() as u32).filter(|&t| solid.is_face(t)) {
        for w in sides.windings(t).into_iter().flatten().filter(|&w| w != 0) {
            (lo, hi, least) = (lo.min(w), hi.max(w), least.min(w.abs()));
        }
    }
    let sign = if hi > 0 { 1 } else { -1 };
    (lo == 0 || hi == 0).then_some(Levels { sign, least, most: hi.max(-lo), excess: 0.0 })
}
