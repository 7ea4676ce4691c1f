//! Tests whether two solids have a common volume, by the crate manifold-rust: `run-manifold PAIRS
//! exact|robust PASSES`. Prints a line per pair: pair, answer, medians in microseconds of processor time of
//! the query only, and of everything from the arrays of points and triangles on.
use contract::{
    Mesh, Pose, complain,
    pairs::{Solid, read_pairs},
    spent,
};
use manifold_rust::{
    manifold::Manifold,
    types::{BooleanEngine, Error, MeshGL64},
};
use std::{fmt::Write as _, io::Write as _, panic, process::ExitCode};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let text = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [file, engine, passes] => race(file, engine, passes),
        _ => Err("usage: run-manifold PAIRS exact|robust PASSES".to_owned()),
    };
    match text.and_then(|text| std::io::stdout().write_all(text.as_bytes()).map_err(|e| e.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn place(pose: &Pose, v: [f64; 3]) -> [f64; 3] {
    let row = |k: usize| (0..3).map(|i| pose.rows[k][i] * v[i]).sum::<f64>() + pose.translation[k];
    [row(0), row(1), row(2)]
}

fn arrays(body: &Solid) -> MeshGL64 {
    let Mesh { points, triangles } = &body.mesh;
    MeshGL64 {
        num_prop: 3,
        vert_properties: points.iter().flat_map(|&p| place(&body.pose, p)).collect(),
        tri_verts: triangles.iter().flatten().map(|&corner| u64::from(corner)).collect(),
        ..MeshGL64::default()
    }
}

/// Times of a pair: the query, and everything.
fn ask(arrays: &[MeshGL64; 2], engine: BooleanEngine) -> Result<(bool, f64, f64), String> {
    let start = spent()?;
    let [a, b] = [0, 1].map(|k| Manifold::from_mesh_gl64_robust(&arrays[k]));
    let made = spent()?;
    let common = a.intersection_with_engine(&b, engine);
    let volume = common.volume();
    let end = spent()?;
    for one in [&a, &b, &common] {
        if one.status() != Error::NoError {
            return Err(format!("{:?}", one.status()));
        }
    }
    let us = |from: std::time::Duration| (end - from).as_secs_f64() * 1e6;
    Ok((volume > 0.0, us(made), us(start)))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { (values[half - 1] + values[half]) / 2.0 }
}

struct Entry {
    arrays: [MeshGL64; 2],
    answer: String,
    alone: Vec<f64>,
    whole: Vec<f64>,
}

fn race(file: &str, engine: &str, passes: &str) -> Result<String, String> {
    let passes: usize = passes.parse().map_err(|_| format!("`{passes}` is not a number"))?;
    let kind = match engine {
        "exact" => BooleanEngine::Exact,
        "robust" => BooleanEngine::Robust,
        _ => return Err(format!("there is no engine `{engine}`")),
    };
    // The library may panic: that is a result, and its message adds nothing.
    panic::set_hook(Box::new(|_| ()));
    let pairs = read_pairs(file)?;
    let mut entries: Vec<Entry> = pairs
        .iter()
        .map(|pair| Entry {
            arrays: [arrays(&pair.bodies[0]), arrays(&pair.bodies[1])],
            answer: String::new(),
            alone: Vec::new(),
            whole: Vec::new(),
        })
        .collect();
    for pass in 0..=passes {
        for entry in &mut entries {
            if entry.answer.starts_with("failed") {
                continue;
            }
            let found = panic::catch_unwind(panic::AssertUnwindSafe(|| ask(&entry.arrays, kind)));
            match found {
                Err(_) => entry.answer = "failed: panics".to_owned(),
                Ok(Err(why)) => entry.answer = format!("failed: {why}"),
                Ok(Ok((volume, alone, whole))) => {
                    entry.answer = (if volume { "volume" } else { "no-volume" }).to_owned();
                    if pass > 0 {
                        entry.alone.push(alone);
                        entry.whole.push(whole);
                    }
                }
            }
        }
    }
    let flags = format!("{} {}", env!("BENCH_RUSTC"), option_env!("BENCH_FLAGS").unwrap_or("unknown"));
    let mut text = format!(
        "#engine\tmanifold-rust, {engine} engine\n#version\t{}\n#flags\t{flags}\n",
        env!("MANIFOLD_VERSION")
    );
    for (index, entry) in entries.iter_mut().enumerate() {
        // Writing to a string cannot fail.
        let _ = if entry.answer.starts_with("failed") || entry.alone.is_empty() {
            writeln!(text, "{index}\t{}\t-\t-", entry.answer)
        } else {
            let (alone, whole) = (median(&mut entry.alone), median(&mut entry.whole));
            writeln!(text, "{index}\t{}\t{alone:.2}\t{whole:.2}", entry.answer)
        };
    }
    Ok(text)
}
