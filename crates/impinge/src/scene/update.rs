//! The steps of an update: boxes, broad phase, pairs, contacts.
use super::{
    Detail, Scene, SceneStats,
    body_pair::{BodyPair, Decision, MOST_CACHES, Reported},
    bounds::WorldBounds,
    contacts::ContactSource,
    enclosure,
    thread_memory::ThreadMemory,
    watch::{Stage, Watch},
};
use crate::{
    Error, ErrorKind, Threads,
    body_id::BodyId,
    broad_phase::BroadPhase,
    pool,
    query::{hand_out, run_length},
    walk::QueryContext,
};
use std::{
    cmp::Reverse,
    sync::atomic::{AtomicUsize, Ordering},
};

impl Scene {
    pub(super) fn run_update(&mut self, detail: Detail, watch: &Watch<'_>) -> Result<(), Error> {
        let threads = if self.options.threads == Threads::Pool { pool::threads() } else { 1 };
        if self.threads.len() < threads {
            self.threads.resize_with(threads, ThreadMemory::default);
        }
        self.update += 1;
        self.detail = detail;
        self.update_boxes(threads, watch);
        watch.report(Stage::BroadPhase, 0, 1);
        self.broad_phase.update(&self.boxes, &self.changed, &mut self.candidates);
        let changed = self.changed.len();
        self.changed.drain(..).for_each(|slot| self.slots[slot as usize].settle());

        self.add_half_space_pairs();
        self.candidates.sort_unstable();
        self.update_pairs(detail);
        watch.report(Stage::BroadPhase, 1, 1);
        let decided = self.decide(detail, threads, watch);
        let Some(decided) = decided.filter(|_| !watch.is_stopped()) else {
            self.contacts.clear();
            self.near.clear();
            return Err(ErrorKind::Stopped.into());
        };
        self.update_contacts(detail);
        self.stats = SceneStats {
            bodies: self.bodies,
            changed,
            near: self.pairs.len(),
            decided,
            meet: self.contacts.len(),
        };
        Ok(())
    }

    /// Computes the boxes of bodies that have changed.
    fn update_boxes(&mut self, threads: usize, watch: &Watch<'_>) {
        let (enclosure, count) = (self.options.enclosure, self.changed.len());
        watch.report(Stage::Boxes, 0, count);
        if threads == 1 {
            for (done, &slot) in (1..).zip(&self.changed) {
                let of = &mut self.slots[slot as usize];
                let aabb = of.take(enclosure.of(of));
                self.boxes[slot as usize] = self.margins.grown(aabb, of);
                watch.report(Stage::Boxes, done, count);
            }
            return;
        }
        let slots = &self.slots;
        let mut fresh: Vec<(u32, WorldBounds)> =
            self.changed.iter().map(|&slot| (slot, WorldBounds::default())).collect();
        let (run, done) = (run_length(fresh.len(), threads), AtomicUsize::new(0));
        hand_out(&mut self.threads[..threads], &mut fresh, run, &|_, _, _, fresh| {
            for (slot, bounds) in fresh {
                *bounds = enclosure.of(&slots[*slot as usize]);
                watch.report(Stage::Boxes, done.fetch_add(1, Ordering::Relaxed) + 1, count);
            }
        });
        for (slot, bounds) in fresh {
            let of = &mut self.slots[slot as usize];
            let aabb = of.take(bounds);
            self.boxes[slot as usize] = self.margins.grown(aabb, of);
        }
    }

    /// Makes the list of pairs from those whose boxes meet, and keeps the state of each. Lists pairs that
    /// drop out and met in `ended`, and those that were near in `near_ended`.
    fn update_pairs(&mut self, detail: Detail) {
        std::mem::swap(&mut self.pairs, &mut self.spare);
        self.pairs.clear();
        // The pairs that ended at a stopped update have not been reported yet.
        if self.completed {
            self.ended.clear();
            self.near_ended.clear();
        }
        self.completed = false;
        let mut known = self.spare.drain(..).peekable();
        let mut caches_left = if self.options.caches { MOST_CACHES } else { 0 };
        for &[a, b] in &self.candidates {
            let (of_a, of_b) = (&self.slots[a as usize], &self.slots[b as usize]);
            let (Some(id_a), Some(id_b)) = (of_a.id(a), of_b.id(b)) else { continue };
            let bodies = [id_a, id_b];
            if !of_a.filter.meets(&of_b.filter)
                || (!self.allowed.is_empty() && self.allowed.contains(&bodies))
            {
                continue;
            }
            while let Some(pair) = known.next_if(|pair| pair.bodies < bodies) {
                pair.end(&mut self.ended, &mut self.near_ended);
            }
            let pair = known.next_if(|pair| pair.bodies == bodies);
            // For bodies that met, or are certainly apart, boxes would mostly decide nothing.
            let is_foregone = pair.as_ref().is_some_and(|pair| pair.is_foregone([of_a, of_b]));
            let reach = self.margins.of(bodies, [of_a, of_b]);
            if !is_foregone && !enclosure::meet(of_a, of_b, reach.most()) {
                pair.inspect(|pair| pair.end(&mut self.ended, &mut self.near_ended));
                continue;
            }
            let mut pair = pair.unwrap_or_else(|| Box::new(BodyPair::new(bodies)));
            pair.see([of_a, of_b], detail, reach, &mut caches_left);
            self.pairs.push(pair);
        }
        for pair in known {
            pair.end(&mut self.ended, &mut self.near_ended);
        }
    }

    /// Decides the open pairs. Returns the number of pairs whose triangles were tested, or `None` if some are
    /// still open, as the update was stopped.
    fn decide(&mut self, detail: Detail, threads: usize, watch: &Watch<'_>) -> Option<usize> {
        let slots = &self.slots;
        let ask = QueryContext::new(self.options.simd, false, false, watch.stop);
        let (remember, fill_rule) = (self.options.caches, self.options.fill_rule);
        let decision = Decision { ask, detail, remember, fill_rule };
        let pairs = self.pairs.iter_mut().map(|pair| &mut **pair);
        let mut open: Vec<&mut BodyPair> = pairs.filter(|pair| pair.is_open()).collect();
        if threads > 1 {
            // The largest first, so that no thread is left alone with a large one at the end.
            open.sort_by_key(|pair| Reverse(pair.size(slots)));
        }
        self.threads[..threads].iter_mut().for_each(|memory| memory.alone = threads == 1);
        let (count, done) = (open.len(), AtomicUsize::new(0));
        watch.report(Stage::Pairs, 0, count);
        let run = if count < 4096 { 1 } else { 16 };
        hand_out(&mut self.threads[..threads], &mut open, run, &|_, memory, _, open| {
            for pair in open {
                if decision.ask.stop.is_set() {
                    return;
                }
                pair.decide(slots, &decision, memory);
                watch.report(Stage::Pairs, done.fetch_add(1, Ordering::Relaxed) + 1, count);
            }
        });
        let stopped = open.iter().any(|pair| pair.is_open());
        (!stopped).then(|| open.iter().filter(|pair| pair.is_compared()).count())
    }

    /// Lists the pairs that meet and those that are near, and those that no longer are.
    fn update_contacts(&mut self, detail: Detail) {
        self.contacts.clear();
        self.near.clear();
        self.ended.sort_unstable();
        self.near_ended.sort_unstable();
        let before = [self.ended.len(), self.near_ended.len()];
        for (index, pair) in self.pairs.iter_mut().enumerate() {
            let contact = pair.contact(ContactSource { update: self.update, pair: index }, detail);
            let near = if contact.is_some() { None } else { pair.near() };
            // The pair may have fallen out in an update that was stopped, and come back.
            let fell_out = |ended: &[[BodyId; 2]], at: usize| ended[..at].binary_search(&pair.bodies).is_ok();
            match contact {
                Some(mut contact) => {
                    contact.began &= !fell_out(&self.ended, before[0]);
                    self.contacts.push(contact);
                }
                None => self.ended.extend(pair.reported.is_meeting().then_some(pair.bodies)),
            }
            match near {
                Some(mut near) => {
                    near.began &= !fell_out(&self.near_ended, before[1]);
                    self.near.push(near);
                }
                None => self.near_ended.extend(pair.reported.is_near().then_some(pair.bodies)),
            }
            pair.reported = match (contact, near) {
                (Some(_), _) => Reported::Meeting,
                (None, Some(_)) => Reported::Near,
                (None, None) => Reported::Apart,
            };
        }
        let (contacts, near) = (&self.contacts, &self.near);
        self.ended.retain(|bodies| contacts.binary_search_by_key(bodies, |c| c.bodies).is_err());
        self.near_ended.retain(|bodies| near.binary_search_by_key(bodies, |n| n.bodies).is_err());
        self.ended.sort_unstable();
        self.near_ended.sort_unstable();
        self.completed = true;
    }
}
