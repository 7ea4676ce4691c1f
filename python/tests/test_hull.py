"""Convex hulls, beside those of qhull."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import impinge


@pytest.mark.parametrize("kind", ["ball", "sphere", "grid", "needle"])
def test_hulls_are_those_of_qhull(kind: str) -> None:
    rng = np.random.default_rng(5)
    points = rng.normal(size=(2_000, 3))
    if kind == "sphere":
        points /= np.linalg.norm(points, axis=1, keepdims=True)
    elif kind == "grid":
        points = np.round(2 * points)
    elif kind == "needle":
        points *= [1, 1e-6, 1e-3]
    hull, other = impinge.Mesh.hull(points), ConvexHull(points)
    # All of ours are vertices; qhull also counts points on faces and edges.
    ours = {tuple(vertex) for vertex in hull.vertices}
    assert ours <= {tuple(points[i] + 0.0) for i in other.vertices}
    assert hull.is_convex and not impinge.Mesh(hull.vertices, hull.faces[1:]).is_convex
    body = impinge.Body(impinge.Model(hull))
    assert impinge.contains(body, points).all()
    low, high = impinge.Model(hull).winding_volume or (0.0, 0.0)
    assert low == pytest.approx(other.volume, rel=1e-9) and high >= low
    assert np.array_equal(impinge.Mesh.hull(points[::-1]).faces, hull.faces)


def test_flat_hulls_are_flat() -> None:
    square = impinge.Mesh.hull([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1], [0.5, 0.5, 1]])
    assert len(square.vertices) == 4 and len(square.faces) == 2
    assert impinge.Mesh.hull([[1, 1, 1], [3, 3, 3], [2, 2, 2]]).faces.tolist() == [[0, 1, 1]]
    assert impinge.Mesh.hull([[1, 2, 3]]).faces.tolist() == [[0, 0, 0]]
    assert len(impinge.Mesh.hull(np.empty((0, 3))).faces) == 0
    with pytest.raises(impinge.Error, match="vertex 1 is not finite"):
        impinge.Mesh.hull([[0, 0, 0], [0, np.inf, 0]])
