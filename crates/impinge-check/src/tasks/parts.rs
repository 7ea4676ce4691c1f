//! The list of a plan's parts: records of one size in `parts`, and their texts in `names`, one after the
//! other.
//!
//! All numbers are little-endian. `parts` begins with eight bytes that identify the layout. A record has:
//! 1. the numbers of the part's mesh and of its file as u32;
//! 2. for its name, GUID, type, path and storey, the start in `names` and the length as u64, where the length
//!    -1 means that the part has no such text;
//! 3. its pose as twelve f64: three rows, then the translation;
//! 4. the chord error and the rounding that it states as f64, NaN if it states none.
use crate::{
    files,
    parts::{PartRecord, chord::Stated, texts::PartTexts},
    values::{
        digest::{Digest, Hashing},
        pose_numbers,
    },
};
use anyhow::{Context, bail};
use impinge::Pose;
use impinge_io::Part;
use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufReader, BufWriter, Read, Write},
    iter,
    path::{Path, PathBuf},
    sync::Arc,
};

const NAME: &[u8; 8] = b"impparts";
const HEADER: usize = 8;
const RECORD: usize = 200;
/// The length of a text that a part does not have.
const ABSENT: u64 = u64::MAX;

pub(crate) struct Writer {
    parts: Hashing<BufWriter<File>>,
    names: Hashing<BufWriter<File>>,
    path: PathBuf,
    /// The start of the next name.
    end: u64,
}

/// The data that a task needs of a part.
pub(crate) struct Placed {
    pub(crate) mesh: u32,
    pub(crate) pose: Pose,
}

fn create(path: &Path) -> anyhow::Result<Hashing<BufWriter<File>>> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(Hashing::new(BufWriter::with_capacity(1 << 18, file)))
}

impl Writer {
    pub(crate) fn new(folder: &Path) -> anyhow::Result<Self> {
        let mut parts = create(&folder.join("parts"))?;
        parts.write_all(NAME)?;
        Ok(Self { parts, names: create(&folder.join("names"))?, path: folder.join("parts"), end: 0 })
    }
    /// Adds parts of the file with this number. `meshes` has the number of each part's mesh.
    pub(crate) fn add(&mut self, file: u32, parts: &[Part], meshes: &[u32]) -> anyhow::Result<()> {
        self.write(file, parts, meshes).with_context(|| format!("cannot write {}", self.path.display()))
    }
    fn write(&mut self, file: u32, parts: &[Part], meshes: &[u32]) -> anyhow::Result<()> {
        // A million parts may share one long name.
        let mut known: HashMap<*const str, u64> = HashMap::new();
        for (part, mesh) in parts.iter().zip(meshes) {
            let mut record = Vec::with_capacity(RECORD);
            [*mesh, file].iter().for_each(|number| record.extend(number.to_le_bytes()));
            let texts = PartTexts::of(part);
            for text in iter::once(Some(&part.name)).chain(texts.each()) {
                let place = match text {
                    Some(text) => [self.place_of(text, &mut known)?, text.len() as u64],
                    None => [0, ABSENT],
                };
                place.iter().for_each(|number| record.extend(number.to_le_bytes()));
            }
            let stated = Stated::of(part);
            let stated = [stated.chord, stated.rounding].map(|length| length.unwrap_or(f64::NAN));
            let numbers = pose_numbers::of(&part.pose).into_iter().chain(stated);
            numbers.for_each(|number| record.extend(number.to_le_bytes()));
            self.parts.write_all(&record)?;
        }
        Ok(())
    }
    fn place_of(&mut self, text: &Arc<str>, known: &mut HashMap<*const str, u64>) -> io::Result<u64> {
        if let Some(&start) = known.get(&Arc::as_ptr(text)) {
            return Ok(start);
        }
        self.names.write_all(text.as_bytes())?;
        let start = self.end;
        known.insert(Arc::as_ptr(text), start);
        self.end += text.len() as u64;
        Ok(start)
    }
    /// The digests of both files, `parts` first.
    pub(crate) fn finish(self) -> anyhow::Result<[Digest; 2]> {
        let context = || format!("cannot write {}", self.path.display());
        let done = self.parts.finish().and_then(|parts| Ok([parts, self.names.finish()?]));
        done.with_context(context)
    }
}

/// Reads some parts, by ascending index, from the file `parts` of an unfinished plan.
pub(crate) fn some(folder: &Path, wanted: &[u32]) -> anyhow::Result<Vec<Placed>> {
    let path = folder.join("parts");
    let file = files::open_regular(&path).map_err(|error| files::read_error(&path, error))?;
    // Neighbours on the curve are often neighbours in the list.
    let mut file = BufReader::with_capacity(1 << 14, file);
    let (mut at, mut placed) = (0, Vec::with_capacity(wanted.len()));
    for &part in wanted {
        let start = HEADER as i64 + i64::from(part) * RECORD as i64;
        let mut record = [0; RECORD];
        let read = file.seek_relative(start - at).and_then(|()| file.read_exact(&mut record));
        read.map_err(|error| files::read_error(&path, error))?;
        at = start + RECORD as i64;
        let record = Record::of(&record);
        placed.push(Placed { mesh: record.mesh, pose: pose_numbers::pose(&record.pose)? });
    }
    Ok(placed)
}

/// Reads all parts with their names. `digests` are those of both files, `parts` first. `count` is the number
/// of parts, `files` are their files, and `meshes` is the number of meshes.
pub(crate) fn all(
    folder: &Path,
    digests: [Digest; 2],
    count: u64,
    files: &[Arc<Path>],
    meshes: usize,
) -> anyhow::Result<Vec<PartRecord>> {
    let [parts, names] = [("parts", digests[0]), ("names", digests[1])].map(|(name, digest)| {
        let path = folder.join(name);
        let bytes = files::read(&path)?;
        if Digest::of(&bytes) != digest {
            bail!("{}: is damaged, or of another plan: its digest is not the plan's", path.display());
        }
        Ok(bytes)
    });
    let (parts, names) = (parts?, names?);
    let path = folder.join("parts");
    let records = parts.strip_prefix(NAME).filter(|records| records.len() % RECORD == 0);
    let records = records.filter(|records| (records.len() / RECORD) as u64 == count);
    let Some(records) = records else { bail!("{}: is not a list of {count} parts", path.display()) };
    let mut known: HashMap<[u64; 2], Arc<str>> = HashMap::new();
    let mut text = |place: [u64; 2]| {
        let [start, length] = place.map(|number| usize::try_from(number).ok());
        let range = start.zip(length).and_then(|(start, length)| Some(start..start.checked_add(length)?));
        let text = range.and_then(|range| names.get(range)).and_then(|text| str::from_utf8(text).ok());
        text.map(|text| Arc::clone(known.entry(place).or_insert_with(|| text.into())))
    };
    let part = |(i, record): (usize, &[u8; RECORD])| {
        let record = Record::of(record);
        let name = text(record.name).with_context(|| format!("part {i} has no name in the file of names"))?;
        let mut optional = |place: [u64; 2], what: &str| match place {
            [_, ABSENT] => Ok(None),
            _ => {
                text(place).map(Some).with_context(|| format!("part {i} has no {what} in the file of names"))
            }
        };
        let mut texts = [const { None }; 4];
        for ((text, place), what) in texts.iter_mut().zip(record.texts).zip(PartTexts::NAMES) {
            *text = optional(place, what)?;
        }
        let texts = PartTexts::from_each(texts);
        let file = files.get(record.file as usize).context("a part is from a file that is not listed")?;
        if record.mesh as usize >= meshes {
            bail!("part {i} has a mesh that is not listed");
        }
        let file = Arc::clone(file);
        let pose = pose_numbers::pose(&record.pose)?;
        Ok(PartRecord { name, file, texts, mesh: record.mesh, pose, stated: record.stated })
    };
    let all = records.as_chunks::<RECORD>().0.iter().enumerate().map(part);
    all.collect::<anyhow::Result<_>>().with_context(|| path.display().to_string())
}

struct Record {
    mesh: u32,
    file: u32,
    /// The start and the length of a text.
    name: [u64; 2],
    texts: [[u64; 2]; 4],
    pose: [f64; 12],
    stated: Stated,
}

impl Record {
    fn of(bytes: &[u8; RECORD]) -> Self {
        let half = |i: usize| u32::from_le_bytes(std::array::from_fn(|k| bytes[i + k]));
        let whole = |i: usize| u64::from_le_bytes(std::array::from_fn(|k| bytes[i + k]));
        let stated = |i: usize| Some(f64::from_bits(whole(i))).filter(|length| !length.is_nan());
        Self {
            mesh: half(0),
            file: half(4),
            name: [whole(8), whole(16)],
            texts: std::array::from_fn(|i| [whole(24 + 16 * i), whole(32 + 16 * i)]),
            pose: std::array::from_fn(|i| f64::from_bits(whole(88 + 8 * i))),
            stated: Stated { chord: stated(184), rounding: stated(192) },
        }
    }
}
