//! A batch builder: all boxes anew at every update, sorted into the columns of a grid and swept in each.
//!
//! Columns stand on the plane of two axes; the sweep goes along the third, on which the boxes are spread most. A box lies in every column that it touches, and a pair is reported in one of those that both touch: the
//! one in which the least corner of their intersection lies. Boxes that would lie in very many columns are kept aside and swept against all.
//!
//! What is sorted and swept are boxes in f32, half a cache line each, and no box is fetched from afar. Rounding is monotonous: rounded boxes that have no point in common are of boxes that have none, and
//! of coordinates that differ when rounded it tells which is less. Only where rounded ones are equal are the boxes themselves looked at.
use super::{BroadPhase, Extent};

/// Sorts all boxes into a grid at every update: O(n log n + pairs) for boxes of one size that are spread out, whatever moved. For assemblies that are
/// looked at once, and where most bodies move far. Keeps nothing but its memory.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// The boxes that are not empty.
    all: Vec<Swept>,
    /// Of each column: where its boxes begin in `columns`; and one more.
    starts: Vec<u32>,
    /// The boxes of each column, column by column.
    columns: Vec<Swept>,
    /// Places in `all` of boxes that lie in many columns.
    wide: Vec<u32>,
    sorter: Sorter,
}

/// A box about the middle of all, its axes in the order sweep, first, second.
#[derive(Clone, Copy, Debug, Default)]
struct Swept {
    lo: [f32; 3],
    hi: [f32; 3],
    index: u32,
    /// The first column, and row, that it lies in.
    first: [u16; 2],
}

/// Columns that a box may lie in before it is kept aside.
const MOST_COLUMNS: u32 = 64;
/// Fewer boxes than this are swept in one column.
const FEW: usize = 64;
/// Cells are so many times as long as boxes on the mean.
const CELL: f64 = 2.0;
/// In the place of the first column: lies in many.
const WIDE: u16 = u16::MAX;

/// A line cut into cells of one size. What lies beyond its ends belongs to the first or last.
#[derive(Clone, Copy, Debug)]
struct Cells {
    origin: f64,
    per_unit: f64,
    count: u32,
}

impl Cells {
    /// Cells of that size between two ends, at most so many.
    fn new([lo, hi]: [f64; 2], size: f64, most: f64) -> Self {
        let length = hi - lo;
        // Not so of infinite or NaN ends: then there is one cell.
        let count =
            if length > 0.0 && length < f64::INFINITY { (length / size).clamp(1.0, most) } else { 1.0 };
        let count = count.floor();
        let per_unit = if count > 1.0 { count / length } else { 0.0 };
        Self { origin: lo, per_unit, count: count as u32 }
    }
    /// The cell of a coordinate. It never decreases with the coordinate: rounding is monotonous.
    #[inline(always)]
    fn of(&self, x: f64) -> u32 {
        // A cast of what is negative or NaN gives 0; one cell has `per_unit` 0.
        (((x - self.origin) * self.per_unit) as u32).min(self.count - 1)
    }
}

impl Grid {
    /// Empty; allocates nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The axis of the sweep, and the two others: where boxes are long against the whole, a sweep is of little use.
    fn axes(boxes: &[Extent]) -> ([usize; 3], Extent, [f64; 3], usize) {
        let (mut all, mut sides, mut count) = (Extent::EMPTY, [0.0; 3], 0);
        for b in boxes.iter().filter(|b| !b.is_empty()) {
            count += 1;
            for k in 0..3 {
                all.lo[k] = all.lo[k].min(b.lo[k]);
                all.hi[k] = all.hi[k].max(b.hi[k]);
                // Boxes without end say nothing about the size of cells.
                let side = b.hi[k] - b.lo[k];
                sides[k] += if side < f64::INFINITY { side } else { 0.0 };
            }
        }
        let means = sides.map(|sum| sum / f64::max(1.0, count as f64));
        let spread = |k: usize| {
            let whole = all.hi[k] - all.lo[k];
            if whole > 0.0 && whole < f64::INFINITY { whole / (means[k] + whole * 1e-9) } else { 0.0 }
        };
        let mut axes = [0, 1, 2];
        axes.sort_by(|&a, &b| spread(b).total_cmp(&spread(a)));
        (axes, all, means, count)
    }

    /// Rounds the boxes, and sorts them into columns; gives the number of rows.
    fn fill(&mut self, boxes: &[Extent]) -> u32 {
        let (axes, all, means, count) = Self::axes(boxes);
        // Some boxes a column, so that they are worth their visit; each in two columns or so.
        let most = if count < FEW { 1.0 } else { (count as f64 / 4.0).sqrt().clamp(1.0, f64::from(WIDE)) };
        let cells = [axes[1], axes[2]].map(|k| {
            let size = f64::max(CELL * means[k], f64::MIN_POSITIVE);
            Cells::new([all.lo[k], all.hi[k]], size, most)
        });
        let rows = cells[1].count;
        let middle = axes.map(|k| {
            let middle = 0.5 * all.lo[k] + 0.5 * all.hi[k];
            if middle.is_finite() { middle } else { 0.0 }
        });
        self.all.clear();
        self.wide.clear();
        self.starts.clear();
        self.starts.resize((cells[0].count * rows) as usize + 2, 0);
        for (index, b) in (0..).zip(boxes) {
            if b.is_empty() {
                continue;
            }
            // Written out: arrays' `map` is not inlined here.
            let about = |x: &[f64; 3]| {
                let n = |n: usize| (x[axes[n]] - middle[n]) as f32;
                [n(0), n(1), n(2)]
            };
            let spans = spans(b, &axes, &cells);
            let mut first = [spans[0][0] as u16, spans[1][0] as u16];
            if (spans[0][1] - spans[0][0] + 1) * (spans[1][1] - spans[1][0] + 1) > MOST_COLUMNS {
                first[0] = WIDE;
                self.wide.push(self.all.len() as u32);
            } else {
                each_column(spans, rows, |column| self.starts[column + 2] += 1);
            }
            self.all.push(Swept { lo: about(&b.lo), hi: about(&b.hi), index, first });
        }
        for k in 1..self.starts.len() {
            self.starts[k] += self.starts[k - 1];
        }
        let total = self.starts.last().copied().unwrap_or(0);
        self.columns.resize(total as usize, Swept::default());
        for swept in self.all.iter().filter(|swept| swept.first[0] != WIDE) {
            let spans = spans(&boxes[swept.index as usize], &axes, &cells);
            each_column(spans, rows, |column| {
                let start = &mut self.starts[column + 1];
                self.columns[*start as usize] = *swept;
                *start += 1;
            });
        }
        rows
    }
}

/// The first and the last column, and row, that a box lies in.
#[inline(always)]
fn spans(b: &Extent, axes: &[usize; 3], cells: &[Cells; 2]) -> [[u32; 2]; 2] {
    let span = |n: usize| [cells[n].of(b.lo[axes[n + 1]]), cells[n].of(b.hi[axes[n + 1]])];
    [span(0), span(1)]
}

#[inline(always)]
fn each_column([columns, rows]: [[u32; 2]; 2], count: u32, mut visit: impl FnMut(usize)) {
    for column in columns[0]..=columns[1] {
        for row in rows[0]..=rows[1] {
            visit((column * count + row) as usize);
        }
    }
}

/// Sorts a column along the sweep.
#[derive(Clone, Debug, Default)]
struct Sorter {
    /// Those of the column, in order.
    sorted: Vec<Swept>,
    /// Where the boxes of each part of the way begin.
    starts: Vec<u32>,
}

impl Sorter {
    /// Those of a column by their least coordinate: by counting what lies in each of as many parts of the way as there are boxes, so that few lie in one; O(n) where they are spread out.
    fn sort(&mut self, column: &[Swept]) -> &[Swept] {
        let (mut lo, mut hi) = (f32::INFINITY, f32::NEG_INFINITY);
        for b in column {
            (lo, hi) = (lo.min(b.lo[0]), hi.max(b.lo[0]));
        }
        let parts = Cells::new([f64::from(lo), f64::from(hi)], 0.0, column.len() as f64);
        self.starts.clear();
        self.starts.resize(parts.count as usize + 2, 0);
        let part = |b: &Swept| parts.of(f64::from(b.lo[0])) as usize;
        column.iter().for_each(|b| self.starts[part(b) + 2] += 1);
        for k in 1..self.starts.len() {
            self.starts[k] += self.starts[k - 1];
        }
        self.sorted.resize(column.len().max(self.sorted.len()), Swept::default());
        for b in column {
            let start = &mut self.starts[part(b) + 1];
            self.sorted[*start as usize] = *b;
            *start += 1;
        }
        for run in self.starts.windows(2) {
            if run[1] - run[0] > 1 {
                let run = &mut self.sorted[run[0] as usize..run[1] as usize];
                run.sort_unstable_by(|a, b| a.lo[0].total_cmp(&b.lo[0]));
            }
        }
        &self.sorted[..column.len()]
    }
}

impl Swept {
    /// Whether they have a point in common, rounded, and whether they do for sure. No branches, as these go either way.
    #[inline(always)]
    fn meets(&self, other: &Self) -> (bool, bool) {
        let (mut may, mut must) = (true, true);
        for k in 0..3 {
            may &= (self.lo[k] <= other.hi[k]) & (other.lo[k] <= self.hi[k]);
            must &= (self.lo[k] < other.hi[k]) & (other.lo[k] < self.hi[k]);
        }
        (may, must)
    }
    #[inline(always)]
    fn pair(&self, other: &Self) -> [u32; 2] {
        [self.index.min(other.index), self.index.max(other.index)]
    }
}

impl BroadPhase for Grid {
    fn update(&mut self, boxes: &[Extent], _: &[u32], pairs: &mut Vec<[u32; 2]>) {
        pairs.clear();
        let rows = self.fill(boxes);
        let exactly = |[i, j]: [u32; 2]| boxes[i as usize].meets(&boxes[j as usize]);
        for (at, run) in (0..).zip(self.starts.windows(2)) {
            if run[1] - run[0] < 2 {
                continue;
            }
            let column = self.sorter.sort(&self.columns[run[0] as usize..run[1] as usize]);
            let here = [(at / rows) as u16, (at % rows) as u16];
            for (n, a) in column.iter().enumerate() {
                for b in column[n + 1..].iter().take_while(|b| b.lo[0] <= a.hi[0]) {
                    // The column of the least corner of the intersection.
                    let first =
                        (a.first[0].max(b.first[0]) == here[0]) & (a.first[1].max(b.first[1]) == here[1]);
                    let (may, must) = a.meets(b);
                    if (first & may) && (must || exactly(a.pair(b))) {
                        pairs.push(a.pair(b));
                    }
                }
            }
        }
        // Each of the wide ones against all others: against those after it, and those before it that are not wide.
        for &n in &self.wide {
            let a = &self.all[n as usize];
            for (m, b) in (0..).zip(&self.all) {
                let (may, must) = a.meets(b);
                if may && (m > n || (m < n && b.first[0] != WIDE)) && (must || exactly(a.pair(b))) {
                    pairs.push(a.pair(b));
                }
            }
        }
    }
}
