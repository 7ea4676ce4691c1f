"""The adapter of CadQuery against its own shapes; `.ci/adapters` installs it."""

from __future__ import annotations

import re

import numpy as np
import pytest

from test_docs import ROOT, blocks

import impinge

cq = pytest.importorskip("cadquery")

from impinge.adapters import cadquery as of_cadquery  # noqa: E402


def test_an_assembly_of_cadquery() -> None:
    """Names, places and relations; volumes in common are those of CadQuery's booleans."""
    block = cq.Workplane().box(2, 2, 2)
    inner = cq.Assembly(name="inner").add(block, name="a")
    inner.add(cq.Workplane().sphere(1.5), name="ball", loc=cq.Location(cq.Vector(2, 0, 0)))
    inner.add(block, name="b", loc=cq.Location(cq.Vector(0.5, 2, 0)))
    whole = cq.Assembly(name="whole", loc=cq.Location(cq.Vector(0, 0, 5)))
    whole.add(inner, loc=cq.Location(cq.Vector(10, 0, 0), cq.Vector(0, 0, 1), 90))
    assembly = of_cadquery.assembly(whole, chord=0.01)
    assert [part.path for part in assembly] == ["whole/inner/a", "whole/inner/ball", "whole/inner/b"]
    assert assembly["a"].mesh is assembly["b"].mesh and assembly["ball"].chord is not None
    report = assembly.check()
    found = {(clash.a.name, clash.b.name): clash for clash in report}
    assert found["a", "ball"].relation == "overlap"
    shapes = {path.split("/")[-1]: shape.moved(place) for shape, path, place, _ in whole}
    for (a, b), clash in found.items():
        volume = shapes[a].intersect(shapes[b]).Volume()
        lo, hi = clash.volume or (0.0, 0.0)
        # The ball's triangles are up to the chord from it.
        assert lo - 0.2 <= volume <= hi + 0.2 and (clash.relation == "touch") == (volume < 1e-9)
    points = np.concatenate([p.mesh.vertices @ p.pose[:3, :3].T + p.pose[:3, 3] for p in assembly])
    box = whole.toCompound().BoundingBox()
    assert np.allclose(points.max(axis=0), (box.xmax, box.ymax, box.zmax), atol=0.02)


def test_1000_places_of_two_shapes() -> None:
    """Plane shapes are exact: against the formula for two boxes."""
    assembly = of_cadquery.assembly(cq.Workplane().box(2, 3, 1), cq.Solid.makeBox(1, 1, 2))
    assert len(assembly) == 2 and assembly[0].chord is None
    shifts = np.random.default_rng(5).integers(-8, 9, (1000, 3)) / 4
    relations = impinge.relation_at(assembly.body(0), assembly.model(1), impinge.pose(shifts))
    lower, upper = shifts, shifts + [1, 1, 2]
    half = np.array([1, 1.5, 0.5])
    sides = np.minimum(upper, half) - np.maximum(lower, -half)
    assert (relations.overlaps == (sides > 0).all(axis=1)).all()
    assert ((relations.kind == "apart") == (sides < 0).any(axis=1)).all()
    with pytest.raises(TypeError, match="an object is a Workplane with shapes, or a Shape, not a int"):
        of_cadquery.assembly(7)


def test_the_page_of_adapters_runs() -> None:
    scope: dict[str, object] = {"__name__": "__main__"}
    for name in ["cadquery"]:
        found = blocks(ROOT / "docs" / "adapters.md", "run by .ci/adapters")
        [block] = [
            block for block in found if re.search(rf"from impinge\.adapters(\.| import ){name}\b", block)
        ]
        exec(compile(block, f"docs/adapters.md, {name}", "exec"), scope)
