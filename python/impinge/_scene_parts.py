"""The parts of a scene of trimesh."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from impinge._core import Mesh
from impinge._editable_parts import EditableParts
from impinge._part import PathLike, mesh_of


def add(new: EditableParts, scene: Any, file: PathLike | None) -> None:
    """Add a part for each node with a mesh."""
    if not hasattr(scene, "graph"):
        new.add(scene, name="mesh", file=file)
        return
    units, meshes = getattr(scene, "units", None), {}
    baked: dict[tuple[str, bytes], Mesh] = {}
    if units is not None and scene.geometry:
        try:
            new.add_source("memory" if file is None else file, unit=str(units))
        except ValueError:
            # A unit that this package does not have.
            units = None
    parents = scene.graph.transforms.parents
    for node in scene.graph.nodes_geometry:
        matrix, key = scene.graph[node]
        geometry = scene.geometry[key]
        if not hasattr(geometry, "faces") or len(geometry.faces) == 0:
            origin = Path("memory" if file is None else file)
            new._native.warn(origin, f"node '{node}'", "has no triangle and is skipped")
            continue
        names, at = [str(node)], parents.get(node)
        while at is not None and at != scene.graph.base_frame and len(names) < 256:
            names.append(str(at))
            at = parents.get(at)
        path = "/".join(reversed(names))
        matrix = np.array(matrix, dtype=np.float64)
        # Equal transforms of one mesh share a copy.
        place = str(key), matrix.tobytes()
        if place in baked:
            i = new._add(baked[place], None, (False, True), str(node), file, path)
            continue
        if key not in meshes:
            meshes[key] = mesh_of(geometry)
        i = new._add(meshes[key], matrix, (True, False), str(node), file, path)
        if new[i].baked:
            baked[place] = new[i].mesh
