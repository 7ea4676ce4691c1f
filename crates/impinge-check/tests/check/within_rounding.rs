//! Overlaps that are no deeper than the rounding that the inputs state.
use impinge::{Mesh, Pose, relation::RelationKind};
use impinge_check::{
    Assembly, Check, Date, Part, Report, Rules, Watch,
    baseline::{Baseline, Worse},
    records::DepthOf,
    report::PairDecision,
};
use std::sync::Arc;

/// Two unit cubes that overlap by `by`, each with a stated rounding.
fn cubes(by: f64, rounding: [f64; 2]) -> Arc<Assembly> {
    let mut assembly = Assembly::new();
    let cube = Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
    for (i, rounding) in rounding.into_iter().enumerate() {
        let pose = Pose::from_translation([i as f64 * (1.0 - by), 0.0, 0.0]).unwrap();
        assembly.push(Part::from_mesh(format!("cube {i}"), cube.clone(), pose).with_rounding(rounding));
    }
    Arc::new(assembly)
}

fn run(check: Check, assembly: &Arc<Assembly>) -> Report {
    check.threads(1).run(Arc::clone(assembly), &Watch::new()).unwrap()
}

#[test]
fn what_rounding_may_have_made_is_no_finding() {
    // A power of two: the depth is exact.
    let by = 2.0_f64.powi(-20);
    for (rounding, is_within) in [
        ([by / 2.0, by / 2.0], true),
        ([by, 0.0], true),
        ([by / 4.0, by / 2.0], false),
        ([0.0, by / 2.0], false),
        ([0.0, 0.0], false),
    ] {
        let report = run(Check::new(), &cubes(by, rounding));
        let [clash] = report.clashes() else { panic!("{} clashes", report.clashes().len()) };
        assert_eq!(clash.relation, Some(RelationKind::Overlap), "the relation is that of the points");
        assert_eq!((report.is_within_rounding(clash), report.counts(clash)), (is_within, !is_within));
        assert_eq!(report.is_clean(), is_within);
        let solids = report.coverage().solids.as_ref().unwrap();
        assert_eq!((solids.within_rounding, solids.findings), (u64::from(is_within), u64::from(!is_within)));
        assert_eq!(report.tests()[0].within_rounding, u64::from(is_within));
        let decision = report.explain([0, 1])[0].decision;
        assert_eq!(decision == PairDecision::WithinRounding, is_within, "{decision:?}");
        // An overlap of unknown depth is a finding.
        assert!(!run(Check::new().depth(DepthOf::None), &cubes(by, rounding)).is_clean());
    }
}

/// The rounding comes before the tolerance, and ignore rules before both.
#[test]
fn rounding_among_what_else_leaves_findings_out() {
    let by = 2.0_f64.powi(-20);
    let assembly = cubes(by, [by, by]);
    let report = run(Check::new().tolerance(1.0), &assembly);
    assert!(report.is_within_rounding(&report.clashes()[0]) && !report.is_shallow(&report.clashes()[0]));
    let report = run(Check::new().tolerance(1.0), &cubes(by, [0.0; 2]));
    assert!(!report.is_within_rounding(&report.clashes()[0]) && report.is_shallow(&report.clashes()[0]));
    let rules = "version = 1\n[[ignore]]\nreason = \"small\"\nmax_volume = 1.0\n";
    let rules = Arc::new(Rules::parse("rules.toml", rules).unwrap());
    let today: Date = "2026-01-01".parse().unwrap();
    let report = run(Check::new().rules(rules, today), &assembly);
    assert_eq!(report.explain([0, 1])[0].decision, PairDecision::Ignored(0));
    // Surfaces have no depth: all pairs that meet are findings.
    assert!(!run(Check::new().surfaces(true), &assembly).is_clean());
}

/// A finding is resolved if the new delivery states a rounding that explains it.
#[test]
fn a_known_finding_within_rounding_is_resolved() {
    let by = 2.0_f64.powi(-20);
    let today: Date = "2026-01-01".parse().unwrap();
    let report = run(Check::new(), &cubes(by, [0.0; 2]));
    let first = report.with_baseline(Baseline::new(), today, Worse::default());
    let baseline = first.updated(&Baseline::new(), today).unwrap();
    assert_eq!(baseline.findings().len(), 1);
    let report = run(Check::new(), &cubes(by, [by; 2])).with_baseline(baseline, today, Worse::default());
    let counts = report.comparison().unwrap().counts_of();
    assert_eq!((counts.resolved, counts.active, counts.new), (1, 0, 0));
}
