use super::*;
use crate::oracle;
use std::collections::BTreeMap;

/// The reference computes the same relation, status and volume for the changed meshes.
#[test]
fn changes_change_nothing() {
    let (mut changes, mut kinds, mut cases) = (BTreeMap::new(), BTreeMap::new(), 0);
    for index in 0..400 {
        let base = Base::new(3, index).expect("few small triangles");
        *kinds.entry(format!("{:?}", base.reference.kind)).or_insert(0) += 1;
        let mut rng = Rng::for_case(4, index);
        let variant = base.variant(&mut rng);
        let placed = variant.placed(&mut rng);
        let bodies = placed.each_ref().map(|(mesh, pose)| (mesh, pose));
        let Some(again) = Reference::new(bodies, FillRule::NonZero) else { continue };
        let (kind, status, touching) = base.want(&variant);
        let context = || format!("{index} {:?}:\n{}", variant.changes, variant.obj());
        assert_eq!((again.kind, again.status), (kind, status), "{}", context());
        assert!(touching.is_none_or(|touching| touching == again.touching), "{}", context());
        let wanted = oracle::Term { mantissa: 1, exponent: 3 * variant.scale }.rational() * base.volume();
        assert_eq!(again.overlap_volume(), wanted, "{}", context());
        cases += 1;
        for change in variant.changes {
            *changes.entry(change).or_insert(0) += 1;
        }
    }
    assert!(cases > 300 && changes.len() == Change::ALL.len(), "{cases} {changes:?}");
    assert!(kinds.len() == 9 && kinds.values().all(|&n| n > 3), "{kinds:?}");
}

/// The check fails if a change does not keep the set.
#[test]
fn other_sets_are_something_else() {
    let cube = |lo: f64, hi: f64| Body { triangles: bodies::cuboid([lo; 3], [hi; 3]), ..Body::default() };
    let base = Base::of([cube(0.0, 2.0), cube(1.0, 3.0)]).expect("small");
    let mut rng = Rng::new(1);
    let mut query = impinge::Query::new();
    let mut variant = base.plain();
    assert!(check(&base, &variant, &mut rng, &mut query).is_ok());
    variant.bodies[1] = cube(2.0, 3.0);
    let failure = check(&base, &variant, &mut rng, &mut query).expect_err("they touch");
    assert_eq!(failure.what, "Touch, not Overlap");
    assert_eq!(failure.to_string().lines().filter(|line| line.starts_with("f ")).count(), 24);
    variant.bodies[1].triangles.pop();
    assert!(check(&base, &variant, &mut rng, &mut query).is_err_and(|it| it.what.starts_with("status")));
    assert!(shrink(&failure, &mut query).is_none(), "the library is right");
}
