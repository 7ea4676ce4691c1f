//! URDF: contents, rotations, groups, and every error with its place.
use crate::{assert_refused, seed};
use impinge::Pose;
use impinge_robot::{Geometry, JointKind, Limit, Mimic, Urdf};

/// A robot with one link, and with this inside the link.
fn link(content: &str) -> String {
    format!("<robot name=\"r\">\n <link name=\"é\">{content}</link></robot>")
}

/// A robot with links a, b and c, and these joints.
fn joints(content: &str) -> String {
    format!("<robot name='r'><link name='a'/><link name='b'/><link name='c'/>\n{content}</robot>")
}

const AB: &str = "<parent link='a'/><child link='b'/>";
const BC: &str = "<joint name='bc' type='fixed'><parent link='b'/><child link='c'/></joint>";

fn rows(rpy: &str) -> [[f64; 3]; 3] {
    let text =
        link(&format!("<visual><origin rpy='{rpy}'/><geometry><sphere radius='1'/></geometry></visual>"));
    *Urdf::parse(&text).unwrap().links[0].visuals[0].origin.rows()
}

#[test]
fn a_robot_has_links_joints_and_shapes() {
    let text = seed("urdf/arm.urdf");
    let urdf = Urdf::parse(&text).unwrap();
    assert_eq!((&*urdf.name, urdf.root), ("arm", 0));
    assert!(urdf.links.iter().map(|link| &*link.name).eq(["base", "fäden&hand", "tip"]));
    assert_eq!((urdf.link("tip"), urdf.joint("end"), urdf.link("end")), (Some(2), Some(1), None));

    let [base, hand, tip] = &urdf.links[..] else { panic!() };
    assert_eq!((base.joint, hand.joint, tip.joint), (None, Some(0), Some(1)));
    assert_eq!((base.place.line, base.place.column), (5, 3));
    let foot = &base.visuals[0];
    assert_eq!(foot.name.as_deref(), Some("foot"));
    assert_eq!(foot.origin.translation(), &[0.0, 0.0, 0.1]);
    let mesh =
        Geometry::Mesh { filename: "package://arm/meshes/foot.stl".into(), scale: [0.001, 0.001, -0.001] };
    assert_eq!(foot.geometry, mesh);
    assert_eq!(base.collisions[0].geometry, Geometry::Box { size: [0.2, 0.2, 0.1] });
    assert!(matches!(&base.collisions[1].geometry, Geometry::Cylinder { radius, length }
        if &text[radius.at.clone()] == "0.10" && radius.value == 0.1 && *length == 0.3));
    assert_eq!(base.collisions[0].origin, Pose::IDENTITY);
    assert!(matches!(&hand.collisions[0].geometry, Geometry::Sphere { radius } if radius.value == 0.05));
    assert!(matches!(&hand.collisions[1].geometry, Geometry::Capsule { radius, length }
        if &text[radius.at.clone()] == ".025" && *length == 1.0));

    let [turn, end] = &urdf.joints[..] else { panic!() };
    assert_eq!((turn.kind, turn.parent, turn.child), (JointKind::Revolute, 0, 1));
    assert_eq!((turn.axis, turn.origin.translation()), ([0.0, 0.0, 2.0], &[1.0, 2.0, 3.0]));
    let limit = Limit { lower: -1.0, upper: 2.0, velocity: Some(3.0), effort: Some(10.0) };
    assert_eq!((turn.limit, turn.mimic), (Some(limit), None));
    assert_eq!((end.kind, end.axis, end.limit), (JointKind::Prismatic, [1.0, 0.0, 0.0], None));
    assert_eq!(end.mimic, Some(Mimic { joint: 0, multiplier: 2.0, offset: -0.5 }));
}

#[test]
fn angles_of_zero_are_exactly_the_identity() {
    for rpy in ["0 0 0", "-0 0.0 -0e5", "0\t0\n0"] {
        assert_eq!(
            rows(rpy).map(|row| row.map(f64::to_bits)),
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|row: [f64; 3]| row.map(f64::to_bits))
        );
    }
}

/// The product of three matrices by definition, yaw after pitch after roll.
#[test]
fn roll_turns_first_and_yaw_last() {
    let product = |a: [[f64; 3]; 3], b: [[f64; 3]; 3]| {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
    };
    for (roll, pitch, yaw) in [(0.1, 0.2, 0.3), (-3.0, 1.5, 2.5), (0.0, -0.7, 0.0), (1e10, -2e5, 7.0)] {
        let (roll, pitch, yaw): (f64, f64, f64) = (roll, pitch, yaw);
        let x = [[1.0, 0.0, 0.0], [0.0, roll.cos(), -roll.sin()], [0.0, roll.sin(), roll.cos()]];
        let y = [[pitch.cos(), 0.0, pitch.sin()], [0.0, 1.0, 0.0], [-pitch.sin(), 0.0, pitch.cos()]];
        let z = [[yaw.cos(), -yaw.sin(), 0.0], [yaw.sin(), yaw.cos(), 0.0], [0.0, 0.0, 1.0]];
        let expected: [[f64; 3]; 3] = product(z, product(y, x));
        let found = rows(&format!("{roll} {pitch} {yaw}"));
        let difference = |(a, b): (&f64, &f64)| (a - b).abs();
        let all = expected.as_flattened().iter().zip(found.as_flattened());
        assert!(all.map(difference).fold(0.0, f64::max) < 4e-16);
    }
}

#[test]
fn fixed_joints_make_groups() {
    let text = "<robot><link name='tip'/><link name='base'/><link name='arm'/><link name='plate'/>
        <link name='hand'/>
        <joint name='1' type='fixed'><parent link='base'/><child link='plate'/>
            <origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/></joint>
        <joint name='2' type='continuous'><parent link='plate'/><child link='arm'/></joint>
        <joint name='3' type='fixed'><parent link='arm'/><child link='hand'/><origin xyz='1 0 0'/></joint>
        <joint name='4' type='fixed'><parent link='plate'/><child link='tip'/><origin xyz='1 0 0'/></joint>
        </robot>";
    let groups = Urdf::parse(text).unwrap().rigid_groups().unwrap();
    let [first, second] = &groups[..] else { panic!("{groups:?}") };
    assert_eq!((first.root, second.root), (1, 2));
    assert!(first.links.iter().map(|(link, _)| *link).eq([1, 3, 0]));
    assert!(second.links.iter().map(|(link, _)| *link).eq([2, 4]));
    assert_eq!(first.links[0].1, Pose::IDENTITY);
    let tip = first.links[2].1.translation();
    assert!(tip[0].abs() < 1e-16 && tip[1] == 1.0 && tip[2] == 1.0, "{tip:?}");
}

#[test]
fn poses_that_overflow_have_no_product() {
    let far = "<origin xyz='1e308 0 0'/>";
    let text = joints(&format!(
        "<joint name='ab' type='fixed'>{AB}{far}</joint>
         <joint name='bc' type='fixed'><parent link='b'/><child link='c'/>{far}</joint>"
    ));
    let error = Urdf::parse(&text).unwrap().rigid_groups().unwrap_err();
    assert_eq!(error.place().map(|place| place.line), Some(3), "{error}");
}

#[test]
fn errors_of_xml_have_a_place() {
    for (text, words) in [
        ("@", "no element 'robot'"),
        ("@<sdf version='1'/>", "export the robot as URDF"),
        ("@<mujoco/>", "MJCF"),
        ("<?xml version='1.0'?>\n@<html></html>", "expected the element 'robot', found 'html'"),
        ("<robot><link name='a'/>@", "cut off"),
        ("<robot><link name='a'/></robot>@<robot/>", "second element"),
        ("\u{feff}<robot>\r\n<link name='é'/><link name='b'>@<visual/></link></robot>", "no geometry"),
        ("\u{feff}<!-- é -->\n@<!DOCTYPE robot><robot/>", "document types"),
        ("\u{feff}<robot>é\n@&a;</robot>", "the entity 'a'"),
        ("@<!DOCTYPE robot [<!ENTITY a 'b'>]><robot><link name='a'/></robot>", "document types"),
        ("<robot>@&a;<link name='a'/></robot>", "the entity 'a' is unknown"),
        ("<robot><link name='@&a;'/></robot>", "malformed"),
        ("<robot xmlns:xacro='x'>@<xacro:macro name='a'/></robot>", "`xacro robot.urdf.xacro > robot.urdf`"),
        ("<robot><gazebo>@<a xacro:b='c'/></gazebo></robot>", "expand it first"),
        ("<robot><link name='@${a}_b'/></robot>", "expand it first"),
        ("<robot><link name='a@$(arg b)'/></robot>", "expand it first"),
        ("<robot><link name='a' name='@b'/></robot>", "twice"),
    ] {
        assert_refused(text, Urdf::parse, words);
    }
    // The declaration of xacro's prefix alone stays in expanded files.
    Urdf::parse("<robot xmlns:xacro='http://wiki.ros.org/xacro'><link name='a'/></robot>").unwrap();
    let deep = "<robot>".to_owned() + &"<a>".repeat(199) + "@<a>";
    assert_refused(&deep, Urdf::parse, "nest more than 200 deep");
    let error = Urdf::parse("<robot><link name='a'></robot>").unwrap_err();
    assert!(error.text().contains("not well-formed XML") && error.place().is_some(), "{error}");
}

#[test]
fn errors_of_shapes_have_a_place() {
    let body = |geometry: &str| link(&format!("<collision>\n<geometry>{geometry}</geometry></collision>"));
    for (text, words) in [
        (link("@<collision/>"), "'collision' has no geometry"),
        (link("@<visual><origin/></visual>"), "'visual' has no geometry"),
        (link("<collision>@<geometry/></collision>"), "the geometry is empty; known are mesh"),
        (body("@<cone radius='1'/>"), "the geometry 'cone' is unknown; known are mesh"),
        (body("<sphere radius='1'/>@<sphere radius='1'/>"), "one shape"),
        (body("@<sphere/>"), "'sphere' needs the attribute 'radius'"),
        (body("<sphere radius='@-0.5'/>"), "radius -0.5 is negative"),
        (body("<sphere radius=' @NaN '/>"), "not finite"),
        (body("<sphere radius='@1e999'/>"), "not finite"),
        (body("<sphere radius='@&#49;'/>"), "not a number"),
        (body("<sphere radius='@'/>"), "not a number"),
        (body("<cylinder radius='1' length='@inf'/>"), "length 'inf' is not finite"),
        (body("<cylinder radius='@-1' length='1'/>"), "negative"),
        (body("<capsule radius='1' length='@-1'/>"), "length -1 is negative"),
        (body("@<capsule radius='1'/>"), "needs the attribute 'length'"),
        (body("@<box/>"), "'box' needs the attribute 'size'"),
        (body("@<box size='1 -1 1'/>"), "size is negative"),
        (body("<box size='@1 1'/>"), "size needs 3 numbers, this one has 2"),
        (body("<box size='1 1 1 @1'/>"), "more than 3 numbers"),
        (body("<box size='1 @x 1'/>"), "'x' is not a number"),
        (body("@<mesh/>"), "'mesh' needs the attribute 'filename'"),
        (body("@<mesh filename=''/>"), "'filename' of 'mesh' is empty"),
        (body("@<mesh filename='a' scale='1 0 1'/>"), "scale of 0"),
        (
            link("<collision><origin rpy='0 0 @nan'/><geometry><sphere radius='1'/></geometry></collision>"),
            "finite",
        ),
        (
            link("<visual>@<origin quat_xyzw='0 0 0 1'/><geometry><sphere radius='1'/></geometry></visual>"),
            "'rpy'",
        ),
        (
            link("<collision><origin/>@<origin/><geometry><sphere radius='1'/></geometry></collision>"),
            "second",
        ),
    ] {
        assert_refused(&text, Urdf::parse, words);
    }
}

#[test]
fn errors_of_joints_have_a_place() {
    for (joint, words) in [
        (format!("@<joint type='fixed'>{AB}</joint>"), "'joint' needs the attribute 'name'"),
        (format!("@<joint name='j'>{AB}</joint>"), "needs the attribute 'type'"),
        (format!("@<joint name='j' type='hinge'>{AB}</joint>"), "the joint type 'hinge' is unknown"),
        ("@<joint name='j' type='fixed'><child link='b'/></joint>".into(), "has no parent"),
        ("@<joint name='j' type='fixed'><parent link='b'/></joint>".into(), "has no child"),
        (
            "<joint name='j' type='fixed'>@<parent link='x'/><child link='b'/></joint>".into(),
            "'x' does not exist",
        ),
        (
            format!("<joint name='j' type='fixed'>{AB}</joint>@<joint name='j' type='fixed'>{AB}</joint>"),
            "rename",
        ),
        (format!("<joint name='j' type='revolute'>{AB}<axis xyz='@0 0'/></joint>"), "needs 3 numbers"),
        (
            format!("@<joint name='j' type='revolute'>{AB}<axis xyz='0 0 -0'/></joint>"),
            "the axis of the joint 'j'",
        ),
        (format!("<joint name='j' type='revolute'>{AB}@<limit lower='1' upper='0'/></joint>"), "exceeds"),
        (format!("<joint name='j' type='revolute'>{AB}<limit upper='@inf'/></joint>"), "not finite"),
        (
            format!("<joint name='j' type='revolute'>{AB}@<mimic joint='k'/></joint>"),
            "the joint 'k' does not exist",
        ),
        (format!("@<joint name='j' type='revolute'>{AB}<mimic joint='j'/></joint>{BC}"), "follows itself"),
        (
            format!("<joint name='j' type='fixed'>{AB}</joint>@<joint name='k' type='fixed'>{AB}</joint>"),
            "one parent",
        ),
        (format!("@<joint name='j' type='fixed'><parent link='c'/><child link='b'/></joint>{BC}"), "cycle"),
    ] {
        assert_refused(&joints(&joint), Urdf::parse, words);
    }
    // A fixed joint may have any axis.
    let text = joints(&format!("<joint name='j' type='fixed'>{AB}<axis xyz='0 0 0'/></joint>{BC}"));
    Urdf::parse(&text).unwrap();
}

#[test]
fn errors_of_the_tree_have_a_place() {
    for (text, words) in [
        ("@<robot/>", "no link"),
        ("<robot>@<link/></robot>", "'link' needs the attribute 'name'"),
        ("<robot>@<link name=' '/></robot>", "'name' of 'link' is empty"),
        ("<robot><link name='a'/>@<link name='a'/></robot>", "a second link has the name 'a'"),
        ("<robot><link name='a'/>@<link name='b'/></robot>", "2 links have no parent: 'a', 'b'"),
        (
            "<robot><link name='a'/>@<joint name='j' type='fixed'><parent link='a'/><child link='a'/></joint>\
             </robot>",
            "the joint 'j' closes a cycle",
        ),
    ] {
        assert_refused(text, Urdf::parse, words);
    }
}
