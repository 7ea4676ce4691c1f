//! Lists the scenes of the benchmarks, and writes them as files for programs in any language.
//!
//! `scenes list`; `scenes export NAME... --out DIR [--data DIR] [--quick] [--near | --steps]` writes
//! NAME.scene, whose format `src/scenes/bytes.rs` describes, and NAME.tsv with its description:
//! `#key<TAB>value`, then a line per group: label, distance or `-`, first frame, first frame after it. `all`
//! means all scenes of two meshes.
//!
//! With `--near` the meshes of some frames are moved apart (`src/scenes/gaps.rs`); NAME.tsv then has `#size`,
//! and a line per frame: frame, the scene's own frame, label, margin or `-`, factor or `-`, and the two ends
//! of the distance. With `--steps` they stay near each other and move little (`src/scenes/steps.rs`); a line
//! also has the movement of the second mesh since the frame before, relative to the size.
use impinge_testkit::scenes::{Error, MANY_BODIES, Scene, Sources, build, catalogue, gaps, steps};
use std::{fs, path::Path, path::PathBuf, process::ExitCode};

const USAGE: &str =
    "usage: scenes list | scenes export NAME...|all --out DIR [--data DIR] [--quick] [--near | --steps]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.split_first() {
        Some((verb, [])) if verb == "list" => {
            list();
            Ok(())
        }
        Some((verb, rest)) if verb == "export" => export(rest),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("scenes: {message}");
            ExitCode::from(2)
        }
    }
}

fn list() {
    for entry in catalogue() {
        println!("{}\t{}\t{}", entry.name, entry.family.name(), entry.about);
    }
    for (name, about) in MANY_BODIES {
        println!("{name}\tmany-bodies\t{about}");
    }
}

fn export(arguments: &[String]) -> Result<(), String> {
    let (mut names, mut out, mut data, mut quick) = (Vec::new(), None, None, false);
    let (mut near, mut in_steps) = (false, false);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut folder =
            || rest.next().map(PathBuf::from).ok_or(format!("{argument} needs a folder; {USAGE}"));
        match argument.as_str() {
            "--out" => out = Some(folder()?),
            "--data" => data = Some(folder()?),
            "--quick" => quick = true,
            "--near" => near = true,
            "--steps" => in_steps = true,
            "all" => names.extend(catalogue().map(|e| e.name)),
            option if option.starts_with('-') => return Err(format!("unknown option {option}; {USAGE}")),
            name => names.push(name),
        }
    }
    let out = out.ok_or(format!("--out is missing; {USAGE}"))?;
    if names.is_empty() {
        return Err(format!("a scene name is missing; {USAGE}"));
    }
    if near && in_steps {
        return Err(format!("--near and --steps exclude each other; {USAGE}"));
    }
    // Checked before any work is done.
    for name in &names {
        if MANY_BODIES.iter().any(|(n, _)| n == name) {
            return Err(format!("{name} has many bodies, but a scene file has two"));
        }
        if !catalogue().any(|e| e.name == *name) {
            return Err(format!("{}; `scenes list` lists them", Error::Unknown((*name).to_owned())));
        }
    }
    fs::create_dir_all(&out).map_err(|e| format!("{}: cannot be created: {e}", out.display()))?;
    let sources = Sources { data: data.as_deref(), quick };
    for name in names {
        let mut scene = build(name, &sources).map_err(|e| format!("{name}: {e}"))?;
        let mut told = about(&scene);
        if near {
            let (moved, frames) =
                gaps::with_gaps(&scene, if quick { 2 } else { 8 }).map_err(|e| e.to_string())?;
            scene = moved;
            told = about(&scene) + &about_gaps(&scene, &frames);
        } else if in_steps {
            let (moved, frames) =
                steps::in_steps(&scene, if quick { 1 } else { 8 }).map_err(|e| e.to_string())?;
            scene = moved;
            told = about(&scene) + &about_steps(&scene, &frames);
        }
        write(&out.join(format!("{name}.scene")), &scene.to_bytes())?;
        write(&out.join(format!("{name}.tsv")), told.as_bytes())?;
        let [a, b] = scene.meshes.each_ref().map(|m| m.len());
        let note = scene.stand_in.map(|what| format!("; {what}")).unwrap_or_default();
        println!("{name}: {a} and {b} triangles, {} frames{note}", scene.frames.len());
    }
    Ok(())
}

fn about(scene: &Scene) -> String {
    let mut text = format!(
        "#name\t{}\n#family\t{}\n#about\t{}\n#stand_in\t{}\n",
        scene.name,
        scene.family.name(),
        scene.about,
        scene.stand_in.as_deref().unwrap_or("-")
    );
    for group in &scene.groups {
        let distance = group.distance.map_or("-".to_owned(), |d| d.to_string());
        let (start, end) = (group.frames.start, group.frames.end);
        text += &format!("{}\t{distance}\t{start}\t{end}\n", group.label);
    }
    text
}

fn about_gaps(scene: &Scene, frames: &[gaps::Spaced]) -> String {
    let mut text = format!("#size\t{:?}\n", gaps::size(scene));
    for (frame, spaced) in frames.iter().enumerate() {
        text += &format!("{}\n", about_gap(frame, spaced));
    }
    text
}

fn about_gap(frame: usize, gaps::Spaced { from, label, margin, gap: [lo, hi] }: &gaps::Spaced) -> String {
    let margin = margin.map_or("-\t-".to_owned(), |[margin, factor]| format!("{margin:?}\t{factor:?}"));
    format!("{frame}\t{from}\t{label}\t{margin}\t{lo:?}\t{hi:?}")
}

fn about_steps(scene: &Scene, frames: &[steps::Step]) -> String {
    let mut text = format!("#size\t{:?}\n", gaps::size(scene));
    for (frame, step) in frames.iter().enumerate() {
        text += &format!("{}\t{:?}\n", about_gap(frame, &step.spaced), step.moved);
    }
    text
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|e| format!("{}: cannot be written: {e}", path.display()))
}
