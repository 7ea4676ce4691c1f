"""Arrays of every kind that holds the numbers exactly give the same mesh, and others are refused by name."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import impinge
from conftest import at, rows_of, sphere
from impinge._core import _brute_force_pairs

FLOATS = ["f2", "f4", "f8", ">f4", ">f8", "<f8"]
INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u8", ">i2"]
LAYOUTS = ["C", "F", "every second row", "every second column", "reversed", "misaligned", "read-only", "list"]


def laid_out(array: NDArray[np.generic], layout: str) -> object:
    """The numbers in another layout."""
    if layout == "list":
        return array.tolist()
    if layout == "F":
        return np.asfortranarray(array)
    if layout == "every second row":
        return np.repeat(array, 2, axis=0)[::2]
    if layout == "every second column":
        return np.repeat(array, 2, axis=1)[:, ::2]
    if layout == "reversed":
        return np.ascontiguousarray(array[::-1, ::-1])[::-1, ::-1]
    if layout == "misaligned":
        raw = np.zeros(array.nbytes + 1, dtype=np.uint8)
        moved = raw[1:].view(array.dtype).reshape(array.shape)
        moved[...] = array
        return moved
    if layout == "read-only":
        array = array.copy()
        array.flags.writeable = False
    return array


coordinates = st.integers(-8, 8)


@st.composite
def soups(draw: st.DrawFn) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Small meshes on a small grid, where much coincides."""
    n, m = draw(st.integers(1, 12)), draw(st.integers(0, 12))
    points = draw(st.lists(st.tuples(coordinates, coordinates, coordinates), min_size=n, max_size=n))
    index = st.integers(0, n - 1)
    faces = draw(st.lists(st.tuples(index, index, index), min_size=m, max_size=m))
    return np.array(points, dtype=float), np.array(faces, dtype=np.int64).reshape(-1, 3)


@settings(max_examples=1000, deadline=None)
@given(
    soups(),
    soups(),
    st.sampled_from(FLOATS + ["i1", "i2", "i4", "i8", ">i8"]),
    st.sampled_from(INTEGERS),
    st.sampled_from(LAYOUTS),
    st.sampled_from(LAYOUTS),
    coordinates,
)
def test_any_array_gives_the_pairs_of_brute_force(
    one: tuple[NDArray[np.float64], NDArray[np.int64]],
    other: tuple[NDArray[np.float64], NDArray[np.int64]],
    real: str,
    integer: str,
    of_vertices: str,
    of_faces: str,
    shift: int,
) -> None:
    """1,000 pairs of meshes, each in some dtype, order, stride and alignment."""
    bodies = []
    for (points, faces), pose in ((one, None), (other, at(shift, shift / 2))):
        vertices = laid_out(points.astype(real), of_vertices)
        indices = laid_out(faces.astype(integer), "C" if len(faces) == 0 else of_faces)
        mesh = impinge.Mesh(vertices, indices)  # type: ignore[arg-type]
        assert np.array_equal(mesh.vertices, points) and np.array_equal(mesh.faces, faces)
        bodies.append(impinge.Body(impinge.Model(mesh), pose))
    a, b = bodies
    pairs = impinge.pairs(a, b)
    assert pairs.dtype == np.uint32 and pairs.shape[1:] == (2,)
    assert np.array_equal(pairs, _brute_force_pairs(a, b))
    assert np.array_equal(pairs, impinge.pairs(a, b, threads=2))
    assert impinge.intersects(a, b) is (len(pairs) > 0)
    first = impinge.first_contact(a, b)
    assert (first is None) == (len(pairs) == 0) and (first is None or list(first) in pairs.tolist())


def test_views_are_of_the_mesh_itself_and_cannot_be_written() -> None:
    mesh = sphere(1)
    for name in ("vertices", "faces"):
        one, other = getattr(mesh, name), getattr(mesh, name)
        assert one.__array_interface__["data"] == other.__array_interface__["data"]
        assert not one.flags.owndata and not one.flags.writeable and one.flags.c_contiguous
        with pytest.raises(ValueError):
            one.flags.writeable = True
    assert mesh.vertices.dtype == np.float64 and mesh.faces.dtype == np.uint32


def test_a_view_outlives_its_mesh() -> None:
    vertices = sphere(2).vertices
    expected = vertices.copy()
    junk = [sphere(2, radius=9.0) for _ in range(20)]
    assert np.array_equal(vertices, expected) and len(junk) == 20


def test_pairs_are_handed_over_without_a_copy() -> None:
    pairs = impinge.pairs(impinge.Body(impinge.Model(sphere())), impinge.Body(impinge.Model(sphere())))
    base = pairs.base
    assert isinstance(base, np.ndarray) and base.base is not None, "memory of Rust below two views"


POINTS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
FACE = [[0, 1, 2]]


@pytest.mark.parametrize(
    ("vertices", "seen"),
    [
        (POINTS.astype(complex), "complex128"),
        (POINTS.astype(object), "object"),
        (POINTS.astype("U8"), "<U8"),
        (POINTS.astype(bool), "bool"),
        (POINTS.astype(np.longdouble), "float128"),
        (POINTS.astype("M8[s]"), "datetime64"),
        (np.full((3, 3), 2**53 + 1), "row 0"),
        (np.array([[0, 0, 0], [0, 2**64 - 1, 0]], dtype=np.uint64), "row 1"),
        (np.ma.masked_array(POINTS), "masked"),
    ],
)
def test_vertices_that_are_no_real_numbers_of_float64(vertices: NDArray[np.generic], seen: str) -> None:
    with pytest.raises(TypeError, match=seen):
        impinge.Mesh(vertices, FACE)


def test_large_integers_that_are_exact_are_taken() -> None:
    points = np.array([[2**60, -(2**63), 3 * 2**55]] * 3, dtype=np.int64)
    mesh = impinge.Mesh(points, FACE)
    assert [int(x) for x in mesh.vertices[0]] == [2**60, -(2**63), 3 * 2**55]


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "O", "?", "U3"])
def test_faces_that_are_no_integers(dtype: str) -> None:
    with pytest.raises(TypeError, match="faces must be integers, not dtype"):
        impinge.Mesh(POINTS, np.array(FACE).astype(dtype))


@pytest.mark.parametrize(
    ("vertices", "faces", "seen"),
    [
        (POINTS[:, :2], FACE, r"vertices must have the shape \(N, 3\), not \(3, 2\)"),
        (POINTS.ravel(), FACE, r"not \(9,\)"),
        (POINTS[None], FACE, r"not \(1, 3, 3\)"),
        (np.float64(1.0), FACE, r"not \(\)"),
        (POINTS, [[0, 1]], r"faces must have the shape \(N, 3\), not \(1, 2\)"),
        (POINTS, [0, 1, 2], r"not \(3,\)"),
    ],
)
def test_wrong_shapes_are_named(vertices: NDArray[np.float64], faces: list[list[int]], seen: str) -> None:
    with pytest.raises(ValueError, match=seen):
        impinge.Mesh(vertices, faces)


@pytest.mark.parametrize(
    ("faces", "row", "index"),
    [([[0, 1, 2], [0, 1, 3]], 1, "3"), ([[0, -1, 2]], 0, "-1"), ([[0, 1, 2**40]], 0, str(2**40))],
)
def test_an_index_out_of_range_names_its_row(faces: list[list[int]], row: int, index: str) -> None:
    with pytest.raises(
        IndexError, match=f"face {row} names vertex {index}, but vertices are 0 to 2"
    ) as caught:
        impinge.Mesh(POINTS, faces)
    assert isinstance(caught.value, impinge.Error) and caught.value.triangle == row


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_a_number_that_is_not_finite_names_its_row(bad: float, dtype: str) -> None:
    points = POINTS.astype(dtype)
    points[1, 2] = bad
    with pytest.raises(impinge.Error, match="vertex 1 is not finite") as caught:
        impinge.Mesh(points, FACE)
    assert caught.value.vertex == 1


def test_poses(ball: impinge.Model) -> None:
    whole, part = at(1, 2, 3), at(1, 2, 3)[:3]
    assert impinge.Body(ball, whole) == impinge.Body(ball, part) != impinge.Body(ball)
    assert np.array_equal(impinge.Body(ball, part.astype("f4")).pose, whole)
    mirror = np.diag([1.0, 1, -1, 1])
    for pose, text in [
        (mirror, "mirrors.*affine=True"),
        (np.diag([2.0, 2, 2, 1]), "not a rigid motion.*affine=True"),
        (np.diag([1.0, 1, 1, 2]), "last row"),
        (np.full((4, 4), np.nan), "pose: "),
    ]:
        with pytest.raises(impinge.Error, match=text):
            impinge.Body(ball, pose)
    assert not impinge.Body(ball, mirror, affine=True).is_rigid
    with pytest.raises(impinge.Error, match="singular"):
        impinge.Body(ball, np.diag([1.0, 1, 0, 1]), affine=True)
    with pytest.raises(
        ValueError, match=r"pose must have the shape \(4, 4\), \(3, 4\) or \(3, 3\), not \(4, 3\)"
    ):
        impinge.Body(ball, whole[:, :3])


def test_the_pose_that_is_refused_is_named(ball: impinge.Model) -> None:
    poses = rows_of(np.arange(40.0))
    poses[17, 0, 0] = 1.1
    with pytest.raises(impinge.Error, match="pose 17 is not a rigid motion"):
        impinge.intersects_at(impinge.Body(ball), ball, poses)
    with pytest.raises(
        ValueError, match=r"poses must have the shape \(P, 4, 4\) or \(P, 3, 4\), not \(4, 4\)"
    ):
        impinge.intersects_at(impinge.Body(ball), ball, np.eye(4))


def test_other_arguments_are_checked(ball: impinge.Model) -> None:
    body = impinge.Body(ball)
    with pytest.raises(IndexError, match="row 1 names triangle 512 of the second body, which has 512"):
        impinge.contact_points(body, body, [[0, 0], [0, 512]])
    with pytest.raises(impinge.Error, match="margin"):
        impinge.within(body, body, -1.0)
    with pytest.raises(impinge.Error, match="ray 1: "):
        impinge.ray_first_each(body, np.zeros((2, 3)), [[0, 0, 1], [0, 0, 0]])
    with pytest.raises(impinge.Error, match="points: row 1 is not finite"):
        impinge.contains(body, [[0, 0, 0], [np.nan, 0, 0]])
    with pytest.raises(impinge.Error, match="planes: row 0"):
        impinge.triangles_in(body, [[0, 0, 0, 1]])
    with pytest.raises(ValueError, match="as many of each"):
        impinge.ray_first_each(body, np.zeros((2, 3)), np.ones((3, 3)))
    with pytest.raises(ValueError, match="quality"):
        impinge.Model(ball.mesh, quality="best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="fill_rule"):
        impinge.relation(body, body, fill_rule="maybe")  # type: ignore[arg-type]
    for threads in (0, -1):
        with pytest.raises((ValueError, OverflowError)):
            impinge.pairs(body, body, threads=threads)
    with pytest.raises(TypeError):
        impinge.intersects(body, ball)  # type: ignore[arg-type]


def test_small_courtesies(tetrahedron: impinge.Model) -> None:
    """Arguments that have one meaning are taken; others are refused by their own names."""
    body, points = impinge.Body(tetrahedron), tetrahedron.mesh.vertices
    assert len(impinge.Mesh(points, [])) == 0
    assert len(impinge.contact_points(body, body, [])) == 0
    with pytest.raises(TypeError, match="faces must be integers"):
        impinge.Mesh(points, np.zeros((0, 3)))
    gap = impinge.distance(body, body, above=float("inf"))
    assert gap is not None and gap.hi == 0
    with pytest.raises(ValueError, match="rel must be finite"):
        impinge.distance(body, body, rel=-1)
    for above in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="above must be a distance of 0 or more"):
            impinge.distance(body, body, above=above)
    with pytest.raises(impinge.Error, match="no rotation is near") as mirrored:
        impinge.nearest_rigid(np.diag([1, 1, -1, 1.0]))
    assert "affine=True" not in str(mirrored.value)
    with pytest.raises(impinge.Error) as not_finite:
        impinge.Body(tetrahedron, np.full((4, 4), np.nan))
    assert "column by column" not in str(not_finite.value)
    masked = np.ma.array([[0.0, 0, 0]] * 3, mask=[[False, False, True]] * 3)
    with pytest.raises(TypeError, match="row 0 is masked"):
        impinge.Mesh(list(masked), [[0, 1, 2]])
    gaps = impinge.distance_at(body, tetrahedron, [np.eye(4)] * 2)
    assert len(gaps[0:1]) == 1
    hit = impinge.ray_first(body, [1, 1, 9], [0, 0, -1], None)
    assert hit is not None and hit == impinge.ray_first(body, [1, 1, 9], [0, 0, -1])
    assert impinge.__version__.count(".") == 2 and "Warning" not in impinge.__all__


def test_another_class_is_named_with_the_remedy(ball: impinge.Model) -> None:
    body, mesh = impinge.Body(ball), ball.mesh
    for ask, remedy in (
        (lambda: impinge.intersects(ball, body), r"not a Model: impinge\.Body\(model, pose\) places a model"),
        (
            lambda: impinge.pairs_at(mesh, ball, [np.eye(4)]),
            r"not a Mesh: impinge\.Body\(impinge\.Model\(mesh\)",
        ),
        (
            lambda: impinge.ray_first(7, [0, 0, 9], [0, 0, -1]),
            r"not a int: impinge\.Body\(model, pose\) makes",
        ),
    ):
        with pytest.raises(TypeError, match="a Body is needed, " + remedy) as error:
            ask()  # type: ignore[no-untyped-call]
        assert any("while processing '" in note for note in error.value.__notes__), "the argument's name"


def test_points_of_triangles_that_do_not_meet_are_refused(ball: impinge.Model) -> None:
    a, far = impinge.Body(ball), impinge.Body(ball, at(9))
    with pytest.raises(impinge.Error, match="pairs: the triangles of row 1 do not meet"):
        impinge.contact_points(a, a, [[0, 0], [0, 300]])
    with pytest.raises(impinge.Error, match="row 0"):
        impinge.contact_points(a, far, [[0, 0]])
    assert np.isfinite(impinge.contact_normals(a, far, [[0, 0]])).all()
