//! The leaves, written in depth-first order, so that all corners below a child are one run of a list. Also
//! the other inputs of slabs: the boxes, mean normals and largest triangles below each child.
use super::{
    TREE_ERROR,
    fit::{LARGEST, Vector32},
    leaf::{self, CornerPrecision},
    topology::{FloatQuad, Lane, TaggedBox, Topology},
};
use crate::{
    Mesh,
    bounds::Bounds,
    simd::{Detected, Simd, Work},
};

/// A point in the tree's frame. The fourth number is unused: with it a point is one aligned vector.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct PaddedPoint(pub(super) [f64; 4]);

impl PaddedPoint {
    /// Rounded to f32.
    #[inline(always)]
    pub(super) fn rounded(&self) -> FloatQuad {
        let [x, y, z, w] = self.0;
        FloatQuad([x as f32, y as f32, z as f32, w as f32])
    }
    /// The vector from another point to this one: subtracted in f64, then rounded.
    pub(super) fn minus(&self, o: &Self) -> Vector32 {
        [0, 1, 2].map(|k| (self.0[k] - o.0[k]) as f32)
    }
}

/// Boxes of rounded corners are padded by this part of their coordinates, 3 * 2^-24, and by 2^-44. A rounded
/// corner is off by 2^-24 of itself, and the number before rounding by [`TREE_ERROR`] = 2^-46. The padding is
/// at least three times both: it rounds, too.
const WIDER: f32 = 3.0 / (1 << 24) as f32;
const LEAST: f32 = 1.0 / (1_u64 << 44) as f32;
const _: () = assert!(LEAST as f64 > 3.0 * TREE_ERROR);

/// A box that contains the exact corners, from the box of the rounded ones.
pub(super) fn padded(b: &Bounds) -> Bounds {
    Bounds {
        lo: b.lo.map(|x| x - (x.abs() * WIDER + LEAST)),
        hi: b.hi.map(|x| x + (x.abs() * WIDER + LEAST)),
    }
}

/// The padded box of a triangle, for the topology.
#[inline(always)]
pub(super) fn triangle_box([a, b, c]: [FloatQuad; 3], index: u32) -> TaggedBox {
    let (lo, hi) = (a.min(b).min(c), a.max(b).max(c));
    TaggedBox::of_triangle(
        lo.zip(lo, |x, y| x - (y.abs() * WIDER + LEAST)),
        hi.zip(hi, |x, y| x + (y.abs() * WIDER + LEAST)),
        index,
    )
}

/// A summary of all that lies below a child.
#[derive(Clone, Copy)]
pub(super) struct Summary {
    /// Its corners, `points[0]..points[1]` of all.
    pub(super) points: [u32; 2],
    /// The bounds of the rounded corners, not padded.
    pub(super) bounds: Bounds,
    /// The sum of the triangles' normals, each as long as twice the triangle's area.
    pub(super) normal: Vector32,
    /// The largest triangles, the largest first, with the squares of their normals' lengths. Fast builds
    /// leave them out.
    pub(super) largest: [(f32, u32); LARGEST],
}

impl Summary {
    pub(super) const EMPTY: Self = Self {
        points: [u32::MAX, 0],
        bounds: Bounds::EMPTY,
        normal: [0.0; 3],
        largest: [(-1.0, 0); LARGEST],
    };

    /// Puts a triangle among the largest, if it is one. Without a branch, which would be mispredicted.
    #[inline(always)]
    fn insert(&mut self, one: (f32, u32)) {
        let [a, b, c] = self.largest;
        let if_less = |x: (f32, u32), or: (f32, u32)| if one.0 > x.0 { or } else { x };
        self.largest = [
            if_less(a, one),
            if_less(b, if one.0 > a.0 { a } else { one }),
            if_less(c, if one.0 > b.0 { b } else { one }),
        ];
    }

    /// Adds a neighbour: its corners follow those that are here.
    #[inline(always)]
    pub(super) fn add(&mut self, part: &Self, fast: bool) {
        self.points = [self.points[0].min(part.points[0]), self.points[1].max(part.points[1])];
        self.bounds = self.bounds.and(&part.bounds);
        for k in 0..3 {
            self.normal[k] += part.normal[k];
        }
        if !fast {
            for &one in &part.largest {
                self.insert(one);
            }
        }
    }
}

/// Input and options of a tree's encoding: see `build/encode.rs`.
#[derive(Clone, Copy)]
pub(super) struct Encoder<'a> {
    pub(super) mesh: &'a Mesh,
    /// The mesh's points, in the tree's frame.
    pub(super) points: &'a [PaddedPoint],
    pub(super) topology: &'a Topology,
    pub(super) precision: CornerPrecision,
    /// True for one slab a child, by the mean normal, instead of the two thinnest ones.
    pub(super) fast: bool,
    /// True in a refit: slabs keep their normals.
    pub(super) keep_normals: bool,
    /// The instructions for builds that this processor has.
    pub(super) simd: Detected,
}

impl Encoder<'_> {
    /// True if a leaf's corners occur in the list once for each triangle. Fast builds need only their least
    /// and greatest products; others take samples, in which no vertex should occur more often than another.
    fn has_every_corner(&self) -> bool {
        self.fast && !self.keep_normals
    }
}

/// Number of triangles that are fetched at a time.
const WINDOW: usize = 128;
/// The most corners of a leaf.
const MOST: usize = 3 * leaf::MOST;

/// The triangles of the next leaves. Their points lie all over memory, so they are fetched ahead in a loop
/// that does nothing else: then many cache lines are on their way at once. It also separates these writes
/// from reads as vectors, which would wait for them.
struct Window {
    /// The range of these triangles in the order: `from..to`.
    from: usize,
    to: usize,
    /// The triangles' vertices. Here and in `rows` the last leaf may be read as if it were full.
    vertices: [[u32; 3]; WINDOW + leaf::MOST],
    /// Coordinates, by corner and axis.
    rows: [[f64; WINDOW + leaf::MOST]; 9],
    /// The corners, rounded.
    rounded: [[FloatQuad; 3]; WINDOW],
    boxes: [[FloatQuad; 2]; WINDOW],
    /// Each as long as twice the triangle's area.
    normals: [FloatQuad; WINDOW],
}

impl Window {
    #[inline(always)]
    fn fetch<S: Simd>(&mut self, simd: S, encoder: &Encoder<'_>, from: usize) {
        let order = &encoder.topology.order[from..];
        let (order, later) = order.split_at(order.len().min(WINDOW));
        (self.from, self.to) = (from, from + order.len());
        for (to, &i) in self.vertices.iter_mut().zip(order) {
            *to = encoder.mesh.triangles()[i as usize];
            for &mut vertex in to {
                simd.prefetch(encoder.points, vertex as usize);
            }
        }
        // The beginning of the next window.
        for &i in later.iter().take(WINDOW) {
            simd.prefetch(encoder.mesh.triangles(), i as usize);
        }
        for (k, &[a, b, c]) in self.vertices.iter().enumerate().take(order.len().min(WINDOW)) {
            let t = [&encoder.points[a as usize], &encoder.points[b as usize], &encoder.points[c as usize]];
            for (rows, p) in self.rows.chunks_exact_mut(3).zip(t) {
                for (row, x) in rows.iter_mut().zip(p.0) {
                    row[k] = x;
                }
            }
            let [a, b, c] = [t[0].rounded(), t[1].rounded(), t[2].rounded()];
            self.rounded[k] = [a, b, c];
            self.boxes[k] = [a.min(b).min(c), a.max(b).max(c)];
            let minus = |a: FloatQuad, b: FloatQuad| a.zip(b, |a, b| a - b);
            let turn = |FloatQuad([x, y, z, w]): FloatQuad| FloatQuad([y, z, x, w]);
            let (u, v) = (minus(b, a), minus(c, a));
            self.normals[k] = turn(minus(u.zip(turn(v), |a, b| a * b), turn(u).zip(v, |a, b| a * b)));
        }
    }
}

impl Default for Window {
    fn default() -> Self {
        Self {
            from: 0,
            to: 0,
            vertices: [[0; 3]; WINDOW + leaf::MOST],
            rows: [[0.0; WINDOW + leaf::MOST]; 9],
            rounded: [[FloatQuad::all(0.0); 3]; WINDOW],
            boxes: [[FloatQuad::all(0.0); 2]; WINDOW],
            normals: [FloatQuad::all(0.0); WINDOW],
        }
    }
}

/// Leaves that were written one after another.
#[derive(Default)]
pub(super) struct LeafRun {
    /// The leaves' rounded corners, by axis; a vertex occurs once in each leaf that has it, but in fast
    /// builds once for each triangle. Longer than `len`, so that a full leaf can be written without checks.
    points: [Vec<f32>; 3],
    len: usize,
    /// The words, as [`leaf::push`] writes them.
    pub(super) words: Vec<i16>,
    window: Box<Window>,
}

impl LeafRun {
    /// Starts again, with room for so many leaves and triangles.
    pub(super) fn clear(&mut self, leaves: u32, triangles: u32, encoder: &Encoder<'_>) {
        self.words.clear();
        self.words.reserve_exact(encoder.precision.words(leaves, triangles, leaves) as usize + leaf::ROOM);
        for points in &mut self.points {
            points.clear();
            // Most triangles share vertices with others of their leaf: two corners a triangle are plenty.
            let corners = if encoder.has_every_corner() { 3 } else { 2 };
            points.reserve_exact(corners * triangles as usize + 3 * WINDOW + MOST);
        }
        self.len = 0;
        (self.window.from, self.window.to) = (0, 0);
    }

    /// The corners, by axis.
    pub(super) fn points(&self) -> [&[f32]; 3] {
        self.points.each_ref().map(|x| &x[..self.len])
    }

    /// Writes the leaves of a node, and appends the summary of each to the list.
    pub(super) fn append(&mut self, encoder: &Encoder<'_>, node: usize, summaries: &mut Vec<Summary>) {
        encoder.simd.call(Append { run: self, encoder, node, summaries });
    }

    #[inline(always)]
    fn leaves<S: Simd>(&mut self, simd: S, encoder: &Encoder<'_>, node: usize, summaries: &mut Vec<Summary>) {
        let wide = &encoder.topology.nodes[node];
        for lane in &wide.lanes[..wide.len] {
            if let Lane::Leaf { first, count } = *lane {
                let (first, count) = (first as usize, count as usize);
                if first < self.window.from || self.window.to < first + count {
                    self.window.fetch(simd, encoder, first);
                    let room = self.len + 3 * WINDOW + MOST;
                    self.points.iter_mut().for_each(|x| x.resize(room, 0.0));
                }
                summaries.push(self.leaf(encoder, first, count));
            }
        }
    }

    #[inline(always)]
    fn leaf(&mut self, encoder: &Encoder<'_>, first: usize, count: usize) -> Summary {
        let window = &*self.window;
        let at = first - window.from;
        let vertices: &[u32; MOST] =
            window.vertices[at..at + leaf::MOST].as_flattened().as_array().expect("all");
        let start = self.len;
        let [x, y, z] = self.points.each_mut().map(|x| &mut x[start..start + MOST]);
        let mut len = 0;
        if encoder.has_every_corner() {
            // Rows are written eight long: the next one overwrites what is beyond the count.
            for rows in window.rows.chunks_exact(3) {
                for (to, row) in [&mut *x, &mut *y, &mut *z].into_iter().zip(rows) {
                    let (to, row) = (&mut to[len..len + leaf::MOST], &row[at..at + leaf::MOST]);
                    for (to, x) in to.iter_mut().zip(row) {
                        *to = *x as f32;
                    }
                }
                len += count;
            }
        } else {
            for (k, corner) in window.rounded[at..at + count].as_flattened().iter().enumerate() {
                let FloatQuad([a, b, c, _]) = *corner;
                // A vertex that is here already is overwritten by the next one: a branch would be
                // mispredicted.
                (x[len], y[len], z[len]) = (a, b, c);
                len += usize::from(is_new(vertices, k));
            }
        }
        self.len += len;
        let mut leaf = Summary::EMPTY;
        let (mut lo, mut hi) = (FloatQuad::all(f32::INFINITY), FloatQuad::all(f32::NEG_INFINITY));
        let mut normal = FloatQuad::all(0.0);
        for k in at..at + count {
            let n = window.normals[k];
            lo = window.boxes[k][0].min(lo);
            hi = window.boxes[k][1].max(hi);
            normal = normal.zip(n, |a, b| a + b);
            if !encoder.fast {
                let [a, b, c, _] = n.zip(n, |a, b| a * b).0;
                leaf.insert((a + b + c, encoder.topology.order[window.from + k]));
            }
        }
        let first = |v: FloatQuad| [v.0[0], v.0[1], v.0[2]];
        leaf.bounds = Bounds { lo: first(lo), hi: first(hi) };
        leaf.normal = first(normal);
        // Below 2^29: see `build/encode.rs`.
        leaf.points = [start as u32, (start + len) as u32];
        let rows = window.rows.each_ref().map(|x| x[at..at + leaf::MOST].as_array().expect("eight"));
        leaf::push(&mut self.words, encoder.precision, &padded(&leaf.bounds), rows, count);
        leaf
    }
}

/// The arguments of [`LeafRun::append`].
struct Append<'a, 'e> {
    run: &'a mut LeafRun,
    encoder: &'a Encoder<'e>,
    node: usize,
    summaries: &'a mut Vec<Summary>,
}

impl Work for Append<'_, '_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.run.leaves(simd, self.encoder, self.node, self.summaries);
    }
}

/// True if a leaf's k-th vertex differs from all before it.
#[inline(always)]
fn is_new(vertices: &[u32; MOST], k: usize) -> bool {
    let (vertex, later) = (vertices[k], &LATER[MOST - k..]);
    let later: &[u32; MOST] = later[..MOST].as_array().expect("all");
    // Zero where the vertex occurs before. Minima rather than conditions, since the compiler vectorizes them.
    let mut least = [u32::MAX; 8];
    for part in 0..MOST / 8 {
        for (i, least) in least.iter_mut().enumerate() {
            let at = 8 * part + i;
            *least = (*least).min((vertices[at] ^ vertex) | later[at]);
        }
    }
    // Compared as one vector.
    least.map(|x| u32::from(x == 0)) == [0; 8]
}

/// Masks, from [`MOST`] - k on: 0 for the k first vertices and all ones for the others.
const LATER: [u32; 2 * MOST] = {
    let mut later = [0; 2 * MOST];
    let mut i = MOST;
    while i < 2 * MOST {
        later[i] = u32::MAX;
        i += 1;
    }
    later
};
