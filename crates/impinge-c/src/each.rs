//! Queries of many pairs of bodies.
use crate::{
    body::{impinge_body, mesh, surface},
    border::{Buffer, list, or_default, results, write_all},
    handle::exclusive,
    motion::{Travel, impinge_sweep_options, impinge_sweep_result},
    near::{accuracy, impinge_accuracy, impinge_distance_result},
    pairs::{impinge_contact, impinge_pair},
    pose::impinge_pose,
    query::impinge_query,
    solids::impinge_relation_result,
    status::{Done, call, impinge_status},
};
use impinge::{Rounded, sweep::Moving};
use std::mem::MaybeUninit;

/// Two bodies of a list.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_body_pair {
    /// The first body.
    pub a: *const impinge_body,
    /// The second body.
    pub b: *const impinge_body,
}

/// Both bodies of each pair, as `convert` returns them.
///
/// # Safety
/// As [`list`]; each pointer is a body or NULL.
unsafe fn bodies<'a, T>(
    pairs: *const impinge_body_pair,
    count: usize,
    convert: impl Fn(Option<&'a impinge_body>) -> Done<T>,
) -> Done<Vec<[T; 2]>> {
    // SAFETY: the caller's promise.
    let pairs = unsafe { list(pairs, count, "pairs") }?;
    let one = |i, side, body: *const impinge_body| {
        // SAFETY: the caller's promise.
        let body = unsafe { body.as_ref() };
        convert(body).map_err(|failure| failure.at(format_args!("pairs[{i}].{side}")))
    };
    pairs.iter().enumerate().map(|(i, pair)| Ok([one(i, "a", pair.a)?, one(i, "b", pair.b)?])).collect()
}

/// # Safety
/// As [`bodies`].
unsafe fn rounded<'a>(pairs: *const impinge_body_pair, count: usize) -> Done<Vec<[Rounded<'a>; 2]>> {
    // SAFETY: the caller's promise.
    unsafe { bodies(pairs, count, |body| mesh(body)?.rounded()) }
}

/// Decides impinge_intersects() for each of many pairs of bodies. Writes one result for each pair.
///
/// Errors: IMPINGE_STATUS_UNSUPPORTED for a half-space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_intersects_each(
    query: Option<&mut impinge_query>,
    pairs: *const impinge_body_pair,
    pair_count: usize,
    out_meet: *mut bool,
) -> impinge_status {
    call(|| {
        let (query, bodies) = (exclusive(query)?, unsafe { rounded(pairs, pair_count) }?);
        let out = unsafe { results(out_meet, pair_count, "out_meet") }?;
        query.run(|query| write_all(out, query.intersects_each(&bodies).iter().copied()))
    })
}

/// Finds impinge_first_contact() of each of many pairs of bodies. Writes one result for each pair.
///
/// Errors: IMPINGE_STATUS_UNSUPPORTED for a half-space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_first_contact_each(
    query: Option<&mut impinge_query>,
    pairs: *const impinge_body_pair,
    pair_count: usize,
    out_contacts: *mut impinge_contact,
) -> impinge_status {
    call(|| {
        let (query, bodies) = (exclusive(query)?, unsafe { rounded(pairs, pair_count) }?);
        let out = unsafe { results(out_contacts, pair_count, "out_contacts") }?;
        query.run(|query| write_all(out, query.first_contact_each(&bodies).iter().map(|&pair| pair.into())))
    })
}

/// Finds impinge_pairs() of each of many pairs of bodies: one list after the other. For each pair of bodies,
/// `out_ends` gets the number of pairs of triangles of it and of all before.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL, with `out_ends` written; IMPINGE_STATUS_UNSUPPORTED for a
/// half-space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_pairs_each(
    query: Option<&mut impinge_query>,
    pairs: *const impinge_body_pair,
    pair_count: usize,
    out_ends: *mut usize,
    triangle_pairs: *mut impinge_pair,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let (query, bodies) = (exclusive(query)?, unsafe { rounded(pairs, pair_count) }?);
        let ends = unsafe { results(out_ends, pair_count, "out_ends") }?;
        let buffer = unsafe { Buffer::new(triangle_pairs, capacity, out_count) }?;
        query.run(|query| {
            let found = query.pairs_each(&bodies);
            write_all(ends, found.starts()[1..].iter().copied());
            buffer.fill(found.pairs().iter().map(|&pair| pair.into()))
        })?
    })
}

/// Decides impinge_relation() of each of many pairs of bodies. Writes one result for each pair.
///
/// Errors: IMPINGE_STATUS_UNSUPPORTED for a half-space, or a body with a radius.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_relation_each(
    query: Option<&mut impinge_query>,
    pairs: *const impinge_body_pair,
    pair_count: usize,
    out_relations: *mut impinge_relation_result,
) -> impinge_status {
    call(|| {
        let (query, bodies) = (exclusive(query)?, unsafe { bodies(pairs, pair_count, surface) }?);
        let out = unsafe { results(out_relations, pair_count, "out_relations") }?;
        query.run(|query| write_all(out, query.relation_each(&bodies).iter().map(|&found| found.into())))
    })
}

/// Computes impinge_distance() of each of many pairs of bodies. NULL as the accuracy is the default. Writes
/// one result for each pair.
///
/// Errors: an accuracy that is negative or NaN; IMPINGE_STATUS_UNSUPPORTED for a half-space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_distance_each(
    query: Option<&mut impinge_query>,
    pairs: *const impinge_body_pair,
    pair_count: usize,
    accuracy: Option<&impinge_accuracy>,
    out_distances: *mut impinge_distance_result,
) -> impinge_status {
    call(|| {
        let (query, bodies) = (exclusive(query)?, unsafe { rounded(pairs, pair_count) }?);
        let out = unsafe { results(out_distances, pair_count, "out_distances") }?;
        let accuracy = self::accuracy(accuracy)?;
        query.run(|query| {
            let found = query.with_accuracy(accuracy).distance_each(&bodies);
            write_all(out, found.iter().map(|&distance| distance.into()));
        })
    })
}

/// A body and its path: see impinge_sweep(). It rests at its own pose if the path is empty.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_moving {
    /// The body.
    pub body: *const impinge_body,
    /// The poses of the path, none or two and more.
    pub path: *const impinge_pose,
    /// The number of these poses.
    pub path_count: usize,
}

impl impinge_moving {
    /// # Safety
    /// The body is one or NULL, and the path as [`list`] needs it.
    unsafe fn travel<'a>(&self, i: usize, side: &str) -> Done<Travel<'a>> {
        // SAFETY: the caller's promise.
        let travel = unsafe { Travel::new(self.body.as_ref(), self.path, self.path_count, "path") };
        travel.map_err(|failure| failure.at(format_args!("pairs[{i}].{side}")))
    }
}

fn side_of<'a>(i: usize, side: &str, travel: &'a Travel<'_>) -> Done<Moving<'a>> {
    travel.moving().map_err(|failure| failure.at(format_args!("pairs[{i}].{side}")))
}

/// Two bodies that move.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_moving_pair {
    /// The first body.
    pub a: impinge_moving,
    /// The second body.
    pub b: impinge_moving,
}

/// Finds impinge_sweep() of each of many pairs of bodies in motion. Writes one result for each pair.
///
/// Errors: as impinge_sweep(); IMPINGE_STATUS_UNSUPPORTED for a half-space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_sweep_each(
    query: Option<&mut impinge_query>,
    pairs: *const impinge_moving_pair,
    pair_count: usize,
    options: Option<&impinge_sweep_options>,
    out_sweeps: *mut impinge_sweep_result,
) -> impinge_status {
    call(|| {
        let (query, pairs) = (exclusive(query)?, unsafe { list(pairs, pair_count, "pairs") }?);
        let (options, out) =
            (or_default(options).checked()?, unsafe { results(out_sweeps, pair_count, "out_sweeps") }?);
        let travels: Vec<[Travel<'_>; 2]> = pairs
            .iter()
            .enumerate()
            .map(|(i, pair)| Ok([unsafe { pair.a.travel(i, "a") }?, unsafe { pair.b.travel(i, "b") }?]))
            .collect::<Done<_>>()?;
        let bodies: Vec<[Moving<'_>; 2]> = travels
            .iter()
            .enumerate()
            .map(|(i, [a, b])| Ok([side_of(i, "a", a)?, side_of(i, "b", b)?]))
            .collect::<Done<_>>()?;
        query.run(|query| {
            write_all(out, query.sweep_each(&bodies, &options).iter().map(|&sweep| sweep.into()));
        })
    })
}
