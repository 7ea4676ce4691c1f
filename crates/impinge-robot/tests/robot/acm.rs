//! Pairs that need no check: samples, proofs, their SRDF, and defects of an SRDF.
use crate::collisions::{arm, configuration};
use impinge_robot::{
    AcmClass, DisabledPairs, DisabledUse, Error, NeverProof, PairReason, Robot, RobotQuery, Srdf, Urdf,
};

/// A rod on a turntable, between a post that it passes, one that it does not reach, and one on the turntable.
fn turntable(radius: f64, lower: f64, upper: f64) -> String {
    format!(
        "<robot name='turn'>
      <link name='base'><collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>
      <link name='axle'/>
      <link name='rod'><collision><origin xyz='0.5 0 0'/>
        <geometry><box size='0.9 0.05 0.05'/></geometry></collision></link>
      <link name='post'><collision><geometry><sphere radius='{radius}'/></geometry></collision></link>
      <joint name='turn' type='revolute'><parent link='base'/><child link='axle'/><axis xyz='0 0 1'/>
        <limit lower='{lower}' upper='{upper}'/></joint>
      <joint name='lift' type='prismatic'><parent link='axle'/><child link='rod'/><axis xyz='0 0 1'/>
        <limit lower='-0.02' upper='0.02'/></joint>
      <joint name='stand' type='fixed'><parent link='base'/><child link='post'/>
        <origin xyz='1.2 0 0'/></joint></robot>"
    )
}

fn robot(text: &str, srdf: Option<&Srdf>) -> Robot {
    Robot::new(&Urdf::parse(text).unwrap(), srdf, &mut |_| -> Result<_, Error> { unreachable!() }).unwrap()
}

/// The rod's end is at 0.95, sqrt(0.95^2 + 0.025^2) from the axle at its corners: 0.9503. The post is at 1.2.
#[test]
fn what_is_proved_is_true_and_nearly_all_is_proved() {
    for (radius, lower, upper, never) in [
        (0.245, -3.0, 3.0, true),
        (0.2505, -3.0, 3.0, false),
        (0.3, 0.4, 5.8, true),
        (0.3, 0.0, 1.0, false),
        (0.2505, 0.05, 3.0, true),
    ] {
        let robot = robot(&turntable(radius, lower, upper), None);
        let proof = RobotQuery::new().prove_never(&robot, [3, 2], 100_000).unwrap();
        match proof {
            NeverProof::Never { cells } => assert!(never && cells > 1, "{radius} {cells}"),
            NeverProof::Collides { q, .. } => {
                assert!(!never, "{radius}");
                assert!(RobotQuery::new().in_collision(&robot, &q).unwrap());
            }
            NeverProof::Undecided { .. } => panic!("{radius}"),
        }
    }
    let robot = robot(&turntable(0.245, -3.0, 3.0), None);
    assert_eq!(RobotQuery::new().prove_never(&robot, [3, 2], 3).unwrap(), NeverProof::Undecided { cells: 3 });
    assert!(RobotQuery::new().prove_never(&robot, [3, 9], 3).is_err());
}

#[test]
fn classes_agree_with_samples() {
    let robot = arm();
    let mut query = RobotQuery::new();
    let acm = query.acm(&robot, 400, 3_000, 1).unwrap();
    assert_eq!((acm.pairs().len(), acm.samples()), (21, 400));
    let mut seed = 77;
    let mut proved = 0;
    let never: Vec<_> = acm
        .pairs()
        .iter()
        .filter(|pair| matches!(pair.class, AcmClass::Never { .. }))
        .map(|pair| pair.parts)
        .collect();
    for _ in 0..1_000 {
        let q = configuration(&robot, &mut seed);
        let pairs = query.colliding_pairs(&robot, &q).unwrap();
        assert!(pairs.iter().all(|pair| !never.contains(pair)), "{pairs:?}");
    }
    for pair in acm.pairs() {
        proved += usize::from(matches!(pair.class, AcmClass::Never { .. }));
        match pair.class {
            AcmClass::Adjacent => assert_eq!(robot.reason(pair.parts), Some(&PairReason::Adjacent)),
            AcmClass::Rigid => assert_eq!(robot.reason(pair.parts), Some(&PairReason::Rigid)),
            AcmClass::Always => assert_eq!(pair.hits, 400),
            AcmClass::Never { .. } | AcmClass::Unseen => assert_eq!((pair.hits, &pair.example), (0, &None)),
            AcmClass::Sometimes | AcmClass::Default => {
                let q = pair.example.as_ref().unwrap();
                assert!(query.colliding_pairs(&robot, q).unwrap().contains(&pair.parts));
            }
        }
    }
    assert!(proved >= 2, "{:?}", acm.pairs());
    // What the SRDF disables is read back.
    let srdf = Srdf::parse(&acm.to_srdf("arm & co", &robot)).unwrap();
    assert_eq!(srdf.name, "arm & co");
    let allowed = acm.pairs().iter().filter(|pair| pair.class.is_allowed()).count();
    assert_eq!(srdf.disabled.len(), allowed);
    // The same seed gives the same matrix.
    assert_eq!(query.acm(&robot, 400, 3_000, 1).unwrap().pairs(), acm.pairs());
}

#[test]
fn disabled_pairs_that_collide_are_found() {
    let srdf = "<robot name='turn'><disable_collisions link1='rod' link2='post' reason='Never'/>
      <disable_collisions link1='axle' link2='post' reason='Never'/></robot>";
    let srdf = Srdf::parse(srdf).unwrap();
    let text = turntable(0.5, -3.0, 3.0);
    let disabled = DisabledPairs::new(robot(&text, None), &Urdf::parse(&text).unwrap(), &srdf).unwrap();
    let uses: Vec<_> = disabled.pairs().iter().map(|pair| pair.use_of).collect();
    assert_eq!(uses, [DisabledUse::Moving, DisabledUse::NoShape]);
    let mut query = RobotQuery::new();
    let free = robot(&text, None);
    let mut found = 0;
    for number in 0..1000 {
        let q = disabled.sample(7, number);
        let pairs = disabled.colliding(&mut query, &q).unwrap();
        found += pairs.len();
        assert_eq!(pairs.contains(&0), query.colliding_pairs(&free, &q).unwrap().contains(&[2, 3]), "{q:?}");
    }
    assert!(found > 0 && found < 1000, "{found}");
}
