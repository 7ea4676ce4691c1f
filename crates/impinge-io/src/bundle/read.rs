//! Reads a bundle. Every number of the document is checked before it is used.
use super::{
    DOCUMENT, FORMAT, VERSION,
    document::{BundleDocument, Head, MeshEntry, OmissionEntry, PartEntry, SourceEntry, Value},
    key::Keys,
    mesh::{Hashing, POINT, TRIANGLE},
    package::BundlePackage,
    text::Texts,
};
use crate::{
    Assembly, Axis, Error, Limits, Omission, OmissionKind, Part, Properties, PropertyValue, Source, Warning,
    budget::Budget,
    error::Place,
    quote::{quoted, show},
};
use foldhash::{HashSet, HashSetExt};
use impinge::{Mesh, Pose};
use std::{path::Path, sync::Arc};

/// The document may unpack to this many times the size of the bundle.
const UNPACKED: u64 = 8;
/// Maximum number of bytes that one deflated byte unpacks to.
const DEFLATED: usize = 1032;
/// Number of points, or triangles, read at a time.
const BLOCK: usize = 2048;

/// Reads the parts of all sources. The sources' files are only names: none is opened.
pub(crate) fn parse(bytes: &[u8], file: &Arc<Path>, limits: Limits) -> Result<Assembly, Error> {
    let mut package = BundlePackage::open(bytes)?;
    let mut budget = Budget::new(limits, bytes.len());
    // A value of the document takes up to ten times the bytes of its text, so a deflated document has a
    // smaller limit than a mesh.
    let most = (limits.bytes / 8).max(UNPACKED * bytes.len() as u64);
    let text = package.document(most)?;
    let version = check_version(&text)?;
    let document: BundleDocument<'_> = serde_json::from_str(&text).map_err(|e| syntax(&e))?;
    budget.parts(document.parts.len())?;
    let mut texts = Texts::new();
    let mut assembly = Assembly::new();
    for (i, entry) in document.sources.iter().enumerate() {
        assembly.sources.push(source(entry, &mut texts).map_err(|e| e.inside(&item("source", i)))?);
    }
    let files: Vec<_> = assembly.sources.iter().map(|source| Arc::clone(&source.file)).collect();
    let owners = owners(&assembly.sources, document.parts.len())?;
    let meshes = meshes(&document, &mut package, &mut budget, bytes.len())?;
    let (mut keys, mut last) = (Keys::new(), None);
    for (i, (entry, owner)) in document.parts.iter().zip(owners).enumerate() {
        if last.replace(owner) != Some(owner) {
            keys = Keys::new();
        }
        check_key(version, entry, &mut keys).map_err(|e| e.inside(&item("part", i)))?;
        let part = part(entry, owner, &files, &meshes, &mut texts).map_err(|e| e.inside(&item("part", i)))?;
        assembly.parts.push(part);
    }
    for entry in &document.warnings {
        let place = entry.place.as_deref().map(str::to_owned);
        assembly.warnings.push(Warning::new(path(&entry.file), place, &*entry.text));
    }
    for (i, entry) in document.omissions.iter().enumerate() {
        assembly.omissions.push(omission(entry, &mut texts).map_err(|e| e.inside(&item("omission", i)))?);
    }
    let names: HashSet<String> = document.meshes.iter().flat_map(entry_names).collect();
    if let Some((count, first)) = package.others(|name| name == DOCUMENT || names.contains(name)) {
        let what = format!(
            "{count} entries of the package are no part of the bundle and are skipped, first '{first}'"
        );
        assembly.warnings.push(Warning { file: Arc::clone(file), place: Place::File, text: what });
    }
    Ok(assembly)
}

fn item(kind: &str, index: usize) -> String {
    format!("{DOCUMENT} {kind} {index}")
}

#[cold]
fn wrong(what: impl Into<String>) -> Error {
    Error::invalid(Place::File, what)
}

/// An error of the document's JSON, with its place.
#[cold]
fn syntax(error: &serde_json::Error) -> Error {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let what = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text);
    Error::item(format!("{DOCUMENT} line {line} column {column}"), quoted(what))
}

/// Version of the document. Other documents and other versions are an error, before any other field is read.
fn check_version(text: &str) -> Result<u64, Error> {
    let head: Head<'_> = serde_json::from_str(text).map_err(|e| syntax(&e))?;
    let place = || Place::Item(DOCUMENT.to_owned());
    match head.format.as_deref() {
        Some(FORMAT) => {}
        Some(other) => {
            let what = format!("its format is '{}', not '{FORMAT}'", show(other.as_bytes()));
            return Err(Error::invalid(place(), what));
        }
        None => return Err(Error::invalid(place(), format!("it has no \"format\": \"{FORMAT}\""))),
    }
    match head.format_version {
        Some(version) => match version.as_u64() {
            Some(known) if (1..=u64::from(VERSION)).contains(&known) => Ok(known),
            _ => {
                let version = show(version.to_string().as_bytes());
                let what = format!(
                    "its format_version is {version}, and this version of impinge reads 1 to {VERSION}: read \
                     it with a newer version, or write it again with this one"
                );
                Err(Error::unsupported(place(), what))
            }
        },
        None => Err(Error::invalid(place(), "it has no format_version")),
    }
}

fn path(text: &str) -> Arc<Path> {
    Path::new(text).into()
}

fn source(entry: &SourceEntry<'_>, texts: &mut Texts) -> Result<Source, Error> {
    let unknown = |field: &str, value: &str| wrong(format!("its {field} is '{}'", show(value.as_bytes())));
    let mut source = Source::new(path(&entry.file));
    source.parts = index(entry.parts);
    source.bytes = entry.bytes;
    source.digest = entry.digest.map(|digest| digest.0);
    source.offset = entry.offset;
    source.settings = texts.option(entry.settings.as_deref());
    if let Some(format) = &entry.format {
        source.format = Some(format.parse().map_err(|e| unknown("format", format).because(e))?);
    }
    if let Some(unit) = &entry.unit {
        source.unit = Some(unit.parse().map_err(|e| unknown("unit", unit).because(e))?);
    }
    if let Some(up) = &entry.up {
        let axis = Axis::ALL.into_iter().find(|axis| axis.name() == *up);
        source.up = Some(axis.ok_or_else(|| unknown("upward axis", up))?);
    }
    Ok(source)
}

/// Converts a number to an index; one that does not fit becomes the largest, which no list has.
fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Index of each part's source, from the sources' numbers of parts.
fn owners(sources: &[Source], parts: usize) -> Result<Vec<usize>, Error> {
    let stated = sources.iter().fold(0_usize, |sum, source| sum.saturating_add(source.parts));
    if stated != parts {
        let what = format!("its sources have {stated} parts, but the document lists {parts}");
        return Err(Error::item(DOCUMENT, what));
    }
    let each = sources.iter().enumerate();
    Ok(each.flat_map(|(i, source)| std::iter::repeat_n(i, source.parts)).collect())
}

fn entry_names(entry: &MeshEntry) -> [String; 2] {
    ["f64", "u32"].map(|kind| super::mesh::entry(entry.hash, kind))
}

fn meshes(
    document: &BundleDocument<'_>,
    package: &mut BundlePackage<'_>,
    budget: &mut Budget,
    input: usize,
) -> Result<Vec<Arc<Mesh>>, Error> {
    let mut is_used = vec![false; document.meshes.len()];
    for (i, part) in document.parts.iter().enumerate() {
        let Some(used) = is_used.get_mut(index(part.mesh)) else {
            let what = format!("it has mesh {}; there are {}, from 0", part.mesh, is_used.len());
            return Err(Error::item(item("part", i), what));
        };
        *used = true;
    }
    if let Some(i) = is_used.iter().position(|used| !used) {
        return Err(Error::item(item("mesh", i), "no part has it"));
    }
    let mut known = HashSet::new();
    let mut meshes = Vec::with_capacity(document.meshes.len());
    for (i, entry) in document.meshes.iter().enumerate() {
        let place = || item("mesh", i);
        if !known.insert(entry.hash) {
            return Err(Error::item(place(), format!("its hash {} is that of an earlier mesh", entry.hash)));
        }
        budget.points(entry.points, || Place::Item(place()))?;
        budget.triangles(entry.triangles, || Place::Item(place()))?;
        meshes.push(Arc::new(mesh(entry, package, input).map_err(|e| e.inside(&place()))?));
    }
    Ok(meshes)
}

fn mesh(entry: &MeshEntry, package: &mut BundlePackage<'_>, input: usize) -> Result<Mesh, Error> {
    let [points_name, triangles_name] = &entry_names(entry);
    for (name, count, unit, of) in [
        (points_name, entry.points, POINT, "points"),
        (triangles_name, entry.triangles, TRIANGLE, "triangles"),
    ] {
        let size = package.size(name)?;
        if count.checked_mul(unit) != Some(size) {
            let what = format!("it has {size} bytes, but {count} {of} take {unit} each");
            return Err(Error::item(name, what));
        }
    }
    let mut hash = Hashing::new(entry.points);
    // The directory of the package may be as wrong as the document: allocate no more than the file can unpack
    // to.
    let room = |count: u64, unit: u64| index(count).min(input.saturating_mul(DEFLATED) / unit as usize);
    let mut points: Vec<[f64; 3]> = Vec::with_capacity(room(entry.points, POINT));
    package.blocks(points_name, POINT * entry.points, BLOCK * POINT as usize, |bytes| {
        hash.add(bytes);
        let numbers = bytes.as_chunks::<8>().0.as_chunks::<3>().0;
        points.extend(numbers.iter().map(|point| point.map(f64::from_le_bytes)));
    })?;
    let mut triangles: Vec<[u32; 3]> = Vec::with_capacity(room(entry.triangles, TRIANGLE));
    package.blocks(triangles_name, TRIANGLE * entry.triangles, BLOCK * TRIANGLE as usize, |bytes| {
        hash.add(bytes);
        let numbers = bytes.as_chunks::<4>().0.as_chunks::<3>().0;
        triangles.extend(numbers.iter().map(|triangle| triangle.map(u32::from_le_bytes)));
    })?;
    let found = hash.finish();
    if found != entry.hash {
        return Err(wrong(format!("its points and triangles have the hash {found}, not {}", entry.hash)));
    }
    Mesh::new(points, triangles).map_err(|e| wrong("its points and triangles are no mesh").because(e))
}

/// Refuses a key that differs from the one that the other fields give: other readers use it for another part.
fn check_key<'a>(version: u64, entry: &'a PartEntry<'_>, keys: &mut Keys<'a>) -> Result<(), Error> {
    match (&entry.key, version) {
        (None, 1) => return Ok(()),
        (Some(_), 1) => return Err(wrong("it has a key, which version 1 does not define")),
        _ => {}
    }
    let key = keys.next(entry.guid.as_deref(), entry.path.as_deref().unwrap_or(&entry.name));
    match &entry.key {
        Some(stated) if *stated == key => Ok(()),
        Some(stated) => {
            let [stated, key] = [&**stated, &key].map(|key| show(key.as_bytes()));
            Err(wrong(format!("its key is '{stated}', but by its guid and its path it is '{key}'")))
        }
        None => Err(wrong("it has no key")),
    }
}

fn part(
    entry: &PartEntry<'_>,
    owner: usize,
    files: &[Arc<Path>],
    meshes: &[Arc<Mesh>],
    texts: &mut Texts,
) -> Result<Part, Error> {
    if index(entry.source) != owner {
        let what =
            format!("it has source {}, but by the sources' numbers of parts it has {owner}", entry.source);
        return Err(wrong(what));
    }
    let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry.pose[4 * i + j]));
    let translation = [3, 7, 11].map(|i| entry.pose[i]);
    let pose = Pose::rigid(rows, translation).map_err(|e| wrong("its pose is not rigid").because(e))?;
    for (bound, name) in [(entry.chord, "chord"), (entry.rounding, "rounding")] {
        if bound.is_some_and(|bound| bound.is_sign_negative()) {
            return Err(wrong(format!("its {name} is less than zero")));
        }
    }
    let name = texts.get(&entry.name);
    // `meshes` has checked the index.
    let mesh = Arc::clone(&meshes[index(entry.mesh)]);
    let mut part = Part::new(name, Arc::clone(&files[owner]), mesh, pose);
    if let Some(path) = &entry.path {
        part.path = texts.get(path);
    }
    part.guid = entry.guid.as_deref().map(Arc::from);
    part.class = texts.option(entry.class.as_deref());
    part.baked = entry.baked;
    (part.chord, part.rounding) = (entry.chord, entry.rounding);
    let value = |value: &Value<'_>, texts: &mut Texts| match value {
        Value::Text(text) => PropertyValue::Text(texts.get(text)),
        Value::Number(number) => PropertyValue::Number(*number),
        Value::Truth(truth) => PropertyValue::Truth(*truth),
    };
    let count = entry.properties.0.len();
    part.properties = entry
        .properties
        .0
        .iter()
        .map(|(name, it)| (texts.get(name), value(it, texts)))
        .collect::<Properties>();
    if part.properties.len() != count {
        return Err(wrong("one of its properties occurs twice"));
    }
    Ok(part)
}

fn omission(entry: &OmissionEntry<'_>, texts: &mut Texts) -> Result<Omission, Error> {
    let kind = OmissionKind::ALL.iter().copied().find(|kind| kind.name() == entry.kind);
    let Some(kind) = kind else {
        return Err(wrong(format!("its kind is '{}'", show(entry.kind.as_bytes()))));
    };
    let reason = texts.get(&entry.reason);
    Ok(Omission {
        file: path(&entry.file),
        name: texts.option(entry.name.as_deref()),
        guid: texts.option(entry.guid.as_deref()),
        class: texts.option(entry.class.as_deref()),
        count: usize::try_from(entry.count).map_err(|e| wrong("its count is too large").because(e))?,
        reason,
        kind,
    })
}
