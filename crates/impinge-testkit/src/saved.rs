//! Saved models in which bytes are wrong but checksums are right, and all there is to ask a model.
use crate::rng::Rng;
use impinge::{
    Body, InRegion, Inside, Margin, Mesh, Model, PenetrationParts, Plane, Pose, Query, Ray, SimdLevel, Stop,
};
use twox_hash::XxHash3_64;

/// The bytes of a header, of which the last eight are a checksum.
pub const HEADER: usize = 384;
/// Where the sections' entries begin: start, length and checksum of each, eight bytes each.
pub const SECTIONS: usize = 40;

/// The number at a place.
fn number(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8].as_array().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Where each section lies: its start and end.
pub fn sections(bytes: &[u8]) -> [[usize; 2]; 5] {
    std::array::from_fn(|i| {
        let [start, length] = [0, 8].map(|k| number(bytes, SECTIONS + 24 * i + k) as usize);
        [start, start.saturating_add(length)]
    })
}

/// Makes all checksums right, as far as there are such sections.
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

/// Where a model stands in relation to another one.
fn bodies<'a>(model: &'a Model, other: &'a Model, rng: &mut Rng) -> [Body<'a>; 2] {
    let pose = Pose::rigid(rng.rotation(), rng.point(0.7)).unwrap_or(Pose::IDENTITY);
    [Body::new(model, pose), Body::new(other, Pose::IDENTITY)]
}

/// What a model says, as text, to the questions that a tree answers; `rng` chooses where it stands. The other
/// model should be small.
pub fn found(model: &Model, other: &Model, level: SimdLevel, rng: &mut Rng) -> Vec<String> {
    let mut query = Query::new().simd(level);
    let [a, b] = bodies(model, other, rng);
    let margin = Margin::new(0.1).expect("a distance");
    let mut all = Vec::new();
    for [a, b] in [[&a, &b], [&b, &a], [&a, &a]] {
        all.push(format!("{:?}", query.pairs(a, b)));
        all.push(format!("{:?}", query.intersects(a, b)));
        all.push(format!("{:?}", query.distance(a, b, Stop::new())));
        all.push(format!("{:?}", query.pairs_within(a, b, margin)));
    }
    all.push(format!("{:?}", query.self_pairs(model)));
    let [point, direction] = [rng.point(1.5), rng.point(1.0)];
    all.push(format!("{:?}", query.closest_point(&a, point, Stop::new())));
    if let Ok(ray) = Ray::new(point, direction) {
        all.push(format!("{:?}", query.ray_all(&a, &ray)));
    }
    if let Ok(plane) = Plane::new(direction, 0.1) {
        all.push(format!("{:?}", query.triangles_in(&a, &[plane], InRegion::Partly)));
    }
    all
}

/// The same of what is made of such answers.
pub fn concluded(model: &Model, other: &Model, level: SimdLevel, rng: &mut Rng) -> Vec<String> {
    let mut query = Query::new().simd(level).inside(Inside::NonZero);
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

/// Deforms a model in all ways; what it says in between.
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
