//! Bodies.
use crate::{
    model::JsModel,
    poses::{self, PoseNumbers},
};
use impinge::{Body, Model, Pose, Query};
use std::{cell::RefCell, sync::Arc};
use wasm_bindgen::prelude::*;

/// A model at a pose: the argument of queries.
#[wasm_bindgen(js_name = Body)]
pub struct JsBody {
    model: Arc<Model>,
    pose: Pose,
    affine: bool,
}

#[wasm_bindgen(js_class = Body)]
impl JsBody {
    /// A model at a pose [default: the identity]. A pose must be a rotation and a translation to within 1e-6;
    /// with `affine`, it may also scale, shear or mirror.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &JsModel, pose: Option<PoseNumbers>, affine: Option<bool>) -> Result<Self, JsValue> {
        let affine = affine.unwrap_or(false);
        let pose = pose.map_or(Ok(Pose::IDENTITY), |pose| poses::pose(&pose, affine))?;
        Ok(Self { model: Arc::clone(&model.0), pose, affine })
    }
    /// The model.
    #[wasm_bindgen(getter)]
    pub fn model(&self) -> JsModel {
        JsModel(Arc::clone(&self.model))
    }
    /// The 12 numbers of the pose.
    #[wasm_bindgen(getter)]
    pub fn pose(&self) -> Vec<f64> {
        poses::numbers(&self.pose).to_vec()
    }
    /// Moves the body. A pose that is refused changes nothing.
    #[wasm_bindgen(js_name = setPose)]
    pub fn set_pose(&mut self, pose: &PoseNumbers) -> Result<(), JsValue> {
        self.pose = poses::pose(pose, self.affine)?;
        Ok(())
    }
}

impl JsBody {
    pub(crate) fn body(&self) -> Body<'_> {
        Body::new(&self.model, self.pose)
    }
    pub(crate) fn shared_model(&self) -> &Arc<Model> {
        &self.model
    }
}

/// Runs a query with the memory of earlier ones.
pub(crate) fn ask<T>(question: impl FnOnce(&mut Query) -> T) -> T {
    thread_local!(static QUERY: RefCell<Query> = RefCell::new(Query::new()));
    QUERY.with_borrow_mut(question)
}
