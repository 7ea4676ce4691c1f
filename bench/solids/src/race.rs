//! impinge in the race: medians of processor time, of the query only, and of everything from the meshes on.
use crate::{mesh, name, pose};
use contract::{
    pairs::{Pair, read_pairs},
    spent,
};
use impinge::{
    Body, BuildOptions, Model, Pose, Quality, Query, penetration::PenetrationParts, relation::RelationKind,
};
use std::{fmt::Write as _, hint::black_box, time::Duration};

/// Result of a pair; it is converted to words outside the clock.
#[derive(Clone, Copy, PartialEq)]
enum Answer {
    Relation(RelationKind),
    Volume(Option<[f64; 2]>),
}

type Question = fn(&mut Query, &Body<'_>, &Body<'_>) -> Answer;

/// Names of the queries.
const QUESTIONS: [(&str, Question); 2] = [
    ("relation", |query, a, b| Answer::Relation(query.relation(a, b).kind)),
    ("volume", |query, a, b| {
        Answer::Volume(query.penetration(a, b, &PenetrationParts::new().overlap_volume(true)).overlap_volume)
    }),
];

/// Against ourselves, a query is repeated until about this much time has passed: the shortest ones take no
/// longer than the clock.
const LEAST: Duration = Duration::from_micros(40);

/// Maximum number of repetitions.
const MOST: u32 = 400;

/// The two numbers of a volume, or the reason that there are none.
pub fn interval(volume: Option<[f64; 2]>) -> String {
    volume.map_or_else(|| "none".to_owned(), |[lo, hi]| format!("{lo:?} {hi:?}"))
}

/// Microseconds of processor time.
///
/// # Errors
/// Returns an error if there is no such clock.
pub fn microseconds(from: Duration) -> Result<f64, String> {
    Ok((spent()? - from).as_secs_f64() * 1e6)
}

/// Two bodies' models and poses.
struct Placed {
    models: [Model; 2],
    poses: [Pose; 2],
}

impl Placed {
    fn new(pair: &Pair, options: &BuildOptions) -> Result<Self, String> {
        let model = |k: usize| Ok::<_, String>(Model::with_options(mesh(&pair.bodies[k].mesh)?, options));
        let pose = |k: usize| pose(&pair.bodies[k].pose);
        Ok(Self { models: [model(0)?, model(1)?], poses: [pose(0)?, pose(1)?] })
    }
    fn bodies(&self) -> [Body<'_>; 2] {
        [0, 1].map(|k| Body::new(&self.models[k], self.poses[k]))
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { (values[half - 1] + values[half]) / 2.0 }
}

fn passes_of(word: &str) -> Result<usize, String> {
    word.parse()
        .ok()
        .filter(|&passes| passes > 0)
        .ok_or_else(|| format!("`{word}` is not a number of passes"))
}

/// A line per pair: pair, result, and medians in microseconds of the query only, and of everything from the
/// meshes on.
///
/// # Errors
/// Returns an error if the file or the words are invalid, or if a result differs between passes.
pub fn race(question: &str, file: &str, passes: &str, quality: &str) -> Result<String, String> {
    let asked = QUESTIONS.iter().find(|known| known.0 == question).ok_or("there is no such query")?.1;
    let quality = Quality::ALL.iter().copied().find(|known| known.name() == quality);
    let options = BuildOptions::new().quality(quality.ok_or("there is no such quality")?);
    let (passes, mut query, mut text) = (passes_of(passes)?, Query::new(), String::new());
    let made: Vec<_> =
        read_pairs(file)?.iter().map(|pair| Placed::new(pair, &options)).collect::<Result<_, _>>()?;
    let mut answers = vec![Answer::Volume(None); made.len()];
    let (mut alone, mut whole) = (vec![Vec::new(); made.len()], vec![Vec::new(); made.len()]);
    // Whole passes, so that no pair is repeated right after itself; the first is untimed.
    for pass in 0..=passes {
        for (index, pair) in made.iter().enumerate() {
            let [a, b] = pair.bodies();
            let start = spent()?;
            let found = asked(&mut query, &a, &b);
            let us = microseconds(start)?;
            answers[index] = found;
            if pass > 0 {
                alone[index].push(us);
            }
        }
    }
    for pass in 0..=passes {
        for (index, pair) in made.iter().enumerate() {
            // Copying the mesh is not part of the query.
            let meshes = [0, 1].map(|k| pair.models[k].mesh().clone());
            let start = spent()?;
            let models = meshes.map(|mesh| Model::with_options(mesh, &options));
            let [a, b] = [0, 1].map(|k| Body::new(&models[k], pair.poses[k]));
            let found = asked(&mut query, &a, &b);
            let us = microseconds(start)?;
            if found != answers[index] {
                return Err(format!("pair {index}: the result differs from the one before"));
            }
            if pass > 0 {
                whole[index].push(us);
            }
        }
    }
    for (index, answer) in answers.into_iter().enumerate() {
        let answer = match answer {
            Answer::Relation(kind) => name(kind).to_owned(),
            Answer::Volume(volume) => interval(volume),
        };
        let (alone, whole) = (median(&mut alone[index]), median(&mut whole[index]));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{index}\t{answer}\t{alone:.2}\t{whole:.2}");
    }
    Ok(text)
}

/// The queries of [`ourselves`], in the order of its columns.
const OWN: [fn(&mut Query, &Body<'_>, &Body<'_>); 4] = [
    |query, a, b| _ = black_box(query.intersects(a, b)),
    |query, a, b| _ = black_box(query.overlaps(a, b)),
    |query, a, b| _ = black_box(query.pairs(a, b)),
    |query, a, b| _ = black_box(query.relation(a, b)),
];

/// A line per pair: pair, relation, whether surfaces meet, and medians in microseconds of the queries for
/// first contact, for whether insides meet, for all pairs of triangles, and for the relation. All models and
/// solids exist, the query is warm, and each query is repeated several times in turn.
///
/// # Errors
/// Returns an error if the file or the words are invalid.
pub fn ourselves(file: &str, passes: &str) -> Result<String, String> {
    let (passes, mut query, mut text) = (passes_of(passes)?, Query::new(), String::new());
    for (index, pair) in read_pairs(file)?.iter().enumerate() {
        let placed = Placed::new(pair, &BuildOptions::default())?;
        let [a, b] = placed.bodies();
        let found = query.relation(&a, &b);
        // The relation determines the timed queries, so it must be consistent.
        if query.overlaps(&a, &b) == matches!(found.kind, RelationKind::Apart | RelationKind::Touch) {
            return Err(format!("pair {index}: `overlaps` disagrees with `relation`"));
        }
        let mut times: [Vec<f64>; OWN.len()] = Default::default();
        for _ in 0..passes {
            for (ask, times) in OWN.iter().zip(&mut times) {
                // The first repetition is untimed, but determines their number.
                let start = spent()?;
                ask(&mut query, &a, &b);
                let once = (spent()? - start).max(Duration::from_nanos(1));
                let count = (LEAST.as_nanos() / once.as_nanos()).clamp(1, u128::from(MOST)) as u32;
                let start = spent()?;
                for _ in 0..count {
                    ask(&mut query, &a, &b);
                }
                times.push(microseconds(start)? / f64::from(count));
            }
        }
        let [touch, inside, pairs, relation] = times.each_mut().map(|times| median(times));
        let touching = u8::from(found.touching);
        let kind = name(found.kind);
        let _ =
            writeln!(text, "{index}\t{kind}\t{touching}\t{touch:.4}\t{inside:.4}\t{pairs:.4}\t{relation:.4}");
    }
    Ok(text)
}
