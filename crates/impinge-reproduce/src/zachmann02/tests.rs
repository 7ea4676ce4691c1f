use super::*;
use crate::report::Outcome;

#[test]
fn a_small_series_fills_every_table() {
    let mut settings = Settings::new(None, true);
    settings.most_frames = 8;
    let chapter = chapter_of(
        &[("tumble-torus-1k", "torus")],
        &[("tumble-sphere-1k", "sphere"), ("tumble-sphere-5k", "sphere")],
        &settings,
        &mut (),
    )
    .unwrap();
    let files: Vec<&str> = chapter
        .blocks
        .iter()
        .filter_map(|block| match block {
            Block::Table(table) | Block::Data(table) => Some(&*table.file),
            Block::Figure(figure) => Some(&*figure.data.file),
            Block::Heading(_) | Block::Text(_) => None,
        })
        .collect();
    let want = ["tests", "summary", "distance", "size", "build", "build-fit", "table1", "empty"];
    assert_eq!(files, want.map(|name| format!("zachmann02-{name}")));
    assert!(chapter.verdicts.iter().all(|v| v.outcome != Outcome::NotMeasured), "{:?}", chapter.verdicts);
    // Bytes do not depend on the machine.
    let bytes = chapter.verdicts.iter().find(|v| v.claim.contains("9 bytes")).unwrap();
    assert_eq!(bytes.outcome, Outcome::Holds, "{bytes:?}");
}
