//! Queries about simple shapes that stand for a part.
use crate::{
    body::{impinge_body, mesh, surface},
    border::{groups, is_null, list, or_default, place, results, write_all},
    handle::exclusive,
    model::impinge_interval,
    points::finite_points,
    query::impinge_query,
    status::{Done, Failure, call, impinge_status},
};
use impinge::coverage::{CoverageOptions, ExcessOptions, Proxy};
use std::mem::MaybeUninit;

/// Shapes that stand for a part together. Start with all bytes 0, which is no shape.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_proxy {
    /// Balls, four numbers each: center and radius.
    pub balls: *const f64,
    /// The number of balls.
    pub ball_count: usize,
    /// Solid cylinders, seven numbers each: both ends of the axis, and the radius.
    pub cylinders: *const f64,
    /// The number of cylinders.
    pub cylinder_count: usize,
    /// Bodies, which may have a radius.
    pub bodies: *const *const impinge_body,
    /// The number of bodies.
    pub body_count: usize,
}

impl impinge_proxy {
    /// # Safety
    /// Each list is as [`list`] needs it, and each body a body or NULL.
    unsafe fn checked<'a>(proxy: Option<&Self>) -> Done<Proxy<'a>> {
        let this = proxy.ok_or_else(|| is_null("proxy"))?;
        // SAFETY: the caller's promise, for all three.
        let balls: &[[f64; 4]] = unsafe { groups(this.balls, this.ball_count, "balls") }?;
        let cylinders: &[[f64; 7]] = unsafe { groups(this.cylinders, this.cylinder_count, "cylinders") }?;
        let bodies: &[Option<&'a impinge_body>] =
            unsafe { list(this.bodies.cast(), this.body_count, "bodies") }?;
        let mut proxy = Proxy::new();
        for (i, &[x, y, z, radius]) in balls.iter().enumerate() {
            let at = format!("balls[{i}]");
            finite([x, y, z], &at)?;
            proxy = proxy.with_ball([x, y, z], radius).map_err(|error| Failure::from(error).at(at))?;
        }
        for (i, &[ax, ay, az, bx, by, bz, radius]) in cylinders.iter().enumerate() {
            let (at, ends) = (format!("cylinders[{i}]"), [[ax, ay, az], [bx, by, bz]]);
            ends.into_iter().try_for_each(|end| finite(end, &at))?;
            proxy = proxy.with_cylinder(ends, radius).map_err(|error| Failure::from(error).at(at))?;
        }
        for (i, body) in bodies.iter().enumerate() {
            let body = mesh(*body).and_then(|body| body.rounded());
            proxy = proxy.with(body.map_err(|failure| failure.at(format_args!("bodies[{i}]")))?);
        }
        Ok(proxy)
    }
}

fn finite(point: [f64; 3], at: &str) -> Done {
    if point.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(Failure::argument(format!("{at} has a coordinate that is not finite")))
}

/// Settings of a proof of coverage. Start with impinge_coverage_options_default().
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_coverage_options {
    /// The width of the depth's interval, as a part of the depth. 1e-3.
    pub accuracy: f64,
    /// A length: pieces that stick out by less are divided no further. 0: chosen from the part's size.
    pub tolerance: f64,
    /// A length: each point of the part has to be so deep in one element. 0.
    pub margin: f64,
    /// The most pieces that are made. Ten million.
    pub most_pieces: u64,
    /// True if one uncovered point is enough. False.
    pub verdict_only: bool,
}

impl Default for impinge_coverage_options {
    fn default() -> Self {
        Self { accuracy: 1e-3, tolerance: 0.0, margin: 0.0, most_pieces: 10_000_000, verdict_only: false }
    }
}

impl impinge_coverage_options {
    fn checked(&self) -> Done<CoverageOptions> {
        let mut options = CoverageOptions::new()
            .accuracy(self.accuracy)?
            .most_pieces(self.most_pieces)
            .verdict_only(self.verdict_only);
        if self.tolerance != 0.0 {
            options = options.tolerance(self.tolerance)?;
        }
        Ok(if self.margin == 0.0 { options } else { options.margin(self.margin)? })
    }
}

/// Whether elements cover a part.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum impinge_coverage_kind {
    /// Every point of the part is covered.
    Covered = 0,
    /// The witness is not covered.
    Uncovered = 1,
    /// Neither is proved.
    Undecided = 2,
}

/// The result of impinge_coverage().
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_coverage_result {
    /// The verdict.
    pub kind: impinge_coverage_kind,
    /// The greatest distance of a point of the part from the elements.
    pub depth: impinge_interval,
    /// A point of the part that sticks out most, as far as known; NaN without one.
    pub witness: [f64; 3],
    /// The number of pieces that were examined.
    pub pieces: u64,
}

/// Returns the default settings of coverage.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_coverage_options_default() -> impinge_coverage_options {
    impinge_coverage_options::default()
}

/// Proves whether a proxy covers a part.
///
/// Errors: a shape with a number that is not finite or a negative radius, a setting that is out of range;
/// IMPINGE_STATUS_UNSUPPORTED for a half-space, or a part with a radius.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_coverage(
    query: Option<&mut impinge_query>,
    part: Option<&impinge_body>,
    proxy: Option<&impinge_proxy>,
    options: Option<&impinge_coverage_options>,
    out_coverage: Option<&mut MaybeUninit<impinge_coverage_result>>,
) -> impinge_status {
    call(|| {
        let (query, part) = (exclusive(query)?, surface(part)?);
        let proxy = unsafe { impinge_proxy::checked(proxy) }?;
        let (options, out) = (or_default(options).checked()?, place(out_coverage, "out_coverage")?);
        let found = query.run(|query| query.coverage(&part, &proxy, &options))?;
        out.write(impinge_coverage_result {
            kind: match found.covered {
                Some(true) => impinge_coverage_kind::Covered,
                Some(false) => impinge_coverage_kind::Uncovered,
                None => impinge_coverage_kind::Undecided,
            },
            depth: Some(found.depth).into(),
            witness: found.witness.map_or([f64::NAN; 3], |witness| witness.point),
            pieces: found.pieces,
        });
        Ok(())
    })
}

/// Settings of impinge_excess() and impinge_proxy_volume(). Start with impinge_excess_options_default().
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_excess_options {
    /// The width of the interval, as a part of its lower bound. 0.01.
    pub accuracy: f64,
    /// The most boxes that are examined; the interval then stays wider. 200,000.
    pub most_cells: u64,
}

impl Default for impinge_excess_options {
    fn default() -> Self {
        Self { accuracy: 0.01, most_cells: 200_000 }
    }
}

impl impinge_excess_options {
    fn checked(&self) -> Done<ExcessOptions> {
        Ok(ExcessOptions::new().accuracy(self.accuracy)?.most_cells(self.most_cells))
    }
}

/// The result of impinge_excess().
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_excess_result {
    /// The greatest distance of a point of the proxy from the part. It is 0 for points of the part, and for
    /// those inside if its mesh is closed. 0 without shapes, infinite for a part without triangles.
    pub distance: impinge_interval,
    /// A point of the proxy that is as far from the part as the lower bound, rounded; NaN without one.
    pub witness: [f64; 3],
    /// The number of boxes that were examined.
    pub cells: u64,
}

/// Returns the default settings of excess.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_excess_options_default() -> impinge_excess_options {
    impinge_excess_options::default()
}

/// Computes how far a proxy reaches beyond a part.
///
/// Errors: as impinge_coverage().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_excess(
    query: Option<&mut impinge_query>,
    part: Option<&impinge_body>,
    proxy: Option<&impinge_proxy>,
    options: Option<&impinge_excess_options>,
    out_excess: Option<&mut MaybeUninit<impinge_excess_result>>,
) -> impinge_status {
    call(|| {
        let (query, part) = (exclusive(query)?, surface(part)?);
        let proxy = unsafe { impinge_proxy::checked(proxy) }?;
        let (options, out) = (or_default(options).checked()?, place(out_excess, "out_excess")?);
        let found = query.run(|query| query.excess(&part, &proxy, &options))?;
        out.write(impinge_excess_result {
            distance: Some(found.distance).into(),
            witness: found.witness.unwrap_or([f64::NAN; 3]),
            cells: found.cells,
        });
        Ok(())
    })
}

/// Computes the volume of the union of a proxy's shapes, with their insides. The upper bound is infinite for
/// coordinates that are too large.
///
/// Errors: as impinge_coverage().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_proxy_volume(
    query: Option<&mut impinge_query>,
    proxy: Option<&impinge_proxy>,
    options: Option<&impinge_excess_options>,
    out_volume: Option<&mut MaybeUninit<impinge_interval>>,
) -> impinge_status {
    call(|| {
        let (query, proxy) = (exclusive(query)?, unsafe { impinge_proxy::checked(proxy) }?);
        let (options, out) = (or_default(options).checked()?, place(out_volume, "out_volume")?);
        out.write(Some(query.run(|query| query.proxy_volume(&proxy, &options))?).into());
        Ok(())
    })
}

/// Computes the distance of each of many points, of three numbers each, from a proxy. Writes one result for
/// each point.
///
/// Inside of a shape it is negative: less the depth in the deepest one. The lower bound is then -INFINITY for
/// a mesh that is not convex. Both bounds are INFINITY for a proxy without shapes.
///
/// Errors: a coordinate that is not finite, and those of impinge_coverage().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_point_depths(
    query: Option<&mut impinge_query>,
    proxy: Option<&impinge_proxy>,
    points: *const f64,
    point_count: usize,
    out_distances: *mut impinge_interval,
) -> impinge_status {
    call(|| {
        let (query, proxy) = (exclusive(query)?, unsafe { impinge_proxy::checked(proxy) }?);
        let points = unsafe { finite_points(points, point_count) }?;
        let out = unsafe { results(out_distances, point_count, "out_distances") }?;
        let mut found = Vec::with_capacity(points.len());
        query.run(|query| query.point_depths(&proxy, points, &mut found))?;
        write_all(out, found.into_iter().map(|bounds| Some(bounds).into()));
        Ok(())
    })
}
