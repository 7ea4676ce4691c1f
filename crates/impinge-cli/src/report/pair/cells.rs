//! Cells that several tables have.
use crate::pair::results::FrameResult;
use impinge_check::values::numbers::grouped;
use std::time::Duration;

/// Headings of a frame's work, if it is counted, and time.
pub(super) fn cost_headings(stats: bool) -> &'static [&'static str] {
    if stats { &[">volume\ntests", ">triangle\ntests", ">exact\ntests", ">µs"] } else { &[">µs"] }
}

pub(super) fn costs(answer: &FrameResult, stats: bool) -> impl Iterator<Item = String> {
    let count = answer.work.count;
    let work = [count.volume_tests, count.triangle_tests, count.exact_tests].map(grouped);
    let work = if stats { work.to_vec() } else { Vec::new() };
    work.into_iter().chain([format!("{:.1}", microseconds(answer.time))])
}

pub(super) fn yes(is_so: bool) -> String {
    if is_so { "yes" } else { "no" }.to_owned()
}

pub(super) fn microseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}
