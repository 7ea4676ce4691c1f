//! The reference: no tree. Every triangle of one body is compared with every triangle of the other whose box, in
//! the first body's frame, it meets on the x axis. Slow, and shipped: it answers the same verbs, so a user's test can use it.
use crate::{
    Body, Model, Pose, Probe, Scratch,
    motion::Motion,
    narrow::{Moved, Narrow, extent},
};
use std::ops::ControlFlow;

/// Both sides in the order of their lower x. Empty until used.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    a: Vec<(f64, f64, u32)>,
    b: Vec<(Moved, u32)>,
}

/// As [`Query::intersects`](crate::Query::intersects), without a tree: the least pair.
pub fn intersects(
    a: &Body<'_>,
    b: &Body<'_>,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
) -> Option<[u32; 2]> {
    let mut least = None;
    let _: ControlFlow<()> = run(a, b, &mut scratch.sorted, probe, |pair| {
        least = Some(least.map_or(pair, |other| pair.min(other)));
        ControlFlow::Continue(())
    });
    least
}

/// As [`Query::intersecting_pairs`](crate::Query::intersecting_pairs), without a tree.
pub fn intersecting_pairs(
    a: &Body<'_>,
    b: &Body<'_>,
    scratch: &mut Scratch,
    pairs: &mut Vec<[u32; 2]>,
    probe: &mut impl Probe,
) {
    pairs.clear();
    let _: ControlFlow<()> = run(a, b, &mut scratch.sorted, probe, |pair| {
        pairs.push(pair);
        ControlFlow::Continue(())
    });
    pairs.sort_unstable();
}

/// As [`Query::self_intersects`](crate::Query::self_intersects), without a tree: the least pair.
pub fn self_intersects(model: &Model, scratch: &mut Scratch, probe: &mut impl Probe) -> Option<[u32; 2]> {
    let mut least = None;
    run_within(model, &mut scratch.sorted, probe, |pair| {
        least = Some(least.map_or(pair, |other| pair.min(other)));
    });
    least
}

/// As [`Query::self_intersecting_pairs`](crate::Query::self_intersecting_pairs), without a tree.
pub fn self_intersecting_pairs(
    model: &Model,
    scratch: &mut Scratch,
    pairs: &mut Vec<[u32; 2]>,
    probe: &mut impl Probe,
) {
    pairs.clear();
    run_within(model, &mut scratch.sorted, probe, |pair| pairs.push(pair));
    pairs.sort_unstable();
}

fn run_within(model: &Model, sorted: &mut Sorted, probe: &mut impl Probe, mut found: impl FnMut([u32; 2])) {
    let body = Body::new(model, Pose::IDENTITY);
    let narrow = Narrow::within(&body);
    let _: ControlFlow<()> = sweep([model; 2], &narrow, sorted, |i, j, moved| {
        if i < j && narrow.meet_within(i, j, moved, probe) {
            found([i, j]);
        }
        ControlFlow::Continue(())
    });
}

pub(crate) fn run<B>(
    a: &Body<'_>,
    b: &Body<'_>,
    sorted: &mut Sorted,
    probe: &mut impl Probe,
    mut found: impl FnMut([u32; 2]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let narrow = Narrow::new(a, b, &Motion::between(&b.pose, &a.pose));
    sweep([a.model, b.model], &narrow, sorted, |i, j, moved| {
        if narrow.meet(i, j, moved, probe) { found([i, j]) } else { ControlFlow::Continue(()) }
    })
}

/// Pairs whose boxes may overlap on the x axis.
fn sweep<B>(
    [a, b]: [&Model; 2],
    narrow: &Narrow<'_>,
    sorted: &mut Sorted,
    mut each: impl FnMut(u32, u32, &Moved) -> ControlFlow<B>,
) -> ControlFlow<B> {
    sorted.a.clear();
    sorted.a.extend((0..a.mesh().len() as u32).map(|i| {
        let (lo, hi) = extent(&a.mesh().corners(i));
        (lo[0], hi[0], i)
    }));
    sorted.b.clear();
    sorted.b.extend((0..b.mesh().len() as u32).map(|j| (narrow.moved(j), j)));
    sorted.a.sort_unstable_by(|x, y| x.0.total_cmp(&y.0));
    sorted.b.sort_unstable_by(|x, y| x.0.lo[0].total_cmp(&y.0.lo[0]));
    // A sweep along x: each pair is met where the later of its two boxes begins. Where nothing is known of the
    // motion, bounds are infinite or NaN: then nothing may be skipped.
    let known = sorted.b.iter().all(|(m, _)| m.lo[0].is_finite() && m.hi[0].is_finite());
    let mut first = 0;
    let widest = sorted.a.iter().map(|(lo, hi, _)| hi - lo).fold(0.0, f64::max);
    for (moved, j) in &sorted.b {
        if known {
            while first < sorted.a.len() && sorted.a[first].0 + widest < moved.lo[0] - widest {
                first += 1;
            }
        }
        for (lo, _, i) in &sorted.a[first..] {
            if known && *lo > moved.hi[0] {
                break;
            }
            each(*i, *j, moved)?;
        }
    }
    ControlFlow::Continue(())
}
