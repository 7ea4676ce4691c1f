//! Bodies that are tiny or huge beside each other or beside the gap between them.
use impinge::{
    Body, BuildOptions, Mesh, Model, Pose, Quality, Query, brute_force,
    distance::{Accuracy, Margin},
};
use impinge_testkit::{
    cases::{Setup, is_full, scales},
    meshes,
    ways::levels,
};

#[test]
fn queries_agree_with_a_reference_at_any_size() {
    let small = |options: BuildOptions| {
        levels().into_iter().map(move |level| Setup::wide(options.leaf_size(2), level))
    };
    let mut setups: Vec<Setup> = small(BuildOptions::default()).collect();
    setups.extend(small(BuildOptions::default().compact(true)).take(1));
    setups.extend(small(BuildOptions::default().quality(Quality::OnDemand)).take(1));
    let cases = std::env::var("IMPINGE_SCALES").ok().and_then(|n| n.parse().ok());
    scales::all_queries(&setups, cases.unwrap_or(if is_full() { 400 } else { 24 }));
}

/// CAD writes some 1e-17 for 0: a body of that size, 2,000 or more from a ball.
#[test]
fn a_tiny_body_is_as_near_as_it_is() {
    let ball = Model::new(Mesh::uv_sphere(300.0, 12, 16).unwrap());
    let noise = meshes::mapped(&meshes::soup(7, 6, 1.0), |v| v.map(|x| 6e-17 * x));
    let noise = Model::with_options(noise, &BuildOptions::default().leaf_size(1));
    for at in [[2_000.0, 150.0, 77.0], [0.0, -1e4, 3e3], [1e5, 0.0, 0.0]] {
        let (a, b) =
            (Body::new(&ball, Pose::from_translation(at).unwrap()), Body::new(&noise, Pose::IDENTITY));
        let length = at.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut query = Query::new();
        for [a, b] in [[&a, &b], [&b, &a]] {
            let gap = query.distance(a, b).unwrap();
            let want = brute_force::distance(a, b, Accuracy::new()).unwrap();
            assert!((gap.hi - (length - 300.0)).abs() < 20.0, "{gap:?} {length}");
            assert_eq!((gap.lo, gap.hi), (want.lo, want.hi));
            assert!(query.within(a, b, Margin::new(gap.hi).unwrap()));
            assert!(!query.within(a, b, Margin::new(gap.lo.next_down()).unwrap()));
        }
    }
}
