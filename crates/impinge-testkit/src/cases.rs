//! Common test code of several crates: meshes and poses, setups of trees and queries, the shared models, test
//! sizes; and, in the modules, tests that are the same for every tree.
pub mod adversary;
pub mod batch;
pub mod contacts;
pub mod deformations;
pub mod near;
pub mod scales;
pub mod small_stack;
pub mod walk;
pub mod warm;
pub mod within;

use crate::{meshes, oracle, rng::Rng, ways::levels};
use impinge::{BuildOptions, Mesh, Model, Pose, Quality, Query, SimdLevel};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::{
    env, fmt,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// A setup: a way to make a tree and a query. Tests that hold for every tree take a list of setups.
pub struct Setup {
    /// Name for messages.
    pub name: String,
    simd: SimdLevel,
    build: Box<dyn Fn(Mesh) -> Model + Send + Sync>,
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Setup {
    /// A setup with a build function.
    pub fn new(name: impl Into<String>, build: impl Fn(Mesh) -> Model + Send + Sync + 'static) -> Self {
        Self { name: name.into(), simd: SimdLevel::Auto, build: Box::new(build) }
    }
    /// The fast tree with these options, on this instruction set.
    pub fn wide(options: BuildOptions, simd: SimdLevel) -> Self {
        let name = format!("wide, {options:?}, {simd:?}");
        Self { simd, ..Self::new(name, move |mesh| Model::with_options(mesh, &options)) }
    }
    /// The default fast tree, on each instruction set of this processor.
    pub fn on_all_levels() -> Vec<Self> {
        levels().into_iter().map(|simd| Self::wide(BuildOptions::default(), simd)).collect()
    }
    /// Setups with [`Quality::OnDemand`] on each instruction set: lists of boxes, and trees once they pay.
    pub fn on_demand() -> Vec<Self> {
        let options = BuildOptions::default().quality(Quality::OnDemand);
        levels().into_iter().map(|simd| Self::wide(options, simd)).collect()
    }
    /// The setups of [`Setup::on_all_levels`] and [`Setup::on_demand`].
    pub fn both_on_all_levels() -> Vec<Self> {
        let mut all = Self::on_all_levels();
        all.extend(Self::on_demand());
        all
    }
    /// A model of the mesh.
    pub fn model(&self, mesh: &Mesh) -> Model {
        (self.build)(mesh.clone())
    }
    /// A query.
    pub fn query(&self) -> Query {
        Query::new().simd(self.simd)
    }
}

/// Pools of one, two and three threads.
///
/// # Panics
/// Panics if the machine cannot start threads.
pub fn pools() -> Vec<ThreadPool> {
    [1, 2, 3].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")).into()
}

/// True if tests run on a CI server: `CI` is set, and neither empty, `0` nor `false`.
pub fn is_ci() -> bool {
    env::var("CI").is_ok_and(|ci| !["", "0", "false"].contains(&ci.as_str()))
}

/// True if heavy tests run all of their cases, as in `.ci/full`: `IMPINGE_FULL` is set, and neither empty nor
/// `0`.
pub fn is_full() -> bool {
    env::var("IMPINGE_FULL").is_ok_and(|full| !["", "0"].contains(&full.as_str()))
}

/// Cases of a heavy test: all of them if [`is_full`], else every third, starting with number `turn % 3`.
pub fn share<T>(all: impl IntoIterator<Item = T>, turn: usize) -> impl Iterator<Item = T> {
    let (step, first) = if is_full() { (1, 0) } else { (3, turn % 3) };
    all.into_iter().skip(first).step_by(step)
}

/// Returns `whole` if [`is_full`], else a third of it, for a test that uses a [`share`].
pub fn share_of(whole: usize) -> usize {
    if is_full() { whole } else { whole / 3 }
}

/// Number of random cases of a heavy test: `IMPINGE_PAIRS` if it is set, else a million if [`is_full`], else
/// a twentieth of that.
///
/// # Panics
/// Panics if `IMPINGE_PAIRS` is not a number.
pub fn pairs_wanted() -> u64 {
    match env::var("IMPINGE_PAIRS") {
        Ok(n) => n.parse().unwrap_or_else(|e| panic!("IMPINGE_PAIRS={n}: {e}")),
        Err(_) if is_full() => 1_000_000,
        Err(_) => 50_000,
    }
}

/// Path of the shared model `name`, or of the folder of the models if `name` is empty. The folder is
/// `IMPINGE_DATA`, or `shared/data` beside the repository. If the path does not exist, returns `None` and
/// prints a notice that no test runner captures.
///
/// # Panics
/// Panics if `IMPINGE_DATA` names no folder. Panics on CI ([`is_ci`]) if the folder exists without the file:
/// a test that could run must not skip.
pub fn data(name: &str) -> Option<PathBuf> {
    let told = env::var_os("IMPINGE_DATA").map(PathBuf::from);
    if let Some(folder) = &told {
        assert!(folder.is_dir(), "IMPINGE_DATA={}: no such folder", folder.display());
    }
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    find(&told.unwrap_or_else(|| beside.into()), name, is_ci())
}

fn find(folder: &Path, name: &str, ci: bool) -> Option<PathBuf> {
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    assert!(!(ci && folder.is_dir()), "{} is not here, and with CI set no test may skip it", path.display());
    // Not `eprintln`, which the test runner captures if nothing fails.
    let notice = format!("SKIPPED: {} is not here (IMPINGE_DATA names the folder)\n", path.display());
    let _ = io::stderr().write_all(notice.as_bytes());
    None
}

/// A mesh of triangles without common indices.
///
/// # Panics
/// Panics if a coordinate is not finite.
pub fn soup(triangles: &[[[f64; 3]; 3]]) -> Mesh {
    let indices = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(triangles.as_flattened().to_vec(), indices).expect("finite coordinates")
}

/// Pairs of triangles of two bodies that meet. The oracle decides every pair, without a box test before it.
pub fn by_oracle(a: &Mesh, pose_a: &Pose, b: &Mesh, pose_b: &Pose) -> Vec<[u32; 2]> {
    let all = (0..a.len() as u32).flat_map(|i| (0..b.len() as u32).map(move |j| [i, j]));
    all.filter(|&[i, j]| oracle::intersects(&a.corners(i), pose_a, &b.corners(j), pose_b)).collect()
}

/// The pairs with the bodies exchanged, sorted.
pub fn transposed(pairs: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let mut pairs: Vec<_> = pairs.iter().map(|&[i, j]| [j, i]).collect();
    pairs.sort_unstable();
    pairs
}

/// Pairs of meshes: smooth, bumpy, slivers, on the grid (exact contacts), far from the origin, tiny, of
/// unlike size.
pub fn scenes() -> Vec<(&'static str, Mesh, Mesh)> {
    let scaled = |m: &Mesh, s: f64, t: f64| meshes::mapped(m, |v| v.map(|x| x * s + t));
    let (soup, sheet) = (meshes::soup(1, 120, 0.4), meshes::sheet(2, 12, 0.3));
    let torus = meshes::torus(16, 10, 0.3);
    vec![
        ("soup and sheet", soup.clone(), sheet.clone()),
        ("spheres", meshes::icosphere(2), meshes::uv_sphere(10, 14)),
        ("needles", meshes::needles(3, 150), meshes::needles(4, 150)),
        (
            "grid soups",
            meshes::to_grid(&meshes::soup(5, 150, 0.6), 6),
            meshes::to_grid(&meshes::soup(6, 150, 0.6), 6),
        ),
        ("grid sheet and torus", meshes::to_grid(&sheet, 8), meshes::to_grid(&torus, 8)),
        ("a grid mesh and itself", meshes::to_grid(&torus, 5), meshes::to_grid(&torus, 5)),
        // One ulp at 1e7 is 2e-9: coordinates of 1e7 with details of 1e-3.
        ("site coordinates", scaled(&soup, 1e-3, 1e7), scaled(&sheet, 1e-3, 1e7)),
        ("subnormal", scaled(&soup, 1e-310, 0.0), scaled(&torus, 1e-310, 0.0)),
        ("huge", scaled(&sheet, 1e300, 0.0), scaled(&torus, 1e300, 0.0)),
        ("a speck and a hall", scaled(&torus, 1e-6, 0.1), meshes::cuboid([1.0, 1.0, 0.1])),
    ]
}

/// Pairs of poses: equal ones, exact ones, general ones, rounded to f32, with tiny and huge shifts, affine
/// ones.
///
/// # Panics
/// Never: all of them are valid poses.
pub fn poses() -> Vec<(Pose, Pose)> {
    let mut rng = Rng::new(11);
    let unit = *Pose::IDENTITY.rows();
    let rigid = |rows, t| Pose::rigid(rows, t).expect("a rotation");
    let mut random = |reach: f64| rigid(rng.rotation(), rng.point(reach));
    let (r, s, far) = (random(0.3), random(0.2), random(1e9));
    let rounded = |p: &Pose| rigid(p.rows().map(|row| row.map(|x| f64::from(x as f32))), *p.translation());
    let shift = |t: [f64; 3]| rigid(unit, t);
    let rows = [[2.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.3, -1.0]];
    let scale = Pose::affine(rows, [0.1, 0.0, 0.0]).expect("not singular");
    vec![
        (Pose::IDENTITY, Pose::IDENTITY),
        (r, r),
        (Pose::IDENTITY, shift([1.0, 0.0, 0.0])),
        (shift([0.5, -0.25, 0.125]), shift([0.25, 0.0, 0.0])),
        (Pose::IDENTITY, r),
        (r, s),
        (rounded(&r), rounded(&s)),
        (far, rigid(*s.rows(), far.translation().map(|x| x + 0.25))),
        (Pose::IDENTITY, shift([1e-320, 0.0, -5e-324])),
        (scale, r),
        (r, scale),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_is_here_is_found_and_one_that_is_not_is_not() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(find(here, "Cargo.toml", true), Some(here.join("Cargo.toml")));
        assert_eq!(find(here, "no such file", false), None);
        assert_eq!(find(&here.join("no such folder"), "no such file", true), None);
    }

    #[test]
    #[should_panic(expected = "no test may skip")]
    fn nothing_skips_on_a_server_that_has_the_folder() {
        find(Path::new(env!("CARGO_MANIFEST_DIR")), "no such file", true);
    }
}
