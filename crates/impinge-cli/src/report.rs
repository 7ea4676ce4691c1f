//! Output of results as tables, JSON and CSV; other modules compute them.
pub(crate) mod check;
pub(crate) mod info;
mod names;
mod numbers;
pub(crate) mod pair;
mod table;
mod text;
pub(crate) mod volumes;

use self::{
    names::Names,
    numbers::{Coordinates, amount, amount_beside},
    table::Table,
};
pub(crate) use self::{
    numbers::{count, count_of, grouped, shortest},
    text::{folded, printable},
};

use crate::warning::Warning;
use serde::{Serialize, Serializer};

/// A list that is written item by item as it is made, and is never whole in memory.
struct Stream<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Stream<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// The text about warnings of readers that ends a table's last line.
fn warned(warnings: &[Warning]) -> String {
    match warnings.len() as u64 {
        0 => String::new(),
        n => format!(" {} on stderr.", count(n, "warning")),
    }
}

#[cfg(test)]
mod tests {
    use super::Stream;

    #[test]
    fn a_stream_is_a_list() {
        assert_eq!(serde_json::to_string(&Stream(|| 1..4)).unwrap(), "[1,2,3]");
        assert_eq!(serde_json::to_string(&Stream(|| 1..1)).unwrap(), "[]");
    }
}
