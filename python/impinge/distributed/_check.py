"""`impinge check` in tasks: the file protocol of `impinge plan`, `work` and `merge`, scheduled by Ray."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from impinge._assembly import Assembly, two_sources
from impinge._core import _merge, _plan, _work
from impinge._errors import Error, short_traceback
from impinge._lengths import Coordinates, Length, known_unit
from impinge._options import options
from impinge._part import PathLike
from impinge._report import Report
from impinge._settings import Criteria, Geometry, Limits, Measure, WhatIf, moved, refuse_others
from impinge.distributed import _ray


def _do(plan: str, task: int) -> tuple[int, int, bool]:
    """A worker's part: by one thread, as Ray counts with one core."""
    if not Path(plan).is_dir():
        node = os.uname().nodename
        raise Error(f"{plan}: not to be seen from {node}: a plan must lie where all nodes see it")
    return _work(plan, task, 1)


@short_traceback
@moved
def check(
    files: Assembly | PathLike | Sequence[PathLike],
    *,
    plan: PathLike | None = None,
    tasks: int | None = None,
    memory: int | None = None,
    between: bool = False,
    progress: bool | None = None,
    clearance: Length | None = None,
    tolerance: Length | None = None,
    measure: Measure = Measure(),
    geometry: Geometry = Geometry(),
    criteria: Criteria = Criteria(),
    limits: Limits = Limits(),
    what_if: WhatIf = WhatIf(),
    rules: object = None,
    baseline: object = None,
    only: object = None,
    ignore: object = None,
) -> Report:
    """Find every pair of parts that clash, on all cores of a cluster.

    It is `impinge plan` here, `impinge work` on the cluster, and `impinge merge` here.

    Parameters
    ----------
    files : Assembly, path or sequence of paths
        An assembly in memory; or files, whose parts are one assembly. These are read here, one after the
        other, so that no more than the parts of two are in memory.
    plan : path, optional
        Where the plan is to lie: a folder that all nodes see, new or empty. It stays, so that `resume` can go
        on with it. By default a temporary one, which suits one machine.
    tasks : int, optional
        How many tasks: see ``impinge plan --help``. By default eight for each core, or more if `memory` is
        given.
    memory : int, optional
        Bytes that the meshes of a task may take.
    between : bool, optional
        Only pairs of a part of the first file and a part of the second.
    progress : bool, optional
        Whether a line on stderr says what is left; by default if that is a terminal.
    clearance, tolerance, measure, geometry, criteria, limits, what_if
        As of `impinge.Assembly.check`. A plan takes no ``measure.floating``, ``limits.pairs`` and
        ``limits.time_limit``. Lengths with a unit need ``geometry.unit``, or an assembly.
    rules, baseline, only, ignore
        A plan takes none of these yet: an error.

    Returns
    -------
    Report
        The same bytes as those of `impinge.Assembly.check`.

    Raises
    ------
    FileNotFoundError, OSError
        A file cannot be read.
    Error
        What is wrong with a file, or with the plan, and where.

    Examples
    --------
    >>> import impinge.distributed, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "part.off"
    >>> _ = path.write_text("OFF\\n3 1 0\\n0 0 0\\n1 0 0\\n0 1 0\\n3 0 1 2\\n")
    >>> report = impinge.distributed.check([path, path])
    >>> len(report.findings), report.coverage["tested"]
    (1, 1)
    """
    if tasks is not None and memory is not None:
        raise ValueError("tasks and memory: give one of them")
    refuse_others(measure=measure, geometry=geometry, criteria=criteria, limits=limits, what_if=what_if)
    unplanned = {
        "rules": rules,
        "baseline": baseline,
        "only": only,
        "ignore": ignore,
        "measure.floating": measure.floating or None,
        "criteria.today": criteria.today,
        "limits.pairs": limits.pairs,
        "limits.time_limit": limits.time_limit,
    }
    for name, given_one in unplanned.items():
        if given_one is not None:
            raise Error(f"{name}: a plan does not take it yet; Assembly.check does")
    ray = _ray.connect()
    given: Assembly | list[Path]
    if isinstance(files, Assembly):
        given = files.copy()
        if between:
            two_sources(given)
    else:
        given = [Path(files)] if isinstance(files, str | os.PathLike) else [Path(one) for one in files]
        if between and len(given) != 2:
            raise Error(f"between: pairs across two files need an assembly of two, not of {len(given)}")
    question = options(
        _coordinates(given, geometry.unit),
        clearance=clearance,
        tolerance=tolerance,
        measure=measure,
        geometry=geometry,
        criteria=criteria,
        limits=limits,
        what_if=what_if,
    )
    if tasks is None and memory is None:
        tasks = 8 * _ray.cores(ray)
    with tempfile.TemporaryDirectory(prefix="impinge-") as own:
        folder = Path(own) / "plan" if plan is None else Path(plan)
        parts = given._native if isinstance(given, Assembly) else given
        _plan(question, parts, folder, tasks, memory, between)
        return resume(folder, progress=progress)


def _coordinates(given: Assembly | list[Path], unit: str | None) -> Coordinates:
    if isinstance(given, Assembly):
        return Coordinates.of(given._native, unit, 'geometry=impinge.check.Geometry(unit="mm")')
    # Files are read later. If they state another unit than this, that is an error.
    why = 'files are read later; state their unit by geometry=impinge.check.Geometry(unit="mm"), or give a number'
    return Coordinates(None if unit is None else known_unit(unit), why)


def resume(plan: PathLike, *, progress: bool | None = None) -> Report:
    """Do the rest of a plan, on all cores of a cluster, and put the results together.

    Parameters
    ----------
    plan : path
        The folder that `check` or the command ``impinge plan`` wrote, where all nodes see it.
    progress : bool, optional
        Whether a line on stderr says what is left; by default if that is a terminal.

    Returns
    -------
    Report

    Examples
    --------
    >>> import impinge.distributed, pathlib, subprocess, sys, tempfile
    >>> plan = pathlib.Path(tempfile.mkdtemp()) / "plan"
    >>> command = [sys.executable, "-m", "impinge", "plan", "--demo", "gearbox", "-o", plan]
    >>> _ = subprocess.run(command, check=True, capture_output=True)
    >>> len(impinge.distributed.resume(plan).findings)
    9
    """
    ray = _ray.connect()
    folder = Path(plan).resolve()
    # Workers and the end report errors in them.
    try:
        count = len(json.loads((folder / "plan.json").read_bytes())["tasks"])
    except FileNotFoundError:
        raise Error(f"{folder}: there is no plan in it") from None
    except (ValueError, KeyError, TypeError):
        raise Error(f"{folder / 'plan.json'}: is no plan") from None
    results = folder / "results"
    # Some that copy folders leave empty ones behind.
    done = {path.name.split(".")[0] for path in results.iterdir()} if results.is_dir() else set()
    left = [k for k in range(count) if str(k) not in done]
    task = ray.remote(_do).options(num_cpus=1, max_retries=_ray.RETRIES)

    def submit(i: int) -> Any:
        return task.remote(str(folder), left[i])

    shown = _ray.Progress("tasks", len(left), progress)
    for _ in _ray.each(ray, len(left), submit, progress=shown):
        pass
    return Report(_merge(folder))
