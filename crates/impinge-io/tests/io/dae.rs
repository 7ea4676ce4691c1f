//! COLLADA: what each element gives. `dae_errors` has broken documents.
use crate::{gltf, load, load_clean, shape, warnings};
use impinge::Pose;
use impinge_io::{
    Assembly, Axis,
    Format::{Dae, Gltf, Obj},
    Unit,
};
use serde_json::json;
use std::sync::Arc;

/// A source of points.
pub(crate) fn source(id: &str, points: &[[f64; 3]]) -> String {
    let numbers: Vec<String> = points.as_flattened().iter().map(f64::to_string).collect();
    format!(
        r##"<source id="{id}"><float_array id="{id}-array" count="{}">{}</float_array><technique_common>
        <accessor source="#{id}-array" count="{}" stride="3"><param name="X" type="float"/>
        <param name="Y" type="float"/><param name="Z"/></accessor></technique_common></source>"##,
        numbers.len(),
        numbers.join(" "),
        points.len(),
    )
}

/// A geometry of these points, with elements of primitives. Its identifiers begin with `id`.
pub(crate) fn geometry(id: &str, points: &[[f64; 3]], primitives: &str) -> String {
    format!(
        r##"<geometry id="{id}" name="{id} name"><mesh>{}<vertices id="{id}-v">
        <input semantic="POSITION" source="#{id}-p"/></vertices>{primitives}</mesh></geometry>"##,
        source(&format!("{id}-p"), points),
    )
}

/// An element of primitives whose corners have one index.
pub(crate) fn primitives(id: &str, name: &str, count: usize, content: &str) -> String {
    let input = format!(r##"<input semantic="VERTEX" source="#{id}-v" offset="0"/>"##);
    format!(r#"<{name} count="{count}">{input}{content}</{name}>"#)
}

pub(crate) const CORNERS: [[f64; 3]; 3] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.1]];

/// A geometry of one triangle.
pub(crate) fn triangle(id: &str) -> String {
    geometry(id, &CORNERS, &primitives(id, "triangles", 1, "<p>0 1 2</p>"))
}

/// A document with these libraries, whose scene has these nodes.
pub(crate) fn document(libraries: &str, nodes: &str) -> String {
    format!(
        r##"<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_visual_scenes><visual_scene id="scene">{nodes}</visual_scene></library_visual_scenes>
{libraries}
<scene><instance_visual_scene url="#scene"/></scene></COLLADA>"##
    )
}

pub(crate) fn geometries(all: &str) -> String {
    format!("<library_geometries>{all}</library_geometries>")
}

pub(crate) fn node(name: &str, content: &str) -> String {
    format!(r#"<node id="id-{name}" name="{name}">{content}</node>"#)
}

pub(crate) fn instance(id: &str) -> String {
    format!(r##"<instance_geometry url="#{id}"/>"##)
}

/// A document with most of the elements that are read.
pub(crate) fn sample() -> String {
    let polygons = primitives("g", "polygons", 2, "<p>0 1 2</p><p>2 1 0</p>");
    let strips = primitives("g", "tristrips", 1, "<p>0 1 2</p>") + &primitives("g", "lines", 1, "<p>0 1</p>");
    let list = primitives("g", "polylist", 1, "<vcount>3</vcount><p>0 1 2</p>");
    let library = geometries(&geometry("g", &CORNERS, &(polygons + &strips + &list)));
    let library = library + "<library_nodes><node id='a'><rotate>0 0 1 30</rotate></node></library_nodes>";
    document(&library, &node("n", &(instance("g") + "<instance_node url='#a'/>")))
}

/// A document of one geometry with these points and elements of primitives.
fn with(points: &[[f64; 3]], primitives: &str) -> String {
    document(&geometries(&geometry("g", points, primitives)), &node("n", &instance("g")))
}

/// The triangles of all parts as points, in the world.
fn placed(assembly: &Assembly) -> Vec<[[f64; 3]; 3]> {
    let parts = assembly.parts.iter();
    parts
        .flat_map(|part| {
            let corner = |i: u32| part.pose.place(part.mesh.points()[i as usize]);
            part.mesh.triangles().iter().map(move |t| t.map(corner))
        })
        .collect()
}

#[test]
fn a_document_is_read() {
    let assembly = load_clean(Dae, document(&geometries(&triangle("g")), &node("n", &instance("g"))));
    assert_eq!(shape(&assembly), [("n", 1)]);
    assert_eq!(assembly.parts[0].mesh.points(), CORNERS);
    assert_eq!(assembly.parts[0].rounding, None);
    let source = &assembly.sources[0];
    assert_eq!((source.format, source.unit, source.up), (Some(Dae), Some(Unit::Metre), Some(Axis::Z)));
}

#[test]
fn the_unit_and_the_upward_axis_are_stated() {
    let good = document(&geometries(&triangle("g")), &node("n", &instance("g")));
    let asset = |asset: &str| {
        let old = r#"<unit name="meter" meter="1"/><up_axis>Z_UP</up_axis>"#;
        assert!(good.contains(old));
        load(Dae, good.replace(old, asset))
    };
    for (text, unit, up) in [
        ("", Unit::Metre, Axis::Y),
        ("<unit/><up_axis>X_UP</up_axis>", Unit::Metre, Axis::X),
        (r#"<unit meter="0.01" name="cm"/><up_axis> Y_UP </up_axis>"#, Unit::Centimetre, Axis::Y),
        (r#"<unit meter="1e-3"/>"#, Unit::Millimetre, Axis::Y),
        (r#"<unit meter="1.000000000000000"/>"#, Unit::Metre, Axis::Y),
        (r#"<unit meter="0.02539999969303608"/>"#, Unit::Inch, Axis::Y),
        (r#"<unit meter="0.3048"/>"#, Unit::Foot, Axis::Y),
    ] {
        let assembly = asset(text);
        assert_eq!((assembly.sources[0].unit, assembly.sources[0].up), (Some(unit), Some(up)), "{text}");
        assert_eq!(warnings(&assembly), [""; 0]);
        assert_eq!(assembly.parts[0].mesh.points(), CORNERS);
    }
    let yard = asset("\n<unit meter='0.9144'/>");
    assert_eq!(yard.sources[0].unit, None);
    let what = "its unit is 0.9144 m; coordinates are taken as they are, of an unknown unit";
    assert_eq!(warnings(&yard), [format!("dir/file.x: line 4: {what}")]);
    // A geometry may have an asset of its own.
    let own = |asset: &str| load(Dae, good.replace("<mesh>", &format!("<asset>{asset}</asset><mesh>")));
    assert_eq!(warnings(&own("<unit meter='1'/>")), [""; 0]);
    let found = warnings(&own("<unit meter='0.001'/>"));
    assert!(found.len() == 1 && found[0].contains("a unit or an upward axis other than the document's"));
}

/// The same assembly as OBJ and as glTF.
#[test]
fn the_points_are_those_of_other_formats() {
    let points = [[0.1, 0.0, 0.1], [1.0, 0.25, 1.25], [0.0, 1.0, 1.0], [1.0, 1.0, 2.0]];
    let obj = points.map(|[x, y, z]| format!("v {x} {y} {z}\n")).concat();
    let obj = load_clean(Obj, format!("{obj}f 1 2 4 3\nf 4 2 1\n"));
    let faces = primitives("g", "polylist", 2, "<vcount>4 3</vcount><p>0 1 3 2 3 1 0</p>");
    let dae = load_clean(Dae, with(&points, &faces));
    assert_eq!(obj.parts[0].mesh.points(), dae.parts[0].mesh.points());
    assert_eq!(obj.parts[0].mesh.triangles(), dae.parts[0].mesh.triangles());

    // Nested nodes: the square of the glTF tests.
    let mut document = gltf::document();
    document["nodes"] = json!([
        { "name": "outer", "translation": [1, 2, 3], "rotation": [0, 0, 1, 0], "scale": [2, 1, 1],
          "children": [1] },
        { "name": "inner", "mesh": 0, "translation": [0.5, 0, 0] },
        { "name": "other", "mesh": 0, "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1] },
    ]);
    document["scenes"] = json!([{ "nodes": [0, 2] }]);
    document["scene"] = json!(0);
    let gltf = load_clean(Gltf, document.to_string());
    let mesh = &gltf.parts[0];
    // The glTF reader has baked the first part; the other one has the points as they are.
    let square = &gltf.parts[1].mesh;
    let indices: Vec<String> = square.triangles().as_flattened().iter().map(u32::to_string).collect();
    let faces = primitives("g", "triangles", square.len(), &format!("<p>{}</p>", indices.join(" ")));
    let inner = node("inner", &format!("<translate>0.5 0 0</translate>{}", instance("g")));
    let outer = "<translate>1 2 3</translate><rotate>0 0 1 180</rotate><scale>2 1 1</scale>";
    let matrix = "<matrix>0 -1 0 7 1 0 0 8 0 0 1 9 0 0 0 1</matrix>";
    let nodes =
        node("outer", &format!("{outer}{inner}")) + &node("other", &(matrix.to_owned() + &instance("g")));
    let dae = load_clean(Dae, self::document(&geometries(&geometry("g", square.points(), &faces)), &nodes));
    assert_eq!(shape(&dae), shape(&gltf));
    assert_eq!(placed(&dae), placed(&gltf));
    for (a, b) in dae.parts.iter().zip(&gltf.parts) {
        assert_eq!((&a.path, a.pose, a.baked), (&b.path, b.pose, b.baked));
    }
    assert!(mesh.baked && &*mesh.path == "outer/inner");
}

#[test]
fn transforms_apply_in_their_order() {
    let moved = |transforms: &str| {
        let nodes = node("n", &format!("{transforms}{}", instance("g")));
        let assembly = load(Dae, document(&geometries(&triangle("g")), &nodes));
        let part = &assembly.parts[0];
        (part.pose.place(part.mesh.points()[1]), warnings(&assembly))
    };
    for (transforms, place) in [
        ("<translate>1 2 3</translate><rotate>0 0 1 90</rotate>", [1.0, 3.0, 3.0]),
        ("<rotate>0 0 1 90</rotate><translate>1 2 3</translate>", [-2.0, 2.0, 3.0]),
        ("<rotate>0 1 0 -90</rotate>", [0.0, 0.0, 1.0]),
        ("<rotate>0 0 0 0</rotate>", [1.0, 0.0, 0.0]),
        ("<scale>3 1 1</scale><translate sid='t'>1\n 0 0</translate>", [6.0, 0.0, 0.0]),
        ("<matrix>2 0 0 1 0 1 0 2 0 0 1 3 0 0 0 1</matrix><translate>1 0 0</translate>", [5.0, 2.0, 3.0]),
        ("<translate><!-- a comment -->1 <!-- another -->0 0</translate>", [2.0, 0.0, 0.0]),
    ] {
        assert_eq!(moved(transforms), (place, vec![]), "{transforms}");
    }
    let ([x, y, z], found) = moved("<rotate>0 0 2 30</rotate>");
    assert!((x - 0.75_f64.sqrt()).abs() < 1e-15 && (y - 0.5).abs() < 1e-15 && z == 0.0);
    let what = "rotations whose axis is not of unit length: 1; the axis is normalized";
    assert_eq!(found, [format!("dir/file.x: line 4: {what}")]);
}

#[test]
fn nodes_have_instances_and_share_meshes() {
    let library = format!(
        r#"{}<library_nodes>{}</library_nodes>"#,
        geometries(&(triangle("g") + &triangle("lost"))),
        node("arm", &format!("<translate>0 0 1</translate>{}", instance("g"))),
    );
    let arm = r##"<instance_node url="#id-arm"/>"##;
    let nodes = node("left", &format!("<translate>1 0 0</translate>{arm}"))
        + &node("right", &format!("<scale>1 1 2</scale>{arm}{}", instance("g")))
        + &format!("<node><scale>1 1 2</scale>{}</node>", instance("g"));
    let assembly = load(Dae, document(&library, &nodes));
    assert_eq!(shape(&assembly), [("arm", 1), ("arm", 1), ("right", 1), ("g name", 1)]);
    let paths: Vec<&str> = assembly.parts.iter().map(|part| &*part.path).collect();
    assert_eq!(paths, ["left/arm", "right/arm", "right", "g name"]);
    let parts = &assembly.parts;
    assert_eq!(parts[0].pose, Pose::from_translation([1.0, 0.0, 1.0]).unwrap());
    assert!(parts[1].baked && !parts[0].baked && Arc::ptr_eq(&parts[2].mesh, &parts[3].mesh));
    assert_eq!(parts[1].mesh.points()[2], [0.0, 1.0, 2.2]);
    let what = "geometries without an instance in the scene are skipped: 1";
    let found = warnings(&assembly);
    assert!(found.len() == 1 && found[0].ends_with(what), "{found:?}");
}

#[test]
fn polygons_are_triangulated() {
    // A quad, a dart whose fan folds, and an edge.
    let points = [
        [0.0; 3],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [2.0, 0.0, 0.0],
        [4.0, -2.0, 0.0],
        [3.0, 0.0, 0.0],
        [4.0, 2.0, 0.0],
    ];
    let list = primitives("g", "polylist", 3, "<vcount>4 4 2</vcount><p>0 1 2 3 5 6 7 4 0 1</p>");
    let polygons = primitives("g", "polygons", 3, "<p>0 1 2 3</p><p>5 6 7 4</p><p>0 1</p>");
    for faces in [list, polygons] {
        let assembly = load(Dae, with(&points, &faces));
        let area = |t: &[[f64; 3]; 3]| {
            let [a, b, c] = t;
            0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
        };
        let triangles = placed(&assembly);
        let areas: Vec<f64> = triangles.iter().map(area).collect();
        assert_eq!(areas, [0.5, 0.5, 1.0, 1.0], "{triangles:?}");
        let what = "faces with fewer than 3 corners contain no triangle and are skipped: 1";
        let found = warnings(&assembly);
        assert!(found.len() == 1 && found[0].ends_with(what), "{found:?}");
    }
}

#[test]
fn strips_and_fans_are_cut() {
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 2.0, 0.0]];
    let strips = primitives("g", "tristrips", 2, "<p>0 1 2 3 4</p><p>4 3 2</p>");
    let fans = primitives("g", "trifans", 1, "<p>0 1 3 2</p>");
    // Several elements of one mesh.
    let assembly = load_clean(Dae, with(&points, &(strips + &fans)));
    let expected = [[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 2], [0, 1, 3], [0, 3, 2]];
    assert_eq!(assembly.parts[0].mesh.triangles(), expected);
}

#[test]
fn inputs_share_offsets_and_accessors_have_strides() {
    // Indices of vertices, normals and coordinates of textures; two inputs share an offset.
    let inputs = r##"<input semantic="NORMAL" source="#none" offset="0"/>
        <input semantic="VERTEX" source="#g-v" offset="1"/>
        <input semantic="TEXCOORD" source="#none" offset="1" set="0"/>
        <input semantic="TEXCOORD" source="#none" offset="2" set="1"/>"##;
    let faces = format!("<triangles count='1'>{inputs}<p>9 0 -1 8 1\n7 x 2 5</p></triangles>");
    let good = with(&CORNERS, &faces);
    assert_eq!(load_clean(Dae, &good).parts[0].mesh.points(), CORNERS);
    // A number comes before the points. Each point is z, a number without a name, w, y and x.
    let old = source("g-p", &CORNERS);
    let new = r##"<source id="g-p"><float_array id="a" count="17">9 0.1 8 8 7 6 2 8 8 1.5 1 3 8 8 2.5 2 9
        </float_array><technique_common><accessor source="#a" count="3" offset="1" stride="5">
        <param name="Z"/><param/><param name="W"/><param name="y"/><param name="X"/></accessor>
        </technique_common></source>"##;
    assert!(good.contains(&old));
    let found = load_clean(Dae, good.replace(&old, new));
    assert_eq!(found.parts[0].mesh.points(), [[6.0, 7.0, 0.1], [1.0, 1.5, 2.0], [2.0, 2.5, 3.0]]);
}

#[test]
fn points_without_a_triangle_are_dropped_and_sources_are_shared() {
    let points = [[9.0; 3], CORNERS[0], CORNERS[1], CORNERS[2]];
    let of = |id: &str, p: &str| {
        // The second mesh uses the source of the first.
        geometry(id, &points, &primitives(id, "triangles", 1, p)).replace("#b-p\"/></v", "#a-p\"/></v")
    };
    let all = of("a", "<p>1 2 3</p>") + &of("b", "<p>3 2 1</p>");
    let assembly =
        load_clean(Dae, document(&geometries(&all), &node("n", &(instance("a") + &instance("b")))));
    assert_eq!(assembly.parts[0].mesh.points(), CORNERS);
    assert_eq!(assembly.parts[1].mesh.points(), CORNERS);
    assert_eq!(assembly.parts[1].mesh.triangles(), [[2, 1, 0]]);
}

#[test]
fn skipped_content_is_told() {
    let good = document(&geometries(&triangle("g")), &node("n", &instance("g")));
    let before = |place: &str, text: &str| good.replacen(place, &format!("{text}{place}"), 1);
    let holes = "<polygons count='1'><input semantic='VERTEX' source='#g-v'/><ph><p>0 1 2</p>\
                 <h>0 1 2</h></ph>\
                 </polygons>";
    let controllers = |inner: &str| {
        let controller =
            format!("<library_controllers><controller id='c'>{inner}</controller></library_controllers>");
        good.replace("<library_v", &format!("{controller}<library_v"))
            .replace(r##"<instance_geometry url="#g"/>"##, "<instance_controller url='#c'/>")
    };
    for (text, what) in [
        (
            before("</mesh>", "<lines/><linestrips><p>0 1</p></linestrips>"),
            "lines are not triangles and are skipped: 2",
        ),
        (before("</mesh>", holes), "polygons with holes are skipped: 1"),
        (
            before("</library_geometries>", "<geometry id='h'><convex_mesh><mesh/></convex_mesh></geometry>")
                .replace("</node>", "<instance_geometry url='#h'/></node>"),
            "geometries other than a mesh are skipped: 1",
        ),
        (
            before(
                "<scene>",
                "<library_animations/><library_animations><animation><source/></animation>\
                 </library_animations>",
            ),
            "animations are not applied: nodes stay as modelled: 1",
        ),
        (
            before("<scene>", "<library_physics_models><physics_model/></library_physics_models>"),
            "physics models are skipped: 1",
        ),
        (
            before("<scene>", "<library_kinematics_models><kinematics_model/></library_kinematics_models>"),
            "kinematics models are not applied: nodes stay as modelled: 1",
        ),
        (
            controllers(
                "<skin source='#g'><bind_shape_matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>\
                 </skin>",
            ),
            "skins are not applied: 1 instances stay in their bind pose",
        ),
        (controllers("<morph source='#g'/>"), "morph targets are not applied: 1 instances stay as modelled"),
        (
            before("</library_visual_scenes>", "<visual_scene/>"),
            "only the visual scene that the document shows, one of 2, is read",
        ),
        (
            good.replace("<instance_visual_scene url=\"#scene\"/>", "")
                .replace("</library_v", "<visual_scene/></library_v"),
            "the document shows none of its 2 visual scenes: all are read",
        ),
        (
            good.replace("visual_scene", "other"),
            "the document has no visual scene: its geometries are read once each",
        ),
    ] {
        let assembly = load(Dae, &text);
        let found = warnings(&assembly);
        assert!(found.len() == 1 && found[0].ends_with(what), "{what}: {found:?}");
        assert_eq!(assembly.triangles(), 1);
        if what.starts_with("skins") {
            assert_eq!(assembly.parts[0].pose, Pose::from_translation([5.0, 0.0, 0.0]).unwrap());
        }
    }
    // Without a choice there is nothing to tell. Cameras and lights have no geometry.
    load_clean(Dae, good.replace("<instance_visual_scene url=\"#scene\"/>", ""));
    let camera = "<node><lookat>1 2 3 0 0 0 0 0 1</lookat><instance_camera url='#none'/></node>";
    load_clean(Dae, before("</visual_scene>", camera));
    load_clean(Dae, before("</mesh>", "<triangles count='0'/><extra><triangles/></extra>"));
}

#[test]
fn documents_have_prefixes_versions_and_encodings() {
    let good = document(&geometries(&triangle("g")), &node("Träger &amp; 1", &instance("g")));
    let prefixed =
        good.replace("</", "</c:").replace('<', "<c:").replace("<c:/c:", "</c:").replace("<c:?", "<?");
    let prefixed = prefixed.replace("xmlns=", "xmlns:c=");
    let newer = good.replace("1.4.1", "1.5.0");
    let utf16: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain(good.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let marked = format!("\u{FEFF}{good}");
    for text in [good.as_bytes(), prefixed.as_bytes(), newer.as_bytes(), &utf16, marked.as_bytes()] {
        assert_eq!(shape(&load_clean(Dae, text)), [("Träger & 1", 1)]);
    }
}
