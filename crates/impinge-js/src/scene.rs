//! Scenes.
use crate::{
    arrays::{self, Point},
    errors::error,
    model::JsModel,
    poses::{self, PoseNumbers},
    records::{Record, tuple},
};
use impinge::{
    HalfSpace, Scene,
    scene::{BodyId, Contact, Detail},
};
use js_sys::Uint32Array;
use std::{collections::BTreeMap, sync::Arc};
use wasm_bindgen::{JsCast, prelude::*};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Two bodies of a scene that meet. */
export interface Contact {
  /** The numbers of the bodies, the smaller first. */
  bodies: [number, number];
  /** True if they did not meet at the update before. */
  began: boolean;
  /** Two triangles that meet: any for the detail "bodies", else the smallest. */
  witness?: [number, number];
  /** All pairs of triangles that meet, for the detail "triangles". */
  pairs?: Uint32Array;
}
"#;

#[wasm_bindgen]
extern "C" {
    /// Contacts of a scene.
    #[wasm_bindgen(typescript_type = "Contact[]")]
    pub type ContactList;
    /// Pairs of bodies.
    #[wasm_bindgen(typescript_type = "[number, number][]")]
    pub type BodyPairList;
    /// Detail of an update.
    #[wasm_bindgen(typescript_type = "\"bodies\" | \"triangles\"")]
    pub type DetailName;
}

/// Many bodies that move, and their contacts. Bodies have numbers, which are never given twice.
#[wasm_bindgen(js_name = Scene)]
#[derive(Default)]
pub struct JsScene {
    scene: Scene,
    ids: BTreeMap<u32, BodyId>,
    numbers: BTreeMap<BodyId, u32>,
    /// The number of the next body.
    next: u32,
    /// Bodies that were removed since the last update: its contacts name them, and the ends of the next one.
    removed: Vec<BodyId>,
    /// Bodies that were removed before the last update: its ends name them.
    leaving: Vec<BodyId>,
}

#[wasm_bindgen(js_class = Scene)]
impl JsScene {
    /// A scene without bodies.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }
    /// Adds a model at a pose, and returns the number of the new body.
    pub fn add(
        &mut self,
        model: &JsModel,
        pose: Option<PoseNumbers>,
        affine: Option<bool>,
    ) -> Result<u32, JsValue> {
        let affine = affine.unwrap_or(false);
        let pose = pose.map_or(Ok(impinge::Pose::IDENTITY), |pose| poses::pose(&pose, affine))?;
        let id = self.scene.add(Arc::clone(&model.0), pose).map_err(error)?;
        Ok(self.added(id))
    }
    /// Adds the half-space of all points x with normal . x <= offset, and returns its number. Its triangle in
    /// contacts is 0.
    #[wasm_bindgen(js_name = addHalfSpace)]
    pub fn add_half_space(&mut self, normal: &Point, offset: f64) -> Result<u32, JsValue> {
        let half_space = HalfSpace::new(arrays::point("normal", normal)?, offset).map_err(error)?;
        let id = self.scene.add_half_space(half_space).map_err(error)?;
        Ok(self.added(id))
    }
    /// Removes a body.
    pub fn remove(&mut self, body: u32) -> Result<(), JsValue> {
        let id = self.id(body)?;
        self.scene.remove(id).map_err(error)?;
        self.ids.remove(&body);
        self.removed.push(id);
        Ok(())
    }
    /// Moves a body. A pose that is refused changes nothing.
    #[wasm_bindgen(js_name = setPose)]
    pub fn set_pose(&mut self, body: u32, pose: &PoseNumbers, affine: Option<bool>) -> Result<(), JsValue> {
        let pose = poses::pose(pose, affine.unwrap_or(false))?;
        self.scene.set_pose(self.id(body)?, pose).map_err(error)
    }
    /// Sets the radius of a body, 0 at first. Bodies meet if their triangles are within the sum of their radii.
    #[wasm_bindgen(js_name = setRadius)]
    pub fn set_radius(&mut self, body: u32, radius: f64) -> Result<(), JsValue> {
        self.scene.set_radius(self.id(body)?, radius).map_err(error)
    }
    /// Allows two bodies to meet, or forbids it again: bodies that may meet are not tested.
    #[wasm_bindgen(js_name = setAllowed)]
    pub fn set_allowed(&mut self, a: u32, b: u32, allowed: bool) -> Result<(), JsValue> {
        self.scene.set_allowed([self.id(a)?, self.id(b)?], allowed).map_err(error)
    }
    /// Finds the bodies that meet, and all of their triangles that do for the detail "triangles" [default:
    /// "bodies"].
    pub fn update(&mut self, detail: Option<DetailName>) -> Result<(), JsValue> {
        let detail = match detail.as_ref().and_then(|name| name.as_string()).as_deref() {
            None if detail.is_none() => Detail::Bodies,
            Some("bodies") => Detail::Bodies,
            Some("triangles") => Detail::Triangles,
            _ => return Err(error("detail must be 'bodies' or 'triangles'")),
        };
        for id in std::mem::replace(&mut self.leaving, std::mem::take(&mut self.removed)) {
            self.numbers.remove(&id);
        }
        self.scene.update(detail);
        Ok(())
    }
    /// The bodies that meet, of the last update.
    pub fn contacts(&self) -> Result<ContactList, JsValue> {
        let list = self.scene.contacts().iter().map(|contact| self.contact(contact));
        Ok(list.collect::<Result<js_sys::Array, JsValue>>()?.unchecked_into())
    }
    /// The bodies that met at the update before the last one, and no longer do.
    pub fn ended(&self) -> BodyPairList {
        let pairs: js_sys::Array = self.scene.ended().iter().map(|&pair| self.pair(pair)).collect();
        pairs.unchecked_into()
    }
}

impl JsScene {
    fn added(&mut self, id: BodyId) -> u32 {
        let number = self.next;
        self.next += 1;
        self.ids.insert(number, id);
        self.numbers.insert(id, number);
        number
    }
    fn id(&self, body: u32) -> Result<BodyId, JsValue> {
        self.ids.get(&body).copied().ok_or_else(|| error(format!("the scene has no body {body}")))
    }
    fn pair(&self, bodies: [BodyId; 2]) -> JsValue {
        let mut numbers = bodies.map(|id| self.numbers[&id]);
        numbers.sort_unstable();
        tuple(&numbers)
    }
    fn contact(&self, contact: &Contact) -> Result<JsValue, JsValue> {
        let [a, b] = contact.bodies.map(|id| self.numbers[&id]);
        let turned = a > b;
        let turn = |[i, j]: [u32; 2]| if turned { [j, i] } else { [i, j] };
        let record = Record::new().with("bodies", self.pair(contact.bodies)).with("began", contact.began);
        let record = record.with_some("witness", contact.witness.map(|pair| tuple(&turn(pair))));
        if contact.triangle_pairs.is_none() {
            return Ok(record.into_js());
        }
        let mut pairs: Vec<[u32; 2]> =
            self.scene.triangle_pairs(contact).map_err(error)?.iter().copied().map(turn).collect();
        if turned {
            pairs.sort_unstable();
        }
        Ok(record.with("pairs", Uint32Array::from(pairs.as_flattened())).into_js())
    }
}
