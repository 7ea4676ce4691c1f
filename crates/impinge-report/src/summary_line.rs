//! A line of the summary of a report, and the alignment of several.
use impinge_check::values::{Warning, numbers::grouped, text::folded};
use serde::{Serialize, Serializer};

/// A number of a report, with its name and a text that explains it.
pub struct SummaryLine {
    /// Its name.
    pub name: &'static str,
    /// A number, if it has one.
    pub number: Option<u64>,
    /// An explanation, which may be empty.
    pub text: String,
}

impl SummaryLine {
    /// A line with a number; the text may be empty.
    pub fn new(name: &'static str, number: u64, text: impl Into<String>) -> Self {
        Self { name, number: Some(number), text: text.into() }
    }

    /// A line that counts things of several kinds, in the given order. Kinds that do not occur are omitted.
    pub fn of_kinds(name: &'static str, kinds: &[(&str, u64)]) -> Self {
        let occurring = kinds.iter().filter(|(_, n)| *n > 0);
        let texts: Vec<_> = occurring.map(|(kind, n)| format!("{} {kind}", grouped(*n))).collect();
        Self::new(name, kinds.iter().map(|(_, n)| n).sum(), texts.join(", "))
    }

    /// The line about warnings of readers, if there are any.
    pub fn of_warnings(warnings: &[Warning]) -> Option<Self> {
        (!warnings.is_empty()).then(|| Self::new("Warnings", warnings.len() as u64, "on stderr"))
    }

    /// The number and the text.
    pub(crate) fn value(&self) -> String {
        match self.number {
            Some(number) if self.text.is_empty() => grouped(number),
            Some(number) => format!("{}: {}", grouped(number), self.text),
            None => self.text.clone(),
        }
    }
}

/// As `[name, number, text]`.
impl Serialize for SummaryLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.name, self.number, &self.text).serialize(serializer)
    }
}

/// Lines with aligned names and numbers, with texts folded so that a line has at most `columns` columns.
pub fn aligned(lines: &[SummaryLine], columns: Option<u16>) -> String {
    let number = |line: &SummaryLine| line.number.map_or(String::new(), grouped);
    let width = |of: fn(&SummaryLine, &str) -> usize| {
        lines.iter().map(|line| of(line, &number(line))).max().unwrap_or(0)
    };
    let [names, numbers] = [width(|line, _| line.name.len()), width(|_, number| number.len())];
    let indent = names + numbers + 5;
    let line = |line: &SummaryLine| {
        let rest = columns.map(|columns| columns.saturating_sub(indent as u16));
        let text = folded(&line.text, rest).replace('\n', &format!("\n{:indent$}", ""));
        format!("{:names$}  {:>numbers$}   {text}", line.name, number(line)).trim_end().to_owned()
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{SummaryLine, aligned};

    #[test]
    fn names_and_numbers_are_aligned_and_texts_folded() {
        let lines = [
            SummaryLine::new("Pairs", 6555, "365 with overlapping boxes, all tested"),
            SummaryLine { name: "Baseline", number: None, text: "1 new".to_owned() },
            SummaryLine::new("Self", 0, ""),
        ];
        let narrow = "Pairs     6,555   365 with overlapping\n                  boxes, all tested\n\
                      Baseline          1 new\nSelf          0";
        assert_eq!(aligned(&lines, Some(40)), narrow);
        assert_eq!(aligned(&lines, None).lines().count(), 3);
        assert_eq!(aligned(&[], Some(40)), "");
        let changes = SummaryLine::of_kinds("Changes", &[("new", 1), ("reopened", 0), ("resolved", 1200)]);
        assert_eq!(aligned(&[changes], None), "Changes  1,201   1 new, 1,200 resolved");
    }
}
