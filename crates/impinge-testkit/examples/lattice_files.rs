//! Writes lattices side by side, a GLB file each: `lattice_files FOLDER FILES PARTS`, for `impinge plan
//! FOLDER/*.glb`. docs/many-machines.md measures 100 files of 100,000 parts. Without arguments it makes two
//! small ones, and keeps nothing.
use impinge::{Mesh, Pose};
use impinge_demo::{SITE, lattice};
use impinge_io::{Part, write_glb, write_whole};
use std::{collections::HashMap, error::Error, io, path::Path, sync::Arc};

/// Pitch of the cells in millimetres.
const CELL: f64 = 36.0;

fn parts(file: usize, count: usize) -> Result<Vec<Part>, impinge::Error> {
    let side = (1..).find(|n: &usize| n.pow(3) >= count).unwrap_or(1);
    let place = |mm: [f64; 3]| [mm[0] + (file * side) as f64 * CELL, mm[1], mm[2]].map(|x| x / 1000.0);
    let mut meshes: HashMap<*const Mesh, Arc<Mesh>> = HashMap::new();
    let part = |(n, part): (usize, impinge_demo::ScenePart)| {
        let mesh = match meshes.get(&Arc::as_ptr(&part.mesh)) {
            Some(mesh) => Arc::clone(mesh),
            None => {
                let points = part.mesh.points().iter().map(|mm| mm.map(|x| x / 1000.0)).collect();
                let mesh = Arc::new(Mesh::new(points, part.mesh.triangles().to_vec())?);
                meshes.insert(Arc::as_ptr(&part.mesh), Arc::clone(&mesh));
                mesh
            }
        };
        let pose = Pose::rigid(*part.pose.rows(), place(*part.pose.translation()))?;
        Ok(Part::new(format!("{file:03}_{n:06}"), Path::new("lattice"), mesh, pose))
    };
    lattice(count, SITE).into_iter().enumerate().map(part).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &*words {
        [] => {
            for file in 0..2 {
                let made = parts(file, 200)?;
                write_glb(&made, &mut io::sink())?;
                println!("{} parts from {:?}", made.len(), made[0].pose.translation());
            }
        }
        [folder, files, count] => {
            let count = count.parse()?;
            for file in 0..files.parse()? {
                let path = Path::new(folder).join(format!("lattice_{file:03}.glb"));
                write_whole(&path, |out| write_glb(&parts(file, count)?, out).map(drop).map_err(Box::from))
                    .map_err(|error: Box<dyn Error>| format!("{}: {error}", path.display()))?;
            }
        }
        _ => return Err("usage: lattice_files [FOLDER FILES PARTS]".into()),
    }
    Ok(())
}
