//! Deliveries of generated assemblies: the status of every finding equals that of a model.
mod assembly;
mod model;

use self::{assembly::World, model::Model};
use impinge_check::{
    Date,
    baseline::{Baseline, Delivery, FindingId, Note, Outcome, Status, Worse},
    identity::MatchReason,
};
use impinge_demo::rng::Rng;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Number of assemblies; `IMPINGE_DELIVERIES` sets another one.
fn trials() -> u64 {
    let asked = std::env::var("IMPINGE_DELIVERIES").ok();
    asked.map_or(300, |n| n.parse().expect("IMPINGE_DELIVERIES is a number"))
}

/// The outcomes of a comparison, without the order of parts and findings.
fn stated(
    baseline: &Baseline,
    delivery: &Delivery,
    origin: &[u64],
    day: Date,
    examined: &dyn Fn(u64, u64) -> bool,
) -> (BTreeMap<FindingId, (Outcome, [u64; 2])>, Baseline) {
    let is_examined =
        |_: &str, parts: &[u32], _: &str| examined(origin[parts[0] as usize], origin[parts[1] as usize]);
    let comparison = baseline.compare(delivery, is_examined, day, Worse::default());
    let mut all = BTreeMap::new();
    for (i, (seen, observed)) in comparison.seen().iter().zip(&delivery.findings).enumerate() {
        let mut pair = [0, 1].map(|k| origin[observed.parts.as_slice()[k] as usize]);
        pair.sort_unstable();
        assert_eq!(comparison.counts(i), matches!(seen.status, Status::New | Status::Reopened));
        assert!(all.insert(seen.id, (Outcome::Seen(seen.status), pair)).is_none(), "an id is there twice");
    }
    for gone in comparison.gone() {
        assert!(all.insert(gone.id, (Outcome::Gone(gone.fate), [0; 2])).is_none(), "an id is there twice");
    }
    let updated = baseline.update(&comparison, delivery, day);
    (all, updated)
}

fn round_trip(baseline: Baseline) -> Baseline {
    let text = baseline.to_text();
    let read = Baseline::parse("b", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read, baseline, "{text}");
    assert_eq!(read.to_text(), text);
    read
}

fn trial(index: u64, words: &mut HashSet<String>) {
    let mut rng = Rng::for_case(36, index);
    let mut world = World::new(&mut rng);
    let mut model = Model::default();
    let mut baseline = Baseline::new();
    let mut ids: HashMap<[u64; 2], FindingId> = HashMap::new();
    for step in 0..4 {
        if step > 0 {
            world.edit(&mut rng);
        }
        let day = Date::from_days(20_000 + 7 * step);
        let (delivery, origin) = world.deliver(&mut rng);
        let salt = rng.next_u64();
        // Some pairs without a finding were not examined.
        let examined = |a: u64, b: u64| !(a.wrapping_mul(31) ^ b.wrapping_mul(31) ^ salt).is_multiple_of(8);
        let (all, updated) = stated(&baseline, &delivery, &origin, day, &examined);

        let expected = model.step(&delivery, &origin, day, &examined);
        let mut found = HashMap::new();
        for (id, (outcome, pair)) in &all {
            let pair = match outcome {
                Outcome::Seen(_) => *pair,
                Outcome::Gone(_) => *ids.iter().find(|(_, known)| *known == id).expect("a known id").0,
            };
            assert_eq!(*ids.entry(pair).or_insert(*id), *id, "trial {index}: the id of a pair changed");
            found.insert(pair, *outcome);
        }
        for (pair, outcome) in &expected {
            assert_eq!(
                found.get(pair),
                Some(outcome),
                "trial {index}, step {step}, parts {pair:?}: {}",
                world.describe(pair)
            );
        }
        assert_eq!(found.len(), expected.len(), "trial {index}");

        // The order of parts and findings changes nothing, not a byte of the file.
        let (shuffled, places) = world.shuffled(&delivery, &mut rng);
        let origin: Vec<u64> = places.iter().map(|&i| origin[i]).collect();
        let (again, same) = stated(&baseline, &shuffled, &origin, day, &examined);
        assert_eq!(again, all, "trial {index}");
        assert_eq!(same.to_text(), updated.to_text(), "trial {index}");

        words.extend(all.values().map(|(outcome, _)| format!("{outcome:?}")));
        let comparison = baseline.compare(&delivery, |_, _, _| true, day, Worse::default());
        words.extend(comparison.seen().iter().filter_map(|seen| Some(format!("{:?}", seen.why?))));
        words.extend(comparison.matching().matches().iter().map(|one| one.reason.name().to_owned()));

        baseline = round_trip(updated);
        // The same delivery once more has no new or reopened findings.
        let counts = baseline.compare(&delivery, |_, _, _| true, day, Worse::default()).counts_of();
        assert_eq!((counts.new, counts.reopened), (0, 0), "trial {index}");

        baseline = decide(baseline, &mut model, &ids, day, &mut rng);
        if rng.one_in(4) {
            baseline = round_trip(baseline.prune());
            model.prune(&mut ids);
        }
    }
}

fn decide(
    mut baseline: Baseline,
    model: &mut Model,
    ids: &HashMap<[u64; 2], FindingId>,
    day: Date,
    rng: &mut Rng,
) -> Baseline {
    let mut pairs: Vec<_> = ids.iter().collect();
    pairs.sort_unstable();
    for (pair, id) in pairs {
        if !rng.one_in(4) || model.is_resolved(pair) {
            continue;
        }
        let until = rng.one_in(2).then(|| Date::from_days(20_000 + rng.int(0, 30)));
        let note = Note { reason: "as designed".into(), by: "ann".into(), date: day, until };
        let status = if rng.one_in(3) { Status::Reviewed } else { Status::Approved };
        let decided = if status == Status::Reviewed {
            baseline.review(&[*id], &note)
        } else {
            baseline.approve(&[*id], &note)
        };
        baseline = decided.unwrap();
        model.decide(pair, status, until);
        assert_eq!(baseline.finding(*id).unwrap().status(), status);
    }
    round_trip(baseline)
}

#[test]
fn every_status_is_that_of_the_generator() {
    let mut seen = HashSet::new();
    (0..trials()).for_each(|index| trial(index, &mut seen));
    // The generator causes every outcome of a comparison.
    for word in ["New", "Reopened", "Active", "Reviewed", "Approved"] {
        assert!(seen.contains(&format!("Seen({word})")), "{word}: {seen:?}");
    }
    for word in ["Resolved", "StillResolved", "PartMissing", "NotExamined"] {
        assert!(seen.contains(&format!("Gone({word})")), "{word}: {seen:?}");
    }
    for why in ["CameBack", "Expired", "Graver", "Grew"] {
        // A few trials in a thousand make a relation graver without a decision that expired.
        let is_rare = why == "Graver" && trials() < 3000;
        assert!(seen.contains(why) || is_rare, "{why}: {seen:?}");
    }
    for reason in MatchReason::ALL {
        // Parts with other triangles have a test of their own.
        assert!(seen.contains(reason.name()) || reason == MatchReason::AlikeAndPlace, "{reason:?}: {seen:?}");
    }
}
