"""Every query, on bodies with known results."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import impinge
from conftest import at, rows_of


def test_batches_say_what_single_questions_say(ball: impinge.Model) -> None:
    a = impinge.Body(ball)
    shifts = np.linspace(-3, 3, 101)
    poses = rows_of(shifts)
    bodies = [impinge.Body(ball, pose) for pose in poses]
    for threads in (1, 2, None):
        meet = impinge.intersects_at(a, ball, poses, threads=threads)
        assert meet.dtype == bool and meet.tolist() == [impinge.intersects(a, b) for b in bodies]
        assert np.array_equal(meet, np.abs(shifts) <= 2)
        first = impinge.first_contact_at(a, ball, poses, threads=threads)
        assert first.dtype == np.int64
        singles = [impinge.first_contact(a, b) for b in bodies]
        assert first.tolist() == [[-1, -1] if one is None else list(one) for one in singles]
        lists = impinge.pairs_at(a, ball, poses, threads=threads)
        assert len(lists) == 101 and lists.starts[0] == 0 and lists.starts[-1] == len(lists.pairs)
        assert all(np.array_equal(one, impinge.pairs(a, b)) for one, b in zip(lists, bodies, strict=True))
        assert np.array_equal(lists[-1], lists[100])
        near = impinge.within_at(a, ball, poses, 0.5, threads=threads)
        assert near.tolist() == [impinge.within(a, b, 0.5) for b in bodies]
        gaps = impinge.distance_at(a, ball, poses, above=0.25, threads=threads)
        assert [gaps[i] for i in range(len(gaps))] == [impinge.distance(a, b, above=0.25) for b in bodies]
        assert {gap is None for gap in (gaps[i] for i in range(101))} == {True, False}
    with pytest.raises(IndexError):
        lists[101]


def test_empty_batches(ball: impinge.Model) -> None:
    a, none = impinge.Body(ball), np.empty((0, 4, 4))
    assert impinge.intersects_at(a, ball, none).shape == (0,)
    assert impinge.first_contact_at(a, ball, none).shape == (0, 2)
    assert impinge.pairs_at(a, ball, none).starts.tolist() == [0]
    assert impinge.distance_at(a, ball, none).points.shape == (0, 2, 3)
    assert impinge.contains(a, np.empty((0, 3))).shape == (0,)
    assert impinge.contact_points(a, a, np.empty((0, 2), dtype=int)).shape == (0, 3)
    assert len(impinge.ray_first_each(a, np.empty((0, 3)), np.empty((0, 3)))) == 0


def test_an_empty_mesh_meets_nothing(ball: impinge.Model) -> None:
    nothing = impinge.Model(impinge.Mesh(np.empty((0, 3)), np.empty((0, 3), dtype=int)))
    assert nothing.mesh.vertices.shape == (0, 3) and len(nothing) == 0
    a, b = impinge.Body(ball), impinge.Body(nothing)
    assert not impinge.intersects(a, b) and impinge.pairs(a, b).shape == (0, 2)
    assert impinge.distance(a, b) is None
    assert impinge.relation(a, b).kind == "apart" and nothing.status == impinge.results.Closedness.NO_INTERIOR


@pytest.mark.parametrize(
    ("pose", "kind"),
    [
        (at(9), "apart"),
        (at(4), "touch"),
        (at(2), "overlap"),
        (np.diag([0.5, 0.5, 0.5, 1]), "contains"),
        (np.diag([2.0, 2, 2, 1]), "inside"),
        (np.eye(4), "duplicate"),
    ],
)
def test_relations(tetrahedron: impinge.Model, pose: np.ndarray, kind: str) -> None:
    a, b = impinge.Body(tetrahedron), impinge.Body(tetrahedron, pose, affine=True)
    relation = impinge.relation(a, b)
    assert relation.kind is impinge.results.RelationKind(kind)
    assert relation.status == (impinge.results.Closedness.CLOSED, impinge.results.Closedness.CLOSED) and relation.status[0].is_closed
    assert relation.rules == (impinge.results.FillRule.NONZERO, impinge.results.FillRule.NONZERO)
    assert impinge.overlaps(a, b) is relation.overlaps is (kind not in ("apart", "touch"))
    assert (relation.witness is None) == (not relation.touching)


def test_surfaces(tetrahedron: impinge.Model) -> None:
    mesh = tetrahedron.mesh
    sheet = impinge.Model(impinge.Mesh(mesh.vertices, mesh.faces[:1]))
    a, b = impinge.Body(tetrahedron), impinge.Body(sheet, at(0.5, 0.5, 0.5))
    assert impinge.relation(a, b).kind is impinge.results.RelationKind.PIERCE
    assert impinge.relation(b, b).kind is impinge.results.RelationKind.MEET
    small = np.diag([0.25, 0.25, 0.25, 1]) + at(0.5, 0.5, 0.5) - np.eye(4)
    assert impinge.relation(a, impinge.Body(sheet, small, affine=True)).kind is impinge.results.RelationKind.SURFACE_INSIDE
    assert (sheet.status, sheet.open_edges, sheet.shells) == (impinge.results.Closedness.OPEN, 3, 1)
    [hole] = sheet.boundaries
    assert (hole.edges, hole.width) == (3, 4.0) and sheet.winding_volume is None
    with pytest.raises(impinge.Error, match="bounds no solid"):
        impinge.contains(b, [[9, 9, 9]])
    assert impinge.locate(b, [[9, 9, 9]]).tolist() == [impinge.results.Location.UNDEFINED]


def test_penetration(tetrahedron: impinge.Model) -> None:
    a, b = impinge.Body(tetrahedron), impinge.Body(tetrahedron, at(1, 1, 1))
    found = impinge.penetration(a, b)
    assert (
        found.overlap_volume is not None and found.depth_at_least is not None and found.separating_translation is not None
    )
    lo, hi = found.overlap_volume
    assert lo <= 1 / 6 <= hi and hi - lo < 1e-11
    assert (found.depth_at_least.body, found.depth_at_least.vertex) == (1, 0)
    assert math.isclose(found.depth_at_least.length, 1 / math.sqrt(3))
    moved = at(1, 1, 1)
    moved[:3, 3] += found.separating_translation
    assert not impinge.overlaps(a, impinge.Body(tetrahedron, moved))
    assert found.separating_distance is not None
    lo, hi = found.separating_distance
    assert lo <= 1 / math.sqrt(3) <= hi and hi - lo < 1e-12
    batch = impinge.penetration_at(a, tetrahedron, [at(1, 1, 1), at(9)])
    assert batch.separating_distance.tolist() == [[lo, hi], [0, 0]]
    assert batch[0].separating_distance == (lo, hi)
    apart = impinge.penetration(a, impinge.Body(tetrahedron, at(9)))
    assert apart.overlap_volume == (0, 0) and apart.depth_at_least is None
    lo, hi = tetrahedron.winding_volume or (0, 0)
    assert lo <= 64 / 6 <= hi


def test_farthest_distances(tetrahedron: impinge.Model) -> None:
    a, b = impinge.Body(tetrahedron, at(1, 0.5, 0.25)), impinge.Body(tetrahedron)
    found = impinge.farthest_distance(a, b, side="inside")
    assert found is not None and found.points.shape == (2, 3) and found.hi - found.lo <= 0.001 * found.hi
    assert found.lo <= 3 / (2 + math.sqrt(3)) <= found.hi
    coarse = impinge.farthest_distance(a, b, side="inside", rel=0, abs=0.5)
    assert coarse is not None and coarse.lo <= found.hi and found.lo <= coarse.hi <= coarse.lo + 0.5
    same = impinge.farthest_distance(b, b)
    assert same is not None and (same.lo, same.hi) == (0, 0)
    assert impinge.farthest_distance(impinge.Body(tetrahedron, at(9)), b, side="inside") is None
    sheet = impinge.Body(impinge.Model(impinge.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])))
    assert impinge.farthest_distance(b, sheet) is not None
    with pytest.raises(impinge.Error, match="bounds no solid"):
        impinge.farthest_distance(b, sheet, side="outside")
    with pytest.raises(impinge.Error, match="side must be"):
        impinge.farthest_distance(a, b, side="left")  # type: ignore[arg-type]


def test_distances(ball: impinge.Model) -> None:
    a, b = impinge.Body(ball), impinge.Body(ball, at(3.5))
    gap = impinge.distance(a, b, exact=True)
    assert gap is not None and gap.lo <= 1.5 <= gap.hi and gap.hi <= math.nextafter(gap.lo, 9)
    assert gap.points.shape == (2, 3) and gap.points.tolist() == [[1, 0, 0], [2.5, 0, 0]]
    assert impinge.within(a, b, 1.5) and not impinge.within(a, b, math.nextafter(1.5, 0))
    near = impinge.pairs_within(a, b, 1.5)
    assert list(gap.triangles) in near.tolist() and len(near) == 16
    assert impinge.first_within(a, b, 1.0) is None
    meeting = impinge.distance(a, a)
    assert meeting is not None and (meeting.lo, meeting.hi) == (0, 0)
    coarse = impinge.distance(a, b, rel=0.25)
    assert coarse is not None and (coarse.lo, coarse.hi) == (1.5, 1.75)
    with pytest.raises(impinge.Error, match="not negative"):
        impinge.distance(a, b, rel=-1)
    inner = impinge.Body(ball, np.diag([0.5, 0.5, 0.5, 1]), affine=True)
    for solids, most in ((False, 0.5), (True, 0)):
        inside = impinge.distance(a, inner, solids=solids)
        assert inside is not None and (inside.lo > 0.2) == (not solids) and inside.hi <= most
        batch = impinge.distance_at(a, ball, inner.pose[None], solids=solids, affine=True)
        assert batch[0] == inside


def test_points(ball: impinge.Model) -> None:
    body = impinge.Body(ball)
    points = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0]])
    assert impinge.contains(body, points).tolist() == [True, True, False]
    assert impinge.locate(body, points).tolist() == [1, 2, 0]
    many = impinge.closest_points(body, points, exact=True)
    singles = [impinge.closest_point(body, point, exact=True) for point in points]
    assert [many[i] for i in range(3)] == singles and singles[2] is not None
    assert (singles[2].hi, singles[2].point.tolist()) == (1.0, [1, 0, 0])
    assert impinge.closest_point(body, [9, 0, 0], above=1.0) is None
    few = impinge.closest_points(body, points, above=0.5)
    assert few[2] is None and math.isnan(few.lo[2]) and few.triangles[2] == -1
    below = impinge.triangles_in(body, [[0, 0, 1, 0]], wholly=True)
    assert len(below) == 256 and (ball.mesh.vertices[ball.mesh.faces[below]][..., 2] <= 0).all()
    assert set(below) < set(impinge.triangles_in(body, [[0, 0, 1, 0]]).tolist())


def test_rays(ball: impinge.Model) -> None:
    body = impinge.Body(ball)
    assert [hit.crossing for hit in impinge.ray_all(body, [-3, 0.1, 0.2], [1, 0, 0])] == [-1, 1]
    hit = impinge.ray_first(body, [-3, 0.1, 0.2], [1, 0, 0])
    assert hit is not None and hit.crossing == -1 and 2 < hit.enter[0] <= hit.enter[1] < 2.1
    assert impinge.ray_first(body, [-3, 0.1, 0.2], [1, 0, 0], 1.9) is None
    origins = np.array([[-3, 0.1, 0.2], [-3, 5, 0], [-3, 0.1, 0.2]])
    assert impinge.ray_meets(body, [-3, 0.1, 0.2], [1, 0, 0])
    assert not impinge.ray_meets(body, [-3, 0.1, 0.2], [1, 0, 0], 1.9)
    meets = impinge.ray_meets_each(body, origins, np.tile([1.0, 0, 0], (3, 1)), [9, 9, 1])
    assert meets.tolist() == [True, False, False]
    hits = impinge.ray_first_each(body, origins, np.tile([1.0, 0, 0], (3, 1)), [9, 9, 1])
    assert [hits[i] for i in range(3)] == [hit, None, None]
    assert (
        impinge.ray_first_each(body, origins, np.tile([1.0, 0, 0], (3, 1)), 9.0).triangles[2] == hit.triangle
    )


def test_curves(tetrahedron: impinge.Model) -> None:
    a = impinge.Body(tetrahedron)
    curves = impinge.curves(a, impinge.Body(tetrahedron, at(1, 1, 1)))
    [line] = curves.lines
    assert line.closed and line.kind == "crossing" and len(curves.features) == len(curves.nodes) == 3
    assert curves.length == line.length and line.length[0] <= 3 * math.sqrt(2) <= line.length[1]
    assert {kind for pair in curves.features for kind, _ in pair} == {"edge", "triangle"}
    touching = impinge.curves(
        a, impinge.Body(tetrahedron, np.diag([1.0, 1, -1, 1]) + at(2) - np.eye(4), True)
    )
    [patch] = touching.patches
    assert touching.area == (2, 2) and len(patch.border) == 1 and patch.pairs.tolist() == [[0, 0]]
    assert abs(patch.normal[2]) == 1 and not touching.self_crossing and len(touching.points) == 0


def test_certainty(tetrahedron: impinge.Model) -> None:
    a, b = impinge.Body(tetrahedron), impinge.Body(tetrahedron, at(4.5))
    assert impinge.certainty(a, b, (0.1, 0.1)) is impinge.results.Certainty.CLEAR
    assert impinge.certainty(a, b, (0.3, 0.3)) is impinge.results.Certainty.POSSIBLE
    assert impinge.certainty(a, b, (0.25, 0.25), 1.0) is impinge.results.Certainty.DEFINITE


def test_a_mesh_and_itself(ball: impinge.Model) -> None:
    assert not impinge.self_intersects(ball) and impinge.self_pairs(ball).shape == (0, 2)
    mesh = ball.mesh
    twice = np.concatenate([mesh.vertices, mesh.vertices + [0.5, 0.25, 0.125]])
    model = impinge.Model(impinge.Mesh(twice, np.concatenate([mesh.faces, mesh.faces + len(mesh.vertices)])))
    pairs = impinge.self_pairs(model)
    assert impinge.self_intersects(model) and len(pairs) and (pairs[:, 0] < pairs[:, 1]).all()
    assert np.array_equal(pairs, impinge.self_pairs(model, threads=2)) and model.shells == 2


def test_deformed(ball: impinge.Model) -> None:
    moved = ball.deformed(ball.mesh.vertices * 2)
    assert np.array_equal(moved.mesh.vertices, ball.mesh.vertices * 2) and moved is not ball
    assert impinge.relation(impinge.Body(ball), impinge.Body(moved)).kind == "inside"
    with pytest.raises(impinge.Error, match="points for"):
        ball.deformed(ball.mesh.vertices[1:])


@pytest.mark.parametrize("quality", ["high", "fast", "on-demand"])
def test_options_change_no_answer(ball: impinge.Model, quality: str) -> None:
    a = impinge.Body(ball)
    other = impinge.Model(ball.mesh, quality, 2, True, 4)  # type: ignore[arg-type]
    assert other.quality == quality and other.mesh is ball.mesh
    assert np.array_equal(
        impinge.pairs(a, impinge.Body(other, at(0.7))), impinge.pairs(a, impinge.Body(ball, at(0.7)))
    )


def test_results_are_values(ball: impinge.Model) -> None:
    a, b = impinge.Body(ball), impinge.Body(ball, at(0.7))
    for ask in (
        lambda: impinge.relation(a, b),
        lambda: impinge.penetration(a, b),
        lambda: impinge.distance(a, b),
        lambda: impinge.curves(a, b),
        lambda: impinge.closest_points(a, [[0, 0, 0], [5, 0, 0]], above=1.0),
        lambda: impinge.pairs_at(a, ball, rows_of(np.arange(3.0))),
        lambda: impinge.distance_at(a, ball, rows_of(np.arange(9.0)), above=1.0),
        lambda: impinge.ray_first_each(a, [[0, 0, 0], [9, 0, 0]], [[1, 0, 0]] * 2),
        lambda: ball.stats,
    ):
        one, other = ask(), ask()  # type: ignore[no-untyped-call]
        assert one == other and one is not other and pickle.loads(pickle.dumps(one)) == one
        assert type(one).__name__ in repr(one) and one != 1
        with pytest.raises((AttributeError, TypeError)):
            setattr(one, next(iter(type(one).__dataclass_fields__)), None)
    assert impinge.relation(a, b) != impinge.relation(a, a)
