//! Intervals of lengths and areas: finite, and about as wide as the rounding of the nodes makes them.
use super::{cuboid, mesh, of};
use impinge::{Body, BuildOptions, Mesh, Model, Quality, Query, world::WorldBox};
use impinge_testkit::{cases, curve_bounds::bounds_are_tight, meshes, rng::Rng};

/// Two edges cross a plane at points whose coordinates round to the same numbers.
#[test]
fn two_nodes_may_round_to_one_point() {
    // Two edges of the fan meet in a corner just behind the plane: their nodes are closer than f64 resolves.
    let third = 1.0 / 3.0_f64;
    let tiny = 1e-18;
    let fan = mesh(
        &[[third, third, -tiny], [1.0, 0.4, 1.0], [0.9, 1.1, 1.3], [-1.0, 0.7, 1.1]],
        &[[0, 1, 2], [0, 2, 3], [0, 3, 1]],
    );
    let plane = mesh(&[[-5.0, -5.0, 0.0], [5.0, -5.0, 0.0], [0.0, 7.0, 0.0]], &[[0, 1, 2]]);
    let curves = of(&fan, &plane);
    let nodes = curves.nodes();
    assert_eq!(nodes.len(), 3);
    assert!(nodes.windows(2).any(|pair| pair[0].point == pair[1].point), "{nodes:?}");
    let [lo, hi] = curves.length();
    assert!((0.0..1e-15).contains(&lo) && 1e-19 < hi && hi < 1e-15, "{lo:e} {hi:e}");
    bounds_are_tight(&curves);
}

/// Bounds of fans and planes at sizes from 2^-480 to 2^480, in any direction. The plane is so close to the
/// fan's apex that nodes may round to one point.
#[test]
fn bounds_are_finite_at_every_size() {
    let mut rng = Rng::new(331);
    let (mut equal, mut found) = (0, 0);
    for case in 0..2000 {
        let size = 2.0_f64.powi(rng.int(-480, 480) as i32);
        let tip = 2.0_f64.powi(-rng.int(1, 90) as i32);
        let turn = rng.rotation();
        let mut point = |p: [f64; 3]| {
            let noise = rng.point(1e-3);
            [0, 1, 2].map(|k| turn[k].iter().zip(p).zip(noise).map(|((r, x), n)| r * (x + n * x)).sum())
        };
        let apex = point([0.3, 0.1, -0.2]);
        let fan = [apex, point([1.0, 0.4, 1.0]), point([0.9, 1.1, 1.3]), point([-1.0, 0.7, 1.1])];
        // A plane just above the apex.
        let away = point([0.0, 0.0, 1.0]).map(|x| x * tip);
        let plane = [point([-5.0, -5.0, 0.0]), point([5.0, -5.0, 0.0]), point([0.0, 7.0, 0.0])];
        let plane = plane.map(|p| [0, 1, 2].map(|k| apex[k] + away[k] + p[k]));
        let scaled = |p: &[[f64; 3]]| p.iter().map(|p| p.map(|x| x * size)).collect::<Vec<_>>();
        let fan = mesh(&scaled(&fan), &[[0, 1, 2], [0, 2, 3], [0, 3, 1]]);
        let plane = mesh(&scaled(&plane), &[[0, 1, 2]]);
        let curves = of(&fan, &plane);
        bounds_are_tight(&curves);
        found += usize::from(!curves.is_empty());
        equal += usize::from(curves.nodes().windows(2).any(|pair| pair[0].point == pair[1].point));
        assert!(curves.length()[1].is_finite(), "case {case}");
    }
    assert!(found > 1000 && equal > 40, "{found} {equal}");
}

/// Areas for which a product of two coordinates overflows or underflows.
#[test]
fn areas_are_finite_wherever_they_are_numbers() {
    for exponent in [-520, -400, 0, 400, 505] {
        let size = 2.0_f64.powi(exponent);
        let sized = |mesh: &Mesh| meshes::mapped(mesh, |v| v.map(|x| x * size));
        let (a, b) = (cuboid([0.0; 3], [4.0; 3]), cuboid([4.0, 1.0, 1.0], [6.0, 3.0, 7.0]));
        let curves = of(&sized(&a), &sized(&b));
        let want = 6.0 * size * size;
        let [lo, hi] = curves.area();
        assert!(lo <= want && want <= hi && hi - lo <= 1e-15 * want + 1e-307, "{exponent}: {lo:e} {hi:e}");
    }
    // Thin: long in one direction beyond the root of the largest number, and short in another.
    let size = 2.0_f64.powi(530);
    let thin = |z: f64| {
        mesh(
            &[[size, size, z], [2.0 * size, 2.0 * size, z], [2.0 * size, (2.0 * size).next_up(), z]],
            &[[0, 1, 2]],
        )
    };
    let curves = of(&thin(0.0), &thin(0.0));
    let want = size * ((2.0 * size).next_up() - 2.0 * size) / 2.0;
    let [lo, hi] = curves.area();
    assert!(lo <= want && want <= hi && hi < 100.0 * want, "{want:e} {lo:e} {hi:e}");
}

/// Every pair of parts of every assembly of ../shared/data.
#[test]
fn bounds_of_real_assemblies_are_finite() {
    let mut lines = 0;
    for name in [
        "asm_ReciprocatingSaw.obj",
        "asm_as1_oc_214.obj",
        "asm_voron_SKR_E3_V3_Din_Mount.obj",
        "brep_Axis_of_bearing.obj",
        "brep_Motor_c.obj",
        "ifc_schependomlaan_contractors.obj",
        "ifc_schependomlaan_root.obj",
        "robot_panda_collision.obj",
        "robot_ur5_robot.obj",
    ] {
        let Some(path) = cases::data(name) else { continue };
        let parts = impinge_io::read(&path).unwrap_or_else(|e| panic!("{e}")).parts;
        let options = BuildOptions::new().quality(Quality::OnDemand);
        let models: Vec<Model> =
            parts.iter().map(|p| Model::with_options(p.mesh.clone(), &options)).collect();
        let boxes: Vec<_> = parts.iter().map(|p| WorldBox::new(&p.mesh, &p.pose)).collect();
        let (mut query, mut clashes) = (Query::new(), 0);
        for i in 0..parts.len() {
            for j in i + 1..parts.len() {
                if !boxes[i].as_ref().zip(boxes[j].as_ref()).is_some_and(|(a, b)| a.meets(b)) {
                    continue;
                }
                let (a, b) = (Body::new(&models[i], parts[i].pose), Body::new(&models[j], parts[j].pose));
                let curves = query.curves(&a, &b);
                bounds_are_tight(curves);
                clashes += usize::from(!curves.is_empty());
                lines += curves.lines().len();
            }
        }
        println!("{name}: {clashes} pairs with curves");
    }
    println!("{lines} lines");
}
