//! The GLB of a report, read back by the reader of `impinge-io`, and its JSON.
use impinge::{Mesh, Pose};
use impinge_check::{
    Assembly, Check, Part, Report, Unit, Watch,
    sources::{Axis, Source},
};
use impinge_io::Format;
use impinge_report::{GlbReport, ReportWriter};
use serde_json::Value;
use std::{path::Path, sync::Arc};

fn written(report: &Report, glb: &GlbReport) -> Vec<u8> {
    let mut bytes = Vec::new();
    glb.write(report, &mut bytes).unwrap();
    bytes
}

fn document(bytes: &[u8]) -> Value {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

/// Cubes of side 1 around these places, in millimetres with Z up.
fn cubes(places: &[(&str, [f64; 3])]) -> Assembly {
    let cube = Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
    let mut assembly = Assembly::new();
    let file: Arc<Path> = Path::new("cubes.test").into();
    assembly.sources.push(Source::new(Arc::clone(&file)).with_unit(Unit::Millimetre).with_up(Axis::Z));
    for &(name, at) in places {
        let pose = Pose::from_translation(at).unwrap();
        assembly.push(Part::new(name, Arc::clone(&file), Arc::clone(&cube), pose));
    }
    assembly
}

fn check(assembly: Assembly) -> Report {
    Check::new().run(assembly, &Watch::new()).unwrap()
}

/// The nodes whose extras have this field.
fn nodes<'a>(document: &'a Value, field: &str) -> Vec<&'a Value> {
    let nodes = document["nodes"].as_array().unwrap().iter();
    nodes.filter(|node| node["extras"].get(field).is_some()).collect()
}

#[test]
fn the_gearbox_comes_back() {
    let mut gearbox = Assembly::new();
    let file: Arc<Path> = Path::new("gearbox").into();
    gearbox.sources.push(Source::new(Arc::clone(&file)).with_unit(Unit::Millimetre));
    for part in impinge_demo::gearbox().parts {
        gearbox.push(Part::new(part.name, Arc::clone(&file), part.mesh, part.pose));
    }
    let report = check(gearbox.clone());
    let bytes = written(&report, &GlbReport::new());
    assert_eq!(bytes, written(&report, &GlbReport::new()));
    let read = impinge_io::parse(Format::Gltf, &bytes, "report.glb".as_ref()).unwrap();
    // Each part of a finding once, at its place.
    let mut parts: Vec<u32> = report.findings().iter().flat_map(|one| one.parts()).copied().collect();
    parts.sort_unstable();
    parts.dedup();
    assert_eq!(read.parts.len(), parts.len());
    let document = document(&bytes);
    let root = &document["nodes"][0];
    let scale = root["scale"][0].as_f64().unwrap_or(1.0);
    let of: Vec<u64> =
        nodes(&document, "part").iter().map(|node| node["extras"]["part"].as_u64().unwrap()).collect();
    for index in of {
        let own = &gearbox.parts[index as usize];
        let found: Vec<_> = read.parts.iter().filter(|part| part.name == own.name).collect();
        let matches = found.iter().any(|part| {
            part.mesh.triangles() == own.mesh.triangles()
                && part.mesh.points().iter().zip(own.mesh.points()).all(|(read, point)| {
                    let (read, point) = (part.pose.place(*read), own.pose.place(*point));
                    let turned = match root["rotation"].as_array() {
                        Some(_) => [point[0], point[2], -point[1]],
                        None => point,
                    };
                    (0..3).all(|k| (read[k] - scale * turned[k]).abs() <= 1e-6 * scale * report.size())
                })
        });
        assert!(matches, "{}", own.name);
    }
    // A node for each finding, with its relation and two colours.
    let findings = nodes(&document, "finding");
    assert_eq!(findings.len(), report.findings().len());
    assert_eq!(root["extras"]["findings_of_one_colour"], 0);
    assert_eq!(root["extras"]["findings_left_out"], 0);
    let colour = |part: &Value| {
        let has = nodes(&document, "part").into_iter().find(|node| node["extras"]["part"] == *part).unwrap();
        document["meshes"][has["mesh"].as_u64().unwrap() as usize]["primitives"][0]["material"].clone()
    };
    for node in findings {
        let extras = &node["extras"];
        let finding = &report.findings()[extras["finding"].as_u64().unwrap() as usize];
        assert_eq!(extras["relation"], finding.kind.name());
        assert_ne!(colour(&extras["parts"][0]), colour(&extras["parts"][1]));
    }
    // Equal meshes are stored once: triangles of parts have fewer accessors than parts.
    let distinct: std::collections::HashSet<_> =
        parts.iter().map(|&part| Arc::as_ptr(&gearbox.parts[part as usize].mesh)).collect();
    let corners = document["accessors"].as_array().unwrap().iter();
    assert_eq!(corners.filter(|one| one["type"] == "SCALAR").count(), distinct.len());
}

#[test]
fn a_model_far_away_does_not_jitter() {
    let far = 4e9;
    let report = check(cubes(&[("a", [far, far, 7.0]), ("b", [far + 0.5, far + 0.25, 7.5])]));
    let bytes = written(&report, &GlbReport::new());
    let document = document(&bytes);
    let root = &document["nodes"][0];
    assert_eq!(root["extras"]["unit"], "mm");
    assert_eq!(root["extras"]["up"], "Z");
    let origin: Vec<f64> = serde_json::from_value(root["extras"]["origin"].clone()).unwrap();
    assert_eq!(origin, [far, far, 7.0]);
    let read = impinge_io::parse(Format::Gltf, &bytes, "report.glb".as_ref()).unwrap();
    assert_eq!(read.parts.len(), 2);
    for (part, at) in read.parts.iter().zip([[far, far, 7.0], [far + 0.5, far + 0.25, 7.5]]) {
        let low = part.mesh.points().iter().map(|point| part.pose.place(*point));
        let low = low.fold([f64::INFINITY; 3], |low, p| [0, 1, 2].map(|k| low[k].min(p[k])));
        let [x, y, z] = [0, 1, 2].map(|k| at[k] - origin[k]);
        // In metres, with Y up: x, z, and -y. The least -y is that of the cube's other side.
        let wanted = [x - 0.5, z - 0.5, -(y + 0.5)].map(|x| 1e-3 * x);
        assert!((0..3).all(|k| (low[k] - wanted[k]).abs() < 1e-9), "{low:?} {wanted:?}");
    }
    // The cubes cross in a hexagon, whose points are relative to the point of the finding.
    let finding = nodes(&document, "finding")[0];
    let mesh = finding["mesh"].as_u64().unwrap() as usize;
    let primitive = &document["meshes"][mesh]["primitives"][0];
    assert_eq!(primitive["mode"], 1);
    let position = &document["accessors"][primitive["attributes"]["POSITION"].as_u64().unwrap() as usize];
    assert!(position["count"].as_u64().unwrap() >= 12);
    for side in ["min", "max"] {
        let corner: Vec<f64> = serde_json::from_value(position[side].clone()).unwrap();
        assert!(corner.iter().all(|x| x.abs() <= 1.0), "{corner:?}");
    }
}

#[test]
fn what_is_left_out_is_stated() {
    let report = check(cubes(&[("a", [0.0; 3]), ("b", [0.5; 3]), ("apart", [9.0; 3])]));
    let document_of = |glb: &GlbReport| document(&written(&report, glb));
    let document = document_of(&GlbReport::new().max_size(100));
    assert_eq!(document["nodes"][0]["extras"]["meshes_left_out"], 1);
    let parts = nodes(&document, "part");
    assert!(parts.iter().all(|node| node["extras"]["mesh_left_out"] == true && node.get("mesh").is_none()));
    let names: Vec<_> = parts.iter().map(|node| node["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(document_of(&GlbReport::new())["nodes"][0]["extras"]["meshes_left_out"], 0);
    // Without a finding there is a root alone, and no data.
    let clear = check(cubes(&[("a", [0.0; 3]), ("b", [5.0; 3])]));
    let bytes = written(&clear, &GlbReport::new());
    assert_eq!(u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize, bytes.len());
    assert_eq!(self::document(&bytes)["nodes"].as_array().unwrap().len(), 1);
}

#[test]
fn three_parts_that_meet_have_a_finding_of_one_colour() {
    let report = check(cubes(&[("a", [0.0; 3]), ("b", [0.5; 3]), ("c", [0.25; 3])]));
    let document = document(&written(&report, &GlbReport::new()));
    assert_eq!(report.findings().len(), 3);
    assert_eq!(document["nodes"][0]["extras"]["findings_of_one_colour"], 1);
}

#[test]
fn names_stay_as_they_are() {
    let long = "é".repeat(1000);
    let names = ["<script>alert(1)</script>", "\"'\u{7}\n\\", "مرحبا \u{202e}x", &long];
    let places: Vec<_> = names.iter().map(|name| (*name, [0.5; 3])).collect();
    let report = check(cubes(&places));
    let bytes = written(&report, &GlbReport::new());
    // The reader of impinge-io replaces control characters in names, so the JSON is compared.
    assert_eq!(impinge_io::parse(Format::Gltf, &bytes, "report.glb".as_ref()).unwrap().parts.len(), 4);
    let document = document(&bytes);
    let names_of = nodes(&document, "part").into_iter().map(|node| node["name"].as_str().unwrap().to_owned());
    let mut found: Vec<_> = names_of.collect();
    let mut wanted = names.map(str::to_owned);
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
}
