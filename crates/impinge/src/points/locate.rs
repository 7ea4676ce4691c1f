//! Locations of points: inside of a body, outside, or on its surface.
use crate::{
    AnyBody, Body, Model, Pose, Query, SimdLevel,
    distance::{Accuracy, Margin},
    from_world::RoundedVector,
    model::EmptyCells,
    motion::Motion,
    posed::probe::SLOPES,
    query::{QueryParts, Scratch, hand_out, run_length},
    rays::{Cast, Ray, Target},
    solid::{self, Closedness, FillRule, Location, ProbePosition, away},
    vector::{UNIT, dot},
    walk::QueryContext,
    wide::{FLIGHTS, RaySource, Slope},
};

impl Query {
    /// Exact locations of points of the world: inside of a body, outside, or on its surface.
    ///
    /// A ray from the point decides, along the axis on which the mesh ends first: the triangles that it
    /// crosses add up to the winding number. The ray takes some boxes a level of the tree (built now, if it
    /// is on demand). It takes integers where it comes near an edge, or the point near the surface.
    ///
    /// Once queries have located half as many points in a model as it has triangles, the model's box is
    /// divided into cells of a byte each: about eight for a triangle, more for small and flat meshes, and
    /// 2^18 at most. O(n). A point in a cell that no triangle touches needs no ray, and rays of other points
    /// end in such a cell. So locate many points together, or in one model. Models of other crates' trees
    /// have no cells.
    ///
    /// In a body with a [radius](crate::Rounded) are the points nearer than the radius to a triangle, and
    /// those inside of a closed mesh. Other points exactly at this distance are on its surface.
    ///
    /// [`Query::closest_point`] returns the distance of a point from the surface.
    ///
    /// ```
    /// use impinge::{Body, solid::Location, Mesh, Model, Pose, Query};
    /// let points = vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]];
    /// let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let model = Model::new(mesh);
    /// let body = Body::new(&model, Pose::from_translation([10., 0., 0.])?);
    /// let found = Query::new().locate(&body, &[[11., 1., 1.], [11., 1., 2.], [11., 1., 3.]]).to_vec();
    /// assert_eq!(found, [Location::Inside, Location::OnSurface, Location::Outside]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias("contains_point", "contains", "Side_of_triangle_mesh"))]
    pub fn locate(&mut self, body: &impl AnyBody, points: &[[f64; 3]]) -> &[Location] {
        let (radius, body) = (body.any_radius(), body.any_body());
        if radius != 0.0 {
            let place = PointLocator::new(body, self.parts().fill_rule);
            return self.each(points.len(), Location::Undefined, |ask, i, scratch| {
                ask.locate_in_rounded(&place, radius, points[i], scratch)
            });
        }
        self.locate_in(body, points)
    }

    fn locate_in(&mut self, body: &Body<'_>, points: &[[f64; 3]]) -> &[Location] {
        let QueryParts { ask, threads, fill_rule, scratches, results, .. } = self.parts();
        let locations = results.get::<Vec<Location>>();
        locations.clear();
        locations.resize(points.len(), Location::Undefined);
        let shares = scratches.for_threads(threads, points.len());
        let run = run_length(points.len(), shares.len());
        let mut place = PointLocator::new(body, fill_rule);
        if place.target.is_fast() && place.status.is_closed() {
            place.cells = empty_cells(ask.simd, body.model, points.len(), &mut shares[0].scratch);
        }
        hand_out(shares, locations, run, &|_, share, first, slots| {
            let (points, mut slopes) = (&points[first..][..slots.len()], [None; 6]);
            if place.target.is_fast() {
                let at = [const { None }; FLIGHTS];
                let mut of = LocationBatch { place: &place, points, slots, next: 0, slopes, at };
                ask.along_rays(&place.target, &mut of, &mut share.scratch);
                return;
            }
            for (slot, &point) in slots.iter_mut().zip(points) {
                if ask.stop.is_set() {
                    return;
                }
                *slot = ask.locate(&place, point, &mut slopes, &mut share.scratch);
            }
        });
        locations
    }
}

/// Distance, in cells, within which an empty cell is searched.
const STEPS: u8 = 3;

/// A body to locate points in, and data that many points share.
pub(crate) struct PointLocator<'a> {
    target: Target<'a>,
    motion: Motion,
    /// Winding numbers without rays, for many points.
    cells: Option<&'a EmptyCells>,
    /// The directions of the rays, in the mesh's own frame.
    directions: [[f64; 3]; 6],
    status: Closedness,
    rule: FillRule,
}

impl<'a> PointLocator<'a> {
    pub(crate) fn new(body: &'a Body<'a>, fill_rule: FillRule) -> Self {
        let solid = body.model.solid();
        let (target, motion) = (Target::new(body), Motion::between(&Pose::IDENTITY, &body.pose));
        let directions = [0, 1, 2, 3, 4, 5].map(direction);
        let (status, rule) = (solid.status(), solid.rule(fill_rule));
        Self { target, motion, cells: None, directions, status, rule }
    }
    /// The location of a point off the surface that has this winding number.
    fn location(&self, winding: i32) -> Location {
        match self.status {
            Closedness::Open | Closedness::NoInterior => Location::Undefined,
            _ if self.rule.holds(winding) => Location::Inside,
            _ => Location::Outside,
        }
    }
    /// Location of a point, or else the ray that decides it, with its side and the winding number at its end.
    fn ask(&self, point: [f64; 3]) -> Result<Location, (usize, Ray, i32)> {
        let (body, near) = (self.target.body, ProbePosition::of(&self.motion, point, 0.0));
        let extent = body.model.extent();
        if near.is_beyond(extent) {
            return Ok(self.location(0));
        }
        if let Some(cells) = self.cells {
            if let Some(winding) = cells.winding(&near) {
                return Ok(self.location(winding));
            }
            if let Some(found) = self.to_empty_cell(cells, point, &near) {
                return Err(found);
            }
        }
        let (side, along) = away(near, extent);
        match Ray::new(point, placed(body, along)) {
            Ok(ray) => Err((side, ray, 0)),
            Err(_) => Ok(solid::locate(body.model.solid(), body.placed(), point, self.rule)),
        }
    }
    /// A ray from a point that ends in an empty cell: its side, the ray, and the winding number at its end.
    fn to_empty_cell(
        &self,
        cells: &EmptyCells,
        point: [f64; 3],
        near: &ProbePosition,
    ) -> Option<(usize, Ray, i32)> {
        let (side, t) = cells.nearest_empty(&near.point, &self.directions, STEPS)?;
        // The exact end of the ray is off from this by 2 u of each part.
        let along = placed(self.target.body, self.directions[side]);
        let end = [0, 1, 2].map(|k| point[k] + t * along[k]);
        let most = (0..3).fold(0.0_f64, |most, k| most.max(end[k].abs()).max((t * along[k]).abs()));
        let winding = cells.winding(&ProbePosition::of(&self.motion, end, 4.0 * UNIT * most))?;
        Some((side, Ray::new(point, along).ok()?.until(t).ok()?, winding))
    }
}

/// Points of a batch, and the locations computed so far.
struct LocationBatch<'a, 'b> {
    place: &'b PointLocator<'a>,
    points: &'b [[f64; 3]],
    slots: &'b mut [Location],
    next: usize,
    /// The slope of each side, whose rays all have one direction.
    slopes: [Option<Slope>; 6],
    at: [Option<OnTheWay<'a>>; FLIGHTS],
}

/// A point, its ray, the winding number so far, and whether it is on the surface.
struct OnTheWay<'a> {
    index: usize,
    cast: Cast<'a>,
    winding: i32,
    is_on: bool,
}

impl RaySource for LocationBatch<'_, '_> {
    fn next(&mut self, place: usize) -> Option<(RoundedVector, Slope, f64)> {
        if let Some(OnTheWay { index, winding, is_on, .. }) = self.at[place].take() {
            self.slots[index] = if is_on { Location::OnSurface } else { self.place.location(winding) };
        }
        let target = &self.place.target;
        while let Some(&point) = self.points.get(self.next) {
            let index = self.next;
            self.next += 1;
            let (side, ray, winding) = match self.place.ask(point) {
                Ok(location) => {
                    self.slots[index] = location;
                    continue;
                }
                Err(ray) => ray,
            };
            let cast = Cast::new(&ray, target.body, target.handedness);
            let slope = &mut self.slopes[side];
            if slope.is_none() {
                *slope = target.slope(&cast);
            }
            let start = target.start(&cast, *slope, &ray);
            self.at[place] = Some(OnTheWay { index, cast, winding, is_on: false });
            return start;
        }
        None
    }
    fn look(&mut self, place: usize, triangle: u32, limit: &mut f64) {
        let Some(way) = &mut self.at[place] else { return };
        // Other triangles do not matter then; many may have the point as a corner.
        if way.is_on {
            return;
        }
        let Some((crossing, begins)) = way.cast.crossing(triangle) else { return };
        way.winding += i32::from(crossing);
        if begins {
            (way.is_on, *limit) = (true, 0.0);
        }
    }
}

/// A direction of the mesh's own frame in the world.
fn placed(body: &Body<'_>, along: [f64; 3]) -> [f64; 3] {
    body.pose.rows().map(|row| dot(row, along))
}

/// Direction that [`away`] returns for a side.
fn direction(side: usize) -> [f64; 3] {
    let (axis, way) = (side / 2, if side % 2 == 1 { 1.0 } else { -1.0 });
    let mut direction = [0.0; 3];
    direction[axis] = way;
    direction[(axis + 1) % 3] = way * SLOPES[0];
    direction[(axis + 2) % 3] = way * SLOPES[1];
    direction
}

/// Cells that locate points without rays, if they pay.
fn empty_cells<'a>(
    simd: SimdLevel,
    model: &'a Model,
    points: usize,
    scratch: &mut Scratch,
) -> Option<&'a EmptyCells> {
    model.empty_cells(points, &mut |point| {
        // A stop of the query does not stop this, as the model keeps the cells.
        let (ask, body) = (QueryContext::new(simd, false, true, None), Body::new(model, Pose::IDENTITY));
        let (_, along) = away(ProbePosition { point, error: 0.0 }, model.extent());
        ask.winding(&Target::new(&body), &Ray::new(point, along).ok()?, &mut None, scratch)
    })
}

impl QueryContext<'_> {
    /// Location of a point in a body with a radius that is not 0.
    fn locate_in_rounded(
        &self,
        place: &PointLocator<'_>,
        radius: f64,
        point: [f64; 3],
        scratch: &mut Scratch,
    ) -> Location {
        let (body, near) = (place.target.body, Accuracy::new().above(Margin::of(radius)));
        let found = self.near_point(body, point, near, scratch);
        if found.is_some_and(|found| found.hi < radius) {
            return Location::Inside;
        }
        // The ends of the interval are equal or neighbours: the lower one is the radius if the distance is.
        let is_on = found.is_some()
            && match self.near_point(body, point, near.exact(), scratch) {
                Some(exact) if exact.lo < radius => return Location::Inside,
                exact => exact.is_some(),
            };
        let is_inside = place.status.is_closed()
            && self.locate(place, point, &mut [None; 6], scratch) == Location::Inside;
        match (is_inside, is_on) {
            (true, _) => Location::Inside,
            (false, true) => Location::OnSurface,
            (false, false) => Location::Outside,
        }
    }

    /// Location of a point. `slopes` are those of the sides of earlier rays.
    pub(crate) fn locate(
        &self,
        place: &PointLocator<'_>,
        point: [f64; 3],
        slopes: &mut [Option<Slope>; 6],
        scratch: &mut Scratch,
    ) -> Location {
        let (side, ray, winding) = match place.ask(point) {
            Ok(location) => return location,
            Err(ray) => ray,
        };
        match self.winding(&place.target, &ray, &mut slopes[side], scratch) {
            None => Location::OnSurface,
            Some(sum) => place.location(winding + sum),
        }
    }

    /// The winding number of a closed mesh at the start of a ray less that at its end; `None` if the start is
    /// on a triangle.
    fn winding(
        &self,
        target: &Target<'_>,
        ray: &Ray,
        slope: &mut Option<Slope>,
        scratch: &mut Scratch,
    ) -> Option<i32> {
        let cast = Cast::new(ray, target.body, target.handedness);
        // Kept, as all rays of a side have one direction.
        if slope.is_none() {
            *slope = target.slope(&cast);
        }
        let (mut sum, mut is_on) = (0, false);
        let mut look = |triangle, limit: &mut f64| {
            if is_on {
                return;
            }
            let Some((crossing, begins)) = cast.crossing(triangle) else { return };
            sum += i32::from(crossing);
            if begins {
                (is_on, *limit) = (true, 0.0);
            }
        };
        self.along_ray(target, ray, &cast, slope.as_ref(), &mut look, scratch);
        (!is_on).then_some(sum)
    }
}
