//! Extensions of glTF, and the spellings of data URIs.
use crate::{
    gltf::{data, document, uri, with},
    load, load_clean, parse, refuse, shape, warnings,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use impinge::Pose;
use impinge_io::Format::Gltf;
use serde_json::{Value, json};
use std::sync::Arc;

fn at(place: [f64; 3]) -> Pose {
    Pose::rigid([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], place).unwrap()
}

#[test]
fn compressed_data_is_refused_by_name() {
    let decompress = "write the file again without compression, for example with Blender or with \
                      `gltf-transform cp in.glb out.glb`";
    for name in ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"] {
        let text = with([("/extensionsRequired", json!([name]))]);
        let error = parse(Gltf, &text).unwrap_err();
        assert!(error.is_unsupported());
        let error = error.to_string();
        assert!(
            error.contains(&format!("the file needs the extension '{name}', which is not supported")),
            "{error}"
        );
        assert!(error.ends_with(decompress), "{error}");
    }
    // The extension is not required, but there is no data without it.
    let draco = with([
        ("/meshes/0/primitives/0/extensions", json!({ "KHR_draco_mesh_compression": { "bufferView": 0 } })),
        ("/accessors/0/bufferView", Value::Null),
    ]);
    assert!(refuse(Gltf, draco).contains("mesh 0 primitive 0: the file needs the extension 'KHR_draco"));
    let meshopt = with([
        ("/bufferViews/0/extensions", json!({ "EXT_meshopt_compression": { "buffer": 0 } })),
        ("/bufferViews/0/buffer", json!(1)),
        ("/buffers/-", json!({ "byteLength": 48 })),
    ]);
    let found = refuse(Gltf, meshopt);
    assert!(
        found.contains("buffer view 0: the file needs the extension 'EXT_meshopt_compression'"),
        "{found}"
    );
    // There is data without the extension, too, and the reader takes that.
    load_clean(
        Gltf,
        with([
            (
                "/meshes/0/primitives/0/extensions",
                json!({ "KHR_draco_mesh_compression": { "bufferView": 0 } }),
            ),
            ("/bufferViews/0/extensions", json!({ "EXT_meshopt_compression": { "buffer": 0 } })),
        ]),
    );
    assert!(
        refuse(Gltf, with([("/extensionsRequired", json!(["X_y"]))]))
            .contains("requires the extension 'X_y'")
    );
}

#[test]
fn what_is_lost_is_told_once() {
    let names = json!(["KHR_materials_unlit", "AGI_articulations", "OMI_collider", "KHR_texture_transform"]);
    let text = with([
        ("/extensionsUsed", names.clone()),
        ("/extensionsRequired", names),
        ("/animations", json!([{}, {}])),
    ]);
    assert_eq!(
        warnings(&load(Gltf, text)),
        [
            "dir/file.x: AGI_articulations: articulations are not applied: nodes stay as modelled",
            "dir/file.x: OMI_collider: colliders are skipped",
            "dir/file.x: 2 animations are not applied: nodes stay as modelled",
        ]
    );
}

#[test]
fn hidden_nodes_are_read_and_told() {
    let hide = |visible: bool| json!({ "KHR_node_visibility": { "visible": visible } });
    let text = with([(
        "/nodes",
        json!([
            { "name": "shown", "mesh": 0, "extensions": hide(true) },
            { "children": [2], "extensions": hide(false) },
            { "name": "hidden", "mesh": 0, "extensions": hide(true) },
            { "name": "hidden too", "mesh": 0, "extensions": hide(false) },
        ]),
    )]);
    let assembly = load(Gltf, text);
    assert_eq!(shape(&assembly), [("shown", 2), ("hidden", 2), ("hidden too", 2)]);
    let told = "dir/file.x: node 2: 2 nodes with a mesh are hidden; they are read anyway";
    assert_eq!(warnings(&assembly), [told]);
}

#[test]
fn coarser_levels_are_no_parts() {
    let lod = json!({ "MSFT_lod": { "ids": [1, 2] } });
    let nodes = json!([{ "name": "fine", "mesh": 0, "extensions": lod }, { "mesh": 0 }, { "mesh": 0 }]);
    let assembly = load(Gltf, with([("/nodes", nodes)]));
    assert_eq!(shape(&assembly), [("fine", 2)]);
    let told = "dir/file.x: node 0: 1 nodes have coarser levels of detail, which are skipped";
    assert_eq!(warnings(&assembly), [told]);
}

#[test]
fn the_centre_of_cesium_rtc_is_added_in_f64() {
    let text = with([
        ("/extensions", json!({ "CESIUM_RTC": { "center": [1e6, -2.5, 0.1] } })),
        ("/nodes/0", json!({ "mesh": 0, "translation": [1, 0, 0.2] })),
    ]);
    let assembly = load(Gltf, text);
    assert_eq!(assembly.parts[0].pose, at([1e6 + 1.0, -2.5, 0.1 + 0.2]));
    let told = "dir/file.x: CESIUM_RTC: (1000000, -2.5, 0.1) is added to all positions, in the axes of the \
                file's nodes";
    assert_eq!(warnings(&assembly), [told]);
}

/// A document whose node has three instances. Their translations, quaternions and scales, in f32, follow the
/// square's data.
fn instanced(attributes: Value) -> String {
    let mut bytes = data();
    let numbers: [&[f32]; 3] = [
        &[10.0, 0.0, 0.0, 0.0, 20.0, 0.5, 0.0, 0.0, 30.0],
        &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        &[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0],
    ];
    bytes.extend(numbers.iter().flat_map(|list| list.iter().flat_map(|n| n.to_le_bytes())));
    let view =
        |offset: usize, length: usize| json!({ "buffer": 0, "byteOffset": offset, "byteLength": length });
    let accessor = |view: usize, shape: &str| {
        json!({
            "bufferView": view, "componentType": 5126, "count": 3, "type": shape,
        })
    };
    let mut document = document();
    let lists = [
        ("bufferViews", vec![view(76, 36), view(112, 48), view(160, 36)]),
        ("accessors", vec![accessor(3, "VEC3"), accessor(4, "VEC4"), accessor(5, "VEC3")]),
    ];
    for (name, more) in lists {
        document[name].as_array_mut().unwrap().extend(more);
    }
    document["buffers"][0] = json!({ "byteLength": 196, "uri": uri(&bytes) });
    let extension = json!({ "EXT_mesh_gpu_instancing": { "attributes": attributes } });
    document["nodes"][0] =
        json!({ "name": "n", "mesh": 0, "translation": [0, 0, 100], "extensions": extension });
    document["extensionsRequired"] = json!(["EXT_mesh_gpu_instancing"]);
    document.to_string()
}

#[test]
fn instances_are_parts() {
    let assembly =
        load_clean(Gltf, instanced(json!({ "TRANSLATION": 2, "ROTATION": 3, "SCALE": 4, "_ID": 9 })));
    assert_eq!(shape(&assembly), [("n", 2), ("n", 2), ("n", 2)]);
    let [a, b, c] = &assembly.parts[..] else { panic!() };
    assert!(Arc::ptr_eq(&a.mesh, &b.mesh) && Arc::ptr_eq(&a.name, &c.name));
    assert_eq!(a.pose, at([10.0, 0.0, 100.0]));
    let half = [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]];
    assert_eq!(b.pose, Pose::rigid(half, [0.0, 20.0, 100.5]).unwrap());
    assert!(c.baked && !b.baked);
    assert_eq!(c.mesh.points()[2], [2.0, 1.0, 130.0]);
    // One attribute is enough.
    assert_eq!(load_clean(Gltf, instanced(json!({ "ROTATION": 3 }))).parts.len(), 3);
    let place = "node 0 EXT_mesh_gpu_instancing: ";
    for (attributes, message) in [
        (json!({}), "its instances have no transform"),
        (json!({ "TRANSLATION": 2, "SCALE": 0 }), "its attributes differ in length"),
        (json!({ "TRANSLATION": 99 }), "accessor 99: there are 5 accessors, from 0"),
        (json!({ "ROTATION": 2 }), "accessor 2: rotations are VEC4, not 'VEC3'"),
    ] {
        let found = refuse(Gltf, instanced(attributes));
        assert!(found.contains(&format!("{place}{message}")), "{message}: {found}");
    }
    let lying = instanced(json!({ "TRANSLATION": 2 })).replace(r#""count":3"#, r#""count":4000000000"#);
    assert!(refuse(Gltf, lying).contains("more than 500000 parts"));
}

#[test]
fn data_uris_in_all_their_spellings() {
    let bytes = data();
    let base64 = STANDARD.encode(&bytes);
    assert!(base64.ends_with('='));
    let percent: String = bytes.iter().map(|b| format!("%{b:02X}")).collect();
    let lines = base64.as_bytes().chunks(19).map(|l| str::from_utf8(l).unwrap()).collect::<Vec<_>>();
    for uri in [
        format!("data:application/octet-stream;base64,{base64}"),
        format!("DATA:;Base64,{}", base64.trim_end_matches('=')),
        format!("data:a/b;base64,{}", lines.join("\n")),
        format!("data:a/b; base64,\r\n {}", lines.join("\r\n\t ")),
        format!("data:a/b;base64,{}", base64.replace('=', "%3D").replace('/', "%2F")),
        format!("data:,{percent}"),
        format!("data:a/b;charset=x,{percent}"),
    ] {
        let assembly = load_clean(Gltf, with([("/buffers/0/uri", json!(uri))]));
        assert_eq!(assembly.triangles(), 2, "{uri}");
    }
}
