//! Meshes of simple shapes: closed, outwards, and of the volume and area that formulas give.
use impinge::{ErrorKind, Mesh, Model, solid::Closedness};
use impinge_testkit::{
    rng::Rng,
    topology::{Topology, signed_volume_6},
};
use std::f64::consts::{PI, TAU};

fn area(mesh: &Mesh) -> f64 {
    let area = |i: u32| {
        let [a, b, c] = mesh.corners(i);
        let (e, f) = ([0, 1, 2].map(|k| b[k] - a[k]), [0, 1, 2].map(|k| c[k] - a[k]));
        let n = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
        0.5 * n.iter().map(|x| x * x).sum::<f64>().sqrt()
    };
    (0..mesh.len() as u32).map(area).sum()
}

/// Asserts that a mesh is one closed surface without holes, outwards, and has this volume and area.
fn check(name: &str, mesh: Mesh, [volume, surface]: [f64; 2]) {
    let topology = Topology::of(&mesh);
    assert!(topology.is_closed() && topology.pieces == 1 && topology.genus() == 0, "{name}: {topology:?}");
    assert!((0..mesh.len() as u32).all(|i| !mesh.is_degenerate(i)), "{name}");
    let found = [signed_volume_6(&mesh) / 6.0, area(&mesh)];
    for (found, want) in found.iter().zip([volume, surface]) {
        assert!((found / want - 1.0).abs() < 1e-12, "{name}: {found}, not {want}");
    }
    assert_eq!(Model::new(mesh).solid().status(), Closedness::Closed, "{name}");
}

/// A random size whose fourth power, an area's square, f64 holds.
fn size(rng: &mut Rng) -> f64 {
    2.0_f64.powf(rng.between(-200.0, 200.0))
}

#[test]
fn boxes_have_their_volume_and_exact_corners() {
    let mut rng = Rng::new(1);
    for case in 0..200 {
        let scale = size(&mut rng);
        let [x, y, z] = [0; 3].map(|_| scale * rng.between(0.1, 10.0));
        let mesh = Mesh::cuboid([x, y, z]).unwrap();
        let mut corners = mesh.points().to_vec();
        corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let at = |k: usize| [[-x, x][k >> 2] / 2.0, [-y, y][k >> 1 & 1] / 2.0, [-z, z][k & 1] / 2.0];
        assert_eq!(corners, (0..8).map(at).collect::<Vec<_>>());
        check(&format!("box {case}"), mesh, [x * y * z, 2.0 * (x * y + y * z + z * x)]);
    }
    for [least, most] in [[f64::from_bits(2), f64::MAX], [f64::MIN_POSITIVE, 1.0]] {
        assert_eq!(Mesh::cuboid([least, most, 1.0]).unwrap().points()[7], [least / 2.0, most / 2.0, 0.5]);
    }
}

/// Each band between two rings is a frustum of a pyramid over a regular polygon.
#[test]
fn spheres_have_the_volume_and_area_of_frustums() {
    let mut rng = Rng::new(2);
    let counts = |case: u32| [2 + case % 13, 3 + case * case % 29];
    for [rings, segments] in (0..100).map(counts).chain([[2, 2_000], [2_000, 3], [150, 300]]) {
        let r = size(&mut rng);
        let mesh = Mesh::uv_sphere(r, rings, segments).unwrap();
        let (n, half) = (f64::from(segments), PI / f64::from(segments));
        let ring = |i: u32| (PI * f64::from(i) / f64::from(rings)).sin_cos();
        let (mut volume, mut surface) = (0.0, 0.0);
        for i in 0..rings {
            let ((p, low), (q, high)) = (ring(i), ring(i + 1));
            let (height, step) = (low - high, (p - q) * half.cos());
            volume += n / 2.0 * (2.0 * half).sin() * height / 3.0 * (p * p + p * q + q * q);
            surface += n * half.sin() * (p + q) * (height * height + step * step).sqrt();
        }
        let name = format!("sphere {rings} {segments}");
        assert_eq!((mesh.points()[0], *mesh.points().last().unwrap()), ([0.0, 0.0, -r], [0.0, 0.0, r]));
        // No point is off the sphere by more than rounding, and no triangle by more than documented.
        let length = |p: [f64; 3]| (p.iter().map(|x| (x / r).powi(2)).sum::<f64>()).sqrt();
        assert!(mesh.points().iter().all(|p| (length(*p) - 1.0).abs() < 4e-16), "{name}");
        let off = 2.0 - (PI / f64::from(2 * rings)).cos() - half.cos();
        for i in 0..mesh.len() as u32 {
            let c = mesh.corners(i);
            let middle = [0, 1, 2].map(|k| c[0][k] / 3.0 + c[1][k] / 3.0 + c[2][k] / 3.0);
            assert!(length(middle) > 1.0 - off - 1e-15, "{name}");
        }
        assert_eq!(mesh.len(), (2 * (rings - 1) * segments) as usize, "{name}");
        check(&name, mesh, [volume * r.powi(3), surface * r * r]);
    }
}

#[test]
fn prisms_are_over_regular_polygons() {
    let mut rng = Rng::new(3);
    for sides in (3..60).chain([1_000, 4_099]) {
        let scale = size(&mut rng);
        let (r, h) = (scale * rng.between(0.1, 10.0), scale * rng.between(0.1, 10.0));
        let mesh = Mesh::prism(r, h, sides).unwrap();
        let (n, angle) = (f64::from(sides), TAU / f64::from(sides));
        assert!(mesh.points().iter().all(|p| p[2].abs() == h / 2.0));
        assert_eq!(mesh.len(), 4 * sides as usize);
        let base = n / 2.0 * angle.sin() * r * r;
        check(
            &format!("prism {sides}"),
            mesh,
            [base * h, 2.0 * base + 2.0 * n * r * (angle / 2.0).sin() * h],
        );
    }
}

/// The halves of a sphere, and a prism between them.
#[test]
fn capsules_are_spheres_with_a_prism_between_their_halves() {
    let mut rng = Rng::new(4);
    for case in 0..60 {
        let [rings, segments] = [1 + case % 7, 3 + case * case % 29];
        let scale = size(&mut rng);
        let (r, h) = (scale * rng.between(0.1, 10.0), scale * rng.between(0.1, 10.0));
        let (mesh, sphere) =
            (Mesh::capsule(r, h, rings, segments).unwrap(), Mesh::uv_sphere(r, 2 * rings, segments).unwrap());
        let name = format!("capsule {rings} {segments}");
        assert_eq!(mesh.len(), (4 * rings * segments) as usize, "{name}");
        assert_eq!(mesh.points().len(), (2 + 2 * rings * segments) as usize, "{name}");
        // Each point is one of the sphere, half of the height up or down.
        for p in mesh.points() {
            let z = if p[2] < 0.0 { p[2] + h / 2.0 } else { p[2] - h / 2.0 };
            let near = |q: &[f64; 3]| {
                q[0] == p[0] && q[1] == p[1] && (q[2] - z).abs() <= 4.0 * f64::EPSILON * (r + h)
            };
            assert!(sphere.points().iter().any(near), "{name}: {p:?}");
        }
        let (n, half) = (f64::from(segments), PI / f64::from(segments));
        let ring = |i: u32| (PI * f64::from(i) / f64::from(2 * rings)).sin_cos();
        let (mut volume, mut surface) = (0.0, 0.0);
        for i in 0..2 * rings {
            let ((p, low), (q, high)) = (ring(i), ring(i + 1));
            let (height, step) = (low - high, (p - q) * half.cos());
            volume += n / 2.0 * (2.0 * half).sin() * height / 3.0 * (p * p + p * q + q * q);
            surface += n * half.sin() * (p + q) * (height * height + step * step).sqrt();
        }
        volume = volume * r.powi(3) + n / 2.0 * (2.0 * half).sin() * r * r * h;
        surface = surface * r * r + 2.0 * n * r * half.sin() * h;
        check(&name, mesh, [volume, surface]);
    }
}

#[test]
fn what_is_no_shape_is_refused() {
    for bad in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for error in [
            Mesh::cuboid([1.0, bad, 1.0]),
            Mesh::uv_sphere(bad, 8, 8),
            Mesh::prism(bad, 1.0, 8),
            Mesh::prism(1.0, bad, 8),
            Mesh::capsule(bad, 1.0, 4, 8),
            Mesh::capsule(1.0, bad, 4, 8),
        ] {
            let error = error.unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::InvalidSize { .. }), "{error}");
            assert!(error.to_string().ends_with(&format!("is {bad}, which is not positive and finite")));
        }
    }
    // Its half would be rounded.
    let odd = f64::from_bits(3);
    for error in [Mesh::cuboid([1.0, 1.0, odd]), Mesh::prism(1.0, odd, 8)] {
        let error = error.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::InvalidSize { size, .. } if *size == odd), "{error}");
        assert!(error.to_string().contains("half"), "{error}");
    }
    for (error, numbers) in [
        (Mesh::uv_sphere(1.0, 1, 8), [1, 2]),
        (Mesh::uv_sphere(1.0, 0, 8), [0, 2]),
        (Mesh::capsule(1.0, 1.0, 0, 8), [0, 1]),
        (Mesh::capsule(1.0, 1.0, 4, 2), [2, 3]),
        (Mesh::uv_sphere(1.0, 8, 2), [2, 3]),
        (Mesh::prism(1.0, 1.0, 2), [2, 3]),
    ] {
        let error = error.unwrap_err();
        let found = match *error.kind() {
            ErrorKind::TooFew { found, least, .. } => Some([found, least]),
            _ => None,
        };
        assert_eq!(found, Some(numbers), "{error}");
    }
    // Nothing is allocated for them.
    for error in [
        Mesh::uv_sphere(1.0, u32::MAX, u32::MAX),
        Mesh::uv_sphere(1.0, 2, 1 << 27),
        Mesh::prism(1.0, 1.0, (1 << 25) + 1),
    ] {
        assert!(matches!(error.unwrap_err().kind(), ErrorKind::TooMany { .. }));
    }
}
