"""Opens files of STEP, IGES and BREP with Open CASCADE, in the unit of the file."""

from __future__ import annotations

import importlib
import math
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from impinge._convert import brep_text, iges_lost, part21, step_externals
from impinge._convert.conversion import Omission
from impinge._convert.kind import IGES, STEP, Kind, kind_of
from impinge._lengths import METRES, symbol
from impinge._errors import Error

_HEADER = ("file_name", "file_description", "file_schema")
_LOST_TEXT = "not a quoted String"
"""A failure that costs a name or another text alone: Open CASCADE reads all other parameters."""
_WITHOUT_SHAPE = re.compile(
    r"StepVisual_.*(?:Style|Colour|Color|Font|Layer|Presentation|Annotation|Camera|Draughting|Text).*"
    r"|StepBasic_(?:Approval|Certification|Contract|Date|Document|Organization|Person|Role|Security).*"
    r"|StepAP203_.*|StepAP214_A.*|StepDimTol_.*|StepRepr_DescriptiveRepresentationItem"
)
"""Types of entities that no shape and no place depends on."""
_EXTERNAL = "Can not read external file"
"""A failure that `_externals` reports by itself: Open CASCADE does so of some of these files only."""
_EXPONENTS = "(dimensions) not an Entity"
"""A failure of units that state their factor alone, as Creo writes them: Open CASCADE needs no more."""
_IGNORED = (*_HEADER, _LOST_TEXT, _EXPONENTS, _EXTERNAL)
_ITSELF = "External reference file is the same main file"


@dataclass(slots=True)
class Document:
    """What Open CASCADE reads of a file."""

    document: Any
    unit: str
    warnings: list[str]
    lost: list[Omission] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    """The ids of occurrences that have no name."""
    precision: float | None = None
    """Within this length, points of the file are the same, in the unit; None if it states none."""


def document(path: Path, shown: str, kind: Kind, target: str | None) -> Document:
    """A document of the file.

    Coordinates are converted if `target` is another unit. BREP states none: it is in mm by convention.
    """
    ocaf = importlib.import_module("OCP.TDocStd")
    text = importlib.import_module("OCP.TCollection").TCollection_ExtendedString
    made = ocaf.TDocStd_Document(text("XmlXCAF"))
    if kind is STEP:
        part21.checked(path, shown, STEP)
        # It refuses what Open CASCADE would crash on.
        step_externals.externals(path, shown)
        return _step(path, shown, made, target)
    lost: list[Omission] = []
    if kind is IGES:
        unit, warnings = _iges(path, shown, made, target, lost)
    else:
        unit, warnings = _brep(path, shown, made, target)
    return Document(made, unit, warnings, lost)


def _done(status: Any, shown: str, kind: str) -> None:
    if status != importlib.import_module("OCP.IFSelect").IFSelect_RetDone:
        raise Error(f"{shown}: Open CASCADE cannot read it as {kind} ({str(status).rsplit('_', 1)[-1]})")


def _step(path: Path, shown: str, made: Any, target: str | None) -> Document:
    tools = importlib.import_module("OCP.XCAFDoc").XCAFDoc_DocumentTool
    reader = importlib.import_module("OCP.STEPCAFControl").STEPCAFControl_Reader()
    for switch in (reader.SetNameMode, reader.SetColorMode, reader.SetLayerMode, reader.SetMatMode):
        switch(True)
    _done(reader.ReadFile(str(path)), shown, "STEP")
    strings = importlib.import_module("OCP.collections").Sequence_TCollection_AsciiString
    lengths, angles, solid_angles = strings(), strings(), strings()
    reader.ChangeReader().FileUnits(lengths, angles, solid_angles)
    stated = list(dict.fromkeys(one.ToCString().lower() for one in lengths))
    unit, warnings = "mm", []
    if not stated:
        warnings.append("the file states no unit of length; millimetres are assumed, as the format has it")
    elif known := symbol(stated[0]):
        unit = known
    else:
        warnings.append(f"lengths are converted from {stated[0]} to millimetres")
    if len(stated) > 1:
        warnings.append(f"the file has several units ({', '.join(stated)}); all is converted to {unit}")
    unit = target or unit
    # Otherwise everything would be converted to millimetres, and rounded.
    tools.SetLengthUnit_s(made, float(METRES[unit]))
    is_transferred = reader.Transfer(made)
    lost = _lost(reader.ChangeReader().WS(), reader.ChangeReader().StepModel())
    lost.extend(_externals(reader, path, shown))
    if not is_transferred:
        raise Error(f"{shown}: no shape in it can be read{f' ({lost[0].reason})' if lost else ''}")
    models = [reader.ChangeReader().StepModel(), *(one.GetWS().Model() for one in reader.ExternFiles())]
    models = [model for model in models if model is not None]
    ids = set().union(*map(_ids, models))
    own = symbol(stated[0]) if len(stated) == 1 else None
    precision = None if own is None else _precision(models[0], float(METRES[own] / METRES[unit]))
    return Document(made, unit, warnings, lost, ids, precision)


def _precision(model: Any, factor: float) -> float | None:
    """The largest uncertainty of lengths that the contexts of shapes state, times a factor."""
    basic = importlib.import_module("OCP.StepBasic")
    found: list[float] = []
    for i in range(1, model.NbEntities() + 1):
        one = model.Value(i)
        if isinstance(one, basic.StepBasic_UncertaintyMeasureWithUnit):
            member = one.ValueComponentMember()
            if member is not None and member.Name().upper() == "LENGTH_MEASURE":
                found.append(float(member.Real()) * factor)
    found = [one for one in found if 0 < one < math.inf]
    return max(found, default=None)


def _ids(model: Any) -> set[str]:
    """The ids of occurrences that have neither a name nor a description."""
    type_of = importlib.import_module("OCP.StepRepr").StepRepr_NextAssemblyUsageOccurrence
    found: set[str] = set()
    for i in range(1, model.NbEntities() + 1):
        one = model.Value(i)
        if isinstance(one, type_of):
            texts = (one.Name(), one.Description() if one.HasDescription() else None)
            if not any(text is not None and text.ToCString().strip() for text in texts):
                identifier = one.Id()
                found.add("" if identifier is None else identifier.ToCString().strip())
    return found


def _externals(reader: Any, path: Path, shown: str) -> list[Omission]:
    """Omissions caused by the external files that a file names for shapes of its parts."""
    done = importlib.import_module("OCP.IFSelect").IFSelect_RetDone
    reasons: dict[str, str] = {}
    for one in step_externals.externals(path, shown):
        if kind_of(one) is STEP and one.is_file():
            try:
                part21.checked(one, one.name, STEP)
            except Error as error:
                reasons[one.name] = str(error).removeprefix(f"{one.name}: ")
    found: list[Omission] = []
    for file in reader.ExternFiles():
        name = os.path.basename(str(file.GetName().ToCString()).replace("\\", "/"))
        if file.GetLoadStatus() != done or not file.GetTransferStatus():
            reasons.setdefault(name, "the file that has the shape of a part cannot be read")
        else:
            found.extend(_lost(file.GetWS(), file.GetWS().Model(), name))
    found.extend(Omission(reason, name=name, failed=True) for name, reason in reasons.items())
    return found


def _lost(session: Any, model: Any, name: str | None = None) -> list[Omission]:
    """Lost shapes: the reader reports them with no more than a line on the standard output."""
    found: list[Omission] = []
    for what, checks in (
        ("damaged entities", session.ModelCheckList()),
        ("entities of shapes that cannot be read", session.TransferReader().LastCheckList()),
    ):
        places: list[str] = []
        checks.Start()
        while checks.More():
            check, number = checks.Value(), checks.Number()
            texts = [str(check.CFail(i)).strip() for i in range(1, check.NbFails() + 1)]
            # The header has no shapes.
            texts = [text for text in texts if not any(one in text for one in _IGNORED)]
            warnings = [str(check.CWarning(i)) for i in range(1, check.NbWarnings() + 1)]
            if _ITSELF in warnings:
                places.append("the file names itself for the shape of a part")
            if texts and number:
                entity = model.Value(number)
                if _WITHOUT_SHAPE.fullmatch(type(entity).__name__):
                    texts = []
                else:
                    texts = [f"{model.StringLabel(entity).ToCString()} {texts[0]}"]
            places.extend(texts)
            checks.Next()
        if places:
            reason = f"{len(places)} {what}: {'; '.join(places[:2])[:200]}"
            found.append(Omission(reason, name=name, failed=True))
    return found


def _iges(
    path: Path, shown: str, made: Any, target: str | None, lost: list[Omission]
) -> tuple[str, list[str]]:
    tools = importlib.import_module("OCP.XCAFDoc").XCAFDoc_DocumentTool
    reader = importlib.import_module("OCP.IGESCAFControl").IGESCAFControl_Reader()
    for switch in (reader.SetNameMode, reader.SetColorMode, reader.SetLayerMode):
        switch(True)
    _done(reader.ReadFile(str(path)), shown, "IGES")
    unit, warnings = "mm", []
    section = reader.IGESModel().GlobalSection()
    name = section.UnitName()
    stated = name.ToCString().strip().lower() if name is not None else ""
    if known := symbol(stated):
        unit = known
    else:
        warnings.append(f"lengths are converted from '{stated}' to millimetres")
    unit = target or unit
    tools.SetLengthUnit_s(made, float(METRES[unit]))
    is_transferred = reader.Transfer(made)
    lost.extend([*iges_lost.damage(path), *iges_lost.lost(reader)])
    if not is_transferred:
        raise Error(f"{shown}: no shape in it can be read{f' ({lost[0].reason})' if lost else ''}")
    return unit, warnings


def _brep(path: Path, shown: str, made: Any, target: str | None) -> tuple[str, list[str]]:
    tools = importlib.import_module("OCP.XCAFDoc").XCAFDoc_DocumentTool
    shape = importlib.import_module("OCP.TopoDS").TopoDS_Shape()
    builder = importlib.import_module("OCP.BRep").BRep_Builder()
    brep_text.check(path, shown)
    read = importlib.import_module("OCP.BRepTools").BRepTools.Read_s(shape, str(path), builder)
    if not read or shape.IsNull():
        raise Error(f"{shown}: Open CASCADE cannot read it as BREP")
    label = tools.ShapeTool_s(made.Main()).AddShape(shape, False)
    # Otherwise its name would be COMPOUND.
    text = importlib.import_module("OCP.TCollection").TCollection_ExtendedString(Path(shown).stem)
    importlib.import_module("OCP.TDataStd").TDataStd_Name.Set_s(label, text)
    if target not in (None, "mm"):
        raise Error(f"{shown}: BREP is read in millimetres, and not converted to {target}")
    return "mm", ["BREP states no unit; millimetres are assumed"]
