//! Exact decisions for parts whose faces are flush with those of elements, which numbers leave undecided.
use super::element::Element;
use crate::{
    Body, Mesh, Model, Pose, Query,
    exact::AxisPlacement,
    relation::{RelationDetail, RelationKind},
    solid::{Closedness, FillRule},
    vector::{Vector, cross, dot},
};

/// The union of convex solids as one mesh in the world: its triangles are theirs, all turned outwards, so that
/// the winding number at a point is the number of solids around it. Solids whose triangles face inwards are
/// left out, as not every fill rule fills them.
pub(super) fn union_of(elements: &[Element<'_>]) -> Option<Model> {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for element in elements {
        let Element::Body { body, winding: Some(1) } = element else { continue };
        if body.body().model.solid().status() != Closedness::Closed {
            continue;
        }
        let body = body.body();
        if element.radius() > 0.0 {
            continue;
        }
        let Some(placed) = placed(&body) else { continue };
        let first = points.len() as u32;
        points.extend(placed);
        let [x, y, z] = *body.pose.rows();
        let is_turned = dot(x, cross(y, z)) < 0.0;
        triangles.extend(body.model.mesh().triangles().iter().map(|&[a, b, c]| {
            let [a, b, c] = [a, b, c].map(|i| first + i);
            if is_turned { [a, c, b] } else { [a, b, c] }
        }));
    }
    let mesh = if triangles.is_empty() { return None } else { Mesh::new(points, triangles).ok()? };
    Some(Model::new(mesh))
}

/// The points of a body in the world, if they are numbers of f64.
fn placed(body: &Body<'_>) -> Option<Vec<Vector>> {
    let placement = AxisPlacement::new(body.pose.rows(), body.pose.translation())?;
    let points = body.model.mesh().points();
    points.iter().map(|v| placement.point(v).single()).collect()
}

/// True if a part is proved to lie in the union of the convex solids.
pub(super) fn is_in_union(query: &mut Query, part: &Body<'_>, union: Option<&Model>) -> bool {
    union.is_some_and(|model| is_in(query, part, &Body::new(model, Pose::IDENTITY), FillRule::NonZero))
}

/// True if a part is proved to lie in a single body: an equal one, or a solid that is not convex. Numbers do
/// not decide that where faces are flush.
pub(super) fn is_in_one(query: &mut Query, part: &Body<'_>, elements: &[Element<'_>]) -> bool {
    let rule = query.parts().fill_rule;
    let extent = Element::of((*part).into()).extent();
    elements.iter().any(|element| {
        let Element::Body { body, .. } = element else { return false };
        if body.body().pose == part.pose && body.body().model.mesh() == part.model.mesh() {
            return true;
        }
        let of = element.extent();
        let is_around = (0..3).all(|k| {
            // Boxes of equal bodies may round differently.
            let slack = 1e-9 * (extent.hi[k] - extent.lo[k]);
            of.lo[k] - slack <= extent.lo[k] && extent.hi[k] <= of.hi[k] + slack
        });
        let may_contain = body.radius() == 0.0 && is_around && !element.is_convex(rule);
        may_contain && is_in(query, part, &body.body(), rule)
    })
}

/// True if the relation of two bodies proves that the second contains the first.
fn is_in(query: &mut Query, part: &Body<'_>, body: &Body<'_>, rule: FillRule) -> bool {
    // A relation leaves out triangles without an area.
    let mesh = part.model.mesh();
    if (0..mesh.len() as u32).any(|i| mesh.is_degenerate(i)) {
        return false;
    }
    let parts = query.parts();
    let scratch = &mut parts.scratches.first().scratch;
    let found = parts.ask.relation([part, body], None, rule, RelationDetail::Relation, scratch);
    let within = [RelationKind::Inside, RelationKind::Duplicate, RelationKind::SurfaceInside];
    within.contains(&found.kind)
}
