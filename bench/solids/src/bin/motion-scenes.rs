//! Scenes of the race of motions: `motion-scenes OUT`. Writes files into the folder OUT. Prints a line for
//! each: file, `meshes` or `convex`, vertices and triangles of both meshes, and the first contact by geometry
//! alone, without numbers of ours: `clear`, two bounds of its time, or `-`.
use contract::{Mesh, Pose, complain, motion::MotionFile};
use impinge_testkit::sweeps::{SweepMotion, scenes};
use std::{path::Path, process::ExitCode};

/// The first contact by geometry.
enum Truth {
    Clear,
    Between([f64; 2]),
    Unknown,
}

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn run(words: &[String]) -> Result<(), String> {
    let [out] = words else { return Err("usage: motion-scenes OUT".to_owned()) };
    let out = Path::new(out);
    for scene in scenes() {
        let meshes = [&scene.resting, &scene.moving].map(|model| Mesh {
            points: model.mesh().points().to_vec(),
            triangles: model.mesh().triangles().to_vec(),
        });
        write(out, scene.name, false, meshes.clone(), &scene.motion)?;
        if scene.name == "plate" {
            // As there, but no thousandth of the time has a contact.
            let [x, y, z] = *scene.motion.start.translation();
            let start = impinge::Pose::from_translation([x, y, z - 0.4]).map_err(|e| e.to_string())?;
            write(out, "plate-between-steps", false, meshes, &SweepMotion { start, ..scene.motion })?;
        }
    }
    let turn = [0.6, 0.8, 1.0];
    for (name, mesh, beside) in [
        ("octahedra-contact", octahedron(), 0.3),
        ("octahedra-clear", octahedron(), 2.1),
        ("boxes-contact", cube(), 0.3),
        ("boxes-clear", cube(), 1.8),
    ] {
        let start = impinge::Pose::from_translation([-4.0, beside, 0.2]).map_err(|e| e.to_string())?;
        let motion = SweepMotion { start, way: [8.0, 0.0, 0.0], turn };
        write(out, name, true, [mesh.clone(), mesh], &motion)?;
    }
    Ok(())
}

fn write(out: &Path, name: &str, convex: bool, meshes: [Mesh; 2], motion: &SweepMotion) -> Result<(), String> {
    let counts: Vec<String> =
        (meshes.iter().flat_map(|m| [m.points.len(), m.triangles.len()])).map(|n| n.to_string()).collect();
    let truth = match truth(name, &meshes, motion) {
        Truth::Clear => "clear".to_owned(),
        Truth::Between([lo, hi]) => format!("{lo:?} {hi:?}"),
        Truth::Unknown => "-".to_owned(),
    };
    let group = if convex { "convex" } else { "meshes" };
    println!("{name}.motion\t{group}\t{}\t{truth}", counts.join("\t"));
    let start = Pose { rows: *motion.start.rows(), translation: *motion.start.translation() };
    let file =
        MotionFile { name: name.to_owned(), convex, meshes, start, way: motion.way, turn: motion.turn };
    file.write(&out.join(format!("{name}.motion")))
}

fn truth(name: &str, meshes: &[Mesh; 2], motion: &SweepMotion) -> Truth {
    match name {
        // Circles of radius 4, whose least distance is 2.8, in tubes of radius 1.2; the moving one turns in
        // itself. Pins of radius 1 in a bore of radius 1.01.
        "tori-linked" | "pin-straight" | "pin-screwed" => Truth::Clear,
        // It begins at the bore's rim at time 1/2, with its own.
        "pin-off-axis" => Truth::Between([0.5; 2]),
        // The plate's lower side is reached by the sphere's highest point.
        "plate" | "plate-between-steps" => {
            let ([inner, outer], z) = (radii(&meshes[1]), motion.start.translation()[2]);
            Truth::Between([outer, inner].map(|r| (-z - 5e-4 - r) / 1000.0))
        }
        "tori-contact" => Truth::Unknown,
        _ => of_balls(meshes, motion),
    }
}

/// Bodies that contain a ball around their origin and are inside another: bounds of the time at which they
/// first meet.
fn of_balls(meshes: &[Mesh; 2], motion: &SweepMotion) -> Truth {
    let [a, b] = [radii(&meshes[0]), radii(&meshes[1])];
    let (from, way) = (motion.start.translation(), &motion.way);
    let dot = |p: &[f64; 3], q: &[f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    // |from + t way| = r at the smaller root.
    let time = |r: f64| {
        let (half, rest) = (dot(from, way), dot(from, from) - r * r);
        let under = half * half - dot(way, way) * rest;
        (under >= 0.0).then(|| (-half - under.sqrt()) / dot(way, way))
    };
    match (time(a[1] + b[1]), time(a[0] + b[0])) {
        (None, _) => Truth::Clear,
        (Some(lo), Some(hi)) => Truth::Between([lo, hi]),
        (Some(_), None) => Truth::Unknown,
    }
}

/// Radii of balls around the origin: one inside a convex mesh, one around it.
fn radii(mesh: &Mesh) -> [f64; 2] {
    let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let outer = mesh.points.iter().map(|&v| length(v)).fold(0.0, f64::max);
    let inner = mesh.triangles.iter().map(|&triangle| {
        let [a, b, c] = triangle.map(|i| mesh.points[i as usize]);
        let [u, v] = [b, c].map(|p| [0, 1, 2].map(|k| p[k] - a[k]));
        let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        ((0..3).map(|k| n[k] * a[k]).sum::<f64>() / length(n)).abs()
    });
    [inner.fold(f64::INFINITY, f64::min), outer]
}

/// All corners at a distance of 1.
fn octahedron() -> Mesh {
    let points = (0..6).map(|k| [0, 1, 2].map(|j| if j == k / 2 { 1.0 - 2.0 * (k % 2) as f64 } else { 0.0 }));
    let triangles =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    Mesh { points: points.collect(), triangles }
}

/// A shape of side 1.
fn cube() -> Mesh {
    let mesh = impinge::Mesh::cuboid([1.0; 3]).expect("a cube");
    Mesh { points: mesh.points().to_vec(), triangles: mesh.triangles().to_vec() }
}
