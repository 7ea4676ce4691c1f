//! Dependence of distances on the order in which triangles, points and corners are stored.
use impinge::{
    Body, Mesh, Model, Pose, Query,
    distance::{Accuracy, DistanceBounds},
};
use impinge_testkit::{meshes, rng::Rng};

/// Ways to store the same set of triangles.
#[derive(Clone, Copy, Debug)]
enum Change {
    Triangles,
    Points,
    Corners,
}

fn changed(mesh: &Mesh, change: Change, seed: u64) -> Mesh {
    let mut rng = Rng::new(seed);
    let (mut points, mut triangles) = (mesh.points().to_vec(), mesh.triangles().to_vec());
    match change {
        Change::Triangles => rng.shuffle(&mut triangles),
        Change::Points => {
            let mut order: Vec<u32> = (0..points.len() as u32).collect();
            rng.shuffle(&mut order);
            points = order.iter().map(|&v| mesh.points()[v as usize]).collect();
            let mut place = vec![0; order.len()];
            (0..).zip(&order).for_each(|(new, &old)| place[old as usize] = new);
            triangles.iter_mut().for_each(|t| *t = t.map(|v| place[v as usize]));
        }
        Change::Corners => triangles.iter_mut().for_each(|t| rng.shuffle(t)),
    }
    Mesh::new(points, triangles).unwrap()
}

fn distance([a, b]: [&Mesh; 2], [p, q]: [Pose; 2], stop: Accuracy) -> DistanceBounds {
    let [a, b] = [a, b].map(|mesh| Model::new(mesh.clone()));
    Query::new().with_accuracy(stop).distance(&Body::new(&a, p), &Body::new(&b, q)).unwrap()
}

/// Exact distances depend on no order. Others depend on the order of corners alone, if the order of points
/// does not exchange bodies at one pose.
#[test]
fn an_interval_does_not_depend_on_the_order_of_triangles() {
    let mut rng = Rng::new(4);
    let mut turned = 0;
    for round in 0..400_u64 {
        let shape = |rng: &mut Rng| match rng.below(4) {
            0 => meshes::icosphere(2),
            1 => meshes::cuboid([0.5, 0.4, 0.3]),
            2 => meshes::torus(12, 9, 0.3),
            _ => meshes::soup(rng.below(1000), 60, 0.4),
        };
        let mut pair = [shape(&mut rng), shape(&mut rng)];
        let mut pose = |far: f64| {
            let rows = if rng.one_in(2) { *Pose::IDENTITY.rows() } else { rng.rotation() };
            Pose::affine(rows, [far, rng.between(-0.1, 0.1), 0.0]).unwrap()
        };
        let mut poses = [pose(0.0), pose(4.0)];
        if round % 2 == 0 {
            // Both at one pose: the points determine which one comes first.
            pair[1] = meshes::translated(&pair[1], [4.0, 0.1, 0.0]);
            poses[1] = poses[0];
        }
        let found = |change: Option<Change>, stop: Accuracy| {
            let of =
                |mesh: &Mesh, seed: u64| change.map_or(mesh.clone(), |change| changed(mesh, change, seed));
            let DistanceBounds { lo, hi, .. } =
                distance([&of(&pair[0], round), &of(&pair[1], round + 9)], poses, stop);
            [lo, hi]
        };
        for (stop, is_exact) in [(Accuracy::new(), false), (Accuracy::new().exact(), true)] {
            let want = found(None, stop);
            for change in [Change::Triangles, Change::Points, Change::Corners] {
                let is_same = found(Some(change), stop) == want;
                if matches!(change, Change::Corners) && !is_exact {
                    turned += u32::from(!is_same);
                } else {
                    assert!(is_same, "{round}: {change:?}, exact: {is_exact}");
                }
            }
        }
    }
    // The statement of the documentation on corners is true.
    assert!(turned > 100, "{turned}");
}
