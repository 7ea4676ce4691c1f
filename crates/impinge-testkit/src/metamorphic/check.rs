//! Compares the library's relation of a changed pair with the reference of the pair before the changes.
use super::{
    Base, exchanged,
    failure::Failure,
    numbers::{Number, check_numbers},
    placed_models,
    variant::Variant,
};
use crate::rng::Rng;
use impinge::{Body, Query, relation::RelationKind};
use std::collections::BTreeMap;

/// Counts of each relation, status and change.
pub type Seen = BTreeMap<String, u64>;

/// Checks a pair and `variants` other meshes of it. Returns the number of cases.
///
/// # Errors
/// Returns the first case that is wrong.
pub fn case(
    seed: u64,
    index: u64,
    variants: u64,
    query: &mut Query,
    seen: &mut Seen,
) -> Result<u64, Failure> {
    let Some(base) = Base::new(seed, index) else { return Ok(0) };
    let mut rng = Rng::for_case(seed ^ 0x5eed, index);
    check(&base, &base.plain(), &mut rng, query)?;
    *seen.entry(format!("{:?}", base.reference.kind)).or_default() += 1;
    for status in base.reference.status {
        *seen.entry(format!("{status:?}")).or_default() += 1;
    }
    for _ in 0..variants {
        let variant = base.variant(&mut rng);
        check(&base, &variant, &mut rng, query)?;
        for change in variant.changes {
            *seen.entry(format!("{change:?}")).or_default() += 1;
        }
    }
    Ok(1 + variants)
}

/// Checks numbers of a pair and of `variants` other meshes of it. Returns the number of cases.
///
/// # Errors
/// Returns the first case that is wrong.
pub fn case_numbers(
    seed: u64,
    index: u64,
    variants: u64,
    query: &mut Query,
    which: &[Number],
) -> Result<u64, Failure> {
    let Some(base) = Base::new(seed, index) else { return Ok(0) };
    let mut rng = Rng::for_case(seed ^ 0x5eed, index);
    let mut distance = None;
    check_numbers(&base, &base.plain(), &mut rng, query, which, &mut distance)?;
    for _ in 0..variants {
        let variant = base.variant(&mut rng);
        check_numbers(&base, &variant, &mut rng, query, which, &mut distance)?;
    }
    Ok(1 + variants)
}

/// Checks one variant: its relation, in both orders, and whether insides meet.
///
/// # Errors
/// Returns an error if one of them is wrong.
pub fn check(base: &Base, variant: &Variant, rng: &mut Rng, query: &mut Query) -> Result<(), Failure> {
    let placed = variant.placed(rng);
    let models = placed_models(&placed);
    let [a, b] = [0, 1].map(|i| Body::new(&models[i], placed[i].1));
    let (kind, status, touching) = base.want(variant);
    let found = query.relation(&a, &b);
    let back = query.relation(&b, &a);
    let fail = |what: String| Failure { what, variant: Box::new(variant.clone()) };
    if found.status != status {
        return Err(fail(format!("status {:?}, not {status:?}", found.status)));
    }
    if found.kind != kind {
        return Err(fail(format!("{:?}, not {kind:?}", found.kind)));
    }
    if exchanged(back.kind) != kind || back.touching != found.touching {
        return Err(fail(format!("exchanged {:?}, not {kind:?}", exchanged(back.kind))));
    }
    if touching.is_some_and(|touching| touching != found.touching) {
        return Err(fail(format!("touching {}, not {touching:?}", found.touching)));
    }
    let meet = !matches!(kind, RelationKind::Apart | RelationKind::Touch | RelationKind::Meet);
    if query.overlaps(&a, &b) != meet {
        return Err(fail(format!("insides meet: {}, not {meet}", !meet)));
    }
    Ok(())
}
