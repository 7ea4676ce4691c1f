//! Triangles in a convex region.
use crate::{
    arrays::{self, Numbers},
    body::{JsBody, ask},
    errors::error,
};
use impinge::{HalfSpace, regions::InRegion};
use wasm_bindgen::prelude::*;

/// The triangles of a body in the intersection of half-spaces, such as a box or a frustum, sorted. Each plane is
/// 4 numbers: the normal, which points out, and the offset of normal . x <= offset. With `wholly`, triangles that
/// lie in it wholly; else one point in it is enough.
#[wasm_bindgen(js_name = trianglesIn)]
pub fn triangles_in(body: &JsBody, planes: &Numbers, wholly: Option<bool>) -> Result<Vec<u32>, JsValue> {
    let body = body.surface()?;
    let planes = arrays::rows::<_, 4>("planes", arrays::numbers("planes", planes)?)?;
    let half_space = |(at, &[x, y, z, offset]): (usize, &[f64; 4])| {
        HalfSpace::new([x, y, z], offset).map_err(|why| error(format!("plane {at}: {why}")))
    };
    let planes: Vec<HalfSpace> = planes.iter().enumerate().map(half_space).collect::<Result<_, _>>()?;
    let which = if wholly == Some(true) { InRegion::Wholly } else { InRegion::Partly };
    Ok(ask(|query| query.triangles_in(&body, &planes, which).to_vec()))
}
