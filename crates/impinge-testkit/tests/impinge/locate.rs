//! Locations of points: by cells, by rays that end in cells or leave the box, and one by one.
use crate::{
    allocator,
    solids::{Point, Triangles, cube, cuboid, joined, mapped, model, reversed},
};
use impinge::{
    Body, Pose, Query, SimdLevel,
    solid::{Closedness, FillRule, Location},
};
use impinge_testkit::{meshes, rng::Rng};

#[test]
fn points_lie_where_they_lie() {
    let hollow = model(&joined([cube(0.0, 8.0), reversed(cube(2.0, 6.0))]));
    let pose = Pose::affine([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 2.0]], [1.0, 0.0, 0.0]).unwrap();
    let body = Body::new(&hollow, pose);
    let at = |[x, y, z]: Point| [1.0 - x, y, y + 2.0 * z];
    let mut query = Query::new();
    for x in 0..18 {
        for y in 0..18 {
            for z in 0..18 {
                let p = [x, y, z].map(|x| f64::from(x) / 2.0 - 0.25 * f64::from(x % 3));
                let [outer, inner] = [(0.0, 8.0), (2.0, 6.0)].map(|(lo, hi)| {
                    let (within, on) = p.iter().fold((true, false), |(within, on), &c| {
                        (within && lo <= c && c <= hi, on || c == lo || c == hi)
                    });
                    (within, within && on)
                });
                let want = match (outer, inner) {
                    ((_, true), _) | (_, (_, true)) => Location::OnSurface,
                    ((true, _), (false, _)) => Location::Inside,
                    _ => Location::Outside,
                };
                assert_eq!(query.locate(&body, &[at(p)]), [want], "{p:?}");
            }
        }
    }
    // So near to a face that integers decide, at a pose that mirrors.
    let mut positive = Query::new().fill_rule(FillRule::Positive);
    let mirror = Pose::affine([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    for (x, want) in [(-1e-300, Location::Inside), (0.0, Location::OnSurface), (1e-300, Location::Outside)] {
        assert_eq!(positive.locate(&Body::new(&hollow, mirror), &[[x, 3.0, 1.0]]), [want], "{x:e}");
    }
    let open = model(&cube(0.0, 4.0)[..10].to_vec());
    let open = Body::new(&open, Pose::IDENTITY);
    assert_eq!(query.locate(&open, &[[1.0; 3], [0.0, 1.0, 1.0]]), [Location::Undefined, Location::OnSurface]);
    // Without interior: a tetrahedron that is flat. Near it and far off, one point and many.
    let [p, q, r, s] = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [1.0, 1.0, 0.0]];
    let flat = model(&vec![[p, r, q], [p, q, s], [q, r, s], [r, p, s]]);
    assert_eq!(flat.solid().status(), Closedness::NoInterior);
    let flat = Body::new(&flat, Pose::IDENTITY);
    for count in [1, 100] {
        for (point, want) in [
            ([1.0, 1.0, 1.0], Location::Undefined),
            ([9.0; 3], Location::Undefined),
            ([1.0, 1.0, 0.0], Location::OnSurface),
        ] {
            assert_eq!(query.locate(&flat, &vec![point; count]), vec![want; count]);
        }
    }
}

/// Locations by cells that no triangle touches, and by rays that end in them. A model has cells once a query
/// has located many points.
#[test]
fn cells_without_triangles_lose_nothing() {
    let mut rng = Rng::new(7);
    let tilted = |triangles: &Triangles| {
        mapped(triangles, |[x, y, z]| [x + 0.3 * y - 0.2 * z, y + 0.7 * x, 6.0 * z - x])
    };
    let hollow = joined([cube(0.0, 8.0), reversed(cube(2.0, 6.0)), cube(3.0, 5.0), cube(7.0, 9.0)]);
    let overlapping = joined((0..64).map(|i| {
        let at = [i % 4, i / 4 % 4, i / 16].map(f64::from);
        cuboid(at, at.map(|x| x + 1.5))
    }));
    let torus = meshes::torus(32, 16, 0.3);
    let torus = (0..torus.len() as u32).map(|t| torus.corners(t)).collect::<Triangles>();
    let crossing = joined([torus.clone(), reversed(mapped(&torus, |[x, y, z]| [x + 0.5, z, y]))]);
    let affine = |rows| Pose::affine(rows, [0.5, -3.0, 7.0]).unwrap();
    let poses = [
        Pose::IDENTITY,
        Pose::rigid(rng.rotation(), [3.0, 1.0, -2.0]).unwrap(),
        affine([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.5], [0.0, 1.0, 2.0]]),
    ];
    let mut by_parity = torus.clone();
    by_parity.iter_mut().step_by(3).for_each(|t| t.reverse());
    assert_eq!(model(&by_parity).solid().status(), Closedness::ClosedByEvenOdd);
    let mut seen = std::collections::BTreeMap::new();
    let (leaning, other) = (tilted(&hollow), tilted(&overlapping));
    for triangles in [&hollow, &leaning, &overlapping, &other, &torus, &crossing, &by_parity] {
        let fresh = model(triangles);
        let (mut lo, mut hi) = ([f64::MAX; 3], [f64::MIN; 3]);
        for v in triangles.as_flattened() {
            (lo, hi) = ([0, 1, 2].map(|k| v[k].min(lo[k])), [0, 1, 2].map(|k| v[k].max(hi[k])));
        }
        let mut point = |i: usize| {
            let any = [0, 1, 2].map(|k| lo[k] + (hi[k] - lo[k]) * rng.between(-0.05, 1.05));
            let [a, b, c] = *rng.pick(triangles);
            let (u, v) = (rng.unit(), rng.unit() / 2.0);
            let on = [0, 1, 2].map(|k| a[k] + v * (b[k] - a[k]) + (1.0 - v) * u * (c[k] - a[k]) / 2.0);
            let off = (hi[0] - lo[0]) * [1e-2, 1e-4, 1e-9][i / 6 % 3];
            match i % 6 {
                0 | 1 => any,
                2 => a,
                3 => on,
                4 => on.map(|x| x + off * rng.between(-1.0, 1.0)),
                _ => [0, 1, 2].map(|k| lo[k] + (hi[k] - lo[k]) * (any[k] * 8.0).floor().abs() % 1.0),
            }
        };
        let own: Vec<Point> = (0..1500).map(&mut point).collect();
        for pose in &poses {
            let points: Vec<Point> = own.iter().map(|&point| pose.place(point)).collect();
            for inside in [FillRule::NonZero, FillRule::Positive, FillRule::EvenOdd] {
                let mut query = Query::new().fill_rule(inside);
                // Few points for each clone of the model: it has no cells.
                let mut want = Vec::new();
                for few in points.chunks(50) {
                    want.extend_from_slice(query.locate(&Body::new(&fresh.clone(), *pose), few));
                }
                let asked = fresh.clone();
                let body = Body::new(&asked, *pose);
                for &level in SimdLevel::ALL {
                    let mut query = Query::new().fill_rule(inside).simd(level);
                    assert_eq!(query.locate(&body, &points), want);
                }
                query.locate(&body, &points);
                let before = allocator::count();
                assert_eq!(query.locate(&body, &points), want);
                assert_eq!(allocator::count() - before, 0);
                want.iter().for_each(|location| *seen.entry(format!("{location:?}")).or_insert(0) += 1);
            }
        }
    }
    assert!(seen["Inside"] > 5000 && seen["Outside"] > 5000 && seen["OnSurface"] > 5000, "{seen:?}");
}
