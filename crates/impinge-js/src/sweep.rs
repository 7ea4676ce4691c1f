//! First contact of bodies that move.
use crate::{
    body::{JsBody, Placed, ask},
    errors::error,
    poses::{self, PoseNumbers},
    records::{Record, tuple},
};
use impinge::{
    Body,
    path::Path,
    sweep::{Moving, Sweep, SweepOptions, Undecided},
};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** First contact of bodies that move, with times from 0 to 1. "clear": none at any time, proved. "contact": none
 *  before freeUntil, and one at meetsAt. "undecided": none before freeUntil; then the bodies come so near that
 *  neither is proved, for the reason why. */
export type Sweep =
  | { kind: "clear" }
  | { kind: "contact"; freeUntil: number; meetsAt: number; pair: [number, number] }
  | { kind: "undecided"; freeUntil: number; until: number; meetsAt?: number; pair: [number, number];
      why: "grazing" | "budget" };
"#;

#[wasm_bindgen]
extern "C" {
    /// First contact of bodies that move.
    #[wasm_bindgen(typescript_type = "Sweep")]
    pub type SweepRecord;
}

/// The first contact of `a`, at rest or a half-space, and of `b`, which moves from its pose to another: its
/// origin straight, while it turns about one axis by at most half a turn. Decided for all times, not for
/// samples. Surfaces count: a body that starts inside the other is not in contact. Throws if a pose of `b` is
/// not rigid.
#[wasm_bindgen]
pub fn sweep(a: &JsBody, b: &JsBody, to: &PoseNumbers) -> Result<SweepRecord, JsValue> {
    let (a, b) = (a.placed()?, b.rounded()?);
    let Body { model, pose } = b.body();
    let path = Path::between(&pose, &poses::pose(to, false)?, [0.0; 3]).map_err(error)?;
    let moving = Moving::new(model, &path).rounded(b.radius()).map_err(error)?;
    let options = SweepOptions::new();
    let found = ask(|query| match a {
        Placed::Mesh(a) => query.sweep(a, moving, &options),
        Placed::HalfSpace(a) => query.sweep_half_space(a, moving, &options),
    });
    Ok(match found {
        Sweep::Clear => Record::new().with("kind", "clear"),
        Sweep::Contact { free_until, meets_at, pair, .. } => {
            let record = Record::new().with("kind", "contact").with("freeUntil", free_until);
            record.with("meetsAt", meets_at).with("pair", tuple(&pair))
        }
        Sweep::Near { free_until, until, pair, meets_at, why } => {
            let why = match why {
                Undecided::Grazing => "grazing",
                Undecided::Budget => "budget",
            };
            let record = Record::new().with("kind", "undecided").with("freeUntil", free_until);
            let record = record.with("until", until).with_some("meetsAt", meets_at);
            record.with("pair", tuple(&pair)).with("why", why)
        }
    }
    .into_js())
}
