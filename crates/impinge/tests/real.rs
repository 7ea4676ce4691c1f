//! Real meshes: trees against brute force, and a whole house against the rational oracle.
mod common;

use common::pairs;
use impinge::{Body, BuildOptions, Kind, Model, Pose, Scratch, WorldBox, brute_force};
use impinge_io::Part;
use impinge_testkit::{oracle, rng::Rng};
use std::path::PathBuf;

/// The parts of one of the shared models, or a notice that it is not here.
fn parts(name: &str) -> Option<Vec<Part>> {
    let folder = std::env::var_os("IMPINGE_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let path = folder.join(name);
    if !path.exists() {
        eprintln!("SKIPPED: {} is not here (IMPINGE_DATA names the folder)", path.display());
        return None;
    }
    Some(impinge_io::read(&path).unwrap_or_else(|e| panic!("{e}")).parts)
}

#[test]
fn a_horse_and_itself_at_a_hundred_poses() {
    let Some(parts) = parts("m_horse.ply") else { return };
    let model = Model::new(parts[0].mesh.clone(), &BuildOptions::default());
    model.validate().unwrap();
    let (mut rng, mut scratch) = (Rng::new(100), Scratch::new());
    let (mut found, mut want, mut hits, mut total) = (Vec::new(), Vec::new(), 0, 0);
    for frame in 0..100 {
        let a = Body::new(&model, Pose::IDENTITY);
        let b = Body::new(&model, Pose::rigid(rng.rotation(), rng.point(0.06)).unwrap());
        impinge::intersecting_pairs(&a, &b, &mut scratch, &mut found);
        assert_eq!(impinge::intersects(&a, &b, &mut scratch).is_some(), !found.is_empty());
        if frame % 50 == 0 {
            brute_force::intersecting_pairs(&a, &b, &mut scratch, &mut want, &mut ());
            assert_eq!(found, want, "frame {frame}");
        }
        hits += u32::from(!found.is_empty());
        total += found.len();
    }
    println!("{hits} of 100 frames, {total} pairs; two frames equal brute force");
    assert!(hits > 40);
}

fn body(model: &Model) -> Body<'_> {
    Body::new(model, Pose::IDENTITY)
}

#[test]
fn every_pair_of_parts_as_brute_force_has_it() {
    for name in ["asm_as1_oc_214.obj", "brep_Motor_c.obj", "brep_Axis_of_bearing.obj"] {
        let Some(parts) = parts(name) else { continue };
        let all: Vec<[usize; 2]> =
            (0..parts.len()).flat_map(|i| (i + 1..parts.len()).map(move |j| [i, j])).collect();
        let models = |options: &BuildOptions| -> Vec<Model> {
            parts.iter().map(|p| Model::new(p.mesh.clone(), options)).collect()
        };
        let mut scratch = Scratch::new();
        let plain = models(&BuildOptions::default());
        let wants: Vec<Vec<[u32; 2]>> = all
            .iter()
            .map(|&[i, j]| {
                let mut want = Vec::new();
                let (a, b) = (body(&plain[i]), body(&plain[j]));
                brute_force::intersecting_pairs(&a, &b, &mut scratch, &mut want, &mut ());
                want
            })
            .collect();
        println!("{name}: {} pairs", wants.iter().map(Vec::len).sum::<usize>());
        for &kind in Kind::ALL {
            let options = BuildOptions { kind, ..BuildOptions::default() };
            let models = models(&options);
            for (&[i, j], want) in all.iter().zip(&wants) {
                let got = pairs(&body(&models[i]), &body(&models[j]));
                assert_eq!(&got, want, "{name}, {options:?}, parts {i} and {j}");
            }
            assert!(models.iter().all(|model| model.validate().is_ok()), "{name}, {options:?}");
        }
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
