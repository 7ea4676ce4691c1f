//! `impinge check`: other meshes of the same sets of points have the same relations and exit status.
use crate::common::{Folder, command};
use impinge::relation::RelationKind;
use impinge_testkit::{
    metamorphic::{Base, Variant, bodies::Triangles, write_obj},
    rng::Rng,
};
use serde_json::Value;

/// Pairs are this far from each other.
const APART: f64 = 64.0;

fn name(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Apart => "apart",
        RelationKind::Touch => "touch",
        RelationKind::Overlap => "overlap",
        RelationKind::Inside => "inside",
        RelationKind::Contains => "contains",
        RelationKind::Duplicate => "duplicate",
        RelationKind::Pierce => "pierce",
        RelationKind::SurfaceInside => "surface_inside",
        RelationKind::Meet => "meet",
    }
}

/// Runs `check`, and returns the relation of parts 2 k and 2 k + 1, and the exit status.
fn check(folder: &Folder, pairs: usize, text: &str) -> (Vec<String>, i32) {
    let file = folder.file("pairs.obj", text);
    let out =
        command(["check".as_ref(), file.as_os_str(), "--format".as_ref(), "json".as_ref()]).output().unwrap();
    let report: Value = serde_json::from_slice(&out.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}\n{text}", String::from_utf8_lossy(&out.stderr)));
    assert_eq!(report["parts"].as_array().unwrap().len(), 2 * pairs);
    let mut found = vec!["apart".to_owned(); pairs];
    for clash in report["clashes"].as_array().unwrap() {
        let [a, b] = ["a", "b"].map(|part| clash[part].as_u64().unwrap() as usize);
        assert_eq!((a % 2, b), (0, a + 1), "parts of two pairs: {clash}");
        clash["relation"].as_str().unwrap().clone_into(&mut found[a / 2]);
    }
    (found, out.status.code().unwrap())
}

fn counts(kind: &str) -> bool {
    !["apart", "touch"].contains(&kind)
}

/// Whether the whole variant is near the origin, with room for others beside it.
fn is_near(variant: &Variant) -> bool {
    let points = variant.bodies.iter().flat_map(|body| body.triangles.iter().flatten());
    variant.scale == 0 && points.into_iter().flatten().all(|x| x.abs() < APART / 4.0)
}

#[test]
fn check_depends_on_the_points_alone() {
    let (folder, mut rng) = (Folder::new(), Rng::new(5));
    let bases: Vec<Base> = (0..60).filter_map(|index| Base::new(47, index)).collect();
    for round in 0..4 {
        let (mut text, mut want) = (String::new(), Vec::new());
        let variants: Vec<Variant> = bases
            .iter()
            .map(|base| match round {
                0 => base.plain(),
                _ => (0..50).map(|_| base.variant(&mut rng)).find(is_near).unwrap_or_else(|| base.plain()),
            })
            .collect();
        for (k, (base, variant)) in bases.iter().zip(&variants).enumerate() {
            for (part, body) in ["a", "b"].into_iter().zip(&variant.bodies) {
                let moved: Triangles =
                    body.triangles.iter().map(|t| t.map(|[x, y, z]| [x + APART * k as f64, y, z])).collect();
                write_obj(&mut text, &format!("{part}{k}"), &moved);
            }
            want.push(name(base.want(variant).0));
        }
        let (found, exit) = check(&folder, bases.len(), &text);
        for (k, variant) in variants.iter().enumerate() {
            assert_eq!(found[k], want[k], "after {:?}:\n{}", variant.changes, variant.obj());
        }
        assert_eq!(exit, 1);
    }
}

/// One pair a file: whether anything counts.
#[test]
fn the_exit_status_depends_on_the_points_alone() {
    let (folder, mut rng) = (Folder::new(), Rng::new(6));
    for base in (0..24).filter_map(|index| Base::new(48, index)) {
        for variant in [base.plain(), base.variant(&mut rng)] {
            let (found, exit) = check(&folder, 1, &variant.obj());
            let want = name(base.want(&variant).0);
            let context = || format!("after {:?}:\n{}", variant.changes, variant.obj());
            assert_eq!((&*found[0], exit), (want, i32::from(counts(want))), "{}", context());
        }
    }
}
