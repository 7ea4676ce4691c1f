//! The fast tree: nodes of up to 8 children, leaves of up to 8 triangles.
#[cfg_attr(not(test), expect(dead_code))]
pub(crate) mod topology;
