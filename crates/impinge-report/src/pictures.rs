//! [`Pictures`]: findings as PNG files, drawn without a GPU.
mod camera;
mod canvas;
mod color;
mod folder;
mod lines;
mod raster;
mod subject;
mod vector;

pub use self::{
    camera::Camera,
    folder::{check_pictures_folder, remove_unfinished_pictures},
};

use self::{
    camera::best,
    lines::Lines,
    subject::{Boxes, Subject, boxes, neighbours},
};
use crate::contact_lines::{Contact, ContactLines};
use impinge_check::{Finding, Report};

/// Draws findings without a GPU: the same bytes on every machine.
///
/// A picture shows what the HTML page shows first: the first part blue, the second one orange, parts nearby
/// as translucent ghosts, and the curves in which the surfaces meet as white lines on top. The camera is that
/// of the page, too. Where the contact is hidden a section opens it: what is cut is hatched, and red where it
/// belongs to both parts.
///
/// Cost of a picture: linear in the triangles of its parts and neighbours (those of the parts are drawn up to
/// 150 times, in small, to choose the camera). Memory: some 45 bytes a pixel, and 24 bytes a point.
///
/// ```
/// use impinge::{Mesh, Pose};
/// use impinge_check::{Assembly, Check, Groups, Part, Watch};
/// use impinge_report::Pictures;
/// use std::sync::Arc;
///
/// let cube = Arc::new(Mesh::cuboid([1.0; 3])?);
/// let beside = Pose::from_translation([0.5, 0.4, 0.3])?;
/// let parts = [Part::from_mesh("a", Arc::clone(&cube), Pose::IDENTITY), Part::from_mesh("b", cube, beside)];
/// let mut assembly = Assembly::new();
/// parts.into_iter().for_each(|part| assembly.push(part));
/// let report = Check::new().run(assembly, &Watch::new())?;
///
/// let pictures = Pictures::new(&report).size(320, 240);
/// for group in &Groups::new(&report).groups {
///     let png = pictures.png(group.findings[0]).expect("a picture");
///     assert!(png.starts_with(b"\x89PNG"));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Pictures<'a> {
    report: &'a Report,
    size: [u32; 2],
    boxes: Boxes,
    lines: ContactLines<'a>,
}

/// Sides of pictures, at most.
const LARGEST: u32 = 4096;

impl<'a> Pictures<'a> {
    /// Pictures of 960 x 640 pixels. Measures each mesh once.
    pub fn new(report: &'a Report) -> Self {
        let boxes = report.assembly().map(|assembly| boxes(report, assembly)).unwrap_or_default();
        Self { report, size: [960, 640], boxes, lines: ContactLines::new(report) }
    }
    /// The size of pictures in pixels: each side from 1 to 4096, the nearest of them if it is not.
    #[must_use]
    pub fn size(self, width: u32, height: u32) -> Self {
        Self { size: [width, height].map(|side| side.clamp(1, LARGEST)), ..self }
    }
    /// The camera that looks at a finding, by its index in [`Report::findings`]: one of a group is
    /// [`Group::findings`](impinge_check::Groups)`[0]`. `None` if the report has no assembly (it was put
    /// together from a plan's tasks), or no such finding.
    pub fn camera(&self, finding: u32) -> Option<Camera> {
        let (_, subject) = self.subject(finding)?;
        Some(best(&subject, self.size).camera(&subject, self.size))
    }
    /// The picture of a finding, as a PNG file. `None` where [`Pictures::camera`] is.
    pub fn png(&self, finding: u32) -> Option<Vec<u8>> {
        let camera = self.camera(finding)?;
        self.png_from(finding, &camera)
    }
    /// The picture of a finding from a camera that [`Pictures::camera`] returned for it: choosing one takes
    /// about as long as the picture.
    pub fn png_from(&self, finding: u32, camera: &Camera) -> Option<Vec<u8>> {
        let pixels = self.pixels(finding, camera)?;
        Some(encoded(&pixels, self.size))
    }
    /// The picture of one part alone, as a PNG file. `None` if the report has no assembly or no such part, or
    /// the part has no triangle.
    pub fn png_of_part(&self, part: u32) -> Option<Vec<u8>> {
        let assembly = self.report.assembly()?;
        assembly.parts.get(part as usize).filter(|part| !part.mesh.is_empty())?;
        let subject = Subject::of_part(self.report, assembly, &self.boxes, part);
        let look = best(&subject, self.size);
        let lines = Lines { contact: Contact::default(), has_ring: false };
        let pixels = canvas::draw(&subject, &[], &lines, look, self.size);
        Some(encoded(&pixels, self.size))
    }
    /// Three bytes a pixel, row by row.
    fn pixels(&self, finding: u32, camera: &Camera) -> Option<Vec<u8>> {
        let (found, subject) = self.subject(finding)?;
        let (look, assembly) = (camera.look, self.report.assembly()?);
        let reach = look.reach() * subject.unit;
        let ghosts: Vec<_> = neighbours(self.report, &self.boxes, found, subject.origin, reach)
            .into_iter()
            .map(|part| subject.shape(self.report, assembly, part))
            .collect();
        let place = |point: [f64; 3]| vector::subtract(point, subject.origin).map(|x| x / subject.unit);
        let mut contact = self.lines.contact(found).map(place);
        // The patch of equal parts is all of their surface.
        if subject.shapes.iter().any(|shape| shape.is_striped) {
            contact.patches.iter_mut().for_each(|lines| contact.curves.append(lines));
            contact.patches.clear();
        }
        let lines = Lines { contact, has_ring: subject.has_point };
        Some(canvas::draw(&subject, &ghosts, &lines, look, self.size))
    }
    fn subject(&self, finding: u32) -> Option<(&'a Finding, Subject)> {
        let (assembly, finding) = (self.report.assembly()?, self.report.findings().get(finding as usize)?);
        Some((finding, Subject::new(self.report, assembly, &self.boxes, finding)))
    }
}

/// A PNG file. `png` has two compressors: one makes files that are twice as large, the other depends on what
/// else is in the program. So that the bytes never change, rows are filtered (each is the difference from the
/// one above) and compressed here.
fn encoded(pixels: &[u8], [width, height]: [u32; 2]) -> Vec<u8> {
    const UP: u8 = 2;
    let row = 3 * width as usize;
    let mut filtered = Vec::with_capacity(pixels.len() + height as usize);
    for (i, line) in pixels.chunks_exact(row).enumerate() {
        filtered.push(UP);
        match i {
            0 => filtered.extend_from_slice(line),
            _ => filtered.extend(line.iter().zip(&pixels[(i - 1) * row..]).map(|(b, a)| b.wrapping_sub(*a))),
        }
    }
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&filtered, 6);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_chunk(png::chunk::IDAT, &packed)?;
        writer.finish()
    });
    written.expect("a vector takes all bytes, and they are those of the size");
    file
}
