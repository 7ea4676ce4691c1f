//! Candidate pairs: parts whose boxes meet, found by a sweep along x.
use impinge_io::Part;

/// Lower and upper corner.
pub(crate) type Box3 = [[f64; 3]; 2];

/// A box that holds the placed part, at most two ulps too large a side; `None` if it has no triangle.
///
/// This is `impinge::world_box` without a tree: most parts of an assembly never need one.
pub(crate) fn world_box(part: &Part) -> Option<Box3> {
    let mesh = &part.mesh;
    let mut named = vec![false; mesh.points().len()];
    for &point in mesh.triangles().iter().flatten() {
        named[point as usize] = true;
    }
    let at_rest = part.pose == impinge::Pose::IDENTITY;
    let mut hull: Option<Box3> = None;
    for (&point, _) in mesh.points().iter().zip(&named).filter(|&(_, &named)| named) {
        // `place` rounds to nearest, so the exact point lies between the two neighbours of what it returns.
        let (low, high) = if at_rest {
            (point, point)
        } else {
            let placed = part.pose.place(point);
            (placed.map(f64::next_down), placed.map(f64::next_up))
        };
        let hull = hull.get_or_insert([low, high]);
        for k in 0..3 {
            hull[0][k] = hull[0][k].min(low[k]);
            hull[1][k] = hull[1][k].max(high[k]);
        }
    }
    hull
}

/// Every pair `[i, j]`, `i < j`, of closed boxes that meet and that is `wanted`; sorted.
pub(crate) fn sweep(boxes: &[Option<Box3>], wanted: impl Fn([usize; 2]) -> bool) -> Vec<[usize; 2]> {
    let mut by_x: Vec<(usize, &Box3)> =
        boxes.iter().enumerate().filter_map(|(i, hull)| Some((i, hull.as_ref()?))).collect();
    by_x.sort_by(|(_, a), (_, b)| a[0][0].total_cmp(&b[0][0]));

    let mut pairs = Vec::new();
    for (n, &(i, a)) in by_x.iter().enumerate() {
        // Whatever begins beyond a's end does not meet a, nor does anything after it.
        for &(j, b) in by_x[n + 1..].iter().take_while(|(_, b)| b[0][0] <= a[1][0]) {
            let meet = (1..3).all(|k| a[0][k] <= b[1][k] && b[0][k] <= a[1][k]);
            let pair = [i.min(j), i.max(j)];
            if meet && wanted(pair) {
                pairs.push(pair);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::{Box3, sweep};

    /// A small linear congruential generator (Knuth's MMIX constants): the same boxes on every machine.
    fn small_boxes(count: usize, mut state: u64) -> Vec<Option<Box3>> {
        let mut below = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        (0..count)
            .map(|_| {
                let low: [f64; 3] = std::array::from_fn(|_| below(12) as f64);
                let high = low.map(|c| c + below(4) as f64);
                (below(10) > 0).then_some([low, high])
            })
            .collect()
    }

    #[test]
    fn the_sweep_finds_what_every_pair_finds() {
        for seed in 0..200 {
            let boxes = small_boxes(40, seed);
            let mut expected = Vec::new();
            for i in 0..boxes.len() {
                for j in i + 1..boxes.len() {
                    if let (Some(a), Some(b)) = (boxes[i], boxes[j])
                        && (0..3).all(|k| a[0][k] <= b[1][k] && b[0][k] <= a[1][k])
                    {
                        expected.push([i, j]);
                    }
                }
            }
            assert!(!expected.is_empty());
            assert_eq!(sweep(&boxes, |_| true), expected, "seed {seed}");
            let across = |pair: [usize; 2]| pair[0] < 20 && pair[1] >= 20;
            expected.retain(|&pair| across(pair));
            assert_eq!(sweep(&boxes, across), expected, "seed {seed}");
        }
    }

    #[test]
    fn boxes_that_only_touch_meet() {
        let cube = |x: f64| Some([[x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]]);
        assert_eq!(sweep(&[cube(1.0), cube(0.0), cube(3.0)], |_| true), [[0, 1]]);
    }
}
