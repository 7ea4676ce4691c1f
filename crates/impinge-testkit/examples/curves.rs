//! Measures intersection curves of pairs of closed surfaces: a line `N lines closed nodes pairs_us curves_us`
//! for each pair. `curves FOLDER` writes each pair as `N_a.off` and `N_b.off`, too, for a comparison with
//! another program. See docs/curves.md.
use impinge::{Body, Mesh, Model, Pose, Query};
use impinge_testkit::{meshes, rng::Rng};
use std::{
    error::Error,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

fn write(mesh: &Mesh, path: &Path) -> Result<(), Box<dyn Error>> {
    let mut text = format!("OFF\n{} {} 0\n", mesh.points().len(), mesh.len());
    for [x, y, z] in mesh.points() {
        writeln!(text, "{x} {y} {z}")?;
    }
    for [a, b, c] in mesh.triangles() {
        writeln!(text, "3 {a} {b} {c}")?;
    }
    Ok(fs::write(path, text)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let mut rng = Rng::new(21);
    let shapes = [meshes::icosphere(5), meshes::torus(120, 60, 0.3), meshes::uv_sphere(85, 84)];
    let mut query = Query::new();
    for n in 0..40 {
        // Placed points are rounded here, so that both programs have the same numbers.
        let mut placed = || {
            let pose = Pose::rigid(rng.rotation(), rng.point(0.7))?;
            Ok::<_, impinge::Error>(meshes::mapped(rng.pick(&shapes), |p| pose.place(p)))
        };
        let (a, b) = (placed()?, placed()?);
        if let Some(folder) = &folder {
            write(&a, &folder.join(format!("{n}_a.off")))?;
            write(&b, &folder.join(format!("{n}_b.off")))?;
        }
        let models = [a, b].map(Model::new);
        let (a, b) = (Body::new(&models[0], Pose::IDENTITY), Body::new(&models[1], Pose::IDENTITY));
        let mut least = [f64::INFINITY; 2];
        for _ in 0..20 {
            let start = Instant::now();
            query.pairs(&a, &b);
            least[0] = least[0].min(start.elapsed().as_secs_f64() * 1e6);
            let start = Instant::now();
            query.curves(&a, &b);
            least[1] = least[1].min(start.elapsed().as_secs_f64() * 1e6);
        }
        let curves = query.curves(&a, &b);
        let closed = curves.lines().filter(|line| line.closed).count();
        let [pairs, all] = least;
        println!("{n} {} {closed} {} {pairs:.1} {all:.1}", curves.lines().len(), curves.nodes().len());
    }
    Ok(())
}
