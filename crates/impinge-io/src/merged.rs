//! Several parts as one mesh.
use crate::Part;
use impinge::{Error, ErrorKind, Mesh, Pose};
use std::sync::Arc;

/// One mesh of the triangles of all parts, in the order of the parts.
///
/// Each coordinate of a vertex of a placed part is rounded once, to the nearest f64. Parts at the identity
/// are not rounded. A single part at the identity is its mesh, which is not copied.
///
/// # Errors
/// More than 2^32 - 1 vertices; a placed vertex that is not finite.
///
/// ```
/// # #[cfg(feature = "obj")]
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use impinge_io::{Format, merged, parse};
/// let two = b"o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nf 3 2 1\n";
/// let parts = parse(Format::Obj, two, "two.obj".as_ref())?.parts;
/// assert_eq!((parts.len(), merged(&parts)?.len()), (2, 2));
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "obj"))]
/// # fn main() {}
/// ```
pub fn merged(parts: &[Part]) -> Result<Arc<Mesh>, Error> {
    if let [part] = parts
        && part.pose == Pose::IDENTITY
    {
        return Ok(Arc::clone(&part.mesh));
    }
    let most = u32::MAX as usize;
    let found: usize = parts.iter().map(|part| part.mesh.points().len()).sum();
    if found > most {
        return Err(ErrorKind::TooMany { found, most, what: "vertices in one mesh" }.into());
    }
    let mut points = Vec::with_capacity(found);
    let mut triangles = Vec::with_capacity(parts.iter().map(|part| part.mesh.len()).sum());
    for Part { mesh, pose, .. } in parts {
        let first = points.len() as u32;
        let at_rest = *pose == Pose::IDENTITY;
        points.extend(mesh.points().iter().map(|&point| if at_rest { point } else { pose.place(point) }));
        triangles.extend(mesh.triangles().iter().map(|triangle| triangle.map(|corner| first + corner)));
    }
    Ok(Mesh::new(points, triangles)?.into())
}
