//! Meshes that parts share.
use impinge::Mesh;
use impinge_io::Part;
use std::{collections::HashMap, sync::Arc};

/// The meshes of parts, each once, in the order of the first part that has it, and the index of each part's
/// mesh.
pub fn distinct_meshes(parts: &[Part]) -> (Vec<Arc<Mesh>>, Vec<usize>) {
    let mut meshes = Vec::new();
    let mut seen = HashMap::new();
    let mesh_of = parts
        .iter()
        .map(|part| {
            *seen.entry(Arc::as_ptr(&part.mesh)).or_insert_with(|| {
                meshes.push(Arc::clone(&part.mesh));
                meshes.len() - 1
            })
        })
        .collect();
    (meshes, mesh_of)
}
