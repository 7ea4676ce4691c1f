//! A broad phase that starts from scratch at every update: all boxes are sorted into the columns of a grid,
//! and each column is swept (Ericson 7.1 and 7.5).
//!
//! The grid divides the plane of two axes; the sweep runs along the third one, the axis on which the boxes
//! are spread most. A box is in every column that it touches. A pair is reported once: in the column that
//! contains the smallest corner of the two boxes' intersection. Boxes that would be in very many columns are
//! kept aside and tested against all others. Columns are filled and swept in blocks that fit in the cache:
//! when all columns were filled first, that took a third of the time.
//!
//! Sorting and sweeping use copies of the boxes in f32, half a cache line each, so that no box is fetched
//! from far away. Rounding is monotonic: if the rounded boxes have no common point, neither have the boxes;
//! and coordinates that differ when rounded have the same order as before. f64 boxes are compared only where
//! rounded coordinates are equal.
use super::{aabb::Aabb, interface::BroadPhase};

/// Sorts all boxes into a grid at every update: O(n log n + pairs) for boxes of similar size that are spread
/// out, however many have moved.
///
/// It suits assemblies with one update, and scenes where most bodies move far. It has no state but memory.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// The boxes that are not empty.
    all: Vec<GridBox>,
    /// For each block of columns the index in `blocks` of its first box; at the end, the length of `blocks`.
    starts: Vec<u32>,
    /// The boxes of all blocks, block by block.
    blocks: Vec<GridBox>,
    /// The indices in `all` of boxes that are in many columns.
    wide: Vec<u32>,
    block: ColumnBlock,
}

/// Memory for the block of columns that is being swept.
#[derive(Clone, Debug, Default)]
struct ColumnBlock {
    /// The block's boxes, sorted by their cell along the sweep axis; and the index of each cell's first one,
    /// with the number of all at the end.
    sorted: Vec<GridBox>,
    cells: Vec<u32>,
    /// The boxes of each column, column by column; and the index of each column's first one, with the number
    /// of all at the end.
    columns: Vec<GridBox>,
    starts: Vec<u32>,
}

/// A box in f32, relative to the middle of all boxes.
#[derive(Clone, Copy, Debug, Default)]
struct GridBox {
    lo: [f32; 3],
    hi: [f32; 3],
    index: u32,
    /// In a column, [`FIRST_COLUMN`] and [`FIRST_ROW`]. Elsewhere 1 if the box is in many columns.
    flags: u32,
}

/// Flag of a box in the first column of the grid that it touches.
const FIRST_COLUMN: u32 = 1;
/// Flag of a box in the first row of the grid that it touches.
const FIRST_ROW: u32 = 2;

/// A box in more columns than this is kept aside.
const MOST_COLUMNS: u32 = 64;
/// Fewer boxes than this are swept in one column.
const FEW: usize = 64;
/// The width of a column, in mean sides of the boxes.
const WIDTH: f64 = 2.0;
/// The number of boxes in a block, roughly: some tens of kB.
const BLOCK: f64 = 2048.0;
/// The number of boxes in a cell along the sweep axis: so few that two of them rarely share a column.
const CELL: usize = 4;

/// An axis divided into cells of one size. The first and the last cell extend to infinity.
#[derive(Clone, Copy, Debug)]
struct GridAxis {
    per_unit: f32,
    origin: f32,
    /// The index of the last cell.
    last: f32,
}

impl GridAxis {
    /// Cells of about this size on [-length / 2, length / 2], at most `most`.
    fn new(length: f64, size: f64, most: f64) -> Self {
        // One cell if the length is infinite or NaN, or where f32 overflows.
        let count = if length > 0.0 { (length / size).clamp(1.0, most).floor() } else { 1.0 };
        let per_unit = (count / length) as f32;
        let known = count > 1.0 && per_unit > 0.0 && per_unit < f32::INFINITY;
        let count = if known { count as f32 } else { 1.0 };
        // 0.5 less than half the count: the sum in `of` rounds to nearest, and must round down.
        Self { per_unit: if known { per_unit } else { 0.0 }, origin: 0.5 * count - 0.5, last: count - 1.0 }
    }
    fn count(&self) -> u32 {
        self.last as u32 + 1
    }
    /// The cell of a coordinate. A greater coordinate never has a smaller cell: rounding is monotonic.
    #[inline(always)]
    fn of(&self, x: f32) -> u32 {
        const ONES: f32 = (1 << 23) as f32;
        let cell = x * self.per_unit + self.origin;
        // NaN, from infinity times 0, becomes 0. One instruction each.
        let cell = if cell > 0.0 { cell } else { 0.0 };
        let cell = if cell < self.last { cell } else { self.last };
        // A cast would take longer: it checks for what has just been excluded.
        (cell + ONES).to_bits() - ONES.to_bits()
    }
}

/// The grid, as chosen for the boxes of one update.
#[derive(Clone, Copy, Debug)]
struct Layout {
    middle: [f64; 3],
    /// The axis of the sweep, the boxes' extent on it, and the grid's columns and rows on the next two axes.
    axis: usize,
    length: f64,
    columns: GridAxis,
    rows: GridAxis,
    /// A block has 2^shift by 2^shift columns; `block_rows` is the number of rows of blocks.
    shift: u32,
    block_rows: u32,
}

impl Layout {
    fn of(boxes: &[Aabb]) -> Self {
        let (mut all, mut sides, mut count) = (Aabb::EMPTY, [0.0; 3], 0_usize);
        for b in boxes.iter().filter(|b| !b.is_empty()) {
            count += 1;
            for (k, sum) in sides.iter_mut().enumerate() {
                // Comparisons instead of `f64::min`: there is no NaN here, and these compile to one
                // instruction each.
                all.lo[k] = if b.lo[k] < all.lo[k] { b.lo[k] } else { all.lo[k] };
                all.hi[k] = if b.hi[k] > all.hi[k] { b.hi[k] } else { all.hi[k] };
                // Infinite sides do not count for the size of cells.
                let side = b.hi[k] - b.lo[k];
                *sum += if side < f64::INFINITY { side } else { 0.0 };
            }
        }
        let means = sides.map(|sum| sum / f64::max(1.0, count as f64));
        let lengths = [0, 1, 2].map(|k| all.hi[k] - all.lo[k]);
        // Along an axis on which boxes are long compared with the whole, a sweep separates few of them.
        let spread = [0, 1, 2].map(|k| {
            let length = lengths[k];
            if length > 0.0 && length < f64::INFINITY { length / (means[k] + length * 1e-9) } else { 0.0 }
        });
        let axis = (1..3).fold(0, |best, k| if spread[k] > spread[best] { k } else { best });
        // Some boxes a column, so that a visit pays; a box in about two columns.
        let most = if count < FEW { 1.0 } else { (count as f64 / 4.0).sqrt().clamp(1.0, 30_000.0) };
        let cells = |k: usize| GridAxis::new(lengths[k], f64::max(WIDTH * means[k], f64::MIN_POSITIVE), most);
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

    /// The first and the last column that a box is in, then the first and the last row.
    #[inline(always)]
    fn spans<const S: usize>(&self, b: &GridBox) -> [[u32; 2]; 2] {
        let (p, q) = ((S + 1) % 3, (S + 2) % 3);
        [[self.columns.of(b.lo[p]), self.columns.of(b.hi[p])], [self.rows.of(b.lo[q]), self.rows.of(b.hi[q])]]
    }

    /// Visits the columns of a block that a box is in, with the box's flags there.
    #[inline(always)]
    fn each_column<const S: usize>(&self, corner: [u32; 2], b: &GridBox, mut visit: impl FnMut(usize, u32)) {
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
    /// An empty grid; allocates nothing yet.
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

    /// Rounds the boxes and sorts them into blocks.
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
            // Written out, as `map` of an array is not inlined here.
            let about = |x: &[f64; 3]| [(x[0] - m[0]) as f32, (x[1] - m[1]) as f32, (x[2] - m[2]) as f32];
            let mut grid_box = GridBox { lo: about(&b.lo), hi: about(&b.hi), index, flags: 0 };
            let [c, r] = layout.spans::<S>(&grid_box);
            if (c[1] - c[0] + 1) * (r[1] - r[0] + 1) > MOST_COLUMNS {
                grid_box.flags = 1;
                self.wide.push(self.all.len() as u32);
            } else {
                for column in c[0] >> shift..(c[1] >> shift) + 1 {
                    for row in r[0] >> shift..(r[1] >> shift) + 1 {
                        self.starts[(column * block_rows + row) as usize + 2] += 1;
                    }
                }
            }
            self.all.push(grid_box);
        }
        let total = sum_up(&mut self.starts);
        self.blocks.resize(total, GridBox::default());
        for grid_box in self.all.iter().filter(|grid_box| grid_box.flags == 0) {
            let [c, r] = layout.spans::<S>(grid_box);
            for column in c[0] >> shift..(c[1] >> shift) + 1 {
                for row in r[0] >> shift..(r[1] >> shift) + 1 {
                    let start = &mut self.starts[(column * block_rows + row) as usize + 1];
                    self.blocks[*start as usize] = *grid_box;
                    *start += 1;
                }
            }
        }
        // Each start has moved to where the next block begins; so the last one is there twice.
        self.starts.pop();
    }
}

impl ColumnBlock {
    /// Sorts the boxes of a block into its columns. `corner` is the block's first column and row.
    fn fill<const S: usize>(&mut self, layout: &Layout, corner: [u32; 2], all: &[GridBox]) {
        let sweep = GridAxis::new(layout.length, 0.0, ((all.len() / CELL) as f64).clamp(1.0, 4e6));
        let side = 1 << layout.shift;
        self.cells.clear();
        self.cells.resize(sweep.count() as usize + 2, 0);
        self.starts.clear();
        self.starts.resize(side * side + 2, 0);
        for grid_box in all {
            self.cells[sweep.of(grid_box.lo[S]) as usize + 2] += 1;
            layout.each_column::<S>(corner, grid_box, |column, _| self.starts[column + 2] += 1);
        }
        sum_up(&mut self.cells);
        self.sorted.resize(self.sorted.len().max(all.len()), GridBox::default());
        for grid_box in all {
            let start = &mut self.cells[sweep.of(grid_box.lo[S]) as usize + 1];
            self.sorted[*start as usize] = *grid_box;
            *start += 1;
        }
        let total = sum_up(&mut self.starts);
        self.columns.resize(self.columns.len().max(total), GridBox::default());
        for grid_box in &self.sorted[..all.len()] {
            layout.each_column::<S>(corner, grid_box, |column, flags| {
                let start = &mut self.starts[column + 1];
                self.columns[*start as usize] = GridBox { flags, ..*grid_box };
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
                    // The smallest corner of the intersection is in this column if, on both axes of the grid,
                    // it is the first one of either box. No branches: they would be unpredictable.
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

/// Turns counts into starts, for a counting sort. `counts[k + 2]` is the number of items in bin k; afterwards
/// `counts[k + 1]` is the index at which bin k begins. The caller then increases it for each item that it
/// puts in the bin, so that in the end `counts[k]` is the index at which bin k begins. Returns the number of
/// all items.
fn sum_up(counts: &mut [u32]) -> usize {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
    sum as usize
}

/// Insertion sort of a column that is nearly in order.
#[inline(always)]
fn sort<const S: usize>(column: &mut [GridBox]) {
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
                // Too many boxes in too few cells for insertion sort.
                return column.sort_unstable_by(|a, b| a.lo[S].total_cmp(&b.lo[S]));
            }
        }
    }
}

impl GridBox {
    /// True if the rounded boxes have a common point. No branches: they would be unpredictable.
    #[inline(always)]
    fn meets(&self, other: &Self) -> bool {
        (0..3).fold(true, |may, k| may & (self.lo[k] <= other.hi[k]) & (other.lo[k] <= self.hi[k]))
    }
    /// True if the boxes have a common point, given that the rounded ones have.
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
        // Each wide box against all others, each pair once: against all boxes after it, and those before it
        // that are not wide.
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
