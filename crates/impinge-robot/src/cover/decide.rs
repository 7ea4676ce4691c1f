//! [`LinkCover`]: what is proved about the cover of a link.
use super::{
    part::CoverPart,
    shape::{CoverShape, proxy_of},
};
use impinge::{
    Body, Error, Mesh, Model, Pose, Query,
    coverage::{Coverage, CoverageOptions, ExcessOptions, Proxy},
};

/// The most boxes in a search for excess or volume.
const MOST_CELLS: u64 = 30_000;

/// Settings of [`cover`].
#[derive(Clone, Copy, Debug, Default)]
pub struct CoverSettings {
    /// The depth that each point of the part has to have in one shape: see [`CoverageOptions::margin`].
    pub margin: f64,
    /// True if figures beside the cover are not wanted: excess and volumes.
    pub cover_only: bool,
}

/// What is proved about the cover of a link's parts. Lengths are those of the file.
#[derive(Clone, Debug)]
pub struct LinkCover {
    /// Whether each point of the parts is in a shape; `None` if it is undecided.
    pub covered: Option<bool>,
    /// Bounds of the greatest distance of a point of a part from the shapes, which is also the least length by
    /// which all radii have to grow. Both are 0 if it is covered, and infinite without a shape.
    pub depth: [f64; 2],
    /// The point that is farthest outside, and the index of its part.
    pub at: Option<([f64; 3], usize)>,
    /// Bounds of the greatest distance of a point of a shape from the parts.
    pub excess: Option<[f64; 2]>,
    /// Bounds of the volume of the union of the shapes.
    pub proxy_volume: Option<[f64; 2]>,
    /// Bounds of the volume of the part; `None` unless it is one closed mesh that does not meet itself.
    pub part_volume: Option<[f64; 2]>,
    /// Number of the part's triangles.
    pub triangles: usize,
    /// Number of shapes.
    pub shapes: usize,
}

/// Decides whether shapes cover the parts of a link.
///
/// # Errors
/// Numbers that overflow.
pub fn cover(
    query: &mut Query,
    parts: &[CoverPart],
    shapes: &[CoverShape],
    settings: &CoverSettings,
) -> Result<LinkCover, Error> {
    let proxy = proxy_of(shapes)?;
    let mut all = LinkCover {
        covered: Some(true),
        depth: [0.0; 2],
        at: None,
        excess: None,
        proxy_volume: None,
        part_volume: None,
        triangles: parts.iter().map(|part| part.model.mesh().len()).sum(),
        shapes: shapes.len(),
    };
    for (i, part) in parts.iter().enumerate() {
        if settings.margin == 0.0 && shapes.iter().any(|shape| part.shape.is_same_primitive(shape)) {
            continue;
        }
        let found = cover_part(query, part, shapes, &proxy, settings.margin)?;
        all.covered = match (all.covered, found.covered) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (None, _) | (_, None) => None,
            _ => Some(true),
        };
        if let Some(witness) = found.witness
            && found.depth[0] > all.depth[0]
        {
            all.at = Some((witness.point, i));
        }
        all.depth = [0, 1].map(|k| all.depth[k].max(found.depth[k]));
    }
    if !settings.cover_only && !shapes.is_empty() && !parts.is_empty() {
        let (mesh, slack) = merged(parts)?;
        // Meshes that are not convex leave wide intervals of volume, however many boxes there are.
        let options = ExcessOptions::new().most_cells(MOST_CELLS);
        let model = Model::new(mesh);
        let [lo, hi] = query.excess(&Body::new(&model, Pose::IDENTITY), &proxy, &options).distance;
        // The inside of one part may be open in the mesh of all.
        let lo = if parts.len() == 1 { (lo - slack).next_down().max(0.0) } else { 0.0 };
        all.excess = Some([lo, up(hi, slack)]);
        all.proxy_volume = Some(query.proxy_volume(&proxy, &options));
        if let [one] = parts
            && (one.radius, one.slack) == (0.0, 0.0)
            && one.model.winding_volume().is_some_and(|[lo, _]| lo > 0.0)
        {
            // A mesh that meets itself has no volume to compare with: its bounds stay wide.
            let part = Proxy::new().with(Body::new(&one.model, one.pose));
            let bounds = query.proxy_volume(&part, &options.most_cells(1));
            all.part_volume = Some(bounds).filter(|[lo, hi]| *hi <= 1.01 * lo);
        }
    }
    Ok(all)
}

/// A sum of numbers that are not negative, rounded up.
fn up(a: f64, b: f64) -> f64 {
    if b == 0.0 { a } else { (a + b).next_up() }
}

/// The cover of one part.
fn cover_part(
    query: &mut Query,
    part: &CoverPart,
    shapes: &[CoverShape],
    proxy: &Proxy<'_>,
    margin: f64,
) -> Result<Coverage, Error> {
    let body = Body::new(&part.model, part.pose);
    let with = |margin: f64| {
        let options = CoverageOptions::new();
        if margin > 0.0 { options.margin(margin) } else { Ok(options) }
    };
    let whole = up(margin, part.radius);
    let mut found = query.coverage(&body, proxy, &with(whole)?);
    let is_alone = matches!(shapes, [one] if one.is_convex());
    if part.radius > 0.0 && found.covered == Some(false) && !is_alone {
        // Two shapes may cover together what is deep in neither. The axis decides, or nothing.
        let axis = query.coverage(&body, proxy, &with(margin)?);
        let is_out = axis.covered == Some(false);
        found.covered = is_out.then_some(false);
        found.depth[0] = if is_out { axis.depth[0] } else { 0.0 };
        found.witness = axis.witness;
    }
    if part.slack == 0.0 {
        return Ok(found);
    }
    // Points of the shape beyond the triangles are no farther than the slack.
    if found.covered == Some(true) {
        let deep = query.coverage(&body, proxy, &with(up(whole, part.slack))?);
        if deep.covered == Some(true) {
            return Ok(found);
        }
        found.covered = None;
    }
    // Corners of the triangles may be outside of the shape by their rounding.
    found.depth[0] = (found.depth[0] - part.rounding).next_down().max(0.0);
    if found.covered == Some(false) && found.depth[0] == 0.0 {
        (found.covered, found.witness) = (None, None);
    }
    found.depth[1] = up(found.depth[1], part.slack);
    Ok(found)
}

/// All parts as one mesh in the frame of the link, and how far a point of them is from it at most.
fn merged(parts: &[CoverPart]) -> Result<(Mesh, f64), Error> {
    let (mut points, mut triangles, mut slack) = (Vec::new(), Vec::new(), 0.0_f64);
    for part in parts {
        let (mesh, own) = part.inner_mesh()?;
        let first = points.len() as u32;
        points.extend_from_slice(mesh.points());
        triangles.extend(mesh.triangles().iter().map(|t| t.map(|i| i + first)));
        // Placed points round once.
        let is_exact = part.pose == Pose::IDENTITY;
        let size = mesh.points().iter().flatten().map(|x| x.abs()).fold(0.0, f64::max);
        slack = slack.max(own + if is_exact { 0.0 } else { 4e-16 * size });
    }
    Ok((Mesh::new(points, triangles)?, slack))
}
