//! Whether simple shapes cover a part: the proof that a collision model contains what it stands for.
//!
//! Planners and simulators test spheres, capsules, hulls and coarse meshes in place of parts. A part that
//! sticks out of its [`Proxy`] is hit where they see free space. [`Query::coverage`] proves that no point
//! does, or shows one and bounds how far the worst is outside.
//!
//! ```
//! use impinge::{Body, Mesh, Model, Pose, Query, coverage::{CoverageOptions, Proxy}};
//! // Two spheres over a box of 2 by 1 by 1.
//! let model = Model::new(Mesh::cuboid([2., 1., 1.])?);
//! let part = Body::new(&model, Pose::IDENTITY);
//! let spheres = |radius| Proxy::balls(&[[-0.5, 0., 0., radius], [0.5, 0., 0., radius]]);
//! let mut query = Query::new();
//! let corner = 0.75_f64.sqrt();
//! let found = query.coverage(&part, &spheres(corner + 1e-9)?, &CoverageOptions::new());
//! assert_eq!(found.covered, Some(true));
//! let found = query.coverage(&part, &spheres(0.8)?, &CoverageOptions::new());
//! assert_eq!(found.covered, Some(false));
//! assert!(found.depth[0] <= corner - 0.8 && corner - 0.8 <= found.depth[1]);
//! # Ok::<(), impinge::Error>(())
//! ```
//!
//! # Definition
//! The part is its surface, the union of its placed triangles. An element of the proxy is a ball, a capsule
//! or any body with a radius, at its pose: all points no farther than the radius from its triangles, and
//! those inside, if the mesh is closed. The part is covered if each of its points is in an element. If the
//! elements enclose no hole inside the part, a covered surface means a covered solid.
//!
//! The depth is the greatest distance of a point of the part from the nearest element. It is also the least
//! length by which all radii have to grow.
//!
//! # Method
//! Let f(x) be the distance of x from an element, negative inside. For a convex element f is a convex
//! function, so that over a triangle it is nowhere greater than at the worst corner. So a triangle whose
//! three corners are in one convex element is covered, and for others the least of these maxima bounds the
//! depth. For any element f changes by no more than x moves,
//! and it is no greater than the distance from one of its triangles, which is a convex function, too. Triangles are divided, across their longest
//! edges, until they are covered, or their bound is as good as the best point that was found outside. The
//! place is that where two elements are equally near, if there is one, or the middle. Elements that are
//! farther from a whole triangle than another one is anywhere on it are left out for its parts.
//!
//! For a proxy of one body that is not convex, the depth is that of [`Query::farthest_distance`].
//!
//! A piece ends undecided if its bound stays below the tolerance: where a point lies exactly on the surfaces
//! of two elements and inside no other, dividing never ends. If nothing else is uncovered, the exact
//! [relation](Query::relation) then decides: of the part to each solid, and to the union of the convex solids
//! whose corners have exact coordinates in the world. So a part in a union of boxes is covered though faces
//! are flush, and a solid covers itself.
//!
//! # Rounding
//! A piece's corner is a point of an edge of the piece before, at a place that is a number, so pieces fill
//! triangles exactly. f64 holds an estimate of it, `off` by no more than 16 u S for each such step, S being
//! the largest sum of a corner's coordinates, and by one rounding of the placed corners. f is an interval
//! from [`Query::closest_point`], or the distance of two points, which rounds by 4 u of itself, widened by
//! `off`. At the part's own corners, [`Query::locate`] decides exactly, if their
//! coordinates are exact in the world or in the frame of an element. At a
//! place on an edge f of a convex element is no greater than between its values at both ends: this bound
//! keeps what is exact there.
mod box_cut;
mod candidates;
mod cell;
mod cylinder;
mod element;
mod element_cut;
mod excess;
mod facet;
mod near_point;
mod options;
mod pieces;
mod point_depths;
mod proxy;
mod result;
mod signed_bounds;
mod single;
mod union;
mod volume;

pub use self::{
    excess::Excess,
    options::{CoverageOptions, ExcessOptions},
    proxy::Proxy,
    result::{Coverage, Witness},
};

use crate::{Body, Query};

impl Query {
    /// Decides whether a proxy covers a part, and by how much it does not.
    ///
    /// The cost grows with the number of triangles, and with the area that two elements have to share. It is
    /// some microseconds for a triangle that one ball covers. Balls take the least time, then convex bodies;
    /// bodies that are not convex take the most.
    #[doc(alias("collision_proxy", "bounding_spheres", "one_sided_hausdorff"))]
    pub fn coverage(&mut self, part: &Body<'_>, proxy: &Proxy<'_>, options: &CoverageOptions) -> Coverage {
        pieces::cover(self, part, proxy, options)
    }
}
