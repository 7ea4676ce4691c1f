//! [`ShapeMeasures`]: measures of a mesh that no rigid motion changes.
use impinge::Mesh;

/// Largest relative difference of two lengths of one shape, which may be written with other last digits.
const SAME: f64 = 1e-6;
/// Largest relative difference of two lengths of shapes with different triangulations.
const ALIKE: f64 = 1e-3;

/// Measures of a mesh that no rigid motion changes, rounded to ten digits.
///
/// They are compared with a tolerance, so an export with other last digits has the same shape. The index
/// lists distinguish a mesh from its mirror image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeMeasures {
    /// Number of points.
    pub points: u32,
    /// Number of triangles.
    pub triangles: u32,
    /// Hash of the index lists.
    pub hash: u64,
    /// Area of all triangles.
    pub area: f64,
    /// Signed volume below all triangles, from their centroid. It is the volume of a closed mesh.
    pub volume: f64,
    /// Invariants of the covariance of the surface: trace, sum of the principal minors, determinant. Their
    /// units are the second, fourth and sixth power of a length.
    pub spread: [f64; 3],
}

impl ShapeMeasures {
    /// Measures a mesh with this centroid. Cost: linear in its size.
    pub(super) fn of(mesh: &Mesh, centroid: [f64; 3]) -> Self {
        let [mut area, mut volume] = [0.0; 2];
        let mut moments = [[0.0; 3]; 3];
        for i in 0..mesh.len() as u32 {
            let corners = mesh.corners(i).map(|v| sub(v, centroid));
            let twice = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]));
            let piece = dot(twice, twice).sqrt() / 2.0;
            area += piece;
            volume += dot(twice, corners[0]) / 6.0;
            add_moments(&mut moments, &corners, piece);
        }
        if area > 0.0 {
            moments = moments.map(|row| row.map(|m| m / area));
        } else {
            // Segments and points have no area, so their points count.
            moments = [[0.0; 3]; 3];
            for point in mesh.points() {
                let v = sub(*point, centroid);
                add_moments(&mut moments, &[v; 3], 1.0 / mesh.points().len() as f64);
            }
        }
        let mut hash = 0x1234_5678_9abc_def0;
        for index in mesh.triangles().iter().flatten() {
            hash = mixed(hash ^ u64::from(*index));
        }
        Self {
            points: mesh.points().len() as u32,
            triangles: mesh.len() as u32,
            hash,
            area: rounded(area),
            volume: rounded(volume),
            spread: invariants(&moments).map(rounded),
        }
    }
    /// Root mean square distance of the surface from its centroid.
    pub fn radius(&self) -> f64 {
        self.spread[0].max(0.0).sqrt()
    }
    /// True if both are measures of one mesh, up to a rigid motion and last digits.
    pub fn is_same(&self, other: &Self) -> bool {
        self.indices() == other.indices() && self.is_within(other, SAME)
    }
    /// True if both may be measures of one surface with different triangles.
    pub fn is_alike(&self, other: &Self) -> bool {
        self.is_within(other, ALIKE)
    }
    /// The values that are compared exactly.
    pub(super) fn indices(&self) -> (u32, u32, u64) {
        (self.points, self.triangles, self.hash)
    }
    /// The values that are compared with a tolerance.
    pub(super) fn values(&self) -> [ScaledMeasure; 5] {
        let [trace, minors, determinant] = self.spread;
        [
            ScaledMeasure { value: self.area, scale: self.area, power: 2.0 },
            ScaledMeasure { value: trace, scale: trace, power: 2.0 },
            ScaledMeasure { value: self.volume, scale: self.area * self.area.sqrt(), power: 3.0 },
            ScaledMeasure { value: minors, scale: trace * trace, power: 4.0 },
            ScaledMeasure { value: determinant, scale: trace * trace * trace, power: 6.0 },
        ]
    }
    fn is_within(&self, other: &Self, tolerance: f64) -> bool {
        let mut pairs = self.values().into_iter().zip(other.values());
        pairs.all(|(a, b)| a.is_within(&b, tolerance))
    }
}

/// A measure of a shape, with its scale and the power of a length that its unit is.
#[derive(Clone, Copy)]
pub(super) struct ScaledMeasure {
    pub(super) value: f64,
    scale: f64,
    power: f64,
}

impl ScaledMeasure {
    /// True if two values are equal up to the tolerance of one shape.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.is_within(other, SAME)
    }
    fn is_within(&self, other: &Self, tolerance: f64) -> bool {
        (self.value - other.value).abs() <= tolerance * self.power * self.scale.max(other.scale)
    }
}

/// Adds the integral of x x^T over a triangle of this area.
fn add_moments(moments: &mut [[f64; 3]; 3], corners: &[[f64; 3]; 3], area: f64) {
    let sum = [0, 1, 2].map(|k| corners[0][k] + corners[1][k] + corners[2][k]);
    for (i, row) in moments.iter_mut().enumerate() {
        for (j, m) in row.iter_mut().enumerate() {
            let squares: f64 = corners.iter().map(|v| v[i] * v[j]).sum();
            *m += area / 12.0 * (squares + sum[i] * sum[j]);
        }
    }
}

/// Trace, sum of the principal minors and determinant of a symmetric matrix.
fn invariants(m: &[[f64; 3]; 3]) -> [f64; 3] {
    let minor = |i: usize, j: usize| m[i][i] * m[j][j] - m[i][j] * m[j][i];
    let determinant = dot(m[0], cross(m[1], m[2]));
    [m[0][0] + m[1][1] + m[2][2], minor(0, 1) + minor(0, 2) + minor(1, 2), determinant]
}

/// Rounds to ten significant digits. Numbers that are not finite become zero, since files cannot store them.
fn rounded(x: f64) -> f64 {
    let text = format!("{x:.9e}");
    let rounded = text.parse::<f64>().ok().filter(|x| x.is_finite());
    // `+ 0.0` removes a negative zero, which has another text.
    rounded.unwrap_or_default() + 0.0
}

/// The output function of SplitMix64.
pub(super) fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] - b[k])
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
