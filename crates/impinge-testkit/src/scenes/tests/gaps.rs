//! Tests of frames at given distances.
use super::*;
use crate::scenes::{
    gaps::{ELSE, FACTORS, MARGINS, size, with_gaps},
    steps::{JUMP, NEAR, START, STEPS, TURNS, in_steps},
};
use impinge::{brute_force, distance::Margin};

/// Each frame is at its distance, and on the correct side of its margin.
#[test]
fn frames_are_as_far_apart_as_they_should_be() {
    // A disjoint scene, one mesh inside the other, and a scene that meets in some frames only.
    for name in ["knots-l1", "spheres-nested", "tumble-torus-1k"] {
        let scene = build(name, &QUICK).unwrap();
        let count = if name == "tumble-torus-1k" { 3 } else { 1 };
        let (spaced, told) = with_gaps(&scene, count).unwrap();
        let each = ELSE.len() + MARGINS.len() * FACTORS.len();
        assert_eq!((spaced.frames.len(), told.len()), (count * each, count * each));
        let (models, mut query) = (models(&spaced), Query::new());
        for (frame, told) in spaced.frames.iter().zip(&told) {
            assert_eq!(frame[0], scene.frames[told.from][0]);
            let [a, b] = [0, 1].map(|k| Body::new(&models[k], frame[k]));
            let [lo, hi] = told.gap;
            if let Some([margin, factor]) = told.margin {
                assert!(lo > 0.99 * margin * factor && hi < 1.01 * margin * factor, "{name} {told:?}");
                let margin = Margin::new(margin).unwrap();
                assert_eq!(query.within(&a, &b, margin), factor < 1.0, "{name} {told:?}");
            } else {
                let share = ELSE.iter().find(|one| one.0 == told.label).unwrap().1;
                assert!((hi / size(&scene) / share - 1.0).abs() < 0.01, "{name} {told:?}");
            }
            // A million pairs of triangles are slow, so only some frames are compared.
            if name == "tumble-torus-1k" && told.margin.is_none() {
                let found = brute_force::distance(&a, &b, impinge::distance::Accuracy::new()).unwrap();
                assert_eq!([found.lo, found.hi], told.gap, "{told:?}");
            }
        }
        let labels: HashSet<_> = told.iter().map(|one| &one.label).collect();
        assert_eq!(labels.len(), each, "{labels:?}");
    }
}

/// A mesh that cannot be moved gives an error, not an endless search.
#[test]
fn what_has_no_triangles_is_at_no_distance() {
    let mut scene = build("knots-l1", &QUICK).unwrap();
    scene.meshes[1] = Arc::new(Mesh::new(Vec::new(), Vec::new()).unwrap());
    assert!(matches!(with_gaps(&scene, 1), Err(Error::NoGap(_))));
}

/// Steps are small, runs begin with a jump, and all frames are near.
#[test]
fn frames_move_little_from_one_to_the_next() {
    let scene = build("knots-l1", &QUICK).unwrap();
    let (moving, told) = in_steps(&scene, 1).unwrap();
    assert_eq!((moving.frames.len(), told.len()), (2 * (STEPS + 1), 2 * (STEPS + 1)));
    let (wanted, mut started) = (NEAR * size(&scene), 0);
    for (k, (step, frame)) in told.iter().zip(&moving.frames).enumerate() {
        let (run, at) = (k / (STEPS + 1), k % (STEPS + 1));
        let [lo, hi] = step.spaced.gap;
        assert!(lo > 0.99 * wanted && hi < 1.01 * wanted, "{step:?}");
        assert_eq!(frame[0], scene.frames[step.spaced.from][0]);
        let starts = at == 0 || step.moved > JUMP * TURNS[run].0;
        assert_eq!(step.spaced.label, if starts { START } else { TURNS[run].1 });
        assert_eq!(step.moved == 0.0, at == 0);
        started += usize::from(starts);
    }
    assert!(started <= 4, "{started}");
}
