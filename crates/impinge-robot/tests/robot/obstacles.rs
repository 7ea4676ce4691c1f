//! Robots among many obstacles: the results are those of one obstacle at a time.
use crate::collisions::{arm, configuration};
use impinge::{Mesh, Model, Pose, distance::Margin, sweep::SweepOptions};
use impinge_robot::{PairReason, Robot, RobotQuery, RobotSweep};
use std::sync::Arc;

/// Balls and boxes at random places, some large. One is allowed to meet a link.
fn obstacles(count: usize) -> Vec<(Arc<Model>, Pose, f64)> {
    let (mut state, bodies) = (
        5_u64,
        [
            Arc::new(Model::points(&[[0.0; 3]]).unwrap()),
            Arc::new(Model::new(Mesh::cuboid([0.1, 0.05, 0.2]).unwrap())),
        ],
    );
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..count)
        .map(|number| {
            let t = [3.0 * random() - 1.5, 3.0 * random() - 1.5, 2.0 * random()];
            let pose = Pose::from_translation(t).unwrap();
            (Arc::clone(&bodies[number % 2]), pose, 0.001 + 0.02 * random())
        })
        .collect()
}

/// The arm, and the indices of these obstacles. It carries a ball that was attached after half of them.
fn among(obstacles: &[(Arc<Model>, Pose, f64)]) -> (Robot, Vec<usize>) {
    let mut robot = arm();
    let (mut parts, half) = (Vec::new(), obstacles.len() / 2);
    let ball = Arc::new(Model::points(&[[0.0; 3]]).unwrap());
    for (number, (model, pose, radius)) in obstacles.iter().enumerate() {
        if number == half {
            let hand = robot.part("hand").unwrap();
            let pose = Pose::from_translation([0.35, 0.0, 0.0]).unwrap();
            robot.attach(hand, "ball", Arc::clone(&ball), pose, 0.04).unwrap();
        }
        parts.push(robot.add_obstacle(&number.to_string(), Arc::clone(model), *pose, *radius).unwrap());
    }
    (robot, parts)
}

#[test]
fn many_obstacles_are_as_each_alone() {
    let all = obstacles(120);
    let (mut robot, parts) = among(&all);
    let lower = robot.part("lower").unwrap();
    for part in &parts[..16] {
        robot.set_allowed([lower, *part], Some(PairReason::Allowed)).unwrap();
    }
    // An obstacle that meets the base does so in all configurations.
    let base = robot.part("base").unwrap();
    for part in &parts {
        robot.set_allowed([base, *part], Some(PairReason::Allowed)).unwrap();
    }
    // One robot for each obstacle, which checks it alone.
    let ball = robot.part("ball").unwrap();
    let links: Vec<usize> = (0..robot.parts().len()).filter(|part| !parts.contains(part)).collect();
    let alone: Vec<Robot> = parts
        .iter()
        .map(|&obstacle| {
            let mut robot = robot.clone();
            for part in parts.iter().copied().filter(|part| *part != obstacle) {
                robot.remove(part).unwrap();
            }
            for (k, a) in links.iter().enumerate() {
                for b in &links[k + 1..] {
                    robot.set_allowed([*a, *b], Some(PairReason::Allowed)).unwrap();
                }
            }
            robot
        })
        .collect();
    let (mut query, mut one, mut seed) = (RobotQuery::new(), RobotQuery::new(), 3);
    let margin = Margin::new(0.03).unwrap();
    let mut kinds = [0; 3];
    for _ in 0..150 {
        let q = configuration(&robot, &mut seed);
        let to: Vec<f64> = q.iter().map(|x| x + 0.1).collect();
        for margin in [Margin::ZERO, margin] {
            let mut pairs: Vec<[usize; 2]> =
                alone.iter().flat_map(|robot| one.near_pairs(robot, &q, margin).unwrap().to_vec()).collect();
            pairs.sort_unstable();
            let found = query.near_pairs(&robot, &q, margin).unwrap();
            let found: Vec<_> =
                found.iter().copied().filter(|pair| pair.iter().any(|k| parts.contains(k))).collect();
            assert_eq!(found, pairs);
            kinds[0] += pairs.len();
            kinds[1] += pairs.iter().filter(|pair| pair.contains(&ball)).count();
        }
        // Distance and edge ignore the links' own pairs.
        let mut free = robot.clone();
        for (k, a) in links.iter().enumerate() {
            for b in &links[k + 1..] {
                free.set_allowed([*a, *b], Some(PairReason::Allowed)).unwrap();
            }
        }
        let distance = query.distance(&free, &q).unwrap().unwrap();
        let each = alone.iter().map(|robot| one.distance(robot, &q).unwrap().unwrap());
        let least = each.min_by(|a, b| a.bounds.hi.total_cmp(&b.bounds.hi)).unwrap();
        assert!(distance.bounds.lo <= least.bounds.hi && least.bounds.lo <= distance.bounds.hi);
        assert_eq!(query.in_collision(&free, &q).unwrap(), least.bounds.hi == 0.0);
        let options = SweepOptions::new();
        let sweep = query.sweep(&free, &q, &to, &options).unwrap();
        let each = alone.iter().map(|robot| one.sweep(robot, &q, &to, &options).unwrap());
        let first = each.min_by(|a, b| a.free_until().total_cmp(&b.free_until())).unwrap();
        assert_eq!(sweep == RobotSweep::Clear, first == RobotSweep::Clear);
        assert!((sweep.free_until() - first.free_until()).abs() < 1e-6, "{sweep:?} {first:?}");
        kinds[2] += usize::from(matches!(sweep, RobotSweep::Contact { free_until, .. } if free_until > 0.0));
    }
    assert!(kinds[0] > 100 && kinds[1] > 3 && kinds[2] > 1, "{kinds:?}");
}

/// A pair's margin is as a padding of one part, for that pair alone, in one configuration and on the way.
#[test]
fn margins_of_pairs_count() {
    let all = obstacles(60);
    let (robot, parts) = among(&all);
    let (mut query, mut seed, mut kinds) = (RobotQuery::new(), 8, [0; 2]);
    let hand = robot.part("hand").unwrap();
    for &obstacle in &parts {
        let mut alone = robot.clone();
        for other in (0..robot.parts().len()).filter(|other| *other != hand && *other != obstacle) {
            for own in [hand, obstacle] {
                alone.set_allowed([own, other], Some(PairReason::Allowed)).unwrap();
            }
        }
        let (mut margin, mut padded) = (robot.clone(), alone.clone());
        margin.set_margin([obstacle, hand], 0.3).unwrap();
        padded.set_padding(obstacle, 0.3).unwrap();
        let has = |pairs: &[[usize; 2]]| pairs.contains(&[hand.min(obstacle), hand.max(obstacle)]);
        // All other pairs are allowed on the way.
        let mut only = alone.clone();
        for a in 0..robot.parts().len() {
            for b in 0..a {
                if !has(&[[b, a]]) {
                    only.set_allowed([a, b], Some(PairReason::Allowed)).unwrap();
                }
            }
        }
        let mut only_padded = only.clone();
        only_padded.set_padding(obstacle, 0.3).unwrap();
        only.set_margin([hand, obstacle], 0.3).unwrap();
        for _ in 0..12 {
            let q = configuration(&robot, &mut seed);
            let to: Vec<f64> = q.iter().map(|x| x + 0.1).collect();
            let expected = has(query.colliding_pairs(&padded, &q).unwrap());
            let found = query.colliding_pairs(&margin, &q).unwrap().to_vec();
            assert_eq!(has(&found), expected);
            let without = query.colliding_pairs(&robot, &q).unwrap().to_vec();
            assert!(
                found.iter().filter(|pair| !has(&[**pair])).eq(without.iter().filter(|pair| !has(&[**pair])))
            );
            kinds[0] += usize::from(expected && !has(&without));
            let [x, y] =
                [&only, &only_padded].map(|robot| query.sweep(robot, &q, &to, &SweepOptions::new()).unwrap());
            assert_eq!(x == RobotSweep::Clear, y == RobotSweep::Clear);
            assert!((x.free_until() - y.free_until()).abs() < 1e-6, "{x:?} {y:?}");
            kinds[1] += usize::from(x.free_until() > 0.0 && x != RobotSweep::Clear);
        }
        only.set_margin([hand, obstacle], 0.0).unwrap();
        let q = configuration(&robot, &mut seed);
        assert_eq!(
            has(query.colliding_pairs(&only, &q).unwrap()),
            has(query.colliding_pairs(&robot, &q).unwrap())
        );
    }
    assert!(kinds[0] > 3 && kinds[1] > 1, "{kinds:?}");
    let mut robot = robot;
    assert!(robot.set_margin([0, 1], -1.0).is_err() && robot.set_margin([0, 99_999], 1.0).is_err());
}
