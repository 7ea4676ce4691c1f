//! Runs the seeds of the fuzz targets through the targets' own check.
#[path = "../../../../fuzz/bundle.rs"]
mod bundle;
#[path = "../../../../fuzz/reader.rs"]
mod reader;

use impinge_io::Format;
use std::{fs, path::Path};

#[test]
fn every_seed_passes_its_target() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (target, format) in [
        ("stl", Format::Stl),
        ("obj", Format::Obj),
        ("ply", Format::Ply),
        ("off", Format::Off),
        ("gltf", Format::Gltf),
        ("threemf", Format::ThreeMf),
        ("dae", Format::Dae),
        ("bundle", Format::Bundle),
    ] {
        let mut files: Vec<_> =
            fs::read_dir(root.join(target)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let mut loaded = 0;
        for path in &files {
            let bytes = fs::read(path).unwrap();
            loaded += usize::from(match format {
                Format::Bundle => bundle::check(&bytes),
                _ => {
                    reader::check(format, &bytes);
                    impinge_io::parse(format, &bytes, path).is_ok()
                }
            });
        }
        // Both kinds of seeds must occur, or the check tests nothing.
        assert!(loaded >= 3 && files.len() - loaded >= 3, "{target}: {loaded} of {} load", files.len());
    }
}
