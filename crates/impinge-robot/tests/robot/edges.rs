//! Edges: what is certified free is free, contacts are the first, and swapped or reversed edges agree.
use crate::collisions::{configuration, random, scene};
use impinge::{Mesh, Model, Pose, distance::Margin, sweep::SweepOptions};
use impinge_robot::{Error, Robot, RobotQuery, RobotSweep, Urdf};
use std::sync::Arc;

fn between(q0: &[f64], q1: &[f64], t: f64) -> Vec<f64> {
    q0.iter().zip(q1).map(|(a, b)| (1.0 - t) * a + t * b).collect()
}

/// Edges of several lengths.
fn edge(robot: &Robot, seed: &mut u64, round: usize) -> [Vec<f64>; 2] {
    let (q0, q1) = (configuration(robot, seed), configuration(robot, seed));
    let part = [1.0, 0.1, 0.02][round % 3];
    let q1 = between(&q0, &q1, part);
    [q0, q1]
}

#[test]
fn what_is_certified_free_is_free() {
    let robot = scene();
    let (mut query, mut seed) = (RobotQuery::new(), 11);
    let options = SweepOptions::new();
    let (mut clear, mut contacts) = (0, 0);
    for round in 0..240 {
        let [q0, q1] = edge(&robot, &mut seed, round);
        let sweep = query.sweep(&robot, &q0, &q1, &options).unwrap();
        let free_until = sweep.free_until();
        // The samples that are farther from the end than roundings of the time.
        for k in 0..1000 {
            let t = (f64::from(k) / 999.0).min(1.0) * free_until * (1.0 - 1e-12);
            let is_free = free_until == 0.0 || !query.in_collision(&robot, &between(&q0, &q1, t)).unwrap();
            assert!(is_free, "{t} {sweep:?} {q0:?} {q1:?}");
        }
        match sweep {
            RobotSweep::Clear => clear += 1,
            RobotSweep::Contact { free_until, meets_at, parts } => {
                contacts += 1;
                assert!(meets_at - free_until < 1e-6, "{sweep:?}");
                // To within the errors of poses, at a time that is rounded.
                let near = Margin::new(1e-9).unwrap();
                let q = between(&q0, &q1, meets_at);
                assert!(query.within(&robot, &q, near).unwrap(), "{sweep:?} {q:?}");
                assert!(robot.checked_pairs().contains(&parts));
            }
            RobotSweep::Near { .. } => {}
        }
    }
    assert!(clear > 20 && contacts > 60, "{clear} {contacts}");
}

/// Which of two shapes rests is of no matter, nor is the direction in which time runs.
#[test]
fn reversed_edges_and_verdicts_agree() {
    let robot = scene();
    let (mut query, mut seed) = (RobotQuery::new(), 12);
    for round in 0..200 {
        let [q0, q1] = edge(&robot, &mut seed, round);
        let there = query.sweep(&robot, &q0, &q1, &SweepOptions::new()).unwrap();
        let back = query.sweep(&robot, &q1, &q0, &SweepOptions::new()).unwrap();
        let quick = query.sweep(&robot, &q0, &q1, &SweepOptions::new().verdict_only(true)).unwrap();
        let is_free = there == RobotSweep::Clear;
        assert_eq!(
            (back == RobotSweep::Clear, quick == RobotSweep::Clear),
            (is_free, is_free),
            "{q0:?} {q1:?}"
        );
        if let (RobotSweep::Contact { free_until, .. }, RobotSweep::Contact { free_until: late, .. }) =
            (there, back)
        {
            assert!(free_until <= 1.0 - late + 1e-6, "{there:?} {back:?}");
        }
        // No contact of the verdict is before the first one.
        if let Some(meets_at) = quick.meets_at() {
            assert!(meets_at >= there.free_until(), "{there:?} {quick:?}");
        }
    }
}

/// With a margin, a clear edge keeps that distance.
#[test]
fn margins_are_kept() {
    let robot = scene();
    let (mut query, mut seed) = (RobotQuery::new(), 13);
    let margin = Margin::new(0.02).unwrap();
    let mut clear = 0;
    for round in 0..120 {
        let [q0, q1] = edge(&robot, &mut seed, round);
        let sweep = query.sweep(&robot, &q0, &q1, &SweepOptions::new().margin(margin)).unwrap();
        let free_until = sweep.free_until();
        clear += usize::from(sweep == RobotSweep::Clear);
        for _ in 0..50 {
            let t = random(&mut seed) * free_until * (1.0 - 1e-12);
            assert!(free_until == 0.0 || !query.within(&robot, &between(&q0, &q1, t), margin).unwrap());
        }
    }
    assert!(clear > 5, "{clear}");
}

/// Two arms on one base, each with a rod: a scissor whose closed form is known.
fn scissor(shape: &str) -> Robot {
    let urdf = Urdf::parse(&format!(
        "<robot name='scissor'><link name='base'/>
      <link name='a'><collision><origin xyz='1 0 0' rpy='0 1.5707963267948966 0'/>
        <geometry>{shape}</geometry></collision></link>
      <link name='b'><collision><origin xyz='1 0 0' rpy='0 1.5707963267948966 0'/>
        <geometry>{shape}</geometry></collision></link>
      <joint name='qa' type='continuous'><parent link='base'/><child link='a'/><axis xyz='0 0 1'/></joint>
      <joint name='qb' type='continuous'><parent link='base'/><child link='b'/>
        <axis xyz='0 0 -1'/></joint></robot>"
    ))
    .unwrap();
    let mut robot = Robot::new(&urdf, None, &mut |_| -> Result<_, Error> { unreachable!() }).unwrap();
    robot.set_allowed([1, 2], None).unwrap();
    robot
}

/// Capsules from (0.5, 0) to (1.5, 0) of radius 0.1: they meet where the inner ends are 0.2 apart, so where
/// the sine of half the angle between them is 0.2.
#[test]
fn a_scissor_closes_at_its_closed_form() {
    let robot = scissor("<capsule radius='0.1' length='1'/>");
    let mut query = RobotQuery::new();
    // Angles a and -b, from 1 and -1 to 0: half the angle between is 1 - t.
    let sweep = query.sweep(&robot, &[1.0, 1.0], &[0.0, 0.0], &SweepOptions::new()).unwrap();
    let expected = 1.0 - 0.2_f64.asin();
    let RobotSweep::Contact { free_until, meets_at, parts } = sweep else { panic!("{sweep:?}") };
    assert!(
        free_until <= expected + 1e-12 && expected - 1e-12 <= meets_at && meets_at - free_until < 1e-8,
        "{sweep:?}"
    );
    assert_eq!(parts, [1, 2]);
    // They move as one: the chain between them has no motion that changes their distance.
    let sweep = query.sweep(&robot, &[1.0, 1.0], &[-4.0, 6.0], &SweepOptions::new()).unwrap();
    assert_eq!(sweep, RobotSweep::Clear);
    // They start in contact, and part.
    let sweep = query.sweep(&robot, &[0.1, 0.1], &[1.0, 1.0], &SweepOptions::new()).unwrap();
    assert_eq!(sweep, RobotSweep::Contact { free_until: 0.0, meets_at: 0.0, parts: [1, 2] });
    let later = SweepOptions::new().after(0.5).unwrap();
    assert_eq!(query.sweep(&robot, &[0.1, 0.1], &[1.0, 1.0], &later).unwrap(), RobotSweep::Clear);
    // Nothing moves.
    let sweep = query.sweep(&robot, &[1.0, 1.0], &[1.0, 1.0], &SweepOptions::new()).unwrap();
    assert_eq!(sweep, RobotSweep::Clear);
}

/// A plate of a millionth between two samples of an edge.
#[test]
fn a_thin_plate_between_samples_is_found() {
    let mut robot = scissor("<box size='0.05 0.05 1'/>");
    let plate = Arc::new(Model::new(Mesh::cuboid([1e-6, 3.0, 3.0]).unwrap()));
    let plate =
        robot.add_obstacle("plate", plate, Pose::from_translation([0.3, 0.0, 0.0]).unwrap(), 0.0).unwrap();
    let mut query = RobotQuery::new();
    // Half a turn, whose ends and middle are free; and six turns, whose samples are all at one place.
    for (q1, samples) in [(-2.0, 2), (2.0 - 12.0 * std::f64::consts::PI, 6)] {
        let (q0, q1) = ([2.0, 3.0], [q1, 3.0]);
        for k in 0..=samples {
            let q = between(&q0, &q1, f64::from(k) / f64::from(samples));
            assert!(!query.in_collision(&robot, &q).unwrap());
        }
        let sweep = query.sweep(&robot, &q0, &q1, &SweepOptions::new()).unwrap();
        assert!(matches!(sweep, RobotSweep::Contact { parts, .. } if parts == [1, plate]), "{sweep:?}");
    }
}

/// A part that starts inside of a solid is in contact at once, though no surface meets another.
#[test]
fn what_starts_inside_is_in_contact() {
    let mut robot = scissor("<sphere radius='0.1'/>");
    let hall = Arc::new(Model::new(Mesh::cuboid([9.0; 3]).unwrap()));
    let hall = robot.add_obstacle("hall", hall, Pose::IDENTITY, 0.0).unwrap();
    let sweep = RobotQuery::new().sweep(&robot, &[0.0, 1.0], &[0.5, 1.0], &SweepOptions::new()).unwrap();
    assert_eq!(sweep, RobotSweep::Contact { free_until: 0.0, meets_at: 0.0, parts: [1, hall] });
}

#[test]
fn batches_of_edges_are_single_sweeps() {
    let robot = scene();
    let (mut query, mut seed) = (RobotQuery::new(), 14);
    let edges: Vec<_> = (0..30).map(|round| edge(&robot, &mut seed, round)).collect();
    let [starts, ends] = [0, 1].map(|k| edges.iter().flat_map(|edge| edge[k].clone()).collect::<Vec<_>>());
    let options = SweepOptions::new();
    let all = query.sweep_each(&robot, &starts, &ends, &options).unwrap();
    for (sweep, [q0, q1]) in all.iter().zip(&edges) {
        assert_eq!(*sweep, query.sweep(&robot, q0, q1, &options).unwrap());
    }
    assert!(query.sweep_each(&robot, &starts, &ends[5..], &options).is_err());
    assert!(query.sweep(&robot, &[0.0; 5], &[f64::NAN; 5], &options).is_err());
    assert!(query.sweep(&robot, &[0.0; 5], &[1e9, 0.0, 0.0, 0.0, 0.0], &options).is_err());
}
