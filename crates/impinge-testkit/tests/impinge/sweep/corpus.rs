//! Sweeps with names: what other engines miss, contacts that slide, and numbers of extreme size.
use super::{Case, Side, Track, shift};
use impinge::{
    Mesh, Model, Pose, Query,
    path::Path,
    sweep::{Sweep, SweepOptions, Undecided},
};
use impinge_testkit::{meshes, sweeps};
use std::{
    f64::consts::{FRAC_PI_2, PI},
    panic::{AssertUnwindSafe, catch_unwind},
};

/// The result to expect.
#[derive(Clone, Copy, Debug)]
enum Expected {
    Clear,
    /// A contact, at this time up to 1e-9.
    At(f64),
    /// A contact at this moment only, up to 1e-9, which no f64 may be: it may be left undecided.
    Instant(f64),
    /// A contact about this time, up to 1e-3: of tessellated shapes.
    About(f64),
}

struct Named {
    name: &'static str,
    case: Case,
    expected: Expected,
}

fn cuboid(size: [f64; 3]) -> Model {
    Model::new(Mesh::cuboid(size).unwrap())
}

/// A box between two corners.
fn between(lo: [f64; 3], hi: [f64; 3]) -> Mesh {
    let (half, middle) = ([0, 1, 2].map(|k| 0.5 * (hi[k] - lo[k])), [0, 1, 2].map(|k| 0.5 * (hi[k] + lo[k])));
    meshes::translated(&meshes::cuboid(half), middle)
}

fn translated(start: [f64; 3], by: [f64; 3]) -> Path {
    Path::translation(shift(start), by).unwrap()
}

fn screw(start: Pose, point: [f64; 3], axis: [f64; 3], angle: f64, advance: f64) -> Path {
    Path::screw(start, point, axis, angle, advance).unwrap()
}

fn corpus() -> Vec<Named> {
    let mut all = Vec::new();
    let mut add = |name: &'static str, a: Model, b: Model, path: Path, expected: Expected| {
        let case = Case::new(Side::still(a, Pose::IDENTITY), Side::along(b, path));
        all.push(Named { name, case, expected });
    };
    let point = || Model::points(&[[0.0; 3]]).unwrap();
    let z = [0.0, 0.0, 1.0];

    // A ball of radius 0.1 that spins 1,000 radians passes a plate of a millionth, at 10^4 a unit of time.
    let ball = || Model::new(meshes::mapped(&meshes::icosphere(3), |v| v.map(|x| 0.1 * x)));
    let start = shift([0.3, 0.2, -5e3]);
    let path = screw(start, [0.3, 0.2, 0.0], z, 1000.0, 1e4);
    add(
        "a spinning ball and a thin plate",
        cuboid([10.0, 10.0, 1e-6]),
        ball(),
        path,
        Expected::About(0.49999),
    );
    let start = Pose::from_axis_angle([1.0, 1.0, 0.0], FRAC_PI_2, [0.0, 0.0, 3.0]).unwrap();
    let path = screw(start, [0.0; 3], z, 60.0, -10.0);
    // It stands on a corner: the half diagonal of its face is along z.
    let expected = Expected::At((3.0 - 0.125_f64.sqrt() - 0.5e-6) / 10.0);
    add(
        "a spinning plate and a thin plate",
        cuboid([1.0, 1.0, 1e-6]),
        cuboid([0.5, 0.5, 1e-6]),
        path,
        expected,
    );

    // parry #429: a linear cast over 500 m stops 139 mm short of a wall.
    let wall = || Model::new(between([0.0, -50.0, -50.0], [1.0, 50.0, 50.0]));
    let path = translated([-500.0, 0.25, 0.125], [1000.0, 0.0, 0.0]);
    add("parry #429: a wall 500 m away", wall(), cuboid([1.0; 3]), path, Expected::At(0.4995));
    let path = translated([-500.0, 0.25, 0.125], [1000.0, 30.0, -20.0]);
    add("parry #429: a wall 500 m away, askew", wall(), cuboid([1.0; 3]), path, Expected::At(0.4995));

    // parry #317: a rod turns about its end, and its nonlinear cast passes a post.
    let rod = || Model::new(between([0.0, -0.01, -0.01], [4.0, 0.01, 0.01]));
    let post = || Model::points(&[[0.0, 3.0, 0.0]]).unwrap();
    let path = screw(Pose::IDENTITY, [0.0; 3], z, 2.0 * PI, 0.0);
    let expected = Expected::Instant((FRAC_PI_2 - (0.01_f64 / 3.0).asin()) / (2.0 * PI));
    add("parry #317: a rod turns to a post", post(), rod(), path, expected);
    let path = screw(Pose::IDENTITY, [0.0; 3], z, -8.0 * PI, 0.0);
    let expected = Expected::Instant((1.5 * PI - (0.01_f64 / 3.0).asin()) / (8.0 * PI));
    add("parry #317: a rod turns four times", post(), rod(), path, expected);

    // FCL #120, #555 and python-fcl #38: continuous collision of boxes, by advancement, misses them.
    let path = translated([-5.0, 0.0, 0.0], [10.0, 0.0, 0.0]);
    add("python-fcl #38: boxes head on", cuboid([1.0; 3]), cuboid([1.0; 3]), path, Expected::At(0.4));
    let path = screw(shift([-5.0, 0.0, 0.0]), [-5.0, 0.0, 0.0], [1.0, 0.0, 0.0], PI, 10.0);
    add("FCL #120: boxes head on, turning", cuboid([1.0; 3]), cuboid([1.0; 3]), path, Expected::At(0.4));
    let path = translated([-5.0, 1.0, 0.0], [10.0, 0.0, 0.0]);
    add("FCL #555: boxes pass face to face", cuboid([1.0; 3]), cuboid([1.0; 3]), path, Expected::At(0.4));
    let path = translated([-5.0, 1.0 + 1e-6, 0.0], [10.0, 0.0, 0.0]);
    add("FCL #555: boxes pass, 1e-6 apart", cuboid([1.0; 3]), cuboid([1.0; 3]), path, Expected::Clear);

    // A drawer in rails, with no gap and with one of a millionth.
    let rails = || {
        let floor = between([-1.0, -1.0, -0.1], [1.0, 1.0, 0.0]);
        let left = between([-1.0, -1.0, 0.0], [1.0, -0.9, 0.2]);
        let right = between([-1.0, 0.9, 0.0], [1.0, 1.0, 0.2]);
        Model::new(meshes::merged(&[&floor, &left, &right]))
    };
    let drawer = |gap: f64| Model::new(between([-1.0, -0.9 + gap, gap], [1.0, 0.9 - gap, 0.2]));
    let path = || translated([0.0; 3], [3.0, 0.0, 0.0]);
    add("a drawer slides in its rails", rails(), drawer(0.0), path(), Expected::At(0.0));
    add("a drawer 1e-6 from its rails", rails(), drawer(1e-6), path(), Expected::Clear);
    let into = translated([-3.0, 0.0, 0.0], [2.0, 0.0, 0.0]);
    add("a drawer meets its rails", rails(), drawer(0.0), into, Expected::At(0.5));
    let table = || Model::new(between([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0]));
    let path = translated([0.0, 0.0, 0.5], [2.0, 1.0, 0.0]);
    add("a cube slides on a table", table(), cuboid([1.0; 3]), path, Expected::At(0.0));
    let path = screw(shift([0.0, 0.0, 0.5]), [0.3, 0.1, 0.0], z, 5.0, 0.0);
    add("a cube turns on a table", table(), cuboid([1.0; 3]), path, Expected::At(0.0));
    let path = screw(shift([0.0, 0.0, 0.5 + 1e-6]), [0.3, 0.1, 0.0], z, 5.0, 0.0);
    add("a cube turns above a table", table(), cuboid([1.0; 3]), path, Expected::Clear);

    // Points and segments.
    let path = translated([-1.0, 0.0, 0.0], [3.0, 0.0, 0.0]);
    add("a point meets a point", point(), point(), path, Expected::Instant(1.0 / 3.0));
    let path = translated([-1.0, 1e-6, 0.0], [3.0, 0.0, 0.0]);
    add("a point passes a point", point(), point(), path, Expected::Clear);
    let segment = |p, q| Model::segment(p, q).unwrap();
    let along_x = || segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let path = translated([0.0, 0.0, 2.0], [0.0, 0.0, -3.0]);
    let along_y = segment([0.5, -1.0, 0.0], [0.5, 2.0, 0.0]);
    add("segments cross", along_x(), along_y, path, Expected::Instant(2.0 / 3.0));
    let path = translated([3.0, 0.0, 0.0], [-4.0, 0.0, 0.0]);
    add("segments on a line", along_x(), along_x(), path, Expected::At(0.25));
    let path = screw(Pose::IDENTITY, [0.0, 1.0, 0.0], z, PI, 0.0);
    let other = segment([-1.0, -1.0, 0.0], [1.0, -1.0, 0.0]);
    // It turns about a point 2 above it; its ends are sqrt 5 from there. The other's nearest end is reached
    // by the end: at an angle of atan(1/1) - atan(1/2) from the resting one's end, at a distance of sqrt 2.
    add("a segment turns away", other, along_x(), path, Expected::Clear);
    let path = screw(shift([2.0, 0.0, 0.0]), [0.0; 3], z, PI, 0.0);
    let other = Model::points(&[[0.0, 2.0, 0.0]]).unwrap();
    // A point on a circle of radius 2 about the origin: the angle is that of f64, so the distance is not 0.
    let at = Model::points(&[[0.0; 3]]).unwrap();
    let case = Case::new(Side::still(other, Pose::IDENTITY), Side::along(at, path));
    let a = case.a.rounded(1e-6);
    all.push(Named {
        name: "a point on a circle meets a small ball",
        case: Case { a, ..case },
        expected: Expected::At(0.5 - 1e-6 / (2.0 * PI)),
    });

    // A tiny triangle, whose normal has a square that underflows, comes within the margin.
    let tiny = Mesh::new(vec![[0.0; 3], [1e-90, 0.0, 0.0], [0.0, 1e-90, 0.0]], vec![[0, 1, 2]]).unwrap();
    let both = meshes::merged(&[&tiny, &between([50.0; 3], [51.0; 3])]);
    let path = translated([-10.0, 0.0, 0.3], [20.0, 0.0, 0.0]);
    let case = Case::new(Side::still(Model::new(both), Pose::IDENTITY), Side::along(point(), path));
    all.push(Named {
        name: "a point passes a tiny triangle and a cube within the margin",
        case: Case { margin: 0.5, ..case },
        expected: Expected::At((10.0 - 0.4) / 20.0),
    });
    // Balls, as points with radii, around a resting body's own axis far away.
    for (name, far) in [("two balls meet", 0.0), ("two balls meet, far from the origin", 1e6)] {
        let [a, b] = [[far; 3], [far - 10.0, far, far]].map(|at| Model::points(&[at]).unwrap());
        let path = Path::translation(Pose::IDENTITY, [10.0, 0.0, 0.0]).unwrap();
        let case = Case::new(Side::still(a, Pose::IDENTITY).rounded(2.0), Side::along(b, path).rounded(3.0));
        // Rounding of coordinates so far away is more than the default resolution.
        let expected = if far == 0.0 { Expected::At(0.5) } else { Expected::Instant(0.5) };
        all.push(Named { name, case, expected });
    }
    all
}

fn check(query: &mut Query, Named { name, case, expected }: &Named) -> Sweep {
    // Fewer intervals than a second takes.
    let options = case.options().most_intervals(20_000);
    let start = std::time::Instant::now();
    let found = case.sweep_with(query, &options);
    println!("{name}: {:.2} ms, {found:?}", 1e3 * start.elapsed().as_secs_f64());
    if matches!(expected, Expected::Clear) {
        assert_eq!(found, Sweep::Clear, "{name}");
        return found;
    }
    let [lo, hi] = times(name, &found, expected);
    let (t, off) = match *expected {
        Expected::About(t) => (t, 1e-3),
        Expected::At(t) | Expected::Instant(t) => (t, 1e-9),
        Expected::Clear => unreachable!("seen above"),
    };
    assert!(lo <= t + off && t - off <= hi, "{name}: {found:?}, expected {t}");
    found
}

/// The times between which a sweep finds a contact.
#[track_caller]
fn times(name: &str, found: &Sweep, expected: &Expected) -> [f64; 2] {
    match (found, expected) {
        (Sweep::Contact { free_until, meets_at, .. }, _) => [*free_until, *meets_at],
        (Sweep::Near { free_until, until, why: Undecided::Grazing, .. }, Expected::Instant(_)) => {
            [*free_until, *until]
        }
        _ => panic!("{name}: {found:?}"),
    }
}

#[test]
fn named_sweeps_have_the_results_that_geometry_gives() {
    let failed: Vec<&str> = corpus()
        .iter()
        .filter(|named| catch_unwind(AssertUnwindSafe(|| check(&mut Query::new(), named))).is_err())
        .map(|named| named.name)
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

/// All numbers of a case, multiplied.
fn scaled(case: &Case, by: f64) -> Case {
    let side = |side: &Side| {
        let mesh = meshes::mapped(side.model.mesh(), |v| v.map(|x| x * by));
        let pose = |pose: &Pose| Pose::affine(*pose.rows(), pose.translation().map(|x| x * by)).unwrap();
        let track = match &side.track {
            Track::Still(at) => Track::Still(pose(at)),
            Track::Along(path) => Track::Along(rescaled(path, by)),
        };
        Side { model: Model::new(mesh), track, radius: side.radius * by }
    };
    Case { a: side(&case.a), b: side(&case.b), margin: case.margin * by }
}

/// A path of one translation, with its numbers multiplied.
fn rescaled(path: &Path, by: f64) -> Path {
    let (start, end) = (path.at(0.0), path.at(1.0));
    let way = [0, 1, 2].map(|k| (end.translation()[k] - start.translation()[k]) * by);
    Path::translation(shift(start.translation().map(|x| x * by)), way).unwrap()
}

/// Lengths have no unit: with all of them multiplied by a power of two, times stay the same.
#[test]
fn lengths_have_no_unit() {
    let (mut query, mut count) = (Query::new(), 0);
    for named in corpus() {
        let Track::Along(path) = &named.case.b.track else { panic!("{}", named.name) };
        if path.at(0.7).rows() != Pose::IDENTITY.rows() || named.name.contains("tiny") {
            continue;
        }
        let found = check(&mut query, &named);
        for exponent in [-100, -30, 30, 100] {
            let case = scaled(&named.case, 2_f64.powi(exponent));
            let other = check(&mut query, &Named { case, ..named });
            if !matches!(named.expected, Expected::Clear) {
                let [one, two] = [found, other].map(|found| times(named.name, &found, &named.expected));
                assert_eq!(one, two, "{} with 2^{exponent}", named.name);
            }
            count += 1;
        }
    }
    assert!(count >= 40, "{count}");
}

/// A shrunk or stretched body is as good as one whose points are so.
#[test]
fn poses_may_shrink_and_stretch() {
    let mut query = Query::new();
    for exponent in [-60, -30, -10, 10, 30, 60] {
        let (by, back) = (2_f64.powi(exponent), 2_f64.powi(-exponent));
        let stretch = [[by, 0.0, 0.0], [0.0, by, 0.0], [0.0, 0.0, by]];
        let cube = || Model::new(meshes::cuboid([0.5; 3]));
        let small = || Model::new(meshes::mapped(&meshes::cuboid([0.5; 3]), |v| v.map(|x| x * back)));
        let turn = |pose: Pose| screw(pose, [0.0; 3], [0.0, 0.0, 1.0], 1.0, 3.0);
        let at = Pose::affine(stretch, [0.25, 0.0, 3.0]).unwrap();
        let resting = Side::still(small(), at);
        let moving = Side::along(cube(), turn(Pose::IDENTITY));
        let both = [
            Case::new(resting.clone(), moving.clone()),
            Case::new(Side::along(small(), turn(Pose::affine(stretch, [0.0; 3]).unwrap())), {
                Side::still(cube(), shift([0.25, 0.0, 3.0]))
            }),
            // Both move.
            Case::new(Side { track: Track::Along(Path::still(at).unwrap()), ..resting }, moving),
        ];
        for (k, case) in both.into_iter().enumerate() {
            let found = case.sweep_with(&mut query, &case.options().most_intervals(20_000));
            let Sweep::Contact { free_until, meets_at, .. } = found else {
                panic!("2^{exponent}, {k}: {found:?}")
            };
            let t = 2.0 / 3.0;
            assert!(free_until <= t + 1e-12 && t - 1e-12 <= meets_at, "2^{exponent}, {k}: {found:?}");
            assert!(meets_at - free_until < 2e-9, "2^{exponent}, {k}: {found:?}");
        }
    }
}

/// The scenes of the benchmarks. Parry finds the contact of the spheres at the same time.
#[test]
fn scenes_have_the_known_results() {
    let mut query = Query::new();
    for scene in sweeps::scenes() {
        let expected = match scene.name {
            "spheres-contact" => Expected::At(0.254_978_750_2),
            "tori-contact" => Expected::At(0.212_896_584_9),
            "plate" => Expected::At(0.499_899_5),
            "pin-off-axis" => Expected::At(0.5),
            _ => Expected::Clear,
        };
        let case =
            Case::new(Side::still(scene.resting, Pose::IDENTITY), Side::along(scene.moving, scene.path));
        check(&mut query, &Named { name: scene.name, case, expected });
    }
}

/// Coordinates a million units from the origin cost no correctness.
#[test]
fn far_from_the_origin_times_stay_the_same() {
    let mut query = Query::new();
    let far = [1e6, -1e6, 1e6];
    for named in corpus() {
        let Track::Along(path) = &named.case.b.track else { panic!("{}", named.name) };
        let (Expected::At(t) | Expected::Instant(t)) = named.expected else { continue };
        let slides = t == 0.0 || t == 0.4 || named.name.contains("drawer");
        if path.at(0.7).rows() != Pose::IDENTITY.rows() || slides {
            // Contacts of faces that slide may be lost, or gained.
            continue;
        }
        let start = path.at(0.0);
        let end = path.at(1.0);
        let by = [0, 1, 2].map(|k| end.translation()[k] - start.translation()[k]);
        let at = [0, 1, 2].map(|k| start.translation()[k] + far[k]);
        let b = Side { track: Track::Along(translated(at, by)), ..named.case.b.clone() };
        let a = Side { track: Track::Still(shift(far)), ..named.case.a.clone() };
        let case = Case { a, b, ..named.case };
        let found = case.sweep_with(&mut query, &SweepOptions::most_intervals(case.options(), 20_000));
        let [lo, hi] = times(named.name, &found, &named.expected);
        assert!(lo <= t + 1e-9 && t - 1e-9 <= hi, "{}: {found:?}", named.name);
    }
}
