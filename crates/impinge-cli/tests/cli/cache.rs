//! `impinge check --cache`: the same bytes, and no file is lost.
use crate::common::{FIVE, Folder, error, run};
use std::{fs, process::Output};

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Numbers of known and of open pairs, as printed on stderr.
fn told(output: &Output) -> [u64; 2] {
    let text = stderr(output);
    let numbers = text.rsplit(": ").next().unwrap();
    let number = |word: &str| word.trim().split(' ').next().unwrap().parse().unwrap();
    let (known, open) = numbers.split_once(',').unwrap();
    [number(known), number(open)]
}

#[test]
fn only_what_changed_is_decided_and_the_result_is_the_same() {
    let folder = Folder::new();
    let (file, cache) = (folder.file("five.obj", FIVE), folder.path("five.cache"));
    // `away` comes to where `blade` is.
    let moved = FIVE.replace("v 100 0 0\nv 101 0 0\nv 100 1 0", "v 0 0 0\nv 1 0 0.5\nv 0 1 0.5");
    let all: [&[&str]; 2] = [&["--report", "all"], &["--report", "all", "--clearance", "100"]];
    for question in all {
        let check = |cached: bool, format: &str| {
            let mut args: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"check", &file, &"--format", &format];
            question.iter().for_each(|word| args.push(word));
            if cached {
                args.extend([&"--cache" as &dyn AsRef<std::ffi::OsStr>, &cache]);
            }
            run(1, &args)
        };
        fs::write(&file, FIVE).unwrap();
        let first = check(true, "json");
        let [known, open] = told(&first);
        assert!(known == 0 && open >= 2, "{}", stderr(&first));
        for format in ["json", "csv", "table"] {
            let again = check(true, format);
            assert_eq!(told(&again), [open, 0]);
            assert_eq!(again.stdout, check(false, format).stdout);
        }
        // An unchanged cache is not written again.
        let time = fs::metadata(&cache).unwrap().modified().unwrap();
        check(true, "json");
        assert_eq!(fs::metadata(&cache).unwrap().modified().unwrap(), time);

        fs::write(&file, &moved).unwrap();
        let edited = check(true, "json");
        let [known, open] = told(&edited);
        assert!(known > 0 && open > 0, "{}", stderr(&edited));
        assert_eq!(edited.stdout, check(false, "json").stdout);
        assert_eq!(told(&check(true, "json")), [known + open, 0]);
    }
    assert_eq!(folder.count(), 2, "something was left behind");
}

#[test]
fn a_damaged_cache_or_one_of_another_question_is_replaced_and_that_is_said() {
    let folder = Folder::new();
    let (file, cache) = (folder.file("five.obj", FIVE), folder.path("five.cache"));
    let check = |option: &str| run(0, &[&"check", &file, &"--cache", &cache, &option]);
    check("--report=pierce");
    let good = fs::read(&cache).unwrap();
    let other = check("--report=overlap");
    assert!(stderr(&other).contains("five.cache: is about another question, or of another version\n"));
    assert_eq!(told(&other)[0], 0);

    check("--report=pierce");
    assert_eq!(fs::read(&cache).unwrap(), good);
    let mut bad = good.clone();
    bad[good.len() / 2] ^= 4;
    for damaged in [&bad[..], &good[..good.len() - 1], &good[..20]] {
        fs::write(&cache, damaged).unwrap();
        let mended = check("--report=pierce");
        assert!(stderr(&mended).contains("impinge: warning: "), "{}", stderr(&mended));
        assert!(stderr(&mended).contains("five.cache: is damaged: "), "{}", stderr(&mended));
        assert_eq!(told(&mended)[0], 0);
        assert_eq!(fs::read(&cache).unwrap(), good);
    }
    // As `mktemp` leaves it.
    fs::write(&cache, "").unwrap();
    check("--report=pierce");
    assert_eq!(fs::read(&cache).unwrap(), good);
}

#[test]
fn what_is_no_cache_is_left_alone() {
    let folder = Folder::new();
    let file = folder.file("five.obj", FIVE);
    let notes = folder.file("notes.txt", "mine");
    let said = error(&[&"check", &file, &"--cache", &notes]);
    assert!(said.ends_with("notes.txt: it is no cache, and would be replaced"), "{said}");
    assert_eq!(fs::read(&notes).unwrap(), b"mine");
    let said = error(&[&"check", &file, &"--cache", &file]);
    assert!(said.contains("it would replace the input"), "{said}");
    let output = folder.path("out.json");
    let said = error(&[&"check", &file, &"--cache", &output, &"-o", &output]);
    assert!(said.contains("--cache and --output name one file: "), "{said}");
    let said = error(&[&"check", &file, &"--cache", &folder.path("absent/x.cache")]);
    assert!(said.contains("there is no folder"), "{said}");
    // A file that cannot be read leaves no cache.
    let wrong = folder.file("wrong.obj", "v 0 0\nf 1 1 1\n");
    error(&[&"check", &wrong, &"--cache", &folder.path("new.cache")]);
    assert!(!folder.path("new.cache").exists());
}
