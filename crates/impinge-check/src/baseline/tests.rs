//! Tests of the baseline's file.
use super::{
    Baseline, Delivery, FindingId, Measures, Note, Observed, ObservedContact, ObservedParts,
    SelectedRelation, Selection, Status, Worse,
};
use crate::{
    Date,
    identity::{PartIdentity, PartNames},
};
use impinge::{Mesh, Pose};
use impinge_io::{Part, Unit};
use std::path::Path;

fn today() -> Date {
    Date::from_days(20_000)
}

fn measures(relation: &str, volume: f64) -> Measures {
    Measures { relation: relation.into(), volume: Some([volume; 2]), depth: None, distance: None }
}

fn delivery() -> Delivery {
    let part = |name: &str, x: f64| {
        let pose = Pose::from_translation([x, 0.0, 0.0]).unwrap();
        Part::new(name, Path::new("in/a.obj"), Mesh::cuboid([1.0; 3]).unwrap(), pose)
    };
    let parts = [part("wall", 0.0), part("pipe \"é\"\n", 0.5), part("bolt", 5.0), part("bolt", 7.0)];
    let one = |parts, relation: &str, volume| Observed {
        test: "check".into(),
        parts,
        measures: measures(relation, volume),
    };
    Delivery {
        parts: PartIdentity::of(&parts, |_, _| PartNames::default()),
        findings: vec![
            one(ObservedParts::two(0, 1), "inside", 0.5),
            one(ObservedParts::two(3, 0), "overlap", 0.25),
            one(ObservedParts::one(2), "self", 1.0),
            one(ObservedParts::one(2), "floating", 1.0),
        ],
        contacts: vec![
            ObservedContact { test: "stands".into(), parts: [1, 3] },
            ObservedContact { test: "stands".into(), parts: [0, 1] },
        ],
        unit: None,
    }
}

fn baseline() -> Baseline {
    let (empty, delivery) = (Baseline::new(), delivery());
    let comparison = empty.compare(&delivery, |_, _, _| true, today(), Worse::default());
    empty.update(&comparison, &delivery, today())
}

#[test]
fn a_file_is_read_as_it_was_written() {
    let baseline = baseline();
    assert_eq!((baseline.findings().len(), baseline.contacts().len()), (4, 2));
    let note = Note {
        reason: "line\nbreak".into(),
        by: "ann".into(),
        date: today(),
        until: Some(Date::from_days(20_010)),
    };
    let ids: Vec<FindingId> = baseline.findings().iter().map(|finding| finding.id).collect();
    let decided = baseline.approve(&ids[..1], &note).unwrap().review(&ids[1..2], &note).unwrap();
    for baseline in [baseline, decided] {
        let text = baseline.to_text();
        assert_eq!(Baseline::parse("b", &text).unwrap(), baseline);
        // Line ends of Windows, and lines in another order.
        assert_eq!(Baseline::parse("b", &text.replace('\n', "\r\n")).unwrap(), baseline);
        let (first, rest) = text.split_once('\n').unwrap();
        let reversed: Vec<&str> = rest.lines().rev().collect();
        let reversed = Baseline::parse("b", &format!("{first}\n{}\n", reversed.join("\n"))).unwrap();
        assert_eq!(reversed.to_text(), text);
        let ids: Vec<FindingId> = reversed.findings().iter().map(|finding| finding.id).collect();
        assert!(ids.is_sorted());
    }
}

/// The file keeps groups, with the least id as their name. Findings that a delivery does not have keep their
/// group.
#[test]
fn groups_are_of_the_last_delivery() {
    let baseline = baseline();
    assert!(
        !baseline.has_groups()
            && baseline.to_text().starts_with("{\"impinge_baseline\":3,\"groups\":false}\n")
    );
    let ids: Vec<FindingId> = baseline.findings().iter().map(|finding| finding.id).collect();
    let group = |baseline: &Baseline, i: usize| baseline.group_of(baseline.finding(ids[i]).unwrap());
    let grouped = baseline.with_groups([vec![ids[3], ids[1]], vec![ids[0]]]);
    assert_eq!([0, 1, 2, 3].map(|i| group(&grouped, i)), [ids[0], ids[1], ids[2], ids[1]]);
    let text = grouped.to_text();
    assert!(text.starts_with("{\"impinge_baseline\":3}\n"));
    assert_eq!(text.matches("\"group\":").count(), 2);
    assert_eq!(Baseline::parse("b", &text).unwrap(), grouped);
    let wrong = text.replacen(&format!("\"group\":\"{}", ids[1]), "\"group\":\"x", 1);
    assert!(Baseline::parse("b", &wrong).unwrap_err().to_string().contains("16 hexadecimal digits"));
    let later = grouped.clone().with_groups([vec![ids[1], ids[2]]]);
    assert_eq!([0, 1, 2, 3].map(|i| group(&later, i)), [ids[0], ids[1], ids[1], ids[1]]);
    // A delivery without groups does not change them.
    let delivery = delivery();
    let comparison = grouped.compare(&delivery, |_, _, _| true, today(), Worse::default());
    let next = grouped.update(&comparison, &delivery, today());
    assert!(next.has_groups() && [1, 3].map(|i| group(&next, i)) == [ids[1]; 2]);
}

#[test]
fn a_wrong_file_gives_one_error_with_its_line() {
    let text = baseline().to_text();
    let lines: Vec<&str> = text.lines().collect();
    let with = |line: usize, to: &str| {
        let mut lines = lines.clone();
        lines[line - 1] = to;
        lines.join("\n")
    };
    let replaced = |line: usize, from: &str, to: &str| {
        assert!(lines[line - 1].contains(from), "{}", lines[line - 1]);
        with(line, &lines[line - 1].replace(from, to))
    };
    let twice = format!("{text}{}", lines[1]);
    let id = &lines[1][7..23];
    let decision = |id: &str, status: &str| {
        format!(
            "{text}{{\"decision\":\"{id}\",\"status\":\"{status}\",\"reason\":\"\",\"by\":\"\",\
             \"date\":\"2024-01-01\",\"accepted\":{{\"relation\":\"overlap\"}}}}\n"
        )
    };
    let last = lines.len();
    for (text, start, why) in [
        (String::new(), "b:1: ", "not a baseline"),
        ("PK\x03\x04".to_owned(), "b:1: ", "not a baseline"),
        ("{}".to_owned(), "b:1: column 2: ", "missing field"),
        (with(1, "{\"impinge_baseline\":4}"), "b:1: ", "version 4 of the format is not supported"),
        (with(1, "{\"impinge_baseline\":-1}"), "b:1: ", "invalid value"),
        (with(2, "<<<<<<< HEAD"), "b:2: ", "merge conflict"),
        (with(3, ""), "b:3: ", "not a line of a baseline"),
        (with(3, "{\"ident\":1}"), "b:3: ", "not a line of a baseline"),
        (with(2, &lines[1][..40]), "b:2: column 40: ", "EOF"),
        (replaced(2, "\"id\":\"", "\"id\":\"é"), "b:2: ", "16 hexadecimal digits"),
        (replaced(2, "\"new\"", "\"old\""), "b:2: ", "unknown status 'old'"),
        (replaced(2, "\"new\"", "\"approved\""), "b:2: ", "unknown status 'approved'"),
        (replaced(2, "\"first\":\"2024-", "\"first\":\"2024-1"), "b:2: ", "not a date"),
        (replaced(2, "\"parts\":[", "\"parts\":[\"name:none\",\"x\",\"y\","), "b:2: ", "one part or two"),
        (replaced(2, "\"relation\":", "\"colour\":1,\"relation\":"), "b:2: column ", "unknown field"),
        (replaced(2, "\"volume\":", "\"volume\":1e999,\"volume\":"), "b:2: column ", ""),
        (replaced(last, "\"name\":", "\"names\":"), &format!("b:{last}: column "), "unknown field"),
        (replaced(last, "\"key\":", "\"guid\":"), "b:", "no line has the part 'name:wall@a.obj'"),
        (replaced(last, "\"hash\":\"", "\"hash\":\"0"), &format!("b:{last}: "), "16 hexadecimal digits"),
        (format!("{text}{}\n", lines[last - 1]), &format!("b:{}: ", last + 1), "is there twice"),
        (twice, &format!("b:{}: ", last + 1), "is there twice"),
        (decision("0123456789abcdef", "approved"), &format!("b:{}: ", last + 1), "no line has the finding"),
        (decision(id, "new"), &format!("b:{}: ", last + 1), "unknown status 'new' of a decision"),
        (decision(id, "approved") + decision(id, "approved").lines().last().unwrap(), "b:", "two decisions"),
    ] {
        let error = Baseline::parse("b", &text).expect_err(&text).to_string();
        assert!(error.starts_with(start) && error.contains(why), "{error}\nexpected {start} {why}");
        assert!(!error.contains('\n'), "{error}");
    }
    // Deep nesting, and every prefix and change of a byte, give an error or a baseline, but no panic.
    assert!(Baseline::parse("b", &format!("{}\n{{\"id\":{}", lines[0], "[".repeat(100_000))).is_err());
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        let _ = Baseline::parse("b", &text[..end]);
    }
    for i in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        for byte in [b'0', b'"', b'}', b'-', b'\n'] {
            bytes[i] = byte;
            let _ = Baseline::parse("b", &String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn selections_and_prefixes() {
    let baseline = baseline();
    let count = |selection: Selection| baseline.select(&selection).count();
    assert_eq!(count(Selection::default()), 4);
    assert_eq!(count(Selection { part: Some("w?ll".parse().unwrap()), ..Selection::default() }), 2);
    assert_eq!(count(Selection { part: Some("bolt".parse().unwrap()), ..Selection::default() }), 3);
    assert_eq!(count(Selection { part: Some("place:*".parse().unwrap()), ..Selection::default() }), 3);
    assert_eq!(count(Selection { test: Some("check".to_owned()), ..Selection::default() }), 4);
    assert_eq!(count(Selection { test: Some("c*".to_owned()), ..Selection::default() }), 0);
    assert_eq!(count(Selection { statuses: vec![Status::New], ..Selection::default() }), 4);
    let most = |volume| Selection { max_volume: Some(volume), ..Selection::default() };
    assert_eq!([0.2, 0.25, 0.5, 1.0].map(|volume| count(most(volume))), [0, 1, 2, 4]);
    let between = |a: &str, b: &str| {
        let between = Some([a.parse().unwrap(), b.parse().unwrap()]);
        count(Selection { between, ..Selection::default() })
    };
    // `between` excludes findings about one part.
    assert_eq!([between("bolt", "w*"), between("w*", "bolt"), between("bolt", "bolt")], [1, 1, 0]);
    let of = |word: &str| SelectedRelation::ALL.into_iter().filter(|one| one.word() == word).collect();
    let relation = |word: &str| count(Selection { relations: of(word), ..Selection::default() });
    assert_eq!(["inside", "overlap", "self", "duplicate"].map(relation), [1, 1, 1, 0]);
    let overlap_and_bolt =
        Selection { part: Some("bolt".parse().unwrap()), relations: of("self"), ..most(0.5) };
    assert_eq!(count(overlap_and_bolt), 0);
    assert_eq!(count(Selection { statuses: vec![Status::Active], ..Selection::default() }), 0);
    let id = baseline.findings()[0].id;
    assert_eq!(count(Selection { ids: vec![id], ..Selection::default() }), 1);
    assert_eq!(baseline.find(&id.to_string()).unwrap(), id);
    assert!(baseline.find("").unwrap_err().to_string().contains("4 ids begin with"));
    assert!(baseline.find("xyz").unwrap_err().to_string().contains("no finding has an id that begins"));
}

/// The first line keeps the unit that a delivery stated.
#[test]
fn a_baseline_has_the_unit_of_its_sizes() {
    let with = |unit| Delivery { unit, ..delivery() };
    let update = |baseline: &Baseline, delivery: &Delivery| {
        baseline.update(
            &baseline.compare(delivery, |_, _, _| true, today(), Worse::default()),
            delivery,
            today(),
        )
    };
    let first = update(&Baseline::new(), &with(Some(Unit::Millimetre)));
    assert_eq!(first.unit(), Some(Unit::Millimetre));
    assert!(first.to_text().starts_with("{\"impinge_baseline\":3,\"unit\":\"mm\",\"groups\":false}\n"));
    assert_eq!(Baseline::parse("b", &first.to_text()).unwrap(), first);
    assert_eq!(update(&first, &with(None)).unit(), Some(Unit::Millimetre));
    let wrong = first.to_text().replacen("\"mm\"", "\"ell\"", 1);
    assert!(Baseline::parse("b", &wrong).unwrap_err().to_string().starts_with("b:1: unit 'ell': not a unit"));
}

/// Files of versions 1 and 2 have other names of relations.
#[test]
fn earlier_names_of_relations_are_read() {
    let text = baseline().to_text();
    let earlier = text
        .replace("\"inside\"", "\"a_in_b\"")
        .replace("\"contains\"", "\"b_in_a\"")
        .replace("{\"impinge_baseline\":3,\"groups\":false}", "{\"impinge_baseline\":1}");
    assert!(earlier.contains("_in_") && !earlier.contains("groups"));
    assert_eq!(Baseline::parse("b", &earlier).unwrap(), baseline());
}

#[test]
fn what_is_worse() {
    let of = |relation: &str, volume: f64, depth: f64, distance: f64| Measures {
        relation: relation.into(),
        volume: Some([volume; 2]),
        depth: Some([depth; 2]),
        distance: Some([distance; 2]),
    };
    let before = of("overlap", 1.0, 1.0, 1.0);
    let worse = Worse { relative: 0.1, length: 0.2, volume: 0.3 };
    for (now, is) in [
        (of("overlap", 1.29, 1.19, 0.81), false),
        (of("overlap", 1.31, 1.0, 1.0), true),
        (of("overlap", 1.0, 1.21, 1.0), true),
        (of("overlap", 1.0, 1.0, 0.79), true),
        (of("overlap", 0.1, 0.1, 9.0), false),
        (of("inside", 0.1, 0.1, 9.0), true),
        (of("pierce", 1.0, 1.0, 1.0), false),
        (of("touch", 1.0, 1.0, 1.0), false),
    ] {
        assert_eq!(now.is_worse_than(&before, &worse), is, "{now:?}");
    }
    let order = ["near", "touch", "meet", "overlap", "contains", "duplicate"];
    for (i, a) in order.iter().enumerate() {
        for (j, b) in order.iter().enumerate() {
            assert_eq!(measures(a, 1.0).is_graver_than(&measures(b, 1.0)), i > j, "{a} {b}");
        }
    }
    assert!(!measures("self", 1.0).is_graver_than(&measures("near", 1.0)));
}

/// Bounds that overlap prove no growth, however far the upper ones are apart.
#[test]
fn only_proved_growth_is_worse() {
    let of = |volume, depth, distance| Measures {
        relation: "overlap".into(),
        volume: Some(volume),
        depth: Some(depth),
        distance: Some(distance),
    };
    let before = of([0.0, 1.0], [0.5, 1.0], [4.0, 5.0]);
    for (now, is) in [
        (of([0.0, 9.0], [0.0, 9.0], [0.0, 9.0]), false),
        (of([1.09, 9.0], [1.09, 9.0], [0.0, 3.61]), false),
        (of([1.11, 9.0], [0.0, 9.0], [0.0, 9.0]), true),
        (of([0.0, 9.0], [1.11, 9.0], [0.0, 9.0]), true),
        (of([0.0, 9.0], [0.0, 9.0], [0.0, 3.59]), true),
    ] {
        assert_eq!(now.is_worse_than(&before, &Worse::default()), is, "{now:?}");
    }
    let least = before.least(&of([0.5, 0.9], [0.0, 2.0], [4.5, 4.6]));
    assert_eq!(least, of([0.5, 0.9], [0.5, 1.0], [4.5, 4.6]));
}

#[test]
fn bounds_are_read_as_they_were_written() {
    let mut delivery = delivery();
    delivery.findings[1].measures = Measures {
        relation: "overlap".into(),
        volume: Some([0.0, 1e-12]),
        depth: Some([0.1, 0.1]),
        distance: Some([2.0, 2.5]),
    };
    let comparison = Baseline::new().compare(&delivery, |_, _, _| true, today(), Worse::default());
    let text = Baseline::new().update(&comparison, &delivery, today()).to_text();
    let bounds =
        "\"volume\":1e-12,\"depth\":0.1,\"distance\":2.5,\"volume_at_least\":0.0,\"distance_at_least\":2.0";
    assert!(text.contains(bounds), "{text}");
    let read = Baseline::parse("b", &text).unwrap();
    assert!(read.findings().iter().any(|finding| finding.measures == delivery.findings[1].measures));
    assert_eq!(read.to_text(), text);
    for wrong in ["\"volume_at_least\":2.0", "\"volume_at_least\":1e999"] {
        let wrong = text.replace("\"volume_at_least\":0.0", wrong);
        assert!(Baseline::parse("b", &wrong).is_err());
    }
}

#[test]
fn small_growth_does_not_add_up_unseen() {
    let (mut baseline, mut delivery) = (baseline(), delivery());
    let mut reopened = 0;
    for _ in 0..8 {
        delivery.findings[1].measures.volume =
            delivery.findings[1].measures.volume.map(|bounds| bounds.map(|x| x * 1.05));
        let comparison = baseline.compare(&delivery, |_, _, _| true, today(), Worse::default());
        reopened += comparison.counts_of().reopened;
        baseline = baseline.update(&comparison, &delivery, today());
    }
    // 1.05 squared is more than 1.1.
    assert_eq!(reopened, 4);
}

#[test]
fn one_baseline_is_compared_with_another() {
    let (old, mut delivery) = (baseline(), delivery());
    delivery.findings.remove(0);
    delivery.findings[0].measures.relation = "duplicate".into();
    let comparison = old.compare(&delivery, |_, parts, _| parts != [2], today(), Worse::default());
    let new = old.update(&comparison, &delivery, today());
    let between = old.diff(&new, today(), Worse::default()).counts_of();
    let counts = (between.new, between.reopened, between.active, between.resolved);
    assert_eq!(counts, (0, 1, 2, 1));
    // In the other direction, the resolved finding is back.
    let back = new.diff(&old, today(), Worse::default()).counts_of();
    assert_eq!((back.reopened, back.resolved, back.active), (1, 0, 3));
    assert_eq!(old.diff(&old, today(), Worse::default()).counts_of().active, 4);
}
