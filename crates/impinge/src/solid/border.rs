//! Meshes that are the border of their inside, and nothing else.
use super::{
    FaceSides, FillRule, Solid, cells::CellVisitor, chain::Role, crossings::Windings, occurring::visit,
    once::unless_stopped,
};
use crate::{Mesh, geometry::Geometry, stop::StopFlag};
use std::ops::ControlFlow;

/// Faces are cut into pieces if the squares of their numbers of partners add up to at most this, and so much
/// more for each triangle of the mesh.
const MOST: u64 = 1 << 16;
const MOST_OF_TRIANGLE: u64 = 16;

/// Checks that each piece of a face has the inside on one side alone.
struct Pieces {
    rule: FillRule,
    are_border: bool,
}

impl CellVisitor for Pieces {
    fn take(&mut self, windings: Windings, _: &dyn Fn() -> bool) -> ControlFlow<()> {
        let [front, back] = windings.map(|side| side[0].is_some_and(|winding| self.rule.holds(winding)));
        self.are_border &= front != back;
        if self.are_border { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
    fn wants_others(&mut self) -> bool {
        true
    }
}

impl Solid {
    /// True if the union of all triangles is the border of the inside: the mesh bounds a solid, faces have
    /// the inside on one side everywhere, no two cancel, and triangles without area lie on edges of faces.
    /// False if this is unknown: with [`FillRule::Positive`] for a mirrored body (`handedness` is -1), and if
    /// very many faces meet others elsewhere than in common corners and edges. Computed once. Breaks if it is
    /// stopped.
    pub(crate) fn is_border(
        &self,
        geometry: &Geometry,
        fill_rule: FillRule,
        handedness: i32,
        stop: StopFlag<'_>,
    ) -> ControlFlow<(), bool> {
        let rule = self.rule(fill_rule);
        if rule == FillRule::Positive && handedness < 0 {
            return ControlFlow::Continue(false);
        }
        unless_stopped(&self.border[rule as usize], || self.find_border(geometry, rule, stop))
            .map_continue(|is| *is)
    }

    fn find_border(&self, geometry: &Geometry, rule: FillRule, stop: StopFlag<'_>) -> ControlFlow<(), bool> {
        let mesh = geometry.mesh();
        if !self.status().is_closed() || self.chain.has_sheets || !self.degenerate_lie_on_edges(mesh) {
            return ControlFlow::Continue(false);
        }
        let sides = self.sides(geometry, stop)?;
        let is_one_side = |&front: &i32| rule.holds(front) != rule.holds(front + 1);
        if !are_few(sides, mesh) || !sides.fronts.iter().all(is_one_side) {
            return ControlFlow::Continue(false);
        }
        let mut pieces = Pieces { rule, are_border: true };
        for (t, _) in (0..).zip(&sides.is_dirty).filter(|(_, is_dirty)| **is_dirty) {
            visit(self, geometry, t, &mut pieces, |_, _| (), stop)?;
            if !pieces.are_border {
                break;
            }
        }
        ControlFlow::Continue(pieces.are_border)
    }

    /// True if each triangle without area has its longest edge, or both others, in common with faces.
    fn degenerate_lie_on_edges(&self, mesh: &Mesh) -> bool {
        let edges = |t: u32| {
            let [a, b, c] = mesh.triangles()[t as usize].map(|v| self.chain.vertices[v as usize]);
            [[a, b], [b, c], [c, a]].map(|[v, w]| [v.min(w), v.max(w)])
        };
        let of_role = |role: Role| {
            let roles = (0..).zip(&self.chain.roles);
            roles.filter(move |(_, own)| **own == role).map(|(t, _)| t)
        };
        let mut wanted: Vec<[u32; 2]> = of_role(Role::Degenerate).flat_map(edges).collect();
        if wanted.is_empty() {
            return true;
        }
        wanted.sort_unstable();
        wanted.dedup();
        let mut found = vec![false; wanted.len()];
        let corners = |t: u32| mesh.triangles()[t as usize].map(|v| [self.chain.vertices[v as usize]; 2]);
        for edge in of_role(Role::Face).flat_map(|t| edges(t).into_iter().chain(corners(t))) {
            if let Ok(at) = wanted.binary_search(&edge) {
                found[at] = true;
            }
        }
        let is_found = |edge: [u32; 2]| wanted.binary_search(&edge).is_ok_and(|at| found[at]);
        of_role(Role::Degenerate).all(|t| {
            let of_t = edges(t);
            // The corners are on a line: the axis on which it is longest decides.
            let length = |[v, w]: [u32; 2]| {
                let [p, q] = [v, w].map(|v| mesh.points()[v as usize]);
                (0..3).fold(0.0_f64, |most, k| most.max((0.5 * p[k] - 0.5 * q[k]).abs()))
            };
            let longest = (0..3).max_by(|&i, &j| length(of_t[i]).total_cmp(&length(of_t[j]))).unwrap_or(0);
            let others = [of_t[(longest + 1) % 3], of_t[(longest + 2) % 3]];
            is_found(of_t[longest]) || others.into_iter().all(is_found)
        })
    }
}

/// True if few enough faces meet each other to be cut into pieces.
fn are_few(sides: &FaceSides, mesh: &Mesh) -> bool {
    if sides.are_clean() {
        return true;
    }
    let Some(pairs) = sides.pairs() else { return false };
    let mut counts = vec![0_u64; mesh.len()];
    pairs.as_flattened().iter().for_each(|&t| counts[t as usize] += 1);
    let squares = counts.iter().fold(0_u64, |sum, &count| sum.saturating_add(count * count));
    squares <= MOST + MOST_OF_TRIANGLE * mesh.len() as u64
}
