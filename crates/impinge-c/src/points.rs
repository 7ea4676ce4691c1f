//! Queries about points, rays and regions.
use crate::{
    body::{impinge_body, mesh, surface},
    border::{Buffer, groups, list, results, write_all},
    handle::exclusive,
    model::impinge_interval,
    near::{accuracy, impinge_accuracy},
    query::impinge_query,
    status::{Done, Failure, call, impinge_status},
};
use impinge::{
    HalfSpace,
    distance::ClosestPoint,
    rays::{Ray, RayHit},
    regions::InRegion,
    solid::Location,
};
use std::mem::MaybeUninit;

/// The nearest point of a body.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_closest {
    /// False if the body has no triangles, or if it is farther away than `above`: all else is 0 then.
    pub found: bool,
    /// Lower bound of the distance.
    pub lo: f64,
    /// Upper bound of the distance.
    pub hi: f64,
    /// The triangle of the point.
    pub triangle: u32,
    /// The nearest point, rounded.
    pub point: [f64; 3],
}

impl From<Option<ClosestPoint>> for impinge_closest {
    fn from(found: Option<ClosestPoint>) -> Self {
        let (lo, hi, triangle, point) =
            found.map_or((0.0, 0.0, 0, [0.0; 3]), |c| (c.lo, c.hi, c.triangle, c.point));
        Self { found: found.is_some(), lo, hi, triangle, point }
    }
}

/// Where a point lies, as of a solid.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum impinge_location {
    /// Inside the solid.
    Inside = 0,
    /// Outside the solid.
    Outside = 1,
    /// On a triangle.
    OnSurface = 2,
    /// The mesh is not closed, and the point is on no triangle.
    Undefined = 3,
}

/// A ray: the points origin + t direction for 0 <= t <= t_max. The direction may have any length but 0;
/// t_max may be INFINITY.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_ray {
    /// The origin.
    pub origin: [f64; 3],
    /// The direction.
    pub direction: [f64; 3],
    /// The greatest t.
    pub t_max: f64,
}

/// A triangle that a ray meets.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_ray_hit {
    /// False if the ray meets no triangle: all else is 0 then.
    pub found: bool,
    /// The triangle.
    pub triangle: u32,
    /// The least t at which the ray meets it.
    pub enter: impinge_interval,
    /// The greatest t: equal to `enter`, unless the ray runs within the triangle for a while.
    pub leave: impinge_interval,
    /// 1 if the ray leaves through the triangle's front, -1 if it enters through it, 0 if it only touches.
    pub crossing: i8,
}

impl From<Option<RayHit>> for impinge_ray_hit {
    fn from(hit: Option<RayHit>) -> Self {
        let (triangle, enter, leave, crossing) =
            hit.map_or((0, [0.0; 2], [0.0; 2], 0), |hit| (hit.triangle, hit.enter, hit.leave, hit.crossing));
        let (enter, leave) = (Some(enter).into(), Some(leave).into());
        Self { found: hit.is_some(), triangle, enter, leave, crossing }
    }
}

fn ray(ray: &impinge_ray) -> Done<Ray> {
    Ok(Ray::new(ray.origin, ray.direction)?.until(ray.t_max)?)
}

/// # Safety
/// As [`groups`].
pub(crate) unsafe fn finite_points<'a>(points: *const f64, count: usize) -> Done<&'a [[f64; 3]]> {
    // SAFETY: the caller's promise.
    let points: &[[f64; 3]] = unsafe { groups(points, count, "points") }?;
    match points.iter().position(|point| !point.iter().all(|x| x.is_finite())) {
        Some(i) => Err(Failure::argument(format!("points[{i}] has a coordinate that is not finite"))),
        None => Ok(points),
    }
}

/// # Safety
/// As [`list`].
unsafe fn rays(rays: *const impinge_ray, count: usize) -> Done<Vec<Ray>> {
    // SAFETY: the caller's promise.
    let rays = unsafe { list(rays, count, "rays") }?;
    let checked =
        |(i, one): (usize, &impinge_ray)| ray(one).map_err(|failure| failure.at(format_args!("rays[{i}]")));
    rays.iter().enumerate().map(checked).collect()
}

/// Finds the nearest point of a body for each of many points, of three numbers each. NULL as the accuracy is
/// the default. Writes one result for each point.
///
/// Errors: a coordinate that is not finite; IMPINGE_STATUS_UNSUPPORTED for a half-space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_closest_points(
    query: Option<&mut impinge_query>,
    body: Option<&impinge_body>,
    points: *const f64,
    point_count: usize,
    accuracy: Option<&impinge_accuracy>,
    out_closest: *mut impinge_closest,
) -> impinge_status {
    call(|| {
        let (query, body) = (exclusive(query)?, mesh(body)?.rounded()?);
        let points = unsafe { finite_points(points, point_count) }?;
        let out = unsafe { results(out_closest, point_count, "out_closest") }?;
        let accuracy = self::accuracy(accuracy)?;
        query.run(|query| {
            let found = query.with_accuracy(accuracy).closest_points(&body, points);
            write_all(out, found.iter().map(|&closest| closest.into()));
        })
    })
}

/// Decides where each of many points lies, exactly. Writes one result for each point.
///
/// Errors: a coordinate that is not finite; IMPINGE_STATUS_UNSUPPORTED for a half-space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_locate(
    query: Option<&mut impinge_query>,
    body: Option<&impinge_body>,
    points: *const f64,
    point_count: usize,
    out_locations: *mut impinge_location,
) -> impinge_status {
    call(|| {
        let (query, body) = (exclusive(query)?, mesh(body)?.rounded()?);
        let points = unsafe { finite_points(points, point_count) }?;
        let out = unsafe { results(out_locations, point_count, "out_locations") }?;
        query.run(|query| {
            let location = |location: &Location| match location {
                Location::Inside => impinge_location::Inside,
                Location::Outside => impinge_location::Outside,
                Location::OnSurface => impinge_location::OnSurface,
                Location::Undefined => impinge_location::Undefined,
            };
            write_all(out, query.locate(&body, points).iter().map(location));
        })
    })
}

/// Finds the first triangle that each of many rays meets. Writes one result for each ray.
///
/// Errors: a ray that has no direction, or a NaN; IMPINGE_STATUS_UNSUPPORTED for a half-space, or a body with
/// a radius.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_ray_first(
    query: Option<&mut impinge_query>,
    body: Option<&impinge_body>,
    rays: *const impinge_ray,
    ray_count: usize,
    out_hits: *mut impinge_ray_hit,
) -> impinge_status {
    call(|| {
        let (query, body) = (exclusive(query)?, surface(body)?);
        let rays = unsafe { self::rays(rays, ray_count) }?;
        let out = unsafe { results(out_hits, ray_count, "out_hits") }?;
        query.run(|query| {
            write_all(out, query.ray_first_each(&body, &rays).iter().map(|&hit| hit.into()));
        })
    })
}

/// Decides whether each of many rays meets a body. Writes one result for each ray. Errors as
/// impinge_ray_first().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_ray_meets(
    query: Option<&mut impinge_query>,
    body: Option<&impinge_body>,
    rays: *const impinge_ray,
    ray_count: usize,
    out_meet: *mut bool,
) -> impinge_status {
    call(|| {
        let (query, body) = (exclusive(query)?, surface(body)?);
        let rays = unsafe { self::rays(rays, ray_count) }?;
        let out = unsafe { results(out_meet, ray_count, "out_meet") }?;
        query.run(|query| write_all(out, query.ray_meets_each(&body, &rays).iter().copied()))
    })
}

/// Finds all triangles that a ray meets, in the order of the ray.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL, and those of impinge_ray_first().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_ray_all(
    query: Option<&mut impinge_query>,
    body: Option<&impinge_body>,
    ray: Option<&impinge_ray>,
    hits: *mut impinge_ray_hit,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let (query, body) = (exclusive(query)?, surface(body)?);
        let ray = self::ray(ray.ok_or_else(|| crate::border::is_null("ray"))?)?;
        let buffer = unsafe { Buffer::new(hits, capacity, out_count) }?;
        query.run(|query| buffer.fill(query.ray_all(&body, &ray).iter().map(|&hit| Some(hit).into())))?
    })
}

/// A half-space: all points x with normal . x <= offset.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_plane {
    /// The normal, of any length but 0, which points out of the half-space.
    pub normal: [f64; 3],
    /// The offset.
    pub offset: f64,
}

/// Finds the triangles of a body in the intersection of half-spaces, such as a box or a frustum, sorted.
/// `whole` asks for triangles that lie in it wholly; else one point in it is enough.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL, a plane without a normal; IMPINGE_STATUS_UNSUPPORTED for a
/// half-space, or a body with a radius.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_triangles_in(
    query: Option<&mut impinge_query>,
    body: Option<&impinge_body>,
    planes: *const impinge_plane,
    plane_count: usize,
    whole: bool,
    triangles: *mut u32,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let (query, body) = (exclusive(query)?, surface(body)?);
        let planes = unsafe { list(planes, plane_count, "planes") }?;
        let planes: Vec<HalfSpace> = planes
            .iter()
            .map(|plane| HalfSpace::new(plane.normal, plane.offset))
            .collect::<Result<_, _>>()?;
        let buffer = unsafe { Buffer::new(triangles, capacity, out_count) }?;
        let which = if whole { InRegion::Wholly } else { InRegion::Partly };
        query.run(|query| buffer.fill(query.triangles_in(&body, &planes, which).iter().copied()))?
    })
}
