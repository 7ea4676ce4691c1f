//! Boxes in f32, rounded outwards.

/// A closed box; `lo > hi` where it is empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least coordinates.
    pub lo: [f32; 3],
    /// The greatest.
    pub hi: [f32; 3],
}

impl Bounds {
    /// The box that holds nothing.
    pub const EMPTY: Self = Self { lo: [f32::INFINITY; 3], hi: [f32::NEG_INFINITY; 3] };

    /// The smallest f32 box that holds a box in f64.
    #[inline]
    pub fn outward(lo: &[f64; 3], hi: &[f64; 3]) -> Self {
        Self { lo: lo.map(round_down), hi: hi.map(round_up) }
    }
    /// The smallest box that holds both.
    #[inline(always)]
    pub fn and(&self, o: &Self) -> Self {
        // Compares rather than `f32::min`: no NaN comes here, and these are one instruction each.
        Self {
            lo: std::array::from_fn(|k| if o.lo[k] < self.lo[k] { o.lo[k] } else { self.lo[k] }),
            hi: std::array::from_fn(|k| if o.hi[k] > self.hi[k] { o.hi[k] } else { self.hi[k] }),
        }
    }
    /// True if the box from `lo` to `hi` lies inside.
    #[inline]
    pub fn holds(&self, lo: &[f64; 3], hi: &[f64; 3]) -> bool {
        (0..3).all(|k| f64::from(self.lo[k]) <= lo[k] && hi[k] <= f64::from(self.hi[k]))
    }
    /// The length along an axis.
    #[inline(always)]
    pub fn side(&self, axis: usize) -> f32 {
        self.hi[axis] - self.lo[axis]
    }
    /// The axis along which the box is longest, the first of equals.
    #[inline]
    pub fn longest_axis(&self) -> usize {
        (1..3).fold(0, |best, k| if self.side(k) > self.side(best) { k } else { best })
    }
    /// Half the surface, for the surface area heuristic; 0 if empty.
    #[inline(always)]
    pub fn half_area(&self) -> f32 {
        let [x, y, z] = [self.side(0), self.side(1), self.side(2)];
        if x < 0.0 { 0.0 } else { x * y + y * z + z * x }
    }
}

/// The largest f32 not above `x`.
#[inline]
pub fn round_down(x: f64) -> f32 {
    let y = x as f32;
    if f64::from(y) > x { y.next_down() } else { y }
}

/// The smallest f32 not below `x`.
#[inline]
pub fn round_up(x: f64) -> f32 {
    let y = x as f32;
    if f64::from(y) < x { y.next_up() } else { y }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_outwards_and_no_further() {
        for x in [0.1, -0.1, 1.0, 1e-46, -1e-46, 3e38, 1e39, -1e39, 16777217.0, 0.0] {
            let (d, u) = (round_down(x), round_up(x));
            assert!(f64::from(d) <= x && x <= f64::from(u), "{x}");
            assert!(d == u || d.next_up() == u, "{x}: {d} {u}");
        }
    }
}
