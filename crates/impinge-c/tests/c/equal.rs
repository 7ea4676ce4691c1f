//! Results in C equal those in Rust, bit for bit.
use crate::toolchain::{Language, Link, Workshop, root};
use impinge::{
    Body, Mesh, Model, Pose, Query,
    coverage::{CoverageOptions, ExcessOptions, Proxy},
    distance::{Accuracy, Margin},
    farthest::SolidSide,
    path::Path,
    rays::Ray,
    relation::RelationKind,
    solid::Location,
    sweep::{Moving, SweepOptions},
};
use std::{env, fs};

/// Numbers of a linear congruential generator, from -1 to 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
    fn vector(&mut self, size: f64) -> [f64; 3] {
        [(); 3].map(|()| size * self.next())
    }
    /// A pose at which cubes often meet or touch.
    fn pose(&mut self) -> Pose {
        if self.next() < 0.0 {
            // On a grid, where faces, edges and corners touch.
            let at = self.vector(4.0).map(f64::round);
            return Pose::from_translation(at).unwrap();
        }
        let axis = self.vector(1.0);
        Pose::from_axis_angle(axis, 3.0 * self.next(), self.vector(3.0)).unwrap()
    }
}

fn relation(kind: RelationKind) -> u8 {
    match kind {
        RelationKind::Apart => 0,
        RelationKind::Touch => 1,
        RelationKind::Overlap => 2,
        RelationKind::Inside => 3,
        RelationKind::Contains => 4,
        RelationKind::Duplicate => 5,
        RelationKind::Pierce => 6,
        RelationKind::SurfaceInside => 7,
        RelationKind::Meet => 8,
    }
}

fn put(bytes: &mut Vec<u8>, numbers: impl IntoIterator<Item = f64>) {
    numbers.into_iter().for_each(|x| bytes.extend(x.to_le_bytes()));
}

fn put_contact(bytes: &mut Vec<u8>, contact: Option<[u32; 2]>) {
    contact.unwrap_or([u32::MAX; 2]).iter().for_each(|i| bytes.extend(i.to_le_bytes()));
}

/// The bytes that the function `more` of `equal.c` writes: results for lists of pairs, proxies and an affine
/// pose.
fn more(query: &mut Query, [a, b]: [&Body<'_>; 2], point: [f64; 3], bytes: &mut Vec<u8>) {
    bytes.push(query.overlaps(a, b).into());
    put_contact(bytes, query.first_within(a, b, Margin::new(0.5).unwrap()));
    put_contact(bytes, query.self_first_contact(b.model));
    let accuracy = Accuracy::new().rel(0.125).unwrap();
    let found = query.with_accuracy(accuracy).farthest_distance(a, b, SolidSide::Any).point().unwrap();
    put(bytes, [found.lo, found.hi]);

    // The second body twice as large, and mirrored.
    let rows = b.pose.rows().map(|row| row.map(|x| -2.0 * x));
    let large = Body::new(b.model, Pose::affine(rows, *b.pose.translation()).unwrap());
    let pairs = [[*a, *b], [*b, *a], [*a, large]];
    bytes.extend(query.intersects_each(&pairs).iter().map(|&meet| u8::from(meet)));
    query.first_contact_each(&pairs).iter().for_each(|&contact| put_contact(bytes, contact));
    let lists = query.pairs_each(&pairs);
    lists.starts()[1..].iter().for_each(|&end| bytes.extend((end as u64).to_le_bytes()));
    lists.pairs().as_flattened().iter().for_each(|i| bytes.extend(i.to_le_bytes()));
    bytes.extend(query.relation_each(&pairs).iter().map(|found| relation(found.kind)));
    query.distance_each(&pairs).iter().for_each(|found| put(bytes, [found.unwrap().lo, found.unwrap().hi]));
    bytes.push(query.intersects_at(a, b.model, &[large.pose])[0].into());
    let path = Path::piecewise(&[Pose::from_translation([8.0, 0.0, 0.0]).unwrap(), b.pose]).unwrap();
    let sweeps = [[(*a).into(), Moving::new(b.model, &path)], [large.into(), (*a).into()]];
    let options = SweepOptions::new().resolution(0.01).unwrap();
    for sweep in query.sweep_each(&sweeps, &options) {
        put(bytes, [sweep.free_until(), sweep.meets_at().unwrap_or(-1.0)]);
    }

    let proxy = Proxy::balls(&[[0.0, 0.0, 0.0, 1.5]]).unwrap();
    let proxy = proxy.with_cylinder([[0.0; 3], point], 0.5).unwrap();
    let proxy = proxy.with(b.rounded(0.25).unwrap());
    let options = ExcessOptions::new().accuracy(0.25).unwrap().most_cells(200);
    let found = query.excess(a, &proxy, &options);
    put(bytes, found.distance.into_iter().chain(found.witness.unwrap_or_default()));
    bytes.extend(found.cells.to_le_bytes());
    put(bytes, query.proxy_volume(&proxy, &options));
    let mut depths = Vec::new();
    query.point_depths(&proxy, &[point], &mut depths);
    put(bytes, depths[0]);
    let found = query.coverage(a, &proxy, &CoverageOptions::new().verdict_only(true).most_pieces(200));
    bytes.push(found.covered.map_or(2, |covered| u8::from(!covered)));
    put(bytes, found.depth);
    bytes.extend(found.pieces.to_le_bytes());
}

/// The bytes that `equal.c` writes for one pose: results of ten queries.
fn results(query: &mut Query, [a, b]: [&Body<'_>; 2], point: [f64; 3], bytes: &mut Vec<u8>) {
    bytes.push(query.intersects(a, b).into());
    put_contact(bytes, query.first_contact(a, b));
    let pairs = query.pairs(a, b);
    bytes.extend((pairs.len() as u64).to_le_bytes());
    pairs.iter().flatten().for_each(|i| bytes.extend(i.to_le_bytes()));
    bytes.push(query.within(a, b, Margin::new(0.5).unwrap()).into());
    let distance = query.distance(a, b).unwrap();
    put(bytes, [distance.lo, distance.hi].into_iter().chain(distance.points.into_iter().flatten()));
    let found = query.relation(a, b);
    bytes.extend([relation(found.kind), found.touching.into()]);
    let closest = query.closest_point(b, point).unwrap();
    put(bytes, [closest.lo, closest.hi].into_iter().chain(closest.point));
    bytes.push(match query.locate(b, &[point])[0] {
        Location::Inside => 0,
        Location::Outside => 1,
        Location::OnSurface => 2,
        Location::Undefined => 3,
    });
    let ray = Ray::new(point, [1.0, 0.25, -0.5]).unwrap();
    bytes.push(query.ray_meets(b, &ray).into());
    let hit = query.ray_first(b, &ray);
    bytes.extend(hit.map_or(u32::MAX, |hit| hit.triangle).to_le_bytes());
    put(bytes, hit.map_or([0.0; 2], |hit| hit.enter));
}

/// Ten queries at each pose, and more at every tenth: a hundred thousand with IMPINGE_FULL, else a thousand.
#[test]
fn results_in_c_equal_those_in_rust() {
    let poses = if env::var_os("IMPINGE_FULL").is_some() { 10_000 } else { 100 };
    let workshop = Workshop::new();
    let model = Model::new(Mesh::cuboid([2.0; 3]).unwrap());
    let a = Body::new(&model, Pose::IDENTITY);
    let (mut query, mut numbers) = (Query::new(), Numbers(1));
    let (mut input, mut expected) = (Vec::new(), Vec::new());
    let mut met = 0;
    for i in 0..poses {
        let (pose, point) = (numbers.pose(), numbers.vector(3.0));
        let matrix = pose.to_matrix();
        let rows = matrix[..3].iter().flat_map(|row| &row[..3]);
        for x in rows.chain(pose.translation()).chain(&point) {
            input.extend(x.to_le_bytes());
        }
        let b = Body::new(&model, pose);
        met += usize::from(query.intersects(&a, &b));
        results(&mut query, [&a, &b], point, &mut expected);
        if i % 10 == 0 {
            more(&mut query, [&a, &b], point, &mut expected);
        }
    }
    assert!(met > poses / 8 && met < poses * 7 / 8, "{met} of {poses} meet");
    fs::write(workshop.folder().join("input"), &input).unwrap();
    let source = root().join("tests/programs/equal.c");
    workshop.passes(&workshop.compile(&source, Language::C99, Link::Shared));
    let found = fs::read(workshop.folder().join("output")).unwrap();
    assert!(found == expected, "{} and {} bytes", found.len(), expected.len());
}
