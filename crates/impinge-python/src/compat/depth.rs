//! Penetration depth of two placed shapes that meet.
//!
//! Let A and B be convex cores with the radii r and s, and M the set of all differences a - b. The shapes
//! meet if the origin is in M or within r + s of it.
//!
//! 1. If the cores are apart by d, the depth is r + s - d, along the line of their nearest points.
//! 2. If they overlap, the depth is r + s and the distance of the origin from the boundary of M (`cores.rs`).
use super::{
    cores::{Cores, WayOut},
    meet::holds,
    shape::Placed,
    vector::{Point, along, back, length, minus, unit},
};
use impinge::{Body, Pose, Query, contact};

/// Penetration of two shapes that meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth {
    /// The unit vector from the first to the second along which they part by the shortest way.
    pub(crate) normal: Point,
    /// The length of that way.
    pub(crate) length: f64,
    /// A point of both.
    pub(crate) point: Point,
}

/// Cores that are nearer to each other than this part of their coordinates count as touching: the line of
/// their nearest points, which are rounded, has no certain direction.
const CLEAR: f64 = 1e-9;
/// The normal where all are equally good.
const ALONG_X: Point = [1.0, 0.0, 0.0];

impl Depth {
    /// The result of a query that did not run, or of empty shapes.
    pub(super) const NONE: Self = Self { normal: [0.0; 3], length: 0.0, point: [0.0; 3] };
}

/// Penetration of two shapes that meet, both convex and full or one of them with a radius.
pub(crate) fn depth(query: &mut Query, a: &Placed, b: &Placed) -> Depth {
    let reach = a.shape.radius + b.shape.radius;
    let Some(gap) = query.distance(&a.body(), &b.body()) else { return Depth::NONE };
    let [p, q] = gap.points;
    let size = [p, q].as_flattened().iter().map(|x| x.abs()).sum::<f64>() + reach;
    if gap.hi > CLEAR * size {
        let between = minus(q, p);
        let (normal, distance) = (unit(between).unwrap_or(ALONG_X), length(between).clamp(gap.lo, gap.hi));
        let is_inside = [holds(query, b, a), holds(query, a, b)];
        // A point inside of a convex body leaves it by the nearest point of the surface.
        let leaving = Depth { normal: back(normal), length: reach + distance, point: p };
        match is_inside {
            [false, false] => return skins_overlap([a, b], p, &WayOut { normal, length: -distance }),
            [true, _] if a.shape.is_ball => return leaving,
            [_, true] if b.shape.is_ball => return Depth { point: q, ..leaving },
            _ => {}
        }
    } else if !(a.shape.is_full && b.shape.is_full) {
        // The core of a round shape touches a surface: it leaves along the surface's normal.
        let normals = contact::contact_point(&a.body(), &b.body(), gap.triangles).normals;
        let normal = normals[usize::from(a.shape.radius > 0.0)].unwrap_or(ALONG_X);
        return skins_overlap([a, b], p, &WayOut { normal, length: 0.0 });
    }
    let cores = Cores { shapes: [a, b], hulls: [a, b].map(Placed::hull) };
    let pairs = query.contact_pairs(&cores.hulls[0], &cores.hulls[1]);
    let way = cores.way_out(query, &pairs);
    let point = cores.common_point(query, &pairs, way.normal);
    Depth { normal: way.normal, length: way.length + reach, point }
}

/// The point of each shape that is deepest in the other: those that touch after the second has parted.
pub(crate) fn deepest_points(query: &mut Query, a: &Placed, b: &Placed, found: &Depth) -> [Point; 2] {
    let by = found.normal.map(|x| x * found.length);
    let parted = Pose::from_translation(by).and_then(|shift| b.pose.then(&shift));
    let gap = parted.ok().and_then(|pose| query.distance(&a.body(), &Body::new(&b.shape.model, pose)));
    let Some(gap) = gap else { return [found.point; 2] };
    let [p, q] = gap.points;
    [along(p, found.normal, a.shape.radius), minus(along(q, found.normal, -b.shape.radius), by)]
}

/// Cores that are apart by minus the length of the way, from the point p of the first along the normal: their
/// radii make the shapes meet.
fn skins_overlap([a, b]: [&Placed; 2], p: Point, way: &WayOut) -> Depth {
    let (of_a, of_b, distance) = (a.shape.radius, b.shape.radius, -way.length);
    // On the line through both, from p, the first has the points up to `of_a`, and the second those from
    // `distance - of_b`; both may reach beyond the other's core.
    let common = [(-of_a).max(distance - of_b), of_a.min(distance + of_b)];
    let point = along(p, way.normal, 0.5 * (common[0] + common[1]));
    Depth { normal: way.normal, length: (of_a + of_b - distance).max(0.0), point }
}
