//! Curves along which surfaces meet.
use crate::{
    body::{impinge_body, surface},
    border::{Buffer, place},
    handle::exclusive,
    model::impinge_interval,
    query::impinge_query,
    status::{call, impinge_status},
};
use std::mem::MaybeUninit;

/// Where the surfaces of two bodies meet.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_curves_result {
    /// The number of lines.
    pub lines: usize,
    /// The number of plane patches in which triangles of both lie on each other.
    pub patches: usize,
    /// The number of single points.
    pub points: usize,
    /// The length of all lines.
    pub length: impinge_interval,
    /// The area of all patches.
    pub area: impinge_interval,
}

/// Computes the lines along which the surfaces of two bodies meet.
///
/// `points` gets the points of the lines, one line after the other, three numbers each; capacity and count
/// are numbers of points. A closed line repeats its first point at its end. `ends` gets the number of points
/// of each line and of all before. Coordinates are those of the true points, rounded once.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL, with both counts and the result written;
/// IMPINGE_STATUS_UNSUPPORTED for a half-space, or a body with a radius.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_curves(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_body>,
    out_curves: Option<&mut MaybeUninit<impinge_curves_result>>,
    points: *mut f64,
    point_capacity: usize,
    out_point_count: Option<&mut MaybeUninit<usize>>,
    ends: *mut usize,
    end_capacity: usize,
    out_end_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, surface(a)?, surface(b)?);
        let out = place(out_curves, "out_curves")?;
        let points = unsafe { Buffer::new(points.cast::<[f64; 3]>(), point_capacity, out_point_count) }?;
        let ends = unsafe { Buffer::new(ends, end_capacity, out_end_count) }?;
        query.run(|query| {
            let curves = query.curves(&a, &b);
            let (mut all, mut line_ends) = (Vec::new(), Vec::new());
            for line in curves.lines() {
                let closing = line.nodes.first().filter(|_| line.closed);
                let nodes = line.nodes.iter().chain(closing);
                all.extend(nodes.map(|&node| curves.nodes()[node as usize].point));
                line_ends.push(all.len());
            }
            out.write(impinge_curves_result {
                lines: curves.lines().len(),
                patches: curves.patches().len(),
                points: curves.points().len(),
                length: Some(curves.length()).into(),
                area: Some(curves.area()).into(),
            });
            ends.fill(line_ends.into_iter()).and(points.fill(all.into_iter()))
        })?
    })
}
