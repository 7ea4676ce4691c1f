//! Numbered items: lists of items by number, and disjoint sets of numbers.

/// Lists of items by number, one after the other: the list of `i` is `items[starts[i]..starts[i + 1]]`.
#[derive(Clone, Debug)]
pub(crate) struct Buckets<T> {
    pub(crate) starts: Vec<u32>,
    pub(crate) items: Vec<T>,
}

impl<T> Default for Buckets<T> {
    fn default() -> Self {
        Self { starts: Vec::new(), items: Vec::new() }
    }
}

impl<T: Copy> Buckets<T> {
    pub(crate) fn new(count: usize, all: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut buckets = Self::default();
        buckets.fill(count, all);
        buckets
    }
    /// Replaces all items, in the memory of the old ones. Numbers must be below `count`. Items of one number
    /// keep their order. O(count + items).
    #[inline]
    pub(crate) fn fill(&mut self, count: usize, all: impl Iterator<Item = (u32, T)> + Clone) {
        let Self { starts, items } = self;
        starts.clear();
        starts.resize(count + 2, 0);
        all.clone().for_each(|(i, _)| starts[i as usize + 2] += 1);
        let mut total = 0;
        for start in starts.iter_mut() {
            total += *start;
            *start = total;
        }
        items.clear();
        if let Some((_, some)) = all.clone().next() {
            items.resize(total as usize, some);
        }
        // Each start moves to where the next list begins, so that the last one occurs twice.
        all.for_each(|(i, item)| {
            let at = &mut starts[i as usize + 1];
            items[*at as usize] = item;
            *at += 1;
        });
        starts.pop();
    }
    /// The items of a number.
    #[inline]
    pub(crate) fn of(&self, i: u32) -> &[T] {
        &self.items[self.starts[i as usize] as usize..self.starts[i as usize + 1] as usize]
    }
    /// The items of all numbers.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &[T]> {
        self.starts.windows(2).map(|ends| &self.items[ends[0] as usize..ends[1] as usize])
    }
    pub(crate) fn sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        for ends in self.starts.windows(2) {
            self.items[ends[0] as usize..ends[1] as usize].sort_unstable_by_key(&key);
        }
    }
}

/// Disjoint sets of numbers. The root of a set is its least number.
#[derive(Debug, Default)]
pub(crate) struct DisjointSets {
    /// For each number a lesser one of its set; for the least one, the number itself.
    parents: Vec<u32>,
}

impl DisjointSets {
    /// Makes each number below `count` a set of its own.
    pub(crate) fn reset(&mut self, count: usize) {
        self.parents.clear();
        self.parents.extend(0..count as u32);
    }
    /// Finds the root of a number's set, and halves the way to it.
    #[inline]
    pub(crate) fn root(&mut self, mut i: u32) -> u32 {
        while self.parents[i as usize] != i {
            let next = self.parents[self.parents[i as usize] as usize];
            self.parents[i as usize] = next;
            i = next;
        }
        i
    }
    pub(crate) fn join(&mut self, i: u32, j: u32) {
        let (i, j) = (self.root(i), self.root(j));
        self.parents[i.max(j) as usize] = i.min(j);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::rng::Rng;

    #[test]
    fn buckets_are_the_items_of_each_number_in_order() {
        let (mut rng, mut buckets) = (Rng::new(1), Buckets::default());
        for count in [0, 1, 2, 17, 300] {
            let many = if count == 0 { 0 } else { 500 };
            let all: Vec<(u32, u32)> = (0..many).map(|item| (rng.below(count as u64) as u32, item)).collect();
            buckets.fill(count, all.iter().copied());
            let expected: Vec<Vec<u32>> = (0..count as u32)
                .map(|i| all.iter().filter(|(number, _)| *number == i).map(|(_, item)| *item).collect())
                .collect();
            assert!(buckets.lists().eq(expected.iter().map(Vec::as_slice)), "{count}");
            assert!((0..).zip(&expected).all(|(i, list)| buckets.of(i) == list.as_slice()), "{count}");
            buckets.sort_by_key(|item| std::cmp::Reverse(*item));
            assert!(buckets.lists().all(|list| list.is_sorted_by(|a, b| a > b)), "{count}");
        }
    }

    /// Compares with a list of labels: each join replaces all labels of one set.
    #[test]
    fn roots_are_the_least_numbers_of_connected_ones() {
        let (mut rng, mut sets) = (Rng::new(2), DisjointSets::default());
        for count in [1, 2, 40, 200] {
            sets.reset(count);
            let mut labels: Vec<u32> = (0..count as u32).collect();
            for _ in 0..count {
                let [i, j] = [0; 2].map(|_| rng.below(count as u64) as usize);
                sets.join(i as u32, j as u32);
                let (from, to) = (labels[i].max(labels[j]), labels[i].min(labels[j]));
                labels.iter_mut().filter(|label| **label == from).for_each(|label| *label = to);
                assert!((0..).zip(&labels).all(|(i, label)| sets.root(i) == *label), "{count}");
            }
        }
    }
}
