//! Distances of bodies.
use crate::{
    body::{JsBody, ask},
    errors::error,
    model::JsModel,
    poses::{self, PoseNumbers},
    records::{Record, doubles, tuple},
};
use impinge::distance::{Accuracy, DistanceBounds, Margin};
use js_sys::Uint32Array;
use wasm_bindgen::{JsCast, prelude::*};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A distance, and two points that are so near. */
export interface Distance {
  /** The distance is no less. */
  lo: number;
  /** The distance is no more; 0 if and only if the bodies meet. */
  hi: number;
  /** A triangle of each body. */
  triangles: [number, number];
  /** A point of each triangle, in the world, rounded. */
  points: [Float64Array, Float64Array];
}
/** Distances at many poses; NaN without triangles. */
export interface Distances {
  lo: Float64Array;
  hi: Float64Array;
  /** Two each. */
  triangles: Uint32Array;
  /** Two points, 6 numbers each. */
  points: Float64Array;
}
/** Accuracy of a distance. */
export interface Accuracy {
  /** Gives no result for distances above this. */
  above?: number;
  /** Gives two neighbours in f64, or the one number. */
  exact?: boolean;
  /** Gives 0 if one solid is inside the other. */
  solids?: boolean;
  /** Allows an interval of this width, as a part of the distance. */
  rel?: number;
  /** Allows an interval of this width. */
  abs?: number;
}
"#;

#[wasm_bindgen]
extern "C" {
    /// A distance, or undefined.
    #[wasm_bindgen(typescript_type = "Distance | undefined")]
    pub type OptionalDistance;
    /// Distances at many poses.
    #[wasm_bindgen(typescript_type = "Distances")]
    pub type DistancesRecord;
    /// Accuracy of a distance.
    #[wasm_bindgen(typescript_type = "Accuracy")]
    pub type AccuracyRecord;

    #[wasm_bindgen(method, getter)]
    fn above(this: &AccuracyRecord) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn exact(this: &AccuracyRecord) -> Option<bool>;
    #[wasm_bindgen(method, getter)]
    fn solids(this: &AccuracyRecord) -> Option<bool>;
    #[wasm_bindgen(method, getter)]
    fn rel(this: &AccuracyRecord) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn abs(this: &AccuracyRecord) -> Option<f64>;
}

fn accuracy(wanted: Option<AccuracyRecord>) -> Result<Accuracy, impinge::Error> {
    let mut accuracy = Accuracy::new();
    let Some(wanted) = wanted else { return Ok(accuracy) };
    if let Some(above) = wanted.above() {
        accuracy = accuracy.above(Margin::new(above)?);
    }
    if wanted.exact() == Some(true) {
        accuracy = accuracy.exact();
    }
    if wanted.solids() == Some(true) {
        accuracy = accuracy.solids();
    }
    if let Some(rel) = wanted.rel() {
        accuracy = accuracy.rel(rel)?;
    }
    if let Some(abs) = wanted.abs() {
        accuracy = accuracy.abs(Margin::new(abs)?);
    }
    Ok(accuracy)
}

/// The distance of two bodies; undefined without triangles, or above `accuracy.above`. Surfaces count: a body
/// inside another is as far away as their surfaces are, unless `accuracy.solids` is set.
#[wasm_bindgen]
pub fn distance(
    a: &JsBody,
    b: &JsBody,
    accuracy: Option<AccuracyRecord>,
) -> Result<OptionalDistance, JsValue> {
    let accuracy = self::accuracy(accuracy).map_err(error)?;
    let (a, b) = (a.rounded()?, b.placed()?);
    let found = ask(|query| query.with_accuracy(accuracy).distance(&a, b.obstacle()));
    let record = found.map_or(JsValue::UNDEFINED, |found| {
        let points: js_sys::Array = found.points.iter().map(|point| doubles(point)).collect();
        let record = Record::new().with("lo", found.lo).with("hi", found.hi);
        record.with("triangles", tuple(&found.triangles)).with("points", points).into_js()
    });
    Ok(record.unchecked_into())
}

/// `distance` of a body and a model at each of many poses, 12 numbers each.
#[wasm_bindgen(js_name = distanceAt)]
pub fn distance_at(
    a: &JsBody,
    b: &JsModel,
    poses: &PoseNumbers,
    accuracy: Option<AccuracyRecord>,
    affine: Option<bool>,
) -> Result<DistancesRecord, JsValue> {
    let (accuracy, poses) =
        (self::accuracy(accuracy).map_err(error)?, poses::poses(poses, affine.unwrap_or(false))?);
    let a = a.placed()?;
    Ok(ask(|query| {
        let all = query.with_accuracy(accuracy).distance_at(a.obstacle(), &b.0, &poses);
        let number = |part: fn(&DistanceBounds) -> f64| -> Vec<f64> {
            all.iter().map(|one| one.as_ref().map_or(f64::NAN, part)).collect()
        };
        let triangles: Vec<[u32; 2]> =
            all.iter().map(|one| one.map_or([0; 2], |one| one.triangles)).collect();
        let points: Vec<[[f64; 3]; 2]> =
            all.iter().map(|one| one.map_or([[f64::NAN; 3]; 2], |one| one.points)).collect();
        Record::new()
            .with("lo", doubles(&number(|one| one.lo)))
            .with("hi", doubles(&number(|one| one.hi)))
            .with("triangles", Uint32Array::from(triangles.as_flattened()))
            .with("points", doubles(points.as_flattened().as_flattened()))
            .into_js()
    }))
}

/// Tests whether two bodies are at most a distance apart.
#[wasm_bindgen]
pub fn within(a: &JsBody, b: &JsBody, distance: f64) -> Result<bool, JsValue> {
    let margin = Margin::new(distance).map_err(error)?;
    let (a, b) = (a.rounded()?, b.placed()?);
    Ok(ask(|query| query.within(&a, b.obstacle(), margin)))
}

/// `within` of a body and a model at each of many poses, 12 numbers each: 1 or 0.
#[wasm_bindgen(js_name = withinAt)]
pub fn within_at(
    a: &JsBody,
    b: &JsModel,
    poses: &PoseNumbers,
    distance: f64,
    affine: Option<bool>,
) -> Result<Vec<u8>, JsValue> {
    let (margin, poses) =
        (Margin::new(distance).map_err(error)?, poses::poses(poses, affine.unwrap_or(false))?);
    let bytes = |near: &[bool]| near.iter().map(|&is_near| u8::from(is_near)).collect();
    let a = a.placed()?;
    Ok(ask(|query| bytes(query.within_at(a.obstacle(), &b.0, &poses, margin))))
}
