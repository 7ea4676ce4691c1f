//! Random numbers, meshes, hard pairs of triangles and the oracle of the test kit, compiled into the unit
//! tests.
//!
//! The test kit depends on this crate. Were it a dependency of these tests, this crate would be compiled
//! twice, and the kit's types would be those of the other copy.
pub(crate) use crate::circle;

#[path = "../../impinge-demo/src/icosphere.rs"]
pub(crate) mod icosphere;
#[path = "../../impinge-testkit/src/meshes.rs"]
pub(crate) mod meshes;
#[path = "../../impinge-testkit/src/near_degenerate.rs"]
pub(crate) mod near_degenerate;
#[path = "../../impinge-testkit/src/oracle.rs"]
pub(crate) mod oracle;
#[path = "../../impinge-demo/src/rng.rs"]
pub(crate) mod rng;
