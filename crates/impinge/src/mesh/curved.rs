//! Meshes of cylinders, cones and ellipsoids that are certainly inside of the true shape, or around it.
//!
//! # Units
//! A radius r is an integer R of 2^52 to 2^53 - 1 times a *unit*, a power of two. Coordinates are integers in
//! units, less than 2^55 in size, and multiples of 4 from 2^53 on. So f64 holds them, and all tests below are
//! exact in integers of at most 384 bits. An ellipsoid has a unit for each axis. This stretches space along
//! the axes, and keeps which points are inside of an ellipsoid and which planes miss it.
//!
//! # Proof
//! Let A and B be ellipsoids (circles, for a polygon) with semi-axes a <= b. The code returns a mesh if:
//!
//! 1. Each corner is in B. Then the solid is in B, as points outside of the corners' hull have the winding
//!    number 0.
//! 2. The plane n . x = d of each face, with n outwards, has d > 0 and d^2 >= sum (n_i a_i)^2. So A is in the
//!    intersection K of the half-spaces n . x <= d. No face meets the interior of K, where the winding number
//!    is thus constant. At the origin each face counts with a positive angle. So the winding number is
//!    positive, and K is in the solid.
//!
//! The true shape with semi-axes r and the chord c have, rounded to integers where it is safe,
//!
//! * inscribed: a = max(r - c, 0) and b = r,
//! * circumscribed: a = r and b = r + c.
//!
//! 3. In the direction of a unit vector u, an ellipsoid extends to |(r_i u_i)|. As |(c u_i)| = c, those of r
//!    and of r + c, or of max(r - c, 0), differ by at most c. Then no point of one convex body is further
//!    than c from the other. The solid is between both, so c bounds its Hausdorff distance from the shape.
//! 4. A cylinder is the product of a disc and an interval, a cone the union of all segments from its tip to a
//!    disc. The mesh is the same of a polygon. So inclusion and distance are those of polygon and disc.
use super::{
    MAX_TRIANGLES, Mesh,
    shapes::{bands, check_size, extruded, halved},
};
use crate::{
    Error, ErrorKind,
    circle::turn,
    exact::{Fixed, Magnitude},
};
use std::f64::consts::PI;

/// The side of a curved surface on which a mesh approximates it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The solid of the mesh is a subset of the true solid. What the mesh meets meets the true solid.
    Inscribed,
    /// The true solid is a subset of the solid of the mesh. What the mesh misses misses the true solid.
    Circumscribed,
}

/// Least chord of a polygon, as a part of the radius: 2^-44. From 256 units on rounding leaves room.
const LEAST_OF_CIRCLE: f64 = f64::from_bits((1023 - 44) << 52);
/// Least chord of an ellipsoid, as a part of the largest semi-axis: it takes 11,584 segments, of 11,586 that
/// give 2^27 triangles.
const LEAST_OF_ELLIPSOID: f64 = 7.4e-8;
/// Radii from 2^-900 to 2^900.
const RADII: [f64; 2] = [f64::from_bits((1023 - 900) << 52), f64::from_bits((1023 + 900) << 52)];

impl Mesh {
    /// A cylinder around the z axis, certainly inside of the true one or around it.
    ///
    /// `height` is the full length, half of it on either side of the origin, as in trimesh and FCL. parry's
    /// cylinder takes half of it, and has the axis y. The ends are flat to the last bit. Each end is a fan
    /// around its middle, over a nearly regular polygon whose number of sides is a multiple of four.
    ///
    /// The true cylinder has exactly this `radius` and `height`. No point of either solid is further than
    /// `chord` from the other, and `side` is the one that contains the other. Both are decided in integers,
    /// for every mesh that is returned. [`Mesh::prism`] takes a number of sides in place of a chord.
    ///
    /// ```
    /// use impinge::{Mesh, Side};
    /// let inner = Mesh::cylinder(0.5, 3., 1e-3, Side::Inscribed)?;
    /// assert_eq!((inner.points().len(), inner.len()), (106, 208));
    /// let [x, y, z] = inner.points()[2];
    /// assert_eq!([x, y, z], [0.5, 0., -1.5]);
    /// let outer = Mesh::cylinder(0.5, 3., 1e-3, Side::Circumscribed)?;
    /// assert!(outer.points()[2..].iter().all(|[x, y, _]| x.hypot(*y) > 0.5));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// A radius that is not from 2^-900 to 2^900, or a height that is not positive and finite, or cannot be
    /// halved exactly: [`ErrorKind::InvalidSize`]. A chord that is not finite, or less than 2^-44 of the
    /// radius, where rounding leaves no room: [`ErrorKind::InvalidChord`].
    pub fn cylinder(radius: f64, height: f64, chord: f64, side: Side) -> Result<Self, Error> {
        check_radius(radius, "the cylinder's radius")?;
        let z = halved(height, "the cylinder's height")?;
        extruded(&disc(radius, chord, side)?, z)
    }

    /// A cone around the z axis, certainly inside of the true one or around it.
    ///
    /// The tip is at `z = height / 2` and the base at `z = -height / 2`, as in FCL. trimesh's cone has its
    /// base at 0. The base is a fan around its middle, over a nearly regular polygon. `chord` and `side` are
    /// as in [`Mesh::cylinder`].
    ///
    /// ```
    /// use impinge::{Mesh, Side};
    /// let mesh = Mesh::cone(0.5, 3., 1e-3, Side::Circumscribed)?;
    /// assert_eq!((mesh.points().len(), mesh.len()), (54, 104));
    /// assert_eq!((mesh.points()[0], mesh.points()[1]), ([0., 0., -1.5], [0., 0., 1.5]));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Mesh::cylinder`].
    pub fn cone(radius: f64, height: f64, chord: f64, side: Side) -> Result<Self, Error> {
        check_radius(radius, "the cone's radius")?;
        let z = halved(height, "the cone's height")?;
        let corners = disc(radius, chord, side)?;
        let mut points = vec![[0.0, 0.0, -z], [0.0, 0.0, z]];
        points.extend(corners.iter().map(|&[x, y]| [x, y, -z]));
        let count = corners.len() as u32;
        let triangles = (0..count).flat_map(|k| {
            let [a, b] = [2 + k, 2 + (k + 1) % count];
            [[0, b, a], [1, a, b]]
        });
        Self::new(points, triangles.collect())
    }

    /// An ellipsoid with these semi-axes along x, y and z, certainly inside of the true one or around it.
    ///
    /// Three equal semi-axes make a sphere. The points are in rings around z, as in [`Mesh::uv_sphere`], with
    /// twice as many segments as bands. `chord` and `side` are as in [`Mesh::cylinder`].
    ///
    /// ```
    /// use impinge::{Mesh, Side};
    /// let mesh = Mesh::ellipsoid([3., 2., 1.], 0.05, Side::Inscribed)?;
    /// assert_eq!((mesh.points().len(), mesh.len()), (366, 728));
    /// assert_eq!(mesh.points()[0], [0., 0., -1.]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// A semi-axis that is not from 2^-900 to 2^900: [`ErrorKind::InvalidSize`]. A chord that is not finite,
    /// or less than 7.4e-8 of the largest semi-axis, which would take more than 2^27 triangles:
    /// [`ErrorKind::InvalidChord`].
    #[doc(alias("ball", "sphere"))]
    pub fn ellipsoid(semi_axes: [f64; 3], chord: f64, side: Side) -> Result<Self, Error> {
        for radius in semi_axes {
            check_radius(radius, "a semi-axis of the ellipsoid")?;
        }
        let largest = semi_axes.into_iter().fold(0.0, f64::max);
        check_chord(chord, LEAST_OF_ELLIPSOID * largest)?;
        let axes = semi_axes.map(|radius| Axis::new(radius, chord, side));
        // The largest axis leaves the least room, in proportion. A part in a million is for rounding.
        let room = axes.iter().map(Axis::room).fold(1.0, f64::min) * (1.0 - 1e-6);
        let mut segments = fours(PI / room.sqrt());
        loop {
            let count = u64::from(segments) * (u64::from(segments) - 2);
            if count > MAX_TRIANGLES as u64 {
                return Err(ErrorKind::InvalidChord { chord, least: LEAST_OF_ELLIPSOID * largest }.into());
            }
            let triangles = bands(segments / 2, segments);
            for &pad in side.pads(&[1e-14, 1e-12, 1e-10]) {
                let points = sphere_points(&axes, segments, pad, side);
                let [a, b] = [axes.each_ref().map(|x| x.inner), axes.each_ref().map(|x| x.outer)];
                let corners = |t: &[u32; 3]| t.map(|i| points[i as usize]);
                if points.iter().all(|p| is_in_ellipsoid(p, &b))
                    && triangles.iter().all(|t| face_clears(&corners(t), &a))
                {
                    let units = axes.each_ref().map(|axis| axis.unit);
                    let scaled = |p: &[i64; 3]| std::array::from_fn(|k| p[k] as f64 * units[k]);
                    return Self::new(points.iter().map(scaled).collect(), triangles);
                }
            }
            segments = fours(f64::from(segments) * 1.05);
        }
    }
}

impl Side {
    /// Lengths to add to circumscribed shapes, the first that suffices counts. Inscribed ones need none.
    fn pads(self, pads: &'static [f64]) -> &'static [f64] {
        match self {
            Self::Inscribed => &[0.0],
            Self::Circumscribed => pads,
        }
    }
}

/// A radius in units, and the semi-axes a and b of the module's head.
struct Axis {
    inner: i64,
    outer: i64,
    unit: f64,
}

impl Axis {
    fn new(radius: f64, chord: f64, side: Side) -> Self {
        let bits = radius.to_bits();
        let unit = f64::from_bits(((bits >> 52) - 52) << 52);
        let radius = (bits & ((1 << 52) - 1) | 1 << 52) as i64;
        // Rounded down. What overflows is above all limits.
        let chord = (chord / unit).min((3 * radius) as f64) as i64;
        match side {
            Side::Inscribed => Self { inner: (radius - chord).max(0), outer: radius, unit },
            Side::Circumscribed => Self { inner: radius, outer: radius + chord, unit },
        }
    }
    /// 1 - a / b.
    fn room(&self) -> f64 {
        (self.outer - self.inner) as f64 / self.outer as f64
    }
}

fn check_radius(radius: f64, what: &'static str) -> Result<(), Error> {
    check_size(radius, what)?;
    if (RADII[0]..=RADII[1]).contains(&radius) {
        return Ok(());
    }
    Err(ErrorKind::InvalidSize { what, size: radius }.into())
}

fn check_chord(chord: f64, least: f64) -> Result<(), Error> {
    if chord >= least && chord < f64::INFINITY {
        return Ok(());
    }
    Err(ErrorKind::InvalidChord { chord, least }.into())
}

/// The least multiple of four that is larger than 3 and at least x.
fn fours(x: f64) -> u32 {
    4 * (0.25 * x).ceil().max(1.0) as u32
}

/// The corners of a polygon in or around a disc, counterclockwise.
fn disc(radius: f64, chord: f64, side: Side) -> Result<Vec<[f64; 2]>, Error> {
    let least = LEAST_OF_CIRCLE * radius;
    check_chord(chord, least)?;
    let axis = Axis::new(radius, chord, side);
    // A regular polygon's sides are at cos(pi / n) >= 1 - (pi / n)^2 / 2 of its corners' distance. 32 of at
    // least 256 units are for rounding.
    let room = axis.room() - 32.0 / axis.outer as f64;
    let mut sides = fours(PI / (2.0 * room).sqrt());
    while sides <= 1 << 24 {
        for &pad in side.pads(&[4.0, 16.0, 64.0]) {
            let corners = polygon(&axis, sides, pad, side);
            let next = corners.iter().cycle().skip(1);
            if corners.iter().all(|p| is_in_circle(p, axis.outer))
                && corners.iter().zip(next).all(|(p, q)| side_clears(p, q, axis.inner))
            {
                return Ok(corners.iter().map(|p| p.map(|x| x as f64 * axis.unit)).collect());
            }
        }
        sides = fours(f64::from(sides) * 1.05);
    }
    Err(ErrorKind::InvalidChord { chord, least }.into())
}

/// A polygon's corners on the circle, rounded inwards. Or its sides, `pad` units outside of the circle.
fn polygon(axis: &Axis, sides: u32, pad: f64, side: Side) -> Vec<[i64; 2]> {
    let corner = |k: u32| match side {
        Side::Inscribed => {
            let radius = axis.outer as f64;
            let corner = turn(i64::from(k), sides).map(|x| (radius * x) as i64);
            inwards(corner, |p| is_in_circle(p, axis.outer))
        }
        Side::Circumscribed => {
            let radius = axis.inner as f64 / turn(1, 2 * sides)[0] + pad;
            turn(2 * i64::from(k) + 1, 2 * sides).map(|x| to_fours(radius * x))
        }
    };
    (0..sides).map(corner).collect()
}

/// The points of an ellipsoid's rings. Circumscribed ones are further out by the part `pad`.
fn sphere_points(axes: &[Axis; 3], segments: u32, pad: f64, side: Side) -> Vec<[i64; 3]> {
    let rings = segments / 2;
    // Each face of a regular sphere is at least this far from the middle, as a part of the radius: a band's
    // chord is at cos(pi / (2 rings)) from the middle of an ellipse that is narrower by cos(pi / segments).
    let least = turn(1, 4 * rings)[0] * turn(1, 2 * segments)[0];
    let outer = axes.each_ref().map(|axis| axis.outer);
    let point = |direction: [f64; 3]| match side {
        Side::Inscribed => {
            let point = std::array::from_fn(|k| (outer[k] as f64 * direction[k]) as i64);
            inwards(point, |p| is_in_ellipsoid(p, &outer))
        }
        Side::Circumscribed => std::array::from_fn(|k| {
            let radius = axes[k].inner as f64 / least * (1.0 + pad);
            to_fours(radius * direction[k])
        }),
    };
    let mut points = vec![point([0.0, 0.0, -1.0])];
    for ring in 1..rings {
        let [c, s] = turn(i64::from(ring), 2 * rings);
        points.extend((0..segments).map(|k| {
            let [x, y] = turn(i64::from(k), segments);
            point([s * x, s * y, -c])
        }));
    }
    points.push(point([0.0, 0.0, 1.0]));
    points
}

/// The nearest multiple of four, which f64 holds below 2^55.
fn to_fours(x: f64) -> i64 {
    4 * (0.25 * x).round() as i64
}

/// Moves a point towards the origin, by units along all axes, until it is inside.
fn inwards<const N: usize>(mut point: [i64; N], is_inside: impl Fn(&[i64; N]) -> bool) -> [i64; N] {
    while !is_inside(&point) {
        point = point.map(|x| x - x.signum());
    }
    point
}

/// True if x^2 + y^2 <= b^2.
fn is_in_circle(p: &[i64; 2], b: i64) -> bool {
    let [x, y, b] = [p[0], p[1], b].map(i128::from);
    x * x + y * y <= b * b
}

/// True if the line through p and q has the disc of radius a around the origin on its left side: p x q > 0,
/// and (p x q)^2 >= a^2 |q - p|^2. Both have at most 226 bits.
fn side_clears(p: &[i64; 2], q: &[i64; 2], a: i64) -> bool {
    let [x, y] = [q[0] - p[0], q[1] - p[1]];
    let cross = sum_of_products([[p[0], q[1]], [-p[1], q[0]]]);
    let square = sum_of_products([[x, x], [y, y]]);
    let left: Fixed<4> = cross.times(&cross);
    let right: Fixed<4> = square.times(&sum_of_products([[a, a], [0, 0]]));
    cross.sign() > 0 && left >= right
}

/// True if (x / b_x)^2 + (y / b_y)^2 + (z / b_z)^2 <= 1. Multiplied by (b_x b_y b_z)^2, it has at most 332
/// bits.
fn is_in_ellipsoid(p: &[i64; 3], b: &[i64; 3]) -> bool {
    let square = |x: i64, y: i64, z: i64| -> Fixed<6> {
        let product: Fixed<3> = sum_of_products([[x, y], [0, 0]]).times(&integer(z));
        product.times(&product)
    };
    let [x, y, z] = [square(p[0], b[1], b[2]), square(b[0], p[1], b[2]), square(b[0], b[1], p[2])];
    x.plus(&y).plus(&z) <= square(b[0], b[1], b[2])
}

/// True if a face's plane n . x = d has the ellipsoid with semi-axes a on its inner side: d > 0, and d^2 >=
/// sum (n_i a_i)^2. n has at most 113 bits, d 170 and the squares 340.
fn face_clears([p, q, r]: &[[i64; 3]; 3], a: &[i64; 3]) -> bool {
    let [u, v]: [[i64; 3]; 2] = [q, r].map(|x| std::array::from_fn(|k| x[k] - p[k]));
    let (mut d, mut sum) = (Fixed::<3>::ZERO, Fixed::<6>::ZERO);
    for k in 0..3 {
        let [i, j] = [(k + 1) % 3, (k + 2) % 3];
        let n = sum_of_products([[u[i], v[j]], [-u[j], v[i]]]);
        d = d.plus(&n.times(&integer(p[k])));
        let reach: Fixed<3> = n.times(&integer(a[k]));
        sum = sum.plus(&reach.times(&reach));
    }
    d.sign() > 0 && d.times::<3, 6>(&d) >= sum
}

fn integer(x: i64) -> Fixed<1> {
    let mut integer = Fixed::ZERO;
    integer.add_product(x, 1, 0);
    integer
}

/// a b + c d.
fn sum_of_products([[a, b], [c, d]]: [[i64; 2]; 2]) -> Fixed<2> {
    let mut sum = Fixed::ZERO;
    sum.add_product(a, b, 0);
    sum.add_product(c, d, 0);
    sum
}
