//! `impinge plan`, `work` and `merge`: the same bytes as a single check, or a clear error.
use crate::{
    common::{FIVE, Folder, TRIANGLE, error, json, run, stdout},
    formats::cubes,
};
use impinge_demo::{SITE, ScenePart, lattice};
use impinge_io::Part;
use sha2::{Digest, Sha256};
use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    process::Output,
};

pub(crate) type Word<'a> = &'a dyn AsRef<OsStr>;

pub(crate) fn words<'a>(groups: &[&[Word<'a>]]) -> Vec<Word<'a>> {
    groups.concat()
}

/// Does all tasks of a plan, in an order that looks random.
fn work(plan: &Path, tasks: u32) {
    // Sorted by a hash of their numbers.
    let mut order: Vec<u32> = (0..tasks).collect();
    order.sort_by_key(|k| Sha256::digest(k.to_le_bytes()).to_vec());
    let tasks: Vec<String> = order.into_iter().map(|k| k.to_string()).collect();
    // Some at a time: starting a program takes longer than a small task.
    for (i, some) in tasks.chunks(tasks.len().div_ceil(3)).enumerate() {
        let threads = ["1", "2", "3"][i % 3];
        let mut args: Vec<Word<'_>> = vec![&"work", &plan, &"--threads", &threads];
        some.iter().for_each(|task| args.extend([&"--task" as Word<'_>, task]));
        run(0, &args);
    }
}

/// The plan of a check, cut into so many tasks; `--memory` if there is no number.
fn plan(folder: &Folder, name: &str, question: &[Word<'_>], tasks: Option<u32>) -> PathBuf {
    let path = folder.path(name);
    let number = tasks.map(|n| n.to_string());
    let cut: [Word<'_>; 2] = match &number {
        Some(number) => [&"--tasks", number],
        None => [&"--memory", &"300"],
    };
    run(0, &words(&[&[&"plan"], question, &[&"-o", &path], &cut]));
    path
}

fn same(one: &Output, other: &Output, what: &dyn std::fmt::Debug) {
    let text = |output: &Output| String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(one.status.code(), other.status.code(), "{what:?}");
    assert_eq!(text(one), text(other), "{what:?}");
    assert_eq!(one.stderr, other.stderr, "{what:?}");
}

/// Asserts that a check and the merge of its plan, cut in several ways, have the same output.
pub(crate) fn agree(question: &[Word<'_>], formats: &[&[Word<'_>]], cuts: &[Option<u32>]) {
    let folder = Folder::new();
    let shown: Vec<&OsStr> = question.iter().map(|word| word.as_ref()).collect();
    for (i, &cut) in cuts.iter().enumerate() {
        let plan = plan(&folder, &format!("plan{i}"), question, cut);
        match cut {
            Some(tasks) => work(&plan, tasks),
            None => drop(run(0, &[&"work", &plan, &"--all"])),
        }
        for format in formats {
            let check = crate::common::command(
                words(&[&[&"check"], question, format]).iter().map(|word| word.as_ref()),
            );
            let merge =
                crate::common::command(words(&[&[&"merge", &plan], format]).iter().map(|word| word.as_ref()));
            let [check, merge] = [check, merge].map(|mut command| command.output().unwrap());
            assert_ne!(check.status.code(), Some(2), "{check:?}");
            same(&check, &merge, &(&shown, cut));
        }
    }
}

pub(crate) const JSON: &[Word<'static>] = &[&"--format", &"json"];
pub(crate) const CSV: &[Word<'static>] = &[&"--format", &"csv"];
pub(crate) const TABLE: &[Word<'static>] = &[];

#[test]
fn the_gearbox_in_tasks_is_the_gearbox() {
    let shown: &[Word<'_>] = &[&"--show", &"touch", &"--limit", &"5"];
    agree(&[&"--demo", &"gearbox"], &[JSON, CSV, TABLE, shown], &[Some(1), Some(7), Some(100), None]);
    agree(&[], &[TABLE], &[Some(2)]);
}

#[test]
fn every_question_has_the_same_answer_in_tasks() {
    let both: &[&[Word<'_>]] = &[JSON, TABLE];
    let all: &[&[Word<'_>]] = &[JSON, CSV, TABLE];
    let questions: &[(&[Word<'_>], &[&[Word<'_>]])] = &[
        (&[&"--surfaces"], all),
        (&[&"--surfaces", &"--clearance", &"2"], all),
        (&[&"--clearance", &"5", &"--what-if", &"2,1,20"], both),
        (&[&"--what-if", &"0.5"], both),
        (&[&"--clearance", &"1"], all),
        (&[&"--chord", &"0.01", &"--clearance", &"0.3"], all),
        (&[&"--chord", &"gear*=0.05", &"--chord", &"0.01", &"--clearance", &"0.3"], all),
        (&[&"--tolerance", &"0.5"], all),
        (&[&"--report", &"overlap,touch", &"--depth", &"all"], all),
        (&[&"--fill-rule", &"even-odd", &"--depth", &"none"], all),
        (&[&"--report", &"duplicate"], both),
    ];
    for (question, formats) in questions {
        agree(&words(&[&[&"--demo", &"gearbox"], question]), formats, &[Some(7)]);
    }
}

#[test]
fn files_in_tasks_are_files() {
    let folder = Folder::new();
    let five = folder.file("five.obj", FIVE);
    let triangle = folder.file("triangle.obj", TRIANGLE);
    // An equal mesh in another file, under another name.
    let again = folder.file("again.obj", TRIANGLE.replace("o triangle", "o again"));
    // A part without a triangle is warned of; a line break in a name is no line break in a table.
    let odd = folder.file("odd.obj", format!("o empty\n{TRIANGLE}o more\tof it\nf 1 2 3\n"));
    let thousand = |c: &str| c.parse::<f64>().map_or(c.to_owned(), |c| (1000.0 * c).to_string());
    let scaled = |line: &str| match line.strip_prefix("v ") {
        Some(point) => format!("v {}\n", point.split(' ').map(thousand).collect::<Vec<_>>().join(" ")),
        None => format!("{line}\n"),
    };
    let millimetres = folder.file("large.obj", FIVE.lines().map(scaled).collect::<String>());
    let all: &[&[Word<'_>]] = &[JSON, CSV, TABLE];
    let cuts = &[Some(1), Some(3), None];
    for question in [
        vec![&five as Word<'_>],
        vec![&five, &triangle, &again],
        vec![&five, &five],
        vec![&odd, &triangle],
        vec![&"--between", &five, &again],
        vec![&"--between", &triangle, &five, &"--clearance", &"101.5"],
        vec![&five, &millimetres],
        vec![&triangle, &again],
    ] {
        agree(&question, all, cuts);
    }
    // Seven parts, two of them with one mesh. The files are the entries of a bundle of the same parts.
    let plan = plan(&folder, "plan", &[&triangle, &again, &five], Some(1));
    assert_eq!(fs::read_dir(plan.join("meshes")).unwrap().count(), 12);
    let bundle = folder.path("all.impinge");
    run(0, &[&"convert", &triangle, &again, &five, &"-o", &bundle]);
    let package = fs::read(&bundle).unwrap();
    for entry in fs::read_dir(plan.join("meshes")).unwrap() {
        let path = entry.unwrap().path();
        // The bundle has its entries as they are, after their names.
        let name = format!("meshes/{}", path.file_name().unwrap().to_str().unwrap());
        let entry = [name.as_bytes(), &fs::read(&path).unwrap()].concat();
        assert!(package.windows(entry.len()).any(|bytes| bytes == entry), "{name}");
    }
}

/// A plan holds no two of these meshes as one, and yet they are alike.
#[test]
fn copies_that_were_moved_in_their_coordinates_make_the_same_groups() {
    let folder = Folder::new();
    let names = ["a", "b", "c", "d", "e", "f"];
    let file = cubes(&folder, &names, |i| Some([0.25, 0.125][i % 2]));
    let other = cubes(&folder, &["g", "h"], |_| Some(0.5));
    let question: &[Word<'_>] = &[&file, &other, &"--clearance", &"0.1"];
    let markdown: &[Word<'_>] = &[&"--format", &"markdown"];
    let junit: &[Word<'_>] = &[&"--format", &"junit"];
    agree(question, &[JSON, CSV, TABLE, markdown, junit], &[Some(1), Some(5), None]);
    let report = json(1, &words(&[&[&"check"], question, JSON]));
    let [findings, groups] = [&report["findings"], &report["groups"]["groups"]].map(|list| list.as_array());
    assert!(findings.unwrap().len() > 2 * groups.unwrap().len(), "{groups:?}");
    assert!(groups.unwrap().iter().any(|group| group["placements"] == 2), "{groups:?}");
}

/// Many parts of a few meshes; all of the lattice where there is time.
#[test]
fn the_lattice_in_tasks_is_the_lattice() {
    if std::env::var_os("IMPINGE_FULL").is_some_and(|full| !full.is_empty()) {
        agree(&[&"--demo", &"lattice"], &[JSON], &[Some(1), Some(7), Some(1000)]);
    }
    let folder = Folder::new();
    let file = folder.path("lattice.glb");
    let part = |part: ScenePart| Part::new(part.name, Path::new(""), part.mesh, part.pose);
    let parts: Vec<Part> = lattice(400, SITE).into_iter().map(part).collect();
    impinge_io::write_glb(&parts, &mut fs::File::create(&file).unwrap()).unwrap();
    agree(&[&file], &[JSON], &[Some(1), Some(100)]);
    agree(&[&file, &"--clearance", &"2"], &[JSON], &[Some(7)]);
}

/// A plan of three tasks that have all been done.
fn done(folder: &Folder) -> PathBuf {
    let five = folder.file("five.obj", FIVE);
    let plan = plan(folder, "plan", &[&five], Some(3));
    work(&plan, 3);
    run(1, &[&"merge", &plan]);
    plan
}

#[test]
fn a_damaged_file_is_named() {
    let folder = Folder::new();
    let plan = done(&folder);
    let output = folder.path("clashes.json");
    for name in ["results/1", "parts", "names", "mesh-list", "plan.json"] {
        let path = plan.join(name);
        let whole = fs::read(&path).unwrap();
        let step = whole.len().div_ceil(40).max(1);
        let flipped = (0..whole.len()).step_by(step).map(|at| {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            bytes
        });
        let cut =
            [0, 7, 39, whole.len() / 2, whole.len() - 1].map(|end| whole[..end.min(whole.len())].to_vec());
        let longer = [&whole[..], b"\n"].concat();
        for bytes in flipped.chain(cut).chain([longer]) {
            if bytes == whole {
                continue;
            }
            fs::write(&path, &bytes).unwrap();
            let said = error(&[&"merge", &plan, &"-o", &output]);
            // After any change of the plan's own file the results belong to another plan.
            let named = if name == "plan.json" { "plan" } else { name };
            assert!(said.contains(named), "{name}: {said}");
            assert!(!output.exists());
        }
        fs::write(&path, &whole).unwrap();
    }
    run(1, &[&"merge", &plan, &"-o", &output]);
    assert!(output.exists());
}

/// The number before a word, or nothing.
fn before(line: &str, word: &str) -> u64 {
    let number = line.split(word).next().unwrap().rsplit([' ', ',', ';', ':']).next().unwrap();
    number.parse().unwrap_or_else(|_| panic!("{word} in {line}"))
}

#[test]
fn the_numbers_of_tasks_add_up_to_those_of_the_report() {
    let folder = Folder::new();
    let path = plan(&folder, "plan", &[&"--clearance", &"1"], Some(4));
    let lines = stdout(0, &[&"work", &path, &"--all"]);
    let coverage = json(1, &[&"merge", &path, &"--format", &"json"])["coverage"].take();
    for (word, number) in [
        (" part pairs tested", &coverage["tested"]),
        (" clashing", &coverage["clashing"]),
        (" inside without contact", &coverage["inside_without_contact"]),
        (" within the distance", &coverage["clearance"]["boxes_within"]),
        (" near", &coverage["clearance"]["near"]),
    ] {
        let sum: u64 = lines.lines().map(|line| before(line, word)).sum();
        assert_eq!(sum, number.as_u64().unwrap(), "{word}: {lines}");
        assert!(sum > 0, "{word}: {lines}");
    }
    // A plan about surfaces contains nothing.
    let path = plan(&folder, "surfaces", &[&"--surfaces"], Some(1));
    let line = stdout(0, &[&"work", &path, &"--all"]);
    assert!(line.contains("365 part pairs tested, 9 clashing. Written to"), "{line}");
}

#[test]
fn a_task_that_was_not_done_is_named() {
    let folder = Folder::new();
    let plan = done(&folder);
    fs::remove_file(plan.join("results/1")).unwrap();
    let said = error(&[&"merge", &plan]);
    assert!(said.contains("task 1 of 3 has no result"), "{said}");
    // A half-written file of a killed worker does not count.
    fs::write(plan.join("results/.impinge-1"), "half").unwrap();
    fs::remove_file(plan.join("results/2")).unwrap();
    let said = error(&[&"merge", &plan]);
    assert!(said.contains("2 tasks of 3 have no result: 1, 2"), "{said}");
    // Only what is missing is done.
    let said = stdout(0, &[&"work", &plan, &"--all"]);
    assert!(said.starts_with("Task 1 of 3: ") && said.lines().count() == 2, "{said}");
    assert_eq!(stdout(0, &[&"work", &plan, &"--all"]), "Nothing left to do: all 3 tasks have results.\n");
    run(1, &[&"merge", &plan]);
    // An empty folder may be lost on the way to another machine.
    fs::remove_dir_all(plan.join("results")).unwrap();
    assert!(error(&[&"merge", &plan]).contains("3 tasks of 3 have no result: 0, 1, 2"));
    run(0, &[&"work", &plan, &"--all"]);
    run(1, &[&"merge", &plan]);
}

#[test]
fn a_result_of_something_else_is_refused() {
    let folder = Folder::new();
    let plan = done(&folder);
    let result = |k: u32| plan.join(format!("results/{k}"));
    let [zero, one] = [0, 1].map(|k| fs::read(result(k)).unwrap());
    fs::write(result(0), &one).unwrap();
    let said = error(&[&"merge", &plan]);
    assert!(said.contains("results/0: is the result of task 1"), "{said}");
    // A plan of the same parts with another question.
    let five = folder.path("five.obj");
    let other = folder.path("other");
    run(0, &[&"plan", &five, &"-o", &other, &"--tasks", &"3", &"--depth", &"all"]);
    run(0, &[&"work", &other, &"--all"]);
    fs::copy(other.join("results/0"), result(0)).unwrap();
    let said = error(&[&"merge", &plan]);
    assert!(said.contains("results/0: is a result of another plan"), "{said}");
    fs::write(result(0), &zero).unwrap();
    fs::write(plan.join("results/3"), &zero).unwrap();
    assert!(error(&[&"merge", &plan]).contains("results/3: is the result of no task"));
    fs::remove_file(plan.join("results/3")).unwrap();
    run(1, &[&"merge", &plan]);
}

/// A result with other contents, and a digest that fits it.
fn forged(result: &[u8]) -> Vec<u8> {
    let mut bytes = result.to_vec();
    // Behind the digests of plan and task, and four small numbers, are the clashes: the last bytes of one are
    // of its point, or follow it.
    let at = 40 + 64 + 3;
    bytes[at] ^= 1;
    let digest = Sha256::digest(&bytes[40..]);
    bytes[8..40].copy_from_slice(&digest);
    bytes
}

#[test]
fn a_task_that_is_done_twice_gives_the_same() {
    let folder = Folder::new();
    let plan = done(&folder);
    let task = (0..3).max_by_key(|k| fs::metadata(plan.join(format!("results/{k}"))).unwrap().len()).unwrap();
    let path = plan.join(format!("results/{task}"));
    let whole = fs::read(&path).unwrap();
    let again = stdout(0, &[&"work", &plan, &"--task", &task.to_string(), &"--threads", &"2"]);
    assert!(again.contains("The same is in "), "{again}");
    assert_eq!(fs::read(&path).unwrap(), whole);

    let twin = plan.join(format!("results/{task}.node7"));
    fs::write(&twin, &whole).unwrap();
    run(1, &[&"merge", &plan]);
    // Every byte that can be changed without being a damage makes a difference.
    let mut differing = 0;
    for at in 40..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        let digest = Sha256::digest(&bytes[40..]);
        bytes[8..40].copy_from_slice(&digest);
        fs::write(&twin, &bytes).unwrap();
        let said = error(&[&"merge", &plan]);
        assert!(said.contains(&format!("results/{task}.node7: ")), "{said}");
        differing += u32::from(said.contains("done twice must give the same"));
    }
    assert!(differing > 20, "{differing}");
    fs::remove_file(&twin).unwrap();
    // A result that does not cover all pairs of its task.
    fs::write(&path, forged(&whole)).unwrap();
    let said = error(&[&"merge", &plan]);
    assert!(said.contains(&format!("results/{task}: ")), "{said}");
    let said = error(&[&"work", &plan, &"--task", &task.to_string()]);
    assert!(said.contains(&format!("results/{task}: ")), "{said}");
    // Another result.
    let mut other = whole.clone();
    let end = other.len() - 1;
    other[end] ^= 1;
    let digest = Sha256::digest(&other[40..]);
    other[8..40].copy_from_slice(&digest);
    fs::write(&path, &other).unwrap();
    let said = error(&[&"work", &plan, &"--task", &task.to_string()]);
    assert!(
        said.contains("was done twice, and the results differ") || said.contains("is no result"),
        "{said}"
    );
}

#[test]
fn a_worker_takes_nothing_that_is_not_the_plan_s() {
    let folder = Folder::new();
    let plan = done(&folder);
    let all: &[Word<'_>] = &[&"work", &plan, &"--task", &"0-2"];
    let meshes = fs::read_dir(plan.join("meshes")).unwrap().map(|entry| entry.unwrap().path());
    for path in meshes.collect::<Vec<_>>() {
        let whole = fs::read(&path).unwrap();
        let mut bytes = whole.clone();
        *bytes.last_mut().unwrap() ^= 1;
        let name = path.file_name().unwrap().to_str().unwrap();
        for bytes in [bytes, whole[..10].to_vec(), Vec::new()] {
            fs::write(&path, bytes).unwrap();
            // The results of other tasks stay, and are printed.
            let said = String::from_utf8(run(2, all).stderr).unwrap();
            assert!(said.contains(name) && said.contains("damaged"), "{said}");
        }
        fs::remove_file(&path).unwrap();
        let output = run(2, all);
        assert!(String::from_utf8(output.stderr).unwrap().contains(name));
        fs::write(&path, &whole).unwrap();
    }
    for (task, said) in [("3", "no task 3: the plan has 3"), ("1-4000000000", "no task 4000000000")] {
        let error = error(&[&"work", &plan, &"--task", &task]);
        assert!(error.contains(said), "{error}");
    }
    for wrong in [&["--task", "x"][..], &["--task", "0", "--all"], &[]] {
        let wrong: Vec<Word<'_>> = wrong.iter().map(|word| word as Word<'_>).collect();
        run(2, &words(&[&[&"work", &plan], &wrong]));
    }
    assert!(error(&[&"work", &folder.path("absent"), &"--all"]).contains("plan.json"));
}

/// Files that were made by an enemy, with digests that fit.
#[test]
fn hostile_plans_are_errors() {
    let folder = Folder::new();
    let plan = done(&folder);
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(plan.join("plan.json")).unwrap()).unwrap();
    let write =
        |manifest: &serde_json::Value| fs::write(plan.join("plan.json"), manifest.to_string()).unwrap();
    let task = fs::read(plan.join("tasks/0")).unwrap();
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    let hostile = [
        huge.to_vec(),
        vec![0xff; 100],
        [&[0][..], &huge].concat(),
        [&[0, 0][..], &huge].concat(),
        vec![0, 0, 1, 0, 1, 0],
        vec![0, 0, 1, 5, 5, 0],
        Vec::new(),
        task[..task.len() / 2].to_vec(),
    ];
    for bytes in hostile {
        fs::write(plan.join("tasks/0"), &bytes).unwrap();
        let mut manifest = manifest.clone();
        let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        manifest["tasks"][0]["digest"] = digest.into();
        write(&manifest);
        let said = error(&[&"work", &plan, &"--task", &"0"]);
        assert!(said.contains("tasks/0: is no task"), "{said}");
    }
    for (field, value, expected) in [
        ("layout", 9999.into(), "plan of impinge"),
        ("impinge", "9.9.9".into(), "plan of impinge 9.9.9"),
        ("parts", u64::MAX.into(), "more parts"),
        ("pairs", 1_000_000.into(), "another number of pairs"),
        ("files", serde_json::json!([]), "another plan"),
        ("question", serde_json::json!({}), "is no plan"),
        ("more", 1.into(), "is no plan"),
        ("about", serde_json::json!({"across": {"second": 6}}), "behind the last part"),
    ] {
        let mut manifest = manifest.clone();
        manifest[field] = value;
        write(&manifest);
        let said = error(&[&"merge", &plan]);
        assert!(said.contains("plan.json: ") || said.contains("results/0: "), "{field}: {said}");
        assert!(said.contains(expected), "{field}: {said}");
    }
}

#[test]
fn a_plan_is_made_whole_or_not_at_all() {
    let folder = Folder::new();
    let five = folder.file("five.obj", FIVE);
    let [plan, absent] = ["plan", "absent.obj"].map(|name| folder.path(name));
    assert!(error(&[&"plan", &five, &absent, &"-o", &plan]).contains("absent.obj"));
    assert!(!plan.exists());
    // A folder that was there stays, and is empty; so what was wrong can be tried again.
    fs::create_dir(&plan).unwrap();
    assert!(error(&[&"plan", &five, &"-o", &plan, &"--chord", &"nobody=1"]).contains("nobody"));
    assert_eq!(fs::read_dir(&plan).unwrap().count(), 0);
    run(0, &[&"plan", &five, &"-o", &plan]);
    fs::remove_file(plan.join("plan.json")).unwrap();
    // The folder holds no plan, and has no place for another.
    assert!(error(&[&"plan", &five, &"-o", &plan]).contains("the folder is not empty"));
    assert!(error(&[&"merge", &plan]).contains("plan.json"));
    assert!(error(&[&"plan", &five, &"-o", &five]).contains("five.obj"));
    let other = folder.path("other");
    assert!(
        error(&[&"plan", &"--tolerance", &"1", &"--depth", &"none", &"-o", &other])
            .contains("error: tolerance: ")
    );
    assert!(!other.exists());
    assert!(error(&[&"plan", &"--max-parts", &"5", &"-o", &other]).contains("read from no file"));
    for wrong in [&["--tasks", "0"][..], &["--tasks", "3", "--memory", "1G"], &["--memory", "much"]] {
        let mut args: Vec<OsString> = vec!["plan".into(), "-o".into(), other.clone().into()];
        args.extend(wrong.iter().map(OsString::from));
        let output = crate::common::command(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
    }
    // Too many pairs are an error here, too.
    let file = crate::common::coincident(&folder, 200);
    let question: &[Word<'_>] = &[&file, &"--max-pairs", &"19899"];
    let many = folder.path("many");
    run(0, &words(&[&[&"plan"], question, &[&"-o", &many]]));
    run(0, &[&"work", &many, &"--all"]);
    assert_eq!(error(&[&"merge", &many]), error(&words(&[&[&"check"], question])));
    let near: &[Word<'_>] = &[&file, &"--max-pairs", &"19899", &"--clearance", &"1"];
    let many = folder.path("near");
    let said = error(&words(&[&[&"plan"], near, &[&"-o", &many]]));
    assert_eq!(said, error(&words(&[&[&"check"], near])));
    assert!(!many.join("plan.json").exists());
}

/// Boxes that do not fit in memory make the same plan, to the last bit.
#[test]
fn boxes_in_files_make_the_same_plan() {
    let folder = Folder::new();
    let read = |memory: &str| {
        let path = folder.path(memory);
        let cut: &[Word<'_>] = &[&"--tasks", &"5", &"--box-memory", &memory];
        run(0, &words(&[&[&"plan", &"--demo", &"gearbox", &"-o", &path, &"--clearance", &"1"], cut]));
        let mut names: Vec<_> =
            fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort_unstable();
        (names, fs::read_to_string(path.join("plan.json")).unwrap())
    };
    let whole = read("4G");
    for memory in ["6k", "5000", "4k"] {
        assert_eq!(read(memory), whole, "{memory}");
    }
    let path = folder.path("less");
    let said = error(&[&"plan", &"--demo", &"gearbox", &"-o", &path, &"--box-memory", &"100"]);
    assert!(said.contains("box memory must hold that many"), "{said}");
}

/// With a limit of memory that a batch system may set; threads' stacks and the heap's arenas count.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_needs_little_memory() {
    let folder = Folder::new();
    let plan = plan(&folder, "plan", &[&"--demo", &"gearbox"], Some(2));
    for (task, threads) in [("0", "1"), ("1", "2")] {
        let script = r#"ulimit -v 524288 && exec "$0" work "$1" --task "$2" --threads "$3""#;
        let status = std::process::Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_impinge")])
            .arg(&plan)
            .args([task, threads])
            .status()
            .unwrap();
        assert!(status.success());
    }
    run(1, &[&"merge", &plan]);
}
