//! Bounds on the rounding of coordinates, which readers of f32 formats state.
use crate::{gltf, load, stl};
use impinge_io::Format::{Gltf, Obj, Off, Ply, Stl};

/// A binary PLY of a triangle whose coordinates have this type.
fn ply(encoding: &str, kind: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "ply\nformat {encoding} 1.0\nelement vertex 3\nproperty {kind} x\nproperty {kind} y\nproperty {kind} z\n\
         element face 1\nproperty list uchar uchar vertex_indices\nend_header\n"
    );
    [head.as_bytes(), body].concat()
}

#[test]
fn f32_formats_state_their_rounding_and_others_none() {
    let corners = [[0.1, 0.0, 0.0], [1.0, -1000.3, 0.0], [0.0, 1.0, 5.0]];
    // The largest coordinate, as an f32, by the formula of the documentation.
    let bound = 3_f64.sqrt() * 2_f64.powi(-24) * f64::from(1000.3_f32);
    let is_bound = |found: Option<f64>| found.is_some_and(|r| bound <= r && r <= bound * (1.0 + 1e-12));
    let numbers = corners.as_flattened();
    let f32s: Vec<u8> = numbers.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect();
    let f32s_big: Vec<u8> = numbers.iter().flat_map(|x| (*x as f32).to_be_bytes()).collect();
    let f64s: Vec<u8> = numbers.iter().flat_map(|x| f64::to_le_bytes(*x)).collect();
    let face = [3, 0, 1, 2];
    let text = b"0.1 0 0\n1 -1000.3 0\n0 1 5\n3 0 1 2\n";
    let solid = b"solid a\nfacet\nouter loop\nvertex 0.1 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n";
    for (format, bytes, expected) in [
        (Stl, stl::binary(b"", &[corners.map(|c| c.map(|x| x as f32))]), true),
        (Stl, solid.to_vec(), false),
        (Ply, ply("binary_little_endian", "float", &[&f32s[..], &face].concat()), true),
        (Ply, ply("binary_big_endian", "float32", &[&f32s_big[..], &face].concat()), true),
        (Ply, ply("binary_little_endian", "double", &[&f64s[..], &face].concat()), false),
        (Ply, ply("ascii", "float", text), false),
        (Obj, b"v 0.1 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_vec(), false),
        (Off, b"OFF\n3 1 0\n0.1 0 0\n1 0 0\n0 1 0\n3 0 1 2\n".to_vec(), false),
    ] {
        let found = load(format, &bytes).parts[0].rounding;
        assert!(if expected { is_bound(found) } else { found.is_none() }, "{format:?} {found:?}");
    }
}

#[test]
fn a_scaled_copy_has_a_scaled_rounding() {
    let plain = load(Gltf, gltf::document().to_string()).parts[0].rounding.unwrap();
    let mut scaled = gltf::document();
    scaled["nodes"][0]["scale"] = serde_json::json!([1.0, 8.0, 2.0]);
    let part = &load(Gltf, scaled.to_string()).parts[0];
    assert!(part.baked);
    let found = part.rounding.unwrap() / plain;
    assert!((8.0..8.0 + 1e-9).contains(&found), "{found}");
}
