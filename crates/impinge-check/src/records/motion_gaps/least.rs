//! The least distance of two bodies along poses.
use impinge::{
    Body, Query,
    contact::contact_point,
    distance::{Accuracy, Margin},
    relation::RelationKind,
};

/// The least distance of two bodies so far.
pub(super) struct Least {
    /// Larger distances are ignored.
    pub(super) within: Margin,
    pub(super) at: Option<LeastAt>,
}

pub(super) struct LeastAt {
    pub(super) pose: u32,
    pub(super) after: f64,
    pub(super) distance: [f64; 2],
    /// The nearest point of the moving body, and that of the other one.
    pub(super) points: [[f64; 3]; 2],
}

impl Least {
    /// True if the parts meet, so that no later pose counts.
    pub(super) fn is_over(&self) -> bool {
        self.within == Margin::ZERO && self.at.is_some()
    }
    /// True if the parts meet at a pose, and not after `pose`.
    pub(super) fn is_before(&self, pose: u32) -> bool {
        self.is_over() && self.at.as_ref().is_some_and(|at| at.pose <= pose)
    }
    /// Examines one more pose. The caller stops at the first pose with distance 0.
    pub(super) fn look(
        &mut self,
        query: &mut Query,
        moved: &Body<'_>,
        fixed: &Body<'_>,
        pose: u32,
        may_meet: bool,
    ) {
        if may_meet && query.relation(moved, fixed).kind != RelationKind::Apart {
            // The least pair: the first one that a query finds depends on earlier queries of the models.
            let (all, _) = query.contact_pairs_at_most(moved, fixed, 0, Vec::new());
            let point = all.first.map(|pair| contact_point(moved, fixed, pair).point);
            // One is inside the other: all corners of the inner one are in both, and its box is the smaller
            // one.
            let point = point.unwrap_or_else(|| inner_corner(moved, fixed));
            *self = Self {
                within: Margin::ZERO,
                at: Some(LeastAt { pose, after: 0.0, distance: [0.0; 2], points: [point; 2] }),
            };
            return;
        }
        let Some(gap) =
            query.with_accuracy(Accuracy::new().above(self.within).exact()).distance(moved, fixed)
        else {
            return;
        };
        let is_less = match &self.at {
            Some(at) => gap.hi < at.distance[1],
            None => gap.hi <= self.within.get() || query.within(moved, fixed, self.within),
        };
        if is_less {
            self.at = Some(LeastAt { pose, after: 0.0, distance: [gap.lo, gap.hi], points: gap.points });
            // The distance is no more than this.
            if let Ok(hi) = Margin::new(gap.hi)
                && hi.get() < self.within.get()
            {
                self.within = hi;
            }
        }
    }
}

/// A corner of the body that is inside the other one.
fn inner_corner(a: &Body<'_>, b: &Body<'_>) -> [f64; 3] {
    let first = |body: &Body<'_>| {
        let mesh = body.model.mesh();
        mesh.triangles().first().map(|t| body.pose.place(mesh.points()[t[0] as usize]))
    };
    let spread = |body: &Body<'_>| {
        let points = || body.model.mesh().points().iter().map(|&point| body.pose.place(point));
        let lo = (0..3).map(|k| points().map(|p| p[k]).fold(f64::INFINITY, f64::min));
        let hi = (0..3).map(|k| points().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max));
        lo.zip(hi).map(|(lo, hi)| hi - lo).fold(0.0, f64::max)
    };
    first(if spread(a) <= spread(b) { a } else { b }).unwrap_or_default()
}
