//! `impinge proxy`: robots, sphere models and meshes, every output, repairs, errors.
use crate::common::{Folder, error, json, run, stdout, words};
use serde_json::Value;
use std::{ffi::OsStr, fs, path::PathBuf};

const SCHEMA: &str = include_str!("../../schema/proxy.schema.json");

/// A box of 2 by 1 by 1 in two balls, a ball in itself, a cylinder in a longer one, a link without collision
/// geometry, and one with nothing. `radius` is that of the two balls.
fn robot(radius: f64) -> String {
    let body = |kind: &str, xyz: &str, shape: &str| {
        format!("<{kind}><origin xyz=\"{xyz}\"/><geometry>{shape}</geometry></{kind}>\n")
    };
    let ball = format!("<sphere radius=\"{radius}\"/>");
    let links = [
        (
            "arm",
            body("visual", "0 0 0", "<box size=\"2 1 1\"/>")
                + &body("collision", "-0.5 0 0", &ball)
                + &body("collision", "0.5 0 0", &ball),
        ),
        (
            "ball",
            body("visual", "1 2 3", "<sphere radius=\"0.25\"/>")
                + &body("collision", "1 2 3", "<sphere radius=\"0.25\"/>"),
        ),
        (
            "rod",
            body("visual", "0 0 0", "<cylinder radius=\"0.1\" length=\"1\"/>")
                + &body("collision", "0 0 0", "<cylinder radius=\"0.125\" length=\"1.25\"/>"),
        ),
        ("bare", body("visual", "0 0 0", "<box size=\"1 1 1\"/>")),
        ("frame", String::new()),
    ];
    let mut text = "<robot name=\"r\">\n".to_owned();
    for (name, inside) in &links {
        text += &format!("<link name=\"{name}\">\n{inside}</link>\n");
    }
    for (name, _) in &links[1..] {
        text += &format!(
            "<joint name=\"to_{name}\" type=\"fixed\"><parent link=\"arm\"/><child link=\"{name}\"/>\
             <origin xyz=\"10 0 0\"/></joint>\n"
        );
    }
    text + "</robot>\n"
}

/// The names of an object are those that a part of the schema requires, and no others.
fn assert_named(value: &Value, schema: &Value) {
    let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let mut required: Vec<String> =
        schema["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().into()).collect();
    required.sort();
    assert_eq!(names(value), required);
    assert_eq!(names(&schema["properties"]), required);
}

fn link<'a>(report: &'a Value, name: &str) -> &'a Value {
    let links = report["links"].as_array().unwrap();
    links.iter().find(|link| link["link"] == name).unwrap_or_else(|| panic!("{name}: {report}"))
}

#[test]
fn a_robot_against_its_own_collision_geometry() {
    let folder = Folder::new();
    let urdf = folder.file("r.urdf", robot(0.8));
    let report = json(1, &[&"proxy", &"check", &urdf, &"--format", &"json"]);
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    assert_named(&report, &schema);
    report["links"].as_array().unwrap().iter().for_each(|link| assert_named(link, &schema["$defs"]["link"]));
    let arm = link(&report, "arm");
    assert_eq!((&arm["covered"], &arm["verdict"]), (&Value::from(false), &Value::from("no")));
    // The box's corners: 3^0.5 / 2 from the centres.
    let depth = 0.75_f64.sqrt() - 0.8;
    let bounds = [0, 1].map(|k| arm["uncovered"][k].as_f64().unwrap());
    assert!(bounds[0] <= depth && depth <= bounds[1] && bounds[1] <= 1.002 * bounds[0], "{arm}");
    assert_eq!([0, 1, 2].map(|k| arm["at"][k].as_f64().unwrap().abs()), [1.0, 0.5, 0.5]);
    // The least and the greatest volume of the box, and of the balls.
    let volume = [0, 1].map(|k| arm["part_volume"][k].as_f64().unwrap());
    assert!(volume[0] <= 2.0 && 2.0 <= volume[1], "{arm}");
    let excess = [0, 1].map(|k| arm["excess"][k].as_f64().unwrap());
    assert!(excess[0] <= 0.3 && 0.3 <= excess[1] && excess[1] < 0.304, "{arm}");
    for name in ["ball", "rod"] {
        assert_eq!(link(&report, name)["covered"], true, "{name}: {report}");
    }
    let bare = link(&report, "bare");
    assert_eq!((&bare["covered"], &bare["shapes"]), (&Value::from(false), &Value::from(0)));
    assert!(bare["uncovered"][0].is_null() && report["unit"] == "m" && report["covered"] == false);
    assert_eq!(report["links_without_part"][0], "frame");

    let text = stdout(1, &[&"proxy", &"check", &urdf]);
    assert!(text.lines().take(6).all(|line| line.chars().count() <= 79), "{text}");
    let said = words(&text);
    assert!(
        said.contains("2 of 4 links not covered. arm sticks out by 66.03 mm. 1 link has no shape."),
        "{said}"
    );
    assert!(said.contains("1 link has nothing to cover."), "{said}");
    // One link, and a tolerance above the depth.
    let said = words(&stdout(0, &[&"proxy", &"check", &urdf, &"--link", &"arm", &"--tolerance", &"67mm"]));
    assert!(said.contains("arm nearly 66.03") && said.contains("sticks out by at most 67.00 mm"), "{said}");
    stdout(0, &[&"proxy", &"check", &urdf, &"--link", &"rod", &"--margin", &"24mm"]);
    stdout(1, &[&"proxy", &"check", &urdf, &"--link", &"rod", &"--margin", &"26mm"]);
}

#[test]
fn shapes_of_links_that_are_fixed_to_each_other() {
    let folder = Folder::new();
    let text = robot(0.9).replace(
        "<link name=\"frame\">\n",
        "<link name=\"frame\">\n<collision><geometry><box size=\"1 1 1\"/></geometry></collision>\n",
    );
    let urdf = folder.file("r.urdf", text);
    let report = json(1, &[&"proxy", &"check", &urdf, &"--format", &"json"]);
    assert_eq!(link(&report, "bare")["covered"], false);
    // The box of `frame` is where that of `bare` is.
    let report = json(0, &[&"proxy", &"check", &urdf, &"--against", &"robot", &"--format", &"json"]);
    assert!(report["covered"] == true && link(&report, "bare")["shapes"] == 5, "{report}");
}

/// The same box and balls as a mesh and a sphere model in each format.
#[test]
fn a_mesh_and_sphere_models() {
    let folder = Folder::new();
    let mesh = folder.file(
        "box.obj",
        "v -1 -.5 -.5\nv 1 -.5 -.5\nv 1 .5 -.5\nv -1 .5 -.5\nv -1 -.5 .5\nv 1 -.5 .5\nv 1 .5 .5\nv -1 .5 .5\n\
         f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
    );
    let models = |radius: &str| -> Vec<PathBuf> {
        let balls = [-0.5, 0.5];
        let lines: String = balls.iter().map(|x| format!("{x},0,0,{radius}\n")).collect();
        let yaml: String =
            balls.iter().map(|x| format!("    - center: [{x}, 0, 0]\n      radius: {radius}\n")).collect();
        let xml: String =
            balls.iter().map(|x| format!("<sphere center=\"{x} 0 0\" radius=\"{radius}\"/>")).collect();
        let own = format!(
            "{{\"format\": \"impinge-proxy\", \"version\": 1, \"links\": {{\"arm\": {{\"capsules\": \
             [[-0.5, 0, 0, 0.5, 0, 0, {radius}]]}}}}}}"
        );
        vec![
            folder.file("s.csv", lines),
            folder.file("s.yml", format!("collision_spheres:\n  arm:\n{yaml}")),
            folder.file(
                "s.srdf",
                format!(
                    "<robot name=\"r\"><link_sphere_approximation link=\"arm\">{xml}\
                     </link_sphere_approximation></robot>"
                ),
            ),
            folder.file("s.json", own),
        ]
    };
    for (radius, status) in [("0.8", 1), ("0.8661", 0)] {
        for model in models(radius) {
            let report = json(status, &[&"proxy", &"check", &mesh, &model, &"--format", &"json"]);
            assert_eq!(report["covered"], status == 0, "{}: {report}", model.display());
            assert!(report["unit"].is_null() && report["links"][0]["link"] == "box.obj");
        }
    }
    // A repair keeps the format and covers; digits of other numbers stay.
    for model in models("0.80") {
        let name = model.file_name().unwrap().to_string_lossy().into_owned();
        let fixed = folder.path(&format!("fixed-{name}"));
        let said = words(&stdout(0, &[&"proxy", &"fix", &mesh, &model, &"-o", &fixed]));
        assert!(said.contains("covered now, proved for every point"), "{name}: {said}");
        let report = json(0, &[&"proxy", &"check", &mesh, &fixed, &"--format", &"json"]);
        assert_eq!(report["covered"], true, "{name}");
        let [before, after] = [&model, &fixed].map(|path| fs::read_to_string(path).unwrap());
        let radius = after.split("0.86").nth(1).unwrap().split(|c: char| !c.is_ascii_digit()).next().unwrap();
        assert_eq!(after.replace(&format!("0.86{radius}"), "0.80"), before, "{name}");
        // The growth is the least one, to a thousandth and few digits.
        let radius: f64 = format!("0.86{radius}").parse().unwrap();
        let least = 0.75_f64.sqrt();
        assert!(least <= radius && radius <= least + 2.1e-3 * (least - 0.8), "{name}: {radius}");
    }
    // A mesh stands for a mesh: itself, exactly, and a smaller one.
    stdout(0, &[&"proxy", &"check", &mesh, &mesh]);
    let smaller = fs::read_to_string(&mesh).unwrap().replace(".5", ".4375");
    let smaller = folder.file("smaller.obj", smaller);
    let report = json(1, &[&"proxy", &"check", &mesh, &smaller, &"--format", &"json"]);
    let depth = [0, 1].map(|k| report["links"][0]["uncovered"][k].as_f64().unwrap());
    let exact = 2.0_f64.sqrt() * 0.0625;
    assert!(depth[0] <= exact && exact <= depth[1] && depth[1] < 1.002 * depth[0], "{depth:?} {exact}");
}

#[test]
fn a_repair_of_a_robot_leaves_what_radii_cannot_cover() {
    let folder = Folder::new();
    let urdf = folder.file("r.urdf", robot(0.8));
    let fixed = folder.path("fixed.urdf");
    let said = words(&stdout(1, &[&"proxy", &"fix", &urdf, &"-o", &fixed]));
    assert!(said.contains("arm 2 66.0") && said.contains("1 link is not covered"), "{said}");
    stdout(0, &[&"proxy", &"check", &fixed, &"--link", &"arm", &"--link", &"rod", &"--link", &"ball"]);
    let [before, after] = [&urdf, &fixed].map(|path| fs::read_to_string(path).unwrap());
    let changed = before.lines().zip(after.lines()).filter(|(a, b)| a != b).count();
    assert_eq!((changed, before.lines().count()), (2, after.lines().count()));
    // A cylinder whose ends are too near: its radius stays.
    let short = robot(0.9).replace("length=\"1.25\"", "length=\"0.5\"");
    let urdf = folder.file("short.urdf", &short);
    let said = words(&stdout(1, &[&"proxy", &"fix", &urdf, &"--link", &"rod", &"-o", &fixed]));
    assert!(said.contains("rod 1 no"), "{said}");
    assert_eq!(fs::read_to_string(&fixed).unwrap(), short);
}

#[test]
fn tables_pages_and_pictures() {
    let folder = Folder::new();
    let urdf = folder.file("r.urdf", robot(0.8));
    let [page, picture, table] = ["p.html", "p.png", "p.csv"].map(|name| folder.path(name));
    for file in [&page, &picture, &table] {
        let said = words(&stdout(1, &[&"proxy", &"check", &urdf, &"-o", file]));
        assert!(said.contains("2 of 4 links not covered.") && said.contains("Written to"), "{said}");
    }
    let page = fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.matches("<img ").count() == 2, "{page:.2000}");
    assert!(page.contains("uncovered by 66.03 mm") && page.contains("default-src 'none'"));
    assert!(fs::read(picture).unwrap().starts_with(b"\x89PNG"));
    let rows = fs::read_to_string(table).unwrap();
    assert!(rows.starts_with("link,covered,uncovered_lo,") && rows.lines().count() == 5, "{rows}");
}

#[test]
fn errors_name_the_file_and_say_what_to_do() {
    let folder = Folder::new();
    let urdf = folder.file("r.urdf", robot(0.8));
    let mesh = folder.file("t.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    let model = folder.file("s.yml", "collision_spheres: {a: [{center: [0, 0, 0], radius: 1}], b: []}");
    let missing = folder.file(
        "m.urdf",
        "<robot name=\"r\"><link name=\"a\"><visual><geometry><mesh filename=\"no.stl\"/></geometry></visual>\
         </link></robot>",
    );
    let cases: [(&[&dyn AsRef<OsStr>], &str); 8] = [
        (&[&mesh], "t.off: a mesh needs a second file, the PROXY"),
        (&[&urdf, &"--link", &"no"], "--link no: the robot has no link of this name"),
        (&[&mesh, &model], "several links; name one by --link: a, b"),
        (&[&model], "a sphere model is no part"),
        (&[&missing], "the mesh 'no.stl' is not found"),
        (&[&urdf, &"--margin", &"0"], "--margin 0: give a positive length"),
        (&[&mesh, &mesh, &"--margin", &"5mm"], "--margin 5mm: the unit of the file is unknown"),
        (&[&urdf, &"-o", &"p.xlsx"], "no result is written as .xlsx"),
    ];
    for (words, expected) in cases {
        let all: Vec<&dyn AsRef<OsStr>> =
            [&"proxy" as &dyn AsRef<OsStr>, &"check"].into_iter().chain(words.iter().copied()).collect();
        let message = error(&all);
        assert!(message.contains(expected), "{expected}: {message}");
    }
    // Nothing is written over an input, and a mesh has no radii.
    assert!(error(&[&"proxy", &"fix", &urdf, &"-o", &urdf]).contains("r.urdf"));
    let out = folder.path("out.off");
    assert!(error(&[&"proxy", &"fix", &mesh, &mesh, &"-o", &out]).contains("no radii"));
    assert!(!out.exists());
    run(2, &[&"proxy", &"fix", &urdf]);
}
