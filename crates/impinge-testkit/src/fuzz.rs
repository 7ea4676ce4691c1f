//! Checks of the fuzz targets `agreement`, `validity`, `relations`, `distances`, `curves`, `points` and
//! `saved`; the ordinary tests run them on the seed corpora.
mod curves;
mod distances;
mod points;
mod relations;

pub use self::{curves::curves, distances::distances, points::points, relations::relations};
pub use crate::saved::altered as saved;

use crate::{
    meshes, oracle,
    ways::{splits, ways_of},
};
use impinge::{Body, Mesh, Pose, Query, brute_force};
use impinge_volumes::{Kind, Options};

/// Reads a fuzzer's bytes, then zeros.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }
    fn below(&mut self, n: u8) -> u8 {
        self.byte() % n
    }
    /// One of the integers from -3 to 3.
    fn grid(&mut self) -> f64 {
        f64::from(self.below(7)) - 3.0
    }
    /// A number of any bits: mostly numbers near 1, often the limits of f64.
    fn chaos(&mut self) -> f64 {
        match self.below(8) {
            0 => f64::from_bits(u64::from_le_bytes(std::array::from_fn(|_| self.byte()))),
            1 => [0.0, -0.0, f64::MAX, f64::MIN_POSITIVE, 5e-324, 1e-300, 1e300, f64::EPSILON]
                [self.below(8) as usize],
            2 => 1.0 + f64::from(self.byte()) * f64::EPSILON,
            3 => f64::from(self.byte()) * 1e-310,
            _ => self.grid(),
        }
    }
}

fn mesh<'a>(bytes: &mut Bytes<'a>, coordinate: fn(&mut Bytes<'a>) -> f64) -> Option<Mesh> {
    let (points, triangles) = (1 + bytes.below(9), bytes.below(12));
    let points = (0..points).map(|_| std::array::from_fn(|_| coordinate(bytes))).collect::<Vec<_>>();
    let n = points.len() as u8;
    let triangles = (0..triangles).map(|_| std::array::from_fn(|_| u32::from(bytes.below(n)))).collect();
    Mesh::new(points, triangles).ok()
}

/// The mesh without extent on some axes, given by the bits of a byte: flat, on a line, or at one point.
fn flattened(mesh: &Mesh, axes: u8) -> Mesh {
    meshes::mapped(mesh, |v| [0, 1, 2].map(|k| if axes >> k & 1 == 1 { 0.0 } else { v[k] }))
}

/// A pose that keeps grid points exact in f64: a signed permutation, perhaps times a power of two, and a
/// shift.
fn grid_pose(bytes: &mut Bytes<'_>) -> Pose {
    let (turn, signs, stretch) = (bytes.below(6), bytes.byte(), bytes.below(4));
    let columns = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]][turn as usize];
    let rows = std::array::from_fn(|i| {
        let mut row = [0.0; 3];
        let (sign, size) =
            (if signs >> i & 1 == 1 { -1.0 } else { 1.0 }, if stretch == i as u8 { 0.5 } else { 1.0 });
        row[columns[i]] = sign * size;
        row
    });
    let t = std::array::from_fn(|_| bytes.grid() / 2.0);
    Pose::affine(rows, t).unwrap_or(Pose::IDENTITY)
}

/// Grid mode: small integers, for which contacts are exact and frequent. Trees of every kind, brute force and
/// the rational oracle agree on every pair of triangles.
///
/// # Panics
/// Panics if they do not.
/// If they do not.
pub fn agreement(data: &[u8]) {
    let mut bytes = Bytes(data);
    let poses = match bytes.below(3) {
        0 => [Pose::IDENTITY; 2],
        1 => [grid_pose(&mut bytes); 2],
        _ => [grid_pose(&mut bytes), grid_pose(&mut bytes)],
    };
    let (Some(a), Some(b)) = (mesh(&mut bytes, Bytes::grid), mesh(&mut bytes, Bytes::grid)) else { return };
    let [a, b] = [a, b].map(|mesh| flattened(&mesh, bytes.byte()));
    let mut want = Vec::new();
    for i in 0..a.len() as u32 {
        for j in 0..b.len() as u32 {
            if oracle::intersects(&a.corners(i), &poses[0], &b.corners(j), &poses[1]) {
                want.push([i, j]);
            }
        }
    }
    trees_agree(&a, &b, &poses, Some(&want), bytes.byte());
}

/// Chaos mode: any bits. Invalid input gives an error; nothing panics; trees agree with brute force.
///
/// # Panics
/// Panics if one of these fails.
pub fn validity(data: &[u8]) {
    let mut bytes = Bytes(data);
    let mut pose = || {
        let kind = bytes.below(3);
        let rows = std::array::from_fn(|_| std::array::from_fn(|_| bytes.chaos()));
        let t = std::array::from_fn(|_| bytes.chaos());
        match kind {
            0 => Some(Pose::IDENTITY),
            1 => Pose::affine(rows, t).ok(),
            _ => Pose::rigid(*Pose::IDENTITY.rows(), t).ok(),
        }
    };
    let (Some(p), Some(q)) = (pose(), pose()) else { return };
    let (Some(a), Some(b)) = (mesh(&mut bytes, Bytes::chaos), mesh(&mut bytes, Bytes::chaos)) else { return };
    let [a, b] = [a, b].map(|mesh| flattened(&mesh, bytes.byte()));
    trees_agree(&a, &b, &[p, q], None, bytes.byte());
}

/// `axes`: see [`flattened`], for the initial shape of refits.
fn trees_agree(a: &Mesh, b: &Mesh, poses: &[Pose; 2], want: Option<&[[u32; 2]]>, axes: u8) {
    let mut reference: Option<Vec<[u32; 2]>> = want.map(<[_]>::to_vec);
    for &kind in Kind::ALL {
        for (n, (&split, leaf_size)) in splits(kind).iter().zip([1, 3, 2].into_iter().cycle()).enumerate() {
            let options = Options::new(kind).split(split).leaf_size(leaf_size);
            let mut models =
                [a, b].map(|mesh| options.build(mesh.clone()).expect("options that the kind has"));
            for model in &models {
                assert_eq!(model.validate(), Ok(()), "{options:?}");
            }
            if n == 0 {
                let moved: Vec<_> = (0..).zip(a.points().iter().copied()).collect();
                let mut model = options.build(flattened(a, axes)).expect("options that the kind has");
                for moved in moved.chunks(3).chain([&moved[..]]) {
                    model.refit_some(moved).expect("all finite, as they were before");
                    assert_eq!(model.validate(), Ok(()), "{options:?}, {moved:?}");
                }
                let (a, b) = (Body::new(&model, poses[0]), Body::new(&models[1], poses[1]));
                let got = Query::new().pairs(&a, &b).to_vec();
                assert_eq!(
                    &got,
                    reference.get_or_insert_with(|| got.clone()),
                    "{options:?}, refitted, {poses:?}"
                );
            }
            let [of_a, of_b] = [0, 1].map(|k| Body::new(&models[k], poses[k]));
            let by_force = brute_force::pairs(&of_a, &of_b);
            assert_eq!(
                &by_force,
                reference.get_or_insert_with(|| by_force.clone()),
                "brute force, {poses:?}"
            );
            for way in ways_of(kind, n / 3 + n) {
                models.iter_mut().for_each(|model| way.apply(model));
                let (mut query, [a, b]) = (way.query(), [0, 1].map(|k| Body::new(&models[k], poses[k])));
                assert_eq!(
                    Some(query.pairs(&a, &b)),
                    reference.as_deref(),
                    "{options:?}, {way:?}, {poses:?}"
                );
                let mut swapped = query.pairs(&b, &a).to_vec();
                swapped.iter_mut().for_each(|pair| pair.reverse());
                swapped.sort_unstable();
                assert_eq!(Some(&swapped), reference.as_ref(), "swapped, {options:?}, {way:?}, {poses:?}");
            }
        }
    }
}
