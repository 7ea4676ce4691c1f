//! Poses.
use crate::{
    border::{groups, is_null, list, vector},
    status::{Done, call, impinge_status},
};
use impinge::Pose;

/// A pose: x is placed at R x + t. The twelve numbers are taken as exact.
///
/// R must be a rotation up to 1e-6: no entry of R^T R differs more from the identity, and it mirrors nothing.
/// impinge_pose_nearest_rigid() repairs a matrix that is further off by rounding.
///
/// The `_affine` functions of bodies, queries, scenes and assemblies allow affine poses: R then may scale,
/// shear and mirror, and only has to be invertible.
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

/// The maps that are taken as poses.
#[derive(Clone, Copy, Default)]
pub(crate) enum Maps {
    #[default]
    Rigid,
    /// Maps that scale, shear or mirror, too.
    Affine,
}

impl impinge_pose {
    fn checked(&self, maps: Maps) -> Done<Pose> {
        Ok(match maps {
            Maps::Rigid => Pose::rigid(self.rotation, self.translation)?,
            Maps::Affine => Pose::affine(self.rotation, self.translation)?,
        })
    }
}

/// A pose that C passes; `None` for NULL. It is copied, as the result of the call may be in its place.
///
/// # Safety
/// The pointer is valid for a pose, or NULL.
unsafe fn copied(pose: *const impinge_pose) -> Option<impinge_pose> {
    // SAFETY: the caller's promise.
    unsafe { pose.as_ref() }.copied()
}

/// Writes a pose.
///
/// # Safety
/// The pointer is valid for a pose, or NULL.
unsafe fn write(out: *mut impinge_pose, pose: Pose) -> Done {
    if out.is_null() {
        return Err(is_null("out_pose"));
    }
    // SAFETY: the caller's promise.
    unsafe { out.write(pose.into()) };
    Ok(())
}

/// A pose of C; the identity for NULL.
pub(crate) fn checked(pose: Option<&impinge_pose>, maps: Maps) -> Done<Pose> {
    pose.map_or(Ok(Pose::IDENTITY), |pose| pose.checked(maps))
}

fn rigid(pose: Option<&impinge_pose>) -> Done<Pose> {
    checked(pose, Maps::Rigid)
}

/// Poses of C.
///
/// # Safety
/// As [`list`].
pub(crate) unsafe fn all(
    poses: *const impinge_pose,
    count: usize,
    maps: Maps,
    what: &str,
) -> Done<Vec<Pose>> {
    // SAFETY: the caller's promise.
    let poses = unsafe { list(poses, count, what) }?;
    let checked = |(i, pose): (usize, &impinge_pose)| {
        pose.checked(maps).map_err(|failure| failure.at(format_args!("{what}[{i}]")))
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
    out_pose: *mut impinge_pose,
) -> impinge_status {
    call(|| {
        let quaternion = unsafe { groups(quaternion, 1, "quaternion") }?[0];
        let translation = unsafe { vector(translation, "translation") }?;
        unsafe { write(out_pose, Pose::from_quaternion(quaternion, translation)?) }
    })
}

/// Makes the nearest rigid pose of one whose rotation is off by rounding, such as a product of many.
///
/// Errors: a number that is NaN or infinite, a mirror, a matrix that is far from any rotation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_pose_nearest_rigid(
    pose: *const impinge_pose,
    out_pose: *mut impinge_pose,
) -> impinge_status {
    call(|| {
        let pose = unsafe { copied(pose) }.ok_or_else(|| is_null("pose"))?;
        unsafe { write(out_pose, Pose::nearest_rigid(pose.rotation, pose.translation)?) }
    })
}

/// Composes two poses: first `pose`, then `next`. NULL is the identity. Rounded to double.
///
/// Errors: a pose that is not rigid, a number that is too large.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_pose_then(
    pose: *const impinge_pose,
    next: *const impinge_pose,
    out_pose: *mut impinge_pose,
) -> impinge_status {
    call(|| {
        let [first, next] = [unsafe { copied(pose) }, unsafe { copied(next) }];
        unsafe { write(out_pose, rigid(first.as_ref())?.then(&rigid(next.as_ref())?)?) }
    })
}

/// Inverts a pose. Rounded to double.
///
/// Errors: a pose that is not rigid, a number that is too large.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_pose_inverse(
    pose: *const impinge_pose,
    out_pose: *mut impinge_pose,
) -> impinge_status {
    call(|| {
        let pose = unsafe { copied(pose) };
        unsafe { write(out_pose, rigid(pose.as_ref())?.inverse()?) }
    })
}
