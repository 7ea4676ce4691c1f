use super::*;
use crate::report::tests::check_what_verdicts_go_by;

fn frame(hits: u64, seconds: f64) -> Frame {
    Frame { hits, seconds, ..Frame::default() }
}

#[test]
fn two_hundred_bodies_give_a_curve() {
    let mut settings = Settings::new(None, true);
    settings.most_frames = 3;
    let contenders = contenders();
    let many = teapots(&settings.many("teapots-200").unwrap(), &contenders, &mut ()).unwrap();
    let broad = many.broad.as_ref().unwrap();
    assert_eq!(broad.all, 19_900);
    assert!(broad.near.iter().all(|pairs| (10..3000).contains(&pairs.len())));
    for seconds in [&broad.kept, &broad.anew] {
        assert!(seconds.len() == 3 && seconds.iter().all(|time| time.seconds > 0.0), "{seconds:?}");
    }
    // A query of all pairs tests at least one volume of each.
    assert!(many.pairs(ALL_PAIRS).iter().all(|f| f.count.volume_tests >= 19_900));
    let frames = many.whole(RAPID);
    assert!(frames.len() == 3 && frames.iter().all(|f| f.hits > 0));
    let curve = by_hits(&frames);
    assert!(curve.windows(2).all(|two| two[0].0 <= two[1].0) && curve.len() == 3, "{curve:?}");
    let table = summary(&[many]).markdown();
    let names = VOLUMES.iter().map(|(name, _)| *name).chain([ALL_PAIRS]);
    for name in names {
        assert!(table.contains(&format!("| 200 teapots | {name} |")), "{table}");
    }
}

fn same(seconds: f64) -> Timed {
    Timed::new([seconds; 3])
}

/// Two scenes of two frames each, in which all volumes take 1 ms and 2 ms, except for algorithm II, which
/// takes half. The broad phase takes 4 ms and 1 ms, so that whole frames get shorter while pairs get longer.
fn scenes() -> [SceneMeasurement; 2] {
    let run = |name, share: f64| Run {
        name,
        bytes: if name == ONE { 1024 } else { 2048 },
        frames: vec![frame(10, 1e-3 * share), frame(20, 2e-3 * share)],
    };
    let runs = || VOLUMES.map(|(name, _)| run(name, if name == TWO { 0.5 } else { 1.0 }));
    let mut many = Vec::from(runs());
    many.push(run(ALL_PAIRS, 40.0));
    let broad = Broad {
        kept: [4e-3, 1e-3].map(same).into(),
        anew: [8e-3, 2e-3].map(same).into(),
        near: vec![vec![[0, 1]; 7], vec![[0, 1]; 9]],
        all: 30,
    };
    [("two scans", "two", Vec::from(runs()), None), ("200 teapots", "many", many, Some(broad))]
        .map(|(label, file, runs, broad)| SceneMeasurement { label, file, runs, broad })
}

#[test]
fn a_whole_frame_has_the_broad_phase() {
    let [two, many] = scenes();
    let seconds = |frames: Vec<Frame>| frames.iter().map(|f| f.seconds).collect::<Vec<_>>();
    assert_eq!(seconds(two.whole(TWO)), [0.5e-3, 1e-3]);
    assert_eq!(seconds(many.whole(TWO)), [4e-3 + 0.5e-3, 1e-3 + 1e-3]);
    assert_eq!(seconds(many.whole(ALL_PAIRS)), [40e-3, 80e-3]);
    assert_eq!(many.pair_times(TWO, RAPID), 0.5);
    assert!((many.times(TWO, RAPID) - 3.25 / 4.0).abs() < 1e-12);
}

#[test]
fn tables_and_figure_show_whole_frames_and_pairs() {
    let scenes = scenes();
    let table = summary(&scenes).markdown();
    for row in [
        "| two scans | algorithm II | 0.750 | 0.500 |  | 0.750 | 0.500 |",
        "| 200 teapots | algorithm II | 3.25 | 0.812 | 2.50 | 0.750 | 0.500 |",
        "| 200 teapots | OBB, no broad phase | 60.0 | 15.0 | 0 | 60.0 | 40.0 |",
    ] {
        assert!(table.contains(row), "{row}: {table}");
    }
    let csv = |table: &Table| String::from_utf8(table.csv()).unwrap();
    let frames = csv(&by_frame(&scenes[1]));
    let [heads, first, second] = frames.lines().collect::<Vec<_>>()[..] else { panic!("{frames}") };
    let column = |name: &str| {
        let heads = csv::Reader::from_reader(heads.as_bytes()).headers().unwrap().clone();
        let at = heads.iter().position(|head| head == name).unwrap();
        [first, second].map(|line| line.split(',').nth(at).unwrap().parse::<f64>().unwrap())
    };
    assert_eq!(column("pairs of bodies"), [7.0, 9.0]);
    assert_eq!(column("broad phase (ms)"), [4.0, 1.0]);
    assert_eq!(column("fast tree, whole frame (ms)"), [5.0, 3.0]);
    assert_eq!(column("fast tree, pairs only (ms)"), [1.0, 2.0]);
    assert_eq!(csv(&by_frame(&scenes[0])).lines().next().unwrap().matches("(ms)").count(), VOLUMES.len());
    let figure = figure(&scenes);
    let data = csv(&figure.data);
    assert!(
        data.contains("two scans,fast tree,10,1\n") && data.contains("200 teapots,fast tree,10,5\n"),
        "{data}"
    );
    let Panel::Curves { series, .. } = &figure.panels[1] else { panic!("no curves") };
    let fast = series.iter().find(|s| s.name == "fast tree").unwrap();
    assert_eq!(fast.points, [(10.0, 5.0), (20.0, 3.0)]);
}

#[test]
fn claims_are_judged_by_whole_frames() {
    let verdicts = verdicts(&scenes());
    assert!(verdicts.iter().all(|v| v.outcome != Outcome::NotMeasured));
    // Pairs get slower with the number of meeting pairs, whole frames of the teapots faster.
    assert_eq!(verdicts[0].outcome, Outcome::InPart);
    assert!(verdicts[0].measured.contains("200 teapots, fast tree: 0.600 times"), "{}", verdicts[0].measured);
    assert_eq!(
        verdicts[1].measured,
        "Algorithm II over OBB: two scans 0.500, 200 teapots 0.812 (pairs only 0.500)."
    );
    assert_eq!(
        verdicts[2].measured,
        "Algorithm I over OBB without a broad phase: 200 teapots 0.0667; with the same one: two scans 1.00, \
            200 teapots 1.00 (pairs only 1.00)."
    );
    assert_eq!(verdicts[2].outcome, Outcome::Holds);
    assert_eq!(verdicts[4].measured, "Kept over made from scratch: 200 teapots 0.500.");
    for verdict in &verdicts[..4] {
        assert!(verdict.rule.contains("whole frames"), "{}", verdict.rule);
    }
}

#[test]
fn growth_compares_thirds() {
    let frames = [frame(9, 4.0), frame(0, 1.0), frame(5, 2.0), frame(1, 1.0), frame(8, 8.0), frame(4, 2.0)];
    assert_eq!(growth(&frames), 6.0);
}

#[test]
fn verdicts_say_whether_they_go_by_times() {
    let before = verdicts(&scenes());
    let mut scenes = scenes();
    for scene in &mut scenes {
        for (n, frame) in scene.runs.iter_mut().flat_map(|run| &mut run.frames).enumerate() {
            frame.seconds *= 1.0 + (n % 5) as f64;
        }
        if let Some(broad) = &mut scene.broad {
            broad.kept[0].seconds *= 3.0;
        }
    }
    check_what_verdicts_go_by(&before, &verdicts(&scenes));
}
