//! All pairs of triangles of two bodies that meet, found once and used for several queries.
use super::{PairCount, Query};
use crate::Body;
use std::sync::atomic::{AtomicU64, Ordering};

/// All pairs of triangles of two bodies that meet, sorted: the result of [`Query::contact_pairs`].
///
/// [`Query::relation_of_pairs`], [`Query::penetration_of_pairs`], [`Query::certainty_of_pairs`] and
/// [`Query::curves_of_pairs`] need the whole list. To check a list takes as long as to find it, so only a
/// query makes one, and the list keeps its two bodies. A query remembers the relation and the depth of the
/// last list, and does not compute them again.
///
/// ```
/// use impinge::{
///     Body, BuildOptions, relation::RelationKind, Mesh, Model, penetration::PenetrationParts, Pose,
///     Query,
/// };
/// let points = vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]];
/// let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let model = Model::new(mesh);
/// let a = Body::new(&model, Pose::IDENTITY);
/// let b = Body::new(&model, Pose::from_translation([1., 1., 1.])?);
/// let mut query = Query::new();
/// let pairs = query.contact_pairs(&a, &b);
/// assert!(!pairs.as_slice().is_empty());
/// assert_eq!(query.relation_of_pairs(&pairs).kind, RelationKind::Overlap);
/// assert!(query.penetration_of_pairs(&pairs, &PenetrationParts::all()).overlap_volume.is_some());
/// assert_eq!(query.curves_of_pairs(&pairs).lines().len(), 1);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ContactPairs<'a> {
    bodies: [Body<'a>; 2],
    pairs: Vec<[u32; 2]>,
    is_whole: bool,
    /// A number that no other list has, except for clones.
    number: u64,
}

/// The number of lists made so far.
static LISTS: AtomicU64 = AtomicU64::new(0);

impl<'a> ContactPairs<'a> {
    /// The two bodies.
    pub fn bodies(&self) -> [Body<'a>; 2] {
        self.bodies
    }
    /// The pairs (of the first body, of the second): each once, sorted. Empty if the query was stopped before
    /// it had found them all ([`Query::with_stop`]).
    pub fn as_slice(&self) -> &[[u32; 2]] {
        &self.pairs
    }
    /// The list's memory, for [`Query::contact_pairs_at_most`].
    pub fn into_vec(self) -> Vec<[u32; 2]> {
        self.pairs
    }
    /// The pairs; `None` if the query was stopped.
    pub(crate) fn whole(&self) -> Option<&[[u32; 2]]> {
        self.is_whole.then_some(&*self.pairs)
    }
    pub(crate) fn number(&self) -> u64 {
        self.number
    }
}

impl Query {
    /// Finds [`Query::pairs`] and keeps them with their two bodies, for several queries of the same two
    /// bodies.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn contact_pairs<'a>(&mut self, a: &Body<'a>, b: &Body<'a>) -> ContactPairs<'a> {
        let pairs = self.pairs(a, b).to_vec();
        self.contact_pairs_of([a, b], pairs)
    }

    /// Finds [`Query::pairs_at_most`] and keeps them with the two bodies. `None` if there are more than
    /// `most` pairs, which are then only counted.
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn contact_pairs_at_most<'a>(
        &mut self,
        a: &Body<'a>,
        b: &Body<'a>,
        most: usize,
        memory: Vec<[u32; 2]>,
    ) -> (PairCount, Option<ContactPairs<'a>>) {
        let mut pairs = memory;
        let found = self.pairs_at_most(a, b, most, &mut pairs);
        let is_listed = found.count == pairs.len() as u64;
        (found, is_listed.then(|| self.contact_pairs_of([a, b], pairs)))
    }

    /// Makes the list of all pairs; empty if the query was stopped.
    fn contact_pairs_of<'a>(&self, [a, b]: [&Body<'a>; 2], mut pairs: Vec<[u32; 2]>) -> ContactPairs<'a> {
        let is_whole = !self.stop.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        if !is_whole {
            pairs.clear();
        }
        let number = LISTS.fetch_add(1, Ordering::Relaxed) + 1;
        ContactPairs { bodies: [*a, *b], pairs, is_whole, number }
    }
}
