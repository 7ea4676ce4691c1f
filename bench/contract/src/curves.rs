//! Race of intersection curves (see ../../README.md): frames, clock, output.
use crate::{Frame, Mesh, Scene, complain, line, spent};
use std::{io::Write as _, process::ExitCode};

/// Counts of a frame, for comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Pairs of triangles that meet.
    pub pairs: usize,
    /// Number of lines. `closed` counts closed lines, `segments` the segments of all lines.
    pub lines: usize,
    /// See `lines`.
    pub closed: usize,
    /// See `lines`.
    pub segments: usize,
    /// Patches where faces coincide.
    pub patches: usize,
    /// Isolated points at which surfaces touch.
    pub points: usize,
}

/// A library in the race of curves.
pub trait Tracer: Sized {
    /// Name, version, and notes for the reader of the record.
    const ABOUT: [&'static str; 3];
    /// Builds its structures; not timed.
    ///
    /// # Errors
    /// Returns an error if the library refuses the meshes.
    fn build(a: &Mesh, b: &Mesh) -> Result<Self, String>;
    /// Sets the poses, outside the clock.
    ///
    /// # Errors
    /// Returns an error if the library refuses a pose.
    fn place(&mut self, frame: &Frame) -> Result<(), String>;
    /// Finds all pairs of triangles, and returns their number. Timed.
    fn pairs(&mut self) -> usize;
    /// Finds the lines. Timed.
    fn curves(&mut self);
    /// Counts of the result. Not timed.
    fn counts(&mut self) -> Counts;
}

/// `RUNNER SCENE FRAMES PASSES`: samples FRAMES frames evenly among those in which the meshes meet, and
/// prints a line for each: frame, microseconds of processor time of all pairs and of the lines, as medians of
/// PASSES passes after an untimed one, and the counts.
pub fn main<T: Tracer>() -> ExitCode {
    match run::<T>().and_then(|text| std::io::stdout().write_all(text.as_bytes()).map_err(|e| e.to_string()))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn run<T: Tracer>() -> Result<String, String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [path, most, passes] = &*words else { return Err("usage: RUNNER SCENE FRAMES PASSES".to_owned()) };
    let number = |text: &String| {
        let n = text.parse::<usize>().ok().filter(|&n| n > 0);
        n.ok_or_else(|| format!("`{text}` is not a number of at least 1"))
    };
    let (most, passes) = (number(most)?, number(passes)?);
    let scene = Scene::read(path)?;
    let mut tracer = T::build(&scene.a, &scene.b)?;
    let mut meet = Vec::new();
    for (number, frame) in scene.frames.iter().enumerate() {
        tracer.place(frame)?;
        if tracer.pairs() > 0 {
            meet.push(number);
        }
    }
    let asked = evenly(&meet, most);
    let mut text = String::new();
    for (key, value) in ["engine", "version", "notes"].into_iter().zip(T::ABOUT) {
        line(&mut text, format_args!("#{key}\t{value}"));
    }
    line(&mut text, format_args!("#meet\t{} of {}", meet.len(), scene.frames.len()));
    // Whole passes of each query, so that caches and branch predictors do not adapt to one frame.
    let of_pairs = timed(&mut tracer, (&scene, &asked), passes, |tracer| _ = tracer.pairs())?;
    let of_curves = timed(&mut tracer, (&scene, &asked), passes, T::curves)?;
    for (k, &number) in asked.iter().enumerate() {
        tracer.place(&scene.frames[number])?;
        let Counts { pairs, lines, closed, segments, patches, points } = tracer.counts();
        line(
            &mut text,
            format_args!(
                "{number}\t{:.2}\t{:.2}\t{pairs}\t{lines}\t{closed}\t{segments}\t{patches}\t{points}",
                of_pairs[k], of_curves[k]
            ),
        );
    }
    Ok(text)
}

/// Microseconds of each frame, medians.
fn timed<T: Tracer>(
    tracer: &mut T,
    (scene, asked): (&Scene, &[usize]),
    passes: usize,
    mut ask: impl FnMut(&mut T),
) -> Result<Vec<f64>, String> {
    let mut times = vec![Vec::new(); asked.len()];
    for pass in 0..=passes {
        for (number, times) in asked.iter().zip(&mut times) {
            tracer.place(&scene.frames[*number])?;
            let start = spent()?;
            ask(tracer);
            let time = spent()? - start;
            if pass > 0 {
                times.push(time.as_secs_f64() * 1e6);
            }
        }
    }
    Ok(times.into_iter().map(median).collect())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { (values[half - 1] + values[half]) / 2.0 }
}

/// `most` of them, evenly sampled, or all.
fn evenly(all: &[usize], most: usize) -> Vec<usize> {
    let count = most.min(all.len());
    (0..count).map(|k| all[(2 * k + 1) * all.len() / (2 * count)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_taken_evenly() {
        assert_eq!(evenly(&[2, 3, 5, 7], 9), [2, 3, 5, 7]);
        assert_eq!(evenly(&[0, 1, 2, 3, 4, 5, 6, 7], 2), [2, 6]);
        assert_eq!(evenly(&[], 2), [0; 0]);
    }

    #[test]
    fn medians() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
