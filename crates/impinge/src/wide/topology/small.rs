//! Binary trees over a handful of items, by a full sweep along each axis.
use super::{
    binned::{Node, SWEPT},
    four::Span,
};

/// Fills the `2 * items.len() - 1` nodes of a subtree in preorder.
pub(super) fn build(items: &mut [Span], nodes: &mut [Node], area: f32) {
    // A stack as deep as the tree can be; every entry holds at least one item.
    let mut todo = [(0usize, 0usize, 0usize, 0.0f32); SWEPT + 1];
    todo[0] = (0, items.len(), 0, area);
    let mut waiting = 1;
    while waiting > 0 {
        waiting -= 1;
        let (start, len, node, area) = todo[waiting];
        let range = &mut items[start..start + len];
        let triangles = range.iter().map(Span::count).sum();
        nodes[node] = Node { area, items: len as u32, triangles };
        let (at, [left, right]) = match range {
            [_] => continue,
            [a, b] => (1, [a.area(), b.area()]),
            _ => cut(range),
        };
        todo[waiting] = (start + at, len - at, node + 2 * at, right);
        todo[waiting + 1] = (start, at, node + 1, left);
        waiting += 2;
    }
}

/// Sorts the items along the best axis and says where to cut them, with the areas of both sides.
fn cut(items: &mut [Span]) -> (usize, [f32; 2]) {
    let len = items.len();
    let mut best = (f32::INFINITY, 0, [0.0; 2]);
    let mut order = [0u8; SWEPT];
    for axis in 0..3 {
        let mut keys = [(0.0f32, 0u8); SWEPT];
        for (i, item) in items.iter().enumerate() {
            let c = item.lo.0[axis] + item.hi.0[axis];
            let mut at = i;
            while at > 0 && c < keys[at - 1].0 {
                keys[at] = keys[at - 1];
                at -= 1;
            }
            keys[at] = (c, i as u8);
        }
        let mut rights = [(0.0, 0u32); SWEPT];
        let (mut sum, mut weight) = (Span::EMPTY, 0);
        for i in (1..len).rev() {
            let item = &items[keys[i].1 as usize];
            sum = sum.and(item);
            weight += item.count();
            rights[i] = (sum.area(), weight);
        }
        let (mut sum, mut weight) = (Span::EMPTY, 0);
        let before = best.0;
        for i in 1..len {
            let item = &items[keys[i - 1].1 as usize];
            sum = sum.and(item);
            weight += item.count();
            let (left, (right, rest)) = (sum.area(), rights[i]);
            let cost = left * weight as f32 + right * rest as f32;
            if cost < best.0 {
                best = (cost, i, [left, right]);
            }
        }
        if best.0 < before {
            order = keys.map(|(_, i)| i);
        }
    }
    let (cost, mut at, mut areas) = best;
    if cost == f32::INFINITY {
        at = len / 2;
        areas = [&items[..at], &items[at..]].map(|half| Span::of(half).area());
    } else {
        let mut copy = [Span::EMPTY; SWEPT];
        copy[..len].copy_from_slice(items);
        for (item, &i) in items.iter_mut().zip(&order) {
            *item = copy[i as usize];
        }
    }
    (at, areas)
}
