//! Properties of bundles that must hold for any bytes. The fuzz target and the test `corpus` of impinge-io
//! share them.
use impinge::{Mesh, Pose};
use impinge_io::{Assembly, Format, Part, parse, write_bundle};
use std::{
    io::{Cursor, Read, Write},
    path::Path,
};
use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

/// Panics if the reader contradicts itself, or if what was read is not what is written. Returns whether the
/// bytes are a bundle.
pub(crate) fn check(bytes: &[u8]) -> bool {
    let file = Path::new("dir/file.x");
    // Damage to a package only triggers its checksums: input that starts like JSON is packed as the document
    // of a bundle with one mesh.
    let packed;
    let bytes = if bytes.starts_with(b"{") {
        packed = package(bytes);
        &packed
    } else {
        bytes
    };
    let assembly = match parse(Format::Bundle, bytes, file) {
        Ok(assembly) => assembly,
        Err(error) => {
            let message = error.to_string();
            assert_eq!(error.file(), Some(file));
            assert!(
                message.starts_with("dir/file.x: ") && !message.contains(char::is_control),
                "{message:?}"
            );
            return false;
        }
    };
    assert_eq!(assembly.sources.iter().map(|source| source.parts).sum::<usize>(), assembly.parts.len());
    let write = |assembly: &Assembly| {
        let mut bytes = Vec::new();
        write_bundle(assembly, &mut bytes).expect("what was read can be written");
        bytes
    };
    let written = write(&assembly);
    let again = parse(Format::Bundle, &written, file).expect("what was written can be read");
    assert_eq!(again.warnings.len(), assembly.warnings.len());
    assert!(write(&again) == written, "equal assemblies become equal bytes");
    true
}

/// The entries of a bundle with one triangle.
fn one_mesh() -> Vec<(String, Vec<u8>)> {
    let mesh = Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]);
    let mut assembly = Assembly::new();
    assembly.push(Part::from_mesh("a", mesh.expect("a triangle"), Pose::IDENTITY));
    let mut bytes = Vec::new();
    write_bundle(&assembly, &mut bytes).expect("memory takes it");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("a bundle is a ZIP");
    let entry = |i| {
        let mut entry = archive.by_index(i).expect("it was written");
        let mut content = Vec::new();
        entry.read_to_end(&mut content).expect("it was written");
        (entry.name().expect("it was written").into_owned(), content)
    };
    (0..3).map(entry).collect()
}

fn package(document: &[u8]) -> Vec<u8> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in one_mesh() {
        zip.start_file(&name[..], options).expect("memory takes it");
        let content = if name == "assembly.json" { document } else { &content };
        zip.write_all(content).expect("memory takes it");
    }
    zip.finish().expect("memory takes it").into_inner()
}
