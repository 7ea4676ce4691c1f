//! Parts, from files and from the built-in assembly.
use crate::{parallel, progress::Progress};
use anyhow::{Context, bail};
use clap::ValueEnum;
use impinge::{Mesh, Pose};
use impinge_io::Part;
use rayon::ThreadPool;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The assemblies that are built in.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum BuiltIn {
    /// Two meshing gears on shafts with bearings, in a bolted housing.
    Gearbox,
}

impl BuiltIn {
    /// What stands for a file's name.
    pub(crate) fn file(self) -> &'static str {
        match self {
            Self::Gearbox => "demo:gearbox",
        }
    }

    /// The parts.
    pub(crate) fn parts(self) -> Vec<Part> {
        // SKELETON until impinge_testkit::gearbox lands.
        vec![]
    }
}

/// The parts of each file, in file order; several files are read at once.
pub(crate) fn read(
    paths: &[PathBuf],
    pool: &ThreadPool,
    progress: &Progress,
) -> anyhow::Result<Vec<Vec<Part>>> {
    progress.stage("reading", paths.len());
    let files = parallel::in_order(
        pool,
        paths.len(),
        || (),
        |(), i| {
            let read = read_one(&paths[i]);
            progress.step();
            read
        },
    );
    files.into_iter().collect()
}

/// The meshes of the parts, each once, and for each part the index of its own.
pub(crate) fn distinct_meshes(parts: &[Part]) -> (Vec<Arc<Mesh>>, Vec<usize>) {
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

/// All triangles of the parts as one soup, numbered part by part.
///
/// Each vertex of a part that has a pose is placed, its coordinates rounded once; the others are as they were.
pub(crate) fn merged(parts: Vec<Part>) -> anyhow::Result<Arc<Mesh>> {
    if let [part] = &*parts
        && part.pose == Pose::IDENTITY
    {
        return Ok(Arc::clone(&part.mesh));
    }
    let mut points = Vec::with_capacity(parts.iter().map(|part| part.mesh.points().len()).sum());
    let mut triangles = Vec::with_capacity(parts.iter().map(|part| part.mesh.len()).sum());
    for Part { mesh, pose, .. } in &parts {
        let first = u32::try_from(points.len()).ok();
        let at_rest = *pose == Pose::IDENTITY;
        points.extend(mesh.points().iter().map(|&point| if at_rest { point } else { pose.place(point) }));
        for triangle in mesh.triangles() {
            let shifted = triangle.map(|k| first.and_then(|first| first.checked_add(k)));
            let [Some(i), Some(j), Some(k)] = shifted else { bail!("more than 2^32 vertices in all") };
            triangles.push([i, j, k]);
        }
    }
    Ok(Mesh::new(points, triangles)?.into())
}

fn read_one(path: &Path) -> anyhow::Result<Vec<Part>> {
    // SKELETON OBJ reader until impinge_io::read lands.
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut points = vec![];
    let mut parts: Vec<(String, Vec<[u32; 3]>)> = vec![];
    for line in text.lines() {
        let mut w = line.split_whitespace();
        match w.next() {
            Some("v") => points.push([0; 3].map(|_| w.next().unwrap().parse::<f64>().unwrap())),
            Some("o") => parts.push((w.next().unwrap().to_owned(), vec![])),
            Some("f") => {
                let n: Vec<u32> =
                    w.map(|w| w.split('/').next().unwrap().parse::<u32>().unwrap() - 1).collect();
                if parts.is_empty() {
                    parts.push(("x".into(), vec![]));
                }
                for k in 1..n.len() - 1 {
                    parts.last_mut().unwrap().1.push([n[0], n[k], n[k + 1]]);
                }
            }
            _ => {}
        }
    }
    parts
        .into_iter()
        .map(|(name, tris)| {
            let mut map = std::collections::HashMap::new();
            let mut pts = vec![];
            let tris = tris
                .iter()
                .map(|t| {
                    t.map(|k| {
                        *map.entry(k).or_insert_with(|| {
                            pts.push(points[k as usize]);
                            pts.len() as u32 - 1
                        })
                    })
                })
                .collect();
            Ok(Part {
                name,
                file: path.to_owned(),
                mesh: impinge::Mesh::new(pts, tris)?.into(),
                pose: impinge::Pose::IDENTITY,
                baked: false,
            })
        })
        .collect()
}
