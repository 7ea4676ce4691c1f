//! Results of impinge: `solids-impinge relation FILE`, `volumes FILE`, `locate FILE`, `race relation|volume
//! FILE PASSES high|on-demand`, `ourselves FILE PASSES`.
//!
//! A relation is a line: pair, kind, whether surfaces meet, microseconds of the first query. A volume is a
//! line: pair, the interval's two ends (`none` and `-` if there is none), whether both meshes are embedded
//! two-manifolds, the volume of the common part of both bodies' boxes, that of the smaller body's box,
//! microseconds of the first query. Points are a line per set: its name, and a letter per point, `i`, `o` or
//! `s`. `solids::race` describes the output of the others.
use contract::{
    complain,
    pairs::{Pair, Solid, read_pairs, read_points},
    spent,
};
use impinge::{Body, Model, Pose, Query, penetration::PenetrationParts, solid::Location};
use solids::{
    mesh, model, name, pose,
    race::{interval, microseconds, ourselves, race},
};
use std::{fmt::Write as _, io::Write as _, process::ExitCode};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let text = match *words {
        ["relation", file] => relations(file),
        ["volumes", file] => volumes(file),
        ["locate", file] => locations(file),
        ["race", question, file, passes, quality] => race(question, file, passes, quality),
        ["ourselves", file, passes] => ourselves(file, passes),
        _ => Err("usage: solids-impinge relation FILE | volumes FILE | locate FILE | \
                  race relation|volume FILE PASSES high|on-demand | ourselves FILE PASSES"
            .to_owned()),
    };
    let print = |text: String| std::io::stdout().write_all((head() + &text).as_bytes());
    match text.and_then(|text| print(text).map_err(|error| error.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn head() -> String {
    let flags = contract::compiled_by();
    format!("#engine\timpinge\n#version\tthis tree (see the revision of the record)\n#flags\t{flags}\n")
}

fn relations(file: &str) -> Result<String, String> {
    let (mut text, mut query) = (String::new(), Query::new());
    for (index, Pair { bodies, .. }) in read_pairs(file)?.iter().enumerate() {
        let start = spent()?;
        let models = [model(&bodies[0])?, model(&bodies[1])?];
        let poses = [pose(&bodies[0].pose)?, pose(&bodies[1].pose)?];
        let [a, b] = [0, 1].map(|k| Body::new(&models[k], poses[k]));
        let found = query.relation(&a, &b);
        let us = microseconds(start)?;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{index}\t{}\t{}\t{us:.1}", name(found.kind), u8::from(found.touching));
    }
    Ok(text)
}

fn volumes(file: &str) -> Result<String, String> {
    let (mut text, mut query) = (String::new(), Query::new());
    let wanted = PenetrationParts::new().overlap_volume(true);
    for (index, Pair { bodies, .. }) in read_pairs(file)?.iter().enumerate() {
        let start = spent()?;
        let models = [model(&bodies[0])?, model(&bodies[1])?];
        let poses = [pose(&bodies[0].pose)?, pose(&bodies[1].pose)?];
        let [a, b] = [0, 1].map(|k| Body::new(&models[k], poses[k]));
        let found = query.penetration(&a, &b, &wanted).overlap_volume;
        let us = microseconds(start)?;
        let ends = interval(found).replace(' ', "\t");
        let none = if found.is_none() { "\t-" } else { "" };
        let embedded = u8::from(bodies.iter().all(|body| body.manifold));
        let boxes = [0, 1].map(|k| world_box(&bodies[k], &poses[k]));
        let in_common =
            size([0, 1, 2].map(|k| [boxes[0][k][0].max(boxes[1][k][0]), boxes[0][k][1].min(boxes[1][k][1])]));
        let smaller = size(boxes[0]).min(size(boxes[1]));
        let _ = writeln!(text, "{index}\t{ends}{none}\t{embedded}\t{in_common:?}\t{smaller:?}\t{us:.1}");
    }
    Ok(text)
}

/// The box along the world's axes, as the least and the greatest coordinate of each; rounded.
fn world_box(body: &Solid, pose: &Pose) -> [[f64; 2]; 3] {
    [0, 1, 2].map(|k| {
        let along = || body.mesh.points.iter().map(|&point| pose.place(point)[k]);
        [along().fold(f64::MAX, f64::min), along().fold(f64::MIN, f64::max)]
    })
}

fn size(ends: [[f64; 2]; 3]) -> f64 {
    ends.iter().map(|[lo, hi]| (hi - lo).max(0.0)).product()
}

fn locations(file: &str) -> Result<String, String> {
    let (mut text, mut query) = (String::new(), Query::new());
    for set in read_points(file)? {
        let model = Model::new(mesh(&set.mesh)?);
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
