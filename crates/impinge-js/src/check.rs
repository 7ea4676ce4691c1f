//! The check of an assembly.
use crate::{
    arrays,
    errors::{error, type_error},
    poses, progress,
    report::JsReport,
    today::today,
};
use impinge::{Mesh, Pose};
use impinge_check::{Assembly, Check, Part, Rules, Unit, records::DepthOf};
use impinge_io::Options;
use std::path::Path;
use wasm_bindgen::{JsCast, prelude::*};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A file in memory: STL, OBJ, PLY, OFF, GLB, 3MF, DAE or a bundle of impinge. The content shows the format, or
 *  else the name. */
export interface CheckFile {
  name: string;
  bytes: Uint8Array;
}
/** A part in memory. */
export interface CheckPart {
  name: string;
  /** 3 numbers each. */
  points: Numbers;
  /** 3 indices each. */
  triangles: Integers;
  /** It may scale, shear or mirror [default: the identity]. */
  pose?: PoseNumbers;
}
/** Settings of a check. Lengths are in the unit of the coordinates. */
export interface CheckOptions {
  /** Unit of files that state none: "mm", "m", "in", ... */
  unit?: string;
  /** Relations that count as findings [default: all but "touch"]. */
  report?: string[];
  /** Pairs at most so far apart are findings, too. */
  clearance?: number;
  /** Overlaps that a shift of this length removes are no findings. */
  tolerance?: number;
  /** The largest distance of triangles and true surface, either way. */
  chord?: number;
  /** Clashes whose depth to measure [default: "counted"]. */
  depth?: "counted" | "all" | "none";
  /** Compares surfaces only, without insides. */
  surfaces?: boolean;
  /** Measures where parts touch. */
  contacts?: boolean;
  /** Finds parts that touch nothing. */
  floating?: boolean;
  /** Finds meshes that cross themselves. */
  selfIntersections?: boolean;
  /** The text of a rules file. */
  rules?: string;
}
/** Progress of a check: a stage, the work done, and all of it, in bytes, triangles or pairs. An error that it
 *  throws ends the check. */
export type OnProgress = (stage: string, done: number, total: number) => void;
"#;

#[wasm_bindgen]
extern "C" {
    /// A file or a part.
    #[wasm_bindgen(typescript_type = "CheckFile | CheckPart")]
    pub type CheckInput;
    #[wasm_bindgen(method, getter)]
    fn name(this: &CheckInput) -> JsValue;
    // The page reads a file only then, which can fail.
    #[wasm_bindgen(catch, method, getter)]
    fn bytes(this: &CheckInput) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn points(this: &CheckInput) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn triangles(this: &CheckInput) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn pose(this: &CheckInput) -> JsValue;

    /// Settings of a check.
    #[wasm_bindgen(typescript_type = "CheckOptions")]
    pub type CheckOptions;
    #[wasm_bindgen(method, getter)]
    fn unit(this: &CheckOptions) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn report(this: &CheckOptions) -> Option<Vec<String>>;
    #[wasm_bindgen(method, getter)]
    fn clearance(this: &CheckOptions) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn tolerance(this: &CheckOptions) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn chord(this: &CheckOptions) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn depth(this: &CheckOptions) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn surfaces(this: &CheckOptions) -> Option<bool>;
    #[wasm_bindgen(method, getter)]
    fn contacts(this: &CheckOptions) -> Option<bool>;
    #[wasm_bindgen(method, getter)]
    fn floating(this: &CheckOptions) -> Option<bool>;
    #[wasm_bindgen(method, getter, js_name = selfIntersections)]
    fn self_intersections(this: &CheckOptions) -> Option<bool>;
    #[wasm_bindgen(method, getter)]
    fn rules(this: &CheckOptions) -> Option<String>;

    /// A function that receives progress.
    #[wasm_bindgen(typescript_type = "OnProgress")]
    pub type OnProgress;
}

/// The settings, in words that an error names.
fn check_of(options: &CheckOptions) -> Result<Check, String> {
    let mut check = Check::new();
    if let Some(unit) = options.unit() {
        check = check.unit(Some(unit.parse::<Unit>().map_err(|why| format!("unit: '{unit}' is {why}"))?));
    }
    if let Some(report) = options.report() {
        check = check.relations(report.join(",").parse().map_err(|why| format!("report: {why}"))?);
    }
    check = match options.depth().as_deref() {
        None | Some("counted") => check,
        Some("all") => check.depth(DepthOf::All),
        Some("none") => check.depth(DepthOf::None),
        Some(other) => return Err(format!("depth must be 'counted', 'all' or 'none', not '{other}'")),
    };
    check = options.clearance().into_iter().fold(check, Check::clearance);
    check = options.tolerance().into_iter().fold(check, Check::tolerance);
    check = options.chord().into_iter().fold(check, Check::chord);
    if let Some(text) = options.rules() {
        let rules = Rules::parse("rules", &text).map_err(|why| why.to_string())?;
        check = check.rules(rules, today());
    }
    let is = |wanted: Option<bool>| wanted == Some(true);
    let check = check.surfaces(is(options.surfaces())).contacts(is(options.contacts()));
    let check = check.floating(is(options.floating())).self_intersections(is(options.self_intersections()));
    check.validate().map_err(|why| why.to_string())?;
    Ok(check)
}

/// Adds a file or a part to an assembly.
fn add(assembly: &mut Assembly, number: usize, input: &CheckInput) -> Result<(), JsValue> {
    // Fields of what is no object are an exception of JavaScript.
    if !input.is_object() {
        return Err(type_error(format!("input {number} must be a file or a part")));
    }
    let name = input.name().as_string();
    let name = name.ok_or_else(|| type_error(format!("input {number} has no name")))?;
    let bytes = input.bytes()?;
    if !bytes.is_undefined() {
        let Some(bytes) = bytes.dyn_ref::<js_sys::Uint8Array>() else {
            return Err(type_error(format!("{name}: bytes must be a Uint8Array")));
        };
        progress::stage(&format!("read {name}"), f64::from(bytes.length()))?;
        let bytes = bytes.to_vec();
        let read = impinge_io::read_from(&*bytes, Path::new(&name), None, &Options::new());
        assembly.append(read.map_err(error)?);
        return Ok(());
    }
    let (mesh, pose) = mesh_at(&name, input)?;
    let part = Part::from_mesh_at(&*name, mesh, pose).map_err(|why| error(format!("{name}: {why}")))?;
    assembly.push(part);
    Ok(())
}

/// The mesh and the pose of a part.
pub(crate) fn mesh_at(name: &str, input: &CheckInput) -> Result<(Mesh, Pose), JsValue> {
    let mesh = Mesh::new(
        arrays::points("points", &input.points())?,
        arrays::triangles("triangles", &input.triangles())?,
    );
    let mesh = mesh.map_err(|why| error(format!("{name}: {why}")))?;
    let pose = match input.pose() {
        none if none.is_undefined() => Pose::IDENTITY,
        pose => poses::pose(&pose, true)?,
    };
    Ok((mesh, pose))
}

/// Compares every pair of parts of an assembly. The call blocks until it is done: call it in a worker. Throws
/// if a file is broken or a setting is wrong.
#[wasm_bindgen]
pub fn check(
    inputs: Vec<CheckInput>,
    options: Option<CheckOptions>,
    #[wasm_bindgen(js_name = onProgress)] on_progress: Option<OnProgress>,
) -> Result<JsReport, JsValue> {
    let check = options.map_or_else(|| Ok(Check::new()), |options| check_of(&options)).map_err(error)?;
    let on_progress = on_progress.map(|function| function.unchecked_into());
    progress::with(on_progress, |watch| {
        let mut assembly = Assembly::new();
        for (number, input) in inputs.iter().enumerate() {
            add(&mut assembly, number, input)?;
        }
        check.run(assembly, watch).map(JsReport::new).map_err(error)
    })
}
