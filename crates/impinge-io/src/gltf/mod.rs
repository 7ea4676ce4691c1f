//! glTF 2.0 and GLB. Own code over `serde_json`: the `gltf` crate keeps a node's transform as f32, panics on an
//! accessor that overruns its buffer, and names no byte.
//!
//! Every node with a mesh is a part; nodes share a mesh. A mesh's primitives become one. Skins, morph targets and
//! animations do not move anything here: a warning says where they would.
mod accessor;
mod container;
mod document;
mod scene;
mod write;

pub use self::write::write_glb;
use self::{accessor::Data, document::Document};
pub(crate) use self::{
    accessor::{Load, no_files, read_next_to},
    container::is_glb,
};
use crate::{
    Error,
    assembly::{Sink, used_points},
    error::Place,
};
use foldhash::{HashMap, HashMapExt};
use impinge::Mesh;
use std::sync::Arc;

/// Most triangles of all meshes of a file: 2^28. Primitives may share their data, so that a file's size says nothing.
const MAX_TRIANGLES: usize = 1 << 28;

pub(crate) fn parse(bytes: &[u8], load: Load<'_>, sink: &mut Sink<'_>) -> Result<(), Error> {
    let chunks = container::split(bytes, sink)?;
    let document = Document::parse(chunks.0)?;
    let parts = scene::walk(&document, sink)?;
    let mut data = Data::new(&document, chunks, load);
    let mut meshes = Meshes { done: vec![None; document.meshes.len()], triangles: 0, other: 0 };
    for part in parts {
        let mesh = meshes.get(part.mesh, &document, &mut data)?;
        let name = if part.name.is_empty() { document.meshes[part.mesh].name() } else { part.name };
        sink.placed(name, part.mesh, &mesh, &part.map)?;
    }
    if meshes.other > 0 {
        let what = format!("{} primitives hold points, lines or nothing and are left out", meshes.other);
        sink.warn(Place::File, what);
    }
    let lost = meshes.done.iter().filter(|m| m.is_none()).count();
    if lost > 0 {
        sink.warn(Place::File, format!("{lost} meshes stand in no node of the scene and are left out"));
    }
    Ok(())
}

struct Meshes {
    done: Vec<Option<Arc<Mesh>>>,
    triangles: usize,
    /// Primitives without a triangle.
    other: u64,
}

impl Meshes {
    fn get(&mut self, i: usize, document: &Document, data: &mut Data<'_, '_>) -> Result<Arc<Mesh>, Error> {
        if let Some(mesh) = &self.done[i] {
            return Ok(Arc::clone(mesh));
        }
        let mut points = Vec::new();
        let mut triangles = Vec::new();
        // Primitives often share their points and differ in their indices.
        let mut known: HashMap<usize, (u32, u32)> = HashMap::new();
        for (k, primitive) in document.meshes[i].primitives.iter().enumerate() {
            let place = || format!("mesh {i} primitive {k}");
            let mode = primitive.mode.unwrap_or(4);
            let Some(positions) = primitive.attributes.position else {
                self.other += 1;
                continue;
            };
            if mode < 4 {
                self.other += 1;
                continue;
            }
            let (base, count) = match known.get(&positions) {
                Some(&known) => known,
                None => {
                    let own = data.points(positions).map_err(|e| e.inside(&place()))?;
                    let too_many = |_| Error::too_large(Place::Item(place()), "more than 2^32 vertices");
                    let base = u32::try_from(points.len()).map_err(too_many)?;
                    u32::try_from(points.len() + own.len()).map_err(too_many)?;
                    points.extend_from_slice(&own);
                    *known.entry(positions).or_insert((base, own.len() as u32))
                }
            };
            let corners: Vec<u32> = match primitive.indices {
                Some(indices) => data.indices(indices).map_err(|e| e.inside(&place()))?,
                None => (0..count).collect(),
            };
            if let Some(at) = corners.iter().position(|&c| c >= count) {
                let what = format!("index {at} names vertex {}; there are {count}, from 0", corners[at]);
                return Err(Error::item(place(), what));
            }
            if corners.len() < 3 {
                self.other += 1;
            }
            let before = triangles.len();
            match mode {
                4 => {
                    let (whole, rest) = corners.as_chunks();
                    if !rest.is_empty() {
                        let what = format!("{} corners do not make whole triangles", corners.len());
                        return Err(Error::item(place(), what));
                    }
                    triangles.extend_from_slice(whole);
                }
                5 => triangles.extend(corners.windows(3).enumerate().map(|(n, c)| match n % 2 {
                    0 => [c[0], c[1], c[2]],
                    _ => [c[1], c[0], c[2]],
                })),
                6 => triangles.extend(corners.windows(2).skip(1).map(|c| [corners[0], c[0], c[1]])),
                mode => return Err(Error::item(place(), format!("{mode} is not a mode of a primitive"))),
            }
            self.triangles += triangles.len() - before;
            if self.triangles > MAX_TRIANGLES {
                let what = format!("the meshes of the file pass the limit of {MAX_TRIANGLES} triangles");
                return Err(Error::too_large(Place::Item(place()), what));
            }
            triangles[before..].as_flattened_mut().iter_mut().for_each(|c| *c += base);
        }
        let mesh = used_points(points, triangles)
            .map_err(|e| Error::item(format!("mesh {i}"), "it does not make a mesh").because(e))?;
        let mesh = Arc::new(mesh);
        self.done[i] = Some(Arc::clone(&mesh));
        Ok(mesh)
    }
}
