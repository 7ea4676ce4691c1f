//! Branches that decide about different findings merge with plain `git merge`.
use impinge::{Mesh, Pose};
use impinge_check::{
    Date, Part,
    baseline::{Baseline, Delivery, FindingId, Measures, Note, Observed, ObservedParts, Worse},
    identity::{PartIdentity, PartNames},
};
use std::{fs, path::Path, process::Command, sync::Arc};

const NAME: &str = "impinge.baseline.jsonl";

fn today() -> Date {
    Date::from_days(20_000)
}

/// A baseline of cubes in a row; each overlaps the next.
fn baseline(count: u32, volume: f64) -> (Baseline, Delivery) {
    let cube = Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
    let part = |i: u32| {
        let pose = Pose::from_translation([0.9 * f64::from(i), 0.0, 0.0]).unwrap();
        Part::new(format!("cube {i}"), Path::new("row.obj"), Arc::clone(&cube), pose)
    };
    let parts: Vec<Part> = (0..count).map(part).collect();
    let finding = |i: u32| {
        let measures = Measures {
            relation: "overlap".into(),
            volume: Some([volume; 2]),
            depth: Some([0.1; 2]),
            distance: None,
        };
        Observed { test: "check".into(), parts: ObservedParts::two(i, i + 1), measures }
    };
    let delivery = Delivery {
        parts: PartIdentity::of(&parts, |_, _| PartNames::default()),
        findings: (0..count - 1).map(finding).collect(),
        contacts: Vec::new(),
        unit: None,
    };
    let empty = Baseline::new();
    let comparison = empty.compare(&delivery, |_, _, _| true, today(), Worse::default());
    (empty.update(&comparison, &delivery, today()), delivery)
}

fn note(by: &str) -> Note {
    Note { reason: format!("{by} agreed").into(), by: by.into(), date: today(), until: None }
}

/// Merges two changes of one file in a repository; `None` if git has a conflict.
fn merged(base: &Baseline, ours: &Baseline, theirs: &Baseline) -> Option<Baseline> {
    let folder = tempfile::tempdir().unwrap();
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(folder.path()).args(["-c", "user.name=ann", "-c", "user.email=ann@example.org"]);
        // The settings of the machine have no effect.
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        command.args(words).output().unwrap().status.success()
    };
    let commit = |baseline: &Baseline| {
        fs::write(folder.path().join(NAME), baseline.to_text()).unwrap();
        assert!(git(&["add", NAME]) && git(&["commit", "-q", "-m", "x"]));
    };
    assert!(git(&["init", "-q", "-b", "base"]));
    commit(base);
    assert!(git(&["checkout", "-q", "-b", "theirs"]));
    commit(theirs);
    assert!(git(&["checkout", "-q", "-b", "ours", "base"]));
    commit(ours);
    let text = |_| fs::read_to_string(folder.path().join(NAME)).unwrap();
    git(&["merge", "-q", "theirs"]).then(|| text(())).map(|text| Baseline::parse(NAME, &text).unwrap())
}

#[test]
fn branches_that_decide_about_different_findings_merge() {
    let (base, _) = baseline(9, 0.1);
    let ids: Vec<FindingId> = base.findings().iter().map(|finding| finding.id).collect();
    let both = |ours: &[usize], theirs: &[usize]| {
        let of = |places: &[usize]| places.iter().map(|&i| ids[i]).collect::<Vec<_>>();
        let (ours, theirs) = (of(ours), of(theirs));
        let (a, b) =
            (base.approve(&ours, &note("ann")).unwrap(), base.review(&theirs, &note("bob")).unwrap());
        let expected = a.review(&theirs, &note("bob")).unwrap();
        assert_eq!(merged(&base, &a, &b).as_ref(), Some(&expected), "{ours:?} {theirs:?}");
    };
    // Neighbours, at both ends, alternating, and blocks side by side.
    both(&[3], &[4]);
    both(&[4], &[3]);
    both(&[0], &[1]);
    both(&[6], &[7]);
    both(&[0, 2, 4, 6], &[1, 3, 5, 7]);
    both(&[0, 1, 2, 3], &[4, 5, 6, 7]);

    // Changed decisions, next to each other.
    let base = base.approve(&ids, &note("carl")).unwrap();
    let (a, b) =
        (base.approve(&ids[3..4], &note("ann")).unwrap(), base.approve(&ids[4..5], &note("bob")).unwrap());
    let expected = a.approve(&ids[4..5], &note("bob")).unwrap();
    assert_eq!(merged(&base, &a, &b), Some(expected));

    // Two decisions about one finding are a conflict, which a person resolves.
    let (a, b) =
        (base.approve(&ids[3..4], &note("ann")).unwrap(), base.approve(&ids[3..4], &note("bob")).unwrap());
    assert_eq!(merged(&base, &a, &b), None);
}

#[test]
fn a_decision_merges_with_a_delivery_that_changes_other_findings() {
    let (base, mut delivery) = baseline(9, 0.1);
    let ids: Vec<FindingId> = base.findings().iter().map(|finding| finding.id).collect();
    // The same delivery again, so that all are active.
    let again = |base: &Baseline, delivery: &Delivery| {
        let comparison = base.compare(delivery, |_, _, _| true, today(), Worse::default());
        base.update(&comparison, delivery, today())
    };
    let base = again(&base, &delivery);
    delivery.findings.remove(2);
    let theirs = again(&base, &delivery);
    let resolved: Vec<_> =
        theirs.findings().iter().filter(|finding| finding.status().name() == "resolved").collect();
    let place = ids.iter().position(|id| *id == resolved[0].id).unwrap();
    // Not the line before or after the one that the delivery changed.
    let other = ids[(place + 4) % ids.len()];
    let ours = base.approve(&[other], &note("ann")).unwrap();
    let expected = theirs.approve(&[other], &note("ann")).unwrap();
    assert_eq!(merged(&base, &ours, &theirs), Some(expected));
}
