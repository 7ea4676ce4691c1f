//! Compares the rasteriser with rays that share no code with it.
use super::{Lens, Sample};
use crate::pictures::vector::{add, cross, dot, scale, subtract, unit};
use impinge::Mesh;

const SIZE: [usize; 2] = [40, 30];

/// A lens that looks at the origin from this direction.
fn lens(back: [f64; 3], distance: f64, near: f64) -> Lens {
    let back = unit(back).unwrap();
    let right = unit([-back[1], back[0], 0.0]).unwrap();
    Lens {
        axes: [right, cross(back, right), back],
        distance,
        near,
        size: SIZE,
        scale: [40.0; 2],
        centre: [20.0, 15.0],
    }
}

/// Numbers from -1 to 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
    fn point(&mut self, size: f64) -> [f64; 3] {
        [0, 1, 2].map(|_| size * self.next())
    }
}

/// Point where the ray through a place of the picture meets a triangle: one over its distance from the eye's
/// plane, and how far it is inside, in the triangle's own coordinates.
fn ray(lens: &Lens, place: [f64; 2], [a, b, c]: [[f64; 3]; 3]) -> Option<(f64, f64)> {
    let [right, up, back] = lens.axes;
    let eye = scale(back, lens.distance);
    let x = (place[0] - lens.centre[0]) / lens.scale[0];
    let y = (lens.centre[1] - place[1]) / lens.scale[1];
    let direction = subtract(add(scale(right, x), scale(up, y)), back);
    let (ab, ac, from) = (subtract(b, a), subtract(c, a), subtract(eye, a));
    let p = cross(direction, ac);
    let determinant = dot(ab, p);
    let u = dot(from, p) / determinant;
    let q = cross(from, ab);
    let v = dot(direction, q) / determinant;
    let distance = dot(ac, q) / determinant;
    let inside = u.min(v).min(1.0 - u - v);
    (distance.is_finite() && distance >= lens.near).then_some((1.0 / distance, inside))
}

/// False for a sample near an edge in the picture. It may be on either side: corners are rounded to 1/256.
fn is_sure(lens: &Lens, place: [f64; 2], triangle: [[f64; 3]; 3]) -> bool {
    let around = [[0.02, 0.02], [-0.02, 0.02], [0.02, -0.02], [-0.02, -0.02]];
    let inside = |[x, y]: [f64; 2]| ray(lens, [place[0] + x, place[1] + y], triangle).map(|(_, i)| i >= 0.0);
    let all = around.map(inside);
    all.iter().all(|other| *other == all[0])
}

#[test]
fn samples_are_those_that_rays_hit() {
    let mut numbers = Numbers(7);
    let (mut sure, mut covered) = (0, 0);
    for round in 0..400 {
        // Also triangles around the eye, far outside of the picture, and cut by the nearest plane.
        let size = [0.5, 2.0, 8.0, 60.0][round % 4];
        let lens = lens(numbers.point(1.0), 3.0, if round % 3 == 0 { 3.0 } else { 0.06 });
        let triangle = [0, 1, 2].map(|_| numbers.point(size));
        let mut found = vec![0.0; SIZE[0] * SIZE[1]];
        let mut times = vec![0; found.len()];
        lens.draw(&triangle, &[[0, 1, 2]], &mut |_, Sample { index, nearness }| {
            found[index] = nearness;
            times[index] += 1;
        });
        for (i, &nearness) in found.iter().enumerate() {
            assert!(times[i] <= 1, "round {round}: sample {i} is covered {} times", times[i]);
            let place = [(i % SIZE[0]) as f64 + 0.5, (i / SIZE[0]) as f64 + 0.5];
            if !is_sure(&lens, place, triangle) {
                continue;
            }
            sure += 1;
            let expected = ray(&lens, place, triangle).filter(|(_, inside)| *inside >= 0.0);
            match expected {
                None => assert_eq!(nearness, 0.0, "round {round}: sample {i}"),
                Some((expected, _)) => {
                    covered += 1;
                    let error = (f64::from(nearness) - expected).abs() / expected;
                    // On steep triangles a 256th of a pixel is far.
                    let here = [[0.02, 0.0], [0.0, 0.02]].map(|[x, y]| {
                        let beside = ray(&lens, [place[0] + x, place[1] + y], triangle);
                        beside.map_or(0.0, |(beside, _)| (beside - expected).abs() / expected)
                    });
                    let allowed = 1e-5 + 2.0 * (here[0] + here[1]);
                    assert!(nearness > 0.0 && error < allowed, "round {round}: {i}: {nearness} {expected}");
                }
            }
        }
    }
    // The test would see nothing if all were in doubt, or nothing in the picture.
    assert!(sure > 300_000 && covered > 40_000, "{sure} {covered}");
}

/// A closed mesh has no holes and no doubled samples along its edges: winding numbers are exact.
#[test]
fn edges_are_drawn_once() {
    let mesh = Mesh::uv_sphere(0.9, 24, 40).unwrap();
    let mut numbers = Numbers(3);
    for round in 0..60 {
        // A section through the sphere; from outside; from within.
        let distance = [3.0, 3.0, 0.2][round % 3];
        let near = [3.0, 0.06, 0.004][round % 3];
        let lens = lens(numbers.point(1.0), distance, near);
        let mut winding = vec![0_i32; SIZE[0] * SIZE[1]];
        lens.draw(mesh.points(), mesh.triangles(), &mut |face, sample| {
            winding[sample.index] += i32::from(face.winding);
        });
        for (i, &winding) in winding.iter().enumerate() {
            let expected = match round % 3 {
                0 => {
                    // Whether the point of the section is inside of the sphere.
                    let [x, y] = [(i % SIZE[0]) as f64 + 0.5 - 20.0, 15.0 - (i / SIZE[0]) as f64 - 0.5];
                    let [right, up, _] = lens.axes;
                    let point = add(scale(right, 3.0 * x / 40.0), scale(up, 3.0 * y / 40.0));
                    match dot(point, point).sqrt() {
                        away if away < 0.88 => Some(1),
                        away if away > 0.9 => Some(0),
                        _ => None,
                    }
                }
                1 => Some(0),
                _ => Some(1),
            };
            assert!(expected.is_none_or(|expected| expected == winding), "{round}: {i}: {winding}");
        }
    }
}

/// A sphere covers the share of a picture that its disc has.
#[test]
fn a_sphere_covers_a_disc() {
    let mesh = Mesh::uv_sphere(0.6, 200, 400).unwrap();
    let mut lens = lens([1.0, 2.0, 0.5], 3.0, 0.06);
    (lens.size, lens.scale, lens.centre) = ([800, 600], [1000.0; 2], [400.0, 300.0]);
    let mut covered = vec![false; 800 * 600];
    lens.draw(mesh.points(), mesh.triangles(), &mut |_, sample| covered[sample.index] = true);
    let count = covered.iter().filter(|&&is| is).count() as f64;
    // The cone around the sphere: its tangent is r / sqrt(d^2 - r^2).
    let radius = 1000.0 * 0.6 / (9.0_f64 - 0.36).sqrt();
    let expected = std::f64::consts::PI * radius * radius;
    assert!((count / expected - 1.0).abs() < 1e-3, "{count} {expected}");
}

/// Whatever the coordinates, nothing panics and samples stay in the picture.
#[test]
fn extreme_coordinates() {
    let extremes =
        [0.0, 1e-300, -1e-12, 1.0, 3.0, -3.0, 1e9, -1e30, 1e300, f64::MAX, f64::INFINITY, f64::NAN];
    let points: Vec<[f64; 3]> = (0..extremes.len().pow(3))
        .map(|i| [i, i / extremes.len(), i / extremes.len().pow(2)].map(|k| extremes[k % extremes.len()]))
        .collect();
    let mut numbers = Numbers(11);
    let mut pick = || ((numbers.next() + 1.0) / 2.0 * points.len() as f64) as u32 % points.len() as u32;
    let triangles: Vec<[u32; 3]> = (0..20_000).map(|_| [pick(), pick(), pick()]).collect();
    for near in [0.06, 3.0] {
        let lens = lens([1.0, 0.3, 0.2], 3.0, near);
        lens.draw(&points, &triangles, &mut |_, sample| assert!(sample.index < SIZE[0] * SIZE[1]));
    }
}
