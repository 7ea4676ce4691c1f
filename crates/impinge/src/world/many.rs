//! The world boxes of one mesh at many poses, from the few corners that can be extreme.
//!
//! Let v and w be two corners, r a row of a pose, and s_j the sign of r_j. If s_j v_j >= s_j w_j for each
//! coordinate j where r_j is not 0, then r . v >= r . w. If one of the former is greater, r . v > r . w. So
//! for each of the 27 triples of signs some corners are never the greatest, or never the first of several
//! greatest ones, whatever the row's numbers. To find them takes comparisons and no arithmetic, so nothing is
//! rounded.
use super::{Face, Reach, WorldBox, is_further};
use crate::{Mesh, Pose, mesh::extent_of, vector::dot};
use std::sync::OnceLock;

/// The world boxes of one mesh at many poses: bit by bit those that [`WorldBox::new`] makes.
///
/// The corners that can be extreme, for each triple of signs of a pose's row, are found when they are first
/// needed, in O(n log n) for n vertices, and kept. A box then takes time in proportion to the number of these
/// corners, which is about a quarter of all for a ball, in each direction. It pays from some twenty poses on.
///
/// ```
/// use impinge::{Mesh, Pose, world::{WorldBox, WorldBoxes}};
/// let mesh = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
/// let boxes = WorldBoxes::new(&mesh);
/// let turned = Pose::from_quaternion([0., 0., 1., 1.], [5., 0., 0.])?;
/// let placed = boxes.at(&turned).unwrap();
/// assert_eq!(placed.lower(), WorldBox::new(&mesh, &turned).unwrap().lower());
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct WorldBoxes {
    /// The mesh's corners, each vertex once, in the order of their first triangles.
    corners: Vec<[f64; 3]>,
    /// For each triple of signs, the corners that may be the first of the greatest, in that order.
    candidates: [OnceLock<Box<[[f64; 3]]>>; 27],
    extent: [[f64; 3]; 2],
    reach: Reach,
}

/// Largest number of others that a corner is compared with, which bounds the work. With it a ball of 3,000
/// vertices keeps a quarter of them in each octant; comparisons with all others would keep a sixth.
const COMPARED: usize = 256;

impl WorldBoxes {
    /// Takes a copy of the mesh's corners.
    pub fn new(mesh: &Mesh) -> Self {
        let mut is_seen = vec![false; mesh.points().len()];
        let mut corners = Vec::new();
        for &corner in mesh.triangles().as_flattened() {
            if !std::mem::replace(&mut is_seen[corner as usize], true) {
                corners.push(mesh.points()[corner as usize]);
            }
        }
        let candidates = [const { OnceLock::new() }; 27];
        Self { corners, candidates, extent: extent_of(mesh), reach: Reach::of(mesh) }
    }

    /// The box of the mesh at a pose; `None` if the mesh has no triangles.
    pub fn at(&self, pose: &Pose) -> Option<WorldBox> {
        if self.corners.is_empty() {
            return None;
        }
        if *pose == Pose::IDENTITY {
            return Some(WorldBox::at_rest(&self.extent));
        }
        let side = |k: usize| {
            let (row, t) = (pose.rows()[k], pose.translation()[k]);
            let error = self.reach.error(&row);
            // The least of r . v is the greatest of -r . v.
            let furthest = |out: [f64; 3]| Face::new(row, t, furthest(self.candidates(&out), &out, error));
            [furthest(row.map(|r| -r)), furthest(row)]
        };
        Some(WorldBox { faces: [side(0), side(1), side(2)] })
    }

    /// The corners that may be the first of the furthest along a row with these signs.
    fn candidates(&self, row: &[f64; 3]) -> &[[f64; 3]] {
        let signs = row.map(|r| i8::from(r > 0.0) - i8::from(r < 0.0));
        let which = signs.iter().fold(0, |which, sign| 3 * which + (sign + 1) as usize);
        self.candidates[which].get_or_init(|| self.find(signs.map(f64::from)))
    }

    fn find(&self, signs: [f64; 3]) -> Box<[[f64; 3]]> {
        // Corners far out come first: most others are behind one of the first few.
        let mut order: Vec<(f64, usize)> = self.corners.iter().map(|v| dot(signs, *v)).zip(0..).collect();
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut kept: Vec<usize> = Vec::new();
        for (_, i) in order {
            let is_behind = |first: &usize| is_behind(&signs, *first, i, &self.corners);
            if !kept.iter().take(COMPARED).any(is_behind) {
                kept.push(i);
            }
        }
        kept.sort_unstable();
        kept.into_iter().map(|i| self.corners[i]).collect()
    }
}

/// True if corner `i` is never the first of the furthest because of corner `first`. Signs are -1, 0 or 1:
/// products with them are exact.
fn is_behind(signs: &[f64; 3], first: usize, i: usize, corners: &[[f64; 3]]) -> bool {
    let (w, v) = (&corners[first], &corners[i]);
    let is = |ahead: fn(f64, f64) -> bool, j: usize| ahead(signs[j] * w[j], signs[j] * v[j]);
    (0..3).all(|j| is(|w, v| w >= v, j)) && (first < i || (0..3).any(|j| is(|w, v| w > v, j)))
}

/// The first of the corners that are furthest along a row, over the real numbers. There is at least one.
fn furthest(corners: &[[f64; 3]], row: &[f64; 3], error: f64) -> [f64; 3] {
    let (mut at, mut most, mut second) = (0, f64::NEG_INFINITY, f64::NEG_INFINITY);
    for (i, v) in corners.iter().enumerate() {
        let near = dot(*row, *v);
        if near > most {
            (at, most, second) = (i, near, most);
        } else if near > second {
            second = near;
        }
    }
    // Where something may overflow, the error is infinite or NaN, and all are compared.
    if second < most - error {
        return corners[at];
    }
    let mut best = None;
    for v in corners {
        // NaN, which has no bound, is not behind.
        let is_behind = dot(*row, *v) < most - error;
        if is_behind {
            continue;
        }
        if best.is_none_or(|best| is_further(row, v, best)) {
            best = Some(v);
        }
    }
    *best.unwrap_or(&corners[at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Coordinate;

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            self.0 ^ self.0 >> 31
        }
        fn one_of(&mut self, from: &[f64]) -> f64 {
            from[(self.next() % from.len() as u64) as usize]
        }
        fn three(&mut self, from: &[f64]) -> [f64; 3] {
            [0; 3].map(|_| self.one_of(from))
        }
    }

    /// The box of the first extreme corners, each corner compared over the real numbers.
    fn slowly(mesh: &Mesh, pose: &Pose) -> WorldBox {
        let points: Vec<[f64; 3]> =
            mesh.triangles().as_flattened().iter().map(|&i| mesh.points()[i as usize]).collect();
        let side = |k: usize| {
            let (row, t) = (pose.rows()[k], pose.translation()[k]);
            let at = |v: [f64; 3]| Coordinate { row, t, v };
            let first = |better: fn(&Coordinate, &Coordinate) -> bool| {
                points.iter().copied().reduce(|best, v| if better(&at(v), &at(best)) { v } else { best })
            };
            [
                first(|v, best| v.compare(best).is_lt()).map(|v| Face::new(row, t, v)).unwrap(),
                first(|v, best| v.compare(best).is_gt()).map(|v| Face::new(row, t, v)).unwrap(),
            ]
        };
        WorldBox { faces: [side(0), side(1), side(2)] }
    }

    #[test]
    fn boxes_are_those_of_all_corners() {
        let (huge, tiny, e) = (f64::MAX, f64::from_bits(1), f64::EPSILON);
        // Corners that are equally far out, nearly so, and so far that something overflows or underflows.
        let coordinates: [&[f64]; 4] = [
            &[-1.0, 0.0, -0.0, 1.0],
            &[1.0, 1.0 + e, 1.0 - e, -1.0, -1.0 + e, 0.1, 0.3, 2.0],
            &[huge, -huge, huge / 2.0, 1e300, 1.0, 0.0],
            &[tiny, -tiny, 3.0 * tiny, 1e-300, -1e-300, 0.0, 1.0],
        ];
        let entries: [&[f64]; 4] = [
            &[-1.0, 0.0, -0.0, 1.0],
            &[0.6, 0.8, -0.6, -0.8, 0.0, 1.0, 1.0 + e],
            &[huge, -huge, 1.0, tiny, 0.5],
            &[tiny, -tiny, 1e-200, 1.0, 1e-10],
        ];
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut compared = 0;
        while compared < 4_000 {
            let [count, from, of] = [0; 3].map(|_| (random.next() % 64) as usize);
            let points: Vec<_> = (0..count / 2 + 3).map(|_| random.three(coordinates[from % 4])).collect();
            // The first points are in no triangle; others are in several.
            let corner = |random: &mut Random| (1 + random.next() % (points.len() as u64 - 1)) as u32;
            let triangles = (0..count + 1).map(|_| [0; 3].map(|_| corner(&mut random))).collect();
            let mesh = Mesh::new(points, triangles).unwrap();
            let boxes = WorldBoxes::new(&mesh);
            for _ in 0..8 {
                let rows = [0; 3].map(|_| random.three(entries[of % 4]));
                let t = random.three(coordinates[of / 4 % 4]);
                // Most rows with zeros are singular.
                let Ok(pose) = Pose::affine(rows, t) else { continue };
                if pose == Pose::IDENTITY {
                    continue;
                }
                let want = format!("{:?}", slowly(&mesh, &pose));
                assert_eq!(format!("{:?}", boxes.at(&pose).unwrap()), want, "{mesh:?}, {pose:?}");
                assert_eq!(format!("{:?}", WorldBox::new(&mesh, &pose).unwrap()), want, "{mesh:?}, {pose:?}");
                compared += 1;
            }
            let rest = [boxes.at(&Pose::IDENTITY), WorldBox::new(&mesh, &Pose::IDENTITY)];
            let [many, one] = rest.map(|at_rest| format!("{:?}", at_rest.unwrap()));
            assert_eq!(many, one);
        }
        assert!(WorldBoxes::new(&Mesh::default()).at(&Pose::IDENTITY).is_none());
    }

    /// Checks a ball of 3,000 vertices: few of them are kept for each direction, and they are the right ones.
    #[test]
    fn few_corners_are_kept() {
        let mut random = Random(7);
        let mut points = Vec::new();
        while points.len() < 3_000 {
            let v = [0; 3].map(|_| (random.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0);
            let length = dot(v, v).sqrt();
            if (0.1..1.0).contains(&length) {
                points.push(v.map(|x| x / length));
            }
        }
        let triangles = (0..1_000).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let mesh = Mesh::new(points, triangles).unwrap();
        let boxes = WorldBoxes::new(&mesh);
        for _ in 0..20 {
            let quaternion = [0; 4].map(|_| random.one_of(&[-0.9, -0.5, -0.2, 0.1, 0.4, 0.7]));
            let pose = Pose::from_quaternion(quaternion, [1e6, -2e6, 3.0]).unwrap();
            assert_eq!(format!("{:?}", boxes.at(&pose)), format!("{:?}", Some(slowly(&mesh, &pose))));
        }
        for kept in boxes.candidates.iter().filter_map(|kept| kept.get()) {
            assert!(kept.len() < mesh.points().len() / 3, "{}", kept.len());
        }
    }
}
