//! Queries about triangles that meet.
use crate::{
    body::{JsBody, ask},
    errors::error,
    model::JsModel,
    poses::{self, PoseNumbers},
    records::{Record, doubles},
};
use js_sys::Uint32Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Pairs of triangles of each of many poses. Those of pose k are the pairs from starts[k] to starts[k + 1]. */
export interface PairLists {
  /** Two triangles each: one of the first body and one of the other. */
  pairs: Uint32Array;
  /** One number more than poses. */
  starts: Uint32Array;
}
/** A point that two triangles share. */
export interface ContactPoint {
  /** The mean of the ends of what the triangles share, rounded. */
  point: Float64Array;
  /** The unit normals of both triangles in the world; NaN of a degenerate one. */
  normals: [Float64Array, Float64Array];
  /** False if the triangles do not meet: the point is then about midway. */
  meets: boolean;
}
"#;

#[wasm_bindgen]
extern "C" {
    /// Pairs of triangles of each pose.
    #[wasm_bindgen(typescript_type = "PairLists")]
    pub type PairListsRecord;
    /// A point that two triangles share.
    #[wasm_bindgen(typescript_type = "ContactPoint")]
    pub type ContactPointRecord;
}

fn flat(pairs: &[[u32; 2]]) -> Vec<u32> {
    pairs.as_flattened().to_vec()
}

/// Tests whether any triangles of two bodies meet. Triangles are closed, so touching is meeting.
#[wasm_bindgen]
pub fn intersects(a: &JsBody, b: &JsBody) -> Result<bool, JsValue> {
    let (a, b) = (a.rounded()?, b.placed()?);
    Ok(ask(|query| query.intersects(&a, b.obstacle())))
}

/// A pair of triangles that meet, one of `a` and one of `b`; undefined if no two do. Of several pairs, any.
#[wasm_bindgen(js_name = firstContact)]
pub fn first_contact(a: &JsBody, b: &JsBody) -> Result<Option<Vec<u32>>, JsValue> {
    let (a, b) = (a.rounded()?, b.placed()?);
    Ok(ask(|query| query.first_contact(&a, b.obstacle())).map(Vec::from))
}

/// All pairs of triangles that meet, sorted: a triangle of `a` and one of `b` each. Throws if there are more
/// than `most`.
#[wasm_bindgen]
pub fn pairs(a: &JsBody, b: &JsBody, most: Option<u32>) -> Result<Vec<u32>, JsValue> {
    let (a, b) = (a.rounded()?, b.placed()?);
    let Some(most) = most else { return Ok(ask(|query| flat(query.pairs(&a, b.obstacle())))) };
    let mut list = Vec::new();
    let found = ask(|query| query.pairs_at_most(&a, b.obstacle(), most as usize, &mut list)).count;
    if found > u64::from(most) {
        return Err(error(format!("{found} pairs of triangles meet, more than {most}")));
    }
    Ok(flat(&list))
}

/// A point at which two triangles meet, and their normals. Throws if a body has no such triangle.
#[wasm_bindgen(js_name = contactPoint)]
pub fn contact_point(a: &JsBody, i: u32, b: &JsBody, j: u32) -> Result<ContactPointRecord, JsValue> {
    let (a, b) = (a.body()?, b.body()?);
    for (body, triangle) in [(a, i), (b, j)] {
        let count = body.model.mesh().len();
        if triangle as usize >= count {
            return Err(error(format!("there is no triangle {triangle}, only {count}")));
        }
    }
    let contact = impinge::contact::contact_point(&a, &b, [i, j]);
    let normals = contact.normals.map(|normal| doubles(&normal.unwrap_or([f64::NAN; 3])));
    let record = Record::new().with("point", doubles(&contact.point));
    let normals: js_sys::Array = normals.into_iter().collect();
    Ok(record.with("normals", normals).with("meets", contact.meets).into_js())
}

/// `intersects` of a body and a model at each of many poses, 12 numbers each: 1 or 0.
#[wasm_bindgen(js_name = intersectsAt)]
pub fn intersects_at(
    a: &JsBody,
    b: &JsModel,
    poses: &PoseNumbers,
    affine: Option<bool>,
) -> Result<Vec<u8>, JsValue> {
    let poses = poses::poses(poses, affine.unwrap_or(false))?;
    let bytes = |meet: &[bool]| meet.iter().map(|&meets| u8::from(meets)).collect();
    let a = a.placed()?;
    Ok(ask(|query| bytes(query.intersects_at(a.obstacle(), &b.0, &poses))))
}

/// `firstContact` of a body and a model at each of many poses, 12 numbers each: two triangles, or -1 twice.
#[wasm_bindgen(js_name = firstContactAt)]
pub fn first_contact_at(
    a: &JsBody,
    b: &JsModel,
    poses: &PoseNumbers,
    affine: Option<bool>,
) -> Result<Vec<i32>, JsValue> {
    let poses = poses::poses(poses, affine.unwrap_or(false))?;
    // A mesh has at most 2^27 triangles.
    let numbers = |pair: &Option<[u32; 2]>| pair.map_or([-1; 2], |pair| pair.map(|triangle| triangle as i32));
    let a = a.placed()?;
    let found = ask(|query| {
        query.first_contact_at(a.obstacle(), &b.0, &poses).iter().map(numbers).collect::<Vec<_>>()
    });
    Ok(found.into_flattened())
}

/// `pairs` of a body and a model at each of many poses, 12 numbers each.
#[wasm_bindgen(js_name = pairsAt)]
pub fn pairs_at(
    a: &JsBody,
    b: &JsModel,
    poses: &PoseNumbers,
    affine: Option<bool>,
) -> Result<PairListsRecord, JsValue> {
    let poses = poses::poses(poses, affine.unwrap_or(false))?;
    let a = a.placed()?;
    Ok(ask(|query| {
        let lists = query.pairs_at(a.obstacle(), &b.0, &poses);
        let starts: Vec<u32> = lists.starts().iter().map(|&start| start as u32).collect();
        let pairs = Uint32Array::from(lists.pairs().as_flattened());
        Record::new().with("pairs", pairs).with("starts", Uint32Array::from(&*starts)).into_js()
    }))
}

/// All pairs of triangles i < j of a mesh that meet elsewhere than in common corners and edges, sorted.
#[wasm_bindgen(js_name = selfPairs)]
pub fn self_pairs(model: &JsModel) -> Vec<u32> {
    ask(|query| flat(query.self_pairs(&model.0)))
}

/// Tests whether triangles of a mesh meet elsewhere than in common corners and edges.
#[wasm_bindgen(js_name = selfIntersects)]
pub fn self_intersects(model: &JsModel) -> bool {
    ask(|query| query.self_intersects(&model.0))
}
