//! The split rule of Larsson and Akenine-Moller 2008 (section 3): triangles are divided by their centroids,
//! and unbalanced cuts are refused.
//!
//! The paper sorts fewer than 8 triangles by insertion; a partition gives the same two sets.
use super::cut::{Cut, halve, partition};
use crate::primitives::{Item, NormalizedMesh};
use impinge::hierarchy::Bounds;

/// Each side of a cut contains at least 1 / `FEWEST` of the triangles, if any axis has such a cut.
const FEWEST: usize = 10;

/// Number of centroids whose median is the last resort.
const SAMPLES: usize = 7;

pub(super) fn cut(items: &mut [Item], bounds: &Bounds, mesh: NormalizedMesh<'_>) -> Cut {
    // Three times the centroid; every number compared with it is three times as large, too.
    let centroid =
        |item: &Item, axis: usize| mesh.corners(item.triangle).iter().map(|v| v[axis]).sum::<f64>();
    let n = items.len();
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a, &b| bounds.side(b).total_cmp(&bounds.side(a)));
    for axis in axes {
        let plane = 1.5 * (f64::from(bounds.lo[axis]) + f64::from(bounds.hi[axis]));
        let left = partition(items, |item| centroid(item, axis) < plane);
        if FEWEST * left.min(n - left) >= n {
            return Cut::at(left, items);
        }
    }
    // A fixed seed gives the same tree every time (the generator is Knuth's, from MMIX).
    let mut state = n as u64;
    let mut samples: [f64; SAMPLES] = std::array::from_fn(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        centroid(&items[(state >> 33) as usize % n], axes[0])
    });
    samples.sort_by(f64::total_cmp);
    let left = partition(items, |item| centroid(item, axes[0]) < samples[SAMPLES / 2]);
    let at = if left == 0 { halve(items, axes[0]) } else { left };
    Cut::at(at, items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::bounds_of;

    /// Small triangles at the given positions.
    fn cut_at(places: &[[f64; 3]]) -> (usize, Vec<u32>) {
        let points: Vec<_> = places.iter().flat_map(|&p| [p; 3]).collect();
        let triangles: Vec<_> = (0..places.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let mut items: Vec<_> =
            (0..).zip(places).map(|(triangle, p)| Item { bounds: Bounds::outward(p, p), triangle }).collect();
        let bounds = bounds_of(&items);
        let cut = cut(&mut items, &bounds, NormalizedMesh { points: &points, triangles: &triangles });
        assert_eq!(cut.sides, [bounds_of(&items[..cut.at]), bounds_of(&items[cut.at..])]);
        let mut left: Vec<_> = items[..cut.at].iter().map(|item| item.triangle).collect();
        left.sort_unstable();
        (cut.at, left)
    }

    #[test]
    fn the_longest_side_unless_that_is_out_of_balance() {
        let even: Vec<_> = (0..20).map(|i| [f64::from(i) / 32.0, f64::from(i % 2) / 4.0, 0.0]).collect();
        assert_eq!(cut_at(&even), (10, (0..10).collect()));
        // One of 20 far out along x: 1 to 19 is worse than 10 to 90, so y cuts.
        let mut out = even;
        out[7][0] = 4.0;
        assert_eq!(cut_at(&out), (10, (0..20).step_by(2).collect()));
        // No axis is balanced: the median of a sample is.
        let powers: Vec<_> = (0..40).map(|i| [0.5_f64.powi(i); 3]).collect();
        let (at, _) = cut_at(&powers);
        assert!((4..=36).contains(&at), "{at}");
        // All at one point: halves.
        assert_eq!(cut_at(&[[0.25; 3]; 9]).0, 4);
    }
}
