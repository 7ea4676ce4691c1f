//! Real meshes: trees of every kind against brute force.
use impinge::{Body, Model, Pose, brute_force};
use impinge_testkit::{
    cases::{data, share},
    ways::{papers, setups},
};
use impinge_volumes::Options;

fn body(model: &Model) -> Body<'_> {
    Body::new(model, Pose::IDENTITY)
}

#[test]
fn every_pair_of_parts_as_brute_force_has_it() {
    let names = ["asm_as1_oc_214.obj", "brep_Motor_c.obj", "brep_Axis_of_bearing.obj"];
    for (turn, name) in names.into_iter().enumerate() {
        let Some(path) = data(name) else { continue };
        let parts = impinge_io::read(&path).unwrap_or_else(|e| panic!("{e}")).parts;
        let all: Vec<[usize; 2]> =
            (0..parts.len()).flat_map(|i| (i + 1..parts.len()).map(move |j| [i, j])).collect();
        let plain: Vec<Model> = parts.iter().map(|p| Model::new(p.mesh.clone())).collect();
        let wants: Vec<Vec<[u32; 2]>> =
            all.iter().map(|&[i, j]| brute_force::pairs(&body(&plain[i]), &body(&plain[j]))).collect();
        let found = wants.iter().map(Vec::len).sum::<usize>();
        println!("{name}: {found} pairs");
        assert!(found > 100, "{name}: {found}");
        for setup in share(setups(papers().map(Options::new)), turn) {
            let models: Vec<Model> = parts.iter().map(|p| setup.model(&p.mesh)).collect();
            let mut query = setup.query();
            for (&[i, j], want) in all.iter().zip(&wants) {
                let got = query.pairs(&body(&models[i]), &body(&models[j]));
                assert_eq!(got, want, "{name}, {setup:?}, parts {i} and {j}");
            }
            assert!(models.iter().all(|model| model.validate().is_ok()), "{name}, {setup:?}");
        }
    }
}
