//! glTF 2.0 and GLB. Own code over `serde_json`: the `gltf` crate keeps a node's transform as f32.
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
use std::{ops::Range, sync::Arc};

/// Most triangles of all meshes of a file, and most points: 2^28. Accessors and primitives may share their bytes, so
/// that a file's size says nothing.
const MOST: usize = 1 << 28;

pub(crate) fn parse(bytes: &[u8], load: Load<'_>, sink: &mut Sink<'_>) -> Result<(), Error> {
    let chunks = container::split(bytes, sink)?;
    let document = Document::parse(chunks.0)?;
    let parts = scene::walk(&document, sink)?;
    let mut data = Data::new(&document, chunks, load);
    let mut meshes = Meshes { done: vec![None; document.meshes.len()], points: 0, triangles: 0, other: 0 };
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
    /// Of the meshes that are done.
    points: usize,
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
        let mut known: HashMap<usize, Range<usize>> = HashMap::new();
        for (k, primitive) in document.meshes[i].primitives.iter().enumerate() {
            let place = || format!("mesh {i} primitive {k}");
            let mode = primitive.mode.unwrap_or(4);
            let Some(positions) = primitive.attributes.position.filter(|_| mode > 3) else {
                self.other += 1;
                continue;
            };
            let own = match known.get(&positions) {
                Some(own) => own.clone(),
                None => {
                    let own = data.points(positions).map_err(|e| e.inside(&place()))?;
                    let range = points.len()..points.len() + own.len();
                    check_size(self.points + range.end, "points", place)?;
                    points.extend(own);
                    known.insert(positions, range.clone());
                    range
                }
            };
            let corners: Vec<u32> = match primitive.indices {
                Some(indices) => data.indices(indices).map_err(|e| e.inside(&place()))?,
                // No more than `MOST`, as is every index below.
                None => (0..own.len() as u32).collect(),
            };
            if let Some(at) = corners.iter().position(|&c| c as usize >= own.len()) {
                let what =
                    format!("index {at} names vertex {}; there are {}, from 0", corners[at], own.len());
                return Err(Error::item(place(), what));
            }
            self.other += u64::from(corners.len() < 3);
            let before = triangles.len();
            cut(mode, &corners, &mut triangles).map_err(|what| Error::item(place(), what))?;
            check_size(self.triangles + triangles.len(), "triangles", place)?;
            triangles[before..].as_flattened_mut().iter_mut().for_each(|c| *c += own.start as u32);
        }
        let mesh = used_points(points, triangles)
            .map_err(|e| Error::item(format!("mesh {i}"), "it does not make a mesh").because(e))?;
        self.points += mesh.points().len();
        self.triangles += mesh.len();
        let mesh = Arc::new(mesh);
        self.done[i] = Some(Arc::clone(&mesh));
        Ok(mesh)
    }
}

fn check_size(size: usize, of: &str, place: impl Fn() -> String) -> Result<(), Error> {
    if size > MOST {
        let what = format!("the meshes of the file pass the limit of {MOST} {of}");
        return Err(Error::too_large(Place::Item(place()), what));
    }
    Ok(())
}

/// The triangles of a primitive from its corners.
fn cut(mode: u64, corners: &[u32], out: &mut Vec<[u32; 3]>) -> Result<(), String> {
    match mode {
        4 => {
            let (whole, rest) = corners.as_chunks();
            if !rest.is_empty() {
                return Err(format!("{} corners do not make whole triangles", corners.len()));
            }
            out.extend_from_slice(whole);
        }
        5 => out.extend(corners.windows(3).enumerate().map(|(n, c)| match n % 2 {
            0 => [c[0], c[1], c[2]],
            _ => [c[1], c[0], c[2]],
        })),
        6 => out.extend(corners.windows(2).skip(1).map(|c| [corners[0], c[0], c[1]])),
        mode => return Err(format!("{mode} is not a mode of a primitive")),
    }
    Ok(())
}
