"""Assemblies from files."""

from __future__ import annotations

from pathlib import Path

from impinge import _arguments, _progress
from impinge._assembly import Assembly
from impinge._convert.kind import kind_of
from impinge._convert.options import Options
from impinge._core import _Assembly
from impinge._errors import short_traceback
from impinge._lengths import Length
from impinge._part import PathLike
from impinge._progress import Progress

_LIMITS = ("max_parts", "max_points", "max_triangles", "max_bytes")


@short_traceback
def read(
    path: PathLike,
    *more: PathLike,
    max_parts: int | None = None,
    max_points: int | None = None,
    max_triangles: int | None = None,
    max_bytes: int | None = None,
    outside_folder: bool = False,
    chord: Length | None = None,
    spaces: bool = False,
    unit: str | None = None,
    progress: bool | Progress | None = None,
) -> Assembly:
    """Read parts from files: STL, OBJ, PLY, OFF, glTF, GLB, 3MF, DAE, and bundles (``.impinge``).

    With extras also IFC, STEP, IGES, BREP and DAGMC. Such files are converted once, and kept in the user's
    cache folder.

    Parameters
    ----------
    path, *more : str or path
        The files, and folders or ZIP files of meshes; their parts are one assembly. Several are read at once.
        A warning counts what a folder has besides meshes, such as files that would be converted.
    max_parts, max_points, max_triangles, max_bytes : int, optional
        Limits of what is made of a file, so that a small one cannot take all memory: no limit is below what
        the file's own size bears out.
    outside_folder : bool, optional
        Whether a file may name others outside of its own folder.
    chord : length, optional
        Of IFC, STEP, IGES and BREP: the deflection for the mesher, the distance of triangles from the true
        surface. A number is in the unit of the file. None lets the reader choose: 1 mm
        for IFC, about 1/20,000 of the model's diagonal for the others. Each part has it as ``chord``, or a
        larger one that was measured.
    spaces : bool, optional
        Whether spaces and openings of IFC are parts.
    unit : str, optional
        Convert STEP and IGES to this unit, such as "m", so that they fit to IFC, which is in metres. Each
        coordinate is rounded once. None is the unit of the file. Other formats are never converted.
    progress : bool or function, optional
        Of conversions. True shows bars of tqdm if that is installed, else a line on stderr. A function is
        called with the name of a stage, the work that is done, and that of the whole stage; its error ends
        the conversion.

    Returns
    -------
    Assembly

    Raises
    ------
    FileNotFoundError, OSError
        A file cannot be read.
    Error
        What is wrong with a file, and where.

    Examples
    --------
    >>> import impinge, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "part.off"
    >>> _ = path.write_text("OFF\\n3 1 0\\n0 0 0\\n1 0 0\\n0 1 0\\n3 0 1 2\\n")
    >>> assembly = impinge.read(path)
    >>> assembly[0].name, len(assembly[0].mesh)
    ('part', 1)
    >>> report = assembly.check()
    >>> len(report.findings), report.coverage["parts"]
    (0, 1)
    """
    if isinstance(path, list | tuple):
        raise TypeError("impinge.read takes each file as an argument of its own: impinge.read(*paths)")
    for one in (path, *more):
        _arguments.path("path", one)
    limits = (max_parts, max_points, max_triangles, max_bytes)
    for name, limit in zip(_LIMITS, limits, strict=True):
        _arguments.count(name, limit)
    _arguments.flag("outside_folder", outside_folder)
    paths = [Path(one) for one in (path, *more)]
    for one in paths:
        if not one.exists():
            raise FileNotFoundError(f"{one}: there is no such file")
    if any(kind_of(one) is not None for one in paths):
        paths = _converted(paths, Options.checked(chord, spaces, unit), progress)
    native = _Assembly.read(paths, *limits, outside_folder)
    return Assembly._of(native)


def _converted(paths: list[Path], options: Options, progress: bool | Progress | None) -> list[Path]:
    """The paths, with bundles in place of files that are converted."""
    # It starts processes: not needed for other files.
    from impinge._convert.cache import bundle_of

    shown = _progress.shown() if progress is True else None
    hears = progress if callable(progress) else shown
    try:
        return [path if kind_of(path) is None else bundle_of(path, options, hears) for path in paths]
    finally:
        if shown is not None:
            shown.close()
