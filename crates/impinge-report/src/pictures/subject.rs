//! Subject of a picture: the parts of a finding and its neighbours, relative to its point.
use super::{
    model::{PictureModel, place},
    vector::{length, subtract},
};
use crate::groups::parts;
use impinge::{Mesh, Pose, solid::FillRule};
use impinge_check::Finding;
use std::sync::Arc;

/// The parts of a finding. Coordinates are relative to its point, in f64, and then divided by the unit.
pub(super) struct Subject {
    /// The point of the finding; without one, the middle of its first part.
    pub(super) origin: [f64; 3],
    pub(super) has_point: bool,
    /// Radius of a sphere around the origin that contains the smaller part.
    pub(super) unit: f64,
    /// The parts that have triangles, in the order of tables.
    pub(super) shapes: Vec<Shape>,
}

/// A part, relative to a finding.
pub(super) struct Shape {
    pub(super) points: Vec<[f64; 3]>,
    pub(super) mesh: Arc<Mesh>,
    /// Rule by which points are inside; `None` for a surface.
    pub(super) rule: Option<FillRule>,
    /// 0 for the first part of a finding, 1 for the second one.
    pub(super) place: usize,
    /// True if it is drawn in stripes: the second of two equal parts, which would hide the first one.
    pub(super) is_striped: bool,
}

/// The width of a stripe, in samples.
const STRIPE: usize = 7;

/// Factor on the nearness of the second part, which puts it in front if both surfaces are in one plane.
const FRONT: f32 = 1.0 + 2e-5;

impl Shape {
    /// A part where it is, relative to a point and in a unit.
    pub(super) fn of(model: &PictureModel<'_>, part: u32, origin: [f64; 3], unit: f64) -> Self {
        Self::at(model, part, model.report.part(part).pose(), origin, unit)
    }
    fn at(model: &PictureModel<'_>, part: u32, pose: &Pose, origin: [f64; 3], unit: f64) -> Self {
        let mesh = Arc::clone(&model.assembly.parts[part as usize].mesh);
        let translation = subtract(*pose.translation(), origin);
        let relative = |&point: &[f64; 3]| place(pose, translation, point).map(|x| x / unit);
        let points = mesh.points().iter().map(relative).collect();
        Self { points, mesh, rule: None, place: 0, is_striped: false }
    }
    /// True if a point with this winding number is inside; nothing is inside a surface.
    pub(super) fn contains(&self, winding: i16) -> bool {
        match self.rule {
            None => false,
            Some(FillRule::Positive) => winding > 0,
            Some(FillRule::EvenOdd) => winding % 2 != 0,
            Some(_) => winding != 0,
        }
    }
    /// True if its sample covers the one drawn before, of its own surface or of the first part's.
    pub(super) fn hides(&self, x: usize, y: usize, nearness: f32, before: f32) -> bool {
        if self.is_striped && ((x + y) / STRIPE) % 2 == 1 {
            return false;
        }
        if self.place == 1 { nearness * FRONT >= before } else { nearness >= before }
    }
}

impl Subject {
    pub(super) fn new(model: &PictureModel<'_>, finding: &Finding) -> Self {
        let report = model.report;
        let point = report.point_of(finding);
        let first = parts(report, finding)[0].unwrap_or(finding.parts()[0]);
        let box_of = |part, origin| model.box_at(part, &report.pose_in(finding, part), origin);
        let origin = point.unwrap_or_else(|| box_of(first, [0.0; 3])[0]);
        let reach = |&part: &u32| {
            let [middle, half] = box_of(part, origin);
            length([0, 1, 2].map(|k| middle[k].abs() + half[k]))
        };
        let least = finding.parts().iter().map(reach).fold(f64::INFINITY, f64::min);
        let unit = if least > 0.0 && least.is_finite() { least } else { 1.0 };
        let mut subject = Self { origin, has_point: point.is_some(), unit, shapes: Vec::new() };
        let is_same = finding.kind.name() == "duplicate";
        for (place, part) in parts(report, finding).into_iter().flatten().enumerate() {
            let mut shape = Shape::at(model, part, &report.pose_in(finding, part), origin, unit);
            (shape.place, shape.is_striped) = (place, is_same && place == 1);
            shape.rule = report.part(part).fill_rule();
            if !shape.mesh.is_empty() {
                subject.shapes.push(shape);
            }
        }
        subject
    }
    /// One part, relative to its middle.
    pub(super) fn of_part(model: &PictureModel<'_>, part: u32) -> Self {
        let [origin, half] = model.box_of(part, [0.0; 3]);
        let radius = length(half);
        let unit = if radius > 0.0 && radius.is_finite() { radius } else { 1.0 };
        let mut subject = Self { origin, has_point: false, unit, shapes: Vec::new() };
        subject.shapes.push(subject.shape(model, part));
        subject
    }
    /// A part where it is, relative to the finding.
    pub(super) fn shape(&self, model: &PictureModel<'_>, part: u32) -> Shape {
        Shape::of(model, part, self.origin, self.unit)
    }
}

/// Maximum numbers of parts and of triangles that are drawn as ghosts.
const PARTS: usize = 400;
const TRIANGLES: usize = 600_000;

/// Parts whose boxes are nearer to the finding than `reach`, the nearest first.
pub(super) fn neighbours(
    model: &PictureModel<'_>,
    finding: &Finding,
    origin: [f64; 3],
    reach: f64,
) -> Vec<u32> {
    let gap = |part: u32| {
        let [middle, half] = model.box_of(part, origin);
        let gap = length([0, 1, 2].map(|k| (middle[k].abs() - half[k]).max(0.0)));
        (gap < reach && model.report.part(part).triangles() > 0 && !finding.parts().contains(&part))
            .then_some((gap, part))
    };
    let mut near: Vec<(f64, u32)> = (0..model.report.part_count() as u32).filter_map(gap).collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut triangles = 0;
    let mut fits = |part: &u32| {
        let more = triangles + model.report.part(*part).triangles();
        let is_shown = more < TRIANGLES;
        if is_shown {
            triangles = more;
        }
        is_shown
    };
    near.into_iter().take(PARTS).map(|(_, part)| part).filter(|part| fits(part)).collect()
}
