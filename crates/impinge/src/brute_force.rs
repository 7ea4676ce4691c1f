//! Reference implementation: the queries of a [`Query`](crate::Query) without a tree.
//!
//! Every triangle of one body is compared with each triangle of the other whose box overlaps its own on the
//! x axis, in the first body's frame: O(n m), for tests of your own.
//!
//! ```
//! use impinge::{Body, Mesh, Model, Pose, Query, brute_force};
//! let triangle = Mesh::new(vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]])?;
//! let model = Model::new(triangle);
//! let (a, b) = (Body::new(&model, Pose::IDENTITY), Body::new(&model, Pose::IDENTITY));
//! assert_eq!(Query::new().pairs(&a, &b), brute_force::pairs(&a, &b));
//! # Ok::<(), impinge::Error>(())
//! ```
pub use crate::{
    curves::reference::*, distance::reference::*, farthest::reference::*, points::reference::*,
    query::reference::*, rays::reference::*, regions::reference::*, relation::reference::*,
};
