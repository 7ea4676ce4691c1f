use crate::{load, load_clean, parse, refuse, shape, warnings};
use base64::{Engine, engine::general_purpose::STANDARD};
use impinge::{Mesh, Pose};
use impinge_io::{
    Format::{self, Gltf},
    Part, write_glb,
};
use serde_json::{Value, json};
use std::{fs, path::Path, sync::Arc};

/// A square of four f32 points (48 bytes) and six u16 indices of its two triangles (12 bytes). A sparse
/// replacement follows: index 3 as u8 (at 60) and an f32 point (at 64).
pub(crate) fn data() -> Vec<u8> {
    let points = [[0.1_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let mut bytes: Vec<u8> = points.as_flattened().iter().flat_map(|c| c.to_le_bytes()).collect();
    bytes.extend([0_u16, 1, 2, 0, 2, 3].iter().flat_map(|i| i.to_le_bytes()));
    bytes.extend([3, 0, 0, 0]);
    bytes.extend([5.0_f32, 6.0, 7.0].iter().flat_map(|c| c.to_le_bytes()));
    bytes
}

pub(crate) fn document() -> Value {
    json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "name": "a", "mesh": 0 }],
        "meshes": [{ "name": "m", "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 48, "byteLength": 12 },
            { "buffer": 0, "byteOffset": 60, "byteLength": 16 },
        ],
        "buffers": [{ "byteLength": 76, "uri": uri(&data()) }],
    })
}

pub(crate) fn uri(bytes: &[u8]) -> String {
    format!("data:application/octet-stream;base64,{}", STANDARD.encode(bytes))
}

/// The document after replacing some members, given by JSON pointer.
pub(crate) fn with<const N: usize>(changes: [(&str, Value); N]) -> String {
    let mut document = document();
    for (pointer, value) in changes {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match document.pointer_mut(parent).unwrap() {
            Value::Array(list) => match key.parse::<usize>() {
                Ok(i) => list[i] = value,
                Err(_) => list.push(value),
            },
            object => object[key] = value,
        }
    }
    document.to_string()
}

pub(crate) fn glb(json: &str, data: &[u8]) -> Vec<u8> {
    let json = format!("{json}{}", " ".repeat(json.len().next_multiple_of(4) - json.len()));
    let mut bytes = b"glTF".to_vec();
    let word = |n: usize| (n as u32).to_le_bytes();
    bytes.extend([word(2), word(28 + json.len() + data.len()), word(json.len()), *b"JSON"].as_flattened());
    bytes.extend(json.as_bytes());
    bytes.extend([word(data.len()), *b"BIN\0"].as_flattened());
    bytes.extend(data);
    bytes
}

fn f(points: [[f32; 3]; 4]) -> [[f64; 3]; 4] {
    points.map(|p| p.map(f64::from))
}

const SQUARE: [[f32; 3]; 4] = [[0.1, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
fn json_glb_and_a_file_next_to_it_give_the_same() {
    let first = load_clean(Gltf, document().to_string());
    assert_eq!(shape(&first), [("a", 2)]);
    assert_eq!(first.parts[0].mesh.points(), f(SQUARE));
    assert_eq!(first.parts[0].mesh.triangles(), [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(first.parts[0].pose, Pose::IDENTITY);

    let inside = with([("/buffers/0", json!({ "byteLength": 76 }))]);
    let second = load_clean(Gltf, glb(&inside, &data()));
    assert_eq!(second.parts[0].mesh, first.parts[0].mesh);

    let folder = std::env::temp_dir().join(format!("impinge-io {}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("the data.bin"), data()).unwrap();
    let path = folder.join("x.GLTF");
    let write = |uri: &str| {
        fs::write(&path, with([("/buffers/0", json!({ "byteLength": 76, "uri": uri }))])).unwrap();
        impinge_io::read(&path).map_err(|e| crate::chain(&e))
    };
    assert_eq!(write("the%20data.bin").unwrap().parts[0].mesh, first.parts[0].mesh);
    assert!(write("none.bin").unwrap_err().contains("buffer 0: the file 'none.bin' cannot be read: "));
    assert!(
        write("/etc/passwd").unwrap_err().contains("'/etc/passwd' is not a path relative to the document")
    );
    assert!(write("http://x/y").unwrap_err().contains("'http://x/y' is not a path relative"));
    fs::write(folder.join("short.bin"), [0; 70]).unwrap();
    assert!(write("short.bin").unwrap_err().contains("buffer 0: it announces 76 bytes, but has 70"));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn instances_share_a_mesh_and_transforms_nest_in_f64() {
    let text = with([(
        "/nodes",
        json!([
            { "children": [3, 1], "translation": [1e9, 0.1, 0] },
            { "mesh": 0, "translation": [0.0, 0.2, 0], "rotation": [0, 0, 2, 2] },
            { "name": "other", "mesh": 0 },
            { "name": "m4", "children": [2], "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 7, 0.1, 3, 1] },
        ]),
    )]);
    let assembly = load(Gltf, text);
    assert_eq!(shape(&assembly), [("other", 2), ("m", 2)]);
    let [a, b] = &assembly.parts[..] else { panic!() };
    assert!(Arc::ptr_eq(&a.mesh, &b.mesh) && !a.baked && !b.baked);
    let quarter = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    assert_eq!(a.pose, Pose::rigid(quarter, [1e9 + 7.0, 0.1 + 0.1, 3.0]).unwrap());
    assert_eq!(b.pose, Pose::rigid(quarter, [1e9, 0.2 + 0.1, 0.0]).unwrap());
}

#[test]
fn what_is_not_rigid_is_baked_once_for_equal_transforms() {
    let scaled =
        |name: &str, s: f64| json!({ "name": name, "mesh": 0, "scale": [s, 1, 1], "translation": [1, 0, 0] });
    let text = with([(
        "/nodes",
        json!([
            scaled("a", 2.0),
            scaled("mirror", -1.0),
            scaled("b", 2.0),
            scaled("flat", 0.0),
            scaled("rigid", 1.0)
        ]),
    )]);
    let assembly = load_clean(Gltf, text);
    let [a, mirror, b, flat, rigid] = &assembly.parts[..] else { panic!() };
    assert!(Arc::ptr_eq(&a.mesh, &b.mesh) && !Arc::ptr_eq(&a.mesh, &mirror.mesh));
    assert!(a.baked && mirror.baked && flat.baked && !rigid.baked);
    assert_eq!((a.pose, mirror.pose), (Pose::IDENTITY, Pose::IDENTITY));
    let tenth = f64::from(0.1_f32);
    assert_eq!(
        a.mesh.points(),
        [[tenth * 2.0 + 1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 1.0, 0.0], [1.0, 1.0, 0.0]]
    );
    assert_eq!(mirror.mesh.points()[1], [0.0; 3]);
    assert_eq!(mirror.mesh.triangles(), a.mesh.triangles());
    assert_eq!(flat.mesh.points()[2], [1.0, 1.0, 0.0]);
}

#[test]
fn the_default_scene_else_all_else_all_roots() {
    let nodes = json!([{ "name": "a", "mesh": 0 }, { "name": "b", "mesh": 0 }, { "name": "c", "mesh": 0 }]);
    let scenes = json!([{ "nodes": [1] }, { "nodes": [1, 0] }]);
    let one =
        load(Gltf, with([("/nodes", nodes.clone()), ("/scenes", scenes.clone()), ("/scene", json!(0))]));
    assert_eq!(shape(&one), [("b", 2)]);
    assert_eq!(warnings(&one), ["dir/file.x: only the default scene, 0 of 2, is read"]);
    let all = load(Gltf, with([("/nodes", nodes.clone()), ("/scenes", scenes)]));
    assert_eq!(shape(&all), [("a", 2), ("b", 2)]);
    assert_eq!(shape(&load_clean(Gltf, with([("/nodes", nodes)]))), [("a", 2), ("b", 2), ("c", 2)]);
}

#[test]
fn primitives_of_a_mesh_are_one_part() {
    let at = |more: Value| {
        let mut primitive = json!({ "attributes": { "POSITION": 0 } });
        primitive.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        primitive
    };
    let primitives = json!([
        at(json!({ "indices": 1 })),
        at(json!({ "mode": 5 })),
        at(json!({ "mode": 6 })),
        at(json!({ "mode": 0 })),
        at(json!({ "mode": 3, "indices": 1 })),
        { "attributes": {} },
        { "attributes": { "POSITION": 2 }, "indices": 1, "mode": 5 },
    ]);
    let assembly = load(
        Gltf,
        with([
            ("/meshes/0/primitives", primitives),
            (
                "/accessors/-",
                json!({
                    "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
                    "sparse": { "count": 1, "indices": { "bufferView": 2, "componentType": 5121 },
                                "values": { "bufferView": 2, "byteOffset": 4 } }
                }),
            ),
            ("/meshes/-", json!({ "primitives": [] })),
        ]),
    );
    let mesh = &assembly.parts[0].mesh;
    // The four points, once for the three primitives with triangles that use them. Then the points of the
    // sparse accessor, which replaces the last one.
    let mut points = f(SQUARE).to_vec();
    points.extend(&f(SQUARE)[..3]);
    points.push([5.0, 6.0, 7.0]);
    assert_eq!(mesh.points(), points);
    let first = [[0, 1, 2], [0, 2, 3], [0, 1, 2], [2, 1, 3], [0, 1, 2], [0, 2, 3]];
    assert_eq!(mesh.triangles()[..6], first);
    assert_eq!(mesh.triangles()[6..], [[4, 5, 6], [6, 5, 4], [6, 4, 6], [6, 4, 7]]);
    assert_eq!(
        warnings(&assembly),
        [
            "dir/file.x: 3 primitives hold points, lines or nothing and are skipped",
            "dir/file.x: 1 meshes have no node in the scene and are skipped",
        ]
    );
}

#[test]
fn interleaved_and_integer_positions() {
    // i16 points, 8 bytes apart, normalized: -32768 and -32767 are both -1.
    let mut bytes: Vec<u8> = Vec::new();
    for point in [[-32768_i16, 0, 0, 9], [32767, -32767, 0, 9], [1, 0, 0, 9]] {
        bytes.extend(point.iter().flat_map(|c| c.to_le_bytes()));
    }
    bytes.truncate(22);
    let changes = |normalized: bool| {
        with([
            ("/extensionsRequired", json!(["KHR_mesh_quantization"])),
            (
                "/accessors/0",
                json!({
                    "bufferView": 0, "componentType": 5122, "count": 3, "type": "VEC3",
                    "normalized": normalized,
                }),
            ),
            ("/bufferViews/0", json!({ "buffer": 0, "byteLength": 22, "byteStride": 8 })),
            ("/buffers/0", json!({ "byteLength": 22, "uri": uri(&bytes) })),
            ("/meshes/0/primitives/0", json!({ "attributes": { "POSITION": 0 } })),
        ])
    };
    let points = |normalized| load_clean(Gltf, changes(normalized)).parts[0].mesh.points().to_vec();
    assert_eq!(load_clean(Gltf, changes(false)).parts[0].rounding, None);
    assert_eq!(points(false), [[-32768.0, 0.0, 0.0], [32767.0, -32767.0, 0.0], [1.0, 0.0, 0.0]]);
    assert_eq!(points(true), [[-1.0, 0.0, 0.0], [1.0, -1.0, 0.0], [1.0 / 32767.0, 0.0, 0.0]]);
}

#[test]
fn skins_and_morphs_are_told() {
    let assembly = load(Gltf, with([("/nodes/0", json!({ "mesh": 0, "skin": 0, "weights": [0.5] }))]));
    assert_eq!(
        warnings(&assembly),
        [
            "dir/file.x: node 0: 1 nodes have a skin, which is not applied: they stay as modelled",
            "dir/file.x: node 0: 1 nodes have morph weights, which are not applied",
        ]
    );
}

#[test]
fn broken_documents_name_the_place() {
    let huge = 4_000_000_000_u64;
    let node = |node: Value| with([("/nodes/0", node)]);
    for (text, message) in [
        ("{".to_owned(), "JSON line 1 column 1: this is not JSON"),
        ("{}".to_owned(), "the JSON is not that of a glTF: missing field `asset`"),
        (r#"{"asset":{"version":"1.0"},"meshes":{}}"#.to_owned(), "glTF 1.0 is not supported"),
        (
            r#"{"asset":{"version":"2.0"},"meshes":{}}"#.to_owned(),
            "invalid type: map, expected a sequence at line 1 column",
        ),
        (r#"{"asset":{"version":"2.1"}}"#.to_owned(), "the file has no triangle"),
        (
            with([("/extensionsRequired", json!(["KHR_draco_mesh_compression"]))]),
            "needs the extension 'KHR_draco_mesh_compression'",
        ),
        (with([("/scene", json!(0))]), "scene 0: there are 0 scenes"),
        (with([("/scenes", json!([{ "nodes": [7] }]))]), "node 7: a scene names it"),
        (with([("/scenes", json!([{ "nodes": [7] }])), ("/scene", json!(0))]), "node 7: there are 1 nodes"),
        (
            with([("/scenes", json!([{ "nodes": [0] }])), ("/nodes/0", json!({ "children": [0] }))]),
            "node 0: it is its own ancestor",
        ),
        (node(json!({ "mesh": 3 })), "node 0: it has mesh 3; there are 1, from 0"),
        (node(json!({ "mesh": 0, "rotation": [0, 0, 0, 0] })), "node 0: its rotation is not a quaternion"),
        (
            node(json!({ "mesh": 0, "matrix": [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] })),
            "the last row of its matrix",
        ),
        (
            node(json!({
                "mesh": 0,
                "scale": [1, 1, 1],
                "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
            })),
            "a matrix as well as",
        ),
        (
            node(json!({ "mesh": 0, "scale": [1e308, 1, 1], "translation": [1e308, 0, 0], "name": "n" })),
            "part 'n': its transform moves a point out of f64's range",
        ),
        (
            with([("/meshes/0/primitives/0/indices", json!(9))]),
            "mesh 0 primitive 0: accessor 9: there are 2 accessors",
        ),
        (with([("/meshes/0/primitives/0/mode", json!(9))]), "mesh 0 primitive 0: 9 is not a mode"),
        (
            with([("/meshes/0/primitives/0", json!({ "attributes": { "POSITION": 0 } }))]),
            "4 corners do not make whole triangles",
        ),
        (
            with([("/accessors/0/count", json!(3))]),
            "mesh 0 primitive 0: index 5 names vertex 3; there are 3, from 0",
        ),
        (
            with([("/accessors/0/count", json!(huge))]),
            "elements of 12 bytes from byte 0 on, every 12 bytes, do not fit in 48",
        ),
        (with([("/accessors/0/count", json!(u64::MAX))]), "do not fit in 48"),
        (with([("/accessors/1/byteOffset", json!(u64::MAX))]), "do not fit in 12"),
        (with([("/accessors/0/componentType", json!(5130))]), "accessor 0: positions of component type 5130"),
        (with([("/accessors/0/type", json!("VEC2"))]), "positions are VEC3, not 'VEC2'"),
        (with([("/accessors/1/componentType", json!(5126))]), "indices are SCALAR of unsigned"),
        (
            with([("/accessors/0/bufferView", json!(8))]),
            "accessor 0: buffer view 8: there are 3 buffer views",
        ),
        (
            with([("/accessors/0/bufferView", Value::Null), ("/accessors/0/count", json!(huge))]),
            "accessor 0: 4000000000 elements have no buffer view",
        ),
        (with([("/bufferViews/0/byteStride", json!(4))]), "elements of 12 bytes start every 4 bytes"),
        (
            with([("/bufferViews/0/byteLength", json!(huge))]),
            "bytes from byte 0 on do not fit in buffer 0, which has 76",
        ),
        (with([("/bufferViews/0/byteOffset", json!(u64::MAX))]), "do not fit in buffer 0"),
        (with([("/bufferViews/0/buffer", json!(2))]), "buffer view 0: buffer 2: there are 1 buffers"),
        (
            with([("/buffers/0/byteLength", json!(huge))]),
            "buffer 0: it announces 4000000000 bytes, but has 76",
        ),
        (with([("/buffers/0/uri", json!("data:;base64,***"))]), "its data URI is not proper base64"),
        (with([("/buffers/0/uri", json!("data:text/plain;base64"))]), "its data URI has no comma"),
        (with([("/buffers/0/uri", json!("x.bin"))]), "the file 'x.bin' is needed, but only bytes were given"),
        (with([("/buffers/0/uri", Value::Null)]), "buffer 0: it has no URI"),
    ] {
        let found = refuse(Gltf, &text);
        assert!(found.contains(message), "{message}: {found}");
    }
    let mut bytes = data();
    bytes[16..20].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let found = refuse(Gltf, with([("/buffers/0/uri", json!(uri(&bytes)))]));
    assert!(found.contains("mesh 0 primitive 0: accessor 0: vertex 1 is not finite: (1, inf, 0)"), "{found}");
}

#[test]
fn broken_containers_name_the_byte() {
    let good = glb(&with([("/buffers/0", json!({ "byteLength": 76 }))]), &data());
    let changed = |at: usize, word: u32| {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        refuse(Gltf, bytes)
    };
    assert!(changed(4, 1).contains("byte 4: GLB version 1 is not supported"));
    assert!(changed(8, u32::MAX).contains("byte 8: the header announces 4294967295 bytes"));
    assert!(changed(12, u32::MAX).contains("byte 12: a chunk announces 4294967295 bytes"));
    assert!(changed(16, 0).contains("byte 16: the first chunk is not JSON"));
    let mut longer = good;
    longer.push(0);
    let end = longer.len() - 1;
    assert_eq!(
        warnings(&load(Gltf, &longer)),
        [format!("dir/file.x: byte {end}: 1 bytes after the GLB's end are skipped")]
    );
}

fn part(name: &str, mesh: &Arc<Mesh>, pose: Pose) -> Part {
    Part::new(name, Path::new("x"), Arc::clone(mesh), pose)
}

#[test]
fn written_parts_come_back_as_they_were() {
    let points = vec![[0.5, -0.0, 1e-40], [1.0, 0.0, 0.0], [f64::from(0.1_f32), 3e38, 0.0]];
    let first = Arc::new(Mesh::new(points, vec![[0, 1, 2], [2, 1, 0]]).unwrap());
    let second = Arc::new(Mesh::new(vec![[0.0; 3], [1.0; 3], [1.0, 2.0, 3.0]], vec![[0, 1, 2]]).unwrap());
    let (s, c) = 0.3_f64.sin_cos();
    let turned =
        Pose::rigid([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]], [1e9 + 0.1, -7.5, 1e-300]).unwrap();
    let parts = [
        part("a \"b\"\\ é", &first, turned),
        part("c", &second, Pose::IDENTITY),
        part("d", &first, Pose::IDENTITY),
    ];
    let mut bytes = Vec::new();
    // 1e-40 and 3e38 are not exact in f32; 0.1f is.
    assert_eq!(write_glb(&parts, &mut bytes).unwrap(), 2);
    let back = load_clean(Gltf, &bytes);
    assert_eq!(back.parts.len(), 3);
    for (new, old) in back.parts.iter().zip(&parts) {
        assert_eq!((&new.name, &new.pose), (&old.name, &old.pose));
        assert_eq!(new.mesh.triangles(), old.mesh.triangles());
        let rounded: Vec<_> = old.mesh.points().iter().map(|p| p.map(|c| f64::from(c as f32))).collect();
        assert_eq!(new.mesh.points(), rounded);
        assert!(!new.baked);
    }
    assert!(Arc::ptr_eq(&back.parts[0].mesh, &back.parts[2].mesh));
    // Each mesh is in the file once: three points and two triangles, then three points and one triangle.
    assert_eq!(bytes.len() % 4, 0);
    let json = u32::from_le_bytes(*bytes[12..].first_chunk().unwrap()) as usize;
    assert_eq!(bytes.len(), 12 + 8 + json + 8 + 36 + 24 + 36 + 12);
    // A second round trip changes nothing.
    let mut again = Vec::new();
    assert_eq!(write_glb(&back.parts, &mut again).unwrap(), 0);
    assert!(again == bytes);
}

#[test]
fn what_f32_cannot_hold_is_refused() {
    let mesh = Arc::new(Mesh::new(vec![[0.0, 1e39, 0.0]], vec![[0, 0, 0]]).unwrap());
    let error = write_glb(&[part("p", &mesh, Pose::IDENTITY)], &mut Vec::new()).unwrap_err();
    let beyond = "is beyond the range of f32";
    assert!(
        error.to_string().starts_with("part 'p': vertex 0: the coordinate ")
            && error.to_string().ends_with(beyond)
    );
}

#[test]
fn parts_without_triangles_and_no_parts_are_written_soundly() {
    let empty = Arc::new(Mesh::default());
    for parts in [&[][..], &[part("e", &empty, Pose::IDENTITY)]] {
        let mut bytes = Vec::new();
        assert_eq!(write_glb(parts, &mut bytes).unwrap(), 0);
        assert!(refuse(Gltf, &bytes).contains("the file has no triangle"));
    }
}

#[test]
fn a_version_that_is_needed_is_honoured() {
    for (least, read) in [("2.0", true), ("1.0", true), ("2.1", false), ("3.0", false), ("two", false)] {
        let asset = json!({ "version": "2.1", "minVersion": least });
        let result = parse(Gltf, with([("/asset", asset)]));
        match result {
            Ok(_) => assert!(read, "{least}"),
            Err(error) => {
                assert!(!read && error.is_unsupported(), "{least}");
                assert_eq!(error.text(), format!("it needs glTF {least}, and only 2.0 is supported"));
            }
        }
    }
    // A reader may ignore additions of 2.1 unless the file requires them.
    load_clean(Gltf, with([("/asset", json!({ "version": "2.1" }))]));
}

#[test]
fn scenes_without_a_default_are_told() {
    let nodes = json!([{ "mesh": 0 }, { "mesh": 0 }]);
    let scenes = json!([{ "nodes": [0] }, { "nodes": [1] }]);
    let assembly = load(Gltf, with([("/nodes", nodes.clone()), ("/scenes", scenes)]));
    assert_eq!(assembly.parts.len(), 2);
    assert_eq!(warnings(&assembly), ["dir/file.x: none of its 2 scenes is the default one: all are read"]);
    load_clean(Gltf, with([("/nodes", nodes), ("/scenes", json!([{ "nodes": [0, 1] }]))]));
}

#[test]
fn quaternions_that_are_no_unit_ones_are_told() {
    let rotated = |q: [f64; 4]| load(Gltf, with([("/nodes", json!([{ "mesh": 0, "rotation": q }]))]));
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let unit = rotated([0.0, 0.0, half, half]);
    assert_eq!(warnings(&unit), [""; 0]);
    let long = rotated([0.0, 0.0, 1.0, 1.0]);
    assert_eq!(
        warnings(&long),
        ["dir/file.x: node 0: 1 nodes have a rotation that is not a unit quaternion; it is normalized"]
    );
    assert!(long.parts[0].pose.is_rigid());
    // As near to unit length as normalized bytes allow.
    let byte = (127.0 * half).round() / 127.0;
    assert_eq!(warnings(&rotated([0.0, 0.0, byte, byte])), [""; 0]);
}

/// Parsers repeat the unexpected text: without a cut, twenty megabytes would reach the terminal.
#[test]
fn errors_quote_two_hundred_characters_at_most() {
    let long = "ä".repeat(100_000);
    let ply = |line: &str| format!("ply\nformat ascii 1.0\n{line}\nend_header\n");
    let placed = crate::threemf::model(
        &format!("<object id='1' name='{long}'>{}</object>", crate::threemf::triangle()),
        "<item objectid='1' transform='1.7e308 0 0 0 1.7e308 0 0 0 1 1.7e308 1.7e308 0'/>",
    );
    for (format, bytes) in [
        (Gltf, with([("/scene", json!(long))]).into_bytes()),
        (Gltf, with([("/asset/version", json!(long))]).into_bytes()),
        (Gltf, with([("/nodes", json!([long]))]).into_bytes()),
        (Gltf, with([("/extensionsRequired", json!([long]))]).into_bytes()),
        (Gltf, with([("/buffers/0/uri", json!(long))]).into_bytes()),
        (Format::Ply, ply(&format!("element {long} 0\nelement {long} 0")).into_bytes()),
        (Format::Ply, ply(&format!("element {long} 9\nproperty int a")).into_bytes()),
        (Format::Ply, ply(&format!("{long} 9")).into_bytes()),
        (Format::ThreeMf, crate::threemf::of_model(format!("<{long}></b>"))),
        (Format::ThreeMf, crate::threemf::of_model(format!("<model></{long}>"))),
        (Format::ThreeMf, crate::threemf::of_model(format!("<model requiredextensions='{long}'/>"))),
        (Format::ThreeMf, crate::threemf::of_model(placed)),
        (Format::Obj, format!("v {long} 0 0\n").into_bytes()),
        (Format::Off, format!("OFF\n{long}\n").into_bytes()),
        (Format::Stl, format!("solid {long}\nfacet normal 0 0 1\nouter {long}\n").into_bytes()),
    ] {
        let found = refuse(format, bytes);
        assert!(found.chars().count() < 600, "{format:?}: {}", found.chars().count());
        let longest = found.split(|c| c != 'ä').map(|run| run.chars().count()).max();
        assert!(longest <= Some(200), "{format:?}: {longest:?}");
    }
}
