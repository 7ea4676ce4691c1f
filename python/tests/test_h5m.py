"""DAGMC: volumes of nuclear models, which must touch and not overlap (cad_to_dagmc #218)."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge

h5py = pytest.importorskip("h5py", reason="NOT TESTED: needs the extra h5m")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPINGE_CACHE", str(tmp_path / "cache"))


CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
SIDES = [  # x = 0, x = 1, y = 0, y = 1, z = 0, z = 1: outward
    [[0, 1, 3], [0, 3, 2]],
    [[4, 6, 7], [4, 7, 5]],
    [[0, 4, 5], [0, 5, 1]],
    [[2, 3, 7], [2, 7, 6]],
    [[0, 2, 6], [0, 6, 4]],
    [[1, 5, 7], [1, 7, 3]],
]


def written(path: Path, surfaces: list[tuple[Any, Any, int, int]], materials: list[str]) -> Path:
    """A file of surfaces: points, triangles, the volume behind and the volume before (0 for none)."""
    points = np.concatenate([one[0] for one in surfaces])
    starts = np.cumsum([0, *(len(one[0]) for one in surfaces)])
    triangles = np.concatenate([np.array(one[1]) + at + 1 for one, at in zip(surfaces, starts, strict=False)])
    first_triangle = len(points) + 1
    first_set = first_triangle + len(triangles)
    volumes = len(materials)
    # Sets: volumes, then groups of one volume each, then surfaces.
    surface = first_set + 2 * volumes
    contents: list[int] = []
    children: list[int] = []
    rows = []
    for v in range(1, volumes + 1):
        children += [surface + i for i, one in enumerate(surfaces) if v in one[2:]]
        rows.append([len(contents) - 1, len(children) - 1, -1, 2])
    for v in range(volumes):
        contents.append(first_set + v)
        rows.append([len(contents) - 1, len(children) - 1, -1, 2])
    at = first_triangle
    for one in surfaces:
        contents += [at, len(one[1])]
        at += len(one[1])
        rows.append([len(contents) - 1, len(children) - 1, -1, 10])
    with h5py.File(path, "w") as file:
        root = file.create_group("tstt")

        def put(name: str, values: Any, start: int | None = None) -> None:
            made = root.create_dataset(name, data=values)
            if start is not None:
                made.attrs["start_id"] = start

        put("nodes/coordinates", points, 1)
        put("elements/Tri3/connectivity", triangles.astype(np.uint64), first_triangle)
        put("sets/list", np.array(rows, np.int64), first_set)
        put("sets/contents", np.array(contents, np.uint64))
        put("sets/children", np.array(children, np.uint64))
        ids = [*range(1, volumes + 1), *range(1, volumes + 1), *range(1, len(surfaces) + 1)]
        put("sets/tags/GLOBAL_ID", np.array(ids, np.int32))
        words = [b"Volume"] * volumes + [b"Group"] * volumes + [b"Surface"] * len(surfaces)
        put("tags/CATEGORY/id_list", np.arange(first_set, first_set + len(words), dtype=np.uint64))
        put("tags/CATEGORY/values", np.array([np.void(word.ljust(32, b"\0")) for word in words]))
        put("tags/NAME/id_list", np.arange(first_set + volumes, surface, dtype=np.uint64))
        put("tags/NAME/values", np.array([np.void(f"mat:{m}".encode().ljust(32, b"\0")) for m in materials]))
        senses = [[first_set + v - 1 if v else 0 for v in one[2:]] for one in surfaces]
        put("tags/GEOM_SENSE_2/id_list", np.arange(surface, surface + len(surfaces), dtype=np.uint64))
        put("tags/GEOM_SENSE_2/values", np.array(senses, np.uint64))
    return path


def cuboid(low: Any, size: Any, volume: int) -> list[tuple[Any, Any, int, int]]:
    return [(CORNERS * size + low, side, volume, 0) for side in SIDES]


def relations(assembly: impinge.Assembly) -> list[str]:
    return [str(one.relation) for one in assembly.check(criteria=impinge.check.Criteria(report="all"))]


def test_volumes_that_share_a_surface_touch(tmp_path: Path) -> None:
    left, right = cuboid((0, 0, 0), 1, 1), cuboid((1, 0, 0), 1, 2)
    # The face x = 1 of the first is that of the second, seen from before.
    shared = (*left[1][:2], 1, 2)
    surfaces = [left[0], *left[2:], *right[1:], shared]
    assembly = impinge.read(written(tmp_path / "two.h5m", surfaces, ["steel", "water"]))
    assert [part.name for part in assembly] == ["volume 1", "volume 2"]
    assert [part.properties for part in assembly] == [{"material": "steel"}, {"material": "water"}]
    assert [part.type for part in assembly] == ["Volume"] * 2 and assembly.sources[0].unit == "centimetre"
    report = assembly.check(criteria=impinge.check.Criteria(report="all"))
    assert report.coverage["not_closed"] == 0 and relations(assembly) == ["touch"]
    assert not assembly.check().findings


@pytest.mark.parametrize(
    ("low", "size", "relation"),
    [
        ((1 - 1e-6, 0, 0), 1, "overlap"),  # a micrometre in the neighbour
        ((0.25, 0.25, 0.25), 0.5, "contains"),  # a part in another that was not cut out
        ((0, 0, 0), 1, "duplicate"),  # imprinted twice
        ((1, 0, 0), 1, "touch"),  # two faces in one place: contact, though they share no surface
        ((1 + 1e-6, 0, 0), 1, None),  # a gap
    ],
)
def test_what_transport_codes_do_not_notice(
    tmp_path: Path, low: Any, size: Any, relation: str | None
) -> None:
    surfaces = [*cuboid((0, 0, 0), 1, 1), *cuboid(low, size, 2)]
    assembly = impinge.read(written(tmp_path / "two.h5m", surfaces, ["a", "b"]))
    assert relations(assembly) == ([] if relation is None else [relation])


def faceted(radius: float, volume: int, outside: int = 0) -> tuple[Any, Any, int, int]:
    """A sphere as an octahedron, seen from outside; its outside may be another volume."""
    corners = np.concatenate([np.eye(3), -np.eye(3)]) * radius
    sides = [(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2), (1, 0, 5), (3, 1, 5), (4, 3, 5), (0, 4, 5)]
    return corners, np.array(sides), volume, outside


def test_the_cases_of_cad_to_dagmc_218(tmp_path: Path) -> None:
    box = cuboid((-15, -15, -15), 30, 2)
    tags = ["tungsten", "steel"]
    # The sphere was not cut out of the box: both are watertight, and the sphere has two materials.
    overlapping = impinge.read(written(tmp_path / "overlapping.h5m", [faceted(10, 1), *box], tags))
    report = overlapping.check()
    (clash,) = report
    assert report.coverage["not_closed"] == 0 and str(clash.relation) == "inside"
    assert [part.properties["material"] for part in (clash.a, clash.b)] == tags
    # The box has a cavity, whose surface both volumes share.
    cut = impinge.read(written(tmp_path / "cut.h5m", [faceted(10, 1, 2), *box], tags))
    assert not cut.check().findings and relations(cut) == ["touch"]
    assert cut.check().coverage["not_closed"] == 0
    # Contact is no overlap.
    touching = [*cuboid((-5, -5, -5), 10, 1), *cuboid((5, -5, -5), 10, 2)]
    boxes = impinge.read(written(tmp_path / "touching.h5m", touching, ["steel", "water"]))
    assert not boxes.check().findings and relations(boxes) == ["touch"]


def test_a_surface_without_a_sense_has_failed(tmp_path: Path) -> None:
    path = written(tmp_path / "one.h5m", [*cuboid((0, 0, 0), 1, 1), *cuboid((3, 0, 0), 1, 2)], ["a", "b"])
    with h5py.File(path, "a") as file:
        tag = file["tstt/tags/GEOM_SENSE_2"]
        for name in ("id_list", "values"):
            kept = tag[name][()][1:]
            del tag[name]
            tag[name] = kept
    assembly = impinge.read(path)
    assert [part.name for part in assembly] == ["volume 2"]
    assert assembly.omissions[0].failed and "GEOM_SENSE_2" in assembly.omissions[0].reason


def test_damaged_files_give_parts_or_a_reason(tmp_path: Path) -> None:
    whole = written(tmp_path / "two.h5m", [*cuboid((0, 0, 0), 1, 1), *cuboid((3, 0, 0), 1, 2)], ["a", "b"])
    content = whole.read_bytes()
    outcomes = set()
    for case in range(12):
        rng = random.Random(case)
        new = bytearray(content[: rng.randrange(len(content))] if case % 2 else content)
        for _ in range(30 * (1 - case % 2)):
            new[rng.randrange(len(new))] = rng.randrange(256)
        path = tmp_path / f"{case}.h5m"
        path.write_bytes(new)
        try:
            impinge.read(path)
            outcomes.add("parts")
        except impinge.Error as error:
            assert str(error).startswith(str(path)) and "\n" not in str(error)
            outcomes.add("error")
    assert "error" in outcomes
