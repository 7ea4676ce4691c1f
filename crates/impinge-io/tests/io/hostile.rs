//! Tests on the files of ../shared/data/hostile. Each has the result in the table, and neither it nor a
//! damaged copy takes more than a gibibyte or ten seconds.
use crate::{chain, data::data, memory::bounded};
use impinge_io::{Assembly, Error};
use std::{collections::BTreeMap, fs, path::Path};

/// `PARTS TRIANGLES` and the warnings, or the message, without the folder.
fn outcome(file: &Path, result: &Result<Assembly, Error>) -> String {
    let text = match result {
        Ok(assembly) => {
            let counts = format!("{} {}", assembly.parts.len(), assembly.triangles());
            let warnings = assembly.warnings.iter().map(|w| format!(" | {w}"));
            warnings.fold(counts, |all, one| all + &one)
        }
        // The cause is the operating system's message, which differs between systems.
        Err(error) if error.is_io() => error.to_string(),
        Err(error) => chain(error),
    };
    text.replace(&format!("{}: ", file.display()), "")
}

#[test]
fn hostile_files_do_what_the_table_says() {
    let Some(folder) = data("hostile") else { return };
    let table: BTreeMap<&str, &str> = include_str!("hostile.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once(" | ").expect("two columns"))
        .collect();
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let result = bounded(&name, || impinge_io::read(&path));
        found.insert(name, outcome(&path, &result));
    }
    let rows: Vec<_> = found.iter().map(|(file, outcome)| format!("{file} | {outcome}")).collect();
    let expected: Vec<_> = table.iter().map(|(file, outcome)| format!("{file} | {outcome}")).collect();
    let wrong: Vec<_> = rows.iter().filter(|row| !expected.contains(row)).collect();
    assert!(wrong.is_empty() && rows.len() == expected.len(), "found, but not in the table: {wrong:#?}");
}

/// A random generator with a fixed seed: a failure is repeatable.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

#[test]
fn damaged_hostile_files_stay_within_bounds() {
    let Some(folder) = data("hostile") else { return };
    let mut random = Random(1);
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some(format) = impinge_io::Format::of(&path) else { panic!("{name}") };
        let good = fs::read(&path).unwrap();
        let rounds = if good.len() < 10_000 { 200 } else { 3 };
        for round in 0..rounds {
            let mut bytes = good.clone();
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes.truncate(at.max(1)),
                    // A digit in place of a digit: false counts, indices and sizes.
                    1 | 2 => {
                        if let Some(digit) = bytes[at..].iter_mut().find(|b| b.is_ascii_digit()) {
                            *digit = b'0' + random.below(10) as u8;
                        }
                    }
                    _ => bytes[at] = random.below(256) as u8,
                }
            }
            let result =
                bounded(&format!("{name}, round {round}"), || impinge_io::parse(format, &bytes, &path));
            if let Err(error) = result {
                assert!(!error.to_string().contains(char::is_control), "{error:?}");
            }
        }
    }
}
