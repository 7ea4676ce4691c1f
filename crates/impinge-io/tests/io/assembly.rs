//! Parts and sources of assemblies: paths, identifiers, units and upward axes of each format, and assemblies
//! that a program puts together.
use crate::{gltf, load, memory::measure, stl, threemf, warnings};
use impinge::{Mesh, Pose};
use impinge_io::{
    Assembly, Axis,
    Format::{Gltf, Obj, Off, Ply, Stl, ThreeMf},
    Part, Properties, PropertyValue, Source, Unit, Warning,
};
use serde_json::json;
use std::{path::Path, sync::Arc};

const OFF: &str = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

fn part(name: &str, file: &str) -> Part {
    Part::new(name, Path::new(file), Mesh::default(), Pose::IDENTITY)
}

/// Files and numbers of parts of the sources.
fn counts(assembly: &Assembly) -> Vec<(&str, usize)> {
    assembly.sources.iter().map(|s| (s.file.to_str().unwrap(), s.parts)).collect()
}

fn paths(assembly: &Assembly) -> Vec<&str> {
    assembly.parts.iter().map(|part| &*part.path).collect()
}

fn model_in(unit: &str) -> Vec<u8> {
    let objects = format!("<object id='1'>{}</object>", threemf::triangle());
    let model = threemf::model(&objects, "<item objectid='1'/>");
    assert!(model.contains(r#"unit="millimeter""#));
    threemf::of_model(model.replace(r#"unit="millimeter""#, unit))
}

#[test]
fn sources_give_format_unit_and_upward_axis() {
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
               property float z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n\
               0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let glb = gltf::glb(&gltf::with([("/buffers/0", json!({ "byteLength": 76 }))]), &gltf::data());
    let cases = [
        (Stl, stl::binary(b"", &[[[0.0; 3]; 3]]), None, None),
        (Obj, obj.as_bytes().to_vec(), None, None),
        (Ply, ply.into(), None, None),
        (Off, OFF.into(), None, None),
        (Gltf, gltf::document().to_string().into(), Some(Unit::Metre), Some(Axis::Y)),
        (Gltf, glb, Some(Unit::Metre), Some(Axis::Y)),
        (ThreeMf, model_in(""), Some(Unit::Millimetre), Some(Axis::Z)),
    ];
    for (format, bytes, unit, up) in cases {
        let assembly = load(format, bytes);
        let [source] = &assembly.sources[..] else { panic!("{:?}", assembly.sources) };
        assert_eq!((source.format, source.unit, source.up, source.parts), (Some(format), unit, up, 1));
        assert_eq!((&source.file, &*source.file), (&assembly.parts[0].file, Path::new("dir/file.x")));
    }
}

/// The names that the core specification of 3MF lists.
#[test]
fn units_of_3mf() {
    for (name, unit) in [
        ("micron", Unit::Micrometre),
        ("millimeter", Unit::Millimetre),
        ("centimeter", Unit::Centimetre),
        ("inch", Unit::Inch),
        ("foot", Unit::Foot),
        ("meter", Unit::Metre),
    ] {
        let assembly = load(ThreeMf, model_in(&format!("unit='{name}'")));
        assert_eq!(assembly.sources[0].unit, Some(unit));
        let told = warnings(&assembly);
        assert_eq!(told.len(), usize::from(unit != Unit::Millimetre));
        let what = format!("3D/a.model: its unit is the {name}; coordinates are taken as they are");
        assert!(told.iter().all(|text| text.ends_with(&what)), "{told:?}");
    }
    assert_eq!(load(ThreeMf, model_in("unit='mm'")).sources[0].unit, None);
}

/// Two models in a package, in which every component takes its coordinates as they are.
#[test]
fn models_of_different_units_have_none() {
    for (other, unit) in [("millimeter", Some(Unit::Millimetre)), ("inch", None)] {
        let root = threemf::model(
            "<object id='2'><components><component objectid='1' p:path='/3D/b.model' xmlns:p='p'/>\
             </components></object>",
            "<item objectid='2'/>",
        );
        let inner = threemf::model(&format!("<object id='1'>{}</object>", threemf::triangle()), "");
        let bytes = threemf::package(&[
            ("_rels/.rels", threemf::RELATIONSHIPS),
            ("3D/a.model", root.as_bytes()),
            ("3D/b.model", inner.replace("millimeter", other).as_bytes()),
        ]);
        let assembly = load(ThreeMf, bytes);
        assert_eq!((assembly.sources[0].unit, assembly.sources[0].up), (unit, Some(Axis::Z)));
    }
}

#[test]
fn paths_of_gltf_follow_the_nodes() {
    let nodes = json!([
        { "name": "house", "children": [1, 2] },
        { "name": "floor", "mesh": 0, "children": [3, 4, 5] },
        // No name: its children continue the path of the house.
        { "children": [6] },
        { "name": "leg", "mesh": 0 },
        // The name of its mesh.
        { "mesh": 0 },
        { "name": "leg", "mesh": 0 },
        { "name": "roof", "mesh": 1 },
        { "name": "tree", "mesh": 0 },
    ]);
    let mut document = gltf::document();
    document["nodes"] = nodes;
    let nameless = json!({ "primitives": document["meshes"][0]["primitives"] });
    document["meshes"].as_array_mut().unwrap().push(nameless);
    let expected =
        ["house/floor", "house/floor/leg", "house/floor/m", "house/floor/leg", "house/roof", "tree"];
    let assembly = load(Gltf, document.to_string());
    assert_eq!(paths(&assembly), expected);
    for part in &assembly.parts {
        assert!(part.path.ends_with(&*part.name) && part.guid.is_none() && part.properties.is_empty());
    }
    // A node without any name: its part's name is made from the file's, in the path as well.
    document["nodes"][6] = json!({ "mesh": 1 });
    let assembly = load(Gltf, document.to_string());
    assert_eq!((&*assembly.parts[4].name, &*assembly.parts[4].path), ("file 5", "house/file 5"));
    // Formats without a hierarchy share the name.
    let flat = load(Off, OFF);
    assert!(Arc::ptr_eq(&flat.parts[0].name, &flat.parts[0].path));
}

#[test]
fn instances_share_their_path() {
    let nodes: Vec<_> =
        std::iter::once(json!({ "name": "bolts", "children": (1..2000).collect::<Vec<_>>() }))
            .chain((1..2000).map(|_| json!({ "mesh": 0 })))
            .collect();
    let assembly = load(Gltf, gltf::with([("/nodes", nodes.into())]));
    assert_eq!(&*assembly.parts[0].path, "bolts/m");
    assert!(assembly.parts.iter().all(|part| Arc::ptr_eq(&part.path, &assembly.parts[0].path)));
}

/// A chain of 20,000 nodes. Whole paths would take 600 MB, and more time than the rest.
#[test]
fn paths_of_a_chain_are_bounded() {
    let nodes: Vec<_> = (0..20_000)
        .map(|i| {
            let mut node = json!({ "name": "n", "mesh": 0 });
            if i < 19_999 {
                node["children"] = json!([i + 1]);
            }
            node
        })
        .collect();
    let text = gltf::with([("/nodes", nodes.into())]);
    let (assembly, bytes, time) = measure(|| load(Gltf, text));
    assert_eq!(&*assembly.parts[2].path, "n/n/n");
    assert_eq!(assembly.parts[4999].path.len(), 9999);
    assert_eq!(&*assembly.parts[19_999].path, "n");
    let told = warnings(&assembly);
    assert_eq!(told, ["dir/file.x: 15000 paths in its hierarchy are too long, and lack the outer names"]);
    assert!(bytes < 100 << 20 && time.as_secs() < 5, "{bytes} {time:?}");
}

/// Few long names on the way to many leaves: no leaf takes the time or the memory of its whole path.
#[test]
fn long_paths_cost_little() {
    let leaves = 100_000;
    let mut nodes = vec![json!({ "name": "x".repeat(999), "children": [1] }); 2000];
    for (i, node) in nodes.iter_mut().enumerate() {
        node["children"] = json!([i + 1]);
    }
    nodes[1999]["children"] = (2000..2000 + leaves).collect();
    nodes.extend((0..leaves).map(|i| json!({ "name": format!("{i:06}"), "mesh": 0 })));
    let text = gltf::with([("/nodes", nodes.into())]);
    let (assembly, bytes, time) = measure(|| load(Gltf, text));
    assert_eq!((assembly.parts.len(), &*assembly.parts[7].path), (leaves, "000007"));
    assert!(bytes < 200 << 20 && time.as_secs() < 5, "{bytes} {time:?}");
}

#[test]
fn paths_and_identifiers_of_3mf_follow_the_components() {
    let objects = format!(
        r#"<object id="1" name="bolt">{0}</object>
        <object id="2" name="frame"><components><component objectid="1" p:UUID="u-1" xmlns:p="p"/>
        <component objectid="3"/></components></object>
        <object id="3"><components><component objectid="4"/><component objectid="1" p:UUID=" "/>
        </components></object><object id="4">{0}</object>"#,
        threemf::triangle()
    );
    let items = r#"<item objectid="2" q:UUID="u-2"/><item objectid="1" q:UUID="u-3"/><item objectid="4"/>"#;
    let assembly = load(ThreeMf, threemf::of_model(threemf::model(&objects, items)));
    assert_eq!(paths(&assembly), ["frame/bolt", "frame", "frame/bolt", "bolt", "object 4"]);
    let names: Vec<_> = assembly.parts.iter().map(|part| &*part.name).collect();
    assert_eq!(names, ["bolt", "frame", "bolt", "bolt", "object 4"]);
    let guids: Vec<_> = assembly.parts.iter().map(|part| part.guid.as_deref()).collect();
    assert_eq!(guids, [Some("u-1"), None, None, Some("u-3"), None]);
}

#[test]
fn sources_stay_right_when_parts_are_added() {
    let read = |name| impinge_io::parse(Off, OFF.as_bytes(), Path::new(name)).unwrap();
    let mut all = Assembly::new();
    all.append(read("a.off"));
    all.push(part("p", "a.off"));
    all.push(part("q", "b"));
    all.push(part("r", "b"));
    all.append(read("b"));
    all.push(part("s", "a.off"));
    all.sources.push(Source::new(Path::new("c.ifc")).with_unit(Unit::Foot).with_up(Axis::Z));
    all.append(Assembly::new());
    all.push(part("t", "c.ifc"));
    assert_eq!(counts(&all), [("a.off", 2), ("b", 2), ("b", 1), ("a.off", 1), ("c.ifc", 1)]);
    for (i, part) in all.parts.iter().enumerate() {
        let source = all.source(i).unwrap();
        assert_eq!(source.file, part.file);
        assert_eq!(source.format, (i == 0 || i == 1 || i == 4).then_some(Off));
        assert_eq!(source.unit, (&*part.file == Path::new("c.ifc")).then_some(Unit::Foot));
    }
    assert_eq!(all.source(all.parts.len()), None);
    assert_eq!(Assembly::new().source(0), None);
}

#[test]
fn parts_from_memory() {
    let plain = part("wall", "x");
    assert_eq!((&*plain.path, plain.baked, &plain.guid, &plain.class), ("wall", false, &None, &None));
    assert!(plain.properties.is_empty() && plain.chord.is_none());
    let full = plain
        .with_path("house/wall")
        .with_guid("7")
        .with_class("IfcWall")
        .with_property("Fire", "F30")
        .with_property("Mass", 2.5)
        .with_property("Fire", "F90")
        .with_chord(0.5);
    assert_eq!((&*full.name, &*full.path), ("wall", "house/wall"));
    assert_eq!(
        (full.guid.as_deref(), full.class.as_deref(), full.chord),
        (Some("7"), Some("IfcWall"), Some(0.5))
    );
    let properties: Vec<_> = full.properties.iter().map(|(name, value)| format!("{name} {value}")).collect();
    assert_eq!(properties, ["Fire F90", "Mass 2.5"]);
    let warning = Warning::new(Path::new("x"), None, "odd");
    assert_eq!((warning.to_string(), warning.place()), ("x: odd".to_owned(), None));
}

#[test]
fn properties_are_ordered_typed_and_shared() {
    let mut a: Properties = [("b", 1.0), ("a", 2.0), ("b", 3.0)].into_iter().collect();
    let names: Vec<_> = a.iter().map(|(name, _)| name).collect();
    assert_eq!((names, a.len()), (vec!["b", "a"], 2));
    assert_eq!(a.get("b"), Some(&PropertyValue::Number(3.0)));
    let shared = a.clone();
    assert_eq!(a.insert("b", true), Some(PropertyValue::Number(3.0)));
    assert_eq!(a.insert("c", "text"), None);
    assert_eq!((shared.get("b"), shared.get("c")), (Some(&PropertyValue::Number(3.0)), None));
    let [b, c] = ["b", "c"].map(|name| a.get(name).unwrap());
    assert_eq!((b.as_truth(), b.as_number(), b.as_text()), (Some(true), None, None));
    assert_eq!((c.as_truth(), c.as_number(), c.as_text()), (None, None, Some("text")));
    // Empty properties allocate nothing.
    let (_, bytes, _) = measure(|| {
        let mut none = Properties::new();
        none.extend([("", 0.0); 0]);
        (none.clone(), none.is_empty())
    });
    assert_eq!((bytes, size_of::<Properties>()), (0, size_of::<usize>()));
    // Many are added in one pass.
    let (many, _, time) = measure(|| (0..200_000).map(|i| (i.to_string(), true)).collect::<Properties>());
    assert!(many.len() == 200_000 && time.as_secs() < 5, "{time:?}");
}

#[test]
fn units_are_read_and_written() {
    // Factors of the international yard and pound agreement of 1959, and prefixes of the SI.
    let metres = [1e-6, 1e-3, 1e-2, 1.0, 0.0254, 0.0254 * 12.0];
    assert_eq!(Unit::ALL.iter().map(|unit| unit.metres()).collect::<Vec<_>>()[..5], metres[..5]);
    assert!((Unit::Foot.metres() - metres[5]).abs() < 1e-16);
    for &unit in Unit::ALL {
        let name = unit.to_string();
        assert_eq!((unit.symbol().parse(), name.parse()), (Ok(unit), Ok(unit)));
        assert_eq!(name.to_uppercase().parse(), Ok(unit));
        assert_eq!(name.replace("metre", "meter").parse(), Ok(unit));
    }
    for (text, unit) in [
        ("micron", Unit::Micrometre),
        ("um", Unit::Micrometre),
        ("μm", Unit::Micrometre),
        ("Meters", Unit::Metre),
        ("feet", Unit::Foot),
        ("inches", Unit::Inch),
    ] {
        assert_eq!(text.parse(), Ok(unit), "{text}");
    }
    for text in ["", "Mm", "M", "yard", " mm", "mm ", "\"", "dm"] {
        let error = text.parse::<Unit>().unwrap_err();
        assert_eq!(error.to_string(), "not a unit of length; known are µm, mm, cm, m, in, ft");
    }
}

/// A part is small, because the default limits allow half a million of them.
#[test]
fn parts_are_small() {
    assert!(size_of::<Part>() <= 256, "{}", size_of::<Part>());
}
