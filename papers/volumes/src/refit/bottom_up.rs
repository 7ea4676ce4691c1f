//! Bottom-up refits: compute a leaf's volume from its corners and a node's from its children, the last node
//! first (van den Bergen 1997, section 4).
//!
//! A volume is a row of maxima of hi and of -lo along each normal, four to a vector. The row of every vertex
//! is computed once. The maximum of two rows is exact, so the result equals a volume fitted to all triangles
//! below.
use crate::{
    link::{Link, Target},
    topology::Topology,
    tree::{Node, Tree},
    volume::{
        NodeLayout,
        bounding_volume::{BoundingVolume, NodeOf},
    },
};
use impinge::{
    Mesh,
    hierarchy::{Cost, Executor, NormalizedFrame, Touched, Vector},
};
use std::ops::Range;

/// Four numbers in one vector register.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(crate) struct F32x4(pub(crate) [f32; 4]);

impl F32x4 {
    /// Maximum of each lane; no lane is NaN.
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        let greater = |a: f32, b: f32| if a > b { a } else { b };
        let ([a, b, c, d], [e, f, g, h]) = (self.0, o.0);
        Self([greater(a, e), greater(b, f), greater(c, g), greater(d, h)])
    }
    #[inline(always)]
    fn plus(self, o: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, o.0);
        Self([a + e, b + f, c + g, d + h])
    }
}

/// A volume defined by a row of numbers, such that the maximum of two rows gives the smallest volume around
/// both.
pub(crate) trait Merge: BoundingVolume {
    /// The number of [`F32x4`] in a row, up to [`ROWS`]. The first two hold hi and -lo along the axes.
    const ROW: usize;
    /// The row of a point of the mesh.
    fn row(normalized: &NormalizedFrame, v: &Vector, to: &mut [F32x4]);
    fn close(row: &[F32x4; ROWS]) -> Self;
    fn open(&self) -> [F32x4; ROWS];
}

/// The largest [`Merge::ROW`] of any volume.
pub(crate) const ROWS: usize = 7;
type MaxRow = [F32x4; ROWS];
const NOTHING: MaxRow = [F32x4([f32::NEG_INFINITY; 4]); ROWS];

/// [`MORE`] and [`LEAST`] together exceed the error of two roundings to f32: for y = x + |x| `MORE` + `LEAST`
/// in f64, y rounded to f32 is at least y - 2^-24 |y| - 2^-150, and y itself is off by 2^-51 |x|. So it is at
/// least x + |x| (2^-46 - 2^-48 - 2^-51) + 2^-151: more than the interval of `NormalizedFrame::bounds`, which
/// reaches 2^-52 |x| and 2^-1074 beyond x.
const MORE: f64 = 1.0 / (1 << 24) as f64 + 1.0 / (1_u64 << 46) as f64;
const LEAST: f64 = f32::from_bits(1) as f64;

/// An f32 above the interval that [`NormalizedFrame::bounds`] returns for a coordinate, by at most 2 units in
/// the last place.
#[inline(always)]
pub(crate) fn above(x: f64) -> f32 {
    (x + (x.abs() * MORE + LEAST)) as f32
}

#[inline(always)]
fn add<V: Merge>(sum: &mut MaxRow, row: &[F32x4]) {
    for (sum, row) in sum.iter_mut().zip(&row[..V::ROW]) {
        *sum = row.max(*sum);
    }
}

/// Half the surface area of the box.
#[inline(always)]
fn half_area(row: &MaxRow) -> f64 {
    let [x, y, z, _] = row[0].plus(row[1]).0;
    f64::from(x * y + y * z + z * x)
}

/// Memory of a full refit.
#[derive(Debug, Default)]
pub(crate) struct MaxRows {
    rows: Vec<F32x4>,
    /// Vertices of the leaves in the order in which the refit reads them, each once for a leaf.
    names: Vec<u32>,
    /// Number of vertices of each leaf.
    counts: Vec<u8>,
    /// All nodes, in their order.
    pieces: Vec<Piece>,
}

/// One thread computes the rows of up to `ALONE` points and refits subtrees of up to `PIECE` nodes. The
/// pieces do not depend on the threads, so neither do the costs, which are sums over pieces.
const ALONE: usize = 8192;
const PIECE: usize = 2048;

/// Consecutive nodes.
#[derive(Clone, Debug)]
struct Piece {
    nodes: Range<usize>,
    /// True if they are a whole subtree; otherwise they are the nodes above subtrees.
    is_whole: bool,
    /// Offset of the piece's vertices and counts.
    names: usize,
    counts: usize,
    /// The sum of the boxes' half areas.
    sum: f64,
}

impl MaxRows {
    /// Lists the vertices of all leaves, those of the last node first.
    fn prepare(&mut self, tree: &dyn Topology, mesh: &Mesh) {
        self.pieces = pieces(tree);
        if tree.node_count() == 0 && tree.top() != Link::NONE {
            self.leaf(tree.triangles(tree.top()), mesh);
        }
        for piece in (0..self.pieces.len()).rev() {
            (self.pieces[piece].names, self.pieces[piece].counts) = (self.names.len(), self.counts.len());
            for node in self.pieces[piece].nodes.clone().rev() {
                for &link in tree.links_of(node) {
                    if let Target::Leaf { .. } = link.target() {
                        self.leaf(tree.triangles(link), mesh);
                    }
                }
            }
        }
    }

    fn leaf(&mut self, triangles: &[u32], mesh: &Mesh) {
        let start = self.names.len();
        for &triangle in triangles {
            for name in mesh.triangles()[triangle as usize] {
                if !self.names[start..].contains(&name) {
                    self.names.push(name);
                }
            }
        }
        self.counts.push((self.names.len() - start) as u8);
    }
}

/// Cuts a tree's nodes into pieces. The builder goes depth first, so a subtree is a range of nodes.
fn pieces(tree: &dyn Topology) -> Vec<Piece> {
    let sizes = tree.subtree_sizes();
    let (mut pieces, mut at): (Vec<Piece>, _) = (Vec::new(), 0);
    while at < sizes.len() {
        let is_whole = sizes[at] <= PIECE;
        let end = at + if is_whole { sizes[at] } else { 1 };
        match pieces.last_mut() {
            Some(last) if !last.is_whole && !is_whole => last.nodes.end = end,
            _ => pieces.push(Piece { nodes: at..end, is_whole, names: 0, counts: 0, sum: 0.0 }),
        }
        at = end;
    }
    pieces
}

/// Computes the rows of some points.
fn rows<V: Merge>(normalized: &NormalizedFrame, points: &[Vector], rows: &mut [F32x4], executor: Executor) {
    if executor == Executor::Serial || points.len() <= ALONE {
        for (v, row) in points.iter().zip(rows.chunks_exact_mut(V::ROW)) {
            V::row(normalized, v, row);
        }
        return;
    }
    let half = points.len() / 2;
    let ((p, q), (r, s)) = (points.split_at(half), rows.split_at_mut(half * V::ROW));
    executor
        .join(|| self::rows::<V>(normalized, p, r, executor), || self::rows::<V>(normalized, q, s, executor));
}

/// The leaves in the order in which the refit reads them.
#[derive(Clone, Copy)]
struct Leaves<'a> {
    rows: &'a [F32x4],
    names: &'a [u32],
    counts: &'a [u8],
}

impl Leaves<'_> {
    /// The leaves from the start of a piece on.
    fn of(self, piece: &Piece) -> Self {
        Self { names: &self.names[piece.names..], counts: &self.counts[piece.counts..], ..self }
    }
    /// The row of the next leaf.
    #[inline(always)]
    fn next<V: Merge>(&mut self) -> MaxRow {
        let mut sum = NOTHING;
        if let [count, counts @ ..] = self.counts {
            let (own, names) = self.names.split_at(usize::from(*count).min(self.names.len()));
            (self.names, self.counts) = (names, counts);
            for &name in own {
                add::<V>(&mut sum, &self.rows[V::ROW * name as usize..]);
            }
        }
        sum
    }
}

/// Refits the nodes in `range`, the last first; `nodes` begins with node `first`. Returns the sum of the
/// boxes' half areas.
#[inline(always)]
fn climb<V: Merge, const N: usize>(
    nodes: &mut [Node<NodeOf<V, N>>],
    (first, range): (usize, Range<usize>),
    mut leaves: Leaves<'_>,
) -> f64 {
    let mut cost = 0.0;
    for i in range.rev() {
        let mut child_bounds = nodes[i - first].child_bounds;
        let mut last = NOTHING;
        for (slot, link) in nodes[i - first].links.into_iter().enumerate() {
            if link != Link::NONE {
                last = match link.target() {
                    Target::Leaf { .. } => leaves.next::<V>(),
                    Target::Inner(child) => around(&nodes[child as usize - first].child_bounds),
                };
                cost += half_area(&last);
            }
            child_bounds[slot] = V::close(&last);
        }
        nodes[i - first].child_bounds = child_bounds;
    }
    cost
}

/// Refits the subtrees among some pieces; `nodes` begins with node `first`.
fn subtrees<V: Merge, const N: usize>(
    pieces: &mut [Piece],
    (nodes, first): (&mut [Node<NodeOf<V, N>>], usize),
    leaves: Leaves<'_>,
    executor: Executor,
) {
    match pieces {
        [] => (),
        [piece] => {
            if piece.is_whole {
                piece.sum = climb(nodes, (first, piece.nodes.clone()), leaves.of(piece));
            }
        }
        _ => {
            let (left, right) = pieces.split_at_mut(pieces.len() / 2);
            let middle = right[0].nodes.start;
            let (front, back) = nodes.split_at_mut(middle - first);
            executor.join(
                || subtrees(left, (front, first), leaves, executor),
                || subtrees(right, (back, middle), leaves, executor),
            );
        }
    }
}

/// The functions that refit a tree bottom-up.
pub(crate) struct BottomUpRefit<V: NodeLayout> {
    /// Refits it to all points.
    pub(crate) all: fn(&mut Tree<V>, &Mesh, &mut MaxRows, Executor) -> Cost,
    /// Refits it to the touched points, and updates the cost.
    pub(crate) some: fn(&mut Tree<V>, &Mesh, &Touched, &mut Cost),
}

impl<V: Merge, const N: usize> BottomUpRefit<NodeOf<V, N>> {
    pub(crate) fn new() -> Self {
        Self { all: all::<V, N>, some: some::<V, N> }
    }
}

/// Refits all volumes to the mesh's new points, in the tree's normalized frame. O(n).
fn all<V: Merge, const N: usize>(
    tree: &mut Tree<NodeOf<V, N>>,
    mesh: &Mesh,
    memory: &mut MaxRows,
    executor: Executor,
) -> Cost {
    if memory.counts.is_empty() {
        memory.prepare(tree, mesh);
    }
    let MaxRows { rows, names, counts, pieces } = memory;
    rows.resize(V::ROW * mesh.points().len(), NOTHING[0]);
    self::rows::<V>(&tree.normalized, mesh.points(), rows, executor);
    let mut leaves = Leaves { rows, names, counts };
    subtrees(pieces, (&mut tree.nodes, 0), leaves, executor);
    let mut top = NOTHING;
    if tree.nodes.is_empty() && tree.top != Link::NONE {
        top = leaves.next::<V>();
    }
    for piece in pieces.iter_mut().rev().filter(|piece| !piece.is_whole) {
        piece.sum = climb(&mut tree.nodes, (0, piece.nodes.clone()), leaves.of(piece));
    }
    if let Some(node) = tree.nodes.first() {
        top = around(&node.child_bounds);
    }
    if tree.root.is_some() {
        tree.root = Some(V::close(&top));
    }
    Cost { sum: pieces.iter().map(|piece| piece.sum).sum(), root: half_area(&top) }
}

/// Refits the volumes above touched triangles.
fn some<V: Merge, const N: usize>(
    tree: &mut Tree<NodeOf<V, N>>,
    mesh: &Mesh,
    touched: &Touched,
    cost: &mut Cost,
) {
    let mut top = NOTHING;
    if tree.nodes.is_empty() && tree.top != Link::NONE {
        top = leaf_of::<V, N>(tree, mesh, tree.top);
    }
    for &i in &touched.nodes {
        let node = &tree.nodes[i as usize];
        let (mut child_bounds, links) = (node.child_bounds, node.links);
        let mut last = NOTHING;
        for (slot, &link) in links.iter().enumerate() {
            if link != Link::NONE {
                cost.sum -= half_area(&child_bounds[slot].open());
                last = match link.target() {
                    Target::Leaf { .. } => leaf_of::<V, N>(tree, mesh, link),
                    Target::Inner(child) => around(&tree.nodes[child as usize].child_bounds),
                };
                cost.sum += half_area(&last);
            }
            child_bounds[slot] = V::close(&last);
        }
        tree.nodes[i as usize].child_bounds = child_bounds;
    }
    if let Some(node) = tree.nodes.first() {
        top = around(&node.child_bounds);
    }
    cost.root = half_area(&top);
    if tree.root.is_some() {
        tree.root = Some(V::close(&top));
    }
}

/// The row of a node, from its children's. Unused slots repeat a child, so they change nothing.
#[inline(always)]
fn around<V: Merge, const N: usize>(child_bounds: &[V; N]) -> MaxRow {
    let mut sum = NOTHING;
    for child in child_bounds {
        add::<V>(&mut sum, &child.open());
    }
    sum
}

fn leaf_of<V: Merge, const N: usize>(tree: &Tree<NodeOf<V, N>>, mesh: &Mesh, link: Link) -> MaxRow {
    let (mut sum, mut row) = (NOTHING, NOTHING);
    if let Target::Leaf { first, count } = link.target() {
        for &triangle in &tree.order[first as usize..][..count as usize] {
            for v in mesh.corners(triangle) {
                V::row(&tree.normalized, &v, &mut row[..V::ROW]);
                add::<V>(&mut sum, &row);
            }
        }
    }
    sum
}
