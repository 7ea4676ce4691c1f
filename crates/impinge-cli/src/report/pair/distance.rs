//! Distances in words.
use crate::pair::results::{QueryResult, Results};
use impinge::distance::{DistanceBounds, Margin};
use impinge_check::values::numbers::{count, grouped, shortest};

/// How far apart A and B are, in the only frame or in the one where they are nearest.
pub(super) fn nearest(results: &Results) -> String {
    let gaps = || results.frames.iter().enumerate().filter_map(|(i, answer)| Some((i, answer.found.gap()?)));
    let all = results.frames.len();
    let frames = count(all as u64, "frame");
    let meeting = gaps().filter(|(_, gap)| gap.hi == 0.0).count();
    // One solid may be inside the other.
    let meet = if results.solids { "meet as solids" } else { "meet" };
    let text = match gaps().min_by(|a, b| a.1.hi.total_cmp(&b.1.hi)) {
        None if all == 1 => format!("A and B are more than {} apart.", margin(results)),
        None => format!("A and B are more than {} apart in each of {frames}.", margin(results)),
        Some(_) if meeting > 0 && all == 1 => format!("A and B {meet}: the distance is 0."),
        Some(_) if meeting > 0 => {
            format!("A and B {meet} in {} of {frames}.", grouped(meeting as u64))
        }
        Some((_, gap)) if all == 1 => format!("A and B are {} apart.", shown(gap)),
        Some((i, gap)) => format!("Of {frames} A and B are nearest in {i}: {} apart.", shown(gap)),
    };
    match (all - gaps().count()) as u64 {
        further @ 1.. if further < all as u64 => {
            format!("{text} In {} they are more than {} apart.", grouped(further), margin(results))
        }
        _ => text,
    }
}

/// Whether they are as near as the margin.
pub(super) fn within(results: &Results) -> String {
    let all = results.frames.len() as u64;
    let near =
        results.frames.iter().filter(|answer| matches!(answer.found, QueryResult::Within(true))).count()
            as u64;
    let d = margin(results);
    match (all, near) {
        (1, 0) => format!("A and B are more than {d} apart."),
        (1, _) => format!("A and B are at most {d} apart."),
        (_, 0) => format!("A and B are at most {d} apart in none of {}.", count(all, "frame")),
        _ => format!("A and B are at most {d} apart in {} of {}.", grouped(near), count(all, "frame")),
    }
}

fn shown(&DistanceBounds { lo, hi, .. }: &DistanceBounds) -> String {
    let width = hi - lo;
    if width <= 1e-6 * hi || hi == f64::INFINITY {
        return shortest([lo, hi]);
    }
    // A coarse interval: numbers with few digits just outside of it.
    let (down, up) = ((lo - width / 8.0).max(0.0), hi + width / 8.0);
    format!("between {} and {}", shortest([down, lo]), shortest([hi, up]))
}

fn margin(results: &Results) -> String {
    shortest([results.margin.map_or(f64::INFINITY, Margin::get); 2])
}
