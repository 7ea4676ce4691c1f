//! Binary trees of experimental volumes, and the walk of two of them. They have the topology of impinge's own
//! trees, one triangle a leaf.
use crate::{Error, measure::built};
use impinge::{Body, Mesh, Pose, Query, hierarchy::Links};
use impinge_testkit::scenes::Scene;
use impinge_volumes::{Kind, Options, Split};
use std::{collections::HashSet, ops::Range, sync::Arc};

pub(super) type Vector = [f64; 3];

/// Allowance for rounding, as a part of all lengths that a test adds up. Every frame checks that no triangle
/// pair is lost.
pub(super) const ROUNDING: f64 = 1e-12;

pub(super) fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
pub(super) fn sub(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| a[k] - b[k])
}

/// A rigid map from the moving body's coordinates to the resting body's.
pub(super) struct Map {
    rows: [Vector; 3],
    offset: Vector,
}

impl Map {
    fn between([resting, moving]: &[Pose; 2]) -> Self {
        let (a, b) = (resting.rows(), moving.rows());
        let turned = |v: &dyn Fn(usize) -> f64, i: usize| (0..3).map(|k| a[k][i] * v(k)).sum::<f64>();
        let apart = sub(moving.translation(), resting.translation());
        Self {
            rows: std::array::from_fn(|i| std::array::from_fn(|j| turned(&|k| b[k][j], i))),
            offset: std::array::from_fn(|i| turned(&|k| apart[k], i)),
        }
    }
    pub(super) fn point(&self, v: &Vector) -> Vector {
        std::array::from_fn(|i| dot(&self.rows[i], v) + self.offset[i])
    }
    pub(super) fn direction(&self, v: &Vector) -> Vector {
        std::array::from_fn(|i| dot(&self.rows[i], v))
    }
    pub(super) fn rows(&self) -> &[Vector; 3] {
        &self.rows
    }
    /// The map from the resting body's coordinates to the moving body's.
    pub(super) fn inverse(&self) -> Self {
        let rows: [Vector; 3] = std::array::from_fn(|i| std::array::from_fn(|j| self.rows[j][i]));
        let offset = rows.map(|row| -dot(&row, &self.offset));
        Self { rows, offset }
    }
}

/// A bounding volume under test.
pub(super) trait Volume: Copy {
    /// True if it is proved that the two share no point. Adds the operations of the tests that ran.
    fn is_apart(&self, moving: &Self, map: &Map, operations: &mut u64) -> bool;
    /// Size of the volume: the walk opens the larger of two nodes.
    fn size(&self) -> f64;
}

#[derive(Clone, Copy)]
enum Child {
    Node(u32),
    /// A place in the leaf order.
    Leaf(u32),
}

/// The nodes of a tree, parents before their children.
pub(super) struct Topology {
    nodes: Vec<[Child; 2]>,
    order: Vec<u32>,
    mesh: Arc<Mesh>,
}

impl Topology {
    /// Topology of impinge's tree with this split rule.
    ///
    /// # Panics
    /// Panics for a mesh of one triangle: scenes have more.
    pub(super) fn of(mesh: &Arc<Mesh>, split: Split) -> Self {
        // A split rule uses triangles and their boxes alone, and only trees of boxes give their links.
        let model = built(mesh, &Options::new(Kind::Aabb).split(split).leaf_size(1));
        let (links, order) = model
            .hierarchy()
            .and_then(|tree| tree.links())
            .unwrap_or_else(|| unreachable!("trees of boxes have links"));
        let mut children: Vec<Vec<Child>> = vec![Vec::new(); links.parents.len()];
        for (node, &parent) in links.parents.iter().enumerate() {
            if parent != Links::NONE {
                children[parent as usize].push(Child::Node(node as u32));
            }
        }
        for (place, &node) in links.node_of.iter().enumerate() {
            children[node as usize].push(Child::Leaf(place as u32));
        }
        let nodes = children.into_iter().map(|pair| match pair[..] {
            [a, b] => [a, b],
            _ => unreachable!("nodes have two children"),
        });
        Self { nodes: nodes.collect(), order: order.to_vec(), mesh: Arc::clone(mesh) }
    }

    /// Number of volumes below the root.
    pub(super) fn volumes(&self) -> usize {
        2 * self.nodes.len()
    }

    /// Range in the leaf order below each node.
    fn ranges(&self) -> Vec<Range<usize>> {
        let mut ranges = vec![0..0; self.nodes.len()];
        for node in (0..ranges.len()).rev() {
            let [a, b] = self.nodes[node].map(|child| range(child, &ranges));
            ranges[node] = a.start.min(b.start)..a.end.max(b.end);
        }
        ranges
    }

    /// Makes a volume for the root and for each child of each node, parents first. `fit` gets the parent's
    /// volume, the place of the volume ([`Tree::at`]), and the corners of the triangles. The root has no
    /// parent.
    pub(super) fn fit_each<V: Copy>(
        &self,
        mut fit: impl FnMut(Option<&V>, usize, &[Vector]) -> V,
    ) -> Tree<'_, V> {
        self.fit(|parent, at, below| {
            below.iter().enumerate().map(|(slot, points)| fit(parent, at + slot, points)).collect()
        })
    }

    /// Makes the volumes as [`fit_each`](Self::fit_each) does, both children of a node together.
    pub(super) fn fit<V: Copy>(
        &self,
        mut fit: impl FnMut(Option<&V>, usize, &[&[Vector]]) -> Vec<V>,
    ) -> Tree<'_, V> {
        let ranges = self.ranges();
        let corners: Vec<Vector> = self.order.iter().flat_map(|&t| self.mesh.corners(t)).collect();
        let points = |range: &Range<usize>| &corners[3 * range.start..3 * range.end];
        let root = fit(None, 0, &[&corners])[0];
        let mut of_nodes = vec![root; self.nodes.len()];
        let children = self.nodes.iter().enumerate().map(|(node, children)| {
            let below = children.map(|child| range(child, &ranges));
            let volumes = fit(Some(&of_nodes[node]), 1 + 2 * node, &[points(&below[0]), points(&below[1])]);
            let volumes = [volumes[0], volumes[1]];
            for (child, volume) in children.iter().zip(volumes) {
                if let Child::Node(child) = child {
                    of_nodes[*child as usize] = volume;
                }
            }
            volumes
        });
        let children = children.collect();
        Tree { topology: self, root, children }
    }
}

fn range(child: Child, ranges: &[Range<usize>]) -> Range<usize> {
    match child {
        Child::Node(node) => ranges[node as usize].clone(),
        Child::Leaf(place) => place as usize..place as usize + 1,
    }
}

/// Volumes of a tree: that of the root, and those of the children of each node.
pub(super) struct Tree<'a, V> {
    topology: &'a Topology,
    root: V,
    children: Vec<[V; 2]>,
}

impl<V> Tree<'_, V> {
    /// Volume at a place: the root is at 0, the children of node i are at 1 + 2 i and 2 + 2 i.
    pub(super) fn at(&self, place: usize) -> &V {
        place.checked_sub(1).map_or(&self.root, |i| &self.children[i / 2][i % 2])
    }
    /// The volumes below the root.
    pub(super) fn iter(&self) -> impl Iterator<Item = &V> {
        self.children.as_flattened().iter()
    }
}

/// Work of queries.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WalkCounts {
    /// Nv.
    pub(super) volume_tests: u64,
    /// Np.
    pub(super) leaf_pairs: u64,
    /// Multiplications, additions and comparisons of the tests, transforms included.
    pub(super) operations: u64,
    pub(super) queries: u64,
}

impl WalkCounts {
    /// Nv, Np and operations, mean of a query.
    pub(super) fn means(&self) -> [f64; 3] {
        [self.volume_tests, self.leaf_pairs, self.operations].map(|n| n as f64 / self.queries.max(1) as f64)
    }
}

/// Calls `reach` for every pair of leaves whose volumes may meet.
fn walk<V: Volume>(
    [a, b]: [&Tree<'_, V>; 2],
    map: &Map,
    work: &mut WalkCounts,
    mut reach: impl FnMut([u32; 2]),
) {
    let mut stack = Vec::new();
    let mut test = |one: &V, other: &V| {
        work.volume_tests += 1;
        !one.is_apart(other, map, &mut work.operations)
    };
    if test(&a.root, &b.root) {
        stack.push(((Child::Node(0), a.root), (Child::Node(0), b.root)));
    }
    while let Some(((x, in_x), (y, in_y))) = stack.pop() {
        let open_resting = match (x, y) {
            (Child::Leaf(i), Child::Leaf(j)) => {
                work.leaf_pairs += 1;
                reach([a.topology.order[i as usize], b.topology.order[j as usize]]);
                continue;
            }
            (Child::Node(_), Child::Node(_)) => in_x.size() >= in_y.size(),
            (Child::Node(_), Child::Leaf(_)) => true,
            (Child::Leaf(_), Child::Node(_)) => false,
        };
        match (open_resting, x, y) {
            (true, Child::Node(node), _) => {
                for (child, volume) in
                    a.topology.nodes[node as usize].into_iter().zip(a.children[node as usize])
                {
                    if test(&volume, &in_y) {
                        stack.push(((child, volume), (y, in_y)));
                    }
                }
            }
            (_, _, Child::Node(node)) => {
                for (child, volume) in
                    b.topology.nodes[node as usize].into_iter().zip(b.children[node as usize])
                {
                    if test(&in_x, &volume) {
                        stack.push(((x, in_x), (child, volume)));
                    }
                }
            }
            _ => unreachable!("leaves are not opened"),
        }
    }
}

/// The pairs of triangles that meet in each frame, by impinge's fast tree.
pub(super) fn meeting(scene: &Scene) -> Vec<HashSet<[u32; 2]>> {
    let options = Options::new(Kind::Wide);
    let [a, b] = scene.meshes.each_ref().map(|mesh| built(mesh, &options));
    let mut query = Query::new();
    let frames = scene.frames.iter();
    frames
        .map(|&[p, q]| query.pairs(&Body::new(&a, p), &Body::new(&b, q)).iter().copied().collect())
        .collect()
}

/// Work of the queries for all pairs of triangles, over all frames.
///
/// # Errors
/// Returns an error if the volumes lose a pair that meets.
pub(super) fn count<V: Volume>(
    name: &str,
    trees: [&Tree<'_, V>; 2],
    scene: &Scene,
    meeting: &[HashSet<[u32; 2]>],
) -> Result<WalkCounts, Error> {
    let mut work = WalkCounts::default();
    for (index, (poses, meeting)) in scene.frames.iter().zip(meeting).enumerate() {
        let mut hits = 0;
        walk(trees, &Map::between(poses), &mut work, |pair| hits += usize::from(meeting.contains(&pair)));
        work.queries += 1;
        if hits != meeting.len() {
            return Err(Error::Disagreement(format!(
                "scene {}, frame {index}: {name} finds {hits} pairs of {}",
                scene.name,
                meeting.len()
            )));
        }
    }
    Ok(work)
}

#[cfg(test)]
pub(super) mod tests;
