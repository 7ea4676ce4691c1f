//! [`Pictures`]: findings as PNG files, drawn without a GPU.
mod camera;
mod canvas;
mod color;
mod folder;
mod lines;
mod model;
mod overview;
mod painted;
mod raster;
mod scaled;
mod shared;
mod subject;
mod vector;

pub(crate) use self::folder::picture_names;

pub use self::{
    camera::Camera,
    folder::{check_pictures_folder, remove_unfinished_pictures},
    painted::{PaintedLayer, PaintedScene},
    shared::PictureUse,
};

use self::{
    camera::{Look, best},
    lines::Lines,
    model::PictureModel,
    overview::Overview,
    scaled::scaled,
    shared::{Shared, in_parallel},
    subject::{Subject, neighbours},
};
use crate::contact_lines::{Contact, ContactLines};
use impinge_check::{Finding, Report};
use std::{
    collections::HashMap,
    io,
    num::NonZero,
    sync::{Mutex, OnceLock, PoisonError},
};

/// Pictures of findings, drawn without a GPU: the same bytes on every machine.
///
/// A picture shows the same as the HTML page at first: the first part blue, the second one orange, parts
/// nearby as translucent ghosts, and the curves in which the surfaces meet as white lines on top. The camera
/// is that of the page, too. If the contact is hidden, a section opens it. Cut parts are hatched, and red
/// where both overlap. A picture that does not show all of the model has an overview in its corner, with a
/// ring around the finding; parts of less than two pixels are boxes there.
///
/// Cost of a picture: linear in the triangles of its parts and neighbours. To choose the camera, the parts
/// are drawn up to 200 times in small. Cost of an overview: linear in at most three million triangles, once a
/// direction. Memory: some 45 bytes a pixel, and 24 bytes a point.
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
    model: OnceLock<Option<PictureModel<'a>>>,
    lines: OnceLock<ContactLines<'a>>,
    overview: OnceLock<Option<Overview>>,
    looks: Mutex<HashMap<u32, Look>>,
    shared: Shared,
}

/// Default size of a picture in pixels.
pub(crate) const USUAL: [u32; 2] = [960, 640];

/// Maximum side of a picture in pixels.
const LARGEST: u32 = 4096;

impl<'a> Pictures<'a> {
    /// Pictures of 960 x 640 pixels.
    pub fn new(report: &'a Report) -> Self {
        Self {
            report,
            size: USUAL,
            model: OnceLock::new(),
            lines: OnceLock::new(),
            overview: OnceLock::new(),
            looks: Mutex::default(),
            shared: Shared::default(),
        }
    }
    /// The report whose findings it draws.
    pub fn report(&self) -> &'a Report {
        self.report
    }
    /// Sets the size of pictures in pixels; each side is clamped to 1 to 4096.
    #[must_use]
    pub fn size(self, width: u32, height: u32) -> Self {
        let size = [width, height].map(|side| side.clamp(1, LARGEST));
        Self { size, overview: OnceLock::new(), looks: Mutex::default(), ..self }
    }
    /// Draws a finding once for all of these uses: keeps its pictures until the other uses take them
    /// ([`ReportWriter::write_with`](crate::ReportWriter::write_with)).
    #[must_use]
    pub fn share(self, uses: impl IntoIterator<Item = PictureUse>) -> Self {
        self.shared.want(uses);
        self
    }
    /// The number of findings that are shared and not drawn yet.
    pub fn undrawn(&self) -> usize {
        self.shared.findings().len()
    }
    /// Draws the findings that are shared and not drawn yet, on several threads. Calls `show` after each
    /// finding; an error of it ends the work.
    ///
    /// # Errors
    /// Errors of `show`.
    pub fn draw(
        &self,
        threads: NonZero<usize>,
        show: &(dyn Fn() -> io::Result<()> + Sync),
    ) -> io::Result<()> {
        let findings = self.shared.findings();
        in_parallel(findings.len(), threads, &|i| {
            let sizes = self.shared.sizes(findings[i]);
            self.put(findings[i], &sizes);
            show()
        })
    }
    /// The camera that looks at a finding, by its index in [`Report::findings`]: one of a group is
    /// [`Group::findings`](impinge_check::Groups)`[0]`. `None` if the report has no assembly (it was put
    /// together from a plan's tasks), or no such finding.
    pub fn camera(&self, finding: u32) -> Option<Camera> {
        let (_, subject) = self.subject(finding)?;
        Some(self.look(finding, &subject).camera(&subject, self.size))
    }
    /// The picture of a finding, as a PNG file. `None` if [`Pictures::camera`] is.
    pub fn png(&self, finding: u32) -> Option<Vec<u8>> {
        self.png_of_size(finding, self.size)
    }
    /// The picture of a finding in another size of the same ratio, as a PNG file. It is the same whether it
    /// is shared or not.
    pub(crate) fn png_of_size(&self, finding: u32, size: [u32; 2]) -> Option<Vec<u8>> {
        let what = PictureUse::new(finding, size);
        if let Some(ready) = self.shared.take(what) {
            return Some(ready);
        }
        let mut sizes = self.shared.sizes(finding);
        match sizes.iter().position(|&other| other == size) {
            Some(i) => sizes.swap(0, i),
            None => sizes.insert(0, size),
        }
        self.put(finding, &sizes);
        self.shared.take(what)
    }
    /// Draws a finding, and stores it in these sizes.
    fn put(&self, finding: u32, sizes: &[[u32; 2]]) {
        let Some((found, subject)) = self.subject(finding) else { return };
        let look = self.look(finding, &subject);
        let Some(drawn) = self.drawn(found, &subject, look) else { return };
        let mut files: HashMap<[u32; 2], Vec<u8>> = HashMap::new();
        for &size in sizes {
            let file = files.entry(size).or_insert_with(|| drawn.png(self.size, size));
            self.shared.put(PictureUse::new(finding, size), file.clone());
        }
    }
    /// The picture of a finding from a camera that [`Pictures::camera`] returned for it. Choosing a camera
    /// takes about as long as drawing the picture.
    pub fn png_from(&self, finding: u32, camera: &Camera) -> Option<Vec<u8>> {
        let (found, subject) = self.subject(finding)?;
        Some(self.drawn(found, &subject, camera.look)?.png(self.size, self.size))
    }
    /// The picture of one part alone, as a PNG file. `None` if the report has no assembly or no such part, or
    /// the part has no triangle.
    pub fn png_of_part(&self, part: u32) -> Option<Vec<u8>> {
        self.report.assembly()?.parts.get(part as usize).filter(|part| !part.mesh.is_empty())?;
        let subject = Subject::of_part(self.model()?, part);
        let look = best(&subject, self.size);
        let pixels = canvas::draw(&subject, &[], &Contact::default(), look, self.size);
        Some(encoded(&pixels, self.size))
    }
    /// The parts, measured once; `None` if the report has no assembly.
    fn model(&self) -> Option<&PictureModel<'a>> {
        self.model.get_or_init(|| PictureModel::new(self.report)).as_ref()
    }
    /// The best look at a finding.
    fn look(&self, finding: u32, subject: &Subject) -> Look {
        let looks = || self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&look) = looks().get(&finding) {
            return look;
        }
        let look = best(subject, self.size);
        looks().insert(finding, look);
        look
    }
    fn drawn(&self, found: &Finding, subject: &Subject, look: Look) -> Option<Drawn> {
        let model = self.model()?;
        let reach = look.reach() * subject.unit;
        let ghosts: Vec<_> = neighbours(model, found, subject.origin, reach)
            .into_iter()
            .map(|part| subject.shape(model, part))
            .collect();
        let place = |point: [f64; 3]| vector::subtract(point, subject.origin).map(|x| x / subject.unit);
        let lines = self.lines.get_or_init(|| ContactLines::new(self.report));
        let mut contact = lines.contact(found).map(place);
        // The patch of equal parts is their whole surface.
        if subject.shapes.iter().any(|shape| shape.is_striped) {
            contact.patches.iter_mut().for_each(|lines| contact.curves.append(lines));
            contact.patches.clear();
        }
        let mut pixels = canvas::draw(subject, &ghosts, &contact, look, self.size);
        let overview = self.overview.get_or_init(|| Overview::new(model, self.size));
        let overview = overview.as_ref();
        let marked = overview.and_then(|overview| overview.draw(model, subject, look, &mut pixels));
        Some(Drawn { pixels, lines: Lines { contact, has_ring: subject.has_point, marked }, look })
    }
    fn subject(&self, finding: u32) -> Option<(&'a Finding, Subject)> {
        let finding = self.report.findings().get(finding as usize)?;
        Some((finding, Subject::new(self.model()?, finding)))
    }
}

/// A picture without the lines on top, whose width is the same in every size.
struct Drawn {
    pixels: Vec<u8>,
    lines: Lines,
    look: Look,
}

impl Drawn {
    /// A PNG file of another size.
    fn png(&self, own: [u32; 2], size: [u32; 2]) -> Vec<u8> {
        let mut pixels = scaled(self.pixels.clone(), own, size);
        let samples = size.map(|side| side as usize);
        self.lines.draw(&self.look.lens(samples, size, [0.0; 2]), &mut pixels);
        encoded(&pixels, size)
    }
}

/// A PNG file. The crate `png` has two compressors: one makes files that are twice as large, the other
/// depends on the other crates of the program. So that the bytes never change, this function filters rows
/// (each is the difference from the one above) and compresses them itself.
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
