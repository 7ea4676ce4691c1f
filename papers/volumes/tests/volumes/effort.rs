//! Pins the work of every volume in `effort.txt`. Agreement tests cannot detect a volume that became loose,
//! or a filter that decides nothing.
//!
//! A changed count is not an error by itself: the commit that changes it gives the reason. A failing test
//! writes the complete new text and prints its path and the file to replace. A new volume needs no lines:
//! without any, it is exempt, and the test prints so. With `CI` set no volume is exempt.
use impinge::{Body, Pose, Query, query::Count};
use impinge_testkit::{
    cases::{is_full, share},
    meshes,
    rng::Rng,
    ways::splits,
};
use impinge_volumes::{Kind, Options};
use std::{
    collections::BTreeSet,
    env,
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::Path,
};

/// Share of the lines that an ordinary run checks.
const TURN: usize = 1;

fn effort(options: &Options) -> Count {
    let a = options.build(meshes::icosphere(4)).unwrap();
    let b = options.build(meshes::torus(48, 32, 0.4)).unwrap();
    let (mut rng, mut query) = (Rng::new(2024), Query::new().counting(true));
    for _ in 0..20 {
        let pose = Pose::rigid(rng.rotation(), rng.point(1.2)).unwrap();
        query.pairs(&Body::new(&a, Pose::IDENTITY), &Body::new(&b, pose));
    }
    query.counters().unwrap().count
}

const PINNED: &str = include_str!("effort.txt");

/// The volumes that are compared: with `CI` set all, else those that have lines. Names the others.
fn kinds() -> Vec<Kind> {
    let in_ci = env::var_os("CI").is_some_and(|ci| !ci.is_empty());
    let is_pinned = |kind: &Kind| PINNED.lines().any(|line| line.split(' ').next() == Some(kind.name()));
    let (pinned, new): (Vec<Kind>, Vec<Kind>) = Kind::ALL.iter().partition(|kind| in_ci || is_pinned(kind));
    for kind in new {
        // Written past the test harness, which hides the output of a test that passes.
        writeln!(
            io::stderr().lock(),
            "NOT PINNED: effort.txt has no line of {}; CI=1 IMPINGE_FULL=1 makes them",
            kind.name()
        )
        .unwrap();
    }
    pinned
}

/// A line for each build and query option, or for a share of them.
fn lines() -> String {
    let mut got = String::new();
    let pin = |options: &Options| {
        let c = effort(options);
        let &Options { kind, split, fit, overlap, arity, .. } = options;
        let arity = if arity == 0 { kind.arities()[0] } else { arity };
        writeln!(
            got,
            "{} {split:?} {fit:?} {overlap:?} {arity}: {} volumes, {} placed, {} reached, \
             {} triangles, {} exact",
            kind.name(),
            c.volume_tests,
            c.volume_updates,
            c.leaf_pairs,
            c.triangle_tests,
            c.exact_tests
        )
        .unwrap();
    };
    let mut all = Vec::new();
    for kind in kinds() {
        for &fit in kind.fits() {
            for &overlap in kind.overlaps() {
                let options = Options::new(kind).fit(fit).overlap(overlap);
                all.extend(splits(kind).iter().map(|&split| options.split(split)));
                all.extend(kind.arities()[1..].iter().map(|&arity| options.arity(arity)));
            }
        }
    }
    share(&all, TURN).for_each(pin);
    got
}

#[test]
fn work_done_is_pinned() {
    let got = lines();
    let old: BTreeSet<&str> = share(PINNED.lines(), TURN).collect();
    let new: BTreeSet<&str> = got.lines().collect();
    if old == new && got.lines().count() == new.len() {
        return;
    }
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("effort.new.txt");
    fs::write(&place, &got).unwrap_or_else(|e| panic!("{}: {e}", place.display()));
    let listed = |lines: Vec<&&str>| lines.iter().map(|line| format!("  {line}\n")).collect::<String>();
    panic!(
        "pinned counts that changed:\n{}new counts:\n{}\
         If intended, give the reason in the commit, after{}\n  cp {} {}/tests/volumes/effort.txt\n",
        listed(old.difference(&new).collect()),
        listed(new.difference(&old).collect()),
        if is_full() { "" } else { " a run with IMPINGE_FULL=1, which looks at all lines," },
        place.display(),
        env!("CARGO_MANIFEST_DIR")
    );
}
