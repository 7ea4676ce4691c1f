//! Collisions of robots in configurations, against a query for each pair of bodies.
use impinge::{
    Body, Mesh, Model, Pose, Query,
    certainty::Certainty,
    distance::{Accuracy, Margin},
};
use impinge_robot::{Error, PairReason, PartKind, Robot, RobotQuery, Srdf, Urdf};
use std::sync::Arc;

/// A random number from 0 to 1.
pub(crate) fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1_u64 << 53) as f64
}

/// An arm of six joints with shapes of all kinds.
const ARM: &str = "<robot name='arm'>
  <link name='base'><collision><geometry><box size='0.6 0.6 0.2'/></geometry></collision></link>
  <link name='shoulder'><collision><origin xyz='0 0 0.2'/>
        <geometry><cylinder radius='0.12' length='0.3'/></geometry></collision></link>
  <link name='upper'><collision><origin xyz='0.3 0 0' rpy='0 1.5707963267948966 0'/>
        <geometry><capsule radius='0.08' length='0.5'/></geometry></collision></link>
  <link name='lower'><collision><origin xyz='0.25 0 0' rpy='0 1.5707963267948966 0'/>
        <geometry><cylinder radius='0.07' length='0.5'/></geometry></collision>
    <collision><origin xyz='0.5 0 0'/><geometry><sphere radius='0.09'/></geometry></collision></link>
  <link name='wrist'/>
  <link name='hand'><collision><origin xyz='0.1 0 0' rpy='0.3 0.2 0.1'/>
        <geometry><mesh filename='hand.stl' scale='1 1 1'/></geometry></collision></link>
  <link name='left'><collision><origin xyz='0.05 0 0'/>
        <geometry><box size='0.1 0.02 0.05'/></geometry></collision></link>
  <link name='right'><collision><origin xyz='0.05 0 0'/>
        <geometry><box size='0.1 0.02 0.05'/></geometry></collision></link>
  <joint name='q0' type='continuous'><parent link='base'/><child link='shoulder'/><origin xyz='0 0 0.1'/>
        <axis xyz='0 0 1'/></joint>
  <joint name='q1' type='revolute'><parent link='shoulder'/><child link='upper'/><origin xyz='0 0.1 0.3'/>
        <axis xyz='0 1 0'/><limit lower='-3' upper='3'/></joint>
  <joint name='q2' type='revolute'><parent link='upper'/><child link='lower'/><origin xyz='0.6 0 0'/>
        <axis xyz='0 1 0'/><limit lower='-3' upper='3'/></joint>
  <joint name='q3' type='continuous'><parent link='lower'/><child link='wrist'/><origin xyz='0.5 0 0'/>
        <axis xyz='1 1 0'/></joint>
  <joint name='fixed' type='fixed'><parent link='wrist'/><child link='hand'/>
        <origin xyz='0.05 0 0' rpy='0.1 0 0'/></joint>
  <joint name='q4' type='prismatic'><parent link='hand'/><child link='left'/><origin xyz='0.2 0.02 0'/>
        <axis xyz='0 1 0'/><limit lower='0' upper='0.05'/></joint>
  <joint name='q5' type='prismatic'><parent link='hand'/><child link='right'/><origin xyz='0.2 -0.02 0'/>
        <axis xyz='0 -1 0'/><mimic joint='q4'/></joint>
</robot>";

pub(crate) fn arm() -> Robot {
    let urdf = Urdf::parse(ARM).unwrap();
    let hand = Arc::new(Model::new(Mesh::uv_sphere(0.1, 8, 12).unwrap()));
    Robot::new(&urdf, None, &mut |_| -> Result<_, Error> { Ok(Arc::clone(&hand)) }).unwrap()
}

/// The arm beside a table, with a sphere in its hand.
pub(crate) fn scene() -> Robot {
    let mut robot = arm();
    let table = Arc::new(Model::new(Mesh::cuboid([0.6, 1.6, 0.05]).unwrap()));
    let at = |t| Pose::from_translation(t).unwrap();
    robot.add_obstacle("table", table, at([0.8, 0.0, 0.0]), 0.0).unwrap();
    let bar = Arc::new(Model::segment([0.0; 3], [0.0, 0.0, 2.0]).unwrap());
    robot.add_obstacle("bar", bar, at([-0.7, 0.3, 0.0]), 0.05).unwrap();
    let hand = robot.part("hand").unwrap();
    let ball = Arc::new(Model::points(&[[0.0; 3]]).unwrap());
    let ball = robot.attach(hand, "ball", ball, at([0.3, 0.0, 0.0]), 0.04).unwrap();
    for finger in ["left", "right"] {
        let finger = robot.part(finger).unwrap();
        robot.set_allowed([finger, ball], Some(PairReason::Allowed)).unwrap();
    }
    robot.set_padding(robot.part("upper").unwrap(), 0.01).unwrap();
    robot
}

pub(crate) fn configuration(robot: &Robot, seed: &mut u64) -> Vec<f64> {
    let dofs = robot.kinematics().dofs().iter();
    dofs.map(|dof| {
        let [lower, upper] = [dof.lower.max(-4.0), dof.upper.min(4.0)];
        lower + (upper - lower) * random(seed)
    })
    .collect()
}

/// All shapes of a part in the world: model, pose and radius.
fn placed<'r>(robot: &'r Robot, q: &[f64], part: usize) -> Vec<(&'r Model, Pose, f64)> {
    let poses = robot.kinematics().poses(q).unwrap();
    let of = &robot.parts()[part];
    let shapes = of.shapes().iter().map(|shape| {
        let pose = match of.kind() {
            PartKind::Link(link) | PartKind::Attached(link) => {
                *poses[link].times(shape.pose()).unwrap().pose()
            }
            PartKind::Obstacle | PartKind::Removed => *shape.pose().pose(),
        };
        let radius = shape.radius() + of.padding();
        let is_sum = shape.radius() > 0.0 && of.padding() > 0.0;
        (&**shape.model(), pose, if is_sum { radius.next_up() } else { radius })
    });
    shapes.collect()
}

/// The least distance of two parts as solids, by the core alone.
fn distance(robot: &Robot, q: &[f64], [a, b]: [usize; 2], query: &mut Query) -> f64 {
    let (a, b) = (placed(robot, q, a), placed(robot, q, b));
    let mut least = f64::INFINITY;
    for (m, p, r) in &a {
        for (n, o, s) in &b {
            let [m, n] = [Body::new(m, *p).rounded(*r).unwrap(), Body::new(n, *o).rounded(*s).unwrap()];
            let query = query.with_accuracy(Accuracy::new().solids());
            least = least.min(query.distance(&m, &n).unwrap().hi);
        }
    }
    least
}

#[test]
fn pairs_are_those_of_a_query_for_each_pair() {
    let robot = scene();
    let (mut query, mut core, mut seed) = (RobotQuery::new(), Query::new(), 5);
    let pairs = robot.checked_pairs();
    // 45 of 10 parts with shapes, but for 6 joints, 2 obstacles, and the ball on its hand and fingers.
    assert_eq!(pairs.len(), 35, "{pairs:?}");
    let mut count = [0; 2];
    for _ in 0..300 {
        let q = configuration(&robot, &mut seed);
        let distances: Vec<f64> = pairs.iter().map(|&pair| distance(&robot, &q, pair, &mut core)).collect();
        let expected: Vec<_> =
            pairs.iter().zip(&distances).filter(|(_, d)| **d == 0.0).map(|(p, _)| *p).collect();
        assert_eq!(query.colliding_pairs(&robot, &q).unwrap(), expected, "{q:?}");
        let collides = !expected.is_empty();
        count[usize::from(collides)] += 1;
        assert_eq!(query.in_collision(&robot, &q).unwrap(), collides);
        let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let found = query.distance(&robot, &q).unwrap().unwrap();
        assert!(found.bounds.lo <= least && found.bounds.hi >= least * (1.0 - 1e-12), "{found:?} {least}");
        assert!(found.bounds.hi - found.bounds.lo <= 1e-12 && found.error < 1e-13, "{found:?}");
        for factor in [0.0, 0.5, 0.999, 1.001, 2.0] {
            let margin = Margin::new(factor * least).unwrap();
            assert_eq!(query.within(&robot, &q, margin).unwrap(), factor > 1.0 || least == 0.0);
        }
        match query.certainty(&robot, &q).unwrap() {
            Certainty::Clear => assert!(!collides),
            Certainty::Definite => assert!(collides),
            // Between the meshes of a cylinder.
            Certainty::Possible => assert!(least < 1e-12, "{least}"),
        }
    }
    assert!(count.iter().all(|count| *count > 30), "{count:?}");
}

#[test]
fn batches_are_single_queries() {
    let robot = scene();
    let mut seed = 9;
    let q: Vec<f64> = (0..40).flat_map(|_| configuration(&robot, &mut seed)).collect();
    let count = robot.kinematics().dofs().len();
    for threads in [impinge::Threads::One, impinge::Threads::Pool] {
        let mut query = RobotQuery::new().threads(threads);
        let collisions = query.in_collision_each(&robot, &q).unwrap();
        let certainties = query.certainty_each(&robot, &q).unwrap();
        let distances = query.distance_each(&robot, &q).unwrap();
        for (k, q) in q.chunks(count).enumerate() {
            assert_eq!(collisions[k], query.in_collision(&robot, q).unwrap());
            assert_eq!(certainties[k], query.certainty(&robot, q).unwrap());
            assert_eq!(distances[k], query.distance(&robot, q).unwrap());
        }
        assert!(query.in_collision_each(&robot, &q[1..]).is_err());
        assert!(query.in_collision_each(&robot, &[f64::NAN; 5]).is_err());
    }
}

/// What is inside of a solid is in collision; not so in an open box.
#[test]
fn solids_have_an_inside() {
    let text = "<robot name='r'><link name='a'><collision>
        <geometry><mesh filename='a'/></geometry></collision></link>
      <link name='m'/><link name='b'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>
      <joint name='x' type='prismatic'><parent link='a'/><child link='m'/><axis xyz='1 0 0'/></joint>
      <joint name='y' type='prismatic'><parent link='m'/><child link='b'/>
        <axis xyz='0 1 0'/></joint></robot>";
    let urdf = Urdf::parse(text).unwrap();
    let closed = Mesh::cuboid([2.0; 3]).unwrap();
    let open = Mesh::new(closed.points().to_vec(), closed.triangles()[1..].to_vec()).unwrap();
    for (mesh, is_solid) in [(closed, true), (open, false)] {
        let model = Arc::new(Model::new(mesh));
        let mut robot =
            Robot::new(&urdf, None, &mut |_| -> Result<_, Error> { Ok(Arc::clone(&model)) }).unwrap();
        // A link without shapes is between them.
        assert_eq!(robot.reason([0, 2]), Some(&PairReason::Adjacent));
        robot.set_allowed([2, 0], None).unwrap();
        let mut query = RobotQuery::new();
        assert_eq!(query.in_collision(&robot, &[0.25, 0.0]).unwrap(), is_solid);
        let certainty = query.certainty(&robot, &[0.25, 0.0]).unwrap();
        assert_eq!(certainty, if is_solid { Certainty::Definite } else { Certainty::Clear });
        let distance = query.distance(&robot, &[0.25, 0.0]).unwrap().unwrap().bounds;
        assert_eq!(distance.hi == 0.0, is_solid);
        assert!(query.in_collision(&robot, &[0.95, 0.0]).unwrap());
        assert!(!query.in_collision(&robot, &[0.0, 3.0]).unwrap());
        // They touch, to the last bit: sliders along axes are exact.
        assert!(query.in_collision(&robot, &[1.0, 0.0]).unwrap());
        robot.set_padding(2, 0.5).unwrap();
        assert!(query.in_collision(&robot, &[0.0, 1.6]).unwrap());
        assert!(!query.in_collision(&robot, &[0.0, 1.7]).unwrap());
    }
}

/// Cylinders: the mesh around decides, the one inside confirms.
#[test]
fn cylinders_are_certain_outside_of_their_chord() {
    let text = "<robot name='r'><link name='a'><collision>
        <geometry><cylinder radius='1' length='1'/></geometry></collision></link>
      <link name='m'/><link name='b'><collision><geometry><box size='1 1 1'/></geometry></collision></link>
      <joint name='x' type='prismatic'><parent link='a'/><child link='m'/><axis xyz='1 0 0'/></joint>
      <joint name='y' type='continuous'><parent link='m'/><child link='b'/>
        <axis xyz='0 0 1'/></joint></robot>";
    let urdf = Urdf::parse(text).unwrap();
    let mut robot = Robot::new(&urdf, None, &mut |_| -> Result<_, Error> { unreachable!() }).unwrap();
    robot.set_allowed([0, 2], None).unwrap();
    let mut query = RobotQuery::new();
    for k in 0..100 {
        // The box turned by an eighth has a vertical edge in front.
        let x = 1.0 + 0.5_f64.sqrt() + (f64::from(k) - 50.0) * 1e-3;
        let q = [x, std::f64::consts::FRAC_PI_4];
        let (collides, certainty) =
            (query.in_collision(&robot, &q).unwrap(), query.certainty(&robot, &q).unwrap());
        let truth = x <= 1.0 + 0.5_f64.sqrt();
        assert!(collides || !truth, "{x}");
        match certainty {
            Certainty::Clear => assert!(!truth),
            Certainty::Definite => assert!(truth),
            Certainty::Possible => assert!((k - 50_i32).abs() < 6, "{k}"),
        }
    }
}

#[test]
fn pairs_that_are_not_checked_have_reasons() {
    let urdf = Urdf::parse(ARM).unwrap();
    let srdf = Srdf::parse(
        "<robot name='arm'>
      <disable_collisions link1='base' link2='upper' reason='Never'/>
      <disable_collisions link1='base' link2='nowhere'/>
      <disable_default_collisions link='right'/>
      <enable_collisions link1='right' link2='base'/>
      <enable_collisions link1='upper' link2='lower'/>
    </robot>",
    )
    .unwrap();
    let hand = Arc::new(Model::new(Mesh::uv_sphere(0.1, 8, 12).unwrap()));
    let robot =
        Robot::new(&urdf, Some(&srdf), &mut |_| -> Result<_, Error> { Ok(Arc::clone(&hand)) }).unwrap();
    let reason = |a: &str, b: &str| {
        robot.reason([robot.part(a).unwrap(), robot.part(b).unwrap()]).map(ToString::to_string)
    };
    assert_eq!(reason("upper", "base").as_deref(), Some("Never"));
    assert_eq!(reason("lower", "hand").as_deref(), Some("Adjacent"));
    assert_eq!((reason("right", "base"), reason("upper", "lower")), (None, None));
    assert_eq!(reason("right", "lower").as_deref(), Some(""));
    assert_eq!(robot.unknown_pairs().len(), 1);
    assert!(!robot.checked_pairs().contains(&[0, 2]) && robot.checked_pairs().contains(&[0, 7]));
}

#[test]
fn bodies_are_attached_and_removed() {
    let mut robot = arm();
    let ball = Arc::new(Model::points(&[[0.0; 3]]).unwrap());
    let far = Pose::from_translation([0.0, 0.0, 9.0]).unwrap();
    let q = [0.0, -1.0, 1.0, 0.0, 0.02];
    let mut query = RobotQuery::new();
    assert!(!query.in_collision(&robot, &q).unwrap());
    let hand = robot.part("hand").unwrap();
    let carried = robot.attach(hand, "carried", Arc::clone(&ball), Pose::IDENTITY, 0.5).unwrap();
    assert!(query.colliding_pairs(&robot, &q).unwrap().iter().all(|pair| pair[1] == carried));
    assert!(query.in_collision(&robot, &q).unwrap());
    robot.remove(carried).unwrap();
    assert!(!query.in_collision(&robot, &q).unwrap());
    let obstacle = robot.add_obstacle("carried", Arc::clone(&ball), far, 0.5).unwrap();
    assert_eq!((robot.part("carried"), obstacle), (Some(carried + 1), carried + 1));
    // Refused: links and parts that are gone, radii and poses.
    assert!(robot.remove(hand).is_err() && robot.remove(carried).is_err() && robot.remove(99).is_err());
    assert!(robot.set_padding(carried, 0.0).is_err() && robot.set_padding(hand, -1.0).is_err());
    assert!(robot.attach(77, "x", Arc::clone(&ball), far, 0.0).is_err());
    assert!(robot.add_obstacle("x", Arc::clone(&ball), far, f64::NAN).is_err());
    let flat = Pose::affine([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    assert!(robot.add_obstacle("x", ball, flat, 0.0).is_err());
}
