//! Contacts and floating groups of parts that consist of cells of a grid. Counting common squares, edges and
//! corners gives the contact of two parts; the places of cells give their distance.
use impinge::{Mesh, Pose, relation::RelationKind};
use impinge_check::{Assembly, Check, Part, Report, Watch, records::Dimension};
use impinge_demo::rng::Rng;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Cells along an edge of the grid.
const N: i64 = 4;

type Cell = [i64; 3];

/// Number of assemblies; `IMPINGE_ASSEMBLIES` sets another one.
fn assemblies(usual: u64) -> u64 {
    let asked = std::env::var("IMPINGE_ASSEMBLIES").ok();
    asked.map_or(usual, |n| n.parse().expect("IMPINGE_ASSEMBLIES is a number"))
}

/// The mesh of a set of cells: two triangles for each square of its boundary, cut along either diagonal, in
/// any order.
fn mesh(cells: &[Cell], rng: &mut Rng) -> Mesh {
    let all: HashSet<Cell> = cells.iter().copied().collect();
    let (mut points, mut index, mut triangles) = (Vec::new(), HashMap::new(), Vec::new());
    for &cell in cells {
        for axis in 0..3 {
            for side in [0, 1] {
                let mut next = cell;
                next[axis] += 2 * side - 1;
                if all.contains(&next) {
                    continue;
                }
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut corner = |du: i64, dv: i64| {
                    let mut at = cell;
                    (at[axis], at[u], at[v]) = (at[axis] + side, at[u] + du, at[v] + dv);
                    *index.entry(at).or_insert_with(|| {
                        points.push(at.map(|x| x as f64));
                        points.len() as u32 - 1
                    })
                };
                let mut square = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                if side == 0 {
                    square.reverse();
                }
                square.rotate_left(rng.below(2) as usize);
                let [a, b, c, d] = square;
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    rng.shuffle(&mut triangles);
    Mesh::new(points, triangles).unwrap()
}

/// Squares, edges and corners of a set of cells, in doubled coordinates of their middles.
fn elements(cells: &[Cell]) -> [HashSet<Cell>; 3] {
    let mut found = [(); 3].map(|()| HashSet::new());
    for cell in cells {
        for x in -1..=1 {
            for y in -1..=1 {
                for z in -1..=1_i64 {
                    let at = [2 * cell[0] + 1 + x, 2 * cell[1] + 1 + y, 2 * cell[2] + 1 + z];
                    match x.abs() + y.abs() + z.abs() {
                        0 => {}
                        n => drop(found[n as usize - 1].insert(at)),
                    }
                }
            }
        }
    }
    found
}

/// Contact of two sets of cells without a common cell: dimension, length, area.
fn truth(a: &[Cell], b: &[Cell]) -> Option<(Dimension, f64, f64)> {
    let [of_a, of_b] = [elements(a), elements(b)];
    let common = |i: usize| -> Vec<Cell> { of_a[i].intersection(&of_b[i]).copied().collect() };
    let (squares, edges, corners) = (common(0), common(1), common(2));
    // The doubled coordinate of a square's middle is even along its normal alone.
    let is_in = |square: &Cell, edge: &Cell| {
        (0..3).all(|k| (square[k] - edge[k]).abs() <= i64::from(square[k] % 2 != 0))
    };
    let alone = edges.iter().filter(|edge| !squares.iter().any(|square| is_in(square, edge))).count();
    let dimension = match (squares.len(), alone, corners.len()) {
        (0, 0, 0) => return None,
        (0, 0, _) => Dimension::Point,
        (0, ..) => Dimension::Line,
        _ => Dimension::Area,
    };
    Some((dimension, alone as f64, squares.len() as f64))
}

/// The square of the distance of two sets of cells.
fn squared_distance(a: &[Cell], b: &[Cell]) -> i64 {
    let gap = |x: i64, y: i64| (x - y).abs().saturating_sub(1).max(0);
    let of = |p: &Cell, q: &Cell| (0..3).map(|k| gap(p[k], q[k]).pow(2)).sum::<i64>();
    a.iter().flat_map(|p| b.iter().map(move |q| of(p, q))).min().unwrap_or(i64::MAX)
}

/// Disjoint parts of cells of a grid. Few cells are in a part, so that some parts float.
fn parts(rng: &mut Rng, count: usize, fill: u64) -> Vec<Vec<Cell>> {
    let mut cells = vec![Vec::new(); count];
    for x in 0..N {
        for y in 0..N {
            for z in 0..N {
                if rng.below(100) < fill {
                    cells[rng.below(count as u64) as usize].push([x, y, z]);
                }
            }
        }
    }
    cells.retain(|cells| !cells.is_empty());
    cells
}

/// The parts, each with a random pose that its mesh undoes.
fn assembly(cells: &[Vec<Cell>], rng: &mut Rng) -> Assembly {
    let mut assembly = Assembly::new();
    for (i, cells) in cells.iter().enumerate() {
        let shift = [0; 3].map(|_| rng.int(-9, 9));
        let moved: Vec<Cell> = cells.iter().map(|cell| [0, 1, 2].map(|k| cell[k] - shift[k])).collect();
        let pose = Pose::from_translation(shift.map(|x| x as f64)).unwrap();
        assembly.push(Part::from_mesh(format!("part {i}"), mesh(&moved, rng), pose));
    }
    assembly
}

fn contains([lo, hi]: [f64; 2], x: f64) -> bool {
    lo <= x && x <= hi && hi - lo <= 1e-9 * (1.0 + x)
}

fn check(cells: &[Vec<Cell>], report: &Report, seed: u64) {
    let graph = report.contact_graph();
    let mut expected = 0;
    for b in 0..cells.len() as u32 {
        for a in 0..b {
            let [of_a, of_b] = [a, b].map(|part| &cells[part as usize]);
            let found = graph.edges().iter().find(|edge| edge.parts == [a, b]);
            let Some((dimension, length, area)) = truth(of_a, of_b) else {
                assert!(found.is_none(), "{seed}: {a} {b}");
                continue;
            };
            expected += 1;
            let edge = found.unwrap_or_else(|| panic!("{seed}: {a} {b} touch"));
            assert_eq!(edge.relation, Some(RelationKind::Touch), "{seed}: {a} {b}");
            assert_eq!(edge.dimension, Some(dimension), "{seed}: {a} {b}");
            let contact = edge.contact.expect("measured");
            assert!(contains(contact.length, length), "{seed}: {a} {b} {contact:?} {length}");
            assert!(contains(contact.area, area), "{seed}: {a} {b} {contact:?} {area}");
            assert!(graph.edges_of(a).any(|(other, _)| other == b), "{seed}");
        }
    }
    assert_eq!(graph.edges().len(), expected, "{seed}");

    // Components, by joining parts that touch repeatedly.
    let mut of: Vec<usize> = (0..cells.len()).collect();
    for _ in 0..cells.len() {
        for a in 0..cells.len() {
            for b in 0..cells.len() {
                if truth(&cells[a], &cells[b]).is_some() {
                    let least = of[a].min(of[b]);
                    (of[a], of[b]) = (least, least);
                }
            }
        }
    }
    let numbers: BTreeSet<usize> = of.iter().copied().collect();
    let group =
        |n: usize| -> Vec<u32> { (0..).zip(&of).filter(|(_, own)| **own == n).map(|x| x.0).collect() };
    let groups: Vec<Vec<u32>> = numbers.into_iter().map(group).collect();
    assert_eq!(graph.components(), groups, "{seed}");

    let most = groups.iter().map(Vec::len).max().unwrap_or(0);
    let largest = groups.iter().position(|group| group.len() == most);
    let floating = report.floating().expect("looked for");
    let alone: Vec<&Vec<u32>> =
        groups.iter().enumerate().filter(|&(i, _)| Some(i) != largest).map(|(_, group)| group).collect();
    assert_eq!(floating.iter().map(|one| &one.parts).collect::<Vec<_>>(), alone, "{seed}");
    for one in floating {
        let outside = (0..cells.len() as u32).filter(|part| !one.parts.contains(part));
        let least = outside
            .flat_map(|other| one.parts.iter().map(move |&part| (part, other)))
            .map(|(part, other)| squared_distance(&cells[part as usize], &cells[other as usize]))
            .min()
            .expect("there is another part");
        let nearest = one.nearest.expect("there is a nearest part");
        assert!(contains(nearest.distance, (least as f64).sqrt()), "{seed}: {nearest:?} {least}");
        let [part, other] = [nearest.part, nearest.other].map(|part| &cells[part as usize]);
        assert_eq!(squared_distance(part, other), least, "{seed}: {nearest:?}");
        assert!(one.parts.contains(&nearest.part) && !one.parts.contains(&nearest.other), "{seed}");
    }
}

#[test]
fn contacts_and_gaps_are_what_cells_have() {
    let question = Check::new().contacts(true).floating(true).threads(1);
    let (mut pairs, mut floating, mut dimensions) = (0, 0, HashSet::new());
    for seed in 0..assemblies(300) {
        let mut rng = Rng::new(seed);
        let (count, fill) = (rng.int(2, 7) as usize, [8, 15, 40, 90][rng.below(4) as usize]);
        let cells = parts(&mut rng, count, fill);
        if cells.is_empty() {
            continue;
        }
        let report = question.run(assembly(&cells, &mut rng), &Watch::new()).unwrap();
        check(&cells, &report, seed);
        pairs += cells.len() * (cells.len() - 1) / 2;
        floating += report.floating().unwrap().len();
        dimensions.extend(report.contact_graph().edges().iter().filter_map(|edge| edge.dimension));
    }
    assert!(pairs > 1000 && floating > 50, "{pairs} {floating}");
    assert_eq!(dimensions.len(), 3);
}

/// The result is the same for every number of threads.
#[test]
fn nearest_parts_do_not_depend_on_threads() {
    let mut rng = Rng::new(5);
    let cells = parts(&mut rng, 12, 12);
    let assembly = std::sync::Arc::new(assembly(&cells, &mut rng));
    let find = |threads| {
        let check = Check::new().contacts(true).floating(true).threads(threads);
        check.run(std::sync::Arc::clone(&assembly), &Watch::new()).unwrap().floating().unwrap().to_vec()
    };
    let one = find(1);
    assert!(!one.is_empty());
    assert_eq!(one, find(3));
}

/// Parts far away, a part without a triangle, and an empty assembly.
#[test]
fn what_is_far_away_is_found_too() {
    let cube = std::sync::Arc::new(Mesh::cuboid([1.0; 3]).unwrap());
    let mut assembly = Assembly::new();
    for (name, x) in [("a", 0.0), ("b", 1.0), ("far", 1e9), ("farther", 3e9)] {
        let pose = Pose::from_translation([x, 0.0, 0.0]).unwrap();
        assembly.push(Part::from_mesh(name, std::sync::Arc::clone(&cube), pose));
    }
    assembly.push(Part::from_mesh("nothing", Mesh::default(), Pose::IDENTITY));
    let report = Check::new().floating(true).run(assembly, &Watch::new()).unwrap();
    let floating = report.floating().unwrap();
    let found: Vec<_> =
        floating.iter().map(|one| (one.parts[0], one.nearest.map(|nearest| nearest.other))).collect();
    assert_eq!(found, [(2, Some(1)), (3, Some(2)), (4, None)]);
    for (one, gap) in floating.iter().zip([1e9 - 2.0, 2e9 - 1.0]) {
        assert!(contains(one.nearest.unwrap().distance, gap), "{one:?}");
    }
    let lone = Check::new().floating(true).run(Assembly::new(), &Watch::new()).unwrap();
    assert_eq!(lone.floating(), Some(&[][..]));
}

/// Solids that overlap share space; a surface in a solid shares an area with it.
#[test]
fn the_relation_tells_the_dimension_where_insides_meet() {
    let cube = |side: f64| Mesh::cuboid([side; 3]).unwrap();
    let sheet = |side: f64| {
        let points = vec![[-side, -side, 0.0], [side, -side, 0.0], [0.0, side, 0.0]];
        Mesh::new(points, vec![[0, 1, 2]]).unwrap()
    };
    let dimension = |a: Mesh, b: Mesh, x: f64| {
        let mut assembly = Assembly::new();
        assembly.push(Part::from_mesh("a", a, Pose::IDENTITY));
        assembly.push(Part::from_mesh("b", b, Pose::from_translation([x, 0.0, 0.0]).unwrap()));
        let report = Check::new().contacts(true).run(assembly, &Watch::new()).unwrap();
        let dimension = report.contact_graph().edges()[0].dimension;
        // The measured contact, which JSON has, is the same.
        if let Some(contact) = report.contact(&report.clashes()[0]) {
            assert_eq!(Some(contact.dimension), dimension);
        }
        dimension
    };
    assert_eq!(dimension(cube(2.0), cube(2.0), 1.0), Some(Dimension::Volume));
    assert_eq!(dimension(cube(4.0), cube(2.0), 0.5), Some(Dimension::Volume));
    assert_eq!(dimension(cube(2.0), cube(2.0), 0.0), Some(Dimension::Volume));
    assert_eq!(dimension(cube(2.0), cube(2.0), 2.0), Some(Dimension::Area));
    assert_eq!(dimension(cube(4.0), sheet(0.5), 0.0), Some(Dimension::Area));
    assert_eq!(dimension(sheet(2.0), sheet(2.0), 0.0), Some(Dimension::Area));
    assert_eq!(dimension(sheet(2.0), sheet(2.0), 4.0), Some(Dimension::Point));
}

/// A box on a floor, and in the same part a prism that stands on an edge. The piece of the edge under the box
/// is within the area, and is no line.
#[test]
fn an_edge_inside_of_an_area_is_no_line() {
    let cuboid = |lo: [f64; 3], hi: [f64; 3]| {
        let middle = [0, 1, 2].map(|k| (lo[k] + hi[k]) / 2.0);
        let mesh = Mesh::cuboid([0, 1, 2].map(|k| hi[k] - lo[k])).unwrap();
        let points = mesh.points().iter().map(|v| [0, 1, 2].map(|k| v[k] + middle[k])).collect();
        Mesh::new(points, mesh.triangles().to_vec()).unwrap()
    };
    let faces = [[0, 3, 1], [0, 2, 3], [0, 5, 4], [0, 1, 5], [2, 5, 3], [2, 4, 5], [0, 4, 2], [1, 3, 5]];
    for (from, to, length) in [(4.0, 12.0, 0.0), (-8.0, 24.0, 16.0), (-3.0, 16.0, 3.0), (17.0, 20.0, 3.0)] {
        let block = cuboid([0.0; 3], [16.0, 8.0, 8.0]);
        let (mut points, mut triangles) = (block.points().to_vec(), block.triangles().to_vec());
        for (y, z) in [(4.0, 0.0), (2.0, 4.0), (6.0, 4.0)] {
            points.extend([[from, y, z], [to, y, z]]);
        }
        triangles.extend(faces.map(|t: [u32; 3]| t.map(|v| v + 8)));
        let mut assembly = Assembly::new();
        let floor = cuboid([-50.0, -50.0, -1.0], [50.0, 50.0, 0.0]);
        assembly.push(Part::from_mesh("floor", floor, Pose::IDENTITY));
        assembly.push(Part::from_mesh("part", Mesh::new(points, triangles).unwrap(), Pose::IDENTITY));
        let report = Check::new().contacts(true).run(assembly, &Watch::new()).unwrap();
        let contact = report.contact(&report.clashes()[0]).unwrap();
        assert_eq!((contact.length, contact.area), ([length; 2], [128.0; 2]), "{from} {to}");
        assert_eq!(contact.dimension, Dimension::Area);
    }
}
