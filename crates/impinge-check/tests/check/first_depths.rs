//! The first clashes and their depths are the same if only these are shown.
use impinge::{Mesh, Pose};
use impinge_check::{Assembly, Check, Clash, Part, Report, Watch, records::Depth};
use impinge_demo::rng::Rng;
use std::sync::Arc;

/// Boxes and open boxes of random sizes in a small space; some are turned, some overlap, some are equal.
fn assembly(rng: &mut Rng) -> Assembly {
    let mut assembly = Assembly::new();
    let mut meshes: Vec<Arc<Mesh>> = Vec::new();
    for i in 0..40 {
        if meshes.is_empty() || rng.one_in(2) {
            let whole = Mesh::cuboid([0; 3].map(|_| rng.int(1, 6) as f64)).unwrap();
            let keep = if rng.one_in(5) { 10 } else { 12 };
            let some = Mesh::new(whole.points().to_vec(), whole.triangles()[..keep].to_vec()).unwrap();
            meshes.push(Arc::new(some));
        }
        let place = [0; 3].map(|_| rng.int(-6, 6) as f64 / 2.0);
        let pose = match rng.one_in(3) {
            true => Pose::rigid(rng.rotation(), place).unwrap(),
            false => Pose::from_translation(place).unwrap(),
        };
        assembly.push(Part::from_mesh(format!("part {i}"), Arc::clone(rng.pick(&meshes)), pose));
    }
    assembly
}

fn first(report: &Report, count: usize) -> Vec<(Clash, Option<Depth>)> {
    let shown = |clash: &Clash| (clash.parts, clash.triangle_pairs, clash.relation, clash.point);
    let all: Vec<_> =
        report.ranked().take(count).map(|clash| (*clash, report.depth(clash).copied())).collect();
    assert!(all.iter().is_sorted_by_key(|(clash, _)| !report.counts(clash)), "{:?}", shown(&all[0].0));
    all
}

#[test]
fn the_first_clashes_and_their_depths_are_the_same() {
    let (mut seen, mut left_out) = (0, 0);
    for seed in 0..12 {
        let mut rng = Rng::new(seed);
        let assembly = Arc::new(assembly(&mut rng));
        let run = |check: Check| check.threads(2).run(Arc::clone(&assembly), &Watch::new()).unwrap();
        let whole = run(Check::new());
        assert!(whole.coverage().tested > 16 * 12, "few pairs: all depths would be measured at once");
        for count in [1, 2, 5, 12] {
            let some = run(Check::new().first_depths(count));
            let [of_some, of_whole] = [&some, &whole].map(|report| first(report, count));
            for ((a, depth_a), (b, depth_b)) in of_some.iter().zip(&of_whole) {
                assert_eq!((a.parts, depth_a), (b.parts, depth_b), "{seed} {count}");
                seen += 1;
            }
            assert_eq!(some.findings().len(), whole.findings().len());
            let known =
                |report: &Report| report.clashes().iter().filter(|c| report.depth(c).is_some()).count();
            left_out += known(&whole) - known(&some);
        }
    }
    assert!(seen > 200 && left_out > 1000, "{seen} {left_out}");
}
