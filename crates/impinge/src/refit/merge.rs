//! Refits by sums: a leaf's volume from its corners, a node's from its children, the last node first (van den Bergen 1997, section 4).
//!
//! A sum is a row of maxima, four at a time: of hi, and of -lo, along each normal. Every vertex gets its row once.
//! Two sums' sum is exact, so a volume comes out as one that is fitted to all triangles below.
use super::{Cost, Links, Touched};
use crate::{
    Mesh,
    motion::Chart,
    tree::{Link, Target, Tree},
    volume::{
        Volume,
        standalone::{Nary, Standalone},
    },
    wide::Four,
};

type Vector = [f64; 3];

/// A volume that is the least around two others if its numbers are the larger ones of theirs.
pub(crate) trait Merge: Standalone {
    /// Fours in a row, up to [`ROWS`]. The first two hold hi and -lo along the axes.
    const ROW: usize;
    /// That of a point of the mesh.
    fn row(chart: &Chart, v: &Vector, to: &mut [Four]);
    fn close(row: &[Four; ROWS]) -> Self;
    fn open(&self) -> [Four; ROWS];
}

/// As many as any volume has.
pub(crate) const ROWS: usize = 7;
type Row = [Four; ROWS];
const NOTHING: Row = [Four([f32::NEG_INFINITY; 4]); ROWS];

/// What two roundings to f32 may take, and more: for y = x + |x| `MORE` + `LEAST` in f64, y rounded to f32 is at least y - 2^-24 |y| - 2^-150, and y itself is off by
/// 2^-51 |x|. So it is at least x + |x| (2^-46 - 2^-48 - 2^-51) + 2^-151: more than the interval of `Chart::bounds`, which reaches 2^-52 |x| and 2^-1074 beyond x.
const MORE: f64 = 1.0 / (1 << 24) as f64 + 1.0 / (1_u64 << 46) as f64;
const LEAST: f64 = f32::from_bits(1) as f64;

/// An f32 above what [`Chart::bounds`] makes of a coordinate, by at most 2 of its last places.
#[inline(always)]
pub(crate) fn above(x: f64) -> f32 {
    (x + (x.abs() * MORE + LEAST)) as f32
}

#[inline(always)]
fn add<V: Merge>(sum: &mut Row, row: &[Four]) {
    for (sum, row) in sum.iter_mut().zip(&row[..V::ROW]) {
        *sum = row.max(*sum);
    }
}

/// Half the surface of the box.
#[inline(always)]
fn half_area(row: &Row) -> f64 {
    let [x, y, z, _] = row[0].zip(row[1], |a, b| a + b).0;
    f64::from(x * y + y * z + z * x)
}

/// Memory of a full refit.
#[derive(Default)]
pub(crate) struct Sums {
    rows: Vec<Four>,
    /// Corners of leaves in the order in which the pass meets them, each once a leaf.
    names: Vec<u32>,
    /// How many of them each leaf has.
    counts: Vec<u8>,
}

impl Sums {
    /// Leaves from the last node's on.
    fn prepare<V: Merge, const N: usize>(&mut self, tree: &Tree<Nary<V, N>>, mesh: &Mesh) {
        let mut leaf = |link: Link| {
            let Target::Leaf { first, count } = link.target() else { return };
            let start = self.names.len();
            for &triangle in &tree.order[first as usize..][..count as usize] {
                for name in mesh.triangles()[triangle as usize] {
                    if !self.names[start..].contains(&name) {
                        self.names.push(name);
                    }
                }
            }
            self.counts.push((self.names.len() - start) as u8);
        };
        if tree.nodes.is_empty() && tree.top != Link::NONE {
            leaf(tree.top);
        }
        for node in tree.nodes.iter().rev() {
            node.links.iter().filter(|&&link| link != Link::NONE).for_each(|&link| leaf(link));
        }
    }
}

/// How a tree is refitted by sums.
pub(crate) struct Merger<V: Volume> {
    /// To all points.
    pub(crate) all: fn(&mut Tree<V>, &Mesh, &mut Sums) -> Cost,
    /// To those that are touched; the cost follows.
    pub(crate) some: fn(&mut Tree<V>, &Mesh, &Touched, &mut Cost),
}

impl<V: Merge, const N: usize> Merger<Nary<V, N>> {
    pub(crate) fn new() -> Self {
        Self { all: all::<V, N>, some: some::<V, N> }
    }
}

/// A tree's volumes for its mesh's new points, in the chart that it has. O(n).
fn all<V: Merge, const N: usize>(tree: &mut Tree<Nary<V, N>>, mesh: &Mesh, sums: &mut Sums) -> Cost {
    if sums.counts.is_empty() {
        sums.prepare(tree, mesh);
    }
    let chart = tree.chart;
    sums.rows.resize(V::ROW * mesh.points().len(), NOTHING[0]);
    for (v, row) in mesh.points().iter().zip(sums.rows.chunks_exact_mut(V::ROW)) {
        V::row(&chart, v, row);
    }
    let (mut names, rows) = (&sums.names[..], &sums.rows[..]);
    let mut counts = sums.counts.iter();
    let mut next = || {
        let mut sum = NOTHING;
        let (own, others) = names.split_at(usize::from(counts.next().copied().unwrap_or(0)).min(names.len()));
        names = others;
        for &name in own {
            add::<V>(&mut sum, &rows[V::ROW * name as usize..]);
        }
        sum
    };
    let mut cost = Cost::default();
    let mut top = NOTHING;
    if tree.nodes.is_empty() && tree.top != Link::NONE {
        top = next();
    }
    for i in (0..tree.nodes.len()).rev() {
        let mut family = tree.nodes[i].family;
        let mut whole = NOTHING;
        let mut last = NOTHING;
        for (slot, link) in tree.nodes[i].links.into_iter().enumerate() {
            if link != Link::NONE {
                last = match link.target() {
                    Target::Leaf { .. } => next(),
                    Target::Inner(child) => around(&tree.nodes[child as usize].family),
                };
                cost.sum += half_area(&last);
                add::<V>(&mut whole, &last);
            }
            family[slot] = V::close(&last);
        }
        tree.nodes[i].family = family;
        top = whole;
    }
    cost.root = half_area(&top);
    if tree.root.is_some() {
        tree.root = Some(V::close(&top));
    }
    cost
}

/// The same where few triangles are touched.
fn some<V: Merge, const N: usize>(
    tree: &mut Tree<Nary<V, N>>,
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
        let (mut family, links) = (node.family, node.links);
        let mut last = NOTHING;
        for (slot, &link) in links.iter().enumerate() {
            if link != Link::NONE {
                cost.sum -= half_area(&family[slot].open());
                last = match link.target() {
                    Target::Leaf { .. } => leaf_of::<V, N>(tree, mesh, link),
                    Target::Inner(child) => around(&tree.nodes[child as usize].family),
                };
                cost.sum += half_area(&last);
            }
            family[slot] = V::close(&last);
        }
        tree.nodes[i as usize].family = family;
    }
    if let Some(node) = tree.nodes.first() {
        top = around(&node.family);
    }
    cost.root = half_area(&top);
    if tree.root.is_some() {
        tree.root = Some(V::close(&top));
    }
}

/// Slots that are not used repeat others.
#[inline(always)]
fn around<V: Merge, const N: usize>(family: &[V; N]) -> Row {
    let mut sum = NOTHING;
    for child in family {
        add::<V>(&mut sum, &child.open());
    }
    sum
}

fn leaf_of<V: Merge, const N: usize>(tree: &Tree<Nary<V, N>>, mesh: &Mesh, link: Link) -> Row {
    let (mut sum, mut row) = (NOTHING, NOTHING);
    if let Target::Leaf { first, count } = link.target() {
        for &triangle in &tree.order[first as usize..][..count as usize] {
            for v in mesh.corners(triangle) {
                V::row(&tree.chart, &v, &mut row[..V::ROW]);
                add::<V>(&mut sum, &row);
            }
        }
    }
    sum
}

/// How a tree is climbed.
pub(crate) fn links<V: Volume>(tree: &Tree<V>) -> Links {
    let mut links =
        Links { node_of: vec![Links::NONE; tree.order.len()], parents: vec![Links::NONE; tree.nodes.len()] };
    for (i, node) in (0..).zip(&tree.nodes) {
        for link in node.links.as_ref().iter().filter(|&&link| link != Link::NONE) {
            match link.target() {
                Target::Inner(child) => links.parents[child as usize] = i,
                Target::Leaf { first, count } => {
                    links.node_of[first as usize..][..count as usize].fill(i);
                }
            }
        }
    }
    links
}
