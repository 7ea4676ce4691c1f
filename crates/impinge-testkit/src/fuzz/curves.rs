//! Intersection curves of small meshes, of small integers or of any bits: against the reference, and by the
//! definition.
use super::{
    bytes::{Bytes, flattened, mesh},
    poses::any_pose,
};
use crate::curve_bounds::bounds_are_tight;
use impinge::{
    Body, Mesh, Model, Query, brute_force,
    curves::{Curves, Feature, Line},
};
use std::collections::BTreeSet;

type Pairs = BTreeSet<[u32; 2]>;

/// Checks that nothing panics, that the reference agrees, and that exchanged bodies have the same lines.
/// Checks that all features of a node meet, and that ends of segments are joined exactly where two of them
/// end.
///
/// # Panics
/// Panics if one of these fails.
pub fn curves(data: &[u8]) {
    let mut bytes = Bytes(data);
    let is_grid = bytes.below(2) == 0;
    let mut pose = || any_pose(&mut bytes, is_grid);
    let (Some(p), Some(q)) = (pose(), pose()) else { return };
    let coordinate = if is_grid { Bytes::grid } else { Bytes::chaos };
    let (Some(a), Some(b)) = (mesh(&mut bytes, coordinate), mesh(&mut bytes, coordinate)) else { return };
    // Integers of thousands of bits are slow.
    let most = if is_grid { 12 } else { 3 };
    let models = [a, b].map(|mesh| {
        let triangles = mesh.triangles().iter().take(most).copied().collect();
        let mesh = Mesh::new(mesh.points().to_vec(), triangles).expect("a part of a mesh");
        Model::new(flattened(&mesh, bytes.byte()))
    });
    let (x, y) = (Body::new(&models[0], p), Body::new(&models[1], q));
    let mut query = Query::new();
    let pairs: Pairs = query.pairs(&x, &y).iter().copied().collect();
    let found = query.curves(&x, &y).clone();
    assert_eq!(told(&found, false), told(&brute_force::curves(&x, &y), false));
    assert_eq!(told(&found, false), told(query.curves(&y, &x), true));
    let all = query.contact_pairs(&x, &y);
    assert_eq!(told(&found, false), told(query.curves_of_pairs(&all), false));
    assert_eq!(found.is_empty(), pairs.is_empty());
    nodes_lie_in_pairs(&found, [&x, &y].map(|body| body.model.mesh()), &pairs);
    ends_join(&found);
    bounds_are_tight(&found);
}

/// Text of the part of the result that does not depend on the order of the bodies. If coordinates exceed f64,
/// lengths are NaN, which differs from itself, but its text does not.
fn told(curves: &Curves, exchanged: bool) -> String {
    let turned = |[i, j]: [u32; 2]| if exchanged { [j, i] } else { [i, j] };
    let nodes = curves.nodes().iter().map(|node| {
        let [a, b] = node.features;
        // If a mesh meets itself, several features are valid.
        let features = if exchanged { [b, a] } else { [a, b] };
        (node.point, (!curves.self_crossing()).then_some(features))
    });
    let patches = curves.patches().map(|patch| {
        let pairs: BTreeSet<_> = patch.pairs().iter().map(|&pair| turned(pair)).collect();
        (pairs, patch.border().collect::<Vec<_>>())
    });
    let (nodes, patches): (Vec<_>, Vec<_>) = (nodes.collect(), patches.collect());
    let lines: Vec<_> = curves.lines().collect();
    format!("{nodes:?} {lines:?} {patches:?} {:?} {}", curves.points(), curves.self_crossing())
}

/// Checks that all triangles of one mesh with a node's feature meet all such triangles of the other.
fn nodes_lie_in_pairs(curves: &Curves, meshes: [&Mesh; 2], pairs: &Pairs) {
    for node in curves.nodes() {
        let [of_a, of_b] = [0, 1].map(|k| triangles_with(meshes[k], node.features[k]));
        assert!(!of_a.is_empty() && !of_b.is_empty(), "{node:?}");
        for i in of_a {
            assert!(of_b.iter().all(|&j| pairs.contains(&[i, j])), "{node:?} {i} {of_b:?}");
        }
    }
    for patch in curves.patches() {
        assert!(patch.pairs().iter().all(|pair| pairs.contains(pair)), "{:?}", patch.pairs());
    }
}

/// Triangles that have a feature, compared by the positions of corners, as equal points are one vertex.
fn triangles_with(mesh: &Mesh, feature: Feature) -> Vec<u32> {
    let place = |vertex: u32| mesh.points()[vertex as usize];
    let has = |t: u32, vertex: u32| mesh.corners(t).contains(&place(vertex));
    let all = 0..mesh.len() as u32;
    match feature {
        Feature::Triangle(t) => vec![t],
        Feature::Edge([v, w]) => all.filter(|&t| has(t, v) && has(t, w)).collect(),
        Feature::Vertex(v) => all.filter(|&t| has(t, v)).collect(),
    }
}

/// Checks lines: two segments end at their inner nodes, one or more than two at their ends; points have none.
fn ends_join(curves: &Curves) {
    let mut degrees = vec![0; curves.nodes().len()];
    for line in curves.lines() {
        for [i, j] in segments(&line) {
            assert_ne!(i, j);
            degrees[i as usize] += 1;
            degrees[j as usize] += 1;
        }
    }
    let degree = |i: &u32| degrees[*i as usize];
    for line in curves.lines() {
        assert!(line.nodes.len() >= if line.closed { 3 } else { 2 }, "{line:?}");
        let (first, rest) = line.nodes.split_first().expect("nodes");
        let (last, inner) = rest.split_last().expect("two of them");
        assert!(inner.iter().all(|i| degree(i) == 2), "{line:?}");
        assert!(if line.closed { degree(last) == 2 } else { degree(first) != 2 && degree(last) != 2 });
    }
    assert!(curves.points().iter().all(|i| degree(i) == 0), "{:?}", curves.points());
}

fn segments(line: &Line<'_>) -> Vec<[u32; 2]> {
    let closing = line.closed.then(|| [line.nodes[line.nodes.len() - 1], line.nodes[0]]);
    line.nodes.windows(2).map(|pair| [pair[0], pair[1]]).chain(closing).collect()
}
