//! SRDF: contents, and every error with its place.
use crate::{assert_refused, seed};
use impinge_robot::Srdf;

#[test]
fn a_description_has_pairs_groups_states_and_spheres() {
    let text = seed("srdf/arm.srdf");
    let srdf = Srdf::parse(&text).unwrap();
    assert_eq!(srdf.name, "arm");
    assert_eq!(srdf.groups[0].chains, [["base".to_owned(), "tip".to_owned()]]);
    let parts = &srdf.groups[1];
    assert_eq!(
        (&parts.links[0], &parts.joints[0], &parts.subgroups[0]),
        (&"base".into(), &"turn".into(), &"all".into())
    );
    assert_eq!(srdf.states[0].group.as_deref(), Some("all"));
    assert_eq!(srdf.states[0].joints, [("turn".to_owned(), vec![0.5]), ("end".to_owned(), vec![1.0, 2.0])]);
    assert_eq!(srdf.states[1].group, None);
    assert_eq!(srdf.disabled_links, ["tip"]);
    assert_eq!(srdf.enabled[0].links, ["tip", "base"]);
    assert_eq!(srdf.disabled[0].reason.as_deref(), Some("Adjacent"));
    assert_eq!(srdf.disabled[1].reason, None);
    let hand = &srdf.spheres[0];
    assert_eq!((hand.link.as_deref(), hand.spheres[0].center), (Some("hand"), [0.0, 0.1, 0.2]));
    assert_eq!(&text[hand.spheres[0].radius.at.clone()], "0.05");
    assert_eq!(hand.spheres[1].radius.value, 0.0);
}

#[test]
fn errors_have_a_place() {
    let spheres = |content: &str| {
        format!(
            "<robot name='r'>\n<link_sphere_approximation link='a'>{content}</link_sphere_approximation>\
             </robot>"
        )
    };
    for (text, words) in [
        ("<robot>@<group/></robot>".into(), "'group' needs the attribute 'name'"),
        ("<robot><group name='a'/>@<group name='a'/></robot>".into(), "a second group"),
        ("<robot><group name='a'>@<chain base_link='b'/></group></robot>".into(), "'tip_link'"),
        (
            "<robot><group_state name='a' group='b'/>@<group_state name='a' group='b'/></robot>".into(),
            "second state",
        ),
        ("<robot><group_state name='a'>@<joint name='b'/></group_state></robot>".into(), "'value'"),
        (
            "<robot><group_state name='a'><joint name='b' value='1 @x'/></group_state></robot>".into(),
            "not a number",
        ),
        ("<robot>@<disable_collisions link1='a'/></robot>".into(), "'link2'"),
        ("<robot>@<disable_default_collisions/></robot>".into(), "'link'"),
        ("<robot>@<link_sphere_approximation/></robot>".into(), "'link'"),
        (spheres("@<sphere radius='1'/>"), "'center'"),
        (spheres("@<sphere center='0 0 0'/>"), "'radius'"),
        (spheres("<sphere center='0 0 0' radius='@-1'/>"), "negative"),
        (spheres("<sphere center='0 @inf 0' radius='1'/>"), "not finite"),
        (
            spheres("</link_sphere_approximation>@<link_sphere_approximation link='a'>"),
            "the link 'a' has spheres already",
        ),
    ] {
        assert_refused(&text, Srdf::parse, words);
    }
}
