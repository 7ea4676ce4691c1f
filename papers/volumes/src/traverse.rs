//! Dual-tree traversal for every volume. It contains no geometry.
use crate::{
    link::{Link, Target, run, used},
    tree::{Node, Tree},
    volume::{Apart, OverlapTest},
};
use impinge::{
    hierarchy::{Sink, Task},
    query::{Count, Counters},
};
use std::ops::ControlFlow;

/// Counter of volume tests, or none: the traversal is compiled for both.
pub(crate) trait Probe {
    fn volumes_tested(&mut self, n: u64);
    fn volumes_transformed(&mut self, n: u64);
    fn separated(&mut self, test: u8);
    /// Counts of triangle pairs, which are always kept.
    fn count(&mut self) -> &mut Count;
}

/// Counts no volume tests.
pub(crate) struct Quiet<'a>(pub(crate) &'a mut Count);

impl Probe for Quiet<'_> {
    #[inline(always)]
    fn volumes_tested(&mut self, _: u64) {}
    #[inline(always)]
    fn volumes_transformed(&mut self, _: u64) {}
    #[inline(always)]
    fn separated(&mut self, _: u8) {}
    #[inline(always)]
    fn count(&mut self) -> &mut Count {
        self.0
    }
}

/// Counts volume tests, too.
pub(crate) struct Counted<'a>(pub(crate) &'a mut Counters);

impl Probe for Counted<'_> {
    #[inline(always)]
    fn volumes_tested(&mut self, n: u64) {
        self.0.count.volume_tests += n;
    }
    #[inline(always)]
    fn volumes_transformed(&mut self, n: u64) {
        self.0.count.volume_updates += n;
    }
    #[inline(always)]
    fn separated(&mut self, test: u8) {
        self.0.separations[usize::from(test) % Counters::TESTS] += 1;
    }
    #[inline(always)]
    fn count(&mut self) -> &mut Count {
        &mut self.0.count
    }
}

/// Two trees, or one tree twice, and the query.
pub(crate) struct TreePair<'a, V: OverlapTest> {
    pub(crate) a: &'a Tree<V>,
    pub(crate) b: &'a Tree<V>,
    pub(crate) precomputed: &'a V::Precomputed,
    pub(crate) task: &'a Task<'a>,
}

/// Two subtrees whose volumes, R resting and M moving, may overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<R, M> {
    pub(crate) a: Link,
    pub(crate) resting: R,
    pub(crate) b: Link,
    pub(crate) moving: M,
}

/// The pairs of subtrees for one kind of volume.
pub(crate) type PairOf<V> = Pair<<V as OverlapTest>::Resting, <V as OverlapTest>::Moving>;

/// Sends to the sink the pairs of triangles that meet, from every pair of leaves whose volumes may meet,
/// until the sink or the stop flag breaks.
///
/// The larger of two volumes is opened first (van den Bergen 1997, section 3), which keeps both sides of a
/// pair of similar size. `stack` is memory that queries reuse: it grows to the size that the deepest descent
/// needs.
///
/// For a tree against itself each pair of leaves comes once, a leaf against itself included ([`open_both`]).
/// The traversal checks for such a query only with `MAY_BE_WITHIN`, as the check takes 1 to 7 % of the
/// instructions.
///
/// Never inlined: the traversals of several volumes in one function slow each other down.
#[inline(never)]
pub(crate) fn traverse<V: OverlapTest, P: Probe, const MAY_BE_WITHIN: bool>(
    trees: &TreePair<'_, V>,
    stack: &mut Vec<PairOf<V>>,
    probe: &mut P,
    sink: &mut Sink<'_>,
) -> ControlFlow<()> {
    let &TreePair { a, b, precomputed, task } = trees;
    let within = MAY_BE_WITHIN && task.narrow.is_within();
    stack.clear();
    let (Some(root_a), Some(root_b)) = (&a.root, &b.root) else { return ControlFlow::Continue(()) };
    let top = Pair {
        a: a.top,
        resting: V::prepare_resting(precomputed, root_a),
        b: b.top,
        moving: V::prepare_moving(precomputed, root_b),
    };
    probe.volumes_tested(1);
    probe.volumes_transformed(2);
    match V::separation(precomputed, &top.resting, &top.moving) {
        Some(test) => probe.separated(test),
        None => stack.push(top),
    }
    while let Some(Pair { a: link_a, resting, b: link_b, moving }) = stack.pop() {
        let open_resting =
            match (link_a.target(), link_b.target()) {
                (Target::Leaf { first, count }, Target::Leaf { first: start, count: n }) => {
                    let (run_a, run_b) = (run(first, count), run(start, n));
                    task.stop.check()?;
                    probe.count().leaf_pairs += u64::from(count) * u64::from(n);
                    let kept = (&a.leaves[run_a.clone()], &b.leaves[run_b.clone()]);
                    if !V::leaves_apart(precomputed, (&resting, kept.0), (&moving, kept.1)) {
                        let (of_a, of_b) = (&a.order[run_a], &b.order[run_b]);
                        if within {
                            task.narrow.leaves_within(of_a, of_b, probe.count(), sink)?;
                        } else {
                            task.narrow.leaves(of_a, of_b, probe.count(), sink)?;
                        }
                    }
                    continue;
                }
                (Target::Inner(i), Target::Inner(j)) if within && i == j => {
                    open_both(trees, i, (&resting, &moving), stack, probe);
                    continue;
                }
                (Target::Inner(i), Target::Inner(j)) => {
                    if V::resting_is_larger(precomputed, &resting, &moving) { Ok(i) } else { Err(j) }
                }
                (Target::Inner(i), Target::Leaf { .. }) => Ok(i),
                (Target::Leaf { .. }, Target::Inner(j)) => Err(j),
            };
        match open_resting {
            Ok(i) => {
                let Node { child_bounds, links } = &a.nodes[i as usize];
                let links = links.as_ref();
                V::open_resting(
                    precomputed,
                    &resting,
                    (child_bounds, used(links)),
                    &moving,
                    |slot, outcome| {
                        watch(probe, &outcome);
                        if let Ok(resting) = outcome {
                            stack.push(Pair { a: links[slot], resting, b: link_b, moving });
                        }
                    },
                );
            }
            Err(j) => {
                let Node { child_bounds, links } = &b.nodes[j as usize];
                let links = links.as_ref();
                V::open_moving(
                    precomputed,
                    &moving,
                    (child_bounds, used(links)),
                    &resting,
                    |slot, outcome| {
                        watch(probe, &outcome);
                        if let Ok(moving) = outcome {
                            stack.push(Pair { a: link_a, resting, b: links[slot], moving });
                        }
                    },
                );
            }
        }
    }
    ControlFlow::Continue(())
}

/// Opens a node that meets itself on both sides: keeps only the pairs (i, j) of its children with i <= j.
///
/// Neither inlined nor compiled for each probe: such pairs are few.
#[inline(never)]
fn open_both<V: OverlapTest>(
    &TreePair { a, precomputed, .. }: &TreePair<'_, V>,
    node: u32,
    (resting, moving): (&V::Resting, &V::Moving),
    stack: &mut Vec<PairOf<V>>,
    probe: &mut dyn Probe,
) {
    let Node { child_bounds, links } = &a.nodes[node as usize];
    let links = links.as_ref();
    V::open_resting(precomputed, resting, (child_bounds, used(links)), moving, |first, outcome| {
        watch(probe, &outcome);
        // A volume is not disjoint from one that contains it.
        let Ok(resting) = outcome else { return };
        V::open_moving(precomputed, moving, (child_bounds, used(links)), &resting, |second, outcome| {
            watch(probe, &outcome);
            if let (true, Ok(moving)) = (first <= second, outcome) {
                stack.push(Pair { a: links[first], resting, b: links[second], moving });
            }
        });
    });
}

#[inline(always)]
fn watch<T>(probe: &mut (impl Probe + ?Sized), outcome: &Result<T, Apart>) {
    probe.volumes_tested(1);
    match *outcome {
        Ok(_) => probe.volumes_transformed(1),
        Err(Apart { test, transformed }) => {
            probe.volumes_transformed(u64::from(transformed));
            probe.separated(test);
        }
    }
}
