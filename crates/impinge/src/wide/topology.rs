//! Stand-in.
use super::node::WIDTH;
use crate::bounds::Bounds;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    Inner(u32),
    Leaf { first: u32, count: u32 },
}
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    pub(crate) lanes: [Lane; 8],
    pub(crate) len: usize,
}
pub(crate) struct Topology {
    pub(crate) nodes: Vec<Wide>,
    pub(crate) order: Vec<u32>,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quality {
    High,
    #[allow(dead_code)]
    Fast,
}

struct Bin {
    area: f32,
    count: usize,
    kids: Option<[usize; 2]>,
    item: u32,
    cost: [f32; WIDTH + 1],
}

pub(crate) fn build(boxes: &[Bounds], _quality: Quality) -> Topology {
    let mut items: Vec<crate::build::Item> =
        boxes.iter().enumerate().map(|(i, b)| crate::build::Item { bounds: *b, triangle: i as u32 }).collect();
    let mut out = Topology { nodes: vec![], order: vec![] };
    if items.is_empty() {
        return out;
    }
    let mut bins: Vec<Bin> = vec![];
    fn rec(items: &mut [crate::build::Item], bins: &mut Vec<Bin>) -> usize {
        let b = items.iter().fold(Bounds::EMPTY, |s, i| s.and(&i.bounds));
        let id = bins.len();
        bins.push(Bin { area: b.half_area(), count: items.len(), kids: None, item: items[0].triangle, cost: [0.0; 9] });
        if items.len() > 1 {
            let at = crate::build::sah_cut(items, &b);
            let (l, r) = items.split_at_mut(at);
            let kids = [rec(l, bins), rec(r, bins)];
            bins[id].kids = Some(kids);
        }
        id
    }
    rec(&mut items, &mut bins);
    // DP
    for id in (0..bins.len()).rev() {
        let area = bins[id].area;
        let n = bins[id].count;
        let mut cost = [f32::INFINITY; 9];
        if let Some([l, r]) = bins[id].kids {
            for k in 2..=8 {
                cost[k] = cost[k - 1];
                for a in 1..k {
                    cost[k] = cost[k].min(bins[l].cost[a] + bins[r].cost[k - a]);
                }
            }
        }
        let leaf = if n <= 8 { area * (1.0 + 0.05 * n as f32) } else { f32::INFINITY };
        cost[1] = leaf.min(area + cost[8]);
        for k in 2..=8 {
            cost[k] = cost[k].min(cost[k - 1]);
        }
        bins[id].cost = cost;
    }
    fn forest(bins: &[Bin], id: usize, k: usize, to: &mut Vec<usize>) {
        let b = &bins[id];
        if k > 1
            && let Some([l, r]) = b.kids
        {
            for a in 1..k {
                if bins[l].cost[a] + bins[r].cost[k - a] <= b.cost[k] {
                    forest(bins, l, a, to);
                    forest(bins, r, k - a, to);
                    return;
                }
            }
            forest(bins, id, k - 1, to);
            return;
        }
        to.push(id);
    }
    fn leaf(bins: &[Bin], id: usize) -> bool {
        let b = &bins[id];
        b.count == 1 || (b.count <= 8 && b.area * (1.0 + 0.05 * b.count as f32) <= b.cost[1])
    }
    fn collect(bins: &[Bin], id: usize, to: &mut Vec<u32>) {
        match bins[id].kids {
            None => to.push(bins[id].item),
            Some([l, r]) => {
                collect(bins, l, to);
                collect(bins, r, to);
            }
        }
    }
    // emit
    let mut todo = vec![(0_usize, usize::MAX)];
    out.nodes.push(Wide { lanes: [Lane::Inner(0); 8], len: 0 });
    todo[0].1 = 0;
    while let Some((id, at)) = todo.pop() {
        let mut lanes = vec![];
        if leaf(&bins, id) {
            lanes.push(id);
        } else if let Some([l, r]) = bins[id].kids {
            // best forest of exactly the children
            let mut best = (f32::INFINITY, 1);
            for a in 1..8 {
                let c = bins[l].cost[a] + bins[r].cost[8 - a];
                if c < best.0 {
                    best = (c, a);
                }
            }
            forest(&bins, l, best.1, &mut lanes);
            forest(&bins, r, 8 - best.1, &mut lanes);
        }
        let mut wide = Wide { lanes: [Lane::Inner(0); 8], len: lanes.len() };
        for (k, &lane) in lanes.iter().enumerate() {
            wide.lanes[k] = if leaf(&bins, lane) {
                let first = out.order.len() as u32;
                collect(&bins, lane, &mut out.order);
                Lane::Leaf { first, count: out.order.len() as u32 - first }
            } else {
                let node = out.nodes.len() as u32;
                out.nodes.push(Wide { lanes: [Lane::Inner(0); 8], len: 0 });
                todo.push((lane, node as usize));
                Lane::Inner(node)
            };
        }
        out.nodes[at] = wide;
    }
    out
}
