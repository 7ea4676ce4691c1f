//! Builds one `Mesh` from all primitives of a geometry, once for all its instances.
use super::{
    numbers::{corners, wholes},
    occurrences::Occurrences,
    positions::Positions,
    tree::{ElementId, Tag, XmlTree},
};
use crate::{
    Error,
    polygon::{Fan, Polygons},
    sink::Sink,
    used_points::used_points,
};
use foldhash::{HashMap, HashMapExt};
use impinge::Mesh;
use std::{rc::Rc, sync::Arc};

/// A geometry that has instances.
#[derive(Clone)]
pub(super) struct BuiltGeometry {
    /// `None` if its shape is not a mesh.
    pub(super) mesh: Option<Arc<Mesh>>,
    /// Its name, else its identifier, else empty.
    pub(super) name: Arc<str>,
}

pub(super) struct Geometries<'t, 'a> {
    tree: &'t XmlTree<'a>,
    positions: Positions<'t, 'a>,
    built: HashMap<ElementId, BuiltGeometry>,
    polygons: Polygons,
    lines: Occurrences,
    holes: Occurrences,
    shapes: Occurrences,
}

impl<'t, 'a> Geometries<'t, 'a> {
    pub(super) fn new(tree: &'t XmlTree<'a>) -> Self {
        Self {
            tree,
            positions: Positions::new(tree),
            built: HashMap::new(),
            polygons: Polygons::default(),
            lines: Occurrences::default(),
            holes: Occurrences::default(),
            shapes: Occurrences::default(),
        }
    }

    pub(super) fn get(&mut self, geometry: ElementId, sink: &mut Sink) -> Result<BuiltGeometry, Error> {
        if let Some(built) = self.built.get(&geometry) {
            return Ok(built.clone());
        }
        let mesh = match self.tree.child(geometry, Tag::Mesh) {
            Some(mesh) => Some(Arc::new(self.mesh(mesh, sink)?)),
            None => {
                let shape = self.tree.child(geometry, Tag::OtherShape).unwrap_or(geometry);
                self.shapes.add(self.tree.line(shape));
                None
            }
        };
        let name = display_name(self.tree, geometry)?.unwrap_or_default();
        let built = BuiltGeometry { mesh, name };
        self.built.insert(geometry, built.clone());
        Ok(built)
    }

    fn mesh(&mut self, mesh: ElementId, sink: &mut Sink) -> Result<Mesh, Error> {
        let tree = self.tree;
        let mut vertices = None;
        for child in tree.children(mesh).filter(|&e| tree.tag(e) == Tag::Vertices) {
            if vertices.replace(child).is_some() {
                return Err(tree.wrong(child, "the mesh has a second element 'vertices'"));
            }
        }
        // A mesh of lines alone has points that nothing needs.
        let mut points = None;
        let mut triangles = Vec::new();
        for e in tree.children(mesh) {
            match tree.tag(e) {
                Tag::Lines => self.lines.add(tree.line(e)),
                Tag::Triangles | Tag::Polylist | Tag::Polygons | Tag::Tristrips | Tag::Trifans => {
                    let Some((columns, vertices)) = vertex_columns(tree, e, vertices)? else { continue };
                    let points = match &points {
                        Some(points) => points,
                        None => &*points.insert(self.positions.of(mesh, vertices, &mut sink.budget)?),
                    };
                    let primitive = Primitives { tree, e, columns, points };
                    primitive.cut(&mut triangles, &mut self.polygons, &mut self.holes)?;
                }
                _ => {}
            }
        }
        sink.budget.triangles(triangles.len() as u64, || tree.place(mesh))?;
        let wrong = |e| tree.wrong(mesh, "it does not make a mesh").because(e);
        match points.map(Rc::try_unwrap) {
            None => Ok(Mesh::default()),
            Some(Ok(own)) => used_points(own, triangles).map_err(wrong),
            Some(Err(shared)) => {
                let points = gather(&shared, &mut triangles);
                sink.budget.points(points.len() as u64, || tree.place(mesh))?;
                Mesh::new(points, triangles).map_err(wrong)
            }
        }
    }

    /// Warns of what is skipped, and of geometries without an instance.
    pub(super) fn warn(self, sink: &mut Sink) {
        let tree = self.tree;
        self.polygons.warn(sink);
        self.lines.warn(sink, |n| format!("lines are not triangles and are skipped: {n}"));
        self.holes.warn(sink, |n| format!("polygons with holes are skipped: {n}"));
        self.shapes.warn(sink, |n| format!("geometries other than a mesh are skipped: {n}"));
        let mut lost = Occurrences::default();
        for geometry in tree.all(Tag::Geometry).filter(|e| !self.built.contains_key(e)) {
            lost.add(tree.line(geometry));
        }
        lost.warn(sink, |n| format!("geometries without an instance in the scene are skipped: {n}"));
    }
}

/// Name of an element, else its identifier; `None` if it has neither.
pub(super) fn display_name(tree: &XmlTree<'_>, e: ElementId) -> Result<Option<Arc<str>>, Error> {
    for attribute in ["name", "id"] {
        let text = tree.attribute(e, attribute)?.unwrap_or_default();
        let name = crate::quote::name(text.as_bytes());
        if !name.is_empty() {
            return Ok(Some(name.into()));
        }
    }
    Ok(None)
}

/// Number of indices of each corner of a primitive element, and the position of the vertex among them, with
/// the element of the vertices. `None` if there are no indices.
fn vertex_columns(
    tree: &XmlTree<'_>,
    e: ElementId,
    vertices: Option<ElementId>,
) -> Result<Option<([u64; 2], ElementId)>, Error> {
    let (mut stride, mut vertex) = (0, None);
    for input in tree.children(e).filter(|&child| tree.tag(child) == Tag::Input) {
        let offset = tree.whole(input, "offset")?.unwrap_or(0);
        stride = stride.max(offset.saturating_add(1));
        if tree.required(input, "semantic")? != "VERTEX" {
            continue;
        }
        let target = tree.target(input, "source", Tag::Vertices)?;
        if vertices != Some(target) {
            return Err(tree.wrong(input, "the vertices are those of another mesh"));
        }
        if vertex.replace((offset, target)).is_some() {
            return Err(tree.wrong(input, "a second input VERTEX"));
        }
    }
    let is_indexed = tree.children(e).any(|child| matches!(tree.tag(child), Tag::P | Tag::Ph));
    match vertex {
        Some((offset, vertices)) => Ok(Some(([stride, offset], vertices))),
        // Exporters write elements without anything for materials that no face has.
        None if !is_indexed => Ok(None),
        None => Err(tree.wrong(e, "there is no input VERTEX")),
    }
}

/// An element of primitives, such as `triangles`.
struct Primitives<'t, 'a> {
    tree: &'t XmlTree<'a>,
    e: ElementId,
    columns: [u64; 2],
    points: &'t [[f64; 3]],
}

impl Primitives<'_, '_> {
    /// Appends the triangles.
    fn cut(
        &self,
        triangles: &mut Vec<[u32; 3]>,
        polygons: &mut Polygons,
        holes: &mut Occurrences,
    ) -> Result<(), Error> {
        let tree = self.tree;
        let tag = tree.tag(self.e);
        let mut found = 0;
        let mut corners = Vec::new();
        for p in tree.children(self.e) {
            match tree.tag(p) {
                Tag::P => {}
                Tag::Ph => {
                    holes.add(tree.line(p));
                    found += 1;
                    continue;
                }
                _ => continue,
            }
            // The indices of a list may be in several elements.
            if !matches!(tag, Tag::Triangles | Tag::Polylist) {
                corners.clear();
            }
            self::corners(tree, p, self.columns, self.points.len(), &mut corners)?;
            found += 1;
            match tag {
                Tag::Tristrips => {
                    triangles.extend(corners.windows(3).enumerate().map(|(n, c)| match n % 2 {
                        0 => [c[0], c[1], c[2]],
                        _ => [c[1], c[0], c[2]],
                    }))
                }
                Tag::Trifans => {
                    triangles.extend(corners.windows(2).skip(1).map(|c| [corners[0], c[0], c[1]]))
                }
                Tag::Polygons => self.polygon(&corners, p, triangles, polygons),
                _ => continue,
            }
            if corners.len() < 3 && tag != Tag::Polygons {
                polygons.too_small(tree.place(p));
            }
        }
        match tag {
            Tag::Triangles => {
                let (whole, rest) = corners.as_chunks();
                if !rest.is_empty() {
                    let what = format!("{} corners do not make whole triangles", corners.len());
                    return Err(tree.wrong(self.e, what));
                }
                triangles.extend_from_slice(whole);
                found = whole.len() as u64;
            }
            Tag::Polylist => found = self.list(&corners, triangles, polygons)?,
            _ => {}
        }
        match tree.whole(self.e, "count")? {
            Some(count) if count != found => {
                let name = crate::quote::show(tree.name(self.e).as_bytes());
                Err(tree.wrong(self.e, format!("'{name}' states {count} primitives and has {found}")))
            }
            _ => Ok(()),
        }
    }

    /// Appends the polygons of a `polylist`, given all corners; returns their number.
    fn list(
        &self,
        corners: &[u32],
        triangles: &mut Vec<[u32; 3]>,
        polygons: &mut Polygons,
    ) -> Result<u64, Error> {
        let tree = self.tree;
        let counts = match tree.child(self.e, Tag::Vcount) {
            Some(vcount) => wholes(tree, vcount)?,
            None => Vec::new(),
        };
        let sum: u64 = counts.iter().map(|&n| u64::from(n)).sum();
        if sum != corners.len() as u64 {
            let what = format!("the polygons have {sum} corners, but there are {}", corners.len());
            return Err(tree.wrong(self.e, what));
        }
        let mut rest = corners;
        for &n in &counts {
            let polygon;
            (polygon, rest) = rest.split_at(n as usize);
            self.polygon(polygon, self.e, triangles, polygons);
        }
        Ok(counts.len() as u64)
    }

    fn polygon(
        &self,
        corners: &[u32],
        at: ElementId,
        triangles: &mut Vec<[u32; 3]>,
        polygons: &mut Polygons,
    ) {
        let mut fan = Fan::default();
        triangles.extend(corners.iter().filter_map(|&corner| fan.push(corner)));
        polygons.close(&fan, self.points, 0, triangles, self.tree.place(at));
    }
}

/// The points that triangles use, in file order, and the triangles renumbered. The cost depends on the
/// triangles alone: many meshes may share the points.
fn gather(all: &[[f64; 3]], triangles: &mut [[u32; 3]]) -> Vec<[f64; 3]> {
    let mut used = triangles.as_flattened().to_vec();
    used.sort_unstable();
    used.dedup();
    for corner in triangles.as_flattened_mut() {
        *corner = used.partition_point(|u| u < corner) as u32;
    }
    used.iter().map(|&i| all[i as usize]).collect()
}
