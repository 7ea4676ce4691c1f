//! Clashes that a tolerance makes shallow: the same for every way to state it, and no fewer with a larger
//! one.
use impinge::{Body, Mesh, Model, Pose, Query};
use impinge_check::{Assembly, Check, Date, Part, Report, Rules, Watch, records::DepthOf};
use impinge_demo::rng::Rng;
use impinge_testkit::{
    cases::is_full,
    polycubes::{Polycube, Roughness, Style, pair_of},
};
use std::{path::Path, sync::Arc};

type Point = [f64; 3];

/// A plate with a square hole: 40 x 40 x 20, from z = 0, about the origin.
fn plate(hole: f64) -> Mesh {
    let ring = |half: f64, z: f64| [[-half, -half, z], [half, -half, z], [half, half, z], [-half, half, z]];
    let points = [ring(20.0, 0.0), ring(hole, 0.0), ring(20.0, 20.0), ring(hole, 20.0)].concat();
    let mut triangles = Vec::new();
    for k in 0..4 {
        let l = (k + 1) % 4;
        // Outer and inner corners below, then those above.
        for [a, b, c, d] in [
            [l, k, 4 + k, 4 + l],
            [8 + k, 8 + l, 12 + l, 12 + k],
            [k, l, 8 + l, 8 + k],
            [4 + l, 4 + k, 12 + k, 12 + l],
        ] {
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Mesh::new(points, triangles).unwrap()
}

fn part(name: &str, mesh: Mesh, pose: Pose) -> Part {
    Part::new(name.to_owned(), Path::new("a.obj"), mesh, pose)
}

fn cuboid([lo, hi]: [Point; 2]) -> Mesh {
    let mesh = Mesh::cuboid([1.0; 3]).unwrap();
    let points = mesh.points().iter().map(|p| [0, 1, 2].map(|k| if p[k] < 0.0 { lo[k] } else { hi[k] }));
    Mesh::new(points.collect(), mesh.triangles().to_vec()).unwrap()
}

/// A peg in the hole of [`plate`], at these depths in two of its walls.
fn peg(into: [f64; 2]) -> Mesh {
    let lo = [-4.75 + into[0], -4.75 + into[1], 5.0];
    cuboid([lo, [5.25 + into[0], 5.25 + into[1], 15.0]])
}

fn assembly_of(parts: impl IntoIterator<Item = Part>) -> Arc<Assembly> {
    let mut assembly = Assembly::new();
    parts.into_iter().for_each(|part| {
        assembly.push(part);
    });
    Arc::new(assembly)
}

fn run(check: Check, assembly: &Arc<Assembly>) -> Report {
    check.threads(1).run(Arc::clone(assembly), &Watch::new()).unwrap()
}

fn shallow(report: &Report) -> Vec<[u32; 2]> {
    report.clashes().iter().filter(|clash| report.is_shallow(clash)).map(|clash| clash.parts).collect()
}

/// A peg at depths 1e-9 and 2e-9 in two walls. A shift along both axes frees it, for every tolerance.
#[test]
fn a_larger_tolerance_does_not_make_shallow_clashes_findings() {
    let two = assembly_of([
        part("plate", plate(5.25), Pose::IDENTITY),
        part("peg", peg([1e-9, 2e-9]), Pose::IDENTITY),
    ]);
    let length = |report: &Report| report.depth(&report.clashes()[0]).unwrap().separating_length().unwrap();
    let alone = length(&run(Check::new(), &two));
    assert!((2.236e-9..2.237e-9).contains(&alone), "{alone}");
    for (tolerance, findings) in [(1.9e-9, 1), (2.4e-9, 0), (1e-6, 0), (0.6, 0), (1.0, 0), (100.0, 0)] {
        let report = run(Check::new().tolerance(tolerance), &two);
        assert_eq!(report.findings().len(), findings, "{tolerance}");
        assert_eq!(length(&report), alone, "{tolerance}");
    }
    let what_if = run(Check::new().what_if_tolerance([1.9e-9, 0.6, 1.0]), &two);
    let findings: Vec<u64> = what_if.what_if_tolerance().map(|one| one.findings).collect();
    assert_eq!(findings, [1, 0, 0]);
}

/// A peg that fits exactly into its hole, and is off by 2^-24: only a shift of exactly that length frees it.
#[test]
fn a_part_that_fits_exactly_is_clear_by_its_offset() {
    let off = 2.0_f64.powi(-24);
    let two = assembly_of([
        part("plate", plate(5.0), Pose::IDENTITY),
        part("peg", peg([-0.25 + off, -0.25]), Pose::IDENTITY),
    ]);
    let report = run(Check::new().tolerance(1e-6), &two);
    let by = report.depth(&report.clashes()[0]).unwrap().separating_translation;
    assert_eq!((by, report.findings().len()), (Some([-off, 0.0, 0.0]), 0));
}

/// A prism of many sides.
fn prism(sides: u32, radius: f64, [low, high]: [f64; 2]) -> Mesh {
    let ring = |z: f64| {
        (0..sides).map(move |k| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(sides)).sin_cos();
            [radius * cos, radius * sin, z]
        })
    };
    let points = ring(low).chain(ring(high)).chain([[0.0, 0.0, low], [0.0, 0.0, high]]).collect();
    let mut triangles = Vec::new();
    for k in 0..sides {
        let l = (k + 1) % sides;
        triangles.extend([[k, l, sides + l], [k, sides + l, sides + k]]);
        triangles.extend([[l, k, 2 * sides], [sides + k, sides + l, 2 * sides + 1]]);
    }
    Mesh::new(points, triangles).unwrap()
}

/// A pin that is 0.02 too thick for the 36-sided hole: no shift frees it, and a tolerance of its depth does.
#[test]
fn a_press_fit_is_as_deep_as_its_interference() {
    let (pin, hole) = (prism(36, 5.02, [-4.0, 24.0]), prism(36, 5.0, [-1.0, 21.0]));
    // A bush about the hole.
    let bush = {
        let outer = prism(36, 12.0, [0.0, 20.0]);
        let walls = |mesh: &Mesh, from: u32| -> Vec<[u32; 3]> {
            let sides = mesh.triangles().iter().filter(|t| t.iter().all(|&v| v < 72));
            sides.map(|t| t.map(|v| v + from)).collect()
        };
        let inner = hole.points()[..72].iter().map(|p| [p[0], p[1], if p[2] < 0.0 { 0.0 } else { 20.0 }]);
        let points = outer.points()[..72].iter().copied().chain(inner).collect();
        let inwards = walls(&hole, 72).into_iter().map(|[a, b, c]| [a, c, b]);
        let mut triangles: Vec<[u32; 3]> = walls(&outer, 0).into_iter().chain(inwards).collect();
        for k in 0..36 {
            let l = (k + 1) % 36;
            triangles.extend([[l, k, 72 + k], [l, 72 + k, 72 + l]]);
            triangles.extend([[36 + k, 36 + l, 108 + l], [36 + k, 108 + l, 108 + k]]);
        }
        Mesh::new(points, triangles).unwrap()
    };
    let two = assembly_of([part("bush", bush, Pose::IDENTITY), part("pin", pin, Pose::IDENTITY)]);
    for (tolerance, findings) in [(0.019, 1), (0.0201, 0)] {
        let report = run(Check::new().tolerance(tolerance), &two);
        let depth = report.depth(&report.clashes()[0]).unwrap();
        let [lo, hi] = depth.interference_depth.unwrap();
        assert!(lo <= 0.02 + 1e-9 && 0.02 - 1e-9 <= hi && hi - lo < 3e-5, "{lo} {hi}");
        assert!(depth.separating_length().unwrap() > 10.0 && depth.separating_distance.is_none());
        assert_eq!(report.findings().len(), findings, "{tolerance}");
    }
}

/// The surfaces of duplicates are at distance 0, or nearly: they do not fit together.
#[test]
fn parts_that_are_mostly_in_each_other_are_not_shallow() {
    let cube = || cuboid([[0.0; 3], [10.0; 3]]);
    let off = |d: f64| Pose::from_translation([d, d, d]).unwrap();
    let sheet = || cuboid([[0.0; 3], [10.0, 10.0, 0.05]]);
    let parts = [
        part("a", cube(), Pose::IDENTITY),
        part("equal", cube(), Pose::IDENTITY),
        part("nearly", cube(), off(0.01)),
        part("sheet", sheet(), Pose::from_translation([2.0, 2.0, 5.0]).unwrap()),
    ];
    let report = run(Check::new().tolerance(0.1), &assembly_of(parts));
    assert_eq!((report.findings().len(), shallow(&report)), (6, vec![]));
    let deep = |clash| report.depth(clash).unwrap().interference_depth;
    assert!(report.clashes().iter().all(|clash| deep(clash).is_none()));
}

/// Two polycubes that one step along two axes separates, and no step along one axis.
#[test]
fn sums_of_shifts_along_two_axes_are_found() {
    let cube = |cells: [[i64; 3]; 5], corner: [i64; 3]| {
        let mut labels = vec![0; 27];
        for cell in cells {
            let [x, y, z] = [0, 1, 2].map(|k| cell[k] - corner[k]);
            labels[(9 * x + 3 * y + z) as usize] = 1;
        }
        let polycube = Polycube { labels, cell: 1, corner };
        polycube.mesh(&mut Rng::new(1), Style::default()).0
    };
    let a = cube([[0, 2, 1], [1, 1, 1], [1, 1, 2], [1, 2, 1], [1, 2, 2]], [0, 1, 0]);
    let b = cube([[0, 1, 2], [0, 1, 3], [1, 1, 2], [1, 2, 1], [1, 2, 2]], [0, 1, 1]);
    let two = assembly_of([part("a", a, Pose::IDENTITY), part("b", b, Pose::IDENTITY)]);
    let report = run(Check::new().tolerance(1.5), &two);
    let by = report.depth(&report.clashes()[0]).unwrap().separating_translation.unwrap();
    assert_eq!((by.map(f64::abs), report.findings().len()), ([1.0, 1.0, 0.0], 0));
}

/// Parts that overlap by a little, or by much, all moved by one pose.
fn assembly(rng: &mut Rng) -> Arc<Assembly> {
    let rows = if rng.one_in(2) { rng.rotation() } else { *Pose::IDENTITY.rows() };
    let shift = if rng.one_in(3) { rng.point(100.0) } else { [0.0; 3] };
    let whole = Pose::affine(rows, shift).unwrap();
    let mut parts = Vec::new();
    if rng.one_in(2) {
        parts.push(part("plate", plate(5.25), whole));
        for name in ["peg", "other peg"] {
            let into = [0; 2].map(|_| 10.0_f64.powf(rng.between(-10.0, 0.0)) * rng.int(-1, 1) as f64);
            // Some are in the opposite walls.
            let across = [0; 2].map(|_| if rng.one_in(2) { 0.0 } else { -0.5 });
            let into = [0, 1].map(|k| into[k] + across[k]);
            parts.push(part(name, peg(into), whole));
        }
    } else {
        let (cubes, _) = pair_of(rng, Some(Roughness::Plain));
        for (name, cube) in ["a", "b"].into_iter().zip(cubes) {
            if cube.labels.iter().any(|&label| label != 0) {
                parts.push(part(name, cube.mesh(rng, Style::default()).0, whole));
            }
        }
        let lo = rng.grid_point(6);
        parts.push(part("box", cuboid([lo, lo.map(|x| x + rng.between(0.5, 4.0))]), whole));
    }
    assembly_of(parts)
}

/// Moved by its separating translation, the second part is clear of the first.
fn check_translations(report: &Report, assembly: &Assembly) -> usize {
    let mut checked = 0;
    for clash in report.clashes() {
        let Some(by) = report.depth(clash).and_then(|depth| depth.separating_translation) else { continue };
        let [a, b] = clash.parts.map(|i| &assembly.parts[i as usize]);
        let from = b.pose.translation();
        let to = [0, 1, 2].map(|k| from[k] + by[k]);
        // The translation is proved only if its sum with the pose is exact.
        if (0..3).all(|k| to[k] - from[k] == by[k] && to[k] - by[k] == from[k]) {
            let models = [a, b].map(|part| Model::new(Mesh::clone(&part.mesh)));
            let a = Body::new(&models[0], a.pose);
            let b = Body::new(&models[1], Pose::affine(*b.pose.rows(), to).unwrap());
            assert!(!Query::new().overlaps(&a, &b), "{by:?}");
            checked += 1;
        }
    }
    checked
}

/// Shallow clashes, findings, tolerances that make more clashes shallow than the last one, and translations
/// that were checked, of one random assembly.
fn shallow_case(case: u64) -> [usize; 4] {
    let (mut counts, mut grown) = ([0; 2], 0);
    let mut rng = Rng::for_case(49, case);
    let whole = assembly(&mut rng);
    let mut lengths: Vec<f64> = (0..4).map(|_| 10.0_f64.powf(rng.between(-10.0, 1.5))).collect();
    lengths.push(f64::from(rng.int(0, 3) as u32));
    lengths.sort_by(f64::total_cmp);
    let all = run(Check::new().what_if_tolerance(lengths.clone()), &whole);
    let checked = check_translations(&all, &whole);
    let depths = |report: &Report| -> Vec<_> {
        report.clashes().iter().map(|clash| report.depth(clash)?.separating_translation).collect()
    };
    let mut before: Vec<[u32; 2]> = Vec::new();
    for (length, what_if) in lengths.iter().copied().zip(all.what_if_tolerance()) {
        let report = run(Check::new().tolerance(length), &whole);
        let now = shallow(&report);
        let context = format!("case {case}, {length}");
        assert!(before.iter().all(|pair| now.contains(pair)), "{context}: {before:?}, {now:?}");
        assert_eq!((what_if.tolerance, what_if.shallow), (length, now.len() as u64), "{context}");
        assert_eq!(what_if.findings, report.findings().len() as u64, "{context}");
        assert_eq!(depths(&report), depths(&all), "{context}");
        grown += usize::from(now.len() > before.len());
        counts[0] += now.len();
        counts[1] += report.findings().len();
        before = now;
    }
    // Rules compare the same number: tolerances of tests, depths of ignore rules, placement errors.
    let length = *rng.pick(&lengths);
    let expected = shallow(&run(Check::new().tolerance(length), &whole));
    for (text, is_bound) in [
        (format!("[[test]]\nname = \"t\"\na = \"*\"\ntolerance = {length:?}\n"), false),
        (
            format!(
                "[[test]]\nname = \"t\"\na = \"*\"\n[[ignore]]\nreason = \"r\"\nmax_depth = {length:?}\n"
            ),
            true,
        ),
    ] {
        let text = format!("version = 1\n{text}");
        let rules = Arc::new(Rules::parse("r", &text).unwrap());
        let check =
            || Check::new().threads(1).depth(DepthOf::All).rules(Arc::clone(&rules), Date::from_days(0));
        let report = run(check(), &whole);
        let test = &report.tests()[0];
        let left_out = if is_bound { test.ignored_findings } else { test.shallow };
        assert_eq!(left_out, expected.len() as u64, "case {case}\n{text}");
        if case.is_multiple_of(20) {
            // A cache is of one check: results of another tolerance are not reused.
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("cache");
            let cache = check().open_cache(&path, &Watch::new()).unwrap();
            let again = check().run_with(Arc::clone(&whole), cache, &Watch::new()).unwrap();
            assert_eq!(again.findings(), report.findings(), "case {case}\n{text}");
        }
    }
    let text = format!(
        "version = 1\n[placement]\nall = {length:?}\n[sets]\nall = \"peg\"\n[[test]]\nname = \"t\"\na = \"*\"\n"
    );
    let rules = Rules::parse("r", &text).unwrap();
    let report = run(Check::new().rules(rules, Date::from_days(0)), &whole);
    for finding in report.findings() {
        let has_error = finding.parts().iter().any(|&i| &*whole.parts[i as usize].name == "peg");
        let depth = report.clash_of(finding).and_then(|clash| report.depth(clash)).unwrap();
        let is_undone = depth.separating_length().unwrap() <= length;
        assert_eq!(
            report.is_fragile(finding),
            (has_error && length > 0.0).then_some(is_undone),
            "case {case}"
        );
    }
    [counts[0], counts[1], grown, checked]
}

#[test]
fn what_is_shallow_stays_so_with_a_larger_tolerance() {
    let cases: u64 = if is_full() { 2_000 } else { 200 };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let sums = std::thread::scope(|scope| {
        let share = |first: usize| {
            scope.spawn(move || {
                let all = (first as u64..cases).step_by(threads).map(shallow_case);
                all.fold([0; 4], |sums, one| std::array::from_fn(|k| sums[k] + one[k]))
            })
        };
        let shares: Vec<_> = (0..threads).map(share).collect();
        let all = shares.into_iter().map(|share| share.join().unwrap());
        all.fold([0; 4], |sums, one| std::array::from_fn(|k| sums[k] + one[k]))
    });
    let least = [cases, cases, cases / 2, cases / 2];
    assert!((0..4).all(|k| sums[k] as u64 > least[k]), "{sums:?}");
}
