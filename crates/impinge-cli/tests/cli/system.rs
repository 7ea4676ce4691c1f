//! Effects of the system on a run: pipes and devices for files, signals, limits of memory, files and time.
#![cfg(unix)]
use crate::common::{FIVE, Folder, TRIANGLE, coincident, error, json, run, stdout, words};
use impinge_testkit::cases::is_full;
use serde_json::json;
use std::{
    ffi::OsStr,
    fs,
    os::unix::{fs::symlink, process::ExitStatusExt},
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// `impinge ARGS` after `limit` of a shell, such as `ulimit -f 1`.
fn limited(limit: &str, args: &[&dyn AsRef<OsStr>]) -> Output {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{limit}; exec \"$@\"")).arg("sh").arg(env!("CARGO_BIN_EXE_impinge"));
    shell.args(args.iter().map(|arg| arg.as_ref())).output().unwrap()
}

/// The only line of an error.
#[track_caller]
fn one_line(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!((output.status.code(), text.matches('\n').count()), (Some(2), 1), "{output:?}");
    assert!(text.starts_with("impinge: error: "), "{text}");
    text
}

/// Each of these hung, or read until memory was gone.
#[test]
fn pipes_and_devices_are_no_files_of_ours() {
    let folder = Folder::new();
    // Two parts far from each other.
    let a = folder.file("a.obj", format!("{TRIANGLE}o far\nv 9 9 9\nv 8 9 9\nv 9 8 9\nf 4 5 6\n"));
    let cache = folder.path("cache");
    pipe(&cache);
    let regular = "it is no regular file";
    assert!(error(&[&"check", &a, &"--cache", &cache]).contains(regular));
    let plan = folder.path("plan");
    run(0, &[&"plan", &a, &"-o", &plan, &"--tasks", &"1"]);
    run(0, &[&"work", &plan, &"--all"]);
    for name in ["results/0", "tasks/0", "parts", "names", "mesh-list", "plan.json"] {
        let path = plan.join(name);
        let bytes = fs::read(&path).unwrap();
        for make in [pipe as fn(&Path), |path| symlink("/dev/zero", path).unwrap()] {
            fs::remove_file(&path).unwrap();
            make(&path);
            let command = if name == "tasks/0" { "work" } else { "merge" };
            let all: &[&dyn AsRef<OsStr>] = if name == "tasks/0" { &[&"--task", &"0"] } else { &[] };
            let said = error(&[&[&command as &dyn AsRef<OsStr>, &plan], all].concat());
            assert!(said.contains(name) && said.contains(regular), "{said}");
        }
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
    }
    run(0, &[&"merge", &plan]);
    let said = error(&[&"pair", &a, &a, &"--poses", &"/dev/zero", &"--max-bytes", &"1000000"]);
    assert!(said.contains("/dev/zero: it is a device"), "{said}");
}

/// Poses and meshes may come through pipes, which are opened once for every kind of output.
#[test]
fn what_is_read_once_may_be_a_pipe() {
    let folder = Folder::new();
    let [a, poses, out] = ["a.obj", "poses", "out.json"].map(|name| folder.path(name));
    let b = folder.file("b.obj", TRIANGLE);
    [&a, &poses].into_iter().for_each(|path| pipe(path));
    // One that is there is compared with the inputs.
    fs::write(&out, "").unwrap();
    thread::scope(|scope| {
        let writers = [
            scope.spawn(|| fs::write(&a, TRIANGLE.to_owned() + &"# pad\n".repeat(50_000))),
            scope.spawn(|| fs::write(&poses, "1 0 0 0 0 1 0 0 0 0 1 0\n".repeat(5_000))),
        ];
        run(0, &[&"pair", &a, &b, &"--poses", &poses, &"-o", &out]);
        writers.into_iter().for_each(|writer| writer.join().unwrap().unwrap());
    });
    assert!(fs::read_to_string(&out).unwrap().starts_with('{'));
}

#[test]
fn memory_that_ends_is_an_error_of_one_line() {
    let folder = Folder::new();
    let file = coincident(&folder, 2000);
    let args: [&dyn AsRef<OsStr>; 6] = [&"check", &file, &"--threads", &"1", &"--format", &"csv"];
    let said = one_line(&limited("ulimit -v 200000", &args));
    assert!(said.contains("out of memory"), "{said}");
}

/// 5,000 triangles in one place and as many again meet in 25 million pairs, and in 10^8 if the file is both
/// bodies. A list of them takes 200 MB or more, and of twice as many triangles, where there is time, 800 MB;
/// no command needs 160 MB of address space. (Each thread of glibc may reserve 64 MB: one arena is enough.)
#[test]
fn no_command_takes_much_memory_for_a_small_file() {
    let folder = Folder::new();
    let count = if is_full() { 10_000 } else { 5_000 };
    let part = |name: &str| format!("o {name}\n{}", "f 1 2 3\n".repeat(count));
    let file = folder.file("copies.obj", format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{}{}", part("a"), part("b")));
    let plan = folder.path("plan");
    let commands: [(i32, &[&dyn AsRef<OsStr>]); 10] = [
        (1, &[&"check", &file]),
        (1, &[&"check", &file, &"--surfaces"]),
        (0, &[&"info", &file]),
        (0, &[&"plan", &file, &"-o", &plan, &"--tasks", &"1"]),
        (0, &[&"work", &plan, &"--all"]),
        (0, &[&"pair", &file, &file]),
        (2, &[&"pair", &file, &file, &"--query", &"pairs"]),
        (0, &[&"pair", &file, &file, &"--query", &"relation"]),
        (0, &[&"pair", &file, &file, &"--query", &"distance"]),
        (2, &[&"pair", &file, &file, &"--query", &"curves"]),
    ];
    for (status, args) in commands {
        // 'info' has one thread.
        let threads: &[&dyn AsRef<OsStr>] =
            if args[0].as_ref() == "info" { &[] } else { &[&"--threads", &"1"] };
        let output = limited("export MALLOC_ARENA_MAX=1; ulimit -v 160000", &[args, threads].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        let name = args.iter().map(|arg| arg.as_ref().to_string_lossy()).collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(status), "{name}: {said}");
        assert_eq!(
            status == 2,
            said.contains("triangle pairs meet") && said.contains("--max-pairs"),
            "{name}"
        );
    }
}

/// A file that passes a limit ends the process without a word, unless that is prepared for.
#[test]
fn files_that_pass_a_limit_leave_nothing() {
    let folder = Folder::new();
    let file = coincident(&folder, 200);
    let count = folder.count();
    let said = one_line(&limited("ulimit -f 8", &[&"check", &file, &"-o", &folder.path("out.json")]));
    assert!(said.contains("out.json: File too large"), "{said}");
    let plan = folder.path("plan");
    let said = one_line(&limited("ulimit -f 1", &[&"plan", &file, &"-o", &plan]));
    assert!(said.contains("File too large"), "{said}");
    let cache = folder.path("cache");
    let output = limited("ulimit -f 8", &[&"check", &file, &"--cache", &cache]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.ends_with("cache: File too large (os error 27)\n"), "{said}");
    assert_eq!(folder.count(), count);
}

/// The input is a pipe to which nobody writes, so that the plan has begun and cannot end.
#[test]
fn a_plan_that_is_interrupted_leaves_nothing() {
    // A signal that a shell ignores for its background jobs stays ignored: the test would wait for ever.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    let signals = [("INT", 2, false), ("TERM", 15, true), ("HUP", 1, false)];
    for (signal, number, was_there) in signals {
        if ignored >> (number - 1) & 1 != 0 {
            continue;
        }
        let folder = Folder::new();
        let (input, plan) = (folder.path("a.obj"), folder.path("plan"));
        pipe(&input);
        if was_there {
            fs::create_dir(&plan).unwrap();
        }
        let mut command =
            crate::common::command([OsStr::new("plan"), input.as_ref(), "-o".as_ref(), plan.as_ref()]);
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while !plan.join("parts").exists() {
            assert!(start.elapsed() < Duration::from_secs(60), "the plan never begins");
            thread::sleep(Duration::from_millis(5));
        }
        let sent = Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status();
        assert!(sent.unwrap().success());
        let status = child.wait().unwrap();
        assert!(status.signal().is_some(), "{signal}: {status}");
        assert_eq!((plan.exists(), folder.count()), (was_there, 1 + usize::from(was_there)), "{signal}");
        if was_there {
            assert_eq!(fs::read_dir(&plan).unwrap().count(), 0);
        }
    }
}

/// Pictures of the built-in assembly take long enough to be interrupted between the first and the last.
#[test]
fn pictures_that_are_interrupted_leave_nothing() {
    let folder = Folder::new();
    let images = folder.path("images");
    let words = ["check", "--demo", "gearbox", "--threads", "1", "--images"].map(OsStr::new);
    let mut command = crate::common::command(words.into_iter().chain([images.as_ref()]));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    let has_begun = || {
        let begun = fs::read_dir(folder.path("")).unwrap().filter_map(Result::ok);
        begun.map(|entry| entry.path()).any(|path| fs::read_dir(path).is_ok_and(|files| files.count() > 0))
    };
    while !has_begun() {
        assert!(start.elapsed() < Duration::from_secs(120), "the pictures never begin");
        thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").arg("-TERM").arg(child.id().to_string()).status();
    assert!(sent.unwrap().success());
    assert!(child.wait().unwrap().signal().is_some());
    assert_eq!(folder.count(), 0);
}

#[test]
fn pairs_without_time_are_not_examined() {
    let folder = Folder::new();
    let five = folder.file("five.obj", FIVE);
    let no_time: [&dyn AsRef<OsStr>; 4] = [&"check", &five, &"--time-limit", &"0"];
    let with = |more: &[&'static str]| {
        let more: Vec<&dyn AsRef<OsStr>> = more.iter().map(|word| word as _).collect();
        let output = run(2, &[&no_time[..], &more].concat());
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (text, said) = with(&["--format", "json"]);
    assert_eq!(said, "impinge: error: --time-limit: 3 part pairs were not examined\n");
    let found: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(found["clashes"], json!([]));
    let whole = json(1, &[&"check", &five, &"--format", &"json"]);
    assert!(whole.get("not_examined").is_none() && whole["coverage"].get("not_examined").is_none());
    let boxes = whole["coverage"]["boxes_overlap"].as_u64().unwrap();
    assert_eq!(found["not_examined"].as_array().unwrap().len() as u64, boxes);
    let coverage = &found["coverage"];
    assert_eq!(coverage["boxes_overlap"], boxes);
    assert_eq!([&coverage["tested"], &coverage["not_examined"]], [&json!(0), &json!(boxes)]);
    assert_eq!(coverage["relations"]["apart"], 0);

    let (table, _) = with(&[]);
    assert!(table.contains("Not examined, as the time was up:") && !table.contains("no clash"), "{table}");
    assert!(words(&table).contains(&format!("Not examined {boxes} part pairs: the time was up")), "{table}");
    let (csv, _) = with(&["--format", "csv"]);
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(rows.len() as u64, boxes);
    assert!(rows.iter().all(|row| row.contains(",,,,,not_examined,,")), "{csv}");
    let (csv, _) = with(&["--format", "csv", "--surfaces"]);
    assert!(csv.lines().skip(1).all(|row| row.ends_with(",,,,")), "{csv}");
    let (text, _) = with(&["--format", "json", "--clearance", "1000"]);
    let found: serde_json::Value = serde_json::from_str(&text).unwrap();
    let coverage = &found["coverage"];
    assert_eq!([&coverage["not_examined"], &coverage["clearance"]["boxes_within"]], [10, 10]);
    assert_eq!(coverage["clearance"]["tested"], 0);
    // With time enough it is as without a limit.
    let all = stdout(1, &[&"check", &five, &"--clearance", &"3", &"--time-limit", &"1h"]);
    assert_eq!(all, stdout(1, &[&"check", &five, &"--clearance", &"3"]));
}

/// The next run decides the pairs for which the last run had no time.
#[test]
fn a_cache_goes_on_where_time_was_up() {
    let folder = Folder::new();
    let five = folder.file("five.obj", FIVE);
    let cache = folder.path("cache");
    for question in [&[][..], &["--clearance", "1000"]] {
        let question: Vec<&dyn AsRef<OsStr>> = question.iter().map(|word| word as _).collect();
        let args: [&dyn AsRef<OsStr>; 4] = [&"check", &five, &"--format", &"json"];
        let want = stdout(1, &[&args[..], &question].concat());
        let cached: [&dyn AsRef<OsStr>; 2] = [&"--cache", &cache];
        let no_time: [&dyn AsRef<OsStr>; 2] = [&"--time-limit", &"0"];
        run(2, &[&args[..], &question, &cached, &no_time].concat());
        assert_eq!(stdout(1, &[&args[..], &question, &cached].concat()), want);
        // The cache holds all pairs: the run needs no time.
        assert_eq!(stdout(1, &[&args[..], &question, &cached, &no_time].concat()), want);
    }
}

#[test]
fn errors_repeat_two_hundred_characters_at_most() {
    let folder = Folder::new();
    let a = folder.file("a.obj", TRIANGLE);
    let long = "ä".repeat(100_000);
    let plan = folder.path("plan");
    run(0, &[&"plan", &a, &"-o", &plan]);
    let manifest = fs::read_to_string(plan.join("plan.json")).unwrap();
    fs::write(plan.join("plan.json"), manifest.replace("\"about\"", &format!("\"{long}\""))).unwrap();
    let poses = folder.file("poses", &long);
    for said in [error(&[&"merge", &plan]), error(&[&"pair", &a, &a, &"--poses", &poses])] {
        let shown = said.chars().filter(|&c| c == 'ä').count();
        assert!((1..=200).contains(&shown), "{shown}");
    }
}
