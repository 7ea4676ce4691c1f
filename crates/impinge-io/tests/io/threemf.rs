use crate::{load, load_clean, memory::measure, refuse, shape, warnings};
use impinge::Pose;
use impinge_io::Format::ThreeMf;
use std::{
    io::{Cursor, Write},
    sync::Arc,
};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

pub(crate) fn package(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // Packing takes longer than everything under test.
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in files {
        zip.start_file(*name, stored).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

pub(crate) const RELATIONSHIPS: &[u8] = br#"<?xml version="1.0"?><Relationships xmlns="x">
<Relationship Target="/Metadata/t.png" Id="a" Type="x/thumbnail"/><Relationship Target="/3D/a.model" Id="r"
Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>"#;

pub(crate) fn of_model(model: impl AsRef<[u8]>) -> Vec<u8> {
    package(&[("_rels/.rels", RELATIONSHIPS), ("3D/a.model", model.as_ref())])
}

const OPEN: &str =
    r#"<model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">"#;

fn mesh(points: &str) -> String {
    format!(
        r#"<mesh><vertices>{points}</vertices><triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh>"#
    )
}

pub(crate) fn triangle() -> String {
    mesh(
        r#"<vertex x="0.1" y="0" z="1e-300"/><vertex x="1" y="0" z="0"></vertex>
        <vertex x="0" y=" 1 " z="0"/>"#,
    )
}

pub(crate) fn model(objects: &str, items: &str) -> String {
    format!("{OPEN}<resources>{objects}</resources><build>{items}</build></model>")
}

#[test]
fn components_nest_share_and_bake() {
    let objects = format!(
        r#"<object id="1" name="bolt &amp; nut">{0}</object>
        <object id="2"><components><component objectid="1" transform="0 1 0 -1 0 0 0 0 1 10 0 0.1"/>
        <component objectid="1"/><component objectid="1" transform="2 0 0 0 1 0 0 0 1 0 0 0"/>
        </components></object>
        <object id="3" name="rest">{0}</object><object id="4" name="top">
        <components><component objectid="5"/></components></object><object id="5">{0}</object>"#,
        triangle()
    );
    let items = r#"<item objectid="2" transform="1 0 0 0 1 0 0 0 1 1 2 0.2"/>
        <item objectid="1" transform="2 0 0 0 1 0 0 0 1 0 0 0"/><item objectid="4"/><item objectid="5"/>"#;
    let assembly = load(ThreeMf, of_model(model(&objects, items)));
    let bolt = ("bolt & nut", 1);
    assert_eq!(shape(&assembly), [bolt, bolt, bolt, bolt, ("top", 1), ("object 5", 1)]);
    assert_eq!(
        warnings(&assembly),
        ["dir/file.x: 1 objects with a mesh are in no item of the build and are skipped"]
    );
    let parts = &assembly.parts;
    assert!(Arc::ptr_eq(&parts[0].mesh, &parts[1].mesh) && !Arc::ptr_eq(&parts[0].mesh, &parts[2].mesh));
    assert!(Arc::ptr_eq(&parts[4].mesh, &parts[5].mesh));
    let turned = Pose::rigid([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [11.0, 2.0, 0.1 + 0.2]);
    assert_eq!(parts[0].pose, turned.unwrap());
    assert_eq!(parts[0].mesh.points(), [[0.1, 0.0, 1e-300], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert!(parts[2].baked && parts[3].baked && !parts[0].baked);
    assert_eq!(parts[2].mesh.points()[1], [3.0, 2.0, 0.2]);
    assert_eq!(parts[3].mesh.points()[0], [0.2, 0.0, 1e-300]);
    assert_eq!(parts[3].pose, Pose::IDENTITY);
}

#[test]
fn equal_transforms_that_are_not_rigid_share_a_copy() {
    let objects = format!(r#"<object id="1">{}</object>"#, triangle());
    let item = r#"<item objectid="1" transform="2 0 0 0 1 0 0 0 1 0 0 0"/>"#;
    let assembly = load_clean(ThreeMf, of_model(model(&objects, &item.repeat(2))));
    assert!(Arc::ptr_eq(&assembly.parts[0].mesh, &assembly.parts[1].mesh));
}

#[test]
fn models_refer_to_other_models_and_prefixes_are_respected() {
    let root = r#"<c:model unit="inch" requiredextensions="p"
        xmlns:c="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
        xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06">
        <c:resources><s:slicestack><s:vertex x="no"/></s:slicestack>
        <c:object id="1"><c:components><c:component p:path="/3D/b.model" objectid="7"/></c:components>
        </c:object></c:resources>
        <c:build><c:item objectid="1"/><c:item objectid="7" p:path="/3D/b.model"/></c:build></c:model>"#;
    let other = format!(
        "\u{FEFF}{}",
        model(&format!(r#"<object id="7" name="x">{}</object><b:beam/>"#, triangle()), "")
    );
    let bytes = package(&[
        ("_rels/.rels", RELATIONSHIPS),
        ("3D/a.model", root.as_bytes()),
        ("3D/b.model", other.as_bytes()),
    ]);
    let assembly = load(ThreeMf, bytes);
    assert_eq!(shape(&assembly), [("x", 1), ("x", 1)]);
    assert!(Arc::ptr_eq(&assembly.parts[0].mesh, &assembly.parts[1].mesh));
    assert_eq!(
        warnings(&assembly),
        [
            "dir/file.x: 3D/a.model: its unit is the inch; coordinates are taken as they are",
            "dir/file.x: 3D/b.model: 1 beams and balls are not triangles and are skipped",
        ]
    );
}

#[test]
fn broken_packages_name_the_place() {
    for (bytes, message) in [
        (b"no zip".to_vec(), "this is not a whole ZIP package"),
        (package(&[("word/document.xml", b"<x/>")]), "the package names no 3D model, so it is no 3MF"),
        (package(&[("_rels/.rels", b"<Relationships/>")]), "the package names no 3D model"),
        (package(&[("_rels/.rels", b"<a></b>")]), "_rels/.rels byte 3: this is not well-formed XML: "),
        (package(&[("_rels/.rels", RELATIONSHIPS)]), "3D/a.model: it cannot be taken from the package: "),
        (package(&[("_rels/.rels", RELATIONSHIPS), ("3D/a.model", b"\xFF")]), "3D/a.model: it is not UTF-8"),
    ] {
        let found = refuse(ThreeMf, bytes);
        assert!(found.contains(message), "{message}: {found}");
    }
}

#[test]
fn broken_models_name_the_place() {
    let good = r#"<vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/>"#;
    let object = |points: &str| {
        model(&format!(r#"<object id="1">{}</object>"#, mesh(points)), r#"<item objectid="1"/>"#)
    };
    let item = |item: &str| model(&format!(r#"<object id="1">{}</object>"#, triangle()), item);
    let twice = format!(r#"<object id="1">{0}</object><object id="1">{0}</object>"#, triangle());
    for (model, message) in [
        ("<html/>".to_owned(), "3D/a.model byte 0: expected 'model', found 'html'"),
        ("<?xml version='1.0'?>".to_owned(), "there is no model in this XML"),
        (format!("{OPEN}<a></b>"), "this is not well-formed XML: "),
        (OPEN.to_owned(), "3D/a.model byte 91: the XML ends inside an element"),
        (object(&format!("{good}<vertex x='1' y='2'/>")), "'vertex' needs the attributes x, y, z"),
        (object(&format!("{good}<vertex x='1' y='2' z='x'/>")), "'x' is not a number"),
        (
            object(&format!("{good}<vertex x='1' y='2' z='NaN'/>")),
            "3D/a.model byte 187: the number 'NaN' is not finite",
        ),
        (object(good), "object 1: triangle 0 names vertex 2; there are 2, from 0"),
        (model("<vertex/>", ""), "'vertex' is outside an object"),
        (model("<object id='1'><object id='2'/></object>", ""), "an object is inside another object"),
        (model("<object/>", ""), "'object' needs the attributes id"),
        (model("<object id='-1'/>", ""), "'-1' is not a whole number"),
        (model(&twice, ""), "a second object 1"),
        (
            model("<object id='1'/>", "<item objectid='1'/>"),
            "3D/a.model object 1: it is neither a mesh nor made of components",
        ),
        (item("<item objectid='9'/>"), "3D/a.model object 9: there is no such object"),
        (item("<item/>"), "'item' needs the attributes objectid"),
        (item("<item objectid='1' transform='1 2 3'/>"), "a transform has fewer than 12 numbers"),
        (
            item("<item objectid='1' transform='1 0 0 0 1 0 0 0 1 0 0 0 0'/>"),
            "a transform has more than 12 numbers",
        ),
        (
            item("<item objectid='1' transform='1 0 0 0 1 0 0 0 inf 0 0 0'/>"),
            "the number 'inf' is not finite",
        ),
        (
            item("<item objectid='1' p:path='/3D/none.model'/>"),
            "3D/none.model: it cannot be taken from the package",
        ),
        (item(""), "the file has no triangle (1 objects with a mesh are in no item"),
        (
            OPEN.replace('>', " requiredextensions='b' xmlns:b='http://x/beamlattice'></model>"),
            "requires the extension 'http://x/beamlattice'",
        ),
        (
            model(
                "<object id='1'><components><component objectid='1'/></components></object>",
                "<item objectid='1'/>",
            ),
            "components nest deeper than 256: an object contains itself",
        ),
    ] {
        let found = refuse(ThreeMf, of_model(model));
        assert!(found.contains(message), "{message}: {found}");
    }
}

#[test]
fn beams_beside_triangles_are_told_and_left_out() {
    let lattice = |mesh: &str| {
        let beams = r#"<b:beamlattice><b:beams><b:beam v1="0" v2="1"/><b:beam v1="1" v2="2"/></b:beams>
            </b:beamlattice>"#;
        let object = format!(
            r#"<object id="1" name="l">{}</object>"#,
            mesh.replace("</mesh>", &format!("{beams}</mesh>"))
        );
        let open = r#"<model requiredextensions="b"
            xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
            xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02">"#;
        model(&object, r#"<item objectid="1"/>"#).replace(OPEN, open)
    };
    let told = "dir/file.x: 3D/a.model: 2 beams and balls are not triangles and are skipped";
    let assembly = load(ThreeMf, of_model(lattice(&triangle())));
    assert_eq!((shape(&assembly), warnings(&assembly)), (vec![("l", 1)], vec![told.to_owned()]));
    let alone = triangle().replace(r#"<triangle v1="0" v2="1" v3="2"/>"#, "");
    let found = refuse(ThreeMf, of_model(lattice(&alone)));
    assert!(found.contains("the file has no triangle (3D/a.model: 2 beams and balls"), "{found}");
}

/// Otherwise the triangles of a second mesh would use the points of the first.
#[test]
fn an_element_that_stands_once_is_not_read_twice() {
    let (mesh, other) = (triangle(), triangle());
    let points = r#"<vertices><vertex x="0" y="0" z="0"/></vertices>"#;
    for (object, what) in [
        (format!("{mesh}{other}"), "object 1 has a second element 'mesh'"),
        (mesh.replace("</mesh>", &format!("{points}</mesh>")), "object 1 has a second element 'vertices'"),
        (mesh.replace("</mesh>", "<triangles/></mesh>"), "object 1 has a second element 'triangles'"),
        ("<components/><components/>".to_owned(), "object 1 has a second element 'components'"),
    ] {
        let text = model(&format!("<object id='1'>{object}</object>"), "<item objectid='1'/>");
        let found = refuse(ThreeMf, of_model(text));
        assert!(found.contains(what), "{found}");
    }
}

#[test]
fn supports_are_left_out_and_what_is_not_printed_is_told() {
    let object = |id: u32, kind: &str| format!("<object id='{id}' type='{kind}'>{}</object>", triangle());
    let names = ["model", "surface", "support", "solidsupport", "other", "thing"];
    let objects: String = (1..).zip(names).map(|(id, kind)| object(id, kind)).collect();
    let group = "<object id='7' type='support'><components><component objectid='1'/></components></object>";
    let items: String = (1..=7).map(|id| format!("<item objectid='{id}'/>")).collect();
    let file = of_model(model(&format!("{objects}{group}"), &items));
    let assembly = load(ThreeMf, file);
    let names: Vec<&str> = assembly.parts.iter().map(|part| &*part.name).collect();
    assert_eq!(names, ["object 1", "object 2", "object 5", "object 6"]);
    let file = "dir/file.x: ";
    assert_eq!(
        warnings(&assembly),
        [
            format!("{file}3 placed objects are supports of the print and are skipped"),
            format!("{file}2 placed objects are of a type that is not a part; they are read anyway"),
        ]
    );
    let items = r#"<item objectid="1"/><item objectid="1" printable="0"/><item objectid="1" printable="1"/>"#;
    let assembly = load(ThreeMf, of_model(model(&object(1, "model"), items)));
    assert_eq!(assembly.parts.len(), 3);
    let what = "1 items of the build are not to be printed; they are read anyway";
    assert_eq!(warnings(&assembly), [format!("{file}{what}")]);
    let found = refuse(ThreeMf, of_model(model(&object(1, "support"), "<item objectid='1'/>")));
    assert!(found.contains("supports of the print"), "{found}");
}

/// The time is linear in the number of attributes and required prefixes. The XML reader's own check compares
/// each name with all earlier ones.
#[test]
fn attributes_cost_what_their_length_does() {
    let many: String = (0..60_000).map(|i| format!(" a{i}=''")).collect();
    let object = format!("<object id='1'{many}>{}</object>", triangle());
    let item = format!("<item objectid='1'{many}/>");
    let required = format!(
        "<model{many} xmlns:p='{}' requiredextensions='{}'><resources>{object}</resources>\
         <build>{item}</build></model>",
        "http://schemas.microsoft.com/3dmanufacturing/core/2015/02",
        "p ".repeat(60_000),
    );
    let relationship = format!("<r><Relationship{many} Type='a/3dmodel' Target='/m'/></r>");
    let file = package(&[("_rels/.rels", relationship.as_bytes()), ("m", required.as_bytes())]);
    let (assembly, _, time) = measure(|| load_clean(ThreeMf, file));
    assert_eq!(assembly.parts.len(), 1);
    assert!(time.as_secs_f64() < 2.0, "{time:?}");
    for text in [
        model("<object id='1' id='2'/>", ""),
        model("<object id='1' name='a' name='b'/>", ""),
        model("", "<item objectid='1' transform='' transform=''/>"),
    ] {
        let found = refuse(ThreeMf, of_model(text));
        assert!(found.contains("occurs twice"), "{found}");
    }
}
