//! The parts and the shapes of each link, from robots, meshes and sphere models.
use super::inputs::ProxyInputs;
use crate::robot::meshes::{MeshReader, Meshes};
use anyhow::{bail, ensure};
use impinge::{Model, Pose};
use impinge_check::Unit;
use impinge_robot::{
    LinkSpheres, SphereModel, Urdf,
    cover::{CoverPart, CoverShape, CoverSolid},
    read_text, spheres,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Contents of a file: a robot, a sphere model or a mesh.
enum SourceKind {
    Robot(Box<Urdf>),
    Spheres(SphereModel),
    Mesh,
}

/// A file with its contents.
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// The text of robots and sphere models.
    pub(super) text: Option<String>,
    /// The unit of lengths, if the file states one.
    pub(super) unit: Option<Unit>,
    input: SourceKind,
}

impl Source {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        let metre = Some(Unit::Metre);
        let (text, unit, input) = match extension.as_deref().unwrap_or("") {
            "urdf" => {
                let text = read_text(path)?;
                let urdf = Urdf::parse(&text).map_err(|error| error.in_file(path))?;
                (Some(text), metre, SourceKind::Robot(Box::new(urdf)))
            }
            "srdf" | "yml" | "yaml" | "xrdf" | "json" | "txt" | "csv" | "xyzr" => {
                let text = read_text(path)?;
                let name = path.to_string_lossy();
                let model = spheres::parse(&name, &text).map_err(|error| error.in_file(path))?;
                (Some(text), None, SourceKind::Spheres(model))
            }
            _ => (None, None, SourceKind::Mesh),
        };
        Ok(Self { path: path.to_owned(), text, unit, input })
    }
}

/// A link, or the one part of a mesh file.
#[derive(Clone)]
pub(super) struct LinkInput {
    pub(super) name: String,
    pub(super) parts: Vec<CoverPart>,
    pub(super) shapes: Vec<CoverShape>,
    /// The pose of the link in the frame of its parts and shapes.
    pub(super) pose: Pose,
}

/// All that is to be decided.
pub(super) struct ProxyInput {
    pub(super) part: Source,
    /// `None` if the robot has its own.
    pub(super) proxy: Option<Source>,
    pub(super) links: Vec<LinkInput>,
    /// Links without a part.
    pub(super) without_part: Vec<String>,
    /// Links of the proxy that the robot lacks.
    pub(super) unknown: Vec<String>,
}

impl ProxyInput {
    pub(super) fn read(inputs: &ProxyInputs, reader: &MeshReader<'_>) -> anyhow::Result<Self> {
        let part = Source::read(&inputs.part)?;
        let proxy = inputs.proxy.as_deref().map(Source::read).transpose()?;
        let mut all = Self { part, proxy, links: Vec::new(), without_part: Vec::new(), unknown: Vec::new() };
        match &all.part.input {
            SourceKind::Robot(_) => all.of_robot(inputs, reader)?,
            SourceKind::Mesh => all.of_mesh(inputs, reader)?,
            SourceKind::Spheres(_) => {
                bail!("{}: a sphere model is no part; give the mesh or the URDF first", inputs.part.display())
            }
        }
        ensure!(
            !all.links.is_empty(),
            "{}: no link has {} geometry",
            inputs.part.display(),
            inputs.geometry.name()
        );
        Ok(all)
    }

    /// The links of a robot.
    fn of_robot(&mut self, inputs: &ProxyInputs, reader: &MeshReader<'_>) -> anyhow::Result<()> {
        let SourceKind::Robot(urdf) = &self.part.input else { return Ok(()) };
        let meshes = |urdf| Meshes::new(reader, inputs.packages.packages(), urdf);
        let mut own_meshes = meshes(&*self.part.path);
        for name in &inputs.link {
            ensure!(urdf.link(name).is_some(), "--link {name}: the robot has no link of this name");
        }
        // The shapes of each link, in its frame.
        let mut shapes: Vec<Vec<CoverShape>> = vec![Vec::new(); urdf.links.len()];
        match self.proxy.as_ref().map(|proxy| (proxy, &proxy.input)) {
            None => {
                for (own, link) in shapes.iter_mut().zip(&urdf.links) {
                    for body in &link.collisions {
                        own.push(CoverShape::of_body(body, &mut |body| own_meshes.load(body))?);
                    }
                }
            }
            Some((source, SourceKind::Robot(other))) => {
                let mut meshes = meshes(&*source.path);
                for link in &other.links {
                    let Some(i) = urdf.link(&link.name) else {
                        if !link.collisions.is_empty() {
                            self.unknown.push(link.name.clone());
                        }
                        continue;
                    };
                    for body in &link.collisions {
                        shapes[i].push(CoverShape::of_body(body, &mut |body| meshes.load(body))?);
                    }
                }
            }
            Some((_, SourceKind::Spheres(model))) => {
                for link in finest(model) {
                    let name = name_of(link);
                    match name.and_then(|name| urdf.link(name)) {
                        Some(i) => shapes[i].extend(CoverShape::of_spheres(link)?),
                        None => self.unknown.push(name.unwrap_or("(no name)").to_owned()),
                    }
                }
            }
            Some((source, SourceKind::Mesh)) => {
                let [name] = &*inputs.link else {
                    bail!("{}: a mesh stands for one link; name it by --link", source.path.display())
                };
                shapes[urdf.link(name).unwrap_or(0)] = vec![mesh_shape(reader, &source.path)?.0];
            }
        }
        let mut frames = vec![(Vec::new(), Pose::IDENTITY); urdf.links.len()];
        if inputs.is_against_robot() {
            for group in urdf.rigid_groups()? {
                let together: Vec<(usize, Pose)> = group.links.clone();
                let mut all = Vec::new();
                for (i, pose) in &together {
                    for shape in &shapes[*i] {
                        all.push(shape.placed(pose)?);
                    }
                }
                for (i, pose) in together {
                    frames[i] = (all.clone(), pose);
                }
            }
        }
        for (i, link) in urdf.links.iter().enumerate() {
            if !inputs.link.is_empty() && !inputs.link.contains(&link.name) {
                continue;
            }
            let bodies = inputs.geometry.of(link);
            if bodies.is_empty() {
                self.without_part.push(link.name.clone());
                continue;
            }
            let is_against_robot = inputs.is_against_robot();
            let mut parts = Vec::new();
            for body in bodies {
                let shape = CoverShape::of_body(body, &mut |body| own_meshes.load(body))?;
                let shape = if is_against_robot { shape.placed(&frames[i].1)? } else { shape };
                parts.push(CoverPart::new(shape)?);
            }
            let shapes = if is_against_robot {
                std::mem::take(&mut frames[i].0)
            } else {
                std::mem::take(&mut shapes[i])
            };
            let pose = if is_against_robot { frames[i].1 } else { Pose::IDENTITY };
            self.links.push(LinkInput { name: link.name.clone(), parts, shapes, pose });
        }
        Ok(())
    }

    /// A mesh file, and the proxy of one part.
    fn of_mesh(&mut self, inputs: &ProxyInputs, reader: &MeshReader<'_>) -> anyhow::Result<()> {
        let Some(proxy) = &self.proxy else {
            bail!("{}: a mesh needs a second file, the PROXY", inputs.part.display())
        };
        ensure!(!inputs.is_against_robot(), "--against robot: the part is a mesh, not a link of a robot");
        let shapes = match &proxy.input {
            SourceKind::Mesh => vec![mesh_shape(reader, &proxy.path)?.0],
            SourceKind::Robot(urdf) => {
                let with: Vec<_> = urdf.links.iter().filter(|link| !link.collisions.is_empty()).collect();
                let names: Vec<&str> = with.iter().map(|link| &*link.name).collect();
                let link = with[one_of(&names, inputs, &proxy.path)?];
                let mut meshes = Meshes::new(reader, inputs.packages.packages(), &proxy.path);
                let bodies = link.collisions.iter();
                bodies
                    .map(|body| CoverShape::of_body(body, &mut |body| meshes.load(body)))
                    .collect::<anyhow::Result<_>>()?
            }
            SourceKind::Spheres(model) => {
                let links = finest(model);
                let names: Vec<&str> = links.iter().map(|link| name_of(link).unwrap_or("")).collect();
                CoverShape::of_spheres(links[one_of(&names, inputs, &proxy.path)?])?
            }
        };
        let (shape, unit) = mesh_shape(reader, &inputs.part)?;
        let part = CoverPart::new(shape)?;
        self.part.unit = unit;
        let name = inputs.part.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.links.push(LinkInput { name, parts: vec![part], shapes, pose: Pose::IDENTITY });
        Ok(())
    }
}

/// The mesh of a file as a shape, in the unit of the file.
fn mesh_shape(reader: &MeshReader<'_>, path: &Path) -> anyhow::Result<(CoverShape, Option<Unit>)> {
    let (mesh, unit) = reader.read(path)?;
    let model = Arc::new(Model::new(mesh));
    let solid = CoverSolid::Body { model, pose: Pose::IDENTITY, radius: 0.0 };
    Ok((CoverShape { solid, radius_at: None }, unit))
}

fn name_of(link: &LinkSpheres) -> Option<&str> {
    link.link.as_deref().or(link.shape.as_deref())
}

/// The links of a sphere model, of each tree of spheres the finest level alone.
fn finest(model: &SphereModel) -> Vec<&LinkSpheres> {
    let depth = |link: &LinkSpheres| link.level.map_or(0, |level| level.depth);
    let is_finest = |link: &&LinkSpheres| {
        let same = |o: &&LinkSpheres| (&o.link, &o.shape) == (&link.link, &link.shape);
        model.links.iter().filter(same).all(|o| depth(o) <= depth(link))
    };
    model.links.iter().filter(is_finest).collect()
}

/// The link that --link names, or the only one there is.
fn one_of(names: &[&str], inputs: &ProxyInputs, path: &Path) -> anyhow::Result<usize> {
    let path = path.display();
    match (&*inputs.link, names) {
        ([], []) => bail!("{path}: it has no collision shapes"),
        ([], [_]) => Ok(0),
        ([], _) => bail!("{path}: it has several links; name one by --link: {}", names.join(", ")),
        ([name], _) => match names.iter().position(|one| one == name) {
            Some(i) => Ok(i),
            None => bail!("--link {name}: {path} has no such link, only {}", names.join(", ")),
        },
        _ => bail!("--link: a mesh is one part; name one link"),
    }
}
