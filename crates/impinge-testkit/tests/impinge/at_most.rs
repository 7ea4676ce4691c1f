//! Lists of pairs with a limit, against lists without one.
use impinge::{Body, BuildOptions, Mesh, Model, Pose, Quality, Query, Threads};
use impinge_testkit::{cases::pools, meshes};

#[test]
fn lists_have_all_pairs_or_none() {
    let copies = Mesh::new(vec![[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]], vec![[0, 1, 2]; 40]).unwrap();
    let shapes: [(&str, Mesh, Mesh); 4] = [
        ("spheres", meshes::icosphere(3), meshes::icosphere(3)),
        // So many triangles that a walk is divided.
        ("sheets", meshes::sheet(1, 120, 0.1), meshes::sheet(2, 120, 0.1)),
        ("copies", copies.clone(), copies),
        ("apart", meshes::icosphere(1), meshes::translated(&meshes::icosphere(1), [9.0, 0.0, 0.0])),
    ];
    let pools = pools();
    for (name, a, b) in shapes {
        for quality in [Quality::Fast, Quality::OnDemand] {
            let options = BuildOptions::new().quality(quality);
            let models = [a.clone(), b.clone()].map(|mesh| Model::new(mesh, &options));
            let pose = Pose::from_translation([0.1, 0.05, 0.0]).unwrap();
            let [a, b] = [Body::new(&models[0], Pose::IDENTITY), Body::new(&models[1], pose)];
            let want = Query::new().pairs(&a, &b).to_vec();
            let n = want.len();
            assert_eq!(n == 0, name == "apart");
            for most in [0, 1, 7, n / 2, n.saturating_sub(1), n, n + 1, usize::MAX] {
                let check = |query: &mut Query, context: &str| {
                    let mut pairs = vec![[9, 9]];
                    let found = query.pairs_at_most(&a, &b, most, &mut pairs);
                    let context = format!("{name}, {quality:?}, {most} of {n}, {context}");
                    assert_eq!((found.count, found.first), (n as u64, want.first().copied()), "{context}");
                    assert_eq!(pairs, if n <= most { &want[..] } else { &[] }, "{context}");
                    // A limit takes no more memory than its list.
                    assert!(n <= most || pairs.capacity() <= (2 * most).max(4), "{context}");
                };
                check(&mut Query::new(), "alone");
                for pool in &pools {
                    let mut query = Query::new().threads(Threads::Pool);
                    pool.install(|| check(&mut query, "first"));
                    // What an earlier query left in memory is not counted again.
                    pool.install(|| check(&mut query, "again"));
                    assert_eq!(pool.install(|| query.pairs(&a, &b).to_vec()), want, "{name}");
                }
            }
        }
    }
}
