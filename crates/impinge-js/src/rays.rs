//! Queries about rays.
use crate::{
    arrays::{self, Numbers, Point},
    body::{JsBody, ask},
    errors::{error, type_error},
    records::{Record, doubles, tuple},
};
use impinge::rays::{Ray, RayHit};
use js_sys::{Float64Array, Int8Array, Int32Array};
use wasm_bindgen::{JsCast, prelude::*};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A triangle that a ray meets. Times t are those of the points origin + t direction. */
export interface RayHit {
  triangle: number;
  /** The time at which the ray enters the triangle. */
  enter: Interval;
  /** The time at which it leaves: later only if it runs along the triangle. */
  leave: Interval;
  /** How it crosses the surface there: -1 in, 1 out, 0 neither. */
  crossing: -1 | 0 | 1;
  /** The point of entry, rounded. */
  point: Float64Array;
}
/** The first hit of each of many rays. */
export interface RayHits {
  /** -1 where a ray meets nothing. */
  triangles: Int32Array;
  /** Two each; NaN where a ray meets nothing. */
  enter: Float64Array;
  crossing: Int8Array;
}
"#;

#[wasm_bindgen]
extern "C" {
    /// A hit, or undefined.
    #[wasm_bindgen(typescript_type = "RayHit | undefined")]
    pub type OptionalRayHit;
    /// Hits of one ray.
    #[wasm_bindgen(typescript_type = "RayHit[]")]
    pub type RayHitList;
    /// The first hit of each of many rays.
    #[wasm_bindgen(typescript_type = "RayHits")]
    pub type RayHitsRecord;
}

fn ray(origin: &Point, direction: &Point, end: Option<f64>) -> Result<Ray, JsValue> {
    let (origin, direction) = (arrays::point("origin", origin)?, arrays::point("direction", direction)?);
    let ray = Ray::new(origin, direction).and_then(|ray| ray.until(end.unwrap_or(f64::INFINITY)));
    ray.map_err(error)
}

fn rays(origins: &Numbers, directions: &Numbers, end: Option<f64>) -> Result<Vec<Ray>, JsValue> {
    let (origins, directions) =
        (arrays::points("origins", origins)?, arrays::points("directions", directions)?);
    if origins.len() != directions.len() {
        return Err(type_error(format!("{} origins and {} directions", origins.len(), directions.len())));
    }
    let end = end.unwrap_or(f64::INFINITY);
    let ray = |(at, (origin, direction))| {
        let ray = Ray::new(origin, direction).and_then(|ray| ray.until(end));
        ray.map_err(|why| error(format!("ray {at}: {why}")))
    };
    origins.into_iter().zip(directions).enumerate().map(ray).collect()
}

fn record(hit: &RayHit, ray: &Ray) -> JsValue {
    let [lo, hi] = hit.enter;
    Record::new()
        .with("triangle", hit.triangle)
        .with("enter", tuple(&hit.enter))
        .with("leave", tuple(&hit.leave))
        .with("crossing", hit.crossing)
        .with("point", doubles(&ray.at(lo + (hi - lo) / 2.0)))
        .into_js()
}

/// The triangle that a ray meets first; undefined if it meets none. No ray slips through an edge. `end` is the
/// last time of the ray [default: infinity].
#[wasm_bindgen(js_name = rayFirst)]
pub fn ray_first(
    body: &JsBody,
    origin: &Point,
    direction: &Point,
    end: Option<f64>,
) -> Result<OptionalRayHit, JsValue> {
    let ray = ray(origin, direction, end)?;
    let body = body.surface()?;
    let hit = ask(|query| query.ray_first(&body, &ray));
    Ok(hit.map_or(JsValue::UNDEFINED, |hit| record(&hit, &ray)).unchecked_into())
}

/// Tests whether a ray meets a body.
#[wasm_bindgen(js_name = rayMeets)]
pub fn ray_meets(
    body: &JsBody,
    origin: &Point,
    direction: &Point,
    end: Option<f64>,
) -> Result<bool, JsValue> {
    let ray = ray(origin, direction, end)?;
    let body = body.surface()?;
    Ok(ask(|query| query.ray_meets(&body, &ray)))
}

/// All triangles that a ray meets, in the order in which it enters them.
#[wasm_bindgen(js_name = rayAll)]
pub fn ray_all(
    body: &JsBody,
    origin: &Point,
    direction: &Point,
    end: Option<f64>,
) -> Result<RayHitList, JsValue> {
    let ray = ray(origin, direction, end)?;
    let body = body.surface()?;
    let hits: js_sys::Array =
        ask(|query| query.ray_all(&body, &ray).iter().map(|hit| record(hit, &ray)).collect());
    Ok(hits.unchecked_into())
}

/// `rayFirst` of each of many rays, 3 numbers each.
#[wasm_bindgen(js_name = rayFirstEach)]
pub fn ray_first_each(
    body: &JsBody,
    origins: &Numbers,
    directions: &Numbers,
    end: Option<f64>,
) -> Result<RayHitsRecord, JsValue> {
    let rays = rays(origins, directions, end)?;
    let body = body.surface()?;
    Ok(ask(|query| {
        let hits = query.ray_first_each(&body, &rays);
        // A mesh has at most 2^27 triangles.
        let triangles: Vec<i32> = hits.iter().map(|hit| hit.map_or(-1, |hit| hit.triangle as i32)).collect();
        let enter: Vec<[f64; 2]> =
            hits.iter().map(|hit| hit.map_or([f64::NAN; 2], |hit| hit.enter)).collect();
        let crossing: Vec<i8> = hits.iter().map(|hit| hit.map_or(0, |hit| hit.crossing)).collect();
        Record::new()
            .with("triangles", Int32Array::from(&*triangles))
            .with("enter", Float64Array::from(enter.as_flattened()))
            .with("crossing", Int8Array::from(&*crossing))
            .into_js()
    }))
}
