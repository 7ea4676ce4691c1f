//! Assignment of one list to another with the least sum of costs.
/// The most items of two lists of equal length that are assigned with the least sum of costs.
pub(super) const EXACT: usize = 512;
/// The most items, about, of the pieces of longer lists.
const PIECE: usize = 128;

/// True if an assignment costs no more than that of two lists with `most` items each.
fn is_within(a: usize, b: usize, most: usize) -> bool {
    let [short, long] = [a.min(b), a.max(b)].map(|count| count as u128);
    short * short * long <= (most as u128).pow(3)
}

/// Assigns a different column to each of `rows` rows, with the least sum of `cost(row, column)`. Returns the
/// column of each row. `rows` must be at most `columns`. Shortest augmenting paths with potentials (Jonker
/// and Volgenant 1987). Among equal sums, the order of rows and columns decides. Cost: O(rows^2 columns).
pub(super) fn assign(rows: usize, columns: usize, cost: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    debug_assert!(rows <= columns);
    const NONE: usize = usize::MAX;
    // The column after the last one starts each path.
    let start = columns;
    let mut row_of = vec![NONE; columns + 1];
    let mut row_price = vec![0.0; rows];
    let mut price = vec![0.0; columns + 1];
    for row in 0..rows {
        row_of[start] = row;
        let mut column = start;
        let mut least = vec![f64::INFINITY; columns];
        let mut before = vec![start; columns];
        let mut is_done = vec![false; columns + 1];
        while row_of[column] != NONE {
            is_done[column] = true;
            let from = row_of[column];
            let (mut step, mut next) = (f64::INFINITY, NONE);
            for j in (0..columns).filter(|&j| !is_done[j]) {
                let reduced = cost(from, j) - row_price[from] - price[j];
                if reduced < least[j] {
                    (least[j], before[j]) = (reduced, column);
                }
                if least[j] < step || next == NONE {
                    (step, next) = (least[j], j);
                }
            }
            for j in 0..columns {
                if is_done[j] {
                    row_price[row_of[j]] += step;
                    price[j] -= step;
                } else {
                    least[j] -= step;
                }
            }
            row_price[row] += step;
            column = next;
        }
        while column != start {
            let earlier = before[column];
            row_of[column] = row_of[earlier];
            column = earlier;
        }
    }
    let mut column_of = vec![0; rows];
    for (column, &row) in row_of[..columns].iter().enumerate() {
        if row != NONE {
            column_of[row] = column;
        }
    }
    column_of
}

/// Pairs the items of two lists, as many as the shorter one has. The sum of the costs is the least if that
/// costs no more than for [`EXACT`] items in both lists. Longer lists are halved by rank, along the longest
/// side of the boxes around their points, until each piece is small enough; the time is then O(n log^2 n).
/// Ranks recover a translation of all points, but not every other motion.
pub(super) fn pair_up(
    old: &mut [u32],
    new: &mut [u32],
    point: &impl Fn(bool, u32) -> [f64; 3],
    cost: &impl Fn(u32, u32) -> f64,
    found: &mut impl FnMut(u32, u32),
) {
    if is_within(old.len(), new.len(), EXACT) {
        pair_exactly(old, new, cost, found);
    } else {
        halve(old, new, point, cost, found);
    }
}

fn pair_exactly(old: &[u32], new: &[u32], cost: &impl Fn(u32, u32) -> f64, found: &mut impl FnMut(u32, u32)) {
    if old.len() <= new.len() {
        let columns = assign(old.len(), new.len(), |i, j| cost(old[i], new[j]));
        old.iter().zip(columns).for_each(|(&i, j)| found(i, new[j]));
    } else {
        let columns = assign(new.len(), old.len(), |i, j| cost(old[j], new[i]));
        new.iter().zip(columns).for_each(|(&i, j)| found(old[j], i));
    }
}

fn halve(
    old: &mut [u32],
    new: &mut [u32],
    point: &impl Fn(bool, u32) -> [f64; 3],
    cost: &impl Fn(u32, u32) -> f64,
    found: &mut impl FnMut(u32, u32),
) {
    if is_within(old.len(), new.len(), PIECE) {
        return pair_exactly(old, new, cost, found);
    }
    // Each list has its own box, since the two may be far from each other.
    let sides = |list: &[u32], is_new: bool| {
        let mut ends = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
        for &i in list {
            let v = point(is_new, i);
            (0..3).for_each(|k| ends[k] = [ends[k][0].min(v[k]), ends[k][1].max(v[k])]);
        }
        ends.map(|[low, high]| high - low)
    };
    let (a, b) = (sides(old, false), sides(new, true));
    let longest = |&x: &usize, &y: &usize| a[x].max(b[x]).total_cmp(&a[y].max(b[y]));
    let axis = (0..3).max_by(longest).unwrap_or_default();
    // The sort is stable: items with equal coordinates keep the order of their contents.
    old.sort_by(|&i, &j| point(false, i)[axis].total_cmp(&point(false, j)[axis]));
    new.sort_by(|&i, &j| point(true, i)[axis].total_cmp(&point(true, j)[axis]));
    let (old_middle, new_middle) = (old.len() / 2, new.len() / 2);
    let (old_low, old_high) = old.split_at_mut(old_middle);
    let (new_low, new_high) = new.split_at_mut(new_middle);
    halve(old_low, new_low, point, cost, found);
    halve(old_high, new_high, point, cost, found);
}
