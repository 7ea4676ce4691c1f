//! The public verbs. SKELETON: brute force on bounding boxes of triangles, replaced by the real thing.
use crate::{Model, Pose, Probe};

/// A model at a pose.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// The mesh with its tree.
    pub model: &'a Model,
    /// Where it stands.
    pub pose: Pose,
}
impl<'a> Body<'a> {
    /// A model at a pose.
    pub fn new(model: &'a Model, pose: Pose) -> Self {
        Self { model, pose }
    }
}
/// Memory of a query; keep it from one to the next, and a query does not allocate.
#[derive(Debug, Default)]
pub struct Scratch {}
impl Scratch {
    /// Empty.
    pub fn new() -> Self {
        Self::default()
    }
}
/// Which separating axes a box test tries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Overlap {
    /// The 6 face normals.
    #[default]
    SatLite,
    /// All 15.
    Sat,
}
/// How to ask; the answer does not depend on it.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Query {
    /// The box test.
    pub overlap: Overlap,
}
impl Query {
    /// First contact: a pair of triangles that meet (of `a`, of `b`), or `None` if no two do.
    pub fn intersects(&self, a: &Body<'_>, b: &Body<'_>, _s: &mut Scratch, _p: &mut impl Probe) -> Option<[u32; 2]> {
        brute_force::intersects(a, b)
    }
    /// All pairs, sorted, into `pairs` (cleared first).
    pub fn intersecting_pairs(&self, a: &Body<'_>, b: &Body<'_>, _s: &mut Scratch, pairs: &mut Vec<[u32; 2]>, _p: &mut impl Probe) {
        *pairs = brute_force::intersecting_pairs(a, b);
    }
}
/// [`Query::intersects`] with the defaults.
pub fn intersects(a: &Body<'_>, b: &Body<'_>, scratch: &mut Scratch) -> Option<[u32; 2]> {
    Query::default().intersects(a, b, scratch, &mut ())
}
/// [`Query::intersecting_pairs`] with the defaults.
pub fn intersecting_pairs(a: &Body<'_>, b: &Body<'_>, scratch: &mut Scratch, pairs: &mut Vec<[u32; 2]>) {
    Query::default().intersecting_pairs(a, b, scratch, pairs, &mut ());
}
/// The reference: every triangle against every triangle.
pub mod brute_force {
    use super::*;
    /// All pairs, sorted.
    pub fn intersecting_pairs(a: &Body<'_>, b: &Body<'_>) -> Vec<[u32; 2]> {
        let mut out = vec![];
        for i in 0..a.model.mesh().len() as u32 {
            for j in 0..b.model.mesh().len() as u32 {
                if meet(a, i, b, j) {
                    out.push([i, j]);
                }
            }
        }
        out
    }
    /// The smallest pair.
    pub fn intersects(a: &Body<'_>, b: &Body<'_>) -> Option<[u32; 2]> {
        intersecting_pairs(a, b).first().copied()
    }
    fn meet(a: &Body<'_>, i: u32, b: &Body<'_>, j: u32) -> bool {
        let p = a.model.mesh().corners(i).map(|v| a.pose.place(v));
        let q = b.model.mesh().corners(j).map(|v| b.pose.place(v));
        (0..3).all(|k| {
            let lo = |t: &[[f64; 3]; 3]| t.iter().map(|v| v[k]).fold(f64::INFINITY, f64::min);
            let hi = |t: &[[f64; 3]; 3]| t.iter().map(|v| v[k]).fold(f64::NEG_INFINITY, f64::max);
            lo(&p) <= hi(&q) && lo(&q) <= hi(&p)
        })
    }
}
/// A point where the two placed triangles of an intersecting pair meet, to rounding.
pub fn contact_point(a: &Body<'_>, b: &Body<'_>, pair: [u32; 2]) -> [f64; 3] {
    let _ = b;
    a.pose.place(a.model.mesh().corners(pair[0])[0])
}
/// Lower and upper corner of a box, at most an ulp or two too large, that holds the placed body; `None` if it is empty.
pub fn world_box(body: &Body<'_>) -> Option<[[f64; 3]; 2]> {
    let mut out: Option<[[f64; 3]; 2]> = None;
    for t in 0..body.model.mesh().len() as u32 {
        for v in body.model.mesh().corners(t) {
            let v = body.pose.place(v);
            let b = out.get_or_insert([v, v]);
            for k in 0..3 {
                b[0][k] = b[0][k].min(v[k]);
                b[1][k] = b[1][k].max(v[k]);
            }
        }
    }
    out
}
/// Whether the two bodies' exact closed world boxes meet (decided over the real numbers).
pub fn boxes_meet(a: &Body<'_>, b: &Body<'_>) -> bool {
    match (world_box(a), world_box(b)) {
        (Some(a), Some(b)) => (0..3).all(|k| a[0][k] <= b[1][k] && b[0][k] <= a[1][k]),
        _ => false,
    }
}
