//! Pairs of shapes near contact: `shapes-pairs hulls|meshes SCENE NAME OUT COUNT SEED`. `meshes` has spheres
//! and capsules against the scene's first mesh. `hulls` has convex hulls of the mesh's connected parts
//! against each other and against spheres and capsules. Writes files into the folder OUT. Prints a line for
//! each: file, group, vertices and triangles of both shapes, and their size.
use contract::{
    Frame, Mesh, Pose, Scene, complain,
    shapes::{Shape, ShapeFile},
};
use impinge::{Body, Model, Query};
use impinge_testkit::rng::Rng;
use std::{f64::consts::TAU, path::Path, process::ExitCode};

/// Vertices of a hull: the range of robots' simplified collision hulls.
const VERTICES: std::ops::RangeInclusive<usize> = 100..=150;
/// Number of hulls.
const HULLS: usize = 6;
/// Frames of a path of small steps.
const STEPS: usize = 50;

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn run(words: &[String]) -> Result<(), String> {
    let [what, scene, name, out, count, seed] = words else {
        return Err("usage: shapes-pairs hulls|meshes SCENE NAME OUT COUNT SEED".to_owned());
    };
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is not a number"));
    let (count, mut rng) = (number(count)? as usize, Rng::new(number(seed)?));
    let mesh = Scene::read(scene)?.a;
    let mut writer = Writer { folder: Path::new(out), count, rng: &mut rng };
    if what == "meshes" {
        let size = diagonal(&mesh.points);
        // Fractions of the mesh's diagonal.
        for (kind, shape) in rounded(size, [(0.01, 0.1), (0.05, 0.4)]) {
            writer.write(&format!("{name}, {kind}"), kind, [shape, Shape::Mesh(mesh.clone())], false)?;
        }
        return Ok(());
    }
    let hulls = hulls(&mesh)?;
    for (i, hull) in hulls.iter().enumerate() {
        let other = &hulls[(i + 1) % hulls.len()];
        for steps in [false, true] {
            let group = if steps { "hulls, small steps" } else { "hulls" };
            let name = format!("{name} {i}, {group}");
            writer.write(&name, group, [Shape::Hull(hull.clone()), Shape::Hull(other.clone())], steps)?;
        }
    }
    for (i, hull) in hulls.iter().take(2).enumerate() {
        for (kind, shape) in rounded(diagonal(&hull.points), [(0.05, 0.3), (0.2, 1.0)]) {
            let group = format!("{kind} and hull");
            writer.write(
                &format!("{name} {i}, {group}"),
                &group,
                [shape, Shape::Hull(hull.clone())],
                false,
            )?;
        }
    }
    Ok(())
}

/// Spheres and capsules by radius and height, as parts of a size.
fn rounded(size: f64, of: [(f64, f64); 2]) -> [(&'static str, Shape); 4] {
    let [(r, h), (s, k)] = of;
    [
        ("small sphere", Shape::Sphere { radius: r * size }),
        ("large sphere", Shape::Sphere { radius: 2.0 * s * size }),
        ("small capsule", Shape::Capsule { radius: r * size, height: h * size }),
        ("large capsule", Shape::Capsule { radius: s * size, height: k * size }),
    ]
}

/// Convex hulls of the largest connected parts, with few vertices as in robots' collision models: the extreme
/// points in so many directions that the number of vertices is in the range, from its lower to its upper end.
fn hulls(mesh: &Mesh) -> Result<Vec<Mesh>, String> {
    let mut parts = parts(mesh);
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    let mut found = Vec::new();
    for part in parts {
        let whole = hull(&part)?;
        if let Some(hull) = simplified(&whole, VERTICES.start() + 9 * found.len())? {
            found.push(hull);
        }
        if found.len() == HULLS {
            break;
        }
    }
    if found.len() < 2 {
        return Err(format!("{} parts with {VERTICES:?} extreme points", found.len()));
    }
    Ok(found)
}

fn simplified(whole: &Mesh, least: usize) -> Result<Option<Mesh>, String> {
    let wanted = least..=*VERTICES.end();
    if whole.points.len() < least {
        return Ok(None);
    }
    for directions in (100..3000).step_by(25) {
        let extreme: Vec<[f64; 3]> = (0..directions)
            .filter_map(|k| {
                // Spread over the sphere (a Fibonacci lattice).
                let z = 1.0 - (2.0 * k as f64 + 1.0) / directions as f64;
                let (angle, r) = (k as f64 * TAU * 0.618_033_988_749_894_9, (1.0 - z * z).sqrt());
                let n = [r * angle.cos(), r * angle.sin(), z];
                whole.points.iter().copied().max_by(|p, q| dot(*p, n).total_cmp(&dot(*q, n)))
            })
            .collect();
        let hull = hull(&extreme)?;
        if wanted.contains(&hull.points.len()) {
            return Ok(Some(hull));
        }
    }
    Ok(wanted.contains(&whole.points.len()).then(|| whole.clone()))
}

fn hull(points: &[[f64; 3]]) -> Result<Mesh, String> {
    let hull = impinge::Mesh::hull(points).map_err(|error| error.to_string())?;
    Ok(Mesh { points: hull.points().to_vec(), triangles: hull.triangles().to_vec() })
}

/// Corners of the connected parts.
fn parts(mesh: &Mesh) -> Vec<Vec<[f64; 3]>> {
    let mesh = solids::surface::merged(mesh);
    let mut root: Vec<usize> = (0..mesh.points.len()).collect();
    fn find(root: &mut [usize], mut i: usize) -> usize {
        while root[i] != i {
            root[i] = root[root[i]];
            i = root[i];
        }
        i
    }
    for &[a, b, c] in &mesh.triangles {
        for other in [b, c] {
            let (i, j) = (find(&mut root, a as usize), find(&mut root, other as usize));
            root[i] = j;
        }
    }
    let mut parts = std::collections::BTreeMap::<usize, Vec<[f64; 3]>>::new();
    for (i, &point) in mesh.points.iter().enumerate() {
        parts.entry(find(&mut root, i)).or_default().push(point);
    }
    parts.into_values().collect()
}

/// The model of a shape without its radius, the radius, and the shape's size.
fn model(shape: &Shape) -> Result<(Model, f64, f64), String> {
    let told = |error: impinge::Error| error.to_string();
    match shape {
        Shape::Sphere { radius } => Ok((Model::points(&[[0.0; 3]]).map_err(told)?, *radius, 2.0 * radius)),
        Shape::Capsule { radius, height } => {
            let half = height / 2.0;
            let model = Model::segment([0.0, 0.0, -half], [0.0, 0.0, half]).map_err(told)?;
            Ok((model, *radius, height + 2.0 * radius))
        }
        Shape::Hull(mesh) | Shape::Mesh(mesh) => {
            Ok((Model::new(solids::mesh(mesh)?), 0.0, diagonal(&mesh.points)))
        }
    }
}

struct Writer<'a> {
    folder: &'a Path,
    count: usize,
    rng: &'a mut Rng,
}

impl Writer<'_> {
    /// Writes a pair with frames: a quarter touch, a quarter overlap, a quarter are near, a quarter are apart;
    /// or with paths of small steps.
    fn write(&mut self, name: &str, group: &str, shapes: [Shape; 2], steps: bool) -> Result<(), String> {
        let (a, radius, length) = model(&shapes[0])?;
        let (b, _, size) = model(&shapes[1])?;
        let hulls = matches!(shapes[0], Shape::Hull(_));
        let length = length.min(size);
        let rng = &mut *self.rng;
        let own = Pose { rows: rng.rotation(), translation: rng.point(size) };
        let corners = a.mesh().points();
        let middle = [0, 1, 2].map(|k| corners.iter().map(|p| p[k]).sum::<f64>() / corners.len() as f64);
        let mut frames: Vec<Frame> = Vec::with_capacity(self.count);
        while frames.len() < self.count {
            let approach = Approach::new(rng, solids::pose(&own)?.place(middle), b.mesh());
            let Some(touch) = approach.contact(&a, &own, radius, &b, size + length)? else { continue };
            if steps {
                let axis = rng.direction();
                for k in 0..STEPS.min(self.count - frames.len()) {
                    let far = touch + length * (0.04 + 0.1 * (TAU * k as f64 / STEPS as f64).cos());
                    frames.push([own, approach.at(far, &turn(axis, 0.5_f64.to_radians() * k as f64))]);
                }
                continue;
            }
            let far = match frames.len() % 4 {
                0 => 0.0,
                1 => rng.between(-0.3, 0.0) * length,
                2 => rng.between(0.0, 0.1) * length,
                _ => 10_f64.powf(rng.between(-3.0, 0.0)) * size,
            };
            let pose = approach.at(touch + far, &turn([0.0, 0.0, 1.0], 0.0));
            // Surfaces decide here, solids with the rivals' hulls: one inside the other is no fair query.
            let meet = || {
                let (p, q) = (solids::pose(&own)?, solids::pose(&pose)?);
                Ok::<_, String>(Query::new().intersects(&Body::new(&a, p), &Body::new(&b, q)))
            };
            if far >= 0.0 || !hulls || meet()? {
                frames.push([own, pose]);
            }
        }
        let file = format!("{}.shapes", name.replace(", ", "-").replace(' ', "-"));
        let counts = |model: &Model| format!("{}\t{}", model.mesh().points().len(), model.mesh().len());
        println!("{file}\t{group}\t{}\t{}\t{size:?}", counts(&a), counts(&b));
        let whole = ShapeFile { name: name.to_owned(), margin: 0.05 * length, shapes, frames };
        whole.write(&self.folder.join(file))
    }
}

/// A motion of the second shape towards the first one.
struct Approach {
    /// The point to which `aim` moves, in the middle of the first shape.
    target: [f64; 3],
    rows: [[f64; 3]; 3],
    /// A point of the second shape's surface.
    aim: [f64; 3],
    from: [f64; 3],
}

impl Approach {
    fn new(rng: &mut Rng, target: [f64; 3], mesh: &impinge::Mesh) -> Self {
        let corners = mesh.corners(rng.below(mesh.len() as u64) as u32);
        let aim = [0, 1, 2].map(|k| corners.iter().map(|corner| corner[k]).sum::<f64>() / 3.0);
        Self { target, rows: rng.rotation(), aim, from: rng.direction() }
    }
    /// The second shape's pose at a distance from the target, turned around `aim`.
    fn at(&self, far: f64, turn: &[[f64; 3]; 3]) -> Pose {
        let column = |j: usize| self.rows.map(|row| row[j]);
        let rows = turn.map(|row| [0, 1, 2].map(|j| dot(row, column(j))));
        let translation = [0, 1, 2].map(|k| self.target[k] + far * self.from[k] - dot(rows[k], self.aim));
        Pose { rows, translation }
    }
    /// The distance from the target at which the shapes first touch, by conservative advancement. `None` if
    /// they pass each other.
    fn contact(
        &self,
        a: &Model,
        own: &Pose,
        radius: f64,
        b: &Model,
        start: f64,
    ) -> Result<Option<f64>, String> {
        let still = turn([0.0, 0.0, 1.0], 0.0);
        let (mut far, mut query) = (2.0 * start, Query::new());
        let told = |error: impinge::Error| error.to_string();
        let a = Body::new(a, solids::pose(own)?).rounded(radius).map_err(told)?;
        for _ in 0..100 {
            let b = Body::new(b, solids::pose(&self.at(far, &still))?);
            let gap = query.distance(&a, &b).ok_or("a shape without triangles")?;
            far -= gap.lo;
            if gap.lo <= 1e-12 * start {
                return Ok(Some(far));
            }
            if far < -start {
                break;
            }
        }
        Ok(None)
    }
}

/// The rotation by an angle around an axis of length 1.
fn turn([x, y, z]: [f64; 3], angle: f64) -> [[f64; 3]; 3] {
    let (s, c) = angle.sin_cos();
    let d = 1.0 - c;
    [
        [c + d * x * x, d * x * y - s * z, d * x * z + s * y],
        [d * x * y + s * z, c + d * y * y, d * y * z - s * x],
        [d * x * z - s * y, d * y * z + s * x, c + d * z * z],
    ]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The diagonal of the points' box.
fn diagonal(points: &[[f64; 3]]) -> f64 {
    let side = |k: usize| {
        let all = points.iter().map(|p| p[k]);
        all.clone().fold(f64::NEG_INFINITY, f64::max) - all.fold(f64::INFINITY, f64::min)
    };
    (0..3).map(|k| side(k).powi(2)).sum::<f64>().sqrt()
}
