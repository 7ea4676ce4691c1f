//! Sides inside and outside, and fins, of faces that meet other faces of their mesh.
use super::{
    Solid,
    cells::{CellVisitor, FaceCells},
    chain::Role,
    crossings::Windings,
    fill_rule::FillRule,
    lines::Meshes,
    once::unless_stopped,
    partners::partners,
    sides::FaceSides,
};
use crate::{
    Pose,
    geometry::Geometry,
    posed::probe::{Space, at_limbs},
    stop::StopFlag,
};
use std::{ops::ControlFlow, sync::atomic::Ordering};

/// The sides that occur somewhere on a face: a side that is inside, one that is outside, a piece with both
/// sides outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurring {
    inside: bool,
    outside: bool,
    pub(crate) fin: bool,
}

impl Occurring {
    const NOTHING: Self = Self { inside: false, outside: false, fin: false };
    /// The sides of a surface.
    pub(crate) const FIN: Self = Self { inside: false, outside: true, fin: true };
    pub(crate) fn has(self, inside: bool) -> bool {
        if inside { self.inside } else { self.outside }
    }
}

struct Looking {
    rule: FillRule,
    found: Occurring,
    may_be_fin: bool,
}

impl CellVisitor for Looking {
    fn take(&mut self, windings: Windings, _: &dyn Fn() -> bool) -> ControlFlow<()> {
        let sides = windings.map(|side| side[0].is_some_and(|winding| self.rule.holds(winding)));
        let Occurring { inside, outside, fin } = &mut self.found;
        *inside |= sides.contains(&true);
        *outside |= sides.contains(&false);
        *fin |= sides == [false; 2];
        let is_all = *inside && *outside && (*fin || !self.may_be_fin);
        if is_all { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
    fn wants_others(&mut self) -> bool {
        true
    }
}

impl Solid {
    /// Triangles that equal ones cancel and that are, somewhere, outside of the mesh's own inside. Computed
    /// once. Breaks, and keeps nothing, if it is stopped.
    pub(crate) fn fins(
        &self,
        geometry: &Geometry,
        rule: FillRule,
        stop: StopFlag<'_>,
    ) -> ControlFlow<(), &[u32]> {
        unless_stopped(&self.fins[rule as usize], || {
            let mut fins = Vec::new();
            for t in
                (0..geometry.mesh().len() as u32).filter(|&t| self.chain.roles[t as usize] == Role::Sheet)
            {
                if occurring(self, geometry, t, rule, stop)?.fin {
                    fins.push(t);
                }
            }
            ControlFlow::Continue(fins)
        })
        .map_continue(Vec::as_slice)
    }
}

impl FaceSides {
    /// The sides of a face with partners. Computed once. Breaks, and keeps nothing, if it is stopped.
    pub(crate) fn occurring(
        &self,
        solid: &Solid,
        geometry: &Geometry,
        t: u32,
        rule: FillRule,
        stop: StopFlag<'_>,
    ) -> ControlFlow<(), Occurring> {
        let shift = 4 * rule as u32;
        let known = self.occurring[t as usize].load(Ordering::Relaxed) >> shift & 15;
        if known != 0 {
            let [inside, outside, fin] = [2, 4, 8].map(|bit| known & bit != 0);
            return ControlFlow::Continue(Occurring { inside, outside, fin });
        }
        let found = occurring(solid, geometry, t, rule, stop)?;
        let bits =
            1 | u16::from(found.inside) << 1 | u16::from(found.outside) << 2 | u16::from(found.fin) << 3;
        self.occurring[t as usize].fetch_or(bits << shift, Ordering::Relaxed);
        ControlFlow::Continue(found)
    }
}

/// Finds the sides that occur on a triangle of a mesh that has an inside.
fn occurring(
    solid: &Solid,
    geometry: &Geometry,
    t: u32,
    rule: FillRule,
    stop: StopFlag<'_>,
) -> ControlFlow<(), Occurring> {
    let mut looking = Looking { rule, found: Occurring::NOTHING, may_be_fin: true };
    let prepare = |looking: &mut Looking, is_alone: bool| {
        looking.may_be_fin = rule == FillRule::Positive || !is_alone;
    };
    visit(solid, geometry, t, &mut looking, prepare, stop)?;
    ControlFlow::Continue(looking.found)
}

/// Visits the pieces of a triangle of a mesh that has an inside. First it calls `prepare` with true if the
/// triangle is a face and none of its partners lies in its plane.
pub(super) fn visit<V: CellVisitor>(
    solid: &Solid,
    geometry: &Geometry,
    t: u32,
    visitor: &mut V,
    prepare: impl FnOnce(&mut V, bool),
    stop: StopFlag<'_>,
) -> ControlFlow<()> {
    stop.check()?;
    let pose = &Pose::IDENTITY;
    let space = Space::new([pose; 2], [&solid.bits; 2]);
    let placed = [Some(solid.placed(geometry, 0, 1)), None];
    let meshes = Meshes { meshes: [geometry.mesh(); 2], poses: [pose; 2], space: &space, placed, stop };
    let partners: Vec<(usize, u32)> = partners(solid, geometry, t).into_iter().map(|u| (0, u)).collect();
    at_limbs!(space.limbs, N => {
        match FaceCells::<N>::new(&meshes, 0, t, &partners) {
            Some(cells) => {
                prepare(visitor, solid.is_face(t) && !cells.is_any_coplanar(0));
                cells.visit(visitor)
            }
            None => ControlFlow::Continue(()),
        }
    })
}
