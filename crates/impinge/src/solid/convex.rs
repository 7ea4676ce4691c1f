//! Small meshes that bound a convex body. No face of these meets another, so no pair needs a test. Boxes and
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
use super::{
    Solid,
    chain::{Closed, NONE},
};
use crate::{counters::Count, exact::OrientationPlane, geometry::Geometry, narrow::Narrow};

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
}
