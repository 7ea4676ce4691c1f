//! Candidate pairs: parts whose boxes meet, found by a sweep along x.
use impinge::WorldBox;

/// Every pair `[i, j]`, `i < j`, of boxes that meet over the real numbers and that is `wanted`; sorted.
pub(crate) fn sweep(boxes: &[Option<WorldBox>], wanted: impl Fn([usize; 2]) -> bool) -> Vec<[usize; 2]> {
    struct Entry<'a> {
        part: usize,
        hull: &'a WorldBox,
        // Rounded outwards: what these exclude is excluded.
        lower: [f64; 3],
        upper: [f64; 3],
    }
    let mut by_x: Vec<Entry<'_>> = boxes
        .iter()
        .enumerate()
        .filter_map(|(part, hull)| {
            let hull = hull.as_ref()?;
            Some(Entry { part, hull, lower: hull.lower(), upper: hull.upper() })
        })
        .collect();
    by_x.sort_by(|a, b| a.lower[0].total_cmp(&b.lower[0]));

    let mut pairs = Vec::new();
    for (n, a) in by_x.iter().enumerate() {
        // Whatever begins beyond a's end does not meet a, nor does anything after it.
        for b in by_x[n + 1..].iter().take_while(|b| b.lower[0] <= a.upper[0]) {
            let may_meet = (1..3).all(|k| a.lower[k] <= b.upper[k] && b.lower[k] <= a.upper[k]);
            let pair = [a.part.min(b.part), a.part.max(b.part)];
            if may_meet && wanted(pair) && a.hull.meets(b.hull) {
                pairs.push(pair);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::sweep;
    use impinge::{Mesh, Pose, WorldBox};

    /// The box between two corners, as the box of a triangle that has it.
    fn between(low: [f64; 3], high: [f64; 3]) -> WorldBox {
        let mesh = Mesh::new(vec![low, high], vec![[0, 1, 1]]).unwrap();
        WorldBox::new(&mesh, &Pose::IDENTITY).unwrap()
    }

    /// A small linear congruential generator (Knuth's MMIX constants): the same boxes on every machine.
    fn small_boxes(count: usize, mut state: u64) -> Vec<Option<WorldBox>> {
        let mut below = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        (0..count)
            .map(|_| {
                let low: [f64; 3] = std::array::from_fn(|_| below(12) as f64);
                let high = low.map(|c| c + below(4) as f64);
                (below(10) > 0).then(|| between(low, high))
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
                    if let (Some(a), Some(b)) = (&boxes[i], &boxes[j])
                        && (0..3).all(|k| a.lower()[k] <= b.upper()[k] && b.lower()[k] <= a.upper()[k])
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
        let cube = |x: f64| Some(between([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]));
        assert_eq!(sweep(&[cube(1.0), cube(0.0), cube(3.0)], |_| true), [[0, 1]]);
    }
}
