//! Classes of parts of two deliveries with the same shape.
use super::{part::PartIdentity, shape::ShapeMeasures};
use std::collections::HashMap;

/// The number of each part's shape. Measures that differ by less than the tolerance have the same number,
/// also through chains of such measures. No grid of rounded numbers separates two that are almost equal.
pub(super) fn shape_classes<'a>(parts: impl Iterator<Item = &'a PartIdentity>) -> Vec<u32> {
    let mut index_of: HashMap<[u64; 8], u32> = HashMap::new();
    let mut distinct: Vec<ShapeMeasures> = Vec::new();
    let of: Vec<u32> = parts
        .map(|part| {
            let shape = part.shape;
            let [a, b, c] = shape.spread.map(f64::to_bits);
            let counts = (u64::from(shape.points) << 32) | u64::from(shape.triangles);
            let bits = [counts, shape.hash, shape.area.to_bits(), shape.volume.to_bits(), a, b, c, 0];
            *index_of.entry(bits).or_insert_with(|| {
                distinct.push(shape);
                distinct.len() as u32 - 1
            })
        })
        .collect();
    let mut by_indices: HashMap<(u32, u32, u64), Vec<u32>> = HashMap::new();
    for (shape, i) in distinct.iter().zip(0..) {
        by_indices.entry(shape.indices()).or_default().push(i);
    }
    let mut class_of = vec![0; distinct.len()];
    let mut open: Vec<(Vec<u32>, usize, usize)> = by_indices.into_values().map(|all| (all, 0, 0)).collect();
    let mut count = 0;
    // Each group is cut by its values in turn, until no value of a whole round cuts it.
    while let Some((mut group, value, uncut)) = open.pop() {
        if group.len() == 1 || uncut == 5 {
            group.iter().for_each(|&i| class_of[i as usize] = count);
            count += 1;
            continue;
        }
        let at = |i: u32| distinct[i as usize].values()[value];
        group.sort_unstable_by(|&i, &j| at(i).value.total_cmp(&at(j).value));
        let next = (value + 1) % 5;
        let pieces: Vec<Vec<u32>> =
            group.chunk_by(|&i, &j| at(i).is_same(&at(j))).map(<[u32]>::to_vec).collect();
        let uncut = if pieces.len() == 1 { uncut + 1 } else { 1 };
        open.extend(pieces.into_iter().map(|piece| (piece, next, uncut)));
    }
    of.iter().map(|&i| class_of[i as usize]).collect()
}
