//! Tests of the identity of parts.
use super::{MatchReason, Matching, PartIdentity, PartNames, assignment::assign};
use impinge::{Mesh, Pose};
use impinge_demo::rng::Rng;
use impinge_io::Part;
use std::{path::Path, sync::Arc};

fn identities(parts: &[Part]) -> Vec<PartIdentity> {
    PartIdentity::of(parts, |_, _| PartNames::default())
}

/// Every sequence of `k` different numbers of `0..n`.
fn arrangements(n: usize, k: usize) -> Vec<Vec<usize>> {
    if k == 0 {
        return vec![Vec::new()];
    }
    let longer = |mut list: Vec<usize>, i: usize| {
        list.push(i);
        list
    };
    let shorter = arrangements(n, k - 1);
    shorter
        .into_iter()
        .flat_map(|list| {
            (0..n).filter(|i| !list.contains(i)).map(|i| longer(list.clone(), i)).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn an_assignment_has_the_least_sum_of_all() {
    let mut rng = Rng::new(7);
    for _ in 0..400 {
        let rows = rng.below(5) as usize;
        let columns = rows + rng.below(4) as usize;
        // Small integers: ties, zeros, and negative costs.
        let costs: Vec<Vec<f64>> =
            (0..rows).map(|_| (0..columns).map(|_| rng.int(-3, 6) as f64).collect()).collect();
        let sum = |of: &[usize]| of.iter().enumerate().map(|(i, &j)| costs[i][j]).sum::<f64>();
        let found = assign(rows, columns, |i, j| costs[i][j]);
        let mut distinct = found.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), rows);
        let least = arrangements(columns, rows).iter().map(|of| sum(of)).fold(f64::INFINITY, f64::min);
        assert_eq!(sum(&found), least, "{costs:?}");
    }
}

#[test]
fn a_shape_is_the_same_under_motions_and_last_digits() {
    let mut rng = Rng::new(2);
    let wedge = Mesh::new(
        vec![[0.0; 3], [3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]],
        vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
    )
    .unwrap();
    let moved = |mesh: &Mesh, scale: [f64; 3], noise: f64, rng: &mut Rng| {
        let pose = Pose::rigid(rng.rotation(), rng.point(100.0)).unwrap();
        let points = mesh.points().iter().map(|v| {
            let placed = pose.place([0, 1, 2].map(|k| v[k] * scale[k]));
            placed.map(|x| x + rng.between(-noise, noise))
        });
        let points = points.collect();
        Part::from_mesh("w", Mesh::new(points, mesh.triangles().to_vec()).unwrap(), Pose::IDENTITY)
    };
    let shape = |part: Part| identities(&[part])[0].shape;
    for mesh in [wedge, Mesh::prism(0.5, 4.0, 9).unwrap(), Mesh::uv_sphere(1.0, 5, 6).unwrap()] {
        let own = shape(Part::from_mesh("w", mesh.clone(), Pose::IDENTITY));
        for _ in 0..50 {
            assert!(own.is_same(&shape(moved(&mesh, [1.0; 3], 1e-8, &mut rng))));
            let other = shape(moved(&mesh, [1.0, 1.0, 1.001], 0.0, &mut rng));
            assert!(!own.is_same(&other), "{own:?} {other:?}");
            assert!(!own.is_same(&shape(moved(&mesh, [-1.0, 1.0, 1.0], 0.0, &mut rng))) || own.volume == 0.0);
        }
    }
    let cube = shape(Part::from_mesh("c", Mesh::cuboid([2.0; 3]).unwrap(), Pose::IDENTITY));
    assert_eq!((cube.area, cube.volume, cube.points), (24.0, 8.0, 8));
    // Trace: the mean square distance of the surface of a cube with half side 1 from its middle, 1 + 2/3.
    assert!((cube.spread[0] - 5.0 / 3.0).abs() < 1e-9, "{cube:?}");
}

#[test]
fn turned_copies_are_told_apart() {
    let cube = Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
    let turned = Pose::rigid([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    let parts = [Pose::IDENTITY, turned].map(|pose| Part::from_mesh("cube", Arc::clone(&cube), pose));
    let both = identities(&parts);
    assert!(both[0].shape.is_same(&both[1].shape) && !both[0].is_in_place(&both[1]));
    // After a deletion, the part that is left matches the one with the same turn.
    let matching = Matching::new(&both, &both[1..]);
    assert_eq!(matching.of_new(0).unwrap().old, 1);
    assert_eq!(matching.missing().collect::<Vec<_>>(), [0]);
}

#[test]
fn the_strongest_reason_comes_first() {
    let cube = Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
    let slab = Arc::new(Mesh::cuboid([1.0, 1.0, 1.02]).unwrap());
    let part = |name: &str, mesh: &Arc<Mesh>, x: f64, file: &str| {
        let pose = Pose::from_translation([x, 0.0, 0.0]).unwrap();
        Part::new(name, Path::new(file), Arc::clone(mesh), pose)
    };
    let old = [
        part("g", &cube, 0.0, "a").with_guid("1"),
        part("p", &cube, 10.0, "a").with_path("x/p"),
        part("n", &cube, 20.0, "a"),
        part("same", &cube, 30.0, "a"),
        part("same", &cube, 40.0, "a"),
        part("same", &cube, 50.0, "a"),
        part("gone", &slab, 60.0, "a"),
    ];
    let new = [
        part("same", &cube, 33.0, "b"),
        part("same", &slab, 40.0, "b"),
        part("other", &cube, 50.0, "b"),
        part("n", &slab, 25.0, "a"),
        part("q", &slab, 15.0, "b").with_path("x/p"),
        part("h", &slab, 5.0, "b").with_guid("1"),
        part("added", &slab, 95.0, "b"),
    ];
    let (old, new) = (identities(&old), identities(&new));
    let matching = Matching::new(&old, &new);
    let found: Vec<_> = matching.matches().iter().map(|m| (m.old, m.new, m.reason, m.moved)).collect();
    assert_eq!(
        found,
        [
            (0, 5, MatchReason::Guid, 5.0),
            (1, 4, MatchReason::Path, 5.0),
            (2, 3, MatchReason::NameAndFile, 5.0),
            (3, 0, MatchReason::NameAndShape, 3.0),
            (4, 1, MatchReason::NameAndPlace, 0.0),
            (5, 2, MatchReason::ShapeAndPlace, 0.0),
        ]
    );
    assert_eq!(matching.missing().collect::<Vec<_>>(), [6]);
    assert_eq!(matching.added().collect::<Vec<_>>(), [6]);
}

#[test]
fn look_alikes_that_moved_have_the_least_sum_of_squares() {
    let mut rng = Rng::new(11);
    let cube = Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
    for _ in 0..200 {
        let mut bolts = |count: u64| {
            let part = |_| {
                let pose = Pose::rigid(rng.rotation(), rng.point(5.0)).unwrap();
                Part::new("bolt", Path::new("a"), Arc::clone(&cube), pose)
            };
            identities(&(0..count).map(part).collect::<Vec<_>>())
        };
        let (old, new) = (bolts(4), bolts(6));
        for (old, new) in [(&old, &new), (&new, &old)] {
            let matching = Matching::new(old, new);
            let cost = |i: usize, j: usize| old[i].place.cost(&new[j].place);
            let sum: f64 = matching.matches().iter().map(|m| cost(m.old as usize, m.new as usize)).sum();
            assert_eq!(matching.matches().len(), 4);
            let one = |(k, &j): (usize, &usize)| if old.len() == 4 { cost(k, j) } else { cost(j, k) };
            let sums = arrangements(6, 4).into_iter().map(|of| of.iter().enumerate().map(one).sum::<f64>());
            let least = sums.fold(f64::INFINITY, f64::min);
            assert!((sum - least).abs() <= 1e-9 * least, "{sum} {least}");
        }
    }
}

#[test]
fn large_groups_recover_a_common_translation() {
    let cube = Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
    let mut rng = Rng::new(5);
    let places: Vec<[f64; 3]> = (0..3000).map(|_| rng.point(500.0)).collect();
    let delivery = |by: [f64; 3]| {
        let part = |v: &[f64; 3]| {
            let pose = Pose::from_translation([0, 1, 2].map(|k| v[k] + by[k])).unwrap();
            Part::new("bolt", Path::new("a"), Arc::clone(&cube), pose)
        };
        identities(&places.iter().map(part).collect::<Vec<_>>())
    };
    let (old, mut new) = (delivery([0.0; 3]), delivery([70.0, -3.0, 11.0]));
    new.reverse();
    let matching = Matching::new(&old, &new);
    assert!(
        matching.matches().iter().all(|m| m.old + m.new == 2999 && m.reason == MatchReason::NameAndShape)
    );
    assert_eq!(matching.matches().len(), 3000);
}

#[test]
fn other_triangles_at_the_same_place_are_found() {
    // Another order of the triangles makes another list of indices.
    let cube = Mesh::cuboid([1.0, 2.0, 3.0]).unwrap();
    let mut triangles = cube.triangles().to_vec();
    triangles.reverse();
    let other = Mesh::new(cube.points().to_vec(), triangles).unwrap();
    let part = |name: &str, mesh: &Mesh, x: f64| {
        let pose = Pose::from_translation([x, 0.0, 0.0]).unwrap();
        Part::from_mesh(name, mesh.clone(), pose)
    };
    let old = identities(&[part("a", &cube, 0.0), part("b", &cube, 9.0)]);
    let new = identities(&[part("c", &other, 0.0), part("d", &other, 7.0)]);
    let matching = Matching::new(&old, &new);
    assert_eq!(matching.matches().len(), 1);
    assert_eq!(matching.of_old(0).map(|m| (m.new, m.reason)), Some((0, MatchReason::AlikeAndPlace)));
}
