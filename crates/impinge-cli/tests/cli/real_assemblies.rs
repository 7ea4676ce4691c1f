//! Real assemblies, against the counts of an independent program with exact predicates.
use crate::common::{data, json};
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
        let report = json(1, &[&"check", &path, &"--format", &"json"]);
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
