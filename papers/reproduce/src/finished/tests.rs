use super::*;
use crate::{Error, Experiment, Folder, report};
use std::{fs, path::Path};

#[test]
fn a_part_comes_back_as_it_was() {
    let one = report::tests::finished();
    let bytes = one.to_bytes().unwrap();
    let back = Finished::from_bytes(one.part, &bytes).unwrap();
    assert_eq!((&back.section, &back.origin), (&one.section, &one.origin));
    assert_eq!(back.to_bytes().unwrap(), bytes);
}

#[test]
fn every_damaged_byte_is_found() {
    let one = report::tests::finished();
    let bytes = one.to_bytes().unwrap();
    for at in 0..bytes.len() - 1 {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(Finished::from_bytes(one.part, &damaged).is_err(), "byte {at}");
        assert!(Finished::from_bytes(one.part, &bytes[..at]).is_err(), "cut at {at}");
    }
}

#[test]
fn a_number_that_json_lacks_is_found_when_it_is_written() {
    let mut one = report::tests::finished();
    let block = one.section.blocks.iter_mut().find_map(|block| match block {
        report::Block::Figure(figure) => figure.panels.first_mut(),
        _ => None,
    });
    let Some(crate::plot::Panel::Curves { series, .. }) = block else { panic!("no curves") };
    series[0].points.push((2.0, f64::INFINITY));
    assert!(one.to_bytes().is_err());
}

fn error(path: &Path, name: &str, bytes: &[u8]) -> String {
    let folder = Folder::new(path).unwrap();
    fs::create_dir_all(path.join("parts")).unwrap();
    fs::write(path.join("parts").join(name), bytes).unwrap();
    let catalogue: Vec<&'static Part> = Part::all().collect();
    let error: Error = folder.finished(&catalogue).unwrap_err();
    fs::remove_file(path.join("parts").join(name)).unwrap();
    error.to_string()
}

#[test]
fn a_file_that_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let one = report::tests::finished();
    let bytes = one.to_bytes().unwrap();
    let cut = error(path, "larsson08-table3.json", &bytes[..bytes.len() / 2]);
    assert!(cut.contains("larsson08-table3.json: this finished part cannot be used: it is damaged"), "{cut}");
    assert!(cut.ends_with("delete the file to measure the part again"), "{cut}");
    let text = String::from_utf8(bytes.clone()).unwrap();
    let newer = error(path, "larsson08-table3.json", text.replacen(":1,", ":2,", 1).as_bytes());
    assert!(newer.contains("it has format 2, and this version reads 1"), "{newer}");
    let moved = error(path, "larsson08-bytes.json", &bytes);
    assert!(
        moved.contains("larsson08-bytes.json") && moved.contains("results of larsson08/table3"),
        "{moved}"
    );
    let unknown = error(path, "gottschalk96-table1.json", &bytes);
    assert!(unknown.contains("gottschalk96-table1.json: this version has no part of that name"), "{unknown}");
    assert!(Experiment::Larsson08.parts().contains(one.part));
}
