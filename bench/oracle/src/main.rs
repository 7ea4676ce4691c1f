//! Decides which pairs truly intersect: `verdict SCENE` reads lines "frame, triangle of a, triangle of b" on
//! stdin, and prints them with 0 or 1 at the end on stdout. It uses the testkit's oracle, which shares
//! neither method nor arithmetic with the library.
use contract::{Mesh, Scene, complain};
use impinge::Pose;
use impinge_testkit::oracle;
use std::{
    fmt::Write as _,
    io::{Read as _, Write as _},
    process::ExitCode,
};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn run() -> Result<(), String> {
    let mut words = std::env::args().skip(1);
    let (Some(path), None) = (words.next(), words.next()) else {
        return Err("usage: verdict SCENE < PAIRS".to_owned());
    };
    let scene = Scene::read(&path)?;
    let mut asked = String::new();
    std::io::stdin().read_to_string(&mut asked).map_err(|error| format!("standard input: {error}"))?;
    let mut answers = String::new();
    for (number, line) in asked.lines().enumerate() {
        let truth =
            decide(&scene, line).map_err(|why| format!("standard input: line {}: {why}", number + 1))?;
        let _ = writeln!(answers, "{line}\t{}", u8::from(truth));
    }
    std::io::stdout()
        .lock()
        .write_all(answers.as_bytes())
        .map_err(|error| format!("standard output: {error}"))
}

fn decide(scene: &Scene, line: &str) -> Result<bool, String> {
    let numbers: Vec<usize> = line
        .split('\t')
        .map(str::parse)
        .collect::<Result<_, _>>()
        .map_err(|_| format!("no numbers: `{line}`"))?;
    let &[frame, i, j] = numbers.as_slice() else {
        return Err(format!("not a frame and two triangles: `{line}`"));
    };
    let frame = scene.frames.get(frame).ok_or("no such frame")?;
    let corners = |mesh: &Mesh, i: usize| {
        let triangle = mesh.triangles.get(i).ok_or("no such triangle")?;
        Ok::<_, &str>(triangle.map(|v| mesh.points[v as usize]))
    };
    // Affine, as the oracle accepts any pose: it must not refuse a pose that a runner accepted.
    let pose =
        |k: usize| Pose::affine(frame[k].rows, frame[k].translation).map_err(|error| error.to_string());
    Ok(oracle::intersects(&corners(&scene.a, i)?, &pose(0)?, &corners(&scene.b, j)?, &pose(1)?))
}
