"""Whether simple shapes cover a part: `impinge.coverage`."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import at

import impinge

BOX = impinge.Model(impinge.Mesh.box([2, 1, 1]))


def test_balls_bodies_and_lists() -> None:
    """Arrays of balls, a body, a rounded body, and lists of these."""
    part = impinge.Body(BOX)
    corner = 0.75**0.5
    balls = np.array([[-0.5, 0, 0, corner + 1e-9], [0.5, 0, 0, corner + 1e-9]])
    found = impinge.coverage(part, balls)
    assert found.covered is True and found.uncovered == (0, 0)
    assert found.witness is None and found.triangle is None
    assert repr(found) == "Coverage(covered=True)" and found.pieces > 0
    assert impinge.coverage(part, balls.tolist()).covered is True
    less = impinge.coverage(part, balls[:1], accuracy=1e-6)
    lo, hi = less.uncovered
    exact = (1.5**2 + 0.5) ** 0.5 - corner - 1e-9
    assert less.covered is False and lo <= exact <= hi < lo * (1 + 2e-6)
    assert less.witness is not None and less.witness[0] == 1 and less.triangle is not None
    assert repr(less).startswith("Coverage(covered=False, uncovered=(0.79")
    capsule = impinge.Shape.capsule(0.75, 1.0)
    assert impinge.coverage(part, [balls[:1], impinge.Body(BOX, at(0.5)).rounded(1e-9)]).covered is True
    assert impinge.coverage(part, [balls[:1], capsule.at()]).covered is False
    # Flush faces of one body are decided exactly, those that a ball and a body share but for rounding.
    flush = impinge.coverage(part, [balls[:1], impinge.Body(BOX, at(0.5))])
    assert flush.covered is not False and flush.uncovered[1] < 1e-13
    assert impinge.coverage(part, impinge.Body(BOX)).covered is True
    assert impinge.coverage(part, impinge.Body(BOX, at(1e-3)).rounded(1.1e-3)).covered is True
    assert impinge.coverage(part, np.empty((0, 4))).uncovered == (np.inf, np.inf)
    first = impinge.coverage(part, balls[:1], verdict_only=True)
    assert first.covered is False and first.uncovered[1] == np.inf


def test_margin_and_excess() -> None:
    """A margin makes a part larger; the excess is what the proxy has beyond it."""
    part = impinge.Body(BOX)
    corner = 1.5**0.5
    assert impinge.coverage(part, [[0, 0, 0, corner + 0.1]], margin=0.099).covered is True
    less = impinge.coverage(part, [[0, 0, 0, corner + 0.1]], margin=0.2)
    assert less.covered is False and less.uncovered[0] <= 0.1 <= less.uncovered[1] and less.excess is None
    found = impinge.coverage(part, [[0, 0, 0, 1.5]], excess=True)
    assert found.excess is not None and found.excess[0] <= 1 <= found.excess[1] < 1.02
    assert found.excess_witness is not None and abs(np.linalg.norm(found.excess_witness) - 1.5) < 1e-6
    assert found.proxy_volume is not None
    volume = 4 / 3 * np.pi * 1.5**3
    assert found.proxy_volume[0] <= volume <= found.proxy_volume[1] < 1.02 * volume
    with pytest.raises(ValueError, match="margin"):
        impinge.coverage(part, [[0, 0, 0, 1]], margin=-1)


def test_wrong_arguments() -> None:
    """One clear error for each."""
    part = impinge.Body(BOX)
    with pytest.raises(ValueError, match=r"\(N, 4\)"):
        impinge.coverage(part, [[0, 0, 0]])
    with pytest.raises(ValueError, match="ball 1"):
        impinge.coverage(part, [[0, 0, 0, 1], [0, np.nan, 0, 1]])
    with pytest.raises(ValueError, match="radius"):
        impinge.coverage(part, [[0, 0, 0, -1]])
    with pytest.raises(ValueError, match="accuracy"):
        impinge.coverage(part, [[0, 0, 0, 1]], accuracy=0)
    with pytest.raises(TypeError):
        impinge.coverage(BOX, [[0, 0, 0, 1]])  # type: ignore[arg-type]


def test_many_parts_at_once() -> None:
    """The results of single calls, on any number of threads; an error names its row."""
    radii = np.linspace(0.5, 1.0, 40)
    pairs = [(impinge.Body(BOX, at(0.001 * k)), [[-0.5, 0, 0, r], [0.5, 0, 0, r]]) for k, r in enumerate(radii)]
    single = [impinge.coverage(body, proxy, excess=True) for body, proxy in pairs]
    for threads in (1, 2, None):
        found = impinge.coverage_each(pairs, excess=True, threads=threads)
        assert [one.covered for one in found] == [one.covered for one in single]
        assert [(one.uncovered, one.excess, one.proxy_volume) for one in found] == [
            (one.uncovered, one.excess, one.proxy_volume) for one in single
        ]
    covered = {one.covered for one in single}
    assert covered == {True, False} and impinge.coverage_each([]) == []
    with pytest.raises(TypeError, match="row 1 must be a Body and its proxy"):
        impinge.coverage_each([pairs[0], BOX])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="radius"):
        impinge.coverage_each([pairs[0], (pairs[1][0], [[0, 0, 0, -1]])])
