//! Measures build times and sizes of the fast tree, for every quality and leaf format: `build_speed [--data
//! DIR]`.
//!
//! It builds the part with the most triangles of each model in DIR, and names missing models. Times are the
//! least of five runs of several builds, on one thread.
use impinge::{BuildOptions, Mesh, Model, Quality};
use std::{error::Error, path::Path, path::PathBuf, sync::Arc, time::Instant};

const MODELS: [&str; 4] =
    ["m_stanford_dragon_res2.ply", "m_horse.ply", "asm_ReciprocatingSaw.obj", "brep_Motor_c.obj"];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let data = match &arguments[..] {
        [] => PathBuf::from("../shared/data"),
        [option, folder] if option == "--data" => folder.into(),
        _ => return Err("usage: build_speed [--data DIR]".into()),
    };
    println!(
        "{:27}{:>8} {:>12} {:>7} {:>6} {:>9} {:>5} {:>5} {:>5}",
        "model", "triangles", "quality", "compact", "ns/tri", "bytes/tri", "fill", "lanes", "depth"
    );
    for name in MODELS {
        let path = data.join(name);
        if path.exists() {
            report(name, &largest(&path)?)?;
        } else {
            println!("{name:27} is not in {}", data.display());
        }
    }
    Ok(())
}

/// The part of a model with the most triangles.
fn largest(path: &Path) -> Result<Arc<Mesh>, Box<dyn Error>> {
    let parts = impinge_io::read(path)?.parts;
    let largest = parts.into_iter().max_by_key(|part| part.mesh.len()).ok_or("a model without parts")?;
    Ok(largest.mesh)
}

fn report(name: &str, mesh: &Arc<Mesh>) -> Result<(), impinge::Error> {
    let n = mesh.len() as f64;
    for quality in [Quality::High, Quality::Fast] {
        for compact in [false, true] {
            let options = BuildOptions::new().quality(quality).compact(compact);
            let repeat = 400_000 / mesh.len().max(1) + 1;
            let mut model = Model::with_options(mesh.clone(), &options);
            let mut best = f64::INFINITY;
            for _ in 0..5 {
                let start = Instant::now();
                for _ in 0..repeat {
                    model = Model::with_options(mesh.clone(), &options);
                }
                best = best.min(start.elapsed().as_secs_f64() / repeat as f64);
            }
            model.validate()?;
            let stats = model.stats();
            println!(
                "{name:27}{:9} {:>12} {compact:7} {:6.1} {:9.2} {:5.2} {:5.2} {:5}",
                mesh.len(),
                quality.name(),
                best * 1e9 / n,
                stats.bytes as f64 / n,
                n / stats.leaves as f64,
                (stats.leaves + stats.nodes - 1) as f64 / stats.nodes as f64,
                stats.depth,
            );
        }
    }
    Ok(())
}
