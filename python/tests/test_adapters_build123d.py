"""The adapter of build123d against its booleans; `.ci/adapters` installs it."""

from __future__ import annotations

import re

import numpy as np
import pytest

from test_docs import ROOT, blocks

import impinge

b123d = pytest.importorskip("build123d")

from impinge.adapters import build123d as of_build123d  # noqa: E402


def test_labels_places_and_units() -> None:
    block = b123d.Box(2, 2, 2)
    block.label = "block"
    ball = b123d.Pos(2, 0, 0) * b123d.Sphere(1.5)
    ball.label = "ball"
    inner = b123d.Compound(label="inner", children=[block, ball])
    inner.location = b123d.Location((0, 10, 0), (0, 0, 90))
    outer = b123d.Compound(label="outer", children=[inner])
    outer.location = b123d.Location((0, 0, 7))
    assembly = of_build123d.assembly(outer, b123d.Box(1, 1, 1), chord=0.01)
    assert [part.path for part in assembly] == ["outer/inner/block", "outer/inner/ball", "shape 1"]
    assert assembly.sources[0].unit == "millimetre" and assembly["block"].chord is None
    assert assembly["ball"].chord == pytest.approx(0.01, rel=0.5)
    # build123d's own box around the whole is that of the parts.
    box = outer.bounding_box()
    placed = [p.mesh.vertices @ p.pose[:3, :3].T + p.pose[:3, 3] for p in list(assembly)[:2]]
    points = np.concatenate(placed)
    assert np.allclose(points.min(axis=0), tuple(box.min), atol=0.02)
    assert np.allclose(points.max(axis=0), tuple(box.max), atol=0.02)
    with pytest.raises(TypeError, match="shapes are those of build123d, not a int"):
        of_build123d.assembly(7)
    with pytest.raises(ValueError, match="chord must be more than 0"):
        of_build123d.assembly(block, chord=0)


def test_volumes_and_touches_against_booleans() -> None:
    """Blocks at 1,000 places on a grid, where many only touch: build123d's common volume, and ours."""
    first = b123d.Box(2, 2, 2) - b123d.Pos(0.5, 0.5, 0.5) * b123d.Box(1, 1, 1)
    second = b123d.Box(1, 2, 1) + b123d.Pos(1, 0, 0) * b123d.Box(1, 1, 1)
    assembly = of_build123d.assembly(first, second)
    a, moving = assembly.body(0), assembly.model(1)
    rng = np.random.default_rng(123)
    shifts = rng.integers(-8, 9, (1000, 3)) / 4
    found = impinge.penetration_at(a, moving, impinge.pose(shifts))
    relations = impinge.relation_at(a, moving, impinge.pose(shifts))
    # Booleans are slow: some of each relation.
    kinds = relations.kind
    chosen = [i for kind in np.unique(kinds) for i in np.flatnonzero(kinds == kind)[:25]]
    for i in chosen:
        common = first & (b123d.Pos(*shifts[i]) * second)
        volume = 0.0 if common is None else float(sum(solid.volume for solid in common.solids()))
        lo, hi = found.overlap_volume[i]
        assert lo - 1e-6 <= volume <= hi + 1e-6, (shifts[i], kinds[i], volume)
        assert (volume > 1e-9) == bool(relations.overlaps[i])
    assert {"apart", "touch", "overlap"} <= set(kinds)
    # All 1,000 by counting cubes of a quarter: both shapes are made of them.
    grid = np.arange(-2.875, 2.9, 0.25)
    points = np.stack(np.meshgrid(grid, grid, grid), axis=-1).reshape(-1, 3)

    def in_box(p: np.ndarray, middle: tuple[float, ...], size: tuple[float, ...]) -> np.ndarray:
        return (np.abs(p - middle) < np.array(size) / 2).all(axis=-1)

    in_first = in_box(points, (0, 0, 0), (2, 2, 2)) & ~in_box(points, (0.5, 0.5, 0.5), (1, 1, 1))
    for i, shift in enumerate(shifts):
        p = points - shift
        in_second = in_box(p, (0, 0, 0), (1, 2, 1)) | in_box(p, (1, 0, 0), (1, 1, 1))
        volume = np.count_nonzero(in_first & in_second) * 0.25**3
        assert found.overlap_volume[i, 0] - 1e-9 <= volume <= found.overlap_volume[i, 1] + 1e-9
        assert (volume > 0) == relations.overlaps[i]


def test_curved_shapes_are_definite_or_possible() -> None:
    """A ball in a socket: nominally they touch, so that triangles cannot tell."""
    socket = b123d.Box(4, 4, 4) - b123d.Sphere(1)
    socket.label = "socket"
    ball = b123d.Sphere(1)
    ball.label = "ball"
    fit = of_build123d.assembly(socket, ball, chord=0.02)
    assert len(fit.check().findings) == 0
    report = fit.check(criteria=impinge.check.Criteria(count="possible"))
    pairs = list(report) + list(report.near)
    assert [str(pair.certainty) for pair in pairs] == ["possible"]
    moved = of_build123d.assembly(socket, b123d.Pos(0.2, 0, 0) * ball, chord=0.02).check()
    assert [str(clash.certainty) for clash in moved] == ["definite"]


def test_the_page_of_adapters_runs() -> None:
    scope: dict[str, object] = {"__name__": "__main__"}
    for name in ["build123d"]:
        found = blocks(ROOT / "docs" / "adapters.md", "run by .ci/adapters")
        [block] = [
            block for block in found if re.search(rf"from impinge\.adapters(\.| import ){name}\b", block)
        ]
        exec(compile(block, f"docs/adapters.md, {name}", "exec"), scope)
