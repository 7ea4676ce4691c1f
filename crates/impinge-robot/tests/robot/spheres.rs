//! Sphere models: contents of each format, and every error with its place.
use crate::{assert_refused, seed};
use impinge_robot::{Error, FoamLevel, LinkSpheres, SphereFormat, SphereModel, spheres::parse};

fn read(name: &str) -> (String, SphereModel) {
    let text = seed(&format!("spheres/{name}"));
    let model = parse(name, &text).unwrap_or_else(|e| panic!("{name}: {e}"));
    (text, model)
}

/// Names, numbers of spheres, and radii as the text has them.
fn summary((text, model): &(String, SphereModel)) -> Vec<(Option<&str>, usize, Vec<&str>)> {
    let radii = |link: &LinkSpheres| {
        let spheres = link.spheres.iter().map(|sphere| &sphere.radius);
        let all = spheres.chain(link.capsules.iter().map(|capsule| &capsule.radius));
        all.map(|radius| &text[radius.at.clone()]).collect()
    };
    model.links.iter().map(|link| (link.link.as_deref(), link.spheres.len(), radii(link))).collect()
}

fn refuse(name: &str, cases: &[(&str, &str)]) {
    for (text, words) in cases {
        assert_refused(text, |text| -> Result<SphereModel, Error> { parse(name, text) }, words);
    }
}

#[test]
fn curobo() {
    let read = read("curobo.yml");
    assert_eq!(
        summary(&read),
        [
            (Some("hand"), 2, vec!["0.05", "0.010"]),
            (Some("fäden"), 1, vec!["1"]),
            (Some("attached_object"), 0, vec![])
        ]
    );
    assert_eq!(read.1.format, SphereFormat::Curobo);
    assert_eq!(read.1.links[0].spheres[1].center, [1.0, 0.5, -0.002]);
    assert_eq!(read.1.disabled.iter().map(|place| place.line).collect::<Vec<_>>(), [20]);
    // At the top, in kinematics, and as JSON under any name.
    for text in [
        "collision_spheres: {a: [{center: [0, 0, 0], radius: 1}]}",
        "---\nkinematics:\n  collision_spheres:\n    a:\n    - {radius: 1, center: [0, 0, 0]}\n...\n",
        "{\"robot_cfg\": {\n\t\"kinematics\": {\"collision_spheres\": \
         {\"a\": [{\"center\":[0,0,0],\"radius\":1}]}}}}",
    ] {
        for name in ["a.yml", "a", "a.json", "a.conf"] {
            let model = parse(name, text).unwrap_or_else(|e| panic!("{name} {text}: {e}"));
            assert_eq!((model.format, model.links.len()), (SphereFormat::Curobo, 1));
        }
    }
}

#[test]
fn xrdf_chooses_a_geometry() {
    let read = read("arm.xrdf");
    assert_eq!(read.1.format, SphereFormat::Xrdf);
    assert_eq!(summary(&read), [(Some("hand"), 2, vec!["0.1", "0.1"])]);
    let without = read.0.replace("collision:", "other:");
    let error = parse("a.xrdf", &without).unwrap_err();
    assert!(error.text().contains("'coarse', 'fine'"), "{error}");
    let error = parse("a.xrdf", &read.0.replace("\"fine\"", "none")).unwrap_err();
    assert_eq!(error.place().map(|place| place.line), Some(4), "{error}");
}

#[test]
fn foam() {
    let levels = read("levels.json");
    assert_eq!(summary(&levels), [(None, 1, vec!["0.25"]), (None, 2, vec!["0.125", "0.0625"])]);
    assert_eq!(levels.1.links[1].level, Some(FoamLevel { branch: None, depth: 1 }));
    let database = read("database.json");
    assert_eq!(summary(&database), [(Some("hand"), 1, vec!["0.05"]), (Some("hand"), 1, vec!["1.5"])]);
    assert_eq!(database.1.links[0].shape.as_deref(), Some("meshes/hand.stl"));
    assert_eq!(database.1.links[1].level, Some(FoamLevel { branch: Some(4), depth: 1 }));
    let level = parse("a.json", "{\"spheres\": []}").unwrap();
    assert_eq!((level.format, level.links.len()), (SphereFormat::Foam, 1));
}

#[test]
fn urdf_and_srdf() {
    let urdf = read("spherized.urdf");
    assert_eq!(summary(&urdf), [(Some("hand"), 1, vec!["0.05", "0.02"])]);
    assert_eq!(urdf.1.links[0].spheres[0].center, [0.1, 0.2, 0.3]);
    // Turned about x by a quarter: z becomes -y.
    let [a, b] = urdf.1.links[0].capsules[0].ends;
    assert!((a[1] - 1.0).abs() < 1e-15 && (b[1] + 1.0).abs() < 1e-15 && a[0] == 1.0, "{a:?} {b:?}");
    let srdf = read("arm.srdf");
    assert_eq!(
        (srdf.1.format, summary(&srdf)),
        (SphereFormat::Srdf, vec![(Some("hand"), 2, vec!["0.05", "0"])])
    );
}

#[test]
fn lines() {
    for name in ["hand.csv", "hand.txt"] {
        let read = read(name);
        assert_eq!(read.1.format, SphereFormat::Lines);
        assert_eq!(summary(&read)[0].1, 2);
        assert_eq!(read.1.links[0].spheres[1].radius.value, 0.4);
    }
    for text in ["0 0 0 1", "x y z r\n0 0 0 1", "0,0,0,1\n", "\u{feff}# a\n0, 0, 0, 1"] {
        assert_eq!(parse("unknown", text).unwrap_or_else(|e| panic!("{e}")).format, SphereFormat::Lines);
    }
}

#[test]
fn own_format() {
    let read = read("proxy.json");
    assert_eq!(summary(&read), [(Some("hand"), 2, vec!["0.03", "4e-1", "0.02"]), (Some("fäden"), 0, vec![])]);
    assert_eq!(read.1.links[0].capsules[0].ends, [[0.0; 3], [0.0, 0.0, 0.1]]);
}

#[test]
fn errors_of_yaml_have_a_place() {
    refuse(
        "a.yml",
        &[
            ("@", "must be a map"),
            ("@[1]", "must be a map"),
            ("a: 1@", "no 'collision_spheres'"),
            ("collision_spheres: @spheres/franka.yml", "give 'spheres/franka.yml'"),
            ("collision_spheres: @null", "no spheres"),
            ("collision_spheres: @[]", "must be a map"),
            ("collision_spheres: {a: @1}", "must be a list"),
            ("collision_spheres: {a: [@1]}", "must be a map of 'center' and 'radius'"),
            ("collision_spheres: {a: [@{radius: 1}]}", "needs 'center' and 'radius'"),
            ("collision_spheres: {a: [{radius: 1, @diameter: 2}]}", "'diameter' is no part"),
            ("collision_spheres: {a: [{radius: 1, @radius: 2}]}", "a second 'radius'"),
            ("collision_spheres: {a: [], @a: []}", "a second link 'a'"),
            ("collision_spheres: {}\n@collision_spheres: {}", "a second 'collision_spheres'"),
            ("collision_spheres: {}\nkinematics: {@collision_spheres: {}}", "a second 'collision_spheres'"),
            ("collision_spheres: {a: [{radius: @.inf, center: [0, 0, 0]}]}", "not a number"),
            ("collision_spheres: {a: [{radius: @inf, center: [0, 0, 0]}]}", "not finite"),
            ("collision_spheres: {a: [{radius: @\"1\", center: [0, 0, 0]}]}", "quotes"),
            ("collision_spheres: {a: [{radius: @[1], center: [0, 0, 0]}]}", "one number"),
            ("collision_spheres: {a: [{radius@: , center: [0, 0, 0]}]}", "one number"),
            ("collision_spheres: {ä: [{radius: 1, center: [0, @NaN, 0]}]}", "not finite"),
            ("collision_spheres: {a: [{radius: 1, center: [0, 0, 0, @0]}]}", "more than 3"),
            ("collision_spheres: {a: [{radius: 1, center: @0}]}", "must be a list"),
            ("collision_spheres: &x @{a: []}", "anchors"),
            ("b: &x 1\ncollision_spheres: @*x", "aliases"),
            ("b: &x {a: []}\ncollision_spheres: {@<<: *x}", "merge keys"),
            ("collision_spheres: !include @a.yml", "tags"),
            ("collision_spheres: {}\n@---\na: 1", "a second document"),
        ],
    );
    let error = parse("a.yml", "collision_spheres: {a: [}").unwrap_err();
    assert!(error.text().contains("not well-formed YAML") && error.place().is_some(), "{error}");
}

#[test]
fn errors_of_json_have_a_place() {
    refuse(
        "a.json",
        &[
            ("[{\"spheres\": [{\"origin\": [0, 0, 0], \"radius\": @-1}]}]", "negative"),
            ("[{\"spheres\": [{\"origin\": [0, 0, 0], \"radius\": @\"1\"}]}]", "not a number"),
            ("[{\"spheres\": [{\"origin\": [0, 0, 0], \"radius\": @[1]}]}]", "not a number"),
            ("[{\"spheres\": [{\"origin\": [0, 0, 0], \"radius\": @1e999}]}]", "not finite"),
            ("{\"a::b\": {@\"x\": {\"0\": {\"spheres\": []}}}}", "the branch 'x'"),
            ("{@\"format\": \"other\", \"version\": 1, \"links\": {}}", "the format 'other' is unknown"),
            ("{\"format\": \"impinge-proxy\", @\"version\": 2, \"links\": {}}", "version 2"),
        ],
    );
    // Places of the JSON parser are behind what it has read: the line counts.
    for (text, line, words) in [
        (
            "{\"format\": \"impinge-proxy\", \"version\": 1,\n\"links\": {\"a\": {}, \"a\": {}}}",
            2,
            "a second entry 'a'",
        ),
        (
            "{\"format\": \"impinge-proxy\", \"version\": 1,\n\"links\": {\"a\": {\"sphere\": []}}}",
            2,
            "unknown field",
        ),
        (
            "{\"format\": \"impinge-proxy\", \"version\": 1,\n\"links\": \
             {\"a\": {\"spheres\": [[1, 2, 3]]}}}",
            2,
            "length 3",
        ),
        (
            "{\"format\": \"impinge-proxy\", \"version\": 1,\n\"links\": \
             {\"a\": {\"spheres\": [[1, 2e999, 3, 4]]}}}",
            2,
            "range",
        ),
        ("{\"format\": \"impinge-proxy\",\n\"format\": \"a\"}", 2, "duplicate field"),
        ("[\n{\"spheres\": [{\"radius\": NaN}]}]", 2, "expected value"),
        ("[\n{}]", 2, "missing field `spheres`"),
        ("[{\"spheres\": [\n", 2, "EOF"),
        ("{\"a\": [\n1]}", 1, "foam's database"),
    ] {
        let error = parse("a.json", text).unwrap_err();
        assert!(error.text().contains(words), "{error}");
        assert_eq!(error.place().map(|place| place.line), Some(line), "{error}");
    }
    let deep = "[".repeat(100_000);
    assert!(parse("a.json", &deep).is_err() && parse("a.yml", &deep).is_err());
    let deep = "{\"collision_spheres\":".repeat(100_000);
    assert!(parse("a.json", &deep).is_err() && parse("a.yml", &deep).is_err());
}

#[test]
fn errors_of_lines_have_a_place() {
    refuse(
        "a.csv",
        &[
            ("# nothing\n@", "no sphere"),
            ("0,0,0,1\n@0,0,0", "4 numbers, x y z r; this one has 3"),
            ("0,0,0,1\n @0 0 0 1 1", "has 5"),
            ("0,0,0,1\n0,0,0,@-1", "negative"),
            ("0,0,0,1\n0,@,0,1", "'' is not a number"),
            ("0,0,0,1\n0,@inf,0,1", "not finite"),
            ("0,0,0,1\n@x,y,z,r", "'x' is not a number"),
            ("@r,x,y,z\n0,0,0,1", "must be x, y, z and r"),
        ],
    );
}

#[test]
fn errors_of_the_format_have_a_place() {
    refuse("a", &[("@", "no sphere model"), ("  @hello", "no sphere model")]);
    refuse(
        "a.urdf",
        &[
            ("@<robot><link name='a'/></robot>", "no link of this URDF"),
            (
                "<robot><link name='a'>@<collision><geometry><box size='1 1 1'/></geometry></collision>\
                 </link></robot>",
                "this collision of 'a' is no sphere",
            ),
        ],
    );
    refuse("a.srdf", &[("@<robot/>", "no 'link_sphere_approximation'")]);
}
