"""Arguments of the command: files that are converted become bundles, and the native command reads those."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from impinge import _progress
from impinge._convert.cache import bundle_of
from impinge._convert.kind import kind_of
from impinge._convert.options import Options
from impinge._errors import Error

WITH_VALUE = frozenset("""
    --advance --after --angle --axis --baseline --bcf-version --box --box-memory --by --cache
    --chord --chord-a --chord-b --clearance --color --count --demo --depth --fill-rule
    --format --from --group-by --ignore --images --input-format --limit --margin --max-bytes
    --max-intervals --max-pairs --max-parts --max-points --max-size --max-triangles --memory
    --names --near --only --output --plane --point --points --pose-a --pose-b --poses
    --query --ray --rays --reference --rel --repeat --report --resolution --rules --show
    --split --task --tasks --threads --time-limit --to --tolerance --unit --what-if
    --what-if-tolerance --worse -o
    """.split())
"""Options whose value is the next argument, and no file to convert."""
_KEEP_CHORD = ("check", "plan")
"""Commands that have a `--chord` of their own: it is about parts that state no deflection."""
_WITH_PARTS = ("pair", "sweep")
"""Commands that take parts of files, as FILE:PART."""
_WITH_FILES = ("check", "convert", "info", "judge", "pair", "plan", "sweep")
HELP = """
IFC, STEP, IGES, BREP and DAGMC (with Python and the extras ifc, step, h5m):
      --chord <LENGTH>
          How far the mesher may leave curved surfaces; what it misses is measured and reported
          [default: 1 mm for IFC, about a 20,000th of the diagonal for STEP, IGES and BREP]

      --unit <UNIT>
          Convert STEP and IGES to this unit: m, beside IFC [default: that of the file]

      --spaces
          Make spaces and openings of IFC parts
"""


class _Arguments:
    """The arguments of the command, split into those of a conversion and the rest."""

    def __init__(self, given: list[str]) -> None:
        self.kept: list[str] = []
        self.files: dict[int, str] = {}
        """Files to convert, by their indices in `kept`."""
        self.rules: list[str] = []
        """Files of rules."""
        self._chords: list[str] = []
        self._chord_at: list[int] = []
        self.spaces = False
        self._unit: str | None = None
        rest = iter(given)
        for one in rest:
            if one == "--":
                for last in [one, *rest]:
                    self._keep(last)
            elif one == "--spaces":
                self.spaces = True
            elif one == "--chord" or one.startswith("--chord="):
                value = one[8:] if one != "--chord" else next(rest, None)
                self._chord(one, value)
            elif one == "--unit" or one.startswith("--unit="):
                value = one[7:] if one != "--unit" else next(rest, None)
                self._unit = value
                self.kept.extend([one] if value is None or one != "--unit" else [one, value])
            elif one in WITH_VALUE:
                value = next(rest, None)
                self.kept.extend([one] if value is None else [one, value])
                if one == "--rules" and value is not None:
                    self.rules.append(value)
            elif one.startswith("--rules="):
                self.kept.append(one)
                self.rules.append(one[8:])
            elif one.startswith("-") and one != "-":
                self.kept.append(one)
            else:
                self._keep(one)

    def _keep(self, one: str) -> None:
        file = _file(one, self._command() in _WITH_PARTS)
        if file is not None:
            self.files[len(self.kept)] = file
        self.kept.append(one)

    def _chord(self, one: str, value: str | None) -> None:
        here = [one] if value is None or one != "--chord" else [one, value]
        if value is not None and "=" not in value:
            self._chords.append(value)
            self._chord_at.extend(range(len(self.kept), len(self.kept) + len(here)))
        self.kept.extend(here)

    def options(self) -> Options:
        """The options of the conversion."""
        if len(self._chords) > 1:
            raise Error("--chord: two lengths for all parts")
        return Options.checked(self._chords[0] if self._chords else None, self.spaces, self._unit)

    def native(self, bundles: dict[int, str]) -> list[str]:
        """The arguments of the native command, with bundles in place of files."""
        command = self._command()
        dropped = set() if command in _KEEP_CHORD else set(self._chord_at)
        # FILE:PART keeps its part.
        place = {i: bundle + self.kept[i][len(self.files[i]) :] for i, bundle in bundles.items()}
        native = [place.get(i, one) for i, one in enumerate(self.kept) if i not in dropped]
        if command in _WITH_PARTS:
            # Every other command takes the name from the bundle.
            shown = [["--shown-as", bundle, self.files[i]] for i, bundle in bundles.items()]
            at = native.index(command) + 1
            native[at:at] = [word for words in shown for word in words]
        return native

    def _command(self) -> str:
        return next((one for one in self.kept if not one.startswith("-")), "")


def _file(argument: str, has_part: bool) -> str | None:
    """The file that an argument names, if it is one to convert. Of FILE:PART the last colon counts."""
    place = len(argument)
    while place > 0:
        file = argument[:place]
        if kind_of(file) is not None and os.path.isfile(file):
            return file
        place = argument.rfind(":", 0, place) if has_part else 0
    return None


def converted(given: list[str]) -> list[str]:
    """The arguments, without the program's name, after the files among them were converted.

    Raises
    ------
    Error, OSError
        A file cannot be converted: one line that names it.
    KeyboardInterrupt, SystemExit
        A signal. No process and no unfinished file is left.
    """
    arguments = _Arguments(given)
    if not arguments.files:
        # The native command refuses what it does not have, such as --spaces.
        return given
    options = arguments.options()
    for rules in arguments.rules:
        # A wrong name is an error before minutes of conversion, not after them.
        os.stat(rules)
    is_quiet = any(one in ("-q", "--quiet") for one in arguments.kept) or not sys.stderr.isatty()
    line = None if is_quiet else _progress.Line()
    bundles: dict[int, str] = {}
    with _signals():
        try:
            for i, file in arguments.files.items():
                bundles[i] = str(bundle_of(file, options, line))
        finally:
            if line is not None:
                line.close()
    return arguments.native(bundles)


@contextlib.contextmanager
def _signals() -> Iterator[None]:
    """Let signals that end the process raise, so that the child ends and unfinished files are removed."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    names = ("SIGINT", "SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = [signal.signal(number, stop) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def shown(error: Exception) -> str:
    """An error as the native command prints it."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{Path(error.filename)}: {error.strerror}"
    return str(error)


def wants_help(arguments: list[str]) -> bool:
    """Whether the native command printed the help of a command that takes files."""
    return (
        bool(arguments) and arguments[0] in _WITH_FILES and any(one in ("-h", "--help") for one in arguments)
    )
