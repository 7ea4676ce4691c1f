//! Settings of builders and queries.
use crate::choice::choice;

/// Settings of the builder. They change speed and memory, never the result of a query.
///
/// ```
/// use impinge::{BuildOptions, Quality};
/// let options = BuildOptions::new().quality(Quality::Fast);
/// assert_eq!(options.leaf_size, 8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BuildOptions {
    /// Quality of the tree.
    pub quality: Quality,
    /// True if leaves keep corners in 16 bits a coordinate instead of 24: less memory, a little more work.
    pub compact: bool,
    /// Largest number of triangles in a leaf: 1 to 8.
    pub leaf_size: usize,
    /// Threads that build, refit and rebuild the tree. The tree is the same to the last bit.
    pub threads: Threads,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { quality: Quality::High, compact: false, leaf_size: 8, threads: Threads::One }
    }
}

impl BuildOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }
    /// Sets the quality of the tree.
    pub fn quality(self, quality: Quality) -> Self {
        Self { quality, ..self }
    }
    /// Sets whether leaves keep 16 bits a coordinate.
    pub fn compact(self, compact: bool) -> Self {
        Self { compact, ..self }
    }
    /// Sets the largest number of triangles in a leaf: less than 1 means 1, more than 8 means 8.
    pub fn leaf_size(self, leaf_size: usize) -> Self {
        Self { leaf_size: leaf_size.clamp(1, 8), ..self }
    }
    /// Sets the threads. A pool pays for meshes of more than some 10,000 triangles. Build many meshes one on
    /// each thread instead.
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }
}

choice! {
    /// Quality of a tree.
    pub enum Quality {
        /// A tree for many queries.
        #[default]
        High = "high",
        /// A tree for a few queries: built in about a third of the time, and slower to query by a quarter to
        /// a half. Its boxes are cut by one slab, across the mean normal.
        Fast = "fast",
        /// A tree on demand, for models with few queries, such as the parts of an assembly. There is no tree
        /// until queries have taken as long without one as it takes to build one of high quality. Until then
        /// a query searches lists of the triangles' boxes for boxes of both bodies that are near each other.
        /// For two parts that touch this takes less time than to build a tree. A query of two bodies uses
        /// their trees once both have earned one, or one was built at once. The query that builds it depends
        /// on those before; the results do not, except that another one of several pairs may be the first
        /// contact.
        OnDemand = "on-demand",
    }
}

choice! {
    /// Threads for work that can be divided. Results and their order do not depend on them.
    pub enum Threads {
        /// The calling thread.
        #[default]
        One = "one",
        /// The free threads of the pool in which the query is called (`ThreadPool::install`; outside of any,
        /// rayon's global pool). Without the feature `rayon`, the calling thread.
        Pool = "pool",
    }
}
