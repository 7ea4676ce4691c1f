//! Teapot, spacecraft, stand-ins and heaps match their descriptions.
use super::{QUICK, data, hits};
use crate::{
    scenes::{build, motion::bounds, spacecraft::spacecraft, teapot, teapot::patches},
    topology::{Topology, signed_volume_6},
};
use std::collections::{BTreeSet, HashMap};

#[test]
fn the_teapot_has_newells_patches() {
    let patches = patches();
    let bits = |p: &[f64; 3]| p.map(|x| (x + 0.0).to_bits());
    let points: BTreeSet<_> = patches.iter().flatten().flatten().map(bits).collect();
    // Shared points of patches count once.
    assert_eq!((patches.len(), points.len()), (32, 290));
    // Each of the 128 sides of patches joins two of them, except for the rims of lid, pot, handle and spout
    // and the poles.
    let mut sides: HashMap<_, u32> = HashMap::new();
    for p in &patches {
        let column = |k: usize| [0, 1, 2, 3].map(|row: usize| p[row][k]);
        for side in [p[0], p[3], column(0), column(3)] {
            let (side, back) = (side.map(|q| bits(&q)), [3, 2, 1, 0].map(|k: usize| bits(&side[k])));
            *sides.entry(side.min(back)).or_default() += 1;
        }
    }
    let with = |n: u32| sides.values().filter(|m| **m == n).count();
    // Rims: 4 of the lid, 4 of the pot, 2 each of both ends of handle and spout. Poles: 4 sides at one point
    // each.
    assert_eq!((with(1), with(2), with(4)), (16, 52, 2));
}

#[test]
fn the_teapot_looks_closed() {
    let mesh = teapot(10, false);
    assert_eq!(mesh.len(), 6320);
    let topology = Topology::of(&mesh);
    // Open rims of 10 edges a side: 16 of them. Lid and spout are separate pieces; the handle touches the pot
    // at a point.
    assert_eq!((topology.bad_edges, topology.pieces), (160, 3));
    let [lo, hi] = bounds(&mesh);
    assert_eq!((lo, [hi[1], hi[2]]), ([-3.0, -2.0, 0.0], [2.0, 3.15]));
    assert!((hi[0] - 3.434).abs() < 1e-12, "{hi:?}");
    assert!(signed_volume_6(&mesh) > 0.0, "triangles are turned outwards");
    let coarse = teapot(3, true);
    let degenerate = (0..coarse.len() as u32).filter(|i| coarse.is_degenerate(*i)).count();
    assert_eq!((coarse.len(), degenerate), (576, 24));
}

#[test]
fn the_teapot_is_the_one_in_circulation() {
    let Some(file) = data("m_teapot.ply") else { return };
    let theirs = impinge_io::read(&file).unwrap().parts.remove(0).mesh;
    let ours = teapot(10, false);
    assert_eq!(theirs.len(), ours.len());
    // Its y axis points upwards, and its decimals are few.
    let close = |p: &[f64; 3], q: &[f64; 3]| (0..3).all(|k| (p[k] - q[k]).abs() < 1e-5);
    let theirs: Vec<[f64; 3]> = theirs.points().iter().map(|[x, y, z]| [*x, -z, *y]).collect();
    assert!(ours.points().iter().all(|p| theirs.iter().any(|q| close(p, q))));
    assert!(theirs.iter().all(|p| ours.points().iter().any(|q| close(p, q))));
}

#[test]
fn the_spacecraft_has_triangles_of_all_shapes() {
    let mesh = spacecraft();
    assert!((5500..6500).contains(&mesh.len()), "{}", mesh.len());
    let slender = (0..mesh.len() as u32).filter(|i| {
        let c = mesh.corners(*i);
        let mut sides: [f64; 3] =
            std::array::from_fn(|k| (0..3).map(|j| (c[k][j] - c[(k + 1) % 3][j]).powi(2)).sum());
        sides.sort_by(f64::total_cmp);
        sides[2] > 400.0 * sides[0]
    });
    let slender = slender.count();
    assert!(slender > 300 && slender < 1500, "{slender} are 20 times as long as wide");
}

#[test]
fn a_scans_stand_in_is_one_closed_body() {
    let mesh = crate::scenes::stand_ins::scan(20_000);
    let topology = Topology::of(&mesh);
    assert!(topology.is_closed() && topology.genus() == 0 && topology.pieces == 1, "{topology:?}");
    assert!(mesh.len().abs_diff(20_000) < 500 && signed_volume_6(&mesh) > 0.0, "{}", mesh.len());
}

#[test]
fn sixty_percent_of_placements_intersect() {
    for name in ["random-torus", "random-teapot", "random-spacecraft"] {
        let scene = build(name, &super::GENERATED).unwrap();
        let share = hits(&scene).iter().filter(|n| **n > 0).count() as f64 / scene.frames.len() as f64;
        assert!(share > 0.55 && share < 0.65, "{name}: {share}");
    }
}

#[test]
fn nested_spheres_never_meet_and_an_offset_copy_does_everywhere() {
    assert_eq!(hits(&build("spheres-nested", &QUICK).unwrap()).iter().sum::<usize>(), 0);
    let offset = build("bunny-offset", &QUICK).unwrap();
    assert!(hits(&offset).iter().all(|n| *n > 1000));
    for name in ["rods", "needles"] {
        assert!(hits(&build(name, &QUICK).unwrap()).iter().sum::<usize>() > 1000, "{name}");
    }
}
