//! Lengths and areas of meshes that meet themselves, against a count in the plane: all lines cut the common
//! set into pieces, and each piece counts once if its middle is in the set.
use super::{Point, counts, mesh, model, twin};
use impinge::{Body, Mesh, Pose, Query, curves::Curves};
use impinge_testkit::{cases::is_full, curve_bounds::bounds_are_tight, rng::Rng};
use std::collections::BTreeSet;

type Place = [f64; 2];

/// The part of a body in the plane.
#[derive(Debug, Default)]
struct Flat {
    triangles: Vec<[Place; 3]>,
    /// Edges of triangles that leave the plane.
    fins: Vec<[Place; 2]>,
}

/// Sizes of the common set of two bodies.
#[derive(Debug)]
struct Sizes {
    length: f64,
    area: f64,
}

fn cross(o: Place, a: Place, b: Place) -> f64 {
    (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
}

/// Tolerance. Coordinates are small integers, so crossings of lines are far apart, or equal up to rounding.
const NEAR: f64 = 1e-9;

fn in_triangle(t: &[Place; 3], p: Place) -> bool {
    let turn = cross(t[0], t[1], t[2]).signum();
    (0..3).all(|k| cross(t[k], t[(k + 1) % 3], p) * turn >= -NEAR)
}

fn on_segment([a, b]: &[Place; 2], p: Place) -> bool {
    let within = |k: usize| a[k].min(b[k]) - NEAR <= p[k] && p[k] <= a[k].max(b[k]) + NEAR;
    cross(*a, *b, p).abs() <= NEAR && within(0) && within(1)
}

/// True if two triangles have more than a segment in common: the sides of one clip the other.
fn overlap(s: &[Place; 3], t: &[Place; 3]) -> bool {
    let turn = cross(t[0], t[1], t[2]).signum();
    let mut rest = s.to_vec();
    for k in 0..3 {
        let side = |p: Place| cross(t[k], t[(k + 1) % 3], p) * turn;
        let mut kept = Vec::new();
        for (i, &p) in rest.iter().enumerate() {
            let q = rest[(i + 1) % rest.len()];
            if side(p) >= 0.0 {
                kept.push(p);
            }
            if side(p) * side(q) < 0.0 {
                let part = side(p) / (side(p) - side(q));
                kept.push([0, 1].map(|k| p[k] + part * (q[k] - p[k])));
            }
        }
        rest = kept;
    }
    let doubled: f64 =
        (1..rest.len().max(1)).map(|i| cross(rest[0], rest[i], rest[(i + 1) % rest.len()])).sum();
    doubled.abs() > NEAR
}

impl Flat {
    fn edges(&self) -> impl Iterator<Item = [Place; 2]> {
        let sides = self.triangles.iter().flat_map(|t| (0..3).map(|k| [t[k], t[(k + 1) % 3]]));
        sides.chain(self.fins.iter().copied())
    }
    fn holds(&self, p: Place) -> bool {
        self.triangles.iter().any(|t| in_triangle(t, p)) || self.fins.iter().any(|fin| on_segment(fin, p))
    }
    /// A mesh of the triangles in the plane z = 0, and of fins that leave it to one side.
    fn mesh(&self, rng: &mut Rng, way: f64) -> Mesh {
        let mut points: Vec<Point> = Vec::new();
        let flat = |p: &Place| [p[0], p[1], 0.0];
        for t in &self.triangles {
            points.extend(t.iter().map(flat));
        }
        for fin in &self.fins {
            points.extend(fin.iter().map(flat));
            points.push([rng.int(-2, 10) as f64, rng.int(-2, 10) as f64, way * rng.int(1, 4) as f64]);
        }
        let triangles = (0..points.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Mesh::new(points, triangles).unwrap()
    }
}

/// Coefficients of the line through two integer points, equal for equal lines.
fn line([p, q]: [Place; 2]) -> [i64; 3] {
    let [p, q] = [p, q].map(|p| p.map(|x| x as i64));
    let (a, b) = (q[1] - p[1], p[0] - q[0]);
    let c = a * p[0] + b * p[1];
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let by = gcd(gcd(a.abs(), b.abs()), c.abs()) * if (a, b) < (0, 0) { -1 } else { 1 };
    [a / by, b / by, c / by]
}

fn sizes(a: &Flat, b: &Flat) -> Sizes {
    let both: Vec<[&[Place; 3]; 2]> =
        a.triangles.iter().flat_map(|s| b.triangles.iter().map(move |t| [s, t])).collect();
    let patches: Vec<_> = both.into_iter().filter(|[s, t]| overlap(s, t)).collect();
    let in_patch = |p: Place| patches.iter().any(|pair| pair.iter().all(|t| in_triangle(t, p)));
    let lines: BTreeSet<[i64; 3]> = a.edges().chain(b.edges()).map(line).collect();
    let cut = |[a, b, c]: [i64; 3], [d, e, f]: [i64; 3]| {
        let det = a * e - b * d;
        (det != 0).then(|| [(c * e - b * f) as f64 / det as f64, (a * f - c * d) as f64 / det as f64])
    };
    let mut length = 0.0;
    for &line in &lines {
        let mut places: Vec<Place> = lines.iter().filter_map(|&other| cut(line, other)).collect();
        places.extend(a.edges().chain(b.edges()).filter(|&edge| self::line(edge) == line).flatten());
        places.sort_by(|p, q| p.partial_cmp(q).unwrap());
        for pair in places.windows(2) {
            let middle = [0, 1].map(|k| (pair[0][k] + pair[1][k]) / 2.0);
            let piece = (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]);
            if piece > NEAR && a.holds(middle) && b.holds(middle) && !in_patch(middle) {
                length += piece;
            }
        }
    }
    // Between two crossings of lines, the length along y is linear.
    let mut xs: Vec<f64> = lines
        .iter()
        .flat_map(|&line| lines.iter().filter_map(move |&other| cut(line, other)))
        .map(|p| p[0])
        .collect();
    xs.sort_by(f64::total_cmp);
    let mut area = 0.0;
    for pair in xs.windows(2).filter(|pair| pair[1] - pair[0] > NEAR) {
        let x = (pair[0] + pair[1]) / 2.0;
        let mut ys: Vec<f64> = lines
            .iter()
            .filter(|[_, b, _]| *b != 0)
            .map(|&[a, b, c]| (c as f64 - a as f64 * x) / b as f64)
            .collect();
        ys.sort_by(f64::total_cmp);
        let across = ys.windows(2).filter(|ys| in_patch([x, (ys[0] + ys[1]) / 2.0]) && ys[1] - ys[0] > NEAR);
        area += across.map(|ys| ys[1] - ys[0]).sum::<f64>() * (pair[1] - pair[0]);
    }
    Sizes { length, area }
}

fn check(curves: &Curves, want: &Sizes, context: &str) {
    let holds = |[lo, hi]: [f64; 2], x: f64| lo - 1e-9 <= x && x <= hi + 1e-9 && hi - lo < 1e-9;
    assert!(holds(curves.length(), want.length), "{context}: {:?} {want:?}", curves.length());
    assert!(holds(curves.area(), want.area), "{context}: {:?} {want:?}", curves.area());
    let lines: f64 = curves.lines().map(|line| line.length[1]).sum();
    let areas: f64 = curves.patches().map(|patch| patch.area()[1]).sum();
    assert!((lines - want.length).abs() < 1e-9 && (areas - want.area).abs() < 1e-9, "{context}");
    bounds_are_tight(curves);
}

#[test]
fn sizes_are_those_of_the_set() {
    let (mut query, mut seen) = (Query::new(), [0; 4]);
    for index in 0..if is_full() { 4000 } else { 300 } {
        let mut rng = Rng::for_case(314, index);
        let size = *rng.pick(&[3, 5, 8]);
        let place = |rng: &mut Rng| [rng.int(0, size) as f64, rng.int(0, size) as f64];
        let flat = |rng: &mut Rng| {
            let mut flat = Flat::default();
            for _ in 0..rng.int(0, 4) {
                let t = [place(rng), place(rng), place(rng)];
                if cross(t[0], t[1], t[2]) != 0.0 {
                    flat.triangles.push(t);
                }
            }
            for _ in 0..rng.int(0, 4) {
                let fin = [place(rng), place(rng)];
                if fin[0] != fin[1] {
                    flat.fins.push(fin);
                }
            }
            if rng.one_in(3) {
                flat.triangles.push([[-20.0, -20.0], [40.0, -20.0], [-20.0, 40.0]]);
            }
            flat
        };
        let flats = [flat(&mut rng), flat(&mut rng)];
        let models = [(0, 1.0), (1, -1.0)].map(|(x, way)| model(flats[x].mesh(&mut rng, way)));
        let pose =
            if rng.one_in(2) { Pose::IDENTITY } else { Pose::rigid(rng.rotation(), rng.point(3.0)).unwrap() };
        let [a, b] = models.each_ref().map(|model| Body::new(model, pose));
        let want = sizes(&flats[0], &flats[1]);
        let context = format!("case {index} {flats:?}");
        check(query.curves(&a, &b), &want, &context);
        if index % 8 == 0 {
            twin::check(&mut query, &a, &b, &context);
        }
        let has = [want.length > 0.0, want.area > 0.0];
        seen[usize::from(has[0]) + 2 * usize::from(has[1])] += 1;
    }
    assert!(seen.iter().all(|&n| n > 20), "{seen:?}");
}

/// A square of two triangles with a fin on its other diagonal, on a floor: no line is left.
#[test]
fn an_edge_inside_of_several_polygons_is_no_line() {
    let floor = mesh(&[[-50.0, -50.0, 0.0], [50.0, -50.0, 0.0], [0.0, 50.0, 0.0]], &[[0, 1, 2]]);
    let points = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0], [2.0, 2.0, 4.0]];
    let square = mesh(&points, &[[0, 1, 2], [0, 2, 3], [1, 3, 4]]);
    let curves = super::of(&floor, &square);
    assert_eq!((counts(&curves), curves.length(), curves.area()), ([0, 0, 1, 0], [0.0; 2], [16.0; 2]));
    // With a fin twice as long, two lines are left.
    let points = [points[0], points[1], points[2], points[3], points[4], [6.0, -2.0, 0.0], [-2.0, 6.0, 0.0]];
    let square = mesh(&points, &[[0, 1, 2], [0, 2, 3], [5, 6, 4]]);
    let curves = super::of(&floor, &square);
    assert_eq!((counts(&curves), curves.area()), ([2, 0, 1, 0], [16.0; 2]));
    assert!(super::holds(curves.length(), 4.0 * 2.0_f64.sqrt(), 1e-14), "{:?}", curves.length());
}

/// The bases of two tetrahedra of one mesh overlap: one patch, whose area counts once.
#[test]
fn overlapping_polygons_count_once() {
    let floor = mesh(&[[-50.0, -50.0, 0.0], [50.0, -50.0, 0.0], [0.0, 50.0, 0.0]], &[[0, 1, 2]]);
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let first = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [1.0, 1.0, 5.0]];
    let second = first.map(|[x, y, z]| [x + 1.0, y + 1.0, z]);
    let both = mesh(&[first, second].concat(), &[faces, faces.map(|t| t.map(|i| i + 4))].concat());
    let curves = super::of(&floor, &both);
    assert_eq!((counts(&curves), curves.area()), ([0, 0, 1, 0], [46.0; 2]));
    let patch = curves.patches().next().unwrap();
    assert_eq!(patch.border().len(), 1);
    let want = 20.0 + 10.0 * 2.0_f64.sqrt();
    assert!(super::holds(patch.border().next().unwrap().length, want, 1e-13), "{patch:?}");
    bounds_are_tight(&curves);
}
