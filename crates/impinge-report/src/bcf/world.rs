//! [`World`], the map from the coordinates of an assembly to those of BCF.
use impinge_check::sources::Axis;
use impinge_check::{Report, Unit};

/// Map to the coordinates of BCF: metres, with z upwards.
#[derive(Clone, Copy)]
pub(super) struct World {
    metres: f64,
    up: Axis,
}

impl World {
    /// Map of a report: from its unit, else metres, and from the first upward axis that a file states, else
    /// z.
    pub(super) fn of(report: &Report) -> Self {
        let sources = report.assembly().map_or(&[][..], |assembly| &assembly.sources);
        let up = sources.iter().find_map(|source| source.up).unwrap_or(Axis::Z);
        Self { metres: report.unit().map_or(1.0, Unit::metres), up }
    }
    pub(super) fn point(self, point: [f64; 3]) -> [f64; 3] {
        self.direction(point).map(|x| x * self.metres)
    }
    /// A rotation that takes the upward axis to z.
    pub(super) fn direction(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        match self.up {
            Axis::X => [y, z, x],
            Axis::Y => [x, -z, y],
            Axis::Z => [x, y, z],
        }
    }
}
