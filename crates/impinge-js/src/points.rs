//! Queries about points.
use crate::{
    arrays::{self, Numbers, Point},
    body::{JsBody, ask},
    records::{Record, doubles},
};
use impinge::{distance::ClosestPoint, solid::Location};
use js_sys::Uint32Array;
use wasm_bindgen::{JsCast, prelude::*};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** The point of a body that is nearest to a point. */
export interface ClosestPoint {
  /** The distance is no less. */
  lo: number;
  /** The distance is no more. */
  hi: number;
  triangle: number;
  /** A point of the triangle, in the world, rounded. */
  point: Float64Array;
}
/** Nearest points of many points; NaN without triangles. */
export interface ClosestPoints {
  lo: Float64Array;
  hi: Float64Array;
  triangles: Uint32Array;
  /** 3 numbers each. */
  points: Float64Array;
}
"#;

#[wasm_bindgen]
extern "C" {
    /// A nearest point, or undefined.
    #[wasm_bindgen(typescript_type = "ClosestPoint | undefined")]
    pub type OptionalClosestPoint;
    /// Nearest points of many points.
    #[wasm_bindgen(typescript_type = "ClosestPoints")]
    pub type ClosestPointsRecord;
}

/// The point of a body that is nearest to a point; undefined without triangles, or if the point is not finite.
#[wasm_bindgen(js_name = closestPoint)]
pub fn closest_point(body: &JsBody, point: &Point) -> Result<OptionalClosestPoint, JsValue> {
    let point = arrays::point("point", point)?;
    let body = body.rounded()?;
    let found = ask(|query| query.closest_point(&body, point));
    let record = found.map_or(JsValue::UNDEFINED, |found| {
        let record = Record::new().with("lo", found.lo).with("hi", found.hi);
        record.with("triangle", found.triangle).with("point", doubles(&found.point)).into_js()
    });
    Ok(record.unchecked_into())
}

/// `closestPoint` of each of many points, 3 numbers each.
#[wasm_bindgen(js_name = closestPoints)]
pub fn closest_points(body: &JsBody, points: &Numbers) -> Result<ClosestPointsRecord, JsValue> {
    let points = arrays::points("points", points)?;
    let body = body.rounded()?;
    Ok(ask(|query| {
        let all = query.closest_points(&body, &points);
        let number = |part: fn(&ClosestPoint) -> f64| -> Vec<f64> {
            all.iter().map(|one| one.as_ref().map_or(f64::NAN, part)).collect()
        };
        let triangles: Vec<u32> = all.iter().map(|one| one.map_or(0, |one| one.triangle)).collect();
        let nearest: Vec<[f64; 3]> =
            all.iter().map(|one| one.map_or([f64::NAN; 3], |one| one.point)).collect();
        Record::new()
            .with("lo", doubles(&number(|one| one.lo)))
            .with("hi", doubles(&number(|one| one.hi)))
            .with("triangles", Uint32Array::from(&*triangles))
            .with("points", doubles(nearest.as_flattened()))
            .into_js()
    }))
}

/// Where each of many points lies, 3 numbers each: 0 outside of the solid, 1 inside, 2 on the surface, 3 if the
/// mesh is not closed, so that nothing is inside.
#[wasm_bindgen]
pub fn locate(body: &JsBody, points: &Numbers) -> Result<Vec<u8>, JsValue> {
    let points = arrays::points("points", points)?;
    let number = |location: &Location| match location {
        Location::Outside => 0,
        Location::Inside => 1,
        Location::OnSurface => 2,
        Location::Undefined => 3,
    };
    let body = body.rounded()?;
    Ok(ask(|query| query.locate(&body, &points).iter().map(number).collect()))
}
