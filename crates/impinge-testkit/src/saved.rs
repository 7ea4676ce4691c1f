//! Saved models with wrong bytes but correct checksums, and every query that a model supports.
use crate::{meshes, rng::Rng};
use impinge::{
    Body, BuildOptions, ErrorKind, HalfSpace, Mesh, Model, Pose, Query, SimdLevel, brute_force,
    distance::{Accuracy, Margin},
    penetration::PenetrationParts,
    rays::Ray,
    regions::InRegion,
    solid::FillRule,
};
use twox_hash::XxHash3_64;

/// Bytes of a header; the last eight are a checksum.
pub const HEADER: usize = 384;
/// Offset of the sections' entries: start, length and checksum of each, eight bytes each.
pub const SECTIONS: usize = 40;

/// The number at an offset.
fn number(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8].as_array().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Start and end of each section.
pub fn sections(bytes: &[u8]) -> [[usize; 2]; 5] {
    std::array::from_fn(|i| {
        let [start, length] = [0, 8].map(|k| number(bytes, SECTIONS + 24 * i + k) as usize);
        [start, start.saturating_add(length)]
    })
}

/// Corrects all checksums of the sections that exist.
pub fn seal(bytes: &mut [u8]) {
    if bytes.len() < HEADER {
        return;
    }
    for (i, [start, end]) in sections(bytes).into_iter().enumerate() {
        if let Some(section) = bytes.get(start..end) {
            let checksum = XxHash3_64::oneshot(section);
            bytes[SECTIONS + 24 * i + 16..][..8].copy_from_slice(&checksum.to_le_bytes());
        }
    }
    let checksum = XxHash3_64::oneshot(&bytes[..HEADER - 8]);
    bytes[HEADER - 8..HEADER].copy_from_slice(&checksum.to_le_bytes());
}

/// The model at a random pose, and the other model at the identity.
fn bodies<'a>(model: &'a Model, other: &'a Model, rng: &mut Rng) -> [Body<'a>; 2] {
    let pose = Pose::rigid(rng.rotation(), rng.point(0.7)).unwrap_or(Pose::IDENTITY);
    [Body::new(model, pose), Body::new(other, Pose::IDENTITY)]
}

/// Results of the queries that use a tree, as text. `rng` chooses the model's pose. The other model should be
/// small. Distances are only compared with 0: bounds of their rounding depend on the box that a model was
/// saved with, which may be larger than its mesh's.
pub fn found(model: &Model, other: &Model, level: SimdLevel, rng: &mut Rng) -> Vec<String> {
    let mut query = Query::new().simd(level);
    let [a, b] = bodies(model, other, rng);
    let margin = Margin::new(0.1).expect("a distance");
    let mut all = Vec::new();
    for [a, b] in [[&a, &b], [&b, &a], [&a, &a]] {
        all.push(format!("{:?}", query.pairs(a, b)));
        all.push(format!("{:?}", query.intersects(a, b)));
        all.push(format!("{:?}", query.distance(a, b).map(|gap| gap.hi == 0.0)));
        all.push(format!("{:?}", query.pairs_within(a, b, margin)));
    }
    all.push(format!("{:?}", query.self_pairs(model)));
    let [point, direction] = [rng.point(1.5), rng.point(1.0)];
    all.push(format!("{:?}", query.closest_point(&a, point).map(|near| near.hi == 0.0)));
    if let Ok(ray) = Ray::new(point, direction) {
        all.push(format!("{:?}", query.ray_all(&a, &ray)));
    }
    if let Ok(plane) = HalfSpace::new(direction, 0.1) {
        all.push(format!("{:?}", query.triangles_in(&a, &[plane], InRegion::Partly)));
    }
    all
}

/// Results that are derived from those of trees.
pub fn concluded(model: &Model, other: &Model, level: SimdLevel, rng: &mut Rng) -> Vec<String> {
    let mut query = Query::new().simd(level).fill_rule(FillRule::NonZero);
    let [a, b] = bodies(model, other, rng);
    let mut all = vec![format!("{:?}", query.locate(&a, &[rng.point(1.0), [0.0; 3]]))];
    for [a, b] in [[&a, &b], [&b, &a], [&a, &a]] {
        all.push(format!("{:?}", query.relation(a, b)));
        all.push(format!("{:?}", query.curves(a, b)));
        all.push(format!("{:?}", query.penetration(a, b, &PenetrationParts::default())));
    }
    all.push(format!("{:?} {:?}", model.solid().status(), model.winding_volume()));
    all
}

/// Deforms a model in all ways. Returns its text after each of them.
pub fn deformed(model: &mut Model, rng: &mut Rng) -> Vec<String> {
    let mut all = Vec::new();
    let mesh: Mesh = model.mesh().clone();
    let moved = |rng: &mut Rng| -> Vec<[f64; 3]> {
        let mut one = |v: &[f64; 3]| {
            let d = rng.point(0.05);
            [0, 1, 2].map(|k| v[k] + d[k])
        };
        mesh.points().iter().map(&mut one).collect()
    };
    for round in 0..3 {
        let points = moved(rng);
        let few: Vec<_> = (0..).zip(points.iter().copied()).take(points.len() / 8).collect();
        match round {
            0 => model.refit_some(&few).expect("finite"),
            1 => model.refit(&points).expect("finite"),
            _ => model.rebuild(),
        }
        all.push(format!("{model:?} {:?} {:?}", model.decay(), model.stats()));
    }
    all
}

/// Outcome of bytes with correct checksums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// The bytes were refused.
    Refused,
    /// The bytes are a model, but it is not valid.
    Invalid,
    /// The bytes are a valid model.
    Valid,
}

/// Corrects the checksums of the bytes and reads them as a model. `seed` chooses its queries.
///
/// # Panics
/// Panics if reading or a query does, if a valid model differs from one built for its mesh, or if saving it
/// again gives other bytes.
pub fn check(mut bytes: Vec<u8>, level: SimdLevel, seed: u64) -> Read {
    seal(&mut bytes);
    let mut read = match Model::from_saved(bytes.clone()) {
        Ok(read) => read,
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::InvalidSavedModel { .. }), "{error}");
            return Read::Refused;
        }
    };
    let mut again = Vec::new();
    read.save(&mut again).expect("a vector takes all");
    assert!(again == bytes, "all bytes mean something");
    let other = Model::new(meshes::icosphere(1));
    let ask = |model: &Model| found(model, &other, level, &mut Rng::new(seed));
    let answers = ask(&read);
    let is_valid = read.validate().is_ok();
    if is_valid {
        let built = Model::new(read.shared_mesh().clone());
        assert_eq!(answers, ask(&built), "{seed}");
        let body = Body::new(&read, Pose::IDENTITY);
        let near = [0.3, 0.4, 1.7];
        let found = Query::new().simd(level).closest_point(&body, near);
        assert_eq!(found, brute_force::closest_point(&body, near, Accuracy::new()), "{seed}");
    }
    deformed(&mut read, &mut Rng::new(seed));
    if is_valid { Read::Valid } else { Read::Invalid }
}

/// Runs [`check`] on a small model with bytes that a fuzzer changed, or on the fuzzer's bytes.
///
/// # Panics
/// Panics if [`check`] does.
pub fn altered(data: &[u8]) {
    let Some((&first, data)) = data.split_first() else { return };
    let options = BuildOptions::new().compact(first & 4 != 0).leaf_size(1 + usize::from(first >> 3 & 7));
    let mesh = match first & 3 {
        0 => meshes::icosphere(1),
        1 => meshes::torus(9, 7, 0.3),
        2 => meshes::soup(3, 20, 0.3),
        _ => {
            check(data.to_vec(), SimdLevel::default(), 0);
            return;
        }
    };
    let mut bytes = Vec::new();
    Model::with_options(mesh, &options).save(&mut bytes).expect("a vector takes all");
    for edit in data.chunks_exact(3) {
        let at = usize::from(edit[0]) << 8 | usize::from(edit[1]);
        let at = at % bytes.len();
        bytes[at] ^= edit[2];
    }
    check(bytes, SimdLevel::default(), u64::from(first));
}
