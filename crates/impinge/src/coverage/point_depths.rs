//! How far points are from a proxy.
use super::{
    near_point::{Asked, NearPoint},
    proxy::Proxy,
    signed_bounds::SignedBounds,
};
use crate::Query;

impl Query {
    /// The distance of each point from a proxy, negative inside of an element: bounds [lo, hi] appended to
    /// `distances`. Inside, it is less the depth in the deepest element; the lower bound is minus infinity in a
    /// mesh that is not convex, which may have inner shells. Both are infinite for a proxy without elements.
    ///
    /// ```
    /// use impinge::{Query, coverage::Proxy};
    /// let proxy = Proxy::balls(&[[0., 0., 0., 1.]])?;
    /// let mut distances = Vec::new();
    /// Query::new().point_depths(&proxy, &[[3., 0., 0.], [0., 0., 0.]], &mut distances);
    /// assert!(distances[0][0] <= 2. && 2. <= distances[0][1]);
    /// assert!(distances[1][0] <= -1. && -1. <= distances[1][1]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn point_depths(&mut self, proxy: &Proxy<'_>, points: &[[f64; 3]], distances: &mut Vec<[f64; 2]>) {
        for &at in points {
            let mut least = SignedBounds::new(f64::INFINITY, f64::INFINITY);
            proxy.tree().near(&at, f64::INFINITY, |element| {
                let of = &proxy.elements[element as usize];
                let found = of.distance(self, &NearPoint::exact(at), &Asked::WORLD);
                least = SignedBounds::new(least.lo.min(found.lo), least.hi.min(found.hi));
                // A box around the point is no farther than 0.
                least.hi.max(0.0)
            });
            distances.push([least.lo, least.hi]);
        }
    }
}
