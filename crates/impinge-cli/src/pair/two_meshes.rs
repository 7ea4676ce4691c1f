//! Queries of two meshes whose results are rows.
use super::{
    given::Given,
    grid::{
        Cell, Column,
        ColumnKind::{Flag, Interval, Number, Point, Whole, Word},
        GridQuery, Rows, Shape,
    },
};
use impinge::{
    Body, Query,
    certainty::Certainty,
    farthest::{Farthest, SolidSide},
    penetration::PenetrationParts,
};

/// Triangle pairs of any query.
pub(super) const PAIR: &[Column] = &[Column { name: "a", kind: Whole }, Column { name: "b", kind: Whole }];

/// All of them, in the order of `--help`.
pub(super) const QUERIES: &[GridQuery] = &[
    GridQuery {
        name: "overlaps",
        help: "Whether the insides have a point in common; touching is not enough",
        is_of_one_mesh: false,
        options: &["--fill-rule"],
        needs: None,
        columns: &[Column { name: "overlaps", kind: Flag }],
        shape: Shape::One(|row| match row {
            [Cell::Flag(true)] => "The insides of A and B have a point in common.".to_owned(),
            _ => "The insides of A and B have no point in common.".to_owned(),
        }),
        run: |_, [a, b], query, rows| rows.push([query.overlaps(a, b).into()]),
    },
    GridQuery {
        name: "penetration",
        help: "Overlap volume, interference depth, a translation of B that separates both",
        is_of_one_mesh: false,
        options: &["--fill-rule"],
        needs: None,
        columns: &[
            Column { name: "overlap_volume", kind: Interval },
            Column { name: "interference_depth", kind: Interval },
            Column { name: "depth_at_least", kind: Number },
            Column { name: "corner_of", kind: Word },
            Column { name: "vertex", kind: Whole },
            Column { name: "separating_translation", kind: Point },
        ],
        shape: Shape::One(|row| match row {
            [Cell::Interval([_, hi]), ..] if *hi > 0.0 => "A and B overlap.".to_owned(),
            [Cell::Interval(_), ..] => "A and B do not overlap.".to_owned(),
            _ => "The volume that A and B have in common is not defined, or beyond f64.".to_owned(),
        }),
        run: penetration,
    },
    GridQuery {
        name: "farthest",
        help: "How far points of one surface are from the other at most, both ways: of points inside of the \
               other solid (the interference depth), outside, and of any (the Hausdorff distance)",
        is_of_one_mesh: false,
        options: &["--fill-rule", "--rel", "--max-pairs"],
        needs: None,
        columns: &[
            Column { name: "of", kind: Word },
            Column { name: "side", kind: Word },
            Column { name: "result", kind: Word },
            Column { name: "distance", kind: Interval },
            Column { name: "triangle_a", kind: Whole },
            Column { name: "triangle_b", kind: Whole },
            Column { name: "point_a", kind: Point },
            Column { name: "point_b", kind: Point },
        ],
        shape: Shape::Objects("distances", "distance"),
        run: farthest,
    },
    GridQuery {
        name: "pairs-within",
        help: "Every pair of triangles that are at most --margin apart, decided exactly",
        is_of_one_mesh: false,
        options: &["--margin", "--max-pairs"],
        needs: Some((&["--margin"], "a distance to compare with, --margin LENGTH")),
        columns: PAIR,
        shape: Shape::Numbers("pairs", "triangle pair"),
        run: |given, [a, b], query, rows| {
            let (mut pairs, margin) = (Vec::new(), given.margin.unwrap_or_default());
            let found = query.pairs_within_at_most((a, b), margin, rows.most(), &mut pairs);
            list(&pairs, found.count, rows);
        },
    },
    GridQuery {
        name: "certainty",
        help: "Whether the curved bodies that A and B approximate to within --chord-a and --chord-b are at \
               most --margin apart [default: 0]: clear, possible or definite",
        is_of_one_mesh: false,
        options: &["--fill-rule", "--margin", "--chord-a", "--chord-b"],
        needs: None,
        columns: &[Column { name: "certainty", kind: Word }],
        shape: Shape::One(|row| match row {
            [Cell::Word("clear")] => "A and B certainly do not clash.".to_owned(),
            [Cell::Word("definite")] => "A and B certainly clash.".to_owned(),
            _ => "A and B may clash.".to_owned(),
        }),
        run: |given, [a, b], query, rows| {
            let found = query.certainty(a, b, given.chords, given.margin.unwrap_or_default());
            let word = match found {
                Certainty::Clear => "clear",
                Certainty::Possible => "possible",
                Certainty::Definite => "definite",
            };
            rows.push([word.into()]);
        },
    },
];

fn penetration(_: &Given, [a, b]: [&Body<'_>; 2], query: &mut Query, rows: &mut Rows) {
    let found = query.penetration(a, b, &PenetrationParts::all());
    let depth = found.depth_at_least;
    rows.push([
        found.overlap_volume.into(),
        found.interference_depth.into(),
        depth.map(|depth| depth.length).into(),
        depth.map(|depth| ["A", "B"][depth.body]).into(),
        depth.map(|depth| depth.vertex).into(),
        found.separating_translation.into(),
    ]);
}

fn farthest(given: &Given, [a, b]: [&Body<'_>; 2], query: &mut Query, rows: &mut Rows) {
    let sides = [("inside", SolidSide::Inside), ("outside", SolidSide::Outside), ("any", SolidSide::Any)];
    for (word, side) in sides {
        for (of, first, second) in [("A", a, b), ("B", b, a)] {
            let found = query.farthest_distance(first, second, side, given.stop);
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

/// Pairs that were listed, if they are all.
pub(super) fn list(pairs: &[[u32; 2]], count: u64, rows: &mut Rows) {
    rows.skip(count - pairs.len() as u64);
    pairs.iter().for_each(|&[a, b]| rows.push([a.into(), b.into()]));
}
