//! The one dual-tree traversal. There is no geometry here.
use crate::{
    Probe,
    tree::{Link, Node, Target, Tree},
    volume::Collide,
};
use std::ops::ControlFlow;

/// Two subtrees whose volumes may meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<V: Collide> {
    a: Link,
    resting: V::Resting,
    b: Link,
    moving: V::Moving,
}

/// Visits every pair of leaves whose volumes may meet, until `leaf` breaks; it gets the two runs of triangles.
///
/// The larger of two volumes is opened first (van den Bergen 1997, section 3), which keeps both sides of a pair of
/// similar size. `stack` is memory to be used again: it grows to what the deepest descent needs, and stays.
pub(crate) fn traverse<V: Collide, P: Probe, B>(
    (a, b): (&Tree<V>, &Tree<V>),
    frame: &V::Frame,
    stack: &mut Vec<Pair<V>>,
    probe: &mut P,
    mut leaf: impl FnMut(&[u32], &[u32], &mut P) -> ControlFlow<B>,
) -> ControlFlow<B> {
    stack.clear();
    let (Some(root_a), Some(root_b)) = (&a.root, &b.root) else { return ControlFlow::Continue(()) };
    let top = Pair { a: a.top, resting: V::rest(frame, root_a), b: b.top, moving: V::place(frame, root_b) };
    probe.volumes_tested(1);
    if !V::apart(frame, &top.resting, &top.moving) {
        stack.push(top);
    }
    while let Some(Pair { a: link_a, resting, b: link_b, moving }) = stack.pop() {
        let open_resting = match (link_a.target(), link_b.target()) {
            (Target::Leaf { first, count }, Target::Leaf { first: start, count: n }) => {
                leaf(
                    &a.order[first as usize..][..count as usize],
                    &b.order[start as usize..][..n as usize],
                    probe,
                )?;
                continue;
            }
            (Target::Inner(i), Target::Inner(j)) => {
                if V::resting_is_larger(frame, &resting, &moving) {
                    Ok(i)
                } else {
                    Err(j)
                }
            }
            (Target::Inner(i), Target::Leaf { .. }) => Ok(i),
            (Target::Leaf { .. }, Target::Inner(j)) => Err(j),
        };
        match open_resting {
            Ok(i) => {
                let Node { family, links } = &a.nodes[i as usize];
                probe.volumes_tested(used::<V>(links));
                V::open_resting(frame, &resting, family, &moving, |slot, resting| {
                    let link = links.as_ref()[slot];
                    if link != Link::NONE {
                        stack.push(Pair { a: link, resting, b: link_b, moving });
                    }
                });
            }
            Err(j) => {
                let Node { family, links } = &b.nodes[j as usize];
                probe.volumes_tested(used::<V>(links));
                V::open_moving(frame, &moving, family, &resting, |slot, moving| {
                    let link = links.as_ref()[slot];
                    if link != Link::NONE {
                        stack.push(Pair { a: link_a, resting, b: link, moving });
                    }
                });
            }
        }
    }
    ControlFlow::Continue(())
}

/// How many slots lead somewhere.
#[inline(always)]
fn used<V: Collide>(links: &V::Links) -> u64 {
    links.as_ref().iter().filter(|&&link| link != Link::NONE).count() as u64
}
