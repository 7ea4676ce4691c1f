//! COLLADA: broken documents, each with the line of the fault, and documents that grow.
use crate::{
    chain,
    dae::{document, geometries, geometry, instance, node, primitives, sample, source, triangle},
    memory::{bounded, measure},
    refuse,
};
use impinge_io::{Assembly, Error, Format::Dae, Limits, Options, parse_with};
use std::path::Path;

fn with(limits: Limits, text: &str) -> Result<Assembly, Error> {
    parse_with(Dae, text.as_bytes(), Path::new("dir/file.x"), &Options::new().with_limits(limits))
}

#[test]
fn broken_documents_name_the_line() {
    let good = document(&geometries(&format!("\n{}\n", triangle("g"))), &node("n", &instance("g")));
    let new = |old: &str, new: &str| {
        assert!(good.contains(old), "{old}");
        good.replacen(old, new, 1)
    };
    let transform = |text: &str| new("<instance_geometry", &format!("\n{text}<instance_geometry"));
    let primitive = |text: &str| new("</mesh>", &format!("\n\n{text}</mesh>"));
    let input = "<input semantic='VERTEX' source='#g-v' offset='0'/>";
    for (text, message) in [
        ("<html/>".to_owned(), "line 1: expected 'COLLADA', found 'html'"),
        ("\n".to_owned(), "line 2: there is no element in this XML"),
        ("<COLLADA>\n<a>\n</b></COLLADA>".to_owned(), "line 3: this is not well-formed XML: "),
        ("<COLLADA>\n<a>\n".to_owned(), "line 3: the XML ends inside an element"),
        ("<COLLADA/>\n<COLLADA/>".to_owned(), "line 2: an element follows the end of the document"),
        (new("1.4.1", "1.3.0"), "line 2: COLLADA 1.3.0 is not supported; 1.4 and 1.5 are"),
        (
            "<!DOCTYPE x [<!ENTITY a 'b'>]>\n<COLLADA/>".to_owned(),
            "line 1: a document type declaration is not supported",
        ),
        (new("<p>0 1 2</p>", "<p>0 1 &two;</p>"), "line 9: the entity '&two;' is not a number"),
        (new("name=\"n\"", "name=\"&n;\""), "line 4: an attribute is malformed: "),
        (new("meter=\"1\"", "meter=\"-1\""), "line 3: meter=\"-1\" is not the length of a unit"),
        (new("Z_UP", "W_UP"), "line 3: 'W_UP' is none of X_UP, Y_UP and Z_UP"),
        // Numbers.
        (new(" 1 0.1<", " 1\nNaN<"), "line 7: the number 'NaN' is not finite"),
        (new(" 1 0.1<", " 1\n-INF<"), "line 7: the number '-INF' is not finite"),
        (new(" 1 0.1<", " 1\n\n0,5<"), "line 8: '0,5' is not a number"),
        (new("count=\"9\"", "count=\"4000000000\""), "line 6: the array states 4000000000 numbers and has 9"),
        (new("count=\"9\"", "count=\"x\""), "line 6: count=\"x\" is not a whole number"),
        // Accessors.
        (
            new("count=\"3\" stride=\"3\"", "count=\"4000000000\" stride=\"3\""),
            "line 7: 4000000000 points with stride 3 and offset 0 do not fit in 9 numbers",
        ),
        (
            new("stride=\"3\"", "stride=\"18446744073709551615\""),
            "line 7: 3 points with stride 18446744073709551615 and offset 0 do not fit",
        ),
        (new("stride=\"3\"", "stride=\"3\" offset=\"1\""), "with stride 3 and offset 1 do not fit"),
        (new("stride=\"3\"", "stride=\"2\""), "line 7: the parameters do not fit in the stride 2"),
        (new("stride=\"3\"", "stride=\"0\""), "line 7: the parameters do not fit in the stride 0"),
        (
            new("name=\"Y\"", "name=\"T\""),
            "line 7: the accessor of positions needs the parameters X, Y and Z",
        ),
        (new("name=\"Y\"", "name=\"X\""), "line 8: a second parameter X"),
        (new("count=\"3\" ", ""), "line 7: 'accessor' needs the attribute 'count'"),
        (good.replace("technique_common", "technique"), "line 6: the source has no accessor"),
        (new("#g-p-array", "#no-array"), "line 7: there is no float_array 'no-array'"),
        (new("#g-p-array", "x.dae#array"), "line 7: 'x.dae#array' is in another document, which is not read"),
        (new("#g-p\"", "#q\""), "line 9: there is no source 'q'"),
        (new("POSITION", "NORMAL"), "line 8: the vertices have no input POSITION"),
        (new("</vertices>", "</vertices>\n<vertices/>"), "line 10: the mesh has a second element 'vertices'"),
        (
            new("</vertices>", "\n<input semantic='POSITION' source='#g-p'/></vertices>"),
            "line 10: the vertices have a second input POSITION",
        ),
        // Primitives.
        (
            new(
                "</library_geometries>",
                &(triangle("h").replace("VERTEX\" source=\"#h-v", "VERTEX\" source=\"#g-v")
                    + "</library_geometries>"),
            )
            .replace("url=\"#g\"", "url=\"#h\""),
            "line 13: the vertices are those of another mesh",
        ),
        (new("<p>0 1 2</p>", "<p>0\n1 3</p>"), "line 10: an index names vertex 3; there are 3, from 0"),
        (new("<p>0 1 2</p>", "<p>0 1\n-1</p>"), "line 10: '-1' is not a whole number below 2^32"),
        (
            new("<p>0 1 2</p>", "<p>0 1 4294967296</p>"),
            "line 9: '4294967296' is not a whole number below 2^32",
        ),
        (new("<p>0 1 2</p>", "<p>0 1 2 0</p>"), "line 9: 4 corners do not make whole triangles"),
        (
            new("<triangles count=\"1\"", "<triangles count=\"2\""),
            "line 9: 'triangles' states 2 primitives and has 1",
        ),
        (new("<p>0 1 2</p>", ""), "line 9: 'triangles' states 1 primitives and has 0"),
        (new("offset=\"0\"", "offset=\"1\""), "line 9: the indices do not make whole corners of 2 indices"),
        (
            new("offset=\"0\"", "offset=\"18446744073709551615\""),
            "line 9: the indices do not make whole corners",
        ),
        (new("#g-v", "#other"), "line 9: there is no vertices 'other'"),
        (new("<input semantic=\"VERTEX\" ", "<input "), "line 9: 'input' needs the attribute 'semantic'"),
        (new("VERTEX", "NORMAL"), "line 9: there is no input VERTEX"),
        (primitive(&format!("<triangles>{input}{input}<p/></triangles>")), "line 11: a second input VERTEX"),
        (
            primitive(&format!("<polylist count='1'>{input}<vcount>4</vcount><p>0 1 2</p></polylist>")),
            "line 11: the polygons have 4 corners, but there are 3",
        ),
        (
            primitive(&format!("<polylist count='2'>{input}<vcount>3</vcount><p>0 1 2</p></polylist>")),
            "line 11: 'polylist' states 2 primitives and has 1",
        ),
        (
            primitive(&format!("<polylist>{input}<vcount>-3</vcount><p>0 1 2</p></polylist>")),
            "line 11: '-3' is not a whole number",
        ),
        // Nodes.
        (transform("<matrix>1 2 3</matrix>"), "line 5: 'matrix' has 3 numbers in place of 16"),
        (transform("<scale>1 1 1 1</scale>"), "line 5: 'scale' has 4 numbers in place of 3"),
        (transform("<translate>1 1 inf</translate>"), "line 5: the number 'inf' is not finite"),
        (transform("<rotate>0 0 0 1</rotate>"), "line 5: the axis of the rotation has no direction"),
        (
            transform("<matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 2</matrix>"),
            "line 5: the last row of the matrix is not 0 0 0 1",
        ),
        (
            transform("<skew>1 0 0 1 0 0 1</skew>"),
            "line 5: the transform 'skew' of a node with a geometry is not supported",
        ),
        (
            transform("<scale>1e200 1 1</scale><scale>1e200 1 1</scale>"),
            "part 'n': its transform is not finite",
        ),
        (transform("<instance_node url='#id-n'/>"), "line 5: a node contains itself"),
        (transform("<instance_node/>"), "line 5: 'instance_node' needs the attribute 'url'"),
        (transform("<instance_node url='#none'/>"), "line 5: there is no node 'none'"),
        (transform("<instance_node url='#a' url='#b'/>"), "line 5: the attribute 'url' occurs twice"),
        (transform("<instance_controller url='#none'/>"), "line 5: there is no controller 'none'"),
        (new("url=\"#g\"", "url=\"#h\""), "line 4: there is no geometry 'h'"),
        (new("url=\"#scene\"", "url=\"#none\""), "there is no visual_scene 'none'"),
        (
            new("</library_geometries>", "<geometry id='g'/></library_geometries>"),
            "line 4: two elements have the id 'g': lines 6 and 10",
        ),
        (new(&instance("g"), ""), "the file has no triangle (line 6: geometries without an instance"),
    ] {
        let found = refuse(Dae, &text);
        assert!(found.starts_with("dir/file.x: ") && found.contains(message), "{message}: {found}");
    }
    let mut latin = good.clone().into_bytes();
    latin[good.find("name=\"n\"").unwrap() + 6] = 0xFC;
    assert!(refuse(Dae, latin).starts_with("dir/file.x: line 4: this is not UTF-8: "));
}

#[test]
fn controllers_that_name_each_other_are_refused() {
    let skin =
        |id: &str, source: &str| format!("<controller id='{id}'><skin source='#{source}'/></controller>");
    for (controllers, message) in [
        (skin("a", "b") + &skin("b", "a"), "a controller is its own source"),
        (skin("a", "b") + "<controller id='b'/>", "the controller has neither a skin nor a morph"),
        (skin("a", "none"), "there is no geometry 'none'"),
    ] {
        let library = format!("<library_controllers>{controllers}</library_controllers>");
        let found = refuse(Dae, document(&library, &node("n", "<instance_controller url='#a'/>")));
        assert!(found.contains(message), "{message}: {found}");
    }
}

/// Forty nodes of two instances of the next: 2^40 parts, or none.
#[test]
fn instances_that_double_are_stopped() {
    for (inner, what) in
        [(instance("g"), "more than 500000 nodes and instances"), (String::new(), "more than 500000 nodes")]
    {
        let mut nodes = format!("<node id='n0'>{inner}</node>");
        for i in 1..=40 {
            let instance = format!("<instance_node url='#n{}'/>", i - 1).repeat(2);
            nodes += &format!("<node id='n{i}'>{instance}</node>");
        }
        let library = format!("{}<library_nodes>{nodes}</library_nodes>", geometries(&triangle("g")));
        let text = document(&library, "<instance_node url='#n40'/>");
        let error = bounded("doubling", || with(Limits::new(), &text).unwrap_err());
        assert!(error.is_too_large() && error.text().contains(what), "{error}");
    }
}

#[test]
fn parts_have_a_limit() {
    let nodes = node("n", &instance("g")).replace("id=", "sid=").repeat(3);
    let text = document(&geometries(&triangle("g")), &nodes);
    let error = with(Limits::NONE.with_parts(2), &text).unwrap_err();
    assert!(error.is_too_large() && error.text().contains("more than 2 parts"), "{error}");
    assert_eq!(with(Limits::NONE.with_parts(3), &text).unwrap().parts.len(), 3);
}

/// Two thousand meshes, each of one triangle out of the same fifty thousand points.
#[test]
fn shared_points_are_read_once() {
    let points: Vec<[f64; 3]> = (0..50_000).map(|i| [f64::from(i), f64::from(i % 7), 0.0]).collect();
    let mut all = geometry("g0", &points, &primitives("g0", "triangles", 1, "<p>0 1 2</p>"));
    let mut nodes = instance("g0");
    for i in 1..2000 {
        let id = format!("g{i}");
        let faces = primitives(&id, "triangles", 1, "<p>5 49999 7</p>");
        all += &format!(
            "<geometry id='{id}'><mesh><vertices id='{id}-v'><input semantic='POSITION' source='#g0-p'/>\
             </vertices>{faces}</mesh></geometry>"
        );
        nodes += &instance(&id);
    }
    let text = document(&geometries(&all), &node("n", &nodes));
    let (assembly, bytes, time) = measure(|| with(Limits::new(), &text).unwrap());
    assert_eq!(assembly.parts.len(), 2000);
    assert_eq!(assembly.parts[7].mesh.points(), [points[5], points[7], points[49_999]]);
    assert!(bytes < 100 << 20 && time.as_secs_f64() < 2.0, "{bytes} {time:?}");
    // Sources that each take all of one array count each.
    let array = source("g-p", &points);
    let (array, accessor) = array.split_at(array.find("<technique").unwrap());
    let accessor = accessor.replace("</source>", "");
    let mesh = |i: usize, source: &str| {
        let faces = primitives(&format!("g{i}"), "triangles", 1, "<p>0 1 2</p>");
        format!(
            "<geometry id='g{i}'><mesh>{source}<vertices id='g{i}-v'>\
             <input semantic='POSITION' source='#s{i}'/>\
             </vertices>{faces}</mesh></geometry>"
        )
    };
    let mut all = mesh(0, &(array.replace("\"g-p\"", "\"s0\"") + &accessor + "</source>"));
    all += &(1..2000).map(|i| mesh(i, &format!("<source id='s{i}'>{accessor}</source>"))).collect::<String>();
    let text = document(&geometries(&all), &node("n", &nodes));
    let error = bounded("accessors", || with(Limits::new(), &text).unwrap_err());
    assert!(error.is_too_large() && error.text().contains("more than 5000000 points"), "{}", chain(&error));
}

/// Elements and attributes cost what their length does, and nesting takes no stack.
#[test]
fn depth_and_length_are_linear() {
    let deep = 100_000;
    let nest = |name: &str, inner: &str| {
        format!("{}{inner}{}", format!("<{name}>").repeat(deep), format!("</{name}>").repeat(deep))
    };
    let many: String = (0..60_000).map(|i| format!(" a{i}=''")).collect();
    let small = geometries(&triangle("g"));
    let instances = "<instance_node url='#far'/>".repeat(1000);
    for (text, parts) in [
        (document(&small, &nest("node", &instance("g"))), 1),
        (
            document(
                &small,
                &nest("node name='long name'", &instance("g")).replace("</node name='long name'>", "</node>"),
            ),
            1,
        ),
        (document(&(small.clone() + &nest("asset", "")), &instance("g")), 1),
        (document(&(small.clone() + &nest("extra", "")), &instance("g")), 1),
        (
            document(
                &small.replace("<mesh>", &format!("<mesh{many}>")),
                &instance("g").replace("/>", &format!("{many}/>")),
            ),
            1,
        ),
        (
            document(
                &format!(
                    "{small}<library_nodes><node id='far'{many}>{}</node></library_nodes>",
                    instance("g")
                ),
                &node("n", &instances),
            ),
            1000,
        ),
        (
            document(
                &small.replace("<p>0 1 2</p>", &format!("<p>0 1{}2</p>", " <!---->".repeat(60_000))),
                &instance("g"),
            ),
            1,
        ),
    ] {
        let (result, bytes, time) = measure(|| with(Limits::new(), &text));
        assert_eq!(result.unwrap_or_else(|e| panic!("{}", chain(&e))).parts.len(), parts);
        assert!(bytes < 100 * text.len() && time.as_secs_f64() < 2.0, "{bytes} of {} {time:?}", text.len());
    }
    // Empty elements are the smallest that take memory.
    for name in ["p", "node", "unit", "lines", "x"] {
        let text = document(&small, &(instance("g") + &format!("<{name}/>").repeat(300_000)));
        let (result, bytes, _) = measure(|| with(Limits::new(), &text));
        assert_eq!(result.unwrap().parts.len(), 1);
        assert!(bytes < 100 * text.len(), "{name}: {bytes} of {}", text.len());
    }
}

/// A document that is cut is never read. The test `damage` changes its bytes.
#[test]
fn documents_cut_at_any_byte_are_refused() {
    let text = sample();
    assert!(with(Limits::new(), &text).is_ok());
    for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
        assert!(with(Limits::new(), &text[..at]).is_err(), "{at}");
    }
}
