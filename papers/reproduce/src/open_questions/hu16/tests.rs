use super::*;

fn few() -> Settings<'static> {
    let mut settings = Settings::new(None, true);
    settings.most_frames = 2;
    settings
}

/// The rows differ in one idea each: a hybrid tree with none of them is RAPID's.
#[test]
fn a_hybrid_tree_without_its_ideas_is_a_tree_of_rapids_boxes() {
    let scene = many(&few(), &mut ()).unwrap();
    let teapots = few().many("teapots-200").unwrap();
    let pairs: Vec<[Pose; 2]> = near(&teapots)
        .iter()
        .zip(&teapots.frames)
        .flat_map(|(pairs, poses)| pairs.iter().map(|pair| pair.map(|body| poses[body as usize])))
        .collect();
    let plain = Options::new(Kind::HybridPlain).fit(Fit::Rapid).split(Split::Mean).leaf_size(1);
    let model = built(&teapots.meshes[0], &plain);
    assert_eq!(all_pairs([&model, &model], &pairs), *scene.of(NONE));
    // The leaf test changes no test of volumes, only the work of the narrow phase.
    let (none, reuse) = (scene.of(NONE), scene.of(REUSE));
    assert_eq!(reuse.count.volume_tests, none.count.volume_tests);
    assert_eq!(reuse.count.leaf_pairs, none.count.leaf_pairs);
    assert!(reuse.count.triangle_tests < none.count.triangle_tests);
    // A cube adds at most two tests a pair of bodies, and changes nothing below.
    let more = scene.of(CUBE).count.volume_tests - none.count.volume_tests;
    assert!(more > 0 && more <= 2 * pairs.len() as u64, "{more} for {} pairs", pairs.len());
    assert_eq!(scene.of(CUBE).count.leaf_pairs, none.count.leaf_pairs);
}
