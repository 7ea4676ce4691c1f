//! What several volumes are fitted with. Nothing here is trusted to contain anything: volumes measure afterwards.
pub(crate) mod axes;
pub(crate) mod ball;
pub(crate) mod extremal;
pub(crate) mod hull;
pub(crate) mod slab;
