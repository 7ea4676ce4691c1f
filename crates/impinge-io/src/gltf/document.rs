//! The JSON: the objects and members that geometry needs, numbers in f64.
use crate::{Error, error::Place, text::show};
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    asset: Asset,
    pub(super) scene: Option<usize>,
    #[serde(default)]
    pub(super) scenes: Vec<Scene>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub(super) buffers: Vec<Buffer>,
    #[serde(default)]
    extensions_required: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Asset {
    version: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub(super) nodes: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Node {
    name: Option<String>,
    #[serde(default)]
    pub(super) children: Vec<usize>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    #[serde(default)]
    pub(super) weights: Vec<f64>,
    pub(super) matrix: Option<[f64; 16]>,
    pub(super) translation: Option<[f64; 3]>,
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
    #[serde(default)]
    pub(super) extensions: NodeExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(super) instancing: Option<Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Mesh {
    name: Option<String>,
    pub(super) primitives: Vec<Primitive>,
    #[serde(default)]
    pub(super) weights: Vec<f64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: Option<usize>,
    pub(super) mode: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(super) position: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: u64,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: u64,
    #[serde(rename = "type")]
    pub(super) shape: String,
    pub(super) sparse: Option<Sparse>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub(super) count: u64,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) byte_length: u64,
    pub(super) byte_stride: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: u64,
}

impl Node {
    pub(super) fn name(&self) -> String {
        clean(self.name.as_deref())
    }
}

impl Mesh {
    pub(super) fn name(&self) -> String {
        clean(self.name.as_deref())
    }
}

fn clean(name: Option<&str>) -> String {
    crate::text::name(name.unwrap_or_default().as_bytes())
}

/// Extensions that may be required because they do not change where a triangle is.
const HARMLESS: [&str; 7] = [
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "KHR_lights_",
    // Read: integer positions.
    "KHR_mesh_quantization",
    "KHR_xmp",
];

impl Document {
    pub(super) fn parse(json: &[u8]) -> Result<Self, Error> {
        let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
        let (document, version) = match serde_json::from_slice::<Self>(json) {
            Ok(document) => {
                let version = document.asset.version.clone();
                (Ok(document), version)
            }
            // glTF 1 differs everywhere, so that its version says more than the first difference.
            Err(e) => {
                let asset = serde_json::from_slice::<OnlyAsset>(json);
                (Err(e), asset.map_or_else(|_| "2".to_owned(), |only| only.asset.version))
            }
        };
        if version.split('.').next() != Some("2") {
            let what = format!("glTF {} is not supported, only 2 is", show(version.as_bytes()));
            return Err(Error::unsupported(Place::File, what));
        }
        let document = document.map_err(|e| {
            let what = match e.classify() {
                serde_json::error::Category::Data => "the JSON is not that of a glTF",
                _ => "this is not JSON",
            };
            Error::item(format!("JSON line {} column {}", e.line(), e.column()), what).because(e)
        })?;
        let unknown =
            document.extensions_required.iter().find(|name| !HARMLESS.iter().any(|h| name.starts_with(h)));
        match unknown {
            None => Ok(document),
            Some(name) => {
                let name = show(name.as_bytes());
                let what = format!("the file requires the extension '{name}', which is not supported");
                Err(Error::unsupported(Place::File, what))
            }
        }
    }
}

#[derive(Deserialize)]
struct OnlyAsset {
    asset: Asset,
}
