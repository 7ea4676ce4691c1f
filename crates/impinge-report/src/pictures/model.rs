//! [`PictureModel`]: the parts of a report, as pictures show them.
use super::vector::subtract;
use impinge::Pose;
use impinge_check::{Assembly, Report};

/// The parts of a report with their meshes and boxes.
pub(super) struct PictureModel<'a> {
    pub(super) report: &'a Report,
    pub(super) assembly: &'a Assembly,
    /// The box around the points of each mesh, by its number: its middle, and half of its sides.
    boxes: Vec<Option<[[f64; 3]; 2]>>,
}

impl<'a> PictureModel<'a> {
    /// Measures each mesh once. `None` if the report has no assembly.
    pub(super) fn new(report: &'a Report) -> Option<Self> {
        let assembly = report.assembly()?;
        let mut boxes = Vec::new();
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
        Some(Self { report, assembly, boxes })
    }
    /// The box around a part at its pose, relative to a point: its middle, and half of its sides. That of a
    /// mesh without points is its origin.
    pub(super) fn box_of(&self, part: u32, origin: [f64; 3]) -> [[f64; 3]; 2] {
        self.box_at(part, self.report.part(part).pose(), origin)
    }
    /// The same at another pose.
    pub(super) fn box_at(&self, part: u32, pose: &Pose, origin: [f64; 3]) -> [[f64; 3]; 2] {
        let facts = self.report.part(part);
        let [middle, half] = self.boxes[facts.mesh() as usize].unwrap_or_default();
        let middle = place(pose, subtract(*pose.translation(), origin), middle);
        let half =
            pose.rows().map(|row| row[0].abs() * half[0] + row[1].abs() * half[1] + row[2].abs() * half[2]);
        [middle, half]
    }
}

/// A placed point, relative to the same origin as the translation.
pub(super) fn place(pose: &Pose, translation: [f64; 3], point: [f64; 3]) -> [f64; 3] {
    let row = |k: usize| {
        let row = pose.rows()[k];
        row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + translation[k]
    };
    [0, 1, 2].map(row)
}
