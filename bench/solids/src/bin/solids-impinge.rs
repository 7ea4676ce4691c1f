//! What impinge says: `solids-impinge relation FILE`, `locate FILE`, `race FILE PASSES
//! high|on-demand`.
//!
//! A relation is a line: pair, kind, whether surfaces meet, microseconds of the first question. Points are a
//! line of a set: its name, and a letter a point, of `i`, `o` and `s`. A race is a line a pair: pair, kind,
//! and medians in microseconds of processor time of the query alone, and from the meshes on.
use contract::{
    complain,
    pairs::{Pair, read_pairs, read_points},
    spent,
};
use impinge::{Body, BuildOptions, Location, Model, Pose, Quality, Query};
use solids::{mesh, model, name, pose};
use std::{fmt::Write as _, io::Write as _, process::ExitCode};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let text =
        match *words {
            ["relation", file] => relations(file),
            ["locate", file] => locations(file),
            ["race", file, passes, quality] => race(file, passes, quality),
            _ => Err("usage: solids-impinge relation FILE | locate FILE | race FILE PASSES high|on-demand"
                .to_owned()),
        };
    match text.and_then(|text| std::io::stdout().write_all(text.as_bytes()).map_err(|e| e.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn head() -> String {
    let flags = contract::compiled_by();
    format!("#engine\timpinge\n#version\tthis tree (see the revision of the record)\n#flags\t{flags}\n")
}

fn microseconds(from: std::time::Duration) -> Result<f64, String> {
    Ok((spent()? - from).as_secs_f64() * 1e6)
}

fn relations(file: &str) -> Result<String, String> {
    let (mut text, mut query) = (head(), Query::new());
    for (index, Pair { bodies, .. }) in read_pairs(file)?.iter().enumerate() {
        let start = spent()?;
        let models = [model(&bodies[0])?, model(&bodies[1])?];
        let poses = [pose(&bodies[0].pose)?, pose(&bodies[1].pose)?];
        let [a, b] = [0, 1].map(|k| Body::new(&models[k], poses[k]));
        let found = query.relation(&a, &b);
        let us = microseconds(start)?;
        // What is written to a string is.
        let _ = writeln!(text, "{index}\t{}\t{}\t{us:.1}", name(found.kind), u8::from(found.touching));
    }
    Ok(text)
}

fn locations(file: &str) -> Result<String, String> {
    let (mut text, mut query) = (head(), Query::new());
    for set in read_points(file)? {
        let model = Model::new(mesh(&set.mesh)?, &BuildOptions::default());
        let body = Body::new(&model, Pose::IDENTITY);
        let start = spent()?;
        let letter = |location: &Location| match location {
            Location::Inside => 'i',
            Location::Outside => 'o',
            Location::OnSurface => 's',
            Location::Undefined => '?',
        };
        let letters: String = query.locate(&body, &set.points).iter().map(letter).collect();
        let _ = writeln!(text, "{}\t{letters}\t{:.0}", set.name, microseconds(start)?);
    }
    Ok(text)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { (values[half - 1] + values[half]) / 2.0 }
}

fn race(file: &str, passes: &str, quality: &str) -> Result<String, String> {
    let quality = Quality::ALL.iter().copied().find(|known| known.name() == quality);
    let options = BuildOptions::new().quality(quality.ok_or("no such quality")?);
    let passes: usize = passes.parse().map_err(|_| format!("`{passes}` is no number"))?;
    let pairs = read_pairs(file)?;
    let count = pairs.len();
    let (mut query, mut text) = (Query::new(), head());
    let mut made = Vec::new();
    for Pair { bodies, .. } in &pairs {
        let one = |k: usize| {
            Ok::<_, String>((Model::new(mesh(&bodies[k].mesh)?, &options), pose(&bodies[k].pose)?))
        };
        made.push([one(0)?, one(1)?]);
    }
    let (mut kinds, mut alone, mut whole) =
        (vec![""; count], vec![Vec::new(); count], vec![Vec::new(); count]);
    // Whole passes, so that no pair is raced on again right after itself; the first is not timed.
    for pass in 0..=passes {
        for (index, pair) in made.iter().enumerate() {
            let [a, b] = [0, 1].map(|k| Body::new(&pair[k].0, pair[k].1));
            let start = spent()?;
            let found = query.relation(&a, &b);
            let us = microseconds(start)?;
            kinds[index] = name(found.kind);
            if pass > 0 {
                alone[index].push(us);
            }
        }
    }
    for pass in 0..=passes {
        for (index, pair) in made.iter().enumerate() {
            // A copy of the mesh is not of the question.
            let meshes = [0, 1].map(|k| pair[k].0.mesh().clone());
            let start = spent()?;
            let models = meshes.map(|mesh| Model::new(mesh, &options));
            let [a, b] = [0, 1].map(|k| Body::new(&models[k], pair[k].1));
            let found = query.relation(&a, &b);
            let us = microseconds(start)?;
            if name(found.kind) != kinds[index] {
                return Err(format!("pair {index}: another answer than before"));
            }
            if pass > 0 {
                whole[index].push(us);
            }
        }
    }
    for index in 0..count {
        let (alone, whole) = (median(&mut alone[index]), median(&mut whole[index]));
        let _ = writeln!(text, "{index}\t{}\t{alone:.2}\t{whole:.2}", kinds[index]);
    }
    Ok(text)
}
