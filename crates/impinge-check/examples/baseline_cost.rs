//! Times of a baseline with many findings: `cargo run --release --example baseline_cost -- FINDINGS`.
//! Half of its parts are look-alikes without GUIDs, and all of them move in the last step.
use impinge::{Mesh, Pose};
use impinge_check::{
    Date, Part,
    baseline::{Baseline, Delivery, Measures, Observed, ObservedParts, Worse},
    identity::{Matching, PartIdentity, PartNames},
};
use std::{error::Error, path::Path, sync::Arc, time::Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let findings: u32 = std::env::args().nth(1).map_or(Ok(1_000_000), |n| n.parse())?;
    // Ten findings a part.
    let count = (findings / 10).max(20);
    let cube = Arc::new(Mesh::cuboid([1.0; 3])?);
    let side = f64::from(count).cbrt().ceil() as u32;
    let mut parts = Vec::new();
    for i in 0..count {
        let at = [i % side, i / side % side, i / side / side];
        let pose = Pose::from_translation(at.map(|k| 1.5 * f64::from(k)))?;
        let name = if i % 2 == 0 { "bolt".to_owned() } else { format!("part {i}") };
        parts.push(Part::new(name, Path::new("a.obj"), Arc::clone(&cube), pose));
    }
    let relation: Arc<str> = "overlap".into();
    let test: Arc<str> = "check".into();
    let observed = |k: u32| {
        let measures = Measures {
            relation: relation.clone(),
            volume: Some([1.0; 2]),
            depth: Some([0.1; 2]),
            distance: None,
        };
        let (a, step) = (k / 10, 1 + k % 10);
        Observed { test: test.clone(), parts: ObservedParts::two(a, (a + step) % count), measures }
    };
    let today = Date::from_days(20_000);
    let timed = |what: &str, from: Instant| eprintln!("{what}: {:.2} s", from.elapsed().as_secs_f64());

    let from = Instant::now();
    let delivery = Delivery {
        parts: PartIdentity::of(&parts, |_, _| PartNames::default()),
        findings: (0..10 * count).map(observed).collect(),
        contacts: Vec::new(),
        unit: None,
    };
    timed("identities of parts and list of findings", from);
    let from = Instant::now();
    let empty = Baseline::new();
    let comparison = empty.compare(&delivery, |_, _, _| true, today, Worse::default());
    timed("compare with an empty baseline", from);
    let from = Instant::now();
    let baseline = empty.update(&comparison, &delivery, today);
    timed("update", from);
    let from = Instant::now();
    let text = baseline.to_text();
    timed(&format!("write {} MB", text.len() / 1_000_000), from);
    let from = Instant::now();
    let baseline = Baseline::parse("baseline", &text)?;
    timed("parse", from);
    let from = Instant::now();
    let comparison = baseline.compare(&delivery, |_, _, _| true, today, Worse::default());
    timed("compare with the same", from);
    eprintln!("{:?}", comparison.counts_of());

    // Bolts alone, without one name that is unique: all of them move.
    for (what, by) in [("all by one vector", 0.0), ("each by another", 0.3)] {
        let place = |i: u32, moved: f64| {
            let at = [i % side, i / side % side, i / side / side];
            let bend = by * f64::from(i.wrapping_mul(2_654_435_761) >> 8) / f64::from(1 << 24);
            Pose::from_translation(at.map(|k| 1.5 * f64::from(k) + moved * (0.2 + bend)))
        };
        let bolts = |moved: f64| -> Result<Vec<PartIdentity>, impinge::Error> {
            let part = |i| Ok(Part::new("bolt", Path::new("a.obj"), Arc::clone(&cube), place(i, moved)?));
            let parts = (0..count).map(part).collect::<Result<Vec<_>, impinge::Error>>()?;
            Ok(PartIdentity::of(&parts, |_, _| PartNames::default()))
        };
        let (old, new) = (bolts(0.0)?, bolts(1.0)?);
        let from = Instant::now();
        let matching = Matching::new(&old, &new);
        let right = matching.matches().iter().filter(|one| one.old == one.new).count();
        timed(&format!("match {count} look-alikes, moved {what}; {right} as they were"), from);
    }
    Ok(())
}
