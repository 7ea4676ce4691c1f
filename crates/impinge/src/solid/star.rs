//! Closed meshes that are star-shaped. No face of these meets another, so no pair needs a test. Balls, boxes,
//! cones and prisms are such meshes. This takes linear time; a search for faces that meet takes n^2 around a
//! corner of n faces.
//!
//! Let a mesh be closed with orientation, each edge have two faces, and one point o lie on the same side of
//! all faces' planes, and on none of them.
//!
//! 1. Seen from o, each face covers a triangle of a sphere, and all turn the same way. The sum of the faces is
//!    a closed chain, and its image is, too: it covers each point of the sphere equally often, |w| times,
//!    where w is the winding number at o. As all turn the same way, nothing cancels.
//! 2. If |w| is 1, triangles of the sphere overlap nowhere. So a point p in which two faces meet is seen on
//!    the border of both.
//! 3. If p is within an edge, its two faces, which do not overlap, cover what is around p, and a third one
//!    would overlap them. So the faces are these two, and p is on their common edge.
//! 4. Else p is a corner of both: a common corner.
use super::{
    Solid,
    chain::{Closed, NONE},
    location::winding_at,
};
use crate::{exact::OrientationPlane, geometry::Geometry};

impl Solid {
    /// True if faces certainly meet in common corners and edges alone. Computed once, in linear time.
    pub(super) fn is_star(&self, geometry: &Geometry) -> bool {
        *self.star.get_or_init(|| is_star(self, geometry))
    }
}

/// True if a mesh is certainly closed and star-shaped, as seen from the middle of its box.
fn is_star(solid: &Solid, geometry: &Geometry) -> bool {
    let (mesh, [lo, hi]) = (geometry.mesh(), geometry.extent());
    if solid.chain.closed != Closed::Oriented || !geometry.in_safe_range() {
        return false;
    }
    let middle = [0, 1, 2].map(|k| lo[k] / 2.0 + hi[k] / 2.0);
    let faces = || (0..mesh.len() as u32).filter(|&t| solid.is_face(t));
    let mut way = 0;
    let is_seen = faces().all(|t| {
        let [a, b, c] = mesh.corners(t);
        let side = OrientationPlane::new([&a, &b, &c]).side(&middle).unwrap_or(0);
        let first = if way == 0 { side } else { way };
        way = first;
        side != 0 && side == first
    });
    is_seen
        && faces().all(|t| (3 * t..3 * t + 3).all(|edge| solid.twin(edge) != NONE))
        && winding_at(solid, geometry, middle).abs() == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{meshes, rng::Rng};
    use crate::{Mesh, Model, solid::partners};

    fn model(points: Vec<[f64; 3]>, faces: Vec<[u32; 3]>) -> Model {
        Model::new(Mesh::new(points, faces).unwrap())
    }

    #[test]
    fn faces_of_stars_do_not_meet() {
        let (mut rng, mut found) = (Rng::new(59), [0; 2]);
        for round in 0..600 {
            let ball = meshes::icosphere(1);
            // From a ball to points at random, on a grid: faces cross, or lie in planes through the middle.
            let most = [3, 4, 5, 8][round % 4];
            let moved = ball.points().iter().map(|p| {
                let mut off = || 0.25 * rng.int(-most, most) as f64;
                p.map(|x| (x * 16.0).round() / 4.0 + off())
            });
            let points: Vec<_> = moved.collect();
            let mut faces = ball.triangles().to_vec();
            if round % 5 == 0 {
                faces.iter_mut().for_each(|face| face.reverse());
            }
            let model = model(points, faces);
            let (solid, geometry) = (model.solid(), model.geometry());
            let is_star = is_star(solid, geometry);
            let meets_itself =
                (0..model.mesh().len() as u32).any(|t| !partners(solid, geometry, t).is_empty());
            assert!(!(is_star && meets_itself), "{round}");
            found[usize::from(is_star)] += 1;
        }
        assert!(found[0] > 100 && found[1] > 100, "{found:?}");
    }

    #[test]
    fn what_is_covered_twice_is_no_star() {
        let ball = meshes::icosphere(1);
        let (points, faces) = (ball.points().to_vec(), ball.triangles().to_vec());
        let small = points.iter().map(|p| p.map(|x| x / 2.0));
        let inner = faces.iter().map(|face| face.map(|v| v + points.len() as u32));
        let once = model(points.clone(), faces.clone());
        assert!(is_star(once.solid(), once.geometry()));
        let twice = model(
            points.iter().copied().chain(small).collect(),
            faces.iter().copied().chain(inner).collect(),
        );
        assert!(!is_star(twice.solid(), twice.geometry()));
    }

    /// A prism around the origin whose polygon runs round it twice: each edge has two faces, which all turn
    /// the same way.
    #[test]
    fn what_winds_twice_is_no_star() {
        let n = 10_u32;
        let at = |k: u32| {
            let (sin, cos) = (f64::from(k) * 2.0 * std::f64::consts::TAU / f64::from(n)).sin_cos();
            let r = 1.0 + 0.05 * f64::from(k);
            [r * cos, r * sin, 0.0]
        };
        let mut points: Vec<_> = (0..n).map(at).collect();
        points.extend([[0.0, 0.0, 2.0], [0.0, 0.0, -2.0]]);
        let faces = (0..n).flat_map(|k| {
            let next = (k + 1) % n;
            [[k, next, n], [next, k, n + 1]]
        });
        let model = model(points, faces.collect());
        let (solid, geometry) = (model.solid(), model.geometry());
        assert_eq!(winding_at(solid, geometry, [0.0; 3]).abs(), 2);
        assert!(!is_star(solid, geometry));
    }
}
