//! The split rule of RAPID (Gottschalk, Lin and Manocha 1996, section 4): the mean of the centroids along a
//! principal axis.
use super::cut::{Cut, halve, partition};
use crate::fit::axes::principal_axes;
use crate::primitives::{Item, NormalizedMesh};
use impinge::hierarchy::Bounds;

pub(super) fn cut(items: &mut [Item], bounds: &Bounds, mesh: NormalizedMesh<'_>) -> Cut {
    let axes = principal_axes(items.iter().map(|item| mesh.corners(item.triangle)));
    let along = |axis: &[f64; 3], p: &[f64; 3]| axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
    let side = |axis: &[f64; 3]| {
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for item in items.iter() {
            for p in mesh.corners(item.triangle) {
                lo = lo.min(along(axis, &p));
                hi = hi.max(along(axis, &p));
            }
        }
        hi - lo
    };
    let mut sides = axes.map(|axis| (side(&axis), axis));
    // A stable sort keeps equal sides in their order.
    sides.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, axis) in sides {
        // Three times the centroid's coordinate along the axis.
        let place = |item: &Item| mesh.corners(item.triangle).iter().map(|p| along(&axis, p)).sum::<f64>();
        let mean = items.iter().map(place).sum::<f64>() / items.len() as f64;
        let at = partition(items, |item| place(item) < mean);
        if at != 0 && at != items.len() {
            return Cut::at(at, items);
        }
    }
    Cut::at(halve(items, bounds.longest_axis()), items)
}
