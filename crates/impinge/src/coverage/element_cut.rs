//! Half-spaces that an element contains, or that contain it, near a point of its surface.
use super::{cylinder::Cylinder, element::Element};
use crate::{
    Body, Query,
    vector::{UNIT, Vector, cross, dot, length, sub},
};

/// The least sine of the corner of a triangle whose normal counts.
const WIDTH: f64 = 1e-3;

/// Within some reach of a point, all points y from it with n.y <= inner are in the element, and none of it has
/// n.y > outer. The normal n has length 1, but for roundings.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementCut {
    pub(super) normal: Vector,
    pub(super) inner: f64,
    pub(super) outer: f64,
}

impl Element<'_> {
    /// The half-spaces within `reach` of a point; `None` where an edge is, or where they would say little.
    pub(super) fn cut(&self, query: &mut Query, at: &Vector, reach: f64) -> Option<ElementCut> {
        match self {
            Self::Ball { center, radius } => ball(center, *radius, at, reach),
            Self::Cylinder(cylinder) => of_cylinder(cylinder, at, reach),
            Self::Body { body, .. } if body.radius() > 0.0 => {
                // A ball around each point of the body is in the element.
                let near = query.closest_point(&body.body(), *at)?.point;
                let ball = ball(&near, body.radius(), at, reach)?;
                let most = support(&body.body(), &ball.normal)? + body.radius() - dot(ball.normal, *at);
                let off = ball.outer - ball.inner;
                // The other points of a body that is not convex, or of a wide one, reach farther.
                (most <= ball.outer + 4.0 * off).then_some(ElementCut { outer: most, ..ball })
            }
            Self::Body { body, winding: Some(_) } => of_planes(&body.body(), at, reach),
            // A flat body has no inside.
            Self::Body { .. } => None,
        }
        .map(|cut| {
            // Roundings of points, normals and products, some 1e-15 of the coordinates of the point and the
            // element.
            let of = self.extent();
            let size = at.iter().chain(&of.lo).chain(&of.hi).map(|x| x.abs()).fold(reach, f64::max);
            let off = 256.0 * UNIT * size;
            ElementCut { inner: cut.inner - off, outer: cut.outer + off, ..cut }
        })
    }
}

/// A point whose distance from the axis through the point is no more than `reach` is in the ball as far as
/// (r^2 - reach^2)^0.5 along it.
fn ball(center: &Vector, radius: f64, at: &Vector, reach: f64) -> Option<ElementCut> {
    let way = sub(*at, *center);
    let far = length(way);
    let inner = (radius * radius - reach * reach).sqrt() - far;
    let normal = way.map(|x| x / far);
    (radius > 2.0 * reach && far > reach).then_some(ElementCut { normal, inner, outer: radius - far })
}

fn of_cylinder(cylinder: &Cylinder, at: &Vector, reach: f64) -> Option<ElementCut> {
    let (w, axis) = (sub(*at, cylinder.ends[0]), sub(cylinder.ends[1], cylinder.ends[0]));
    let long = length(axis);
    let axis = axis.map(|x| x / long);
    let along = dot(w, axis);
    let beyond = (-along).max(along - long);
    let aside = [0, 1, 2].map(|k| w[k] - along * axis[k]);
    if beyond < -reach {
        return ball(&[0.0; 3], cylinder.radius, &aside, reach);
    }
    // Half of it is beyond the other end if the cylinder is shorter.
    let is_flat = length(aside) + reach < cylinder.radius && long > 4.0 * reach;
    let normal = if along > long / 2.0 { axis } else { axis.map(|x| -x) };
    is_flat.then_some(ElementCut { normal, inner: -beyond, outer: -beyond })
}

/// The greatest n.x of the points of a body.
fn support(body: &Body<'_>, normal: &Vector) -> Option<f64> {
    let points = body.model.mesh().points();
    points.iter().map(|v| dot(*normal, body.pose.place(*v))).max_by(f64::total_cmp)
}

/// The plane of a convex solid that is within reach, if there is one.
fn of_planes(body: &Body<'_>, at: &Vector, reach: f64) -> Option<ElementCut> {
    let mut found: Option<ElementCut> = None;
    for i in 0..body.model.mesh().len() as u32 {
        let [a, b, c] = body.model.mesh().corners(i).map(|v| body.pose.place(v));
        let (u, v) = (sub(b, a), sub(c, a));
        let normal = cross(u, v);
        let size = length(normal);
        // The normal of a narrow triangle is inaccurate.
        if size < WIDTH * length(u) * length(v) {
            return None;
        }
        let normal = normal.map(|x| x / size);
        let way = sub(*at, a);
        let above = dot(normal, way);
        // Placed corners round by 4 u of their coordinates, which turns the normal.
        let coordinates = a.iter().chain(&b).chain(&c).map(|x| x.abs()).fold(0.0, f64::max);
        let turn = 64.0 * UNIT / WIDTH * (1.0 + coordinates / length(u).min(length(v)));
        let off = turn * (length(way) + reach) + 64.0 * UNIT * coordinates;
        if above + off < -reach {
            continue;
        }
        if found.is_some_and(|cut| dot(cut.normal, normal) < 1.0 - 1e-14) {
            return None;
        }
        let (inner, outer) = (-above - off, -above + off);
        found = Some(match found {
            // Normals whose product is so near 1 differ by less than 1.5e-7.
            Some(cut) => {
                let slant = 2e-7 * reach;
                let (inner, outer) = (inner - slant, outer + slant);
                ElementCut { inner: cut.inner.min(inner), outer: cut.outer.max(outer), ..cut }
            }
            None => ElementCut { normal, inner, outer },
        });
    }
    found
}
