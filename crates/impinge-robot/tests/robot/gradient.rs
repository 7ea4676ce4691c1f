//! Gradients of distances, against differences.
use crate::collisions::{configuration, scene};
use impinge::Pose;
use impinge_robot::{RobotDistance, RobotQuery};

const STEP: f64 = 1e-6;

#[test]
fn gradients_are_those_of_differences() {
    let robot = scene();
    let (mut query, mut seed) = (RobotQuery::new(), 11);
    let middle = |distance: &RobotDistance| distance.bounds.lo / 2.0 + distance.bounds.hi / 2.0;
    let (mut agree, mut kinks, mut in_collision) = (0, 0, 0);
    let mut is_seen = vec![false; robot.kinematics().dofs().len()];
    for _ in 0..400 {
        let mut q = configuration(&robot, &mut seed);
        let distance = query.distance(&robot, &q).unwrap().unwrap();
        let Some(gradient) = query.gradient(&robot, &q, &distance).unwrap() else {
            assert_eq!(distance.bounds.hi, 0.0);
            in_collision += 1;
            continue;
        };
        let at = middle(&distance);
        if at < 1e-3 {
            continue;
        }
        for k in 0..q.len() {
            let x = q[k];
            let [lower, upper] = [-STEP, STEP].map(|step| {
                q[k] = x + step;
                middle(&query.distance(&robot, &q).unwrap().unwrap())
            });
            q[k] = x;
            let difference = (upper - lower) / (2.0 * STEP);
            // Slopes on both sides differ.
            let is_kink = (upper - 2.0 * at + lower).abs() / STEP > 1e-3;
            if (difference - gradient[k]).abs() <= 2e-5 * (1.0 + difference.abs()) {
                agree += 1;
                is_seen[k] |= gradient[k] != 0.0;
            } else {
                assert!(is_kink, "{} of {gradient:?}, {difference}, {distance:?} at {q:?}", k);
                kinks += 1;
            }
        }
    }
    assert!(agree > 500 && kinks * 20 < agree && in_collision > 10, "{agree} {kinks} {in_collision}");
    assert_eq!(is_seen, [true; 5], "the last one moves the joint that follows it");
}

#[test]
fn points_are_as_far_apart_as_the_distance() {
    let robot = scene();
    let (mut query, mut seed) = (RobotQuery::new(), 12);
    for _ in 0..200 {
        let q = configuration(&robot, &mut seed);
        let distance = query.distance(&robot, &q).unwrap().unwrap();
        let [a, b] = distance.bounds.points;
        let length = (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
        assert!(distance.bounds.hi == 0.0 || (length - distance.bounds.hi).abs() < 1e-12, "{distance:?}");
    }
}

#[test]
fn an_obstacle_moves() {
    let mut robot = scene();
    let (mut query, mut seed) = (RobotQuery::new(), 13);
    let table = robot.part("table").unwrap();
    let q = configuration(&robot, &mut seed);
    let before = robot.parts()[table].shapes()[0].pose().pose().translation()[2];
    let pose = |z: f64| Pose::from_translation([0.8, 0.0, z]).unwrap();
    robot.set_pose(table, pose(-50.0)).unwrap();
    let far = query.colliding_pairs(&robot, &q).unwrap().to_vec();
    assert!(far.iter().all(|pair| !pair.contains(&table)));
    robot.set_pose(table, pose(before)).unwrap();
    let again = query.colliding_pairs(&robot, &q).unwrap().to_vec();
    assert_eq!(again, query.colliding_pairs(&scene(), &q).unwrap());
    let sheared = Pose::affine([[1.0, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    assert!(robot.set_pose(table, sheared).unwrap_err().text().contains("'table'"));
    assert!(robot.set_pose(0, pose(0.0)).is_err() && robot.set_pose(999, pose(0.0)).is_err());
}

#[test]
fn a_flag_stops_queries() {
    use std::sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    };
    let robot = scene();
    let (mut query, mut seed) = (RobotQuery::new(), 14);
    let q = configuration(&robot, &mut seed);
    let flag = Arc::new(AtomicBool::new(false));
    let pairs = query.with_stop(&flag, |query| query.colliding_pairs(&robot, &q).unwrap().to_vec());
    assert_eq!(pairs.unwrap(), query.colliding_pairs(&robot, &q).unwrap());
    flag.store(true, Ordering::Relaxed);
    assert!(query.with_stop(&flag, |query| query.in_collision(&robot, &q)).is_err());
    // The query itself has no flag afterwards.
    assert!(query.distance(&robot, &q).unwrap().is_some());
}
