//! Points of rays, and the corners that are kept.
use super::*;
use crate::samples::rng::Rng;
use crate::{Body, Mesh, Model, Pose, brute_force};
use num_bigint::BigInt;

/// Integers decide one of the triangles at an apex, and the order of that one alone.
#[test]
fn a_corner_that_a_ray_runs_through_is_found_out_once() {
    let (mut rng, n) = (Rng::new(334), 400);
    let tip = [0.25, -0.5, 0.75];
    let mut points = vec![tip];
    for i in 0..n {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(n)).sin_cos();
        points.push([0, 1, 2].map(|k| tip[k] + [cos, sin, 1.0 + 0.5 * (3.0 * sin).sin()][k]));
    }
    let faces = (0..n).map(|i| [0, 1 + i, 1 + (i + 1) % n]).collect();
    let model = Model::new(Mesh::new(points, faces).unwrap());
    let turned = Pose::rigid(rng.rotation(), [1.0, 2.0, 3.0]).unwrap();
    let mut of_floats = 0;
    for pose in [Pose::IDENTITY, turned, Pose::from_translation([0.0, 0.0, -2.0]).unwrap()] {
        let (body, at) = (Body::new(&model, pose), pose.place(tip));
        for d in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [0.5, 0.25, 1.0], [1.0, -0.5, 0.125]] {
            let from = [0, 1, 2].map(|k| at[k] - 2.0 * d[k]);
            let ray = Ray::new(from, d).unwrap();
            let cast = Cast::new(&ray, &body, handedness(&body));
            let mut hits: Vec<RayHit> = (0..n).filter_map(|i| cast.hit(i)).collect();
            let own = |i: u32| model.mesh().corners(i);
            let by_floats = |i: &u32| {
                cast.known_corner(&own(*i)).is_some_and(|(k, _)| cast.at_known_corner(&own(*i), k).is_some())
            };
            of_floats += (0..n).filter(by_floats).count();
            cast.sort(&mut hits);
            assert_eq!(hits, brute_force::ray_all(&body, &ray), "{pose:?} {d:?}");
        }
    }
    // The turned apex is rounded: rays miss it.
    assert!(of_floats > 9 * 390, "{of_floats}");
}

/// x 2^1074, an integer.
fn integer(x: f64) -> BigInt {
    let exponent = x.to_bits() >> 52 & 2047;
    let digits = x.to_bits() & ((1 << 52) - 1) | u64::from(exponent > 0) << 52;
    let size = BigInt::from(digits) << (exponent.max(1) - 1);
    if x < 0.0 { -size } else { size }
}

/// No f64 number is nearer to the exact point.
#[test]
fn a_point_of_a_ray_is_rounded_once() {
    let mut rng = Rng::new(12);
    let mut rounded = 0;
    for _ in 0..5_000 {
        let [of_o, of_d, of_t] = [0; 3].map(|_| 2.0_f64.powi(rng.int(-40, 40) as i32));
        let (o, d) = (rng.point(of_o), rng.point(of_d));
        // Often nearly where a coordinate is 0.
        let t = if rng.one_in(3) { -o[1] / d[1] } else { of_t * rng.between(-1.0, 1.0) };
        let at = Ray::new(o, d).unwrap().until(1.0).unwrap().at(t);
        for k in 0..3 {
            let exact: BigInt = (integer(o[k]) << 1074) + integer(t) * integer(d[k]);
            let off = |x: f64| BigInt::magnitude(&((integer(x) << 1074) - &exact)).clone();
            let neighbours = [at[k].next_up(), at[k].next_down()];
            assert!(neighbours.iter().all(|x| off(at[k]) <= off(*x)), "{o:?} {d:?} {t}");
            rounded += usize::from(at[k] != o[k] + t * d[k]);
        }
    }
    assert!(rounded > 1_000, "two roundings must differ from one: {rounded}");
    let ray = Ray::new([1.0, 2.0, 3.0], [0.0, 0.0, 1e300]).unwrap();
    assert_eq!(ray.at(0.0), [1.0, 2.0, 3.0]);
    assert_eq!(ray.at(1e9), [1.0, 2.0, f64::INFINITY]);
    for t in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(ray.at(t).iter().all(|x| x.is_nan()));
    }
}
