"""The pictures of the cookbook: each is what its recipe draws now, to the byte.

`IMPINGE_WRITE_PICTURES=1` writes them anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge
from test_docs import blocks

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "cookbook"
SIZE = 360, 240

Scope = dict[str, Any]


def pair(a: impinge.Body, b: impinge.Body) -> bytes | None:
    return impinge.view(a, b).finding.picture(*SIZE)


def boxes(middles: Any, sides: list[float]) -> impinge.Body:
    """Small boxes as one mesh."""
    box, middles = impinge.Mesh.box(sides), np.asarray(middles)
    vertices = (middles[:, None] + box.vertices).reshape(-1, 3)
    faces = (8 * np.arange(len(middles))[:, None, None] + box.faces).reshape(-1, 3)
    return impinge.Body(impinge.Model(impinge.Mesh(vertices, faces)))


def floats(scope: Scope) -> bytes | None:
    rules = impinge.Rules('version = 1\n[[test]]\nname = "loose"\nfind = "floating"\na = "*"')
    return scope["stack"].check(rules=rules).findings[0].picture(*SIZE)


def lift(scope: Scope, height: float) -> bytes | None:
    assembly = scope["lift"].copy()
    assembly.set_pose("cage", impinge.pose([3, 0, height]))
    [finding] = assembly.check(between=("cage", "beam")).findings
    return finding.picture(*SIZE)


def planner(scope: Scope) -> bytes | None:
    at = int(np.flatnonzero(scope["bad"])[0])
    before = impinge.pose(scope["poses"][at, :3, 3] - 1.000001 * scope["deep"].separating_translation[at])
    before[:3, :3] = scope["poses"][at, :3, :3]
    return pair(scope["a"], impinge.Body(scope["b"].model, before))


PICTURES: list[Callable[[Scope], bytes | None]] = [
    lambda scope: pair(scope["a"], scope["b"]),
    lambda scope: pair(scope["a"], impinge.Body(scope["b"].model, impinge.pose([2, 0.5, 0.5]))),
    lambda scope: scope["report"].findings[0].picture(*SIZE),
    floats,
    lambda scope: lift(scope, 6.25),
    lambda scope: pair(scope["part"], boxes(scope["points"][:80], [0.25] * 3)),
    lambda scope: pair(scope["part"], boxes(scope["inside"][:12] * [1, 1, 0], [0.05, 0.05, 7])),
    planner,
    lambda scope: scope["two"].picture(*SIZE),
    lambda scope: scope["room"].check().ranked_findings()[0].picture(*SIZE),
    lambda scope: lift(scope, 6.5),
    lambda scope: scope["room"].check().ranked_findings()[1].picture(*SIZE),
]


def test_pictures_are_what_recipes_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs" / "cookbook.md").read_text()
    found = blocks(ROOT / "docs" / "cookbook.md")
    assert len(found) == 1 + len(PICTURES) == 13
    monkeypatch.chdir(tmp_path)
    scope: Scope = {"__name__": "__main__"}
    exec(compile(found[0], "docs/cookbook.md", "exec"), scope)
    shown = re.findall(r"^## (\d+)\..*?^!\[[^\]]{20,}\]\(cookbook/(\d+)\.png\)$", text, re.MULTILINE | re.DOTALL)
    assert shown == [(str(i), str(i)) for i in range(1, 13)]
    FOLDER.mkdir(exist_ok=True)
    for number, (block, draw) in enumerate(zip(found[1:], PICTURES, strict=True), 1):
        exec(compile(block, f"docs/cookbook.md, recipe {number}", "exec"), scope)
        picture, path = draw(scope), FOLDER / f"{number}.png"
        assert picture is not None and picture.startswith(b"\x89PNG") and len(picture) < 40_000
        if os.environ.get("IMPINGE_WRITE_PICTURES"):
            path.write_bytes(picture)
        assert path.read_bytes() == picture, f"docs/cookbook/{number}.png is not what the recipe draws"


def test_meshes_models_and_bodies_have_pictures() -> None:
    mesh = impinge.Mesh.sphere(1)
    model = impinge.Model(mesh)
    turned = impinge.Body(model, np.diag([3.0, 1, 1, 1]), affine=True)
    drawn = [thing._repr_png_() for thing in (mesh, model, impinge.Body(model), turned)]
    assert all(png is not None and png.startswith(b"\x89PNG") for png in drawn)
    # A picture is about the shape: at the identity it is that of the mesh, and another one where it is stretched.
    assert drawn[0] == drawn[1] == drawn[2] != drawn[3]
    width, height = (int.from_bytes(drawn[0][at : at + 4], "big") for at in (16, 20))  # type: ignore[index]
    assert (width, height) == (480, 320)
    assert impinge.Mesh(np.zeros((0, 3)), []).picture() is None
    with pytest.raises(ValueError, match="width must be from 1 to 4096, not 0"):
        mesh.picture(0, 10)


def test_show_opens_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    body = impinge.Body(impinge.Model(impinge.Mesh.box([1, 2, 3])))
    body.show()
    impinge.view(body, impinge.Body(body.model, impinge.pose([0.5, 0, 0]))).show()
    assert [address.rsplit("/", 1)[1] for address in opened] == ["picture.png", "view.html"]
    with pytest.raises(ValueError, match="has no triangles, and so no picture"):
        impinge.Mesh(np.zeros((0, 3)), []).show()
