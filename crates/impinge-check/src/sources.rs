//! Facts that files state besides their parts: units, upward axes, offsets and omissions.
pub(crate) mod file_units;
pub(crate) mod hull;
pub(crate) mod offsets;
pub(crate) mod omission;
pub(crate) mod units;

pub use self::{
    file_units::{CoordinateUnit, FileUnits},
    hull::{Hull, rounded_box},
    offsets::{FileOffset, offset_warnings},
    omission::Omission,
    units::unit_warnings,
};
pub use impinge_io::{Axis, OmissionKind, Source};
