//! Queries for distances.
use crate::{
    body::{impinge_body, mesh, placed},
    border::{Buffer, or_default, place, results, write_all},
    handle::{exclusive, shared},
    model::impinge_model,
    pairs::{impinge_contact, impinge_pair},
    pose::impinge_pose,
    query::impinge_query,
    status::{Done, call, impinge_status},
};
use impinge::distance::{Accuracy, DistanceBounds, Margin};
use std::mem::MaybeUninit;

/// The accuracy of a distance. Start with impinge_accuracy_default().
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_accuracy {
    /// The interval may be as wide as this part of the distance. 0: as narrow as floating point gives.
    pub relative: f64,
    /// The interval may be as wide as this length; with `relative` the wider one counts.
    pub absolute: f64,
    /// A distance greater than this is not found. INFINITY: no limit.
    pub above: f64,
    /// True for an interval of two neighbours in double, or one number; then the widths have no effect.
    pub exact: bool,
    /// True if the distance of solids, one inside the other, is 0. It has no effect on a point.
    pub solids: bool,
}

impl Default for impinge_accuracy {
    fn default() -> Self {
        Self { relative: 0.0, absolute: 0.0, above: f64::INFINITY, exact: false, solids: false }
    }
}

impl impinge_accuracy {
    fn checked(&self) -> Done<Accuracy> {
        let mut accuracy = Accuracy::new().rel(self.relative)?.abs(Margin::new(self.absolute)?);
        if self.above != f64::INFINITY {
            accuracy = accuracy.above(Margin::new(self.above)?);
        }
        if self.exact {
            accuracy = accuracy.exact();
        }
        Ok(if self.solids { accuracy.solids() } else { accuracy })
    }
}

/// An accuracy of C; the default for NULL.
pub(crate) fn accuracy(accuracy: Option<&impinge_accuracy>) -> Done<Accuracy> {
    or_default(accuracy).checked()
}

/// The distance of two bodies.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_distance_result {
    /// False if a body has no triangles, or if the distance is greater than `above`: all else is 0 then.
    pub found: bool,
    /// Lower bound of the distance.
    pub lo: f64,
    /// Upper bound of the distance. 0 if and only if the bodies meet.
    pub hi: f64,
    /// Triangles that are so near.
    pub triangles: impinge_pair,
    /// The nearest point of the first body, rounded.
    pub point_a: [f64; 3],
    /// The nearest point of the second body, rounded.
    pub point_b: [f64; 3],
}

impl From<Option<DistanceBounds>> for impinge_distance_result {
    fn from(found: Option<DistanceBounds>) -> Self {
        let none = [[0.0; 3]; 2];
        let (lo, hi, triangles, [point_a, point_b]) =
            found.map_or((0.0, 0.0, [0; 2], none), |d| (d.lo, d.hi, d.triangles, d.points));
        Self { found: found.is_some(), lo, hi, triangles: triangles.into(), point_a, point_b }
    }
}

/// Returns the default accuracy: all that floating point gives, without a limit.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_accuracy_default() -> impinge_accuracy {
    impinge_accuracy::default()
}

/// Decides, exactly, whether two bodies are no further apart than a margin.
///
/// Errors: a margin that is negative, infinite or NaN.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_within(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_body>,
    margin: f64,
    out_near: Option<&mut MaybeUninit<bool>>,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, mesh(a)?.rounded()?, placed(b)?);
        let (margin, out) = (Margin::new(margin)?, place(out_near, "out_near")?);
        out.write(query.run(|query| query.within(&a, b.obstacle(), margin))?);
        Ok(())
    })
}

/// Finds a pair of triangles no further apart than a margin. Which one is unspecified.
///
/// Errors: a margin that is negative, infinite or NaN.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_first_within(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_body>,
    margin: f64,
    out_contact: Option<&mut MaybeUninit<impinge_contact>>,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, mesh(a)?.rounded()?, placed(b)?);
        let (margin, out) = (Margin::new(margin)?, place(out_contact, "out_contact")?);
        out.write(query.run(|query| query.first_within(&a, b.obstacle(), margin))?.into());
        Ok(())
    })
}

/// Decides impinge_within() for a body, which may be a half-space, and a model at each of many poses. Writes
/// one result for each pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_within_at(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_model>,
    poses: *const impinge_pose,
    pose_count: usize,
    margin: f64,
    out_near: *mut bool,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, placed(a)?, shared(b)?);
        let poses = unsafe { query.poses(poses, pose_count) }?;
        let out = unsafe { results(out_near, pose_count, "out_near") }?;
        let margin = Margin::new(margin)?;
        query.run(|query| {
            write_all(out, query.within_at(a.obstacle(), b, &poses, margin).iter().copied());
        })
    })
}

/// Finds all pairs of triangles no further apart than a margin, sorted.
///
/// Errors: a margin that is negative, infinite or NaN; IMPINGE_STATUS_BUFFER_TOO_SMALL. A capacity of 0 only
/// counts, without memory for a list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_pairs_within(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_body>,
    margin: f64,
    pairs: *mut impinge_pair,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, mesh(a)?.rounded()?, placed(b)?);
        let margin = Margin::new(margin)?;
        let buffer = unsafe { Buffer::new(pairs, capacity, out_count) }?;
        query.run(|query| {
            if buffer.capacity() == 0 {
                let found = query.pairs_within_at_most(&a, b.obstacle(), margin, 0, &mut Vec::new());
                return buffer.only_count(found.count);
            }
            let found = query.pairs_within(&a, b.obstacle(), margin);
            buffer.fill(found.iter().map(|&pair| pair.into()))
        })?
    })
}

/// Computes the distance of two bodies. NULL as the accuracy is the default.
///
/// Errors: an accuracy that is negative or NaN.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_distance(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_body>,
    accuracy: Option<&impinge_accuracy>,
    out_distance: Option<&mut MaybeUninit<impinge_distance_result>>,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, mesh(a)?.rounded()?, placed(b)?);
        let (accuracy, out) = (self::accuracy(accuracy)?, place(out_distance, "out_distance")?);
        out.write(query.run(|query| query.with_accuracy(accuracy).distance(&a, b.obstacle()))?.into());
        Ok(())
    })
}

/// Computes impinge_distance() of a body, which may be a half-space, and a model at each of many poses.
/// Writes one result for each pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_distance_at(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_model>,
    poses: *const impinge_pose,
    pose_count: usize,
    accuracy: Option<&impinge_accuracy>,
    out_distances: *mut impinge_distance_result,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, placed(a)?, shared(b)?);
        let poses = unsafe { query.poses(poses, pose_count) }?;
        let out = unsafe { results(out_distances, pose_count, "out_distances") }?;
        let accuracy = self::accuracy(accuracy)?;
        query.run(|query| {
            let found = query.with_accuracy(accuracy).distance_at(a.obstacle(), b, &poses);
            write_all(out, found.iter().map(|&distance| distance.into()));
        })
    })
}
