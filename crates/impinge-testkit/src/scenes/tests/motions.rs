//! Tests of motions; a quick scene has frames of the full one.
use super::{GENERATED, QUICK};
use crate::scenes::{MANY_BODIES, bodies, build, build_many, catalogue, motion, tumbling};
use impinge::{Pose, pose::rigid_defect};

#[test]
fn quick_scenes_are_some_frames_of_the_same_motion() {
    for entry in catalogue() {
        let (full, quick) = (build(entry.name, &GENERATED).unwrap(), build(entry.name, &QUICK).unwrap());
        assert_eq!(full.meshes, quick.meshes, "{}", entry.name);
        if full.frames.len() < 20 {
            assert_eq!(full.frames, quick.frames, "{}", entry.name);
        } else {
            assert!((20..=60).contains(&quick.frames.len()), "{}: {}", entry.name, quick.frames.len());
            assert!(full.frames.len() > quick.frames.len());
        }
        let mut rest = full.frames.iter();
        assert!(quick.frames.iter().all(|frame| rest.any(|f| f == frame)), "{}", entry.name);
        let mut end = 0;
        for (all, some) in full.groups.iter().zip(&quick.groups) {
            assert_eq!((&all.label, all.distance, end), (&some.label, some.distance, some.frames.start));
            assert!(
                quick.frames[some.frames.clone()].iter().all(|f| full.frames[all.frames.clone()].contains(f))
            );
            end = some.frames.end;
        }
        assert!(quick.groups.is_empty() || end == quick.frames.len());
        assert_eq!(full.groups.len(), quick.groups.len());
    }
}

#[test]
fn the_spheres_are_concentric_in_frame_250() {
    let scene = build("spheres-l1", &GENERATED).unwrap();
    assert_eq!(scene.frames.len(), 501);
    let at = |frame: usize| scene.frames[frame].map(|p| *p.translation());
    assert_eq!(at(0), [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    assert_eq!(at(250), [[0.0; 3], [0.0; 3]]);
    assert_eq!(at(500), [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]);
    assert_eq!(scene.groups[1].frames, 244..257);
}

#[test]
fn tumbling_is_a_full_turn_at_each_distance() {
    let (frames, groups) = tumbling::turns(&[2.0, 1.0], 50);
    assert_eq!((frames.len(), groups.len()), (200, 2));
    for (group, d) in groups.iter().zip([2.0, 1.0]) {
        assert_eq!(group.distance, Some(d));
        let turn = &frames[group.frames.clone()];
        assert!(turn.iter().all(|[a, b]| *a == Pose::IDENTITY && *b.translation() == [d, 0.0, 0.0]));
        // Quarters of the turn, exactly: about x and then the same about z.
        assert_eq!(*turn[0][1].rows(), *Pose::IDENTITY.rows());
        assert_eq!(*turn[25][1].rows(), [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        assert_eq!(*turn[50][1].rows(), [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]);
        // Equal steps: the angle between neighbours is the same all around, including that between the last
        // and the first.
        let cosine = |i: usize| {
            let (p, q) = (turn[i][1], turn[(i + 1) % turn.len()][1]);
            let rows = motion::times(q.rows(), &motion::transposed(p.rows()));
            (rows[0][0] + rows[1][1] + rows[2][2] - 1.0) / 2.0
        };
        assert!((0..turn.len()).all(|i| cosine(i) < 1.0 - 1e-4 && cosine(i) > 0.99));
    }
}

#[test]
fn tumblers_fill_the_cube_of_side_2() {
    let scene = build("tumble-sphere-5k", &QUICK).unwrap();
    for mesh in &scene.meshes {
        let radius = |p: &[f64; 3]| (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
        let largest = mesh.points().iter().map(radius).fold(0.0, f64::max);
        assert!((largest - 1.0).abs() < 0.01, "{largest}");
    }
    let distances: Vec<f64> = scene.groups.iter().filter_map(|g| g.distance).collect();
    assert_eq!(distances, [2.2, 2.0, 1.8, 1.6, 1.4, 1.2, 1.0, 0.8]);
}

#[test]
fn rotations_are_rigid() {
    for rows in [motion::euler([0.3, -2.0, 9.0]), motion::about([0.6, 0.0, 0.8], 1.7), motion::tumbled(7, 31)]
    {
        assert!(rigid_defect(&rows) < 4e-16, "{rows:?}");
        assert!(Pose::rigid(rows, [0.0; 3]).is_ok());
    }
    // A quarter about each axis in turn: x to y, y to z.
    let quarter = std::f64::consts::FRAC_PI_2;
    let close = |a: [f64; 3], b: [f64; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 1e-15);
    assert!(close(motion::apply(&motion::euler([0.0, 0.0, quarter]), [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]));
    assert!(close(motion::apply(&motion::euler([quarter, 0.0, 0.0]), [0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]));
    assert!(close(motion::apply(&motion::about([1.0, 0.0, 0.0], quarter), [0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]));
}

#[test]
fn many_bodies_stay_in_the_box_and_move_smoothly() {
    let name = MANY_BODIES[0].0;
    let (full, quick) = (build_many(name, &GENERATED).unwrap(), build_many(name, &QUICK).unwrap());
    assert_eq!((full.bodies.len(), full.frames.len()), (200, 500));
    assert_eq!(full.bodies.iter().map(|b| full.meshes[*b].len()).sum::<usize>(), 115_200);
    assert!(quick.frames.iter().eq(full.frames.iter().step_by(bodies::QUICK)));
    let mut turned_back = 0;
    for pair in full.frames.windows(2) {
        for (p, q) in pair[0].iter().zip(&pair[1]) {
            let step: f64 = (0..3).map(|k| (p.translation()[k] - q.translation()[k]).powi(2)).sum();
            assert!(step.sqrt() < 0.0301 && q.translation().iter().all(|x| x.abs() <= bodies::HALF));
            // At a wall the step is shorter.
            turned_back += u32::from(step.sqrt() < 0.0299);
            let cosine: f64 =
                (0..3).map(|k| (0..3).map(|j| p.rows()[j][k] * q.rows()[j][k]).sum::<f64>()).sum();
            assert!((cosine - 1.0) / 2.0 > 0.998);
        }
    }
    assert!(turned_back > 100, "{turned_back}");
}
