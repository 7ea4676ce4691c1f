//! Reads glTF 2.0 and GLB. The parser is ours, over `serde_json`: the `gltf` crate stores a node's transform
//! as f32.
//!
//! Every node with a mesh is a part; nodes may share a mesh. All primitives of a mesh become one mesh. Skins,
//! morph targets and animations are not applied; a warning counts them. Hidden nodes are read, with a
//! warning: the file contains their triangles. A user can dismiss a listed clash, but cannot find a missing
//! one.
mod accessor;
mod container;
mod document;
mod extensions;
mod files;
mod lines;
mod meshes;
mod scene;
mod write;

pub(crate) use self::files::Folder;
use self::{accessor::Data, document::Document, meshes::Meshes, scene::Placed};
pub use self::{
    container::write_glb_container,
    lines::{LineGroup, write_lines_glb},
    write::write_glb,
};
use crate::{
    Axis, Error, Unit,
    affine::Affine,
    error::Place,
    load::Load,
    sink::{Label, Sink},
};
use std::sync::Arc;

pub(crate) fn parse(bytes: &[u8], load: Load<'_>, sink: &mut Sink) -> Result<(), Error> {
    let chunks = container::split(bytes, sink)?;
    let document = Document::parse(chunks.0)?;
    sink.describe(Some(Unit::Metre), Some(Axis::Y));
    extensions::check(&document, sink)?;
    let parts = scene::walk(&document, sink)?;
    let mut data = Data::new(&document, chunks, load);
    let mut meshes = Meshes::new(&document);
    for (n, Placed { node, name, path, mesh: i, map }) in parts.iter().enumerate() {
        let (mesh, rounding) = meshes.get(*i, &mut data, &mut sink.budget)?;
        let label = || Label { name: Arc::clone(name), path: Arc::clone(path), guid: None };
        match document.nodes[*node].instancing() {
            None => sink.placed(label(), *i, &mesh, map, rounding)?,
            Some(attributes) => {
                let inside = |e: Error| e.inside(&format!("node {node} EXT_mesh_gpu_instancing"));
                for instance in instances(attributes, n, &mut data, sink).map_err(inside)? {
                    sink.placed(label(), *i, &mesh, &map.after(&instance), rounding)?;
                }
            }
        }
    }
    meshes.warn(sink);
    if !document.animations.is_empty() {
        let what =
            format!("{} animations are not applied: nodes stay as modelled", document.animations.len());
        sink.warn(Place::File, what);
    }
    Ok(())
}

/// Maps of a node's instances, relative to the node; `before` nodes with a mesh precede it.
fn instances(
    attributes: &document::InstanceAttributes,
    before: usize,
    data: &mut Data<'_, '_>,
    sink: &mut Sink,
) -> Result<Vec<Affine>, Error> {
    let document::InstanceAttributes { translation, rotation, scale } = *attributes;
    let mut counts = [translation, rotation, scale].into_iter().flatten().map(|i| data.count(i));
    // Custom attributes have no meaning here. Instances that have no others have no transform.
    let count = counts
        .next()
        .unwrap_or_else(|| Err(Error::invalid(Place::File, "its instances have no transform")))?;
    for other in counts {
        if other? != count {
            return Err(Error::invalid(Place::File, "its attributes differ in length"));
        }
    }
    sink.budget.parts(before.saturating_add(usize::try_from(count).unwrap_or(usize::MAX)))?;
    let translations = translation.map(|i| data.points(i, &mut sink.budget)).transpose()?;
    let rotations = rotation.map(|i| data.rotations(i, &mut sink.budget)).transpose()?;
    let scales = scale.map(|i| data.points(i, &mut sink.budget)).transpose()?;
    let stretched = rotations.iter().flatten().filter(|&&q| !scene::is_unit(q)).count();
    if stretched > 0 {
        let what =
            format!("{stretched} instances have a rotation that is not a unit quaternion; it is normalized");
        sink.warn(Place::Item("EXT_mesh_gpu_instancing".to_owned()), what);
    }
    (0..count as usize)
        .map(|k| {
            let t = translations.as_ref().map_or([0.0; 3], |all| all[k]);
            let rotation = rotations.as_ref().map_or([0.0, 0.0, 0.0, 1.0], |all| all[k]);
            let scale = scales.as_ref().map_or([1.0; 3], |all| all[k]);
            scene::instance(t, rotation, scale)
                .map_err(|what| Error::invalid(Place::File, format!("instance {k}: {what}")))
        })
        .collect()
}
