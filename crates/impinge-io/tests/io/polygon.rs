//! Tests that the triangles of polygons that are not convex cover exactly the inside of the outline.
use crate::{data::data, load, load_clean, memory::bounded, parse, warnings};
use impinge::Mesh;
use impinge_io::Format::{Obj, Off, Ply};

type Outline = Vec<[i64; 2]>;

/// Maps of an outline's plane into space; all coordinates stay integers.
const FRAMES: [fn([i64; 2]) -> [i64; 3]; 6] = [
    |[x, y]| [x, y, 0],
    |[x, y]| [y, x, 5],
    |[x, y]| [7, x, y],
    |[x, y]| [y, -3, x],
    |[x, y]| [x, y, x + 2 * y],
    |[x, y]| [3 * x - y, x + y, 2 * x],
];

fn obj(outlines: &[Outline], frame: fn([i64; 2]) -> [i64; 3]) -> String {
    let mut text = String::new();
    for outline in outlines {
        for &corner in outline {
            let [x, y, z] = frame(corner);
            text += &format!("v {x} {y} {z}\n");
        }
        let corners: Vec<_> = (1..=outline.len()).map(|i| format!("-{i}")).rev().collect();
        text += &format!("f {}\n", corners.join(" "));
    }
    text
}

fn turn(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i128 {
    let [ax, ay, bx, by, cx, cy] = [a[0], a[1], b[0], b[1], c[0], c[1]].map(i128::from);
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

fn area(outline: &[[i64; 2]]) -> i128 {
    (1..outline.len() - 1).map(|i| turn(outline[0], outline[i], outline[i + 1])).sum()
}

/// True if a point is inside: a ray crosses the outline an odd number of times. The point must be on no line
/// of two corners.
fn is_inside(outline: &[[i64; 2]], p: [i64; 2]) -> bool {
    let next = outline.iter().cycle().skip(1);
    let crossed = |&(&a, &b): &(&[i64; 2], &[i64; 2])| {
        (a[1] > p[1]) != (b[1] > p[1]) && (turn(a, b, p) > 0) == (b[1] > a[1])
    };
    outline.iter().zip(next).filter(crossed).count() % 2 == 1
}

/// Reads an outline in every frame and both orientations, and checks its triangles against it.
#[track_caller]
fn check(outline: &Outline) {
    let reversed: Outline = outline.iter().rev().copied().collect();
    for (n, outline) in [outline, &reversed].into_iter().enumerate() {
        for frame in FRAMES {
            let assembly = load(Obj, obj(std::slice::from_ref(outline), frame));
            assert_eq!(warnings(&assembly), [""; 0], "{outline:?}");
            let mesh = &assembly.parts[0].mesh;
            covers(mesh, outline, frame);
        }
        // Start at another corner.
        let mut turned = outline.clone();
        turned.rotate_left(outline.len() / 2 + n);
        let mesh = &load_clean(Obj, obj(&[turned.clone()], FRAMES[0])).parts[0].mesh;
        covers(mesh, &turned, FRAMES[0]);
    }
}

#[track_caller]
fn covers(mesh: &Mesh, outline: &Outline, frame: fn([i64; 2]) -> [i64; 3]) {
    let places: Vec<[f64; 3]> = outline.iter().map(|&c| frame(c).map(|v| v as f64)).collect();
    let flat = |k: u32| {
        let point = mesh.points()[k as usize];
        outline[places.iter().position(|p| *p == point).expect("a corner of the polygon")]
    };
    let whole = area(outline);
    let mut sum = 0;
    let mut used = vec![false; outline.len()];
    for &t in mesh.triangles() {
        let [a, b, c] = t.map(flat);
        let one = turn(a, b, c);
        assert!(one.signum() * whole.signum() >= 0, "{outline:?}: {:?} turns the other way", [a, b, c]);
        sum += one;
        for corner in [a, b, c] {
            outline.iter().enumerate().filter(|(_, o)| **o == corner).for_each(|(i, _)| used[i] = true);
        }
        // Its centroid, at three times the scale. A flat triangle has none.
        if one != 0 {
            let middle = [a[0] + b[0] + c[0], a[1] + b[1] + c[1]];
            let tripled: Outline = outline.iter().map(|p| p.map(|v| 3 * v)).collect();
            assert!(is_inside(&tripled, middle), "{outline:?}: {:?} is outside", [a, b, c]);
        }
    }
    assert_eq!(sum, whole, "{outline:?}");
    assert!(!used.contains(&false), "{outline:?}: a corner is lost");
}

fn random(seed: &mut u64) -> i64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 40) as i64
}

/// A polygon around the origin, with corners at any distance from it. It is always simple.
fn star(n: usize, scale: f64, seed: &mut u64) -> Outline {
    let corner = |i: usize| {
        let angle = i as f64 / n as f64 * std::f64::consts::TAU;
        let radius = scale * (1000.0 + (random(seed) % 100_000) as f64);
        [(radius * angle.cos()).round() as i64, (radius * angle.sin()).round() as i64]
    };
    (0..n).map(corner).collect()
}

/// A comb with teeth of any length.
fn comb(teeth: i64, seed: &mut u64) -> Outline {
    let mut outline = vec![[2 * teeth, -5], [0, -5]];
    for i in 0..teeth {
        outline.push([2 * i, 10 + random(seed) % 1000]);
        outline.push([2 * i + 1, random(seed) % 9]);
    }
    outline
}

/// A band that winds inwards.
fn spiral(turns: i64) -> Outline {
    let way = |at: i64| {
        (0..4 * turns).map(move |i| {
            let r = 100 * turns - 25 * i + at;
            [[r, -r], [r, r], [-r, r], [-r, -r + 25]][(i % 4) as usize]
        })
    };
    let inner: Vec<_> = way(-10).collect();
    way(0).chain(inner.into_iter().rev()).collect()
}

#[test]
fn small_polygons() {
    check(&vec![[0, 0], [4, 1], [0, 2], [1, 1]]);
    check(&vec![[4, 1], [1, 1], [1, 4], [0, 4], [0, 0], [4, 0]]);
    // A corner on an edge, and two corners at one point.
    check(&vec![[0, 0], [4, 0], [8, 0], [4, 1], [4, 1], [0, 8]]);
    // U, Z and a cross.
    check(&vec![[0, 0], [5, 0], [5, 5], [4, 5], [4, 1], [1, 1], [1, 5], [0, 5]]);
    check(&vec![[0, 0], [6, 0], [6, 1], [2, 4], [6, 4], [6, 5], [0, 5], [0, 4], [4, 1], [0, 1]]);
    let cross =
        [[1, 0], [2, 0], [2, 1], [3, 1], [3, 2], [2, 2], [2, 3], [1, 3], [1, 2], [0, 2], [0, 1], [1, 1]];
    check(&cross.to_vec());
}

#[test]
fn random_polygons() {
    let mut seed = 1;
    for n in [5, 6, 8, 11, 15, 16, 17, 18, 25, 40, 77] {
        for _ in 0..20 {
            check(&star(n, 1.0, &mut seed));
        }
        check(&comb(n as i64, &mut seed));
        check(&spiral(n as i64 / 4 + 1));
    }
}

/// A hole that a bridge joins to the outline, as exporters write it: the outline traverses the bridge twice.
#[test]
fn holes_with_bridges() {
    let outer = [[0, 0], [10, 0], [10, 10], [0, 10]];
    let hole = [[2, 2], [2, 8], [8, 8], [8, 2]];
    let mut outline = outer.to_vec();
    outline.push(outer[0]);
    outline.extend(hole);
    outline.push(hole[0]);
    check(&outline);
    // The same shape with many corners.
    let fine = |corners: &[[i64; 2]]| -> Outline {
        let next = corners.iter().cycle().skip(1);
        let edge = |(a, b): (&[i64; 2], &[i64; 2])| {
            let (a, b) = (*a, *b);
            (0..5).map(move |k| [a[0] * 5 + (b[0] - a[0]) * k, a[1] * 5 + (b[1] - a[1]) * k])
        };
        corners.iter().zip(next).flat_map(edge).collect()
    };
    let (outer, hole) = (fine(&outer), fine(&hole));
    let mut outline = outer.clone();
    outline.push(outer[0]);
    outline.extend(&hole);
    outline.push(hole[0]);
    check(&outline);
}

/// A convex polygon is its fan, corner by corner, in every frame.
#[test]
fn convex_polygons_are_fans() {
    let hexagon = vec![[4, 0], [8, 3], [8, 7], [4, 9], [0, 7], [0, 3]];
    for frame in FRAMES {
        let mesh = &load_clean(Obj, obj(std::slice::from_ref(&hexagon), frame)).parts[0].mesh;
        assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]);
    }
    // Warped, or with a corner on an edge, or without an area: still a fan.
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    load_clean(Obj, format!("{square}v 0.5 1 0.3\nf 1 2 3 5 4\nf 1 2 2 3\nf 1 2 1 2\n"));
}

#[test]
fn what_has_no_outline_stays_a_fan_and_is_told() {
    let told = |n: u32, line: u32| {
        format!(
            "dir/file.x: line {line}: faces that cross or touch themselves, are far \
             from flat or have too many corners, and became fans: {n}; \
             such a fan may reach beyond its face"
        )
    };
    // A bow tie, and one among many corners.
    let tie = vec![[0, 0], [4, 4], [4, 0], [0, 4]];
    let mut large: Outline = (0..30).map(|i| [i, i * i]).collect();
    large.swap(10, 11);
    let text = obj(&[tie, large.clone()], FRAMES[4]);
    let assembly = load(Obj, text);
    assert_eq!(assembly.triangles(), 2 + 28);
    assert_eq!(assembly.parts[0].mesh.triangles()[..2], [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(warnings(&assembly), [told(2, 5)]);
    // A dart, folded by a third of its size; and one within a hundredth.
    let dart = |z: f64| format!("v 0 0 0\nv 4 1 {z}\nv 0 2 0\nv 1 1 0\nf 1 2 3 4\n");
    assert_eq!(warnings(&load(Obj, dart(2.0))), [told(1, 5)]);
    load_clean(Obj, dart(0.01));
    // A spike that goes out and back; coordinates that are too small for the triangulation.
    let spike = vec![[0, 0], [4, 0], [4, 4], [9, 9], [4, 4], [2, 1], [0, 4]];
    assert_eq!(warnings(&load(Obj, obj(&[spike], FRAMES[0]))), [told(1, 8)]);
    let mut tiny = obj(&[large], FRAMES[0]).replacen("v 1 1 0", "v 1e-300 1e-300 0", 1);
    tiny += "f 1 2 3\n";
    assert_eq!(warnings(&load(Obj, tiny)), [told(1, 31)]);
}

#[test]
fn other_formats_and_points_that_come_later() {
    let dart = "0 0 0\n4 1 0\n0 2 0\n1 1 0\n";
    let good = [[1, 2, 3], [1, 3, 0]];
    let triangles = |mesh: &Mesh| mesh.triangles().to_vec();
    let off = load_clean(Off, format!("OFF\n4 1 0\n{dart}4 0 1 2 3\n"));
    assert_eq!(triangles(&off.parts[0].mesh), good);
    let ply = |first: &str, second: &str, rows: &str| {
        format!("ply\nformat ascii 1.0\n{first}{second}end_header\n{rows}")
    };
    let vertex = "element vertex 4\nproperty double x\nproperty double y\nproperty double z\n";
    let face = "element face 1\nproperty list uchar int vertex_indices\n";
    let before = load_clean(Ply, ply(vertex, face, &format!("{dart}4 0 1 2 3\n")));
    let behind = load_clean(Ply, ply(face, vertex, &format!("4 0 1 2 3\n{dart}")));
    assert_eq!(triangles(&before.parts[0].mesh), good);
    assert_eq!(triangles(&behind.parts[0].mesh), good);
    // In several parts, with triangles before and behind.
    let vertices = dart.lines().map(|l| format!("v {l}\n")).collect::<String>();
    let text =
        format!("o a\nf 1 2 3\nf 1 2 3 4\nf 1 2 3 4\nf 3 2 1\no b\nf 1 2 3 4\n{vertices}o c\nf 1 2 3 4\n");
    let assembly = load_clean(Obj, text);
    let [a, b, c] = &assembly.parts[..] else { panic!() };
    let places = |mesh: &Mesh| {
        mesh.triangles().iter().map(|t| t.map(|k| mesh.points()[k as usize])).collect::<Vec<_>>()
    };
    assert_eq!((a.mesh.len(), places(&b.mesh)), (6, places(&c.mesh)));
    assert_eq!(places(&a.mesh)[1..3], places(&c.mesh)[..]);
    assert_eq!(places(&a.mesh)[3..5], places(&c.mesh)[..]);
    // Strips of one or two corners get a warning, as faces do.
    let strips = ply(vertex, "element tristrips 1\nproperty list uchar int vertex_indices\n", "");
    let found = load(Ply, format!("{strips}{dart}7 0 1 2 -1 3 -1 2\n"));
    let small = "faces with fewer than 3 corners contain no triangle and are skipped: 2";
    assert!(warnings(&found)[0].ends_with(small), "{:?}", warnings(&found));
}

/// An L and a triangle in its notch. The triangles of the L do not cover the notch.
#[test]
fn the_hostile_l_leaves_its_notch_alone() {
    let Some(folder) = data("hostile") else { return };
    let assembly = impinge_io::read(folder.join("concave.obj")).unwrap();
    assert_eq!(warnings(&assembly), [""; 0]);
    let outline = vec![[4, 1], [1, 1], [1, 4], [0, 4], [0, 0], [4, 0]];
    covers(&assembly.parts[0].mesh, &outline, FRAMES[0]);
}

/// Polygons of many corners, good ones and bad ones: no long wait.
#[test]
fn large_polygons_take_no_long_time() {
    let mut seed = 5;
    let n = 12_000;
    // Teeth a million times as long as they are wide.
    let tooth = |i: i64| [i, if i % 2 == 0 { 1_000_000 } else { i % 7 }];
    let zip: Outline = (0..n as i64).map(tooth).chain([[n as i64, -9], [0, -9]]).collect();
    let mut crossed = star(n, 1e4, &mut seed);
    crossed.swap(10, 5_000);
    let cases = [
        ("star", star(n, 1e4, &mut seed), true),
        ("comb", comb(n as i64 / 2, &mut seed), true),
        ("spiral", spiral(n as i64 / 8), true),
        ("zip", zip, true),
        ("crossed", crossed, false),
        // More corners than the limit of triangulation.
        ("large star", star(100_000, 1e4, &mut seed), false),
        ("large spiral", spiral(12_500), false),
        ("random", (0..n).map(|_| [random(&mut seed), random(&mut seed)]).collect(), false),
    ];
    for (name, outline, good) in cases {
        let text = obj(std::slice::from_ref(&outline), FRAMES[5]);
        let assembly = bounded(name, || parse(Obj, text)).unwrap();
        assert_eq!(assembly.warnings.is_empty(), good, "{name}: {:?}", warnings(&assembly));
        assert_eq!(assembly.triangles(), outline.len() - 2, "{name}");
    }
}

/// Many large ones in a file: only the first eleven are triangulated.
#[test]
fn many_large_polygons_take_no_long_time() {
    let mut seed = 7;
    let outlines: Vec<_> = (0..100).map(|_| star(6000, 1e4, &mut seed)).collect();
    let text = obj(&outlines, FRAMES[4]);
    let assembly = bounded("many", || parse(Obj, text)).unwrap();
    let told = warnings(&assembly);
    assert!(told[0].contains("and became fans: 89;"), "{told:?}");
}
