//! The files of a run: what is read is not replaced, and rules open no other files.
use crate::common::{FIVE, Folder, TRIANGLE, command, error};
use std::{ffi::OsStr, fs, path::Path};

/// A rules file whose test has a list of poses.
fn rules(poses: &str) -> String {
    format!(
        "version = 1\nunit = \"mm\"\n[[test]]\nname = \"t\"\na = \"*\"\nfind = \"min-gap\"\nclearance = 1\n\
         poses = \"{poses}\"\n"
    )
}

const STILL: &str = "1 0 0 0 0 1 0 0 0 0 1 0\n";

/// The one line on stderr of a run in a folder that must fail.
fn error_in(folder: &Path, words: &[&str]) -> String {
    let output = command(words).current_dir(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty());
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.matches('\n').count(), 1, "{text}");
    text
}

#[test]
fn no_output_replaces_what_the_run_reads_by_whatever_name() {
    let folder = Folder::new();
    folder.file("a.obj", FIVE);
    folder.file("r.toml", rules("way.txt"));
    folder.file("way.txt", STILL);
    folder.file("impinge.toml", "version = 1\n");
    folder.file("list.json", "{}");
    let here = folder.path("");
    let first =
        ["check", "a.obj", "--no-rules", "--baseline", "b.jsonl", "--update-baseline", "--report", "all"];
    assert_eq!(command(first).current_dir(&here).output().unwrap().status.code(), Some(1));
    let outputs = ["-o", "--cache"];
    let commands: [&[&str]; 4] = [
        &["check", "a.obj", "--rules", "r.toml", "--baseline", "b.jsonl"],
        &["check", "a.obj", "--rules", "r.toml", "--baseline", "b.jsonl", "--update-baseline"],
        &["check", "a.obj", "--baseline", "b.jsonl"],
        &["judge", "list.json", "a.obj", "--rules", "r.toml"],
    ];
    let read: [&[&str]; 4] = [
        &["a.obj", "r.toml", "way.txt", "b.jsonl"],
        &["a.obj", "r.toml", "way.txt", "b.jsonl"],
        &["a.obj", "impinge.toml", "b.jsonl"],
        &["a.obj", "r.toml", "way.txt", "list.json"],
    ];
    fs::create_dir(folder.path("sub")).unwrap();
    for (words, read) in commands.iter().zip(read) {
        for file in read {
            let before = fs::read(folder.path(file)).unwrap();
            let hard = folder.path("hard");
            fs::hard_link(folder.path(file), &hard).unwrap();
            let mut names = vec![(*file).to_owned(), format!("./sub/../{file}"), "hard".to_owned()];
            names.push(folder.path(file).to_str().unwrap().to_owned());
            #[cfg(unix)]
            {
                std::os::unix::fs::symlink(file, folder.path("soft")).unwrap();
                names.push("soft".to_owned());
            }
            for name in &names {
                for option in outputs.iter().filter(|option| words[0] == "check" || **option == "-o") {
                    let form: &[&str] = if *option == "-o" { &["--format", "json"] } else { &[] };
                    let said = error_in(&here, &[*words, &[*option, name.as_str()][..], form].concat());
                    let is_refused =
                        said.contains("would replace the input") || said.contains(" name one file: ");
                    assert!(is_refused, "{words:?} {option} {name}: {said}");
                    assert_eq!(fs::read(folder.path(file)).unwrap(), before, "{words:?} {option} {name}");
                }
            }
            let _ = fs::remove_file(folder.path("soft"));
            fs::remove_file(hard).unwrap();
        }
    }
}

#[test]
fn no_output_becomes_the_rules_of_the_next_run() {
    let folder = Folder::new();
    folder.file("a.obj", FIVE);
    let said = error_in(&folder.path(""), &["check", "a.obj", "-o", "./impinge.toml", "--format", "json"]);
    assert!(said.contains("it would replace the input impinge.toml"), "{said}");
    assert!(!folder.path("impinge.toml").exists());
}

#[test]
fn two_outputs_have_two_places_also_before_they_exist() {
    let folder = Folder::new();
    folder.file("a.obj", FIVE);
    let here = folder.path("");
    #[cfg(unix)]
    std::os::unix::fs::symlink("new", folder.path("soft")).unwrap();
    let soft = if cfg!(unix) { "soft" } else { "./new" };
    let updated = ["--update-baseline", "--baseline"];
    let count = folder.count();
    for words in [
        &["-o", "new", "--cache", "./new"][..],
        &["-o", "new", "--cache", soft],
        &["-o", soft, updated[0], updated[1], "new"],
        &["-o", "new", updated[0], updated[1], soft],
        &["--cache", "new", updated[0], updated[1], "new"],
        &["-o", "new", "--images", "new"],
        &["-o", soft, "--images", "new"],
        &["--images", "new", updated[0], updated[1], "new/b.jsonl"],
        &["--images", "new", "--cache", "new/c"],
    ] {
        let said = error_in(&here, &[&["check", "a.obj", "--no-rules"], words].concat());
        let is_refused = [" name one file: ", "would be in this folder", "there is no folder"];
        assert!(is_refused.iter().any(|text| said.contains(text)), "{words:?}: {said}");
        assert_eq!(folder.count(), count, "{words:?}");
    }
}

#[test]
fn the_results_of_a_plan_are_not_replaced() {
    let folder = Folder::new();
    let (a, plan) = (folder.file("a.obj", FIVE), folder.path("plan"));
    for words in [&["plan", "a.obj", "-o", "plan"][..], &["work", "plan", "--all"]] {
        assert!(command(words).current_dir(folder.path("")).output().unwrap().status.success());
    }
    let files = ["plan.json", "parts", "names", "results/0", "results/0.other", "tasks/0", "meshes/new"];
    for name in files {
        let file = plan.join(name);
        let before = fs::read(&file).ok();
        error(&[&"merge", &plan, &"-o", &file, &"--format", &"json"]);
        assert_eq!(fs::read(&file).ok(), before, "{name}");
    }
    assert!(a.exists());
}

#[test]
fn rules_read_no_poses_from_elsewhere_and_show_nothing_of_them() {
    let folder = Folder::new();
    let secret = folder.file("secret.txt", "token=abc 1 2\n");
    fs::create_dir_all(folder.path("in/sub")).unwrap();
    fs::write(folder.path("in/own.txt"), "token=abc 1 2\n").unwrap();
    fs::write(folder.path("in/own.npy"), b"\x93NUMPY\x01\x00\x0f\x00{'token': 'abc'}").unwrap();
    fs::write(folder.path("in/sub/way.txt"), STILL).unwrap();
    let here = folder.path("in");
    fs::write(here.join("a.obj"), TRIANGLE.to_owned() + &TRIANGLE.replace("o triangle", "o other")).unwrap();
    let check = |poses: &str| {
        fs::write(here.join("impinge.toml"), rules(poses)).unwrap();
        error_in(&here, &["check", "a.obj"])
    };
    let absolute = secret.to_str().unwrap().replace('\\', "/");
    let mut outside = vec!["../secret.txt", "sub/../../secret.txt", "../none.txt", &*absolute];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../secret.txt", here.join("link.txt")).unwrap();
        outside.extend(["link.txt", "/proc/self/environ", "/dev/zero", "/dev/stdin"]);
    }
    for poses in outside {
        let said = check(poses);
        assert!(said.contains("no such file inside the folder"), "{poses}: {said}");
    }
    for (poses, what) in
        [("own.txt", "line 1: not numbers"), ("own.npy", "no .npy file"), ("sub", "no regular file")]
    {
        let said = check(poses);
        assert!(said.contains(what) && !said.contains("abc"), "{poses}: {said}");
    }
    fs::write(here.join("impinge.toml"), rules("sub/../sub/way.txt")).unwrap();
    assert_eq!(command(["check", "a.obj"]).current_dir(&here).output().unwrap().status.code(), Some(0));
    #[cfg(unix)]
    {
        let made = std::process::Command::new("mkfifo").arg(here.join("fifo.npy")).status().unwrap();
        assert!(made.success());
        assert!(check("fifo.npy").contains("no regular file"));
    }
}

#[test]
fn a_rules_file_that_cannot_be_read_is_an_error() {
    let folder = Folder::new();
    folder.file("a.obj", FIVE);
    let (here, usual) = (folder.path(""), folder.path("impinge.toml"));
    let check = |words: &[&str]| error_in(&here, &[&["check", "a.obj"], words].concat());
    fs::create_dir(&usual).unwrap();
    assert!(check(&[]).contains("impinge.toml: cannot be read: it is no regular file"));
    let explained = ["rules", "explain", "blade", "tip", "a.obj"];
    assert!(error_in(&here, &explained).contains("impinge.toml: cannot be read"));
    assert!(check(&["--rules", "impinge.toml"]).contains("impinge.toml: cannot be read"));
    let without = command(["check", "a.obj", "--no-rules"]).current_dir(&here).output().unwrap();
    assert_eq!(without.status.code(), Some(1));
    fs::remove_dir(&usual).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", &usual).unwrap();
        assert!(check(&[]).contains("impinge.toml: cannot be read: No such file"));
        let planned = command(["plan", "a.obj", "-o", "plan"]).current_dir(&here).output().unwrap();
        assert!(String::from_utf8(planned.stderr).unwrap().contains("impinge.toml: is not used"));
        fs::remove_file(&usual).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &usual).unwrap();
        assert!(check(&[]).contains("impinge.toml: cannot be read: it is no regular file"));
        assert!(check(&["--rules", "/dev/zero"]).contains("/dev/zero: cannot be read: it is a device"));
        fs::remove_file(&usual).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&usual).status().unwrap();
        assert!(made.success());
        assert!(check(&[]).contains("impinge.toml: cannot be read: it is no regular file"));
    }
}

#[cfg(unix)]
#[test]
fn devices_are_refused_at_once() {
    let folder = Folder::new();
    let a = folder.file("a.obj", FIVE);
    let zero = Path::new("/dev/zero");
    let commands: [&[&dyn AsRef<OsStr>]; 8] = [
        &[&"check", &a, &"--no-rules", &"--baseline", &zero],
        &[&"check", &a, &"--no-rules", &"--update-baseline", &"--baseline", &zero],
        &[&"check", &a, &"--no-rules", &"--cache", &zero],
        &[&"baseline", &"list", &zero],
        &[&"baseline", &"approve", &zero, &"--all-new", &"--reason", &"x"],
        &[&"judge", &zero, &a],
        &[&"diff", &zero, &zero],
        &[&"pair", &a, &a, &"--poses", &zero],
    ];
    for words in commands {
        let said = error(words);
        assert!(said.contains("/dev/zero: it is a device") || said.contains("no regular file"), "{said}");
    }
}
