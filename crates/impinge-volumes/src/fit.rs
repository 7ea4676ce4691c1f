//! Fitting routines that several volumes share. No caller relies on a fit to contain anything: volumes
//! measure afterwards.
pub(crate) mod axes;
pub(crate) mod ball;
pub(crate) mod extremal;
pub(crate) mod hull;
pub(crate) mod slab;
