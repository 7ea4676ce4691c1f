//! What the leaves hold, in depth-first order: all that lies below a lane is one run.
use super::{
    TREE_ERROR,
    fit::{LARGEST, Single},
    leaf::{self, Grain},
    topology::{Four, Lane, Span, Topology},
};
use crate::{Mesh, bounds::Bounds};

/// A point in the tree's frame; the fourth number lets it be read at once.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct Placed(pub(super) [f64; 4]);

impl Placed {
    /// Rounded to f32.
    #[inline(always)]
    pub(super) fn near(&self) -> Four {
        let [x, y, z, w] = self.0;
        Four([x as f32, y as f32, z as f32, w as f32])
    }
    /// From another point to this one: the difference in f64, rounded.
    pub(super) fn minus(&self, o: &Self) -> Single {
        [0, 1, 2].map(|k| (self.0[k] - o.0[k]) as f32)
    }
}

/// Boxes of rounded corners are widened by this part of their coordinates, and by 2^-44: a corner is off by 2^-24 of itself and
/// [`TREE_ERROR`], twice that must be held, and the sum rounds once more.
const WIDER: f32 = 3.0 / (1 << 24) as f32;
const LEAST: f32 = 1.0 / (1_u64 << 44) as f32;
const _: () = assert!(LEAST as f64 > 3.0 * TREE_ERROR);

/// A box that holds what a box of rounded corners stands for.
pub(super) fn widened(b: &Bounds) -> Bounds {
    Bounds {
        lo: b.lo.map(|x| x - (x.abs() * WIDER + LEAST)),
        hi: b.hi.map(|x| x + (x.abs() * WIDER + LEAST)),
    }
}

/// The same of a triangle, for the topology.
#[inline(always)]
pub(super) fn span_of([a, b, c]: [Four; 3], index: u32) -> Span {
    let (lo, hi) = (a.min(b).min(c), a.max(b).max(c));
    Span::around(
        lo.zip(lo, |x, y| x - (y.abs() * WIDER + LEAST)),
        hi.zip(hi, |x, y| x + (y.abs() * WIDER + LEAST)),
        index,
    )
}

/// What lies below a lane.
#[derive(Clone, Copy)]
pub(super) struct Summary {
    /// The run of its corners.
    pub(super) points: [u32; 2],
    /// Not widened.
    pub(super) bounds: Bounds,
    /// The sum of normals as long as twice the areas.
    pub(super) normal: Single,
    /// Triangles with the squares of these lengths, the largest first. Fast builds do without.
    pub(super) largest: [(f32, u32); LARGEST],
}

impl Summary {
    pub(super) const EMPTY: Self = Self {
        points: [u32::MAX, 0],
        bounds: Bounds::EMPTY,
        normal: [0.0; 3],
        largest: [(-1.0, 0); LARGEST],
    };

    /// Without a branch: it would be mispredicted.
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

    /// Adds what lies beside it.
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

/// What leaves are made of, and how.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) mesh: &'a Mesh,
    /// The mesh's points.
    pub(super) points: &'a [Placed],
    pub(super) topology: &'a Topology,
    pub(super) grain: Grain,
    /// Whether slabs and what they are found by are few.
    pub(super) fast: bool,
    /// In a refit: the normals of the slabs that there were stay.
    pub(super) kept: bool,
}

/// Triangles that are fetched at a time.
const WINDOW: usize = 128;
/// Corners of a leaf at most.
const MOST: usize = 3 * leaf::MOST;

/// Triangles of leaves that come next. What they are made of lies all over memory: fetched by itself, in loops that do little else, many cache lines come at once. What one leaf writes here
/// and reads as vectors would have to wait for the cache, too.
struct Window {
    /// Which of the order.
    from: usize,
    to: usize,
    /// Room for the last leaf to be read as if it were full, here and below.
    names: [[u32; 3]; WINDOW + leaf::MOST],
    /// By corner and axis.
    rows: [[f64; WINDOW + leaf::MOST]; 9],
    near: [[Four; 3]; WINDOW],
    boxes: [[Four; 2]; WINDOW],
    /// As long as twice the area.
    normals: [Four; WINDOW],
}

impl Window {
    #[inline(never)]
    fn fetch(&mut self, source: &Source<'_>, from: usize) {
        let order = &source.topology.order[from..];
        let order = &order[..order.len().min(WINDOW)];
        (self.from, self.to) = (from, from + order.len());
        for (to, &i) in self.names.iter_mut().zip(order) {
            *to = source.mesh.triangles()[i as usize];
        }
        for (k, &[a, b, c]) in self.names.iter().enumerate().take(order.len().min(WINDOW)) {
            let t = [&source.points[a as usize], &source.points[b as usize], &source.points[c as usize]];
            for (rows, p) in self.rows.chunks_exact_mut(3).zip(t) {
                for (row, x) in rows.iter_mut().zip(p.0) {
                    row[k] = x;
                }
            }
            let [a, b, c] = [t[0].near(), t[1].near(), t[2].near()];
            self.near[k] = [a, b, c];
            self.boxes[k] = [a.min(b).min(c), a.max(b).max(c)];
            let minus = |a: Four, b: Four| a.zip(b, |a, b| a - b);
            let turn = |Four([x, y, z, w]): Four| Four([y, z, x, w]);
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
            names: [[0; 3]; WINDOW + leaf::MOST],
            rows: [[0.0; WINDOW + leaf::MOST]; 9],
            near: [[Four::all(0.0); 3]; WINDOW],
            boxes: [[Four::all(0.0); 2]; WINDOW],
            normals: [Four::all(0.0); WINDOW],
        }
    }
}

/// Leaves in a row.
#[derive(Default)]
pub(super) struct Runs {
    /// Corners by axis; one stands once for each leaf that has it. With room behind them.
    points: [Vec<f32>; 3],
    /// How many there are.
    pub(super) len: usize,
    pub(super) words: Vec<i16>,
    window: Box<Window>,
}

impl Runs {
    /// Begins anew, with room for leaves of so many triangles.
    pub(super) fn clear(&mut self, leaves: usize, triangles: usize, grain: Grain) {
        self.words.clear();
        self.words
            .reserve_exact(grain.words(leaves as u32, triangles as u32, leaves as u32) as usize + leaf::ROOM);
        for points in &mut self.points {
            points.clear();
            // Mostly triangles share two of three corners with others of their leaf.
            points.reserve_exact(2 * triangles + 3 * WINDOW + MOST);
        }
        self.len = 0;
        (self.window.from, self.window.to) = (0, 0);
    }

    /// Its corners by axis.
    pub(super) fn points(&self) -> [&[f32]; 3] {
        self.points.each_ref().map(|x| &x[..self.len])
    }

    /// Appends a node's leaves, and what each holds to the list.
    #[inline(always)]
    pub(super) fn leaves(&mut self, source: &Source<'_>, node: usize, summaries: &mut Vec<Summary>) {
        let wide = &source.topology.nodes[node];
        for lane in &wide.lanes[..wide.len] {
            if let Lane::Leaf { first, count } = *lane {
                let (first, count) = (first as usize, count as usize);
                if first < self.window.from || self.window.to < first + count {
                    self.window.fetch(source, first);
                    let room = self.len + 3 * WINDOW + MOST;
                    self.points.iter_mut().for_each(|x| x.resize(room, 0.0));
                }
                summaries.push(self.leaf(source, first, count));
            }
        }
    }

    #[inline(always)]
    fn leaf(&mut self, source: &Source<'_>, first: usize, count: usize) -> Summary {
        let window = &*self.window;
        let at = first - window.from;
        let names: &[u32; MOST] = window.names[at..at + leaf::MOST].as_flattened().as_array().expect("all");
        let start = self.len;
        let [x, y, z] = self.points.each_mut().map(|x| &mut x[start..start + MOST]);
        let mut len = 0;
        for (k, near) in window.near[at..at + count].as_flattened().iter().enumerate() {
            let Four([a, b, c, _]) = *near;
            // Written over if it stands there already: a branch would be mispredicted.
            (x[len], y[len], z[len]) = (a, b, c);
            len += usize::from(is_new(names, k));
        }
        self.len += len;
        let mut leaf = Summary::EMPTY;
        let (mut lo, mut hi) = (Four::all(f32::INFINITY), Four::all(f32::NEG_INFINITY));
        let mut normal = Four::all(0.0);
        for k in at..at + count {
            let n = window.normals[k];
            lo = window.boxes[k][0].min(lo);
            hi = window.boxes[k][1].max(hi);
            normal = normal.zip(n, |a, b| a + b);
            if !source.fast {
                let [a, b, c, _] = n.zip(n, |a, b| a * b).0;
                leaf.insert((a + b + c, source.topology.order[window.from + k]));
            }
        }
        let first = |v: Four| [v.0[0], v.0[1], v.0[2]];
        leaf.bounds = Bounds { lo: first(lo), hi: first(hi) };
        leaf.normal = first(normal);
        leaf.points = [start as u32, (start + len) as u32];
        let rows = window.rows.each_ref().map(|x| x[at..at + leaf::MOST].as_array().expect("eight"));
        leaf::push(&mut self.words, source.grain, &widened(&leaf.bounds), rows, count);
        leaf
    }
}

/// Whether a name stands nowhere before.
#[inline(always)]
fn is_new(names: &[u32; MOST], k: usize) -> bool {
    let (name, later) = (names[k], &LATER[MOST - k..]);
    let later: &[u32; MOST] = later[..MOST].as_array().expect("all");
    // Zero where it stands. Minima rather than conditions: the compiler makes vectors of them.
    let mut least = [u32::MAX; 8];
    for part in 0..MOST / 8 {
        for (i, least) in least.iter_mut().enumerate() {
            let at = 8 * part + i;
            *least = (*least).min((names[at] ^ name) | later[at]);
        }
    }
    least.into_iter().fold(u32::MAX, u32::min) != 0
}

/// From [`MOST`] - k on: 0 for what is before the k-th, ones for the others.
const LATER: [u32; 2 * MOST] = {
    let mut later = [0; 2 * MOST];
    let mut i = MOST;
    while i < 2 * MOST {
        later[i] = u32::MAX;
        i += 1;
    }
    later
};
