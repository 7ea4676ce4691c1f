//! A batch builder: all boxes anew at every update, sorted into the columns of a grid and swept in each.
//!
//! Columns stand on the plane of two axes; the sweep goes along the third, on which the boxes are spread most. A box lies in every column that it touches, and a pair is reported in one of those that both touch: the
//! one in which the least corner of their intersection lies. Boxes that would lie in very many columns are kept aside and compared with all. Columns are filled and swept block by block, so that what is written to and
//! fro stays in the cache: filling all columns at once took a third of the time.
//!
//! What is sorted and swept are boxes in f32, half a cache line each, and no box is fetched from afar. Rounding is monotonous: rounded boxes that have no point in common are of boxes that have none, and
//! of coordinates that differ when rounded it tells which is less. Only where rounded ones are equal are the boxes themselves looked at.
use super::{Aabb, BroadPhase};

/// Sorts all boxes into a grid at every update: O(n log n + pairs) for boxes of one size that are spread out, whatever moved. For assemblies that are
/// looked at once, and where most bodies move far. Keeps nothing but its memory.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// The boxes that are not empty.
    all: Vec<Swept>,
    /// Of each block of columns: where its boxes begin in `blocks`; and one more.
    starts: Vec<u32>,
    /// The boxes of each block, block by block.
    blocks: Vec<Swept>,
    /// Places in `all` of boxes that lie in many columns.
    wide: Vec<u32>,
    block: Block,
}

/// A block of columns, being swept.
#[derive(Clone, Debug, Default)]
struct Block {
    /// Its boxes, about in order along the sweep: by the cells there. And where each cell begins, and one more.
    sorted: Vec<Swept>,
    cells: Vec<u32>,
    /// Those of each column, column by column. And where each begins, and one more.
    columns: Vec<Swept>,
    starts: Vec<u32>,
}

/// A box about the middle of all.
#[derive(Clone, Copy, Debug, Default)]
struct Swept {
    lo: [f32; 3],
    hi: [f32; 3],
    index: u32,
    /// In a column: of [`FIRST_COLUMN`] and [`FIRST_ROW`] those that hold there. Otherwise: whether it lies in many.
    flags: u32,
}

/// The column is the first that the box lies in, in this row; and the first in this column.
const FIRST_COLUMN: u32 = 1;
const FIRST_ROW: u32 = 2;

/// Columns that a box may lie in before it is kept aside.
const MOST_COLUMNS: u32 = 64;
/// Fewer boxes than this are swept in one column.
const FEW: usize = 64;
/// Columns are so many times as wide as boxes on the mean.
const WIDTH: f64 = 2.0;
/// Boxes in a block, about: some tens of kB.
const BLOCK: f64 = 2048.0;
/// Boxes in a cell along the sweep, so few that hardly two are in one column as well.
const CELL: usize = 4;

/// A line cut into cells of one size. What lies beyond its ends belongs to the first or last.
#[derive(Clone, Copy, Debug)]
struct Cells {
    per_unit: f32,
    origin: f32,
    /// The last.
    last: f32,
}

impl Cells {
    /// Cells of that size on a line of that length about 0, at most so many.
    fn new(length: f64, size: f64, most: f64) -> Self {
        // Not so of infinite or NaN lengths, nor where f32 overflows: then there is one cell.
        let count = if length > 0.0 { (length / size).clamp(1.0, most).floor() } else { 1.0 };
        let per_unit = (count / length) as f32;
        let known = count > 1.0 && per_unit > 0.0 && per_unit < f32::INFINITY;
        let count = if known { count as f32 } else { 1.0 };
        // The sum in `of` rounds to the nearest, and is to round down.
        Self { per_unit: if known { per_unit } else { 0.0 }, origin: 0.5 * count - 0.5, last: count - 1.0 }
    }
    fn count(&self) -> u32 {
        self.last as u32 + 1
    }
    /// The cell of a coordinate. It never decreases with the coordinate: rounding is monotonous.
    #[inline(always)]
    fn of(&self, x: f32) -> u32 {
        const ONES: f32 = (1 << 23) as f32;
        let cell = x * self.per_unit + self.origin;
        // NaN, where infinity was multiplied by 0, comes out as 0; one instruction each.
        let cell = if cell > 0.0 { cell } else { 0.0 };
        let cell = if cell < self.last { cell } else { self.last };
        // A cast takes longer, as it guards against what has just been ruled out.
        (cell + ONES).to_bits() - ONES.to_bits()
    }
}

/// How the boxes lie.
#[derive(Clone, Copy, Debug)]
struct Layout {
    middle: [f64; 3],
    /// The axis of the sweep, its length, and the columns and rows of the two axes that follow it.
    axis: usize,
    length: f64,
    columns: Cells,
    rows: Cells,
    /// Blocks are this power of two wide and long, and stand in so many rows.
    shift: u32,
    block_rows: u32,
}

impl Layout {
    fn of(boxes: &[Aabb]) -> Self {
        let (mut all, mut sides, mut count) = (Aabb::EMPTY, [0.0; 3], 0_usize);
        for b in boxes.iter().filter(|b| !b.is_empty()) {
            count += 1;
            for (k, sum) in sides.iter_mut().enumerate() {
                // Compares rather than `f64::min`: no NaN comes here, and these are one instruction each.
                all.lo[k] = if b.lo[k] < all.lo[k] { b.lo[k] } else { all.lo[k] };
                all.hi[k] = if b.hi[k] > all.hi[k] { b.hi[k] } else { all.hi[k] };
                // Boxes without end say nothing about the size of cells.
                let side = b.hi[k] - b.lo[k];
                *sum += if side < f64::INFINITY { side } else { 0.0 };
            }
        }
        let means = sides.map(|sum| sum / f64::max(1.0, count as f64));
        let lengths = [0, 1, 2].map(|k| all.hi[k] - all.lo[k]);
        // Where boxes are long against the whole, a sweep is of little use.
        let spread = [0, 1, 2].map(|k| {
            let length = lengths[k];
            if length > 0.0 && length < f64::INFINITY { length / (means[k] + length * 1e-9) } else { 0.0 }
        });
        let axis = (1..3).fold(0, |best, k| if spread[k] > spread[best] { k } else { best });
        // Some boxes a column, so that they are worth their visit; each in two columns or so.
        let most = if count < FEW { 1.0 } else { (count as f64 / 4.0).sqrt().clamp(1.0, 30_000.0) };
        let cells = |k: usize| Cells::new(lengths[k], f64::max(WIDTH * means[k], f64::MIN_POSITIVE), most);
        let middle = [0, 1, 2].map(|k| {
            let middle = 0.5 * all.lo[k] + 0.5 * all.hi[k];
            if middle.is_finite() { middle } else { 0.0 }
        });
        let (columns, rows) = (cells((axis + 1) % 3), cells((axis + 2) % 3));
        let area = f64::from(columns.count()) * f64::from(rows.count()) * BLOCK / f64::max(1.0, count as f64);
        let shift = (0..6).find(|&shift| f64::from(1 << (2 * shift + 1)) >= area).unwrap_or(6);
        let block_rows = ((rows.count() - 1) >> shift) + 1;
        Self { middle, axis, length: lengths[axis], columns, rows, shift, block_rows }
    }

    /// The first and the last column, and row, that a box lies in.
    #[inline(always)]
    fn spans<const S: usize>(&self, b: &Swept) -> [[u32; 2]; 2] {
        let (p, q) = ((S + 1) % 3, (S + 2) % 3);
        [[self.columns.of(b.lo[p]), self.columns.of(b.hi[p])], [self.rows.of(b.lo[q]), self.rows.of(b.hi[q])]]
    }

    /// Visits the columns of a block that a box lies in, with its flags there.
    #[inline(always)]
    fn each_column<const S: usize>(&self, corner: [u32; 2], b: &Swept, mut visit: impl FnMut(usize, u32)) {
        let [c, r] = self.spans::<S>(b);
        let last = (1 << self.shift) - 1;
        for column in c[0].max(corner[0])..c[1].min(corner[0] + last) + 1 {
            for row in r[0].max(corner[1])..r[1].min(corner[1] + last) + 1 {
                let flags =
                    if column == c[0] { FIRST_COLUMN } else { 0 } | if row == r[0] { FIRST_ROW } else { 0 };
                visit((((column - corner[0]) << self.shift) + row - corner[1]) as usize, flags);
            }
        }
    }
}

impl Grid {
    /// Empty; allocates nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds the pairs, with the sweep along axis S.
    fn run<const S: usize>(&mut self, layout: &Layout, boxes: &[Aabb], pairs: &mut Vec<[u32; 2]>) {
        self.fill::<S>(layout, boxes);
        let (side, mut corner) = (1 << layout.shift, [0, 0]);
        for run in self.starts.windows(2) {
            let all = &self.blocks[run[0] as usize..run[1] as usize];
            if all.len() > 1 {
                self.block.fill::<S>(layout, corner, all);
                self.block.sweep::<S>(boxes, pairs);
            }
            corner[1] += side;
            if corner[1] >= layout.rows.count() {
                corner = [corner[0] + side, 0];
            }
        }
    }

    /// Rounds the boxes, and sorts them into blocks.
    fn fill<const S: usize>(&mut self, layout: &Layout, boxes: &[Aabb]) {
        let (shift, block_rows) = (layout.shift, layout.block_rows);
        let block_columns = ((layout.columns.count() - 1) >> shift) + 1;
        self.all.clear();
        self.wide.clear();
        self.starts.clear();
        self.starts.resize((block_columns * block_rows) as usize + 2, 0);
        let m = layout.middle;
        for (index, b) in (0..).zip(boxes) {
            if b.is_empty() {
                continue;
            }
            // Written out: arrays' `map` is not inlined here.
            let about = |x: &[f64; 3]| [(x[0] - m[0]) as f32, (x[1] - m[1]) as f32, (x[2] - m[2]) as f32];
            let mut swept = Swept { lo: about(&b.lo), hi: about(&b.hi), index, flags: 0 };
            let [c, r] = layout.spans::<S>(&swept);
            if (c[1] - c[0] + 1) * (r[1] - r[0] + 1) > MOST_COLUMNS {
                swept.flags = 1;
                self.wide.push(self.all.len() as u32);
            } else {
                for column in c[0] >> shift..(c[1] >> shift) + 1 {
                    for row in r[0] >> shift..(r[1] >> shift) + 1 {
                        self.starts[(column * block_rows + row) as usize + 2] += 1;
                    }
                }
            }
            self.all.push(swept);
        }
        let total = sum_up(&mut self.starts);
        self.blocks.resize(total, Swept::default());
        for swept in self.all.iter().filter(|swept| swept.flags == 0) {
            let [c, r] = layout.spans::<S>(swept);
            for column in c[0] >> shift..(c[1] >> shift) + 1 {
                for row in r[0] >> shift..(r[1] >> shift) + 1 {
                    let start = &mut self.starts[(column * block_rows + row) as usize + 1];
                    self.blocks[*start as usize] = *swept;
                    *start += 1;
                }
            }
        }
        // As each has been moved to where the next begins.
        self.starts.pop();
    }
}

impl Block {
    /// Sorts its boxes into its columns. `corner` is the first column and row.
    fn fill<const S: usize>(&mut self, layout: &Layout, corner: [u32; 2], all: &[Swept]) {
        let sweep = Cells::new(layout.length, 0.0, ((all.len() / CELL) as f64).clamp(1.0, 4e6));
        let side = 1 << layout.shift;
        self.cells.clear();
        self.cells.resize(sweep.count() as usize + 2, 0);
        self.starts.clear();
        self.starts.resize(side * side + 2, 0);
        for swept in all {
            self.cells[sweep.of(swept.lo[S]) as usize + 2] += 1;
            layout.each_column::<S>(corner, swept, |column, _| self.starts[column + 2] += 1);
        }
        sum_up(&mut self.cells);
        self.sorted.resize(self.sorted.len().max(all.len()), Swept::default());
        for swept in all {
            let start = &mut self.cells[sweep.of(swept.lo[S]) as usize + 1];
            self.sorted[*start as usize] = *swept;
            *start += 1;
        }
        let total = sum_up(&mut self.starts);
        self.columns.resize(self.columns.len().max(total), Swept::default());
        for swept in &self.sorted[..all.len()] {
            layout.each_column::<S>(corner, swept, |column, flags| {
                let start = &mut self.starts[column + 1];
                self.columns[*start as usize] = Swept { flags, ..*swept };
                *start += 1;
            });
        }
    }

    /// Sweeps every column along axis S.
    fn sweep<const S: usize>(&mut self, boxes: &[Aabb], pairs: &mut Vec<[u32; 2]>) {
        let (p, q) = ((S + 1) % 3, (S + 2) % 3);
        for run in self.starts.windows(2) {
            let column = &mut self.columns[run[0] as usize..run[1] as usize];
            sort::<S>(column);
            let mut rest = &*column;
            while let Some((a, after)) = rest.split_first() {
                rest = after;
                for b in after {
                    if b.lo[S] > a.hi[S] {
                        break;
                    }
                    // The column of the least corner of the intersection is the first of one of them, either way. No branches, as these go either way.
                    let here = (a.flags | b.flags) == FIRST_COLUMN | FIRST_ROW;
                    let meets = (a.lo[p] <= b.hi[p])
                        & (b.lo[p] <= a.hi[p])
                        & (a.lo[q] <= b.hi[q])
                        & (b.lo[q] <= a.hi[q]);
                    if here & meets && a.surely_meets(b, boxes) {
                        pairs.push(a.pair(b));
                    }
                }
            }
        }
    }
}

/// Turns counts, each two places on, into where each begins, one place on: filling moves them to where they belong. Gives the sum.
fn sum_up(counts: &mut [u32]) -> usize {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
    sum as usize
}

/// Sorts a column that is nearly in order.
#[inline(always)]
fn sort<const S: usize>(column: &mut [Swept]) {
    let mut steps = 0;
    for n in 1..column.len() {
        let b = column[n];
        let mut to = n;
        while to > 0 && column[to - 1].lo[S] > b.lo[S] {
            column[to] = column[to - 1];
            to -= 1;
        }
        if to < n {
            column[to] = b;
            steps += n - to;
            if steps > 16 * column.len() {
                // Many boxes in few cells.
                return column.sort_unstable_by(|a, b| a.lo[S].total_cmp(&b.lo[S]));
            }
        }
    }
}

impl Swept {
    /// Whether they have a point in common, rounded. No branches, as these go either way.
    #[inline(always)]
    fn meets(&self, other: &Self) -> bool {
        (0..3).fold(true, |may, k| may & (self.lo[k] <= other.hi[k]) & (other.lo[k] <= self.hi[k]))
    }
    /// Whether they have, if so rounded.
    #[inline(always)]
    fn surely_meets(&self, other: &Self, boxes: &[Aabb]) -> bool {
        let less = |k: usize| (self.lo[k] < other.hi[k]) & (other.lo[k] < self.hi[k]);
        (less(0) & less(1) & less(2)) || boxes[self.index as usize].meets(&boxes[other.index as usize])
    }
    #[inline(always)]
    fn pair(&self, other: &Self) -> [u32; 2] {
        [self.index.min(other.index), self.index.max(other.index)]
    }
}

impl BroadPhase for Grid {
    fn update(&mut self, boxes: &[Aabb], _: &[u32], pairs: &mut Vec<[u32; 2]>) {
        pairs.clear();
        let layout = Layout::of(boxes);
        match layout.axis {
            0 => self.run::<0>(&layout, boxes, pairs),
            1 => self.run::<1>(&layout, boxes, pairs),
            _ => self.run::<2>(&layout, boxes, pairs),
        }
        // Each of the wide ones against all others: against those after it, and those before it that are not wide.
        for &n in &self.wide {
            let a = &self.all[n as usize];
            for (m, b) in (0..).zip(&self.all) {
                let once = m > n || (m < n && b.flags == 0);
                if once && a.meets(b) && a.surely_meets(b, boxes) {
                    pairs.push(a.pair(b));
                }
            }
        }
    }
}
