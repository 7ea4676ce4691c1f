//! All pairs of two meshes without trees, by a sweep along x.
use crate::{
    Mesh,
    counters::Count,
    narrow::{MovedTriangle, Narrow, extent},
    sink::Sink,
};
use std::ops::ControlFlow;

/// Both sides in the order of their lower x. Empty until used.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    a: Vec<(f64, f64, u32)>,
    b: Vec<(MovedTriangle, u32)>,
}

/// Passes on every pair of triangles that meet; within one mesh, pairs i < j that meet elsewhere than in
/// common corners and edges.
pub(crate) fn run(
    meshes: [&Mesh; 2],
    narrow: &Narrow<'_>,
    sorted: &mut Sorted,
    count: &mut Count,
    sink: &mut Sink<'_>,
) -> ControlFlow<()> {
    let within = narrow.is_within();
    sweep(meshes, narrow, sorted, |i, j, moved| {
        let meet = if within {
            i < j && narrow.meet_within(i, j, moved, count)
        } else {
            narrow.meet(i, j, moved, count)
        };
        if meet { sink.take([i, j]) } else { ControlFlow::Continue(()) }
    })
}

/// Passes on pairs whose boxes may overlap on the x axis.
fn sweep(
    [a, b]: [&Mesh; 2],
    narrow: &Narrow<'_>,
    sorted: &mut Sorted,
    mut each: impl FnMut(u32, u32, &MovedTriangle) -> ControlFlow<()>,
) -> ControlFlow<()> {
    sorted.a.clear();
    sorted.a.extend((0..a.len() as u32).map(|i| {
        let (lo, hi) = extent(&a.corners(i));
        (lo[0], hi[0], i)
    }));
    sorted.b.clear();
    sorted.b.extend((0..b.len() as u32).map(|j| (narrow.moved(j), j)));
    sorted.a.sort_unstable_by(|x, y| x.0.total_cmp(&y.0));
    sorted.b.sort_unstable_by(|x, y| x.0.lo[0].total_cmp(&y.0.lo[0]));
    // A sweep along x: the boxes of `a` that may overlap one of `b` are a range. Where the motion has no
    // bound, bounds are infinite or NaN: then nothing may be skipped.
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
