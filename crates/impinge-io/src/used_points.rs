//! Meshes without the points that no triangle uses.
use impinge::Mesh;

/// A mesh of the points that its triangles use, in the file's order. A point that no triangle names must not
/// enlarge the part's box.
///
/// # Errors
/// The errors of [`Mesh::new`].
pub(crate) fn used_points(
    mut points: Vec<[f64; 3]>,
    mut triangles: Vec<[u32; 3]>,
) -> Result<Mesh, impinge::Error> {
    let mut used = vec![false; points.len()];
    for &i in triangles.as_flattened() {
        // `Mesh::new` refuses an index out of range.
        match used.get_mut(i as usize) {
            Some(used) => *used = true,
            None => return Mesh::new(points, triangles),
        }
    }
    if used.contains(&false) {
        let mut kept = 0;
        let new: Vec<u32> = used
            .iter()
            .map(|&u| {
                if u {
                    kept += 1;
                    kept - 1
                } else {
                    0
                }
            })
            .collect();
        triangles.as_flattened_mut().iter_mut().for_each(|i| *i = new[*i as usize]);
        let mut used = used.iter();
        points.retain(|_| used.next() == Some(&true));
        points.shrink_to_fit();
    }
    Mesh::new(points, triangles)
}
