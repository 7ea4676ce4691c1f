//! Trees and results are equal on any number of threads.
use crate::wide::builds;
use impinge::{Body, BuildOptions, Mesh, Model, Pose, Threads, pairs};
use impinge_testkit::{
    cases::{pools, share},
    meshes,
};
use std::{
    fmt::{self, Write},
    sync::Arc,
};

/// FNV-1a hash of a model's debug text: all nodes, words and numbers.
struct Hash(u64);
impl Write for Hash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // The option of threads does not change a tree.
        let text = if text == "Pool" { "One" } else { text };
        self.0 =
            text.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        Ok(())
    }
}
fn hash(model: &Model) -> u64 {
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    write!(hash, "{model:?}").expect("it takes all");
    hash.0
}

/// A tree is equal to the last bit on any number of threads.
#[test]
fn threads_change_no_tree() {
    let pools = pools();
    let soup = meshes::soup(4, 30_000, 0.05);
    // Points that no triangle has do not count.
    let loose = [&[[1e6, -1e6, 0.5]], soup.points()].concat();
    let loose = Mesh::new(loose, soup.triangles().iter().map(|t| t.map(|i| i + 1)).collect()).unwrap();
    let shapes: [(&str, Mesh); 7] = [
        ("nothing", Mesh::default()),
        ("a small sphere", meshes::icosphere(3)),
        ("327,680 triangles", meshes::icosphere(7)),
        ("needles", meshes::needles(8, 50_000)),
        ("a soup with loose points", loose),
        ("one place", Mesh::new(vec![[1.0; 3]; 3], vec![[0, 1, 2]; 40_000]).unwrap()),
        ("a grid", meshes::to_grid(&meshes::torus(300, 100, 0.3), 6)),
    ];
    for (turn, (name, mesh)) in shapes.into_iter().enumerate() {
        let mesh: Arc<Mesh> = mesh.into();
        for options in share(builds().into_iter().filter(|options| options.leaf_size == 8), turn) {
            let alone = Model::with_options(mesh.clone(), &options);
            let (want, shared) = (hash(&alone), options.threads(Threads::Pool));
            for pool in &pools {
                let model = pool.install(|| Model::with_options(mesh.clone(), &shared));
                assert_eq!(hash(&model), want, "{name}, {options:?}, {} threads", pool.current_num_threads());
            }
            if mesh.len() < 50_000 && !name.starts_with("one") {
                alone.validate().unwrap_or_else(|e| panic!("{name}, {options:?}: {e}"));
            }
        }
    }
    let ball: Arc<Mesh> = meshes::icosphere(8).into();
    let options = BuildOptions::default();
    let alone = Model::with_options(ball.clone(), &options);
    let model = pools[1].install(|| Model::with_options(ball, &options.threads(Threads::Pool)));
    let stats = |model: &Model| model.stats();
    assert_eq!(stats(&model), stats(&alone), "1,310,720 triangles");
    let pose = Pose::from_translation([0.013, 0.007, 1.9]).unwrap();
    let lists =
        [&alone, &model].map(|model| pairs(&Body::new(model, Pose::IDENTITY), &Body::new(model, pose)));
    assert!(lists[0].len() > 500 && lists[0] == lists[1], "{} pairs", lists[0].len());
}
