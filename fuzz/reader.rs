//! Properties that must hold for any bytes given to a reader. The fuzz targets and the test `corpus` of
//! impinge-io share them.
use impinge_io::{Format, Options, Part, parse, read_from, write_glb};
use std::{
    io::{Cursor, Write},
    path::Path,
};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// Panics if a reader's result contradicts itself.
pub(crate) fn check(format: Format, bytes: &[u8]) {
    let file = Path::new("dir/file.x");
    // Damage to a package only triggers its checksums: input that starts like XML is packed as the model of a
    // package.
    let packed;
    let bytes = if format == Format::ThreeMf && bytes.starts_with(b"<") {
        packed = package(bytes);
        &packed
    } else {
        bytes
    };
    // Without a format: a guess from the content gives parts or an error.
    match read_from(bytes, file, None, &Options::new()) {
        Ok(assembly) => {
            let parts: usize = assembly.sources.iter().map(|source| source.parts).sum();
            assert_eq!(parts, assembly.parts.len());
        }
        Err(error) => assert_eq!(error.file(), Some(file)),
    }
    let assembly = match parse(format, bytes, file) {
        Ok(assembly) => assembly,
        Err(error) => {
            let message = error.to_string();
            assert_eq!(error.file(), Some(file));
            assert!(
                message.starts_with("dir/file.x: ") && !message.contains(char::is_control),
                "{message:?}"
            );
            return;
        }
    };
    assert!(!assembly.parts.is_empty());
    for warning in &assembly.warnings {
        assert!(!warning.to_string().contains(char::is_control), "{warning:?}");
    }
    assembly.parts.iter().for_each(check_part);

    // Written and read again: the same parts, and the same points where f32 represents them.
    let mut glb = Vec::new();
    let Ok(rounded) = write_glb(&assembly.parts, &mut glb) else { return };
    let again = parse(Format::Gltf, &glb, file).expect("what was written can be read");
    assert_eq!(again.warnings, []);
    assert_eq!(again.parts.len(), assembly.parts.len());
    for (new, old) in again.parts.iter().zip(&assembly.parts) {
        assert_eq!((&new.name, &new.pose), (&old.name, &old.pose));
        assert_eq!(new.mesh.triangles(), old.mesh.triangles());
        assert!(rounded > 0 || new.mesh.points() == old.mesh.points());
    }
}

fn check_part(part: &Part) {
    let (points, triangles) = (part.mesh.points(), part.mesh.triangles());
    assert!(!part.name.is_empty() && !triangles.is_empty());
    assert!(part.path.ends_with(&*part.name));
    assert!(part.pose.is_rigid());
    assert!(points.as_flattened().iter().all(|c| c.is_finite()));
    // A part has its own points and no others.
    let mut used = vec![false; points.len()];
    triangles.as_flattened().iter().for_each(|&i| used[i as usize] = true);
    assert!(!used.contains(&false));
}

fn package(model: &[u8]) -> Vec<u8> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, bytes: &[u8]| {
        zip.start_file(name, options).expect("memory takes it");
        zip.write_all(bytes).expect("memory takes it");
    };
    add("_rels/.rels", br#"<Relationships><Relationship Target="a.model" Type="/3dmodel"/></Relationships>"#);
    add("a.model", model);
    zip.finish().expect("memory takes it").into_inner()
}
