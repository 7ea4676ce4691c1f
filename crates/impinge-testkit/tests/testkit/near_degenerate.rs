use impinge::Pose;
use impinge_testkit::near_degenerate::*;
use impinge_testkit::oracle::intersects;

#[test]
fn every_family_meets_and_misses_about_as_often() {
    const EACH: u64 = 4000;
    let mut met = [0_u64; FAMILIES.len()];
    for index in 0..EACH * FAMILIES.len() as u64 {
        let case = near_degenerate(1, index);
        let family = (index % FAMILIES.len() as u64) as usize;
        assert_eq!(case.family, FAMILIES[family]);
        met[family] += u64::from(intersects(&case.p, &case.pose_p, &case.q, &case.pose_q));
    }
    let share = met.map(|n| n as f64 / EACH as f64);
    for (name, share) in FAMILIES.iter().zip(share) {
        assert!((0.3..0.7).contains(&share), "{share:.2} of {name}");
    }
}

#[test]
fn instances_of_every_family_meet_and_miss() {
    let (mut met, mut alike) = ([0_u64; FAMILIES.len()], 0);
    for index in 0..1000 * FAMILIES.len() as u64 {
        let case = near_touching_instances(1, index);
        alike += u64::from(case.pose_p == case.pose_q);
        met[index as usize % FAMILIES.len()] +=
            u64::from(intersects(&case.p, &case.pose_p, &case.q, &case.pose_q));
    }
    println!("{met:?}, {alike} at one pose");
    assert!(alike < 100, "{alike}");
    for (name, n) in FAMILIES.iter().zip(met) {
        assert!((5..950).contains(&n), "{n} of 1000 {name}");
    }
}

#[test]
fn every_placement_and_extreme_occurs() {
    let cases: Vec<PairCase> = (0..64_000).map(|index| near_degenerate(5, index)).collect();
    let often = |what: &str, is: &dyn Fn(&PairCase) -> bool| {
        let count = cases.iter().filter(|c| is(c)).count();
        assert!(count > 500, "{what}: {count} of {}", cases.len());
    };
    let largest = |c: &PairCase| c.p.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    often("at rest", &|c| c.pose_p == Pose::IDENTITY && c.pose_q == Pose::IDENTITY);
    often("one pose for both", &|c| c.pose_p == c.pose_q && c.pose_p != Pose::IDENTITY);
    often("last bits", &|c| {
        let (p, q) = (c.pose_p.rows().as_flattened(), c.pose_q.rows().as_flattened());
        p != q && p.iter().zip(q).all(|(a, b)| (a - b).abs() < 1e-14)
    });
    often("not rigid", &|c| !c.pose_p.is_rigid());
    often("rigid to f32 only", &|c| {
        c.pose_p.is_rigid() && impinge::pose::rigid_defect(c.pose_p.rows()) > 1e-9
    });
    often("subnormal", &|c| largest(c) < f64::MIN_POSITIVE);
    often("tiny", &|c| (1e-40..1e-20).contains(&largest(c)));
    often("huge", &|c| largest(c) > 1e140);
    often("details of 1e-3 at 1e7", &|c| (0.9e7..1.1e7).contains(&largest(c)));
    often("far", &|c| (0.9e9..1.1e9).contains(&largest(c)));
}

#[test]
fn the_oracle_does_not_mind_the_order() {
    for index in 0..4000 {
        let PairCase { mut p, pose_p, mut q, pose_q, family } = near_degenerate(2, index);
        let answer = intersects(&p, &pose_p, &q, &pose_q);
        assert_eq!(intersects(&q, &pose_q, &p, &pose_p), answer, "{family}, case {index}, swapped");
        p.rotate_left(1);
        q.swap(0, 2);
        assert_eq!(intersects(&p, &pose_p, &q, &pose_q), answer, "{family}, case {index}, permuted");
    }
}

#[test]
fn a_case_is_the_same_wherever_it_is_made() {
    let direct = near_degenerate(3, 77);
    let in_turn: Vec<_> = (0..100).map(|i| near_degenerate(3, i)).collect();
    assert_eq!(in_turn[77], direct);
    assert_ne!(near_degenerate(4, 77), direct);
}
