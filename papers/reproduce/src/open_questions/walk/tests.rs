use super::*;
use impinge_testkit::meshes;

/// Numbers in [-1, 1], the same each time.
pub(in crate::open_questions) fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut rng = impinge_testkit::rng::Rng::new(seed);
    move || rng.between(-1.0, 1.0)
}

impl Map {
    pub(in crate::open_questions) fn random(next: &mut impl FnMut() -> f64) -> Self {
        let mut rng = impinge_testkit::rng::Rng::new((next().abs() * 1e15) as u64);
        Self { rows: rng.rotation(), offset: [next(), next(), next()] }
    }
    pub(in crate::open_questions) fn moved(&self, offset: Vector) -> Self {
        Self { rows: self.rows, offset }
    }
}

#[test]
fn every_triangle_is_in_one_leaf_and_the_map_is_that_of_the_poses() {
    let mesh = Arc::new(meshes::icosphere(2));
    let topology = Topology::of(&mesh, Split::Centroid);
    let mut order = topology.order.clone();
    order.sort_unstable();
    assert_eq!(order, (0..mesh.len() as u32).collect::<Vec<_>>());
    assert_eq!(topology.volumes(), 2 * mesh.len() - 2);
    // Each volume gets the corners of the triangles below it: their numbers add up level by level.
    let sizes = topology.fit_each(|_: Option<&usize>, _, points| points.len());
    assert_eq!(*sizes.at(0), 3 * mesh.len());
    for node in 0..topology.nodes.len() {
        let below = sizes.at(1 + 2 * node) + sizes.at(2 + 2 * node);
        let Some(parent) = topology
            .nodes
            .iter()
            .flatten()
            .position(|child| matches!(child, Child::Node(n) if *n as usize == node))
        else {
            assert_eq!(below, 3 * mesh.len());
            continue;
        };
        assert_eq!(below, *sizes.at(1 + parent));
    }
    let mut rng = impinge_testkit::rng::Rng::new(5);
    let poses = [0; 2].map(|_| Pose::rigid(rng.rotation(), rng.point(3.0)).unwrap());
    let map = Map::between(&poses);
    for _ in 0..20 {
        let v = rng.point(2.0);
        let apart = sub(&poses[0].place(map.point(&v)), &poses[1].place(v));
        assert!(dot(&apart, &apart) < 1e-28);
        let back = sub(&map.inverse().point(&map.point(&v)), &v);
        assert!(dot(&back, &back) < 1e-28);
    }
}
