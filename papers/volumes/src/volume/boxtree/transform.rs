//! The image of a box in the other tree's normalized frame, by matrix or by tables of products.
use super::reach::{Half, Reach};
use impinge::hierarchy::{Motion, UNIT, round_up};

/// Maps boxes from one normalized frame to the other. It is stored by columns: each lane is a coordinate of
/// the image.
pub(super) struct BoxtreeTransform {
    /// Half of M, as it multiplies twice a centre and twice a width; and the offset.
    columns: [Half; 4],
    /// Half of |M|, and the pad: NaN if numbers are too large for f32, so that nothing is proved.
    abs: [Half; 4],
}

/// A coordinate per lane, and one unused lane.
fn half(f: impl Fn(usize) -> f32) -> Half {
    std::array::from_fn(|i| if i < 3 { f(i) } else { 0.0 })
}

/// Unit roundoff of f32.
const COARSE: f64 = (f32::EPSILON / 2.0) as f64;
/// The largest number for which f32 is used: the sum of some 2^28 of these does not overflow.
const LARGEST: f64 = 1e30;

impl BoxtreeTransform {
    pub(super) fn new(motion: &Motion) -> Self {
        let pads = motion.pad();
        let pad = |i: usize| {
            let row = motion.linear[i].map(f64::abs);
            let size = 9.0 * (row[0] + row[1] + row[2]) + 2.0 * motion.offset[i].abs() + 9.0;
            let pad = (pads[i] + 10.0 * COARSE * size) * (1.0 + 16.0 * UNIT);
            if size < LARGEST && pad < LARGEST { round_up(pad) } else { f32::NAN }
        };
        let column = |k: usize| half(|i| (0.5 * motion.linear[i][k]) as f32);
        let [x, y, z] = [column(0), column(1), column(2)];
        let columns = [x, y, z, half(|i| motion.offset[i] as f32)];
        let abs = [x.map(f32::abs), y.map(f32::abs), z.map(f32::abs), half(pad)];
        Self { columns, abs }
    }
    pub(super) fn pad(&self) -> [f64; 3] {
        std::array::from_fn(|i| f64::from(self.abs[3][i]))
    }
    #[inline(always)]
    pub(super) fn image(&self, own: &Reach) -> Reach {
        let Reach { back, ahead } = own;
        let centre: Half = std::array::from_fn(|k| ahead[k] - back[k]);
        let width: Half = std::array::from_fn(|k| ahead[k] + back[k]);
        let [place, reach] = [times(&self.columns, &centre), times(&self.abs, &width)];
        Reach {
            back: std::array::from_fn(|i| reach[i] - place[i]),
            ahead: std::array::from_fn(|i| reach[i] + place[i]),
        }
    }
}

#[inline(always)]
fn times(m: &[Half; 4], v: &Half) -> Half {
    std::array::from_fn(|i| (m[0][i] * v[0] + m[1][i] * v[1]) + (m[2][i] * v[2] + m[3][i] * v[3]))
}

/// Products |m_ik| x, rounded up, as `[k][x][i]`, for x = -1, -1 + 1/128, .. 1 and one x larger than all
/// coordinates of a normalized frame. The table fits on the call stack: a query does not allocate.
pub(super) struct Table {
    products: [[Half; Table::SIZE]; 3],
    /// Masks by columns: all ones where M is positive.
    positive: [[u32; 4]; 3],
    offset: Half,
    pad: Half,
}

impl Table {
    const SIZE: usize = 259;
    /// Coordinates of a normalized frame are at most 4; rounding to f32 adds a little.
    const BEYOND: f64 = 5.0;

    pub(super) fn new(motion: &Motion) -> Self {
        let mut products = [[[0.0; 4]; Self::SIZE]; 3];
        for (k, products) in products.iter_mut().enumerate() {
            for (q, product) in products.iter_mut().enumerate() {
                let x = if q + 1 == Self::SIZE { Self::BEYOND } else { q as f64 / 128.0 - 1.0 };
                *product = half(|i| round_up(motion.linear[i][k].abs() * x));
            }
        }
        let sign = |i: usize, k: usize| if i < 3 && motion.linear[i][k] > 0.0 { u32::MAX } else { 0 };
        let positive = std::array::from_fn(|k| std::array::from_fn(|i| sign(i, k)));
        let BoxtreeTransform { columns: [.., offset], abs: [.., pad] } = BoxtreeTransform::new(motion);
        Self { products, positive, offset, pad }
    }
    /// |m_ik| times a number greater than `x`, for `x` of at most [`Table::BEYOND`].
    #[inline(always)]
    pub(super) fn product(&self, k: usize, x: f32) -> &Half {
        // A negative number becomes entry 0.
        let q = ((x + 1.0) * 128.0 + 1.0) as usize;
        &self.products[k][q.min(Self::SIZE - 1)]
    }
    /// Not inlined, for the reasons given at `separating_edge`.
    #[inline(never)]
    pub(super) fn image(&self, own: Reach) -> Reach {
        let Self { positive, offset, pad, .. } = self;
        let mut back: Half = std::array::from_fn(|i| pad[i] - offset[i]);
        let mut ahead: Half = std::array::from_fn(|i| pad[i] + offset[i]);
        for (k, positive) in positive.iter().enumerate() {
            let (less, more) = (self.product(k, own.back[k]), self.product(k, own.ahead[k]));
            for i in 0..4 {
                let (x, y) = (less[i].to_bits(), more[i].to_bits());
                let other = (x ^ y) & positive[i];
                // Where M is positive, the image's `ahead` comes from the box's `ahead`.
                ahead[i] += f32::from_bits(x ^ other);
                back[i] += f32::from_bits(y ^ other);
            }
        }
        Reach { back, ahead }
    }
}
