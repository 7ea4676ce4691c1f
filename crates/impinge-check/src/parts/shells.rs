//! [`split_shells`]: splits each mesh into its connected shells.
use crate::{parts::meshes::distinct_meshes, pool::Pool};
use impinge::{
    Body, Mesh, Model, Pose, Query,
    broad_phase::{Aabb, BroadPhase, Grid},
    relation::RelationKind,
    solid::{Closedness, FillRule},
};
use impinge_io::{Assembly, Part};
use std::{collections::HashMap, sync::Arc};

/// Splits each part into its connected shells, named `NAME#1`, `NAME#2` and so on. Parts with one shell stay
/// as they are. Parts that share a mesh share the meshes of its shells.
///
/// Triangles are connected if they have a corner in one place. Coordinates are compared exactly, whatever the
/// indices. The shells of a part are numbered by their first triangles.
///
/// A shell that bounds a cavity stays with the shell around it. Without it, the cavity would be full, and
/// parts in the cavity would be inside of the material. Such a shell is closed, lies wholly inside another,
/// and faces the other way than the innermost shell around it. It may face either way by
/// [`FillRule::EvenOdd`], and where shells are closed only by the even-odd rule. A shell inside a cavity
/// bounds no cavity.
///
/// Cost: linear in the number of triangles, and a query for each two shells with the box of one inside the
/// box of the other. The threads of the pool share the meshes.
///
/// ```
/// use impinge::{Mesh, Pose, solid::FillRule};
/// use impinge_check::{Assembly, Part, Pool, parts::split_shells};
///
/// // Two tetrahedra in one mesh.
/// let points = [0.0, 9.0].map(|x| [[x, 0., 0.], [x + 1., 0., 0.], [x, 1., 0.], [x, 0., 1.]]).concat();
/// let faces = [0, 4].map(|k| [[k, k + 2, k + 1], [k, k + 1, k + 3], [k + 1, k + 2, k + 3], [k + 2, k, k + 3]]);
/// let mut assembly = Assembly::new();
/// assembly.push(Part::from_mesh("both", Mesh::new(points, faces.concat())?, Pose::IDENTITY));
/// split_shells(&mut assembly, FillRule::NonZero, &Pool::new(1)?);
/// let names: Vec<&str> = assembly.parts.iter().map(|part| &*part.name).collect();
/// assert_eq!((names, assembly.sources[0].parts), (vec!["both#1", "both#2"], 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn split_shells(assembly: &mut Assembly, fill_rule: FillRule, pool: &Pool) {
    let (meshes, mesh_of) = distinct_meshes(&assembly.parts);
    let pieces: Vec<Vec<Arc<Mesh>>> = pool.map(&meshes, 1, |mesh| pieces(mesh, fill_rule));
    let mut mesh_of = mesh_of.into_iter();
    let mut old = std::mem::take(&mut assembly.parts).into_iter();
    let mut parts = Vec::new();
    for source in &mut assembly.sources {
        let before = parts.len();
        for (part, mesh) in old.by_ref().zip(mesh_of.by_ref()).take(source.parts) {
            add(&mut parts, part, &pieces[mesh]);
        }
        source.parts = parts.len() - before;
    }
    // Parts of no source remain if the counts of sources are wrong.
    old.zip(mesh_of).for_each(|(part, mesh)| add(&mut parts, part, &pieces[mesh]));
    assembly.parts = parts;
}

fn add(parts: &mut Vec<Part>, part: Part, pieces: &[Arc<Mesh>]) {
    if pieces.len() < 2 {
        parts.push(part);
        return;
    }
    for (number, mesh) in (1..).zip(pieces) {
        let mut piece = part.clone();
        piece.name = format!("{}#{number}", part.name).into();
        piece.path = format!("{}#{number}", part.path).into();
        piece.mesh = Arc::clone(mesh);
        parts.push(piece);
    }
}

/// The meshes of a mesh's shells, in which shells of cavities are joined to the shell around them; empty if
/// the mesh stays whole.
fn pieces(mesh: &Mesh, fill_rule: FillRule) -> Vec<Arc<Mesh>> {
    let (shell_of, count) = shells(mesh);
    if count < 2 {
        return Vec::new();
    }
    let owner = owners(&cut(mesh, &shell_of, count), fill_rule);
    // Each owner owns itself. Owners are numbered in the order of their first triangles.
    let mut number = vec![u32::MAX; count];
    let mut pieces = 0;
    for shell in (0..count).filter(|&shell| owner[shell] == shell) {
        number[shell] = pieces;
        pieces += 1;
    }
    if pieces < 2 {
        return Vec::new();
    }
    let piece_of: Vec<u32> = shell_of.iter().map(|&shell| number[owner[shell as usize]]).collect();
    cut(mesh, &piece_of, pieces as usize)
}

/// The number of each triangle's shell, and the number of shells, in the order of first triangles.
fn shells(mesh: &Mesh) -> (Vec<u32>, usize) {
    let mut places: HashMap<[u64; 3], u32> = HashMap::with_capacity(mesh.points().len());
    // The first point in the place of each; -0 + 0 is 0.
    let first = |(i, point): (u32, &[f64; 3])| *places.entry(point.map(|c| (c + 0.0).to_bits())).or_insert(i);
    let mut root: Vec<u32> = (0..).zip(mesh.points()).map(first).collect();
    for &[a, b, c] in mesh.triangles() {
        for other in [b, c] {
            let [a, b] = [a, other].map(|point| find(&mut root, point));
            // The smaller index is the root.
            root[a.max(b) as usize] = a.min(b);
        }
    }
    let mut number = vec![u32::MAX; root.len()];
    let mut count = 0;
    let shell = |triangle: &[u32; 3]| {
        let number = &mut number[find(&mut root, triangle[0]) as usize];
        if *number == u32::MAX {
            *number = count;
            count += 1;
        }
        *number
    };
    let shell_of = mesh.triangles().iter().map(shell).collect();
    (shell_of, count as usize)
}

/// The root of a point's tree. Halves paths on the way.
fn find(root: &mut [u32], mut point: u32) -> u32 {
    while root[point as usize] != point {
        root[point as usize] = root[root[point as usize] as usize];
        point = root[point as usize];
    }
    point
}

type Lists = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// A mesh of the triangles with each number, in their order, with the points that they use.
fn cut(mesh: &Mesh, number: &[u32], count: usize) -> Vec<Arc<Mesh>> {
    let mut lists: Vec<Lists> = vec![Default::default(); count];
    // No point belongs to triangles of two numbers.
    let mut place = vec![u32::MAX; mesh.points().len()];
    for (triangle, &number) in mesh.triangles().iter().zip(number) {
        let (points, triangles) = &mut lists[number as usize];
        triangles.push(triangle.map(|point| {
            let place = &mut place[point as usize];
            if *place == u32::MAX {
                *place = points.len() as u32;
                points.push(mesh.points()[point as usize]);
            }
            *place
        }));
    }
    // Points and indices of a mesh are valid; only a lack of memory could be an error.
    let made = |(points, triangles): Lists| Arc::new(Mesh::new(points, triangles).unwrap_or_default());
    lists.into_iter().map(made).collect()
}

struct Closed {
    shell: usize,
    model: Model,
    /// True if its triangles face inwards; `None` if it is closed only by the even-odd rule, or too flat to
    /// tell.
    is_inverted: Option<bool>,
}

/// The shell that each shell stays with: another one if it bounds a cavity, otherwise itself.
fn owners(shells: &[Arc<Mesh>], fill_rule: FillRule) -> Vec<usize> {
    let mut owner: Vec<usize> = (0..shells.len()).collect();
    let extents: Vec<Aabb> = shells.iter().map(|shell| extent(shell)).collect();
    let is_within =
        |inner: &Aabb, outer: &Aabb| (0..3).all(|k| outer.lo[k] <= inner.lo[k] && inner.hi[k] <= outer.hi[k]);
    let mut pairs = Vec::new();
    Grid::new().update(&extents, &(0..shells.len() as u32).collect::<Vec<_>>(), &mut pairs);
    // Inner and outer shells, by their boxes.
    let pairs: Vec<[usize; 2]> = pairs
        .into_iter()
        .flat_map(|[a, b]| [[a as usize, b as usize], [b as usize, a as usize]])
        .filter(|&[inner, outer]| is_within(&extents[inner], &extents[outer]))
        .collect();
    let mut closed: Vec<Option<Closed>> = Vec::new();
    closed.resize_with(shells.len(), || None);
    let mut seen = vec![false; shells.len()];
    for shell in pairs.iter().flatten().copied() {
        if !std::mem::replace(&mut seen[shell], true) {
            closed[shell] = Closed::new(shell, &shells[shell]);
        }
    }
    let mut query = Query::new().fill_rule(fill_rule_of_shells(fill_rule));
    let mut outer: Vec<Vec<usize>> = vec![Vec::new(); shells.len()];
    for [a, b] in pairs {
        if let (Some(a), Some(b)) = (&closed[a], &closed[b])
            && is_inside(a, b, &mut query)
        {
            outer[a.shell].push(b.shell);
        }
    }
    // A shell inside another is inside of all shells around that one, so the innermost has the most around
    // it.
    let depth: Vec<usize> = outer.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..shells.len()).collect();
    order.sort_by_key(|&shell| depth[shell]);
    for shell in order {
        let Some(&around) = outer[shell].iter().max_by_key(|&&outer| depth[outer]) else { continue };
        let (Some(inner), Some(outer)) = (&closed[shell], &closed[around]) else { continue };
        let is_cavity_around = owner[around] != around;
        let faces_other_way = match (inner.is_inverted, outer.is_inverted) {
            _ if fill_rule == FillRule::EvenOdd => true,
            (Some(a), Some(b)) => a != b,
            _ => true,
        };
        if faces_other_way && !is_cavity_around {
            owner[shell] = around;
        }
    }
    owner
}

/// The rule for single shells, which are full whichever way they face.
fn fill_rule_of_shells(fill_rule: FillRule) -> FillRule {
    match fill_rule {
        FillRule::Positive => FillRule::NonZero,
        other => other,
    }
}

impl Closed {
    /// Builds the model of a shell; `None` if it is not closed.
    fn new(shell: usize, mesh: &Arc<Mesh>) -> Option<Self> {
        let model = Model::new(Arc::clone(mesh));
        let is_inverted = match model.solid().status() {
            Closedness::Closed => match model.winding_volume() {
                Some([lo, _]) if lo > 0.0 => Some(false),
                Some([_, hi]) if hi < 0.0 => Some(true),
                _ => None,
            },
            Closedness::ClosedByEvenOdd => None,
            _ => return None,
        };
        Some(Self { shell, model, is_inverted })
    }
}

/// True if a shell is wholly inside another; exact.
fn is_inside(a: &Closed, b: &Closed, query: &mut Query) -> bool {
    let bodies = [a, b].map(|shell| Body::new(&shell.model, Pose::IDENTITY));
    query.relation(&bodies[0], &bodies[1]).kind == RelationKind::Inside
}

/// The exact box around a mesh.
fn extent(mesh: &Mesh) -> Aabb {
    let (mut lo, mut hi) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for point in mesh.points() {
        for k in 0..3 {
            (lo[k], hi[k]) = (lo[k].min(point[k]), hi[k].max(point[k]));
        }
    }
    Aabb { lo, hi }
}

#[cfg(test)]
mod tests {
    use super::split_shells;
    use crate::pool::Pool;
    use crate::{Assembly, Check, Part, Relations, Watch};
    use impinge::{Mesh, Pose, solid::FillRule};
    use std::sync::Arc;

    /// A cube that extends `half` from its middle along each axis. Its triangles may face inwards.
    struct Cube {
        middle: [f64; 3],
        half: f64,
        is_inverted: bool,
    }

    fn cube(x: f64, half: f64) -> Cube {
        Cube { middle: [x, 0.0, 0.0], half, is_inverted: false }
    }
    fn cavity(x: f64, half: f64) -> Cube {
        Cube { is_inverted: true, ..cube(x, half) }
    }

    /// One mesh of all cubes; every triangle has points of its own.
    fn mesh(cubes: &[Cube]) -> Mesh {
        let unit = Mesh::cuboid([1.0; 3]).unwrap();
        let mut points = Vec::new();
        for &Cube { middle, half, is_inverted } in cubes {
            for triangle in unit.triangles() {
                let corners = triangle.map(|k| {
                    let point = unit.points()[k as usize];
                    [0, 1, 2].map(|k| middle[k] + half * if point[k] > 0.0 { 1.0 } else { -1.0 })
                });
                points.extend(if is_inverted { [corners[0], corners[2], corners[1]] } else { corners });
            }
        }
        let triangles = (0..points.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Mesh::new(points, triangles).unwrap()
    }

    /// The number of cubes in each part.
    fn split(cubes: &[Cube], fill_rule: FillRule) -> Vec<usize> {
        let mut assembly = Assembly::new();
        assembly.push(Part::from_mesh("part", mesh(cubes), Pose::IDENTITY));
        split_shells(&mut assembly, fill_rule, &Pool::new(1).unwrap());
        assert_eq!(assembly.sources[0].parts, assembly.parts.len());
        let triangles: usize = assembly.parts.iter().map(|part| part.mesh.len()).sum();
        assert_eq!(triangles, 12 * cubes.len());
        assembly.parts.iter().map(|part| part.mesh.len() / 12).collect()
    }

    #[test]
    fn shells_are_connected_by_places() {
        let rule = FillRule::NonZero;
        assert_eq!(split(&[cube(0.0, 1.0)], rule), [1]);
        assert_eq!(split(&[cube(0.0, 1.0), cube(3.0, 1.0)], rule), [1, 1]);
        // Cubes that touch at a corner are one shell; those that overlap without a common corner are two.
        let corner = Cube { middle: [2.0; 3], ..cube(0.0, 1.0) };
        assert_eq!(split(&[cube(0.0, 1.0), corner], rule), [2]);
        assert_eq!(split(&[cube(0.0, 1.0), cube(0.5, 0.75)], rule), [1, 1]);
        // 0 and -0 are one place.
        let at_zero = [cube(1.0, 1.0), cube(-1.0, 1.0)];
        let negative = |mesh: Mesh| {
            let points = mesh.points().iter().map(|p| p.map(|c| if c == 0.0 { -0.0 } else { c })).collect();
            Mesh::new(points, mesh.triangles().to_vec()).unwrap()
        };
        let [a, b] = at_zero.map(|cube| mesh(&[cube]));
        let b = negative(b);
        let points = [a.points(), b.points()].concat();
        let triangles = (0..24).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let both = Mesh::new(points, triangles).unwrap();
        assert_eq!(super::shells(&both).1, 1);
    }

    #[test]
    fn a_cavity_stays_with_the_shell_around_it() {
        for rule in [FillRule::NonZero, FillRule::Positive] {
            assert_eq!(split(&[cube(0.0, 3.0), cavity(0.0, 2.0)], rule), [2]);
            // The order in a file makes no difference.
            assert_eq!(split(&[cavity(0.0, 2.0), cube(0.0, 3.0)], rule), [2]);
            assert_eq!(split(&[cube(0.0, 3.0), cavity(0.0, 2.0), cube(0.0, 1.0)], rule), [2, 1]);
            let nested = [cube(0.0, 4.0), cavity(0.0, 3.0), cube(0.0, 2.0), cavity(0.0, 1.0)];
            assert_eq!(split(&nested, rule), [2, 2]);
            // Two cavities of one cube.
            assert_eq!(split(&[cube(0.0, 4.0), cavity(2.0, 1.0), cavity(-2.0, 1.0)], rule), [3]);
            // A solid in a solid is no cavity. An inverted shell alone is none either.
            assert_eq!(split(&[cube(0.0, 2.0), cube(0.0, 1.0)], rule), [1, 1]);
            assert_eq!(split(&[cube(0.0, 1.0), cavity(3.0, 1.0)], rule), [1, 1]);
            // All shells of a file may face inwards.
            assert_eq!(split(&[cavity(0.0, 2.0), cube(0.0, 1.0)], rule), [2]);
        }
        assert_eq!(split(&[cube(0.0, 2.0), cube(0.0, 1.0)], FillRule::EvenOdd), [2]);
    }

    #[test]
    fn what_is_split_is_the_same_set_and_nothing_is_found_in_a_cavity() {
        let cubes = [cube(0.0, 3.0), cavity(0.0, 2.0), cube(0.0, 1.0), cube(9.0, 1.0)];
        let shared = Arc::new(mesh(&cubes));
        let mut assembly = Assembly::new();
        for (name, x) in [("a", 0.0), ("b", 100.0)] {
            let pose = Pose::from_translation([x, 0.0, 0.0]).unwrap();
            assembly.push(Part::from_mesh(name, shared.clone(), pose));
        }
        split_shells(&mut assembly, FillRule::NonZero, &Pool::new(1).unwrap());
        let names: Vec<&str> = assembly.parts.iter().map(|part| &*part.name).collect();
        assert_eq!(names, ["a#1", "a#2", "a#3", "b#1", "b#2", "b#3"]);
        assert!(Arc::ptr_eq(&assembly.parts[1].mesh, &assembly.parts[4].mesh));
        let report = Check::new().relations(Relations::ALL).run(assembly, &Watch::new()).unwrap();
        assert_eq!((report.findings().len(), report.clashes().len()), (0, 0));
        // A cube in the material is inside.
        let mut assembly = Assembly::new();
        let cubes = [cube(0.0, 3.0), cavity(0.0, 1.0), Cube { middle: [2.0, 0.0, 0.0], ..cube(0.0, 0.5) }];
        assembly.push(Part::from_mesh("a", mesh(&cubes), Pose::IDENTITY));
        split_shells(&mut assembly, FillRule::NonZero, &Pool::new(1).unwrap());
        assert_eq!(Check::new().run(assembly, &Watch::new()).unwrap().findings().len(), 1);
    }
}
