//! Queries about solids.
use crate::{
    body::{JsBody, ask},
    model::JsModel,
    poses::{self, PoseNumbers},
    records::{Record, doubles, tuple},
};
use impinge::{
    penetration::PenetrationParts,
    relation::{Relation, RelationKind},
    solid::Closedness,
};
use wasm_bindgen::{JsCast, prelude::*};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** The relation of a first body to a second one. "apart": no point in common. "touch": surface points only.
 *  "overlap": the insides meet, and each has points outside of the other. "inside", "contains": one is a part of
 *  the other. "duplicate": the same points. "pierce": an open surface crosses a solid. "surface_inside": an open
 *  surface is inside of a solid. "meet": two open surfaces meet. */
export type RelationKind = "apart" | "touch" | "overlap" | "inside" | "contains" | "duplicate" | "pierce"
  | "surface_inside" | "meet";
/** Whether a mesh bounds a solid, by its edges. */
export type Closedness = "closed" | "closed_by_even_odd" | "open" | "no_interior";
export interface Relation {
  kind: RelationKind;
  /** True if the surfaces meet. */
  touching: boolean;
  /** Two triangles that meet, if any do. */
  witness?: [number, number];
  /** Of each mesh. */
  closedness: [Closedness, Closedness];
}
/** The depth of the overlap of two bodies. What f64 could not decide, or does not apply, is missing. */
export interface Penetration {
  /** The volume that both solids share. */
  overlapVolume?: Interval;
  /** How far the surface of one reaches into the other. */
  interferenceDepth?: Interval;
  /** A depth that a corner certainly has. */
  depthAtLeast?: number;
  /** A shift of the second body that takes it out of the first. */
  separatingTranslation?: Float64Array;
  /** The length of the shortest such shift. */
  separatingDistance?: Interval;
}
"#;

#[wasm_bindgen]
extern "C" {
    /// A relation.
    #[wasm_bindgen(typescript_type = "Relation")]
    pub type RelationRecord;
    /// Kinds of relations.
    #[wasm_bindgen(typescript_type = "RelationKind[]")]
    pub type RelationKinds;
    /// The depth of the overlap of two bodies.
    #[wasm_bindgen(typescript_type = "Penetration")]
    pub type PenetrationRecord;
}

fn kind(relation: &Relation) -> &'static str {
    match relation.kind {
        RelationKind::Apart => "apart",
        RelationKind::Touch => "touch",
        RelationKind::Overlap => "overlap",
        RelationKind::Inside => "inside",
        RelationKind::Contains => "contains",
        RelationKind::Duplicate => "duplicate",
        RelationKind::Pierce => "pierce",
        RelationKind::SurfaceInside => "surface_inside",
        RelationKind::Meet => "meet",
    }
}

fn closedness(status: Closedness) -> JsValue {
    let name = match status {
        Closedness::Closed => "closed",
        Closedness::ClosedByEvenOdd => "closed_by_even_odd",
        Closedness::Open => "open",
        Closedness::NoInterior => "no_interior",
    };
    name.into()
}

/// The relation of two bodies as solids. A mesh that is not closed is a surface.
#[wasm_bindgen]
pub fn relation(a: &JsBody, b: &JsBody) -> Result<RelationRecord, JsValue> {
    let (a, b) = (a.surface()?, b.surface()?);
    let relation = ask(|query| query.relation(&a, &b));
    let both: js_sys::Array = relation.status.into_iter().map(closedness).collect();
    let record = Record::new().with("kind", kind(&relation)).with("touching", relation.touching);
    let record = record.with_some("witness", relation.witness.map(|pair| tuple(&pair)));
    Ok(record.with("closedness", both).into_js())
}

/// The kind of `relation` of a body and a model at each of many poses, 12 numbers each.
#[wasm_bindgen(js_name = relationAt)]
pub fn relation_at(
    a: &JsBody,
    b: &JsModel,
    poses: &PoseNumbers,
    affine: Option<bool>,
) -> Result<RelationKinds, JsValue> {
    let poses = poses::poses(poses, affine.unwrap_or(false))?;
    let a = a.surface()?;
    let names: js_sys::Array = ask(|query| {
        query.relation_at(&a, &b.0, &poses).iter().map(|one| JsValue::from_str(kind(one))).collect()
    });
    Ok(names.unchecked_into())
}

/// Tests whether the insides of two bodies have a point in common. Touching is no overlap.
#[wasm_bindgen]
pub fn overlaps(a: &JsBody, b: &JsBody) -> Result<bool, JsValue> {
    let (a, b) = (a.surface()?, b.surface()?);
    Ok(ask(|query| query.overlaps(&a, &b)))
}

/// The depth of the overlap of two bodies.
#[wasm_bindgen]
pub fn penetration(a: &JsBody, b: &JsBody) -> Result<PenetrationRecord, JsValue> {
    let (a, b) = (a.surface()?, b.surface()?);
    let found = ask(|query| query.penetration(&a, &b, &PenetrationParts::all()));
    Ok(Record::new()
        .with_some("overlapVolume", found.overlap_volume.map(|volume| tuple(&volume)))
        .with_some("interferenceDepth", found.interference_depth.map(|depth| tuple(&depth)))
        .with_some("depthAtLeast", found.depth_at_least.map(|depth| depth.length))
        .with_some("separatingTranslation", found.separating_translation.map(|shift| doubles(&shift)))
        .with_some("separatingDistance", found.separating_distance.map(|length| tuple(&length)))
        .into_js())
}
