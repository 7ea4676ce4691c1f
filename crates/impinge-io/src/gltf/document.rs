//! The JSON document: the objects and members that geometry needs, with numbers in f64.
use crate::{Error, error::Place, quote::show};
use serde::{Deserialize, de::IgnoredAny};
use std::sync::Arc;

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
    pub(super) animations: Vec<IgnoredAny>,
    #[serde(default)]
    pub(super) extensions: Extensions,
    #[serde(default)]
    pub(super) extensions_required: Vec<String>,
    #[serde(default)]
    pub(super) extensions_used: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Extensions {
    #[serde(rename = "CESIUM_RTC")]
    pub(super) rtc: Option<Rtc>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Rtc {
    pub(super) center: [f64; 3],
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asset {
    version: String,
    min_version: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub(super) nodes: Vec<usize>,
}

/// A node. Keep this type small: a file may contain a million nodes of two bytes each.
#[derive(Debug, Deserialize)]
pub(super) struct Node {
    name: Option<Box<str>>,
    #[serde(default)]
    pub(super) children: Box<[usize]>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<u32>,
    #[serde(default)]
    pub(super) weights: Box<[f64]>,
    pub(super) matrix: Option<Box<[f64; 16]>>,
    pub(super) translation: Option<Box<[f64; 3]>>,
    pub(super) rotation: Option<Box<[f64; 4]>>,
    pub(super) scale: Option<Box<[f64; 3]>>,
    pub(super) extensions: Option<Box<NodeExtensions>>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(super) instancing: Option<Instancing>,
    #[serde(rename = "KHR_node_visibility")]
    pub(super) visibility: Option<Visibility>,
    #[serde(rename = "MSFT_lod")]
    pub(super) lod: Option<Lod>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Instancing {
    pub(super) attributes: InstanceAttributes,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct InstanceAttributes {
    pub(super) translation: Option<usize>,
    pub(super) rotation: Option<usize>,
    pub(super) scale: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Visibility {
    pub(super) visible: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Lod {
    pub(super) ids: Vec<usize>,
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
    #[serde(default)]
    pub(super) extensions: PrimitiveExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub(super) draco: Option<IgnoredAny>,
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
    #[serde(default)]
    pub(super) extensions: ViewExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct ViewExtensions {
    #[serde(rename = "EXT_meshopt_compression")]
    ext: Option<IgnoredAny>,
    #[serde(rename = "KHR_meshopt_compression")]
    khr: Option<IgnoredAny>,
}

impl ViewExtensions {
    /// Name of the extension that compresses the view.
    pub(super) fn compression(&self) -> Option<&'static str> {
        let ext = self.ext.is_some().then_some("EXT_meshopt_compression");
        ext.or(self.khr.is_some().then_some("KHR_meshopt_compression"))
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: u64,
}

impl Node {
    /// The name; `None` if the node has none.
    pub(super) fn name(&self) -> Option<Arc<str>> {
        clean(self.name.as_deref())
    }
    pub(super) fn instancing(&self) -> Option<&InstanceAttributes> {
        Some(&self.extensions.as_ref()?.instancing.as_ref()?.attributes)
    }
    pub(super) fn is_hidden(&self) -> bool {
        let visibility = self.extensions.as_ref().and_then(|e| e.visibility.as_ref());
        visibility.is_some_and(|v| v.visible == Some(false))
    }
    /// The nodes that replace this one at a distance.
    pub(super) fn coarser(&self) -> &[usize] {
        self.extensions.as_ref().and_then(|e| e.lod.as_ref()).map_or(&[], |lod| &lod.ids)
    }
}

impl Mesh {
    pub(super) fn name(&self) -> Option<Arc<str>> {
        clean(self.name.as_deref())
    }
}

fn clean(name: Option<&str>) -> Option<Arc<str>> {
    let name = crate::quote::name(name?.as_bytes());
    (!name.is_empty()).then(|| name.into())
}

impl Document {
    pub(super) fn parse(json: &[u8]) -> Result<Self, Error> {
        let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
        let (document, version) = match serde_json::from_slice::<Self>(json) {
            Ok(document) => {
                let version = document.asset.version.clone();
                (Ok(document), version)
            }
            // glTF 1 differs everywhere, so its version explains more than the first difference.
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
        // A reader must support `minVersion`; it may ignore what `version` adds to 2.0.
        match &document.asset.min_version {
            Some(least) if !is_supported(least) => {
                let what = format!("it needs glTF {}, and only 2.0 is supported", show(least.as_bytes()));
                Err(Error::unsupported(Place::File, what))
            }
            _ => Ok(document),
        }
    }
}

/// True if a reader of glTF 2.0 supports everything in a version, `MAJOR.MINOR`.
fn is_supported(version: &str) -> bool {
    let number = |text: &str| text.parse::<u64>().ok();
    let parts = version.split_once('.').and_then(|(major, minor)| Some([number(major)?, number(minor)?]));
    parts.is_some_and(|version| version <= [2, 0])
}

#[derive(Deserialize)]
struct OnlyAsset {
    asset: Asset,
}
