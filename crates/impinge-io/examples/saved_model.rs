//! Saves a model and opens it again, with times and memory:
//! `cargo run --release -p impinge-io --example saved_model`, for 20,000 triangles. To measure large models
//! and several processes, `saved_model save SIDE FILE` makes a terrain of 2 SIDE^2 triangles, and
//! `saved_model open FILE [SECONDS]` queries it and keeps it open for that time.
use impinge::{Body, BuildOptions, Mesh, Model, Pose, Query, Threads};
use std::{env, error::Error, fs, path::Path, thread, time::Duration, time::Instant};

/// Hills plus noise, the same on every machine.
fn height(i: usize, j: usize) -> f64 {
    let (x, y) = (i as f64, j as f64);
    let mut noise = (i as u64) << 32 | j as u64;
    for factor in [0xff51_afd7_ed55_8ccd_u64, 0xc4ce_b9fe_1a85_ec53] {
        noise = (noise ^ noise >> 33).wrapping_mul(factor);
    }
    let noise = (noise >> 11) as f64 / (1_u64 << 53) as f64;
    20.0 * (x / 97.0).sin() * (y / 131.0).cos() + 2.0 * (x / 7.3 + y / 5.1).sin() + 0.4 * noise
}

fn terrain(side: usize) -> Result<Mesh, impinge::Error> {
    let row = |j: usize| (0..=side).map(move |i| [i as f64, j as f64, height(i, j)]);
    let points = (0..=side).flat_map(row).collect();
    let mut triangles = Vec::with_capacity(2 * side * side);
    for j in 0..side {
        for i in 0..side {
            let [a, b] = [j * (side + 1) + i, (j + 1) * (side + 1) + i].map(|k| k as u32);
            triangles.extend([[a, a + 1, b], [a + 1, b + 1, b]]);
        }
    }
    Mesh::new(points, triangles)
}

/// An octahedron.
fn stone() -> Result<Mesh, impinge::Error> {
    let points = vec![[3., 0., 0.], [0., 3., 0.], [-3., 0., 0.], [0., -3., 0.], [0., 0., 3.], [0., 0., -3.]];
    let triangles = (0..4).flat_map(|i| [[i, (i + 1) % 4, 4], [(i + 1) % 4, i, 5]]).collect();
    Mesh::new(points, triangles)
}

/// Prints the kernel's memory counts of this process, where the system has them: in use, peak, shared.
fn memory() {
    let wanted = ["VmPeak", "VmHWM", "VmRSS", "RssFile", "RssAnon", "Pss:", "Shared_Clean", "Private_Clean"];
    for file in ["/proc/self/status", "/proc/self/smaps_rollup"] {
        let text = fs::read_to_string(file).unwrap_or_default();
        for line in text.lines().filter(|line| wanted.iter().any(|name| line.starts_with(name))) {
            println!("  {}", line.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
}

fn save(side: usize, path: &Path) -> Result<(), Box<dyn Error>> {
    let mesh = terrain(side)?;
    println!("{} triangles", mesh.len());
    memory();
    let start = Instant::now();
    let model = Model::with_options(mesh, &BuildOptions::new().threads(Threads::Pool));
    println!("built in {:.3} s", start.elapsed().as_secs_f64());
    memory();
    let start = Instant::now();
    impinge_io::save_model(&model, path)?;
    let bytes = fs::metadata(path)?.len();
    println!("saved in {:.3} s, {bytes} bytes", start.elapsed().as_secs_f64());
    memory();
    Ok(())
}

fn open(path: &Path, seconds: u64) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let model = impinge_io::open_model(path)?;
    println!("opened in {:.3} s: {} triangles", start.elapsed().as_secs_f64(), model.mesh().len());
    memory();
    let stone = Model::new(stone()?);
    let side = (model.mesh().len() as f64 / 2.0).sqrt() as usize;
    let middle = (side / 2) as f64;
    let mut query = Query::new();
    for above in [0.0, 10.0] {
        let pose = Pose::from_translation([middle, middle, height(side / 2, side / 2) + above])?;
        let (ground, stone) = (Body::new(&model, Pose::IDENTITY), Body::new(&stone, pose));
        let start = Instant::now();
        let pairs = query.pairs(&ground, &stone).len();
        let asked = start.elapsed().as_secs_f64() * 1e6;
        let distance = query.distance(&ground, &stone).map(|gap| gap.lo);
        println!("{above} above: {pairs} pairs in {asked:.0} us, {distance:?} apart");
    }
    memory();
    if seconds > 0 {
        thread::sleep(Duration::from_secs(seconds));
        println!("after {seconds} s:");
        memory();
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["save", side, file] => save(side.parse()?, Path::new(file)),
        ["open", file] => open(Path::new(file), 0),
        ["open", file, seconds] => open(Path::new(file), seconds.parse()?),
        [] => {
            let path = env::temp_dir().join(format!("impinge-{}.impinge", std::process::id()));
            save(100, &path).and_then(|()| open(&path, 0)).and(Ok(fs::remove_file(&path)?))
        }
        _ => Err("see the head of this example".into()),
    }
}
