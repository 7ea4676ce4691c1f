//! Build of a mesh's tree: the points in the tree's frame, then the topology (`topology.rs`), then nodes and
//! leaves encoded over it.
//!
//! The encoding is divided into jobs by the sizes of subtrees alone (`build/plan.rs`, `build/encode.rs`), so
//! a tree does not depend on how many threads build it. Its cost is in `docs/fast-tree.md`.
mod encode;
mod node;
mod plan;

pub(super) use self::{encode::Buffers, node::worth};
use super::{
    align::align,
    for_builds,
    leaf::{self, CornerPrecision},
    runs::{self, Encoder, PaddedPoint},
    topology::{self, BoxSource, FloatQuad, TaggedBox},
    tree::{TreeTransform, WideTree},
};
use crate::{
    BuildOptions, Mesh, Quality,
    array::Array,
    motion::Rotation,
    normalized_frame::NormalizedFrame,
    pool::Executor,
    simd::Simd,
    vector::{Matrix, Vector},
};

/// Up to this many points are placed by one thread.
const ALONE: usize = 8192;

pub(crate) fn build(
    mesh: &Mesh,
    options: &BuildOptions,
    [lo, hi]: &[Vector; 2],
    executor: Executor,
) -> WideTree {
    let precision = if options.compact { CornerPrecision::Compact } else { CornerPrecision::Fine };
    let normalized = NormalizedFrame::new(*lo, *hi);
    // Triangles are below 2^27: `Mesh::new` refuses more.
    let turn = align(mesh.len(), |i| mesh.corners(i as u32).map(|v| normalized.apply(&v)));
    let placing = TreeTransform { normalized: &normalized, turn: &turn };
    let mut points = Vec::new();
    place(&mut points, mesh, placing, executor);
    let rounded = executor.collect(points.len(), ALONE, &|i| points[i].rounded());
    let ends = turned_box(&turn, [lo, hi].map(|v| normalized.apply(v)));
    let topology = topology::build(&TriangleBoxes { mesh, points: &rounded, ends }, options, executor);
    drop(rounded);
    let mut tree = WideTree {
        normalized,
        turn: Rotation::new(turn),
        nodes: Array::default(),
        words: Array::default(),
        order: Array::default(),
        precision,
        reach: 0.0,
    };
    if topology.nodes.is_empty() {
        return tree;
    }
    let fast = options.quality == Quality::Fast;
    let encoder = Encoder {
        mesh,
        points: &points,
        topology: &topology,
        precision,
        fast,
        keep_normals: false,
        simd: for_builds(),
    };
    encoder.encode(&mut tree, &mut Buffers::default(), executor);
    tree.words.to_mut().extend([0; leaf::TAIL]);
    tree.order = topology.order.into();
    tree
}

/// The points of a mesh in a tree's frame.
pub(super) fn place(
    points: &mut Vec<PaddedPoint>,
    mesh: &Mesh,
    placing: TreeTransform<'_>,
    executor: Executor,
) {
    executor.refill(points, mesh.points().len(), ALONE, &|i| {
        let [x, y, z]: Vector = placing.place(&mesh.points()[i]);
        PaddedPoint([x, y, z, 0.0])
    });
}

/// The triangles' boxes, for the topology.
struct TriangleBoxes<'a> {
    mesh: &'a Mesh,
    points: &'a [FloatQuad],
    ends: [FloatQuad; 2],
}

impl BoxSource for TriangleBoxes<'_> {
    fn count(&self) -> usize {
        self.mesh.len()
    }
    #[inline(always)]
    fn of(&self, triangle: usize) -> TaggedBox {
        let [a, b, c] = self.mesh.triangles()[triangle];
        let point = |i: u32| self.points[i as usize];
        runs::triangle_box([point(a), point(b), point(c)], triangle as u32)
    }
    #[inline(always)]
    fn prefetch<S: Simd>(&self, simd: S, triangle: usize) {
        for vertex in self.mesh.triangles()[triangle] {
            simd.prefetch(self.points, vertex as usize);
        }
    }
    fn ends(&self) -> [FloatQuad; 2] {
        self.ends
    }
}

/// The axis-aligned box of a rotated box, as its least and greatest corners.
fn turned_box(turn: &Matrix, [lo, hi]: [Vector; 2]) -> [FloatQuad; 2] {
    let mut ends = [[0.0; 4]; 2];
    for i in 0..3 {
        for k in 0..3 {
            let both = [turn[i][k] * lo[k], turn[i][k] * hi[k]];
            ends[0][i] += both[0].min(both[1]);
            ends[1][i] += both[0].max(both[1]);
        }
    }
    ends.map(|v| FloatQuad(v.map(|x| x as f32)))
}
