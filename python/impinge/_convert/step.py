"""Reader of STEP, IGES and BREP: Open CASCADE, in f64."""

from __future__ import annotations

import importlib
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from impinge._convert.conversion import Conversion, Element, Omission, Progress
from impinge._convert.kind import STEP, kind_of, need
from impinge._convert.options import Options
from impinge._convert.step_file import document
from impinge._convert.step_mesh import ANGLE, Triangles, faces_of, mesh, solids_of
from impinge._convert.step_repair import pieces
from impinge._convert.step_tree import Instance, Tree
from impinge._errors import Error

SHARE = 20_000
"""Without a deflection, it is the diagonal of the model divided by this, rounded down to 1, 2 or 5 times a
power of ten."""
MOST_CHORDS = 1e8
"""Shapes that are longer than so many deflections are not meshed."""
NO_SURFACE = "it has no surface"


def read(path: Path, shown: str, options: Options, progress: Progress) -> Conversion:
    """Convert a file. Errors name it as `shown`."""
    kind = kind_of(path)
    assert kind is not None
    version = need(kind, shown)
    progress("reading", 0, 1)
    quiet()
    opened = document(path, shown, kind, options.unit)
    unit, lost = opened.unit, opened.lost
    tree = Tree(opened.document, Path(shown).stem, opened.ids)
    instances = list(tree.instances())
    if kind is not STEP:
        instances = [body for one in instances for body in _bodies(one)]
    if not instances:
        raise Error(f"{shown}: no shape in it{lost and f' ({lost[0].reason})' or ''}")
    chord = options.chord_in(unit)
    by = ""
    if chord is None:
        chord = usual_chord(instances)
        by = f" (the model's diagonal / {SHARE:,})"
    settings = f"cadquery-ocp-novtk {version}, chord {chord:.15g} {unit}{by}, angle {ANGLE} rad"
    into = Conversion(unit, None, settings)
    for text in opened.warnings:
        into.warn(text)
    into.omissions.extend(lost)
    for place in tree.cut:
        into.omissions.append(
            Omission("it has no shape, or its assembly is too large", name=place, failed=True)
        )
    _add(instances, chord, into, progress)
    for element in into.elements:
        element.rounding = opened.precision
    return into


def quiet() -> None:
    """Take the printers of Open CASCADE away: they write to the standard output of the process."""
    message = importlib.import_module("OCP.Message").Message
    messenger = message.DefaultMessenger_s()
    messenger.ChangePrinters().Clear()


def _bodies(one: Instance) -> list[Instance]:
    """The solids of a shape, and all faces that are in none as one more. These formats have no products."""
    shapes = pieces(one.shape)
    if len(shapes) < 2:
        return [one]
    count = len(solids_of(one.shape))
    names = [str(i) if i <= count else "faces" for i in range(1, len(shapes) + 1)]
    return [
        replace(
            one, path=f"{one.path}#{i}", name=f"{one.name}#{i}", product=f"{one.product}#{i}", shape=shape
        )
        for i, shape in zip(names, shapes, strict=True)
    ]


def _box(one: Instance) -> NDArray[np.float64] | None:
    """The corners of the box of a shape in the frame of its product; None if it is not finite."""
    box = importlib.import_module("OCP.Bnd").Bnd_Box()
    importlib.import_module("OCP.BRepBndLib").BRepBndLib.Add_s(one.shape, box, False)
    if box.IsVoid():
        return None
    a, b = box.CornerMin(), box.CornerMax()
    xs, ys, zs = ((a.X(), b.X()), (a.Y(), b.Y()), (a.Z(), b.Z()))
    corners = np.array([(x, y, z) for x in xs for y in ys for z in zs])
    return corners if np.isfinite(corners).all() else None


def usual_chord(instances: list[Instance]) -> float:
    """The deflection for a model of this size."""
    low, high = np.full(3, math.inf), np.full(3, -math.inf)
    boxes: dict[str, NDArray[np.float64] | None] = {}
    for one in instances:
        if one.product not in boxes:
            boxes[one.product] = _box(one)
        corners = boxes[one.product]
        if corners is None or not np.isfinite(one.pose).all():
            continue
        placed = corners @ one.pose[:3, :3].T + one.pose[:3, 3]
        low, high = np.minimum(low, placed.min(0)), np.maximum(high, placed.max(0))
    diagonal = float(np.linalg.norm(high - low)) if (low <= high).all() else 0.0
    if not 0 < diagonal < math.inf:
        return 0.01
    share = diagonal / SHARE
    power = math.floor(math.log10(share))
    digit = max(d for d in (1, 2, 5) if d <= share / 10.0**power or d == 1)
    return float(f"{digit}e{power}")


def _add(instances: list[Instance], chord: float, into: Conversion, progress: Progress) -> None:
    meshes: dict[str, Triangles | str] = {}
    for i, one in enumerate(instances):
        progress("meshes", i, len(instances))
        if one.product not in meshes:
            found = meshes[one.product] = _meshed(one, chord)
            if isinstance(found, Triangles) and found.chord > chord:
                into.warn(
                    f"{one.path}: its triangles are up to {found.measured:.3g} {into.unit} from its surface, "
                    f"as measured, not {chord:.3g}; its chord error is {found.chord:.3g}"
                )
        _instance(one, meshes[one.product], into)
    progress("meshes", len(instances), len(instances))


def _meshed(one: Instance, chord: float) -> Triangles | str:
    """The triangles of a shape, or why there are none."""
    if not faces_of(one.shape):
        return NO_SURFACE
    corners = _box(one)
    size = math.inf if corners is None else float(np.linalg.norm(corners[7] - corners[0]))
    # Open CASCADE would not end.
    if not size < MOST_CHORDS * chord:
        return f"its size is {size:.3g}, too large for triangles with the chord {chord:.3g}"
    return mesh(one.shape, chord)


def _instance(one: Instance, found: Triangles | str, into: Conversion) -> None:
    def omit(reason: str, failed: bool) -> None:
        into.omissions.append(Omission(reason, name=one.path, failed=failed))

    if isinstance(found, str):
        omit(found, found != NO_SURFACE)
    elif not len(found.faces):
        omit("Open CASCADE could not mesh any of its faces", True)
    elif not np.isfinite(found.vertices).all() or not np.isfinite(one.pose).all():
        omit("a coordinate is not finite", True)
    else:
        if found.failed_faces:
            lost = f"Open CASCADE could not mesh {found.failed_faces} of its faces"
            omit(f"{lost}; the part is without them", True)
            into.warn(f"{one.path}: {lost}; it is checked without them, as a surface")
        elif found.is_solid and found.open_edges:
            into.warn(
                f"{one.path}: {found.open_edges} edges of its mesh are open, though it is a solid; "
                "it is checked as a surface"
            )
        element = Element(one.name, one.path, found.vertices, found.faces, one.pose, found.chord)
        element.properties.update(one.properties)
        into.elements.append(element)
