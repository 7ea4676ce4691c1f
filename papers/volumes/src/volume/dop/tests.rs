//! Tests of the fit, the combinations of three normals, and the separations.
use super::*;
use crate::{primitives::Item, primitives::NormalizedMesh};
use impinge::{Pose, hierarchy::Bounds};
use impinge_testkit::rng::Rng;

fn soup(rng: &mut Rng, count: usize) -> Vec<Vector> {
    (0..3 * count).map(|_| rng.point(1.0)).collect()
}

fn fitted<const H: usize>(points: &[Vector]) -> Dop<H> {
    let triangles: Vec<[u32; 3]> =
        (0..points.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let bounds = points.iter().fold(Bounds::EMPTY, |b, p| {
        b.and(&Bounds::outward(&p.map(|x| x - NORMALIZATION_ERROR), &p.map(|x| x + NORMALIZATION_ERROR)))
    });
    let items: Vec<_> = (0..triangles.len() as u32).map(|triangle| Item { bounds, triangle }).collect();
    Dop::fit(
        &Primitives { mesh: NormalizedMesh { points, triangles: &triangles }, items: &items, bounds },
        Fit::Auto,
    )
}

fn placement(a: &Pose, b: &Pose) -> Placement {
    Placement { to_resting: Motion::between(b, a), to_moving: Motion::between(a, b) }
}

fn apart<const H: usize>(a: &Dop<H>, b: &Dop<H>, placement: &Placement, overlap: Overlap) -> bool {
    let precomputed = Dop::precompute(placement, overlap);
    Dop::separation(&precomputed, &a.prepare_resting(&precomputed), &b.prepare_moving(&precomputed)).is_some()
}

/// The least sum of weights times lengths over every triple of signed normals that makes `w`.
fn least<const H: usize>(w: &Vector) -> f64 {
    let length = |d: &Direction| dot(d, &d.map(f64::from)).sqrt();
    let signed: Vec<Direction> = Dop::<H>::DIRECTIONS.iter().flat_map(|d| [*d, d.map(|x| -x)]).collect();
    let det = |[a, b, c]: [Vector; 3]| -> f64 {
        (0..3).map(|i| a[i] * (b[(i + 1) % 3] * c[(i + 2) % 3] - b[(i + 2) % 3] * c[(i + 1) % 3])).sum()
    };
    let mut least = f64::INFINITY;
    for (i, a) in signed.iter().enumerate() {
        for (j, b) in signed[..i].iter().enumerate() {
            for c in &signed[..j] {
                let k = [a, b, c].map(|d| d.map(f64::from));
                let all = det(k);
                let weights = [[*w, k[1], k[2]], [k[0], *w, k[2]], [k[0], k[1], *w]].map(|m| det(m) / all);
                if all != 0.0 && weights.iter().all(|&x| x >= -1e-12) {
                    let cost = weights[0] * length(a) + weights[1] * length(b) + weights[2] * length(c);
                    least = least.min(cost);
                }
            }
        }
    }
    least
}

fn combinations_are_the_best<const H: usize>() {
    let mut rng = Rng::new(3);
    for n in 0..150 {
        let mut w = rng.point(2.0);
        if n % 3 == 0 {
            w = rng.grid_point(2);
        }
        let mut sum = [0.0; 3];
        let mut cost = 0.0;
        for (slab, signed, weight) in Dop::<H>::combination(&w) {
            assert!(weight >= 0.0 && weight == signed.abs());
            let d = Dop::<H>::DIRECTIONS[usize::from(slab)].map(f64::from);
            sum = std::array::from_fn(|k| sum[k] + signed * d[k]);
            cost += weight * d.map(|x| x * x).iter().sum::<f64>().sqrt();
        }
        assert!((0..3).all(|k| (sum[k] - w[k]).abs() <= 2e-15), "{w:?}: {sum:?}");
        assert!((cost - least::<H>(&w)).abs() <= 1e-9, "{w:?}: {cost} against {}", least::<H>(&w));
    }
}

#[test]
fn three_normals_are_those_of_the_least_sum() {
    combinations_are_the_best::<7>();
    combinations_are_the_best::<9>();
    combinations_are_the_best::<12>();
    combinations_are_the_best::<13>();
}

/// Points of the mesh lie in the DOP, their images in its image; and a ball's image is not much larger than a
/// ball.
fn fits_and_images_hold<const H: usize>() {
    let mut rng = Rng::new(5);
    for n in 0..200 {
        let mut points = soup(&mut rng, 40);
        if n % 2 == 0 {
            points = points.iter().map(|p| p.map(|x| x / dot(&[1; 3], &p.map(|x| x * x)).sqrt())).collect();
        }
        let dop = fitted::<H>(&points);
        let rows = if n % 4 < 3 { rng.rotation() } else { [0; 3].map(|_| rng.point(3.0)) };
        let pose = Pose::affine(rows, rng.point(2.0)).unwrap();
        let map = DopTransform::<H>::new(&Motion::between(&pose, &Pose::IDENTITY));
        let image = map.image(&dop.slabs());
        for p in &points {
            assert!(Dop::holds(&dop, p, p));
            let q = pose.place(*p);
            for (d, [centre, extent]) in Dop::<H>::DIRECTIONS.iter().zip(&image) {
                assert!((2.0 * dot(d, &q) - centre).abs() <= *extent, "{p:?} {d:?}");
            }
        }
        // Rotations of points on a ball, whose image is wider by the factor given in the module's head.
        if n % 4 == 0 {
            let wider = match H {
                7 => 1.24,
                13 => 1.128,
                _ => 1.225,
            };
            for (d, [_, extent]) in Dop::<H>::DIRECTIONS.iter().zip(&image) {
                let length = dot(d, &d.map(f64::from)).sqrt();
                assert!(*extent <= 2.0 * length * wider + 1e-6, "{d:?} {extent}");
            }
        }
    }
}

#[test]
fn what_is_inside_stays_inside() {
    fits_and_images_hold::<7>();
    fits_and_images_hold::<9>();
    fits_and_images_hold::<12>();
    fits_and_images_hold::<13>();
}

/// Two triangles in planes on both sides of a diagonal slab, which overlap along all other normals.
fn a_diagonal_separates<const H: usize>() {
    let pose = Pose::rigid(Rng::new(8).rotation(), [3.0, -2.0, 1.0]).unwrap();
    for d in &Dop::<H>::DIRECTIONS[3..] {
        let square = f64::from(d.iter().map(|x| x * x).sum::<i8>());
        let flat = |height: f64| -> Vec<Vector> {
            // Spread in the plane, so that no other normal separates the two.
            [[0.9, -0.5, -0.4], [-0.5, 0.9, -0.4], [-0.4, -0.4, 0.8]]
                .iter()
                .chain(&[[-0.9, 0.5, 0.4], [0.5, -0.9, 0.4], [0.4, 0.4, -0.8]])
                .map(|p| {
                    let over = (height - dot(d, p)) / square;
                    std::array::from_fn(|k| p[k] + over * f64::from(d[k]))
                })
                .collect()
        };
        for (gap, separate) in [(0.01, true), (0.0, false), (-0.01, true)] {
            let (a, b) = (fitted::<H>(&flat(-gap)), fitted::<H>(&flat(gap)));
            for overlap in [Overlap::SatLite, Overlap::Axis] {
                for poses in [[Pose::IDENTITY; 2], [pose; 2]] {
                    let at = placement(&poses[0], &poses[1]);
                    assert_eq!(apart(&a, &b, &at, overlap), separate, "{d:?} {gap}");
                }
            }
            let (a, b) = (a.slabs(), b.slabs());
            let boxes = |s: &Slabs<SLOTS>| -> Slabs<3> { [s[0], s[1], s[2]] };
            assert!(separating(&boxes(&a), &boxes(&b)).is_none(), "boxes overlap");
        }
    }
}

#[test]
fn diagonals_separate_what_boxes_do_not() {
    a_diagonal_separates::<7>();
    a_diagonal_separates::<9>();
    a_diagonal_separates::<12>();
    a_diagonal_separates::<13>();
}

/// A plate at a slant in the resting frame: only its own normals separate it.
#[test]
fn both_ways_separate_more() {
    let rotation = [[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]];
    let turned = |at: f64| Pose::rigid(rotation, [at * 0.36, at * -0.8, at * 0.48]).unwrap();
    let plate = [[-0.01, -1.0, -1.0], [0.01, 1.0, -1.0], [0.0, 0.0, 1.0]];
    let ball: Vec<Vector> = (0..3)
        .flat_map(|k| [-0.3, 0.3].map(|x| std::array::from_fn(|i| if i == k { x } else { 0.0 })))
        .collect();
    let (a, b) = (fitted::<13>(&ball), fitted::<13>(&plate));
    let mut more = 0;
    for n in 0..100 {
        let at = placement(&Pose::IDENTITY, &turned(f64::from(n) / 100.0));
        let (one, both) = (apart(&a, &b, &at, Overlap::Axis), apart(&a, &b, &at, Overlap::SatLite));
        assert!(both || !one);
        more += usize::from(both && !one);
    }
    assert!(more > 5, "{more}");
}

#[test]
fn overflow_separates_nothing() {
    let far = |x: f64| Pose::affine([[x, 0.0, x], [x, x, 0.0], [0.0, x, x]], [x, -x, x]).unwrap();
    let points = [[0.9, -0.5, -0.4], [-0.5, 0.9, -0.4], [-0.4, -0.4, 0.8]];
    let a = fitted::<13>(&points);
    for (x, y) in [(1e308, 1e-308), (1.7e308, 0.5), (1e-308, 1e308), (f64::MAX / 24.0, 1.0)] {
        let at = placement(&far(y), &far(x));
        for overlap in [Overlap::SatLite, Overlap::Axis] {
            assert!(!apart(&a, &a, &at, overlap), "{x} {y}");
        }
    }
}
