//! The rules language from outside: hostile files, large ones, and the seeds of the fuzz target.
#[path = "../../../../fuzz/rules.rs"]
mod property;

use impinge::{Mesh, Pose};
use impinge_check::{Part, Rules, Unit, rules::SetRef, sources::CoordinateUnit};
use impinge_demo::rng::Rng;
use std::{
    fs,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/rules");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn seeds_are_read_or_refused_with_a_place() {
    let seeds = seeds();
    assert!(seeds.len() > 5);
    seeds.iter().for_each(|seed| property::check(seed));
    let is_valid = |seed: &&Vec<u8>| Rules::parse("f", str::from_utf8(seed).unwrap()).is_ok();
    assert!(seeds.iter().filter(is_valid).count() >= 3);
}

/// Changes, inserts, removes or copies a few bytes.
fn mutate(bytes: &[u8], random: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() as u64 + 1) as usize;
        let end = (at + random.below(20) as usize).min(bytes.len());
        match random.below(6) {
            0 => bytes.insert(at, random.below(256) as u8),
            1 if at < bytes.len() => bytes[at] = random.below(128) as u8,
            2 => drop(bytes.drain(at..end)),
            3 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len() as u64 + 1) as usize;
                bytes.splice(to..to, piece);
            }
            4 => {
                let words = [
                    "nan",
                    "-inf",
                    "1e999",
                    "''",
                    "\"",
                    "[",
                    "]",
                    "{",
                    "}",
                    "=",
                    "\n",
                    "[[test]]\n",
                    "*",
                    "..",
                    "<",
                    "0x7f",
                    "-1",
                    "\u{feff}",
                    "é",
                    "\r",
                    "\0",
                    "set",
                    "[sets]\n",
                    "9999999999999999999999",
                ];
                bytes.splice(at..at, random.pick(&words).bytes());
            }
            _ => bytes.truncate(at),
        }
    }
    bytes
}

#[test]
fn hostile_bytes_give_an_error_with_a_place() {
    let seeds = seeds();
    let (mut valid, mut refused) = (0, 0);
    for case in 0..6000 {
        let mut random = Rng::for_case(36, case);
        let seed = random.pick(&seeds[..]).clone();
        let bytes = mutate(&seed, &mut random);
        property::check(&bytes);
        match str::from_utf8(&bytes) {
            Ok(text) if Rules::parse("f", text).is_ok() => valid += 1,
            Ok(_) => refused += 1,
            Err(_) => {}
        }
    }
    // Both happen often, so that both are tested.
    assert!(valid > 200 && refused > 2000, "{valid} {refused}");
}

#[test]
fn large_and_deep_files_are_refused_or_read_in_time() {
    let start = Instant::now();
    let error = |text: &str| {
        property::check(text.as_bytes());
        Rules::parse("f", text).unwrap_err().to_string()
    };
    let head = "version = 1\n[sets]\n";
    let deep =
        |open: &str, close: &str, n: usize| format!("{head}a = {}'x'{}", open.repeat(n), close.repeat(n));
    assert!(Rules::parse("f", &deep("[", "]", 70)).is_ok());
    assert!(Rules::parse("f", &deep("{ not = ", " }", 70)).is_ok());
    for text in [deep("[", "]", 100_000), deep("{ not = ", " }", 100_000), deep("[", "", 1_000_000)] {
        assert!(error(&text).contains("nested too deep"), "{}", error(&text));
    }
    let keys = "a.".repeat(100_000);
    assert!(error(&format!("{head}{keys}a = 'x'")).ends_with("nested too deep; at most 80 levels are read"));
    assert!(error(&format!("[{keys}a]")).contains("nested too deep"));
    assert_eq!(error(&" ".repeat(5 << 20)), "f:1:1: a rules file has at most 4 MiB (this one has 5 MiB)");
    let long = "x".repeat(1 << 20);
    assert!(error(&format!("version = '{long}'")).len() < 500);
    assert!(error(&format!("version = 1\n{long} = 1")).len() < 500);
    assert!(error(&format!("{head}a = {{ set = '{long}' }}")).len() < 500);
    assert!(error(&format!("{head}a = {{ size = '{long}' }}")).len() < 700);
    assert!(error(&format!("{head}a = {{ name = '{}[' }}", long)).len() < 500);
    let sets = |n: usize| (0..n).map(|i| format!("s{i} = 'x'\n")).collect::<String>();
    assert!(error(&(head.to_owned() + &sets(10_001))).contains("more than 10000 sets"));
    // A chain of sets, and a circle.
    let chain = |last: &str| {
        let links: String = (0..9_000).map(|i| format!("s{i} = {{ set = 's{}' }}\n", i + 1)).collect();
        format!("{head}{links}s9000 = {last}")
    };
    let rules = Rules::parse("f", &chain("'x'")).unwrap();
    let part = Part::new("x", Path::new("f"), Mesh::default(), Pose::IDENTITY);
    assert!(rules.members(&[part], CoordinateUnit::Unknown).unwrap().holds(0, SetRef::Set(0)));
    let circle = error(&chain("{ set = 's0' }"));
    assert!(
        circle.starts_with("f:9003:17: sets refer to each other: s0 -> s1") && circle.len() < 500,
        "{circle}"
    );
    // One list with very many globs, and a table of very many tests.
    let many: String = (0..200_000).map(|i| format!("'n{i}',")).collect();
    assert!(Rules::parse("f", &format!("{head}a = [{many}]")).is_ok());
    let names: Vec<String> = (0..300).map(|i| format!("s{i}")).collect();
    let rows: String = names.iter().map(|row| format!("{row} = [{}]\n", "1,".repeat(300))).collect();
    let columns = names.join("','");
    let matrix =
        format!("{head}{}[[matrix]]\nname = 'm'\ncolumns = ['{columns}']\n[matrix.rows]\n{rows}", sets(300));
    assert_eq!(Rules::parse("f", &matrix).unwrap().tests().len(), 300 * 301 / 2);
    assert!(start.elapsed() < Duration::from_secs(120), "{:?}", start.elapsed());
}

#[test]
fn many_parts_are_sorted_into_sets_in_time() {
    let mesh = Arc::new(Mesh::cuboid([1.0, 2.0, 3.0]).expect("a box"));
    let file: Arc<Path> = Path::new("house.ifc").into();
    let part = |i: usize| {
        Part::new(format!("part {i} of storey {}", i % 7), file.clone(), mesh.clone(), Pose::IDENTITY)
            .with_path(format!("house/storey {}/part {i}", i % 7))
            .with_class(format!("IfcType{}", i % 30))
            .with_property("Mass", (i % 1000) as f64)
    };
    let parts: Vec<_> = (0..100_000).map(part).collect();
    let mut text = "version = 1\n[sets]\n".to_owned();
    for i in 0..50 {
        let own = format!(
            "name = 'part *{i}*', path = '*storey {}*', type = 'IfcType{}*', Mass = '>{i}'",
            i % 7,
            i % 10
        );
        text += &format!("s{i} = {{ {own}, size = '>1', volume = '<7' }}\n");
    }
    let rules = Rules::parse("f", &text).unwrap();
    let start = Instant::now();
    let members = rules.members(&parts, CoordinateUnit::Stated(Unit::Metre)).unwrap();
    let time = start.elapsed();
    assert!(members.class_count() > 50 && members.count(SetRef::Set(11)) > 0, "{}", members.class_count());
    // 0.5 s with optimization; a busy machine takes ten times as long. A loop over pairs takes minutes.
    assert!(time < Duration::from_secs(60), "{time:?}");
}
