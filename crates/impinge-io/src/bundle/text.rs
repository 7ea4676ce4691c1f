//! Texts that parts share.
use foldhash::{HashSet, HashSetExt};
use std::sync::Arc;

/// Equal texts, each kept once: thousands of parts have the same type and the same names of properties.
pub(super) struct Texts(HashSet<Arc<str>>);

impl Texts {
    pub(super) fn new() -> Self {
        Self(HashSet::new())
    }
    pub(super) fn get(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return Arc::clone(known);
        }
        let new: Arc<str> = text.into();
        self.0.insert(Arc::clone(&new));
        new
    }
    pub(super) fn option(&mut self, text: Option<&str>) -> Option<Arc<str>> {
        text.map(|text| self.get(text))
    }
}
