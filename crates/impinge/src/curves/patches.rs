//! Polygons joined to patches, with their borders and areas.
use super::{
    Curves, PatchData,
    chains::{Chains, CurveSegment},
    common::CommonPart,
    cut::Cuts,
    line::{LineKind, line},
    measure,
    node::Node,
    placed::PlacedBodies,
};
use crate::{
    contact::contact_point,
    graph::DisjointSets,
    posed::probe::{Number, RoundedNumber},
    stop::StopFlag,
};
use std::ops::{ControlFlow, Range};

/// A piece of a side, by the patch that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Owned {
    root: u32,
    ends: [u32; 2],
    left: bool,
}

/// A piece of a side that runs through the inside of a polygon of its plane, by the patch that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Inner {
    root: u32,
    ends: [u32; 2],
}

/// A patch, while it is made.
#[derive(Clone, Debug)]
struct Found {
    root: u32,
    members: Range<usize>,
    nodes: Range<usize>,
}

/// A piece of a border.
#[derive(Clone, Copy, Debug)]
struct BorderPiece {
    ends: [u32; 2],
    left: bool,
}

#[derive(Debug, Default)]
pub(super) struct Patches {
    /// The commons, joined by patch.
    sets: DisjointSets,
    /// The root of a patch and the number of one of its polygons, sorted.
    members: Vec<[u32; 2]>,
    found: Vec<Found>,
    /// The nodes of patches, sorted.
    nodes: Vec<u32>,
    owned: Vec<Owned>,
    inner: Vec<Inner>,
    pieces: Vec<BorderPiece>,
    border: Vec<CurveSegment>,
}

impl Patches {
    pub(super) fn find(
        &mut self,
        placed: &PlacedBodies<'_>,
        commons: &[CommonPart],
        ring: &[u32],
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
        for inner in &mut self.inner {
            inner.root = self.sets.root(inner.root);
        }
        self.inner.sort_unstable();
        let found = std::mem::take(&mut self.found);
        let mut total = RoundedNumber::ZERO;
        for patch in &found {
            let members = &self.members[patch.members.clone()];
            let first = curves.pairs.len();
            curves.pairs.extend(members.iter().map(|[_, member]| commons[*member as usize].pair));
            curves.pairs[first..].sort_unstable();
            let pairs = first..curves.pairs.len();
            let [i, j] = curves.pairs[first];
            let [normal, _] = contact_point(placed.bodies[0], placed.bodies[1], [i, j]).normals;

            let overlap = self.find_border(patch, placed.stop)?;
            let area = if overlap {
                self.area_inside(&curves.nodes)
            } else {
                area(&self.members[patch.members.clone()], placed.stop, commons, ring, curves)?
            };
            total = total.plus(&area);
            let (before, nodes) = (curves.borders.len(), &curves.nodes);
            let (along, borders) = (&mut curves.along, &mut curves.borders);
            chains.trace(&self.border, nodes.len(), placed.stop, &mut |chain| {
                line(chain, nodes, along, borders);
            })?;
            let border = before..curves.borders.len();
            debug_assert!(curves.borders[border.clone()].iter().all(|line| line.kind == LineKind::Edge));
            let area = measure::interval(&area);
            curves.patches.push(PatchData { pairs, border, normal: normal.unwrap_or_default(), area });
        }
        self.found = found;
        curves.area = measure::interval(&total);
        ControlFlow::Continue(())
    }

    /// Connects polygons in one plane that have pieces of sides in common, or overlap. Where two overlap, a
    /// piece of one runs through the inside of the other, or they have the same sides.
    fn connect(&mut self, placed: &PlacedBodies<'_>, commons: &[CommonPart], cuts: &Cuts) -> ControlFlow<()> {
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
        let Self { sets, inner, .. } = self;
        inner.clear();
        for (number, common) in (0..).zip(commons).filter(|(_, common)| common.dirty && common.is_polygon()) {
            cuts.inside(number, common, placed.stop, &mut |piece| {
                if in_one_plane(placed, [common, &commons[piece.of as usize]]) {
                    let [p, q] = [number, piece.of].map(|polygon| sets.root(polygon));
                    if p != q {
                        sets.join(p, q);
                    }
                    inner.push(Inner { root: number, ends: piece.ends });
                }
            })?;
        }
        ControlFlow::Continue(())
    }
    /// Lists the polygons and nodes of each patch.
    fn gather(&mut self, commons: &[CommonPart], ring: &[u32]) {
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
    /// Finds the pieces of sides that have the patch on one side alone. Returns whether some of its polygons
    /// overlap.
    fn find_border(&mut self, patch: &Found, stop: StopFlag<'_>) -> ControlFlow<(), bool> {
        let Self { owned, inner, pieces, border, .. } = self;
        pieces.clear();
        border.clear();
        let from = owned.partition_point(|piece| piece.root < patch.root);
        let own = &owned[from..];
        let own = &own[..own.partition_point(|piece| piece.root == patch.root)];
        let from = inner.partition_point(|piece| piece.root < patch.root);
        let inner = &inner[from..];
        let inner = &inner[..inner.partition_point(|piece| piece.root == patch.root)];
        let mut overlap = !inner.is_empty();
        for equal in own.chunk_by(|p, q| p.ends == q.ends) {
            stop.check()?;
            let (ends, left) = (equal[0].ends, equal[0].left);
            // Pieces are sorted: those that have their polygon on the right come first.
            let [right, all] = [equal.iter().filter(|piece| !piece.left).count(), equal.len()];
            overlap |= right > 1 || all - right > 1;
            let is_inner = inner.binary_search_by_key(&ends, |piece| piece.ends).is_ok();
            if (right == 0 || right == all) && !is_inner {
                pieces.push(BorderPiece { ends, left });
                border.push(CurveSegment { ends, crossing: false });
            }
        }
        ControlFlow::Continue(overlap)
    }
    /// The area within the border.
    fn area_inside(&self, nodes: &[Node]) -> RoundedNumber {
        let at = |node: u32| measure::coordinates(&nodes[node as usize].point, nodes[node as usize].exact);
        let Some(first) = self.pieces.first().map(|piece| piece.ends[0]) else { return RoundedNumber::ZERO };
        let others = self.pieces.iter().filter(|piece| !piece.ends.contains(&first));
        measure::enclosed(
            &at(first),
            others.map(|piece| {
                let [p, q] = piece.ends.map(at);
                if piece.left { [p, q] } else { [q, p] }
            }),
        )
    }
}

/// The area of polygons that do not overlap.
fn area(
    members: &[[u32; 2]],
    stop: StopFlag<'_>,
    commons: &[CommonPart],
    ring: &[u32],
    curves: &Curves,
) -> ControlFlow<(), RoundedNumber> {
    let mut sum = RoundedNumber::ZERO;
    for &[_, member] in members {
        stop.check()?;
        sum = sum.plus(&measure::area(ring[commons[member as usize].range()].iter().map(|&node| {
            let node = &curves.nodes[node as usize];
            measure::coordinates(&node.point, node.exact)
        })));
    }
    ControlFlow::Continue(sum)
}

/// True if two polygons lie in one plane.
fn in_one_plane(placed: &PlacedBodies<'_>, pair: [&CommonPart; 2]) -> bool {
    if (0..2).any(|x| pair[0].pair[x] == pair[1].pair[x]) {
        return true;
    }
    let mut plane = false;
    let mesh = placed.bodies[0].model.mesh();
    let [s, t] = pair.map(|common| mesh.corners(common.pair[0]));
    placed.space.ask_triangles([0; 2], [&s, &t], &mut |g| plane = g.sides([0, 1, 2], [3, 4, 5]) == [0; 3]);
    plane
}
