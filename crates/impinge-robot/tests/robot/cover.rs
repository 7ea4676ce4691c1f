//! Covers of links: parts that two shapes cover together, and cylinders far from the origin.
use impinge::Query;
use impinge_robot::{
    Urdf,
    cover::{CoverPart, CoverSettings, CoverShape, LinkCover, cover},
};

/// The cover of a link's visual bodies by its collision bodies.
fn cover_of(visual: &str, collisions: &[String]) -> LinkCover {
    let body = |kind: &str, inside: &str| format!("<{kind}>{inside}</{kind}>");
    let all: String = collisions.iter().map(|inside| body("collision", inside)).collect();
    let text = format!("<robot name=\"r\"><link name=\"a\">{}{all}</link></robot>", body("visual", visual));
    let urdf = Urdf::parse(&text).unwrap();
    let shape = |body| {
        CoverShape::of_body::<impinge::Error>(body, &mut |_| unreachable!("no body is a mesh")).unwrap()
    };
    let parts: Vec<CoverPart> =
        urdf.links[0].visuals.iter().map(|body| CoverPart::new(shape(body)).unwrap()).collect();
    let shapes: Vec<CoverShape> = urdf.links[0].collisions.iter().map(shape).collect();
    cover(&mut Query::new(), &parts, &shapes, &CoverSettings::default()).unwrap()
}

fn ball(x: f64, radius: f64) -> String {
    format!("<origin xyz=\"{x} 0 0\"/><geometry><sphere radius=\"{radius}\"/></geometry>")
}

fn cylinder(x: f64, radius: f64, turn: f64) -> String {
    format!(
        "<origin xyz='{x} 0 0' rpy='{turn} 0 0'/><geometry><cylinder radius='{radius}' length='1'/></geometry>"
    )
}

#[test]
fn two_balls_cover_a_ball_together() {
    // For x >= 0 no point of the ball is farther than 1.04^0.5 from the right centre.
    let found = cover_of(&ball(0.0, 1.0), &[ball(-0.2, 1.05), ball(0.2, 1.05)]);
    assert_ne!(found.covered, Some(false), "{found:?}");
    assert_eq!(cover_of(&ball(0.0, 1.0), &[ball(0.2, 1.25)]).covered, Some(true));
    let found = cover_of(&ball(0.0, 1.0), &[ball(0.2, 1.05)]);
    assert!(found.covered == Some(false) && found.depth[0] <= 0.15 && 0.15 <= found.depth[1], "{found:?}");
    // The axis itself is outside.
    let found = cover_of(&ball(0.0, 1.0), &[ball(3.0, 1.0), ball(4.0, 1.0)]);
    assert!(found.covered == Some(false) && found.depth[0] <= 3.0 && 3.0 <= found.depth[1], "{found:?}");
}

#[test]
fn corners_of_cylinders_round() {
    let far = 1e6;
    let same = cover_of(&cylinder(far, 0.5, 0.0), &[cylinder(far, 0.5, 0.0)]);
    assert_eq!(same.covered, Some(true));
    let nearly = cover_of(&cylinder(far, 0.5, 0.0), &[cylinder(far, 0.5 + 1e-12, 0.0)]);
    assert_ne!(nearly.covered, Some(false), "{nearly:?}");
    let less = cover_of(&cylinder(far, 0.5, 0.0), &[cylinder(far, 0.4, 0.0)]);
    assert!(less.covered == Some(false) && less.depth[0] <= 0.1 && 0.1 <= less.depth[1], "{less:?}");
}
