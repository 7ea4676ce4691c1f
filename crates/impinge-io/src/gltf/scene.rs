//! The node hierarchy: which mesh stands where.
use super::document::{Document, Node};
use crate::{
    Error,
    assembly::{Affine, Sink},
    error::Place,
};

/// A mesh at a place in the world.
pub(super) struct Placed {
    pub(super) name: String,
    pub(super) mesh: usize,
    pub(super) map: Affine,
}

/// The nodes with a mesh, each before its children: those of the default scene, else of all scenes, else of all
/// nodes that are nobody's child.
pub(super) fn walk(document: &Document, sink: &mut Sink<'_>) -> Result<Vec<Placed>, Error> {
    let nodes = &document.nodes;
    let mut parts = Vec::new();
    let mut seen = vec![false; nodes.len()];
    let (mut skinned, mut morphed) = (0_u64, 0_u64);
    let mut open: Vec<(usize, Affine)> =
        roots(document, sink)?.into_iter().map(|i| (i, Affine::IDENTITY)).collect();
    open.reverse();
    while let Some((i, parent)) = open.pop() {
        let Some(node) = nodes.get(i) else {
            return Err(Error::item(format!("node {i}"), format!("there are {} nodes, from 0", nodes.len())));
        };
        if std::mem::replace(&mut seen[i], true) {
            return Err(Error::item(format!("node {i}"), "it is its own ancestor, or has two parents"));
        }
        let map = parent.after(&local(node).map_err(|what| Error::item(format!("node {i}"), what))?);
        if let Some(mesh) = node.mesh {
            if node.extensions.instancing.is_some() {
                let place = Place::Item(format!("node {i}"));
                return Err(Error::unsupported(place, "EXT_mesh_gpu_instancing is not supported"));
            }
            let Some(weights) = document.meshes.get(mesh).map(|m| &m.weights) else {
                let what = format!("it has mesh {mesh}; there are {}, from 0", document.meshes.len());
                return Err(Error::item(format!("node {i}"), what));
            };
            skinned += u64::from(node.skin.is_some());
            morphed += u64::from(weights.iter().chain(&node.weights).any(|w| *w != 0.0));
            parts.push(Placed { name: node.name(), mesh, map });
        }
        open.extend(node.children.iter().rev().map(|&child| (child, map)));
    }
    if skinned > 0 {
        sink.warn(
            Place::File,
            format!("{skinned} nodes have a skin, which is not applied: they stand as modelled"),
        );
    }
    if morphed > 0 {
        sink.warn(Place::File, format!("{morphed} nodes have morph weights, which are not applied"));
    }
    Ok(parts)
}

fn roots(document: &Document, sink: &mut Sink<'_>) -> Result<Vec<usize>, Error> {
    if let Some(i) = document.scene {
        let scenes = &document.scenes;
        let Some(scene) = scenes.get(i) else {
            return Err(Error::item(
                format!("scene {i}"),
                format!("there are {} scenes, from 0", scenes.len()),
            ));
        };
        if scenes.len() > 1 {
            let what = format!("only the default scene, {i} of {}, is read", scenes.len());
            sink.warn(Place::File, what);
        }
        return Ok(scene.nodes.clone());
    }
    let mut is_root = vec![document.scenes.is_empty(); document.nodes.len()];
    if document.scenes.is_empty() {
        for &child in document.nodes.iter().flat_map(|n| &n.children) {
            // One that does not exist is refused when it is visited.
            if let Some(root) = is_root.get_mut(child) {
                *root = false;
            }
        }
    }
    // A node may stand in several scenes: it is one part nevertheless.
    for &node in document.scenes.iter().flat_map(|s| &s.nodes) {
        match is_root.get_mut(node) {
            Some(root) => *root = true,
            None => return Err(Error::item(format!("node {node}"), "a scene names it, but there is none")),
        }
    }
    Ok((0..is_root.len()).filter(|&i| is_root[i]).collect())
}

/// A node's own transform.
fn local(node: &Node) -> Result<Affine, &'static str> {
    if let Some(m) = &node.matrix {
        if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
            return Err("it has a matrix as well as a translation, a rotation or a scale");
        }
        if [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0] {
            return Err("the last row of its matrix is not 0 0 0 1");
        }
        // By columns.
        let rows = std::array::from_fn(|i| std::array::from_fn(|j| m[4 * j + i]));
        return Ok(Affine { rows, t: [m[12], m[13], m[14]] });
    }
    let mut rows = rotation(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]))?;
    let scale = node.scale.unwrap_or([1.0; 3]);
    for row in &mut rows {
        row.iter_mut().zip(scale).for_each(|(entry, s)| *entry *= s);
    }
    Ok(Affine { rows, t: node.translation.unwrap_or_default() })
}

/// The rotation of a quaternion x, y, z, w of any length: `s` stands for the factor 2 of the formula for unit ones.
fn rotation([x, y, z, w]: [f64; 4]) -> Result<[[f64; 3]; 3], &'static str> {
    let s = 2.0 / (x * x + y * y + z * z + w * w);
    if !s.is_normal() {
        return Err("its rotation is not a quaternion that can be normalised");
    }
    Ok([
        [1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
        [s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w)],
        [s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y)],
    ])
}
