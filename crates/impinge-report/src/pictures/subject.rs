//! Subject of a picture: the parts of a finding and its neighbours, relative to its point.
use super::vector::{length, subtract};
use crate::groups::parts;
use impinge::{Mesh, Pose, solid::FillRule};
use impinge_check::{Assembly, Finding, Report};
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
    /// A part, relative to a point and in a unit.
    pub(super) fn of(
        report: &Report,
        assembly: &Assembly,
        part: u32,
        (origin, unit): ([f64; 3], f64),
    ) -> Self {
        let mesh = Arc::clone(&assembly.parts[part as usize].mesh);
        let pose = report.part(part).pose();
        let translation = subtract(*pose.translation(), origin);
        let relative = |&point: &[f64; 3]| at(pose, translation, point).map(|x| x / unit);
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

/// The box around the points of each mesh, by its number: its middle, and half of its sides.
pub(super) type Boxes = Vec<Option<[[f64; 3]; 2]>>;

/// Measures each mesh once.
pub(super) fn boxes(report: &Report, assembly: &Assembly) -> Boxes {
    let mut boxes = Boxes::new();
    for (facts, part) in report.parts().zip(&assembly.parts) {
        let number = facts.mesh() as usize;
        if boxes.len() <= number {
            boxes.resize(number + 1, None);
        }
        let points = part.mesh.points();
        if let (None, Some(&first)) = (boxes[number], points.first()) {
            let [low, high] = points.iter().fold([first; 2], |[low, high], p| {
                [[0, 1, 2].map(|k| low[k].min(p[k])), [0, 1, 2].map(|k| high[k].max(p[k]))]
            });
            let halves = [high, low].map(|p| p.map(|x| x / 2.0));
            boxes[number] = Some([
                [0, 1, 2].map(|k| halves[0][k] + halves[1][k]),
                [0, 1, 2].map(|k| halves[0][k] - halves[1][k]),
            ]);
        }
    }
    boxes
}

/// The box around a part at its pose, relative to a point: its middle, and half of its sides.
pub(super) fn placed(pose: &Pose, [middle, half]: [[f64; 3]; 2], origin: [f64; 3]) -> [[f64; 3]; 2] {
    let middle = at(pose, subtract(*pose.translation(), origin), middle);
    let half =
        pose.rows().map(|row| row[0].abs() * half[0] + row[1].abs() * half[1] + row[2].abs() * half[2]);
    [middle, half]
}

/// A placed point, relative to the same origin as the translation.
fn at(pose: &Pose, translation: [f64; 3], point: [f64; 3]) -> [f64; 3] {
    let row = |k: usize| {
        let row = pose.rows()[k];
        row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + translation[k]
    };
    [0, 1, 2].map(row)
}

impl Subject {
    pub(super) fn new(report: &Report, assembly: &Assembly, boxes: &Boxes, finding: &Finding) -> Self {
        let point = report.point_of(finding);
        let box_of = |part: u32, origin| {
            let facts = report.part(part);
            let own = boxes[facts.mesh() as usize].unwrap_or_default();
            placed(facts.pose(), own, origin)
        };
        let first = parts(report, finding)[0].unwrap_or(finding.parts()[0]);
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
            let mut shape = subject.shape(report, assembly, part);
            (shape.place, shape.is_striped) = (place, is_same && place == 1);
            shape.rule = report.part(part).fill_rule();
            if !shape.mesh.is_empty() {
                subject.shapes.push(shape);
            }
        }
        subject
    }
    /// One part, relative to its middle.
    pub(super) fn of_part(report: &Report, assembly: &Assembly, boxes: &Boxes, part: u32) -> Self {
        let facts = report.part(part);
        let own = boxes[facts.mesh() as usize].unwrap_or_default();
        let [origin, half] = placed(facts.pose(), own, [0.0; 3]);
        let radius = length(half);
        let unit = if radius > 0.0 && radius.is_finite() { radius } else { 1.0 };
        let mut subject = Self { origin, has_point: false, unit, shapes: Vec::new() };
        subject.shapes.push(subject.shape(report, assembly, part));
        subject
    }
    /// A part relative to the finding.
    pub(super) fn shape(&self, report: &Report, assembly: &Assembly, part: u32) -> Shape {
        Shape::of(report, assembly, part, (self.origin, self.unit))
    }
}

/// Maximum numbers of parts and of triangles that are drawn as ghosts.
const PARTS: usize = 400;
const TRIANGLES: usize = 600_000;

/// Parts whose boxes are nearer to the finding than `reach`, the nearest first.
pub(super) fn neighbours(
    report: &Report,
    boxes: &Boxes,
    finding: &Finding,
    origin: [f64; 3],
    reach: f64,
) -> Vec<u32> {
    let gap = |part: u32| {
        let facts = report.part(part);
        let [middle, half] = placed(facts.pose(), boxes[facts.mesh() as usize]?, origin);
        let gap = length([0, 1, 2].map(|k| (middle[k].abs() - half[k]).max(0.0)));
        (gap < reach && facts.triangles() > 0 && !finding.parts().contains(&part)).then_some((gap, part))
    };
    let mut near: Vec<(f64, u32)> = (0..report.part_count() as u32).filter_map(gap).collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut triangles = 0;
    let mut fits = |part: &u32| {
        let more = triangles + report.part(*part).triangles();
        let is_shown = more < TRIANGLES;
        if is_shown {
            triangles = more;
        }
        is_shown
    };
    near.into_iter().take(PARTS).map(|(_, part)| part).filter(|part| fits(part)).collect()
}
