//! Scenes of two meshes, and poses for them, shared by the tests.
#![allow(dead_code, missing_docs, unreachable_pub)]
use impinge::{Body, Mesh, Pose, Scratch};
use impinge_testkit::{meshes, rng::Rng};

/// All pairs, with the defaults.
pub fn pairs(a: &Body<'_>, b: &Body<'_>) -> Vec<[u32; 2]> {
    let mut found = Vec::new();
    impinge::intersecting_pairs(a, b, &mut Scratch::new(), &mut found);
    found
}

/// Pairs of meshes: smooth, bumpy, slivers, on the grid (exact contacts), far from the origin, tiny, of unlike size.
pub fn scenes() -> Vec<(&'static str, Mesh, Mesh)> {
    let scaled = |m: &Mesh, s: f64, t: f64| meshes::mapped(m, |v| v.map(|x| x * s + t));
    let (soup, sheet) = (meshes::soup(1, 120, 0.4), meshes::sheet(2, 12, 0.3));
    let torus = meshes::torus(16, 10, 0.3);
    vec![
        ("soup and sheet", soup.clone(), sheet.clone()),
        ("spheres", meshes::icosphere(2), meshes::uv_sphere(10, 14)),
        ("needles", meshes::needles(3, 150), meshes::needles(4, 150)),
        (
            "grid soups",
            meshes::to_grid(&meshes::soup(5, 150, 0.6), 6),
            meshes::to_grid(&meshes::soup(6, 150, 0.6), 6),
        ),
        ("grid sheet and torus", meshes::to_grid(&sheet, 8), meshes::to_grid(&torus, 8)),
        ("a grid mesh and itself", meshes::to_grid(&torus, 5), meshes::to_grid(&torus, 5)),
        // One ulp at 1e7 is 2e-9: coordinates of 1e7 with details of 1e-3.
        ("site coordinates", scaled(&soup, 1e-3, 1e7), scaled(&sheet, 1e-3, 1e7)),
        ("subnormal", scaled(&soup, 1e-310, 0.0), scaled(&torus, 1e-310, 0.0)),
        ("huge", scaled(&sheet, 1e300, 0.0), scaled(&torus, 1e300, 0.0)),
        ("a speck and a hall", scaled(&torus, 1e-6, 0.1), meshes::cuboid([1.0, 1.0, 0.1])),
    ]
}

/// Pairs of poses: the same one, exact ones, general ones, rounded to f32, with tiny and huge shifts, affine ones.
pub fn poses() -> Vec<(Pose, Pose)> {
    let mut rng = Rng::new(11);
    let unit = *Pose::IDENTITY.rows();
    let mut rigid = |reach: f64| Pose::rigid(rng.rotation(), rng.point(reach)).unwrap();
    let (r, s, far) = (rigid(0.3), rigid(0.2), rigid(1e9));
    let rounded = |p: &Pose| {
        Pose::rigid(p.rows().map(|row| row.map(|x| f64::from(x as f32))), *p.translation()).unwrap()
    };
    let shift = |t: [f64; 3]| Pose::rigid(unit, t).unwrap();
    let scale = Pose::affine([[2.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.3, -1.0]], [0.1, 0.0, 0.0]).unwrap();
    vec![
        (Pose::IDENTITY, Pose::IDENTITY),
        (r, r),
        (Pose::IDENTITY, shift([1.0, 0.0, 0.0])),
        (shift([0.5, -0.25, 0.125]), shift([0.25, 0.0, 0.0])),
        (Pose::IDENTITY, r),
        (r, s),
        (rounded(&r), rounded(&s)),
        (far, Pose::rigid(*s.rows(), far.translation().map(|x| x + 0.25)).unwrap()),
        (Pose::IDENTITY, shift([1e-320, 0.0, -5e-324])),
        (scale, r),
        (r, scale),
    ]
}
