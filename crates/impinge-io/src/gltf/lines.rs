//! Writes lines as GLB.
use super::container::write_glb_container;
use crate::{Error, error::Place};
use serde_json::{Value, json};
use std::io::Write;

/// Lines of one colour, for [`write_lines_glb`].
#[derive(Clone, Debug, PartialEq)]
pub struct LineGroup<'a> {
    /// Name of the node.
    pub name: &'a str,
    /// Red, green and blue, from 0 to 1.
    pub color: [f32; 3],
    /// Point numbers of each line, in order. A line of one point is drawn as a point.
    pub lines: Vec<Vec<u32>>,
}

/// Writes lines as GLB: a node for each group, a `LINE_STRIP` primitive for each line, and one `POINTS`
/// primitive for all single points of a group. Coordinates become f32, relative to the centre of the points'
/// box, which is the nodes' translation.
///
/// # Errors
/// Returns an error if a coordinate exceeds the range of f32, a line names a point that does not exist, the
/// file exceeds 4 GiB, or the writer fails.
pub fn write_lines_glb(
    points: &[[f64; 3]],
    groups: &[LineGroup<'_>],
    out: &mut impl Write,
) -> Result<(), Error> {
    let (data, json) = document(points, groups)?;
    write_glb_container(json.to_string().into_bytes(), data.len() as u64, out, |out| out.write_all(&data))
        .map_err(|e| Error::io("the GLB cannot be written", e))
}

/// The binary data and the JSON that describes it.
fn document(points: &[[f64; 3]], groups: &[LineGroup<'_>]) -> Result<(Vec<u8>, Value), Error> {
    let mut root = json!({
        "asset": { "version": "2.0", "generator": concat!("impinge ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{}],
    });
    let groups: Vec<_> =
        groups.iter().filter(|group| group.lines.iter().any(|line| !line.is_empty())).collect();
    // glTF has no empty lists.
    if points.is_empty() || groups.is_empty() {
        return Ok((Vec::new(), root));
    }
    let middle = [0, 1, 2].map(|k| {
        let of = |pick: fn(f64, f64) -> f64, start| points.iter().fold(start, |x, p| pick(x, p[k]));
        of(f64::min, f64::INFINITY) / 2.0 + of(f64::max, f64::NEG_INFINITY) / 2.0
    });
    let (mut data, mut low, mut high) = (Vec::new(), [f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for (i, point) in points.iter().enumerate() {
        for k in 0..3 {
            let x = (point[k] - middle[k]) as f32;
            if !x.is_finite() {
                let what = format!("point {i}: the coordinate {} is beyond the range of f32", point[k]);
                return Err(Error::invalid(Place::Item("lines".to_owned()), what));
            }
            (low[k], high[k]) = (low[k].min(x), high[k].max(x));
            data.extend(x.to_le_bytes());
        }
    }
    let mut views = vec![json!({ "buffer": 0, "byteOffset": 0, "byteLength": data.len(), "target": 34962 })];
    let mut accessors = vec![json!({
        "bufferView": 0, "componentType": 5126, "count": points.len(), "type": "VEC3", "min": low, "max": high
    })];
    let (mut meshes, mut nodes, mut materials) = (Vec::new(), Vec::new(), Vec::new());
    for (number, group) in groups.iter().enumerate() {
        let single: Vec<u32> = group.lines.iter().filter(|line| line.len() == 1).flatten().copied().collect();
        let lines = group.lines.iter().filter(|line| line.len() > 1).map(|line| (line, 3));
        let mut primitives = Vec::new();
        for (line, mode) in lines.chain((!single.is_empty()).then_some((&single, 0))) {
            if let Some(i) = line.iter().find(|i| **i as usize >= points.len()) {
                let place = Place::Item(group.name.to_owned());
                return Err(Error::invalid(place, format!("there is no point {i}")));
            }
            views.push(json!({
                "buffer": 0, "byteOffset": data.len(), "byteLength": 4 * line.len(), "target": 34963
            }));
            data.extend(line.iter().flat_map(|i| i.to_le_bytes()));
            accessors.push(json!({
                "bufferView": views.len() - 1, "componentType": 5125, "count": line.len(), "type": "SCALAR"
            }));
            primitives.push(json!({
                "attributes": { "POSITION": 0 }, "indices": accessors.len() - 1, "mode": mode,
                "material": number
            }));
        }
        let [r, g, b] = group.color;
        materials.push(json!({
            "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0 },
            "extensions": { "KHR_materials_unlit": {} }
        }));
        meshes.push(json!({ "name": group.name, "primitives": primitives }));
        nodes.push(json!({ "name": group.name, "mesh": number, "translation": middle }));
    }
    root["scenes"][0]["nodes"] = (0..nodes.len()).collect();
    root["nodes"] = nodes.into();
    root["meshes"] = meshes.into();
    root["materials"] = materials.into();
    root["accessors"] = accessors.into();
    root["bufferViews"] = views.into();
    root["buffers"] = json!([{ "byteLength": data.len() }]);
    root["extensionsUsed"] = json!(["KHR_materials_unlit"]);
    Ok((data, root))
}
