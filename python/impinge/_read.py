"""Assemblies from files."""

from __future__ import annotations

from pathlib import Path

from impinge._assembly import Assembly
from impinge._core import _Assembly
from impinge._part import PathLike


def read(
    path: PathLike,
    *more: PathLike,
    max_parts: int | None = None,
    max_points: int | None = None,
    max_triangles: int | None = None,
    max_bytes: int | None = None,
    outside_folder: bool = False,
) -> Assembly:
    """Read parts from files: STL, OBJ, PLY, OFF, glTF, GLB, 3MF, and bundles (``.impinge``).

    Parameters
    ----------
    path, *more : str or path
        The files; their parts are one assembly. Several are read at once.
    max_parts, max_points, max_triangles, max_bytes : int, optional
        Limits of what is made of a file, so that a small one cannot take all memory: no limit is below what
        the file's own size bears out.
    outside_folder : bool, optional
        Whether a file may name others outside of its own folder.

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
    paths = [Path(one) for one in (path, *more)]
    native = _Assembly.read(paths, max_parts, max_points, max_triangles, max_bytes, outside_folder)
    return Assembly._of(native)
