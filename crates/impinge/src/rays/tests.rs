//! What is remembered of corners.
use super::*;
use crate::samples::rng::Rng;
use crate::{BuildOptions, Mesh, Model, brute_force};

/// Of the triangles at an apex integers decide one, and the order of none but that.
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
    let model = Model::new(Mesh::new(points, faces).unwrap(), &BuildOptions::default());
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
