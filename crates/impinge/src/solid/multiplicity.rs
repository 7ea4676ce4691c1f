//! Winding numbers of clean meshes, and of several copies of a mesh.
use super::{Solid, closedness::Closedness, levels::Levels, once::unless_stopped, sides::FaceSides};
use crate::{BuildOptions, Mesh, Quality, geometry::Geometry, stop::StopFlag};
use std::{collections::HashMap, ops::ControlFlow};

impl Solid {
    /// Winding numbers of a mesh that is closed with orientation, if they have one sign. `otherwise` computes
    /// the levels of a mesh that meets itself, and the regions of any. Breaks, and keeps nothing, if it is
    /// stopped.
    pub(crate) fn levels(
        &self,
        geometry: &Geometry,
        stop: StopFlag<'_>,
        otherwise: impl FnOnce() -> ControlFlow<(), Option<Levels>>,
    ) -> ControlFlow<(), Option<&Levels>> {
        if self.status() != Closedness::Closed {
            return ControlFlow::Continue(None);
        }
        unless_stopped(&self.levels, || {
            let sides = self.sides(geometry, stop)?;
            if !sides.are_clean() {
                return match of_copies(self, geometry, stop)? {
                    None => otherwise(),
                    levels => ControlFlow::Continue(levels),
                };
            }
            let Some(levels) = of_clean(self, geometry, sides) else { return ControlFlow::Continue(None) };
            let regions = match levels.most {
                1 => Some(Vec::new()),
                _ => otherwise()?.and_then(|levels| levels.regions),
            };
            ControlFlow::Continue(Some(Levels { regions, ..levels }))
        })
        .map_continue(Option::as_ref)
    }
}

/// Levels of a mesh that has each face k > 1 times, facing the same way: k times those of the mesh with each
/// face once, if its faces do not meet each other. `None` for other meshes. Breaks if it is stopped.
fn of_copies(solid: &Solid, geometry: &Geometry, stop: StopFlag<'_>) -> ControlFlow<(), Option<Levels>> {
    let Some((times, one)) = copies(solid, geometry) else { return ControlFlow::Continue(None) };
    let one_of_each = Solid::new(&one);
    let levels = one_of_each.levels(&one, stop, || ControlFlow::Continue(None))?;
    let clean = levels.filter(|levels| levels.excess == 0.0);
    ControlFlow::Continue(clean.map(|levels| Levels {
        least: times * levels.least,
        most: times * levels.most,
        regions: None,
        ..levels.clone()
    }))
}

/// Number of times that a mesh has each face, if it is the same and more than 1, and the mesh with each face
/// once.
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

/// Levels of an oriented closed mesh whose faces meet each other only in common corners and edges; `None` if
/// there are numbers of both signs. Every cell of space has a face on its boundary, so the sides of all faces
/// suffice.
fn of_clean(solid: &Solid, geometry: &Geometry, sides: &FaceSides) -> Option<Levels> {
    let (mut lo, mut hi, mut least) = (0, 0, i32::MAX);
    for t in (0..geometry.mesh().len() as u32).filter(|&t| solid.is_face(t)) {
        for w in sides.windings(t).into_iter().flatten().filter(|&w| w != 0) {
            (lo, hi, least) = (lo.min(w), hi.max(w), least.min(w.abs()));
        }
    }
    let sign = if hi > 0 { 1 } else { -1 };
    let levels = Levels { sign, least, most: hi.max(-lo), excess: 0.0, regions: None };
    (lo == 0 || hi == 0).then_some(levels)
}
