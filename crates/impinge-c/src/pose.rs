//! Poses.
use crate::{
    border::{groups, list, place, vector},
    status::{Done, call, impinge_status},
};
use impinge::Pose;
use std::mem::MaybeUninit;

/// A rigid pose: x is placed at R x + t. The twelve numbers are taken as exact.
///
/// R must be a rotation up to 1e-6: no entry of R^T R differs more from the identity, and it mirrors nothing.
/// impinge_pose_nearest_rigid() repairs a matrix that is further off by rounding.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct impinge_pose {
    /// R, row by row.
    pub rotation: [[f64; 3]; 3],
    /// t.
    pub translation: [f64; 3],
}

impl From<Pose> for impinge_pose {
    fn from(pose: Pose) -> Self {
        let [x, y, z, _] = pose.to_matrix();
        Self {
            rotation: [[x[0], x[1], x[2]], [y[0], y[1], y[2]], [z[0], z[1], z[2]]],
            translation: [x[3], y[3], z[3]],
        }
    }
}

impl impinge_pose {
    fn checked(&self) -> Done<Pose> {
        Ok(Pose::rigid(self.rotation, self.translation)?)
    }
}

/// A pose of C; the identity for NULL.
pub(crate) fn checked(pose: Option<&impinge_pose>) -> Done<Pose> {
    pose.map_or(Ok(Pose::IDENTITY), impinge_pose::checked)
}

/// Poses of C.
///
/// # Safety
/// As [`list`].
pub(crate) unsafe fn all(poses: *const impinge_pose, count: usize, what: &str) -> Done<Vec<Pose>> {
    // SAFETY: the caller's promise.
    let poses = unsafe { list(poses, count, what) }?;
    let checked = |(i, pose): (usize, &impinge_pose)| {
        pose.checked().map_err(|failure| failure.at(format_args!("{what}[{i}]")))
    };
    poses.iter().enumerate().map(checked).collect()
}

/// Returns the pose that only translates. (0, 0, 0) gives the identity.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_pose_at(x: f64, y: f64, z: f64) -> impinge_pose {
    impinge_pose { rotation: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], translation: [x, y, z] }
}

/// Makes a pose from a quaternion (x, y, z, w), which may have any length but 0, and a translation of three
/// numbers. Rounded to double.
///
/// Errors: a number that is NaN or infinite, a quaternion of length 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_pose_from_quaternion(
    quaternion: *const f64,
    translation: *const f64,
    out_pose: Option<&mut MaybeUninit<impinge_pose>>,
) -> impinge_status {
    call(|| {
        let out = place(out_pose, "out_pose")?;
        let quaternion = unsafe { groups(quaternion, 1, "quaternion") }?[0];
        let translation = unsafe { vector(translation, "translation") }?;
        out.write(Pose::from_quaternion(quaternion, translation)?.into());
        Ok(())
    })
}

/// Makes the nearest rigid pose of one whose rotation is off by rounding, such as a product of many.
///
/// Errors: a number that is NaN or infinite, a mirror, a matrix that is far from any rotation.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_pose_nearest_rigid(
    pose: Option<&impinge_pose>,
    out_pose: Option<&mut MaybeUninit<impinge_pose>>,
) -> impinge_status {
    call(|| {
        let pose = pose.ok_or_else(|| crate::border::is_null("pose"))?;
        let nearest = Pose::nearest_rigid(pose.rotation, pose.translation)?;
        place(out_pose, "out_pose")?.write(nearest.into());
        Ok(())
    })
}

/// Composes two poses: first `pose`, then `next`. NULL is the identity. Rounded to double.
///
/// Errors: a pose that is not rigid, a number that is too large.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_pose_then(
    pose: Option<&impinge_pose>,
    next: Option<&impinge_pose>,
    out_pose: Option<&mut MaybeUninit<impinge_pose>>,
) -> impinge_status {
    call(|| {
        let (first, next) = (checked(pose)?, checked(next)?);
        place(out_pose, "out_pose")?.write(first.then(&next)?.into());
        Ok(())
    })
}

/// Inverts a pose. Rounded to double.
///
/// Errors: a pose that is not rigid, a number that is too large.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_pose_inverse(
    pose: Option<&impinge_pose>,
    out_pose: Option<&mut MaybeUninit<impinge_pose>>,
) -> impinge_status {
    call(|| {
        let inverse = checked(pose)?.inverse()?;
        place(out_pose, "out_pose")?.write(inverse.into());
        Ok(())
    })
}
