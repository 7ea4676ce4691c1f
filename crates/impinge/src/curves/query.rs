//! Queries for the curves in which two surfaces meet.
use super::{
    Curves, Trust,
    find::{CurveMemory, find},
};
use crate::{
    Body, Query,
    query::{ContactPairs, QueryParts},
};

impl Query {
    /// Finds where the surfaces of two bodies meet: lines where they cross or touch along edges, patches
    /// where faces coincide, and single points. [`curves`](crate::curves) defines them.
    ///
    /// Equality, connections and order of points are decided over the real numbers, for any meshes and poses:
    /// meshes with holes, mirrored and sheared ones, those that cross themselves. Then each coordinate is
    /// rounded once, to the nearest f64. Lengths and areas are intervals. The result depends only on the two
    /// sets of triangles, and exchanged bodies have the same lines.
    ///
    /// It takes the time of all [pairs](Self::pairs), and O(k log k) for k of them. The first query of a mesh
    /// finds the triangles that meet their own mesh, as [`Query::self_pairs`] does. Among k' such triangles
    /// in contact it may take O(k'^2).
    ///
    /// ```
    /// use impinge::{Body, Mesh, Model, Pose, Query};
    /// // A tetrahedron, and the same a little further along each axis.
    /// let points = vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]];
    /// let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let model = Model::new(mesh);
    /// let a = Body::new(&model, Pose::IDENTITY);
    /// let b = Body::new(&model, Pose::from_translation([1., 1., 1.])?);
    /// let mut query = Query::new();
    /// let curves = query.curves(&a, &b);
    /// // The second one's corner comes out of the first one's slope.
    /// let line = curves.lines().next().unwrap();
    /// assert!(line.closed && line.nodes.len() == 3);
    /// let places: Vec<_> = line.nodes.iter().map(|&i| curves.nodes()[i as usize].point).collect();
    /// assert_eq!(places, [[1., 1., 2.], [1., 2., 1.], [2., 1., 1.]]);
    /// let [lo, hi] = curves.length();
    /// assert!(lo <= 3. * 2_f64.sqrt() && 3. * 2_f64.sqrt() <= hi && hi - lo < 1e-14);
    ///
    /// // Base on base, half of it: a patch.
    /// let b = Body::new(&model, Pose::affine([[1., 0., 0.], [0., 1., 0.], [0., 0., -1.]], [2., 0., 0.])?);
    /// let curves = query.curves(&a, &b);
    /// assert_eq!((curves.lines().len(), curves.area()), (0, [2.; 2]));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Panics
    /// As [`Query::intersects`].
    #[doc(alias("surface_intersection", "corefine", "section"))]
    pub fn curves(&mut self, a: &Body<'_>, b: &Body<'_>) -> &Curves {
        let mut pairs = std::mem::take(self.parts().pairs);
        self.pairs_into(a, b, &mut pairs);
        self.ask_curves([a, b], &pairs);
        let QueryParts { pairs: kept, results, .. } = self.parts();
        *kept = pairs;
        results.get()
    }

    /// Finds [`Query::curves`] from all pairs of triangles that meet.
    pub fn curves_of_pairs(&mut self, pairs: &ContactPairs<'_>) -> &Curves {
        let [a, b] = pairs.bodies();
        let Some(whole) = pairs.whole() else { return self.curves(&a, &b) };
        self.ask_curves([&a, &b], whole)
    }

    fn ask_curves(&mut self, bodies: [&Body<'_>; 2], pairs: &[[u32; 2]]) -> &Curves {
        let QueryParts { ask, scratches, results, .. } = self.parts();
        let (memory, curves) = (scratches.first().scratch.own.get::<CurveMemory>(), results.get::<Curves>());
        let done = find(bodies, pairs, Trust::Features, ask.simd, ask.stop, memory, curves);
        // The caller drops the result of a stopped query: no part of it remains here.
        if done.is_break() {
            curves.clear();
        }
        curves
    }
}
