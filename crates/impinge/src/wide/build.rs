//! From triangles to a wide tree.
use super::{
    Placing, TREE_ERROR, Vector, WideTree,
    align::align,
    fit,
    leaf::{self, Grain},
    node::{Content, Interval, Node, WIDTH},
    topology::{self, Lane, Quality},
};
use crate::{BuildOptions, Mesh, bounds::Bounds};

/// A second slab is tested where it is thinner than this part of its box, on the average of a node.
const SECOND: f64 = 0.5;
/// A first one likewise.
const FIRST: f64 = 0.9;

pub(crate) fn build(mesh: &Mesh, options: &BuildOptions) -> WideTree {
    let _ = options;
    let grain = if std::env::var_os("COMPACT").is_some() { Grain::Compact } else { Grain::Fine };
    let chart = crate::build::chart_of(mesh);
    let charted = |i: usize| mesh.corners(i as u32).map(|v| chart.apply(&v));
    let turn = align(mesh.len(), charted);
    let placing = Placing { chart: &chart, turn: &turn };
    let points: Vec<Vector> = mesh.points().iter().map(|v| placing.place(v)).collect();
    let triangle = |i: u32| mesh.triangles()[i as usize].map(|k| points[k as usize]);
    let boxes: Vec<Bounds> = (0..mesh.len() as u32)
        .map(|i| {
            let t = triangle(i);
            let lo = [0, 1, 2].map(|k| t[0][k].min(t[1][k]).min(t[2][k]) - TREE_ERROR);
            let hi = [0, 1, 2].map(|k| t[0][k].max(t[1][k]).max(t[2][k]) + TREE_ERROR);
            Bounds::outward(&lo, &hi)
        })
        .collect();
    let topology = topology::build(&boxes, Quality::High);
    let mut tree =
        WideTree { chart, turn, nodes: Vec::new(), words: Vec::new(), order: Vec::new(), grain, reach: 0.0 };
    if topology.nodes.is_empty() {
        return tree;
    }

    // Triangles in depth-first order, so that those of a subtree are one run: its own leaves first.
    let mut ranges = vec![(0_usize, 0_usize); topology.nodes.len()];
    let mut stack = vec![(0_usize, false)];
    while let Some((index, done)) = stack.pop() {
        let wide = &topology.nodes[index];
        if done {
            ranges[index].1 = tree.order.len();
            continue;
        }
        ranges[index].0 = tree.order.len();
        stack.push((index, true));
        for lane in wide.lanes[..wide.len].iter().rev() {
            if let Lane::Inner(child) = *lane {
                stack.push((child as usize, false));
            }
        }
        for lane in &wide.lanes[..wide.len] {
            if let Lane::Leaf { first, count } = *lane {
                tree.order.extend(&topology.order[first as usize..][..count as usize]);
            }
        }
    }
    let triangles: Vec<[Vector; 3]> = tree.order.iter().map(|&i| triangle(i)).collect();
    let bounds_of = |range: std::ops::Range<usize>| {
        tree.order[range].iter().fold(Bounds::EMPTY, |sum, &i| sum.and(&boxes[i as usize]))
    };

    for (index, wide) in topology.nodes.iter().enumerate() {
        let mut start = ranges[index].0;
        let lanes: Vec<std::ops::Range<usize>> = wide.lanes[..wide.len]
            .iter()
            .map(|lane| match *lane {
                Lane::Leaf { count, .. } => {
                    let range = start..start + count as usize;
                    start = range.end;
                    range
                }
                Lane::Inner(child) => ranges[child as usize].0..ranges[child as usize].1,
            })
            .collect();
        let contents: Vec<Content> = lanes
            .iter()
            .map(|range| {
                let bounds = bounds_of(range.clone());
                Content { lo: bounds.lo.map(f64::from), hi: bounds.hi.map(f64::from) }
            })
            .collect();
        let mut node = Node::around(&contents);
        for lane in 0..wide.len {
            for k in 0..3 {
                let [lo, hi] = node.side(k, lane);
                tree.reach = tree.reach.max(-lo).max(hi);
            }
        }
        node.first = ranges[index].0 as u32;
        node.words = tree.words.len() as u32;
        let mut inner = None;
        for lane in &wide.lanes[..wide.len] {
            if let Lane::Inner(child) = lane {
                inner.get_or_insert(*child);
            }
        }
        node.inner = inner.unwrap_or(0);
        let intervals: Vec<[Interval; 2]> = lanes
            .iter()
            .enumerate()
            .map(|(lane, range)| {
                let centre = [0, 1, 2].map(|k| f64::from(node.centre_and_half(k, lane).0));
                fit::slabs(&triangles[range.clone()], centre)
            })
            .collect();
        node.set_slabs(&intervals);
        for (lane, range) in lanes.iter().enumerate() {
            if let Lane::Leaf { count, .. } = wide.lanes[lane] {
                node.leaves |= 1 << lane;
                node.counts[lane] = count as u8;
                leaf::push(&mut tree.words, grain, triangles[range.clone()].iter().copied());
            }
        }
        node.slabs = worth(&node, wide.len);
        tree.nodes.push(node);
    }
    tree.words.extend([0; leaf::TAIL]);
    debug_assert!(tree.nodes.iter().all(|node| node.used.count_ones() as usize <= WIDTH));
    tree
}

/// How many slabs pay: by how thin they are, as part of the boxes, weighted by the boxes' areas.
fn worth(node: &Node, lanes: usize) -> u8 {
    let mut thin = [0.0; 2];
    let mut total = 0.0;
    for lane in 0..lanes {
        let e = [0, 1, 2].map(|k| f64::from(node.centre_and_half(k, lane).1));
        let area = e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
        total += area;
        for (which, sum) in thin.iter_mut().enumerate() {
            let (n, _, half) = node.slab(which, lane);
            let radius: f64 = (0..3).map(|k| n[k].abs() * e[k]).sum();
            *sum += area * if radius > 0.0 { half / radius } else { 1.0 };
        }
    }
    if thin[1] < SECOND * total {
        2
    } else if thin[0] < FIRST * total {
        1
    } else {
        0
    }
}
