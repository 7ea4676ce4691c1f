//! Meshes that bound a convex body.
//!
//! # Small meshes without partners
//! No face of these meets another, so no pair needs a test. Boxes and
//! prisms, the parts of most buildings, are such meshes.
//!
//! Let a mesh be closed with orientation, each edge have two faces, which run along it in opposite ways,
//! and all faces be connected. If all points lie on one side of each face's plane or in it, and not all in
//! it, all faces lie on the boundary S of the points' convex hull and face the same way, outwards or
//! inwards. A closed chain on S, which is a sphere, covers it everywhere equally often: d times; and as
//! nothing cancels, d faces have each point of S that is on no edge. If d is 1 faces overlap nowhere. Nor do
//! they touch but in common corners and edges: round a point within an edge its two faces cover S, so that a
//! third one with that point would overlap them. And d is 1 if no other face in the plane of the first one
//! overlaps that.
//!
//! # Meshes of any size, in linear time
//! [`convexity`] proves most meshes to be convex, or not to be.
//!
//! 1. A convex body has no point strictly on both sides of a face. So two points of the mesh on both sides of
//!    one face prove that it is not convex. The points are the outermost along the axes, and the corners of
//!    the faces beside.
//! 2. Let a mesh be a star as seen from o (`star.rs`), where it winds once round o. Then it bounds the set of
//!    points x with g(o + x) <= 1, where g is 1 on the faces and grows in proportion to the distance from o.
//!    On the cone of each face g is linear. If the far corner of each face beside is not in front of the
//!    face, then g is convex across the border of both cones. A continuous function that is linear on the
//!    cones of a fan, and convex across all their borders, is convex: along almost every line it is, as that
//!    misses the cones of corners, and then along all. So the set is convex.
use super::{
    Solid,
    chain::{Closed, NONE},
    location::winding_at,
};
use crate::{
    counters::Count,
    exact::{OrientationPlane, is_in_safe_range},
    geometry::Geometry,
    narrow::Narrow,
    vector::Vector,
};

/// Number of signs of points and planes that take no longer than tests of pairs of faces.
const MOST: usize = 1 << 12;

/// True if a mesh is certainly the boundary of a convex body, which it covers once.
pub(super) fn is_convex(solid: &Solid, geometry: &Geometry) -> bool {
    let (mesh, n) = (geometry.mesh(), geometry.mesh().len() as u32);
    if n as usize * mesh.points().len() > MOST
        || solid.chain.closed != Closed::Oriented
        || solid.components().len() != 1
        || !geometry.in_safe_range()
    {
        return false;
    }
    let is_manifold = (0..n).filter(|&t| solid.is_face(t)).all(|t| {
        let mut edges = 3 * t..3 * t + 3;
        edges.all(|edge| solid.twin(edge) != NONE && !solid.runs_alike(mesh, edge, solid.twin(edge)))
    });
    let mut way = 0;
    is_manifold
        && (0..n).filter(|&t| solid.is_face(t)).all(|t| is_behind(geometry, t, &mut way))
        && way != 0
        && !is_covered(solid, geometry, solid.components()[0])
}

/// True if all points are on one side of a face, the same side as for the faces before.
fn is_behind(geometry: &Geometry, t: u32, way: &mut i32) -> bool {
    let corners = geometry.mesh().corners(t);
    let plane = OrientationPlane::new([&corners[0], &corners[1], &corners[2]]);
    geometry.mesh().points().iter().all(|point| match plane.side(point) {
        Some(0) => true,
        Some(side) if *way == 0 || *way == side => {
            *way = side;
            true
        }
        _ => false,
    })
}

/// True if another face in the plane of face t meets it elsewhere than in common corners and edges.
fn is_covered(solid: &Solid, geometry: &Geometry, t: u32) -> bool {
    let (mesh, corners) = (geometry.mesh(), geometry.mesh().corners(t));
    let plane = OrientationPlane::new([&corners[0], &corners[1], &corners[2]]);
    let (narrow, count) =
        (Narrow::within(geometry.at_rest().mesh(), Some(solid.vertices())), &mut Count::default());
    let moved = narrow.moved(t);
    (0..mesh.len() as u32).filter(|&u| u != t && solid.is_face(u)).any(|u| {
        let is_coplanar = mesh.corners(u).iter().all(|point| plane.side(point) == Some(0));
        is_coplanar && narrow.meet_within(u, t, &moved, count)
    })
}

/// Whether a mesh is convex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Convexity {
    /// It is closed, and winds so often round the inside, which is convex.
    Convex(i32),
    NotConvex,
    Unknown,
}

/// Whether a mesh certainly bounds a convex body, in linear time.
pub(crate) fn convexity(solid: &Solid, geometry: &Geometry) -> Convexity {
    if !solid.status().is_closed() {
        return Convexity::NotConvex;
    }
    let mesh = geometry.mesh();
    let faces = || (0..mesh.len() as u32).filter(|&t| solid.is_face(t));
    let Some((outermost, middle)) = ends(faces().flat_map(|t| mesh.corners(t))) else {
        return Convexity::Unknown;
    };
    if !geometry.in_safe_range() || !middle.iter().all(|&x| is_in_safe_range(x)) {
        return Convexity::Unknown;
    }
    // The side of all faces on which the middle is; 0 if there is none.
    let mut way = None;
    // Sheets may be anywhere.
    let mut is_star = solid.chain.closed == Closed::Oriented && faces().count() == mesh.len();
    for t in faces() {
        let [a, b, c] = mesh.corners(t);
        let plane = OrientationPlane::new([&a, &b, &c]);
        let mut are_there = [false; 2];
        let mut note = |point: &Vector| {
            let side = plane.side(point);
            match side {
                Some(0) | None => {}
                Some(side) => are_there[usize::from(side > 0)] = true,
            }
            side
        };
        outermost.iter().for_each(|point| {
            note(point);
        });
        let own = *way.get_or_insert_with(|| plane.side(&middle).unwrap_or(0));
        is_star &= own != 0 && plane.side(&middle) == Some(own);
        for edge in 3 * t..3 * t + 3 {
            let twin = solid.twin(edge);
            if twin == NONE || solid.runs_alike(mesh, edge, twin) {
                is_star = false;
                continue;
            }
            let beyond = note(&mesh.corners(twin / 3)[(twin as usize + 2) % 3]);
            is_star &= beyond.is_some_and(|side| side * own >= 0);
        }
        if are_there == [true; 2] {
            return Convexity::NotConvex;
        }
    }
    match is_star.then(|| winding_at(solid, geometry, middle)) {
        Some(winding) if winding.abs() == 1 => Convexity::Convex(winding),
        _ => Convexity::Unknown,
    }
}

/// The outermost points along the axes, both ways, and about the mean; `None` if there are no points.
fn ends(points: impl Iterator<Item = Vector>) -> Option<([Vector; 6], Vector)> {
    let (mut ends, mut sum, mut count) = (None, [0.0; 3], 0.0);
    for point in points {
        let ends = ends.get_or_insert([point; 6]);
        for k in 0..3 {
            if point[k] < ends[2 * k][k] {
                ends[2 * k] = point;
            }
            if point[k] > ends[2 * k + 1][k] {
                ends[2 * k + 1] = point;
            }
            sum[k] += point[k];
        }
        count += 1.0;
    }
    Some((ends?, sum.map(|x| x / count)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::rng::Rng;
    use crate::{Mesh, Model, solid::partners};

    fn model(points: Vec<[f64; 3]>, faces: Vec<[u32; 3]>) -> Model {
        Model::new(Mesh::new(points, faces).unwrap())
    }

    /// A prism over a polygon whose corners lie round the origin; lids are fans from the first corner, which
    /// fold where the polygon is not convex.
    fn prism(base: &[[f64; 2]], map: impl Fn([f64; 3]) -> [f64; 3]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let n = base.len() as u32;
        let points = [0.0, 1.0].into_iter().flat_map(|z| base.iter().map(move |&[x, y]| [x, y, z]));
        let mut faces = Vec::new();
        for i in 0..n {
            let next = (i + 1) % n;
            faces.extend([[i, next, next + n], [i, next + n, i + n]]);
            if i > 1 {
                faces.extend([[0, i, i - 1], [n, n + i - 1, n + i]]);
            }
        }
        (points.map(map).collect(), faces)
    }

    #[test]
    fn faces_of_what_is_convex_do_not_meet() {
        let mut rng = Rng::new(53);
        let mut found = [0; 2];
        for round in 0..3000 {
            let corners = 3 + round % 6;
            let base: Vec<[f64; 2]> = (0..corners)
                .map(|k| {
                    let angle = std::f64::consts::TAU * k as f64 / corners as f64;
                    let r = if round % 3 == 0 { 1.0 } else { 0.25 * rng.int(1, 4) as f64 };
                    [r * angle.cos(), r * angle.sin()]
                })
                .collect();
            let rows = rng.rotation();
            let turn = |v| if round % 2 == 0 { v } else { rows.map(|row| crate::vector::dot(row, v)) };
            let (points, mut faces) = prism(&base, turn);
            if round % 5 == 0 {
                faces.iter_mut().for_each(|face| face.reverse());
            }
            let model = model(points, faces);
            let solid = model.solid();
            let is_convex = is_convex(solid, model.geometry());
            let meets_itself =
                (0..model.mesh().len() as u32).any(|t| !partners(solid, model.geometry(), t).is_empty());
            assert!(!(is_convex && meets_itself), "{round}");
            // Along the axes of a box, or of a triangle, signs are certain.
            assert!(is_convex || round % 6 != 0 || round % 2 == 1, "{round}: a triangular prism");
            found[usize::from(is_convex)] += 1;
        }
        assert!(found[0] > 500 && found[1] > 500, "{found:?}");
    }

    #[test]
    fn what_is_covered_twice_is_not_known() {
        let (points, faces) = prism(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], |v| v);
        let both = [faces.clone(), faces.clone()].concat();
        let once = model(points.clone(), faces.clone());
        assert!(is_convex(once.solid(), once.geometry()));
        let model = model(points, both);
        assert!(!is_convex(model.solid(), model.geometry()));
    }

    #[test]
    fn sheets_do_not_hide_that_a_mesh_is_not_convex() {
        let with_sheet = |base: &[[f64; 2]]| {
            let (mut points, mut faces) = prism(base, |v| v);
            let n = points.len() as u32;
            points.extend([[0.2, 0.2, 0.5], [0.4, 0.2, 0.5], [0.2, 0.4, 0.5]]);
            faces.extend([[n, n + 1, n + 2], [n, n + 2, n + 1]]);
            model(points, faces)
        };
        let square = with_sheet(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        let l = with_sheet(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]]);
        for (model, wanted) in [(square, Convexity::Unknown), (l, Convexity::NotConvex)] {
            assert!(!model.solid().is_face(model.mesh().len() as u32 - 1));
            assert_eq!(convexity(model.solid(), model.geometry()), wanted);
            assert!(!model.mesh().is_convex() && model.convex_winding().is_none());
        }
    }

    /// Convexity in linear time is that of the hull, where it is known: mostly.
    #[test]
    fn convexity_is_that_of_the_hull() {
        let mut rng = Rng::new(57);
        let mut found = [0; 3];
        for round in 0..2000 {
            let corners = 3 + round % 6;
            let base: Vec<[f64; 2]> = (0..corners)
                .map(|k| {
                    let angle = std::f64::consts::TAU * k as f64 / corners as f64;
                    let r = if round % 3 == 0 { 4.0 } else { rng.int(2, 5) as f64 };
                    [(r * angle.cos()).round(), (r * angle.sin()).round()]
                })
                .collect();
            let shear = rng.int(-2, 2) as f64;
            let (mut points, mut faces) = prism(&base, |[x, y, z]| [x + shear * z, y - z, z]);
            if round % 5 == 0 {
                faces.iter_mut().for_each(|face| face.reverse());
            }
            if round % 4 == 0 {
                // Twice round, or beside it.
                let by = if round % 8 == 0 { 0.0 } else { 20.0 };
                let n = points.len() as u32;
                points.extend(points.clone().iter().map(|p| [p[0] + by, p[1], p[2]]));
                faces.extend(faces.clone().iter().map(|face| face.map(|v| v + n)));
            }
            let model = model(points, faces);
            let (solid, convex) = (model.solid(), model.mesh().is_convex());
            match convexity(solid, model.geometry()) {
                Convexity::Convex(winding) => {
                    assert!(convex, "{round}");
                    assert_eq!(winding, if round % 5 == 0 { -1 } else { 1 }, "{round}");
                    found[0] += 1;
                }
                Convexity::NotConvex => {
                    assert!(!convex, "{round}");
                    found[1] += 1;
                }
                Convexity::Unknown => found[2] += 1,
            }
            let winding = model.convex_winding();
            assert_eq!(winding.is_some(), convex, "{round}");
            let times = if round % 8 == 0 { 2 } else { 1 };
            let sign = if round % 5 == 0 { -1 } else { 1 };
            assert!(winding.is_none_or(|winding| winding == sign * times), "{round}: {winding:?}");
        }
        assert!(found[0] > 900 && found[1] > 500 && found[2] < 400, "{found:?}");
    }
}
