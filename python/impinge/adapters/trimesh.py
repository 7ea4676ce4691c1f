"""Scenes of trimesh."""

from __future__ import annotations

from typing import Any

from impinge._assembly import Assembly
from impinge._core import Mesh
from impinge.adapters._need import need


def assembly(scene: Any) -> Assembly:
    """An `Assembly` of a ``trimesh.Scene`` or ``trimesh.Trimesh``: `Assembly.from_trimesh`.

    Parameters
    ----------
    scene : trimesh.Scene or trimesh.Trimesh

    Returns
    -------
    Assembly
    """
    trimesh = need("trimesh", "trimesh scipy networkx")
    if not isinstance(scene, trimesh.Scene | trimesh.Trimesh):
        raise TypeError(f"scene must be a trimesh.Scene or a Trimesh, not a {type(scene).__name__}")
    return Assembly.from_trimesh(scene)


def scene(assembly: Assembly) -> Any:
    """A ``trimesh.Scene`` of an assembly, to be shown or exported: a node for each part, at its pose.

    Parts that share a mesh share its geometry. Nodes have the names of the parts; of several with one name the
    later ones have the index behind it.

    Parameters
    ----------
    assembly : Assembly

    Returns
    -------
    trimesh.Scene
    """
    trimesh = need("trimesh", "trimesh scipy networkx")
    new = trimesh.Scene()
    geometries: dict[int, str] = {}
    meshes: list[Mesh] = []
    for i, part in enumerate(assembly):
        name = part.name if part.name not in new.graph.nodes else f"{part.name} {i}"
        if id(part.mesh) in geometries:
            new.graph.update(frame_to=name, matrix=part.pose, geometry=geometries[id(part.mesh)])
            continue
        # Kept, and so its identity.
        meshes.append(part.mesh)
        geometry = f"mesh {len(meshes)}"
        geometries[id(part.mesh)] = geometry
        new.add_geometry(part.mesh.to_trimesh(), node_name=name, geom_name=geometry, transform=part.pose)
    return new
