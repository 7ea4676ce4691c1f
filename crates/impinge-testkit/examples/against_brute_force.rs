//! Compares queries with the reference, which has no tree.
use impinge::{Body, Model, Pose, Query, brute_force};
use impinge_testkit::{meshes, rng::Rng};

fn main() -> Result<(), impinge::Error> {
    let model = Model::new(meshes::sheet(7, 40, 0.3));
    model.validate()?;
    let (mut rng, mut query) = (Rng::new(2), Query::new());
    for frame in 0..5 {
        let a = Body::new(&model, Pose::IDENTITY);
        let b = Body::new(&model, Pose::rigid(rng.rotation(), rng.point(0.5))?);
        let fast = query.pairs(&a, &b);
        assert_eq!(fast, brute_force::pairs(&a, &b));
        println!("frame {frame}: {} pairs, both ways", fast.len());
    }
    Ok(())
}
