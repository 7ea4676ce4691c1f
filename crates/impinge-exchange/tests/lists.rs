//! Clash lists of three programs about one assembly, and lists that people made.
use impinge::{Mesh, Pose, relation::RelationKind};
use impinge_check::{Assembly, Check, Date, Part, Rules, Watch};
use impinge_exchange::{ClashList, Judgement, ListFormat, Verdict, parse};
use std::{
    fs,
    io::{Cursor, Write},
    path::{Path, PathBuf},
    sync::Arc,
};
use zip::{ZipWriter, write::SimpleFileOptions};

/// Unit cubes at these places along x: 0 and 1 overlap, 1 and 2 touch, 3 is apart, 4 and 5 are one element,
/// and 5 overlaps 3.
const CUBES: [(&str, f64); 6] = [
    ("0aaaaaaaaaaaaaaaaaaaa0", 0.0),
    ("0aaaaaaaaaaaaaaaaaaaa1", 0.5),
    ("0aaaaaaaaaaaaaaaaaaaa2", 1.5),
    ("0aaaaaaaaaaaaaaaaaaaa3", 4.0),
    ("0aaaaaaaaaaaaaaaaaaaa4", 9.0),
    ("0aaaaaaaaaaaaaaaaaaaa4", 4.75),
];

fn assembly() -> Arc<Assembly> {
    let cube = Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
    let mut assembly = Assembly::new();
    for (i, (guid, x)) in CUBES.into_iter().enumerate() {
        let pose = Pose::from_translation([x, 0.0, 0.0]).unwrap();
        let part = Part::new(format!("cube {i}"), Path::new("row.ifc"), cube.clone(), pose);
        assembly.push(part.with_guid(guid).with_property("Tag", format!("tag-{i}").as_str()));
    }
    Arc::new(assembly)
}

fn id(i: usize) -> &'static str {
    CUBES[i].0
}

/// The pairs of each list, and their verdicts.
const PAIRS: [([usize; 2], Verdict); 4] = [
    ([0, 1], Verdict::Overlap),
    ([2, 1], Verdict::Touch),
    ([0, 3], Verdict::Apart),
    ([3, 4], Verdict::Overlap),
];

fn json() -> Vec<u8> {
    let clash = |[a, b]: [usize; 2]| {
        format!(
            r#""{a}-{b}": {{"a_global_id": "{}", "b_global_id": "{}", "a_ifc_class": "IfcWall", "b_ifc_class": "IfcPipe",
                "a_name": "x", "b_name": "y", "type": "pierce", "p1": [0, 0, 0], "p2": [0, 0, 0], "distance": -0.25}}"#,
            id(a),
            id(b)
        )
    };
    let clashes: Vec<String> = PAIRS.iter().map(|(pair, _)| clash(*pair)).collect();
    let absent = r#""z": {"a_global_id": "3zzzzzzzzzzzzzzzzzzzzz", "b_global_id": "0aaaaaaaaaaaaaaaaaaaa1"}"#;
    format!(
        r#"[{{"name": "never run", "a": [], "b": []}},
            {{"name": "all", "mode": "intersection", "a": [{{"file": "row.ifc"}}], "clashes": {{{}, {absent}}}}}]"#,
        clashes.join(",\n")
    )
    .into_bytes()
}

fn xml() -> Vec<u8> {
    // Cubes 0 and 4 are named by a tag, the others by a GlobalId.
    let object = |i: usize| match i {
        0 | 4 => format!(
            "<smarttag><name>Element Tag</name><value>{}</value></smarttag>",
            if i == 4 { "tag-5" } else { "tag-0" }
        ),
        _ => format!("<objectattribute><name>GlobalId</name><value>{}</value></objectattribute>", id(i)),
    };
    let results: String = PAIRS
        .iter()
        .enumerate()
        .map(|(k, ([a, b], _))| {
            format!(
                "<clashresult name=\"Clash{k} &amp; &lt;b&gt;\" guid=\"g{k}\" status=\"new\" distance=\"-0.25\"><clashpoint>\
                 <pos3f x=\"1\" y=\"2\" z=\"3\"/></clashpoint><clashobjects><clashobject><layer>L</layer><pathlink><node>row.nwd\
                 </node><node>cube</node></pathlink>{}</clashobject><clashobject>{}</clashobject></clashobjects></clashresult>",
                object(*a),
                object(*b)
            )
        })
        .collect();
    let absent = "<clashresult name=\"gone\"><clashobject><smarttag><name>Item ID</name><value>none</value></smarttag>\
                  </clashobject><clashobject><smarttag><name>Item ID</name><value>tag-1</value></smarttag></clashobject>\
                  </clashresult>";
    format!(
        "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<exchange units=\"m\" filename=\"f\"><batchtest name=\"Report\"><clashtests>\
         <clashtest name=\"all\" test_type=\"hard\" tolerance=\"0.01\"><clashresults>{results}{absent}</clashresults></clashtest>\
         </clashtests></batchtest></exchange>"
    )
    .into_bytes()
}

/// BCF with the shape of a version: 1 lists components, 2 selects by an attribute, 3 by an element.
fn bcf(version: u32) -> Vec<u8> {
    let mut package = ZipWriter::new(Cursor::new(Vec::new()));
    let mut file = |name: String, text: String| {
        package.start_file(name, SimpleFileOptions::default()).unwrap();
        package.write_all(text.as_bytes()).unwrap();
    };
    let gone = "3zzzzzzzzzzzzzzzzzzzzz";
    let of = |pair: [usize; 2]| pair.map(id);
    let all = PAIRS.iter().map(|(pair, _)| of(*pair)).chain([[gone, id(1)]]);
    for (k, ids) in all.enumerate() {
        let markup = match version {
            1 => format!(
                "<Markup><Topic Guid=\"t{k}\"><Title/></Topic><Comment><VerbalStatus>Open</VerbalStatus><Status>Error</Status>\
                 <Comment>Clash{k}\nmore</Comment></Comment></Markup>"
            ),
            _ => format!(
                "<Markup><Topic Guid=\"t{k}\" TopicType=\"Clash\" TopicStatus=\"Open\"><Title>Clash{k}</Title></Topic></Markup>"
            ),
        };
        file(format!("t{k}/markup.bcf"), markup);
        let components: String = match version {
            1 => ids.iter().map(|id| format!("<Component IfcGuid=\"{id}\"/>")).collect(),
            2 => {
                let selected =
                    ids.iter().map(|id| format!("<Component IfcGuid=\"{id}\" Selected=\"true\"/>"));
                selected.chain([format!("<Component IfcGuid=\"{}\" Visible=\"true\"/>", id(2))]).collect()
            }
            _ => {
                let selected: String =
                    ids.iter().map(|id| format!("<Component IfcGuid=\"{id}\"/>")).collect();
                let other = format!("<Component IfcGuid=\"{}\"/>", id(2));
                format!(
                    "<Selection>{selected}</Selection><Visibility DefaultVisibility=\"true\"><Exceptions>{other}</Exceptions>\
                     </Visibility><Coloring><Color Color=\"FF0000\">{other}</Color></Coloring>"
                )
            }
        };
        file(
            format!("t{k}/viewpoint.bcfv"),
            format!("<VisualizationInfo><Components>{components}</Components></VisualizationInfo>"),
        );
        file(format!("t{k}/snapshot.png"), "no picture".to_owned());
    }
    package.finish().unwrap().into_inner()
}

fn judge(list: &ClashList) -> Judgement {
    Judgement::new(list, &assembly(), &Check::new(), None, &Watch::new()).unwrap()
}

#[test]
fn every_format_gives_the_same_verdicts() {
    for (bytes, format, word) in [
        (json(), ListFormat::IfcClash, Some("pierce")),
        (xml(), ListFormat::Navisworks, Some("hard")),
        (bcf(1), ListFormat::Bcf, None),
        (bcf(2), ListFormat::Bcf, Some("Clash")),
        (bcf(3), ListFormat::Bcf, Some("Clash")),
    ] {
        let list = parse(&bytes, "list").unwrap();
        assert_eq!((list.format, list.entries.len()), (format, PAIRS.len() + 1));
        assert_eq!(list.entries[0].word.as_deref(), word);
        let judgement = judge(&list);
        let verdicts: Vec<Verdict> = judgement.entries.iter().map(|entry| entry.verdict).collect();
        let expected: Vec<Verdict> =
            PAIRS.iter().map(|(_, verdict)| *verdict).chain([Verdict::Unknown]).collect();
        assert_eq!(verdicts, expected, "{format:?}");
        let [overlap, touch, apart, split, gone] = &judgement.entries[..] else { panic!() };
        assert_eq!((overlap.pairs[0].parts, overlap.pairs[0].relation), ([0, 1], RelationKind::Overlap));
        assert!(overlap.pairs[0].volume.is_some_and(|[lo, hi]| lo <= 0.5 && 0.5 <= hi && hi - lo < 1e-12));
        assert_eq!((touch.pairs[0].parts, touch.pairs[0].distance), ([1, 2], None));
        let [lo, hi] = apart.pairs[0].distance.unwrap();
        assert!(lo <= 3.0 && 3.0 <= hi && hi - lo < 1e-9);
        // An element has two parts, unless a tag names one of them: the gravest pair counts.
        assert_eq!(split.pairs[0].parts, [3, 5]);
        assert_eq!(split.pairs.len(), if format == ListFormat::Navisworks { 1 } else { 2 });
        assert_eq!((&*gone.absent, gone.pairs.len()), (&[0][..], 0));
        assert!(gone.reason.is_some() && judgement.missing.is_empty() && !judgement.agrees());
    }
    let names: Vec<String> =
        parse(&xml(), "list").unwrap().entries.iter().map(|entry| entry.name.clone()).collect();
    assert_eq!(names[1], "Clash1 & <b>");
    assert_eq!(parse(&bcf(1), "list").unwrap().entries[2].name, "Clash2");
}

/// The verdicts and reasons of a list about an assembly.
fn verdicts(list: &[u8], assembly: &Arc<Assembly>) -> Vec<(Verdict, Option<&'static str>)> {
    let list = parse(list, "list").unwrap();
    let judgement = Judgement::new(&list, assembly, &Check::new(), None, &Watch::new()).unwrap();
    judgement.entries.iter().map(|entry| (entry.verdict, entry.reason)).collect()
}

/// Pipes with different element ids, and a common fluid and type: 0 and 1 overlap, 2 is far away.
#[test]
fn shared_attributes_are_no_identifiers() {
    let cube = Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
    let guids = ["0aaaaaaaaaaaaaaaaaaaa0", "0aaaaaaaaaaaaaaaaaaaa1", "0aaaaaaaaaaaaaaaaaaaa2"];
    for with_guids in [false, true] {
        let mut assembly = Assembly::new();
        for (i, x) in [0.0, 0.5, 9.0].into_iter().enumerate() {
            let pose = Pose::from_translation([x, 0.0, 0.0]).unwrap();
            let mut part = Part::new(format!("pipe {i}"), Path::new("pipes.ifc"), cube.clone(), pose)
                .with_property("Element ID", format!("{}", 500 + i).as_str());
            for (name, value) in [("Fluid", "Water"), ("Type Id", "77"), ("Grid", "A"), ("Batch Tag", "b")] {
                part = part.with_property(name, value);
            }
            assembly.push(if with_guids { part.with_guid(guids[i]) } else { part });
        }
        let object = |id: &str| {
            let attributes = [("Fluid", "Water"), ("Type Id", "77"), ("Grid", "A"), ("Element ID", id)];
            let attributes: String = attributes
                .into_iter()
                .chain(with_guids.then_some(("Batch Tag", "b")))
                .map(|(name, value)| {
                    format!("<objectattribute><name>{name}</name><value>{value}</value></objectattribute>")
                })
                .collect();
            format!("<clashobject>{attributes}</clashobject>")
        };
        let results: String = [["998", "999"], ["500", "502"], ["501", "500"]]
            .map(|[a, b]| format!("<clashresult>{}{}</clashresult>", object(a), object(b)))
            .concat();
        let list = format!("<exchange>{results}</exchange>");
        let expected =
            [(Verdict::Unknown, Some("not in the models")), (Verdict::Apart, None), (Verdict::Overlap, None)];
        assert_eq!(verdicts(list.as_bytes(), &Arc::new(assembly)), expected, "{with_guids}");
    }
}

/// Squares of open surfaces: in one plane with a common edge and a common corner, at a right angle with an
/// edge on the other, crossing it inside of triangles and along its diagonal, and lying on it.
#[test]
fn open_surfaces_that_end_where_they_meet_touch() {
    let square = |corner: [f64; 3], u: [f64; 3], v: [f64; 3]| {
        let at = |s: f64, t: f64| [0, 1, 2].map(|k| corner[k] + s * u[k] + t * v[k]);
        let points = vec![at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
        // One triangle has both sides, as in exported sheets.
        Arc::new(Mesh::new(points, vec![[0, 1, 2], [0, 2, 3], [2, 1, 0]]).unwrap())
    };
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    let base = square([0.0; 3], x, y);
    for (other, verdict) in [
        (square([1.0, 0.0, 0.0], x, y), Verdict::Touch),
        (square([1.0, 0.5, 0.0], x, z), Verdict::Touch),
        (square([1.0, 1.0, 0.0], x, y), Verdict::Touch),
        (square([0.25, 0.25, 0.0], [0.5, 0.25, 0.0], z), Verdict::Touch),
        (square([0.25, 0.5, -0.5], x, z), Verdict::Overlap),
        // Along the diagonals of both.
        (square([0.0; 3], [0.5, 0.5, 1.0], [0.5, 0.5, -1.0]), Verdict::Overlap),
        (square([0.0, 0.0, -1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 2.0]), Verdict::Overlap),
        (square([0.5, 0.5, 0.0], x, y), Verdict::Overlap),
        (square([0.0; 3], x, y), Verdict::Overlap),
        (square([0.0, 0.0, 2.0], x, y), Verdict::Apart),
    ] {
        let mut assembly = Assembly::new();
        for (guid, mesh) in [(id(0), &base), (id(1), &other)] {
            assembly.push(
                Part::new("sheet".to_owned(), Path::new("s.ifc"), mesh.clone(), Pose::IDENTITY)
                    .with_guid(guid),
            );
        }
        let list = format!(r#"{{"clashes": [{{"a_global_id": "{}", "b_global_id": "{}"}}]}}"#, id(0), id(1));
        assert_eq!(verdicts(list.as_bytes(), &Arc::new(assembly)), [(verdict, None)], "{:?}", other.points());
    }
}

#[test]
fn an_entry_may_name_one_element_twice() {
    // The last one has two parts, which are no pair.
    for i in [2, 4] {
        let list = format!(r#"{{"clashes": [{{"a_global_id": "{0}", "b_global_id": "{0}"}}]}}"#, id(i));
        let expected = [(Verdict::Unknown, Some("names one element twice"))];
        assert_eq!(verdicts(list.as_bytes(), &assembly()), expected);
    }
}

/// Components without a GlobalId have a file and the identifier of their program.
#[test]
fn components_without_a_global_id_are_found_by_file_and_path() {
    let cube = Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
    let mut assembly = Assembly::new();
    for (file, x) in [("a.obj", 0.0), ("b.obj", 0.5), ("b.obj", 9.0)] {
        let pose = Pose::from_translation([x, 0.0, 0.0]).unwrap();
        let name = if x > 5.0 { "far" } else { "cube" };
        assembly.push(Part::new(name.to_owned(), Path::new(file), cube.clone(), pose));
    }
    let assembly = Arc::new(assembly);
    let component = |[file, id]: [&str; 2]| {
        format!(
            "<Component><OriginatingSystem>{file}</OriginatingSystem><AuthoringToolId>{id}</AuthoringToolId></Component>"
        )
    };
    for (pair, expected) in [
        ([["a.obj", "cube"], ["b.obj", "cube"]], (Verdict::Overlap, None)),
        ([["a.obj", "cube"], ["b.obj", "far"]], (Verdict::Apart, None)),
        ([["a.obj", "cube"], ["b.obj", "gone"]], (Verdict::Unknown, Some("not in the models"))),
        ([["Tekla", "far"], ["b.obj", "cube"]], (Verdict::Apart, None)),
    ] {
        let mut package = ZipWriter::new(Cursor::new(Vec::new()));
        let view = format!(
            "<VisualizationInfo><Components><Selection>{}</Selection></Components></VisualizationInfo>",
            pair.map(component).concat()
        );
        for (name, text) in
            [("t/markup.bcf", "<Markup><Topic><Title>t</Title></Topic></Markup>"), ("t/v.bcfv", &view)]
        {
            package.start_file(name, SimpleFileOptions::default()).unwrap();
            package.write_all(text.as_bytes()).unwrap();
        }
        let list = package.finish().unwrap().into_inner();
        assert_eq!(verdicts(&list, &assembly), [expected], "{pair:?}");
    }
}

#[test]
fn what_no_entry_names_is_missing() {
    let mut list = parse(&json(), "list").unwrap();
    list.entries.remove(0);
    let judgement = judge(&list);
    let missing: Vec<_> = judgement
        .missing
        .iter()
        .map(|one| judgement.report.findings()[one.finding as usize].parts().to_vec())
        .collect();
    assert_eq!(missing, [[0, 1]]);
    // With rules, only their findings can be missing; entries are judged without rules.
    let rules =
        Rules::parse("r", "version = 1\n[[ignore]]\nreason = \"r\"\na = { name = \"cube 0\" }").unwrap();
    let rules = Some((Arc::new(rules), Date::from_days(0)));
    let judgement = Judgement::new(&list, &assembly(), &Check::new(), rules, &Watch::new()).unwrap();
    assert!(judgement.missing.is_empty());
    assert_eq!(judgement.entries[1].verdict, Verdict::Apart);
    list.entries.retain(|entry| entry.name.ends_with('4'));
    assert!(
        Judgement::new(&list, &assembly(), &Check::new(), None, &Watch::new()).unwrap().missing.len() == 1
    );
}

#[test]
fn broken_lists_give_one_error() {
    for (text, why) in [
        ("", "list: is no clash list"),
        ("hello", "list: is no clash list"),
        ("[", "list: as JSON of ifcclash: "),
        ("{}", "list: as JSON of ifcclash: no clash set has 'clashes'"),
        ("[{\"clashes\": 5}]", "line 1 column 14"),
        ("[{\"clashes\": {\"a\": {\"a_global_id\": \"x\"}}}]", "missing field `b_global_id`"),
        ("<a/>", "list: is no report of Navisworks"),
        ("<exchange>", "list: byte 10: the file ends too early"),
        ("<exchange></b>", "no well-formed XML"),
        ("<exchange>&nothing;</exchange>", "an unknown entity 'nothing'"),
        ("PK\u{3}\u{4}", "list: as a BCF package: "),
    ] {
        let error = parse(text.as_bytes(), "list").expect_err(text).to_string();
        assert!(error.contains(why) && !error.contains('\n'), "{error}\nexpected {why}");
    }
    let deep = "<exchange>".to_owned() + &"<a>".repeat(100_000);
    assert!(parse(deep.as_bytes(), "list").unwrap_err().to_string().contains("more than 200 deep"));
    // Every prefix, and every change of a byte: a list or an error, never a panic.
    for whole in [json(), xml(), bcf(2)] {
        for end in 0..whole.len() {
            let _ = parse(&whole[..end], "list");
        }
        for i in 0..whole.len() {
            let mut bytes = whole.clone();
            for byte in [0, b'<', b'"', b'}', 0xFF] {
                bytes[i] = byte;
                if let Err(error) = parse(&bytes, "list") {
                    assert!(error.to_string().len() < 1000);
                }
            }
        }
    }
    // A package that unpacks to far more than its size.
    let mut package = ZipWriter::new(Cursor::new(Vec::new()));
    package.start_file("t/markup.bcf", SimpleFileOptions::default()).unwrap();
    for _ in 0..80 {
        package.write_all(&[b' '; 1 << 20]).unwrap();
    }
    let bomb = package.finish().unwrap().into_inner();
    assert!(parse(&bomb, "list").unwrap_err().to_string().contains("unpacks to more than"));
}

#[test]
fn lists_that_people_made_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/bcf/made-by-people");
    if !folder.exists() {
        let in_ci = std::env::var_os("CI").is_some_and(|ci| !ci.is_empty());
        assert!(!(in_ci && folder.join("../..").exists()), "there is no {}", folder.display());
        let _ = writeln!(std::io::stderr().lock(), "SKIPPED: there is no {}", folder.display());
        return;
    }
    let mut files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut entries, mut elements, mut titled) = (0, 0, 0);
    for file in &files {
        let list = parse(&fs::read(file).unwrap(), "list")
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        entries += list.entries.len();
        elements += list.entries.iter().map(|entry| entry.elements.len()).sum::<usize>();
        titled += list.entries.iter().filter(|entry| entry.name == "Opmerking").count();
        assert!(list.entries.iter().all(|entry| entry.status.is_some()), "{}", file.display());
    }
    // Files markup.bcf, counted with unzip and grep.
    assert_eq!((files.len(), entries), (18, 67));
    // Tekla BIMsight's word for a remark. One topic has no title: its name is its first comment.
    assert_eq!(titled, 66);
    assert!(elements > 1000, "{elements}");
}
