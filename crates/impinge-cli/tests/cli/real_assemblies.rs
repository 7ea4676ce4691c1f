//! Real assemblies, against the counts of an independent program with exact predicates.
use crate::common::{Folder, data, json};
use serde_json::json;

/// Issue 2 names 108389 triangle pairs for the last one. The library's brute force, the testkit's rational
/// oracle and a third program, orientation signs of Python's integers, all say 108452, on coordinates that
/// are the same bits.
///
/// File, parts, pairs of parts, pairs whose boxes overlap, clashes, triangle pairs.
const KNOWN: [(&str, u64, u64, u64, u64, u64); 5] = [
    ("asm_as1_oc_214.obj", 18, 153, 31, 31, 22_941),
    ("brep_Motor_c.obj", 17, 136, 42, 26, 16_107),
    ("brep_Axis_of_bearing.obj", 17, 136, 31, 28, 7_597),
    ("asm_ReciprocatingSaw.obj", 113, 6_328, 662, 178, 83_790),
    ("ifc_schependomlaan_root.obj", 765, 292_230, 1_793, 1_332, 108_452),
];

#[test]
fn every_clash_of_real_assemblies_is_found() {
    for (name, parts, part_pairs, boxes_overlap, clashing, triangle_pairs) in KNOWN {
        let Some(path) = data(name) else { continue };
        let report = json(1, &[&"check", &path, &"--surfaces", &"--format", &"json"]);
        let expected = json!({
            "parts": parts,
            "part_pairs": part_pairs,
            "boxes_overlap": boxes_overlap,
            "tested": boxes_overlap,
            "clashing": clashing,
            "triangle_pairs": triangle_pairs,
        });
        assert_eq!(report["coverage"], expected, "{name}");
        let clashes = report["clashes"].as_array().unwrap();
        assert_eq!(clashes.len() as u64, clashing, "{name}");
        let sum: u64 = clashes.iter().map(|clash| clash["triangle_pairs"].as_u64().unwrap()).sum();
        assert_eq!(sum, triangle_pairs, "{name}");
        for clash in clashes {
            assert!(clash["triangle_pairs"].as_u64() > Some(0), "{name}: {clash}");
            assert!(
                clash["point"].as_array().unwrap().iter().all(serde_json::Value::is_f64),
                "{name}: {clash}"
            );
        }
    }
}

/// File; pairs that overlap, are one inside the other, the same, pierced, a surface inside, surfaces that
/// meet, touching, apart; parts that are not closed. The library's tests say what they were compared with.
const RELATIONS: [(&str, [u64; 8], u64); 4] = [
    ("asm_as1_oc_214.obj", [26, 0, 0, 0, 0, 0, 5, 0], 0),
    ("asm_ReciprocatingSaw.obj", [74, 0, 0, 55, 0, 47, 2, 484], 35),
    ("ifc_schependomlaan_root.obj", [299, 0, 107, 9, 0, 0, 917, 461], 1),
    ("ifc_schependomlaan_contractors.obj", [5_105, 1_458, 12, 9, 3, 0, 5_019, 1_083], 3),
];

#[test]
fn every_relation_of_real_assemblies_is_counted() {
    for (name, expected, not_closed) in RELATIONS {
        let Some(path) = data(name) else { continue };
        let report = json(1, &[&"check", &path, &"--format", &"json"]);
        let coverage = &report["coverage"];
        let of = |name: &str| coverage["relations"][name].as_u64().unwrap();
        let inside = of("inside") + of("contains");
        let [same, pierce, leaf] = ["duplicate", "pierce", "surface_inside"].map(of);
        let found = [of("overlap"), inside, same, pierce, leaf, of("meet"), of("touch"), of("apart")];
        assert_eq!(found, expected, "{name}");
        assert_eq!(coverage["not_closed"], not_closed, "{name}");
        let listed = report["clashes"].as_array().unwrap().len() as u64;
        assert_eq!(listed, found[..7].iter().sum::<u64>(), "{name}");
    }
}

/// The rule for fasteners of docs/findings.md, and the number of overlaps that the page gives.
#[test]
fn the_rule_for_fasteners_ignores_what_the_page_says() {
    let Some(path) = data("asm_as1_oc_214.obj") else { return };
    let page = include_str!("../../../../docs/findings.md");
    let from = page.find("[[ignore]]\nreason = \"threads are modelled solid\"").unwrap();
    let rule = &page[from..][..page[from..].find("```").unwrap()];
    assert!(page.contains("It ignores 24 of the 26 overlaps"));
    let folder = Folder::new();
    let by_volume = rule.replace("max_depth = \"0.5mm\"", "max_volume = \"1.5cm3\"");
    assert_ne!(by_volume, rule);
    for (rule, ignored) in [(rule, 24), (&by_volume, 24)] {
        let rules = folder.file("rules.toml", format!("version = 1\n{rule}"));
        let report = json(1, &[&"check", &path, &"--rules", &rules, &"--unit", &"m", &"--format", &"json"]);
        assert_eq!(report["findings"].as_array().unwrap().len(), 26 - ignored);
        assert_eq!(report["ignores"][0]["findings"], ignored);
    }
}

/// File; contacts of touching pairs by dimension: areas, lines, points; groups that float and their parts.
const CONTACTS: [(&str, [u64; 3], [u64; 2]); 3] = [
    ("asm_as1_oc_214.obj", [5, 0, 0], [0, 0]),
    ("asm_voron_SKR_E3_V3_Din_Mount.obj", [1, 0, 0], [0, 0]),
    ("ifc_schependomlaan_root.obj", [838, 67, 12], [197, 335]),
];

#[test]
fn contacts_of_real_assemblies_are_counted() {
    for (name, expected, floating) in CONTACTS {
        let Some(path) = data(name) else { continue };
        let report = json(1, &[&"check", &path, &"--contacts", &"--floating", &"--format", &"json"]);
        assert_eq!(touching(&report), expected, "{name}");
        let groups = report["floating"].as_array().unwrap();
        let parts: usize = groups.iter().map(|group| group["parts"].as_array().unwrap().len()).sum();
        assert_eq!([groups.len() as u64, parts as u64], floating, "{name}");
        // Each gap is one of two numbers that are neighbours, or equal, and not 0.
        for group in groups {
            let bound = |i: usize| group["nearest"]["distance"][i].as_f64().unwrap();
            assert!(0.0 < bound(0) && bound(1) <= bound(0).next_up(), "{name}: {group}");
        }
    }
}

/// Touching pairs whose contact is an area, a line, a point.
fn touching(report: &serde_json::Value) -> [u64; 3] {
    let clashes = report["clashes"].as_array().unwrap();
    let touching = || clashes.iter().filter(|clash| clash["relation"] == "touch");
    ["area", "line", "point"]
        .map(|dimension| touching().filter(|clash| clash["contact"]["dimension"] == dimension).count() as u64)
}

/// The gearbox has a washer that rests on a flange, and a sensor whose tip touches in one point.
#[test]
fn the_gearbox_has_one_contact_of_each_kind() {
    let report = json(1, &[&"check", &"--contacts", &"--format", &"json"]);
    assert_eq!(touching(&report), [1, 0, 1]);
    let meet = report["clashes"].as_array().unwrap().iter().find(|clash| clash["relation"] == "meet");
    let contact = &meet.unwrap()["contact"];
    assert_eq!((&contact["dimension"], &contact["length"]), (&json!("line"), &json!([8.0, 8.0])));
}
