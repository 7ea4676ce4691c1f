//! [`DisjointSets`]: a union-find structure.

/// Numbers from 0 on, in sets that can be united. The least number of a set represents it.
pub(crate) struct DisjointSets(Vec<u32>);

impl DisjointSets {
    /// The numbers below `count`, each in a set of its own.
    pub(crate) fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }
    /// The number that represents the set of `i`. Halves paths on the way.
    pub(crate) fn find(&mut self, mut i: u32) -> u32 {
        while self.0[i as usize] != i {
            self.0[i as usize] = self.0[self.0[i as usize] as usize];
            i = self.0[i as usize];
        }
        i
    }
    pub(crate) fn unite(&mut self, [a, b]: [u32; 2]) {
        let [a, b] = [self.find(a), self.find(b)];
        self.0[a.max(b) as usize] = a.min(b);
    }
}
