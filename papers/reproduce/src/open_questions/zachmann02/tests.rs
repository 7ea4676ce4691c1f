use super::*;

#[test]
fn small_objects_fill_every_table() {
    let mut settings = Settings::new(None, true);
    settings.most_frames = 12;
    let section = section_of(
        &["tumble-torus-1k", "tumble-sphere-1k"],
        &["tumble-torus-1k"],
        &["tumble-torus-1k"],
        &settings,
        &mut (),
    )
    .unwrap();
    let files: Vec<(&str, usize)> = section
        .blocks
        .iter()
        .filter_map(|block| match block {
            Block::Table(table) => Some((&*table.file, table.markdown().lines().count() - 2)),
            _ => None,
        })
        .collect();
    let want = [
        ("open-zachmann02-splits", 2 * variants().len()),
        ("open-zachmann02-planes", 9),
        ("open-zachmann02-deformed", 4 * DEFORMATIONS.len()),
    ];
    assert_eq!(files, want);
    assert!(section.verdicts.iter().all(|v| v.outcome != Outcome::NotMeasured && v.by == By::Counts));
    // Counts, the same on every machine: tables round outwards, so they cannot take fewer tests.
    let scene = settings.scene("tumble-torus-1k").unwrap();
    let works = contenders::first_contacts(&scene, &variants()).unwrap();
    let nv =
        |name: &str| works[variants().iter().position(|variant| variant.name == name).unwrap()].volume_tests;
    assert!(nv(AXIS) <= nv(TABLES) && nv(CRITERION) <= nv(AXIS), "{works:?}");
}
