//! Queries of one mesh, and of points, rays or a region and a mesh.
use super::{
    grid::{
        Cell, Column,
        ColumnKind::{Flag, Interval, Point, Whole, Word},
        GridQuery, Rows, Shape,
    },
    two_meshes::{PAIR, list},
};
use impinge::{rays::RayHit, solid::Location};

const POINTS: Option<(&[&str], &str)> =
    Some((&["--point", "--points"], "points, --point X,Y,Z or --points FILE"));
const RAYS: Option<(&[&str], &str)> =
    Some((&["--ray", "--rays"], "rays, --ray ORIGIN DIRECTION or --rays FILE"));
const HITS: &[Column] = &[
    Column { name: "ray", kind: Whole },
    Column { name: "triangle", kind: Whole },
    Column { name: "enter", kind: Interval },
    Column { name: "leave", kind: Interval },
    Column { name: "crossing", kind: Whole },
];

/// All of them, in the order of `--help`.
pub(super) const QUERIES: &[GridQuery] = &[
    GridQuery {
        name: "self-pairs",
        help: "Every pair of triangles of A alone that meet elsewhere than in common corners and edges",
        is_of_one_mesh: true,
        options: &["--max-pairs"],
        needs: None,
        columns: PAIR,
        shape: Shape::Numbers("pairs", "triangle pair"),
        run: |_, [a, _], query, rows| {
            let mut pairs = Vec::new();
            let found = query.self_pairs_at_most(a.model, rows.most(), &mut pairs);
            list(&pairs, found.count, rows);
        },
    },
    GridQuery {
        name: "closest-points",
        help: "For each point the nearest point of A's surface, its triangle, and the distance as an interval",
        is_of_one_mesh: true,
        options: &["--point", "--points", "--margin", "--rel", "--max-pairs"],
        needs: POINTS,
        columns: &[
            Column { name: "point", kind: Whole },
            Column { name: "distance", kind: Interval },
            Column { name: "triangle", kind: Whole },
            Column { name: "nearest", kind: Point },
        ],
        shape: Shape::Objects("points", "point"),
        run: |given, [a, _], query, rows| {
            for (i, found) in (0..).zip(query.closest_points(a, &given.points, given.stop)) {
                rows.push([
                    Cell::Whole(i),
                    found.map(|found| [found.lo, found.hi]).into(),
                    found.map(|found| found.triangle).into(),
                    found.map(|found| found.point).into(),
                ]);
            }
        },
    },
    GridQuery {
        name: "locate",
        help: "For each point whether it is inside, outside or on the surface of A; undefined beside a surface \
               that bounds no solid",
        is_of_one_mesh: true,
        options: &["--point", "--points", "--fill-rule", "--max-pairs"],
        needs: POINTS,
        columns: &[Column { name: "point", kind: Whole }, Column { name: "location", kind: Word }],
        shape: Shape::Objects("points", "point"),
        run: |given, [a, _], query, rows| {
            for (i, location) in (0..).zip(query.locate(a, &given.points)) {
                let word = match location {
                    Location::Inside => "inside",
                    Location::Outside => "outside",
                    Location::OnSurface => "on_surface",
                    Location::Undefined => "undefined",
                };
                rows.push([Cell::Whole(i), word.into()]);
            }
        },
    },
    GridQuery {
        name: "ray-first",
        help: "For each ray the triangle of A that it meets first, and where",
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
    },
    GridQuery {
        name: "ray-meets",
        help: "For each ray whether it meets A",
        is_of_one_mesh: true,
        options: &["--ray", "--rays", "--max-pairs"],
        needs: RAYS,
        columns: &[Column { name: "ray", kind: Whole }, Column { name: "meets", kind: Flag }],
        shape: Shape::Objects("rays", "ray"),
        run: |given, [a, _], query, rows| {
            for (i, ray) in (0..).zip(&given.rays) {
                rows.push([Cell::Whole(i), query.ray_meets(a, ray).into()]);
            }
        },
    },
    GridQuery {
        name: "ray-all",
        help: "For each ray all triangles of A that it meets, and where",
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
    },
    GridQuery {
        name: "triangles-in",
        help: "Every triangle of A that has a point in the region of all --plane and --box, or lies in it \
               --wholly",
        is_of_one_mesh: true,
        options: &["--plane", "--box", "--wholly", "--max-pairs"],
        needs: Some((&["--plane", "--box"], "a region, --plane X,Y,Z,D or --box LOW HIGH")),
        columns: &[Column { name: "triangle", kind: Whole }],
        shape: Shape::Numbers("triangles", "triangle"),
        run: |given, [a, _], query, rows| {
            query.triangles_in(a, &given.planes, given.which).iter().for_each(|&t| rows.push([t.into()]));
        },
    },
];

fn push_hit(ray: i64, hit: Option<&RayHit>, rows: &mut Rows) {
    rows.push([
        Cell::Whole(ray),
        hit.map(|hit| hit.triangle).into(),
        hit.map(|hit| hit.enter).into(),
        hit.map(|hit| hit.leave).into(),
        hit.map(|hit| hit.crossing).into(),
    ]);
}
