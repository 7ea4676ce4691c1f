//! Contacts of earlier deliveries that a delivery has lost.
use super::{
    contact::{KnownContact, ObservedContact},
    delivery::Delivery,
    store::Baseline,
};
use crate::identity::Matching;
use std::{collections::HashSet, sync::Arc};

impl Baseline {
    /// The contacts of earlier deliveries, sorted by test and keys of parts. A lost contact stays, so that
    /// the finding about it stays, too.
    pub fn contacts(&self) -> &[KnownContact] {
        &self.contacts
    }
    /// The contacts of this baseline whose parts a delivery has and a test examined, but which it did not
    /// find.
    pub(crate) fn lost_contacts(
        &self,
        delivery: &Delivery,
        matching: &Matching,
        is_examined: impl Fn(&str, [u32; 2]) -> bool,
    ) -> Vec<ObservedContact> {
        let kept: HashSet<&ObservedContact> = delivery.contacts.iter().collect();
        let mut lost = Vec::new();
        for contact in &self.contacts {
            let [Some(a), Some(b)] = contact.pair.map(|part| matching.of_old(part).map(|one| one.new)) else {
                continue;
            };
            let parts = [a.min(b), a.max(b)];
            let contact = ObservedContact { test: Arc::clone(&contact.test), parts };
            if !kept.contains(&contact) && is_examined(&contact.test, parts) {
                lost.push(contact);
            }
        }
        lost
    }
}
