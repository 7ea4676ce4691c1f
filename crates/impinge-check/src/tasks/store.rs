//! Storage of parts: meshes and poses go to files, and a box and a number for each part stay in memory.
use super::{
    cut::{Curve, Weight},
    folder::{Digests, Folder},
    parts,
    tiles::Boxes,
};
use crate::{
    files::{self, mesh_file::MeshBytes},
    parts::{boxes, chord::Naming, meshes::distinct_meshes},
    pool::Pool,
    question::{asked::Asked, settings::Settings},
    records::candidates,
    sources::{
        hull::Hull,
        offsets::{self, FileOffset},
        units,
    },
    values::digest::{Digest, Hashing},
    watch::Watch,
};
use anyhow::{Context, bail};
use impinge::{broad_phase::Aabb, distance::Margin, world::WorldBox};
use impinge_io::{Part, Source, Warning};
use std::{
    collections::HashMap,
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

pub(crate) struct Store {
    folder: PathBuf,
    meshes: PathBuf,
    /// `None` for surfaces.
    naming: Option<Naming>,
    /// The tolerance of each part up to the last one that has any.
    chords: Vec<f64>,
    parts: parts::Writer,
    boxes: Boxes,
    curve: Curve,
    mesh_of: Vec<u32>,
    known: HashMap<Digest, u32>,
    digests: Vec<Digest>,
    weights: Vec<Weight>,
    /// The files, and the approximate hulls of their parts.
    files: Vec<(Source, Hull)>,
    /// The box around all boxes, before they grow.
    extent: Aabb,
}

impl Store {
    /// A store in a new folder. If boxes take more than `memory` bytes, they go to files.
    pub(crate) fn new(folder: &Folder, settings: &Settings, memory: u64) -> anyhow::Result<Self> {
        Ok(Self {
            folder: folder.path().to_owned(),
            meshes: folder.meshes(),
            naming: settings.naming()?,
            chords: Vec::new(),
            parts: parts::Writer::new(folder.path())?,
            boxes: Boxes::new(folder.path(), memory),
            curve: Curve::new(),
            mesh_of: Vec::new(),
            known: HashMap::new(),
            digests: Vec::new(),
            weights: Vec::new(),
            files: Vec::new(),
            extent: Aabb::EMPTY,
        })
    }

    pub(crate) fn add(
        &mut self,
        parts: &[Part],
        source: &Source,
        pool: &Pool,
        watch: &Watch<'_>,
    ) -> anyhow::Result<()> {
        if self.mesh_of.len() + parts.len() > u32::MAX as usize {
            bail!("more than 2^32 parts in all");
        }
        parts.iter().zip(self.mesh_of.len()..).try_for_each(|(part, i)| self.add_chord(i, part))?;
        let (distinct, mesh_of) = distinct_meshes(parts);
        watch.stage("storing meshes", distinct.len() as u64);
        let mut numbers = Vec::with_capacity(distinct.len());
        for mesh in &distinct {
            let bytes = MeshBytes::of(mesh);
            let digest = bytes.digest;
            let number = match self.known.get(&digest) {
                Some(&number) => number,
                None => {
                    bytes.write(&self.meshes)?;
                    let number = self.digests.len() as u32;
                    self.known.insert(digest, number);
                    self.digests.push(digest);
                    self.weights.push(Weight::of(mesh));
                    number
                }
            };
            numbers.push(number);
            watch.step(1);
        }
        let mesh_of: Vec<u32> = mesh_of.into_iter().map(|mesh| numbers[mesh]).collect();
        let rounded = |exact: Option<WorldBox>| candidates::extent(exact.as_ref());
        let extents = boxes::each(parts, pool, watch, rounded);
        if let Some([lo, hi]) = candidates::around(extents.iter().chain([&self.extent])) {
            self.extent = Aabb { lo, hi };
        }
        extents.iter().for_each(|extent| self.curve.add(extent));
        self.boxes.extend(extents)?;
        self.parts.add(self.files.len() as u32, parts, &mesh_of)?;
        self.mesh_of.extend(mesh_of);
        self.files.push((source.clone(), Hull::of(parts)));
        Ok(())
    }

    /// Stores the tolerance of a part. Most assemblies are exact, and store none.
    fn add_chord(&mut self, i: usize, part: &Part) -> anyhow::Result<()> {
        let Some(naming) = &mut self.naming else { return Ok(()) };
        let tolerance = naming.add(part)?;
        if tolerance != Margin::ZERO {
            self.chords.resize(i, 0.0);
            self.chords.push(tolerance.get());
        }
        Ok(())
    }

    /// Sets the options of another check, before any part is added.
    pub(crate) fn ask(&mut self, settings: &Settings) -> anyhow::Result<()> {
        self.naming = settings.naming()?;
        Ok(())
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
    /// The corners of the box around all parts so far.
    pub(crate) fn extent(&self) -> Option<[[f64; 3]; 2]> {
        candidates::around([&self.extent])
    }

    /// Warnings about files that may be in different units, or that state different offsets.
    pub(crate) fn units(&self) -> Vec<Warning> {
        let sources = self.files.iter().map(|(source, _)| source);
        units::unit_warnings(&self.files).into_iter().chain(offsets::offset_warnings(sources)).collect()
    }

    pub(crate) fn offsets(&self) -> Vec<FileOffset> {
        offsets::offsets(self.files.iter().map(|(source, _)| source))
    }

    /// The largest tolerance of the parts with a stated error that counts.
    pub(crate) fn stated(&self) -> Option<Margin> {
        self.naming.as_ref().and_then(Naming::stated)
    }

    /// Completes the files. `asked` is the query with [`Store::stated`].
    pub(crate) fn finish(mut self, asked: &Asked) -> anyhow::Result<(Boxes, Curve, StoredParts)> {
        self.naming.map_or(Ok(()), Naming::finish)?;
        self.chords.resize(if asked.chord.is_some() { self.mesh_of.len() } else { 0 }, 0.0);
        if let Some(clearance) = &asked.clearance {
            let tolerances = self.chords.iter().map(|&length| Margin::new(length));
            let tolerances = tolerances.collect::<Result<Vec<_>, _>>()?;
            self.boxes.grow(|part| clearance.reach_of(tolerances.get(part as usize).copied()))?;
        }
        let [parts, names] = self.parts.finish()?;
        let meshes = write_list(&self.folder, &self.digests, &self.weights)?;
        let stored = StoredParts {
            path: self.folder,
            mesh_of: self.mesh_of,
            chords: self.chords,
            meshes: self.digests,
            weights: self.weights,
            extent: candidates::around([&self.extent]),
            files: self.files.iter().map(|(source, _)| source.file.to_string_lossy().into_owned()).collect(),
            digests: Digests { parts, names, meshes },
        };
        Ok((self.boxes, self.curve, stored))
    }
}

/// The data of a plan's parts that stay in memory.
pub(crate) struct StoredParts {
    pub(crate) path: PathBuf,
    /// Number of the mesh of each part.
    pub(crate) mesh_of: Vec<u32>,
    /// Chord tolerance of each part; empty if the query has none.
    pub(crate) chords: Vec<f64>,
    pub(crate) meshes: Vec<Digest>,
    pub(crate) weights: Vec<Weight>,
    /// Names of the files that were read.
    pub(crate) files: Vec<String>,
    /// The corners of the box around all parts.
    pub(crate) extent: Option<[[f64; 3]; 2]>,
    pub(crate) digests: Digests,
}

/// The file that lists meshes: the digest of each, and its number of triangles as a u64, little-endian.
const LIST: &str = "mesh-list";

fn write_list(folder: &Path, digests: &[Digest], weights: &[Weight]) -> anyhow::Result<Digest> {
    let path = folder.join(LIST);
    let write = || {
        let mut out = Hashing::new(BufWriter::new(File::create(&path)?));
        for (digest, weight) in digests.iter().zip(weights) {
            out.write_all(digest.bytes())?;
            out.write_all(&weight.triangles.to_le_bytes())?;
        }
        out.finish()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Reads the digest and the number of triangles of each mesh.
pub(crate) fn mesh_list(folder: &Path, digest: Digest) -> anyhow::Result<Vec<(Digest, usize)>> {
    let path = folder.join(LIST);
    let bytes = files::read(&path)?;
    let (entries, rest) = bytes.as_chunks::<40>();
    if Digest::of(&bytes) != digest || !rest.is_empty() {
        bail!("{}: is damaged, or of another plan: its digest is not the plan's", path.display());
    }
    let triangles = |entry: &[u8; 40]| u64::from_le_bytes(std::array::from_fn(|i| entry[32 + i])) as usize;
    let digest = |entry: &[u8; 40]| Digest::from_bytes(std::array::from_fn(|i| entry[i]));
    Ok(entries.iter().map(|entry| (digest(entry), triangles(entry))).collect())
}
