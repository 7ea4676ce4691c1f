//! Queries with their results on this machine, as JSON, for tests of the library in other languages, which must
//! return the same bits: `agreement [FILE]`. Without a file it counts the cases.
use impinge::{
    Body, Mesh, Model, Pose, Query, SimdLevel,
    distance::{Accuracy, DistanceBounds, Margin},
    path::Path,
    penetration::PenetrationParts,
    rays::Ray,
    solid::Location,
    sweep::{Moving, Sweep, SweepOptions},
};
use impinge_testkit::{meshes, near_degenerate, rng::Rng};
use serde_json::{Value, json};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut query = Query::new();
    let meshes = all_meshes()?;
    let models: Vec<Model> = meshes.iter().cloned().map(Model::new).collect();
    let (mut rng, mut pairs) = (Rng::new(59), Vec::new());
    for a in 0..models.len() {
        for b in a..models.len() {
            for place in 0..4 {
                let pose = match place {
                    // Equal poses: faces coincide, and integers decide.
                    0 => Pose::IDENTITY,
                    1 => Pose::from_translation([2.0, 0.0, 0.0])?,
                    _ => Pose::rigid(rng.rotation(), rng.point(1.5))?,
                };
                let places = if place == 3 { [pose, pose] } else { [Pose::IDENTITY, pose] };
                pairs.push(pair(&mut query, [a, b], &models, places)?);
            }
        }
    }
    let mut near = Vec::new();
    for index in 0..3000 {
        let case = near_degenerate::near_degenerate(7, index);
        let triangles = [&case.p, &case.q].map(|corners| Mesh::new(corners.to_vec(), vec![[0, 1, 2]]));
        let [p, q] = triangles.map(|mesh| mesh.map(Model::new));
        let (p, q) = (p?, q?);
        let (a, b) = (Body::new(&p, case.pose_p), Body::new(&q, case.pose_q));
        near.push(json!({
            "points": [case.p, case.q],
            "poses": [numbers(&case.pose_p), numbers(&case.pose_q)],
            "intersects": query.intersects(&a, &b),
            "distance": bounds(query.with_accuracy(Accuracy::new().exact()).distance(&a, &b)),
        }));
    }
    let counts = [pairs.len(), near.len()];
    let all = json!({
        "simd": SimdLevel::Auto.in_use().name(),
        "meshes": meshes.iter().zip(&models).map(|(mesh, model)| one(&mut query, mesh, model)).collect::<Vec<_>>(),
        "pairs": pairs,
        "near": near,
    });
    if let Some(file) = std::env::args().nth(1) {
        std::fs::write(file, all.to_string())?;
    }
    println!("{} meshes, {} pairs of bodies, {} pairs of triangles", meshes.len(), counts[0], counts[1]);
    Ok(())
}

fn all_meshes() -> Result<Vec<Mesh>, impinge::Error> {
    Ok(vec![
        Mesh::cuboid([2.0; 3])?,
        Mesh::uv_sphere(1.0, 12, 24)?,
        Mesh::prism(0.75, 3.0, 7)?,
        meshes::torus(24, 12, 0.3),
        meshes::needles(8, 60),
        meshes::soup(3, 120, 0.4),
        meshes::to_grid(&meshes::torus(16, 10, 0.3), 6),
        meshes::sheet(5, 12, 0.3),
    ])
}

fn numbers(pose: &Pose) -> Vec<f64> {
    let (rows, t) = (pose.rows(), pose.translation());
    (0..3).flat_map(|k| [rows[k][0], rows[k][1], rows[k][2], t[k]]).collect()
}

fn bounds(found: Option<DistanceBounds>) -> Value {
    found.map_or(Value::Null, |found| {
        json!({ "lo": found.lo, "hi": found.hi, "triangles": found.triangles, "points": found.points })
    })
}

/// Queries of one body.
fn one(query: &mut Query, mesh: &Mesh, model: &Model) -> Value {
    let body = Body::new(model, Pose::IDENTITY);
    let mut rng = Rng::new(mesh.len() as u64);
    // Corners are points of the surface; rays through them meet several triangles at once.
    let corners = mesh.points().iter().step_by(7).copied();
    let points: Vec<[f64; 3]> = corners.chain((0..60).map(|_| rng.point(2.0))).collect();
    let locations = query.locate(&body, &points).iter().map(|location| match location {
        Location::Outside => 0,
        Location::Inside => 1,
        Location::OnSurface => 2,
        Location::Undefined => 3,
    });
    let locations: Vec<u8> = locations.collect();
    let nearest = query.closest_points(&body, &points).iter().flatten();
    let nearest: Vec<_> = nearest.map(|at| json!([at.lo, at.hi, at.triangle, at.point])).collect();
    let rays = points.iter().zip(points.iter().rev()).filter(|(from, to)| from != to);
    let rays = rays.map(|(&from, &to)| {
        let direction: [f64; 3] = std::array::from_fn(|k| to[k] - from[k]);
        let ray = Ray::new(from, direction).expect("points differ");
        let hits = query.ray_all(&body, &ray).iter();
        let hits: Vec<_> =
            hits.map(|hit| json!([hit.triangle, hit.enter, hit.leave, hit.crossing])).collect();
        let first = query.ray_first(&body, &ray).map(|hit| hit.triangle);
        json!({ "origin": from, "direction": direction, "hits": hits, "first": first })
    });
    let rays: Vec<_> = rays.collect();
    json!({
        "points": mesh.points(),
        "triangles": mesh.triangles(),
        "isClosed": model.solid().status().is_closed(),
        "volume": model.winding_volume(),
        "selfPairs": query.self_pairs(model),
        "hull": Mesh::hull(mesh.points()).map(|hull| hull.triangles().to_vec()).ok(),
        "at": points,
        "locate": locations,
        "nearest": nearest,
        "rays": rays,
    })
}

/// Queries of two bodies.
fn pair(
    query: &mut Query,
    numbers_of: [usize; 2],
    models: &[Model],
    poses: [Pose; 2],
) -> Result<Value, impinge::Error> {
    let [a, b] = [0, 1].map(|k| Body::new(&models[numbers_of[k]], poses[k]));
    let to = Pose::from_translation([-3.0, 0.125, 0.25])?;
    let sweep =
        query.sweep(a, Moving::new(b.model, &Path::between(&b.pose, &to, [0.0; 3])?), &SweepOptions::new());
    let sweep = match sweep {
        Sweep::Clear => json!({ "kind": "clear" }),
        Sweep::Contact { free_until, meets_at, .. } => {
            json!({ "kind": "contact", "freeUntil": free_until, "meetsAt": meets_at })
        }
        Sweep::Near { free_until, until, .. } => {
            json!({ "kind": "undecided", "freeUntil": free_until, "until": until })
        }
    };
    let relation = query.relation(&a, &b);
    let depth = query.penetration(&a, &b, &PenetrationParts::all());
    Ok(json!({
        "meshes": numbers_of,
        "poses": [numbers(&a.pose), numbers(&b.pose)],
        "intersects": query.intersects(&a, &b),
        "pairs": query.pairs(&a, &b),
        "distance": bounds(query.distance(&a, &b)),
        "exact": bounds(query.with_accuracy(Accuracy::new().exact()).distance(&a, &b)),
        "within": query.within(&a, &b, Margin::new(0.125)?),
        "overlaps": query.overlaps(&a, &b),
        "relation": { "kind": format!("{:?}", relation.kind), "touching": relation.touching },
        "penetration": {
            "overlapVolume": depth.overlap_volume,
            "interferenceDepth": depth.interference_depth,
            "depthAtLeast": depth.depth_at_least.map(|depth| depth.length),
            "separatingTranslation": depth.separating_translation,
            "separatingDistance": depth.separating_distance,
        },
        "to": numbers(&to),
        "sweep": sweep,
    }))
}
