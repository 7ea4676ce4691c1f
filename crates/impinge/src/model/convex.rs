//! A test whether a mesh bounds a convex solid.
use super::Model;
use crate::{
    BuildOptions, Mesh, Quality,
    exact::InPlane,
    graph::DisjointSets,
    solid::{Closedness, Convexity, at_corner, convexity},
};
use std::collections::HashMap;

impl Mesh {
    /// True if the mesh is closed and the solid that it bounds is convex, exactly.
    ///
    /// The triangles may divide faces in any way, and face outwards or inwards. Then the solid is the
    /// [hull](Mesh::hull) of the points. Cost: O(n log n) if all points are vertices of the hull, and that of a
    /// comparison of each other point with each face of the hull.
    ///
    /// ```
    /// use impinge::Mesh;
    /// assert!(Mesh::cuboid([1., 2., 3.])?.is_convex());
    /// let dented = vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.], [1., 1., 1.]];
    /// let faces = vec![[0, 2, 1], [0, 1, 3], [2, 0, 3], [1, 2, 4], [2, 3, 4], [3, 1, 4]];
    /// assert!(!Mesh::new(dented, faces)?.is_convex());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn is_convex(&self) -> bool {
        // Triangles on the boundary of the hull, whose edges balance and which do not cancel, cover all of it.
        let options = BuildOptions::new().quality(Quality::OnDemand);
        self.is_on_its_hull() && Model::with_options(self.clone(), &options).solid().status().is_closed()
    }

    /// True if each triangle lies in a face of the hull.
    fn is_on_its_hull(&self) -> bool {
        let Ok(hull) = Mesh::hull(self.points()) else { return false };
        let corners: Vec<_> = (0..hull.len() as u32).map(|t| hull.corners(t)).collect();
        // The triangles of a face are a fan: each begins where the one before it ends.
        let mut fans = DisjointSets::default();
        fans.reset(hull.len());
        let ends: HashMap<_, u32> = hull.triangles().iter().map(|&[p, _, end]| (p, end)).zip(0..).collect();
        for (t, &[p, start, end]) in (0..).zip(hull.triangles()) {
            if let Some(&before) = ends.get(&(p, start))
                && InPlane::new(&corners[before as usize]).contains(&hull.points()[end as usize])
            {
                fans.join(before, t);
            }
        }
        // One of them stands for the face.
        let face_of: Vec<u32> = (0..hull.len() as u32).map(|t| fans.root(t)).collect();
        let mut faces_at = vec![Vec::new(); hull.points().len()];
        for (triangle, &face) in hull.triangles().iter().zip(&face_of) {
            triangle.iter().for_each(|&i| faces_at[i as usize].push(face));
        }
        let planes: Vec<_> = (0..)
            .zip(&face_of)
            .filter(|&(t, &face)| t == face)
            .map(|(_, &face)| (face, InPlane::new(&corners[face as usize])))
            .collect();
        let key = |p: &[f64; 3]| p.map(|x| (x + 0.0).to_bits());
        let vertices: HashMap<_, usize> = hull.points().iter().map(key).zip(0..).collect();
        // The faces that have a point.
        let faces_of = |p: &[f64; 3]| match vertices.get(&key(p)) {
            Some(&i) => faces_at[i].clone(),
            None => planes.iter().filter(|(_, plane)| plane.contains(p)).map(|(face, _)| *face).collect(),
        };
        let faces: Vec<Vec<u32>> = self.points().iter().map(faces_of).collect();
        self.triangles().iter().all(|&[a, b, c]| {
            let [b, c] = [b, c].map(|i| &faces[i as usize]);
            faces[a as usize].iter().any(|face| b.contains(face) && c.contains(face))
        })
    }
}

impl Model {
    /// How often the mesh winds round its inside, if that is convex: [`Mesh::is_convex`]. Computed once; in
    /// linear time for most meshes.
    pub(crate) fn convex_winding(&self) -> Option<i32> {
        *self.convex.get_or_init(|| {
            let (solid, geometry) = (self.solid(), self.geometry());
            match convexity(solid, geometry) {
                Convexity::Convex(winding) => Some(winding),
                Convexity::NotConvex => None,
                Convexity::Unknown if self.mesh().is_on_its_hull() => {
                    // Without orientation the winding number is only odd or even.
                    let is_odd = solid.status() != Closedness::Closed;
                    let face = (0..self.mesh().len() as u32).find(|&t| solid.is_face(t))?;
                    let sides = [false, true].map(|behind| at_corner(solid, geometry, face, behind));
                    let inside = sides.into_iter().find(|&winding| winding != 0);
                    if is_odd { Some(1) } else { inside }
                }
                Convexity::Unknown => None,
            }
        })
    }
}
