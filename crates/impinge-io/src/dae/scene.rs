//! Walks the nodes of the scene and places the geometries.
use super::{
    geometry::{Geometries, display_name},
    occurrences::Occurrences,
    transform,
    tree::{ElementId, Tag, XmlTree},
};
use crate::{
    Error,
    affine::Affine,
    budget::passed,
    error::Place,
    sink::{Label, Sink},
};
use foldhash::{HashMap, HashMapExt};
use std::{rc::Rc, sync::Arc};

/// A node, parsed once for all its instances.
struct SceneNode {
    name: Option<Arc<str>>,
    map: Affine,
    /// A transform that is not supported.
    refused: Option<ElementId>,
    children: Vec<NodeChild>,
}

#[derive(Clone, Copy)]
enum NodeChild {
    /// An instance of a geometry, which a skin may place.
    Shape(ElementId, Affine),
    /// A node, and the element to which an error belongs: the node, or its instance.
    Node(ElementId, ElementId),
}

/// A node whose children are being visited.
struct OpenNode {
    e: ElementId,
    node: Rc<SceneNode>,
    /// The next of its children.
    next: usize,
    map: Affine,
    refused: Option<ElementId>,
    /// Length of the path without the node's name.
    outer: usize,
}

struct Walk<'t, 'a> {
    tree: &'t XmlTree<'a>,
    geometries: Geometries<'t, 'a>,
    nodes: HashMap<ElementId, Rc<SceneNode>>,
    open: Vec<OpenNode>,
    /// Number of children visited so far.
    visits: usize,
    /// True for the elements of `open`.
    is_open: Vec<bool>,
    /// Path of the open nodes.
    path: String,
    skins: Occurrences,
    morphs: Occurrences,
    axes: Occurrences,
}

/// Adds the parts of the scene.
pub(super) fn run(tree: &XmlTree<'_>, sink: &mut Sink) -> Result<(), Error> {
    let mut walk = Walk {
        tree,
        geometries: Geometries::new(tree),
        nodes: HashMap::new(),
        open: Vec::new(),
        visits: 0,
        is_open: vec![false; tree.len()],
        path: String::new(),
        skins: Occurrences::default(),
        morphs: Occurrences::default(),
        axes: Occurrences::default(),
    };
    for scene in scenes(tree, sink)? {
        walk.enter(scene, scene)?;
        walk.visit(sink)?;
    }
    if tree.all(Tag::VisualScene).next().is_none() {
        walk.without_scene(sink)?;
    }
    walk.skins.warn(sink, |n| format!("skins are not applied: {n} instances stay in their bind pose"));
    walk.morphs.warn(sink, |n| format!("morph targets are not applied: {n} instances stay as modelled"));
    walk.axes
        .warn(sink, |n| format!("rotations whose axis is not of unit length: {n}; the axis is normalized"));
    walk.geometries.warn(sink);
    Ok(())
}

/// The scene that the document shows, else all its scenes.
fn scenes(tree: &XmlTree<'_>, sink: &mut Sink) -> Result<Vec<ElementId>, Error> {
    let all: Vec<ElementId> = tree.all(Tag::VisualScene).collect();
    let instance = tree.child(0, Tag::Scene).and_then(|scene| tree.child(scene, Tag::InstanceVisualScene));
    let Some(instance) = instance else {
        if all.len() > 1 {
            let what = format!("the document shows none of its {} visual scenes: all are read", all.len());
            sink.warn(Place::File, what);
        }
        return Ok(all);
    };
    let scene = tree.target(instance, "url", Tag::VisualScene)?;
    if all.len() > 1 {
        let what = format!("only the visual scene that the document shows, one of {}, is read", all.len());
        sink.warn(tree.place(instance), what);
    }
    Ok(vec![scene])
}

impl Walk<'_, '_> {
    /// Visits the children of the open node, and what is below them. The limit of parts, or the number of
    /// elements of the file if that is larger, also limits the visits: thirty nodes of two instances each
    /// could have 2^30.
    fn visit(&mut self, sink: &mut Sink) -> Result<(), Error> {
        let most = sink.budget.limits.parts.max(self.tree.len());
        while let Some(open) = self.open.last_mut() {
            let Some(&child) = open.node.children.get(open.next) else {
                self.path.truncate(open.outer);
                self.is_open[open.e as usize] = false;
                self.open.pop();
                continue;
            };
            open.next += 1;
            self.visits += 1;
            if self.visits > most {
                return Err(passed(Place::File, most as u64, "nodes and instances"));
            }
            match child {
                NodeChild::Node(node, from) => self.enter(node, from)?,
                NodeChild::Shape(geometry, bind) => self.place(geometry, &bind, sink)?,
            }
        }
        Ok(())
    }

    /// Opens a node below the open one.
    fn enter(&mut self, e: ElementId, from: ElementId) -> Result<(), Error> {
        if std::mem::replace(&mut self.is_open[e as usize], true) {
            return Err(self.tree.wrong(from, "a node contains itself"));
        }
        let node = self.node(e)?;
        let (map, refused) = match self.open.last() {
            Some(outer) => (outer.map.after(&node.map), outer.refused.or(node.refused)),
            None => (node.map, node.refused),
        };
        let outer = self.path.len();
        if let Some(name) = &node.name {
            if outer > 0 {
                self.path.push('/');
            }
            self.path.push_str(name);
        }
        self.open.push(OpenNode { e, node, next: 0, map, refused, outer });
        Ok(())
    }

    /// Adds a part: a geometry in the open node.
    fn place(&mut self, geometry: ElementId, bind: &Affine, sink: &mut Sink) -> Result<(), Error> {
        let Some(open) = self.open.last() else { return Ok(()) };
        if let Some(e) = open.refused {
            let name = crate::quote::show(self.tree.name(e).as_bytes());
            let what = format!("the transform '{name}' of a node with a geometry is not supported");
            return Err(Error::unsupported(self.tree.place(e), what));
        }
        let built = self.geometries.get(geometry, sink)?;
        let Some(mesh) = &built.mesh else { return Ok(()) };
        let name = open.node.name.clone().unwrap_or(built.name);
        let path = sink.path(&self.path[..open.outer], &name);
        let label = Label { name, path, guid: None };
        sink.placed(label, geometry as usize, mesh, &open.map.after(bind), None)
    }

    /// Adds every geometry of a document that has no scene.
    fn without_scene(&mut self, sink: &mut Sink) -> Result<(), Error> {
        let tree = self.tree;
        for geometry in tree.all(Tag::Geometry) {
            let built = self.geometries.get(geometry, sink)?;
            let Some(mesh) = &built.mesh else { continue };
            let (name, path) = (Arc::clone(&built.name), built.name);
            let label = Label { name, path, guid: None };
            sink.placed(label, geometry as usize, mesh, &Affine::IDENTITY, None)?;
        }
        sink.warn(Place::File, "the document has no visual scene: its geometries are read once each");
        Ok(())
    }

    /// A node or a scene, parsed on its first visit.
    fn node(&mut self, e: ElementId) -> Result<Rc<SceneNode>, Error> {
        if let Some(node) = self.nodes.get(&e) {
            return Ok(Rc::clone(node));
        }
        let tree = self.tree;
        // The name of a scene is no level of the hierarchy, as in glTF.
        let name = if tree.tag(e) == Tag::Node { display_name(tree, e)? } else { None };
        let mut node = SceneNode { name, map: Affine::IDENTITY, refused: None, children: Vec::new() };
        for child in tree.children(e) {
            match tree.tag(child) {
                Tag::Node => node.children.push(NodeChild::Node(child, child)),
                Tag::InstanceNode => {
                    let target = tree.target(child, "url", Tag::Node)?;
                    node.children.push(NodeChild::Node(target, child));
                }
                Tag::InstanceGeometry => {
                    let target = tree.target(child, "url", Tag::Geometry)?;
                    node.children.push(NodeChild::Shape(target, Affine::IDENTITY));
                }
                Tag::InstanceController => node.children.push(self.controlled(child)?),
                Tag::OtherTransform => drop(node.refused.get_or_insert(child)),
                _ => {
                    if let Some(map) = transform::local(tree, child)? {
                        node.map = node.map.after(&map);
                    }
                    if tree.tag(child) == Tag::Rotate && !transform::has_unit_axis(tree, child)? {
                        self.axes.add(tree.line(child));
                    }
                }
            }
        }
        let node = Rc::new(node);
        self.nodes.insert(e, Rc::clone(&node));
        Ok(node)
    }

    /// The geometry of a skin or a morph, before its joints or weights apply. A skin has a map that places
    /// the geometry; the skin of a morph has another controller.
    fn controlled(&mut self, instance: ElementId) -> Result<NodeChild, Error> {
        let tree = self.tree;
        let mut map = Affine::IDENTITY;
        let mut controller = tree.target(instance, "url", Tag::Controller)?;
        // Only a cycle has more steps than two.
        for _ in 0..16 {
            let child = |tag| tree.child(controller, tag);
            let Some(inner) = child(Tag::Skin).or_else(|| child(Tag::Morph)) else {
                return Err(tree.wrong(controller, "the controller has neither a skin nor a morph"));
            };
            if tree.tag(inner) == Tag::Skin {
                self.skins.add(tree.line(instance));
            } else {
                self.morphs.add(tree.line(instance));
            }
            if let Some(bind) = tree.child(inner, Tag::BindShapeMatrix)
                && let Some(bind) = transform::local(tree, bind)?
            {
                map = map.after(&bind);
            }
            // The source is a geometry or another controller.
            controller = match tree.target(inner, "source", Tag::Geometry) {
                Ok(geometry) => return Ok(NodeChild::Shape(geometry, map)),
                Err(no_geometry) => tree.target(inner, "source", Tag::Controller).map_err(|_| no_geometry)?,
            };
        }
        Err(tree.wrong(controller, "a controller is its own source"))
    }
}
