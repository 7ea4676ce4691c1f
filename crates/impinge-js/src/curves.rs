//! Curves along which surfaces meet. They are in the module of checks, which needs them for contacts: in that of
//! queries they would take 170 kB.
use crate::{
    check::{CheckInput, mesh_at},
    records::{Record, doubles, tuple},
};
use impinge::{Body, BuildOptions, Model, Pose, Quality, Query};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Where the surfaces of two bodies meet. Points are in the world, rounded, 3 numbers each. */
export interface Curves {
  /** The points of each line. A closed line ends with its first point. */
  lines: Float64Array[];
  /** Single points, near which the surfaces meet nowhere else. */
  points: Float64Array;
  /** Number of plane parts of both surfaces. */
  patches: number;
  /** The length of all lines. */
  length: [lo: number, hi: number];
  /** The area of all patches. */
  area: [lo: number, hi: number];
}
"#;

#[wasm_bindgen]
extern "C" {
    /// Where the surfaces of two bodies meet.
    #[wasm_bindgen(typescript_type = "Curves")]
    pub type CurvesRecord;
}

/// The lines, points and plane parts in which the surfaces of two parts meet. Trees are built for this call.
#[wasm_bindgen]
pub fn curves(a: &CheckInput, b: &CheckInput) -> Result<CurvesRecord, JsValue> {
    let model = |name, input| -> Result<(Model, Pose), JsValue> {
        let (mesh, pose) = mesh_at(name, input)?;
        Ok((Model::with_options(mesh, &BuildOptions::new().quality(Quality::OnDemand)), pose))
    };
    let [a, b] = [model("a", a)?, model("b", b)?];
    let [a, b] = [&a, &b].map(|(model, pose)| Body::new(model, *pose));
    let mut query = Query::new();
    let found = query.curves(&a, &b);
    let point = |&node: &u32| found.nodes()[node as usize].point;
    let lines = found.lines().map(|line| {
        let closing = line.nodes.first().filter(|_| line.closed);
        let points: Vec<[f64; 3]> = line.nodes.iter().chain(closing).map(point).collect();
        doubles(points.as_flattened())
    });
    let points: Vec<[f64; 3]> = found.points().iter().map(point).collect();
    Ok(Record::new()
        .with("lines", lines.collect::<js_sys::Array>())
        .with("points", doubles(points.as_flattened()))
        .with("patches", found.patches().len() as u32)
        .with("length", tuple(&found.length()))
        .with("area", tuple(&found.area()))
        .into_js())
}
