//! Tests of imported topics.
use super::{
    Baseline, DecisionKind, Delivery, ImportedTopic, Measures, Observed, ObservedParts, Status, TopicComment,
    Worse,
};
use crate::{
    Date,
    identity::{PartIdentity, PartNames},
    values::Guid,
};
use impinge::{Mesh, Pose};
use impinge_io::Part;
use std::path::Path;

fn day(days: i64) -> Date {
    Date::from_days(20_000 + days)
}

fn baseline() -> Baseline {
    let part =
        |name: &str| Part::new(name, Path::new("a.obj"), Mesh::cuboid([1.0; 3]).unwrap(), Pose::IDENTITY);
    let measures =
        || Measures { relation: "overlap".into(), volume: Some([1.0; 2]), depth: None, distance: None };
    let one = |a, b| Observed { test: "check".into(), parts: ObservedParts::two(a, b), measures: measures() };
    let delivery = Delivery {
        parts: PartIdentity::of(&["a", "b", "c"].map(part), |_, _| PartNames::default()),
        findings: vec![one(0, 1), one(1, 2), one(0, 2)],
        contacts: Vec::new(),
        unit: None,
    };
    let comparison = Baseline::new().compare(&delivery, |_, _, _| true, day(0), Worse::default());
    Baseline::new().update(&comparison, &delivery, day(0))
}

fn topic(baseline: &Baseline, i: usize, status: &str, date: Date) -> ImportedTopic {
    ImportedTopic {
        guid: baseline.findings()[i].id.topic_guid(),
        members: Vec::new(),
        status: Some(status.into()),
        by: "bob".into(),
        date,
        comments: Vec::new(),
    }
}

fn statuses(baseline: &Baseline) -> Vec<Status> {
    baseline.findings().iter().map(|finding| finding.status()).collect()
}

#[test]
fn statuses_are_decisions() {
    let before = baseline();
    let ids: Vec<_> = before.findings().iter().map(|finding| finding.id).collect();
    let comment = |text: &str, guid: &str| TopicComment {
        date: "2027-03-01T00:00:00Z".into(),
        by: "ann".into(),
        text: text.into(),
        guid: Guid::of("test", guid),
    };
    let mut closed = topic(&before, 0, "Gesloten", day(3));
    closed.members = vec![ids[1]];
    closed.comments = vec![comment("as planned", "1"), comment("", "2")];
    closed.comments[1].guid = ids[0].own_comment_guid();
    let unknown = topic(&before, 2, "MULTICOM", day(3));
    let mut foreign = topic(&before, 0, "Closed", day(3));
    foreign.guid = Guid::of("other", "topic");
    let (next, outcomes) = before.import(&[closed.clone(), unknown, foreign]);
    assert_eq!(statuses(&next), [Status::Approved, Status::Approved, Status::New]);
    assert_eq!((outcomes[0].decided, outcomes[0].comments, outcomes[0].finding), (2, 1, Some(ids[0])));
    assert!(outcomes[1].is_status_unknown && outcomes[1].decided == 0);
    assert_eq!(outcomes[2].finding, None);
    let decision = next.findings()[0].decision.as_ref().unwrap();
    assert_eq!((&*decision.reason, &*decision.by, decision.date), ("as planned", "ann", day(3)));
    assert_eq!(next.findings()[2].topic.as_ref().unwrap().status.as_deref(), Some("MULTICOM"));
    // The file has all of it, and a second import changes nothing.
    assert_eq!(Baseline::parse("b", &next.to_text()).unwrap(), next);
    assert_eq!(next.import(&[closed.clone()]).0, next);
    // An edited comment replaces the earlier one.
    closed.comments[0].text = "as agreed".into();
    let (edited, outcomes) = next.import(&[closed]);
    assert_eq!(outcomes[0].comments, 1);
    let kept = &edited.findings()[0].topic.as_ref().unwrap().comments;
    assert_eq!(kept.iter().map(|one| &*one.text).collect::<Vec<_>>(), ["as agreed"]);
}

#[test]
fn what_is_newer_stays() {
    let before = baseline();
    let (closed, _) = before.import(&[topic(&before, 0, "Closed", day(5))]);
    // A topic of an earlier day withdraws nothing, and one of a later day does; `Open` never does.
    for (word, date, status, outdated) in [
        ("ReOpened", 4, Status::Approved, 1),
        ("ReOpened", 5, Status::Reopened, 0),
        ("In Progress", 4, Status::Approved, 1),
        ("In Progress", 6, Status::Reviewed, 0),
        ("Open", 6, Status::Approved, 0),
        ("Resolved", 6, Status::Approved, 0),
    ] {
        let (next, outcomes) = closed.import(&[topic(&closed, 0, word, day(date))]);
        assert_eq!((statuses(&next)[0], outcomes[0].outdated), (status, outdated), "{word} {date}");
    }
    // A decision that lapsed is not renewed by the file that made it.
    let (reopened, _) = closed.import(&[topic(&closed, 0, "ReOpened", day(7))]);
    assert_eq!(statuses(&reopened.import(&[topic(&closed, 0, "Closed", day(6))]).0)[0], Status::Reopened);
    let (again, _) = reopened.import(&[topic(&closed, 0, "Closed", day(8))]);
    assert_eq!(again.findings()[0].decision.as_ref().unwrap().kind, DecisionKind::Approved);
    assert_eq!(statuses(&again)[0], Status::Approved);
}

#[test]
fn broken_lines_of_topics_are_errors() {
    let before = baseline();
    let (next, _) = before.import(&[topic(&before, 0, "Open", day(1))]);
    let (text, id) = (next.to_text(), next.findings()[0].id);
    let guid = Guid::of("a", "b");
    let comment = format!(r#"{{"comment":"{id}","guid":"{guid}","date":"d","by":"b","text":"t"}}"#);
    let line = format!(r#"{{"topic":"{id}","status":"Open"}}"#);
    assert!(text.contains(&line));
    for (lines, why) in [
        (format!("{line}\n{line}"), "has two topics"),
        (format!("{line}\n{comment}\n{comment}"), "is there twice"),
        (comment.clone(), "no line has the topic"),
        (line.replace(&id.to_string(), "0000000000000000"), "no line has the finding 0000000000000000"),
        (format!("{line}\n{}", comment.replace(&guid.to_string(), "x")), "'x' is no GUID"),
    ] {
        let error = Baseline::parse("b", &text.replace(&line, &lines)).unwrap_err().to_string();
        assert!(error.contains(why) && error.starts_with("b:"), "{error}");
    }
}

/// Import of many comments. A BCF file of half a megabyte can have 80,000 comments on one topic, or as many
/// topics with one GUID.
#[test]
fn many_comments_take_time_that_is_linear() {
    let before = baseline();
    let comment = |i: u32| TopicComment {
        date: format!("2027-03-01T12:00:{:02}Z", i % 60).into(),
        by: "reviewer".into(),
        text: format!("comment {}", i % 100_000).into(),
        guid: Guid::of("comment", &(i % 100_000).to_string()),
    };
    let mut one = topic(&before, 0, "Open", day(1));
    // Each GUID occurs twice.
    one.comments = (0..200_000).map(comment).collect();
    let mut topics = vec![one];
    topics.extend((100_000..200_000).map(|i| {
        let mut topic = topic(&before, 1, "Open", day(1));
        topic.comments = vec![comment(i)];
        topic
    }));
    let from = std::time::Instant::now();
    let (after, outcomes) = before.import(&topics);
    assert!(from.elapsed().as_secs() < 20, "{:?}", from.elapsed());
    // The second comment with a GUID differs from the first in its date.
    assert_eq!(outcomes[0].comments, 200_000);
    assert_eq!(outcomes[1..].iter().map(|outcome| outcome.comments).sum::<u64>(), 100_000);
    for id in [topics[0].guid, topics[1].guid] {
        let finding = after.findings.iter().find(|finding| finding.id.topic_guid() == id).unwrap();
        let comments = &finding.topic.as_ref().unwrap().comments;
        assert_eq!(comments.len(), 100_000);
        assert!(comments.is_sorted());
    }
}
