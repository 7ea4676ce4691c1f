//! Models.
use crate::{errors::error, mesh::JsMesh, records::tuple};
use impinge::{BuildOptions, Model, Quality};
use std::sync::Arc;
use wasm_bindgen::{JsCast, prelude::*};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Quality of a tree: "high" for many queries, "fast" for few, "on-demand" for models with few queries,
 *  such as parts of an assembly. */
export type Quality = "high" | "fast" | "on-demand";
/** The least and the greatest number that a result may be. */
export type Interval = [lo: number, hi: number];
"#;

#[wasm_bindgen]
extern "C" {
    /// The name of a quality.
    #[wasm_bindgen(typescript_type = "Quality")]
    pub type QualityName;
    /// The least and the greatest number.
    #[wasm_bindgen(typescript_type = "Interval | undefined")]
    pub type OptionalInterval;
}

/// A mesh with its tree, built once and used by any number of bodies.
#[wasm_bindgen(js_name = Model)]
pub struct JsModel(pub(crate) Arc<Model>);

#[wasm_bindgen(js_class = Model)]
impl JsModel {
    /// Builds the tree of a mesh [default quality: "high"].
    #[wasm_bindgen(constructor)]
    pub fn new(mesh: &JsMesh, quality: Option<QualityName>) -> Result<Self, JsValue> {
        let mut options = BuildOptions::new();
        if let Some(name) = quality {
            let found = Quality::ALL.iter().find(|one| Some(one.name()) == name.as_string().as_deref());
            let names = || Quality::ALL.iter().map(|one| one.name()).collect::<Vec<_>>().join(", ");
            options =
                options.quality(*found.ok_or_else(|| error(format!("quality must be one of {}", names())))?);
        }
        Ok(Self(Arc::new(Model::with_options(Arc::clone(&mesh.0), &options))))
    }
    /// The mesh.
    #[wasm_bindgen(getter)]
    pub fn mesh(&self) -> JsMesh {
        JsMesh(Arc::clone(self.0.shared_mesh()))
    }
    /// True if the mesh bounds a solid: its edges close, exactly.
    #[wasm_bindgen(getter, js_name = isClosed)]
    pub fn is_closed(&self) -> bool {
        self.0.solid().status().is_closed()
    }
    /// The volume that the mesh winds around; undefined for a mesh that is not closed.
    #[wasm_bindgen(getter)]
    pub fn volume(&self) -> OptionalInterval {
        self.0.winding_volume().map_or(JsValue::UNDEFINED, |volume| tuple(&volume)).unchecked_into()
    }
}
