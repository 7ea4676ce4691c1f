//! `impinge-papers volumes`.
use crate::common::{error, json, stdout};
use impinge_volumes::Kind;

#[test]
fn every_volume_is_listed_with_its_costs() {
    let listed = json(&[&"volumes", &"--format", &"json"]);
    let rows = listed["volumes"].as_array().unwrap();
    assert_eq!(rows.len(), Kind::ALL.len());
    let table = stdout(&[&"volumes"]);
    assert!(table.contains("papers/docs/which-volume.md"), "{table}");
    for (row, kind) in rows.iter().zip(Kind::ALL) {
        assert_eq!(row["name"], kind.name());
        assert!(row["volume_bytes"].as_f64() < row["node_bytes"].as_f64(), "{row}");
        assert!(row["test_operations"].as_u64() > Some(0) && !row["overlaps"].as_array().unwrap().is_empty());
        assert!(table.contains(kind.name()), "{table}");
    }
    assert!(error(&[&"volumes", &"--format", &"csv"]).contains("[possible values: table, json]"));
}
