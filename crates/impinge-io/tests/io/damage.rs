//! Files cut at every byte, files with every byte changed, and false counts. None may cause a panic, a long
//! wait, or memory in proportion to a false count.
use crate::{dae, gltf, memory::measure, parse, refuse, stl, threemf};
use impinge_io::Format::{self, Dae, Gltf, Obj, Off, Ply, Stl, ThreeMf};
use std::time::Duration;

pub(crate) const MODEL: &str = r#"<model unit="inch"><resources><object id="1"><mesh>
        <vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/></vertices>
        <triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh></object>
        <object id="2"><components><component objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0 0"/></components>
        </object></resources><build><item objectid="2"/></build></model>"#;

/// A small valid file of each format and form.
fn samples() -> Vec<(Format, Vec<u8>)> {
    let corner = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let ply = |encoding: &str, body: &[u8]| {
        let head = "element vertex 3\nproperty uchar x\nproperty uchar y\nproperty uchar z\nelement face 1\n\
                    property list uchar uchar vertex_indices\nend_header\n";
        [format!("ply\nformat {encoding} 1.0\n{head}").as_bytes(), body].concat()
    };
    let mut json = gltf::document();
    let whole = json.to_string();
    json["buffers"][0] = serde_json::json!({ "byteLength": 76 });
    vec![
        (Stl, stl::binary(b"", &[corner, corner])),
        (
            Stl,
            b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n\
              endfacet\nendsolid a\n"
                .to_vec(),
        ),
        (Obj, b"o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\ng b\nf 1 2 3\nl 1 2\nf -1/1/1 -2//1 \\\n-3/1\n".to_vec()),
        (Off, b"OFF # x\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 255 0 0\n".to_vec()),
        (Ply, ply("ascii", b"0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")),
        (Ply, ply("binary_little_endian", &[0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0, 1, 2])),
        (Gltf, whole.into_bytes()),
        (Gltf, gltf::glb(&json.to_string(), &gltf::data())),
        (ThreeMf, threemf::of_model(MODEL)),
        (Dae, dae::sample().into_bytes()),
    ]
}

#[test]
fn the_samples_are_good() {
    for (format, bytes) in samples() {
        assert!(parse(format, &bytes).is_ok(), "{format:?}");
    }
}

#[test]
fn cut_at_any_byte() {
    for (format, bytes) in samples() {
        for end in 0..bytes.len() {
            if let Err(error) = parse(format, &bytes[..end]) {
                assert!(error.to_string().starts_with("dir/file.x: "), "{error}");
            }
        }
    }
}

#[test]
fn any_byte_changed() {
    for (format, bytes) in samples() {
        for at in 0..bytes.len() {
            for change in [0x01, 0x02, 0x10, 0x80, 0xFF] {
                let mut bytes = bytes.clone();
                bytes[at] ^= change;
                if let Err(error) = parse(format, &bytes) {
                    let text = error.to_string();
                    assert!(!text.contains(char::is_control), "{text:?}");
                }
            }
        }
    }
}

/// The XML inside a package, which the package's checksums protect from the tests above.
#[test]
fn models_cut_and_changed() {
    let pack = |model: &[u8]| parse(ThreeMf, threemf::of_model(model));
    for at in 0..MODEL.len() {
        // The last byte ends the last tag: without it, the model is incomplete.
        assert!(pack(&MODEL.as_bytes()[..at]).is_err(), "{at}");
        for change in [0x01, 0x02, 0x10, 0x80, 0xFF] {
            let mut model = MODEL.as_bytes().to_vec();
            model[at] ^= change;
            if let Err(error) = pack(&model) {
                assert!(!error.to_string().contains(char::is_control), "{error:?}");
            }
        }
    }
}

/// A count of four billion of everything that a format counts.
#[test]
fn counts_that_lie_are_refused_at_once() {
    let ply = |encoding: &str, vertices: u64, other: &str, body: &[u8]| {
        let head = format!(
            "ply\nformat {encoding} 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\n\
             property float z\n{other}end_header\n"
        );
        [head.as_bytes(), body].concat()
    };
    let faces = "element face 4000000000\nproperty list uchar int vertex_indices\n";
    let face = "element face 1\nproperty list uint int vertex_indices\n";
    let skipped = "element other 4000000000\nproperty list int double a\n";
    let binary = "binary_little_endian";
    let mut stl = stl::binary(b"", &[[[0.0; 3]; 3]]);
    stl[80..84].copy_from_slice(&4_000_000_000_u32.to_le_bytes());
    let mut json = gltf::document();
    json["accessors"][0]["bufferView"] = serde_json::Value::Null;
    json["accessors"][0]["count"] = serde_json::json!(4_000_000_000_u64);
    let sparse = |count: u64| {
        let view = serde_json::json!({ "bufferView": 2, "componentType": 5121 });
        serde_json::json!({ "count": count, "indices": view, "values": { "bufferView": 2, "byteOffset": 4 } })
    };
    json["accessors"][0]["sparse"] = sparse(4_000_000_000);
    let many_sparse = json.to_string();
    json["accessors"][0]["sparse"] = sparse(1);
    let many_zeros = json.to_string();
    // The ZIP's end record declares as many files as it can; its sizes are false, too.
    let mut zip = threemf::of_model("<model/>");
    let end = zip.len() - 22;
    zip[end + 8..end + 12].fill(0xFF);
    let mut sizes = threemf::of_model("<model/>");
    let central = (0..sizes.len()).find(|&i| sizes[i..].starts_with(b"PK\x01\x02")).unwrap();
    sizes[central + 24..central + 28].fill(0xFE);

    let files = [
        (Stl, stl),
        (Obj, b"v 0 0 0\nf 1 1 4000000000\n".to_vec()),
        (Off, b"OFF\n4000000000 1 0\n0 0 0\n3 0 0 0\n".to_vec()),
        (Off, b"OFF\n1 4000000000 0\n0 0 0\n3 0 0 0\n".to_vec()),
        (Off, b"OFF\n1 1 0\n0 0 0\n4000000000 0 0 0\n".to_vec()),
        (Ply, ply("ascii", 4_000_000_000, "", b"0 0 0\n")),
        (Ply, ply("ascii", 1, faces, b"0 0 0\n3 0 0 0\n")),
        (Ply, ply("ascii", 1, face, b"0 0 0\n4000000000 0 0 0\n")),
        (Ply, ply("ascii", 0, skipped, b"0 0 0\n")),
        (Ply, ply("ascii", 0, "element other 4000000000\n", b"0 0 0\n")),
        (Ply, ply(binary, 4_000_000_000, "", &[0; 12])),
        (Ply, ply(binary, 1, faces, &[0; 25])),
        (Ply, ply(binary, 1, face, &[[0; 12], [0xFE; 12]].concat())),
        (Ply, ply(binary, 0, skipped, &[0x7F; 12])),
        (Ply, ply(binary, 0, "element other 4000000000\n", &[])),
        (Ply, ply(binary, 0, "element face 4000000000\n", &[])),
        (Gltf, many_sparse.into_bytes()),
        (Gltf, many_zeros.into_bytes()),
        (ThreeMf, zip),
        (ThreeMf, sizes),
    ];
    for (i, (format, bytes)) in files.into_iter().enumerate() {
        // Processor time, which other work on the machine does not increase. Counting to four billion takes
        // more.
        let (found, most, time) = measure(|| refuse(format, bytes));
        assert!(time < Duration::from_secs(2), "{i}: {found} after {time:?}");
        assert!(most < 1 << 20, "{i}: {found} took {most} bytes");
    }
}
