//! Poses.
use crate::{
    arrays,
    errors::{error, type_error},
};
use impinge::Pose;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const POSES: &str = r#"
/** The map x -> R x + t of a mesh's frame to the world, exactly as given: 12 numbers, the rows of (R | t); or
 *  16 numbers, a 4x4 matrix column by column, as those of three.js, glTF and WebGL. */
export type PoseNumbers = Numbers;
"#;

#[wasm_bindgen]
extern "C" {
    /// 12 or 16 numbers.
    #[wasm_bindgen(typescript_type = "PoseNumbers")]
    pub type PoseNumbers;
}

fn pose_of(m: &[f64; 12], affine: bool) -> Result<Pose, impinge::Error> {
    let [a, b, c, x, d, e, f, y, g, h, i, z] = *m;
    let (rows, translation) = ([[a, b, c], [d, e, f], [g, h, i]], [x, y, z]);
    if affine { Pose::affine(rows, translation) } else { Pose::rigid(rows, translation) }
}

/// A pose from 12 or 16 numbers.
pub(crate) fn pose(from: &JsValue, affine: bool) -> Result<Pose, JsValue> {
    let found = arrays::numbers("pose", from)?;
    let rows = if let Ok(rows) = <[f64; 12]>::try_from(&*found) {
        rows
    } else if let Ok(m) = <[f64; 16]>::try_from(&*found) {
        let [w0, w1, w2, w3] = [m[3], m[7], m[11], m[15]];
        if [w0, w1, w2, w3] != [0.0, 0.0, 0.0, 1.0] {
            return Err(error(format!(
                "the last row of the pose is {w0} {w1} {w2} {w3}, not 0 0 0 1; 16 numbers go column by column"
            )));
        }
        std::array::from_fn(|k| m[4 * (k % 4) + k / 4])
    } else {
        return Err(type_error(format!("pose must be 12 or 16 numbers, not {}", found.len())));
    };
    pose_of(&rows, affine).map_err(error)
}

/// Poses, 12 numbers each.
#[cfg(feature = "query")]
pub(crate) fn poses(from: &JsValue, affine: bool) -> Result<Vec<Pose>, JsValue> {
    let found = arrays::numbers("poses", from)?;
    let (rows, rest) = found.as_chunks::<12>();
    if !rest.is_empty() {
        let text = format!("poses must have 12 numbers each: {} is no multiple of 12", found.len());
        return Err(type_error(text));
    }
    let pose = |(at, m)| pose_of(m, affine).map_err(|why| error(format!("pose {at}: {why}")));
    rows.iter().enumerate().map(pose).collect()
}

/// The 12 numbers of a pose.
#[cfg(feature = "query")]
pub(crate) fn numbers(pose: &Pose) -> [f64; 12] {
    let ([a, b, c], t) = (pose.rows(), pose.translation());
    [a[0], a[1], a[2], t[0], b[0], b[1], b[2], t[1], c[0], c[1], c[2], t[2]]
}
