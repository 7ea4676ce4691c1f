"""Scenes of trimesh, there and back; an adapter without its package."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import trimesh

import impinge
from impinge.adapters import trimesh as of_trimesh


def test_scenes_there_and_back() -> None:
    box, ball = impinge.Mesh.box([1, 1, 1]), impinge.Mesh.sphere(0.5)
    assembly = impinge.Assembly.from_meshes([("box", box), ("ball", ball), ("box", box)])
    assembly.set_pose(2, impinge.pose([0.75, 0, 0], axis=[0, 0, 1], angle=0.5))
    scene = of_trimesh.scene(assembly)
    assert isinstance(scene, trimesh.Scene) and len(scene.geometry) == 2
    assert set(scene.graph.nodes_geometry) == {"box", "ball", "box 2"}
    back = of_trimesh.assembly(scene)
    assert len(back) == 3
    for name, part in zip(("box", "ball", "box 2"), assembly, strict=True):
        assert (back[name].pose == part.pose).all()
        assert (back[name].mesh.vertices == part.mesh.vertices).all()
    first, second = assembly.check(), back.check()
    assert sorted(str(clash.relation) for clash in first) == sorted(str(clash.relation) for clash in second)
    # trimesh's own box around the scene.
    points = np.concatenate([p.mesh.vertices @ p.pose[:3, :3].T + p.pose[:3, 3] for p in back])
    assert np.allclose(scene.bounds, [points.min(axis=0), points.max(axis=0)])
    with pytest.raises(TypeError, match="scene must be a trimesh.Scene or a Trimesh, not a int"):
        of_trimesh.assembly(7)


@pytest.mark.parametrize(
    ("call", "line"),
    [
        ("build123d.assembly()", "build123d is needed: pip install build123d"),
        ("cadquery.assembly()", "cadquery is needed: pip install cadquery"),
        ("mujoco.Geoms(None)", "mujoco is needed: pip install mujoco"),
        ("pinocchio.Robot(None, None)", "pinocchio is needed: pip install pin"),
        ("ompl.set_validity(None, None, None, resolution=1.0)", "ompl.base is needed: pip install ompl"),
        ("trimesh.assembly(None)", "trimesh is needed: pip install trimesh scipy networkx"),
    ],
)
def test_a_missing_package_is_one_line(call: str, line: str) -> None:
    module = call.split(".")[0]
    # None in `sys.modules` makes an import fail.
    program = (
        f"import sys; sys.modules['{module}'] = None\n"
        f"from impinge.adapters import {module}\n"
        f"try:\n    {module}.{call.split('.', 1)[1]}\nexcept ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == line


def test_adapters_import_nothing() -> None:
    modules = ["build123d", "cadquery", "mujoco", "ompl", "pinocchio", "trimesh"]
    program = (
        "import sys\n"
        + "".join(f"import impinge.adapters.{name}\n" for name in modules)
        + f"print([name for name in {modules + ['OCP', 'coal']} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
