//! Writes a bundle.
use super::{
    DOCUMENT, FORMAT, VERSION,
    digest::Digest,
    document::{Entries, MeshEntry, OmissionEntry, PartEntry, SourceEntry, WarningEntry},
    key::Keys,
    mesh::{self, Hashing},
    stored_zip::StoredZip,
};
use crate::{Assembly, Error, Omission, Part, Source, Warning, error::Place, quote::quoted, write_whole};
use foldhash::{HashMap, HashMapExt};
use impinge::Mesh;
use serde::Serialize;
use std::{
    borrow::Cow,
    convert::Infallible,
    io::{self, Write},
    path::Path,
    sync::Arc,
};

/// Writes an assembly as a bundle. [`read`](crate::read) returns the same assembly from it: all numbers to
/// the last bit, and one shared mesh for all parts that have it. Meshes of equal content are written once.
/// Equal assemblies give equal bytes.
///
/// Characters of a file's name that are not Unicode are replaced. Cost: three passes over each distinct mesh,
/// for its hash, its checksum and its bytes.
///
/// ```
/// use impinge::{Mesh, Pose};
/// use impinge_io::{Assembly, Format, Part, parse, write_bundle};
/// use std::path::Path;
///
/// let mut assembly = Assembly::new();
/// let cube = Mesh::cuboid([1.0; 3])?;
/// assembly.push(Part::new("cube", Path::new("plant.step"), cube, Pose::IDENTITY).with_chord(0.1));
/// let mut bytes = Vec::new();
/// write_bundle(&assembly, &mut bytes)?;
/// let again = parse(Format::Bundle, &bytes, Path::new("plant.impinge"))?;
/// assert_eq!(again.parts[0].mesh.points(), assembly.parts[0].mesh.points());
/// assert_eq!((again.parts[0].chord, &*again.parts[0].file), (Some(0.1), Path::new("plant.step")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the writer fails, a pose is not rigid, a chord, a rounding or an offset is not a
/// finite number, or a part's file differs from its source's.
pub fn write_bundle(assembly: &Assembly, out: &mut (impl Write + ?Sized)) -> Result<(), Error> {
    let (meshes, mesh_of) = distinct(&assembly.parts);
    let document = document(assembly, &meshes, &mesh_of)?;
    write(&document, &meshes, out).map_err(|e| Error::io("the bundle cannot be written", e))
}

/// Writes an assembly to a file, as [`write_bundle`] does. The file appears, or is replaced, when it is
/// complete; on any error it stays unchanged.
///
/// # Errors
/// Errors of [`write_bundle`] and of the operating system.
pub fn save_bundle(assembly: &Assembly, path: &Path) -> Result<(), Error> {
    struct Failed(Error);
    impl From<io::Error> for Failed {
        fn from(error: io::Error) -> Self {
            Self(Error::io("the bundle cannot be written", error))
        }
    }
    let write = |out: &mut dyn Write| write_bundle(assembly, out).map_err(Failed);
    write_whole(path, write).map_err(|Failed(error)| error.in_file(path))
}

/// The distinct meshes, with their hashes, and the index of each part's mesh.
fn distinct(parts: &[Part]) -> (Vec<(Digest, &Mesh)>, Vec<usize>) {
    let mut meshes = Vec::new();
    let mut by_address: HashMap<*const Mesh, usize> = HashMap::new();
    let mut by_hash: HashMap<Digest, usize> = HashMap::new();
    let mut mesh_of = Vec::with_capacity(parts.len());
    for part in parts {
        let address = Arc::as_ptr(&part.mesh);
        let index = match by_address.get(&address) {
            Some(&index) => index,
            None => {
                let hash = hash(&part.mesh);
                let index = *by_hash.entry(hash).or_insert_with(|| {
                    meshes.push((hash, &*part.mesh));
                    meshes.len() - 1
                });
                by_address.insert(address, index);
                index
            }
        };
        mesh_of.push(index);
    }
    (meshes, mesh_of)
}

fn hash(mesh: &Mesh) -> Digest {
    let mut hashing = Hashing::new(mesh.points().len() as u64);
    let mut add = |bytes: &[u8]| {
        hashing.add(bytes);
        Ok::<(), Infallible>(())
    };
    let Ok(()) = mesh::points(mesh, &mut add);
    let Ok(()) = mesh::triangles(mesh, &mut add);
    hashing.finish()
}

fn write(document: &[u8], meshes: &[(Digest, &Mesh)], out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    let mut zip = StoredZip::new(out);
    let crc = crc32fast::hash(document);
    zip.entry(DOCUMENT.to_owned(), document.len() as u64, crc, |out| out.write_all(document))?;
    for &(hash, mesh) in meshes {
        let mut summary = Summary::default();
        let Ok(()) = mesh::points(mesh, |bytes| summary.add(bytes));
        let (size, crc) = summary.finish();
        zip.entry(mesh::entry(hash, "f64"), size, crc, |out| {
            mesh::points(mesh, |bytes| out.write_all(bytes))
        })?;
        let mut summary = Summary::default();
        let Ok(()) = mesh::triangles(mesh, |bytes| summary.add(bytes));
        let (size, crc) = summary.finish();
        zip.entry(mesh::entry(hash, "u32"), size, crc, |out| {
            mesh::triangles(mesh, |bytes| out.write_all(bytes))
        })?;
    }
    zip.finish()
}

/// Running number and checksum of bytes.
#[derive(Default)]
struct Summary(u64, crc32fast::Hasher);

impl Summary {
    fn add(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.0 += bytes.len() as u64;
        self.1.update(bytes);
        Ok(())
    }
    fn finish(self) -> (u64, u32) {
        (self.0, self.1.finalize())
    }
}

/// Text of the document; each entry of a list is one line.
fn document<'a>(
    assembly: &'a Assembly,
    meshes: &[(Digest, &Mesh)],
    mesh_of: &[usize],
) -> Result<Vec<u8>, Error> {
    let mut text = JsonText(Vec::new());
    text.raw("{\n\"format\": ");
    text.json(FORMAT)?;
    text.raw(&format!(",\n\"format_version\": {VERSION},\n\"writer\": "));
    text.json(concat!("impinge ", env!("CARGO_PKG_VERSION")))?;
    text.list("sources", assembly.sources.iter().enumerate().map(|(i, one)| source(i, one)))?;
    let mesh = |&(hash, mesh): &(Digest, &Mesh)| {
        let [points, triangles] = [mesh.points().len(), mesh.len()].map(|count| count as u64);
        Ok(MeshEntry { hash, points, triangles })
    };
    text.list("meshes", meshes.iter().map(mesh))?;
    let owners = owners(assembly)?;
    let (mut keys, mut last) = (Keys::new(), None);
    let parts = assembly.parts.iter().enumerate().zip(owners.iter().zip(mesh_of));
    let entry = |((i, it), (&owner, &mesh)): ((usize, &'a Part), (&usize, &usize))| {
        if last.replace(owner) != Some(owner) {
            keys = Keys::new();
        }
        Ok(PartEntry {
            key: Some(keys.next(it.guid.as_deref(), &it.path).into()),
            ..part(i, it, owner, mesh)?
        })
    };
    text.list("parts", parts.map(entry))?;
    text.list("warnings", assembly.warnings.iter().map(|it| Ok(warning(it))))?;
    text.list("omissions", assembly.omissions.iter().map(|it| Ok(omission(it))))?;
    text.raw("\n}\n");
    Ok(text.0)
}

struct JsonText(Vec<u8>);

impl JsonText {
    fn raw(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }
    fn json(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        let failed = |e: serde_json::Error| Error::io("the document cannot be written", e.into());
        serde_json::to_writer(&mut self.0, value).map_err(failed)
    }
    fn list<T: Serialize>(
        &mut self,
        name: &str,
        items: impl Iterator<Item = Result<T, Error>>,
    ) -> Result<(), Error> {
        self.raw(&format!(",\n\"{name}\": ["));
        for (i, item) in items.enumerate() {
            self.raw(if i == 0 { "\n" } else { ",\n" });
            self.json(&item?)?;
        }
        self.raw("]");
        Ok(())
    }
}

#[cold]
fn wrong(kind: &str, index: usize, name: &str, what: &str) -> Error {
    Error::invalid(Place::Item(format!("{kind} {index} ('{}')", quoted(name))), what)
}

/// The index of each part's source.
fn owners(assembly: &Assembly) -> Result<Vec<usize>, Error> {
    let mut ends = assembly.sources.iter().enumerate().scan(0_usize, |end, (i, source)| {
        *end = end.saturating_add(source.parts);
        Some((*end, i))
    });
    let mut owner = ends.next();
    let mut owners = Vec::with_capacity(assembly.parts.len());
    for (i, part) in assembly.parts.iter().enumerate() {
        while owner.is_some_and(|(end, _)| end <= i) {
            owner = ends.next();
        }
        match owner {
            Some((_, source)) if assembly.sources[source].file == part.file => owners.push(source),
            _ => return Err(wrong("part", i, &part.name, "it is not of the file of its source")),
        }
    }
    let stated = assembly.sources.iter().fold(0_usize, |sum, source| sum.saturating_add(source.parts));
    if stated != owners.len() {
        let what = format!("the sources have {stated} parts, but the assembly has {}", owners.len());
        return Err(Error::invalid(Place::File, what));
    }
    Ok(owners)
}

fn text(text: &Option<Arc<str>>) -> Option<Cow<'_, str>> {
    text.as_deref().map(Cow::Borrowed)
}

fn label(file: &Path) -> Cow<'_, str> {
    file.to_string_lossy()
}

fn source(i: usize, source: &Source) -> Result<SourceEntry<'_>, Error> {
    if source.offset.is_some_and(|offset| !offset.iter().all(|x| x.is_finite())) {
        return Err(wrong("source", i, &label(&source.file), "its offset is not finite"));
    }
    Ok(SourceEntry {
        file: label(&source.file),
        parts: source.parts as u64,
        bytes: source.bytes,
        digest: source.digest.map(Digest),
        format: source.format.map(|format| Cow::Borrowed(format.extension())),
        unit: source.unit.map(|unit| Cow::Borrowed(unit.name())),
        up: source.up.map(|up| Cow::Borrowed(up.name())),
        offset: source.offset,
        settings: text(&source.settings),
    })
}

fn part(i: usize, part: &Part, source: usize, mesh: usize) -> Result<PartEntry<'_>, Error> {
    let fail = |what: &str| Err(wrong("part", i, &part.name, what));
    if !part.pose.is_rigid() {
        return fail("its pose is not rigid");
    }
    for (bound, what) in [
        (part.chord, "its chord is not a finite number of at least zero"),
        (part.rounding, "its rounding is not a finite number of at least zero"),
    ] {
        if bound.is_some_and(|bound| !bound.is_finite() || bound.is_sign_negative()) {
            return fail(what);
        }
    }
    let (rows, t) = (part.pose.rows(), part.pose.translation());
    Ok(PartEntry {
        key: None,
        name: Cow::Borrowed(&part.name),
        path: (part.path != part.name).then(|| Cow::Borrowed(&*part.path)),
        guid: text(&part.guid),
        class: text(&part.class),
        source: source as u64,
        mesh: mesh as u64,
        pose: std::array::from_fn(|k| if k % 4 < 3 { rows[k / 4][k % 4] } else { t[k / 4] }),
        baked: part.baked,
        chord: part.chord,
        rounding: part.rounding,
        properties: Entries(
            part.properties.iter().map(|(name, value)| (Cow::Borrowed(name), value.into())).collect(),
        ),
    })
}

fn warning(warning: &Warning) -> WarningEntry<'_> {
    WarningEntry {
        file: label(&warning.file),
        place: warning.place().map(Cow::Owned),
        text: Cow::Borrowed(&warning.text),
    }
}

fn omission(omission: &Omission) -> OmissionEntry<'_> {
    OmissionEntry {
        file: label(&omission.file),
        name: text(&omission.name),
        guid: text(&omission.guid),
        class: text(&omission.class),
        count: omission.count as u64,
        kind: Cow::Borrowed(omission.kind.name()),
        reason: Cow::Borrowed(&omission.reason),
    }
}
