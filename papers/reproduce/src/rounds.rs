//! Measurements that are taken three times, and verdicts with their spread.
use crate::report::{By, Judged, Outcome, Verdict};
use std::fmt::Write;

/// Number of passes over all frames: slow moments of the machine last longer than a query.
pub(crate) const ROUNDS: usize = 3;

/// A time that was measured three times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Timed {
    /// The least of the three.
    pub(crate) seconds: f64,
    pub(crate) rounds: [f64; ROUNDS],
}

impl Timed {
    pub(crate) fn new(rounds: [f64; ROUNDS]) -> Self {
        Self { seconds: rounds.into_iter().fold(f64::INFINITY, f64::min), rounds }
    }
}

/// Times that can be replaced by those of one round.
pub(crate) trait Rounds {
    /// Replaces every time by that of this round.
    fn keep(&mut self, round: usize);
}

impl Rounds for Timed {
    fn keep(&mut self, round: usize) {
        self.seconds = self.rounds[round];
    }
}

impl<T: Rounds> Rounds for [T] {
    fn keep(&mut self, round: usize) {
        self.iter_mut().for_each(|one| one.keep(round));
    }
}

/// Verdicts from the least times, each compared with those of the three rounds. Numbers that differ get their
/// range, and an outcome that differs becomes `Outcome::Varies`.
pub(crate) fn judged<M: Rounds + Clone>(rows: &[M], verdicts: impl Fn(&[M]) -> Vec<Verdict>) -> Vec<Judged> {
    let mut rounds = [0, 1, 2].map(|round| {
        let mut rows = rows.to_vec();
        rows.keep(round);
        verdicts(&rows).into_iter()
    });
    let judge = |verdict: Verdict| {
        let each: Vec<Verdict> = rounds.iter_mut().filter_map(Iterator::next).collect();
        let mut judged = Judged::from(verdict);
        if judged.by == By::Times {
            let texts: Vec<&str> = each.iter().map(|verdict| &*verdict.measured).collect();
            judged.measured = with_ranges(&judged.measured, &texts);
            if each.iter().any(|verdict| verdict.outcome != judged.outcome) {
                let words: Vec<&str> = each.iter().map(|verdict| verdict.outcome.words()).collect();
                // Writing to a String cannot fail.
                let _ = write!(judged.measured, " The three measurements: {}.", words.join("; "));
                judged.outcome = Outcome::Varies;
            }
        }
        judged
    };
    verdicts(rows).into_iter().map(judge).collect()
}

/// The text, with a range after each number that differs in another text: `1.5 (1.5-1.8)`. If the words
/// differ, too, all other texts follow.
fn with_ranges(text: &str, others: &[&str]) -> String {
    let pieces = pieces(text);
    let others_pieces: Vec<Vec<Piece<'_>>> = others.iter().map(|other| self::pieces(other)).collect();
    let same_words = |other: &Vec<Piece<'_>>| {
        other.len() == pieces.len()
            && other.iter().zip(&pieces).all(|(a, b)| match (a.number, b.number) {
                (None, None) => a.text == b.text,
                (Some(_), Some(_)) => true,
                _ => false,
            })
    };
    if !others_pieces.iter().all(same_words) {
        return format!("{text} The three measurements: {}", others.join(" / "));
    }
    let mut out = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        out += piece.text;
        let numbers = || others_pieces.iter().map(|other| &other[index]).chain([piece]);
        let key = |piece: &&Piece<'_>| piece.number.unwrap_or_default();
        let least = numbers().min_by(|a, b| key(a).total_cmp(&key(b)));
        let most = numbers().max_by(|a, b| key(a).total_cmp(&key(b)));
        if let (Some(least), Some(most)) = (least, most)
            && piece.number.is_some()
            && least.text != most.text
        {
            let _ = write!(out, " ({}-{})", least.text, most.text);
        }
    }
    out
}

/// A number, or the text between two.
struct Piece<'a> {
    text: &'a str,
    number: Option<f64>,
}

/// Splits the text into numbers and the text between them. A number ends with a digit: a point after it ends
/// a sentence.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let inside = |at: usize| digit(at) || (matches!(bytes.get(at), Some(b'.' | b',')) && digit(at + 1));
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let (start, is_number) = (at, digit(at));
        at += 1;
        while at < bytes.len() && (if is_number { inside(at) } else { !digit(at) }) {
            at += 1;
        }
        let text = &text[start..at];
        let number = is_number.then(|| text.replace(',', "").parse().ok()).flatten();
        out.push(Piece { text, number });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_differ_get_their_range() {
        let with = |others| with_ranges("L1 5.41, L2 1,234 times (paper 29.7).", others);
        assert_eq!(
            with(&[
                "L1 5.50, L2 1,234 times (paper 29.7).",
                "L1 5.41, L2 999 times (paper 29.7).",
                "L1 5.45, L2 1,300 times (paper 29.7).",
            ]),
            "L1 5.41 (5.41-5.50), L2 1,234 (999-1,300) times (paper 29.7)."
        );
        // The least times of all rounds need not give a number between those of the rounds.
        assert_eq!(with_ranges("2.29.", &["2.20.", "2.22."]), "2.29 (2.20-2.29).");
        assert_eq!(
            with_ranges("best is aabb, 2 times.", &["best is obb, 3 times.", "best is aabb, 2 times."]),
            "best is aabb, 2 times. The three measurements: best is obb, 3 times. / best is aabb, 2 times."
        );
    }

    impl Rounds for [Timed; 1] {
        fn keep(&mut self, round: usize) {
            self[0].keep(round);
        }
    }

    #[test]
    fn an_outcome_that_differs_between_measurements_is_none() {
        let verdicts = |by| {
            move |rows: &[[Timed; 1]]| {
                let seconds = rows[0][0].seconds;
                let outcome = Outcome::of([seconds < 2.5]);
                let (claim, measured) = ("Fast.".into(), format!("{seconds} s."));
                vec![Verdict { claim, by, rule: "below 2.5 s", measured, outcome, why: "" }]
            }
        };
        let outcome = |rounds, by| judged(&[[Timed::new(rounds)]], verdicts(by)).remove(0);
        let steady = outcome([2.0, 1.5, 2.2], By::Times);
        assert_eq!((steady.outcome, &*steady.measured), (Outcome::Holds, "1.5 (1.5-2.2) s."));
        let unsteady = outcome([2.0, 1.5, 3.0], By::Times);
        assert_eq!(unsteady.outcome, Outcome::Varies);
        assert!(unsteady.measured.ends_with("holds; holds; does not hold here."), "{}", unsteady.measured);
        assert_eq!(outcome([2.0, 1.5, 3.0], By::Counts).measured, "1.5 s.");
    }
}
