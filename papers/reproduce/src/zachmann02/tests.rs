use super::*;
use crate::report::Outcome;

#[test]
fn a_small_series_fills_every_table() {
    let mut settings = Settings::new(None, true);
    settings.most_frames = 8;
    let objects = [("tumble-torus-1k", "torus")];
    let series = [("tumble-sphere-1k", "sphere"), ("tumble-sphere-5k", "sphere")];
    let sections = [
        figure9(&objects, &settings, &mut ()),
        figure10(&objects, &series, &settings, &mut ()),
        build::section(&[&objects[..], &series].concat(), &settings, &mut ()),
        Ok(memory::table1()),
        memory::figure1(&objects, &settings, &mut ()),
    ]
    .map(Result::unwrap);
    let verdicts = || sections.iter().flat_map(|section| &section.verdicts);
    let files: Vec<&str> = sections
        .iter()
        .flat_map(|section| &section.blocks)
        .filter_map(|block| match block {
            Block::Table(table) | Block::Data(table) => Some(&*table.file),
            Block::Figure(figure) => Some(&*figure.data.file),
            Block::Heading(_) | Block::Text(_) => None,
        })
        .collect();
    let want = ["tests", "summary", "distance", "volumes", "size", "build", "build-fit", "table1", "empty"];
    assert_eq!(files, want.map(|name| format!("zachmann02-{name}")));
    assert!(verdicts().all(|v| v.outcome != Outcome::NotMeasured), "{:?}", verdicts().collect::<Vec<_>>());
    // Bytes do not depend on the machine.
    let bytes = verdicts().find(|v| v.claim.contains("9 bytes")).unwrap();
    assert_eq!(bytes.outcome, Outcome::Holds, "{bytes:?}");
}
