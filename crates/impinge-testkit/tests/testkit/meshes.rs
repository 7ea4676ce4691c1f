use impinge_testkit::meshes::*;
use impinge_testkit::topology::{Topology, signed_volume_6};

#[test]
fn closed_meshes_are_closed_and_turned_outwards() {
    let sphere = 8.0 * std::f64::consts::PI;
    let ring = 12.0 * std::f64::consts::PI.powi(2) * 0.75 * 0.25 * 0.25;
    for (name, mesh, triangles, genus, volume) in [
        ("uv sphere", uv_sphere(40, 80), 2 * 39 * 80, 0, sphere),
        ("least uv sphere", uv_sphere(2, 3), 6, 0, 0.0),
        ("icosahedron", icosphere(0), 20, 0, 0.0),
        ("icosphere", icosphere(4), 20 * 256, 0, sphere),
        ("torus", torus(60, 40, 0.25), 4800, 1, ring),
        ("box", cuboid([1.0, 2.0, 3.0]), 12, 0, 6.0 * 48.0),
    ] {
        let topology = Topology::of(&mesh);
        assert!(topology.is_closed(), "{name}: {topology:?}");
        assert_eq!((mesh.len(), topology.pieces, topology.genus()), (triangles, 1, genus), "{name}");
        let found = signed_volume_6(&mesh);
        assert!(found > 0.98 * volume && (volume == 0.0 || found < 1.001 * volume), "{name}: {found}");
    }
}

#[test]
fn loose_meshes_are_as_described() {
    let (soup, needles, sheet) = (soup(1, 100, 0.1), needles(1, 100), sheet(1, 10, 0.3));
    assert_eq!((soup.len(), needles.len(), sheet.len()), (100, 100, 200));
    assert_eq!(Topology::of(&sheet), Topology { bad_edges: 40, pieces: 1, euler: 1 });
    for i in 0..100 {
        let [a, b, c] = needles.corners(i);
        let length = |p: [f64; 3], q: [f64; 3]| (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt();
        assert!(length(a, b) > 0.99 && length(b, c) <= 1.001e-6);
    }
}

#[test]
fn transformations_do_what_they_say() {
    let torus = torus(12, 9, 0.4);
    let grid = to_grid(&torus, 5);
    assert!(grid.points().iter().flatten().all(|c| c.fract() == 0.0 && c.abs() <= 5.0));
    assert!(grid.points().iter().any(|p| p[0] == 5.0));
    let (shuffled, order) = permuted(&torus, 3);
    assert_ne!(shuffled, torus);
    assert!((0..shuffled.len()).all(|i| shuffled.corners(i as u32) == torus.corners(order[i])));
    let both = merged(&[&torus, &translated(&torus, [8.0, 0.0, 0.0])]);
    assert_eq!((both.len(), Topology::of(&both).pieces), (2 * torus.len(), 2));
}
