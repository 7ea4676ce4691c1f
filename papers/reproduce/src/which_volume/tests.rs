use super::{
    measurements::{FAST, WIDE},
    *,
};
use crate::{
    measure::Contender,
    report::{By, Outcome},
    rounds::Timed,
};
use impinge::{Body, Pose, Query};
use impinge_volumes::Options;
use std::{
    env, fs,
    io::{self, Write as _},
    path::Path,
};

fn small() -> Settings<'static> {
    let mut settings = Settings::new(None, true);
    settings.most_frames = 2;
    settings
}

#[test]
fn every_volume_stands_in_figure_and_table() {
    let scenes = measure(&SCENES[3..4], &small(), &mut ()).unwrap();
    let csv = String::from_utf8(figure(&scenes).data.csv()).unwrap();
    // The fast tree in three forms.
    assert_eq!(csv.lines().count(), 1 + Kind::ALL.len() + 2, "{csv}");
    for kind in Kind::ALL {
        assert!(csv.lines().any(|line| line.starts_with(&format!("{},", kind.name()))), "{csv}");
    }
    // Its times are multiples of themselves.
    assert!(csv.contains("\nwide,1,1,1,1,1,1,1,1,1,"), "{csv}");
    assert!(by_scene(&scenes).markdown().contains("| teapots at random | 12,640 | boxtree |"));
    let verdicts = claims::verdicts(&scenes);
    let memory = verdicts.iter().find(|verdict| verdict.claim.contains("least memory")).unwrap();
    assert_eq!((memory.by, memory.outcome), (By::Counts, Outcome::Holds), "{}", memory.measured);
}

#[test]
fn the_scenes_do_not_depend_on_models() {
    // A folder that does not exist is an error for every reader of it.
    let nowhere = Settings::new(Some(Path::new("/nowhere")), true);
    assert!(nowhere.scene(SCENES[3].0).is_err());
    assert!(SCENES.iter().all(|(name, _)| nowhere.generated(name).is_ok()));
}

fn run(name: &'static str, seconds: f64, bytes: usize) -> Run {
    let frame = measure::Frame { seconds, ..measure::Frame::default() };
    Run { name, bytes, frames: vec![frame] }
}

/// Two scenes in which every volume takes 2 and 8 times the fast tree's time, except for one in one scene.
fn synthetic(exception: Option<&str>) -> Vec<VolumeMeasurement> {
    let scene = |label, times: f64, exception: Option<&str>| {
        let runs = || {
            let of = |c: Contender| {
                let is = |name: &str| c.name == name;
                let times = if exception.is_some_and(is) {
                    0.5
                } else if is(WIDE) {
                    1.0
                } else {
                    times
                };
                run(c.name, 1e-3 * times, if is("boxtree") { 600 } else { 1800 })
            };
            contenders().into_iter().map(of).collect()
        };
        let builds = contenders()
            .iter()
            .map(|c| (c.name, Timed::new([if c.name == FAST { 1.0 } else { 3.0 }; 3])))
            .collect();
        VolumeMeasurement { label, triangles: [20, 40], runs: [runs(), runs()], builds }
    };
    vec![scene("near", 2.0, exception), scene("far", 8.0, None)]
}

#[test]
fn a_spread_is_a_geometric_mean_and_two_ends() {
    let scenes = synthetic(None);
    let all = times(&scenes, Cost::All, "aabb");
    assert!((all.middle - 4.0).abs() < 1e-12, "{all:?}");
    assert_eq!([all.least, all.most], [2.0, 8.0]);
    assert!((bytes(&scenes, "boxtree").middle - 10.0).abs() < 1e-12);
    assert!((times(&scenes, Cost::Build, FAST).middle - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!(scenes[0].of(Cost::Build, WIDE), 3.0 / 20.0);
}

#[test]
fn a_volume_that_is_faster_in_one_scene_is_told() {
    let outcomes =
        |exception| claims::verdicts(&synthetic(exception)).iter().map(|v| v.outcome).collect::<Vec<_>>();
    let (holds, part) = (Outcome::Holds, Outcome::InPart);
    assert_eq!(outcomes(None), [holds, holds, holds, Outcome::DoesNotHold, holds]);
    assert_eq!(outcomes(Some("dop18"))[..2], [part, part]);
    let told = claims::verdicts(&synthetic(Some("dop18"))).remove(0).measured;
    assert!(told.contains("near dop18 0.500"), "{told}");
}

/// A tree and a query by `auto` equal those of the options in the table.
#[test]
fn auto_is_what_the_table_says() {
    let scene = small().generated("random-teapot").unwrap();
    let csv = String::from_utf8(choices().csv()).unwrap();
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), Kind::ALL.len());
    for (row, &kind) in rows.iter().zip(Kind::ALL) {
        let auto = Options::new(kind);
        let split = Split::ALL.iter().copied().find(|split| split.name() == &row[1]).unwrap_or_default();
        let overlap = Overlap::ALL.iter().copied().find(|test| test.name() == &row[3]).unwrap_or_default();
        let fit = Fit::ALL.iter().copied().find(|fit| fit.name() == &row[2]).unwrap_or_default();
        let (leaf_size, arity) = (row[4].parse().unwrap(), row[5].parse().unwrap());
        assert!(overlap != Overlap::Auto || kind.overlaps().len() == 1, "{row:?}");
        assert_eq!(split == Split::Auto, kind == Kind::Wide, "{row:?}");
        let told = auto.split(split).fit(fit).overlap(overlap).leaf_size(leaf_size).arity(arity);
        let cost = |options: &Options| {
            let [a, b] = scene.meshes.each_ref().map(|mesh| measure::built(mesh, options));
            let [a, b] = [Body::new(&a, scene.frames[0][0]), Body::new(&b, Pose::IDENTITY)];
            let mut query = Query::new().counting(true);
            assert!(!query.pairs(&a, &b).is_empty(), "{row:?}");
            let count = query.counters().unwrap().count;
            assert!(count.volume_tests > 100, "{row:?}: {count:?}");
            (a.model.stats(), count)
        };
        assert_eq!(cost(&auto), cost(&told), "{row:?}");
        assert_ne!(cost(&auto), cost(&told.leaf_size(leaf_size - 1)), "{row:?}");
    }
}

/// The page shows the table that is made here; `IMPINGE_WRITE=1` writes it. A volume without a row is
/// printed, and exempt unless `CI` is set.
#[test]
fn the_page_says_what_auto_picks() {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/which-volume.md");
    let page = fs::read_to_string(path).unwrap();
    let table = choices().markdown();
    let heading = table.lines().next().unwrap();
    let start = page.find(heading).unwrap_or_else(|| panic!("{path}: no table begins with {heading}"));
    let length: usize =
        page[start..].split_inclusive('\n').take_while(|line| line.starts_with('|')).map(str::len).sum();
    let old = &page[start..start + length];
    if is_set("IMPINGE_WRITE") {
        fs::write(path, page.replace(old, &table)).unwrap();
        return;
    }
    let has_row = |name: &str| old.lines().any(|line| line.starts_with(&format!("| {name} |")));
    let is_new = |line: &str| {
        let mut kinds = Kind::ALL.iter();
        kinds.any(|kind| line.starts_with(&format!("| {} |", kind.name())) && !has_row(kind.name()))
    };
    let (new, expected): (Vec<&str>, Vec<&str>) =
        table.lines().partition(|line| !is_set("CI") && is_new(line));
    for line in new {
        // Written past the test harness, which hides the output of a test that passes.
        writeln!(io::stderr().lock(), "NOT LISTED: papers/docs/which-volume.md has no row {line}").unwrap();
    }
    assert_eq!(old.lines().collect::<Vec<_>>(), expected, "IMPINGE_WRITE=1 writes {path}");
}
