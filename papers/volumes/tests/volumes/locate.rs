//! Point location: all trees follow rays, each by its own walk.
use impinge::{
    Body, Model, Pose, Query,
    solid::{FillRule, Location},
};
use impinge_testkit::{meshes, rng::Rng, ways::papers};
use impinge_volumes::Options;
use std::collections::BTreeMap;

#[test]
fn with_the_fast_tree_and_without_it() {
    let torus = meshes::to_grid(&meshes::torus(48, 32, 0.4), 64);
    let shapes = [
        torus.clone(),
        meshes::cuboid([1.0; 3]),
        // The mesh winds around some points twice.
        meshes::merged(&[&torus, &meshes::translated(&torus, [0.25, 0.0, 0.125])]),
        meshes::sheet(3, 16, 0.5),
    ];
    let shear = Pose::affine([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.5], [0.0, 0.0, 2.0]], [3.0, 0.0, 1.0]).unwrap();
    let (mut rng, mut seen) = (Rng::new(9), BTreeMap::new());
    for mesh in shapes {
        let others = papers().map(|kind| Options::new(kind).build(mesh.clone()).unwrap()).collect::<Vec<_>>();
        let fast = Model::new(mesh.clone());
        let points: Vec<_> = (0..400)
            .map(|i| match i % 4 {
                // Points from which a ray along an axis meets corners and edges.
                0 => *rng.pick(mesh.points()),
                1 => {
                    let near = *rng.pick(mesh.points());
                    near.map(|x| if rng.one_in(2) { x.next_up() } else { x })
                }
                2 => [0; 3].map(|_| rng.int(-10, 10) as f64 / 8.0),
                _ => rng.point(1.2),
            })
            .collect();
        for pose in [Pose::IDENTITY, shear] {
            let placed: Vec<_> = points.iter().map(|&point| pose.place(point)).collect();
            for inside in [FillRule::NonZero, FillRule::Positive, FillRule::EvenOdd] {
                let mut query = Query::new().fill_rule(inside);
                let found = query.locate(&Body::new(&fast, pose), &placed).to_vec();
                for other in &others {
                    let got = query.locate(&Body::new(other, pose), &placed);
                    assert_eq!(got, found, "{}", other.volume());
                }
                found.iter().for_each(|location| *seen.entry(format!("{location:?}")).or_insert(0) += 1);
            }
        }
    }
    for location in [Location::Inside, Location::Outside, Location::OnSurface, Location::Undefined] {
        assert!(seen.get(&format!("{location:?}")).is_some_and(|&count| count > 100), "{seen:?}");
    }
}
