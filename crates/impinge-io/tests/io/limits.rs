//! Large results of small files: clear errors at the limits, which options can raise.
use crate::{
    chain, gltf,
    memory::{bounded, measure},
    stl, threemf,
};
use impinge_io::{
    Assembly, Error,
    Format::{self, Gltf, Obj, ThreeMf},
    Limits, Options, parse_with,
};
use serde_json::json;
use std::{path::Path, sync::Arc};

fn with(limits: Limits, format: Format, bytes: impl AsRef<[u8]>) -> Result<Assembly, Error> {
    parse_with(format, bytes.as_ref(), Path::new("dir/file.x"), &Options::new().with_limits(limits))
}

/// Checks that some limits refuse a file that reads without them; returns the message.
#[track_caller]
fn limited(limits: Limits, format: Format, bytes: impl AsRef<[u8]>) -> String {
    let error = with(limits, format, bytes.as_ref()).unwrap_err();
    assert!(error.is_too_large() && !error.is_invalid(), "{}", chain(&error));
    assert!(error.text().ends_with("; this limit can be raised"), "{error}");
    with(Limits::NONE, format, bytes).unwrap_or_else(|e| panic!("{}", chain(&e)));
    error.to_string()
}

/// 15 MB: 300,000 nodes of a mesh with a thousand characters of four bytes as its name.
#[test]
fn nodes_share_the_name_of_their_mesh() {
    let mut document = gltf::document();
    document["meshes"][0]["name"] = json!("😀".repeat(1000));
    let padded = format!(r#"{{"mesh":0{}}}"#, " ".repeat(39));
    let nodes = vec![padded; 300_000].join(",");
    document["nodes"] = json!([]);
    let text = document.to_string().replace(r#""nodes":[]"#, &format!(r#""nodes":[{nodes}]"#));
    assert!(text.len() > 14_000_000);
    let (assembly, bytes, time) = measure(|| with(Limits::new(), Gltf, &text).unwrap());
    assert_eq!(assembly.parts.len(), 300_000);
    assert_eq!(assembly.parts[7].name.chars().count(), 1000);
    assert!(Arc::ptr_eq(&assembly.parts[0].name, &assembly.parts[299_999].name));
    // A separate copy of the name for each would take 1.2 GB.
    assert!(bytes < 300 << 20, "{bytes}");
    assert!(time.as_secs() < 10, "{time:?}");
}

/// Half a million placements of one object with a name of four thousand bytes.
#[test]
fn placements_share_their_name() {
    let place = r#"<component objectid="1"/>"#.repeat(500);
    let objects = format!(
        r#"<object id="1" name="{}">{}</object><object id="2"><components>{place}</components></object>"#,
        "😀".repeat(1000),
        threemf::triangle()
    );
    let items = r#"<item objectid="2"/>"#;
    let few = threemf::of_model(threemf::model(&objects, &items.repeat(800)));
    let (assembly, bytes, _) = measure(|| with(Limits::new(), ThreeMf, &few).unwrap());
    assert_eq!(assembly.parts.len(), 400_000);
    assert!(bytes < 300 << 20, "{bytes}");
    let many = threemf::of_model(threemf::model(&objects, &items.repeat(1001)));
    let found = limited(Limits::new(), ThreeMf, many);
    assert_eq!(found, "dir/file.x: the file makes more than 500000 parts; this limit can be raised");
}

/// Forty objects, each of two of the one before: 2^40 copies.
#[test]
fn components_that_double_are_stopped() {
    let mut objects = format!("<object id='0'>{}</object>", threemf::triangle());
    for i in 1..=40 {
        let component = format!("<component objectid='{}'/>", i - 1).repeat(2);
        objects += &format!("<object id='{i}'><components>{component}</components></object>");
    }
    let bytes = threemf::of_model(threemf::model(&objects, "<item objectid='40'/>"));
    let error = bounded("doubling", || with(Limits::new(), ThreeMf, bytes).unwrap_err());
    assert!(error.to_string().contains("more than 500000 parts"), "{error}");
}

/// References and objects that pack to nothing, a hundred bytes of memory each.
#[test]
fn empty_elements_are_counted() {
    let items = "<item objectid='1'/>".repeat(600_000);
    let objects: String = (0..600_000).map(|i| format!("<object id='{i}'/>")).collect();
    for model in [threemf::model("", &items), threemf::model(&objects, "")] {
        let error = with(Limits::new(), ThreeMf, threemf::of_model(model)).unwrap_err();
        assert!(error.is_too_large() && error.text().contains("more than 500000 parts"), "{error}");
    }
}

/// Sixteen thousand nodes and as many scales: 67 million points.
#[test]
fn scaled_copies_count_as_points_and_triangles() {
    let points = 4200_usize;
    let data: Vec<u8> = (0..3 * points).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let copies = |n: usize| {
        let node = |i| json!({ "mesh": 0, "scale": [1, 1, 2 + i] });
        let json = json!({
            "asset": { "version": "2.0" },
            "nodes": (0..n).map(node).collect::<Vec<_>>(),
            "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
            "accessors": [{ "bufferView": 0, "componentType": 5126, "count": points, "type": "VEC3" }],
            "bufferViews": [{ "buffer": 0, "byteLength": data.len() }],
            "buffers": [{ "byteLength": data.len() }],
        });
        gltf::glb(&json.to_string(), &data)
    };
    let million = Limits::new().with_points(1_000_000);
    let found = bounded("copies", || with(million, Gltf, copies(16_000)).unwrap_err().to_string());
    let end =
        ", a scaled or mirrored copy: the file makes more than 1000000 points; this limit can be raised";
    assert!(found.ends_with(end), "{found}");
    // Twenty copies and the mesh have 88,200 points, more than the 51,000 bytes of the file.
    let few = copies(20);
    assert!(few.len() < 60_000);
    limited(Limits::new().with_points(1), Gltf, &few);
    limited(Limits::NONE.with_points(88_199), Gltf, &few);
    with(Limits::NONE.with_points(88_200), Gltf, &few).unwrap();
    with(Limits::NONE.with_triangles(1), Gltf, copies(1)).unwrap();
    limited(Limits::NONE.with_triangles(60_000), Gltf, copies(50));
}

/// Three thousand views of the same bytes: 270 million points.
#[test]
fn accessors_of_the_same_bytes_count_each() {
    let n = 90_000;
    let accessor = json!({ "bufferView": 0, "componentType": 5121, "count": n, "type": "VEC3" });
    let json = json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": (0..3000)
            .map(|i| json!({ "attributes": { "POSITION": i } })).collect::<Vec<_>>() }],
        "accessors": vec![accessor; 3000],
        "bufferViews": [{ "buffer": 0, "byteLength": 3 * n }],
        "buffers": [{ "byteLength": 3 * n }],
    });
    let bytes = gltf::glb(&json.to_string(), &vec![7; 3 * n]);
    let error = bounded("views", || with(Limits::new(), Gltf, bytes).unwrap_err());
    assert!(error.is_too_large() && error.to_string().contains("more than 5000000 points"), "{error}");
}

/// Fifty thousand meshes, each of one triangle out of the same hundred thousand points, as some exporters
/// write.
#[test]
fn points_that_many_meshes_share_are_read_once() {
    let (n, meshes) = (100_000_usize, 50_000);
    let mut data: Vec<u8> = (0..3 * n).flat_map(|i| (i as f32).to_le_bytes()).collect();
    data.extend([5_u32, 99_999, 7].iter().flat_map(|i| i.to_le_bytes()));
    let json = json!({
        "asset": { "version": "2.0" },
        "nodes": (0..meshes).map(|i| json!({ "mesh": i })).collect::<Vec<_>>(),
        "meshes": vec![json!({ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }); meshes],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": n, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5125, "count": 3, "type": "SCALAR" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 12 * n },
            { "buffer": 0, "byteOffset": 12 * n, "byteLength": 12 },
        ],
        "buffers": [{ "byteLength": 12 * n + 12 }],
    });
    let bytes = gltf::glb(&json.to_string(), &data);
    let assembly = bounded("shared points", || with(Limits::new(), Gltf, bytes).unwrap());
    assert_eq!(assembly.parts.len(), meshes);
    // The three points that it names, in the file's order.
    let mesh = &assembly.parts[0].mesh;
    let point = |i: usize| [0, 1, 2].map(|axis| (3 * i + axis) as f64);
    assert_eq!(mesh.points(), [point(5), point(7), point(99_999)]);
    assert_eq!(mesh.triangles(), [[0, 2, 1]]);
}

/// 1 GiB of blanks, packed to a megabyte.
#[test]
fn packages_that_swell_are_stopped() {
    use std::io::{Cursor, Write};
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file("_rels/.rels", options).unwrap();
    zip.write_all(threemf::RELATIONSHIPS).unwrap();
    zip.start_file("3D/a.model", options).unwrap();
    for _ in 0..1025 {
        zip.write_all(&[b' '; 1 << 20]).unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    let (error, taken, _) = measure(|| with(Limits::new(), ThreeMf, bytes).unwrap_err());
    let what = "3D/a.model: the file makes more than 268435456 bytes by unpacking; this limit can be raised";
    assert!(error.is_too_large() && error.to_string().ends_with(what), "{error}");
    assert!(taken <= 600 << 20, "{taken}");
}

/// A long name of an object before the names of two thousand groups.
#[test]
fn names_that_are_put_together_are_counted() {
    let mut text = format!("v 0 0 0\no {}\n", "😀".repeat(1000));
    for i in 0..2000 {
        text += &format!("g {i}\nf 1 1 1\n");
    }
    let found = limited(Limits::new().with_bytes(1), Obj, &text);
    assert_eq!(
        found,
        format!(
            "dir/file.x: the file makes more than {} bytes of names; this limit can be raised",
            text.len()
        )
    );
    assert_eq!(with(Limits::new(), Obj, &text).unwrap().parts.len(), 2000);
}

#[test]
fn parts_have_a_limit_however_large_the_file_is() {
    let text = "v 0 0 0\ng a\nf 1 1 1\ng b\nf 1 1 1\ng c\nf 1 1 1\n";
    limited(Limits::new().with_parts(2), Obj, text);
    assert_eq!(with(Limits::new().with_parts(3), Obj, text).unwrap().parts.len(), 3);
}

/// A result that the file's size supports is read, whatever the limits.
#[test]
fn plain_files_have_no_limit_but_their_size() {
    let stl = stl::binary(b"", &vec![[[0.0; 3], [1.0; 3], [2.0, 0.0, 1.0]]; 1000]);
    let none = Limits::new().with_points(0).with_triangles(0).with_bytes(0);
    assert_eq!(with(none, Format::Stl, stl).unwrap().triangles(), 1000);
    assert_eq!(with(none, Gltf, gltf::document().to_string()).unwrap().triangles(), 2);
    let model =
        threemf::model(&format!("<object id='1'>{}</object>", threemf::triangle()), "<item objectid='1'/>");
    assert_eq!(with(none, ThreeMf, threemf::of_model(model)).unwrap().triangles(), 1);
}

/// A mesh of a hundred triangles at many scales. Each copy is a line of 70 bytes and takes four thousand
/// bytes.
#[test]
fn copies_are_limited_by_the_size_of_the_file() {
    let vertices: String = (0..100).map(|i| format!(r#"<vertex x="{i}" y="{}" z="0"/>"#, i * i)).collect();
    let triangles: String =
        (0..98).map(|i| format!(r#"<triangle v1="{i}" v2="{}" v3="{}"/>"#, i + 1, i + 2)).collect();
    let mesh = format!("<vertices>{vertices}</vertices><triangles>{triangles}</triangles>");
    let of = |n: u32| {
        let item = |i| format!("<item objectid='1' transform='{} 0 0 0 1 0 0 0 1 0 0 0'/>", i + 2);
        let items: String = (0..n).map(item).collect();
        threemf::of_model(threemf::model(&format!("<object id='1'><mesh>{mesh}</mesh></object>"), &items))
    };
    let few = of(1000);
    let found = limited(Limits::new().with_bytes(0), ThreeMf, &few);
    let most = format!("copy: the file makes more than {} bytes of copies; ", 32 * few.len());
    assert!(found.contains(&most), "{found}");
    assert_eq!(with(Limits::new(), ThreeMf, &few).unwrap().parts.len(), 1000);
    let many = of(80_000);
    let bytes_alone = Limits::new().with_points(usize::MAX).with_triangles(usize::MAX);
    let (error, taken, _) = measure(|| with(bytes_alone, ThreeMf, many).unwrap_err());
    assert!(error.text().contains("more than 268435456 bytes of copies"), "{error}");
    assert!(taken < 400 << 20, "{taken}");
}
