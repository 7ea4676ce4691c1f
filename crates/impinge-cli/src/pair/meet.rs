//! Queries of two meshes that meet: triangle pairs, relations, curves, penetration.
use super::{
    given::Given,
    pair_query::{
        Column,
        ColumnKind::{Count, Data, Flag, Index, Interval, Number, Point, Word},
        EXAMPLE, PairQuery,
        Places::{CsvAndTable, Json, JsonAndCsv},
        Shape, example, place_example,
    },
    rows::{Cell, FrameRows, Rows},
};
use impinge::{
    Body, Query, curves::Curves, penetration::PenetrationParts, query::ContactPairs, relation::RelationKind,
};
use impinge_check::{
    relations,
    values::numbers::{count, count_of, grouped, shortest},
};
use std::mem;

pub(super) static BOOLEAN: PairQuery = PairQuery {
    name: "boolean",
    help: "Tests if any two triangles meet, and stops at the first that do",
    columns: &[
        Column::new("intersecting", Flag),
        Column::new("pair_count", Count).only(JsonAndCsv),
        EXAMPLE[0],
        EXAMPLE[1],
        EXAMPLE[2],
    ],
    shape: Shape::One(frames_that_meet),
    run: |_, [a, b], query, rows| {
        let first = query.first_contact(a, b);
        let [s, t, at] = example(first);
        rows.push_only([first.is_some().into(), u64::from(first.is_some()).into(), s, t, at]);
    },
    complete: place_example,
    ..PairQuery::DEFAULT
};

pub(super) static PAIRS: PairQuery = PairQuery {
    name: "pairs",
    help: "Lists every pair of triangles that meet",
    options: &["--max-pairs"],
    most_pairs: Some(40_000_000),
    columns: &[
        Column::new("intersecting", Flag),
        Column::new("pair_count", Count),
        Column::new("pairs", Data).only(Json),
        EXAMPLE[0],
        EXAMPLE[1],
        EXAMPLE[2],
    ],
    shape: Shape::One(|frames| {
        let pairs: u64 = frames.iter().map(|row| if let Cell::Count(n) = row[1] { n } else { 0 }).sum();
        let pairs = match pairs {
            0 => String::new(),
            1 => " 1 triangle pair meets.".to_owned(),
            _ => format!(" {} meet.", count(pairs, "triangle pair")),
        };
        frames_that_meet(frames) + &pairs
    }),
    run: |_, [a, b], query, rows| {
        let most = rows.most();
        let found = query.pairs_at_most(a, b, most, &mut rows.pairs).count;
        rows.count(found);
    },
    complete: |bodies, rows| {
        let [s, t, at] = example(rows.pairs.first().copied());
        let pairs = rows.pairs.clone();
        rows.push_only([
            (!pairs.is_empty()).into(),
            (pairs.len() as u64).into(),
            Cell::Pairs(pairs),
            s,
            t,
            at,
        ]);
        place_example(bodies, rows);
    },
    ..PairQuery::DEFAULT
};

fn frames_that_meet(frames: &FrameRows<'_>) -> String {
    let all = frames.count();
    let meet = frames.count_true();
    match (all, meet) {
        (1, 0) => "A and B do not meet.".to_owned(),
        (1, _) => "A and B meet.".to_owned(),
        (_, 0) => format!("A and B meet in none of {}.", count(all, "frame")),
        _ => format!("A and B meet in {} of {}.", grouped(meet), count(all, "frame")),
    }
}

pub(super) static RELATION: PairQuery = PairQuery {
    name: "relation",
    help: "Finds the relation of A and B as solids: apart, touch, overlap, inside, contains, duplicate; if \
           one has open edges, also pierce, surface_inside, meet",
    is_of_solids: true,
    options: &["--fill-rule"],
    columns: &[
        Column::new("relation", Word),
        Column::new("touching", Flag),
        // If several pairs meet, an arbitrary one.
        Column::new("witness", Data).only(Json),
        EXAMPLE[0],
        EXAMPLE[1],
        EXAMPLE[2],
    ],
    shape: Shape::One(relation_in_words),
    run: |_, [a, b], query, rows| {
        let found = query.relation(a, b);
        let [s, t, at] = example(found.witness);
        let word = relations::name(found.kind);
        rows.push_only([word.into(), found.touching.into(), found.witness.into(), s, t, at]);
    },
    complete: place_example,
    ..PairQuery::DEFAULT
};

/// The relation of the only frame, or the number of frames of each relation.
fn relation_in_words(frames: &FrameRows<'_>) -> String {
    let all = || relations::ALL.into_iter().chain([RelationKind::Apart]);
    let kind = |row: &[Cell]| match row[0] {
        Cell::Word(word) => all().find(|&kind| relations::name(kind) == word),
        _ => None,
    };
    if let Some((row, kind)) = frames.only().and_then(|row| Some((row, kind(row)?))) {
        let is_inside =
            matches!(kind, RelationKind::Inside | RelationKind::Contains | RelationKind::SurfaceInside);
        let touches = is_inside && matches!(row[1], Cell::Flag(true));
        return format!("{}{}", sentence(kind), if touches { " Their surfaces meet." } else { "" });
    }
    let counts = all().map(|one| (one, frames.iter().filter(|row| kind(row) == Some(one)).count() as u64));
    let named = counts
        .filter(|&(_, n)| n > 0)
        .map(|(kind, n)| format!("{} in {}", relations::name(kind), grouped(n)));
    let frames = count(frames.count(), "frame");
    format!("Of {frames}: {}.", named.collect::<Vec<_>>().join(", "))
}

fn sentence(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Overlap => "A and B overlap.",
        RelationKind::Inside => "A is inside B.",
        RelationKind::Contains => "B is inside A.",
        RelationKind::Duplicate => "A and B are the same set of points.",
        RelationKind::Pierce => "One is an open surface and pierces the other.",
        RelationKind::SurfaceInside => "One is an open surface inside the other.",
        RelationKind::Meet => "A and B are open surfaces, and meet.",
        RelationKind::Touch => "A and B touch: their surfaces meet, their insides do not.",
        RelationKind::Apart => "A and B are apart.",
    }
}

pub(super) static OVERLAPS: PairQuery = PairQuery {
    name: "overlaps",
    help: "Tests if the insides have a point in common; touching is not enough",
    is_of_solids: true,
    options: &["--fill-rule"],
    columns: &[Column::new("overlaps", Flag)],
    shape: Shape::One(|frames| {
        frames.sentence(|row| match row {
            [Cell::Flag(true)] => "The insides of A and B have a point in common.",
            _ => "The insides of A and B have no point in common.",
        })
    }),
    run: |_, [a, b], query, rows| rows.push_only([query.overlaps(a, b).into()]),
    ..PairQuery::DEFAULT
};

pub(super) static PENETRATION: PairQuery = PairQuery {
    name: "penetration",
    help: "Measures overlap volume, interference depth, and a translation of B that separates both",
    is_of_solids: true,
    options: &["--fill-rule"],
    columns: &[
        Column::new("overlap_volume", Interval),
        Column::new("interference_depth", Interval),
        Column::new("depth_at_least", Number),
        Column::new("corner_of", Word),
        Column::new("vertex", Index),
        Column::new("separating_translation", Point),
        Column::new("separating_distance", Interval),
    ],
    shape: Shape::One(|frames| {
        frames.sentence(|row| match row {
            [Cell::Interval([_, hi]), ..] if *hi > 0.0 => "A and B overlap.",
            [Cell::Interval(_), ..] => "A and B do not overlap.",
            _ => "The volume that A and B have in common is not defined, or beyond f64.",
        })
    }),
    run: |_, [a, b], query, rows| {
        let found = query.penetration(a, b, &PenetrationParts::all());
        let depth = found.depth_at_least;
        rows.push_only([
            found.overlap_volume.into(),
            found.interference_depth.into(),
            depth.map(|depth| depth.length).into(),
            depth.map(|depth| ["A", "B"][depth.body]).into(),
            depth.map(|depth| depth.vertex).into(),
            found.separating_translation.into(),
            found.separating_distance.into(),
        ]);
    },
    ..PairQuery::DEFAULT
};

pub(super) static CURVES: PairQuery = PairQuery {
    name: "curves",
    help: "Finds where the surfaces meet: lines, plane patches, single points. JSON has all of it; \
           --output FILE with the ending .ply or .glb has the lines of a single frame",
    is_of_solids: true,
    is_drawn: true,
    options: &["--max-pairs"],
    most_pairs: Some(4_000_000),
    columns: &[
        Column::new("curves", Data).only(Json),
        Column::new("lines", Count).only(CsvAndTable),
        Column::new("closed", Count).only(CsvAndTable),
        Column::new("length", Interval).only(CsvAndTable),
        Column::new("patches", Count).only(CsvAndTable),
        Column::new("area", Interval).only(CsvAndTable),
        Column::new("points", Count).only(CsvAndTable),
    ],
    shape: Shape::One(curves_in_words),
    run: curves,
    ..PairQuery::DEFAULT
};

fn curves(_: &Given, [a, b]: [&Body<'_>; 2], query: &mut Query, rows: &mut Rows) {
    let most = rows.most();
    let (found, all) = query.contact_pairs_at_most(a, b, most, mem::take(&mut rows.pairs));
    rows.count(found.count);
    // The result for too many pairs is an error.
    let curves = all.as_ref().map(|all| query.curves_of_pairs(all).clone()).unwrap_or_default();
    rows.pairs = all.map(ContactPairs::into_vec).unwrap_or_default();
    let size = |n: usize| Cell::Count(n as u64);
    let cells = [
        size(curves.lines().len()),
        size(curves.lines().filter(|line| line.closed).count()),
        curves.length().into(),
        size(curves.patches().len()),
        curves.area().into(),
        size(curves.points().len()),
    ];
    rows.push_only([curves.into()]);
    rows.push_only(cells);
}

/// A summary of the only frame, or of all frames.
fn curves_in_words(frames: &FrameRows<'_>) -> String {
    let all = frames.count();
    let found = || {
        frames.iter().filter_map(|row| if let Cell::Curves(curves) = &row[0] { Some(curves) } else { None })
    };
    if all != 1 {
        let some = found().filter(|curves| !curves.is_empty()).count() as u64;
        return match some {
            0 => format!("The surfaces meet in none of {}.", count(all, "frame")),
            _ => format!("The surfaces meet in {} of {}.", grouped(some), count(all, "frame")),
        };
    }
    let Some(curves) = found().next().filter(|curves| !curves.is_empty()) else {
        return "The surfaces do not meet.".to_owned();
    };
    let dirty = if curves.self_crossing() {
        " A mesh meets itself there: lines may cross between nodes."
    } else {
        ""
    };
    format!("The surfaces meet in {}.{dirty}", sizes_in_words(curves))
}

fn sizes_in_words(curves: &Curves) -> String {
    let mut parts = Vec::new();
    if curves.lines().len() > 0 {
        let closed = curves.lines().filter(|line| line.closed).count() as u64;
        let lines = count(curves.lines().len() as u64, "line");
        let length = shortest(curves.length());
        parts.push(format!("{lines} ({} closed) of length {length}", grouped(closed)));
    }
    if curves.patches().len() > 0 {
        let patches = count_of(curves.patches().len() as u64, "plane patch", "plane patches");
        parts.push(format!("{patches} of area {}", shortest(curves.area())));
    }
    if !curves.points().is_empty() {
        parts.push(count(curves.points().len() as u64, "point"));
    }
    parts.join(", ")
}
