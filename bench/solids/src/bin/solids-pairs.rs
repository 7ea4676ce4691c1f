//! Writes pairs of solids: `solids-pairs families OUT COUNT SEED`, `real OUT COUNT FILE...`,
//! `spheres OUT FROM TO`, `points OUT COUNT SEED [DATA]`.
use contract::{
    complain,
    pairs::{write_pairs, write_points},
};
use solids::{families, points, real};
use std::{path::Path, process::ExitCode};

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn run(words: &[String]) -> Result<(), String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is not a number"));
    match *words {
        ["families", out, count, seed] => {
            write_pairs(Path::new(out), &families::pairs(number(seed)?, number(count)? as usize))
        }
        ["real", out, count, ref files @ ..] => {
            let mut pairs = Vec::new();
            for file in files {
                let (some, all) = real::parts(Path::new(file), number(count)? as usize)?;
                println!("{file}: {} of {all} pairs", some.len());
                pairs.extend(some);
            }
            write_pairs(Path::new(out), &pairs)
        }
        ["spheres", out, from, to] => {
            let levels = number(from)? as u32..=number(to)? as u32;
            write_pairs(Path::new(out), &real::spheres(levels))
        }
        ["points", out, count, seed, ref data @ ..] => {
            let data = data.first().map(Path::new);
            write_points(Path::new(out), &points::sets(number(seed)?, number(count)? as usize, data)?)
        }
        _ => Err("usage: solids-pairs families OUT COUNT SEED | real OUT COUNT FILE... | \
                  spheres OUT FROM TO | points OUT COUNT SEED [DATA]"
            .to_owned()),
    }
}
