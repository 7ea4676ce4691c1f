//! Groups of findings, in assemblies with groups by construction.
use impinge::{Mesh, Pose, relation::RelationKind};
use impinge_check::{Assembly, Check, Groups, Part, Report, Watch};
use impinge_demo::rng::Rng;
use std::{collections::HashSet, sync::Arc};

fn report(assembly: Assembly) -> Report {
    Check::new().threads(1).run(assembly, &Watch::new()).unwrap()
}

/// Plates, each with bolts in it at one of two depths: a bolt is an instance, or a copy that was moved in its
/// own coordinates. Plates stand apart, turned at random.
#[test]
fn the_same_two_shapes_are_one_pattern_wherever_they_are() {
    let plate = Arc::new(Mesh::cuboid([20.0, 20.0, 1.0]).unwrap());
    let bolt = Arc::new(Mesh::cylinder(0.5, 4.0, 16).unwrap());
    let ball = Arc::new(Mesh::uv_sphere(0.25, 6, 8).unwrap());
    let mut rng = Rng::new(3);
    let mut assembly = Assembly::new();
    let place = |rows: [[f64; 3]; 3], t: [f64; 3]| Pose::rigid(rows, t).unwrap();
    let mut expected = [HashSet::new(), HashSet::new()];
    for n in 0..6 {
        let (rows, far) = (rng.rotation(), 100.0 * f64::from(n));
        let at = |v: [f64; 3]| {
            let pose = place(rows, [far, 0.0, 0.0]);
            place(rows, pose.place(v))
        };
        let first = assembly.parts.len() as u32;
        assembly.push(Part::from_mesh("plate", Arc::clone(&plate), at([0.0; 3])));
        for (k, depth) in [(0.0, 0.0), (5.0, 0.0), (-5.0, 0.5)] {
            expected[0].insert([first, assembly.parts.len() as u32]);
            let pose = at([k, 0.0, depth]);
            let part = if rng.one_in(2) {
                Part::from_mesh("bolt", Arc::clone(&bolt), pose)
            } else {
                let points = bolt.points().iter().map(|&v| pose.place(v)).collect();
                let moved = Mesh::new(points, bolt.triangles().to_vec()).unwrap();
                Part::from_mesh("bolt", moved, Pose::IDENTITY)
            };
            assembly.push(part);
        }
        // In the middle of the plate, off its axis.
        expected[1].insert([first, assembly.parts.len() as u32]);
        assembly.push(Part::from_mesh("ball", Arc::clone(&ball), at([0.0, 7.0, 0.0])));
    }
    let report = report(assembly);
    let groups = Groups::new(&report);
    assert_eq!(groups.patterns.len(), 2, "{:?}", groups.patterns);
    let of = |relation| groups.patterns.iter().find(|pattern| pattern.relation == Some(relation)).unwrap();
    let pairs = |pairs: &[[u32; 2]]| -> HashSet<[u32; 2]> {
        pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect()
    };
    let bolts = of(RelationKind::Overlap);
    assert_eq!((pairs(&bolts.pairs), bolts.placements), (expected[0].clone(), 3));
    let balls = of(RelationKind::BInA);
    assert_eq!((pairs(&balls.pairs), balls.placements), (expected[1].clone(), 1));
    assert!(bolts.volume.unwrap() > balls.volume.unwrap());
    // Six plates connect everything, and explain everything.
    assert_eq!(groups.connected.len(), 6);
    assert!(groups.connected.iter().all(|group| group.parts.len() == 5 && group.pairs.len() == 4));
    assert_eq!(groups.explained.len(), 6);
    assert!(groups.explained.iter().all(|one| one.findings == 4 && one.part % 5 == 0));
}

/// Every finding is in one pattern and in one connected group, and explained once; each part that explains
/// has more findings than those after it have without it.
#[test]
fn every_finding_is_in_each_grouping_once() {
    for seed in 0..10 {
        let mut rng = Rng::new(seed);
        let mut assembly = Assembly::new();
        let meshes: Vec<Arc<Mesh>> =
            (1..5).map(|n| Arc::new(Mesh::cuboid([f64::from(n), 2.0, 3.0]).unwrap())).collect();
        for i in 0..30 {
            let t = [0; 3].map(|_| rng.int(-8, 8) as f64 / 2.0);
            let pose = Pose::from_translation(t).unwrap();
            assembly.push(Part::from_mesh(format!("{i}"), Arc::clone(rng.pick(&meshes)), pose));
        }
        let report = Check::new().clearance(0.25).threads(1).run(assembly, &Watch::new()).unwrap();
        let groups = Groups::new(&report);
        let mut all: Vec<[u32; 2]> =
            report.clashes().iter().filter(|clash| report.counts(clash)).map(|clash| clash.parts).collect();
        all.extend(report.near().iter().map(|near| near.parts));
        all.sort_unstable();
        let sorted = |pairs: Vec<[u32; 2]>| {
            let mut pairs: Vec<_> = pairs.into_iter().map(|[a, b]| [a.min(b), a.max(b)]).collect();
            pairs.sort_unstable();
            pairs
        };
        let patterns: Vec<_> = groups.patterns.iter().flat_map(|pattern| pattern.pairs.clone()).collect();
        assert_eq!(sorted(patterns), all, "{seed}");
        let connected: Vec<_> = groups.connected.iter().flat_map(|group| group.pairs.clone()).collect();
        assert_eq!(sorted(connected), all, "{seed}");
        for (i, one) in groups.connected.iter().enumerate() {
            let parts: HashSet<u32> = one.pairs.iter().flatten().copied().collect();
            assert_eq!(parts, one.parts.iter().copied().collect());
            assert!(groups.connected[..i].iter().all(|other| other.parts.iter().all(|p| !parts.contains(p))));
        }
        // The cover, counted from scratch at each step.
        let mut left = all.clone();
        for one in &groups.explained {
            let count = |part: u32| left.iter().filter(|pair| pair.contains(&part)).count() as u64;
            let most = (0..30).map(count).max().unwrap();
            assert_eq!((one.findings, count(one.part)), (most, most), "{seed}");
            assert!((0..one.part).all(|part| count(part) < most), "{seed}");
            left.retain(|pair| !pair.contains(&one.part));
        }
        assert!(left.is_empty());
        let counts = groups.patterns.iter().map(|pattern| (pattern.placements, pattern.pairs.len()));
        assert!(counts.into_iter().all(|(placements, pairs)| 1 <= placements && placements <= pairs));
    }
}
