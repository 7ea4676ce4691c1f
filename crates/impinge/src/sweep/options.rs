//! Settings of sweeps.
use crate::{Error, ErrorKind, distance::Margin};

/// Settings of a sweep: how exact its times are, which distance counts as contact, and how much work it may
/// take.
///
/// ```
/// use impinge::{distance::Margin, sweep::SweepOptions};
/// let options = SweepOptions::new().margin(Margin::new(0.005)?).resolution(1e-6)?;
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SweepOptions {
    pub(super) resolution: f64,
    pub(super) tolerance: Option<f64>,
    pub(super) margin: Margin,
    pub(super) most_intervals: u64,
    pub(super) verdict_only: bool,
    pub(super) after: f64,
    pub(super) until: f64,
}

impl Default for SweepOptions {
    fn default() -> Self {
        Self {
            resolution: 1e-9,
            tolerance: None,
            margin: Margin::ZERO,
            most_intervals: 1_000_000,
            verdict_only: false,
            after: 0.0,
            until: 1.0,
        }
    }
}

impl SweepOptions {
    /// The defaults: a resolution of 1e-9, no margin, a million intervals.
    pub fn new() -> Self {
        Self::default()
    }
    /// The largest difference of `free_until` and `meets_at`, as a part of the path's time; except where the
    /// tolerance allows more. By default 1e-9.
    ///
    /// # Errors
    /// It is not positive and finite.
    pub fn resolution(self, resolution: f64) -> Result<Self, Error> {
        Ok(Self { resolution: checked("the resolution", resolution)?, ..self })
    }
    /// A length in the world: no difference of times is made smaller than one in which all points move less
    /// than this. By default 2^-30 of the size of the smaller body.
    ///
    /// # Errors
    /// It is not positive and finite.
    pub fn tolerance(self, tolerance: f64) -> Result<Self, Error> {
        Ok(Self { tolerance: Some(checked("the tolerance", tolerance)?), ..self })
    }
    /// The distance up to which bodies count as in contact, beside their radii. By default 0. Where the poses
    /// of both bodies shear, distances beyond it may stay undecided.
    pub fn margin(self, margin: Margin) -> Self {
        Self { margin, ..self }
    }
    /// The most intervals of time that are tested: each takes some microseconds. A sweep that needs more is
    /// [`Undecided::Budget`](super::Undecided). By default a million.
    pub fn most_intervals(self, most_intervals: u64) -> Self {
        Self { most_intervals, ..self }
    }
    /// Whether any contact is enough, not the first one: for planners. `meets_at` is then the time of some
    /// contact. By default false.
    pub fn verdict_only(self, verdict_only: bool) -> Self {
        Self { verdict_only, ..self }
    }
    /// The time at which the sweep begins. Times before are not examined: the contact of a body that starts
    /// on its support, or in a gripper, is none if the body has left it by then. By default 0.
    ///
    /// # Errors
    /// It is not from 0 to 1, or is 1.
    ///
    /// ```
    /// use impinge::{Body, Mesh, Model, Pose, Query, path::Path, sweep::{Moving, Sweep, SweepOptions}};
    /// // A cube is lifted from the floor on which it stands.
    /// let floor = Model::new(Mesh::cuboid([9., 9., 1.])?);
    /// let cube = Model::new(Mesh::cuboid([1.; 3])?);
    /// let path = Path::translation(Pose::from_translation([0., 0., 1.])?, [0., 0., 5.])?;
    /// let (floor, moving) = (Body::new(&floor, Pose::IDENTITY), Moving::new(&cube, &path));
    /// let mut query = Query::new();
    /// let found = query.sweep(floor, moving, &SweepOptions::new());
    /// assert!(matches!(found, Sweep::Contact { meets_at: 0.0, .. }));
    /// assert_eq!(query.sweep(floor, moving, &SweepOptions::new().after(1e-6)?), Sweep::Clear);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn after(self, t: f64) -> Result<Self, Error> {
        if (0.0..1.0).contains(&t) {
            return Ok(Self { after: t, ..self });
        }
        Err(ErrorKind::NotATime { t }.into())
    }
    /// The time at which the sweep ends. Later times are not examined: a contact that is later than one of
    /// other bodies need not be found. By default 1.
    ///
    /// # Errors
    /// It is not from 0 to 1, or is 0.
    pub fn until(self, t: f64) -> Result<Self, Error> {
        if t > 0.0 && t <= 1.0 {
            return Ok(Self { until: t, ..self });
        }
        Err(ErrorKind::NotATime { t }.into())
    }
    /// The times at which the sweep begins and ends.
    pub fn times(&self) -> [f64; 2] {
        [self.after, self.until]
    }
    /// The margin, rounded up.
    pub fn margin_up(&self) -> f64 {
        self.margin.get()
    }
    /// True if any contact is enough.
    pub fn is_verdict_only(&self) -> bool {
        self.verdict_only
    }
}

fn checked(what: &'static str, size: f64) -> Result<f64, Error> {
    if size > 0.0 && size < f64::INFINITY {
        Ok(size)
    } else {
        Err(ErrorKind::InvalidSize { what, size }.into())
    }
}
