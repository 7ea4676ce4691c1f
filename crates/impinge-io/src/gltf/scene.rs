//! Walks the node hierarchy and computes the place of each mesh.
use super::document::{Document, Node};
use crate::{Error, affine::Affine, error::Place, sink::Sink};
use std::{slice, sync::Arc};

/// A node with a mesh, its names, and its map to the world.
pub(super) struct Placed {
    pub(super) node: usize,
    /// Name of the node, else of its mesh, else empty.
    pub(super) name: Arc<str>,
    pub(super) path: Arc<str>,
    pub(super) mesh: usize,
    pub(super) map: Affine,
}

/// Children of one parent that remain to be visited.
struct Level<'a> {
    children: slice::Iter<'a, usize>,
    map: Affine,
    hidden: bool,
    /// Length of the path of the parent's parent.
    outer: usize,
}

/// Features that the reader does not apply: number of nodes that have one, and the first such node.
#[derive(Default)]
struct Counted(Option<(usize, u64)>);

impl Counted {
    fn add(&mut self, node: usize, is: bool) {
        if is {
            self.0.get_or_insert((node, 0)).1 += 1;
        }
    }
    fn warn(self, sink: &mut Sink, what: impl FnOnce(u64) -> String) {
        if let Some((node, count)) = self.0 {
            sink.warn(Place::Item(format!("node {node}")), what(count));
        }
    }
}

/// The nodes with a mesh, each before its children: the nodes of the default scene, else of all scenes, else
/// all nodes without a parent.
pub(super) fn walk(document: &Document, sink: &mut Sink) -> Result<Vec<Placed>, Error> {
    let nodes = &document.nodes;
    let mut parts = Vec::new();
    let mut seen = vec![false; nodes.len()];
    // Path of the open levels. They share the text: one for each level would take the square of the depth.
    let mut path = String::new();
    // A mesh's name is made once for all its nodes.
    let mut names: Vec<Option<Arc<str>>> = vec![None; document.meshes.len()];
    let [mut skinned, mut morphed, mut hidden, mut coarser, mut stretched] = [const { Counted(None) }; 5];
    let roots = roots(document, sink)?;
    let mut open =
        vec![Level { children: roots.iter(), map: centre(document, sink), hidden: false, outer: 0 }];
    while let Some(level) = open.last_mut() {
        let Some(&i) = level.children.next() else {
            path.truncate(level.outer);
            open.pop();
            continue;
        };
        let Some(node) = nodes.get(i) else {
            return Err(Error::item(format!("node {i}"), format!("there are {} nodes, from 0", nodes.len())));
        };
        if std::mem::replace(&mut seen[i], true) {
            return Err(Error::item(format!("node {i}"), "it is its own ancestor, or has two parents"));
        }
        stretched.add(i, node.rotation.as_deref().is_some_and(|&q| !is_unit(q)));
        let map = level.map.after(&local(node).map_err(|what| Error::item(format!("node {i}"), what))?);
        let name = node.name();
        let is_hidden = level.hidden || node.is_hidden();
        if let Some(mesh) = node.mesh {
            let Some(weights) = document.meshes.get(mesh).map(|m| &m.weights) else {
                let what = format!("it has mesh {mesh}; there are {}, from 0", document.meshes.len());
                return Err(Error::item(format!("node {i}"), what));
            };
            skinned.add(i, node.skin.is_some());
            morphed.add(i, weights.iter().chain(&node.weights).any(|w| *w != 0.0));
            hidden.add(i, is_hidden);
            sink.budget.parts(parts.len() + 1)?;
            let name = name.clone().unwrap_or_else(|| {
                let made = || document.meshes[mesh].name().unwrap_or_default();
                Arc::clone(names[mesh].get_or_insert_with(made))
            });
            let path = sink.path(&path, &name);
            parts.push(Placed { node: i, name, path, mesh, map });
        }
        coarser.add(i, !node.coarser().is_empty());
        if !node.children.is_empty() {
            let outer = path.len();
            if let Some(name) = &name {
                if outer > 0 {
                    path.push('/');
                }
                path.push_str(name);
            }
            open.push(Level { children: node.children.iter(), map, hidden: is_hidden, outer });
        }
    }
    skinned.warn(sink, |n| format!("{n} nodes have a skin, which is not applied: they stay as modelled"));
    morphed.warn(sink, |n| format!("{n} nodes have morph weights, which are not applied"));
    hidden.warn(sink, |n| format!("{n} nodes with a mesh are hidden; they are read anyway"));
    stretched
        .warn(sink, |n| format!("{n} nodes have a rotation that is not a unit quaternion; it is normalized"));
    coarser.warn(sink, |n| format!("{n} nodes have coarser levels of detail, which are skipped"));
    Ok(parts)
}

/// The map of the whole document.
fn centre(document: &Document, sink: &mut Sink) -> Affine {
    let Some(rtc) = &document.extensions.rtc else { return Affine::IDENTITY };
    let [x, y, z] = rtc.center;
    let what = format!("({x}, {y}, {z}) is added to all positions, in the axes of the file's nodes");
    sink.warn(Place::Item("CESIUM_RTC".to_owned()), what);
    Affine { t: rtc.center, ..Affine::IDENTITY }
}

/// Map of an instance, relative to its node.
pub(super) fn instance(t: [f64; 3], rotation: [f64; 4], scale: [f64; 3]) -> Result<Affine, &'static str> {
    let mut rows = self::rotation(rotation)?;
    for row in &mut rows {
        row.iter_mut().zip(scale).for_each(|(entry, s)| *entry *= s);
    }
    Ok(Affine { rows, t })
}

fn roots(document: &Document, sink: &mut Sink) -> Result<Vec<usize>, Error> {
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
    if document.scenes.len() > 1 {
        let what = format!("none of its {} scenes is the default one: all are read", document.scenes.len());
        sink.warn(Place::File, what);
    }
    let mut is_root = vec![document.scenes.is_empty(); document.nodes.len()];
    if document.scenes.is_empty() {
        for &child in document.nodes.iter().flat_map(|n| n.children.iter().chain(n.coarser())) {
            // The visit refuses a child that does not exist.
            if let Some(root) = is_root.get_mut(child) {
                *root = false;
            }
        }
    }
    // A node may belong to several scenes; it is one part nevertheless.
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
    if let Some(m) = node.matrix.as_deref() {
        if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
            return Err("it has a matrix as well as a translation, a rotation or a scale");
        }
        if [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0] {
            return Err("the last row of its matrix is not 0 0 0 1");
        }
        // glTF stores the matrix column by column.
        let rows = std::array::from_fn(|i| std::array::from_fn(|j| m[4 * j + i]));
        return Ok(Affine { rows, t: [m[12], m[13], m[14]] });
    }
    let rotation = node.rotation.as_deref().copied().unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let scale = node.scale.as_deref().copied().unwrap_or([1.0; 3]);
    instance(node.translation.as_deref().copied().unwrap_or_default(), rotation, scale)
}

/// True if a quaternion has unit length, as the format requires, within the error of normalized bytes. Each
/// of the four numbers is off by at most 1/254, so the squared length is off by at most 2 sqrt(4) / 254 <
/// 1/60 plus the square of that.
pub(super) fn is_unit([x, y, z, w]: [f64; 4]) -> bool {
    (x * x + y * y + z * z + w * w - 1.0).abs() <= 1.0 / 50.0
}

/// The rotation of a quaternion x, y, z, w of any length; `s` replaces the factor 2 of the formula for unit
/// quaternions.
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
