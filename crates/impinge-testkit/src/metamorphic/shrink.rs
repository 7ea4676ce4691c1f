//! Smaller pairs that fail in the same way.
use super::{Base, bodies::Body, check, failure::Failure};
use crate::rng::Rng;
use impinge::Query;

/// Removes triangles, one or two at once, as long as the library is wrong on the rest without any change.
/// `None` if the library is right on the meshes of the failure, which then needs a pose, merged points or the
/// scale.
pub fn shrink(failure: &Failure, query: &mut Query) -> Option<Failure> {
    let mut fails = |bodies: [Body; 2]| {
        let base = Base::of(bodies)?;
        check(&base, &base.plain(), &mut Rng::new(0), query).err()
    };
    let mut least = fails(failure.variant.bodies.clone())?;
    let remove = |bodies: &[Body; 2], all: &[(usize, usize)]| {
        let mut rest = bodies.clone();
        for &(i, t) in all {
            rest[i].triangles.remove(t);
        }
        rest
    };
    loop {
        let bodies = &least.variant.bodies;
        let mut places: Vec<(usize, usize)> =
            (0..2).flat_map(|i| (0..bodies[i].triangles.len()).map(move |t| (i, t))).collect();
        // The last first, so that removing it keeps the positions of the others.
        places.reverse();
        let singles = places.iter().map(|&p| vec![p]);
        let pairs = (0..places.len()).flat_map(|k| places[k + 1..].iter().map(move |q| (k, *q)));
        let pairs = pairs.map(|(k, q)| vec![places[k], q]);
        match singles.chain(pairs).find_map(|all| fails(remove(bodies, &all))) {
            Some(smaller) => least = smaller,
            None => return Some(least),
        }
    }
}
