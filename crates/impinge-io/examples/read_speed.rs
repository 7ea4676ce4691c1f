//! Measures the reading speed of files: `cargo run --release -p impinge-io --example read_speed [--runs N]
//! FILE...`. Prints the size of each file, the least time of N runs [default: 9], the speed, and its
//! triangles and parts. The time covers everything from the path to the parts, on one thread.
//!
//! `... --example read_speed --make FOLDER TRIANGLES` writes a wavy torus as STL, OBJ, PLY and GLB, STL and
//! PLY both as text and in binary. To count instructions a byte, subtract the start and end of the program:
//!
//! ```sh
//! for n in 1 2; do valgrind --tool=callgrind target/release/examples/read_speed --runs $n FILE; done
//! ```
use std::{
    env,
    error::Error,
    ffi::OsString,
    fs::{self, File},
    io::{BufWriter, Write},
    path::Path,
    time::{Duration, Instant},
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let number =
        |i: usize| arguments.get(i).and_then(|n| n.to_str()?.parse().ok()).ok_or("a number is missing");
    match arguments.first().and_then(|a| a.to_str()) {
        Some("--make") => make(Path::new(arguments.get(1).ok_or("a folder is missing")?), number(2)?),
        Some("--runs") => {
            let runs = number(1)?;
            arguments.drain(..2).for_each(drop);
            read(&arguments, runs)
        }
        _ => read(&arguments, 9),
    }
}

fn read(files: &[OsString], runs: usize) -> Result<(), Box<dyn Error>> {
    println!("{:>8} {:>8} {:>7} {:>9} {:>6}  file", "MB", "ms", "MB/s", "triangles", "parts");
    for file in files.iter().map(Path::new) {
        let mut least = Duration::MAX;
        let mut found = (0, 0);
        for _ in 0..runs {
            let start = Instant::now();
            let assembly = impinge_io::read(file)?;
            least = least.min(start.elapsed());
            found = (assembly.triangles(), assembly.parts.len());
        }
        let megabytes = fs::metadata(file)?.len() as f64 / 1e6;
        let speed = megabytes / least.as_secs_f64();
        let (milliseconds, (triangles, parts), file) = (least.as_secs_f64() * 1e3, found, file.display());
        println!("{megabytes:8.2} {milliseconds:8.2} {speed:7.0} {triangles:9} {parts:6}  {file}");
    }
    Ok(())
}

/// Writes the same torus in every format. Its points are f32, so that all files contain the same numbers.
fn make(folder: &Path, triangles: usize) -> Result<(), Box<dyn Error>> {
    let n = ((triangles / 2) as f64).sqrt().max(3.0) as usize;
    let turn = std::f64::consts::TAU / n as f64;
    let point = |i: usize| {
        let (u, v) = ((i / n) as f64 * turn, (i % n) as f64 * turn);
        let radius = 40.0 + (10.0 + (9.0 * u).sin()) * v.cos();
        [radius * u.cos(), radius * u.sin(), 10.0 * v.sin()].map(|c| c as f32)
    };
    let points: Vec<[f32; 3]> = (0..n * n).map(point).collect();
    let square = |i: usize| {
        let (right, down) = (i / n * n + (i + 1) % n, (i + n) % (n * n));
        let across = down / n * n + right % n;
        [[i, right, across], [i, across, down]].map(|t| t.map(|k| k as u32))
    };
    let triangles: Vec<[u32; 3]> = (0..n * n).flat_map(square).collect();
    let open = |name| File::create(folder.join(name)).map(BufWriter::new);
    let corners = || triangles.iter().map(|t| t.map(|i| points[i as usize]));

    let mut stl = open("torus.stl")?;
    stl.write_all(&[0; 80])?;
    stl.write_all(&(triangles.len() as u32).to_le_bytes())?;
    let mut text = open("torus_ascii.stl")?;
    writeln!(text, "solid torus")?;
    for corners in corners() {
        stl.write_all(&[0; 12])?;
        corners.as_flattened().iter().try_for_each(|c| stl.write_all(&c.to_le_bytes()))?;
        stl.write_all(&[0; 2])?;
        writeln!(text, "  facet normal 0.000000e+00 0.000000e+00 0.000000e+00\n    outer loop")?;
        corners.iter().try_for_each(|[x, y, z]| writeln!(text, "      vertex {x:e} {y:e} {z:e}"))?;
        writeln!(text, "    endloop\n  endfacet")?;
    }
    writeln!(text, "endsolid torus")?;

    let mut obj = open("torus.obj")?;
    points.iter().try_for_each(|[x, y, z]| writeln!(obj, "v {x} {y} {z}"))?;
    triangles.iter().try_for_each(|t| {
        let [a, b, c] = t.map(|i| i + 1);
        writeln!(obj, "f {a}//{a} {b}//{b} {c}//{c}")
    })?;

    let header = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\nelement vertex {}\nproperty float x\nproperty float y\n\
             property float z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
            points.len(),
            triangles.len()
        )
    };
    let (mut ply, mut text) = (open("torus.ply")?, open("torus_ascii.ply")?);
    ply.write_all(header("binary_little_endian").as_bytes())?;
    text.write_all(header("ascii").as_bytes())?;
    points.as_flattened().iter().try_for_each(|c| ply.write_all(&c.to_le_bytes()))?;
    points.iter().try_for_each(|[x, y, z]| writeln!(text, "{x} {y} {z}"))?;
    for t in &triangles {
        ply.write_all(&[3])?;
        t.iter().try_for_each(|i| ply.write_all(&i.to_le_bytes()))?;
        writeln!(text, "3 {} {} {}", t[0], t[1], t[2])?;
    }
    for file in [ply, text, obj, stl] {
        file.into_inner()?;
    }
    let assembly = impinge_io::read(folder.join("torus.ply"))?;
    impinge_io::write_glb(&assembly.parts, &mut open("torus.glb")?)?;
    Ok(())
}
