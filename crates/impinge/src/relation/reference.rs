//! Relations without a tree, by cells.
use super::{Question, Relation, RelationDetail};
use crate::{Body, motion::Motion, narrow::Narrow, query::reference::pairs, solid::FillRule, stop::StopFlag};

/// Relation as of [`Query::relation`](crate::Query::relation), found in another way: the planes of all
/// triangles that meet a face cut every face of both bodies into convex cells, and a ray through all
/// triangles locates a point on either side of each cell. It takes hours for large meshes that meet much.
pub fn relation(a: &Body<'_>, b: &Body<'_>, fill_rule: FillRule) -> Relation {
    let narrow = Narrow::new(a.mesh(), b.mesh(), &Motion::between(&b.pose, &a.pose));
    let mut memory = Default::default();
    let (goal, stop) = (RelationDetail::Relation, StopFlag(None));
    Question::new([a, b], fill_rule, &narrow, &mut memory, goal, stop).by_cells(&pairs(a, b))
}
