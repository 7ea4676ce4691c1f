//! Where points lie: inside of a body, outside, or on its surface.
use super::{Ask, Query, Scratch, hand_out, ray::Target, run_length};
use crate::{
    Body, Inside, Location, Pose, Ray, Status,
    motion::Motion,
    ray::Cast,
    solid::{self, Near, away},
    vector::dot,
    wide::Slope,
};

impl Query {
    /// Where points of the world lie: inside of a body, outside, or on its surface; exact.
    ///
    /// A ray from the point tells, along the axis on which the mesh ends soonest: the triangles that it
    /// crosses add up to the winding number. It takes some boxes a level of the tree (built now, if it is on
    /// demand), and integers where it comes near an edge, or the point near the surface. Of models of other
    /// crates' trees, a mesh of up to 256 triangles is looked at as a whole, O(n) for each point; so are
    /// larger ones for the first few points, before boxes are made around their triangles, O(n log n) once.
    /// How far a point is from the surface, [`Query::closest_point`] tells.
    ///
    /// ```
    /// use impinge::{Body, BuildOptions, Location, Mesh, Model, Pose, Query};
    /// let points = vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]];
    /// let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let model = Model::new(mesh, &BuildOptions::default());
    /// let body = Body::new(&model, Pose::from_translation([10., 0., 0.])?);
    /// let found = Query::new().locate(&body, &[[11., 1., 1.], [11., 1., 2.], [11., 1., 3.]]).to_vec();
    /// assert_eq!(found, [Location::Inside, Location::OnSurface, Location::Outside]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn locate(&mut self, body: &Body<'_>, points: &[[f64; 3]]) -> &[Location] {
        let flag = self.stop.clone();
        let ask = Ask::new(self.simd, self.counting, true, flag.as_deref());
        self.locations.clear();
        self.locations.resize(points.len(), Location::Undefined);
        let shares = self.scratches.for_threads(self.threads, points.len());
        let (inside, run) = (self.inside, run_length(points.len(), shares.len()));
        let place = Place::new(body, inside);
        hand_out(shares, &mut self.locations, run, &|_, share, first, slots| {
            let mut slopes = [None; 6];
            for (slot, &point) in slots.iter_mut().zip(&points[first..]) {
                if ask.stop.is_set() {
                    return;
                }
                *slot = ask.locate(&place, point, &mut slopes, &mut share.scratch);
            }
        });
        &self.locations
    }
}

/// A body of which it is asked where points lie, and what many points share.
pub(super) struct Place<'a> {
    target: Target<'a>,
    motion: Motion,
    status: Status,
    /// What is asked for, and what is used.
    inside: Inside,
    rule: Inside,
}

impl<'a> Place<'a> {
    pub(super) fn new(body: &'a Body<'a>, inside: Inside) -> Self {
        let solid = body.model.solid();
        let (target, motion) = (Target::new(body), Motion::between(&Pose::IDENTITY, &body.pose));
        Self { target, motion, status: solid.status(), inside, rule: solid.rule(inside) }
    }
}

impl Ask<'_> {
    /// Where a point lies. `slopes` are those of the directions in which rays were sent so far.
    pub(super) fn locate(
        &self,
        place: &Place<'_>,
        point: [f64; 3],
        slopes: &mut [Option<Slope>; 6],
        scratch: &mut Scratch,
    ) -> Location {
        let Place { target, motion, status, inside, rule } = place;
        let body = target.body;
        let near = Near::of(motion, (point, 0.0));
        if near.is_beyond(body.model.extent()) {
            return if *status == Status::Open { Location::Undefined } else { Location::Outside };
        }
        let (side, along) = away(near, body.model.extent());
        match Ray::new(point, body.pose.rows().map(|row| dot(row, along))) {
            Ok(ray) if target.is_fast() => match self.winding(target, &ray, &mut slopes[side], scratch) {
                None => Location::OnSurface,
                Some(_) if *status == Status::Open => Location::Undefined,
                Some(winding) if rule.holds(winding) => Location::Inside,
                Some(_) => Location::Outside,
            },
            _ => solid::locate(body, point, *inside),
        }
    }

    /// How often a closed mesh winds round the start of a ray; `None` if that is on a triangle.
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
            let Some((crossing, begins)) = cast.crossing(triangle) else { return };
            sum += i32::from(crossing);
            if begins {
                (is_on, *limit) = (true, 0.0);
            }
        };
        self.along_ray(target, (ray, &cast, slope.as_ref()), &mut look, scratch);
        (!is_on).then_some(sum)
    }
}
