//! Shapes and margins of a scene's bodies.
use crate::{
    border::vector,
    handle::{exclusive, shared},
    model::impinge_model,
    points::finite_points,
    scene::impinge_scene,
    status::{Done, Failure, call, impinge_status},
};
use impinge::{HalfSpace, distance::Margin, model::Rebuild};

/// Gives a body another model, which it shares.
///
/// Errors: the scene has no such body; IMPINGE_STATUS_UNSUPPORTED for a half-space.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_scene_set_model(
    scene: Option<&mut impinge_scene>,
    body: u32,
    model: Option<&impinge_model>,
) -> impinge_status {
    call(|| {
        let (state, model) = (exclusive(scene)?, shared(model)?);
        Ok(state.scene.set_model(state.id(body)?, model.clone())?)
    })
}

/// Moves all points of a body's mesh, three numbers each. The tree is adapted, which takes less time than to
/// build it, or built again where that pays. Other bodies of the same model keep their shape.
///
/// Errors: the scene has no such body, another number of points than the mesh has, a coordinate that is not
/// finite; IMPINGE_STATUS_UNSUPPORTED for a half-space. The body is then as before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_scene_deform(
    scene: Option<&mut impinge_scene>,
    body: u32,
    points: *const f64,
    point_count: usize,
) -> impinge_status {
    call(|| {
        let (state, points) = (exclusive(scene)?, unsafe { finite_points(points, point_count) }?);
        state.scene.deform(state.id(body)?, points, Rebuild::default())?;
        Ok(())
    })
}

/// Moves a half-space: to all points x with normal . x <= offset.
///
/// Errors: the scene has no such body, a number that is NaN or infinite, a normal of length 0;
/// IMPINGE_STATUS_UNSUPPORTED for a body with a mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_scene_set_half_space(
    scene: Option<&mut impinge_scene>,
    body: u32,
    normal: *const f64,
    offset: f64,
) -> impinge_status {
    call(|| {
        let state = exclusive(scene)?;
        let half_space = HalfSpace::new(unsafe { vector(normal, "normal") }?, offset)?;
        Ok(state.scene.set_half_space(state.id(body)?, half_space)?)
    })
}

/// A margin; `None` if it is negative.
fn own_margin(margin: f64) -> Done<Option<Margin>> {
    if !margin.is_finite() {
        return Err(Failure::argument(format!("the margin is {margin}, which is no length")));
    }
    Ok(if margin < 0.0 { None } else { Some(Margin::new(margin)?) })
}

/// Sets the margin of one body, in place of that of impinge_scene_set_margin(); a negative one removes it.
///
/// Errors: the scene has no such body, a margin that is infinite or NaN.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_scene_set_body_margin(
    scene: Option<&mut impinge_scene>,
    body: u32,
    margin: f64,
) -> impinge_status {
    call(|| {
        let (state, margin) = (exclusive(scene)?, own_margin(margin)?);
        Ok(state.scene.set_body_margin(state.id(body)?, margin)?)
    })
}

/// Sets the margin of a pair of bodies, in place of all others; a negative one removes it.
///
/// Errors: the scene has no such body, a margin that is infinite or NaN.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_scene_set_pair_margin(
    scene: Option<&mut impinge_scene>,
    a: u32,
    b: u32,
    margin: f64,
) -> impinge_status {
    call(|| {
        let (state, margin) = (exclusive(scene)?, own_margin(margin)?);
        Ok(state.scene.set_pair_margin([state.id(a)?, state.id(b)?], margin)?)
    })
}
