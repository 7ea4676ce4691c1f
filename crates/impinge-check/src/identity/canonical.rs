//! An order of parts that depends on their contents alone.
use super::{part::PartIdentity, shape::ShapeMeasures};
use std::cmp::Ordering;

/// Compares all properties of two parts, the place first. Equal parts are interchangeable.
pub(crate) fn canonical_order(a: &PartIdentity, b: &PartIdentity) -> Ordering {
    let numbers = |part: &PartIdentity| {
        let [u, v] = part.place.turn;
        let ShapeMeasures { area, volume, spread, .. } = part.shape;
        [part.place.centroid, u, v, spread, [area, volume, 0.0]]
    };
    let texts = |part: &PartIdentity| {
        let PartIdentity { guid, path, name, file, class, .. } = part;
        (guid.clone(), path.clone(), name.clone(), file.clone(), class.clone(), part.shape.indices())
    };
    let (x, y) = (numbers(a), numbers(b));
    let ordering = x.iter().flatten().zip(y.iter().flatten()).map(|(x, y)| x.total_cmp(y));
    ordering.fold(Ordering::Equal, Ordering::then).then_with(|| texts(a).cmp(&texts(b)))
}
