//! Writes parts as GLB.
use super::container::write_glb_container;
use crate::{Error, Part, error::Place, quote::quoted};
use foldhash::{HashMap, HashMapExt};
use impinge::{Mesh, Pose};
use serde_json::{Value, json};
use std::{io::Write, sync::Arc};

/// Writes parts as GLB, with a node for each part and a mesh for each distinct mesh. Returns the number of
/// coordinates that it rounds: points become f32, the only point type of glTF. Poses keep their f64 digits.
///
/// # Errors
/// Returns an error if a coordinate exceeds the range of f32, the file exceeds 4 GiB, or the writer fails.
pub fn write_glb(parts: &[Part], out: &mut (impl Write + ?Sized)) -> Result<u64, Error> {
    let mut document = Glb { buffer_views: Vec::new(), accessors: Vec::new(), meshes: Vec::new(), length: 0 };
    let mut index: HashMap<*const Mesh, usize> = HashMap::new();
    let mut distinct: Vec<&Mesh> = Vec::new();
    let mut rounded = 0;
    let mut nodes = Vec::with_capacity(parts.len());
    for part in parts {
        let mut node = json!({ "name": &*part.name });
        // glTF has no empty accessors: a part without triangles becomes a node without a mesh.
        if !part.mesh.is_empty() {
            let mesh = match index.get(&Arc::as_ptr(&part.mesh)) {
                Some(&mesh) => mesh,
                None => {
                    rounded += document.mesh(part)?;
                    distinct.push(&part.mesh);
                    index.insert(Arc::as_ptr(&part.mesh), distinct.len() - 1);
                    distinct.len() - 1
                }
            };
            node["mesh"] = json!(mesh);
        }
        if part.pose != Pose::IDENTITY {
            node["matrix"] = matrix(&part.pose);
        }
        nodes.push(node);
    }
    let json = document.json(nodes).into_bytes();
    write_glb_container(json, u64::from(document.length), out, |out| write_data(&distinct, out))
        .map_err(|e| Error::io("the GLB cannot be written", e))?;
    Ok(rounded)
}

fn write_data(meshes: &[&Mesh], out: &mut dyn Write) -> std::io::Result<()> {
    for mesh in meshes {
        for coordinate in mesh.points().as_flattened() {
            out.write_all(&(*coordinate as f32).to_le_bytes())?;
        }
        for corner in mesh.triangles().as_flattened() {
            out.write_all(&corner.to_le_bytes())?;
        }
    }
    Ok(())
}

/// The lists of the JSON while they grow.
struct Glb {
    buffer_views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    /// Bytes of data so far; every item in it is 4 bytes wide.
    length: u32,
}

impl Glb {
    /// Adds a part's mesh; returns the number of coordinates that f32 rounds.
    fn mesh(&mut self, part: &Part) -> Result<u64, Error> {
        let place = || Place::Item(format!("part '{}'", quoted(&part.name)));
        let (points, triangles) = (part.mesh.points(), part.mesh.triangles());
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        let mut rounded = 0;
        for (i, point) in points.iter().enumerate() {
            for axis in 0..3 {
                let value = point[axis] as f32;
                if !value.is_finite() {
                    let what =
                        format!("vertex {i}: the coordinate {} is beyond the range of f32", point[axis]);
                    return Err(Error::invalid(place(), what));
                }
                rounded += u64::from(f64::from(value) != point[axis]);
                low[axis] = low[axis].min(value);
                high[axis] = high[axis].max(value);
            }
        }
        let too_long = || Error::too_large(place(), "the data pass the 4 GiB that a GLB may have");
        for (bytes, target) in [(points.len() * 12, 34962), (triangles.len() * 12, 34963)] {
            let bytes = u32::try_from(bytes).map_err(|_| too_long())?;
            self.buffer_views.push(json!({
                "buffer": 0, "byteOffset": self.length, "byteLength": bytes, "target": target
            }));
            self.length = self.length.checked_add(bytes).ok_or_else(too_long)?;
        }
        let n = self.accessors.len();
        self.accessors.push(json!({
            "bufferView": n, "componentType": 5126, "count": points.len(), "type": "VEC3",
            "min": low, "max": high
        }));
        self.accessors.push(json!({
            "bufferView": n + 1, "componentType": 5125, "count": triangles.len() * 3, "type": "SCALAR"
        }));
        self.meshes.push(json!({
            "name": &*part.name, "primitives": [{ "attributes": { "POSITION": n }, "indices": n + 1 }]
        }));
        Ok(rounded)
    }

    fn json(&self, nodes: Vec<Value>) -> String {
        let mut root = json!({
            "asset": { "version": "2.0", "generator": concat!("impinge ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{}],
        });
        // glTF has no empty lists.
        if !nodes.is_empty() {
            root["scenes"][0]["nodes"] = (0..nodes.len()).collect();
            root["nodes"] = nodes.into();
        }
        if !self.meshes.is_empty() {
            root["meshes"] = self.meshes.clone().into();
            root["accessors"] = self.accessors.clone().into();
            root["bufferViews"] = self.buffer_views.clone().into();
            root["buffers"] = json!([{ "byteLength": self.length }]);
        }
        root.to_string()
    }
}

/// The matrix column by column, the order of glTF.
fn matrix(pose: &Pose) -> Value {
    let (rows, t) = (pose.rows(), pose.translation());
    let columns: [[f64; 4]; 4] = std::array::from_fn(|j| {
        std::array::from_fn(|i| match (i, j) {
            (3, 3) => 1.0,
            (3, _) => 0.0,
            (_, 3) => t[i],
            _ => rows[i][j],
        })
    });
    columns.as_flattened().into()
}
