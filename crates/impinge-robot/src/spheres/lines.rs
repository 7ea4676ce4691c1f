//! Lines of four numbers, `x y z r` or `x,y,z,r`.
use crate::{
    error::{Error, Place},
    model::{LinkSpheres, Sphere, SphereFormat, SphereModel},
    number,
    quote::shown,
};
use std::ops::Range;

/// Reads a text.
pub(super) fn parse(text: &str) -> Result<SphereModel, Error> {
    let mut spheres = Vec::new();
    let mut is_first = true;
    let mut start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    for line in text[start..].split_inclusive('\n') {
        let content = &line[..line.find('#').unwrap_or(line.len())];
        let words = words(content, start);
        start += line.len();
        let Some(first) = words.first() else { continue };
        if std::mem::take(&mut is_first) && is_header(text, &words)? {
            continue;
        }
        let [x, y, z, r] = &words[..] else {
            let what = format!("a line needs 4 numbers, x y z r; this one has {}", words.len());
            return Err(Error::at(text, first.start, what));
        };
        let coordinate = |word: &Range<usize>| number::finite(text, word.clone(), "the coordinate");
        let center = [coordinate(x)?, coordinate(y)?, coordinate(z)?];
        spheres.push(Sphere { center, radius: number::length(text, r.clone(), "radius")? });
    }
    if spheres.is_empty() {
        return Err(Error::placed(Place::of(text, text.len()), "there is no sphere in this file"));
    }
    let link = LinkSpheres { spheres, ..LinkSpheres::new(None) };
    Ok(SphereModel::new(SphereFormat::Lines, vec![link]))
}

/// The ranges of the words of a line, between commas or blanks. Two commas have an empty word between them.
fn words(line: &str, start: usize) -> Vec<Range<usize>> {
    let range = |word: &str| {
        let at = start + (word.as_ptr() as usize - line.as_ptr() as usize);
        at..at + word.len()
    };
    if line.trim().is_empty() {
        Vec::new()
    } else if line.contains(',') {
        line.split(',').map(|word| range(word.trim())).collect()
    } else {
        line.split_whitespace().map(range).collect()
    }
}

/// True for a line of names in place of numbers. The names must be those of the columns.
fn is_header(text: &str, words: &[Range<usize>]) -> Result<bool, Error> {
    let names: Vec<String> =
        words.iter().map(|word| text[word.clone()].trim_matches('"').to_lowercase()).collect();
    if names.iter().any(|name| name.parse::<f64>().is_ok()) {
        return Ok(false);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if let ["x", "y", "z", "r" | "radius"] = names[..] {
        return Ok(true);
    }
    let what = format!("the columns are '{}'; they must be x, y, z and r", shown(&names.join(", ")));
    Err(Error::at(text, words.first().map_or(0, |word| word.start), what))
}

/// True if the first line with content looks like one of this format.
pub(super) fn is_likely(text: &str) -> bool {
    let lines = text.trim_start_matches('\u{feff}').lines();
    let line =
        lines.map(|line| &line[..line.find('#').unwrap_or(line.len())]).find(|line| !line.trim().is_empty());
    line.is_some_and(|line| {
        let words = words(line, 0);
        let word = words.first().map_or("", |word| &line[word.clone()]);
        words.len() >= 3 && !line.contains(':') && (word.parse::<f64>().is_ok() || words.len() == 4)
    })
}
