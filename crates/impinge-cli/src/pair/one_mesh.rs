//! Queries of one mesh, and of points, rays or a region and a mesh.
use super::{
    pair_query::{
        Column,
        ColumnKind::{Flag, Index, Interval, Point, Word},
        PAIR, PairQuery, Shape,
    },
    rows::{Cell, Rows},
};
use impinge::{rays::RayHit, solid::Location};

const POINTS: Option<(&[&str], &str)> =
    Some((&["--point", "--points"], "points, --point X,Y,Z or --points FILE"));
const RAYS: Option<(&[&str], &str)> =
    Some((&["--ray", "--rays"], "rays, --ray ORIGIN DIRECTION or --rays FILE"));
const HITS: &[Column] = &[
    Column::new("ray", Index),
    Column::new("triangle", Index),
    Column::new("enter", Interval),
    Column::new("leave", Interval),
    Column::new("crossing", Index),
];

pub(super) static SELF_PAIRS: PairQuery = PairQuery {
    name: "self-pairs",
    help: "Lists every pair of triangles of A that meet elsewhere than in common corners and edges",
    is_of_one_mesh: true,
    options: &["--max-pairs"],
    columns: PAIR,
    shape: Shape::Numbers("pairs", "triangle pair"),
    run: |_, [a, _], query, rows| {
        let most = rows.most();
        let found = query.self_pairs_at_most(a.model, most, &mut rows.pairs);
        rows.push_pairs(found.count);
    },
    ..PairQuery::DEFAULT
};

pub(super) static CLOSEST_POINTS: PairQuery = PairQuery {
    name: "closest-points",
    help: "Finds the nearest point of A's surface for each point, its triangle, and the distance as an interval",
    is_of_one_mesh: true,
    options: &["--point", "--points", "--margin", "--rel", "--max-pairs"],
    needs: POINTS,
    columns: &[
        Column::new("point", Index),
        Column::new("distance", Interval),
        Column::new("triangle", Index),
        Column::new("nearest", Point),
    ],
    shape: Shape::Objects("points", "point"),
    run: |given, [a, _], query, rows| {
        for (i, found) in (0..).zip(query.with_accuracy(given.stop).closest_points(a, &given.points)) {
            rows.push([
                Cell::Index(i),
                found.map(|found| [found.lo, found.hi]).into(),
                found.map(|found| found.triangle).into(),
                found.map(|found| found.point).into(),
            ]);
        }
    },
    ..PairQuery::DEFAULT
};

pub(super) static LOCATE: PairQuery = PairQuery {
    name: "locate",
    help: "Finds for each point if it is inside, outside or on the surface of A; undefined near a surface \
           that bounds no solid",
    is_of_one_mesh: true,
    is_of_solids: true,
    options: &["--point", "--points", "--fill-rule", "--max-pairs"],
    needs: POINTS,
    columns: &[Column::new("point", Index), Column::new("location", Word)],
    shape: Shape::Objects("points", "point"),
    run: |given, [a, _], query, rows| {
        for (i, location) in (0..).zip(query.locate(a, &given.points)) {
            let word = match location {
                Location::Inside => "inside",
                Location::Outside => "outside",
                Location::OnSurface => "on_surface",
                Location::Undefined => "undefined",
            };
            rows.push([Cell::Index(i), word.into()]);
        }
    },
    ..PairQuery::DEFAULT
};

pub(super) static RAY_FIRST: PairQuery = PairQuery {
    name: "ray-first",
    help: "Finds the triangle of A that each ray meets first, and where",
    is_of_one_mesh: true,
    options: &["--ray", "--rays", "--max-pairs"],
    needs: RAYS,
    columns: HITS,
    shape: Shape::Objects("hits", "ray"),
    run: |given, [a, _], query, rows| {
        for (i, hit) in (0..).zip(query.ray_first_each(a, &given.rays)) {
            push_hit(i, hit.as_ref(), rows);
        }
    },
    ..PairQuery::DEFAULT
};

pub(super) static RAY_MEETS: PairQuery = PairQuery {
    name: "ray-meets",
    help: "Tests for each ray if it meets A",
    is_of_one_mesh: true,
    options: &["--ray", "--rays", "--max-pairs"],
    needs: RAYS,
    columns: &[Column::new("ray", Index), Column::new("meets", Flag)],
    shape: Shape::Objects("rays", "ray"),
    run: |given, [a, _], query, rows| {
        for (i, ray) in (0..).zip(&given.rays) {
            rows.push([Cell::Index(i), query.ray_meets(a, ray).into()]);
        }
    },
    ..PairQuery::DEFAULT
};

pub(super) static RAY_ALL: PairQuery = PairQuery {
    name: "ray-all",
    help: "Lists all triangles of A that each ray meets, and where",
    is_of_one_mesh: true,
    options: &["--ray", "--rays", "--max-pairs"],
    needs: RAYS,
    columns: HITS,
    shape: Shape::Objects("hits", "hit"),
    run: |given, [a, _], query, rows| {
        for (i, ray) in (0..).zip(&given.rays) {
            query.ray_all(a, ray).iter().for_each(|hit| push_hit(i, Some(hit), rows));
        }
    },
    ..PairQuery::DEFAULT
};

pub(super) static TRIANGLES_IN: PairQuery = PairQuery {
    name: "triangles-in",
    help: "Lists every triangle of A with a point in the region of all --plane and --box, or wholly in it \
           with --wholly",
    is_of_one_mesh: true,
    options: &["--plane", "--box", "--wholly", "--max-pairs"],
    needs: Some((&["--plane", "--box"], "a region, --plane X,Y,Z,D or --box LOW HIGH")),
    columns: &[Column::new("triangle", Index)],
    shape: Shape::Numbers("triangles", "triangle"),
    run: |given, [a, _], query, rows| {
        query.triangles_in(a, &given.planes, given.which).iter().for_each(|&t| rows.push([t.into()]));
    },
    ..PairQuery::DEFAULT
};

fn push_hit(ray: i64, hit: Option<&RayHit>, rows: &mut Rows) {
    rows.push([
        Cell::Index(ray),
        hit.map(|hit| hit.triangle).into(),
        hit.map(|hit| hit.enter).into(),
        hit.map(|hit| hit.leave).into(),
        hit.map(|hit| hit.crossing).into(),
    ]);
}
