//! The parts and the shapes of each link, from robots, meshes and sphere models.
use super::ProxyInputs;
use crate::{args::Reading, input, progress::Progress};
use anyhow::{Context, bail, ensure};
use impinge::{Mesh, Model, Pose};
use impinge_check::{Pool, Unit};
use impinge_robot::{
    Body, Geometry, LinkSpheres, Packages, SphereModel, Urdf,
    cover::{CoverPart, CoverShape, CoverSolid},
    read_text, spheres,
};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// What stands for a part, or the part itself: a robot, a sphere model or a mesh.
enum Input {
    Robot(Box<Urdf>),
    Spheres(SphereModel),
    Mesh,
}

/// A file and what it is.
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// The text of robots and sphere models.
    pub(super) text: Option<String>,
    /// The unit of lengths, where it is known.
    pub(super) unit: Option<Unit>,
    input: Input,
}

impl Source {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        let metre = Some(Unit::Metre);
        let (text, unit, input) = match extension.as_deref().unwrap_or("") {
            "urdf" => {
                let text = read_text(path)?;
                let urdf = Urdf::parse(&text).map_err(|error| error.in_file(path))?;
                (Some(text), metre, Input::Robot(Box::new(urdf)))
            }
            "srdf" | "yml" | "yaml" | "xrdf" | "json" | "txt" | "csv" | "xyzr" => {
                let text = read_text(path)?;
                let name = path.to_string_lossy();
                let model = spheres::parse(&name, &text).map_err(|error| error.in_file(path))?;
                (Some(text), None, Input::Spheres(model))
            }
            _ => (None, None, Input::Mesh),
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

/// Reads the meshes of files.
pub(super) struct MeshReader<'a> {
    pub(super) pool: &'a Pool,
    pub(super) progress: &'a Progress,
}

impl MeshReader<'_> {
    /// All parts of a file as one mesh, and the unit that the file states.
    fn read(&self, path: &Path) -> anyhow::Result<(Arc<Mesh>, Option<Unit>)> {
        let files = input::read(&[path.to_owned()], &Reading::default(), self.pool, self.progress)?;
        let unit = files.assembly.sources.first().and_then(|source| source.unit);
        let mesh = impinge_io::merged(&files.assembly.parts);
        Ok((mesh.with_context(|| path.display().to_string())?, unit))
    }
    /// The mesh of a file as a shape, in the unit of the file.
    fn shape(&self, path: &Path) -> anyhow::Result<(CoverShape, Option<Unit>)> {
        let (mesh, unit) = self.read(path)?;
        let model = Arc::new(Model::new(mesh));
        let solid = CoverSolid::Body { model, pose: Pose::IDENTITY, radius: 0.0 };
        Ok((CoverShape { solid, radius_at: None }, unit))
    }
}

/// Meshes that a robot's file names, each read once.
struct Meshes<'a> {
    reader: &'a MeshReader<'a>,
    packages: Packages,
    urdf: &'a Path,
    models: HashMap<(PathBuf, [u64; 3]), Arc<Model>>,
}

impl Meshes<'_> {
    /// The mesh of a body, in metres, with its scale.
    fn load(&mut self, body: &Body) -> anyhow::Result<Arc<Model>> {
        let Geometry::Mesh { filename, scale } = &body.geometry else { bail!("this shape is no mesh") };
        let at = |error: impinge_robot::Error| {
            let place = body.place;
            anyhow::anyhow!("{}:{place}: {error}", self.urdf.display())
        };
        let path = self.packages.resolve(filename, self.urdf).map_err(at)?;
        let key = (path.clone(), scale.map(f64::to_bits));
        if let Some(model) = self.models.get(&key) {
            return Ok(Arc::clone(model));
        }
        let (mesh, unit) = self.reader.read(&path)?;
        let factors = scale.map(|scale| scale * unit.map_or(1.0, Unit::metres));
        let mesh = if factors == [1.0; 3] {
            mesh
        } else {
            let points = mesh.points().iter().map(|p| [0, 1, 2].map(|k| p[k] * factors[k])).collect();
            // A mirror turns the triangles inwards.
            let is_mirror = factors.iter().product::<f64>() < 0.0;
            let turn = |&[a, b, c]: &[u32; 3]| if is_mirror { [a, c, b] } else { [a, b, c] };
            let triangles = mesh.triangles().iter().map(turn).collect();
            Arc::new(Mesh::new(points, triangles).with_context(|| path.display().to_string())?)
        };
        let model = Arc::new(Model::new(mesh));
        self.models.insert(key, Arc::clone(&model));
        Ok(model)
    }
}

impl ProxyInput {
    pub(super) fn read(inputs: &ProxyInputs, reader: &MeshReader<'_>) -> anyhow::Result<Self> {
        let part = Source::read(&inputs.part)?;
        let proxy = inputs.proxy.as_deref().map(Source::read).transpose()?;
        let mut all = Self { part, proxy, links: Vec::new(), without_part: Vec::new(), unknown: Vec::new() };
        match &all.part.input {
            Input::Robot(_) => all.of_robot(inputs, reader)?,
            Input::Mesh => all.of_mesh(inputs, reader)?,
            Input::Spheres(_) => {
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
        let Input::Robot(urdf) = &self.part.input else { return Ok(()) };
        let meshes = |urdf| Meshes { reader, packages: inputs.packages(), urdf, models: HashMap::new() };
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
            Some((source, Input::Robot(other))) => {
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
            Some((_, Input::Spheres(model))) => {
                for link in finest(model) {
                    let name = name_of(link);
                    match name.and_then(|name| urdf.link(name)) {
                        Some(i) => shapes[i].extend(CoverShape::of_spheres(link)?),
                        None => self.unknown.push(name.unwrap_or("(no name)").to_owned()),
                    }
                }
            }
            Some((source, Input::Mesh)) => {
                let [name] = &*inputs.link else {
                    bail!("{}: a mesh stands for one link; name it by --link", source.path.display())
                };
                shapes[urdf.link(name).unwrap_or(0)] = vec![reader.shape(&source.path)?.0];
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
            Input::Mesh => vec![reader.shape(&proxy.path)?.0],
            Input::Robot(urdf) => {
                let with: Vec<_> = urdf.links.iter().filter(|link| !link.collisions.is_empty()).collect();
                let names: Vec<&str> = with.iter().map(|link| &*link.name).collect();
                let link = with[one_of(&names, inputs, &proxy.path)?];
                let (packages, models) = (inputs.packages(), HashMap::new());
                let mut meshes = Meshes { reader, packages, urdf: &proxy.path, models };
                let bodies = link.collisions.iter();
                bodies
                    .map(|body| CoverShape::of_body(body, &mut |body| meshes.load(body)))
                    .collect::<anyhow::Result<_>>()?
            }
            Input::Spheres(model) => {
                let links = finest(model);
                let names: Vec<&str> = links.iter().map(|link| name_of(link).unwrap_or("")).collect();
                CoverShape::of_spheres(links[one_of(&names, inputs, &proxy.path)?])?
            }
        };
        let (shape, unit) = reader.shape(&inputs.part)?;
        let part = CoverPart::new(shape)?;
        self.part.unit = unit;
        let name = inputs.part.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.links.push(LinkInput { name, parts: vec![part], shapes, pose: Pose::IDENTITY });
        Ok(())
    }
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
