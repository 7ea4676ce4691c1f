//! The search for the farthest point, best first.
use super::{
    SolidSide,
    cell::{Cell, CellState},
    faces::{Faces, Triangle, distance},
    frame::{DEEPEST, Frame},
    sample::{Sample, SampleSide},
};
use crate::{
    Body,
    distance::Accuracy,
    points::Place,
    query::Scratch,
    solid::{FillRule, locate_at},
    vector::{Vector, dot, sub},
    walk::QueryContext,
    wide::Slope,
};
use std::collections::BinaryHeap;

/// The most cells that a search divides, and the most more for each triangle of the first body.
const MOST_CELLS: usize = 1 << 15;
const MOST_OF_FACE: usize = 4;
/// Faces that were good lately.
const LATELY: usize = 4;

/// Memory of searches.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) samples: Vec<Sample>,
    /// The sample of each point of the first mesh.
    pub(super) of_vertex: Vec<u32>,
    pub(super) faces: Faces,
    heap: BinaryHeap<Cell>,
}

/// The best lower bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    /// Negative until a point is proved to count.
    pub(super) lo: f64,
    /// A sample as far as that, and its face.
    pub(super) at: Option<(u32, u32)>,
}

/// The question.
#[derive(Clone, Copy)]
pub(super) struct Question<'q> {
    pub(super) bodies: [&'q Body<'q>; 2],
    pub(super) side: SolidSide,
    pub(super) fill_rule: FillRule,
    /// Pairs of triangles that meet, sorted; none where no side is wanted.
    pub(super) pairs: &'q [[u32; 2]],
    /// A distance below which nothing matters: the result's bounds are no less. 0 if all does.
    pub(super) known: f64,
}

/// Bounds of the distance in the frame, and the farthest sample with its face.
pub(super) type Found = ([f64; 2], Option<(Sample, u32)>);

/// A search.
pub(super) struct Search<'q, 'm> {
    pub(super) ask: &'q QueryContext<'q>,
    pub(super) bodies: [&'q Body<'q>; 2],
    pub(super) side: SolidSide,
    fill_rule: FillRule,
    pub(super) pairs: &'q [[u32; 2]],
    pub(super) frame: &'q Frame,
    /// The second body in the frame.
    pub(super) local: &'q Body<'q>,
    /// Where samples are located, if a side is wanted.
    pub(super) place: Option<&'q Place<'q>>,
    pub(super) slopes: [Option<Slope>; 6],
    wanted: Accuracy,
    pub(super) memory: &'m mut Memory,
    pub(super) scratch: &'m mut Scratch,
    pub(super) best: Best,
    /// No point of the cells that were dropped is farther.
    dropped: f64,
    made: u32,
    lately: [u32; LATELY],
}

/// The distances of a cell's corners from a face of the second body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) face: u32,
    pub(super) from: [f64; 3],
}

impl Row {
    pub(super) fn most(&self) -> f64 {
        self.from[0].max(self.from[1]).max(self.from[2])
    }
}

impl<'q, 'm> Search<'q, 'm> {
    pub(super) fn new(
        ask: &'q QueryContext<'q>,
        question: Question<'q>,
        (frame, local, place): (&'q Frame, &'q Body<'q>, Option<&'q Place<'q>>),
        wanted: Accuracy,
        (memory, scratch): (&'m mut Memory, &'m mut Scratch),
    ) -> Self {
        let Question { bodies, side, fill_rule, pairs, known } = question;
        memory.samples.clear();
        memory.heap.clear();
        memory.of_vertex.clear();
        memory.of_vertex.resize(bodies[0].model.mesh().points().len(), u32::MAX);
        memory.faces.reset(bodies[1]);
        let is_any = side == SolidSide::Any || !pairs.is_empty();
        let lo = match frame.from_world(known) {
            known if known > 0.0 => known,
            _ if is_any => 0.0,
            _ => f64::NEG_INFINITY,
        };
        Self {
            ask,
            bodies,
            side,
            fill_rule,
            pairs,
            frame,
            local,
            place,
            slopes: [None; 6],
            wanted,
            memory,
            scratch,
            best: Best { lo, at: None },
            dropped: 0.0,
            made: 0,
            lately: [0; LATELY],
        }
    }

    /// Searches. `None` if no point counts, or the query is stopped.
    pub(super) fn run(mut self) -> Option<Found> {
        self.begin();
        let most = MOST_CELLS + MOST_OF_FACE * self.bodies[0].model.mesh().len();
        let mut divided = 0;
        while let Some(cell) = self.memory.heap.pop() {
            if self.ask.stop.is_set() {
                return None;
            }
            // NaN is no bound.
            if cell.bound <= self.enough() || divided >= most && self.best.lo >= 0.0 {
                self.drop_cell(cell.bound);
                break;
            }
            if cell.state == CellState::Face {
                self.open(cell);
            } else {
                divided += 1;
                self.divide(cell);
            }
        }
        if self.best.lo < 0.0 {
            return None;
        }
        let best = self.best.at.map(|(number, face)| (self.memory.samples[number as usize], face));
        Some(([self.best.lo, self.dropped.max(self.best.lo)], best))
    }
    /// Cells that are no farther than this need not be looked at.
    pub(super) fn enough(&self) -> f64 {
        let lo = self.best.lo;
        if lo < 0.0 {
            return f64::NEG_INFINITY;
        }
        let [of_world, _] = self.frame.lengths_in_world([lo; 2]);
        lo + self.frame.from_world(self.wanted.step(of_world)).max(self.frame.floor)
    }
    pub(super) fn drop_cell(&mut self, bound: f64) {
        // NaN is no bound.
        self.dropped = if bound <= self.dropped { self.dropped } else { bound };
    }
    pub(super) fn push(&mut self, cell: Cell) {
        if cell.bound <= self.enough() || cell.depth >= DEEPEST {
            return self.drop_cell(cell.bound);
        }
        self.made += 1;
        self.memory.heap.push(Cell { number: self.made, ..cell });
    }

    /// Puts all faces that may count on the heap.
    fn begin(&mut self) {
        let mesh = self.bodies[0].model.mesh();
        let [lo, hi] = self.frame.boxes[1];
        let first = self.bodies[1].model.mesh().triangles()[0];
        let any = self.frame.place(1, self.bodies[1].model.mesh().points()[first[0] as usize]);
        for face in 0..mesh.len() as u32 {
            let at = mesh.triangles()[face as usize].map(|v| self.frame.place(0, mesh.points()[v as usize]));
            let bound = if self.side == SolidSide::Inside {
                // From inside, the way out through a side of the box leads through the surface.
                (0..3).fold(f64::INFINITY, |least, k| {
                    let below = at.iter().fold(f64::NEG_INFINITY, |most, p| most.max(p[k] - lo[k]));
                    let above = at.iter().fold(f64::NEG_INFINITY, |most, p| most.max(hi[k] - p[k]));
                    least.min(below).min(above)
                })
            } else {
                at.iter()
                    .fold(0.0_f64, |most, p| {
                        let w = sub(*p, any);
                        most.max(dot(w, w))
                    })
                    .sqrt()
            };
            let bound = bound + self.frame.pad;
            if bound < 0.0 {
                continue;
            }
            self.made += 1;
            self.memory.heap.push(Cell {
                bound,
                number: self.made,
                face,
                corners: [0; 3],
                hints: [u32::MAX; 2],
                depth: 0,
                uneven: 0,
                state: CellState::Face,
            });
        }
    }

    /// Makes a cell of a face, if it may count.
    fn open(&mut self, cell: Cell) {
        let face = cell.face;
        let corners = self.bodies[0].model.mesh().triangles()[face as usize].map(|v| self.vertex(v));
        let state = if self.side == SolidSide::Any {
            CellState::Counts
        } else if self.met_by(face).is_empty() {
            if !self.counts_as_a_whole(face, corners) {
                return;
            }
            CellState::Counts
        } else {
            CellState::Open
        };
        if self.best.lo < 0.0 {
            // All of a face counts.
            self.best = Best { lo: 0.0, at: Some((corners[0], face)) };
        }
        let mut cell = Cell { corners, state, ..cell };
        // What is known already may do.
        let at = self.corners(&cell);
        let (enough, lately) = (self.enough(), self.lately);
        let near = corners.map(|number| self.memory.samples[number as usize].face);
        for one in near.into_iter().chain(lately).filter(|&one| one != u32::MAX) {
            let row = self.row(one, &at);
            if row.most() + self.frame.pad <= enough {
                return self.drop_cell(row.most() + self.frame.pad);
            }
        }
        for number in corners {
            self.measure(number, face, lately[0]);
        }
        cell.bound = cell.bound.min(self.bound_of(&mut cell));
        self.push(cell);
    }

    /// The faces of the second body that meet one of the first.
    pub(super) fn met_by(&self, face: u32) -> &'q [[u32; 2]] {
        let from = self.pairs.partition_point(|pair| pair[0] < face);
        let count = self.pairs[from..].partition_point(|pair| pair[0] == face);
        &self.pairs[from..from + count]
    }
    /// Whether a face that meets none of the second body is on the side that counts.
    fn counts_as_a_whole(&mut self, face: u32, corners: [u32; 3]) -> bool {
        let is_sure = |sample: &Sample| matches!(sample.side, SampleSide::Counts | SampleSide::Other);
        let side =
            match corners.map(|number| self.memory.samples[number as usize]).iter().find(|s| is_sure(s)) {
                Some(sample) => sample.side,
                None => match self.side_of(corners[0]) {
                    side @ (SampleSide::Counts | SampleSide::Other) => side,
                    // Integers decide, for the corner itself.
                    _ => {
                        let [a, b] = self.bodies;
                        let corner = (&a.pose, a.model.mesh().corners(face)[0]);
                        let found = locate_at(b.model.solid(), b.placed(), corner, self.fill_rule);
                        if found == self.wanted() { SampleSide::Counts } else { SampleSide::Other }
                    }
                },
            };
        // None of its corners is on the surface.
        corners.iter().for_each(|&number| self.memory.samples[number as usize].side = side);
        side == SampleSide::Counts
    }

    pub(super) fn corners(&self, cell: &Cell) -> [Vector; 3] {
        cell.corners.map(|number| self.memory.samples[number as usize].at)
    }
    pub(super) fn face_of_b(&mut self, t: u32) -> Triangle {
        self.memory.faces.corners(self.frame, self.bodies[1], t)
    }
    pub(super) fn row(&mut self, face: u32, at: &[Vector; 3]) -> Row {
        let t = self.face_of_b(face);
        Row { face, from: [distance(&at[0], &t), distance(&at[1], &t), distance(&at[2], &t)] }
    }
    /// The rows of a cell whose corners are measured, of different faces; their number, and that of the best.
    pub(super) fn rows(&mut self, cell: &Cell) -> ([Row; 5], usize, usize) {
        let at = self.corners(cell);
        let mut rows = [Row { face: u32::MAX, from: [f64::INFINITY; 3] }; 5];
        let (mut count, mut best) = (0, 0);
        let near = cell.corners.map(|number| self.memory.samples[number as usize].face);
        for face in near.into_iter().chain(cell.hints) {
            if face == u32::MAX || rows[..count].iter().any(|row| row.face == face) {
                continue;
            }
            rows[count] = self.row(face, &at);
            if rows[count].most() < rows[best].most() {
                best = count;
            }
            count += 1;
        }
        (rows, count, best)
    }
    /// An upper bound of a cell whose corners are measured. Notes the face that gives it.
    pub(super) fn bound_of(&mut self, cell: &mut Cell) -> f64 {
        let (rows, _, best) = self.rows(cell);
        let row = rows[best];
        if row.face != u32::MAX && cell.hints[0] != row.face {
            cell.hints = [row.face, cell.hints[0]];
        }
        if let Some(at) = self.lately.iter().position(|&face| face == row.face) {
            self.lately[..=at].rotate_right(1);
        } else {
            self.lately.rotate_right(1);
        }
        self.lately[0] = row.face;
        let mut bound = row.most();
        if cell.state == CellState::Open {
            let at = self.corners(cell);
            for (i, number) in cell.corners.into_iter().enumerate() {
                let sample = self.memory.samples[number as usize];
                if sample.side == SampleSide::Other {
                    // The way there leads through the surface, and that is not nearer to its end.
                    let far = (0..3).fold(0.0_f64, |far, k| {
                        let w = sub(at[k], at[i]);
                        far.max(dot(w, w))
                    });
                    bound = bound.min((far.sqrt() - sample.lo).max(0.0) + self.frame.pad);
                }
            }
        }
        bound + self.frame.pad
    }
}
