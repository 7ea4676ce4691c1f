//! Large and hostile inputs take time and memory in proportion to their size.
use impinge_robot::{Srdf, Urdf, spheres, with_radii};
use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

const SPHERES: usize = 100_000;

/// Far more than it takes: tests are not optimised, and machines are shared.
const LIMIT: Duration = Duration::from_secs(5);

/// A text of a head, many lines and an end.
fn text(head: &str, line: impl Fn(usize) -> String, end: &str) -> String {
    let mut text = head.to_owned();
    (0..SPHERES).for_each(|i| text.write_str(&line(i)).unwrap());
    text + end
}

#[test]
fn many_spheres_are_read_and_replaced() {
    let models = [
        (
            "a.yml",
            text(
                "collision_spheres:\n  é:\n",
                |i| format!("  - center: [{i}, 0, 0]\n    radius: 0.{i}\n"),
                "",
            ),
        ),
        (
            "a.yaml",
            text("{collision_spheres: {é: [", |i| format!("{{center: [{i}, 0, 0], radius: 0.{i}}}, "), "]}}"),
        ),
        ("a.csv", text("", |i| format!("{i},0,0,0.{i}\n"), "")),
        (
            "a.json",
            text(
                "[{\"spheres\":[",
                |i| format!("{{\"origin\":[{i},0,0],\"radius\":0.{i}}},"),
                "{\"origin\":[0,0,0],\"radius\":1}]}]",
            ),
        ),
        (
            "b.json",
            text(
                "{\"format\":\"impinge-proxy\",\"version\":1,\"links\":{",
                |i| format!("\"{i}\":{{\"spheres\":[[{i},0,0,0.{i}]]}},"),
                "\"a\":{}}}",
            ),
        ),
        (
            "a.urdf",
            text(
                "<robot><link name='a'>",
                |i| {
                    format!(
                        "<collision><origin xyz='{i} 0 0'/>\
                         <geometry><sphere radius='0.{i}'/></geometry></collision>"
                    )
                },
                "</link></robot>",
            ),
        ),
        (
            "a.srdf",
            text(
                "<robot><link_sphere_approximation link='a'>\n",
                |i| format!("<sphere center='{i} 0 0' radius='0.{i}'/>\n"),
                "</link_sphere_approximation></robot>",
            ),
        ),
    ];
    for (name, text) in models {
        let start = Instant::now();
        let model = spheres::parse(name, &text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(model.radii().count() >= SPHERES);
        let radii: Vec<_> = model.radii().map(|radius| (radius.at.clone(), radius.value)).collect();
        assert_eq!(with_radii(&text, &radii), text);
        let took = start.elapsed();
        println!("{name}: {} bytes, {took:?}", text.len());
        assert!(took < LIMIT, "{name}: {took:?}");
    }
}

#[test]
fn many_links_joints_and_attributes_are_read() {
    let start = Instant::now();
    let chain = text(
        "<robot><link name='l0'/>",
        |i| {
            let child = i + 1;
            format!(
                "<link name='l{child}'/><joint name='{i}' type='fixed'><parent link='l{i}'/>\
                 <child link='l{child}'/><origin xyz='1 0 0' rpy='0.1 0 0'/></joint>"
            )
        },
        "</robot>",
    );
    let groups = Urdf::parse(&chain).unwrap().rigid_groups().unwrap();
    assert_eq!((groups.len(), groups[0].links.len()), (1, SPHERES + 1));
    assert_eq!(groups[0].links[SPHERES].1.translation()[0], SPHERES as f64);

    let attributes = text("<robot><link name='a'/><link ", |i| format!("a{i}='' "), "name='b'/></robot>");
    assert!(Urdf::parse(&attributes).is_err());
    let followers = text(
        "<robot><link name='a'/>",
        |i| {
            let next = (i + 1) % SPHERES;
            format!(
                "<link name='l{i}'/><joint name='{i}' type='revolute'><parent link='a'/><child link='l{i}'/>\
                 <mimic joint='{next}'/></joint>"
            )
        },
        "</robot>",
    );
    assert!(Urdf::parse(&followers).unwrap_err().text().contains("follows itself"));
    let pairs = text("<robot>", |i| format!("<disable_collisions link1='a' link2='{i}'/>"), "</robot>");
    assert_eq!(Srdf::parse(&pairs).unwrap().disabled.len(), SPHERES);
    let numbers = text(
        "<robot><link name='a'><visual><origin xyz='",
        |_| "1 ".to_owned(),
        "'/></visual></link></robot>",
    );
    assert!(Urdf::parse(&numbers).is_err());
    let took = start.elapsed();
    assert!(took < LIMIT, "{took:?}");
}

#[test]
fn awkward_yaml_takes_no_long_time() {
    let lists = "[".repeat(SPHERES);
    for text in [
        "? ".repeat(SPHERES),
        "- ".repeat(SPHERES),
        "a: ".repeat(SPHERES),
        "&a ".repeat(SPHERES),
        "!a ".repeat(SPHERES),
        "a:\n ".repeat(SPHERES),
        "{a: ".repeat(SPHERES),
        "---\n".repeat(SPHERES),
        "%YAML 1.2\n".repeat(SPHERES),
        "\"".repeat(SPHERES),
        "|\n".repeat(SPHERES),
        format!("b: {{c: {lists}"),
        format!("a: {}", "x".repeat(10 * SPHERES)),
        format!("{}: 1", "x".repeat(10 * SPHERES)),
        format!("collision_spheres: {{a: [{{radius: {}, center: [0, 0, 0]}}]}}", "1".repeat(10 * SPHERES)),
        text("", |i| format!("b{i}: &x{i} [1]\nc{i}: *x{i}\n"), ""),
    ] {
        let start = Instant::now();
        let _ = spheres::parse("a.yml", &text);
        let took = start.elapsed();
        assert!(took < LIMIT, "{:?}: {took:?}", &text[..20]);
    }
}
