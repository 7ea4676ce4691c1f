//! [`Scene`]: nodes of groups, findings and parts, and the numbers of their meshes.
use super::{
    colours::Colours,
    document::{Document, Extras, FindingExtras, GroupExtras, Node, PartExtras, Primitive, RootExtras},
    frame::Frame,
};
use crate::{
    contact_lines::ContactLines,
    groups::{finding_word, parts},
    keys::keys,
    names::Names,
    summary,
};
use impinge::Mesh;
use impinge_check::{Groups, Report, Unit, report::GroupBy, values::numbers::count};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    io,
};

/// Maximum number of findings in a scene, the gravest of each group first. Programs have trouble with more
/// nodes.
const FINDINGS: usize = 10_000;
/// Maximum number of triangles in the trees that are built to find curves.
const TRIANGLES: usize = 2_000_000;
/// Number of bytes of curves after which no further curves are added.
const CURVES: usize = 32 << 20;

/// A document, and its data: meshes, then lines.
pub(super) struct Scene<'a> {
    pub(super) document: Document<'a>,
    pub(super) meshes: Vec<&'a Mesh>,
    pub(super) lines: Vec<u8>,
}

impl<'a> Scene<'a> {
    /// Makes the scene of a report, with at most `most` bytes of meshes.
    ///
    /// # Errors
    /// A mesh or curve is larger than f32 numbers can be.
    pub(super) fn new(report: &'a Report, by: &GroupBy, most: u64) -> io::Result<Self> {
        let groups = Groups::by(report, by).groups;
        let shown = shown(&groups);
        let mut builder = Builder {
            report,
            names: Names::of(report),
            frame: Frame::of(report),
            document: Document::new(),
            meshes: Vec::new(),
            lines: Vec::new(),
        };
        builder.document.add(Node::default());
        let mut colours = Colours::new(report.part_count());
        let mut one_colour = 0;
        for &(_, finding) in &shown {
            if let [Some(a), Some(b)] = parts(report, &report.findings()[finding as usize]) {
                one_colour += usize::from(!colours.part([a, b]));
            }
        }
        let left_out = builder.parts(&shown, &mut colours, most)?;
        let without_curves = builder.findings(&groups, shown.clone())?;
        let frame = &builder.frame;
        let root = RootExtras {
            unit: frame.unit.map(Unit::symbol),
            up: frame.axis(),
            origin: frame.origin,
            summary: summary::summary(report, None),
            findings: shown.len(),
            findings_left_out: groups.iter().map(|group| group.findings.len()).sum::<usize>() - shown.len(),
            findings_without_curves: without_curves,
            findings_of_one_colour: one_colour,
            meshes_left_out: left_out,
            pairs_not_examined: report.not_examined().len(),
        };
        let (rotation, scale) = (frame.rotation(), frame.scale());
        let Builder { mut document, meshes, lines, .. } = builder;
        let node = &mut document.nodes[0];
        (node.rotation, node.scale) = (rotation, scale);
        node.name = format!("impinge: {}", count(shown.len() as u64, "finding"));
        node.extras = Some(Extras::Root(Box::new(root)));
        Ok(Self { document, meshes, lines })
    }
}

/// The groups and indices of the findings that are shown, the gravest of each group first.
fn shown(groups: &[impinge_check::report::Group]) -> Vec<(u32, u32)> {
    let numbered = || (0..).zip(groups);
    let first = numbered().filter_map(|(i, group)| Some((i, *group.findings.first()?)));
    let others = numbered().flat_map(|(i, group)| group.findings.iter().skip(1).map(move |&one| (i, one)));
    first.chain(others).take(FINDINGS).collect()
}

/// The points of a mesh, relative to the centre of their box.
pub(super) fn points(mesh: &Mesh) -> impl Iterator<Item = [f32; 3]> {
    let centre = crate::html::centre(mesh);
    mesh.points().iter().map(move |point| [0, 1, 2].map(|k| (point[k] - centre[k]) as f32))
}

struct Builder<'a> {
    report: &'a Report,
    names: Names<'a>,
    frame: Frame,
    document: Document<'a>,
    meshes: Vec<&'a Mesh>,
    lines: Vec<u8>,
}

impl<'a> Builder<'a> {
    /// Adds a node for each part of the findings; returns the number of meshes that did not fit into `most`
    /// bytes.
    fn parts(&mut self, shown: &[(u32, u32)], colours: &mut Colours, most: u64) -> io::Result<usize> {
        let report = self.report;
        // Accessor of the points of each mesh, by the mesh's number; `None` if the mesh is omitted.
        let mut accessors: HashMap<u32, Option<u32>> = HashMap::new();
        let mut coloured: HashMap<(u32, usize), u32> = HashMap::new();
        let (mut seen, mut nodes) = (HashSet::new(), Vec::new());
        let findings = shown.iter().map(|&(_, finding)| &report.findings()[finding as usize]);
        for part in findings.flat_map(|finding| parts(report, finding)).flatten() {
            if !seen.insert(part) {
                continue;
            }
            let facts = report.part(part);
            let mesh = report.assembly().map(|assembly| &*assembly.parts[part as usize].mesh);
            let mesh = mesh.filter(|mesh| !mesh.is_empty());
            let mut node = Node { name: facts.name().to_owned(), ..Node::default() };
            let mut accessor = None;
            if let Some(mesh) = mesh {
                accessor = match accessors.get(&facts.mesh()) {
                    Some(&accessor) => accessor,
                    None => {
                        let accessor = self.mesh(mesh, most).map_err(|what| named(facts.name(), what))?;
                        accessors.insert(facts.mesh(), accessor);
                        accessor
                    }
                };
                node.matrix = Some(self.matrix(part, mesh));
            }
            if let Some(accessor) = accessor {
                let colour = colours.of(part);
                let document = &mut self.document;
                node.mesh = Some(*coloured.entry((accessor, colour)).or_insert_with(|| {
                    document.mesh(facts.name(), vec![Primitive::triangles(accessor, colour as u32)])
                }));
            }
            node.extras = Some(Extras::Part(PartExtras {
                part,
                file: facts.file().to_string_lossy().into_owned(),
                guid: facts.guid(),
                class: facts.class(),
                mesh_left_out: mesh.is_some() && accessor.is_none(),
            }));
            nodes.push(self.document.add(node));
        }
        if !nodes.is_empty() {
            let folder = Node { name: "parts".to_owned(), children: nodes, ..Node::default() };
            let folder = self.document.add(folder);
            self.document.nodes[0].children.push(folder);
        }
        Ok(accessors.values().filter(|accessor| accessor.is_none()).count())
    }
    /// Adds the numbers of a mesh; returns the accessor of its points, `None` if it does not fit.
    fn mesh(&mut self, mesh: &'a Mesh, most: u64) -> Result<Option<u32>, &'static str> {
        let bytes = 12 * (mesh.points().len() + mesh.len()) as u64;
        if self.document.length() + bytes > most {
            return Ok(None);
        }
        if !points(mesh).flatten().all(f32::is_finite) {
            return Err("its size is beyond the range of f32");
        }
        let accessor = self.document.positions(points(mesh));
        self.document.corners(3 * mesh.len());
        self.meshes.push(mesh);
        Ok(Some(accessor))
    }
    /// Pose in the scene of a part whose points are relative to their centre.
    fn matrix(&self, part: u32, mesh: &Mesh) -> [f64; 16] {
        let pose = self.report.part(part).pose();
        let [x, y, z] = *pose.rows();
        let at = self.place(pose.place(crate::html::centre(mesh)));
        let column = |k: usize| [x[k], y[k], z[k], 0.0];
        let columns = [column(0), column(1), column(2), [at[0], at[1], at[2], 1.0]];
        std::array::from_fn(|i| columns[i / 4][i % 4])
    }
    /// Maps a point of the files to the scene.
    fn place(&self, point: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|k| point[k] - self.frame.origin[k])
    }
    /// Adds a node for each group, and in it for each of its findings; returns the number of findings whose
    /// surfaces meet in curves that are not stored.
    fn findings(
        &mut self,
        groups: &[impinge_check::report::Group],
        shown: Vec<(u32, u32)>,
    ) -> io::Result<usize> {
        let report = self.report;
        let (keys, contact_lines) = (keys(report), ContactLines::new(report));
        let (mut trees, mut triangles, mut without) = (HashSet::new(), 0, 0);
        let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (group, index) in shown {
            let finding = &report.findings()[index as usize];
            let clash = report.clash_of(finding);
            let mut segments = Vec::new();
            if contact_lines.clash(finding).is_some() && self.lines.len() < CURVES {
                for &part in finding.parts() {
                    let facts = report.part(part);
                    if trees.insert(facts.mesh()) {
                        triangles += facts.triangles();
                    }
                }
                if triangles <= TRIANGLES {
                    segments.extend(contact_lines.contact(finding).lines().cloned());
                }
            }
            without +=
                usize::from(segments.is_empty() && clash.is_some_and(|clash| clash.triangle_pairs > 0));
            segments.extend(report.near_of(finding).map(|near| near.points.to_vec()));
            let point = report.point_of(finding);
            let node = self.finding(group, index, &keys[index as usize]);
            if let Some(origin) = point {
                self.document.nodes[node as usize].mesh = self.curves(origin, &segments)?;
            }
            children.entry(group).or_default().push(node);
        }
        for (number, nodes) in children {
            let group = &groups[number as usize];
            let test = &report.tests()[group.test as usize];
            let extras = GroupExtras {
                group: number,
                test: &test.name,
                severity: test.severity.name(),
                relation: group.kind.name(),
                findings: group.findings.len(),
            };
            let [count, total] = [nodes.len(), group.findings.len()];
            let what = self.title(group.findings[0]);
            let more = if total > 1 { format!(", {total} times") } else { String::new() };
            let part = if count < total { format!(", {count} shown") } else { String::new() };
            let node = self.document.add(Node {
                name: format!("group {}: {what}{more}{part}", number + 1),
                children: nodes,
                extras: Some(Extras::Group(extras)),
                ..Node::default()
            });
            self.document.nodes[0].children.push(node);
        }
        Ok(without)
    }
    /// The parts of a finding and its relation, in words.
    fn title(&self, index: u32) -> String {
        let finding = &self.report.findings()[index as usize];
        let labels = parts(self.report, finding).into_iter().flatten();
        let labels: Vec<_> = labels.map(|part| self.names.label(part as usize)).collect();
        format!("{} {}", labels.join(" × "), finding_word(finding.kind))
    }
    fn finding(&mut self, group: u32, index: u32, key: &str) -> u32 {
        let report = self.report;
        let finding = &report.findings()[index as usize];
        let test = &report.tests()[finding.test as usize];
        let clash = report.clash_of(finding);
        let depth = clash.and_then(|clash| report.depth(clash));
        let parts: Vec<u32> = parts(report, finding).into_iter().flatten().collect();
        let facts = || parts.iter().map(|&part| report.part(part));
        let has_guids = facts().any(|part| part.guid().is_some());
        let point = report.point_of(finding);
        let extras = FindingExtras {
            id: key.to_owned(),
            finding: index,
            group,
            test: &test.name,
            severity: test.severity.name(),
            relation: finding.kind.name(),
            status: report.status(index as usize).map(|seen| seen.status.name()),
            names: facts().map(|part| part.name()).collect(),
            guids: facts().map(|part| part.guid()).filter(|_| has_guids).collect(),
            point,
            overlap_volume: depth.and_then(|depth| depth.overlap_volume),
            interference_depth: depth.and_then(|depth| depth.interference_depth),
            separating_translation: depth.and_then(|depth| depth.separating_translation),
            distance: report.distance_of(finding),
            triangle_pairs: clash.map(|clash| clash.triangle_pairs),
            parts,
        };
        let node = Node {
            name: self.title(index),
            translation: point.map(|point| self.place(point)),
            extras: Some(Extras::Finding(Box::new(extras))),
            ..Node::default()
        };
        self.document.add(node)
    }
    /// Adds a mesh of lines relative to an origin. Lines of one point become points.
    fn curves(&mut self, origin: [f64; 3], lines: &[Vec<[f64; 3]>]) -> io::Result<Option<u32>> {
        let narrow = |point: &[f64; 3]| [0, 1, 2].map(|k| (point[k] - origin[k]) as f32);
        let ends = lines.iter().flat_map(|line| line.windows(2).flatten().map(narrow).collect::<Vec<_>>());
        let single = lines.iter().filter(|line| line.len() == 1).map(|line| narrow(&line[0]));
        let (ends, single): (Vec<_>, Vec<_>) = (ends.collect(), single.collect());
        let mut primitives = Vec::new();
        for (points, primitive) in [(ends, Primitive::lines as fn(u32) -> _), (single, Primitive::points)] {
            if points.is_empty() {
                continue;
            }
            if !points.as_flattened().iter().all(|x| x.is_finite()) {
                return Err(io::Error::other("a contact curve is beyond the range of f32"));
            }
            primitives.push(primitive(self.document.positions(points.iter().copied())));
            self.lines.extend(points.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
        }
        Ok((!primitives.is_empty()).then(|| self.document.mesh("contact", primitives)))
    }
}

fn named(name: &str, what: &str) -> io::Error {
    let name = impinge_check::values::text::printable(name);
    io::Error::other(format!("part '{name}': {what}, so that a GLB cannot hold it"))
}
