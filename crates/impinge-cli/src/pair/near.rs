//! Queries of two meshes about distances.
use super::{
    given::Given,
    pair_query::{
        Column,
        ColumnKind::{Data, Flag, Index, Interval, Point, Word},
        PAIR, PairQuery,
        Places::{CsvAndTable, Json},
        Shape,
    },
    rows::{Cell, FrameRows, Rows},
};
use impinge::{
    Body, Query,
    certainty::Certainty,
    distance::Margin,
    farthest::{Farthest, SolidSide},
};
use impinge_check::values::numbers::{count, grouped, shortest};

const MARGIN: Option<(&[&str], &str)> = Some((&["--margin"], "a distance to compare with, --margin LENGTH"));

pub(super) static DISTANCE: PairQuery = PairQuery {
    name: "distance",
    help: "Measures the distance of the surfaces, as an interval that holds it, and finds the nearest points",
    options: &["--margin", "--rel", "--solids"],
    columns: &[
        // Empty if it is more than the margin.
        Column::new("distance", Interval),
        Column::new("points", Data).only(Json),
        Column::new("a", Point).only(CsvAndTable),
        Column::new("b", Point).only(CsvAndTable),
    ],
    shape: Shape::One(distance_in_words),
    run: |given, [a, b], query, rows| {
        let found = query.with_accuracy(given.stop).distance(a, b);
        let points = found.as_ref().map(|found| found.points);
        let [of_a, of_b] = [0, 1].map(|side| points.map(|points| points[side]));
        rows.push_only([found.as_ref().into(), points.into(), of_a.into(), of_b.into()]);
    },
    ..PairQuery::DEFAULT
};

/// The distance in the only frame, or the least of all frames.
fn distance_in_words(frames: &FrameRows<'_>) -> String {
    let gaps = || {
        let intervals =
            frames.iter().map(|row| if let Cell::Interval(ends) = row[0] { Some(ends) } else { None });
        intervals.enumerate().filter_map(|(i, ends)| Some((i, ends?)))
    };
    let all = frames.count() as usize;
    let all_frames = count(all as u64, "frame");
    let meeting = gaps().filter(|(_, [_, hi])| *hi == 0.0).count();
    // One solid may be inside the other.
    let meet = if frames.solids { "meet as solids" } else { "meet" };
    let text = match gaps().min_by(|(_, [_, x]), (_, [_, y])| x.total_cmp(y)) {
        None if all == 1 => format!("A and B are more than {} apart.", margin(frames)),
        None => format!("A and B are more than {} apart in each of {all_frames}.", margin(frames)),
        Some(_) if meeting > 0 && all == 1 => format!("A and B {meet}: the distance is 0."),
        Some(_) if meeting > 0 => {
            format!("A and B {meet} in {} of {all_frames}.", grouped(meeting as u64))
        }
        Some((_, ends)) if all == 1 => format!("A and B are {} apart.", shown(ends)),
        Some((i, ends)) => format!("Of {all_frames} A and B are nearest in {i}: {} apart.", shown(ends)),
    };
    match (all - gaps().count()) as u64 {
        further @ 1.. if further < all as u64 => {
            format!("{text} In {} they are more than {} apart.", grouped(further), margin(frames))
        }
        _ => text,
    }
}

fn shown([lo, hi]: [f64; 2]) -> String {
    let width = hi - lo;
    if width <= 1e-6 * hi || hi == f64::INFINITY {
        return shortest([lo, hi]);
    }
    // A coarse interval: numbers with few digits just outside of it.
    let (down, up) = ((lo - width / 8.0).max(0.0), hi + width / 8.0);
    format!("between {} and {}", shortest([down, lo]), shortest([hi, up]))
}

fn margin(frames: &FrameRows<'_>) -> String {
    shortest([frames.margin.map_or(f64::INFINITY, Margin::get); 2])
}

pub(super) static WITHIN: PairQuery = PairQuery {
    name: "within",
    help: "Tests if the surfaces are at most --margin apart, exactly",
    options: &["--margin"],
    needs: MARGIN,
    columns: &[Column::new("within", Flag)],
    shape: Shape::One(|frames| {
        let all = frames.count();
        let near = frames.count_true();
        let d = margin(frames);
        match (all, near) {
            (1, 0) => format!("A and B are more than {d} apart."),
            (1, _) => format!("A and B are at most {d} apart."),
            (_, 0) => format!("A and B are at most {d} apart in none of {}.", count(all, "frame")),
            _ => format!("A and B are at most {d} apart in {} of {}.", grouped(near), count(all, "frame")),
        }
    }),
    run: |given, [a, b], query, rows| {
        rows.push_only([query.within(a, b, given.margin.unwrap_or_default()).into()]);
    },
    ..PairQuery::DEFAULT
};

pub(super) static FARTHEST: PairQuery = PairQuery {
    name: "farthest",
    help: "Measures how far the farthest point of one surface is from the other, both ways: of points \
           inside the other solid (interference depth), outside, and all (Hausdorff distance)",
    is_of_solids: true,
    options: &["--fill-rule", "--rel", "--max-pairs"],
    columns: &[
        Column::new("of", Word),
        Column::new("side", Word),
        Column::new("result", Word),
        Column::new("distance", Interval),
        Column::new("triangle_a", Index),
        Column::new("triangle_b", Index),
        Column::new("point_a", Point),
        Column::new("point_b", Point),
    ],
    shape: Shape::Objects("distances", "distance"),
    run: farthest,
    ..PairQuery::DEFAULT
};

fn farthest(given: &Given, [a, b]: [&Body<'_>; 2], query: &mut Query, rows: &mut Rows) {
    let sides = [("inside", SolidSide::Inside), ("outside", SolidSide::Outside), ("any", SolidSide::Any)];
    for (word, side) in sides {
        for (of, first, second) in [("A", a, b), ("B", b, a)] {
            let found = query.with_accuracy(given.stop).farthest_distance(first, second, side);
            let result = match found {
                Farthest::At(_) => "found",
                Farthest::NoPoint => "no_point",
                Farthest::NoSolid => "no_solid",
            };
            let point = found.point();
            // Of A first, whatever the direction.
            let [k, l] = if of == "A" { [0, 1] } else { [1, 0] };
            rows.push([
                of.into(),
                word.into(),
                result.into(),
                point.map(|point| [point.lo, point.hi]).into(),
                point.map(|point| point.triangles[k]).into(),
                point.map(|point| point.triangles[l]).into(),
                point.map(|point| point.points[k]).into(),
                point.map(|point| point.points[l]).into(),
            ]);
        }
    }
}

pub(super) static PAIRS_WITHIN: PairQuery = PairQuery {
    name: "pairs-within",
    help: "Lists every pair of triangles that are at most --margin apart, exactly",
    options: &["--margin", "--max-pairs"],
    needs: MARGIN,
    columns: PAIR,
    shape: Shape::Numbers("pairs", "triangle pair"),
    run: |given, [a, b], query, rows| {
        let (most, margin) = (rows.most(), given.margin.unwrap_or_default());
        let found = query.pairs_within_at_most(a, b, margin, most, &mut rows.pairs);
        rows.push_pairs(found.count);
    },
    ..PairQuery::DEFAULT
};

pub(super) static CERTAINTY: PairQuery = PairQuery {
    name: "certainty",
    help: "Decides if curved bodies, which A and B approximate to within --chord-a and --chord-b, are at \
           most --margin apart [default: 0]: clear, possible or definite",
    is_of_solids: true,
    options: &["--fill-rule", "--margin", "--chord-a", "--chord-b"],
    columns: &[Column::new("certainty", Word)],
    shape: Shape::One(|frames| {
        frames.sentence(|row| match row {
            [Cell::Word("clear")] => "A and B certainly do not clash.",
            [Cell::Word("definite")] => "A and B certainly clash.",
            _ => "A and B may clash.",
        })
    }),
    run: |given, [a, b], query, rows| {
        let found = query.certainty(a, b, given.chords, given.margin.unwrap_or_default());
        let word = match found {
            Certainty::Clear => "clear",
            Certainty::Possible => "possible",
            Certainty::Definite => "definite",
        };
        rows.push_only([word.into()]);
    },
    ..PairQuery::DEFAULT
};
