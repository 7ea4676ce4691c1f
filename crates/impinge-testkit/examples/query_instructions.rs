//! Fixed work for each query of the fast tree, for `.ci/instructions`, which counts its instructions:
//! `query_instructions QUERY FRAMES`. Without arguments it runs all of them.
use impinge::{
    Body, HalfSpace, Mesh, Model, Pose, Query, Scene,
    distance::Margin,
    model::Shape,
    path::Path,
    penetration::PenetrationParts,
    rays::Ray,
    regions::InRegion,
    scene::Detail,
    solid::Location,
    sweep::{Moving, Sweep, SweepOptions},
};
use impinge_testkit::{meshes, rng::Rng};
use std::{error::Error, hint::black_box, sync::Arc};

const QUERIES: [&str; 16] = [
    "relation",
    "penetration",
    "curves",
    "distance",
    "nested",
    "within",
    "closest",
    "rays",
    "locate",
    "region",
    "scene",
    "faces",
    "capsule",
    "half-space",
    "hulls",
    "sweep",
];
const FRAMES: usize = 60;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [query, frames] => ask(query, frames.parse()?),
        _ => QUERIES.iter().try_for_each(|query| ask(query, FRAMES)),
    }
}

/// Runs a query of a ball and a ring that cross at most poses, or of two rows of cubes with coincident faces.
fn ask(name: &str, frames: usize) -> Result<(), Box<dyn Error>> {
    let build = |mesh: Mesh| Model::new(mesh);
    let (ball, ring) = (build(meshes::icosphere(3)), build(meshes::torus(40, 20, 0.3)));
    let row = |n: i32| {
        let cube = meshes::cuboid([0.5; 3]);
        let cubes: Vec<Mesh> =
            (0..n).map(|i| meshes::translated(&cube, [2.0 * f64::from(i), 0.0, 0.0])).collect();
        build(meshes::merged(&cubes.iter().collect::<Vec<_>>()))
    };
    let rows = [row(6), row(5)];
    // Built only for the query that uses them: counts of other queries would be less exact.
    let balls = (name == "nested")
        .then(|| [1.0, 1.03].map(|r| build(meshes::mapped(&meshes::icosphere(4), |p| p.map(|x| r * x)))));
    let hulls = (name == "hulls").then(|| {
        let mut rng = Rng::new(34);
        [0; 2].map(|_| Mesh::hull(&[(); 120].map(|()| rng.rotation()[0])).map(build))
    });
    let hulls = match hulls {
        Some([a, b]) => Some([a?, b?]),
        None => None,
    };
    let capsule = Shape::capsule(0.1, 1.0)?;
    let mut rng = Rng::new(33);
    let poses: Vec<Pose> =
        (0..FRAMES).map(|_| Pose::rigid(rng.rotation(), rng.point(1.2))).collect::<Result<_, _>>()?;
    let far = Pose::from_translation([3.0, 0.25, 0.5])?;
    let (mut query, mut sum) = (Query::new(), 0.0);
    let mut scene = Scene::new();
    let (ball, ring) = (Arc::new(ball), Arc::new(ring));
    let ids = [scene.add(ball.clone(), Pose::IDENTITY)?, scene.add(ring.clone(), far)?];
    scene.set_margin(Margin::new(0.1)?);
    for (frame, &pose) in poses.iter().enumerate().take(frames) {
        let (a, b) = (Body::new(&ball, Pose::IDENTITY), Body::new(&ring, pose));
        let apart = Body::new(&ring, pose.then(&far)?);
        let point = pose.translation().map(|x| 1.5 * x);
        match name {
            "relation" => sum += f64::from(u8::from(query.relation(&a, &b).overlaps())),
            "penetration" => {
                let found = query.penetration(&a, &b, &PenetrationParts::all());
                sum += found.overlap_volume.map_or(0.0, |[lo, _]| lo);
            }
            "curves" => sum += query.curves(&a, &b).length()[0],
            "distance" => sum += query.distance(&a, &apart).map_or(0.0, |gap| gap.lo),
            "nested" => {
                // One frame in twelve: this query takes as long as sixty others.
                if let Some([inner, outer]) = balls.as_ref().filter(|_| frame % 12 == 0) {
                    let turned = Pose::rigid(*pose.rows(), [0.002, 0.001, 0.0])?;
                    let (a, b) = (Body::new(outer, Pose::IDENTITY), Body::new(inner, turned));
                    sum += query.distance(&a, &b).map_or(0.0, |gap| gap.lo);
                }
            }
            "within" => sum += f64::from(u8::from(query.within(&a, &apart, Margin::new(0.8)?))),
            "closest" => sum += query.closest_point(&b, point).map_or(0.0, |c| c.lo),
            "rays" => {
                let ray = Ray::new(point.map(|x| 2.0 * x), point.map(|x| -x))?;
                sum += query.ray_all(&b, &ray).len() as f64;
            }
            "locate" => {
                let points = [point, pose.translation().map(|x| x / 2.0), *pose.translation()];
                sum += query
                    .locate(&b, &points)
                    .iter()
                    .map(|at| f64::from((*at == Location::Inside) as u8))
                    .sum::<f64>();
            }
            "region" => {
                let planes = [HalfSpace::new(pose.rows()[0], 0.5)?, HalfSpace::new(pose.rows()[1], 0.5)?];
                sum += query.triangles_in(&b, &planes, InRegion::Partly).len() as f64;
            }
            "scene" => {
                scene.set_pose(ids[1], pose)?;
                scene.update(Detail::Relations);
                sum += scene.contacts().len() as f64 + scene.near().len() as f64;
            }
            "faces" => {
                let shift = [f64::from(frame as i32 % 8) - 4.0, f64::from(frame as i32 % 3) / 2.0, 1.0];
                let (a, b) = (
                    Body::new(&rows[0], Pose::IDENTITY),
                    Body::new(&rows[1], Pose::from_translation(shift)?),
                );
                let relation = query.relation(&a, &b);
                sum += f64::from(u8::from(relation.touching)) + query.curves(&a, &b).area()[0];
            }
            "capsule" => {
                let capsule = capsule.at(pose.then(&far)?);
                sum += query.distance(&capsule, &a).map_or(0.0, |gap| gap.lo);
                sum += f64::from(u8::from(query.intersects(&capsule, &b)));
            }
            "half-space" => {
                let floor = HalfSpace::new(pose.rows()[2], -1.0)?;
                sum += query.distance(&apart, &floor).map_or(0.0, |gap| gap.lo);
            }
            "hulls" => {
                if let Some([first, second]) = &hulls {
                    let (a, b) = (Body::new(first, Pose::IDENTITY), Body::new(second, pose));
                    let wanted = PenetrationParts::new().separating_distance(true);
                    let found = query.penetration(&a, &b, &wanted);
                    sum += found.separating_distance.map_or(0.0, |[lo, _]| lo);
                }
            }
            "sweep" => {
                // From apart to a pose at which most cross, with half a turn at most.
                let path = Path::between(&pose.then(&far)?, &poses[(frame + 1) % FRAMES], [0.0; 3])?;
                let found = query.sweep(a, Moving::new(&ring, &path), &SweepOptions::new());
                sum += if let Sweep::Contact { free_until, .. } = found { free_until } else { 1.0 };
            }
            _ => return Err(format!("there is no query {name}; the queries are {QUERIES:?}").into()),
        }
    }
    println!("{name}: {}", black_box(sum));
    Ok(())
}
