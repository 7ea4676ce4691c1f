//! Seeded random numbers with the same bits on every machine.
//!
//! It uses only `+ - * /` and `sqrt`, which IEEE 754 rounds correctly; no sine, no logarithm.

/// SplitMix64 (Steele, Lea, Flood 2014): small and fast. Any seed is a good seed.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// A generator for `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The generator of case `index` under `seed`. Cases can be made in any order, by any thread.
    pub fn for_case(seed: u64, index: u64) -> Self {
        let mut outer = Self::new(seed);
        let mut inner = Self::new(outer.next_u64() ^ index);
        Self::new(inner.next_u64())
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An integer in `0..n`; its bias, below n / 2^64, does not matter for tests. `n` = 0 gives 0.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// An integer in `lo..=hi`, for `lo <= hi` less than 2^63 apart.
    pub fn int(&mut self, lo: i64, hi: i64) -> i64 {
        lo + self.below((hi - lo + 1) as u64) as i64
    }

    /// True in one case of `n`.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of the items. The slice must not be empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Uniform between `lo` and `hi`.
    pub fn between(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    /// A point with each coordinate uniform in [-half, half).
    pub fn point(&mut self, half: f64) -> [f64; 3] {
        std::array::from_fn(|_| self.between(-half, half))
    }

    /// A point whose coordinates are integers in `-half..=half`.
    pub fn grid_point(&mut self, half: i64) -> [f64; 3] {
        std::array::from_fn(|_| self.int(-half, half) as f64)
    }

    /// A direction, uniform on the unit sphere (Marsaglia 1972).
    pub fn direction(&mut self) -> [f64; 3] {
        let (x, y, s) = self.in_disk();
        let root = 2.0 * (1.0 - s).sqrt();
        [x * root, y * root, 1.0 - 2.0 * s]
    }

    /// Rows of a uniformly distributed rotation, orthonormal to a few 1e-16.
    ///
    /// A uniform unit quaternion, as in Shoemake's "Uniform random rotations", but by Marsaglia's rejection
    /// from two disks, which needs a square root where Shoemake needs sines.
    pub fn rotation(&mut self) -> [[f64; 3]; 3] {
        let (x, y, s) = self.in_disk();
        let (u, v, q) = self.in_disk();
        let root = ((1.0 - s) / q).sqrt();
        let (z, w) = (u * root, v * root);
        // Dividing by the norm once more removes the rounding error of the root.
        let k = 2.0 / (x * x + y * y + z * z + w * w);
        [
            [1.0 - k * (y * y + z * z), k * (x * y - z * w), k * (x * z + y * w)],
            [k * (x * y + z * w), 1.0 - k * (x * x + z * z), k * (y * z - x * w)],
            [k * (x * z - y * w), k * (y * z + x * w), 1.0 - k * (x * x + y * y)],
        ]
    }

    /// Puts the items into random order (Fisher, Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }

    /// A point of the open unit disk without its centre, and its squared distance from there.
    fn in_disk(&mut self) -> (f64, f64, f64) {
        loop {
            let (x, y) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let s = x * x + y * y;
            if s < 1.0 && s > 1e-12 {
                return (x, y, s);
            }
        }
    }
}

/// `x` moved by `ulps` representable numbers, up or down; stops short of infinity.
pub fn nudge(x: f64, ulps: i64) -> f64 {
    let mut x = x;
    for _ in 0..ulps.unsigned_abs() {
        let next = if ulps > 0 { x.next_up() } else { x.next_down() };
        if next.is_finite() {
            x = next;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::{Pose, pose::rigid_defect};

    #[test]
    fn the_stream_is_pinned() {
        // The published first outputs of SplitMix64 for the seed 1234567.
        let mut rng = Rng::new(1_234_567);
        let first: [u64; 3] = std::array::from_fn(|_| rng.next_u64());
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn rotations_are_rigid_and_spread() {
        let mut rng = Rng::new(1);
        let mut mean = [[0.0; 3]; 3];
        for _ in 0..4000 {
            let rows = rng.rotation();
            assert!(rigid_defect(&rows) < 2e-15);
            assert!(Pose::rigid(rows, [0.0; 3]).is_ok());
            for i in 0..3 {
                for j in 0..3 {
                    mean[i][j] += rows[i][j] / 4000.0;
                }
            }
        }
        // Each entry has mean 0 and variance 1/3: 0.05 is more than five standard deviations of the mean.
        assert!(mean.iter().flatten().all(|m| m.abs() < 0.05), "{mean:?}");
    }

    #[test]
    fn nudging_steps_over_zero_and_stops_at_the_end() {
        assert_eq!(nudge(1.0, 1), 1.0 + f64::EPSILON);
        assert_eq!(nudge(0.0, -1), -5e-324);
        assert_eq!(nudge(f64::MAX, 3), f64::MAX);
    }
}
