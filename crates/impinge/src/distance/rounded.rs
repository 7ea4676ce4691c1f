//! Distances of bodies with radii: the distance of their triangles, less the sum of the radii.
//!
//! Let d be the distance of the triangles, and s the sum of the radii, which is exact. Two decisions are
//! exact: d <= s, and d - s against a limit. Otherwise d lies in an interval [lo, hi], and d - s lies in
//! [lo - s, hi - s], rounded outwards. If that is wider than the accuracy allows, the query finds the pair of
//! triangles that attains d, and integers compare d with x + s for numbers x.
use super::{
    Accuracy, ClosestPoint, DistanceBounds, Margin, MeshAt, TrianglePairDistances, is_second_first,
    margins::origin,
};
use crate::{
    Body,
    points::PointLocator,
    posed::twice::two_sum,
    query::Scratch,
    relation::RelationDetail,
    solid::{Closedness, FillRule, Location},
    vector::{Vector, dot, largest, sub},
    walk::QueryContext,
};

impl QueryContext<'_> {
    /// [`Query::distance`](crate::Query::distance) of bodies with these radii. One radius or both are
    /// positive.
    pub(crate) fn rounded_distance(
        &self,
        bodies: [&Body<'_>; 2],
        radii: [f64; 2],
        stop: Accuracy,
        fill_rule: FillRule,
        scratch: &mut Scratch,
    ) -> Option<DistanceBounds> {
        let sum = Margin::ZERO.with_radii(radii);
        let of_triangles = stop.of_triangles(radii);
        // The distance of a point decides most of its contacts.
        let of_point = of_triangles.and_then(|stop| self.point_gap(bodies, stop, scratch));
        let met = match &of_point {
            Some(None) => None,
            Some(Some(gap)) if gap.lo > sum.get() => None,
            Some(Some(gap)) if gap.hi <= sum.down() => Some(gap.triangles),
            _ => self.first_within(bodies, sum, scratch),
        };
        if let Some(triangles) = met {
            let points = [between(bodies, triangles, radii); 2];
            return Some(DistanceBounds { lo: 0.0, hi: 0.0, triangles, points });
        }
        if stop.solids && self.is_one_inside(bodies, fill_rule, scratch) {
            return self.one_inside(bodies, fill_rule, scratch);
        }
        let of_triangles = of_triangles?;
        let found = of_point.unwrap_or_else(|| self.gap(bodies, of_triangles, None, scratch))?;
        let mut bounds = less([found.lo, found.hi], &sum);
        let mut gap = found;
        if stop.needs_more_than(bounds) {
            let exact = of_triangles.exact();
            let of_point = self.point_gap(bodies, exact, scratch);
            gap = of_point.unwrap_or_else(|| self.gap(bodies, exact, None, scratch))?;
            let pairs = TrianglePairDistances::new(bodies.map(MeshAt::of));
            bounds = exactly(&pairs, gap.triangles, &sum, less([gap.lo, gap.hi], &sum));
        }
        let [lo, hi] = stop.limited(bounds);
        let [p, q] = gap.points;
        let points = [moved(p, q, radii[0]), moved(q, p, radii[1])];
        Some(DistanceBounds { lo, hi, triangles: gap.triangles, points })
    }

    /// The distance of the triangles of bodies of which one is its origin alone: for a point there is a walk
    /// that is faster than that of two trees. `None` for other bodies.
    fn point_gap(
        &self,
        bodies: [&Body<'_>; 2],
        stop: Accuracy,
        scratch: &mut Scratch,
    ) -> Option<Option<DistanceBounds>> {
        let (centre, k) = [0, 1].into_iter().find_map(|k| Some((origin(bodies[k])?, k)))?;
        let near = self.near_point(bodies[1 - k], centre, stop, scratch);
        Some(near.map(|ClosestPoint { lo, hi, triangle, point }| {
            let (mut triangles, mut points) = ([0; 2], [centre; 2]);
            (triangles[1 - k], points[1 - k]) = (triangle, point);
            DistanceBounds { lo, hi, triangles, points }
        }))
    }

    /// True if a part of one body is inside of the other, for bodies whose surfaces do not meet. A relation
    /// does not tell it of points and segments, which bound no solid.
    pub(crate) fn is_one_inside(
        &self,
        bodies: [&Body<'_>; 2],
        fill_rule: FillRule,
        scratch: &mut Scratch,
    ) -> bool {
        let solids = RelationDetail::Interiors;
        if self.relation(bodies, Some(&[]), fill_rule, solids, scratch).overlaps() {
            return true;
        }
        let status = bodies.map(|body| body.model.solid().status());
        [0, 1].into_iter().any(|inner| {
            if status[inner] != Closedness::NoInterior || !status[1 - inner].is_closed() {
                return false;
            }
            let (Body { model, pose }, place) =
                (bodies[inner], PointLocator::new(bodies[1 - inner], fill_rule));
            (0..model.mesh().len() as u32).any(|t| {
                let corner = pose.place(model.mesh().corners(t)[0]);
                self.locate(&place, corner, &mut [None; 6], scratch) == Location::Inside
            })
        })
    }

    /// [`Query::closest_point`](crate::Query::closest_point) of a body with a radius that is not 0.
    pub(crate) fn rounded_point(
        &self,
        body: &Body<'_>,
        radius: f64,
        point: Vector,
        stop: Accuracy,
        scratch: &mut Scratch,
    ) -> Option<ClosestPoint> {
        let sum = Margin::of(radius);
        if let Some(inside) = self.near_point(body, point, Accuracy::new().above(sum), scratch) {
            return Some(ClosestPoint { lo: 0.0, hi: 0.0, triangle: inside.triangle, point });
        }
        let of_triangles = stop.of_triangles([radius, 0.0])?;
        let found = self.near_point(body, point, of_triangles, scratch)?;
        let mut bounds = less([found.lo, found.hi], &sum);
        let mut near = found;
        if stop.needs_more_than(bounds) {
            near = self.near_point(body, point, of_triangles.exact(), scratch)?;
            let at = crate::Pose::at(point);
            let pairs = TrianglePairDistances::new([MeshAt::point(&at), MeshAt::of(body)]);
            bounds = exactly(&pairs, [0, near.triangle], &sum, less([near.lo, near.hi], &sum));
        }
        let [lo, hi] = stop.limited(bounds);
        Some(ClosestPoint { lo, hi, triangle: near.triangle, point: moved(near.point, point, radius) })
    }
}

impl Accuracy {
    /// The accuracy for the distance of triangles of bodies with these radii that do not meet; `None` if the
    /// bodies are certainly farther apart than the limit.
    fn of_triangles(&self, radii: [f64; 2]) -> Option<Self> {
        match self.above {
            Some(above) if above.is_zero() => None,
            Some(above) => Some(Self::new().above(above.with_radii(radii))),
            None => Some(Self::new()),
        }
    }
    /// The limit, and the radii, if there is a limit.
    pub(crate) fn limit_with(&self, radii: [f64; 2]) -> Option<Margin> {
        self.above.map(|above| above.with_radii(radii))
    }
    /// True if the interval is wider than this accuracy allows.
    pub(crate) fn needs_more_than(&self, [lo, hi]: [f64; 2]) -> bool {
        self.exact || self.is_coarse() && hi - lo > self.step(lo)
    }
    /// The interval of a distance that is no more than the limit.
    pub(crate) fn limited(&self, [lo, hi]: [f64; 2]) -> [f64; 2] {
        [lo, self.above.map_or(hi, |above| hi.min(above.get()))]
    }
}

/// The bounds of a distance that is more than the sum, less the sum.
fn less([lo, hi]: [f64; 2], sum: &Margin) -> [f64; 2] {
    let [(down, below), (up, above)] = [two_sum(lo, -sum.get()), two_sum(hi, -sum.down())];
    let down = if below < 0.0 { down.next_down() } else { down };
    [down.max(0.0), if above > 0.0 { up.next_up() } else { up }]
}

/// The distance d of a pair of triangles, less the sum s < d, rounded down and up. It is no more than `hi`.
fn exactly(pairs: &TrianglePairDistances<'_>, pair: [u32; 2], sum: &Margin, [lo, hi]: [f64; 2]) -> [f64; 2] {
    let compare = |x: f64| {
        let mut numbers = [x; 6];
        numbers[1..].copy_from_slice(sum.parts());
        pairs.compare(pair, &numbers)
    };
    // The bits of numbers that are not negative have the numbers' order.
    let (mut lo, mut hi) = (lo.to_bits(), hi.min(f64::MAX).to_bits());
    while lo < hi {
        let middle = lo + (hi - lo) / 2;
        if compare(f64::from_bits(middle)).is_gt() { lo = middle + 1 } else { hi = middle }
    }
    let least = f64::from_bits(lo);
    if compare(least).is_eq() { [least; 2] } else { [least.next_down(), least] }
}

/// The point at this distance from p in the direction of q, which is farther.
fn moved(p: Vector, q: Vector, distance: f64) -> Vector {
    let along = sub(q, p);
    // Scaled, so that squares do not overflow.
    let most = largest(along.map(f64::abs));
    if most == 0.0 || !most.is_finite() {
        return p;
    }
    let part = along.map(|x| x / most);
    let by = distance / dot(part, part).sqrt();
    [0, 1, 2].map(|k| p[k] + part[k] * by)
}

/// A point of both bodies: between the nearest points of two triangles that are no farther apart than the
/// radii.
fn between(bodies: [&Body<'_>; 2], triangles: [u32; 2], [r, s]: [f64; 2]) -> Vector {
    let [p, q] = TrianglePairDistances::new(bodies.map(MeshAt::of)).nearest(triangles).0.points;
    // The same point in either order of the bodies.
    let is_exchanged = is_second_first(bodies.map(|body| (&body.pose, body.model.mesh())));
    let (p, q, part) = if is_exchanged { (q, p, s / (r + s)) } else { (p, q, r / (r + s)) };
    [0, 1, 2].map(|k| p[k] + (q[k] - p[k]) * part)
}
