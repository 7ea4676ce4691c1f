//! Each query of the library exists in C, or has a reason not to.
use crate::toolchain::root;
use std::{collections::BTreeSet, fs};

/// Queries of the library without a function of their name in C.
const ELSEWHERE: [(&str, &str); 15] = [
    ("certainty_of_pairs", "it saves time alone"),
    ("closest_point", "impinge_closest_points() of one point"),
    ("contact_pairs", "it saves time alone"),
    ("contact_pairs_at_most", "it saves time alone"),
    ("curves_of_pairs", "it saves time alone"),
    ("for_each_pair", "no function of the caller is ever called"),
    ("pairs_at_most", "impinge_pairs() with a capacity"),
    ("pairs_into", "impinge_pairs() writes into a buffer of the caller"),
    ("pairs_within_at_most", "impinge_pairs_within() with a capacity"),
    ("penetration_of_pairs", "it saves time alone"),
    ("ray_first_each", "impinge_ray_first() takes many rays"),
    ("ray_meets_each", "impinge_ray_meets() takes many rays"),
    ("relation_of_pairs", "it saves time alone"),
    ("self_pairs_at_most", "impinge_self_pairs() with a capacity"),
    ("self_pairs_into", "impinge_self_pairs() writes into a buffer of the caller"),
];

/// `sweep_half_space` is `impinge_sweep()` of a half-space.
const OTHER_NAMES: [(&str, &str); 1] = [("sweep_half_space", "sweep")];

/// The queries of the library's table, which its tests compare with its methods.
fn queries() -> BTreeSet<String> {
    let table = fs::read_to_string(root().join("../impinge/queries.md")).unwrap();
    let links = table.lines().filter_map(|line| line.split_once("]: Query::"));
    links.map(|(_, name)| name.trim().to_owned()).collect()
}

#[test]
fn each_query_exists_in_c() {
    let header = fs::read_to_string(root().join("include/impinge.h")).unwrap();
    let exists = |name: &str| header.contains(&format!("impinge_{name}("));
    let queries = queries();
    assert!(queries.len() > 50, "{queries:?}");
    for name in &queries {
        let has_reason = ELSEWHERE.iter().any(|(one, _)| one == name);
        let other = OTHER_NAMES.iter().find(|(one, _)| one == name).map_or(&**name, |(_, other)| *other);
        assert!(exists(other) != has_reason, "{name}: a function in C, or a reason that there is none");
    }
    for name in ELSEWHERE.iter().chain(&OTHER_NAMES).map(|(name, _)| name) {
        assert!(queries.contains(*name), "{name} is no query of the library");
    }
}
