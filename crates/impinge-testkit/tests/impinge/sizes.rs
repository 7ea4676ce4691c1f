//! Rays, points and regions at every size that f64 has: where products overflow, underflow or lose digits.
//!
//! The testkit's oracle decides each case in integers, at an ordinary size. A power of two for each axis
//! scales all of it, which changes no result. One more power of two scales directions and normals.
use crate::ray::check;
use impinge::{
    Body, HalfSpace, Mesh, Model, Pose, Query, SimdLevel, brute_force, rays::Ray, regions::InRegion,
    solid::Location,
};
use impinge_testkit::{oracle, rng::Rng};

type Point = [f64; 3];
type Triangle = [Point; 3];

/// x 2^e, which must be exact.
fn times(x: f64, e: i32) -> f64 {
    let half = |x: f64, e: i32| x * 2.0_f64.powi(e / 2) * 2.0_f64.powi(e - e / 2);
    let scaled = half(x, e);
    assert_eq!(half(scaled, -e), x, "{x:e} 2^{e} is not exact");
    scaled
}

fn at(v: &Point, e: &[i32; 3]) -> Point {
    [0, 1, 2].map(|k| times(v[k], e[k]))
}

/// Numbers of a case: integers below 2^12 in size, which survive where f64 is subnormal, or all 53 bits.
#[derive(Clone, Copy, PartialEq)]
enum Digits {
    Few,
    All,
}

/// Exponents of the scales: sizes whose squares or cubes are at the ends of f64 are likely.
fn exponents(rng: &mut Rng, digits: Digits) -> [i32; 3] {
    // Products of two numbers overflow from 2^512 on, of three from 2^341; with 12 bits each at less.
    let [least, most] = if digits == Digits::Few { [-1074, 1008] } else { [-960, 1008] };
    let mut one = || {
        let centre = *rng.pick(&[500, 504, 334, 1000, 256, 0, -340, -500, -530, -1060]);
        let e = if rng.one_in(3) { rng.int(-500, 500) as i32 } else { centre + rng.int(-12, 12) as i32 };
        e.clamp(least, most)
    };
    let all = [one(), one(), one()];
    if rng.one_in(8) { all } else { [if rng.one_in(3) { rng.int(494, 512) as i32 } else { all[0] }; 3] }
}

/// A power of two for directions, so that none leaves f64.
fn of_direction(rng: &mut Rng, e: &[i32; 3], digits: Digits) -> i32 {
    let least = if digits == Digits::Few { -1074 } else { -960 };
    let [lo, hi] = [least - e.iter().min().unwrap(), 1008 - e.iter().max().unwrap()];
    match rng.below(3) {
        0 => rng.int(lo.into(), hi.into()) as i32,
        _ => (rng.int(-40, 40) as i32).clamp(lo, hi),
    }
}

fn number(rng: &mut Rng, digits: Digits, half: i64) -> f64 {
    match digits {
        Digits::Few => 8.0 * rng.int(-half, half) as f64,
        Digits::All => rng.between(-8.0, 8.0) * half as f64,
    }
}

fn soup(rng: &mut Rng, digits: Digits, n: usize) -> Vec<Triangle> {
    let far = if rng.one_in(2) { 0.0 } else { number(rng, digits, 150) };
    let mut all: Vec<Triangle> = (0..n)
        .map(|_| {
            let size = *rng.pick(&[2, 20, 100]);
            let middle = [0; 3].map(|_| number(rng, digits, 40) + far);
            [0; 3].map(|_| middle.map(|x| x + number(rng, digits, size)))
        })
        .collect();
    // Some of them have a corner in common.
    (all[1][1], all[2][2]) = (all[0][0], all[0][0]);
    all
}

/// A point of a triangle: inside, on an edge or a corner.
fn inside(rng: &mut Rng, t: &Triangle) -> Point {
    let first = rng.int(0, 8);
    let second = rng.int(0, 8 - first);
    let weights = [first, second, 8 - first - second].map(|w| w as f64 / 8.0);
    [0, 1, 2].map(|k| weights[0] * t[0][k] + weights[1] * t[1][k] + weights[2] * t[2][k])
}

/// The mesh in its own frame, and the pose that places it. The pose has a part of the scale.
fn placed(rng: &mut Rng, triangles: &[Triangle], e: &[i32; 3], digits: Digits) -> (Model, Pose) {
    let least = if digits == Digits::Few { -1074 } else { -960 };
    let (mut own, mut by) = (*e, [0; 3]);
    if rng.one_in(2) {
        for k in 0..3 {
            by[k] = rng.int((e[k] - 1008).max(-1020).into(), (e[k] - least).min(1020).into()) as i32;
            own[k] = e[k] - by[k];
        }
    }
    // Axis k of the world is axis k + turn of the mesh.
    let turn = rng.below(3) as usize;
    let mut rows = [[0.0; 3]; 3];
    (0..3).for_each(|k| rows[k][(k + turn) % 3] = times(1.0, by[k]));
    let mut points = Vec::new();
    for v in triangles.iter().flatten() {
        let mut point = [0.0; 3];
        (0..3).for_each(|k| point[(k + turn) % 3] = times(v[k], own[k]));
        points.push(point);
    }
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let model = Model::new(Mesh::new(points, faces).unwrap());
    (model, Pose::affine(rows, [0.0; 3]).unwrap())
}

const DIGITS: [Digits; 2] = [Digits::Few, Digits::All];

#[test]
fn rays_meet_what_they_meet_at_any_size() {
    let (mut rng, mut met, mut missed, mut certain) = (Rng::new(330), 0, 0, 0);
    for round in 0..700 {
        let digits = DIGITS[round % 2];
        let (e, triangles) = (exponents(&mut rng, digits), soup(&mut rng, digits, 6));
        let (f, still) = (of_direction(&mut rng, &e, digits), Pose::IDENTITY);
        let (model, pose) = placed(&mut rng, &triangles, &e, digits);
        let body = Body::new(&model, pose);
        for i in 0..3 {
            let to = inside(&mut rng, &triangles[i]);
            let d = [0; 3].map(|_| number(&mut rng, digits, 4) / 8.0);
            let from = if rng.one_in(4) { to } else { [0, 1, 2].map(|k| to[k] - 3.0 * d[k]) };
            let end = *rng.pick(&[f64::INFINITY, 3.0, 3.0, 2.5, 100.0]);
            if d == [0.0; 3] {
                continue;
            }
            let along = e.map(|e| e + f);
            let until = if end < f64::INFINITY { times(end, (-f).clamp(-1000, 1000)) } else { end };
            if until < f64::INFINITY && f.abs() > 1000 {
                continue;
            }
            let ray = Ray::new(at(&from, &e), at(&d, &along)).unwrap().until(until).unwrap();
            let plain = Ray::new(from, d).unwrap().until(end).unwrap();
            let hits = brute_force::ray_all(&body, &ray);
            let context = format!("{round} {i}: {e:?} {f} {ray:?} {pose:?}");
            for (t, triangle) in triangles.iter().enumerate() {
                let hit = hits.iter().find(|hit| hit.triangle as usize == t);
                let meets = oracle::segment_meets(&from, &d, [0.0, end.min(1e9)], triangle, &still);
                assert_eq!(hit.is_some(), meets, "{context}: {t}");
                let Some(mut hit) = hit.copied() else { continue };
                met += 1;
                if f.abs() < 900 && hit.enter[0] > 1e-20 && hit.leave[1] < 1e20 {
                    for t in [&mut hit.enter, &mut hit.leave] {
                        *t = t.map(|t| times(t, f));
                    }
                    check(triangle, &still, &plain, Some(&hit));
                }
            }
            missed += triangles.len() - hits.len();
            if digits == Digits::Few && end >= 3.0 {
                certain += 1;
                assert!(hits.iter().any(|hit| hit.triangle as usize == i), "{context}: built to be met");
            }
            for &level in SimdLevel::ALL {
                let mut query = Query::new().simd(level);
                assert_eq!(query.ray_all(&body, &ray), hits, "{context} {level:?}");
                assert_eq!(query.ray_first(&body, &ray), hits.first().copied(), "{context} {level:?}");
                assert_eq!(query.ray_first_each(&body, &[ray; 2]), [hits.first().copied(); 2], "{context}");
            }
        }
    }
    assert!(met > 1000 && missed > 4000 && certain > 500, "{met} {missed} {certain}");
}

/// A tetrahedron with each face divided into 16 triangles.
fn tetrahedron(corners: &[Point; 4]) -> Vec<Triangle> {
    let mut triangles: Vec<Triangle> =
        [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map(|t| t.map(|i: usize| corners[i])).to_vec();
    let middle = |a: Point, b: Point| [0, 1, 2].map(|k| (a[k] + b[k]) / 2.0);
    for _ in 0..2 {
        let divided = |&[a, b, c]: &Triangle| {
            let [d, e, f] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
        };
        triangles = triangles.iter().flat_map(divided).collect();
    }
    triangles
}

/// Six times the volume, exact: coordinates are integers below 2^12.
fn volume([a, b, c, d]: [&Point; 4]) -> i64 {
    let [u, v, w] = [b, c, d].map(|p| [0, 1, 2].map(|k| (p[k] - a[k]) as i64));
    let minor = |i: usize, j: usize| u[i] * v[j] - u[j] * v[i];
    minor(1, 2) * w[0] + minor(2, 0) * w[1] + minor(0, 1) * w[2]
}

#[test]
fn points_lie_where_they_lie_at_any_size() {
    let (mut rng, mut seen) = (Rng::new(331), [0; 3]);
    for round in 0..120 {
        let e = exponents(&mut rng, Digits::Few);
        let corners = [0; 4].map(|_| [0; 3].map(|_| number(&mut rng, Digits::Few, 200)));
        let all = volume([&corners[0], &corners[1], &corners[2], &corners[3]]).signum();
        if all == 0 {
            continue;
        }
        let (model, pose) = placed(&mut rng, &tetrahedron(&corners), &e, Digits::Few);
        let body = Body::new(&model, pose);
        let points: Vec<Point> = (0..24)
            .map(|i| match i % 3 {
                0 => [0; 3].map(|_| number(&mut rng, Digits::Few, 200) / 8.0),
                1 => inside(&mut rng, &[corners[0], corners[1], corners[2]]),
                // Within, or next to it.
                _ => {
                    let on = inside(&mut rng, &[corners[1], corners[2], corners[3]]);
                    let way = rng.int(-1, 3) as f64;
                    [0, 1, 2].map(|k| on[k] + way * (corners[0][k] - on[k]) / 8.0).map(f64::round)
                }
            })
            .collect();
        let want: Vec<Location> = points
            .iter()
            .map(|p| {
                let sides = [0, 1, 2, 3].map(|i| {
                    let mut four = corners.each_ref();
                    four[i] = p;
                    volume(four).signum() * all
                });
                match sides.iter().min() {
                    Some(1) => Location::Inside,
                    Some(0) => Location::OnSurface,
                    _ => Location::Outside,
                }
            })
            .collect();
        want.iter().for_each(|location| seen[*location as usize % 3] += 1);
        let points: Vec<Point> = points.iter().map(|p| at(p, &e)).collect();
        for &level in SimdLevel::ALL {
            // The model may have cells by now.
            let found = Query::new().simd(level).locate(&body, &points).to_vec();
            assert_eq!(found, want, "{round}: {e:?} {corners:?} {pose:?} {level:?}");
        }
    }
    assert!(seen.iter().all(|&n| n > 200), "{seen:?}");
}

#[test]
fn regions_hold_what_they_hold_at_any_size() {
    let (mut rng, mut seen) = (Rng::new(332), [0; 2]);
    for round in 0..1000 {
        let digits = DIGITS[round % 2];
        let (e, triangles) = (exponents(&mut rng, digits), soup(&mut rng, digits, 6));
        let (model, pose) = placed(&mut rng, &triangles, &e, digits);
        let body = Body::new(&model, pose);
        // Normals n_k 2^(f - e_k) make n.x 2^f times as large. With few digits products are exact.
        let least = if digits == Digits::Few { -1040 } else { -880 };
        let [lo, hi] =
            [(least + e.iter().max().unwrap()).max(least), (960 + e.iter().min().unwrap()).min(960)];
        if lo > hi {
            continue;
        }
        let f = rng.int(lo.into(), hi.into()) as i32;
        let mut plain = Vec::new();
        for _ in 0..1 + rng.below(4) {
            let n = [0; 3].map(|_| number(&mut rng, digits, 4) / 8.0);
            if n == [0.0; 3] {
                continue;
            }
            let through = inside(&mut rng, &triangles[0]);
            plain.push((n, n[0] * through[0] + n[1] * through[1] + n[2] * through[2]));
        }
        let planes: Vec<HalfSpace> = plain
            .iter()
            .map(|(n, d)| HalfSpace::new(at(n, &e.map(|e| f - e)), times(*d, f)).unwrap())
            .collect();
        for which in [InRegion::Partly, InRegion::Wholly] {
            let all = which == InRegion::Wholly;
            let is_in = |i: &u32| oracle::is_in_region(&triangles[*i as usize], &Pose::IDENTITY, &plain, all);
            let want: Vec<u32> = (0..triangles.len() as u32).filter(is_in).collect();
            let context = format!("{round}: {e:?} {f} {plain:?} {pose:?}");
            assert_eq!(brute_force::triangles_in(&body, &planes, which), want, "{context}");
            for &level in SimdLevel::ALL {
                assert_eq!(Query::new().simd(level).triangles_in(&body, &planes, which), want, "{context}");
            }
            seen[0] += want.len();
            seen[1] += triangles.len() - want.len();
        }
    }
    assert!(seen.iter().all(|&n| n > 600), "{seen:?}");
}

/// Relations, pairs and contacts of two solids are those of ordinary sizes.
#[test]
fn solids_relate_as_they_do_at_ordinary_sizes() {
    let (mut rng, mut seen) = (Rng::new(333), std::collections::BTreeMap::new());
    for round in 0..40 {
        let e = exponents(&mut rng, Digits::Few);
        let outer = [0; 4].map(|_| [0; 3].map(|_| number(&mut rng, Digits::Few, 60)));
        let mut other = [0; 4].map(|_| [0; 3].map(|_| number(&mut rng, Digits::Few, 60)));
        match round % 4 {
            // In a face of the first, at an edge of it, or inside.
            0 => other = [0; 4].map(|_| inside(&mut rng, &[outer[0], outer[1], outer[2 + round / 4 % 2]])),
            1 => other[..2].copy_from_slice(&outer[..2]),
            2 => {
                let middle = [0, 1, 2].map(|k| outer.iter().map(|p| p[k]).sum::<f64>() / 4.0);
                other = outer.map(|p| [0, 1, 2].map(|k| ((p[k] + middle[k]) / 2.0).round()));
            }
            _ => {}
        }
        let [a, b] = [&outer, &other].map(tetrahedron);
        let pair = |e: [i32; 3]| {
            let still = |triangles: &[Triangle]| {
                let points: Vec<Point> = triangles.iter().flatten().map(|v| at(v, &e)).collect();
                let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
                Model::new(Mesh::new(points, faces).unwrap())
            };
            let (a, b) = (still(&a), still(&b));
            let [a, b] = [&a, &b].map(|model| Body::new(model, Pose::IDENTITY));
            let mut query = Query::new();
            (query.relation(&a, &b).kind, query.relation(&b, &a).kind, query.pairs(&a, &b).to_vec())
        };
        let want = pair([0; 3]);
        *seen.entry(format!("{:?}", want.0)).or_insert(0) += 1;
        assert_eq!(pair(e), want, "{round}: {e:?} {outer:?} {other:?}");
    }
    assert!(seen.len() > 3, "{seen:?}");
}
