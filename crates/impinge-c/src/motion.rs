//! Queries about bodies in motion.
use crate::{
    body::{BodyShape, MeshBody, impinge_body, surface},
    border::{or_default, place, results, vector, write_all},
    handle::{exclusive, shared},
    model::impinge_model,
    pairs::impinge_pair,
    pose::{self, Maps, impinge_pose},
    query::impinge_query,
    status::{Done, Failure, call, impinge_status},
};
use impinge::{
    distance::Margin,
    path::Path,
    sweep::{Moving, Sweep, SweepOptions, Undecided},
};
use std::mem::MaybeUninit;

/// Settings of sweeps. Start with impinge_sweep_options_default().
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_sweep_options {
    /// The greatest difference of `free_until` and `meets_at`, as a part of the time. 1e-9.
    pub resolution: f64,
    /// A length: times are not told apart if all points move less between them. 0: chosen from the sizes.
    pub tolerance: f64,
    /// The distance up to which bodies are in contact. 0.
    pub margin: f64,
    /// The most intervals of time that are examined. A million.
    pub most_intervals: u64,
    /// True if any contact is enough, and its time need not be the first. False.
    pub verdict_only: bool,
    /// The time at which the sweep begins. 0.
    pub after: f64,
    /// The time at which the sweep ends. 1.
    pub until: f64,
}

impl Default for impinge_sweep_options {
    fn default() -> Self {
        Self {
            resolution: 1e-9,
            tolerance: 0.0,
            margin: 0.0,
            most_intervals: 1_000_000,
            verdict_only: false,
            after: 0.0,
            until: 1.0,
        }
    }
}

impl impinge_sweep_options {
    pub(crate) fn checked(&self) -> Done<SweepOptions> {
        let options = SweepOptions::new()
            .resolution(self.resolution)?
            .margin(Margin::new(self.margin)?)
            .most_intervals(self.most_intervals)
            .verdict_only(self.verdict_only)
            .after(self.after)?
            .until(self.until)?;
        Ok(if self.tolerance == 0.0 { options } else { options.tolerance(self.tolerance)? })
    }
}

/// The kind of result of a sweep.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum impinge_sweep_kind {
    /// No contact at any time.
    Clear = 0,
    /// A contact, and none before `free_until`.
    Contact = 1,
    /// Undecided: the bodies graze each other.
    Grazing = 2,
    /// Undecided: the sweep would take more than `most_intervals`.
    Budget = 3,
}

/// The result of a sweep: a proof about two bodies in motion, for all times from 0 to 1.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_sweep_result {
    /// The verdict.
    pub kind: impinge_sweep_kind,
    /// There is no contact before this time; 1 if there is none at all.
    pub free_until: f64,
    /// A time at which there is a contact; NaN if none was found.
    pub meets_at: f64,
    /// Triangles that meet, or come near; 0 and 0 if all is clear.
    pub pair: impinge_pair,
}

impl From<Sweep> for impinge_sweep_result {
    fn from(sweep: Sweep) -> Self {
        let kind = match sweep {
            Sweep::Clear => impinge_sweep_kind::Clear,
            Sweep::Contact { .. } => impinge_sweep_kind::Contact,
            Sweep::Near { why: Undecided::Grazing, .. } => impinge_sweep_kind::Grazing,
            Sweep::Near { why: Undecided::Budget, .. } => impinge_sweep_kind::Budget,
        };
        Self {
            kind,
            free_until: sweep.free_until(),
            meets_at: sweep.meets_at().unwrap_or(f64::NAN),
            pair: sweep.pair().unwrap_or_default().into(),
        }
    }
}

/// A body and the path along which it moves, if it does.
pub(crate) struct Travel<'a> {
    shape: &'a BodyShape,
    path: Option<Path>,
}

impl<'a> Travel<'a> {
    /// # Safety
    /// As [`pose::all`].
    pub(crate) unsafe fn new(
        body: Option<&'a impinge_body>,
        poses: *const impinge_pose,
        count: usize,
        what: &str,
    ) -> Done<Self> {
        let shape = shared(body)?;
        // SAFETY: the caller's promise.
        let poses = unsafe { pose::all(poses, count, Maps::Rigid, what) }?;
        let path = if poses.is_empty() { None } else { Some(Path::piecewise(&poses)?) };
        if path.is_some() && matches!(shape, BodyShape::HalfSpace(_)) {
            return Err(Failure::unsupported("a half-space cannot move"));
        }
        Ok(Self { shape, path })
    }
    pub(crate) fn moving(&'a self) -> Done<Moving<'a>> {
        match self.shape {
            BodyShape::Mesh(body) => moving(body, self.path.as_ref()),
            BodyShape::HalfSpace(_) => {
                Err(Failure::unsupported("a half-space can only be the first body of impinge_sweep()"))
            }
        }
    }
}

fn moving<'a>(body: &'a MeshBody, path: Option<&'a Path>) -> Done<Moving<'a>> {
    Ok(match path {
        None => body.rounded()?.into(),
        Some(path) => Moving::new(&body.model, path).rounded(body.radius)?,
    })
}

/// Returns the default settings of sweeps.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_sweep_options_default() -> impinge_sweep_options {
    impinge_sweep_options::default()
}

/// Finds the first contact of two bodies that move from time 0 to time 1, proved for all times between.
///
/// Each body moves through the poses of its path, two or more, in equal times: along a straight line and
/// about an axis of constant direction from one to the next. A body with an empty path rests at its own pose.
/// The first body may be a half-space, at rest. Bodies are surfaces: one that starts inside the other is in
/// no contact.
///
/// Errors: a path of one pose, a pose that is not rigid, a setting that is out of range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_sweep(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    path_a: *const impinge_pose,
    path_a_count: usize,
    b: Option<&impinge_body>,
    path_b: *const impinge_pose,
    path_b_count: usize,
    options: Option<&impinge_sweep_options>,
    out_sweep: Option<&mut MaybeUninit<impinge_sweep_result>>,
) -> impinge_status {
    call(|| {
        let query = exclusive(query)?;
        let a = unsafe { Travel::new(a, path_a, path_a_count, "path_a") }?;
        let b = unsafe { Travel::new(b, path_b, path_b_count, "path_b") }?;
        let (options, out) = (or_default(options).checked()?, place(out_sweep, "out_sweep")?);
        let moving_b = b.moving()?;
        let found = if let BodyShape::HalfSpace(half_space) = a.shape {
            query.run(|query| query.sweep_half_space(half_space, moving_b, &options))?
        } else {
            let moving_a = a.moving()?;
            query.run(|query| query.sweep(moving_a, moving_b, &options))?
        };
        out.write(found.into());
        Ok(())
    })
}

/// Finds impinge_sweep() of a body at rest and a model along each of many paths, from one pose to another.
/// Writes one result for each path.
///
/// Errors: as impinge_sweep(); IMPINGE_STATUS_UNSUPPORTED for a half-space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_sweep_at(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_model>,
    starts: *const impinge_pose,
    ends: *const impinge_pose,
    path_count: usize,
    options: Option<&impinge_sweep_options>,
    out_sweeps: *mut impinge_sweep_result,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, crate::body::mesh(a)?, shared(b)?);
        let a = moving(a, None)?;
        let starts = unsafe { pose::all(starts, path_count, Maps::Rigid, "starts") }?;
        let ends = unsafe { pose::all(ends, path_count, Maps::Rigid, "ends") }?;
        let path = |(start, end)| Path::between(start, end, [0.0; 3]);
        let paths: Vec<Path> = starts.iter().zip(&ends).map(path).collect::<Result<_, _>>()?;
        let options = or_default(options).checked()?;
        let out = unsafe { results(out_sweeps, path_count, "out_sweeps") }?;
        query.run(|query| {
            write_all(out, query.sweep_at(a, b, &paths, &options).iter().map(|&sweep| sweep.into()));
        })
    })
}

/// The exact first contact of a body that is shifted.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_shift_contact {
    /// False if there is none: all else is 0 then.
    pub found: bool,
    /// The greatest number up to the first time.
    pub free_until: f64,
    /// The least number from the first time on.
    pub meets_at: f64,
    /// The triangles that meet then.
    pub pair: impinge_pair,
}

/// Finds the exact first contact of a body at rest and another one that is shifted: at time t, from 0 to 1, by
/// t times three numbers. It also decides where bodies graze each other, which impinge_sweep() leaves open.
///
/// Errors: a number that is not finite or more than 2^300; IMPINGE_STATUS_UNSUPPORTED for a half-space, or a
/// body with a radius.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_first_shift_contact(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_body>,
    by: *const f64,
    out_contact: Option<&mut MaybeUninit<impinge_shift_contact>>,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, surface(a)?, surface(b)?);
        let (by, out) = (unsafe { vector(by, "by") }?, place(out_contact, "out_contact")?);
        let found = query.run(|query| query.first_shift_contact(&a, &b, by))??;
        let (time, pair) = found.map_or(([0.0; 2], [0; 2]), |contact| {
            ([contact.time.free_until, contact.time.meets_at], contact.pair)
        });
        let [free_until, meets_at] = time;
        out.write(impinge_shift_contact { found: found.is_some(), free_until, meets_at, pair: pair.into() });
        Ok(())
    })
}

/// The least distance of two bodies over all times.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_least_gap_result {
    /// False if a body has no triangles: all else is 0 then.
    pub found: bool,
    /// At no time are the bodies nearer than this.
    pub lo: f64,
    /// At some time they are no farther apart. 0 if and only if they come into contact.
    pub hi: f64,
    /// A time at which they are as near as `hi`.
    pub at: f64,
}

/// Computes the least distance of two bodies in motion over all times. Paths are those of impinge_sweep().
/// The margin of the settings is not used.
///
/// Errors: as impinge_sweep(); IMPINGE_STATUS_UNSUPPORTED for a half-space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_least_gap(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    path_a: *const impinge_pose,
    path_a_count: usize,
    b: Option<&impinge_body>,
    path_b: *const impinge_pose,
    path_b_count: usize,
    options: Option<&impinge_sweep_options>,
    out_gap: Option<&mut MaybeUninit<impinge_least_gap_result>>,
) -> impinge_status {
    call(|| {
        let query = exclusive(query)?;
        let a = unsafe { Travel::new(a, path_a, path_a_count, "path_a") }?;
        let b = unsafe { Travel::new(b, path_b, path_b_count, "path_b") }?;
        let (options, out) = (or_default(options).checked()?, place(out_gap, "out_gap")?);
        let (a, b) = (a.moving()?, b.moving()?);
        let found = query.run(|query| query.least_gap(a, b, &options))?;
        let (lo, hi, at) = found.map_or((0.0, 0.0, 0.0), |gap| (gap.lo, gap.hi, gap.at));
        out.write(impinge_least_gap_result { found: found.is_some(), lo, hi, at });
        Ok(())
    })
}
