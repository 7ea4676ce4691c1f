//! The triangles of a body that reach up to the plane between two bodies, and the corners, edges and faces
//! with which they do so.
use super::points::{HullPoints, MOST_POINTS};
use crate::{
    Mesh,
    vector::{Vector, dot},
};

/// The most near corners. There is a bit for each.
const MOST_CORNERS: usize = 32;
/// The most triangles.
const MOST_TRIANGLES: usize = 128;
/// The most features.
pub(super) const MOST_FEATURES: usize = 64;

/// A point across the direction.
type FlatPoint = [f64; 2];

/// The features of one body.
#[derive(Debug)]
pub(super) struct Features {
    /// For each point one more than its number among the near ones, or 0.
    number: [u8; MOST_POINTS],
    near: Vec<u8>,
    pub(super) all: Vec<HullFeature>,
    pub(super) triangles: Vec<NearTriangle>,
}

impl Default for Features {
    fn default() -> Self {
        Self { number: [0; MOST_POINTS], near: Vec::new(), all: Vec::new(), triangles: Vec::new() }
    }
}

/// The near corners of some triangles.
#[derive(Debug)]
pub(super) struct HullFeature {
    corners: u32,
    /// Their projections. Missing ones repeat others.
    at: [FlatPoint; 3],
    /// How many triangles have these near corners.
    pub(super) triangles: usize,
}

/// A triangle that may be near enough.
#[derive(Debug)]
pub(super) struct NearTriangle {
    pub(super) triangle: u32,
    pub(super) feature: u8,
}

/// Limits of depths.
#[derive(Clone, Copy)]
pub(super) struct Depths {
    /// The depth to which triangles may be near enough.
    pub(super) slack: f64,
    /// The points that may be deeper are not near.
    pub(super) near: [u64; MOST_POINTS / 64],
}

impl Features {
    /// Finds the features. False if there are too many.
    pub(super) fn find(
        &mut self,
        mesh: &Mesh,
        points: &HullPoints,
        depths: &Depths,
        axes: &[Vector; 2],
        shift: Vector,
    ) -> bool {
        let Self { number, near, all, triangles } = self;
        near.iter().for_each(|&i| number[usize::from(i)] = 0);
        near.clear();
        all.clear();
        triangles.clear();
        for (first, mut bits) in (0..).step_by(64).zip(depths.near) {
            while bits != 0 {
                if near.len() == MOST_CORNERS {
                    return false;
                }
                let i = first + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                near.push(i as u8);
                number[i % MOST_POINTS] = near.len() as u8;
            }
        }
        for (t, &[a, b, c]) in mesh.triangles().iter().enumerate() {
            // There are no more points than a byte has values.
            let numbers = [number[a as u8 as usize], number[b as u8 as usize], number[c as u8 as usize]];
            if numbers[0] | numbers[1] | numbers[2] == 0 {
                continue;
            }
            if [a, b, c].iter().all(|&i| points.depth[i as u8 as usize] > depths.slack) {
                continue;
            }
            if triangles.len() == MOST_TRIANGLES {
                return false;
            }
            let corners = (numbers.iter().fold(0_u64, |bits, &number| bits | 1 << number) >> 1) as u32;
            let feature = match all.iter().position(|feature| feature.corners == corners) {
                Some(feature) => feature,
                None if all.len() == MOST_FEATURES => return false,
                None => {
                    let flat = |number: u8| {
                        let place = points.placed(u32::from(near[usize::from(number) - 1]), shift);
                        axes.map(|axis| dot(axis, place))
                    };
                    let first = numbers.iter().copied().find(|number| *number != 0).unwrap_or(1);
                    let at = numbers.map(|number| flat(if number == 0 { first } else { number }));
                    all.push(HullFeature { corners, at, triangles: 0 });
                    all.len() - 1
                }
            };
            all[feature].triangles += 1;
            triangles.push(NearTriangle { triangle: t as u32, feature: feature as u8 });
        }
        true
    }
}

/// True if the hulls of two features are certainly more than `room` apart.
pub(super) fn across_apart(f: &HullFeature, g: &HullFeature, room: f64) -> bool {
    let is_along = |n: FlatPoint, size: f64| {
        let [of_f, of_g] = [f, g].map(|feature| {
            let [x, y, z] = feature.at.map(|p| n[0] * p[0] + n[1] * p[1]);
            [x.min(y).min(z), x.max(y).max(z)]
        });
        (of_g[0] - of_f[1]).max(of_f[0] - of_g[1]) > room * size
    };
    if is_along([1.0, 0.0], 1.0) || is_along([0.0, 1.0], 1.0) {
        return true;
    }
    let [x, y] = [f, g].map(|feature| &feature.at);
    [[x[0], x[1]], [x[1], x[2]], [x[2], x[0]], [y[0], y[1]], [y[1], y[2]], [y[2], y[0]]].iter().any(
        |[p, q]| {
            let n = [p[1] - q[1], q[0] - p[0]];
            let size = n[0].abs() + n[1].abs();
            size > 0.0 && is_along(n, size)
        },
    )
}
