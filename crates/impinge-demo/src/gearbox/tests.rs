use super::*;
use impinge::relation::RelationKind;
use impinge_testkit::{
    oracle,
    topology::{Topology, signed_volume_6},
};
use std::collections::{BTreeMap, BTreeSet};

type Corners = [[f64; 3]; 3];
type Box3 = [[f64; 3]; 2];

fn find<'a>(scene: &'a Scene, name: &str) -> &'a ScenePart {
    scene.parts.iter().find(|p| p.name == name).unwrap_or_else(|| panic!("no part {name}"))
}

/// Each triangle in its own frame, with a box that contains it at the part's pose.
fn placed(part: &ScenePart) -> Vec<(Corners, Box3)> {
    // Everything is within 256 mm, where the rounding of a placed point is below 1e-12.
    const MARGIN: f64 = 1e-9;
    let (rows, t) = (part.pose.rows(), part.pose.translation());
    let place = |v: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|i| rows[i][0] * v[0] + rows[i][1] * v[1] + rows[i][2] * v[2] + t[i])
    };
    let with_box = |i| {
        let corners = part.mesh.corners(i);
        let at = corners.map(place);
        let low = std::array::from_fn(|k| at[0][k].min(at[1][k]).min(at[2][k]) - MARGIN);
        let high = std::array::from_fn(|k| at[0][k].max(at[1][k]).max(at[2][k]) + MARGIN);
        (corners, [low, high])
    };
    (0..part.mesh.len() as u32).map(with_box).collect()
}

fn meet(a: &Box3, b: &Box3) -> bool {
    (0..3).all(|k| a[0][k] <= b[1][k] && b[0][k] <= a[1][k])
}

fn bounds(triangles: &[(Corners, Box3)]) -> Box3 {
    let mut all = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for (_, b) in triangles {
        for k in 0..3 {
            all[0][k] = all[0][k].min(b[0][k]);
            all[1][k] = all[1][k].max(b[1][k]);
        }
    }
    all
}

/// Number of pairs of triangles of the two parts that meet, by the oracle on every pair whose boxes meet.
fn contacts(a: (&ScenePart, &[(Corners, Box3)]), b: (&ScenePart, &[(Corners, Box3)])) -> usize {
    let (box_a, box_b) = (bounds(a.1), bounds(b.1));
    let near = |list: &[(Corners, Box3)], other| -> Vec<(Corners, Box3)> {
        let mut near: Vec<_> = list.iter().filter(|(_, b)| meet(b, other)).copied().collect();
        near.sort_by(|s, t| s.1[0][0].total_cmp(&t.1[0][0]));
        near
    };
    let (p, q) = (near(a.1, &box_b), near(b.1, &box_a));
    let widest = q.iter().map(|(_, b)| b[1][0] - b[0][0]).fold(0.0, f64::max);
    let mut count = 0;
    for (p, box_p) in &p {
        let first = q.partition_point(|(_, b)| b[0][0] < box_p[0][0] - widest);
        for (q, _) in
            q[first..].iter().take_while(|(_, b)| b[0][0] <= box_p[1][0]).filter(|(_, b)| meet(b, box_p))
        {
            count += usize::from(oracle::intersects(p, &a.0.pose, q, &b.0.pose));
        }
    }
    count
}

#[test]
fn the_clashes_are_the_expected_ones_and_no_other() {
    let scene = gearbox();
    let triangles: Vec<_> = scene.parts.iter().map(placed).collect();
    let mut found = BTreeMap::new();
    for (i, a) in scene.parts.iter().enumerate() {
        for (j, b) in scene.parts.iter().enumerate().skip(i + 1) {
            let count = contacts((a, &triangles[i]), (b, &triangles[j]));
            if count > 0 {
                found.insert(BTreeSet::from([a.name.as_str(), b.name.as_str()]), count);
            }
        }
    }
    // A part inside another part meets no triangle of it.
    let is_within = |c: &&ExpectedClash| {
        matches!(c.kind, RelationKind::Inside | RelationKind::Contains | RelationKind::SurfaceInside)
    };
    let expected: BTreeSet<_> =
        scene.expected.iter().filter(|c| !is_within(c)).map(|c| BTreeSet::from([c.a, c.b])).collect();
    assert_eq!(found.keys().cloned().collect::<BTreeSet<_>>(), expected, "{found:?}");
    // The sensor's tip is in one triangle of the face, and in the 48 triangles of its cone.
    assert_eq!(found[&BTreeSet::from(["speed_sensor", "shaft_2"])], 48);
}

#[test]
fn the_gears_mesh_closely() {
    let scene = gearbox();
    let (gear, other) = (find(&scene, "gear_1"), find(&scene, "gear_2"));
    let others = placed(other);
    let count = |k, n| {
        let turned = ScenePart { pose: turned(k, n, *gear.pose.translation()), ..gear.clone() };
        contacts((&turned, &placed(&turned)), (other, &others))
    };
    // Half the backlash to either side is 0.05 mm of 188.5 mm around: 0.095 degrees.
    for (thousandths, free) in [(0, true), (80, true), (-80, true), (110, false), (-110, false)] {
        assert_eq!(count(thousandths, 360_000) == 0, free, "turned by {thousandths} / 1000 of a degree");
    }
}

const SURFACES: [&str; 3] = ["name_plate", "inspection_label", "section_plane"];

/// Compares the relations that the library computes with the expected ones.
#[test]
fn the_relations_are_the_expected_ones() {
    let scene = gearbox();
    let mut query = impinge::Query::new();
    let kinds: BTreeSet<_> = scene.expected.iter().map(|c| format!("{:?}", c.kind)).collect();
    assert_eq!(kinds.len(), 7, "each is there: {kinds:?}");
    for fault in &scene.expected {
        let at = |name: &str| scene.parts.iter().position(|p| p.name == name).unwrap();
        let (i, j) = (at(fault.a).min(at(fault.b)), at(fault.a).max(at(fault.b)));
        let model = |i: usize| impinge::Model::with_options(scene.parts[i].mesh.clone(), &Default::default());
        let (a, b) = (model(i), model(j));
        let body = |model, i: usize| impinge::Body::new(model, scene.parts[i].pose);
        let found = query.relation(&body(&a, i), &body(&b, j)).kind;
        assert_eq!(found, fault.kind, "{}, {}", fault.a, fault.b);
    }
}

#[test]
fn every_mesh_is_closed_and_of_its_genus() {
    let scene = gearbox();
    for part in &scene.parts {
        let topology = Topology::of(&part.mesh);
        if SURFACES.contains(&part.name.as_str()) {
            assert!(!topology.is_closed(), "{}", part.name);
            continue;
        }
        assert!(topology.is_closed(), "{}: {topology:?}", part.name);
        assert_eq!(topology.pieces, 1, "{}", part.name);
        assert!(signed_volume_6(&part.mesh) > 0.0, "{} is inside out", part.name);
        let genus = match part.name.as_str() {
            "housing_lower" => 3,
            "housing_upper" => 15,
            "gasket" => 13,
            "gear_1" | "gear_2" | "pump_pinion" | "cover_1_upper" | "cover_2_upper" => 1,
            name if name.ends_with("ring") || name.starts_with("washer") => 1,
            _ => 0,
        };
        assert_eq!(topology.genus(), genus, "{}", part.name);
    }
}

#[test]
fn no_mesh_runs_into_itself_or_holds_a_flat_triangle() {
    let scene = gearbox();
    let mut seen = BTreeSet::new();
    for part in scene.parts.iter().filter(|p| seen.insert(Arc::as_ptr(&p.mesh))) {
        let mut order: Vec<u32> = (0..part.mesh.len() as u32).collect();
        let triangles = placed(part);
        order.sort_by(|i, j| triangles[*i as usize].1[0][0].total_cmp(&triangles[*j as usize].1[0][0]));
        for (k, &i) in order.iter().enumerate() {
            let (p, box_p) = &triangles[i as usize];
            // In units of 2^-16 mm coordinates have 24 bits, so that this is exact.
            let [u, v]: [[f64; 3]; 2] = [1, 2].map(|c| std::array::from_fn(|k| p[c][k] - p[0][k]));
            assert!((0..3).any(|k| u[k] * v[(k + 1) % 3] != u[(k + 1) % 3] * v[k]), "{}: {p:?}", part.name);
            for &j in &order[k + 1..] {
                let (q, box_q) = &triangles[j as usize];
                if box_q[0][0] > box_p[1][0] {
                    break;
                }
                // Neighbours meet in their shared features. Further overlap of them is not tested.
                let shared = part.mesh.triangles()[i as usize]
                    .iter()
                    .any(|v| part.mesh.triangles()[j as usize].contains(v));
                if !shared && meet(box_p, box_q) {
                    assert!(
                        !oracle::intersects(p, &Pose::IDENTITY, q, &Pose::IDENTITY),
                        "{}: {i} {j}",
                        part.name
                    );
                }
            }
        }
    }
}

#[test]
fn volumes_are_what_a_drawing_says() {
    let pi = std::f64::consts::PI;
    let scene = gearbox();
    let volume = |name: &str| signed_volume_6(&find(&scene, name).mesh) / 6.0;
    let close = |found: f64, wanted: f64, part: f64| (found / wanted - 1.0).abs() < part;
    assert!(close(volume("bearing_3_upper_ball_1"), 4.0 / 3.0 * pi * 2.4_f64.powi(3), 0.05));
    assert!(close(volume("washer_01"), pi * (6.2 * 6.2 - 3.2 * 3.2) * 1.5, 0.01));
    assert!(close(volume("key_1"), 4.75 * 6.0 * 18.0, 1e-4));
    // A gear fills about its pitch cylinder, less the bore.
    assert!(close(volume("gear_2"), pi * (45.0 * 45.0 - 12.0 * 12.0) * 20.0, 0.05));
}

#[test]
fn a_glb_file_can_keep_every_bit() {
    let scene = gearbox();
    let in_f32 = |x: f64| f64::from(x as f32) == x;
    for part in &scene.parts {
        assert!(part.mesh.points().iter().flatten().all(|c| in_f32(*c)), "{}", part.name);
        assert!(part.pose.rows().iter().flatten().chain(part.pose.translation()).all(|c| in_f32(*c)));
        assert!(part.pose.is_rigid());
    }
}

#[test]
fn parts_are_named_shared_and_explained() {
    let scene = gearbox();
    let names: BTreeSet<_> = scene.parts.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names.len(), scene.parts.len());
    for clash in &scene.expected {
        assert_eq!(find(&scene, clash.a).note, Some(clash.why));
        assert!(names.contains(clash.b), "{}", clash.b);
    }
    assert_eq!(scene.parts.iter().filter(|p| p.note.is_some()).count(), scene.expected.len());
    let sharing = |prefix| scene.parts.iter().filter(move |p| p.name.starts_with(prefix));
    let distinct = |prefix| sharing(prefix).map(|p| Arc::as_ptr(&p.mesh)).collect::<BTreeSet<_>>().len();
    assert_eq!((sharing("bolt_").count(), distinct("bolt_")), (12, 2));
    assert_eq!((sharing("bearing_").count(), distinct("bearing_")), (66, 3));
    assert!((90_000..110_000).contains(&scene.triangles()), "{} triangles", scene.triangles());
}

#[test]
fn the_bits_are_the_same_on_every_machine() {
    // FNV-1a over every number of the scene. A change of the scene changes it; another machine must not.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |x: u64| {
        for byte in x.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for part in gearbox().parts {
        part.pose.rows().iter().flatten().chain(part.pose.translation()).for_each(|c| eat(c.to_bits()));
        part.mesh.points().iter().flatten().for_each(|c| eat(c.to_bits()));
        part.mesh.triangles().iter().flatten().for_each(|v| eat(u64::from(*v)));
    }
    assert_eq!(hash, 0xc7bd50261a0d112d, "{hash:#x}");
}
