//! The search for the farthest point, best first.
use super::{
    SolidSide,
    cell::{Cell, CellCorners, CellState, Row},
    facets::{Facet, Facets, distance},
    frame::{DEEPEST, FarthestFrame},
    patches::ConnectedPatches,
    sample::{SampleSide, SurfaceSample},
};
use crate::{
    Body,
    distance::Accuracy,
    points::PointLocator,
    query::Scratch,
    solid::{FillRule, locate_at},
    vector::{Vector, dot, sub},
    walk::QueryContext,
    wide::Slope,
};
use std::collections::BinaryHeap;

/// The most cells that a search divides, and the most more for each triangle of the first body.
const MOST_CELLS: usize = 1 << 15;
const MOST_OF_TRIANGLE: usize = 4;

/// The number of triangles whose tests against a cell take about the time of a division.
const MET_AT_ONCE: usize = 32;

/// The most facets of the second body that are tried first for one of the first body.
const MOST_NEAR: usize = 6;

/// Memory of searches.
#[derive(Debug, Default)]
pub(super) struct FarthestMemory {
    pub(super) samples: Vec<SurfaceSample>,
    /// The sample of each point of the first mesh.
    pub(super) of_vertex: Vec<u32>,
    facets: [Facets; 2],
    pub(super) patches: ConnectedPatches,
    /// True if a facet of the first body has a cell, by the lesser number of its triangles.
    is_open: Vec<bool>,
    heap: BinaryHeap<Cell>,
}

/// The best lower bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct GreatestLowerBound {
    /// Negative until a point is proved to count.
    pub(super) lo: f64,
    /// A sample at that distance, and its facet.
    pub(super) at: Option<(u32, u32)>,
}

/// A query for the farthest point.
#[derive(Clone, Copy)]
pub(super) struct FarthestQuestion<'q> {
    pub(super) bodies: [&'q Body<'q>; 2],
    pub(super) side: SolidSide,
    pub(super) fill_rule: FillRule,
    /// Pairs of triangles that meet, sorted; none where no side is wanted.
    pub(super) pairs: &'q [[u32; 2]],
    /// Nearer points do not matter: the result's bounds are no less than this. 0 if all points matter.
    pub(super) known: f64,
}

/// Bounds of the distance in the frame, and the farthest sample with its triangle.
pub(super) type FarthestBounds = ([f64; 2], Option<(SurfaceSample, u32)>);

pub(super) struct FarthestSearch<'q, 'm> {
    pub(super) ask: &'q QueryContext<'q>,
    pub(super) bodies: [&'q Body<'q>; 2],
    pub(super) side: SolidSide,
    fill_rule: FillRule,
    pairs: &'q [[u32; 2]],
    pub(super) frame: &'q FarthestFrame,
    /// The second body in the frame.
    pub(super) local: &'q Body<'q>,
    /// Locates samples, if a side is wanted.
    pub(super) place: Option<PointLocator<'q>>,
    pub(super) slopes: [Option<Slope>; 6],
    wanted: Accuracy,
    pub(super) memory: &'m mut FarthestMemory,
    pub(super) scratch: &'m mut Scratch,
    pub(super) best: GreatestLowerBound,
    /// Upper bound of the dropped cells.
    dropped: f64,
    made: u32,
    /// The best facets of the last cells.
    lately: [u32; 2],
}

impl<'q, 'm> FarthestSearch<'q, 'm> {
    pub(super) fn new(
        ask: &'q QueryContext<'q>,
        question: FarthestQuestion<'q>,
        frame: &'q FarthestFrame,
        local: &'q Body<'q>,
        wanted: Accuracy,
        memory: &'m mut FarthestMemory,
        scratch: &'m mut Scratch,
    ) -> Self {
        let FarthestQuestion { bodies, side, fill_rule, pairs, known } = question;
        memory.samples.clear();
        memory.heap.clear();
        memory.of_vertex.clear();
        memory.of_vertex.resize(bodies[0].model.mesh().points().len(), u32::MAX);
        memory.is_open.clear();
        memory.is_open.resize(bodies[0].model.mesh().len(), false);
        for (x, facets) in memory.facets.iter_mut().enumerate() {
            facets.reset(bodies[x], frame, x);
        }
        if side != SolidSide::Any {
            let model = bodies[0].model;
            memory.patches.reset(model.mesh(), model.solid().vertices(), pairs.iter().map(|pair| pair[0]));
        }
        let is_any = side == SolidSide::Any || !pairs.is_empty();
        let lo = match frame.length_of_world(known) {
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
            place: (side != SolidSide::Any).then(|| PointLocator::new(local, fill_rule)),
            slopes: [None; 6],
            wanted,
            memory,
            scratch,
            best: GreatestLowerBound { lo, at: None },
            dropped: 0.0,
            made: 0,
            lately: [0; 2],
        }
    }

    /// Runs the search. `None` if no point counts, or the query is stopped.
    pub(super) fn run(mut self) -> Option<FarthestBounds> {
        self.begin();
        let most = MOST_CELLS + MOST_OF_TRIANGLE * self.bodies[0].model.mesh().len();
        let mut looked = 0;
        while let Some(cell) = self.memory.heap.pop() {
            if self.ask.stop.is_set() {
                return None;
            }
            // NaN is no bound.
            if cell.bound <= self.enough() || looked >= most && self.best.lo >= 0.0 {
                self.drop_cell(cell.bound);
                break;
            }
            if cell.state == CellState::Facet {
                self.open(cell);
            } else {
                looked += 1 + (self.met_by(cell.facet).len() / MET_AT_ONCE);
                self.refine(cell);
            }
        }
        if self.best.lo < 0.0 {
            return None;
        }
        let best = self.best.at.map(|(number, facet)| {
            let sample = self.memory.samples[number as usize];
            (sample, self.triangle_at(facet, &sample.at))
        });
        Some(([self.best.lo, self.dropped.max(self.best.lo)], best))
    }
    /// The bound up to which cells do not matter.
    pub(super) fn enough(&self) -> f64 {
        let lo = self.best.lo;
        if lo < 0.0 {
            return f64::NEG_INFINITY;
        }
        let [of_world, _] = self.frame.lengths_in_world([lo; 2]);
        lo + self.frame.length_of_world(self.wanted.step(of_world)).max(self.frame.floor)
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

    /// Puts all facets that may count on the heap.
    fn begin(&mut self) {
        let mesh = self.bodies[0].model.mesh();
        let [lo, hi] = self.frame.boxes[1];
        let any = self.triangle(1, 0)[0];
        for facet in 0..mesh.len() as u32 {
            let at = self.triangle(0, facet);
            let bound = if self.side == SolidSide::Inside {
                // From inside, the way out through a side of the box leads through the surface.
                (0..3).fold(f64::INFINITY, |least, k| {
                    let below = at.iter().fold(f64::NEG_INFINITY, |most, p| most.max(p[k] - lo[k]));
                    let above = at.iter().fold(f64::NEG_INFINITY, |most, p| most.max(hi[k] - p[k]));
                    least.min(below).min(above)
                })
            } else {
                let square = |p: &Vector| dot(sub(*p, any), sub(*p, any));
                at.iter().fold(0.0_f64, |most, p| most.max(square(p))).sqrt()
            };
            let bound = bound + self.frame.pad;
            if bound < 0.0 {
                continue;
            }
            self.made += 1;
            self.memory.heap.push(Cell {
                bound,
                number: self.made,
                facet,
                corners: CellCorners::default(),
                rows: [Row::NONE; 2],
                depth: 0,
                uneven: 0,
                state: CellState::Facet,
            });
        }
    }

    /// Makes a cell of a facet, if it may count, at the first of its triangles.
    fn open(&mut self, mut cell: Cell) {
        let (points, count) = self.memory.facets[0].corners(self.bodies[0], cell.facet);
        let partner = self.partner(cell.facet);
        // Both triangles are on the heap, and have one cell.
        if std::mem::replace(&mut self.memory.is_open[cell.facet.min(partner) as usize], true) {
            return;
        }
        let both = [cell.facet, partner];
        let met = both.map(|t| self.met_by(t).first().map(|pair| pair[1]));
        cell.state = if self.side == SolidSide::Any {
            CellState::Counts
        } else if met == [None; 2] {
            if self.side_of_patch(points[0]) != SampleSide::Counts {
                return;
            }
            CellState::Counts
        } else {
            CellState::Open
        };
        for &v in &points[..count] {
            let number = self.vertex(v);
            cell.corners.push(number);
        }
        if self.best.lo < 0.0 {
            // All of a facet counts.
            self.best = GreatestLowerBound { lo: 0.0, at: Some((cell.corners[0], cell.facet)) };
        }
        // The best two of the facets that it meets, and of the last ones if these are few.
        let mut near = [u32::MAX; MOST_NEAR];
        let mut count = 0;
        let met = both.map(|t| self.met_by(t)).into_iter().flatten().map(|pair| pair[1]);
        for t in met.chain(self.lately) {
            if count == MOST_NEAR {
                break;
            }
            let number = self.facet_of(t);
            if !near[..count].contains(&number) {
                near[count] = number;
                count += 1;
            }
        }
        for &number in &near[..count] {
            let row = self.row(&cell, number);
            if row.most < cell.rows[0].most {
                cell.rows = [row, cell.rows[0]];
            } else if row.most < cell.rows[1].most {
                cell.rows[1] = row;
            }
        }
        if cell.rows[0].facet == u32::MAX {
            cell.rows[0].facet = near[0];
        }
        self.lately = [cell.rows[0].facet, self.lately[0]];
        cell.bound = cell.bound.min(cell.rows[0].most + self.frame.pad);
        self.push(cell);
    }

    /// The pairs of triangles that meet, for a triangle of the first body.
    pub(super) fn met_by(&self, t: u32) -> &'q [[u32; 2]] {
        let from = self.pairs.partition_point(|pair| pair[0] < t);
        let count = self.pairs[from..].partition_point(|pair| pair[0] == t);
        &self.pairs[from..from + count]
    }
    /// The side of a point of the first mesh and of its patch. It is on no triangle of the second body.
    fn side_of_patch(&mut self, v: u32) -> SampleSide {
        let known = *self.memory.patches.side(v);
        if known != SampleSide::NotAsked {
            return known;
        }
        let number = self.vertex(v);
        let side = match self.side_of(number) {
            side @ (SampleSide::Counts | SampleSide::Other) => side,
            // Integers decide, for the corner itself.
            _ => {
                let [a, b] = self.bodies;
                let corner = a.model.mesh().points()[v as usize];
                let found = locate_at(b.model.solid(), b.placed(), &a.pose, corner, self.fill_rule);
                if found == self.wanted() { SampleSide::Counts } else { SampleSide::Other }
            }
        };
        *self.memory.patches.side(v) = side;
        self.memory.samples[number as usize].side = side;
        side
    }

    pub(super) fn at(&self, number: u32) -> Vector {
        self.memory.samples[number as usize].at
    }
    pub(super) fn triangle(&mut self, which: usize, t: u32) -> [Vector; 3] {
        self.memory.facets[which].triangle(self.bodies[which], t)
    }
    /// The number of the facet of a triangle of the second body.
    pub(super) fn facet_of(&mut self, t: u32) -> u32 {
        self.memory.facets[1].number(self.bodies[1], t)
    }
    pub(super) fn facet(&self, number: u32) -> &Facet {
        self.memory.facets[1].get(number)
    }
    /// The triangle of a facet of the first body that is nearer to a point.
    fn triangle_at(&mut self, facet: u32, p: &Vector) -> u32 {
        let partner = self.partner(facet);
        let [own, other] = [facet, partner].map(|t| distance(p, &self.triangle(0, t)));
        if other < own { partner } else { facet }
    }
    /// The other triangle of a facet of the first body, or the same.
    pub(super) fn partner(&mut self, t: u32) -> u32 {
        self.memory.facets[0].partner(self.bodies[0], t)
    }
    /// The distances of a cell's corners from a facet.
    pub(super) fn row(&self, cell: &Cell, facet: u32) -> Row {
        let mut row = Row { facet, most: f64::NEG_INFINITY, worst: 0 };
        let facet = self.facet(facet);
        for (i, &number) in cell.corners.iter().enumerate() {
            let from = facet.distance(&self.at(number));
            // NaN is no bound.
            if from > row.most || from.is_nan() {
                (row.most, row.worst) = (from, i as u8);
            }
        }
        row
    }
    /// Measures a new cell from the facets of its rows. The better one becomes the first.
    pub(super) fn update_rows(&self, cell: &mut Cell) {
        for i in 0..2 {
            let facet = cell.rows[i].facet;
            if facet != u32::MAX {
                cell.rows[i] = self.row(cell, facet);
            }
        }
        if cell.rows[1].most < cell.rows[0].most {
            cell.rows.reverse();
        }
    }
}
