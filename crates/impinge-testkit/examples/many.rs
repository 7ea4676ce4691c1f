//! Writes the scenes of many bodies, and boxes without bodies, as files for programs in any language.
//! `src/scenes/bytes.rs` describes the formats.
//!
//! `many DIR [--quick]`: every scene of many bodies as NAME.bodies, and boxes.boxes: 100,000 (quick: 10,000)
//! boxes of half sides around 0.01.
use impinge_testkit::scenes::{Boxes, MANY_BODIES, Sources, build_many};
use std::{fs, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let (mut folder, mut quick) = (None, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--quick" => quick = true,
            _ => folder = Some(argument),
        }
    }
    let Some(folder) = folder else {
        eprintln!("usage: many DIR [--quick]");
        return ExitCode::from(2);
    };
    match export(Path::new(&folder), quick) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("many: {folder}: {error}");
            ExitCode::from(2)
        }
    }
}

fn export(folder: &Path, quick: bool) -> Result<(), Box<dyn std::error::Error>> {
    fs::create_dir_all(folder)?;
    for (name, about) in MANY_BODIES {
        // All frames, also of a quick scene: skipping steps would change the motion.
        let scene = build_many(name, &Sources { data: None, quick: false })?;
        fs::write(folder.join(format!("{name}.bodies")), scene.to_bytes())?;
        println!("{name}: {} bodies, {} frames: {about}", scene.bodies.len(), scene.frames.len());
    }
    let boxes = Boxes::new(if quick { 10_000 } else { 100_000 }, 0.01);
    fs::write(folder.join("boxes.boxes"), boxes.to_bytes())?;
    println!("boxes: {}", boxes.boxes.len());
    Ok(())
}
