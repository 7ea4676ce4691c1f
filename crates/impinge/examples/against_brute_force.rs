//! Trust, but verify: the reference answers the same questions without a tree.
use impinge::{Body, BuildOptions, Model, Pose, Scratch, brute_force, intersecting_pairs};
use impinge_testkit::{meshes, rng::Rng};

fn main() -> Result<(), impinge::Error> {
    let model = Model::new(meshes::sheet(7, 40, 0.3), &BuildOptions::default());
    model.validate().expect("every triangle lies in the volumes above it");
    let (mut rng, mut scratch) = (Rng::new(2), Scratch::new());
    let (mut fast, mut slow) = (Vec::new(), Vec::new());
    for frame in 0..5 {
        let a = Body::new(&model, Pose::IDENTITY);
        let b = Body::new(&model, Pose::rigid(rng.rotation(), rng.point(0.5))?);
        intersecting_pairs(&a, &b, &mut scratch, &mut fast);
        brute_force::intersecting_pairs(&a, &b, &mut scratch, &mut slow, &mut ());
        assert_eq!(fast, slow);
        println!("frame {frame}: {} pairs, both ways", fast.len());
    }
    Ok(())
}
