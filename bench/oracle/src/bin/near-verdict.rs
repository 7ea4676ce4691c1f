//! Checks distances: `near-verdict SCENE MOST MARGIN[,MARGIN...] FRAME[,FRAME...]`. For every pair of
//! triangles whose boxes are as near as impinge's distance of the bodies, the distance is computed
//! separately, without a tree. Prints a line per frame: frame, the two ends of impinge's interval, those of
//! the least of these pairs, the number of pairs, and `agrees`, `contradicts`, or, for more than MOST pairs,
//! `unsettled`.
use contract::{Frame, Mesh, Scene, complain};
use impinge::{
    Body, Model, Pose, Query, brute_force,
    distance::{Accuracy, Margin},
};
use std::{fmt::Write as _, io::Write as _, process::ExitCode};

fn main() -> ExitCode {
    let print = |text: String| std::io::stdout().write_all(text.as_bytes());
    match run().and_then(|text| print(text).map_err(|error| error.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn run() -> Result<String, String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [path, most, margins, frames] = words.as_slice() else {
        return Err("usage: near-verdict SCENE MOST MARGIN[,MARGIN...] FRAME[,FRAME...]".to_owned());
    };
    let bad = |text: &str| format!("`{text}` is not a number");
    let margin = |text: &str| Margin::new(text.parse().map_err(|_| bad(text))?).map_err(|e| e.to_string());
    let margins: Vec<Margin> = margins.split(',').map(margin).collect::<Result<_, _>>()?;
    let most: usize = most.parse().map_err(|_| bad(most))?;
    let scene = Scene::read(path)?;
    let mut sides = [Side::new(&scene.a)?, Side::new(&scene.b)?];
    let mut text = String::new();
    for number in frames.split(',') {
        let frame = number.parse().ok().and_then(|k: usize| scene.frames.get(k));
        let line = judge(&mut sides, frame.ok_or_else(|| bad(number))?, &margins, most)?;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{number}\t{line}");
    }
    Ok(text)
}

/// A mesh, its tree, and the models of single triangles, made on first use.
struct Side {
    corners: Vec<[[f64; 3]; 3]>,
    whole: Model,
    alone: Vec<Option<Model>>,
}

/// A triangle at its pose: its box, and its reach along the line of the nearest points.
struct Placed {
    lo: [f64; 3],
    hi: [f64; 3],
    along: [f64; 2],
    index: usize,
}

impl Side {
    fn new(mesh: &Mesh) -> Result<Self, String> {
        let corners: Vec<_> = mesh.triangles.iter().map(|t| t.map(|i| mesh.points[i as usize])).collect();
        let whole = impinge::Mesh::new(mesh.points.clone(), mesh.triangles.clone());
        let whole = Model::new(whole.map_err(|error| error.to_string())?);
        let alone = corners.iter().map(|_| None).collect();
        Ok(Self { corners, whole, alone })
    }
    fn placed(&self, pose: &Pose, line: [f64; 3]) -> Vec<Placed> {
        let place = |(index, corners): (usize, &[[f64; 3]; 3])| {
            let at = corners.map(|v| pose.place(v));
            let least = |k: usize| at.iter().map(|v| v[k]).fold(f64::INFINITY, f64::min);
            let most = |k: usize| at.iter().map(|v| v[k]).fold(f64::NEG_INFINITY, f64::max);
            let along = at.map(|v| (0..3).map(|k| v[k] * line[k]).sum::<f64>());
            let ends = [
                along.iter().copied().fold(f64::INFINITY, f64::min),
                along.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            ];
            Placed { lo: [0, 1, 2].map(least), hi: [0, 1, 2].map(most), along: ends, index }
        };
        self.corners.iter().enumerate().map(place).collect()
    }
    fn alone(&mut self, index: usize) -> Result<(), String> {
        if self.alone[index].is_none() {
            let mesh = impinge::Mesh::new(self.corners[index].to_vec(), vec![[0, 1, 2]]);
            let mesh = mesh.map_err(|error| error.to_string())?;
            self.alone[index] = Some(Model::new(mesh));
        }
        Ok(())
    }
}

fn judge(sides: &mut [Side; 2], frame: &Frame, margins: &[Margin], most: usize) -> Result<String, String> {
    let pose = |k: usize| Pose::rigid(frame[k].rows, frame[k].translation).map_err(|e| e.to_string());
    let poses = [pose(0)?, pose(1)?];
    let bodies = [0, 1].map(|k| Body::new(&sides[k].whole, poses[k]));
    let mut query = Query::new();
    let ours = query.distance(&bodies[0], &bodies[1]).ok_or("a mesh is empty")?;
    let near: Vec<bool> = margins.iter().map(|&m| query.within(&bodies[0], &bodies[1], m)).collect();

    let between = [0, 1, 2].map(|k| ours.points[1][k] - ours.points[0][k]);
    let length = between.iter().map(|x| x * x).sum::<f64>().sqrt();
    let line = if length > 0.0 { between.map(|x| x / length) } else { [1.0, 0.0, 0.0] };
    let [a, mut b] = [0, 1].map(|k| sides[k].placed(&poses[k], line));
    b.sort_by(|x, y| x.along[0].total_cmp(&y.along[0]));
    let longest = b.iter().map(|t| t.along[1] - t.along[0]).fold(0.0, f64::max);
    let far = a.iter().chain(&b).flat_map(|t| t.lo.iter().chain(&t.hi)).fold(0.0, |m: f64, x| m.max(x.abs()));
    // Far more than the rounding of the pose.
    let reach = ours.hi + 1e-9 * (far + ours.hi);
    let mut pairs = Vec::new();
    'all: for s in &a {
        let first = b.partition_point(|t| t.along[0] < s.along[0] - reach - longest);
        for t in b[first..].iter().take_while(|t| t.along[0] <= s.along[1] + reach) {
            let gap = [0, 1, 2].map(|k| (t.lo[k] - s.hi[k]).max(s.lo[k] - t.hi[k]).max(0.0));
            if gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2] <= reach * reach {
                pairs.push([s.index, t.index]);
                if pairs.len() > most {
                    break 'all;
                }
            }
        }
    }
    let ends = format!("{:?}\t{:?}", ours.lo, ours.hi);
    if pairs.len() > most {
        return Ok(format!("{ends}\t-\t-\t{}\tunsettled", pairs.len()));
    }
    let mut least = [f64::INFINITY; 2];
    for &pair in &pairs {
        for (side, index) in sides.iter_mut().zip(pair) {
            side.alone(index)?;
        }
        let [x, y] = [0, 1].map(|k| sides[k].alone[pair[k]].as_ref().map(|model| Body::new(model, poses[k])));
        let found = x.zip(y).and_then(|(x, y)| brute_force::distance(&x, &y, Accuracy::new()));
        let found = found.ok_or("a triangle without a distance")?;
        least = [least[0].min(found.lo), least[1].min(found.hi)];
    }
    let holds = least[0] <= ours.hi && ours.lo <= least[1];
    let decided = |(margin, near): (&Margin, &bool)| {
        if *near { least[0] <= margin.get() } else { least[1] > margin.get() }
    };
    let word = if holds && margins.iter().zip(&near).all(decided) { "agrees" } else { "contradicts" };
    Ok(format!("{ends}\t{:?}\t{:?}\t{}\t{word}", least[0], least[1], pairs.len()))
}
