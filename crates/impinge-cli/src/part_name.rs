//! Parts by their names, as a command line gives them.
use anyhow::bail;
use impinge_check::{
    Part,
    parts::PartLabels,
    values::text::{edits, printable},
};
use std::collections::HashSet;

/// Names that an error proposes, or lists.
const PROPOSED: usize = 3;

/// Characters of a name that are compared.
const COMPARED: usize = 200;

/// The index of the part of this name, or of the label that tables have where several parts have one name.
/// `file` begins the text of an error.
pub(crate) fn find(parts: &[Part], wanted: &str, file: &str) -> anyhow::Result<usize> {
    let bearers: Vec<usize> = (0..parts.len()).filter(|&i| *parts[i].name == *wanted).collect();
    let quoted = |name: &str| format!("'{}'", printable(name));
    match *bearers {
        [part] => return Ok(part),
        [] => {}
        _ => {
            let labels = PartLabels::of(parts);
            // One of them may have its name as its label.
            if let Some(part) = labels.find(wanted) {
                return Ok(part);
            }
            let named = bearers.iter().take(PROPOSED).map(|&i| quoted(&labels.label(i)));
            let named = named.collect::<Vec<_>>().join(", ");
            let more = if bearers.len() > PROPOSED { ", ..." } else { "" };
            bail!("{file}: {} parts have the name {}: {named}{more}", bearers.len(), quoted(wanted));
        }
    }
    if let Some(part) = PartLabels::of(parts).find(wanted) {
        return Ok(part);
    }
    let near = near(wanted, parts.iter().map(|part| &*part.name));
    let near: Vec<String> = near.into_iter().map(quoted).collect();
    bail!("{file}: has no part {}; the nearest names are {}", quoted(wanted), near.join(", "))
}

/// The names nearest to a wrong one: those that contain it, then by the number of edits.
pub(crate) fn near<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let is_in = |name: &str| name.contains(wanted);
    let head = |name: &str| name.chars().take(COMPARED).collect::<String>();
    let wanted_head = head(wanted);
    let mut seen = HashSet::new();
    let mut all: Vec<((bool, usize), &str)> = names
        .filter(|name| seen.insert(*name))
        .map(|name| ((!is_in(name), edits(&wanted_head, &head(name))), name))
        .collect();
    all.sort_by_key(|&(distance, _)| distance);
    all.into_iter().take(PROPOSED).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn near_names_come_first() {
        let names = ["IfcWall_1", "IfcSlab_37778", "IfcSlab_37778", "IfcSlab_37", "x"];
        let three = ["IfcSlab_37778", "IfcSlab_37", "IfcWall_1"];
        assert_eq!(near("IfcSlab_37777", names.into_iter()), three);
        assert_eq!(near("IfcSlab_3777", names.into_iter()), three);
        assert_eq!(near("lid", ["lip", "box/lid of it"].into_iter()), ["box/lid of it", "lip"]);
    }
}
