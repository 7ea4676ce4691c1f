//! Polygons joined to patches, with their borders and areas.
use super::{
    Curves, PatchData,
    chains::{Chains, Segment},
    common::Common,
    cut::Cuts,
    line::{LineKind, line},
    measure,
    placed::Placed,
};
use crate::{
    contact::contact_point,
    graph::DisjointSets,
    posed::probe::{Number, Rounded},
    stop::StopFlag,
    triangle::intersection,
};
use std::ops::{ControlFlow, Range};

/// A piece of a side, by the patch that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Owned {
    root: u32,
    ends: [u32; 2],
    left: bool,
}

/// A patch, while it is made.
#[derive(Clone, Debug)]
struct Found {
    root: u32,
    members: Range<usize>,
    nodes: Range<usize>,
}

#[derive(Debug, Default)]
pub(super) struct Patches {
    /// The commons of each patch.
    sets: DisjointSets,
    /// Patches, and the polygons of each.
    members: Vec<[u32; 2]>,
    found: Vec<Found>,
    /// The nodes of patches, sorted.
    nodes: Vec<u32>,
    owned: Vec<Owned>,
    border: Vec<Segment>,
    kept: Vec<u32>,
}

impl Patches {
    pub(super) fn find(
        &mut self,
        placed: &Placed<'_>,
        (commons, ring): (&[Common], &[u32]),
        cuts: &Cuts,
        chains: &mut Chains,
        curves: &mut Curves,
    ) -> ControlFlow<()> {
        if cuts.pieces.is_empty() {
            return ControlFlow::Continue(());
        }
        self.connect(placed, commons, cuts)?;
        self.gather(commons, ring);
        self.owned.clear();
        for piece in &cuts.pieces {
            let root = self.sets.root(piece.of);
            self.owned.push(Owned { root, ends: piece.ends, left: piece.left });
        }
        self.owned.sort_unstable();
        let found = std::mem::take(&mut self.found);
        let mut total = [Rounded::ZERO; 2];
        for patch in &found {
            let members = &self.members[patch.members.clone()];
            let first = curves.pairs.len();
            curves.pairs.extend(members.iter().map(|[_, member]| commons[*member as usize].pair));
            curves.pairs[first..].sort_unstable();
            let pairs = first..curves.pairs.len();
            let [i, j] = curves.pairs[first];
            let [normal, _] = contact_point(placed.bodies[0], placed.bodies[1], [i, j]).normals;

            let area = area(&mut self.kept, members, placed, (commons, ring), curves)?;
            total = [total[0].plus(&area[0]), total[1].plus(&area[1])];

            self.find_border(patch, commons, cuts, placed.stop)?;
            let (before, nodes) = (curves.borders.len(), &curves.nodes);
            let (along, borders) = (&mut curves.along, &mut curves.borders);
            chains.trace(&self.border, nodes.len(), placed.stop, &mut |chain| {
                line(chain, nodes, along, borders);
            })?;
            let border = before..curves.borders.len();
            debug_assert!(curves.borders[border.clone()].iter().all(|line| line.kind == LineKind::Edge));
            let area = between(&area);
            curves.patches.push(PatchData { pairs, border, normal: normal.unwrap_or_default(), area });
        }
        self.found = found;
        curves.area = between(&total);
        ControlFlow::Continue(())
    }

    /// Connects polygons in one plane that have pieces of sides in common.
    fn connect(&mut self, placed: &Placed<'_>, commons: &[Common], cuts: &Cuts) -> ControlFlow<()> {
        self.sets.reset(commons.len());
        for equal in cuts.pieces.chunk_by(|p, q| p.ends == q.ends) {
            for (k, piece) in equal.iter().enumerate() {
                for other in &equal[k + 1..] {
                    placed.stop.check()?;
                    let [p, q] = [piece, other].map(|piece| self.sets.root(piece.of));
                    if p != q && in_one_plane(placed, [piece, other].map(|x| &commons[x.of as usize])) {
                        self.sets.join(p, q);
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
    /// Makes lists of what patches have.
    fn gather(&mut self, commons: &[Common], ring: &[u32]) {
        let Self { sets, members, found, nodes, .. } = self;
        members.clear();
        let polygons = (0..).zip(commons).filter(|(_, common)| common.is_polygon());
        members.extend(polygons.map(|(number, _)| [sets.root(number), number]));
        members.sort_unstable();
        found.clear();
        nodes.clear();
        let mut first = 0;
        for patch in members.chunk_by(|a, b| a[0] == b[0]) {
            let before = nodes.len();
            for [_, member] in patch {
                nodes.extend_from_slice(&ring[commons[*member as usize].range()]);
            }
            nodes[before..].sort_unstable();
            let range = first..first + patch.len();
            found.push(Found { root: patch[0][0], members: range, nodes: before..nodes.len() });
            first += patch.len();
        }
        found.sort_unstable_by(|a, b| {
            nodes[a.nodes.clone()].cmp(&nodes[b.nodes.clone()]).then(a.root.cmp(&b.root))
        });
    }
    /// The pieces of sides that have the patch on one side alone.
    fn find_border(
        &mut self,
        patch: &Found,
        commons: &[Common],
        cuts: &Cuts,
        stop: StopFlag<'_>,
    ) -> ControlFlow<()> {
        let Self { owned, border, members, .. } = self;
        border.clear();
        let from = owned.partition_point(|piece| piece.root < patch.root);
        let own = &owned[from..];
        let own = &own[..own.partition_point(|piece| piece.root == patch.root)];
        for equal in own.chunk_by(|p, q| p.ends == q.ends) {
            let ends = equal[0].ends;
            let both = equal.iter().any(|piece| piece.left) && equal.iter().any(|piece| !piece.left);
            if both {
                continue;
            }
            let mut is_border = true;
            for [_, member] in &members[patch.members.clone()] {
                stop.check()?;
                let common = &commons[*member as usize];
                is_border &= !(common.dirty && cuts.runs_inside(*member, ends, &common.of));
                if !is_border {
                    break;
                }
            }
            if is_border {
                border.push(Segment { ends, crossing: false });
            }
        }
        ControlFlow::Continue(())
    }
}

/// Least and greatest.
fn between([least, most]: &[Rounded; 2]) -> [f64; 2] {
    [measure::interval(least)[0], measure::interval(most)[1]]
}

/// Two numbers between which the area of a patch lies: both are the sum of its polygons', unless some may
/// overlap. Then it is no less than the largest of them.
fn area(
    kept: &mut Vec<u32>,
    members: &[[u32; 2]],
    placed: &Placed<'_>,
    (commons, ring): (&[Common], &[u32]),
    curves: &Curves,
) -> ControlFlow<(), [Rounded; 2]> {
    kept.clear();
    kept.extend(members.iter().map(|[_, member]| *member));
    // Equal triangles have equal polygons.
    kept.sort_unstable_by_key(|&member| (commons[member as usize].of, member));
    kept.dedup_by_key(|member| commons[*member as usize].of);
    let of = |member: u32| {
        measure::area(ring[commons[member as usize].range()].iter().map(|&node| {
            let node = &curves.nodes[node as usize];
            measure::coordinates(&node.point, node.exact)
        }))
    };
    let mut sum = Rounded::ZERO;
    let mut largest = Rounded::ZERO;
    for &member in kept.iter() {
        placed.stop.check()?;
        let area = of(member);
        sum = sum.plus(&area);
        largest = if area.value() > largest.value() { area } else { largest };
    }
    kept.retain(|&member| commons[member as usize].dirty);
    for (k, &member) in kept.iter().enumerate() {
        for &other in &kept[k + 1..] {
            placed.stop.check()?;
            let pair = [member, other].map(|member| &commons[member as usize]);
            if (0..2).all(|x| may_overlap(placed, x, pair)) {
                return ControlFlow::Continue([largest, sum]);
            }
        }
    }
    ControlFlow::Continue([sum; 2])
}

/// Whether triangles of one body, in one plane, have more than a segment in common.
fn may_overlap(placed: &Placed<'_>, body: usize, pair: [&Common; 2]) -> bool {
    if pair[0].of[body] == pair[1].of[body] {
        return true;
    }
    let mut overlap = false;
    let mesh = placed.bodies[body].model.mesh();
    let [s, t] = pair.map(|common| mesh.corners(common.pair[body]));
    placed.space.ask_triangles([body; 2], [&s, &t], &mut |g| {
        intersection::each(g, &mut |cell| overlap |= cell.len > 2);
    });
    overlap
}

/// Whether two polygons lie in one plane.
fn in_one_plane(placed: &Placed<'_>, pair: [&Common; 2]) -> bool {
    if (0..2).any(|x| pair[0].pair[x] == pair[1].pair[x]) {
        return true;
    }
    let mut plane = false;
    let mesh = placed.bodies[0].model.mesh();
    let [s, t] = pair.map(|common| mesh.corners(common.pair[0]));
    placed.space.ask_triangles([0; 2], [&s, &t], &mut |g| plane = g.sides([0, 1, 2], [3, 4, 5]) == [0; 3]);
    plane
}
