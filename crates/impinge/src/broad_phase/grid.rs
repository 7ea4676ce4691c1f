//! A batch builder: all boxes anew at every update, sorted into the columns of a grid and swept in each.
//!
//! Columns stand on the plane of two axes; the sweep goes along the third, on which the boxes are spread most. A box lies in every column that it touches, and a pair is reported in one of those that both touch: the
//! one in which the least corner of their intersection lies. Boxes that would lie in very many columns are kept aside and swept against all.
use super::{BroadPhase, Extent};

/// Sorts all boxes into a grid at every update: O(n log n + pairs) for boxes of one size that are spread out, whatever moved. For assemblies that are
/// looked at once, and where most bodies move. Keeps nothing but its memory.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// The boxes that are not empty, by their least coordinate on the axis of the sweep.
    sorted: Vec<Swept>,
    /// Of each column: where its entries begin in `entries`; and one more.
    starts: Vec<u32>,
    /// Indices into `sorted`, column by column, each in order.
    entries: Vec<u32>,
    /// Those of one column, side by side.
    column: Vec<Swept>,
    /// Indices into `sorted` of boxes that lie in many columns.
    wide: Vec<u32>,
}

/// A box, its axes in the order sweep, first, second.
#[derive(Clone, Copy, Debug)]
struct Swept {
    lo: [f64; 3],
    hi: [f64; 3],
    index: u32,
    /// The first and the last column, and row, that it lies in.
    columns: [u32; 2],
    rows: [u32; 2],
}

/// Columns that a box may lie in before it is kept aside.
const MOST_COLUMNS: u32 = 64;
/// Fewer boxes than this are swept in one column.
const FEW: usize = 64;

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
            all = all.and(b);
            count += 1;
            for (sum, (lo, hi)) in sides.iter_mut().zip(b.lo.iter().zip(&b.hi)) {
                // Boxes without end say nothing about the size of cells.
                *sum += if hi - lo < f64::INFINITY { hi - lo } else { 0.0 };
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

    /// Sorts the boxes, and says how many columns and rows there are.
    fn sort(&mut self, boxes: &[Extent]) -> [Cells; 2] {
        let (axes, all, means, count) = Self::axes(boxes);
        // Some boxes a column, so that they are worth their visit; each in four columns or so.
        let most = if count < FEW { 1.0 } else { (count as f64 / 4.0).sqrt().max(1.0) };
        let cells = [axes[1], axes[2]].map(|k| {
            let size = f64::max(2.0 * means[k], f64::MIN_POSITIVE);
            Cells::new([all.lo[k], all.hi[k]], size, most)
        });
        self.sorted.clear();
        let swept = |(index, b): (u32, &Extent)| {
            let (lo, hi) = (axes.map(|k| b.lo[k]), axes.map(|k| b.hi[k]));
            let span = |n: usize| [cells[n].of(lo[n + 1]), cells[n].of(hi[n + 1])];
            Swept { lo, hi, index, columns: span(0), rows: span(1) }
        };
        self.sorted.extend((0..).zip(boxes).filter(|(_, b)| !b.is_empty()).map(swept));
        self.sorted.sort_unstable_by(|a, b| a.lo[0].total_cmp(&b.lo[0]));
        cells
    }

    /// Sorts the boxes into columns.
    fn fill(&mut self, cells: [Cells; 2]) {
        let rows = cells[1].count;
        let span = |b: &Swept| (b.columns[1] - b.columns[0] + 1) * (b.rows[1] - b.rows[0] + 1);
        self.wide.clear();
        self.starts.clear();
        self.starts.resize((cells[0].count * rows) as usize + 2, 0);
        for (n, b) in (0..).zip(&self.sorted) {
            if span(b) > MOST_COLUMNS {
                self.wide.push(n);
                continue;
            }
            for column in b.columns[0]..=b.columns[1] {
                for row in b.rows[0]..=b.rows[1] {
                    self.starts[(column * rows + row) as usize + 2] += 1;
                }
            }
        }
        for k in 1..self.starts.len() {
            self.starts[k] += self.starts[k - 1];
        }
        let total = self.starts.last().copied().unwrap_or(0);
        self.entries.clear();
        self.entries.resize(total as usize, 0);
        for (n, b) in (0..).zip(&self.sorted) {
            if span(b) > MOST_COLUMNS {
                continue;
            }
            for column in b.columns[0]..=b.columns[1] {
                for row in b.rows[0]..=b.rows[1] {
                    let start = &mut self.starts[(column * rows + row) as usize + 1];
                    self.entries[*start as usize] = n;
                    *start += 1;
                }
            }
        }
    }
}

impl Swept {
    #[inline(always)]
    fn meets(&self, other: &Self) -> bool {
        // The axis of the sweep was seen to; without branches, as these go either way.
        (self.lo[1] <= other.hi[1])
            & (other.lo[1] <= self.hi[1])
            & (self.lo[2] <= other.hi[2])
            & (other.lo[2] <= self.hi[2])
    }
    fn pair(&self, other: &Self) -> [u32; 2] {
        [self.index.min(other.index), self.index.max(other.index)]
    }
}

impl BroadPhase for Grid {
    fn update(&mut self, boxes: &[Extent], _: &[u32], pairs: &mut Vec<[u32; 2]>) {
        pairs.clear();
        let cells = self.sort(boxes);
        self.fill(cells);
        let rows = cells[1].count;
        for (at, run) in (0..).zip(self.starts.windows(2)) {
            let entries = &self.entries[run[0] as usize..run[1] as usize];
            if entries.len() < 2 {
                continue;
            }
            let (column, row) = (at / rows, at % rows);
            self.column.clear();
            self.column.extend(entries.iter().map(|&n| self.sorted[n as usize]));
            for (n, a) in self.column.iter().enumerate() {
                for b in self.column[n + 1..].iter().take_while(|b| b.lo[0] <= a.hi[0]) {
                    // The columns of the least corner of the intersection.
                    let here = (a.columns[0].max(b.columns[0]) == column) & (a.rows[0].max(b.rows[0]) == row);
                    if here & a.meets(b) {
                        pairs.push(a.pair(b));
                    }
                }
            }
        }
        // Each of the wide ones against all others: against those after it, and those before it that are not wide.
        for &n in &self.wide {
            let a = self.sorted[n as usize];
            for (m, b) in (0..).zip(&self.sorted) {
                if b.lo[0] > a.hi[0] {
                    break;
                }
                let once = m > n || (m < n && self.wide.binary_search(&m).is_err());
                if once && b.hi[0] >= a.lo[0] && a.meets(b) {
                    pairs.push(a.pair(b));
                }
            }
        }
    }
}
