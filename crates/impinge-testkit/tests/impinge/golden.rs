//! Relations and depths of fixed pairs of solids as one hash: equal on every machine, for all instruction
//! sets, numbers of threads and trees.
use crate::relation::style;
use impinge::{
    Body, BuildOptions, Mesh, Model, Pose, Quality, Query, Threads,
    penetration::{Penetration, PenetrationParts},
    relation::{Relation, RelationKind},
};
use impinge_testkit::{cases::pools, polycubes::pair, rng::Rng, ways::levels};
use std::collections::BTreeSet;

const PAIRS: u64 = 240;

/// Meshes and poses: a third as they are made, a third with both bodies at one oblique pose, a third with
/// only the first body there. At that pose coordinates have all their bits.
fn all_pairs() -> Vec<[(Mesh, Pose); 2]> {
    let rows = [[0.625, -0.5, 0.25], [0.375, 1.125, -0.5], [-0.25, 0.75, -0.875]];
    let oblique = Pose::affine(rows, [0.1, -3.0, 0.7]).unwrap();
    let make = |index| {
        let mut rng = Rng::for_case(91, index);
        let (cubes, roughness) = pair(&mut rng);
        let mut bodies = cubes.map(|cube| {
            let style = style(&mut rng, roughness);
            cube.mesh(&mut rng, style)
        });
        let moved = [0, 2, 1][index as usize % 3];
        bodies[..moved].iter_mut().for_each(|(_, pose)| *pose = oblique);
        bodies
    };
    (0..PAIRS).map(make).collect()
}

/// FNV-1a.
pub(crate) struct Hash(u64);

impl Hash {
    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
    pub(crate) fn get(&self) -> u64 {
        self.0
    }
    pub(crate) fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    fn relation(&mut self, found: &Relation) {
        told(found).bytes().for_each(|byte| self.word(byte.into()));
    }
    fn penetration(&mut self, found: &Penetration) {
        let depth = found.depth_at_least.map(|depth| [depth.length, depth.body as f64, depth.vertex.into()]);
        for numbers in [
            found.overlap_volume.map(Vec::from),
            depth.map(Vec::from),
            found.separating_translation.map(Vec::from),
            found.separating_distance.map(Vec::from),
        ] {
            self.word(numbers.is_some().into());
            numbers.iter().flatten().for_each(|number| self.word(number.to_bits()));
        }
    }
}

/// Text of a relation without its witness, which depends on trees and lanes. The words are those that
/// [`GOLDEN`] was made of, so that a renamed type leaves it as it is.
fn told(found: &Relation) -> String {
    let kind = match found.kind {
        RelationKind::Inside => "AInB".to_owned(),
        RelationKind::Contains => "BInA".to_owned(),
        RelationKind::Duplicate => "Same".to_owned(),
        RelationKind::SurfaceInside => "InsideOpen".to_owned(),
        kind => format!("{kind:?}"),
    };
    let status = format!("{:?}", found.status).replace("EvenOdd", "Parity");
    format!("{kind} {} {status} {:?}", found.touching, found.rules)
}

fn exchanged(found: &Relation) -> RelationKind {
    match found.kind {
        RelationKind::Inside => RelationKind::Contains,
        RelationKind::Contains => RelationKind::Inside,
        kind => kind,
    }
}

#[test]
fn relations_and_depths_are_the_same_everywhere() {
    let (meshes, pools) = (all_pairs(), pools());
    let mut hashes = Vec::new();
    for quality in [Quality::OnDemand, Quality::High] {
        let options = BuildOptions::new().quality(quality);
        let model = |(mesh, _): &(Mesh, Pose)| Model::with_options(mesh.clone(), &options);
        let models: Vec<[Model; 2]> = meshes.iter().map(|pair| pair.each_ref().map(model)).collect();
        let bodies: Vec<[Body<'_>; 2]> = models
            .iter()
            .zip(&meshes)
            .map(|(models, pair)| [0, 1].map(|k| Body::new(&models[k], pair[k].1)))
            .collect();
        let mut kinds = BTreeSet::new();
        for simd in levels() {
            let mut query = Query::new().simd(simd);
            let one_by_one: Vec<Relation> = bodies.iter().map(|[a, b]| query.relation(a, b)).collect();
            for pool in &pools {
                let mut query = Query::new().simd(simd).threads(Threads::Pool);
                let found = pool.install(|| query.relation_each(&bodies).to_vec());
                let is_same = found.iter().zip(&one_by_one).all(|(x, y)| told(x) == told(y));
                assert!(is_same, "{quality:?} {simd:?} {pool:?}");
            }
            let mut hash = Hash::new();
            for ([a, b], found) in bodies.iter().zip(&one_by_one) {
                let back = query.relation(b, a);
                assert_eq!((exchanged(&back), back.touching), (found.kind, found.touching));
                assert_eq!((back.rules, back.status), (turned(found.rules), turned(found.status)));
                match found.witness {
                    Some(pair) => assert!(query.pairs(a, b).contains(&pair), "{simd:?}: {pair:?}"),
                    None => assert!(!found.touching),
                }
                hash.relation(found);
                hash.penetration(&query.penetration(a, b, &PenetrationParts::all()));
                kinds.insert(format!("{:?}", found.kind));
            }
            hashes.push((quality, simd, hash.get()));
        }
        assert!(kinds.len() >= 6, "{kinds:?}");
    }
    assert!(hashes.iter().all(|&(.., hash)| hash == GOLDEN), "{hashes:x?}");
}

fn turned<T>([a, b]: [T; 2]) -> [T; 2] {
    [b, a]
}

const GOLDEN: u64 = 0xdcd0_db32_97cf_7f82;
