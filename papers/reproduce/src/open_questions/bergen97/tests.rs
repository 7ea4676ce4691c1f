use super::{
    compared::{placements, trees},
    motions::all,
    quality::{depends_on_the_way, refit},
    *,
};
use crate::{measure::built, open_questions::work::all_pairs};
use impinge_volumes::Kind;

/// Checks what lets frames be skipped: a refit depends on the built tree and the new points, not on the
/// frames between.
#[test]
fn refits_do_not_depend_on_the_way() {
    let motions = all(&Settings::new(None, true)).unwrap();
    let places = placements(3);
    for (kind, options) in trees().filter(|&(kind, _)| !depends_on_the_way(kind)) {
        let twist = &motions[1];
        let [mut walked, mut leapt] = [0, 1].map(|_| built(&twist.mesh, &options));
        for frame in [40, 80, 120] {
            refit(&mut walked, &twist.at(frame)).unwrap();
        }
        refit(&mut leapt, &twist.at(120)).unwrap();
        let [one, other] = [&walked, &leapt].map(|model| all_pairs([model, model], &places));
        assert_eq!(one, other, "{}", kind.name());
        assert!(one.hits > 0 && one.count.volume_tests > 0, "{}", kind.name());
        assert_eq!(walked.decay(), leapt.decay(), "{}", kind.name());
    }
}

/// Motions begin at the shape for which trees are built, and differ from it afterwards.
#[test]
fn motions_begin_at_rest() {
    for motion in all(&Settings::new(None, true)).unwrap() {
        let off = |frame: usize| -> f64 {
            let now = motion.at(frame);
            let both = now.iter().flatten().zip(motion.mesh.points().iter().flatten());
            both.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        assert!(off(0) < 1e-12, "{}", motion.name);
        assert!(off(10) > 1e-3, "{}: {}", motion.name, off(10));
    }
}

#[test]
fn one_motion_fills_every_table() {
    let settings = Settings::new(None, true);
    let section = section_of(&all(&settings).unwrap()[..1], &settings, &mut ()).unwrap();
    let tables: Vec<_> = section
        .blocks
        .iter()
        .filter_map(|block| match block {
            Block::Table(table) => Some((table.file.as_str(), table.markdown())),
            _ => None,
        })
        .collect();
    let names: Vec<_> = tables.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["open-bergen97-refits", "open-bergen97-rebuilds", "open-bergen97-affine"]);
    for &kind in Kind::ALL {
        let row = format!("| {} |", kind.name());
        assert!(tables[0].1.contains(&row) && tables[2].1.contains(&row), "{}", kind.name());
    }
    assert_eq!(section.verdicts.len(), 2);
}
