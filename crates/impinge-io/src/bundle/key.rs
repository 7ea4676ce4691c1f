//! Keys of parts. A key names one part of its source, in this delivery and in the next.
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// Makes the keys of the parts of one source, in their order.
///
/// A key is the identifier of the part, or its path if it has none. Parts of the same identifier or path get
/// `#2`, `#3`, and so on.
pub(super) struct Keys<'a> {
    used: HashSet<String>,
    /// Number of parts so far that have this identifier or path.
    counts: HashMap<&'a str, u64>,
}

impl<'a> Keys<'a> {
    pub(super) fn new() -> Self {
        Self { used: HashSet::new(), counts: HashMap::new() }
    }
    /// Key of the next part.
    pub(super) fn next(&mut self, guid: Option<&'a str>, path: &'a str) -> String {
        let own = guid.filter(|guid| !guid.is_empty()).unwrap_or(path);
        let count = self.counts.entry(own).or_default();
        loop {
            *count += 1;
            let key = if *count == 1 { own.to_owned() } else { format!("{own}#{count}") };
            // Another part may have the same text as its path.
            if self.used.insert(key.clone()) {
                return key;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Keys;

    #[test]
    fn every_key_names_one_part() {
        let mut keys = Keys::new();
        let parts = [
            (None, "a", "a"),
            (None, "a", "a#2"),
            (None, "a#2", "a#2#2"),
            (None, "a", "a#3"),
            (Some("a#4"), "b", "a#4"),
            (Some("a"), "b", "a#5"),
            (Some(""), "b", "b"),
            (None, "", ""),
            (None, "", "#2"),
        ];
        for (guid, path, key) in parts {
            assert_eq!(keys.next(guid, path), key);
        }
    }
}
