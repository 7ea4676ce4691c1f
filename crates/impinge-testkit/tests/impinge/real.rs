//! Real meshes: the fast tree against brute force, and a whole house against the rational oracle.
use impinge::{
    Body, BuildOptions, Model, Pose, Quality, Query, Threads, brute_force, pairs, relation::RelationKind,
    world::WorldBox,
};
use impinge_io::Part;
use impinge_testkit::{
    cases::{data, is_full},
    oracle,
    rng::Rng,
};

/// The parts of one of the shared models, if it is here.
fn parts(name: &str) -> Option<Vec<Part>> {
    Some(impinge_io::read(&data(name)?).unwrap_or_else(|e| panic!("{e}")).parts)
}

#[test]
fn a_horse_and_itself_at_many_poses() {
    let Some(parts) = parts("m_horse.ply") else { return };
    // Brute force checks every fiftieth frame: a billion pairs of triangles.
    let frames = if is_full() { 100 } else { 50 };
    let model = Model::new(parts[0].mesh.clone());
    model.validate().unwrap();
    let (mut rng, mut query, mut first) = (Rng::new(100), Query::new(), Query::new());
    let (mut hits, mut total) = (0, 0);
    for frame in 0..frames {
        let a = Body::new(&model, Pose::IDENTITY);
        let b = Body::new(&model, Pose::rigid(rng.rotation(), rng.point(0.06)).unwrap());
        let found = query.pairs(&a, &b);
        assert_eq!(first.intersects(&a, &b), !found.is_empty());
        if frame % 50 == 0 {
            assert_eq!(found, brute_force::pairs(&a, &b), "frame {frame}");
        }
        hits += u32::from(!found.is_empty());
        total += found.len();
    }
    println!("{hits} of {frames} frames, {total} pairs");
    assert!(hits > frames * 2 / 5);
}

#[test]
fn every_pair_of_parts_as_brute_force_has_it() {
    for name in ["asm_as1_oc_214.obj", "brep_Motor_c.obj", "brep_Axis_of_bearing.obj"] {
        let Some(parts) = parts(name) else { continue };
        let models: Vec<Model> = parts.iter().map(|p| Model::new(p.mesh.clone())).collect();
        assert!(models.iter().all(|model| model.validate().is_ok()), "{name}");
        let (mut query, mut found) = (Query::new(), 0);
        for (i, a) in models.iter().enumerate() {
            for (j, b) in models.iter().enumerate().skip(i + 1) {
                let (a, b) = (Body::new(a, Pose::IDENTITY), Body::new(b, Pose::IDENTITY));
                let got = query.pairs(&a, &b);
                assert_eq!(got, brute_force::pairs(&a, &b), "{name}, parts {i} and {j}");
                found += got.len();
            }
        }
        println!("{name}: {found} pairs");
        assert!(found > 100, "{name}: {found}");
    }
}

/// A relation, whether surfaces meet, and the number of such pairs.
type Pin = (RelationKind, bool, usize);

/// Numbers of relations among the pairs of parts whose boxes meet. manifold3d 3.5.4 agrees on all 14,182
/// pairs of parts that are both closed two-manifolds: docs/solids.md.
#[test]
fn relations_of_assemblies() {
    let pins: [(&str, &[Pin]); 5] = [
        ("asm_as1_oc_214.obj", &[(RelationKind::Touch, true, 5), (RelationKind::Overlap, true, 26)]),
        (
            "brep_Motor_c.obj",
            &[
                (RelationKind::Apart, false, 16),
                (RelationKind::Touch, true, 9),
                (RelationKind::Overlap, true, 14),
                (RelationKind::Pierce, true, 3),
            ],
        ),
        (
            "asm_ReciprocatingSaw.obj",
            &[
                (RelationKind::Apart, false, 484),
                (RelationKind::Touch, true, 2),
                (RelationKind::Overlap, true, 74),
                (RelationKind::Pierce, true, 55),
                (RelationKind::Meet, true, 47),
            ],
        ),
        (
            "ifc_schependomlaan_root.obj",
            &[
                (RelationKind::Apart, false, 461),
                (RelationKind::Touch, true, 917),
                (RelationKind::Overlap, true, 299),
                (RelationKind::Duplicate, true, 107),
                (RelationKind::Pierce, true, 9),
            ],
        ),
        (
            "ifc_schependomlaan_contractors.obj",
            &[
                (RelationKind::Apart, false, 1083),
                (RelationKind::Touch, true, 5019),
                (RelationKind::Overlap, true, 5105),
                (RelationKind::Inside, true, 1250),
                (RelationKind::Inside, false, 34),
                (RelationKind::Contains, true, 72),
                (RelationKind::Contains, false, 102),
                (RelationKind::Duplicate, true, 12),
                (RelationKind::Pierce, true, 9),
                (RelationKind::SurfaceInside, false, 3),
            ],
        ),
    ];
    for (name, pinned) in pins {
        let Some(parts) = parts(name) else { continue };
        let options = BuildOptions::new().quality(Quality::OnDemand);
        let models: Vec<Model> =
            parts.iter().map(|p| Model::with_options(p.mesh.clone(), &options)).collect();
        let boxes: Vec<Option<WorldBox>> = parts.iter().map(|p| WorldBox::new(&p.mesh, &p.pose)).collect();
        let body = |i: usize| Body::new(&models[i], parts[i].pose);
        let near =
            |i: usize, j: usize| boxes[i].as_ref().zip(boxes[j].as_ref()).is_some_and(|(a, b)| a.meets(b));
        let pairs: Vec<[usize; 2]> = (0..parts.len())
            .flat_map(|i| (i + 1..parts.len()).map(move |j| [i, j]))
            .filter(|&[i, j]| near(i, j))
            .collect();
        let bodies: Vec<[Body<'_>; 2]> = pairs.iter().map(|pair| pair.map(body)).collect();
        let mut query = Query::new().threads(Threads::Pool);
        let relations = query.relation_each(&bodies);
        let mut rest = relations.len();
        for &(kind, touching, count) in pinned {
            let found = relations.iter().filter(|r| (r.kind, r.touching) == (kind, touching)).count();
            assert_eq!(found, count, "{name}: {kind:?}, touching {touching}");
            rest -= found;
        }
        assert_eq!(rest, 0, "{name}: {relations:?}");
    }
}

/// 108,452 pairs: CGAL 5.5 counts the same.
#[test]
fn every_candidate_of_a_house_as_the_oracle_has_it() {
    let Some(parts) = parts("ifc_schependomlaan_root.obj") else { return };
    let models: Vec<Model> = parts.iter().map(|p| Model::new(p.mesh.clone())).collect();
    let boxes: Vec<WorldBox> =
        parts.iter().map(|p| WorldBox::new(&p.mesh, &p.pose).expect("no part is empty")).collect();
    let (mut candidates, mut total) = (0, 0);
    for i in 0..models.len() {
        for j in i + 1..models.len() {
            if !boxes[i].meets(&boxes[j]) {
                continue;
            }
            let got = pairs(&Body::new(&models[i], Pose::IDENTITY), &Body::new(&models[j], Pose::IDENTITY));
            for x in 0..models[i].mesh().len() as u32 {
                let p = models[i].mesh().corners(x);
                for y in 0..models[j].mesh().len() as u32 {
                    let q = models[j].mesh().corners(y);
                    let apart = (0..3).any(|k| {
                        let (p, q) = (p.map(|v| v[k]), q.map(|v| v[k]));
                        p.iter().all(|a| q.iter().all(|b| a < b)) || p.iter().all(|a| q.iter().all(|b| a > b))
                    });
                    let meets = !apart && oracle::intersects(&p, &Pose::IDENTITY, &q, &Pose::IDENTITY);
                    assert_eq!(
                        got.binary_search(&[x, y]).is_ok(),
                        meets,
                        "parts {i}, {j}; triangles {x}, {y}"
                    );
                    candidates += u32::from(!apart);
                }
            }
            total += got.len();
        }
    }
    println!("{candidates} candidates, {total} pairs: all as the oracle has them");
    assert_eq!(total, 108_452);
}
