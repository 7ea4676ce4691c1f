//! Distance queries with an accuracy of their own.
use super::Accuracy;
use crate::{
    Query,
    query::{CachedQuery, QueryCache},
};

/// Distance queries of a [`Query`] with an accuracy: see [`Query::with_accuracy`].
#[derive(Debug)]
pub struct AccurateQuery<'q> {
    pub(crate) query: &'q mut Query,
    /// State of the last query of two bodies, which serves [`AccurateQuery::distance`] alone.
    pub(super) cache: Option<&'q mut QueryCache>,
    pub(crate) accuracy: Accuracy,
}

impl Query {
    /// Distance queries with this accuracy: [`Query::distance`], [`Query::closest_point`],
    /// [`Query::farthest_distance`] and their batches.
    ///
    /// ```
    /// use impinge::{Body, distance::{Accuracy, Margin}, Mesh, Model, Pose, Query};
    /// let model = Model::new(Mesh::cuboid([1.0; 3])?);
    /// let a = Body::new(&model, Pose::IDENTITY);
    /// let b = Body::new(&model, Pose::from_translation([5., 0., 0.])?);
    /// let mut query = Query::new();
    /// let coarse = query.with_accuracy(Accuracy::new().rel(0.1)?).distance(&a, &b).unwrap();
    /// assert!(coarse.lo <= 4.0 && 4.0 <= coarse.hi && coarse.hi <= 1.1 * coarse.lo);
    /// // Bodies that are farther apart are not measured.
    /// let near = Accuracy::new().above(Margin::new(1.0)?);
    /// assert!(query.with_accuracy(near).distance(&a, &b).is_none());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn with_accuracy(&mut self, accuracy: Accuracy) -> AccurateQuery<'_> {
        AccurateQuery { query: self, cache: None, accuracy }
    }
}

impl<'q> CachedQuery<'q> {
    /// [`Query::with_accuracy`] with the cache, which serves [`AccurateQuery::distance`] alone.
    pub fn with_accuracy(self, accuracy: Accuracy) -> AccurateQuery<'q> {
        AccurateQuery { query: self.query, cache: Some(self.cache), accuracy }
    }
}
