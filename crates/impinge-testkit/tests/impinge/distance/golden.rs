//! Distances of fixed bodies as one hash, equal for all instruction sets and trees.
use crate::golden::Hash;
use impinge::{
    Body, BuildOptions, Model, Pose, Quality, Query,
    distance::{Accuracy, DistanceBounds, Margin},
};
use impinge_testkit::{meshes, rng::Rng, ways::levels};

#[test]
fn distances_are_the_same_everywhere() {
    let shapes = [
        meshes::uv_sphere(12, 16),
        meshes::torus(16, 10, 0.3),
        meshes::soup(3, 200, 0.3),
        meshes::needles(4, 120),
        meshes::sheet(5, 12, 0.2),
        meshes::to_grid(&meshes::torus(12, 9, 0.3), 8),
    ];
    let mut hashes = Vec::new();
    for quality in [Quality::Fast, Quality::High] {
        let options = BuildOptions::new().quality(quality);
        let models = shapes.each_ref().map(|mesh| Model::with_options(mesh.clone(), &options));
        for simd in levels() {
            let mut query = Query::new().simd(simd);
            let (mut hash, mut apart) = (Hash::new(), 0);
            for index in 0..300 {
                let mut rng = Rng::for_case(57, index);
                let [a, b] = [(); 2].map(|()| &models[rng.below(6) as usize]);
                let reach = [0.5, 2.0, 5.0][index as usize % 3];
                let [p, q] = [(); 2].map(|()| {
                    // Numbers that need no function of the system. Some poses are rigid, most are not.
                    let rows = [(); 3].map(|()| rng.grid_point(4).map(|x| x / 4.0));
                    let rows = if rng.one_in(3) { *Pose::IDENTITY.rows() } else { rows };
                    Pose::affine(rows, rng.point(reach)).ok()
                });
                let (Some(p), Some(q)) = (p, q) else { continue };
                let (a, b) = (Body::new(a, p), Body::new(b, q));
                let stop = [
                    Accuracy::new(),
                    Accuracy::new().exact(),
                    Accuracy::new().above(Margin::new(0.4).unwrap()),
                ];
                let gap = query.with_accuracy(stop[index as usize / 3 % 3]).distance(&a, &b);
                hash.word(gap.is_some().into());
                let Some(DistanceBounds { lo, hi, triangles, points, .. }) = gap else { continue };
                hash.word(lo.to_bits());
                hash.word(hi.to_bits());
                // If they meet, the result names any triangles that do.
                if hi > 0.0 {
                    apart += 1;
                    triangles.iter().for_each(|&i| hash.word(i.into()));
                    points.as_flattened().iter().for_each(|x| hash.word(x.to_bits()));
                }
            }
            assert!(apart > 100, "{apart}");
            hashes.push((quality, simd, hash.get()));
        }
    }
    assert!(hashes.iter().all(|&(.., hash)| hash == GOLDEN), "{hashes:x?}");
}

const GOLDEN: u64 = 0xeaf2_b43a_089e_5fd8;
