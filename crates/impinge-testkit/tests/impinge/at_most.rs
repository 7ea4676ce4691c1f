//! Lists of pairs with a limit, against lists without one.
use impinge::{
    Body, BuildOptions, Mesh, Model, Pose, Quality, Query, Threads, distance::Margin, query::PairCount,
};
use impinge_testkit::{
    cases::{is_full, pools},
    meshes,
};

/// A query that takes a limit, and the list to fill.
type List<'a> = &'a (dyn Fn(&mut Query, usize, &mut Vec<[u32; 2]>) -> PairCount + Sync);

/// Checks lists with limits around the number of pairs, on one thread and on several.
fn check_limits(name: &str, want: &[[u32; 2]], list: List<'_>) {
    let n = want.len();
    for most in [0, 1, 7, n / 2, n.saturating_sub(1), n, n + 1, usize::MAX] {
        let check = |query: &mut Query, context: &str| {
            let mut pairs = vec![[9, 9]];
            let found = list(query, most, &mut pairs);
            let context = format!("{name}, {most} of {n}, {context}");
            assert_eq!((found.count, found.first), (n as u64, want.first().copied()), "{context}");
            assert_eq!(pairs, if n <= most { want } else { &[] }, "{context}");
            // A list takes no more memory than its limit needs.
            assert!(n <= most || pairs.capacity() <= (2 * most).max(4), "{context}");
        };
        check(&mut Query::new(), "alone");
        for pool in pools() {
            let mut query = Query::new().threads(Threads::Pool);
            pool.install(|| check(&mut query, "first"));
            // A query does not count again what an earlier one left in memory.
            pool.install(|| check(&mut query, "again"));
        }
    }
}

#[test]
fn lists_of_one_mesh_have_all_pairs_or_none() {
    let copies = Mesh::new(vec![[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]], vec![[0, 1, 2]; 40]).unwrap();
    let crossing = meshes::merged(&[&meshes::sheet(1, 120, 0.1), &meshes::sheet(2, 120, 0.1)]);
    let shapes = [
        ("copies", copies),
        ("sheets", crossing),
        ("soup", meshes::soup(1, 900, 1.0)),
        ("ball", meshes::icosphere(2)),
    ];
    for (name, mesh) in shapes {
        for quality in [Quality::Fast, Quality::OnDemand] {
            let model = Model::with_options(mesh.clone(), &BuildOptions::new().quality(quality));
            let want = Query::new().self_pairs(&model).to_vec();
            assert_eq!(want.is_empty(), name == "ball");
            check_limits(name, &want, &|query, most, pairs| query.self_pairs_at_most(&model, most, pairs));
        }
    }
}

#[test]
fn lists_of_what_is_near_have_all_pairs_or_none() {
    let copies = Mesh::new(vec![[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]], vec![[0, 1, 2]; 40]).unwrap();
    let sheets = [meshes::sheet(1, 120, 0.1), meshes::sheet(2, 120, 0.1)];
    let shapes = [("copies", [copies.clone(), copies]), ("sheets", sheets)];
    for (turn, (name, meshes)) in shapes.into_iter().enumerate() {
        let qualities = [Quality::Fast, Quality::OnDemand];
        for &quality in if is_full() { &qualities[..] } else { &qualities[turn..=turn] } {
            let options = BuildOptions::new().quality(quality);
            let [a, b] = meshes.each_ref().map(|mesh| Model::with_options(mesh.clone(), &options));
            let pose = Pose::from_translation([0.1, 0.05, 0.01]).unwrap();
            let (a, b) = (Body::new(&a, Pose::IDENTITY), Body::new(&b, pose));
            for margin in [0.0, 0.02] {
                let margin = Margin::new(margin).unwrap();
                let want = Query::new().pairs_within(&a, &b, margin).to_vec();
                assert_eq!(want.is_empty(), name == "copies" && margin == Margin::ZERO);
                let bodies = (&a, &b);
                check_limits(name, &want, &|query, most, pairs| {
                    query.pairs_within_at_most(bodies.0, bodies.1, margin, most, pairs)
                });
            }
        }
    }
}

#[test]
fn lists_have_all_pairs_or_none() {
    let copies = Mesh::new(vec![[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]], vec![[0, 1, 2]; 40]).unwrap();
    let shapes: [(&str, Mesh, Mesh); 4] = [
        ("spheres", meshes::icosphere(3), meshes::icosphere(3)),
        // Enough triangles for a traversal to be divided.
        ("sheets", meshes::sheet(1, 120, 0.1), meshes::sheet(2, 120, 0.1)),
        ("copies", copies.clone(), copies),
        ("apart", meshes::icosphere(1), meshes::translated(&meshes::icosphere(1), [9.0, 0.0, 0.0])),
    ];
    let pools = pools();
    for (name, a, b) in shapes {
        for quality in [Quality::Fast, Quality::OnDemand] {
            let options = BuildOptions::new().quality(quality);
            let models = [a.clone(), b.clone()].map(|mesh| Model::with_options(mesh, &options));
            let pose = Pose::from_translation([0.1, 0.05, 0.0]).unwrap();
            let [a, b] = [Body::new(&models[0], Pose::IDENTITY), Body::new(&models[1], pose)];
            let want = Query::new().pairs(&a, &b).to_vec();
            let n = want.len();
            assert_eq!(n == 0, name == "apart");
            let name = format!("{name}, {quality:?}");
            check_limits(&name, &want, &|query, most, pairs| query.pairs_at_most(&a, &b, most, pairs));
            for pool in &pools {
                let mut query = Query::new().threads(Threads::Pool);
                assert_eq!(pool.install(|| query.pairs(&a, &b).to_vec()), want, "{name}");
            }
        }
    }
}
