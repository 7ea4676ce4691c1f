use super::{
    FloatQuad, TaggedBox, binned,
    boxes::BoxSource,
    collapse, morton,
    nodes::{LEAF, Lane, Topology, WIDTH},
};
use crate::samples::rng::Rng;
use crate::{BuildOptions, Quality, bounds::Bounds, pool::Executor, simd::Simd};

const BOTH: [Quality; 2] = [Quality::High, Quality::Fast];

fn spans(boxes: &[Bounds]) -> Vec<TaggedBox> {
    (0..).zip(boxes).map(|(i, b)| TaggedBox::new(b, i, 1)).collect()
}

impl BoxSource for &[Bounds] {
    fn count(&self) -> usize {
        self.len()
    }
    fn of(&self, i: usize) -> TaggedBox {
        TaggedBox::new(&self[i], i as u32, 1)
    }
    fn prefetch<S: Simd>(&self, _: S, _: usize) {}
    fn ends(&self) -> [FloatQuad; 2] {
        let all = self.iter().fold(Bounds::EMPTY, |sum, b| sum.and(b));
        [all.lo, all.hi].map(|[x, y, z]| FloatQuad([x, y, z, 0.0]))
    }
}

fn build(boxes: &[Bounds], quality: Quality) -> Topology {
    super::build(&boxes, &BuildOptions { quality, ..BuildOptions::default() }, Executor::Serial)
}

fn cuboid(lo: [f32; 3], side: [f32; 3]) -> Bounds {
    Bounds { lo, hi: [0, 1, 2].map(|k| lo[k] + side[k]) }
}

fn point(rng: &mut Rng) -> [f32; 3] {
    rng.point(1.0).map(|x| x as f32)
}

/// Expected visits of nodes, leaves and triangles for one of the root, by area.
struct ExpectedVisits {
    nodes: f64,
    leaves: f64,
    triangles: f64,
}

impl ExpectedVisits {
    fn of(topology: &Topology, boxes: &[Bounds]) -> Self {
        let mut bounds = vec![Bounds::EMPTY; topology.nodes.len()];
        let mut costs = Self { nodes: 0.0, leaves: 0.0, triangles: 0.0 };
        for (i, node) in topology.nodes.iter().enumerate().rev() {
            for lane in &node.lanes[..node.len] {
                let b = match *lane {
                    Lane::Inner(child) => bounds[child as usize],
                    Lane::Leaf { first, count } => {
                        let b = topology.order[first as usize..][..count as usize]
                            .iter()
                            .fold(Bounds::EMPTY, |b, &t| b.and(&boxes[t as usize]));
                        costs.leaves += f64::from(b.half_area());
                        costs.triangles += f64::from(b.half_area()) * f64::from(count);
                        b
                    }
                };
                bounds[i] = bounds[i].and(&b);
            }
            costs.nodes += f64::from(bounds[i].half_area());
        }
        let whole = f64::from(bounds[0].half_area());
        Self { nodes: costs.nodes / whole, leaves: costs.leaves / whole, triangles: costs.triangles / whole }
    }
    fn total(&self) -> f64 {
        self.nodes + self.leaves + 0.05 * self.triangles
    }
}

/// Boxes at random, of sizes from nothing to the whole.
fn soup(seed: u64, n: usize) -> Vec<Bounds> {
    let mut rng = Rng::new(seed);
    (0..n)
        .map(|_| {
            let size = rng.point(1.0)[0].abs().powi(6) as f32;
            let (lo, side) = (point(&mut rng), point(&mut rng));
            cuboid(lo, side.map(|x| x.abs() * size))
        })
        .collect()
}

/// Checks all that a `Topology` promises; returns its depth.
fn check(topology: &Topology, triangles: usize) -> usize {
    let mut seen = topology.order.clone();
    seen.sort_unstable();
    assert!(seen.iter().copied().eq(0..triangles as u32), "every triangle once");
    assert_eq!(topology.nodes.is_empty(), triangles == 0);
    let mut depths = vec![None; topology.nodes.len()];
    let mut covered = vec![false; triangles];
    if let Some(root) = depths.first_mut() {
        *root = Some(1);
    }
    for (i, node) in topology.nodes.iter().enumerate() {
        let depth: usize = depths[i].expect("parents come before children");
        assert!((1..=WIDTH).contains(&node.len));
        assert!(node.len > 1 || i == 0, "only the root may have one child");
        let (mut next_node, mut next_triangle) = (None, None);
        for lane in &node.lanes[..node.len] {
            match *lane {
                Lane::Inner(child) => {
                    assert!(child as usize > i && next_node.is_none_or(|next| next == child));
                    next_node = Some(child + 1);
                    assert_eq!(depths[child as usize].replace(depth + 1), None, "one parent");
                }
                Lane::Leaf { first, count } => {
                    assert!((1..=LEAF).contains(&count));
                    assert!(next_triangle.is_none_or(|next| next == first));
                    next_triangle = Some(first + count);
                    for covered in &mut covered[first as usize..][..count as usize] {
                        assert!(!std::mem::replace(covered, true), "in two leaves");
                    }
                }
            }
        }
    }
    assert!(covered.iter().all(|&covered| covered), "in no leaf");
    depths.into_iter().map(|depth| depth.expect("a node that nobody refers to")).max().unwrap_or(0)
}

#[test]
fn trees_of_all_sizes_keep_their_promises() {
    for quality in BOTH {
        for n in (0..300).chain([1000, 4099, 20_000]) {
            let boxes = soup(n as u64, n);
            let topology = build(&boxes, quality);
            check(&topology, n);
            assert_eq!(topology, build(&boxes, quality), "the same boxes, the same tree");
            assert!(n != 1 || topology.nodes[0].lanes[0] == Lane::Leaf { first: 0, count: 1 });
        }
    }
}

#[test]
fn degenerate_input_makes_no_deep_tree() {
    let line = |n: usize, at: &dyn Fn(usize) -> f32| -> Vec<Bounds> {
        (0..n).map(|i| cuboid([at(i), 0.0, 0.0], [0.0; 3])).collect()
    };
    let n = 100_000;
    let mut inputs = vec![
        ("one box a million times", vec![cuboid([-1.0; 3], [2.0; 3]); 1_000_000]),
        ("one point", vec![cuboid([0.5; 3], [0.0; 3]); n]),
        ("a line", line(n, &|i| i as f32 / n as f32)),
        ("the line backwards", line(n, &|i| 4.0 - i as f32 / n as f32)),
        ("a geometric line", line(n, &|i| 4.0 * 0.999f32.powi(i as i32))),
        ("a line of subnormals", line(n, &|i| f32::from_bits(i as u32))),
        ("powers of two", line(280, &|i| 2.0f32.powi(2 - i as i32))),
        ("neighbouring numbers", line(n, &|i| f32::from_bits(1.0f32.to_bits() + i as u32 / 1000))),
        (
            "the largest boxes",
            soup(1, n).iter().map(|b| cuboid(b.lo.map(|x| x * 4.0 - 4.0), [8.0; 3])).collect(),
        ),
        ("two points", line(n, &|i| if i % 2 == 0 { -4.0 } else { 4.0 })),
        ("negative zeros", line(n, &|i| if i % 2 == 0 { -0.0 } else { 0.0 })),
    ];
    // Nested boxes, each a little smaller, with one corner in common: nothing can be told apart from its
    // neighbours.
    inputs.push(("shells", (0..n).map(|i| cuboid([-1.0; 3], [2.0 * 0.9999f32.powi(i as i32); 3])).collect()));
    for (name, boxes) in &inputs {
        for quality in BOTH {
            let topology = build(boxes, quality);
            let depth = check(&topology, boxes.len());
            // 64 levels by area, the rest by halves; the geometric line takes all of them.
            assert!(depth <= 84, "{name}, {quality:?}: depth {depth}");
        }
    }
}

#[test]
fn equal_boxes_fill_the_leaves() {
    for (quality, side) in BOTH.into_iter().flat_map(|quality| [(quality, 0.0), (quality, 0.5)]) {
        let topology = build(&vec![cuboid([0.25; 3], [side; 3]); 4096], quality);
        check(&topology, 4096);
        let lanes: usize = topology.nodes.iter().map(|node| node.len).sum();
        // 512 full leaves in 64 + 8 + 1 nodes.
        assert_eq!((topology.nodes.len(), lanes + 1 - topology.nodes.len()), (73, 512), "{quality:?} {side}");
        assert!(topology.order.is_sorted(), "ties go by number");
    }
}

#[test]
fn the_order_of_the_input_does_not_matter_but_for_ties() {
    let boxes = soup(7, 3000);
    let mut rng = Rng::new(8);
    let mut shuffled: Vec<usize> = (0..boxes.len()).collect();
    for i in (1..shuffled.len()).rev() {
        shuffled.swap(i, (rng.point(1.0)[0].abs() * (i + 1) as f64) as usize % (i + 1));
    }
    let moved: Vec<_> = shuffled.iter().map(|&i| boxes[i]).collect();
    let (plain, other) = (build(&boxes, Quality::High), build(&moved, Quality::High));
    assert_eq!(plain.nodes, other.nodes);
    for lane in plain.nodes.iter().flat_map(|node| &node.lanes[..node.len]) {
        if let Lane::Leaf { first, count } = *lane {
            let range = first as usize..(first + count) as usize;
            let mut one = plain.order[range.clone()].to_vec();
            let mut two: Vec<_> = other.order[range].iter().map(|&i| shuffled[i as usize] as u32).collect();
            one.sort_unstable();
            two.sort_unstable();
            assert_eq!(one, two);
        }
    }
}

/// The least cost of a forest of at most `k` roots over a binary node, by trying everything; `extra` is added
/// to areas.
fn least(nodes: &[super::binary::BinaryNode], at: usize, k: usize, extra: f64) -> f64 {
    let node = &nodes[at];
    let area = f64::from(node.area) + extra;
    let shared = |k: usize| {
        let right = at + 2 * nodes[at + 1].items as usize;
        (1..k)
            .map(|a| least(nodes, at + 1, a, extra) + least(nodes, right, k - a, extra))
            .fold(f64::INFINITY, f64::min)
    };
    let leaf = if node.items <= LEAF { area * (1.0 + 0.05 * f64::from(node.items)) } else { f64::INFINITY };
    if node.items == 1 {
        return leaf;
    }
    let one = leaf.min(area + 2.0 * extra + shared(WIDTH));
    if k == 1 { one } else { one.min(shared(k)) }
}

#[test]
fn no_collapse_is_cheaper() {
    for seed in 0..60 {
        let n = 2 + seed as usize % 11;
        let boxes = soup(100 + seed, n);
        let mut items = spans(&boxes);
        let nodes = binned::build(&mut items, 8, Executor::Serial);
        let topology =
            collapse::collapse(&nodes, &items, LEAF, Executor::Serial, |item| (item.index(), 1), |i| i);
        check(&topology, n);
        // Twice the mean area of the boxes.
        let extra = 2.0 * boxes.iter().map(|b| f64::from(b.half_area())).sum::<f64>() / n as f64;
        // The root is a node, and a leaf in it if that is cheapest.
        let leaf = if n <= LEAF as usize { least(&nodes, 0, 1, extra) } else { f64::INFINITY };
        let right = 2 * nodes[1].items as usize;
        let shared = (1..WIDTH)
            .map(|a| least(&nodes, 1, a, extra) + least(&nodes, right, WIDTH - a, extra))
            .fold(f64::INFINITY, f64::min);
        let want = f64::from(nodes[0].area) + 3.0 * extra + leaf.min(shared);
        let lanes: usize = topology.nodes.iter().map(|node| node.len).sum();
        let (inner, leaves) = (topology.nodes.len() as f64, (lanes + 1 - topology.nodes.len()) as f64);
        let got = ExpectedVisits::of(&topology, &boxes).total() * f64::from(nodes[0].area)
            + extra * (3.0 * inner + leaves + 0.05 * n as f64);
        assert!((got - want).abs() <= 1e-5 * want, "{n} boxes: {got}, could be {want}");
    }
}

#[test]
fn leaves_hold_no_more_than_asked_for() {
    let boxes = soup(9, 3000);
    for (quality, leaf_size) in BOTH.into_iter().flat_map(|q| [1, 2, 3, 5, 7].map(|n| (q, n))) {
        let options = BuildOptions { quality, leaf_size, ..BuildOptions::default() };
        let topology = super::build(&&boxes[..], &options, Executor::Serial);
        check(&topology, boxes.len());
        let counts = topology.nodes.iter().flat_map(|node| &node.lanes[..node.len]).map(|lane| match lane {
            Lane::Leaf { count, .. } => *count as usize,
            Lane::Inner(_) => 0,
        });
        assert_eq!(counts.max(), Some(leaf_size), "{quality:?}");
    }
}

#[test]
fn splits_tell_clusters_apart() {
    // Eight far clusters of eight: a node of eight full leaves.
    let mut rng = Rng::new(5);
    let boxes: Vec<_> = (0..64)
        .map(|i: usize| {
            let corner = [i & 1, i >> 1 & 1, i >> 2 & 1].map(|bit| if bit == 0 { -1.0 } else { 1.0 });
            let shift = point(&mut rng);
            cuboid([0, 1, 2].map(|k| corner[k] + 0.01 * shift[k]), [0.1; 3])
        })
        .collect();
    for quality in BOTH {
        let topology = build(&boxes, quality);
        check(&topology, 64);
        assert_eq!((topology.nodes.len(), topology.nodes[0].len), (1, 8));
        for leaf in topology.order.chunks(8) {
            assert!(leaf.iter().all(|i| i % 8 == leaf[0] % 8), "{quality:?}");
        }
    }
}

#[test]
fn the_fast_tree_is_nearly_as_good() {
    let mesh = crate::samples::meshes::icosphere(5);
    let boxes: Vec<_> = mesh
        .triangles()
        .iter()
        .map(|t| {
            t.iter()
                .map(|&i| &mesh.points()[i as usize])
                .fold(Bounds::EMPTY, |b, p| b.and(&Bounds::outward(p, p)))
        })
        .collect();
    let [high, fast] = BOTH.map(|quality| ExpectedVisits::of(&build(&boxes, quality), &boxes).total());
    assert!(high < fast && fast < 1.4 * high, "{high} {fast}");
}

#[test]
fn runs_are_whole_and_end_where_cells_end() {
    let codes = [0u64, 1, 2, 3, 4, 5, 64, 65, 66, 67, 68, 128];
    let runs: Vec<_> = morton::runs(&codes, 4, |&code| code).collect();
    assert_eq!(runs, [0..4, 4..6, 6..10, 10..12]);
    assert_eq!(morton::runs(&[] as &[u64], 4, |&code| code).count(), 0);
    assert_eq!(morton::runs(&[7; 9], 4, |&code| code).collect::<Vec<_>>(), [0..4, 4..8, 8..9]);
}
