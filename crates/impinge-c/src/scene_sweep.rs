//! A body that moves among the others of a scene.
use crate::{
    border::{or_default, place},
    handle::{exclusive, shared},
    motion::{impinge_sweep_options, impinge_sweep_result},
    pose::{self, Maps, impinge_pose},
    query::impinge_query,
    scene::impinge_scene,
    status::{call, impinge_status},
};
use impinge::path::Path;
use std::mem::MaybeUninit;

/// The result of impinge_scene_sweep().
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_scene_sweep_result {
    /// The result for the body that is met, or undecided, first. Its pair is a triangle of that body and one
    /// of the moving body.
    pub sweep: impinge_sweep_result,
    /// True if there is such a body.
    pub found: bool,
    /// Its id; 0 without one.
    pub other: u32,
}

/// Finds the first contact of a body that moves along a path, as in impinge_sweep(), while all others rest.
///
/// The body's own pose is not used, and the scene does not change. Filters, allowed pairs and radii count.
/// The margin is that of the settings.
///
/// Errors: the scene has no such body, a path of fewer than two poses, a pose that is not rigid, a setting
/// that is out of range; IMPINGE_STATUS_UNSUPPORTED for a half-space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_scene_sweep(
    scene: Option<&impinge_scene>,
    query: Option<&mut impinge_query>,
    body: u32,
    path: *const impinge_pose,
    path_count: usize,
    options: Option<&impinge_sweep_options>,
    out_sweep: Option<&mut MaybeUninit<impinge_scene_sweep_result>>,
) -> impinge_status {
    call(|| {
        let (state, query) = (shared(scene)?, exclusive(query)?);
        let poses = unsafe { pose::all(path, path_count, Maps::Rigid, "path") }?;
        let (path, body) = (Path::piecewise(&poses)?, state.id(body)?);
        let (options, out) = (or_default(options).checked()?, place(out_sweep, "out_sweep")?);
        let found = query.run(|query| state.scene.sweep(query, body, &path, &options))??;
        out.write(impinge_scene_sweep_result {
            sweep: found.sweep.into(),
            found: found.other.is_some(),
            other: found.other.map_or(0, |other| state.number(other)),
        });
        Ok(())
    })
}
