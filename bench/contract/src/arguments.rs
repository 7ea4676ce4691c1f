//! Arguments of a runner: RUNNER SCENE --query pairs|first|distance|within [--margin M] [--repeat N]
//! [--seconds S] [--sweep BYTES] [--dump FRAME[,FRAME...]] and an engine's own options.
use std::{collections::BTreeMap, time::Duration};

/// A query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// All pairs of triangles that meet.
    Pairs,
    /// First contact: whether there is such a pair.
    First,
    /// Distance of the meshes.
    Distance,
    /// Whether the distance is at most this margin.
    Within(f64),
}

/// Parsed arguments of a runner.
#[derive(Debug)]
pub struct Arguments {
    /// The scene file.
    pub scene: String,
    /// The query.
    pub query: Asked,
    /// Timed passes over all frames.
    pub repeat: usize,
    /// Time after which no query begins; `None` sets no limit.
    pub limit: Option<Duration>,
    /// Bytes to read before each timed query; 0 leaves the caches warm.
    pub sweep: usize,
    /// Frames whose pairs are printed instead.
    pub dump: Vec<usize>,
    /// The engine's own options.
    pub options: BTreeMap<String, String>,
}

impl Arguments {
    pub(crate) fn parse(
        mut words: impl Iterator<Item = String>,
        known: &[(&str, &str)],
    ) -> Result<Self, String> {
        const USAGE: &str = "usage: RUNNER SCENE --query pairs|first|distance|within [--margin M] \
                             [--repeat N] [--seconds S] [--sweep BYTES] [--dump FRAME[,FRAME...]]";
        let mut options: BTreeMap<_, _> =
            known.iter().map(|&(name, default)| (name.to_owned(), default.to_owned())).collect();
        let (mut scene, mut query, mut repeat, mut sweep, mut dump) = (None, None, 5, 0, Vec::new());
        let (mut margin, mut limit) = (None, None);
        while let Some(word) = words.next() {
            let Some(name) = word.strip_prefix("--") else {
                if scene.is_some() {
                    return Err(format!("one scene file, not two: `{word}`"));
                }
                scene = Some(word);
                continue;
            };
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            match name {
                "query" => query = Some(value),
                "margin" => margin = Some(real(&value, &word)?),
                "seconds" => {
                    let seconds = real(&value, &word)?;
                    limit = Some(Duration::try_from_secs_f64(seconds).map_err(|e| format!("{word}: {e}"))?);
                }
                "repeat" => repeat = number(&value, &word)?,
                "sweep" => sweep = number(&value, &word)?,
                "dump" => dump = value.split(',').map(|one| number(one, &word)).collect::<Result<_, _>>()?,
                _ => *options.get_mut(name).ok_or_else(|| format!("no such option: {word}"))? = value,
            }
        }
        let query = match (query.as_deref(), margin) {
            (Some("pairs"), None) => Asked::Pairs,
            (Some("first"), None) => Asked::First,
            (Some("distance"), None) => Asked::Distance,
            (Some("within"), Some(margin)) => Asked::Within(margin),
            (Some("pairs" | "first" | "distance" | "within"), _) => {
                return Err("--margin goes with --query within".to_owned());
            }
            _ => return Err(USAGE.to_owned()),
        };
        if !dump.is_empty() && !matches!(query, Asked::Pairs | Asked::First) {
            return Err("--dump lists pairs: distances have none".to_owned());
        }
        if repeat == 0 {
            return Err("--repeat must be at least 1".to_owned());
        }
        Ok(Self { scene: scene.ok_or(USAGE)?, query, repeat, limit, sweep, dump, options })
    }

    /// The value of an option that is one of several names.
    ///
    /// # Errors
    /// Returns an error with the valid names if it is none of them.
    pub fn choose<T: Copy>(
        &self,
        option: &str,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<T, String> {
        let wanted = &self.options[option];
        let known = || all.iter().map(|&one| name(one)).collect::<Vec<_>>().join(", ");
        let found = all.iter().copied().find(|&one| name(one) == wanted);
        found.ok_or_else(|| format!("--{option} `{wanted}` is not one of {}", known()))
    }

    /// The value of an option that is a number.
    ///
    /// # Errors
    /// Returns an error if it is not.
    pub fn number(&self, option: &str) -> Result<usize, String> {
        number(&self.options[option], &format!("--{option}"))
    }
}

fn real(text: &str, name: &str) -> Result<f64, String> {
    let x = text.parse().ok().filter(|x: &f64| *x >= 0.0 && x.is_finite());
    x.ok_or_else(|| format!("{name} must be a number of at least 0, not `{text}`"))
}

fn number(text: &str, name: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("{name} must be a number, not `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &str) -> Result<Arguments, String> {
        Arguments::parse(words.split_whitespace().map(str::to_owned), &[("volume", "obb")])
    }

    #[test]
    fn a_margin_goes_with_within_alone() {
        let of = |words| parsed(words).map(|found| found.query);
        assert_eq!(of("x.scene --query within --margin 0.5"), Ok(Asked::Within(0.5)));
        assert_eq!(of("x.scene --query distance"), Ok(Asked::Distance));
        assert_eq!(of("x.scene --query first --volume aabb"), Ok(Asked::First));
        for words in [
            "x.scene --query within",
            "x.scene --query distance --margin 1",
            "x.scene --query within --margin -1",
            "x.scene --query within --margin NaN",
            "x.scene --query nothing",
            "x.scene --query distance --dump 0",
            "x.scene --query pairs --seconds -3",
            "--query pairs",
        ] {
            assert!(of(words).is_err(), "{words}");
        }
    }

    #[test]
    fn time_ends_where_it_is_said_to() {
        let limit = parsed("x.scene --query pairs --seconds 1.5").map(|found| found.limit);
        assert_eq!(limit, Ok(Some(Duration::from_millis(1500))));
        assert_eq!(parsed("x.scene --query pairs").map(|found| found.limit), Ok(None));
    }
}
