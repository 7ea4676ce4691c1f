//! [`Frame`]: origin, unit and upward axis of a scene.
use impinge_check::{Report, Unit, sources::Axis};

/// The place of a scene in the coordinates of the files.
pub(super) struct Frame {
    /// The point that is the origin of the scene.
    pub(super) origin: [f64; 3],
    pub(super) unit: Option<Unit>,
    /// The upward axis, if every file states the same.
    pub(super) up: Option<Axis>,
}

/// A model keeps its origin if its coordinates are at most this many times its largest side. Programs that
/// place it with f32 numbers are then off by a millionth of that side.
const FAR: f64 = 16.0;

impl Frame {
    pub(super) fn of(report: &Report) -> Self {
        let [low, high] = report.extent().unwrap_or_default();
        let side = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
        let reach = low.iter().chain(&high).fold(0.0, |reach: f64, x| reach.max(x.abs()));
        let middle = [0, 1, 2].map(|k| (low[k] / 2.0 + high[k] / 2.0).round());
        let sources = report.assembly().map_or(&[][..], |assembly| &assembly.sources);
        let first = sources.first().and_then(|source| source.up);
        Self {
            origin: if reach > FAR * side { middle } else { [0.0; 3] },
            unit: report.unit(),
            up: first.filter(|&up| sources.iter().all(|source| source.up == Some(up))),
        }
    }
    /// The quaternion (x, y, z, w) that turns the upward axis into Y, unless it is Y.
    pub(super) fn rotation(&self) -> Option<[f64; 4]> {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        match self.up? {
            Axis::X => Some([0.0, 0.0, half, half]),
            Axis::Y => None,
            Axis::Z => Some([-half, 0.0, 0.0, half]),
        }
    }
    /// Scale from the unit to metres; `None` if the unit is the metre or unknown.
    pub(super) fn scale(&self) -> Option<[f64; 3]> {
        self.unit.map(|unit| [unit.metres(); 3]).filter(|scale| scale[0] != 1.0)
    }
    pub(super) fn axis(&self) -> Option<&'static str> {
        self.up.map(|up| match up {
            Axis::X => "X",
            Axis::Y => "Y",
            Axis::Z => "Z",
        })
    }
}
