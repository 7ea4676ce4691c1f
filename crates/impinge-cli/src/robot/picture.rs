//! Pictures of a robot at the moments of its contacts.
use super::results::RobotResults;
use impinge::{Mesh, Pose, Side};
use impinge_report::{PaintedLayer, PaintedScene};
use impinge_robot::{PartKind, Robot, RobotShape};
use std::collections::BTreeSet;

/// When a pair of links is in collision, or comes too near for a proof.
pub(crate) struct Moment {
    /// The place of the finding: a configuration, or an edge.
    pub(crate) at: MomentPlace,
    pub(crate) links: [usize; 2],
    /// The configuration at that time.
    q: Vec<f64>,
}

pub(crate) enum MomentPlace {
    Configuration(usize),
    Edge(usize),
}

/// The first moment of each pair of links, in the order of the trajectory; edges before configurations.
pub(super) fn moments(results: &RobotResults, q: &[f64], width: usize, most: usize) -> Vec<Moment> {
    let row = |i: usize| &q[i * width..][..width];
    let edges = results.edges.iter().flatten().map(|edge| {
        let t = edge.meets_at.unwrap_or(edge.free_until);
        let between = row(edge.edge).iter().zip(row(edge.edge + 1)).map(|(a, b)| a + t * (b - a));
        Moment { at: MomentPlace::Edge(edge.edge), links: edge.links, q: between.collect() }
    });
    let configurations = results.collisions.iter().flat_map(|collision| {
        let q = row(collision.configuration);
        let at = move || MomentPlace::Configuration(collision.configuration);
        collision.links.iter().map(move |links| Moment { at: at(), links: *links, q: q.to_vec() })
    });
    let mut known = BTreeSet::new();
    edges.chain(configurations).filter(|moment| known.insert(moment.links)).take(most).collect()
}

/// Colours of the two links.
pub(crate) const COLORS: [[u8; 3]; 2] = [[214, 32, 48], [250, 170, 60]];

/// The colour of the other links.
const OTHERS: [u8; 3] = [170, 178, 190];

/// The chord of balls, as a part of their radius.
const CHORD: f64 = 0.01;

/// Sides of capsules: of an end along the axis, and around it.
const CAPSULE: [u32; 2] = [12, 48];

/// Draws the robot at a moment as a PNG file, the two links in colours, and other obstacles translucent.
pub(super) fn draw(robot: &Robot, moment: &Moment, size: [u32; 2]) -> anyhow::Result<Vec<u8>> {
    let layer = |color, is_wanted| PaintedLayer { color, is_wanted, ..PaintedLayer::default() };
    // An obstacle may be large. Seen best, it would hide the robot.
    let [first, second] = [0, 1].map(|k| {
        let is_wanted = robot.parts()[moment.links[k]].kind() != PartKind::Obstacle;
        layer(COLORS[k], is_wanted)
    });
    let mut layers = vec![layer(OTHERS, false), first, second];
    let mut ghost = PaintedLayer::default();
    let poses = robot.kinematics().poses(&moment.q)?;
    for (index, part) in robot.parts().iter().enumerate() {
        let place = moment.links.iter().position(|link| *link == index);
        let (frame, layer) = match (part.kind(), place) {
            (PartKind::Removed, _) => continue,
            (PartKind::Obstacle, Some(place)) => (Pose::IDENTITY, &mut layers[place + 1]),
            // Other obstacles must not hide the contact.
            (PartKind::Obstacle, None) => (Pose::IDENTITY, &mut ghost),
            (PartKind::Link(link) | PartKind::Attached(link), place) => {
                (*poses[link].pose(), &mut layers[place.map_or(0, |place| place + 1)])
            }
        };
        for shape in part.shapes() {
            let (mesh, center) = mesh(shape, shape.radius() + part.padding())?;
            let first = layer.points.len() as u32;
            let own = shape.pose().pose();
            let point = |p: &[f64; 3]| [0, 1, 2].map(|k| p[k] + center[k]);
            layer.points.extend(mesh.points().iter().map(|p| frame.place(own.place(point(p)))));
            layer.triangles.extend(mesh.triangles().iter().map(|t| t.map(|corner| first + corner)));
        }
    }
    Ok(PaintedScene { layers, ghosts: vec![ghost] }.png(size))
}

/// A mesh of a shape, and where its origin is. Meshes with a radius are drawn without it.
fn mesh(shape: &RobotShape, radius: f64) -> anyhow::Result<(Mesh, [f64; 3])> {
    let mesh = shape.model().mesh();
    let points = mesh.points();
    let is_on_axis = points.iter().all(|p| p[0] == 0.0 && p[1] == 0.0);
    if radius == 0.0 || !is_on_axis {
        return Ok((mesh.clone(), [0.0; 3]));
    }
    let [low, high] = points
        .iter()
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], p| [low.min(p[2]), high.max(p[2])]);
    let round = match high - low {
        0.0 => Mesh::ellipsoid([radius; 3], CHORD * radius, Side::Inscribed)?,
        height => Mesh::capsule(radius, height, CAPSULE[0], CAPSULE[1])?,
    };
    Ok((round, [0.0, 0.0, low / 2.0 + high / 2.0]))
}
