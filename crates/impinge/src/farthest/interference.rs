//! The interference depth of two solids: how deep the surface of either one reaches into the other.
use super::{SolidSide, frame::FarthestFrame, query::Own, search::FarthestQuestion};
use crate::{
    Body,
    distance::Accuracy,
    exact::handedness,
    query::Scratch,
    relation::{Relation, RelationKind},
    solid::FillRule,
    walk::QueryContext,
};
use std::{mem::take, ops::ControlFlow};

/// The accuracy of the depth.
const ACCURACY: Accuracy = Accuracy::of_part(1.0 / 1024.0);

impl QueryContext<'_> {
    /// [`Penetration::interference_depth`](crate::penetration::Penetration::interference_depth) of bodies
    /// with this relation, whose triangles meet in these pairs and no others. Breaks if it is stopped.
    pub(crate) fn interference_depth(
        &self,
        bodies: [&Body<'_>; 2],
        relation: &Relation,
        pairs: &[[u32; 2]],
        fill_rule: FillRule,
        scratch: &mut Scratch,
    ) -> ControlFlow<(), Option<[f64; 2]>> {
        for body in bodies {
            let (geometry, handedness) = (body.model.geometry(), handedness(body.pose.rows()));
            if !body.model.solid().is_border(geometry, fill_rule, handedness, self.stop)? {
                return ControlFlow::Continue(None);
            }
        }
        let is_part = match relation.kind {
            // Each point of either surface is one of the other.
            RelationKind::Duplicate => return ControlFlow::Continue(Some([0.0; 2])),
            // No point of the greater one's surface is within the smaller one.
            RelationKind::Inside => [true, false],
            RelationKind::Contains => [false, true],
            _ => [true; 2],
        };
        let mut own = take(scratch.own.get::<Own>());
        let mut depth = Some([0.0; 2]);
        for (inner, outer) in [(0, 1), (1, 0)].into_iter().filter(|&(inner, _)| is_part[inner]) {
            own.pairs.clear();
            own.pairs.extend(pairs.iter().map(|pair| [pair[inner], pair[outer]]));
            own.pairs.sort_unstable();
            let bodies = [bodies[inner], bodies[outer]];
            let Some(frame) = FarthestFrame::new(bodies) else {
                depth = None;
                break;
            };
            let [known, _] = depth.unwrap_or_default();
            let question =
                FarthestQuestion { bodies, side: SolidSide::Inside, fill_rule, pairs: &own.pairs, known };
            let local = Body::new(bodies[1].model, frame.poses[1]);
            let found = self.search(question, &frame, &local, ACCURACY, &mut own.search, scratch);
            if self.stop.is_set() {
                break;
            }
            // A surface without a point inside has no depth.
            if let Some((bounds, _)) = found {
                let [lo, hi] = frame.lengths_in_world(bounds);
                depth = depth.map(|[least, most]: [f64; 2]| [least.max(lo), most.max(hi)]);
            }
        }
        *scratch.own.get() = own;
        self.stop.check()?;
        ControlFlow::Continue(depth.filter(|[_, hi]| hi.is_finite()))
    }
}
