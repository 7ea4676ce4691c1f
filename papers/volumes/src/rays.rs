//! Walk of a tree along a ray, for every volume: depth first, the nearest child first. It contains no
//! geometry.
use crate::{
    line::Line,
    link::{Link, Target, run, used},
    tree::{Node, Tree},
    volume::{NodeLayout, shape::Shape},
};
use impinge::{
    hierarchy::{RayTask, RayVisitor},
    query::Count,
};

/// A subtree that the ray may reach, and a lower bound of where it does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached<D> {
    near: f64,
    link: Link,
    decoded: D,
}

/// Shows the visitor the triangles of all leaves that the ray may reach up to the visitor's limit, unless the
/// stop flag is set. `stack` is memory that queries reuse.
#[inline(never)]
pub(crate) fn along_ray<V: NodeLayout>(
    tree: &Tree<V>,
    task: &RayTask<'_>,
    stack: &mut Vec<Reached<V::Decoded>>,
    count: &mut Count,
    visitor: &mut RayVisitor<'_>,
) {
    let Some(root) = tree.root else { return };
    let mut look = |triangles: &[u32], visitor: &mut RayVisitor<'_>| {
        count.leaf_pairs += triangles.len() as u64;
        count.triangle_tests += triangles.len() as u64;
        triangles.iter().for_each(|&triangle| visitor.take(triangle));
    };
    let Some(line) = Line::new(&task.origin, &task.direction) else {
        for triangles in tree.order.chunks(Link::MAX_LEAF) {
            if task.stop.is_set() {
                return;
            }
            look(triangles, visitor);
        }
        return;
    };
    let (ray, begin, mut tests) = (V::Decoded::ray(&line), line.begin(), 0);
    stack.clear();
    let mut keep = |decoded: V::Decoded, link, end: f64, stack: &mut Vec<_>| {
        tests += 1;
        let [from, to] = decoded.passage(&ray);
        let near = from.max(begin);
        // NaN excludes nothing.
        let is_missed = near > to.min(end);
        if !is_missed {
            stack.push(Reached { near, link, decoded });
        }
    };
    keep(root, tree.top, line.end(visitor.limit()), stack);
    while let Some(Reached { near, link, decoded }) = stack.pop() {
        let end = line.end(visitor.limit());
        if near > end {
            continue;
        }
        if task.stop.is_set() {
            break;
        }
        match link.target() {
            Target::Leaf { first, count } => look(&tree.order[run(first, count)], visitor),
            Target::Inner(i) => {
                let Node { child_bounds, links } = &tree.nodes[i as usize];
                let (links, start) = (links.as_ref(), stack.len());
                for (slot, &link) in links[..used(links)].iter().enumerate() {
                    keep(V::decode(&decoded, child_bounds, slot), link, end, stack);
                }
                // The nearest comes last, and is taken first.
                stack[start..].sort_unstable_by(|a, b| b.near.total_cmp(&a.near));
            }
        }
    }
    if task.counting {
        count.volume_tests += tests;
    }
}
