//! Approximate size and place of a model, for display only.
use impinge::{Mesh, Pose};
use impinge_io::Part;
use std::{cmp::Ordering, collections::HashMap};

/// A closed box with its sides along the axes.
#[derive(Clone, Copy, Debug)]
pub struct Hull {
    /// The least coordinates.
    pub low: [f64; 3],
    /// The greatest coordinates.
    pub high: [f64; 3],
}

impl Hull {
    /// The empty hull.
    pub const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    /// The approximate hull of parts: the boxes of their meshes, placed.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a Part>) -> Self {
        let mut known: HashMap<*const Mesh, Self> = HashMap::new();
        let mut all = Self::EMPTY;
        for part in parts {
            let own = known.entry(&raw const *part.mesh).or_insert_with(|| {
                let mut own = Self::EMPTY;
                part.mesh.points().iter().for_each(|&point| own.add(point));
                own
            });
            if own.low[0] <= own.high[0] {
                own.corners().for_each(|corner| all.add(rounded(&part.pose, corner)));
            }
        }
        all
    }

    fn add(&mut self, point: [f64; 3]) {
        for (k, c) in point.into_iter().enumerate() {
            self.low[k] = self.low[k].min(c);
            self.high[k] = self.high[k].max(c);
        }
    }
    fn corners(self) -> impl Iterator<Item = [f64; 3]> {
        (0..8).map(move |i| std::array::from_fn(|k| if i >> k & 1 == 1 { self.high[k] } else { self.low[k] }))
    }
    fn side(&self, k: usize) -> f64 {
        (self.high[k] - self.low[k]).max(0.0)
    }
    /// The longest side; 0 if the hull is empty.
    pub fn size(&self) -> f64 {
        (0..3).map(|k| self.side(k)).fold(0.0, f64::max)
    }
    /// The length of the diagonal.
    pub fn diagonal(&self) -> f64 {
        (0..3).map(|k| self.side(k)).fold(0.0, f64::hypot)
    }
    /// The hull scaled about the origin.
    pub fn scaled(&self, factor: f64) -> Self {
        Self { low: self.low.map(|c| c * factor), high: self.high.map(|c| c * factor) }
    }
}

/// The placed point, rounded; accurate enough for a size.
fn rounded(pose: &Pose, v: [f64; 3]) -> [f64; 3] {
    let (rows, t) = (pose.rows(), pose.translation());
    [0, 1, 2].map(|k| rows[k][0] * v[0] + rows[k][1] * v[1] + rows[k][2] * v[2] + t[k])
}

/// The corners of a placed mesh's exact box, each coordinate rounded once, to the nearest f64; `None` if it
/// has no triangle. An untransformed part keeps the file's coordinates, and an exact 0 is shown as 0.
pub fn rounded_box(mesh: &Mesh, pose: &Pose) -> Option<[[f64; 3]; 2]> {
    let mut used = vec![false; mesh.points().len()];
    mesh.triangles().as_flattened().iter().for_each(|&vertex| used[vertex as usize] = true);
    let points = || mesh.points().iter().zip(&used).filter(|(_, used)| **used).map(|(&point, _)| point);
    points().next()?;
    // `-` turns the greatest coordinate into the least. A zero is made positive by `+ 0.0`.
    let least = |k: usize| least(pose, points(), k, 1.0) + 0.0;
    let most = |k: usize| -self::least(pose, points(), k, -1.0) + 0.0;
    Some([[0, 1, 2].map(least), [0, 1, 2].map(most)])
}

/// The least of `sign` times coordinate `k`, rounded once. Rounding keeps the order.
fn least(pose: &Pose, points: impl Iterator<Item = [f64; 3]> + Clone, k: usize, sign: f64) -> f64 {
    if *pose == Pose::IDENTITY {
        return points.map(|point| sign * point[k]).fold(f64::INFINITY, f64::min);
    }
    let (row, t) = (pose.rows()[k], pose.translation()[k]);
    // Exact rounding is slow, so only candidate points get it. This estimate is off by some 2^-51 of the sum
    // of the sizes.
    let about = |point: [f64; 3]| {
        let products: [f64; 3] = std::array::from_fn(|j| row[j] * point[j]);
        let size = products.iter().map(|x| x.abs()).sum::<f64>() + t.abs();
        (sign * (products.iter().sum::<f64>() + t), 1e-14 * size + f64::MIN_POSITIVE)
    };
    let bound = points.clone().map(about).map(|(c, error)| c + error).fold(f64::INFINITY, f64::min);
    // After an overflow no comparison excludes a point.
    let may_be = |point: &[f64; 3]| {
        let (c, error) = about(*point);
        (c - error).partial_cmp(&bound) != Some(Ordering::Greater)
    };
    points.filter(may_be).map(|point| sign * pose.place(point)[k]).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::rounded_box;
    use impinge::{Mesh, Pose};

    #[test]
    fn a_box_has_the_numbers_of_the_file() {
        let points = vec![[0.0, -0.0, 1.0], [0.1, 0.0, 1.0], [0.0, 0.3, 1.0], [9.0; 3]];
        let mesh = Mesh::new(points, vec![[0, 1, 2]]).unwrap();
        let at_rest = rounded_box(&mesh, &Pose::IDENTITY).unwrap();
        assert_eq!(at_rest, [[0.0, 0.0, 1.0], [0.1, 0.3, 1.0]]);
        assert!(at_rest.as_flattened().iter().all(|c| c.is_sign_positive()));
        // Half a turn about z: zeros stay 0, and are no least subnormal numbers.
        let turn = [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]];
        let turned = rounded_box(&mesh, &Pose::rigid(turn, [0.0; 3]).unwrap()).unwrap();
        assert_eq!(turned, [[-0.1, -0.3, 1.0], [0.0, 0.0, 1.0]]);
        let moved = rounded_box(&mesh, &Pose::rigid(turn, [0.1, 0.3, -1.0]).unwrap()).unwrap();
        assert_eq!(moved, [[0.0; 3], [0.1, 0.3, 0.0]]);
        assert_eq!(rounded_box(&Mesh::default(), &Pose::IDENTITY), None);
    }
}
