//! Covers of a known depth.
use super::cover;
use impinge::{
    Body, Mesh, Model, Pose, Query,
    coverage::{CoverageOptions, Proxy},
    solid::FillRule,
};
use impinge_testkit::{cases::is_full, meshes, rng::Rng};
use std::time::Instant;

fn boxed(lo: [f64; 3], hi: [f64; 3]) -> Mesh {
    let cube = Mesh::cuboid([1.0; 3]).unwrap();
    meshes::mapped(&cube, |v| [0, 1, 2].map(|k| if v[k] > 0.0 { hi[k] } else { lo[k] }))
}

/// The depth is this, but for the accuracy.
fn assert_depth(found: impinge::coverage::Coverage, exact: f64) {
    let [lo, hi] = found.depth;
    assert!(lo <= exact * (1.0 + 1e-12) && exact * (1.0 - 1e-12) <= hi, "{found:?}, {exact}");
    assert!(hi - lo <= 1.1e-3 * exact, "{found:?}");
    assert_eq!(found.covered, Some(false));
}

#[test]
fn a_ball_in_a_ball() {
    let model = Model::new(meshes::icosphere(3));
    let most = model.mesh().points().iter().map(|v| v.iter().map(|x| x * x).sum::<f64>().sqrt());
    let most = most.fold(0.0, f64::max);
    let ball = |radius| Proxy::balls(&[[0.0, 0.0, 0.0, radius]]).unwrap();
    assert_eq!(cover(&model, &ball(most * (1.0 + 1e-15))).covered, Some(true));
    assert_depth(cover(&model, &ball(0.75)), most - 0.75);
    assert_eq!(cover(&model, &ball(most.next_down().next_down())).covered, Some(false));
}

/// A corner exactly on a sphere is in it; one unit in the last place further it is not.
#[test]
fn corners_exactly_on_spheres() {
    // 2^2 + 3^2 + 6^2 = 7^2.
    let model = Model::new(boxed([-2.0, -3.0, -6.0], [2.0, 3.0, 6.0]));
    let ball = |radius| Proxy::balls(&[[0.0, 0.0, 0.0, radius]]).unwrap();
    assert_eq!(cover(&model, &ball(7.0)).covered, Some(true));
    let found = cover(&model, &ball(7.0_f64.next_down()));
    assert_eq!(found.covered, Some(false));
    assert!(found.depth[1] < 1e-12, "{found:?}");
    let moved = |x: f64| Proxy::balls(&[[x, 0.0, 0.0, 7.0]]).unwrap();
    assert_eq!(cover(&model, &moved(1e-300)).covered, Some(false));
}

#[test]
fn a_prism_in_capsules_and_hulls() {
    let model = Model::new(boxed([-0.5, -0.5, -3.0], [0.5, 0.5, 3.0]));
    let segment = Model::segment([0.0, 0.0, -3.0], [0.0, 0.0, 3.0]).unwrap();
    let capsule = |radius| Proxy::new().with(Body::new(&segment, Pose::IDENTITY).rounded(radius).unwrap());
    let corner = 0.5_f64.sqrt();
    assert_eq!(cover(&model, &capsule(corner * (1.0 + 1e-15))).covered, Some(true));
    assert_depth(cover(&model, &capsule(0.5)), corner - 0.5);
    // The hull of its corners, and of all but one.
    let hull = |points: &[[f64; 3]]| Model::new(Mesh::hull(points).unwrap());
    let points = model.mesh().points().to_vec();
    let whole = hull(&points);
    assert_eq!(cover(&model, &Proxy::new().with(Body::new(&whole, Pose::IDENTITY))).covered, Some(true));
    let cut = hull(&points[1..]);
    let found = cover(&model, &Proxy::new().with(Body::new(&cut, Pose::IDENTITY)));
    // The distance of a corner from the plane through its three neighbours: 1 / sqrt(1 + 1 + 1 / 36).
    assert_depth(found, 1.0 / (2.0 + 1.0 / 36.0_f64).sqrt());
    let padded = Proxy::new().with(Body::new(&cut, Pose::IDENTITY).rounded(0.71).unwrap());
    assert_eq!(cover(&model, &padded).covered, Some(true));
}

/// Boxes of integers, and unions of boxes that cover them or lack a cell.
#[test]
fn boxes_in_unions_of_boxes() {
    let mut rng = Rng::new(301);
    let (mut covered, mut bare) = (0, 0);
    let rounds = if is_full() { 60 } else { 20 };
    for round in 0..rounds {
        let side = |rng: &mut Rng| 1 + rng.below(3) as i32;
        let size = [(); 3].map(|()| side(&mut rng));
        let part = Model::new(boxed([0.0; 3], size.map(f64::from)));
        let mut cells = Vec::new();
        for x in 0..size[0] {
            for y in 0..size[1] {
                for z in 0..size[2] {
                    cells.push([x, y, z]);
                }
            }
        }
        // A cell is lacking in every second round.
        let dropped = (round % 2 == 1).then(|| rng.below(cells.len() as u64) as usize);
        let is_kept = |i: &usize| Some(*i) != dropped;
        let kept: Vec<Model> = (0..cells.len())
            .filter(is_kept)
            .map(|i| Model::new(boxed(cells[i].map(f64::from), cells[i].map(|x| f64::from(x) + 1.0))))
            .collect();
        let proxy =
            kept.iter().fold(Proxy::new(), |proxy, model| proxy.with(Body::new(model, Pose::IDENTITY)));
        // Neighbours share faces, and the part's are flush with them.
        let found = cover(&part, &proxy);
        match dropped {
            None => {
                assert_eq!(found.covered, Some(true), "{size:?}: {found:?}");
                covered += 1;
            }
            Some(i) => {
                // A cell inside of the part shows nothing of its surface.
                let inner = (0..3).all(|k| 0 < cells[i][k] && cells[i][k] + 1 < size[k]);
                assert_eq!(
                    found.covered == Some(false),
                    !inner,
                    "{size:?} without {:?}: {found:?}",
                    cells[i]
                );
                bare += usize::from(!inner);
            }
        }
    }
    assert!(covered == rounds / 2 && bare > rounds / 3, "{covered} {bare}");
}

#[test]
fn a_seam_on_the_surface_is_undecided_and_ends() {
    // Two balls meet in a circle of radius 0.6 about the x axis, on which the plate's edge lies.
    let seam = 0.6;
    let plate = Model::new(boxed([-0.1, -seam, -0.001], [0.1, seam, 0.001]));
    let balls = |radius| Proxy::balls(&[[-0.8, 0.0, 0.0, radius], [0.8, 0.0, 0.0, radius]]).unwrap();
    let started = Instant::now();
    let found = cover(&plate, &balls(1.0));
    assert!(found.covered != Some(true) && found.depth[1] < 1e-3, "{found:?}");
    assert_eq!(cover(&plate, &balls(1.001)).covered, Some(true));
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    // A part that is one point on the seam: in both balls, or in none.
    let point = Model::points(&[[0.0, seam, 0.0]]).unwrap();
    let exact = Proxy::balls(&[[-0.8, 0.0, 0.0, 1.0], [0.8, 0.0, 0.0, 1.0]]).unwrap();
    assert!(cover(&point, &exact).covered.is_some());
}

#[test]
fn nothing_and_too_much() {
    let model = Model::new(meshes::icosphere(1));
    let found =
        Query::new().coverage(&Body::new(&model, Pose::IDENTITY), &Proxy::new(), &CoverageOptions::new());
    assert_eq!((found.covered, found.depth), (Some(false), [f64::INFINITY; 2]));
    let nothing = Model::new(Mesh::new(Vec::new(), Vec::new()).unwrap());
    assert_eq!(cover(&nothing, &Proxy::new()).covered, Some(true));
    assert_eq!(cover(&nothing, &Proxy::balls(&[[0.0, 0.0, 0.0, 1.0]]).unwrap()).covered, Some(true));
    // A body of no triangles covers nothing, beside one that does.
    let both = Proxy::balls(&[[0.0, 0.0, 0.0, 2.0]]).unwrap().with(Body::new(&nothing, Pose::IDENTITY));
    assert_eq!(cover(&model, &both).covered, Some(true));
    // Many equal elements.
    let many = Proxy::balls(&[[0.0, 0.0, 0.0, 0.9]; 1000]).unwrap();
    let found = cover(&model, &many);
    assert_depth(found, found.depth[0]);
    // The budget ends with bounds.
    let options = CoverageOptions::new().most_pieces(1);
    let two = Proxy::balls(&[[-0.5, 0.0, 0.0, 1.2], [0.5, 0.0, 0.0, 1.2]]).unwrap();
    let found = Query::new().coverage(&Body::new(&model, Pose::IDENTITY), &two, &options);
    assert!(found.covered != Some(true) && found.depth[1] > 0.0, "{found:?}");
    for wrong in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
        assert!(
            CoverageOptions::new().accuracy(wrong).is_err()
                && CoverageOptions::new().tolerance(wrong).is_err()
        );
    }
    assert!(Proxy::balls(&[[0.0, f64::NAN, 0.0, 1.0]]).unwrap_err().to_string().contains("ball 0"));
    assert!(Proxy::balls(&[[0.0, 0.0, 0.0, -1.0]]).is_err());
}

/// A hull counts with its inside only where the fill rule has one.
#[test]
fn the_fill_rule_decides_whether_a_hull_is_full() {
    let plate = Model::new(boxed([-1.0, -1.0, 0.0], [1.0, 1.0, 0.0]));
    let cube = boxed([-1.0; 3], [1.0; 3]);
    let inwards = cube.triangles().iter().map(|&[i, j, k]| [i, k, j]).collect();
    let inwards = Model::new(Mesh::new(cube.points().to_vec(), inwards).unwrap());
    let twice = cube.triangles().iter().chain(cube.triangles()).copied().collect();
    let twice = Model::new(Mesh::new(cube.points().to_vec(), twice).unwrap());
    for (model, rule, fills) in [
        (&inwards, FillRule::NonZero, true),
        (&inwards, FillRule::Positive, false),
        (&twice, FillRule::NonZero, true),
        (&twice, FillRule::EvenOdd, false),
    ] {
        let proxy = Proxy::new().with(Body::new(model, Pose::IDENTITY));
        let part = Body::new(&plate, Pose::IDENTITY);
        let found = Query::new().fill_rule(rule).coverage(&part, &proxy, &CoverageOptions::new());
        assert_eq!(found.covered, Some(fills), "{rule:?}: {found:?}");
        // The middle of the plate is 1 from the surface.
        assert!(fills || (found.depth[0] > 0.99 && found.depth[1] < 1.01), "{rule:?}: {found:?}");
    }
}

/// Meshes that are not convex: a torus in a thicker one, and in one that is too thin.
#[test]
fn solids_that_are_not_convex() {
    // Its ring is a little smaller, so that it touches nothing.
    let part = Model::new(meshes::mapped(&meshes::torus(24, 12, 0.3), |v| v.map(|x| 0.98 * x)));
    let thick = Model::new(meshes::torus(48, 24, 0.4));
    let thin = Model::new(meshes::torus(48, 24, 0.25));
    let in_body = |model| Proxy::new().with(Body::new(model, Pose::IDENTITY));
    assert_eq!(cover(&part, &in_body(&thick)).covered, Some(true));
    let found = cover(&part, &in_body(&thin));
    assert!(found.covered == Some(false) && (0.08..0.13).contains(&found.depth[0]), "{found:?}");
    let padded = Proxy::new().with(Body::new(&thin, Pose::IDENTITY).rounded(0.13).unwrap());
    assert_eq!(cover(&part, &padded).covered, Some(true));
    // An open mesh has no inside.
    let sheet = Model::new(meshes::sheet(7, 8, 0.1));
    assert_eq!(cover(&part, &in_body(&sheet)).covered, Some(false));
}

/// Faces that are flush are covered: a mesh covers itself at any pose, whatever its triangles, and boxes at
/// quarter turns share the faces of a part.
#[test]
fn flush_faces_are_covered() {
    let torus = meshes::torus(24, 12, 0.3);
    let open = Mesh::new(torus.points().to_vec(), torus.triangles()[1..].to_vec()).unwrap();
    let pose = Pose::from_axis_angle([1.0, 2.0, -1.0], 0.7, [0.3, 0.1, -5.0]).unwrap();
    for mesh in [torus, open, meshes::sheet(7, 8, 0.1)] {
        let (part, other) = (Model::new(mesh.clone()), Model::new(mesh));
        let proxy = Proxy::new().with(Body::new(&other, pose));
        let part = Body::new(&part, pose);
        let found = Query::new().coverage(&part, &proxy, &CoverageOptions::new());
        assert_eq!(found.covered, Some(true), "{found:?}");
    }
    // A box of 3 by 1 by 1 in three cubes, the first two turned by a quarter and mirrored. The seams are at
    // thirds of its edges, which are no numbers.
    let part = Model::new(boxed([0.0; 3], [3.0, 1.0, 1.0]));
    let cube = Model::new(boxed([0.0; 3], [1.0; 3]));
    let at = |rows, t| Body::new(&cube, Pose::affine(rows, t).unwrap());
    let turned = at([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [1.0, 0.0, 0.0]);
    let mirrored = at([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [2.0, 0.0, 0.0]);
    let last = |x| Body::new(&cube, Pose::from_translation([x, 0.0, 0.0]).unwrap());
    let proxy = |x| Proxy::new().with(turned).with(mirrored).with(last(x));
    assert_eq!(cover(&part, &proxy(2.0)).covered, Some(true));
    // A gap of one unit in the last place is no cover.
    let found = cover(&part, &proxy(2.0_f64.next_up()));
    assert!(found.covered != Some(true) && found.depth[1] < 1e-5, "{found:?}");
}

/// Cylinders, and a margin that each point has to be deep in one element.
#[test]
fn cylinders_and_margins() {
    let part = Model::new(Mesh::cuboid([2.0, 0.5, 0.5]).unwrap());
    let cylinder = |radius| Proxy::new().with_cylinder([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], radius).unwrap();
    let needed = 0.125_f64.sqrt();
    assert_depth(cover(&part, &cylinder(0.25)), needed - 0.25);
    let short = Proxy::new().with_cylinder([[-1.0, 0.0, 0.0], [0.9, 0.0, 0.0]], 0.5).unwrap();
    assert_depth(cover(&part, &short), 0.1);
    let long = |radius| Proxy::new().with_cylinder([[-1.5, 0.0, 0.0], [1.5, 0.0, 0.0]], radius).unwrap();
    assert_eq!(cover(&part, &long(needed + 1e-9)).covered, Some(true));
    let deep = |proxy: &Proxy<'_>, margin| {
        let options = CoverageOptions::new().margin(margin).unwrap();
        Query::new().coverage(&Body::new(&part, Pose::IDENTITY), proxy, &options)
    };
    assert_eq!(deep(&long(needed + 0.1), 0.1 - 1e-9).covered, Some(true));
    assert_depth(deep(&long(needed + 0.1), 0.25), 0.15);
    let ball = |radius| Proxy::balls(&[[0.0, 0.0, 0.0, radius]]).unwrap();
    assert_eq!(deep(&ball(1.25), 0.1).covered, Some(true));
    assert_depth(deep(&ball(1.1), 0.1), 1.125_f64.sqrt() - 1.0);
    // A point with a margin is a ball.
    let point = Model::points(&[[0.1, 0.0, 0.0]]).unwrap();
    let options = CoverageOptions::new().margin(0.4).unwrap();
    let found = Query::new().coverage(&Body::new(&point, Pose::IDENTITY), &ball(0.5000001), &options);
    assert_eq!(found.covered, Some(true));
    assert!(CoverageOptions::new().margin(-1.0).is_err());
    assert!(Proxy::new().with_cylinder([[0.0; 3], [f64::NAN; 3]], 1.0).is_err());
}
