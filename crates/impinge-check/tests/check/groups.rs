//! Groups of findings, in assemblies with groups by construction.
use impinge::{Mesh, Pose, relation::RelationKind};
use impinge_check::{
    Assembly, Check, Finding, FindingKind, Groups, Part, Report, Watch,
    report::{Group, GroupBy},
};
use impinge_demo::rng::Rng;
use std::{collections::HashSet, sync::Arc};

fn report(assembly: Assembly) -> Report {
    Check::new().threads(1).run(assembly, &Watch::new()).unwrap()
}

/// The parts of the findings of a group.
fn pairs_of(report: &Report, group: &Group) -> Vec<[u32; 2]> {
    let parts = |&i: &u32| report.findings()[i as usize].parts().try_into().unwrap();
    group.findings.iter().map(parts).collect()
}

/// Plates, each with bolts in it at one of two depths: a bolt is an instance, or a copy that was moved in its
/// own coordinates. Plates stand apart, turned at random.
#[test]
fn the_same_two_shapes_are_one_pattern_wherever_they_are() {
    let plate = Arc::new(Mesh::cuboid([20.0, 20.0, 1.0]).unwrap());
    let bolt = Arc::new(Mesh::prism(0.5, 4.0, 16).unwrap());
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
    assert_eq!(groups.groups.len(), 2, "{:?}", groups.groups);
    let of = |relation| {
        let kind = FindingKind::Clash(Some(relation));
        groups.groups.iter().find(|group| group.kind == kind).unwrap()
    };
    let pairs = |group: &Group| -> HashSet<[u32; 2]> { pairs_of(&report, group).into_iter().collect() };
    let bolts = of(RelationKind::Overlap);
    assert_eq!((pairs(bolts), bolts.placements), (expected[0].clone(), 3));
    let balls = of(RelationKind::Contains);
    assert_eq!((pairs(balls), balls.placements), (expected[1].clone(), 1));
    assert!(bolts.size.volume.unwrap() > balls.size.volume.unwrap());
    // Six plates connect everything, and explain everything.
    assert_eq!(groups.connected.len(), 6);
    assert!(groups.connected.iter().all(|group| group.parts.len() == 5 && group.pairs.len() == 4));
    assert_eq!(groups.explained.len(), 6);
    assert!(groups.explained.iter().all(|one| one.findings == 4 && one.part % 5 == 0));
}

/// Every finding is in one group and in one connected set, and explained once. No part has more of the
/// findings that are left than the part that explains them.
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
        let sorted = |mut pairs: Vec<[u32; 2]>| {
            pairs.sort_unstable();
            pairs
        };
        let alike: Vec<_> = groups.groups.iter().flat_map(|group| pairs_of(&report, group)).collect();
        assert_eq!(sorted(alike), all, "{seed}");
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
        let counts = groups.groups.iter().map(|group| (group.placements, group.findings.len()));
        assert!(counts.into_iter().all(|(placements, pairs)| 1 <= placements && placements <= pairs));
    }
}

/// Random boxes; some clash.
fn boxes(rng: &mut Rng, count: usize) -> Assembly {
    let mut assembly = Assembly::new();
    let mesh = Arc::new(Mesh::cuboid([1.0, 2.0, 3.0]).unwrap());
    for i in 0..count {
        let t = [0; 3].map(|_| rng.int(-30, 30) as f64 / 4.0);
        let pose = Pose::from_translation(t).unwrap();
        assembly.push(Part::from_mesh(format!("{i}"), Arc::clone(&mesh), pose));
    }
    assembly
}

/// Chains of findings: compared with all pairs of findings.
#[test]
fn findings_that_are_close_are_one_group() {
    let mut sizes = HashSet::new();
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let report = Check::new().threads(1).run(boxes(&mut rng, 60), &Watch::new()).unwrap();
        let length = [0.1, 0.5, 1.0, 2.0, 50.0][seed as usize % 5];
        let groups = Groups::by(&report, &GroupBy::Near(length)).groups;
        let points: Vec<[f64; 3]> =
            report.findings().iter().map(|finding| report.point_of(finding).unwrap()).collect();
        let mut of: Vec<usize> = (0..points.len()).collect();
        for i in 0..points.len() {
            for k in 0..i {
                let square: f64 = (0..3).map(|d| (points[i][d] - points[k][d]).powi(2)).sum();
                if square.sqrt() <= length && of[i] != of[k] {
                    let (old, new) = (of[i], of[k]);
                    of.iter_mut().filter(|root| **root == old).for_each(|root| *root = new);
                }
            }
        }
        let expected: HashSet<Vec<u32>> = of
            .iter()
            .map(|root| (0..of.len() as u32).filter(|&i| of[i as usize] == *root).collect())
            .collect();
        let sorted = |group: &Group| {
            let mut all = group.findings.clone();
            all.sort_unstable();
            all
        };
        sizes.extend(groups.iter().map(|group| group.findings.len()));
        assert_eq!(groups.iter().map(sorted).collect::<HashSet<_>>(), expected, "{seed}");
    }
    assert!(sizes.len() > 5, "{sizes:?}");
}

/// Findings with the same two labels are one group, in either order.
#[test]
fn findings_of_the_same_labels_are_one_group() {
    let mut rng = Rng::new(7);
    let report = Check::new().threads(1).run(boxes(&mut rng, 90), &Watch::new()).unwrap();
    let names: [Arc<str>; 3] = ["steel", "concrete", "pipes"].map(Arc::from);
    let labels: Vec<Arc<str>> = (0..90).map(|_| Arc::clone(rng.pick(&names))).collect();
    let groups = Groups::by(&report, &GroupBy::Labels(labels.clone())).groups;
    let of = |finding: &Finding| {
        let mut both: Vec<&str> = finding.parts().iter().map(|&part| &*labels[part as usize]).collect();
        both.sort_unstable();
        both
    };
    for group in &groups {
        let own: Vec<&str> = group.labels.as_ref().unwrap().iter().map(|label| &**label).collect();
        for &i in &group.findings {
            assert_eq!(of(&report.findings()[i as usize]), own);
        }
    }
    let count: usize = groups.iter().map(|group| group.findings.len()).sum();
    let different: HashSet<Vec<&str>> = report.findings().iter().map(of).collect();
    assert_eq!((count, groups.len()), (report.findings().len(), different.len()));
    assert!(different.len() > 4);
}

/// The first groups and their largest volumes are the same if only these are shown.
#[test]
fn the_first_groups_are_the_same_without_all_depths() {
    let mut left_out = 0;
    for seed in 0..12 {
        let mut rng = Rng::new(seed);
        let mut assembly = Assembly::new();
        let meshes: Vec<Arc<Mesh>> = (1..6)
            .map(|n| Arc::new(Mesh::cuboid([f64::from(n), 2.0, 6.0 - f64::from(n)]).unwrap()))
            .collect();
        for i in 0..60 {
            let t = [0; 3].map(|_| rng.int(-9, 9) as f64 / 2.0);
            let pose = match rng.one_in(3) {
                true => Pose::rigid(rng.rotation(), t).unwrap(),
                false => Pose::from_translation(t).unwrap(),
            };
            assembly.push(Part::from_mesh(format!("{i}"), Arc::clone(rng.pick(&meshes)), pose));
        }
        let assembly = Arc::new(assembly);
        let run = |check: Check| check.threads(2).run(Arc::clone(&assembly), &Watch::new()).unwrap();
        let whole = run(Check::new());
        let of_whole = Groups::new(&whole).groups;
        for count in [1, 2, 4, 8] {
            let some = run(Check::new().first_groups(count));
            let of_some = Groups::new(&some).groups;
            assert_eq!(of_some.len(), of_whole.len());
            for (a, b) in of_some.iter().zip(&of_whole).take(count) {
                let first = |report: &Report, group: &Group| report.findings()[group.findings[0] as usize];
                assert_eq!(first(&some, a), first(&whole, b), "{seed} {count}");
                assert_eq!(
                    (a.kind, a.size.volume, a.findings.len()),
                    (b.kind, b.size.volume, b.findings.len())
                );
            }
            let known =
                |report: &Report| report.clashes().iter().filter(|c| report.depth(c).is_some()).count();
            left_out += known(&whole) - known(&some);
        }
    }
    assert!(left_out > 500, "{left_out}");
}

/// Copies of two boxes around about one centre, each moved in its own coordinates, as in files without poses.
/// They have one relative placement, despite rounding.
#[test]
fn baked_copies_have_one_placement() {
    let boxes = [[4.0, 4.0, 4.0], [2.0, 6.0, 2.0]].map(|sides| Mesh::cuboid(sides).unwrap());
    let mut rng = Rng::new(5);
    // The unit to which numbers are rounded, the spread of the copies, and their size.
    for (unit, far, size) in
        [(0.0, 0.0, 1.0), (0.0, 1e3, 1.0), (0.0, 1e6, 1e-2), (1e-6, 100.0, 1.0), (0.0, 1e3, 1e6)]
    {
        let mut run = |shifts: &[f64]| {
            let mut assembly = Assembly::new();
            for (n, &shift) in shifts.iter().enumerate() {
                let place = [0; 3].map(|_| rng.between(-far, far) + 1e2 * size * n as f64);
                let whole = n == 0 || rng.one_in(3);
                let rows = if whole { *Pose::IDENTITY.rows() } else { rng.rotation() };
                let pose = Pose::rigid(rows, place).unwrap();
                for (k, mesh) in boxes.iter().enumerate() {
                    let point = |v: &[f64; 3]| {
                        let moved = pose.place([(v[0] + shift * k as f64) * size, v[1] * size, v[2] * size]);
                        moved.map(|x| if unit > 0.0 { (x / unit).round() * unit } else { x })
                    };
                    let points = mesh.points().iter().map(point).collect();
                    let mesh = Mesh::new(points, mesh.triangles().to_vec()).unwrap();
                    assembly.push(Part::from_mesh(format!("{n} {k}"), mesh, Pose::IDENTITY));
                }
            }
            let groups = Groups::new(&report(assembly)).groups;
            assert_eq!((groups.len(), groups[0].findings.len()), (1, shifts.len()), "{unit} {far} {size}");
            groups[0].placements
        };
        for shift in [0.0, 1.0, 1e-3] {
            assert_eq!(run(&[shift; 8]), 1, "{unit} {far} {size} {shift}");
        }
        assert_eq!(run(&[0.0, 1.0, 1.0, 0.0, 1e-3, 0.0, 1.0 + 1e-3]), 4, "{unit} {far} {size}");
    }
}
