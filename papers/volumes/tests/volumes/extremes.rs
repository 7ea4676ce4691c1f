//! Meshes at the limits of the interface, in trees of all kinds and rules: no panic, and all give the same
//! result.
use impinge::{Body, Mesh, Pose, brute_force};
use impinge_testkit::ways::{papers, setups, splits};
use impinge_volumes::Options;

#[test]
fn any_leaf_size_and_any_number_of_triangles() {
    let all = papers().flat_map(|kind| {
        let options =
            |&split| [1, 4, 8].map(|leaf_size| Options::new(kind).split(split).leaf_size(leaf_size));
        splits(kind).iter().flat_map(options).collect::<Vec<_>>()
    });
    let setups = setups(all);
    let rows = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let turned = Pose::rigid(rows, [0.5; 3]).unwrap();
    for n in [0, 1, 2, 3, 9, 40] {
        // All at one point, or in a row; and far away a point that no triangle uses.
        for step in [0.0, 1.0, 1e300 / 40.0] {
            let mut points: Vec<_> = (0..n).map(|i| [f64::from(i) * step, 0.5, 0.0]).collect();
            points.push([f64::MAX, -f64::MAX, 0.0]);
            let mesh = Mesh::new(points, (0..n).map(|i| [i; 3]).collect()).unwrap();
            for setup in &setups {
                let (model, mut query) = (setup.model(&mesh), setup.query());
                model.validate().unwrap();
                let (a, b) = (Body::new(&model, Pose::IDENTITY), Body::new(&model, turned));
                let want = if step == 0.0 { (n * n) as usize } else { n as usize };
                assert_eq!(query.pairs(&a, &a).len(), want, "{n} {step} {setup:?}");
                // Rotated and shifted in z: disjoint, and the distant point affects only the speed.
                assert_eq!(query.pairs(&a, &b), [] as [[u32; 2]; 0]);
                assert_eq!(brute_force::first_contact(&a, &b), None);
            }
        }
    }
}
