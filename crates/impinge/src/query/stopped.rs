//! Tests of queries of solids and of curves that are stopped at any read of their flag.
use crate::samples::{meshes, rng::Rng};
use crate::{
    Body, Mesh, Model, Pose, Query,
    curves::Curves,
    penetration::{Penetration, PenetrationParts},
    stop::looks::counted,
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// A mesh of boxes on a grid, which cross, touch and share parts of faces.
fn boxes(seed: u64, count: usize) -> Mesh {
    let mut rng = Rng::new(seed);
    let one = meshes::cuboid([0.5; 3]);
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let lo = [(); 3].map(|()| rng.int(0, 4) as f64);
        let size = [(); 3].map(|()| rng.int(1, 4) as f64);
        let first = points.len() as u32;
        points.extend(one.points().iter().map(|p| [0, 1, 2].map(|k| lo[k] + (p[k] + 0.5) * size[k])));
        triangles.extend(one.triangles().iter().map(|t| t.map(|v| first + v)));
    }
    Mesh::new(points, triangles).unwrap()
}

/// Pairs of bodies that overlap: spheres, boxes that cross each other inside a large box, and pairs of boxes.
fn scenes() -> Vec<(&'static str, [Mesh; 2], Pose)> {
    let sphere = || meshes::icosphere(2);
    let near = |t: [f64; 3]| Pose::from_translation(t).unwrap();
    let turned = Pose::rigid(Rng::new(5).rotation(), [0.3, 0.2, 0.1]).unwrap();
    let large = meshes::cuboid([9.0; 3]);
    vec![
        ("spheres", [sphere(), sphere()], near([0.5, 0.25, 0.0])),
        ("turned spheres", [sphere(), sphere()], turned),
        ("boxes in a box", [boxes(2, 6), large], near([1.0, 0.0, 0.0])),
        ("boxes", [boxes(1, 4), boxes(3, 4)], Pose::IDENTITY),
        ("moved boxes", [boxes(1, 3), boxes(4, 3)], near([0.5, 0.0, 0.0])),
    ]
}

#[derive(Clone, Debug, PartialEq)]
enum Verdict {
    Penetration(Penetration),
    Curves(Box<Curves>),
}

impl Verdict {
    /// The result that a stopped query leaves behind.
    fn nothing(&self) -> Self {
        match self {
            Self::Penetration(_) => Self::Penetration(Penetration::default()),
            Self::Curves(_) => Self::Curves(Box::new(Curves::new())),
        }
    }
}

type Verb = fn(&mut Query, [&Body<'_>; 2]) -> Verdict;

const VERBS: [(&str, Verb); 3] = [
    ("penetration", |query, [a, b]| Verdict::Penetration(query.penetration(a, b, &PenetrationParts::all()))),
    ("volume", |query, [a, b]| {
        Verdict::Penetration(query.penetration(a, b, &PenetrationParts::new().overlap_volume(true)))
    }),
    ("curves", |query, [a, b]| Verdict::Curves(Box::new(query.curves(a, b).clone()))),
];

fn models(meshes: &[Mesh; 2]) -> [Model; 2] {
    meshes.each_ref().map(|mesh| Model::new(mesh.clone()))
}

/// Sets the flag at any read of it: the query ends after a few more reads, returns the stop and an empty
/// result, and leaves the models and itself intact.
#[test]
fn a_query_that_is_stopped_at_any_look_has_no_result() {
    let (mut stops, mut empty) = (0, Vec::new());
    for (scene, meshes, pose) in scenes() {
        for (verb, ask) in VERBS {
            let unset = Arc::new(AtomicBool::new(false));
            let asked = |most: u64, flag: &Arc<AtomicBool>, models: &[Model; 2], query: &mut Query| {
                let bodies = [Body::new(&models[0], Pose::IDENTITY), Body::new(&models[1], pose)];
                let mut inner = None;
                let (outer, looks) = counted(most, || {
                    query.with_stop(flag, |query| inner = Some(ask(query, bodies.each_ref())))
                });
                (outer.is_ok(), inner.unwrap(), looks)
            };
            let (is_whole, want, all) = asked(u64::MAX, &unset, &models(&meshes), &mut Query::new());
            assert!(is_whole, "{scene}, {verb}");
            if want == want.nothing() {
                empty.push((scene, verb));
                continue;
            }
            let step = (all / 40).max(1);
            for most in (0..all).filter(|most| most % step == 0 || *most < 8 || all - most < 8) {
                let context = format!("{scene}, {verb}: after {most} of {all} looks");
                let (models, mut query) = (models(&meshes), Query::new());
                let flag = Arc::new(AtomicBool::new(false));
                let (is_whole, found, looks) = asked(most, &flag, &models, &mut query);
                assert!(!is_whole && found == want.nothing(), "{context}: {found:?}");
                assert!(looks <= most + 12, "{context}: {looks}");
                flag.store(false, Ordering::Relaxed);
                assert_eq!(asked(u64::MAX, &unset, &models, &mut query).1, want, "{context}");
                stops += 1;
            }
        }
    }
    assert!(stops > 700, "{stops}");
    // These surfaces do not meet.
    assert_eq!(empty, [("boxes in a box", "curves")]);
}

/// Each loop over pairs reads the flag at least once a pair. The `*_of_pairs` queries have no search for
/// pairs, which would read it, too.
#[test]
fn looks_are_as_many_as_pairs() {
    for (scene, meshes, pose) in scenes() {
        let models = models(&meshes);
        let [a, b] = [Body::new(&models[0], Pose::IDENTITY), Body::new(&models[1], pose)];
        let (mut query, flag) = (Query::new(), Arc::new(AtomicBool::new(false)));
        let pairs = query.contact_pairs(&a, &b);
        let count = pairs.as_slice().len() as u64;
        if count == 0 {
            continue;
        }
        // Computes everything that models keep.
        query.relation_of_pairs(&pairs);
        query.curves_of_pairs(&pairs);
        let all = PenetrationParts::all();
        query.penetration_of_pairs(&pairs, &all);
        let mut looks = |ask: &mut dyn FnMut(&mut Query)| counted(u64::MAX, || query.with_stop(&flag, ask)).1;
        let penetration = looks(&mut |query| {
            query.penetration_of_pairs(&pairs, &all);
        });
        let curves = looks(&mut |query| {
            query.curves_of_pairs(&pairs);
        });
        // Penetration reads it for each pair and each point; curves for cells, nodes and segments of a pair.
        let points: u64 = [&a, &b].map(|body| body.model.mesh().points().len() as u64).iter().sum();
        assert!(penetration >= count + points && curves >= 3 * count, "{scene}: {penetration} {curves}");
    }
}
