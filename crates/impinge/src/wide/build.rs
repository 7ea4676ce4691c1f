//! From triangles to a wide tree.
//!
//! Measured (CPU time of one thread of a loaded machine, dragon of 202,520 triangles): high quality 550 ns a triangle (of which the topology 250, slabs 130), fast 220 (topology 75, `runs` 50,
//! leaves 30); `topology/measure.rs` prints them. The aims, 500 and 125, are missed; the horse and the motor take 450 to 490 and 185.
//! The triangles' corners are read three times in the leaves' order, from memory: what is left of the fast mode waits for that.
use super::{
    Placing, Vector, WideTree,
    align::align,
    fit::Cluster,
    leaf::{self, Grain},
    node::{Interval, Node, WIDTH},
    runs::{self, Near, Runs, Summary},
    topology::{self, Four, Lane},
};
use crate::{BuildOptions, Mesh, Quality, bounds::Bounds};

/// A second slab is tested where it is thinner than this part of its box, on the average of a node.
const SECOND: f64 = 0.5;
/// A first one likewise.
const FIRST: f64 = 0.9;

pub(crate) fn build(mesh: &Mesh, options: &BuildOptions) -> WideTree {
    let grain = if options.compact { Grain::Compact } else { Grain::Fine };
    let chart = crate::build::chart_of(mesh);
    let turn = align(mesh.len(), |i| mesh.corners(i as u32).map(|v| chart.apply(&v)));
    let placing = Placing { chart: &chart, turn: &turn };
    let points: Vec<Vector> = mesh.points().iter().map(|v| placing.place(v)).collect();
    let near: Vec<Near> = points.iter().map(|&[x, y, z]| Four([x as f32, y as f32, z as f32, 0.0])).collect();
    let boxes: Vec<Bounds> = mesh
        .triangles()
        .iter()
        .map(|&[i, j, k]| {
            runs::widened(&runs::box_of([near[i as usize], near[j as usize], near[k as usize]]))
        })
        .collect();
    let topology = topology::build(&boxes, options);
    drop(boxes);
    let mut tree =
        WideTree { chart, turn, nodes: Vec::new(), words: Vec::new(), order: Vec::new(), grain, reach: 0.0 };
    if topology.nodes.is_empty() {
        return tree;
    }
    let runs = Runs::new(&topology, mesh, &near);
    let leaves = runs.leaves.len() as u32;
    let odd =
        runs.leaves.iter().filter(|leaf| (leaf.triangles[1] - leaf.triangles[0]) & 1 == 1).count() as u32;
    // Room for the last leaf's rows, too: growing would double it all.
    tree.words.reserve_exact(grain.words(leaves, mesh.len() as u32, odd) as usize + leaf::ROOM);
    tree.nodes.reserve_exact(topology.nodes.len());
    for (index, wide) in topology.nodes.iter().enumerate() {
        let mut leaf = runs.first[index] as usize;
        let mut lanes: [Option<&Summary>; WIDTH] = [None; WIDTH];
        let mut inner = None;
        for (to, lane) in lanes.iter_mut().zip(&wide.lanes[..wide.len]) {
            *to = Some(match *lane {
                Lane::Inner(child) => {
                    inner.get_or_insert(child);
                    &runs.nodes[child as usize]
                }
                Lane::Leaf { .. } => {
                    leaf += 1;
                    &runs.leaves[leaf - 1]
                }
            });
        }
        let mut boxes = [Bounds::EMPTY; WIDTH];
        for (to, lane) in boxes.iter_mut().zip(lanes.iter().flatten()) {
            *to = runs::widened(&lane.bounds);
        }
        let mut node = Node::around(&boxes[..wide.len]);
        node.first = runs.nodes[index].triangles[0];
        node.words = tree.words.len() as u32;
        node.inner = inner.unwrap_or(0);
        let mut intervals = [[Interval::NONE; 2]; WIDTH];
        for (lane, (to, summary)) in intervals.iter_mut().zip(lanes.iter().flatten()).enumerate() {
            let both = [0, 1, 2].map(|k| node.centre_and_half(k, lane));
            let (centre, half) = (both.map(|b| b.0), both.map(|b| b.1));
            for k in 0..3 {
                let [lo, hi] =
                    [f64::from(centre[k]) - f64::from(half[k]), f64::from(centre[k]) + f64::from(half[k])];
                tree.reach = tree.reach.max(-lo).max(hi);
            }
            let [from, end] = summary.points.map(|i| i as usize);
            let bounds = &summary.bounds;
            let cluster = Cluster {
                points: runs.points.each_ref().map(|x| &x[from..end]),
                centre,
                half,
                sides: [0, 1, 2].map(|k| bounds.side(k)),
                normal: summary.normal,
                largest: summary.largest.map(|(_, i)| {
                    // In f64 before they are rounded: normals of slivers need that.
                    let t = mesh.triangles()[i as usize].map(|k| &points[k as usize]);
                    [[0, 1], [1, 2], [2, 0]].map(|[i, j]| [0, 1, 2].map(|k| (t[j][k] - t[i][k]) as f32))
                }),
            };
            *to = if options.quality == Quality::Fast { cluster.one_slab() } else { cluster.slabs() };
        }
        node.set_slabs(&intervals[..wide.len]);
        for (lane, summary) in lanes.iter().flatten().enumerate() {
            if let Lane::Leaf { count, .. } = wide.lanes[lane] {
                node.leaves |= 1 << lane;
                node.counts[lane] = count as u8;
                let run = &runs.order[summary.triangles[0] as usize..summary.triangles[1] as usize];
                let triangles =
                    run.iter().map(|&i| mesh.triangles()[i as usize].map(|k| &points[k as usize]));
                leaf::push(&mut tree.words, grain, &boxes[lane], triangles);
            }
        }
        node.slabs = worth(&node, wide.len);
        tree.nodes.push(node);
    }
    tree.words.extend([0; leaf::TAIL]);
    tree.order = runs.order;
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
