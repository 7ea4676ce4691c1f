//! Parts from files.
use crate::{parallel, progress::Progress, report};
use anyhow::bail;
use impinge::{Mesh, Pose};
use impinge_io::Part;
use rayon::ThreadPool;
use std::{collections::HashMap, path::PathBuf, sync::Arc};

/// The parts of each file, in file order; several files are read at once. Warnings go to stderr.
pub(crate) fn read(
    paths: &[PathBuf],
    pool: &ThreadPool,
    progress: &Progress,
) -> anyhow::Result<Vec<Vec<Part>>> {
    progress.stage("reading", paths.len());
    let files = parallel::each(pool, paths, progress, |path| impinge_io::read(path));
    let mut parts = Vec::with_capacity(files.len());
    for file in files {
        let file = file?;
        for warning in &file.warnings {
            progress.warn(&report::printable(&warning.to_string()));
        }
        parts.push(file.parts);
    }
    Ok(parts)
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
