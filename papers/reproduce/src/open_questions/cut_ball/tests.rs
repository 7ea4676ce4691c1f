use super::*;
use crate::open_questions::walk::tests::random;

fn points(next: &mut impl FnMut() -> f64, n: usize, flat: f64) -> Vec<Vector> {
    (0..n).map(|_| [next(), next() * flat, next() * flat * flat]).collect()
}
fn inside(volume: &CutBall, p: &Vector) -> bool {
    let d = sub(p, &volume.centre);
    dot(&d, &d).sqrt() <= volume.radius * (1.0 + 1e-9)
        && volume.slabs().iter().all(|slab| {
            let x = dot(&slab.normal, &d);
            x >= slab.low - 1e-9 * volume.radius && x <= slab.high + 1e-9 * volume.radius
        })
}

#[test]
fn a_volume_relative_to_its_parent_holds_its_points() {
    let mut next = random(1);
    for bits in [2, 3, 5, 8, 16] {
        for _ in 0..200 {
            let all = points(&mut next, 12, 0.3);
            let parent = CutBall::around([0.1, 0.0, 0.0], &[[0.0, 0.0, 1.0]], &all);
            let part = &all[..5];
            let normal = unit([next(), next(), next()]).unwrap();
            let stored = Relative { bits }.store(&parent, &part[0], &normal, part);
            assert!(part.iter().all(|p| inside(&stored, p)), "{bits}: {stored:?}");
            assert!((dot(&stored.normal(), &stored.normal()) - 1.0).abs() < 1e-12);
        }
    }
    // All points in one place, and a parent without extent.
    let point = CutBall::around([0.5; 3], &[[1.0, 0.0, 0.0]], &[[0.5; 3]]);
    assert!(inside(&Relative { bits: 8 }.store(&point, &[0.5; 3], &[1.0, 0.0, 0.0], &[[0.5; 3]]), &[0.5; 3]));
}

#[test]
fn many_bits_of_a_normal_are_near_it() {
    let mut next = random(2);
    for _ in 0..500 {
        let n = unit([next(), next(), next()]).unwrap();
        for (bits, far) in [(16, 1e-4), (8, 2e-2), (5, 0.15)] {
            let cos = dot(&Relative { bits }.normal(&n), &n).abs();
            assert!((1.0 - cos * cos).max(0.0).sqrt() < far, "{bits}: {n:?}");
        }
    }
}

/// Compares the volume with a count of random points.
#[test]
fn the_volume_of_what_the_slabs_leave() {
    let mut next = random(3);
    for slabs in 0..=2 {
        let normals = [[0.0, 0.0, 1.0], [0.6, 0.8, 0.0]];
        let corners = [[0.9, 0.1, 0.3], [-0.9, 0.2, -0.1], [0.3, 0.4, 0.2]];
        let volume = CutBall::around([0.0; 3], &normals[..slabs], &corners);
        let hits = (0..200_000)
            .filter(|_| inside(&volume, &[next(), next(), next()].map(|x| x * volume.radius)))
            .count();
        let want = 8.0 * volume.radius.powi(3) * hits as f64 / 200_000.0;
        assert!((volume.volume() / want - 1.0).abs() < 0.03, "{slabs}: {} and {want}", volume.volume());
    }
    assert_eq!(CutBall::around([0.0; 3], &normals(), &[[1.0, 0.0, 0.0]]).worthwhile(0.9).count, 2);
}
fn normals() -> [Vector; 2] {
    [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
}

/// Volumes around point sets that share a point are not apart, with any number of slabs. Two slabs separate
/// more pairs than one.
#[test]
fn no_test_separates_what_meets() {
    let mut next = random(4);
    let mut parted = [0; 3];
    for _ in 0..3000 {
        let (a, b) = (points(&mut next, 6, 0.2), points(&mut next, 6, 0.2));
        let (n, m) = (unit([next(), next(), next()]).unwrap(), unit([next(), next(), next()]).unwrap());
        let map = Map::random(&mut next);
        let fitted = |points: &[Vector], n: Vector| {
            let second = second_normal(&n, points, &[]).unwrap();
            assert!(dot(&n, &second).abs() < 1e-12);
            CutBall::around(points[0], &[n, second], points)
        };
        let meets = {
            // The first point of b is put on that of a.
            let to = sub(&a[1], &map.direction(&b[1]));
            map.moved(to)
        };
        for (slabs, parted) in parted.iter_mut().enumerate() {
            let (x, y) = (fitted(&a, n).with(slabs), fitted(&b, m).with(slabs));
            assert!(!x.is_apart(&y, &meets, &mut 0), "{slabs}: {x:?} {y:?}");
            *parted += u32::from(x.is_apart(&y, &map, &mut 0));
        }
    }
    assert!(parted[0] < parted[1] && parted[1] < parted[2] && parted[2] < 3000, "{parted:?}");
}
