//! Coordinates of both bodies near the origin, scaled by a power of two, and the bound of their roundings.
//!
//! # The pad
//! u = 2^-53, and X bounds all placed coordinates. A body's coordinates are R v + t, with R and t scaled, and
//! t less an origin. Results are off by:
//!
//! 1. 5 u S for a coordinate of a placed corner (6 are taken), where S = |R| V + |t|, and V are the sizes of
//!    the body's coordinates. Where R is the identity, by u X alone.
//! 2. u |t| more for that coordinate, if the difference from the origin is rounded.
//! 3. 5 u X for a coordinate of a point p + s (q - p) where a cell is divided, s being exact, besides what p
//!    and q are off by. Cells are divided [`DEEPEST`] times at most: a corner is off by 5 u X DEEPEST more,
//!    555 u X in length.
//! 4. 16 u X for a coordinate of the foot on a face to which a distance is measured, 28 u X in length: so
//!    near is a point of the placed triangle, whatever region the foot was taken for.
//! 5. 8 u of 3.5 X for the distance itself.
//!
//! The errors 3 to 5 are 611 u X. Let P be 700 u X plus sqrt 3 times what coordinates of corners of both
//! bodies are off by (1 and 2). P is no less than all of that together.
//!
//! The two triangles of a facet are flat but for d:
//!
//! 1. The height of their fourth corner is computed to be no more than [`FarthestFrame::flat`] = P / 8. It
//!    rounds by less than 128 u X < P / 5: the normal by 21 u of itself, as the angle's sine is 1/4 at least,
//!    and the product with 3.5 X four times. So d is less than P / 3.
//! 2. A point of the triangles' convex hull is within 2 d of them, which is 2/3 P: the outline is convex but
//!    for 28 u X.
//! 3. A bound by a facet of B is off by 2/3 P, a part of a facet of A by 2/3 P more: with P itself 7/3 P.
//!
//! [`FarthestFrame::pad`] is 3 P.
use crate::{
    Body, Pose,
    posed::twice::two_sum,
    vector::{UNIT, Vector, largest},
};

/// The most divisions from a facet to a cell.
pub(super) const DEEPEST: u8 = 64;
/// The finest accuracy, relative to the size: 2^-36.
const FLOOR: f64 = 1.0 / (1_u64 << 36) as f64;
/// Sizes within which products of four lengths do not overflow.
const SIZES: [f64; 2] = [1e-60, 1e60];

/// The coordinates in which a search works.
pub(super) struct FarthestFrame {
    /// The bodies' poses in the frame.
    pub(super) poses: [Pose; 2],
    /// Boxes around the placed bodies.
    pub(super) boxes: [[Vector; 2]; 2],
    /// See the module's head.
    pub(super) pad: f64,
    pub(super) flat: f64,
    /// Differences of distances up to this do not matter.
    pub(super) floor: f64,
    scale: f64,
    /// The frame's origin in the scaled world.
    origin: Vector,
}

impl FarthestFrame {
    /// The frame of two bodies with triangles; `None` if f64 has none.
    pub(super) fn new(bodies: [&Body<'_>; 2]) -> Option<Self> {
        let scale = scale_of(bodies)?;
        let of_b = at_scale(bodies[1], scale)?;
        let [lo, hi] = bodies[1].model.extent();
        let middle = [0, 1, 2].map(|k| 0.5 * lo[k] + 0.5 * hi[k]);
        let origin = placed(&of_b, middle);
        let mut poses = [at_scale(bodies[0], scale)?, of_b];
        let (mut boxes, mut off) = ([[[0.0; 3]; 2]; 2], 0.0);
        for (body, (pose, extent)) in bodies.iter().zip(poses.iter_mut().zip(&mut boxes)) {
            let is_plain = body.pose.rows() == Pose::IDENTITY.rows();
            let (mut t, mut lost) = ([0.0; 3], [0.0; 3]);
            for k in 0..3 {
                let (sum, error) = two_sum(pose.translation()[k], -origin[k]);
                (t[k], lost[k]) = (sum, if error == 0.0 { 0.0 } else { UNIT * sum.abs() });
            }
            *pose = Pose::affine(*pose.rows(), t).ok()?;
            let of_body = body.model.extent();
            let mut most = 0.0_f64;
            for k in 0..3 {
                let (row, mut ends, mut sum) = (pose.rows()[k], [t[k]; 2], t[k].abs());
                for (r, (lo, hi)) in row.iter().zip(of_body[0].iter().zip(&of_body[1])) {
                    let (a, b) = (r * lo, r * hi);
                    ends = [ends[0] + a.min(b), ends[1] + a.max(b)];
                    sum += a.abs().max(b.abs());
                }
                let own = ends[0].abs().max(ends[1].abs());
                // Ends of boxes round as placed corners do.
                let error = if is_plain { 2.0 * UNIT * own } else { 6.0 * UNIT * sum };
                let error = error + lost[k] + f64::MIN_POSITIVE;
                (extent[0][k], extent[1][k]) = (ends[0] - 2.0 * error, ends[1] + 2.0 * error);
                most = largest([most, error]);
            }
            off += most;
        }
        let size = largest(boxes.as_flattened().as_flattened().iter().map(|x| x.abs()));
        let flat = (700.0 * UNIT * size + 1.75 * off) * (1.0 + 8.0 * UNIT) / 8.0 + f64::MIN_POSITIVE;
        let pad = 24.0 * flat;
        let floor = (FLOOR * size).max(16.0 * pad);
        (floor < SIZES[1]).then_some(Self { poses, boxes, pad, flat, floor, scale, origin })
    }
    /// A placed corner of a body.
    pub(super) fn place(&self, body: usize, v: Vector) -> Vector {
        placed(&self.poses[body], v)
    }
    /// A point in the world, rounded.
    pub(super) fn in_world(&self, p: Vector) -> Vector {
        [0, 1, 2].map(|k| (p[k] + self.origin[k]) / self.scale)
    }
    /// A length of the world in this frame. Infinite if it overflows.
    pub(super) fn length_of_world(&self, length: f64) -> f64 {
        length * self.scale
    }
    /// Bounds of a length in the world.
    pub(super) fn lengths_in_world(&self, [lo, hi]: [f64; 2]) -> [f64; 2] {
        let [lo, hi] = [lo / self.scale, hi / self.scale];
        // A quotient by a power of two is exact, unless it is subnormal or overflows.
        let down = if lo > f64::MIN_POSITIVE { lo.min(f64::MAX) } else { lo.next_down().max(0.0) };
        [down, if hi > f64::MIN_POSITIVE || hi == 0.0 { hi } else { hi.next_up() }]
    }
}

pub(super) fn placed(pose: &Pose, v: Vector) -> Vector {
    let (rows, t) = (pose.rows(), pose.translation());
    [0, 1, 2].map(|k| rows[k][0] * v[0] + rows[k][1] * v[1] + rows[k][2] * v[2] + t[k])
}

/// A body's pose, scaled exactly.
fn at_scale(body: &Body<'_>, scale: f64) -> Option<Pose> {
    if scale == 1.0 {
        return Some(body.pose);
    }
    let rows = body.pose.rows().map(|row| row.map(|x| x * scale));
    let t = body.pose.translation().map(|x| x * scale);
    let is_exact =
        rows.as_flattened().iter().zip(body.pose.rows().as_flattened()).all(|(x, y)| x / scale == *y);
    // A translation loses less than the least normal number, which is added for each coordinate.
    if is_exact { Pose::affine(rows, t).ok() } else { None }
}

/// The power of two by which bodies come to a size near 1, or 1 if they need none.
fn scale_of(bodies: [&Body<'_>; 2]) -> Option<f64> {
    // The second time in numbers that cannot overflow.
    for (down, exponent) in [(1.0, 0), (power_of_two(-520), 1040)] {
        let sizes = bodies.iter().flat_map(|body| {
            let [lo, hi] = body.model.extent();
            (0..3).map(move |k| {
                let row = body.pose.rows()[k];
                let of_row = (0..3).map(|i| (row[i] * down).abs() * (lo[i].abs().max(hi[i].abs()) * down));
                of_row.sum::<f64>() + body.pose.translation()[k].abs() * down * down
            })
        });
        let size = largest(sizes);
        if size < f64::INFINITY {
            if down == 1.0 && (size == 0.0 || (SIZES[0]..SIZES[1]).contains(&size)) {
                return Some(1.0);
            }
            let e = ((size.to_bits() >> 52) as i32 - 1023) + exponent;
            return Some(power_of_two((-e).clamp(-1000, 1000)));
        }
    }
    None
}

/// 2^e, of a normal number.
fn power_of_two(e: i32) -> f64 {
    f64::from_bits(((1023 + e) as u64) << 52)
}
