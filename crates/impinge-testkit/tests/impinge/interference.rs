//! Interference depth of two solids: the greater of both ways of [`Query::farthest_distance`], or none.
use impinge::{
    Body, Mesh, Model, Pose, Query, brute_force,
    distance::Accuracy,
    farthest::{Farthest, SolidSide},
    penetration::{Penetration, PenetrationParts},
    relation::RelationKind,
    solid::FillRule,
};
use impinge_testkit::{cases::is_full, meshes, rng::Rng};

fn model(mesh: Mesh) -> Model {
    Model::new(mesh)
}

fn cuboid(sides: [f64; 3]) -> Mesh {
    Mesh::cuboid(sides).unwrap()
}

fn measured(a: &Body<'_>, b: &Body<'_>) -> Penetration {
    Query::new().penetration(a, b, &PenetrationParts::all())
}

/// The depth of two meshes at the identity.
fn depth(a: &Mesh, b: &Mesh) -> Option<[f64; 2]> {
    let (a, b) = (model(a.clone()), model(b.clone()));
    measured(&Body::new(&a, Pose::IDENTITY), &Body::new(&b, Pose::IDENTITY)).interference_depth
}

fn is_about(found: Option<[f64; 2]>, want: f64) -> bool {
    found.is_some_and(|[lo, hi]| lo <= want + 1e-9 && want - 1e-9 <= hi && hi - lo <= want / 1024.0 + 1e-9)
}

#[test]
fn fits_have_the_greater_depth_of_both_ways() {
    let block = cuboid([10.0; 3]);
    // A sheet through a block is half of the block deep, not half of the sheet.
    let sheet = cuboid([20.0, 20.0, 0.1]);
    assert!(is_about(depth(&sheet, &block), 4.95) && is_about(depth(&block, &sheet), 4.95));
    let above = |height: f64| meshes::translated(&cuboid([2.0; 3]), [0.0, 0.0, height]);
    assert!(is_about(depth(&above(5.75), &block), 0.25), "{:?}", depth(&above(5.75), &block));
    // Bodies that touch have a depth of 0, as have equal ones.
    assert_eq!(depth(&above(6.0), &block), Some([0.0; 2]));
    assert_eq!(depth(&block, &block), Some([0.0; 2]));
    // A part in the other one, whichever is first.
    assert!(is_about(depth(&above(0.0), &block), 4.0) && is_about(depth(&block, &above(0.0)), 4.0));
}

/// A prism over each ring, or the tube between two of them, from one height to another.
fn prism(rings: &[&[[f64; 2]]], heights: [f64; 2]) -> Mesh {
    let count = rings[0].len() as u32;
    let points = rings.iter().flat_map(|ring| heights.map(|z| ring.iter().map(move |&[x, y]| [x, y, z])));
    let mut faces = Vec::new();
    for i in 0..count {
        let j = (i + 1) % count;
        let mut quadrangle = |[p, q, r, s]: [u32; 4]| faces.extend([[p, q, r], [p, r, s]]);
        // Each ring has its lower points first, then its upper ones. The outer ring is the last.
        let outer = 2 * count * (rings.len() as u32 - 1);
        quadrangle([i, j, count + j, count + i].map(|v| outer + v));
        if rings.len() > 1 {
            quadrangle([j, i, count + i, count + j]);
            quadrangle([i, j, outer + j, outer + i]);
            quadrangle([count + j, count + i, outer + count + i, outer + count + j]);
        } else if i > 1 {
            faces.extend([[0, i, i - 1], [count, count + i - 1, count + i]]);
        }
    }
    Mesh::new(points.flatten().collect(), faces).unwrap()
}

/// Corners in files have some nine digits. Where one part's edge lies along two of the other part, flush faces
/// then overlap in slivers, and the search must not halve cells beside them until its limit.
#[test]
fn slivers_of_flush_faces_are_no_depth() {
    let rounded = |x: f64| format!("{x:.8e}").parse::<f64>().unwrap();
    let ring = |count: u32, radius: f64| -> Vec<[f64; 2]> {
        let angle = |i: u32| std::f64::consts::TAU * f64::from(i) / f64::from(count);
        (0..count).map(|i| [angle(i).cos(), angle(i).sin()].map(|x| rounded(radius * x))).collect()
    };
    let (pin, rim) = (ring(20, 13.0), ring(40, 18.0));
    // Each edge of the pin is two of the hole.
    let hole: Vec<[f64; 2]> = (0..40)
        .map(|i| {
            let (p, q) = (pin[i / 2], pin[i.div_ceil(2) % 20]);
            [0, 1].map(|k| rounded(0.5 * (p[k] + q[k])))
        })
        .collect();
    for (low, high) in [([0.0, 4.0], [1.0, 5.0]), ([0.0, 4.0], [1.0, 3.0]), ([1.0, 3.0], [0.0, 4.0])] {
        let found = depth(&prism(&[&pin], low), &prism(&[&hole, &rim], high));
        assert!(found.is_some_and(|[lo, hi]| 2e-9 < lo && hi < 3e-9), "{low:?} {high:?}: {found:?}");
    }
}

/// A distance from triangles is no depth if some of them are not on the border of their mesh's inside.
#[test]
fn other_triangles_leave_no_depth() {
    let (block, small) = (cuboid([10.0; 3]), meshes::translated(&cuboid([2.0; 3]), [5.0, 0.0, 0.0]));
    assert!(is_about(depth(&small, &block), 1.0));
    // Two shells that meet, a shell in a shell.
    let beside = meshes::translated(&cuboid([4.0; 3]), [3.0, 0.0, 0.0]);
    let within = cuboid([4.0; 3]);
    // A point in the middle, a sheet of two sides.
    let mut with_point = (block.points().to_vec(), block.triangles().to_vec());
    with_point.0.push([1.0; 3]);
    with_point.1.push([8; 3]);
    let mut with_sheet = (block.points().to_vec(), block.triangles().to_vec());
    with_sheet.0.extend([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    with_sheet.1.extend([[8, 9, 10], [8, 10, 9]]);
    let open = Mesh::new(block.points().to_vec(), block.triangles()[1..].to_vec()).unwrap();
    for (name, other) in [
        ("meet", meshes::merged(&[&block, &beside])),
        ("within", meshes::merged(&[&block, &within])),
        ("point", Mesh::new(with_point.0, with_point.1).unwrap()),
        ("sheet", Mesh::new(with_sheet.0, with_sheet.1).unwrap()),
        ("open", open),
    ] {
        assert_eq!((depth(&small, &other), depth(&other, &small)), (None, None), "{name}");
    }
    // A triangle without area that fills a T-junction is allowed. A cavity is allowed too.
    let (points, mut faces) = (block.points().to_vec(), block.triangles().to_vec());
    let [a, b, c] = faces.swap_remove(0);
    let middle = [0, 1, 2].map(|k| 0.5 * points[a as usize][k] + 0.5 * points[b as usize][k]);
    let points = [points, vec![middle]].concat();
    faces.extend([[a, 8, c], [8, b, c], [a, b, 8]]);
    let with_junction = Mesh::new(points, faces).unwrap();
    let inwards = within.triangles().iter().map(|&[p, q, r]| [p, r, q]).collect();
    let cavity = Mesh::new(within.points().to_vec(), inwards).unwrap();
    let hollow = meshes::merged(&[&block, &cavity]);
    for (name, other) in [("junction", with_junction), ("hollow", hollow)] {
        assert!(is_about(depth(&small, &other), 1.0), "{name}: {:?}", depth(&small, &other));
    }
}

/// Depths against the subdivision, which shares no code. No corner is deeper, no separating translation
/// shorter.
#[test]
fn depths_are_those_of_both_surfaces() {
    let mut rng = Rng::new(2026);
    let models: Vec<Model> = [
        cuboid([1.0, 1.4, 0.6]),
        Mesh::uv_sphere(0.8, 6, 9).unwrap(),
        meshes::torus(9, 6, 0.3),
        meshes::to_grid(&cuboid([1.0; 3]), 2),
    ]
    .into_iter()
    .map(model)
    .collect();
    let (mut query, mut deep) = (Query::new(), 0);
    for round in 0..if is_full() { 160 } else { 30 } {
        let [i, j] = [rng.below(4), rng.below(4)].map(|k| k as usize);
        let pose = match round % 4 {
            0 => Pose::from_translation([0.5, -0.5, 0.25].map(|x| x * rng.int(-2, 2) as f64)).unwrap(),
            _ => Pose::rigid(rng.rotation(), rng.point(0.7)).unwrap(),
        };
        let (a, b) = (Body::new(&models[i], pose), Body::new(&models[j], Pose::IDENTITY));
        let found = query.penetration(&a, &b, &PenetrationParts::all());
        let [lo, hi] = found.interference_depth.unwrap();
        let kind = query.relation(&a, &b).kind;
        assert!(0.0 <= lo && lo <= hi, "{round}: {lo} {hi}");
        if !matches!(kind, RelationKind::Apart | RelationKind::Touch | RelationKind::Duplicate) {
            let both = [(&a, &b), (&b, &a)].map(|(a, b)| {
                let asked = (SolidSide::Inside, FillRule::NonZero);
                brute_force::farthest_distance(a, b, asked, Accuracy::new().rel(0.06).unwrap())
            });
            let bounds = both.map(|one| one.point().map_or([0.0; 2], |at| [at.lo, at.hi]));
            let want = [bounds[0][0].max(bounds[1][0]), bounds[0][1].max(bounds[1][1])];
            assert!(lo <= want[1] + 1e-9 && want[0] <= hi + 1e-9, "{round}: {lo} {hi}, {want:?}");
            let ways = [(&a, &b), (&b, &a)].map(|(a, b)| {
                let found = query.with_accuracy(Accuracy::new().rel(0.01).unwrap()).farthest_distance(
                    a,
                    b,
                    SolidSide::Inside,
                );
                if let Farthest::At(at) = found { [at.lo, at.hi] } else { [0.0; 2] }
            });
            assert!(
                lo <= ways[0][1].max(ways[1][1]) && ways[0][0].max(ways[1][0]) <= hi,
                "{round}: {ways:?}"
            );
            deep += 1;
        }
        let translation = found.separating_translation.unwrap();
        let length = translation.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!(lo <= length * (1.0 + 1e-12), "{round}: {lo} and {length}");
        let corner = found.depth_at_least.map_or(0.0, |depth| depth.length);
        assert!(corner <= hi, "{round}: {corner} and {hi}");
    }
    assert!(deep > 10, "{deep}");
}
