//! Lists that are written while they are made.
use serde::{Serialize, Serializer};

/// A list that is written item by item while it is made, and is never whole in memory.
pub struct Stream<F>(pub F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Stream<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
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
