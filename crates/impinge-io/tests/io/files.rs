//! Files that a `.gltf` names: regular files of its folder, and the others that an option allows.
use crate::{chain, gltf, stl};
use impinge_io::{Assembly, Error, Options, read_with};
use serde_json::json;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

/// A folder that is deleted at the end of the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name =
            format!("impinge-io-files-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(folder.join("inner/deep")).unwrap();
        Self(folder)
    }
    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
    /// Reads `inner/x.gltf`, which has a buffer of `length` bytes at a URI.
    fn read(&self, uri: &str, length: u64, options: &Options) -> Result<Assembly, Error> {
        let path = self.join("inner/x.gltf");
        fs::write(&path, document(uri, length)).unwrap();
        read_with(&path, options)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn document(uri: &str, length: u64) -> String {
    gltf::with([("/buffers/0", json!({ "byteLength": length, "uri": uri }))])
}

#[track_caller]
fn refused(result: Result<Assembly, Error>, message: &str) -> Error {
    let error = result.unwrap_err();
    let found = chain(&error);
    assert!(found.contains(message), "{message}: {found}");
    error
}

#[test]
fn files_of_the_folder_are_read() {
    let folder = Temporary::new();
    fs::write(folder.join("inner/deep/a.bin"), gltf::data()).unwrap();
    let options = Options::new();
    for uri in ["deep/a.bin", "./deep/a.bin", "deep/../deep/a.bin", "deep%2Fa.bin"] {
        assert_eq!(folder.read(uri, 76, &options).unwrap().triangles(), 2, "{uri}");
    }
    if cfg!(unix) {
        fs::write(folder.join("inner/a:b.bin"), gltf::data()).unwrap();
        assert_eq!(folder.read("a:b.bin", 76, &options).unwrap().triangles(), 2);
    }
    // The file is longer than the declared length: the rest is not read.
    fs::File::create(folder.join("inner/large.bin")).unwrap().set_len(1 << 40).unwrap();
    let (result, bytes, _) = crate::memory::measure(|| folder.read("large.bin", 76, &options));
    assert!(result.is_ok() && bytes < 1 << 20, "{bytes}");
    refused(folder.read("deep/a.bin", 77, &options), "buffer 0: it announces 77 bytes, but has 76");
    refused(folder.read("deep/a.bin", u64::MAX, &options), "but has 76");
    let error = refused(folder.read("none.bin", 76, &options), "the file 'none.bin' cannot be read: ");
    assert!(error.is_io());
    refused(folder.read("deep", 76, &options), "'deep' is no regular file");
    refused(folder.read("", 76, &options), "'' is not a path relative to the document");
}

#[test]
fn files_outside_need_leave() {
    let folder = Temporary::new();
    fs::write(folder.join("secret.bin"), gltf::data()).unwrap();
    let allowed = Options::new().with_outside_folder(true);
    let mut uris = vec!["../secret.bin", "deep/../../secret.bin", "..%2Fsecret.bin"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.join("secret.bin"), folder.join("inner/link.bin")).unwrap();
        std::os::unix::fs::symlink(&folder.0, folder.join("inner/up")).unwrap();
        uris.extend(["link.bin", "up/secret.bin"]);
    }
    for uri in uris {
        let error = refused(folder.read(uri, 76, &Options::new()), "lies outside of the document's folder");
        assert!(error.is_outside_folder() && !error.is_io());
        assert_eq!(folder.read(uri, 76, &allowed).unwrap().triangles(), 2, "{uri}");
    }
    // The message does not reveal whether the file exists.
    refused(folder.read("../none.bin", 76, &Options::new()), "lies outside of the document's folder");
    for uri in ["/etc/passwd", "http://x/y", "file:///etc/passwd", "\\\\host\\x"] {
        let message = format!("'{uri}' is not a path relative to the document");
        assert!(refused(folder.read(uri, 76, &allowed), &message).is_unsupported());
    }
}

/// Opening a pipe without a writer would block.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_opened() {
    let folder = Temporary::new();
    let made = std::process::Command::new("mkfifo").arg(folder.join("inner/fifo")).status().unwrap();
    assert!(made.success());
    let allowed = Options::new().with_outside_folder(true);
    for options in [&Options::new(), &allowed] {
        refused(folder.read("fifo", 36, options), "buffer 0: 'fifo' is no regular file");
    }
    let zero = "../".repeat(20) + "dev/zero";
    refused(folder.read(&zero, 1 << 40, &Options::new()), "lies outside of the document's folder");
    refused(folder.read(&zero, 1 << 40, &allowed), "dev/zero' is no regular file");
    // The file itself may be a pipe; its input has a limit.
    let few = Options::new().with_limits(impinge_io::Limits::new().with_bytes(1 << 20));
    let error = refused(
        read_with(Path::new("/dev/zero"), &few),
        "more than 1048576 bytes, and its size is not known",
    );
    assert!(error.is_too_large());
}

/// Hostile files that name other files, in a folder that contains these others.
#[cfg(unix)]
#[test]
fn hostile_files_read_what_is_beside_them_and_nothing_else() {
    let Some(data) = crate::data::data("hostile") else { return };
    let folder = Temporary::new();
    let made = std::process::Command::new("mkfifo").arg(folder.join("fifo")).status().unwrap();
    assert!(made.success());
    fs::write(folder.join("a:b.bin"), [0; 36]).unwrap();
    let read = |name: &str| {
        fs::copy(data.join(name), folder.join(name)).unwrap();
        impinge_io::read(folder.join(name))
    };
    assert_eq!(read("colon.gltf").unwrap().triangles(), 1);
    refused(read("fifo.gltf"), "'fifo' is no regular file");
    refused(read("devzero.gltf"), "lies outside of the document's folder");
    refused(read("passwd.gltf"), "lies outside of the document's folder");
}

/// One file under many names, each longer than the last: rereading has a limit.
#[test]
fn a_file_under_many_names_is_read_once() {
    let folder = Temporary::new();
    let mut data = gltf::data();
    data.resize(1 << 20, 0);
    fs::write(folder.join("inner/a.bin"), data).unwrap();
    let buffers = |lengths: &mut dyn Iterator<Item = usize>| {
        let mut document = gltf::document();
        let buffers: Vec<_> = lengths
            .enumerate()
            .map(|(i, length)| json!({ "uri": "./".repeat(i) + "a.bin", "byteLength": length }))
            .collect();
        let n = buffers.len();
        document["buffers"] = buffers.into();
        document["bufferViews"] = (0..n)
            .flat_map(|i| {
                [
                    json!({ "buffer": i, "byteLength": 48 }),
                    json!({ "buffer": i, "byteOffset": 48, "byteLength": 12 }),
                ]
            })
            .collect();
        document["accessors"] = (0..n)
            .flat_map(|i| {
                [
                    json!({ "bufferView": 2 * i, "componentType": 5126, "count": 4, "type": "VEC3" }),
                    json!({ "bufferView": 2 * i + 1, "componentType": 5123, "count": 6, "type": "SCALAR" }),
                ]
            })
            .collect();
        document["meshes"][0]["primitives"] =
            (0..n).map(|i| json!({ "attributes": { "POSITION": 2 * i }, "indices": 2 * i + 1 })).collect();
        fs::write(folder.join("inner/x.gltf"), document.to_string()).unwrap();
        let options = Options::new().with_limits(impinge_io::Limits::new().with_bytes(3 << 20));
        crate::memory::measure(|| read_with(folder.join("inner/x.gltf"), &options))
    };
    let (result, bytes, _) = buffers(&mut std::iter::repeat_n(1 << 20, 50));
    assert_eq!(result.unwrap().triangles(), 100);
    assert!(bytes < 3 << 20, "{bytes}");
    let (result, bytes, _) = buffers(&mut (0..50).map(|i| (1 << 20) - 50 + i));
    assert!(refused(result, "bytes by reading files again").is_too_large());
    assert!(bytes < 8 << 20, "{bytes}");
}

/// Opening a pipe twice loses the writer's data, or blocks.
#[cfg(unix)]
#[test]
fn a_pipe_is_opened_once() {
    let folder = Temporary::new();
    let mut text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_owned();
    text += &"# pad\n".repeat(50_000);
    for (name, bytes) in
        [("a.obj", text.as_bytes()), ("b.stl", &stl::binary(b"", &[[[0.0; 3]; 3]; 2000])[..])]
    {
        let pipe = folder.join(name);
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        std::thread::scope(|scope| {
            // More than a pipe holds: the writer only finishes if the reader reads to the end.
            let writer = scope.spawn(|| fs::write(&pipe, bytes));
            assert!(impinge_io::read(&pipe).is_ok());
            writer.join().unwrap().unwrap();
        });
    }
}

/// A program that ends early can remove the unfinished file; the old file is unchanged.
#[test]
fn files_that_are_being_written_can_be_removed() {
    let folder = Temporary::new();
    let path = folder.join("inner/out");
    fs::write(&path, "old").unwrap();
    let files = || fs::read_dir(folder.join("inner")).unwrap().count();
    let before = files();
    let result = impinge_io::write_whole(&path, |file| {
        std::io::Write::write_all(file, b"new")?;
        assert_eq!(files(), before + 1);
        impinge_io::remove_unfinished();
        assert_eq!(files(), before);
        Ok::<(), std::io::Error>(())
    });
    assert!(result.is_err());
    impinge_io::write_whole(&path, |file| std::io::Write::write_all(file, b"new")).unwrap();
    impinge_io::remove_unfinished();
    assert_eq!((fs::read(&path).unwrap(), files()), (b"new".to_vec(), before));
}
