//! [`Viewpoint`]: a viewpoint, with the parts that it selects and colours, and a camera.
use super::{component::Component, version::BcfVersion, world::World};
use crate::{groups::parts, pictures::Camera, xml_writer::XmlWriter};
use impinge_check::{Report, Rules, values::Guid};
use std::io;

pub(super) struct Viewpoint {
    pub(super) guid: Guid,
    components: Vec<Component>,
    eye: Eye,
}

/// A camera in metres, with z upwards.
struct Eye {
    position: [f64; 3],
    direction: [f64; 3],
    up: [f64; 3],
    /// Degrees.
    field_of_view: f64,
}

/// Colours of the first and of the second part, as in pictures.
const COLORS: [&str; 2] = ["2978EB", "F58C1A"];

/// Width over height of snapshots.
const ASPECT: [u32; 2] = [3, 2];

/// The least field of view that BCF 2.1 permits.
const LEAST_FIELD: f64 = 45.0;

/// Quotient of two tangents: of half a picture's field of view, and of half the least field of view. It is a
/// constant, because the tangents of libraries differ in the last digit.
const NEARER: f64 = 0.7468037691411815;

impl Viewpoint {
    /// Viewpoint of the finding with index `i`. Without the camera of a picture, it looks at the finding's
    /// point.
    pub(super) fn of(
        report: &Report,
        rules: &Rules,
        i: u32,
        guid: Guid,
        camera: Option<&Camera>,
        version: BcfVersion,
    ) -> Self {
        let finding = &report.findings()[i as usize];
        let world = World::of(report);
        let eye = match camera {
            Some(camera) => Eye::of(camera, version),
            None => Eye::at(report.point_of(finding), report),
        };
        let mut components: Vec<Component> = Vec::new();
        for part in parts(report, finding).into_iter().flatten() {
            let component = Component::of(report, rules, part);
            // All parts of one element have the same GUID.
            if !components.contains(&component) {
                components.push(component);
            }
        }
        Self { guid, components, eye: eye.placed(world) }
    }
    /// The file `viewpoint.bcfv`.
    pub(super) fn document(&self, version: BcfVersion) -> io::Result<Vec<u8>> {
        let mut xml = XmlWriter::new(Vec::new())?;
        xml.element("VisualizationInfo", &[("Guid", &self.guid.to_string())], |xml| {
            xml.element("Components", &[], |xml| self.components(version, xml))?;
            xml.element("PerspectiveCamera", &[], |xml| {
                vector("CameraViewPoint", self.eye.position, xml)?;
                vector("CameraDirection", self.eye.direction, xml)?;
                vector("CameraUpVector", self.eye.up, xml)?;
                xml.text("FieldOfView", &self.eye.field_of_view.to_string())?;
                if version == BcfVersion::V3 {
                    let aspect = f64::from(ASPECT[0]) / f64::from(ASPECT[1]);
                    xml.text("AspectRatio", &aspect.to_string())?;
                }
                Ok(())
            })
        })?;
        xml.finish()
    }
    fn components(&self, version: BcfVersion, xml: &mut XmlWriter<Vec<u8>>) -> io::Result<()> {
        let hints =
            [("SpacesVisible", "false"), ("SpaceBoundariesVisible", "false"), ("OpeningsVisible", "false")];
        if version == BcfVersion::V2 {
            xml.empty("ViewSetupHints", &hints)?;
        }
        xml.element("Selection", &[], |xml| self.components.iter().try_for_each(|one| one.write(xml)))?;
        xml.element("Visibility", &[("DefaultVisibility", "true")], |xml| match version {
            BcfVersion::V2 => Ok(()),
            BcfVersion::V3 => xml.empty("ViewSetupHints", &hints),
        })?;
        xml.element("Coloring", &[], |xml| {
            for (component, color) in self.components.iter().zip(COLORS) {
                xml.element("Color", &[("Color", color)], |xml| match version {
                    BcfVersion::V2 => component.write(xml),
                    BcfVersion::V3 => xml.element("Components", &[], |xml| component.write(xml)),
                })?;
            }
            Ok(())
        })
    }
}

fn vector(name: &str, numbers: [f64; 3], xml: &mut XmlWriter<Vec<u8>>) -> io::Result<()> {
    xml.element(name, &[], |xml| {
        ["X", "Y", "Z"].iter().zip(numbers).try_for_each(|(name, x)| xml.text(name, &x.to_string()))
    })
}

impl Eye {
    /// The camera of a picture. BCF 2.1 permits no field of view below 45 degrees, so the eye moves nearer to
    /// the target, where the view stays equally wide.
    fn of(camera: &Camera, version: BcfVersion) -> Self {
        let &Camera { position, target, direction, up, field_of_view, .. } = camera;
        if version == BcfVersion::V3 || field_of_view >= LEAST_FIELD {
            return Self { position, direction, up, field_of_view: field_of_view.min(60.0) };
        }
        let position = [0, 1, 2].map(|k| target[k] + (position[k] - target[k]) * NEARER);
        Self { position, direction, up, field_of_view: LEAST_FIELD }
    }
    /// An eye that looks at a point, else at the middle of everything, from a tenth of the assembly's size.
    fn at(point: Option<[f64; 3]>, report: &Report) -> Self {
        let middle = report.extent().map(|[low, high]| [0, 1, 2].map(|k| low[k] / 2.0 + high[k] / 2.0));
        let target = point.or(middle).unwrap_or_default();
        let distance = if report.size() > 0.0 { report.size() / 10.0 } else { 1.0 };
        // From the right, the front and above: lengths of 1.
        let direction = [-2.0 / 3.0, 2.0 / 3.0, -1.0 / 3.0];
        let up = [-0.235_702_260_395_515_84, 0.235_702_260_395_515_84, 0.942_809_041_582_063_4];
        let position = [0, 1, 2].map(|k| target[k] - distance * direction[k]);
        Self { position, direction, up, field_of_view: LEAST_FIELD }
    }
    fn placed(self, world: World) -> Self {
        let Self { position, direction, up, field_of_view } = self;
        Self {
            position: world.point(position),
            direction: world.direction(direction),
            up: world.direction(up),
            field_of_view,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAST_FIELD, NEARER};

    #[test]
    fn a_wider_camera_sees_as_much() {
        let picture = 0.3_f64.tan();
        assert!((NEARER - picture / (LEAST_FIELD / 2.0).to_radians().tan()).abs() < 1e-12);
    }
}
