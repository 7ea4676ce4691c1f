use super::*;

#[test]
fn one_scene_fills_every_table_and_loses_no_pair() {
    let mut settings = Settings::new(None, true);
    settings.most_frames = 28;
    let section = section_of(&["knots-l1"], &settings, &mut ()).unwrap();
    let table = |file: &str| {
        let found = section.blocks.iter().find_map(|block| match block {
            Block::Table(table) if table.file == file => Some(table.markdown()),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("no table {file}"))
    };
    for (file, lines) in [
        ("open-larsson08-relative", 1 + BITS.len()),
        ("open-larsson08-regard", 1 + WEIGHTS.len()),
        ("open-larsson08-hybrid", 3 + PARTS.len()),
        ("open-larsson08-arity", ARITIES.len() * LEAVES.len()),
    ] {
        assert_eq!(table(file).lines().count(), 2 + lines, "{file}");
    }
    assert_eq!(section.verdicts.len(), 4);
    assert!(section.verdicts.iter().all(|v| v.outcome != Outcome::NotMeasured && v.by == By::Counts));
}

/// The experiment's volumes of one slab are impinge's, except for the rounding of stored numbers.
#[test]
fn one_slab_takes_the_tests_of_the_volume_of_impinge() {
    let mut settings = Settings::new(None, true);
    settings.most_frames = 10;
    let scene = settings.scene("knots-l1").unwrap();
    let rows = measure(&["knots-l1"], &settings, &mut ()).unwrap();
    let options = Options::new(Kind::Scb).split(Split::Centroid).leaf_size(1);
    let [a, b] = scene.meshes.each_ref().map(|mesh| built(mesh, &options));
    let mut query = Query::new().counting(true);
    for &[p, q] in &scene.frames {
        query.pairs(&Body::new(&a, p), &Body::new(&b, q));
    }
    let want = query.counters().unwrap().count.volume_tests as f64;
    let got = rows.base("knots-l1").work.volume_tests as f64;
    assert!((got / want - 1.0).abs() < 0.01, "{got} and {want}");
    // Two slabs are tighter, none is looser, and many bits are as good as all.
    let nv = |rows: &[VariantRow], name: &str| {
        rows.iter().find(|row| row.name == name).unwrap().work.volume_tests as f64
    };
    assert!(nv(&rows.hybrid, "2 slabs") < got && got < nv(&rows.hybrid, "0 slabs"));
    assert!((nv(&rows.relative, "16 bits") / got - 1.0).abs() < 0.01);
}
