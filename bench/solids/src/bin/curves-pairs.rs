//! Pairs of small meshes that meet, and impinge's intersection curves: `curves-pairs OUT COUNT SEED` writes
//! OUT.pairs and OUT.txt. The text has lines of words for each pair; numbers written `x` are bits of f64 in
//! hexadecimal: `pair NUMBER SELF_CROSSING`, `total x x x x` (length, area), `node x y z`, `line KIND CLOSED
//! x x NODES`, `patch x x PAIRS` (t:u each), `border CLOSED NODES` of the patch before, `point NODE`.
use contract::{complain, pairs::Pair, pairs::write_pairs};
use impinge::{
    Body, Query,
    curves::{Curves, Line, LineKind},
};
use solids::{families, model, near, pose};
use std::{fmt::Write as _, path::Path, process::ExitCode};

/// Above this many pairs of triangles exact numbers take too long.
const LARGEST: usize = 20_000;

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn run(words: &[String]) -> Result<(), String> {
    let [out, count, seed] = words else {
        return Err("usage: curves-pairs OUT COUNT SEED".to_owned());
    };
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is not a number"));
    let (count, seed) = (number(count)? as usize, number(seed)?);
    let (mut text, mut query) = (String::new(), Query::new());
    let mut kept = Vec::new();
    // Solids, and one in three of the pairs made for distances: slivers, segments, points, other sizes.
    let solids = families::pairs(seed, 3 * count).into_iter();
    let others = near::pairs(seed, 20 * count).into_iter();
    for (from, wanted) in [(solids.collect::<Vec<Pair>>(), count - count / 3), (others.collect(), count)] {
        for pair in from {
            if kept.len() == wanted {
                break;
            }
            let [a, b] = &pair.bodies;
            if a.mesh.triangles.len() * b.mesh.triangles.len() > LARGEST {
                continue;
            }
            // Poses that impinge refuses are skipped: some of the scaled ones overflow.
            let (Ok(model_a), Ok(model_b)) = (model(a), model(b)) else { continue };
            let (Ok(pose_a), Ok(pose_b)) = (pose(&a.pose), pose(&b.pose)) else { continue };
            let curves = query.curves(&Body::new(&model_a, pose_a), &Body::new(&model_b, pose_b));
            if curves.is_empty() {
                continue;
            }
            write(&mut text, kept.len(), curves);
            kept.push(pair);
        }
        if kept.len() != wanted {
            return Err(format!("only {} of {wanted} pairs meet", kept.len()));
        }
    }
    let path = |end: &str| format!("{out}.{end}");
    write_pairs(Path::new(&path("pairs")), &kept)?;
    std::fs::write(path("txt"), text).map_err(|error| format!("{}: {error}", path("txt")))
}

fn write(text: &mut String, number: usize, curves: &Curves) {
    let _ = writeln!(text, "pair {number} {}", u8::from(curves.self_crossing()));
    let _ = writeln!(text, "total{}{}", bits(&curves.length()), bits(&curves.area()));
    for node in curves.nodes() {
        let _ = writeln!(text, "node{}", bits(&node.point));
    }
    for line in curves.lines() {
        let kind = match line.kind {
            LineKind::Crossing => "crossing",
            LineKind::Edge => "edge",
            LineKind::Mixed => "mixed",
        };
        let _ = writeln!(text, "line {kind} {}{}{}", u8::from(line.closed), bits(&line.length), nodes(&line));
    }
    for patch in curves.patches() {
        let _ = write!(text, "patch{}", bits(&patch.area()));
        for [t, u] in patch.pairs() {
            let _ = write!(text, " {t}:{u}");
        }
        text.push('\n');
        for line in patch.border() {
            let _ = writeln!(text, "border {}{}", u8::from(line.closed), nodes(&line));
        }
    }
    for node in curves.points() {
        let _ = writeln!(text, "point {node}");
    }
}

fn bits(numbers: &[f64]) -> String {
    numbers.iter().map(|x| format!(" {:x}", x.to_bits())).collect()
}

fn nodes(line: &Line<'_>) -> String {
    line.nodes.iter().map(|node| format!(" {node}")).collect()
}
