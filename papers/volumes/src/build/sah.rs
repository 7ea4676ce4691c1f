//! The surface area heuristic over bins (Wald 2007).
use super::cut::{Cut, halve, partition};
use crate::primitives::Item;
use impinge::hierarchy::Bounds;

/// Number of bins for each axis; fewer if there are fewer items.
const BINS: usize = 16;

#[derive(Clone, Copy)]
struct Bin {
    bounds: Bounds,
    count: usize,
}

const EMPTY: Bin = Bin { bounds: Bounds::EMPTY, count: 0 };

impl Bin {
    fn and(&self, o: &Self) -> Self {
        Self { bounds: self.bounds.and(&o.bounds), count: self.count + o.count }
    }
    fn cost(&self) -> f32 {
        self.bounds.half_area() * self.count as f32
    }
}

/// The bins along one axis.
#[derive(Clone, Copy)]
struct Grid {
    axis: usize,
    start: f32,
    per_unit: f32,
    last: usize,
}

impl Grid {
    #[inline(always)]
    fn bin(&self, item: &Item) -> usize {
        // Saturates: a value that rounds beyond the last bin counts in it.
        (((item.centre(self.axis) - self.start) * self.per_unit) as usize).min(self.last)
    }
}

/// The cheapest plane: its cost, its position, and the bounds of both sides.
struct Plane {
    cost: f32,
    grid: Grid,
    bin: usize,
    sides: [Bounds; 2],
}

pub(super) fn cut(items: &mut [Item], bounds: &Bounds) -> Cut {
    let count = items.len().min(BINS);
    let (mut lo, mut hi) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for item in items.iter() {
        for k in 0..3 {
            let c = item.centre(k);
            lo[k] = if c < lo[k] { c } else { lo[k] };
            hi[k] = if c > hi[k] { c } else { hi[k] };
        }
    }
    let mut best: Option<Plane> = None;
    for axis in 0..3 {
        let per_unit = count as f32 / (hi[axis] - lo[axis]);
        let grid = Grid { axis, start: lo[axis], per_unit, last: count - 1 };
        // All centres (nearly) at one point: this axis separates nothing.
        if !grid.per_unit.is_finite() {
            continue;
        }
        let mut bins = [EMPTY; BINS];
        for item in items.iter() {
            let bin = &mut bins[grid.bin(item)];
            *bin = bin.and(&Bin { bounds: item.bounds, count: 1 });
        }
        // right[i]: the sum of the bins from i on.
        let mut right = [EMPTY; BINS];
        let mut sum = EMPTY;
        for i in (1..count).rev() {
            sum = sum.and(&bins[i]);
            right[i] = sum;
        }
        let mut left = EMPTY;
        for i in 1..count {
            left = left.and(&bins[i - 1]);
            if left.count == 0 || right[i].count == 0 {
                continue;
            }
            let cost = left.cost() + right[i].cost();
            if best.as_ref().is_none_or(|plane| cost < plane.cost) {
                best = Some(Plane { cost, grid, bin: i, sides: [left.bounds, right[i].bounds] });
            }
        }
    }
    match best {
        Some(Plane { grid, bin, sides, .. }) => {
            Cut { at: partition(items, |item| grid.bin(item) < bin), sides }
        }
        None => Cut::at(halve(items, bounds.longest_axis()), items),
    }
}
