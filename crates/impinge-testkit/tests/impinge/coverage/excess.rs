//! How far proxies reach beyond their parts, in closed form and by samples.
use impinge::{
    Body, Mesh, Model, Pose, Query,
    coverage::{ExcessOptions, Proxy},
};
use impinge_testkit::{meshes, rng::Rng};

fn unit_cube() -> Model {
    Model::new(Mesh::cuboid([1.0; 3]).unwrap())
}

fn assert_excess(part: &Model, proxy: &Proxy<'_>, exact: f64) {
    let part = Body::new(part, Pose::IDENTITY);
    let options = ExcessOptions::new();
    let found = Query::new().excess(&part, proxy, &options);
    let [lo, hi] = found.distance;
    assert!(lo <= exact * (1.0 + 1e-14) && exact * (1.0 - 1e-14) <= hi, "{exact}: {found:?}");
    assert!(hi <= lo * 1.01 + 1e-9, "{exact}: {found:?}");
    // The witness is in the proxy, and as far out.
    if let Some(at) = found.witness {
        let mut query = Query::new();
        let mut depths = Vec::new();
        query.point_depths(proxy, &[at], &mut depths);
        let far = query.closest_point(&part, at).unwrap();
        assert!(depths[0][0] <= (hi - lo) + 1e-9, "{depths:?}");
        assert!(far.hi >= lo, "{far:?} {found:?}");
    }
}

#[test]
fn excess_in_closed_form() {
    let cube = unit_cube();
    // A ball beside the cube, one around it, one inside.
    assert_excess(&cube, &Proxy::balls(&[[2.5, 0.0, 0.0, 0.25]]).unwrap(), 2.25);
    assert_excess(&cube, &Proxy::balls(&[[0.0, 0.0, 0.0, 1.0]]).unwrap(), 0.5);
    let inner = Query::new().excess(
        &Body::new(&cube, Pose::IDENTITY),
        &Proxy::balls(&[[0.1, 0.0, 0.0, 0.3]]).unwrap(),
        &ExcessOptions::new(),
    );
    assert_eq!(inner.distance, [0.0; 2]);
    // A capsule, a cylinder, and a hull with a radius.
    let segment = Model::segment([0.0; 3], [2.0, 0.0, 0.0]).unwrap();
    let capsule = Body::new(&segment, Pose::IDENTITY).rounded(0.25).unwrap();
    assert_excess(&cube, &Proxy::new().with(capsule), 1.75);
    // A rim of the cylinder is 1.5 - 0.5 and 1 - 0.5 out.
    let cylinder = Proxy::new().with_cylinder([[0.0; 3], [1.5, 0.0, 0.0]], 0.5).unwrap();
    assert_excess(&cube, &cylinder, 1.0);
    let wide = Proxy::new().with_cylinder([[0.0; 3], [1.5, 0.0, 0.0]], 1.0).unwrap();
    assert_excess(&cube, &wide, 1.25_f64.sqrt());
    let large = Model::new(Mesh::cuboid([2.0; 3]).unwrap());
    assert_excess(&cube, &Proxy::new().with(Body::new(&large, Pose::IDENTITY)), 0.75_f64.sqrt());
    let rounded = Body::new(&large, Pose::IDENTITY).rounded(0.25).unwrap();
    assert_excess(&cube, &Proxy::new().with(rounded), 0.75_f64.sqrt() + 0.25);
    // A cavity: the farthest point of the ball is in its middle.
    let outer = Mesh::cuboid([4.0; 3]).unwrap();
    let hollow = Mesh::cuboid([2.0; 3]).unwrap();
    let mut points = outer.points().to_vec();
    let mut triangles = outer.triangles().to_vec();
    let first = points.len() as u32;
    points.extend(hollow.points());
    triangles.extend(hollow.triangles().iter().map(|&[a, b, c]| [a + first, c + first, b + first]));
    let shell = Model::new(Mesh::new(points, triangles).unwrap());
    assert_excess(&shell, &Proxy::balls(&[[0.0, 0.0, 0.0, 0.5]]).unwrap(), 1.0);
    // Nothing.
    let none = Query::new().excess(&Body::new(&cube, Pose::IDENTITY), &Proxy::new(), &ExcessOptions::new());
    assert_eq!(none.distance, [0.0; 2]);
}

#[test]
fn volumes_in_closed_form() {
    let pi = std::f64::consts::PI;
    let assert_volume = |proxy: &Proxy<'_>, exact: f64, accuracy: f64| {
        let options = ExcessOptions::new().accuracy(accuracy).unwrap();
        let [lo, hi] = Query::new().proxy_volume(proxy, &options);
        assert!(lo <= exact && exact <= hi && hi - lo <= 1.01 * accuracy * exact, "{exact}: {lo} {hi}");
    };
    let ball = 4.0 / 3.0 * pi;
    assert_volume(&Proxy::balls(&[[0.0, 0.0, 0.0, 1.0]]).unwrap(), ball, 0.003);
    // Equal balls count once; two that overlap share a lens.
    assert_volume(&Proxy::balls(&[[0.0, 0.0, 0.0, 1.0]; 2]).unwrap(), ball, 0.02);
    let lens = pi * 5.0 / 12.0;
    let two = Proxy::balls(&[[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]]).unwrap();
    assert_volume(&two, 2.0 * ball - lens, 0.01);
    let cylinder = |a, b| Proxy::new().with_cylinder([a, b], 0.25).unwrap();
    assert_volume(&cylinder([0.0, 0.0, -1.0], [0.0, 0.0, 1.0]), pi / 8.0, 0.01);
    assert_volume(&cylinder([0.3, 0.2, -1.0], [1.3, 0.2, 0.0]), pi / 16.0 * 2.0_f64.sqrt(), 0.01);
    let segment = Model::segment([1.0, 1.0, 1.0], [1.0, 3.0, 1.0]).unwrap();
    let pose = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.5, [5.0, 0.0, 1.0]).unwrap();
    let capsule = Proxy::new().with(Body::new(&segment, pose).rounded(0.5).unwrap());
    assert_volume(&capsule, pi / 2.0 + ball / 8.0, 0.01);
    let large = Model::new(Mesh::cuboid([1.5, 1.0, 1.0]).unwrap());
    assert_volume(&Proxy::new().with(Body::new(&large, pose)), 1.5, 0.01);
    let padded = Proxy::new().with(Body::new(&large, pose).rounded(0.1).unwrap());
    // The box, its faces, its edges and its corners.
    let exact = 1.5 + 0.1 * 2.0 * 4.0 + pi * 0.01 * 3.5 + ball * 0.001;
    assert_volume(&padded, exact, 0.05);
    let torus = meshes::torus(48, 24, 0.25);
    let model = Model::new(torus);
    let [lo, hi] = model.winding_volume().unwrap();
    assert_volume(&Proxy::new().with(Body::new(&model, Pose::IDENTITY)), (lo + hi) / 2.0, 0.2);
    assert_volume(&Proxy::new(), 0.0, 0.01);
}

/// Random balls about random posed solids: no sample is farther out than the upper bound, and a descent from
/// many samples reaches the lower one.
#[test]
fn no_sample_is_beyond_the_excess() {
    let mut rng = Rng::new(577);
    for round in 0..30 {
        let model = Model::new(if round % 2 == 0 {
            meshes::icosphere(1)
        } else {
            Mesh::cuboid([1.0, 2.0, 0.5]).unwrap()
        });
        let pose = Pose::from_axis_angle(rng.direction(), rng.between(-3.0, 3.0), rng.point(1.0)).unwrap();
        let part = Body::new(&model, pose);
        let balls: Vec<[f64; 4]> = (0..1 + rng.below(5))
            .map(|_| {
                let [x, y, z] = rng.point(1.5);
                [x, y, z, rng.between(0.1, 1.0)]
            })
            .collect();
        let proxy = Proxy::balls(&balls).unwrap();
        let mut query = Query::new();
        let found = query.excess(&part, &proxy, &ExcessOptions::new());
        let [lo, hi] = found.distance;
        assert!(hi <= lo * 1.01 + 1e-6, "{found:?}");
        let mut most = 0.0_f64;
        for _ in 0..2000 {
            let &[x, y, z, r] = &balls[rng.below(balls.len() as u64) as usize];
            let (d, s) = (rng.direction(), r * rng.between(0.8, 1.0));
            let at = [x + s * d[0], y + s * d[1], z + s * d[2]];
            let inside = query.locate(&part, &[at])[0] == impinge::solid::Location::Inside;
            let far = if inside { 0.0 } else { query.closest_point(&part, at).unwrap().lo };
            most = most.max(far);
        }
        assert!(most <= hi, "{most} {found:?}");
        assert!(lo - most <= 0.15 * lo + 1e-3, "{most} {found:?}");
    }
}
