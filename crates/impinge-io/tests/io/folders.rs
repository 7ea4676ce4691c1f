//! Folders and ZIP files of meshes.
use impinge_io::{Assembly, Error, Limits, OmissionKind, Options, folder_files, read, read_with};
use std::{
    fs,
    io::{Cursor, Write},
    path::Path,
};
use zip::{ZipWriter, write::SimpleFileOptions};

const OFF: &[u8] = b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn read_zip(bytes: &[u8], options: &Options) -> Result<Assembly, Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("parts.zip");
    fs::write(&path, bytes).unwrap();
    read_with(path, options)
}

fn refused(entries: &[(&str, &[u8])]) -> String {
    read_zip(&zip(entries), &Options::new()).unwrap_err().to_string()
}

/// Paths of an assembly's sources, relative to a folder.
fn sources(assembly: &Assembly, folder: &Path) -> Vec<String> {
    let inner = |source: &impinge_io::Source| {
        source.file.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/")
    };
    assembly.sources.iter().map(inner).collect()
}

#[test]
fn a_folder_is_all_of_its_mesh_files_in_the_order_of_paths() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for name in ["b/2.off", "b/10.off", "a.off", "B.OFF", "b/note.txt", "b/x.png", "wall.step", ".hidden.off"]
    {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        fs::write(root.join(name), OFF).unwrap();
    }
    fs::create_dir(root.join("empty")).unwrap();
    let assembly = read(root).unwrap();
    assert_eq!(sources(&assembly, root), ["B.OFF", "a.off", "b/10.off", "b/2.off"]);
    assert_eq!(assembly.parts.len(), 4);
    let [warning] = &assembly.warnings[..] else { panic!("{:?}", assembly.warnings) };
    let text = warning.text();
    assert!(text.contains("3 files of other kinds: 1 .off, 1 .png, 1 .txt, such as .hidden.off"), "{text}");
    assert_eq!(warning.file(), root);
    let [omission] = &assembly.omissions[..] else { panic!("{:?}", assembly.omissions) };
    assert!(omission.file.ends_with("wall.step") && omission.kind == OmissionKind::Failed);
    assert!(omission.reason.contains("CAD surfaces"), "{}", omission.reason);
    assert_eq!(folder_files(root, &Options::new()).unwrap().files.len(), 4);

    let few = Options::new().with_limits(Limits::new().with_parts(5));
    let error = read_with(root, &few).unwrap_err();
    assert!(error.is_too_large() && error.to_string().contains("5 entries of a folder"), "{error}");
    let error = read(root.join("empty")).unwrap_err().to_string();
    assert!(error.contains("the folder has no file that is read (.stl, "), "{error}");
    fs::write(root.join("b/2.off"), "OFF\n1").unwrap();
    let error = read(root).unwrap_err();
    assert!(error.file().unwrap().ends_with("b/2.off"), "{error}");
}

#[cfg(unix)]
#[test]
fn links_and_pipes_of_a_folder_are_not_followed() {
    use std::os::unix::{fs::symlink, net::UnixListener};
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(other.path().join("secret.off"), OFF).unwrap();
    fs::write(folder.path().join("a.off"), OFF).unwrap();
    symlink(other.path().join("secret.off"), folder.path().join("b.off")).unwrap();
    symlink(folder.path(), folder.path().join("loop")).unwrap();
    let _socket = UnixListener::bind(folder.path().join("c.off")).unwrap();
    let assembly = read(folder.path()).unwrap();
    assert_eq!(assembly.parts.len(), 1);
    let text = assembly.warnings[0].text();
    assert!(text.contains("2 symbolic links, which are not followed, such as b.off"), "{text}");
    assert!(text.contains("1 entry that is no regular file: c.off"), "{text}");
    // The folder itself may be named by a link.
    let link = other.path().join("link");
    symlink(folder.path(), &link).unwrap();
    assert_eq!(read(link).unwrap().parts.len(), 1);
}

#[test]
fn a_zip_is_read_as_its_folder_would_be() {
    let names = ["z.off", "sub\\x.off", "sub/a/y.off", "readme.txt", "__MACOSX/._z.off", "old.dwg"];
    let entries: Vec<_> = names.iter().map(|name| (*name, OFF)).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("parts.ZIP");
    fs::write(&path, zip(&entries)).unwrap();
    let assembly = read(&path).unwrap();
    assert_eq!(sources(&assembly, &path), ["sub/a/y.off", "sub/x.off", "z.off"]);
    let text = assembly.warnings[0].text();
    assert!(text.contains("2 files of other kinds: 1 .off, 1 .txt, such as __MACOSX"), "{text}");
    assert!(assembly.omissions[0].file.ends_with("parts.ZIP/old.dwg"));
    let error = refused(&[("readme.txt", b"none")]);
    assert!(
        error.contains("the ZIP file has no file that is read") && error.contains("readme.txt"),
        "{error}"
    );
    let error = read_zip(b"PK\x03\x04 and no more", &Options::new()).unwrap_err().to_string();
    assert!(error.contains("not a whole ZIP"), "{error}");
    let error = refused(&[("a.off", b"OFF\n1")]);
    assert!(error.contains("parts.zip/a.off") || error.contains("parts.zip\\a.off"), "{error}");
}

#[test]
fn entries_stay_within_the_zip() {
    for (name, why) in [
        ("../a.off", "leads out of the ZIP"),
        ("x/../../a.off", "leads out of the ZIP"),
        ("/etc/a.off", "absolute path"),
        ("C:\\a.off", "absolute path"),
    ] {
        let error = refused(&[("b.off", OFF), (name, OFF)]);
        assert!(error.contains(why), "{name}: {error}");
    }
    let error = refused(&[("x/a.off", OFF), ("x\\a.off", OFF)]);
    assert!(error.contains("two entries of this path"), "{error}");
    let mut link = ZipWriter::new(Cursor::new(Vec::new()));
    link.start_file("a.off", SimpleFileOptions::default()).unwrap();
    link.write_all(OFF).unwrap();
    link.add_symlink("b.off", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let assembly = read_zip(&link.finish().unwrap().into_inner(), &Options::new()).unwrap();
    assert_eq!(assembly.parts.len(), 1);
    assert!(assembly.warnings[0].text().contains("1 symbolic link, which is not followed: b.off"));
}

/// A ZIP that unpacks to far more than its size is one error, even if it has many entries.
#[test]
fn a_zip_bomb_is_one_error() {
    let mut large = OFF.to_vec();
    large.resize(2 << 20, b' ');
    let options = Options::new().with_limits(Limits::new().with_bytes(1 << 20));
    let names: Vec<String> = (0..40).map(|i| format!("{i}.off")).collect();
    let all: Vec<_> = names.iter().map(|name| (name.as_str(), &large[..])).collect();
    for entries in [&all[..1], &all] {
        let bomb = zip(entries);
        assert!(bomb.len() < 200_000);
        let error = read_zip(&bomb, &options).unwrap_err();
        assert!(error.is_too_large() && error.to_string().contains("bytes by unpacking"), "{error}");
    }
    assert_eq!(read_zip(&zip(&all[..4]), &Options::new()).unwrap().parts.len(), 4);
    // All files together may make as much as one file.
    let few = Options::new().with_limits(Limits::new().with_parts(3));
    assert!(read_zip(&zip(&all[..3]), &few).is_ok());
    assert!(read_zip(&zip(&all[..4]), &few).unwrap_err().is_too_large());
}

#[test]
fn a_gltf_in_a_zip_finds_its_data() {
    let points: Vec<u8> =
        [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let document = |uri: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}}],
            "bufferViews":[{{"buffer":0,"byteLength":36}}],"buffers":[{{"uri":"{uri}","byteLength":36}}]}}"#
        )
    };
    let with = |uri: &str| {
        read_zip(
            &zip(&[("m/a.gltf", document(uri).as_bytes()), ("m/data/a b.bin", &points)]),
            &Options::new(),
        )
    };
    assert_eq!(with("data/a%20b.bin").unwrap().parts.len(), 1);
    assert_eq!(with("../m/data/a b.bin").unwrap().parts.len(), 1);
    for (uri, why) in [
        ("b.bin", "the ZIP has no file 'b.bin'"),
        ("../../a.bin", "lies outside of the ZIP"),
        ("/etc/passwd", "not a path relative"),
    ] {
        let error = with(uri).unwrap_err();
        assert!(crate::chain(&error).contains(why), "{uri}: {}", crate::chain(&error));
    }
}
