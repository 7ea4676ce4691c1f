//! Tests of bundles: assemblies come back bit by bit; damaged, foreign and hostile packages are refused.
mod hostile;
mod sample;

use self::sample::{Random, describe, sample};
use crate::{chain, parse, warnings};
use impinge::{Mesh, Pose};
use impinge_io::{Assembly, Error, Format, Options, Part, Source, parse_with, write_bundle};
use sha2::{Digest, Sha256};
use std::{
    fs,
    io::{Cursor, Read, Write},
    path::Path,
    sync::Arc,
};
use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

fn write(assembly: &Assembly) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_bundle(assembly, &mut bytes).unwrap();
    bytes
}

#[track_caller]
fn load(bytes: &[u8]) -> Assembly {
    parse(Format::Bundle, bytes).unwrap_or_else(|error| panic!("refused: {}", chain(&error)))
}

/// Names and contents of a package's entries, in their order, by another reader.
fn entries(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let entry = |i| {
        let mut file = archive.by_index(i).unwrap();
        assert_eq!(file.compression(), CompressionMethod::Stored);
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        (file.name().unwrap().into_owned(), content)
    };
    (0..archive_len(bytes)).map(entry).collect()
}

fn archive_len(bytes: &[u8]) -> usize {
    ZipArchive::new(Cursor::new(bytes)).unwrap().len()
}

/// A package of these entries, by another writer.
fn pack(entries: &[(String, Vec<u8>)], method: CompressionMethod) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        zip.start_file(&name[..], SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn every_value_comes_back_bit_by_bit() {
    let assembly = sample();
    let again = load(&write(&assembly));
    assert_eq!(describe(&again), describe(&assembly));
    // Parts that shared a mesh share it again.
    assert!(Arc::ptr_eq(&again.parts[0].mesh, &again.parts[2].mesh));
    assert!(!Arc::ptr_eq(&again.parts[0].mesh, &again.parts[1].mesh));
}

#[test]
fn random_assemblies_come_back_bit_by_bit() {
    let mut random = Random::new(37);
    for _ in 0..300 {
        let assembly = random.assembly();
        let bytes = write(&assembly);
        assert_eq!(describe(&load(&bytes)), describe(&assembly));
        // Equal assemblies give equal bytes, whether they share meshes in memory or not.
        let mut copy = assembly.clone();
        copy.parts.iter_mut().for_each(|part| part.mesh = Arc::new(Mesh::clone(&part.mesh)));
        assert!(write(&copy) == bytes && write(&load(&bytes)) == bytes);
    }
}

/// The format, read without the code of this crate.
#[test]
fn a_bundle_is_what_the_documentation_describes() {
    let assembly = sample();
    let bytes = write(&assembly);
    let entries = entries(&bytes);
    assert_eq!(entries[0].0, "assembly.json");
    let document: serde_json::Value = serde_json::from_slice(&entries[0].1).unwrap();
    assert_eq!((&document["format"], &document["format_version"]), (&"impinge assembly".into(), &2.into()));
    assert_eq!(document["meshes"].as_array().unwrap().len(), 3);
    assert_eq!(entries.len(), 1 + 2 * 3);
    for (i, part) in assembly.parts.iter().enumerate() {
        let entry = &document["parts"][i];
        let mesh = &document["meshes"][entry["mesh"].as_u64().unwrap() as usize];
        let hash = mesh["hash"].as_str().unwrap();
        let content =
            |kind: &str| &entries.iter().find(|(n, _)| *n == format!("meshes/{hash}.{kind}")).unwrap().1;
        let (points, triangles) = (content("f64"), content("u32"));
        let numbers = points.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        assert!(numbers.eq(part.mesh.points().as_flattened().iter().map(|x| x.to_bits())));
        let numbers = triangles.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        assert!(numbers.eq(part.mesh.triangles().as_flattened().iter().copied()));
        assert_eq!(mesh["points"].as_u64().unwrap() as usize, part.mesh.points().len());
        assert_eq!(mesh["triangles"].as_u64().unwrap() as usize, part.mesh.len());
        let count = (part.mesh.points().len() as u64).to_le_bytes();
        let digest = Sha256::digest([&count[..], points, triangles].concat());
        assert_eq!(digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), hash);
        let pose: Vec<_> = entry["pose"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        let (rows, t) = (part.pose.rows(), part.pose.translation());
        assert_eq!(pose, (0..3).flat_map(|i| [rows[i][0], rows[i][1], rows[i][2], t[i]]).collect::<Vec<_>>());
    }
    assert_eq!(document["omissions"][0]["kind"], "left_out");
    let keys: Vec<_> = document["parts"].as_array().unwrap().iter().map(|part| &part["key"]).collect();
    assert_eq!(keys, ["1hOSvn6df7F8_7GcBWlRGQ", "door", "", "empty"]);
}

/// Bundles of all versions stay readable. `UPDATE_GOLDEN=1` writes the file of a new version, but never
/// replaces a file.
#[test]
fn the_golden_files_stay_readable() {
    for version in 1..=2 {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/io/bundle");
        let path = folder.join(format!("version-{version}.impinge"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() && !path.exists() {
            fs::write(&path, write(&sample())).unwrap();
        }
        let assembly = impinge_io::read(&path).unwrap();
        assert_eq!(describe(&assembly), describe(&sample()));
    }
}

/// Equal paths have different keys in one source, and equal keys in two sources.
#[test]
fn every_part_has_a_key_of_its_own() {
    let mut assembly = Assembly::new();
    for (file, path, guid) in [
        ("a.ifc", "House/Wall", Some("1hOSvn6df7F8_7GcBWlRGQ")),
        ("a.ifc", "House/Wall", None),
        ("a.ifc", "House/Wall", None),
        ("b.stp", "House/Wall", None),
    ] {
        let mut part = Part::new("Wall", Path::new(file), Mesh::default(), Pose::IDENTITY).with_path(path);
        part.guid = guid.map(Into::into);
        assembly.push(part);
    }
    let document: serde_json::Value = serde_json::from_slice(&entries(&write(&assembly))[0].1).unwrap();
    let keys: Vec<_> = document["parts"].as_array().unwrap().iter().map(|part| &part["key"]).collect();
    assert_eq!(keys, ["1hOSvn6df7F8_7GcBWlRGQ", "House/Wall", "House/Wall#2", "House/Wall"]);
}

#[test]
fn other_programs_may_pack_a_bundle_again() {
    let bytes = write(&sample());
    let mut files = entries(&bytes);
    files.reverse();
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        let packed = pack(&files, method);
        assert_eq!(describe(&load(&packed)), describe(&sample()));
        // The extension gives the format, though the document is not the first entry.
        let path = std::env::temp_dir().join(format!("packed-{}.impinge", std::process::id()));
        fs::write(&path, &packed).unwrap();
        assert_eq!(describe(&impinge_io::read(&path).unwrap()), describe(&sample()));
        fs::remove_file(path).unwrap();
    }
    files.push(("notes/read me.txt".to_owned(), b"x".to_vec()));
    let found = warnings(&load(&pack(&files, CompressionMethod::Stored)));
    let last = "dir/file.x: 1 entries of the package are no part of the bundle and are skipped, first \
                'notes/read me.txt'";
    assert_eq!(found.last().map(|x| &x[..]), Some(last));
}

#[test]
fn content_goes_before_the_extension() {
    let bytes = write(&sample());
    let model = crate::threemf::of_model(crate::damage::MODEL);
    let read = |name: &str, bytes: &[u8]| -> Result<Assembly, Error> {
        let path = std::env::temp_dir().join(format!("{}-{name}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        let result = impinge_io::read(&path);
        fs::remove_file(path).unwrap();
        result
    };
    for (name, bytes, format, parts) in [
        ("a.3mf", &bytes, "impinge bundle", 4),
        ("a.stl", &bytes, "impinge bundle", 4),
        ("b.impinge", &model, "3MF", 1),
    ] {
        let assembly = read(name, bytes).unwrap();
        let what = format!("the content is {format}, which the extension does not match");
        assert!(warnings(&assembly).iter().any(|found| found.ends_with(&what)), "{name}");
        assert_eq!(assembly.parts.len(), parts);
    }
    assert_eq!(read("no extension", &bytes).unwrap().parts.len(), 4);
    let refuse = |format, bytes: &[u8]| chain(&parse(format, bytes).unwrap_err());
    assert!(
        refuse(Format::Bundle, &model).starts_with("dir/file.x: this is a 3MF package, or one of an office")
    );
    assert!(refuse(Format::ThreeMf, &bytes).contains("the package names no 3D model, so it is no 3MF"));
    let other = pack(&[("a.txt".to_owned(), b"a".to_vec())], CompressionMethod::Stored);
    let found = read("c.impinge", &other).unwrap_err().to_string();
    assert!(found.ends_with("c.impinge: this ZIP has no 'assembly.json', so it is no bundle"), "{found}");
    assert!(read("d.impinge", b"").unwrap_err().to_string().ends_with("not a whole ZIP package"));
    assert!(Format::sniff(&bytes) == Some(Format::Bundle) && Format::sniff(&model) == Some(Format::ThreeMf));
}

#[test]
fn a_bundle_may_have_no_part() {
    for assembly in [Assembly::new(), {
        let mut assembly = sample();
        assembly.parts.clear();
        assembly.sources.iter_mut().for_each(|source| source.parts = 0);
        assembly
    }] {
        assert_eq!(describe(&load(&write(&assembly))), describe(&assembly));
    }
}

/// More entries than the ZIP of 1993 can count.
#[test]
fn a_bundle_may_have_many_meshes() {
    let mut assembly = Assembly::new();
    for i in 0..33_000 {
        let points = vec![[f64::from(i), 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mesh = Mesh::new(points, vec![[0, 1, 2]]).unwrap();
        assembly.push(Part::new("a", Path::new("a"), mesh, Pose::IDENTITY));
    }
    let bytes = write(&assembly);
    assert_eq!(archive_len(&bytes), 66_001);
    assert!(describe(&load(&bytes)) == describe(&assembly));
}

#[test]
fn an_assembly_that_a_bundle_cannot_hold_is_not_written() {
    let refuse = |change: &dyn Fn(&mut Assembly)| {
        let mut assembly = sample();
        change(&mut assembly);
        let mut bytes = Vec::new();
        let error = write_bundle(&assembly, &mut bytes).unwrap_err();
        assert!(bytes.is_empty() && error.is_invalid());
        error.to_string()
    };
    let affine = Pose::affine([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    for (found, what) in [
        (refuse(&|it| it.parts[1].pose = affine), "part 1 ('door'): its pose is not rigid"),
        (
            refuse(&|it| it.parts[1].chord = Some(f64::NAN)),
            "part 1 ('door'): its chord is not a finite number",
        ),
        (
            refuse(&|it| it.parts[1].rounding = Some(-1.0)),
            "part 1 ('door'): its rounding is not a finite number",
        ),
        (refuse(&|it| it.sources[1].offset = Some([f64::INFINITY; 3])), "source 1 ('plant.stl'): its offset"),
        (
            refuse(&|it| it.parts[1].file = Path::new("x").into()),
            "part 1 ('door'): it is not of the file of its",
        ),
        (refuse(&|it| it.sources[0].parts = 1), "part 1 ('door'): it is not of the file of its source"),
        (
            refuse(&|it| {
                it.sources.push({
                    let mut source = Source::new(Path::new("x"));
                    source.parts = 3;
                    source
                })
            }),
            "the sources have 7 parts, but the assembly has 4",
        ),
    ] {
        assert!(found.starts_with(what), "{found}");
    }
}

#[test]
fn limits_hold_for_bundles() {
    let bytes = write(&sample());
    let limits = impinge_io::Limits::new().with_parts(3);
    let error =
        parse_with(Format::Bundle, &bytes, Path::new("a"), &Options::new().with_limits(limits)).unwrap_err();
    assert!(error.is_too_large(), "{error}");
    // The size of a bundle supports its points and triangles, whatever the limits.
    let limits = impinge_io::Limits::new().with_points(0).with_triangles(0).with_bytes(0);
    assert!(parse_with(Format::Bundle, &bytes, Path::new("a"), &Options::new().with_limits(limits)).is_ok());
}

#[test]
fn the_digest_of_a_file_is_that_of_other_programs() {
    let path = std::env::temp_dir().join(format!("impinge-io-digest-{}", std::process::id()));
    fs::write(&path, b"abc").unwrap();
    let (bytes, digest) = impinge_io::file_digest(&path).unwrap();
    fs::remove_file(&path).unwrap();
    // FIPS 180-2, appendix B.1.
    let stated = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!((bytes, digest.map(|byte| format!("{byte:02x}")).concat()), (3, stated.to_owned()));
}
