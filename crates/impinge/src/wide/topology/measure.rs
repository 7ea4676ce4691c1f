//! What the builders cost and how good their trees are, on the shared models:
//! `cargo test --release -p impinge --lib measure -- --ignored --nocapture`; `IMPINGE_DATA` names the folder.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a table for people")]
use super::{Lane, Topology};
use crate::{BuildOptions, Mesh, Model, Quality, bounds::Bounds, pool::Crew};
use std::{path::PathBuf, sync::LazyLock, time::Instant};

/// Where a model is, if it is here.
fn path(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("IMPINGE_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let path = folder.join(name);
    if !path.exists() {
        eprintln!("SKIPPED: {} is not here (IMPINGE_DATA names the folder)", path.display());
        return None;
    }
    Some(path)
}

/// Boxes of a model in its chart: all parts as one.
fn boxes(name: &str) -> Option<Vec<Bounds>> {
    let path = path(name)?;
    let assembly = impinge_io::read(&path).unwrap_or_else(|e| panic!("{e}"));
    let (mut lo, mut hi) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    let mut corners = Vec::new();
    for part in &assembly.parts {
        let placed: Vec<_> = part
            .mesh
            .points()
            .iter()
            .map(|p| {
                let (r, t) = (part.pose.rows(), part.pose.translation());
                [0, 1, 2].map(|i| r[i][0] * p[0] + r[i][1] * p[1] + r[i][2] * p[2] + t[i])
            })
            .collect();
        for triangle in part.mesh.triangles() {
            let points = triangle.map(|i| placed[i as usize]);
            for p in &points {
                for k in 0..3 {
                    lo[k] = lo[k].min(p[k]);
                    hi[k] = hi[k].max(p[k]);
                }
            }
            corners.push(points);
        }
    }
    let scale = 2.0 / (0..3).map(|k| hi[k] - lo[k]).fold(0.0, f64::max);
    let to_chart = |p: &[f64; 3]| [0, 1, 2].map(|k| (p[k] - (lo[k] + hi[k]) / 2.0) * scale);
    let boxed = |points: &[[f64; 3]; 3]| {
        points.iter().map(to_chart).fold(Bounds::EMPTY, |b, p| b.and(&Bounds::outward(&p, &p)))
    };
    Some(corners.iter().map(boxed).collect())
}

/// Expected visits of nodes, leaves and triangles for one of the root, by area.
pub(super) struct Costs {
    pub(super) nodes: f64,
    pub(super) leaves: f64,
    pub(super) triangles: f64,
}

impl Costs {
    pub(super) fn of(topology: &Topology, boxes: &[Bounds]) -> Self {
        let mut bounds = vec![Bounds::EMPTY; topology.nodes.len()];
        let mut costs = Self { nodes: 0.0, leaves: 0.0, triangles: 0.0 };
        for (i, node) in topology.nodes.iter().enumerate().rev() {
            for lane in &node.lanes[..node.len] {
                let b = match *lane {
                    Lane::Inner(child) => bounds[child as usize],
                    Lane::Leaf { first, count } => {
                        let b = topology.order[first as usize..][..count as usize]
                            .iter()
                            .fold(Bounds::EMPTY, |b, &t| b.and(&boxes[t as usize]));
                        costs.leaves += f64::from(b.half_area());
                        costs.triangles += f64::from(b.half_area()) * f64::from(count);
                        b
                    }
                };
                bounds[i] = bounds[i].and(&b);
            }
            costs.nodes += f64::from(bounds[i].half_area());
        }
        let whole = f64::from(bounds[0].half_area());
        Self { nodes: costs.nodes / whole, leaves: costs.leaves / whole, triangles: costs.triangles / whole }
    }
    pub(super) fn total(&self) -> f64 {
        self.nodes + self.leaves + 0.05 * self.triangles
    }
}

/// Seconds that this thread has run, where Linux tells, so that other processes do not count; else seconds.
fn busy() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(|| START.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}

#[test]
#[ignore = "measures; needs the shared models and a release build"]
fn measure() {
    println!(
        "model                     triangles      quality ns/tri    nodes   leaves  fill lanes depth |    cost =  \
         nodes + leaves + 0.05 triangles"
    );
    for name in [
        "m_stanford_dragon_res2.ply",
        "m_stanford_bunny_35947.ply",
        "m_horse.ply",
        "asm_ReciprocatingSaw.obj",
        "brep_Motor_c.obj",
        "m_fandisk.ply",
        "ifc_schependomlaan_root.obj",
    ] {
        let Some(boxes) = boxes(name) else { continue };
        for quality in [Quality::High, Quality::Fast] {
            let mut best = f64::INFINITY;
            let options = BuildOptions { quality, ..BuildOptions::default() };
            let build = || super::build(&&boxes[..], &options, Crew::One);
            let mut topology = build();
            // The clock ticks every few milliseconds: many builds a reading.
            let repeat = 2_000_000 / boxes.len() + 1;
            for _ in 0..4 {
                let start = busy();
                for _ in 0..repeat {
                    topology = build();
                }
                best = best.min((busy() - start) / repeat as f64);
            }
            let lanes: usize = topology.nodes.iter().map(|node| node.len).sum();
            let leaves = lanes + 1 - topology.nodes.len();
            let mut depths = vec![0; topology.nodes.len()];
            for (i, node) in topology.nodes.iter().enumerate() {
                for lane in &node.lanes[..node.len] {
                    if let Lane::Inner(child) = *lane {
                        depths[child as usize] = depths[i] + 1;
                    }
                }
            }
            let costs = Costs::of(&topology, &boxes);
            println!(
                "{name:27}{:8} {:>12} {:6.1} {:8} {leaves:8} {:5.2} {:5.2} {:5} | {:8.2} {:8.2} {:8.2} {:8.2}",
                boxes.len(),
                format!("{quality:?}"),
                best * 1e9 / boxes.len() as f64,
                topology.nodes.len(),
                boxes.len() as f64 / leaves as f64,
                lanes as f64 / topology.nodes.len() as f64,
                depths.iter().max().unwrap_or(&0),
                costs.total(),
                costs.nodes,
                costs.leaves,
                0.05 * costs.triangles,
            );
        }
    }
}

/// The whole build: every quality and grain, on the largest part of each model.
#[test]
#[ignore = "measures; needs the shared models and a release build"]
fn measure_models() {
    println!("model                     triangles      quality compact ns/tri bytes/tri  fill lanes depth");
    for name in ["m_stanford_dragon_res2.ply", "m_horse.ply", "asm_ReciprocatingSaw.obj", "brep_Motor_c.obj"]
    {
        let Some(mesh) = largest(name) else { continue };
        for (quality, compact) in
            Quality::ALL.iter().flat_map(|&quality| [false, true].map(|compact| (quality, compact)))
        {
            let options = BuildOptions::new().quality(quality).compact(compact);
            let repeat = 400_000 / mesh.len() + 1;
            let mut model = Model::new(mesh.clone(), &options);
            let mut best = f64::INFINITY;
            for _ in 0..5 {
                let start = busy();
                for _ in 0..repeat {
                    model = Model::new(mesh.clone(), &options);
                }
                best = best.min((busy() - start) / repeat as f64);
            }
            model.validate().unwrap_or_else(|e| panic!("{name}: {e}"));
            let (stats, n) = (model.stats(), mesh.len() as f64);
            println!(
                "{name:27}{:8} {:>12} {compact:7} {:6.1} {:9.2} {:5.2} {:5.2} {:5}",
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
}

/// The part of a model with the most triangles.
fn largest(name: &str) -> Option<std::sync::Arc<Mesh>> {
    let path = path(name)?;
    let assembly = impinge_io::read(&path).unwrap_or_else(|e| panic!("{e}"));
    let mesh = &assembly.parts.iter().max_by_key(|part| part.mesh.len())?.mesh;
    // The reader's mesh is of the library that it was built with, not of this test build.
    Some(Mesh::new(mesh.points().to_vec(), mesh.triangles().to_vec()).expect("it was a mesh before").into())
}
