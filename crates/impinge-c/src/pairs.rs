//! Queries for triangles that meet.
use crate::{
    body::{impinge_body, mesh, placed},
    border::{Buffer, list, place, results, write_all},
    handle::{exclusive, shared},
    model::impinge_model,
    pose::impinge_pose,
    query::impinge_query,
    status::{Failure, call, impinge_status},
};
use impinge::contact::contact_point;
use std::mem::MaybeUninit;

/// A triangle of the first body and one of the second, by their numbers in the meshes. The triangle of a
/// half-space is 0.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_pair {
    /// The triangle of the first body.
    pub a: u32,
    /// The triangle of the second body.
    pub b: u32,
}

impl From<[u32; 2]> for impinge_pair {
    fn from([a, b]: [u32; 2]) -> Self {
        Self { a, b }
    }
}

/// One pair of triangles that meet, if there is one.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_contact {
    /// True if there is one.
    pub found: bool,
    /// Triangles that meet; 0 and 0 if none do.
    pub pair: impinge_pair,
}

impl From<Option<[u32; 2]>> for impinge_contact {
    fn from(pair: Option<[u32; 2]>) -> Self {
        Self { found: pair.is_some(), pair: pair.unwrap_or_default().into() }
    }
}

/// Decides whether any triangles of two bodies meet. Touching triangles meet. A body inside another that
/// touches nothing does not: see impinge_relation().
///
/// The result is exact: it is that of the real numbers, for coordinates and poses as they are. The first body
/// must not be a half-space.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_intersects(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_body>,
    out_meet: Option<&mut MaybeUninit<bool>>,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, mesh(a)?.rounded()?, placed(b)?);
        let out = place(out_meet, "out_meet")?;
        out.write(query.run(|query| query.intersects(&a, b.obstacle()))?);
        Ok(())
    })
}

/// Decides impinge_intersects() for a body, which may be a half-space, and a model at each of many poses.
/// Writes one result for each pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_intersects_at(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_model>,
    poses: *const impinge_pose,
    pose_count: usize,
    out_meet: *mut bool,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, placed(a)?, shared(b)?);
        let poses = unsafe { query.poses(poses, pose_count) }?;
        let out = unsafe { results(out_meet, pose_count, "out_meet") }?;
        query.run(|query| {
            write_all(out, query.intersects_at(a.obstacle(), b, &poses).iter().copied());
        })
    })
}

/// Finds a pair of triangles that meet. Which one is unspecified.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_first_contact(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_body>,
    out_contact: Option<&mut MaybeUninit<impinge_contact>>,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, mesh(a)?.rounded()?, placed(b)?);
        let out = place(out_contact, "out_contact")?;
        out.write(query.run(|query| query.first_contact(&a, b.obstacle()))?.into());
        Ok(())
    })
}

/// Finds impinge_first_contact() of a body, which may be a half-space, and a model at each of many poses.
/// Writes one result for each pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_first_contact_at(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_model>,
    poses: *const impinge_pose,
    pose_count: usize,
    out_contacts: *mut impinge_contact,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, placed(a)?, shared(b)?);
        let poses = unsafe { query.poses(poses, pose_count) }?;
        let out = unsafe { results(out_contacts, pose_count, "out_contacts") }?;
        query.run(|query| {
            let found = query.first_contact_at(a.obstacle(), b, &poses);
            write_all(out, found.iter().map(|&pair| pair.into()));
        })
    })
}

/// Finds all pairs of triangles that meet, sorted. There may be as many as the product of both numbers of
/// triangles.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL. A capacity of 0 only counts, without memory for a list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_pairs(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_body>,
    pairs: *mut impinge_pair,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, mesh(a)?.rounded()?, placed(b)?);
        let buffer = unsafe { Buffer::new(pairs, capacity, out_count) }?;
        query.run(|query| {
            if buffer.capacity() == 0 {
                let count = query.pairs_at_most(&a, b.obstacle(), 0, &mut Vec::new()).count;
                return buffer.only_count(count);
            }
            buffer.fill(query.pairs(&a, b.obstacle()).iter().map(|&pair| pair.into()))
        })?
    })
}

/// Finds impinge_pairs() of a body, which may be a half-space, and a model at each of many poses: one list
/// after the other. For each pose, `out_ends` gets the number of pairs of it and of all poses before.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL; `out_ends` is then written, too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_pairs_at(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_model>,
    poses: *const impinge_pose,
    pose_count: usize,
    out_ends: *mut usize,
    pairs: *mut impinge_pair,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, placed(a)?, shared(b)?);
        let poses = unsafe { query.poses(poses, pose_count) }?;
        let ends = unsafe { results(out_ends, pose_count, "out_ends") }?;
        let buffer = unsafe { Buffer::new(pairs, capacity, out_count) }?;
        query.run(|query| {
            let found = query.pairs_at(a.obstacle(), b, &poses);
            write_all(ends, found.starts()[1..].iter().copied());
            buffer.fill(found.pairs().iter().map(|&pair| pair.into()))
        })?
    })
}

/// Finds all pairs of triangles of one mesh that meet elsewhere than in common corners and edges, sorted;
/// the smaller number of each pair comes first.
///
/// Errors: IMPINGE_STATUS_BUFFER_TOO_SMALL. A capacity of 0 only counts, without memory for a list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_self_pairs(
    query: Option<&mut impinge_query>,
    model: Option<&impinge_model>,
    pairs: *mut impinge_pair,
    capacity: usize,
    out_count: Option<&mut MaybeUninit<usize>>,
) -> impinge_status {
    call(|| {
        let (query, model) = (exclusive(query)?, shared(model)?);
        let buffer = unsafe { Buffer::new(pairs, capacity, out_count) }?;
        query.run(|query| {
            if buffer.capacity() == 0 {
                return buffer.only_count(query.self_pairs_at_most(model, 0, &mut Vec::new()).count);
            }
            buffer.fill(query.self_pairs(model).iter().map(|&pair| pair.into()))
        })?
    })
}

/// Finds a pair of triangles of one mesh that meet elsewhere than in common corners and edges. Which one is
/// unspecified.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_self_first_contact(
    query: Option<&mut impinge_query>,
    model: Option<&impinge_model>,
    out_contact: Option<&mut MaybeUninit<impinge_contact>>,
) -> impinge_status {
    call(|| {
        let (query, model) = (exclusive(query)?, shared(model)?);
        let out = place(out_contact, "out_contact")?;
        out.write(query.run(|query| query.self_first_contact(model))?.into());
        Ok(())
    })
}

/// Decides whether a mesh meets itself elsewhere than in common corners and edges.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_self_intersects(
    query: Option<&mut impinge_query>,
    model: Option<&impinge_model>,
    out_meet: Option<&mut MaybeUninit<bool>>,
) -> impinge_status {
    call(|| {
        let (query, model) = (exclusive(query)?, shared(model)?);
        let out = place(out_meet, "out_meet")?;
        out.write(query.run(|query| query.self_intersects(model))?);
        Ok(())
    })
}

/// Where two triangles meet.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_contact_point {
    /// True if the triangles meet: exact. If not, the point is about midway between them.
    pub meets: bool,
    /// A point of both, rounded: the middle of what they have in common.
    pub point: [f64; 3],
    /// The unit normal of the first triangle, counter-clockwise; NaN of a degenerate one.
    pub normal_a: [f64; 3],
    /// The unit normal of the second triangle.
    pub normal_b: [f64; 3],
}

/// Computes a point and normals for each of many pairs of triangles, such as those of impinge_pairs(). Writes
/// one result for each pair.
///
/// Errors: a triangle that does not exist; IMPINGE_STATUS_UNSUPPORTED for a half-space. Radii do not count.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_contact_points(
    a: Option<&impinge_body>,
    b: Option<&impinge_body>,
    pairs: *const impinge_pair,
    pair_count: usize,
    out_points: *mut impinge_contact_point,
) -> impinge_status {
    call(|| {
        let (a, b) = (mesh(a)?.body(), mesh(b)?.body());
        let pairs = unsafe { list(pairs, pair_count, "pairs") }?;
        let out = unsafe { results(out_points, pair_count, "out_points") }?;
        let most = [&a, &b].map(|body| body.model.mesh().len());
        let is_wrong = |pair: &impinge_pair| pair.a as usize >= most[0] || pair.b as usize >= most[1];
        if let Some(i) = pairs.iter().position(is_wrong) {
            return Err(Failure::argument(format!("pairs[{i}] has a triangle that does not exist")));
        }
        write_all(
            out,
            pairs.iter().map(|pair| {
                let found = contact_point(&a, &b, [pair.a, pair.b]);
                let [normal_a, normal_b] = found.normals.map(|normal| normal.unwrap_or([f64::NAN; 3]));
                impinge_contact_point { meets: found.meets, point: found.point, normal_a, normal_b }
            }),
        );
        Ok(())
    })
}
