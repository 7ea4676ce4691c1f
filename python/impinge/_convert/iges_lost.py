"""What Open CASCADE leaves out of a file of IGES with no more than a line on the standard output."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from impinge._convert.conversion import Omission

_FACES = frozenset((143, 144, 510))
"""Types of entities that are faces: bounded and trimmed surfaces, and faces of solids."""
_BODIES = frozenset((114, 118, 120, 122, 128, 140, 150, 152, 154, 156, 158, 160, 162, 164, 168, 180, 184))
"""Types of surfaces and of solids that are shapes only where no other entity uses them."""
_END = re.compile(rb"S *([0-9]+)G *([0-9]+)D *([0-9]+)P *([0-9]+) *T[ 0]*1\s*$")
_LINE = 80


def damage(path: Path) -> list[Omission]:
    """Compare the numbers of lines that the last line of a file states with those that it has."""
    counts = dict.fromkeys(b"SGDP", 0)
    stated: list[int] = []
    with path.open("rb") as file:
        for line in file:
            kind = line[72] if len(line.rstrip(b"\r\n")) == _LINE else 0
            if kind in counts:
                counts[kind] += 1
            elif kind == ord("T") and (found := _END.match(line)):
                stated = [int(number) for number in found.groups()]
    return [
        Omission(f"the file states {number} lines in its section {chr(kind)}, and has {has}", failed=True)
        for number, (kind, has) in zip(stated, counts.items(), strict=False)
        if number != has
    ]


def lost(reader: Any) -> list[Omission]:
    """The faces and solids of the file that became no shape, after the transfer."""
    model, process = reader.IGESModel(), reader.WS().TransferReader().TransientProcess()
    entities = [model.Entity(i) for i in range(1, model.NbEntities() + 1)]
    # The list keeps the wrappers of the entities alive, so that their ids are of them alone.
    made = {id(process.Mapped(i)): process.MapItem(i) for i in range(1, process.NbMapped() + 1)}
    bodies = {id(one) for one in _bodies(reader) if one.TypeNumber() in _BODIES}
    expected = [i for i, one in enumerate(entities) if one.TypeNumber() in _FACES or id(one) in bodies]
    missing = [
        f"D{2 * i + 1} (type {entities[i].TypeNumber()})"
        for i in expected
        if not _is_shape(made.get(id(entities[i])))
    ]
    found: list[Omission] = []
    if missing:
        some = ", ".join(missing[:3]) + (", ..." if len(missing) > 3 else "")
        reason = f"{len(missing)} of {len(expected)} faces and solids of the file could not be read: {some}"
        found.append(Omission(reason, failed=True))
    unknown = [i for i, one in enumerate(entities) if not one.TypeNumber()]
    if unknown:
        places = ", ".join(f"D{2 * i + 1}" for i in unknown[:3])
        found.append(Omission(f"{len(unknown)} entities are damaged: {places}", failed=True))
    return found


def _is_shape(binder: Any) -> bool:
    return binder is not None and binder.HasResult() and not binder.Check().NbFails()


def _bodies(reader: Any) -> Iterator[Any]:
    """The entities that no other uses, with the members of groups and subfigures in place of these."""
    roots = [reader.RootForTransfer(i) for i in range(1, reader.NbRootsForTransfer() + 1)]
    seen: set[int] = set()
    kept: list[Any] = []
    while roots:
        one = roots.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        kept.append(one)
        member = getattr(one, "AssociatedEntity", None) or getattr(one, "Entity", None)
        if one.TypeNumber() in (308, 402) and member is not None and hasattr(one, "NbEntities"):
            roots.extend(member(i) for i in range(1, one.NbEntities() + 1))
        elif hasattr(one, "Subfigure"):
            roots.append(one.Subfigure())
        else:
            yield one
