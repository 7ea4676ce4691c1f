//! Pairs of small meshes, and impinge's distances: `near-pairs OUT COUNT SEED` writes OUT.pairs and OUT.tsv,
//! a line per pair: number, the two ends of the interval, those of the exact one, and for the exact one's
//! ends and their neighbours margin, `within`, and whether there is a distance of at most that margin, joined
//! by colons. Numbers are bits of f64, in hexadecimal.
use contract::{Pose, complain, pairs::write_pairs};
use impinge::{
    Body, Query,
    distance::{Accuracy, Margin},
};
use solids::{model, near, pose};
use std::{fmt::Write as _, path::Path, process::ExitCode};

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn run(words: &[String]) -> Result<(), String> {
    let [out, count, seed] = words else {
        return Err("usage: near-pairs OUT COUNT SEED".to_owned());
    };
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is not a number"));
    let mut pairs = near::pairs(number(seed)?, number(count)? as usize);
    // Poses that impinge refuses are skipped: some of the scaled ones overflow.
    pairs.retain(|pair| pair.bodies.iter().all(|body| pose(&body.pose).is_ok() && model(body).is_ok()));
    let (mut text, mut query) = (String::new(), Query::new());
    let of = |error: impinge::Error| error.to_string();
    for (index, pair) in pairs.iter().enumerate() {
        let models = [model(&pair.bodies[0])?, model(&pair.bodies[1])?];
        let at = |pose_of: &Pose| pose(pose_of);
        let poses = [at(&pair.bodies[0].pose)?, at(&pair.bodies[1].pose)?];
        let [a, b] = [0, 1].map(|k| Body::new(&models[k], poses[k]));
        let none = || format!("pair {index}: no distance");
        let gap = query.distance(&a, &b).ok_or_else(none)?;
        let exact = query.with_accuracy(Accuracy::new().exact()).distance(&a, &b).ok_or_else(none)?;
        let _ = write!(text, "{index}");
        for x in [gap.lo, gap.hi, exact.lo, exact.hi] {
            let _ = write!(text, "\t{:x}", x.to_bits());
        }
        let mut margins = vec![exact.lo.next_down().max(0.0), exact.lo, exact.hi, exact.hi.next_up()];
        margins.retain(|x| x.is_finite());
        margins.dedup();
        for d in margins {
            let margin = Margin::new(d).map_err(of)?;
            let near = query.within(&a, &b, margin);
            let told = query.with_accuracy(Accuracy::new().above(margin)).distance(&a, &b).is_some();
            let _ = write!(text, "\t{:x}:{}:{}", d.to_bits(), u8::from(near), u8::from(told));
        }
        text.push('\n');
    }
    let path = |end: &str| format!("{out}.{end}");
    write_pairs(Path::new(&path("pairs")), &pairs)?;
    std::fs::write(path("tsv"), text).map_err(|error| format!("{}: {error}", path("tsv")))
}
