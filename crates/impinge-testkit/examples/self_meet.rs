//! Measures the search for self-intersections of a mesh: `wide`, `aabb`, and brute force on small meshes.
//!
//! `self_meet [--data DIR] [FILE...]`; without names, generated meshes and, if the folder `shared/data`
//! exists, some of its scans. Each time is the least of several passes; the results are compared.
use impinge::{Mesh, Query, brute_force};
use impinge_testkit::meshes;
use impinge_volumes::{Kind, Options};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

/// Maximum number of triangles of a mesh for brute force.
const SMALL: usize = 20_000;
const SCANS: [&str; 8] = [
    "anim_horse_gallop.ply",
    "m_spot.ply",
    "m_fandisk.ply",
    "m_rocker_arm.ply",
    "m_teapot.ply",
    "m_armadillo_igl.ply",
    "m_stanford_dragon_res2.ply",
    "asm_as1_oc_214.obj",
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (mut names, mut data) = (Vec::new(), None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--data" => data = arguments.next().map(PathBuf::from),
            _ => names.push(argument),
        }
    }
    println!("ms, the least of some passes; exact: pairs that integers decided");
    println!("mesh                         triangles   pairs  exact     wide     aabb    brute");
    if names.is_empty() {
        race("icosphere", meshes::icosphere(5));
        race("torus", meshes::torus(120, 60, 0.3));
        race("torus, no shared indices", unshared(&meshes::torus(120, 60, 0.3)));
        race("flat sheet", meshes::sheet(1, 90, 0.0));
        race("torus on a grid", meshes::to_grid(&meshes::torus(60, 40, 0.3), 8));
        names.extend(SCANS.map(str::to_owned));
        if data.is_none() {
            data = ["../shared/data", "../../shared/data"]
                .map(PathBuf::from)
                .into_iter()
                .find(|dir| dir.is_dir());
        }
        if data.is_none() {
            println!("no data folder (--data DIR): scans are skipped");
            return ExitCode::SUCCESS;
        }
    }
    for name in names {
        let path = data.as_deref().unwrap_or(Path::new(".")).join(&name);
        if !path.is_file() {
            println!("{name:28} is missing: skipped");
            continue;
        }
        match read(&path) {
            Ok(mesh) => race(&name, mesh),
            Err(error) => {
                eprintln!("self_meet: {}: {error}", path.display());
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::SUCCESS
}

/// All parts at their poses, as one soup.
fn read(path: &Path) -> Result<Mesh, impinge_io::Error> {
    let parts = impinge_io::read(path)?.parts;
    let placed: Vec<Mesh> =
        parts.iter().map(|part| meshes::mapped(&part.mesh, |v| part.pose.place(v))).collect();
    Ok(meshes::merged(&placed.iter().collect::<Vec<_>>()))
}

/// The mesh with separate points for each triangle.
fn unshared(mesh: &Mesh) -> Mesh {
    let one = |i: u32| Mesh::new(mesh.corners(i).to_vec(), vec![[0, 1, 2]]).unwrap_or_default();
    let all: Vec<Mesh> = (0..mesh.len() as u32).map(one).collect();
    meshes::merged(&all.iter().collect::<Vec<_>>())
}

fn race(name: &str, mesh: Mesh) {
    let triangles = mesh.len();
    let (mut pairs, mut lists) = (Vec::new(), Vec::new());
    let mut least = |ask: &mut dyn FnMut(&mut Vec<[u32; 2]>)| {
        let (mut best, mut spent, mut passes) = (f64::INFINITY, 0.0, 0);
        while passes < 3 || (passes < 50 && spent < 1.0) {
            let start = Instant::now();
            ask(&mut pairs);
            let time = start.elapsed().as_secs_f64();
            (best, spent, passes) = (best.min(time), spent + time, passes + 1);
            if spent > 10.0 {
                break;
            }
        }
        lists.push(pairs.clone());
        1e3 * best
    };
    let models = [Kind::Wide, Kind::Aabb]
        .map(|kind| Options::new(kind).build(mesh.clone()).expect("the defaults of a kind"));
    let mut query = Query::new();
    let [wide, aabb] = models.each_ref().map(|model| least(&mut |pairs| query.self_pairs_into(model, pairs)));
    let brute =
        (triangles <= SMALL).then(|| least(&mut |pairs| *pairs = brute_force::self_pairs(&models[0])));
    let mut query = Query::new().counting(true);
    query.self_pairs(&models[0]);
    let exact = query.counters().map_or(0, |counters| counters.count.exact_tests);
    let brute = brute.map_or("-".to_owned(), |ms| format!("{ms:.1}"));
    println!("{name:28} {triangles:9} {:7} {exact:6} {wide:8.3} {aabb:8.3} {brute:>8}", lists[0].len());
    assert!(lists.iter().all(|list| *list == lists[0]), "{name}: the ways do not agree");
}
