"""From all contacts of a building to those that somebody must look at, pair by pair as manifold3d has them."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import impinge

RULES = Path(__file__).parents[2] / "docs/rules/schependomlaan.toml"


def test_the_same_pairs_as_manifold3d() -> None:
    folder = Path(os.environ.get("IMPINGE_DATA", Path(__file__).parents[3] / "shared" / "data"))
    path = folder / "ifc_schependomlaan_contractors.obj"
    if not path.exists():
        assert not (os.environ.get("CI") and folder.exists()), f"{path} is missing"
        pytest.skip(f"NOT TESTED: there is no {path} (IMPINGE_DATA sets another folder)")
    import manifold3d
    assembly = impinge.read(path)
    trades = [part.name.split("-")[0] for part in assembly]
    placed = [part.mesh.vertices @ part.pose[:3, :3].T + part.pose[:3, 3] for part in assembly]
    low, high = np.array([p.min(axis=0) for p in placed]), np.array([p.max(axis=0) for p in placed])
    solids: dict[int, manifold3d.Manifold] = {}

    def solid(i: int) -> manifold3d.Manifold:
        if i not in solids:
            corners = placed[i][assembly[i].mesh.faces.ravel()]
            points, places = np.unique(corners, axis=0, return_inverse=True)
            solids[i] = manifold3d.Manifold(manifold3d.Mesh64(points, places.reshape(-1, 3).astype(np.uint64)))
            assert solids[i].status() == manifold3d.Error.NoError
        return solids[i]

    large = set()
    others = np.array([i for i, trade in enumerate(trades) if trade != "ROOT"])
    for place, a in enumerate(others):
        rest = others[place + 1 :]
        near = rest[np.all((low[a] <= high[rest]) & (low[rest] <= high[a]), axis=1)]
        for b in near:
            if trades[a] != trades[b] and (solid(int(a)) ^ solid(int(b))).volume() >= 1e-6:
                large.add((int(a), int(b)))
    found = assembly.check(rules=RULES).findings
    assert {tuple(part.index for part in finding.parts) for finding in found} == large
    assert len(large) == 157
