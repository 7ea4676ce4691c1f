use super::*;
use crate::report::{Outcome, tests::check_what_verdicts_go_by};

#[test]
fn two_scenes_fill_every_table() {
    let mut settings = Settings::new(None, true);
    settings.most_frames = 28;
    let chapter = table3_of(&[0, 2], &settings, &mut ()).unwrap();
    let table = chapter.blocks.iter().find_map(|block| match block {
        Block::Table(table) if table.file == "larsson08-table3" => Some(table.markdown()),
        _ => None,
    });
    let table = table.unwrap();
    for words in ["| Spheres-L1 | ball |", "| Knots-L1 | OBB |", "| 99,733 | 10,585 |", "| 8,731 | 0 |"] {
        assert!(table.contains(words), "{words}: {table}");
    }
    let outcome = |part: &str| chapter.verdicts.iter().find(|v| v.claim.contains(part)).unwrap().outcome;
    // Counts, the same on every machine.
    assert_eq!(outcome("fewest volume tests"), Outcome::Holds);
    // There is only one level of knots.
    assert_eq!(outcome("asymptotically"), Outcome::NotMeasured);
}

#[test]
fn verdicts_say_whether_they_go_by_times() {
    let mut settings = Settings::new(None, true);
    settings.most_frames = 28;
    let mut rows = measure(&[0, 2, 3], &settings, &mut ()).unwrap();
    let before = claims::verdicts(&rows);
    for (n, frame) in
        rows.iter_mut().flat_map(|row| &mut row.runs).flat_map(|run| &mut run.frames).enumerate()
    {
        frame.seconds *= 1.0 + (n % 11) as f64;
    }
    check_what_verdicts_go_by(&before, &claims::verdicts(&rows));
}

#[test]
fn a_stand_in_is_named_in_every_row_and_not_compared() {
    let mut settings = Settings::new(None, true);
    settings.most_frames = 2;
    let rows = measure(&[0, 5], &settings, &mut ()).unwrap();
    let table = table_3(&rows).markdown();
    let horses: Vec<&str> = table.lines().filter(|line| line.starts_with("| Horses")).collect();
    assert_eq!(horses.len(), contenders().len(), "{table}");
    for line in horses {
        assert!(line.starts_with("| Horses (stand-in) |"), "{line}");
        assert_eq!(line.ends_with("| other model |"), !line.contains("26 bytes") && !line.contains("Ritter"));
    }
    assert!(!table.contains("Spheres-L1 (stand-in)"), "{table}");
    let Block::Text(note) = &blocks(&rows)[0] else { panic!("no note") };
    assert!(note.starts_with("**Horses (stand-in): its rows are of a stand-in"), "{note}");
}

#[test]
fn the_part_on_bytes_needs_no_query() {
    let section = bytes(&Settings::new(None, true), &mut ()).unwrap();
    let Block::Table(table) = &section.blocks[0] else { panic!("no table") };
    assert!(table.markdown().contains("| SCB | 36.0 |"), "{}", table.markdown());
}
