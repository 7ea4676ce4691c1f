//! Counts content that is skipped or doubtful, for one warning of each kind.
use crate::{error::Place, sink::Sink};

/// Number of occurrences, and the line of the first.
#[derive(Default)]
pub(super) struct Occurrences(Option<(u64, u64)>);

impl Occurrences {
    pub(super) fn add(&mut self, line: u64) {
        self.0.get_or_insert((line, 0)).1 += 1;
    }

    pub(super) fn warn(&self, sink: &mut Sink, what: impl FnOnce(u64) -> String) {
        if let Some((line, count)) = self.0 {
            sink.warn(Place::Line(line), what(count));
        }
    }
}
