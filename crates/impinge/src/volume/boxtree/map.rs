//! How far the image of a box reaches.
use super::Reach;
use crate::{bounds::round_up, motion::Motion};

/// From one chart to the other, for boxes.
pub(super) struct Map {
    pub(super) rows: [Row; 6],
    /// By the direction of a cut: the directions in which the image shrinks, one an axis, with their rows.
    pub(super) changed: [[(usize, Row); 3]; 6],
}

/// How far an image reaches in one direction: the base and, for each axis, the weight times the picked reach.
#[derive(Clone, Copy)]
pub(super) struct Row {
    weights: [f64; 3],
    picks: [usize; 3],
    base: f64,
}

impl Row {
    #[inline(always)]
    pub(super) fn reach(&self, own: &Reach<f64>) -> f64 {
        let Self { weights, picks, base } = self;
        base + weights[0] * own[picks[0]] + weights[1] * own[picks[1]] + weights[2] * own[picks[2]]
    }
}

impl Map {
    pub(super) fn new(motion: &Motion) -> Self {
        let pad = motion.pad();
        let rows = std::array::from_fn(|d| {
            let (i, along) = (d % 3, d >= 3);
            let offset = if along { motion.offset[i] } else { -motion.offset[i] };
            Row {
                weights: motion.linear[i].map(f64::abs),
                picks: std::array::from_fn(|k| if (motion.linear[i][k] > 0.0) == along { k + 3 } else { k }),
                base: offset + pad[i],
            }
        });
        let rows: [Row; 6] = rows;
        let changed = std::array::from_fn(|c| {
            std::array::from_fn(|i| {
                let d = if rows[i].picks[c % 3] == c { i } else { i + 3 };
                (d, rows[d])
            })
        });
        Self { rows, changed }
    }
}

/// |m_ik| x, rounded up, for x = -1, -1 + 1/128, .. 1 and one larger than all of a chart: [k][x][i]. Small enough to lie in
/// a frame: a query does not allocate.
pub(super) struct Table([[[f32; 3]; Table::SIZE]; 3]);

impl Table {
    const SIZE: usize = 258;
    /// A chart reaches 4, and by its rounding to f32 a little more.
    const BEYOND: f64 = 5.0;

    pub(super) fn new(motion: &Motion) -> Self {
        let mut table = Self([[[0.0; 3]; Self::SIZE]; 3]);
        for (k, products) in table.0.iter_mut().enumerate() {
            for (q, product) in products.iter_mut().enumerate() {
                let x = if q + 1 == Self::SIZE { Self::BEYOND } else { q as f64 / 128.0 - 1.0 };
                *product = std::array::from_fn(|i| round_up(motion.linear[i][k].abs() * x));
            }
        }
        table
    }
    /// For a number that is not less than `x`, if that is at most [`Table::BEYOND`].
    #[inline(always)]
    pub(super) fn product(&self, i: usize, k: usize, x: f64) -> f64 {
        // A negative number becomes entry 0.
        let q = ((x + 1.0) * 128.0).ceil() as usize;
        f64::from(self.0[k][q.min(Self::SIZE - 1)][i])
    }
    #[inline(always)]
    pub(super) fn reach(&self, row: &Row, direction: usize, own: &Reach<f64>) -> f64 {
        let term = |k: usize| self.product(direction % 3, k, own[row.picks[k]]);
        row.base + term(0) + term(1) + term(2)
    }
}
