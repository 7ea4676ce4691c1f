//! Real meshes: the fast tree against brute force, and a whole house against the rational oracle.
use impinge::{Body, BuildOptions, Model, Pose, Query, WorldBox, brute_force, pairs};
use impinge_io::Part;
use impinge_testkit::{
    cases::{data, is_ci},
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
    // With brute force at every fiftieth: a billion pairs of triangles.
    let frames = if is_ci() { 100 } else { 50 };
    let model = Model::new(parts[0].mesh.clone(), &BuildOptions::default());
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
        let models: Vec<Model> =
            parts.iter().map(|p| Model::new(p.mesh.clone(), &BuildOptions::default())).collect();
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

/// 108,452 pairs: CGAL 5.5 counts the same. See ARCHITECTURE.md for why another program had 63 fewer.
#[test]
fn every_candidate_of_a_house_as_the_oracle_has_it() {
    let Some(parts) = parts("ifc_schependomlaan_root.obj") else { return };
    let models: Vec<Model> =
        parts.iter().map(|p| Model::new(p.mesh.clone(), &BuildOptions::default())).collect();
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
