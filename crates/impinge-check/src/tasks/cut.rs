//! Division of pairs into tasks: near pairs come together, and each pair is in exactly one task.
use crate::{files::mesh_file, pool::Pool};
use impinge::{Mesh, broad_phase::Aabb};
use std::{collections::HashSet, ops::Range};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cut {
    /// This number of tasks, of about the same cost.
    Tasks(u32),
    /// The distinct meshes of each task take at most this number of bytes, unless those of a single pair take
    /// more. The cost of a task is at most [`COST`].
    Memory(u64),
}

/// The cost of a pair besides its triangles, in triangles. A pair of small parts takes some 50 us.
const PAIR: u64 = 1000;

/// The largest cost of a task, in triangles. It takes some seconds on one core. A worker then holds at most
/// about 100 MB of parts and pairs, some 600 bytes for each part.
const COST: u64 = 200_000_000;

/// The size of a mesh, for the division into tasks.
#[derive(Clone, Copy)]
pub(crate) struct Weight {
    pub(crate) triangles: u64,
    pub(crate) bytes: u64,
}

impl Weight {
    pub(crate) fn of(mesh: &Mesh) -> Self {
        Self { triangles: mesh.len() as u64, bytes: mesh_file::size(mesh) }
    }
}

/// A space-filling curve (Morton's) through the least corners of boxes.
#[derive(Clone, Copy)]
pub(crate) struct Curve {
    lo: [f64; 3],
    hi: [f64; 3],
}

impl Curve {
    pub(crate) fn new() -> Self {
        Self { lo: [f64::INFINITY; 3], hi: [f64::NEG_INFINITY; 3] }
    }
    /// Extends the curve to the least corner of this box. Infinite coordinates stay outside.
    pub(crate) fn add(&mut self, extent: &Aabb) {
        for (k, x) in extent.lo.into_iter().enumerate().filter(|(_, x)| x.is_finite()) {
            (self.lo[k], self.hi[k]) = (self.lo[k].min(x), self.hi[k].max(x));
        }
    }
    pub(crate) fn place(&self, corner: [f64; 3]) -> u64 {
        // All axes have one scale, so cells are cubes.
        let half = |k: usize| self.hi[k] / 2.0 - self.lo[k] / 2.0;
        let side = (0..3).map(half).fold(0.0, f64::max);
        let cell = |k: usize| {
            // The cast saturates, and turns NaN into 0.
            let cell = (corner[k] / 2.0 - self.lo[k] / 2.0) / side * f64::from(1 << BITS);
            (cell as u64).min((1 << BITS) - 1)
        };
        [0, 1, 2].map(|k| spread(cell(k)) << k).iter().sum()
    }
}

/// Sorts pairs by their positions on the curve.
pub(crate) fn in_order(mut placed: Vec<(u64, [u32; 2])>, pool: &Pool) -> Vec<[u32; 2]> {
    pool.sort_unstable(&mut placed);
    placed.into_iter().map(|(_, pair)| pair).collect()
}

/// Binary logarithm of the number of cells along each axis.
const BITS: u32 = 21;

/// Moves each bit of a number to three times its place.
fn spread(mut x: u64) -> u64 {
    x = (x | x << 32) & 0x001f_0000_0000_ffff;
    x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

/// The ranges of pairs of the tasks, and the number of tasks whose single pair exceeds the limit of memory.
/// There is at least one range. The ranges follow each other and cover all pairs.
pub(crate) fn tasks(
    pairs: &[[u32; 2]],
    mesh_of: &[u32],
    weights: &[Weight],
    cut: Cut,
) -> (Vec<Range<usize>>, u64) {
    let meshes = |[a, b]: [u32; 2]| [a, b].map(|part| mesh_of[part as usize]);
    let cost = |pair: [u32; 2]| {
        meshes(pair).iter().map(|&mesh| weights[mesh as usize].triangles).sum::<u64>() + PAIR
    };
    let mut ends = Vec::new();
    match cut {
        Cut::Tasks(count) => {
            let all: u128 = pairs.iter().map(|&pair| u128::from(cost(pair))).sum();
            let (mut done, mut at) = (0, 0);
            for k in 1..=u128::from(count) {
                let due = all * k / u128::from(count);
                while at < pairs.len() && (done < due || k == u128::from(count)) {
                    done += u128::from(cost(pairs[at]));
                    at += 1;
                }
                ends.push(at);
            }
        }
        Cut::Memory(most) => {
            let (mut held, mut bytes, mut spent) = (HashSet::new(), 0_u64, 0_u64);
            for (at, &pair) in pairs.iter().enumerate() {
                let [a, b] = meshes(pair);
                let new = |held: &HashSet<u32>| {
                    let b = (b != a).then_some(b);
                    let new = [Some(a), b].into_iter().flatten().filter(|mesh| !held.contains(mesh));
                    new.map(|mesh| weights[mesh as usize].bytes).sum::<u64>()
                };
                let more = cost(pair);
                if spent > 0 && (bytes.saturating_add(new(&held)) > most || spent.saturating_add(more) > COST)
                {
                    ends.push(at);
                    held.clear();
                    (bytes, spent) = (0, 0);
                }
                bytes = bytes.saturating_add(new(&held));
                spent = spent.saturating_add(more);
                held.extend([a, b]);
            }
            ends.push(pairs.len());
        }
    }
    let starts = [0].into_iter().chain(ends.iter().copied());
    let ranges: Vec<Range<usize>> = starts.zip(&ends).map(|(start, &end)| start..end).collect();
    let is_over = |range: &&Range<usize>| {
        let Cut::Memory(most) = cut else { return false };
        let [pair] = pairs[(*range).clone()] else { return false };
        let distinct: HashSet<u32> = meshes(pair).into_iter().collect();
        distinct.iter().map(|&mesh| weights[mesh as usize].bytes).sum::<u64>() > most
    };
    let over = ranges.iter().filter(is_over).count() as u64;
    (ranges, over)
}

#[cfg(test)]
mod tests {
    use super::{Curve, Cut, Weight, in_order, spread, tasks};
    use crate::pool::Pool;
    use impinge::broad_phase::Aabb;

    #[test]
    fn bits_are_spread() {
        assert_eq!(spread(0b1011), 0b001_000_001_001);
        assert_eq!(spread((1 << 21) - 1), 0x1249_2492_4924_9249);
    }

    #[test]
    fn the_curve_takes_any_number_and_follows_what_is_near() {
        let inf = f64::INFINITY;
        let at = |x: f64| Aabb { lo: [x, -x, 0.0], hi: [inf; 3] };
        let mut curve = Curve::new();
        assert_eq!(curve.place([1.0, inf, f64::NAN]), curve.place([1.0, inf, f64::NAN]));
        for x in [0.0, 5.0, -f64::MAX, f64::MAX, -inf, 1e-320] {
            curve.add(&at(x));
        }
        let ends = (1 << (3 * super::BITS)) - 1;
        assert!([-inf, -f64::MAX, 0.0, f64::MAX].iter().all(|&x| curve.place([x; 3]) <= ends));
        assert!(curve.place([-f64::MAX; 3]) < curve.place([f64::MAX; 3]));
        let mut curve = Curve::new();
        [0.0, 3.0].into_iter().for_each(|x| curve.add(&Aabb { lo: [x, 0.0, 0.0], hi: [x, 0.0, 0.0] }));
        let placed = (0..4).map(|i| (curve.place([f64::from(3 - i), 0.0, 0.0]), [i as u32; 2])).collect();
        assert_eq!(in_order(placed, &Pool::new(2).unwrap()), [[3, 3], [2, 2], [1, 1], [0, 0]]);
    }

    #[test]
    fn every_pair_is_in_one_task() {
        let pairs: Vec<[u32; 2]> = (0..50).map(|a| [a, a + 1]).collect();
        let mesh_of: Vec<u32> = (0..51).map(|part| part % 10).collect();
        let weights: Vec<Weight> =
            (0..10).map(|mesh| Weight { triangles: 100 * mesh, bytes: 1000 * (mesh + 1) }).collect();
        let cuts =
            [1, 7, 50, 1000].map(Cut::Tasks).into_iter().chain([0, 3000, 20_000, u64::MAX].map(Cut::Memory));
        for cut in cuts {
            let (ranges, over) = tasks(&pairs, &mesh_of, &weights, cut);
            let mut next = 0;
            for range in &ranges {
                assert_eq!(range.start, next, "{cut:?}");
                next = range.end;
            }
            assert_eq!(next, pairs.len());
            match cut {
                Cut::Tasks(count) => assert_eq!(ranges.len() as u32, count),
                Cut::Memory(0) => assert_eq!((ranges.len(), over), (50, 50)),
                Cut::Memory(u64::MAX) => assert_eq!((ranges.len(), over), (1, 0)),
                Cut::Memory(_) => assert!(over < 50 && ranges.len() > 1),
            }
        }
        assert_eq!(tasks(&[], &[], &[], Cut::Memory(1)).0, vec![0..0; 1]);
        assert_eq!(tasks(&[], &[], &[], Cut::Tasks(2)).0, vec![0..0; 2]);
    }
}
