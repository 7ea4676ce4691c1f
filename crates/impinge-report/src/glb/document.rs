//! The JSON of a scene. Its lists are those of glTF, which has no empty ones.
use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document<'a> {
    asset: Asset,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    extensions_used: &'static [&'static str],
    scene: u32,
    scenes: [SceneList; 1],
    pub(super) nodes: Vec<Node<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meshes: Vec<MeshOf<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    buffers: Vec<Buffer>,
}

#[derive(Serialize)]
struct Asset {
    version: &'static str,
    generator: &'static str,
}

#[derive(Serialize)]
struct SceneList {
    nodes: [u32; 1],
}

#[derive(Default, Serialize)]
pub(super) struct Node<'a> {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mesh: Option<u32>,
    /// Column by column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) matrix: Option<[f64; 16]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) translation: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rotation: Option<[f64; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Option<Extras<'a>>,
}

/// Data of a node; programs show them as its properties.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Extras<'a> {
    Root(Box<RootExtras>),
    Part(PartExtras<'a>),
    Group(GroupExtras<'a>),
    Finding(Box<FindingExtras<'a>>),
}

#[derive(Serialize)]
pub(super) struct RootExtras {
    /// The unit and the upward axis of the files. If one is unknown, the scene keeps the numbers of the
    /// files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) up: Option<&'static str>,
    /// The point of the files that is the root's origin, in their unit and axes.
    pub(super) origin: [f64; 3],
    pub(super) summary: String,
    pub(super) findings: usize,
    pub(super) findings_left_out: usize,
    pub(super) findings_without_curves: usize,
    /// Findings whose parts have one colour.
    pub(super) findings_of_one_colour: usize,
    pub(super) meshes_left_out: usize,
    pub(super) pairs_not_examined: usize,
}

#[derive(Serialize)]
pub(super) struct PartExtras<'a> {
    pub(super) part: u32,
    pub(super) file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) guid: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub(super) class: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) mesh_left_out: bool,
}

#[derive(Serialize)]
pub(super) struct GroupExtras<'a> {
    pub(super) group: u32,
    pub(super) test: &'a str,
    pub(super) severity: &'static str,
    pub(super) relation: &'static str,
    pub(super) findings: usize,
}

#[derive(Serialize)]
pub(super) struct FindingExtras<'a> {
    /// The fragment of its link in the HTML page.
    pub(super) id: String,
    pub(super) finding: u32,
    pub(super) group: u32,
    pub(super) test: &'a str,
    pub(super) severity: &'static str,
    pub(super) relation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<&'static str>,
    pub(super) parts: Vec<u32>,
    pub(super) names: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) guids: Vec<Option<&'a str>>,
    /// Point of the finding, in the coordinates of the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) point: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) overlap_volume: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) interference_depth: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) separating_translation: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) distance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) triangle_pairs: Option<u64>,
}

#[derive(Serialize)]
pub(super) struct MeshOf<'a> {
    pub(super) name: &'a str,
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Serialize)]
pub(super) struct Primitive {
    attributes: VertexAttributes,
    #[serde(skip_serializing_if = "Option::is_none")]
    indices: Option<u32>,
    material: u32,
    mode: u8,
}

#[derive(Serialize)]
#[serde(rename_all = "UPPERCASE")]
struct VertexAttributes {
    position: u32,
}

impl Primitive {
    const POINTS: u8 = 0;
    const LINES: u8 = 1;
    const TRIANGLES: u8 = 4;

    pub(super) fn points(position: u32) -> Self {
        Self {
            attributes: VertexAttributes { position },
            indices: None,
            material: CONTACT,
            mode: Self::POINTS,
        }
    }
    pub(super) fn lines(position: u32) -> Self {
        Self {
            attributes: VertexAttributes { position },
            indices: None,
            material: CONTACT,
            mode: Self::LINES,
        }
    }
    /// Triangles whose indices follow their points; the colour is 0 or 1.
    pub(super) fn triangles(position: u32, colour: u32) -> Self {
        let indices = Some(position + 1);
        Self { attributes: VertexAttributes { position }, indices, material: colour, mode: Self::TRIANGLES }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Material {
    name: &'static str,
    pbr_metallic_roughness: Roughness,
    double_sided: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    extensions: Option<Unlit>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Roughness {
    base_color_factor: [f64; 4],
    metallic_factor: f64,
    roughness_factor: f64,
}

#[derive(Serialize)]
struct Unlit {
    #[serde(rename = "KHR_materials_unlit")]
    unlit: Empty,
}

#[derive(Serialize)]
struct Empty {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Accessor {
    buffer_view: u32,
    component_type: u32,
    count: usize,
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<[f64; 3]>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BufferView {
    buffer: u32,
    byte_offset: u64,
    byte_length: u64,
    target: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Buffer {
    byte_length: u64,
}

/// The material of curves; those of parts come before it.
const CONTACT: u32 = 2;

/// Names and linear colours, as in the page.
const MATERIALS: [(&str, [f64; 3]); 3] =
    [("part A", [0.03, 0.18, 0.6]), ("part B", [0.85, 0.22, 0.02]), ("contact", [0.9, 0.0, 0.25])];

impl<'a> Document<'a> {
    pub(super) fn new() -> Self {
        Self {
            asset: Asset { version: "2.0", generator: concat!("impinge ", env!("CARGO_PKG_VERSION")) },
            extensions_used: &[],
            scene: 0,
            scenes: [SceneList { nodes: [0] }],
            nodes: Vec::new(),
            meshes: Vec::new(),
            materials: Vec::new(),
            accessors: Vec::new(),
            buffer_views: Vec::new(),
            buffers: Vec::new(),
        }
    }
    /// Adds a node; returns its index.
    pub(super) fn add(&mut self, node: Node<'a>) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }
    /// Adds a mesh; returns its index.
    pub(super) fn mesh(&mut self, name: &'a str, primitives: Vec<Primitive>) -> u32 {
        if self.materials.is_empty() {
            self.extensions_used = &["KHR_materials_unlit"];
            self.materials =
                (0..).zip(MATERIALS).map(|(i, (name, color))| material(i, name, color)).collect();
        }
        self.meshes.push(MeshOf { name, primitives });
        self.meshes.len() as u32 - 1
    }
    /// Adds points that follow the data so far; returns the index of their accessor. There must be at least
    /// one.
    pub(super) fn positions(&mut self, points: impl Iterator<Item = [f32; 3]>) -> u32 {
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        let mut count = 0;
        for point in points {
            low = [0, 1, 2].map(|k| low[k].min(point[k]));
            high = [0, 1, 2].map(|k| high[k].max(point[k]));
            count += 1;
        }
        let box_of = [low, high].map(|corner| Some(corner.map(f64::from)));
        self.accessor(Accessor {
            buffer_view: 0,
            component_type: 5126,
            count,
            r#type: "VEC3",
            min: box_of[0],
            max: box_of[1],
        })
    }
    /// Adds corners of triangles that follow the data so far.
    pub(super) fn corners(&mut self, count: usize) -> u32 {
        let r#type = "SCALAR";
        self.accessor(Accessor { buffer_view: 0, component_type: 5125, count, r#type, min: None, max: None })
    }
    /// Bytes of data.
    pub(super) fn length(&self) -> u64 {
        self.buffers.first().map_or(0, |buffer| buffer.byte_length)
    }
    fn accessor(&mut self, accessor: Accessor) -> u32 {
        const ARRAY_BUFFER: u32 = 34962;
        const ELEMENT_ARRAY_BUFFER: u32 = 34963;
        let (width, target) =
            if accessor.min.is_some() { (12, ARRAY_BUFFER) } else { (4, ELEMENT_ARRAY_BUFFER) };
        let (byte_offset, byte_length) = (self.length(), accessor.count as u64 * width);
        self.buffers = vec![Buffer { byte_length: byte_offset + byte_length }];
        self.buffer_views.push(BufferView { buffer: 0, byte_offset, byte_length, target });
        let index = self.accessors.len() as u32;
        self.accessors.push(Accessor { buffer_view: index, ..accessor });
        index
    }
}

fn material(index: u32, name: &'static str, [r, g, b]: [f64; 3]) -> Material {
    Material {
        name,
        pbr_metallic_roughness: Roughness {
            base_color_factor: [r, g, b, 1.0],
            metallic_factor: 0.0,
            roughness_factor: 0.8,
        },
        double_sided: index != CONTACT,
        extensions: (index == CONTACT).then_some(Unlit { unlit: Empty {} }),
    }
}
