//! The test that intervals of curve lengths and patch areas are tight.
use impinge::curves::Curves;

/// Checks that the intervals of lengths and areas are about as wide as the rounding of the nodes. They are
/// infinite only if coordinates, or their squares, approach the limit of f64.
///
/// # Panics
/// Panics if one is wider.
pub fn bounds_are_tight(curves: &Curves) {
    let largest = curves.nodes().iter().flat_map(|node| node.point).fold(0.0_f64, |m, x| m.max(x.abs()));
    // Each step adds a rounding of its own and one of the sum before it.
    let rounding = |n: usize| 1e-15 * (n as f64 + 2.0).powi(2);
    let is_tight = |[lo, hi]: [f64; 2], off: f64| 0.0 <= lo && lo <= hi && hi - lo <= off + 1e-300;
    if largest < 1e300 {
        let check = |length: [f64; 2], n: usize| {
            assert!(is_tight(length, rounding(n) * largest), "length {length:?} of {n} nodes at {largest:e}");
        };
        for line in
            curves.lines().chain(curves.patches().flat_map(|patch| patch.border().collect::<Vec<_>>()))
        {
            check(line.length, line.nodes.len());
        }
        check(curves.length(), curves.lines().map(|line| line.nodes.len() + 1).sum());
    }
    if largest < 1e150 {
        let check = |area: [f64; 2], pairs: usize| {
            let off = rounding(8 * pairs) * largest * largest;
            assert!(is_tight(area, off), "area {area:?} of {pairs} pairs at {largest:e}");
        };
        for patch in curves.patches() {
            check(patch.area(), patch.pairs().len());
        }
        check(curves.area(), curves.patches().map(|patch| patch.pairs().len()).sum());
    }
}
