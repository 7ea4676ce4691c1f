//! Checks of solids of small integers: relations against two references, and depths against relations. Meshes
//! of all kinds are compared with other meshes of the same sets.
use super::{bytes::Bytes, poses::grid_pose};
use crate::{
    metamorphic::{self, Base, bodies},
    reference::Reference,
    rng::Rng,
};
use impinge::{
    Body, Mesh, Model, Pose, Query, brute_force, penetration::PenetrationParts, relation::RelationKind,
    solid::FillRule,
};

/// Some tetrahedra, each closed, in any orientation; they may meet, be flat, or be equal. One triangle may be
/// missing.
fn solid(bytes: &mut Bytes<'_>) -> Option<Mesh> {
    let count = 1 + u32::from(bytes.below(3));
    let points = (0..4 * count).map(|_| std::array::from_fn(|_| bytes.grid())).collect();
    let mut triangles = Vec::new();
    for first in (0..4 * count).step_by(4) {
        let turned = usize::from(bytes.below(2));
        for mut face in [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map(|face| face.map(|k| first + k)) {
            face.swap(0, turned);
            triangles.push(face);
        }
    }
    if bytes.below(16) == 15 {
        triangles.pop();
    }
    Mesh::new(points, triangles).ok()
}

/// Maximum number of triangles for a comparison with [`Reference`]: n planes make n^3 / 6 cells.
const SMALL: usize = 12;

/// Checks relations of tetrahedra and sheets before and after changes of the meshes. A sheet has no back, a
/// back of equal triangles, or one with the other diagonal.
fn changes(bytes: &mut Bytes<'_>) {
    let mut body = || {
        let mut body = bodies::Body::default();
        for _ in 0..=bytes.below(2) {
            let mut point = || -> bodies::Point { std::array::from_fn(|_| bytes.grid()) };
            let [a, b, c, d] = [(); 4].map(|()| point());
            if bytes.below(2) == 0 {
                let faces = [[a, c, b], [a, b, d], [b, c, d], [c, a, d]];
                body.triangles.extend(faces);
            } else {
                let d = [0, 1, 2].map(|k| b[k] + c[k] - a[k]);
                let front = bodies::polygon(&[a, b, d, c]);
                match bytes.below(3) {
                    0 => {}
                    1 => body.triangles.extend(bodies::reversed(&front)),
                    _ => body.triangles.extend(bodies::polygon(&[c, d, b, a])),
                }
                body.triangles.extend(front);
            }
        }
        body
    };
    let Some(base) = Base::of([body(), body()]) else { return };
    let seed = (0..8).fold(0, |seed, _| seed << 8 | u64::from(bytes.byte()));
    let (mut rng, mut query) = (Rng::new(seed), Query::new());
    let all = [base.plain(), base.variant(&mut rng), base.variant(&mut rng), base.variant(&mut rng)];
    for variant in &all {
        if let Err(failure) = metamorphic::check(&base, variant, &mut rng, &mut query) {
            panic!("{failure}");
        }
    }
}

/// Grid mode for solids: relations in both orders are those of the two references, and depths agree with
/// them. Other meshes of the same sets have the same relations.
///
/// # Panics
/// Panics if one of these fails.
pub fn relations(data: &[u8]) {
    let mut bytes = Bytes(data);
    let poses = match bytes.below(3) {
        0 => [Pose::IDENTITY; 2],
        1 => [grid_pose(&mut bytes); 2],
        _ => [grid_pose(&mut bytes), grid_pose(&mut bytes)],
    };
    let rule = [FillRule::NonZero, FillRule::Positive, FillRule::EvenOdd][usize::from(bytes.below(3))];
    let (Some(a), Some(b)) = (solid(&mut bytes), solid(&mut bytes)) else { return };
    let models = [a, b].map(Model::new);
    let (a, b) = (Body::new(&models[0], poses[0]), Body::new(&models[1], poses[1]));
    let mut query = Query::new().fill_rule(rule);
    let want = brute_force::relation(&a, &b, rule);
    let found = query.relation(&a, &b);
    let back = query.relation(&b, &a);
    let exchanged = match back.kind {
        RelationKind::Inside => RelationKind::Contains,
        RelationKind::Contains => RelationKind::Inside,
        kind => kind,
    };
    assert_eq!((found.kind, found.touching), (want.kind, want.touching), "{rule:?}");
    assert_eq!((exchanged, back.touching), (want.kind, want.touching), "{rule:?}, exchanged");
    assert_eq!(query.overlaps(&a, &b), want.overlaps(), "{rule:?}");
    let meshes = models.each_ref().map(Model::mesh);
    if meshes.iter().map(|mesh| mesh.len()).sum::<usize>() <= SMALL
        && let Some(exact) = Reference::new([(meshes[0], &poses[0]), (meshes[1], &poses[1])], rule)
    {
        let all = (exact.kind, exact.touching, exact.status);
        assert_eq!(
            (found.kind, found.touching, found.status),
            all,
            "{rule:?}, by cells of space: {poses:?} {meshes:?}"
        );
    }
    changes(&mut bytes);

    let deep = query.penetration(&a, &b, &PenetrationParts::all());
    // A fin has points inside the other body, but no volume.
    let has_volume =
        want.overlaps() && !matches!(want.kind, RelationKind::Pierce | RelationKind::SurfaceInside);
    if let Some([lo, hi]) = deep.overlap_volume {
        assert!(0.0 <= lo && lo <= hi, "{deep:?}");
        // Cells between planes through points of a lattice of halves are larger than rounding.
        assert!(lo <= 0.0 || has_volume, "{deep:?}, {want:?}");
        assert!(hi > 0.0 || !has_volume, "{deep:?}, {want:?}");
    }
    if let Some(by) = deep.separating_translation {
        assert_eq!(by == [0.0; 3], !want.overlaps(), "{deep:?}, {want:?}");
        let t = poses[1].translation();
        let to = [0, 1, 2].map(|k| t[k] + by[k]);
        // If f64 cannot represent the translation, a nearly equal one need not suffice.
        if (0..3).all(|k| to[k] - t[k] == by[k] && to[k] - by[k] == t[k])
            && let Ok(moved) = Pose::affine(*poses[1].rows(), to)
        {
            let moved = Body::new(&models[1], moved);
            assert!(!query.overlaps(&a, &moved), "{deep:?} {:?}", query.relation(&a, &moved));
        }
        if let Some(depth) = deep.depth_at_least {
            let length = by.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!(want.overlaps() && depth.length <= length * (1.0 + 1e-12), "{deep:?}");
        }
    }
}
