//! Meshes whose vertices move: for every shape, each triangle lies in all volumes above it, and results are
//! those of brute force.
use super::{Setup, poses, share, share_of};
use crate::{meshes, rng::Rng};
use impinge::{
    Body, ErrorKind, Mesh, Model, Pose, Query, brute_force,
    model::{Deformed, Rebuild},
};
use rayon::ThreadPool;
use std::thread;

/// All vertices.
pub type Points = Vec<[f64; 3]>;

/// The vertices of a mesh, each moved.
pub fn deformed(mesh: &Mesh, f: impl FnMut(&[f64; 3]) -> [f64; 3]) -> Points {
    mesh.points().iter().map(f).collect()
}

/// Shapes of a mesh, one after another, some of them extreme.
fn deformations(mesh: &Mesh, seed: u64) -> Vec<(&'static str, Points)> {
    let mut rng = Rng::new(seed);
    let twist = |&[x, y, z]: &[f64; 3]| {
        let (s, c) = (2.5 * z).sin_cos();
        [c * x - s * y, s * x + c * y, z]
    };
    let centre = rng.point(1.0);
    let swap: Vec<usize> = {
        let mut all: Vec<usize> = (0..mesh.points().len()).collect();
        rng.shuffle(&mut all);
        all
    };
    vec![
        ("wave", deformed(mesh, |&[x, y, z]| [x, y, z + 0.3 * (4.0 * x + y).sin()])),
        ("twist", deformed(mesh, twist)),
        ("blow-up", deformed(mesh, |v| [0, 1, 2].map(|k| centre[k] + (v[k] - centre[k]) * 1e6))),
        ("speck", deformed(mesh, |v| v.map(|x| 0.5 + x * 1e-9))),
        ("plane", deformed(mesh, |&[x, y, _]| [x, y, 0.25])),
        ("tilted plane", deformed(mesh, |&[x, y, _]| [x, y, 0.3 * x - 0.7 * y])),
        ("line", deformed(mesh, |&[x, ..]| [x, 2.0 * x, -x])),
        ("point", deformed(mesh, |_| [0.1, -0.7, 3.0])),
        ("far away", deformed(mesh, |v| v.map(|x| x + 1e8))),
        ("huge", deformed(mesh, |v| v.map(|x| x * 1e300))),
        ("subnormal", deformed(mesh, |v| v.map(|x| x * 1e-310))),
        (
            "noise",
            deformed(mesh, |v| {
                let e = rng.point(0.3);
                [0, 1, 2].map(|k| v[k] + e[k])
            }),
        ),
        ("one far off", {
            let mut points = mesh.points().to_vec();
            if let Some(v) = points.first_mut() {
                *v = [1e12, -3.0, 5.0];
            }
            points
        }),
        ("shuffled", swap.iter().map(|&i| mesh.points()[i]).collect()),
        ("inside out", deformed(mesh, |v| [-v[1], -v[2], -v[0]])),
        ("back", mesh.points().to_vec()),
    ]
}

const SQUARE: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];

fn subjects() -> Vec<(&'static str, Mesh)> {
    let one = Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]], vec![[0, 1, 2]]).expect("a mesh");
    let unused = {
        let ball = meshes::icosphere(1);
        let mut points = ball.points().to_vec();
        points.extend([[7.0, -8.0, 9.0], [0.0; 3]]);
        Mesh::new(points, ball.triangles().to_vec()).expect("a mesh")
    };
    let small = meshes::sheet(2, 4, 0.3);
    vec![
        ("flat patch", Mesh::new(SQUARE.to_vec(), vec![[0, 1, 2], [2, 1, 3]]).unwrap()),
        ("flat sheet", meshes::mapped(&meshes::sheet(2, 10, 0.3), |[x, y, _]| [x, y, 0.0])),
        ("one line", meshes::mapped(&small, |[x, y, _]| [0.0, x + y, 0.0])),
        ("one place", meshes::mapped(&small, |_| [0.5, 0.0, -0.25])),
        ("nothing", Mesh::default()),
        ("points alone", Mesh::new(vec![[1.0, 2.0, 3.0]; 4], vec![]).expect("a mesh")),
        ("one triangle", one),
        ("soup", meshes::soup(1, 120, 0.4)),
        ("needles", meshes::needles(3, 100)),
        ("sheet", meshes::sheet(2, 10, 0.3)),
        ("grid torus", meshes::to_grid(&meshes::torus(16, 10, 0.3), 5)),
        ("ball", meshes::icosphere(2)),
        ("cuboid", meshes::cuboid([1.0, 1.0, 0.1])),
        ("unused vertices", unused),
    ]
}

/// Pairs that meet, with the model as the first body and as the second.
fn answers(query: &mut Query, model: &Model, other: &Model, pose: Pose) -> [Vec<[u32; 2]>; 2] {
    let (a, b) = (Body::new(model, pose), Body::new(other, Pose::IDENTITY));
    [query.pairs(&a, &b).to_vec(), query.pairs(&b, &a).to_vec()]
}

fn expected(model: &Model, other: &Model, pose: Pose) -> [Vec<[u32; 2]>; 2] {
    let (a, b) = (Body::new(model, pose), Body::new(other, Pose::IDENTITY));
    [brute_force::pairs(&a, &b), brute_force::pairs(&b, &a)]
}

/// Checks that refits to all these shapes in turn have the results of brute force.
///
/// # Panics
/// Panics if they are not, or too few triangles meet.
pub fn whole_refits(setups: &[Setup]) {
    let counts = thread::scope(|scope| {
        let work: Vec<_> = subjects()
            .into_iter()
            .enumerate()
            .map(|(turn, (name, mesh))| scope.spawn(move || deforms(name, &mesh, share(setups, turn))))
            .collect();
        work.into_iter().map(|one| one.join().expect("a subject's answers differ")).collect::<Vec<_>>()
    });
    let sum = |k: usize| counts.iter().map(|(counts, _)| counts[k]).sum::<usize>();
    let decayed = counts.iter().map(|&(_, decay)| decay).fold(0.0, f64::max);
    println!("{} refits, {} pairs, decay up to {decayed:.1}: equal to brute force", sum(0), sum(1));
    assert!(
        sum(1) > share_of(30_000 * setups.len() / 2),
        "the shapes must meet for this test to mean anything"
    );
}

/// Counts of refits and pairs; the largest decay.
fn deforms<'a>(name: &str, mesh: &Mesh, setups: impl Iterator<Item = &'a Setup>) -> ([usize; 2], f64) {
    let (mut counts, mut decayed) = ([0; 2], 0.0_f64);
    let pose = poses()[4].1;
    let shapes: Vec<_> = deformations(mesh, 5)
        .into_iter()
        .map(|(shape, points)| {
            // Coordinates of 1e300 leave no room for a rotation.
            let pose = if shape == "huge" { Pose::IDENTITY } else { pose };
            let now = Mesh::new(points.clone(), mesh.triangles().to_vec()).unwrap();
            let plain = Model::new(now);
            let want = expected(&plain, &plain, pose);
            (shape, points, pose, want)
        })
        .collect();
    for setup in setups {
        let (mut model, mut query) = (setup.model(mesh), setup.query());
        for (shape, points, pose, want) in &shapes {
            let what = format!("{name}, {shape}, {setup:?}");
            model.refit(points).unwrap();
            model.validate().unwrap_or_else(|e| panic!("{what}: {e}"));
            assert_eq!(model.mesh().points(), points, "{what}");
            assert!(model.decay() > 0.0 && model.decay().is_finite(), "{what}: {}", model.decay());
            decayed = decayed.max(model.decay());
            assert_eq!(&answers(&mut query, &model, &model, *pose), want, "{what}");
            counts = [counts[0] + 1, counts[1] + want[0].len()];
        }
        // The last shape is the first one.
        assert!((model.decay() - 1.0).abs() < 0.05, "{name}, {setup:?}: {}", model.decay());
    }
    (counts, decayed)
}

/// Vertices that move, the points afterwards, and the pairs that meet.
struct Round {
    moved: Vec<(u32, [f64; 3])>,
    points: Points,
    want: [Vec<[u32; 2]>; 2],
}

fn rounds(mesh: &Mesh) -> Vec<Round> {
    let mut rng = Rng::new(9);
    let count = mesh.points().len() as u64;
    let mut points = mesh.points().to_vec();
    let still = Model::new(mesh.clone());
    let each = |round| {
        let mut moved: Vec<(u32, [f64; 3])> = Vec::new();
        if count > 0 {
            let reach = *rng.pick(&[1e-6, 0.02, 0.3, 1.0, 20.0]);
            let first = rng.below(count);
            // Neighbours, or any vertices; sometimes many, or the same one twice.
            for k in 0..*rng.pick(&[1, 2, 5, 20, count]) {
                let i = if round % 2 == 0 { (first + k) % count } else { rng.below(count) };
                let (v, e) = (points[i as usize], rng.point(reach));
                moved.push((i as u32, [0, 1, 2].map(|k| v[k] + e[k])));
                points[i as usize] = moved[moved.len() - 1].1;
            }
        }
        let now = Mesh::new(points.clone(), mesh.triangles().to_vec()).unwrap();
        let want = expected(&Model::new(now), &still, Pose::IDENTITY);
        Round { moved, points: points.clone(), want }
    };
    (0..16).map(each).collect()
}

/// Checks that any sequence of partial refits equals a full one.
///
/// # Panics
/// Panics if it does not, or too few triangles meet.
pub fn partial_refits(setups: &[Setup]) {
    let (mut moves, mut found) = (0, 0);
    for (turn, (name, mesh)) in subjects().into_iter().enumerate() {
        let rounds = rounds(&mesh);
        for setup in share(setups, turn) {
            let (mut model, mut query) = (setup.model(&mesh), setup.query());
            let other = model.clone();
            for (k, Round { moved, points, want }) in rounds.iter().enumerate() {
                model.refit_some(moved).unwrap();
                let what = format!("{name}, round {k}, {} moved, {setup:?}", moved.len());
                assert_eq!(model.mesh().points(), points, "{what}");
                model.validate().unwrap_or_else(|e| panic!("{what}: {e}"));
                assert!(model.decay() > 0.0 && model.decay().is_finite(), "{what}: {}", model.decay());
                assert_eq!(&answers(&mut query, &model, &other, Pose::IDENTITY), want, "{what}");
                let mut full = model.clone();
                full.refit(points).unwrap();
                assert_eq!(&answers(&mut query, &full, &other, Pose::IDENTITY), want, "{what}");
                let ratio = model.decay() / full.decay();
                assert!((0.9..1.1).contains(&ratio), "{what}: {ratio}");
                (moves, found) = (moves + moved.len(), found + want[0].len());
            }
            let back: Vec<_> = (0..).zip(mesh.points().iter().copied()).collect();
            model.refit_some(&back).unwrap();
            model.validate().unwrap();
        }
    }
    println!("{moves} vertices moved, {found} pairs: equal to brute force and full refits");
    assert!(found > share_of(10_000 * setups.len()), "something must meet for this test to mean anything");
}

/// Checks refits of a flat patch. The grid on which a node of the fast tree encodes its boxes is as thin as
/// the patch. A corner that leaves the plane is more steps away than an integer of 32 bits counts.
///
/// # Panics
/// Panics if a result is wrong.
pub fn flat_patches(setups: &[Setup]) {
    let patch = Mesh::new(SQUARE.to_vec(), vec![[0, 1, 2], [2, 1, 3]]).expect("a mesh");
    let probe = Mesh::new(vec![[0.9, 0.9, 0.3], [0.9, 0.9, 2.0], [0.6, 0.9, 0.3]], vec![[0, 1, 2]]);
    let probe = probe.expect("a mesh");
    for setup in setups {
        let (mut model, probe, mut query) = (setup.model(&patch), setup.model(&probe), setup.query());
        for (z, meets) in [(0.5, true), (1e9, false), (-0.5, false), (0.0, false), (0.5, true)] {
            model.refit_some(&[(3, [1.0, 1.0, z])]).unwrap();
            model.validate().unwrap_or_else(|e| panic!("{z}, {setup:?}: {e}"));
            let found = &answers(&mut query, &model, &probe, Pose::IDENTITY)[0];
            assert_eq!(!found.is_empty(), meets, "{z}, {setup:?}: {found:?}");
        }
    }
}

/// A refused refit changes nothing.
///
/// # Panics
/// Panics if it does.
pub fn refused_refits(setups: &[Setup]) {
    let mesh = meshes::icosphere(1);
    let count = mesh.points().len();
    for setup in setups {
        let mut model = setup.model(&mesh);
        model.refit(&deformed(&mesh, |v| v.map(|x| 2.0 * x))).unwrap();
        let before = format!("{model:?}");
        let mut wrong = mesh.points().to_vec();
        wrong[7][1] = f64::INFINITY;
        let fails = [
            model.refit(&wrong),
            model.deform(&wrong, Rebuild::Always).map(|_| ()),
            model.deform(&wrong, Rebuild::default()).map(|_| ()),
            model.refit_some(&[(1, [9.0; 3]), (7, [0.0, f64::NAN, 0.0])]),
        ];
        for fail in fails {
            let error = fail.unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::VertexNotFinite { vertex: 7, .. }), "{error}");
        }
        for fail in [model.refit(&wrong[1..]), model.deform(&[], Rebuild::Always).map(|_| ())] {
            let error = fail.unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::WrongPointCount { .. }), "{error}");
        }
        let fail = model.refit_some(&[(0, [1.0; 3]), (count as u32, [0.0; 3])]);
        let kind = ErrorKind::MovedVertexOutOfRange { index: count as u32, vertices: count };
        assert_eq!(fail, Err(kind.into()));
        assert!(format!("{model:?}") == before, "{setup:?}");
    }
}

/// Checks that decay indicates when to rebuild.
///
/// # Panics
/// Panics if it does not.
pub fn decay(setups: &[Setup]) {
    let mesh = meshes::sheet(4, 30, 0.1);
    let mut rng = Rng::new(6);
    let mut shuffled = mesh.points().to_vec();
    rng.shuffle(&mut shuffled);
    for setup in setups {
        let mut model = setup.model(&mesh);
        assert_eq!(model.decay(), 1.0);
        let moved = deformed(&mesh, |v| v.map(|x| 1000.0 * x + 5.0));
        assert_eq!(model.deform(&moved, Rebuild::default()), Ok(Deformed::Refitted));
        // Neither scale nor position changes the cost.
        assert!((model.decay() - 1.0).abs() < 0.01, "{setup:?}: {}", model.decay());
        assert_eq!(model.deform(&shuffled, Rebuild::Never), Ok(Deformed::Refitted));
        assert!(model.decay() > 4.0, "{setup:?}: {}", model.decay());
        assert_eq!(model.deform(&shuffled, Rebuild::default()), Ok(Deformed::Rebuilt));
        assert_eq!(model.decay(), 1.0);
        assert_eq!(model.deform(mesh.points(), Rebuild::Always), Ok(Deformed::Rebuilt));
        let anew = setup.model(&mesh);
        assert!(format!("{model:?}") == format!("{anew:?}"), "{setup:?}");
    }
}

/// Checks that the pool's threads refit and rebuild the same tree as one thread, with the same decay, to the
/// last bit.
///
/// # Panics
/// Panics if they do not.
pub fn divided(mesh: &Mesh, alone: &Setup, shared: &Setup, pools: &[ThreadPool]) {
    let shapes = [0.3, 0.0].map(|h| deformed(mesh, |&[x, y, z]| [x, y + h * (3.0 * z).sin(), z - h * x]));
    let mut model = alone.model(mesh);
    let mut divided: Vec<Model> = pools.iter().map(|_| shared.model(mesh)).collect();
    for (shape, policy) in
        [(0, Rebuild::Never), (1, Rebuild::Never), (0, Rebuild::Always), (1, Rebuild::default())]
    {
        let done = model.deform(&shapes[shape], policy).unwrap();
        let want = (model.decay().to_bits(), shape_of(&model));
        for (pool, divided) in pools.iter().zip(&mut divided) {
            assert_eq!(pool.install(|| divided.deform(&shapes[shape], policy)), Ok(done));
            let got = (divided.decay().to_bits(), shape_of(divided));
            let what = format!("{shared:?}, {policy:?}, {} threads", pool.current_num_threads());
            assert!(got == want, "{what}: {} triangles", mesh.len());
        }
    }
}

/// A model's debug output without its threads.
pub fn shape_of(model: &Model) -> String {
    format!("{model:?}").replace("threads: Pool", "threads: One")
}
