//! Meshes of simple shapes: closed, with faces outwards and the middle at the origin.
use super::{MAX_TRIANGLES, Mesh, too_many_triangles};
use crate::{Error, ErrorKind, circle::turn};

impl Mesh {
    /// A box with sides of these lengths, parallel to the axes: 8 points and 12 triangles.
    ///
    /// The sides are full lengths, as in trimesh and FCL. Double half lengths, as in parry and Bullet. The
    /// corners are exact: each coordinate is half of a length, with either sign.
    ///
    /// ```
    /// use impinge::{Mesh, Model, solid::Closedness};
    /// let mesh = Mesh::cuboid([2., 4., 6.])?;
    /// assert_eq!((mesh.points()[0], mesh.points()[7]), ([-1., -2., -3.], [1., 2., 3.]));
    /// assert_eq!(Model::new(mesh).solid().status(), Closedness::Closed);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// A length that is not finite and positive, or so small that half of it is no f64 number (the odd
    /// multiples of 2^-1074 below 2^-1021): [`ErrorKind::InvalidSize`].
    #[doc(alias = "box")]
    pub fn cuboid(sides: [f64; 3]) -> Result<Self, Error> {
        let mut half = [0.0; 3];
        for (half, side) in half.iter_mut().zip(sides) {
            *half = halved(side, "a side of the box")?;
        }
        let corner = |i: usize| std::array::from_fn(|k| if i >> k & 1 == 1 { half[k] } else { -half[k] });
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Self::new((0..8).map(corner).collect(), triangles)
    }

    /// A sphere with its poles on the z axis: `rings` bands from pole to pole, each of `segments` around z.
    ///
    /// The points are on the sphere but for rounding, so the mesh is inside of it, and the distance is at
    /// most `radius * (2 - cos(PI / (2 * rings)) - cos(PI / segments))`. There are
    /// `2 + (rings - 1) * segments` points and `2 * (rings - 1) * segments` triangles.
    ///
    /// ```
    /// use impinge::Mesh;
    /// let mesh = Mesh::uv_sphere(2.5, 16, 32)?;
    /// assert_eq!((mesh.points().len(), mesh.len()), (482, 960));
    /// assert_eq!(mesh.points()[0], [0., 0., -2.5]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// A radius that is not finite and positive: [`ErrorKind::InvalidSize`]. Fewer than 2 rings or 3
    /// segments: [`ErrorKind::TooFew`]. More than 2^27 triangles: [`ErrorKind::TooMany`].
    #[doc(alias("ball", "sphere"))]
    pub fn uv_sphere(radius: f64, rings: u32, segments: u32) -> Result<Self, Error> {
        check_size(radius, "the sphere's radius")?;
        at_least(2, rings, "rings of a sphere")?;
        at_least(3, segments, "segments of a sphere")?;
        at_most_triangles(u64::from(rings - 1).saturating_mul(2 * u64::from(segments)))?;
        let mut points = vec![[0.0, 0.0, -radius]];
        for ring in 1..rings {
            let [c, s] = turn(i64::from(ring), 2 * rings);
            points.extend((0..segments).map(|k| {
                let [x, y] = turn(i64::from(k), segments);
                [radius * (s * x), radius * (s * y), radius * -c]
            }));
        }
        points.push([0.0, 0.0, radius]);
        Self::new(points, bands(rings, segments))
    }

    /// A capsule around the z axis: a cylinder with a half sphere on either end.
    ///
    /// `height` is the length between the middles of the half spheres, as in trimesh and FCL; from end to end
    /// it is `height + 2 * radius`. Double half lengths, as in parry and Bullet. Each half sphere has `rings`
    /// bands. The points are on the capsule but for rounding, so the mesh is inside of it, and the distance
    /// is at most `radius * (2 - cos(PI / (4 * rings)) - cos(PI / segments))`. There are
    /// `2 + 2 * rings * segments` points and `4 * rings * segments` triangles.
    ///
    /// ```
    /// use impinge::Mesh;
    /// let mesh = Mesh::capsule(0.5, 3., 4, 24)?;
    /// assert_eq!((mesh.points().len(), mesh.len()), (194, 384));
    /// assert_eq!((mesh.points()[0], mesh.points()[193]), ([0., 0., -2.], [0., 0., 2.]));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// A radius or height that is not finite and positive, or a height that cannot be halved exactly:
    /// [`ErrorKind::InvalidSize`]. No ring or fewer than 3 segments: [`ErrorKind::TooFew`]. More than 2^27
    /// triangles: [`ErrorKind::TooMany`].
    pub fn capsule(radius: f64, height: f64, rings: u32, segments: u32) -> Result<Self, Error> {
        check_size(radius, "the capsule's radius")?;
        let half = halved(height, "the capsule's height")?;
        at_least(1, rings, "rings of a capsule's end")?;
        at_least(3, segments, "segments of a capsule")?;
        at_most_triangles(u64::from(rings).saturating_mul(4 * u64::from(segments)))?;
        let mut points = vec![[0.0, 0.0, -half - radius]];
        // The ring around the middle is there twice, at the ends of the cylinder.
        let lower = (1..=rings).map(|ring| (ring, -half));
        let upper = (rings..2 * rings).map(|ring| (ring, half));
        for (ring, middle) in lower.chain(upper) {
            let [c, s] = turn(i64::from(ring), 4 * rings);
            points.extend((0..segments).map(|k| {
                let [x, y] = turn(i64::from(k), segments);
                [radius * (s * x), radius * (s * y), middle + radius * -c]
            }));
        }
        points.push([0.0, 0.0, half + radius]);
        Self::new(points, bands(2 * rings + 1, segments))
    }

    /// A prism around the z axis over a regular polygon with `sides` sides.
    ///
    /// `height` is the full length, half of it on either side of the origin, as in trimesh and FCL. The ends
    /// are flat to the last bit: their z is half of the height, with either sign. The polygon's corners are
    /// on the circle but for rounding, so the mesh is at most `radius * (1 - cos(PI / sides))` away from the
    /// cylinder. [`Mesh::cylinder`] is certainly inside of it, or around it. There are `2 * sides + 2` points
    /// and `4 * sides` triangles; each end is a fan around its middle.
    ///
    /// ```
    /// use impinge::Mesh;
    /// let mesh = Mesh::prism(0.5, 3., 6)?;
    /// assert_eq!((mesh.points().len(), mesh.len()), (14, 24));
    /// assert_eq!((mesh.points()[0], mesh.points()[1]), ([0., 0., -1.5], [0., 0., 1.5]));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// A radius or height that is not finite and positive, or a height that cannot be halved exactly:
    /// [`ErrorKind::InvalidSize`]. Fewer than 3 sides: [`ErrorKind::TooFew`]. More than 2^27 triangles:
    /// [`ErrorKind::TooMany`].
    pub fn prism(radius: f64, height: f64, sides: u32) -> Result<Self, Error> {
        check_size(radius, "the prism's radius")?;
        let z = halved(height, "the prism's height")?;
        at_least(3, sides, "sides of a prism")?;
        at_most_triangles(4 * u64::from(sides))?;
        let corners: Vec<_> = (0..sides).map(|k| turn(i64::from(k), sides).map(|x| radius * x)).collect();
        extruded(&corners, z)
    }
}

pub(super) fn check_size(size: f64, what: &'static str) -> Result<(), Error> {
    if size > 0.0 && size < f64::INFINITY {
        Ok(())
    } else {
        Err(ErrorKind::InvalidSize { what, size }.into())
    }
}

/// Half of a size, without rounding.
pub(crate) fn halved(size: f64, what: &'static str) -> Result<f64, Error> {
    check_size(size, what)?;
    let half = 0.5 * size;
    if half + half == size { Ok(half) } else { Err(ErrorKind::InvalidSize { what, size }.into()) }
}

fn at_least(least: u32, found: u32, what: &'static str) -> Result<(), Error> {
    if found >= least {
        return Ok(());
    }
    Err(ErrorKind::TooFew { found: found as usize, least: least as usize, what }.into())
}

/// Checks the number of triangles. The limit also keeps the number of points below 2^32.
fn at_most_triangles(count: u64) -> Result<(), Error> {
    if count <= MAX_TRIANGLES as u64 {
        return Ok(());
    }
    Err(too_many_triangles(usize::try_from(count).unwrap_or(usize::MAX)))
}

/// Triangles of `count` bands around z: the first point is one pole, the last one the other, and rings of
/// `segments` points lie between.
pub(super) fn bands(count: u32, segments: u32) -> Vec<[u32; 3]> {
    let at = |ring: u32, k: u32| match ring {
        0 => 0,
        ring if ring == count => 1 + (count - 1) * segments,
        ring => 1 + (ring - 1) * segments + k % segments,
    };
    let mut triangles = Vec::new();
    for ring in 0..count {
        for k in 0..segments {
            let [a, b, c, d] = [at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k)];
            // At a pole two of the four corners are the same.
            triangles.extend([[a, b, c], [a, c, d]].into_iter().filter(|t| t[0] != t[1] && t[1] != t[2]));
        }
    }
    triangles
}

/// A prism over a polygon, with its ends at -z and z: each is a fan around its middle.
pub(super) fn extruded(corners: &[[f64; 2]], z: f64) -> Result<Mesh, Error> {
    let mut points = vec![[0.0, 0.0, -z], [0.0, 0.0, z]];
    points.extend(corners.iter().flat_map(|&[x, y]| [[x, y, -z], [x, y, z]]));
    let count = corners.len() as u32;
    let triangles = (0..count).flat_map(|k| {
        let [a, b] = [2 + 2 * k, 2 + 2 * ((k + 1) % count)];
        [[0, b, a], [a, b, b + 1], [a, b + 1, a + 1], [1, a + 1, b + 1]]
    });
    Mesh::new(points, triangles.collect())
}
