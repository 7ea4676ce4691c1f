//! Pairs of parts whose boxes meet, found by a sweep along x.
use impinge::WorldBox;

/// Every pair `[i, j]`, `i < j`, that is `wanted` and whose closed boxes meet, over the real numbers; sorted.
pub(crate) fn sweep(boxes: &[Option<WorldBox>], wanted: impl Fn([usize; 2]) -> bool) -> Vec<[usize; 2]> {
    let mut by_x: Vec<Span<'_>> = boxes.iter().enumerate().filter_map(Span::new).collect();
    by_x.sort_by(|a, b| a.low.total_cmp(&b.low));

    let mut pairs = Vec::new();
    for (n, &Span { part: i, high, hull: a, .. }) in by_x.iter().enumerate() {
        // Whatever begins beyond a's end does not meet a, nor does anything after it.
        for &Span { part: j, hull: b, .. } in by_x[n + 1..].iter().take_while(|b| b.low <= high) {
            let pair = [i.min(j), i.max(j)];
            if wanted(pair) && a.meets(b) {
                pairs.push(pair);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// What a box covers of the x axis, rounded outwards.
struct Span<'a> {
    low: f64,
    high: f64,
    part: usize,
    hull: &'a WorldBox,
}

impl<'a> Span<'a> {
    fn new((part, hull): (usize, &'a Option<WorldBox>)) -> Option<Self> {
        let hull = hull.as_ref()?;
        // Of a NaN, which an overflow leaves behind, `max` and `min` take the other operand: all of the axis.
        let (low, high) = (hull.lower()[0].max(f64::NEG_INFINITY), hull.upper()[0].min(f64::INFINITY));
        Some(Self { low, high, part, hull })
    }
}

#[cfg(test)]
mod tests {
    use super::sweep;
    use impinge::WorldBox;
    use impinge::{Mesh, Pose};

    /// The box of a triangle that is the segment between two corners.
    fn world_box([low, high]: [[f64; 3]; 2]) -> WorldBox {
        let mesh = Mesh::new(vec![low, high], vec![[0, 0, 1]]).unwrap();
        WorldBox::new(&mesh, &Pose::IDENTITY).unwrap()
    }

    /// A small linear congruential generator (Knuth's MMIX constants): the same boxes on every machine.
    fn small_boxes(count: usize, mut state: u64) -> Vec<Option<[[f64; 3]; 2]>> {
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
            let boxes: Vec<_> = boxes.into_iter().map(|hull| hull.map(world_box)).collect();
            assert_eq!(sweep(&boxes, |_| true), expected, "seed {seed}");
            let across = |pair: [usize; 2]| pair[0] < 20 && pair[1] >= 20;
            expected.retain(|&pair| across(pair));
            assert_eq!(sweep(&boxes, across), expected, "seed {seed}");
        }
    }

    #[test]
    fn boxes_that_only_touch_meet() {
        let cube = |x: f64| Some(world_box([[x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]]));
        assert_eq!(sweep(&[cube(1.0), cube(0.0), cube(3.0)], |_| true), [[0, 1]]);
    }
}
