//! The two encodings of a slab cut ball. Both decode without rounding.
use crate::{fit::ball, primitives::NORMALIZATION_ERROR};
use impinge::hierarchy::{Vector, round_down, round_up};
use std::fmt::Debug;

/// Margin that widens a slab on both sides: points within [`NORMALIZATION_ERROR`] on each axis shift n.(x -
/// c) by 14 u, its 4 roundings by 28 u if r is 7, the most. The rest is for `holds`, which gets points as
/// intervals some 20 u wide.
pub(super) const MARGIN: f64 = 16.0 * NORMALIZATION_ERROR;

const _: () = assert!(ball::MARGIN >= 2.0 * MARGIN);

/// A slab relative to a ball's centre, as measured; [`Stored::new`] rounds it outwards.
pub(crate) struct Slab {
    pub(crate) normal: Vector,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// A decoded slab cut ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DecodedScb {
    pub(super) centre: Vector,
    pub(super) radius: f64,
    pub(super) normal: Vector,
    /// f and e.
    pub(super) low: f64,
    pub(super) high: f64,
}

/// An encoding of a slab cut ball.
pub(crate) trait Stored: Copy + Debug + Send + Sync + 'static {
    /// The stored form of a unit vector: near it, and no longer than 1.
    fn normal(unit: Vector) -> Vector;
    /// Encloses the intersection of the ball and the slab. The slab's normal comes from [`Stored::normal`].
    fn new(ball: ([f32; 3], f32), slab: &Slab) -> Self;
    fn cut(&self) -> DecodedScb;
}

/// Encoding in 36 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide {
    centre: [f32; 3],
    radius: f32,
    normal: [f32; 3],
    low: f32,
    high: f32,
}

const _: () = assert!(size_of::<Wide>() == 36);

impl Stored for Wide {
    /// Shortens the vector by 2^-23. Rounding moves it by at most sqrt 3 2^-25, so it stays short.
    fn normal(unit: Vector) -> Vector {
        unit.map(|x| f64::from((x * (1.0 - f64::from(f32::EPSILON))) as f32))
    }
    fn new((centre, radius): ([f32; 3], f32), slab: &Slab) -> Self {
        Self {
            centre,
            radius,
            normal: slab.normal.map(|x| x as f32),
            low: round_down(slab.low),
            high: round_up(slab.high),
        }
    }
    #[inline(always)]
    fn cut(&self) -> DecodedScb {
        DecodedScb {
            centre: self.centre.map(f64::from),
            radius: f64::from(self.radius),
            normal: self.normal.map(f64::from),
            low: f64::from(self.low),
            high: f64::from(self.high),
        }
    }
}

/// Encoding in 26 bytes: the ball in f32, the normal's components as multiples of 2^-15, the slab's planes as
/// multiples of 2^-15 r.
///
/// The floats are stored as bytes, so that the alignment is 2 and no byte is padding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed {
    /// Centre, radius.
    ball: [[u8; 4]; 4],
    normal: [i16; 3],
    /// Low, high.
    planes: [i16; 2],
}

const _: () = assert!(size_of::<Packed>() == 26 && align_of::<Packed>() == 2);

/// 2^-15.
const STEP: f64 = 1.0 / 32768.0;

impl Stored for Packed {
    /// Shortens the vector to 32760 steps; rounding adds less than one. Points at most D from the centre then
    /// have their planes within 0.9999 D + [`MARGIN`], and r >= D + 2 [`MARGIN`]: i16 holds every plane that
    /// can occur.
    fn normal(unit: Vector) -> Vector {
        unit.map(|x| (x * 32760.0).round() * STEP)
    }
    fn new((centre, radius): ([f32; 3], f32), slab: &Slab) -> Self {
        let [x, y, z] = centre;
        let per_step = STEP * f64::from(radius);
        // The quotient, 32768 at most, is off by 2^-37 at most.
        let steps = |plane: f64, outwards: f64| {
            let q = plane / per_step + outwards * 1e-6;
            let q = if outwards < 0.0 { q.floor() } else { q.ceil() };
            debug_assert!(q.abs() <= 32767.0, "{plane} of {radius}");
            q as i16
        };
        Self {
            ball: [x, y, z, radius].map(f32::to_ne_bytes),
            normal: slab.normal.map(|x| (x / STEP) as i16),
            planes: [steps(slab.low, -1.0), steps(slab.high, 1.0)],
        }
    }
    #[inline(always)]
    fn cut(&self) -> DecodedScb {
        let [x, y, z, radius] = self.ball.map(|bytes| f64::from(f32::from_ne_bytes(bytes)));
        let [low, high] = self.planes.map(|q| f64::from(q) * (STEP * radius));
        DecodedScb { centre: [x, y, z], radius, normal: self.normal.map(|q| f64::from(q) * STEP), low, high }
    }
}
