//! Small meshes that bound a convex body: no face of these meets another, which is then known without looking
//! at pairs. Boxes and prisms, that is, of which buildings are made.
//!
//! Let a mesh be closed with orientation, each edge have two faces, which run along it in opposite ways, and
//! all faces be connected. If all points lie on one side of each face's plane or in it, and not all in it, all
//! faces lie on the boundary S of the points' convex hull and face the same way, outwards or inwards. A closed
//! chain on S, which is a sphere, covers it everywhere equally often: d times; and as nothing cancels, d faces
//! have each point of S that is on no edge. If d is 1 faces overlap nowhere. Nor do they touch but in common
//! corners and edges: round a point within an edge its two faces cover S, so that a third one with that point
//! would overlap them. And d is 1 if no other face in the plane of the first one overlaps that.
use super::{Closed, NONE, Solid};
use crate::{Body, Count, Model, Pose, exact::Plane, narrow::Narrow};

/// So many signs of points and planes take no longer than to look at pairs of faces.
const MOST: usize = 1 << 12;

/// Whether a mesh is certainly the boundary of a convex body, which it covers once.
pub(super) fn is_convex(solid: &Solid, model: &Model) -> bool {
    let (mesh, n) = (model.mesh(), model.mesh().len() as u32);
    if n as usize * mesh.points().len() > MOST
        || solid.chain.closed != Closed::Oriented
        || solid.components().len() != 1
        || !model.in_safe_range()
    {
        return false;
    }
    let is_manifold = (0..n).filter(|&t| solid.is_face(t)).all(|t| {
        let mut edges = 3 * t..3 * t + 3;
        edges.all(|edge| solid.twin(edge) != NONE && !solid.runs_alike(mesh, edge, solid.twin(edge)))
    });
    let mut way = 0;
    is_manifold
        && (0..n).filter(|&t| solid.is_face(t)).all(|t| is_behind(model, t, &mut way))
        && way != 0
        && !is_covered(solid, model, solid.components()[0])
}

/// Whether all points are on one side of a face, the same as before.
fn is_behind(model: &Model, t: u32, way: &mut i32) -> bool {
    let corners = model.mesh().corners(t);
    let plane = Plane::new([&corners[0], &corners[1], &corners[2]]);
    model.mesh().points().iter().all(|point| match plane.side(point) {
        Some(0) => true,
        Some(side) if *way == 0 || *way == side => {
            *way = side;
            true
        }
        _ => false,
    })
}

/// Whether a face in the plane of this one meets it elsewhere than in common corners and edges.
fn is_covered(solid: &Solid, model: &Model, t: u32) -> bool {
    let (mesh, corners) = (model.mesh(), model.mesh().corners(t));
    let plane = Plane::new([&corners[0], &corners[1], &corners[2]]);
    let body = Body::new(model, Pose::IDENTITY);
    let (narrow, count) = (Narrow::within(&body), &mut Count::default());
    let moved = narrow.moved(t);
    (0..mesh.len() as u32).filter(|&u| u != t && solid.is_face(u)).any(|u| {
        let is_coplanar = mesh.corners(u).iter().all(|point| plane.side(point) == Some(0));
        is_coplanar && narrow.meet_within(u, t, &moved, count)
    })
}
