//! Two-sided sheets, alone and as fins of solids. Their relations do not depend on how their areas are cut.
use crate::solids::{Point, Triangles, check, cube, cuboid, cuboid_cut_otherwise, joined, model, reversed};
use impinge::{
    Body, Model, Pose, Query, brute_force,
    penetration::PenetrationParts,
    relation::RelationKind,
    solid::{Closedness, FillRule},
};

/// A two-sided rectangle at height `z`. Its back is cut in several ways.
fn sheets([x0, y0]: [f64; 2], [x1, y1]: [f64; 2], z: f64) -> Vec<(&'static str, Triangles)> {
    let [a, b, c, d] = [[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]];
    let middle = [(x0 + x1) / 2.0, (y0 + y1) / 2.0, z];
    let on_edge = [(x0 + x1) / 2.0, y0, z];
    let front: Triangles = vec![[a, b, c], [a, c, d]];
    let other = vec![[a, d, b], [b, d, c]];
    let fan = [a, d, c, b];
    let fan: Triangles = (0..4).map(|k| [middle, fan[k], fan[(k + 1) % 4]]).collect();
    let junction = vec![[a, d, on_edge], [on_edge, d, c], [on_edge, c, b]];
    vec![
        ("equal triangles", joined([front.clone(), reversed(front.clone())])),
        ("other diagonals", joined([front.clone(), other.clone()])),
        ("a point inside of the back", joined([front.clone(), fan.clone()])),
        ("a T-junction", joined([front.clone(), junction])),
        ("four layers", joined([front.clone(), other.clone(), reversed(fan.clone()), fan])),
    ]
}

#[test]
fn sheets_are_surfaces() {
    let block = cube(0.0, 4.0);
    for (how, sheet) in sheets([-1.0, -1.0], [5.0, 5.0], 2.0) {
        assert_eq!(model(&sheet).solid().status(), Closedness::NoInterior, "{how}");
        assert_eq!(model(&sheet).winding_volume(), Some([0.0; 2]), "{how}");
        check(&format!("a sheet through a cube, {how}"), &block, &sheet, RelationKind::Pierce, true);
        let around = cube(-9.0, 9.0);
        check(&format!("a sheet in a cube, {how}"), &around, &sheet, RelationKind::SurfaceInside, false);
        let below = cuboid([0.0, 0.0, -4.0], [4.0, 4.0, 2.0]);
        check(&format!("a sheet on a cube, {how}"), &below, &sheet, RelationKind::Touch, true);
        check(&format!("apart, {how}"), &cube(7.0, 9.0), &sheet, RelationKind::Apart, false);
        for (again, other) in sheets([-1.0, -1.0], [5.0, 5.0], 2.0) {
            check(&format!("a sheet and itself, {how}, {again}"), &sheet, &other, RelationKind::Meet, true);
        }
    }
    // The same side twice is closed by parity, and has no interior.
    let twice = vec![[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]; 2];
    assert_eq!(model(&twice).solid().status(), Closedness::NoInterior);
    check("two equal triangles", &cube(-1.0, 2.0), &twice, RelationKind::SurfaceInside, false);
}

/// Closed meshes without volume, with triangles in any order, from any corner.
#[test]
fn flat_meshes_are_surfaces_in_any_order() {
    let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let flat: Triangles = vec![[a, b, c], [a, c, d], [a, d, b], [b, d, c]];
    for turn in 0..12 {
        let mut other = flat.clone();
        other.rotate_left(turn % 4);
        other.iter_mut().for_each(|t| t.rotate_left(turn / 4));
        assert_eq!(model(&other).solid().status(), Closedness::NoInterior);
        check("flat meshes", &flat, &other, RelationKind::Meet, true);
    }
    // Oblique, and so large that rounded numbers do not decide.
    let at = |[x, y, _]: Point| [x * 3e9 + 1.0, y * 7e9 + x * 1e9, x * 5e9 + y * 2e9 + 0.5];
    let oblique = flat.iter().map(|t| t.map(at)).collect();
    assert_eq!(model(&oblique).solid().status(), Closedness::NoInterior);
    // One corner a little off: a tetrahedron.
    let raise = |p: Point| if p == at(c) { [p[0], p[1], p[2].next_up()] } else { p };
    let raised: Triangles = oblique.iter().map(|t| t.map(raise)).collect();
    assert_eq!(model(&raised).solid().status(), Closedness::Closed);
}

#[test]
fn fins_are_points_of_their_bodies() {
    let block = cube(0.0, 4.0);
    for (how, fin) in sheets([4.0, 1.0], [8.0, 3.0], 2.0) {
        let finned = joined([block.clone(), fin.clone()]);
        assert_eq!(model(&finned).solid().status(), Closedness::Closed, "{how}");
        let all = |name: &str, b: &Triangles, kind, touching| {
            check(&format!("{name}, {how}"), &finned, b, kind, touching);
        };
        let at = |lo: Point, hi: Point| cuboid(lo, hi);
        all("a fin through another", &at([5.0, 0.0, 0.0], [6.0, 4.0, 4.0]), RelationKind::Pierce, true);
        all("a fin that ends in another", &at([6.0, 0.0, 0.0], [9.0, 4.0, 4.0]), RelationKind::Pierce, true);
        all("a fin on another", &at([5.0, 0.0, 2.0], [6.0, 4.0, 4.0]), RelationKind::Touch, true);
        all("a fin that ends at another", &at([8.0, 0.0, 0.0], [9.0, 4.0, 4.0]), RelationKind::Touch, true);
        all("beside a fin", &at([5.0, 0.0, 3.0], [6.0, 4.0, 4.0]), RelationKind::Apart, false);
        all("all in another", &cube(-1.0, 9.0), RelationKind::Inside, false);
        all("the block in another", &at([-1.0; 3], [5.0; 3]), RelationKind::Overlap, true);
        all("the block without its fin", &block, RelationKind::Contains, true);
        all("a part of the block", &cube(1.0, 3.0), RelationKind::Contains, false);
        all(
            "one that the fin lies on, around the block",
            &at([0.0; 3], [8.0, 4.0, 4.0]),
            RelationKind::Inside,
            true,
        );
        for (again, fin) in sheets([4.0, 1.0], [8.0, 3.0], 2.0).into_iter().take(2) {
            let other = joined([fin, cuboid_cut_otherwise([0.0; 3], [4.0; 3])]);
            all(&format!("itself, {again}"), &other, RelationKind::Duplicate, true);
        }
        for (again, fin) in sheets([4.0, 1.0], [7.0, 3.0], 2.0).into_iter().take(2) {
            all(
                &format!("a shorter fin, {again}"),
                &joined([block.clone(), fin]),
                RelationKind::Contains,
                true,
            );
        }
        for (again, fin) in sheets([5.0, 1.0], [9.0, 3.0], 2.0).into_iter().take(2) {
            let other = joined([cuboid([9.0, 0.0, 0.0], [13.0, 4.0, 4.0]), fin.clone()]);
            all(&format!("fins on each other, {again}"), &other, RelationKind::Touch, true);
            let other = joined([block.clone(), fin]);
            all(&format!("a fin that stands off, {again}"), &other, RelationKind::Overlap, true);
        }
        let one_side: Triangles = fin[..2].to_vec();
        all("a surface on the fin", &one_side, RelationKind::Touch, true);
    }
    // Sheets apart from the solid, within it, and half of each.
    for (how, sheet) in sheets([6.0, 1.0], [8.0, 3.0], 2.0) {
        let finned = joined([block.clone(), sheet]);
        check(
            &format!("a sheet beside, in another, {how}"),
            &finned,
            &cube(5.0, 9.0),
            RelationKind::Apart,
            false,
        );
        let around = cuboid([5.0, 0.0, 0.0], [9.0, 4.0, 4.0]);
        check(&format!("a sheet beside, in a box, {how}"), &finned, &around, RelationKind::Pierce, false);
    }
    for (how, sheet) in sheets([1.0, 1.0], [3.0, 3.0], 2.0) {
        let walled = joined([block.clone(), sheet]);
        check(&format!("a wall within, {how}"), &walled, &block, RelationKind::Duplicate, true);
        check(&format!("a wall within, touched, {how}"), &walled, &cube(4.0, 5.0), RelationKind::Touch, true);
    }
    for (how, sheet) in sheets([2.0, 1.0], [8.0, 3.0], 2.0) {
        let half = joined([block.clone(), sheet]);
        check(&format!("half a fin, {how}"), &half, &block, RelationKind::Contains, true);
        let beside = cuboid([6.0, 0.0, 0.0], [9.0, 4.0, 4.0]);
        check(&format!("half a fin in another, {how}"), &half, &beside, RelationKind::Pierce, true);
        let (_, fin) = sheets([4.0, 1.0], [8.0, 3.0], 2.0).swap_remove(1);
        check(
            &format!("half a fin, whole, {how}"),
            &half,
            &joined([block.clone(), fin]),
            RelationKind::Duplicate,
            true,
        );
    }
}

/// Fins that meet the other body in one corner alone: a point of the fin off that corner decides.
#[test]
fn fins_that_meet_the_other_in_a_point() {
    let both_sides = |t: [Point; 3]| vec![t, [t[0], t[2], t[1]]];
    for turn in 0..3 {
        let turned = |mut t: [Point; 3]| {
            t.rotate_left(turn);
            both_sides(t)
        };
        // The only contact is the corner (2, 0, 3) in a wall; the solids touch or are apart.
        let fin = turned([[1.0, 0.0, 2.0], [2.0, 0.0, 3.0], [1.0, -1.0, 3.0]]);
        let around = cuboid([-2.0, -1.0, 0.0], [2.0, 3.0, 4.0]);
        let away = cuboid([-2.0, 0.0, -2.0], [-1.0, 2.0, -1.0]);
        let finned = joined([away, fin]);
        check("a fin inside, a corner on a wall", &finned, &around, RelationKind::Pierce, true);
        // The same corner, from outside.
        let beside = cuboid([2.0, -1.0, 0.0], [4.0, 3.0, 4.0]);
        check("a fin outside, a corner on a wall", &finned, &beside, RelationKind::Touch, true);
        // A corner of the fin is a corner, or lies on an edge, of the other.
        for corner in [[4.0; 3], [2.0, 4.0, 4.0]] {
            let inner = turned([corner, [1.0, 2.0, 1.0], [2.0, 2.0, 1.0]]);
            let outer = turned([corner, [5.0, 6.0, 7.0], [6.0, 6.0, 7.0]]);
            let away = cuboid([-4.0; 3], [-1.0; 3]);
            let block = cube(0.0, 4.0);
            let inner = joined([away.clone(), inner]);
            check("a fin inside, a corner on an edge", &inner, &block, RelationKind::Pierce, true);
            let outer = joined([away, outer]);
            check("a fin outside, a corner on an edge", &outer, &block, RelationKind::Touch, true);
        }
        // The fins of both share a corner and nothing else.
        let [p, q] = [[1.0, 2.0, 1.0], [2.0, 2.0, 2.0]];
        let first = joined([cuboid([-4.0; 3], [-1.0; 3]), turned([p, q, [1.0, 2.0, 2.0]])]);
        let other = turned([q, [3.0, 2.0, 2.0], [3.0, 2.0, 3.0]]);
        let second = joined([cube(0.0, 4.0), other]);
        check("a fin at a wall within", &first, &second, RelationKind::Pierce, true);
        let other = turned([q, [3.0, 2.0, 2.0], [3.0, 2.0, 3.0]]);
        let second = joined([cube(7.0, 9.0), other]);
        check("two fins with a corner in common", &first, &second, RelationKind::Touch, true);
    }
}

/// A fin whose only contact is a point of a wall of both solids, (-1, -1, 2).
#[test]
fn fins_that_stick_out_of_both_from_a_point() {
    for turn in 0..3 {
        let turned = |mut t: [Point; 3]| {
            t.rotate_left(turn);
            vec![t, [t[0], t[2], t[1]]]
        };
        let large = cuboid([-3.0, -3.0, 1.0], [0.0, -1.0, 3.0]);
        let small = cuboid([-2.0, -3.0, 1.0], [0.0, -1.0, 3.0]);
        let out = turned([[3.0, 2.0, 1.0], [-3.0, 0.0, 1.0], [-1.0, -1.0, 2.0]]);
        let finned = joined([small.clone(), out]);
        check("a fin sticks out of the larger", &large, &finned, RelationKind::Overlap, true);
        check("a fin sticks out of the same", &small, &finned, RelationKind::Inside, true);
        // Within the larger, and outside of its own solid.
        let within = turned([[-2.5, -1.0, 2.0], [-2.75, -2.0, 2.0], [-2.25, -2.0, 2.0]]);
        check("a fin within the larger", &large, &joined([small, within]), RelationKind::Contains, true);
    }
}

/// A translation that clears bodies frees fins and surfaces, too.
#[test]
fn separating_translation_frees_fins() {
    let (block, all) = (cube(0.0, 4.0), PenetrationParts::all());
    let apart: Triangles = cube(0.0, 4.0)[..10].to_vec();
    let turn = Pose::rigid([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [0.5, 0.0, 0.25]).unwrap();
    let mut query = Query::new();
    for (how, fin) in sheets([4.0, 1.0], [8.0, 3.0], 2.0) {
        let bodies = [joined([block.clone(), fin.clone()]), joined([apart.clone(), fin])];
        let others = [
            ("across", cuboid([5.0, 0.0, 0.0], [6.0, 4.0, 4.0])),
            ("at the end", cuboid([6.0, 0.0, 0.0], [9.0, 4.0, 4.0])),
            ("around a part", cuboid([7.0, 0.0, 1.0], [8.5, 2.0, 3.0])),
        ];
        for (finned, (name, other)) in
            bodies.iter().flat_map(|finned| others.iter().map(move |o| (finned, o)))
        {
            let (a, b) = (model(finned), model(other));
            for pose in [Pose::IDENTITY, turn] {
                for [a, b] in [[&a, &b], [&b, &a]] {
                    let still = Body::new(a, pose);
                    let at = |by: [f64; 3]| {
                        let t = pose.translation();
                        let to = [0, 1, 2].map(|k| t[k] + by[k]);
                        Body::new(b, Pose::affine(*pose.rows(), to).unwrap())
                    };
                    assert_eq!(
                        query.relation(&still, &at([0.0; 3])).kind,
                        RelationKind::Pierce,
                        "{name}, {how}"
                    );
                    let found = query.penetration(&still, &at([0.0; 3]), &all);
                    let by = found.separating_translation.unwrap();
                    assert!(by != [0.0; 3] && !query.overlaps(&still, &at(by)), "{name}, {how}: {by:?}");
                    assert!(found.overlap_volume.is_none_or(|[lo, _]| lo == 0.0), "{name}, {how}: {found:?}");
                }
            }
        }
    }
}

/// A sheet in a mesh that is open elsewhere, and reversed solids, which have no inside by the rule.
#[test]
fn sheets_of_surfaces() {
    let open: Triangles = cuboid([10.0; 3], [12.0; 3])[..10].to_vec();
    for (how, sheet) in sheets([-1.0, -1.0], [5.0, 5.0], 2.0) {
        let both = joined([open.clone(), sheet]);
        assert_eq!(model(&both).solid().status(), Closedness::Open);
        check(
            &format!("a sheet beside a surface, {how}"),
            &cube(0.0, 4.0),
            &both,
            RelationKind::Pierce,
            true,
        );
    }
    let (outer, inner) = (model(&cube(0.0, 4.0)), model(&reversed(cube(1.0, 3.0))));
    let (across, small) = (model(&reversed(cube(2.0, 6.0))), model(&cube(2.0, 2.5)));
    fn at(model: &Model) -> Body<'_> {
        Body::new(model, Pose::IDENTITY)
    }
    let mut query = Query::new().fill_rule(FillRule::Positive);
    let mut kind = |a: &Model, b: &Model| {
        let reference = brute_force::relation(&at(a), &at(b), FillRule::Positive).kind;
        assert_eq!(query.relation(&at(a), &at(b)).kind, reference);
        reference
    };
    assert_eq!(kind(&outer, &inner), RelationKind::SurfaceInside);
    assert_eq!(kind(&outer, &across), RelationKind::Pierce);
    assert_eq!(kind(&across, &outer), RelationKind::Pierce);
    assert_eq!(kind(&inner, &small), RelationKind::Apart);
}

/// Contacts of a fin that lies on a sheet are among those of the sheets: each face must be crossed once. Case
/// 1822 of seed 41 of `metamorphic.rs`, made smaller.
#[test]
fn faces_of_the_other_body_are_crossed_once() {
    let (p, q, r, v) = ([-1.0, 3.0, 1.0], [0.0, -3.0, -1.0], [-1.0, -2.0, -3.0], [-2.0, 2.0, 0.0]);
    let (x, y, m, w) = ([-2.0, 2.0, 2.0], [1.0, 2.0, 2.0], [-0.5, 2.0, 1.0], [1.0, 2.0, 0.0]);
    let solid: Triangles = vec![[p, q, r], [p, r, v], [r, q, v], [q, p, v]];
    let a = joined([solid.clone(), vec![[v, x, y], [v, y, x]]]);
    let sheets = vec![[v, y, x], [y, m, x], [v, m, w], [m, v, w], [m, v, x]];
    let b = joined([reversed(solid), sheets]);
    check("a fin on a sheet", &a, &b, RelationKind::Inside, true);
}
