//! Queries about solids: relations, and how far surfaces reach.
use crate::{
    body::{impinge_body, surface},
    border::{place, results, write_all},
    handle::{exclusive, shared},
    model::{impinge_closedness, impinge_interval, impinge_model},
    near::{accuracy, impinge_accuracy},
    number::number,
    pairs::{impinge_contact, impinge_pair},
    pose::impinge_pose,
    query::impinge_query,
    status::{Failure, call, impinge_status},
};
use impinge::{
    certainty::Certainty,
    distance::Margin,
    farthest::{Farthest, SolidSide},
    penetration::{Penetration, PenetrationParts},
    relation::{Relation, RelationKind},
};
use std::mem::MaybeUninit;

/// The relation of two bodies as solids.
#[derive(Clone, Copy, PartialEq)]
#[repr(C)]
pub enum impinge_relation_kind {
    /// No point in common.
    Apart = 0,
    /// Points of surfaces in common, none of the insides.
    Touch = 1,
    /// Both have inside points in common, and each has others of its own.
    Overlap = 2,
    /// The first body lies in the second.
    Inside = 3,
    /// The second body lies in the first.
    Contains = 4,
    /// Both are the same set of points.
    Duplicate = 5,
    /// A surface without an inside crosses a solid.
    Pierce = 6,
    /// A surface without an inside lies in a solid.
    SurfaceInside = 7,
    /// Two surfaces without an inside cross or touch.
    Meet = 8,
}

impl From<RelationKind> for impinge_relation_kind {
    fn from(kind: RelationKind) -> Self {
        match kind {
            RelationKind::Apart => Self::Apart,
            RelationKind::Touch => Self::Touch,
            RelationKind::Overlap => Self::Overlap,
            RelationKind::Inside => Self::Inside,
            RelationKind::Contains => Self::Contains,
            RelationKind::Duplicate => Self::Duplicate,
            RelationKind::Pierce => Self::Pierce,
            RelationKind::SurfaceInside => Self::SurfaceInside,
            RelationKind::Meet => Self::Meet,
        }
    }
}

/// The relation of two bodies as solids.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_relation_result {
    /// The relation of the first body to the second.
    pub kind: impinge_relation_kind,
    /// True if the surfaces have a point in common.
    pub touching: bool,
    /// Triangles that meet, if any were found.
    pub witness: impinge_contact,
    /// Whether the first mesh bounds a solid.
    pub closedness_a: impinge_closedness,
    /// Whether the second mesh bounds a solid.
    pub closedness_b: impinge_closedness,
}

impl From<Relation> for impinge_relation_result {
    fn from(Relation { kind, touching, witness, status: [a, b], .. }: Relation) -> Self {
        let (kind, witness) = (kind.into(), witness.into());
        Self { kind, touching, witness, closedness_a: a.into(), closedness_b: b.into() }
    }
}

/// Decides the relation of two bodies as solids, exactly.
///
/// Errors: IMPINGE_STATUS_UNSUPPORTED for a half-space, or a body with a radius.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_relation(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_body>,
    out_relation: Option<&mut MaybeUninit<impinge_relation_result>>,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, surface(a)?, surface(b)?);
        let out = place(out_relation, "out_relation")?;
        out.write(query.run(|query| query.relation(&a, &b))?.into());
        Ok(())
    })
}

/// Decides impinge_relation() for a body and a model at each of many poses. Writes one result for each pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_relation_at(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_model>,
    poses: *const impinge_pose,
    pose_count: usize,
    out_relations: *mut impinge_relation_result,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, surface(a)?, shared(b)?);
        let poses = unsafe { query.poses(poses, pose_count) }?;
        let out = unsafe { results(out_relations, pose_count, "out_relations") }?;
        query.run(|query| {
            write_all(out, query.relation_at(&a, b, &poses).iter().map(|&relation| relation.into()));
        })
    })
}

/// Decides whether the insides of two bodies have a point in common, or a surface a point inside of a solid.
/// Touching does not count; containment does.
///
/// Errors: as impinge_relation().
#[unsafe(no_mangle)]
pub extern "C" fn impinge_overlaps(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_body>,
    out_overlap: Option<&mut MaybeUninit<bool>>,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, surface(a)?, surface(b)?);
        let out = place(out_overlap, "out_overlap")?;
        out.write(query.run(|query| query.overlaps(&a, &b))?);
        Ok(())
    })
}

/// The part of impinge_penetration() that is the volume in common.
pub const IMPINGE_OVERLAP_VOLUME: u32 = 1;
/// The part that is the interference depth.
pub const IMPINGE_INTERFERENCE_DEPTH: u32 = 2;
/// The part that is the depth of a corner.
pub const IMPINGE_DEPTH_AT_LEAST: u32 = 4;
/// The part that is a separating translation and its length.
pub const IMPINGE_SEPARATION: u32 = 8;

/// Depths of the overlap of two bodies. What was not asked for, or is unknown, is NaN.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_penetration_result {
    /// The volume of the points inside both bodies.
    pub overlap_volume: impinge_interval,
    /// The greatest distance of a point of either surface, inside the other body, from the other's surface.
    pub interference_depth: impinge_interval,
    /// A depth of some corner of one body in the other: a shorter translation leaves it inside.
    pub depth_at_least: f64,
    /// A translation of the second body after which no point is inside both.
    pub separating_translation: [f64; 3],
    /// The length of the shortest such translation.
    pub separating_distance: impinge_interval,
}

impl From<Penetration> for impinge_penetration_result {
    fn from(found: Penetration) -> Self {
        Self {
            overlap_volume: found.overlap_volume.into(),
            interference_depth: found.interference_depth.into(),
            depth_at_least: found.depth_at_least.map_or(f64::NAN, |depth| depth.length),
            separating_translation: found.separating_translation.unwrap_or([f64::NAN; 3]),
            separating_distance: found.separating_distance.into(),
        }
    }
}

/// Measures the overlap of two bodies. `parts` is a sum of IMPINGE_OVERLAP_VOLUME,
/// IMPINGE_INTERFERENCE_DEPTH, IMPINGE_DEPTH_AT_LEAST and IMPINGE_SEPARATION.
///
/// Errors: an unknown part; IMPINGE_STATUS_UNSUPPORTED for a half-space, or a body with a radius.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_penetration(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_body>,
    parts: u32,
    out_penetration: Option<&mut MaybeUninit<impinge_penetration_result>>,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, surface(a)?, surface(b)?);
        let out = place(out_penetration, "out_penetration")?;
        if parts >= 2 * IMPINGE_SEPARATION {
            return Err(Failure::argument(format!("{parts} is no sum of parts")));
        }
        let has = |part| parts & part != 0;
        let wanted = PenetrationParts::new()
            .overlap_volume(has(IMPINGE_OVERLAP_VOLUME))
            .interference_depth(has(IMPINGE_INTERFERENCE_DEPTH))
            .depth_at_least(has(IMPINGE_DEPTH_AT_LEAST))
            .separating_translation(has(IMPINGE_SEPARATION))
            .separating_distance(has(IMPINGE_SEPARATION));
        out.write(query.run(|query| query.penetration(&a, &b, &wanted))?.into());
        Ok(())
    })
}

/// The side of a solid on which the points of a surface are measured.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum impinge_side {
    /// All points.
    Any = 0,
    /// The points inside the other body.
    Inside = 1,
    /// The points outside the other body.
    Outside = 2,
}

/// Whether a farthest distance exists.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum impinge_farthest_kind {
    /// The distance was found.
    Found = 0,
    /// No point of the surface is on that side, or a body has no triangles.
    NoPoint = 1,
    /// A side is wanted, but the other mesh bounds no solid.
    NoSolid = 2,
}

/// The greatest distance of a point of the first surface from the second surface.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct impinge_farthest_result {
    /// Whether the distance exists; all else is 0 if not.
    pub kind: impinge_farthest_kind,
    /// Lower bound of the distance, which the points prove.
    pub lo: f64,
    /// Upper bound of the distance.
    pub hi: f64,
    /// The triangles of the points.
    pub triangles: impinge_pair,
    /// A point of the first surface that is at least `lo` away from the second one.
    pub point_a: [f64; 3],
    /// The nearest point of the second surface that was found.
    pub point_b: [f64; 3],
}

/// Computes the greatest distance of points of the first body's surface from the second body's surface: the
/// one-sided Hausdorff distance, or how deep a surface is in a solid. NULL as the accuracy is the default;
/// only its fields `relative` and `absolute` have an effect.
///
/// Errors: an unknown side, an accuracy that is negative or NaN; IMPINGE_STATUS_UNSUPPORTED for a half-space,
/// or a body with a radius.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_farthest_distance(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_body>,
    side: MaybeUninit<impinge_side>,
    accuracy: Option<&impinge_accuracy>,
    out_farthest: Option<&mut MaybeUninit<impinge_farthest_result>>,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, surface(a)?, surface(b)?);
        let (accuracy, out) = (self::accuracy(accuracy)?, place(out_farthest, "out_farthest")?);
        let side = match number(side) {
            0 => SolidSide::Any,
            1 => SolidSide::Inside,
            2 => SolidSide::Outside,
            other => return Err(Failure::argument(format!("{other} is no side"))),
        };
        let found = query.run(|query| query.with_accuracy(accuracy).farthest_distance(&a, &b, side))?;
        let kind = match found {
            Farthest::At(_) => impinge_farthest_kind::Found,
            Farthest::NoPoint => impinge_farthest_kind::NoPoint,
            Farthest::NoSolid => impinge_farthest_kind::NoSolid,
        };
        let none = (0.0, 0.0, [0; 2], [[0.0; 3]; 2]);
        let (lo, hi, triangles, [point_a, point_b]) =
            found.point().map_or(none, |f| (f.lo, f.hi, f.triangles, f.points));
        let triangles = triangles.into();
        out.write(impinge_farthest_result { kind, lo, hi, triangles, point_a, point_b });
        Ok(())
    })
}

/// Whether curved bodies clash, of which the meshes are approximations.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum impinge_certainty_kind {
    /// The true bodies are certainly farther apart.
    Clear = 0,
    /// The triangles determine neither.
    Possible = 1,
    /// The true bodies are certainly that near, or overlap.
    Definite = 2,
}

/// Decides whether the curved bodies come as near as a clearance, given how far the true surface of each may
/// be from its triangles (chord errors).
///
/// Errors: a length that is negative, infinite or NaN; IMPINGE_STATUS_UNSUPPORTED for a half-space, or a body
/// with a radius.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_certainty(
    query: Option<&mut impinge_query>,
    a: Option<&impinge_body>,
    b: Option<&impinge_body>,
    chord_a: f64,
    chord_b: f64,
    clearance: f64,
    out_certainty: Option<&mut MaybeUninit<impinge_certainty_kind>>,
) -> impinge_status {
    call(|| {
        let (query, a, b) = (exclusive(query)?, surface(a)?, surface(b)?);
        let out = place(out_certainty, "out_certainty")?;
        let chords = [Margin::new(chord_a)?, Margin::new(chord_b)?];
        let clearance = Margin::new(clearance)?;
        out.write(match query.run(|query| query.certainty(&a, &b, chords, clearance))? {
            Certainty::Clear => impinge_certainty_kind::Clear,
            Certainty::Possible => impinge_certainty_kind::Possible,
            Certainty::Definite => impinge_certainty_kind::Definite,
        });
        Ok(())
    })
}
