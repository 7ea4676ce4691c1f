//! Queries for the triangles that a ray meets.
use super::{Cast, Ray, RayHit, Target};
use crate::{
    Body, Query,
    from_world::RoundedVector,
    query::{QueryParts, Scratch, hand_out, run_length},
    walk::QueryContext,
    wide::{FLIGHTS, LastPlaced, RaySource, Slope},
};
use std::cmp::Ordering;

impl Query {
    /// The triangle that a ray meets first, and where; `None` if it meets none.
    ///
    /// Hits are decided over the real numbers: a ray through an edge or a corner of a closed mesh never slips
    /// through. The first hit has the least exact t, and of equal ones the least triangle.
    ///
    /// A query tests some boxes at each level of the tree. It needs integers where a ray comes near an edge,
    /// runs along a face or starts on one. Trees of other crates have walks of their own.
    ///
    /// ```
    /// use impinge::{Body, Mesh, Model, Pose, Query, rays::Ray};
    /// let points = vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]];
    /// let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let model = Model::new(mesh);
    /// let body = Body::new(&model, Pose::IDENTITY);
    /// let mut query = Query::new();
    /// let ray = Ray::new([1., 1., -2.], [0., 0., 1.])?;
    /// let hit = query.ray_first(&body, &ray).expect("it meets the base");
    /// assert!(hit.triangle == 0 && hit.enter[0] <= 2.0 && 2.0 <= hit.enter[1] && hit.crossing == -1);
    /// assert_eq!(query.ray_first(&body, &ray.until(1.9)?), None);
    /// // In, and out again.
    /// let crossings: Vec<i8> = query.ray_all(&body, &ray).iter().map(|hit| hit.crossing).collect();
    /// assert_eq!(crossings, [-1, 1]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias("cast_ray", "raycast", "rayTest", "first_intersection", "rtcIntersect1"))]
    pub fn ray_first(&mut self, body: &Body<'_>, ray: &Ray) -> Option<RayHit> {
        let QueryParts { ask, scratches, .. } = self.parts();
        let scratch = &mut scratches.first().scratch;
        let target = one_target(body, scratch);
        ask.ray_first(&target, ray, scratch)
    }

    /// All triangles that a ray meets, sorted by the exact t at which it enters them, then by number.
    #[doc(alias("all_intersections", "intersects_location"))]
    pub fn ray_all(&mut self, body: &Body<'_>, ray: &Ray) -> &[RayHit] {
        let QueryParts { ask, scratches, results, .. } = self.parts();
        let scratch = &mut scratches.first().scratch;
        let (target, hits) = (one_target(body, scratch), results.get::<Vec<RayHit>>());
        hits.clear();
        let cast = Cast::new(ray, body, target.handedness);
        let mut look = |triangle, _: &mut f64| hits.extend(cast.hit(triangle));
        ask.along_ray(&target, ray, &cast, target.slope(&cast).as_ref(), &mut look, scratch);
        cast.sort(hits);
        hits
    }

    /// True if a ray meets any triangle, decided as for [`Query::ray_first`]: for lines of sight. The query
    /// ends at the first hit it finds, which need not be the nearest.
    ///
    /// ```
    /// use impinge::{Body, Mesh, Model, Pose, Query, rays::Ray};
    /// let triangle = Mesh::new(vec![[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]], vec![[0, 1, 2]])?;
    /// let model = Model::new(triangle);
    /// let (body, mut query) = (Body::new(&model, Pose::IDENTITY), Query::new());
    /// // From (1, 1, 2) it hides (1, 1, -1), not (1, 1, 1): a segment ends at t = 1.
    /// let hides = |to: f64| Ray::new([1., 1., 2.], [0., 0., to - 2.])?.until(1.0);
    /// assert!(query.ray_meets(&body, &hides(-1.)?) && !query.ray_meets(&body, &hides(1.)?));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias("occluded", "any_hit", "line_of_sight", "rtcOccluded1"))]
    pub fn ray_meets(&mut self, body: &Body<'_>, ray: &Ray) -> bool {
        let QueryParts { ask, scratches, .. } = self.parts();
        let scratch = &mut scratches.first().scratch;
        let target = one_target(body, scratch);
        ask.ray_meets(&target, ray, scratch)
    }

    /// Decides [`Query::ray_meets`] for each ray, on the threads of the query.
    pub fn ray_meets_each(&mut self, body: &Body<'_>, rays: &[Ray]) -> &[bool] {
        let target = Target::new(body);
        self.each(rays.len(), false, |ask, i, scratch| ask.ray_meets(&target, &rays[i], scratch))
    }

    /// Finds [`Query::ray_first`] of each ray, on the threads of the query. Each thread advances several rays
    /// in turn, so that none waits for memory: one call with many rays is faster than many calls.
    pub fn ray_first_each(&mut self, body: &Body<'_>, rays: &[Ray]) -> &[Option<RayHit>] {
        let QueryParts { ask, threads, scratches, results, .. } = self.parts();
        let first_hits = results.get::<Vec<Option<RayHit>>>();
        first_hits.clear();
        first_hits.resize(rays.len(), None);
        let shares = scratches.for_threads(threads, rays.len());
        let (target, run) = (Target::new(body), run_length(rays.len(), shares.len()));
        hand_out(shares, first_hits, run, &|_, share, first, slots| {
            let rays = &rays[first..][..slots.len()];
            if !target.is_fast() {
                for (slot, ray) in slots.iter_mut().zip(rays) {
                    *slot = ask.ray_first(&target, ray, &mut share.scratch);
                }
                return;
            }
            let mut of = FirstHits { target: &target, rays, slots, next: 0, at: [const { None }; FLIGHTS] };
            ask.along_rays(&target, &mut of, &mut share.scratch);
        });
        first_hits
    }
}

/// Target of one query, which often has the pose of the last one.
fn one_target<'a>(body: &'a Body<'a>, scratch: &mut Scratch) -> Target<'a> {
    let placed = body.model.wide().map(|tree| scratch.own.get::<LastPlaced>().of(tree, &body.pose));
    Target::with(body, placed)
}

/// Rays of a batch, and the first hits so far.
struct FirstHits<'a, 'b> {
    target: &'a Target<'a>,
    rays: &'b [Ray],
    slots: &'b mut [Option<RayHit>],
    next: usize,
    /// Rays on their way, with their numbers.
    at: [Option<(usize, Cast<'a>)>; FLIGHTS],
}

impl RaySource for FirstHits<'_, '_> {
    fn next(&mut self, place: usize) -> Option<(RoundedVector, Slope, f64)> {
        let ray = self.rays.get(self.next)?;
        let cast = Cast::new(ray, self.target.body, self.target.handedness);
        let start = self.target.start(&cast, None, ray);
        self.at[place] = Some((self.next, cast));
        self.next += 1;
        start
    }
    fn look(&mut self, place: usize, triangle: u32, limit: &mut f64) {
        let Some((i, cast)) = &self.at[place] else { return };
        let Some(hit) = cast.hit(triangle) else { return };
        let first = &mut self.slots[*i];
        if first.as_ref().is_none_or(|first| cast.compare(&hit, first) == Ordering::Less) {
            *first = Some(hit);
            *limit = limit.min(cast.scaled(hit.enter[1]));
        }
    }
}

impl QueryContext<'_> {
    fn ray_meets(&self, target: &Target<'_>, ray: &Ray, scratch: &mut Scratch) -> bool {
        let cast = Cast::new(ray, target.body, target.handedness);
        let mut meets = false;
        let mut look = |triangle, limit: &mut f64| {
            if !meets && cast.crossing(triangle).is_some() {
                (meets, *limit) = (true, f64::NEG_INFINITY);
            }
        };
        self.along_ray(target, ray, &cast, target.slope(&cast).as_ref(), &mut look, scratch);
        meets
    }

    fn ray_first(&self, target: &Target<'_>, ray: &Ray, scratch: &mut Scratch) -> Option<RayHit> {
        let cast = Cast::new(ray, target.body, target.handedness);
        let mut first: Option<RayHit> = None;
        let mut look = |triangle, limit: &mut f64| {
            let Some(hit) = cast.hit(triangle) else { return };
            if first.as_ref().is_none_or(|first| cast.compare(&hit, first) == Ordering::Less) {
                first = Some(hit);
                *limit = limit.min(cast.scaled(hit.enter[1]));
            }
        };
        self.along_ray(target, ray, &cast, target.slope(&cast).as_ref(), &mut look, scratch);
        // The caller drops the result of a stopped query.
        if self.stop.is_set() { None } else { first }
    }
}
