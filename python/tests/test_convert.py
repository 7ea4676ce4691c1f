"""The cache of converted files, the child process, and the arguments of the command. No extra is needed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import impinge
from impinge._convert import cache, child, command, kind
from impinge._convert.options import Options
from impinge._lengths import METRES

HEADER = b"ISO-10303-21;HEADER;FILE_SCHEMA(('IFC4'));ENDSEC;DATA;ENDSEC;END-ISO-10303-21;"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("IMPINGE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_missing_extra_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kind.util, "find_spec", lambda name: None)
    for name, library, extra in (
        ("house.ifc", "IFC needs ifcopenshell", "ifc"),
        ("plant.STEP", "STEP needs cadquery-ocp-novtk", "step"),
        ("core.h5m", "DAGMC needs h5py", "h5m"),
    ):
        (tmp_path / name).write_bytes(HEADER)
        expected = re.escape(
            f'{tmp_path / name}: {library}: pip install ".[{extra}]" in a checkout of impinge'
        )
        with pytest.raises(impinge.Error, match=expected + "$"):
            impinge.read(tmp_path / name)


def test_no_hint_installs_this_package_from_an_index() -> None:
    """Nothing is published. A path, such as '.[ifc]', and the address of a repository are fine."""
    root = Path(__file__).parents[2]
    # The package as the first one to install, or with extras and without an address.
    wrong = re.compile(r"""pip install (?:-\S+ )*\\?["']?impinge(?![/\w])|impinge\[[a-z,]+\](?! @)""")
    assert wrong.search('pip install "impinge[ifc]"') and wrong.search("pip install -q impinge matplotlib")
    files = [root / "README.md", root / "action.yml", *root.glob("docs/*.md"), *root.glob("docs/*.ipynb")]
    files += [*root.glob("python/impinge/**/*.py"), *root.glob("crates/*/src/**/*.rs")]
    found = [
        f"{path.relative_to(root)}: {line.strip()}"
        for path in files
        for line in path.read_text(encoding="utf8").splitlines()
        if wrong.search(line)
    ]
    assert not found


def test_options_with_a_value_are_those_of_the_command() -> None:
    commands = [
        "check",
        "info",
        "pair",
        "sweep",
        "plan",
        "work",
        "merge",
        "baseline",
        "diff",
        "judge",
        "import-bcf",
        "rules",
        "demo",
    ]
    stated = set()
    for name in [*commands, "convert"]:
        words = [sys.executable, "-m", "impinge", name, "--help"]
        text = subprocess.run(words, capture_output=True, text=True).stdout
        stated |= set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)[ =]<", text, re.MULTILINE))
    # The two values of --between are files.
    assert stated - command.WITH_VALUE == {"--between"}


def test_files_among_the_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.ifc", "b.STP", "c.stl"):
        Path(name).write_bytes(b"")
    asked: list[tuple[str, Options]] = []

    def bundle(path: str, options: Options, progress: object) -> Path:
        asked.append((path, options))
        return Path(f"/cache/{path}.impinge")

    monkeypatch.setattr(command, "bundle_of", bundle)

    def run(text: str) -> str:
        asked.clear()
        return " ".join(command.converted(text.split()))

    assert run("check a.ifc c.stl --rules a.ifc") == "check /cache/a.ifc.impinge c.stl --rules a.ifc"
    assert run("check --between a.ifc b.STP") == "check --between /cache/a.ifc.impinge /cache/b.STP.impinge"
    assert asked == [("a.ifc", Options()), ("b.STP", Options())]
    assert run("check b.STP --chord 0.1mm --chord nut*=2 --spaces") == (
        "check /cache/b.STP.impinge --chord 0.1mm --chord nut*=2"
    )
    assert asked == [("b.STP", Options("0.1mm", True))]
    assert run("info b.STP --chord=5") == "info /cache/b.STP.impinge" and asked[0][1].chord == "5"
    assert run("check a.ifc b.STP --unit m") == ("check /cache/a.ifc.impinge /cache/b.STP.impinge --unit m")
    assert asked[1][1].unit == "m"
    assert run("check -- a.ifc") == "check -- /cache/a.ifc.impinge"
    # A missing file of rules is an error before anything is converted.
    for wrong in ("check a.ifc --rules none.toml", "check a.ifc --rules=none.toml"):
        with pytest.raises(FileNotFoundError, match="none.toml"):
            run(wrong)
        assert not asked
    # Reports of two meshes name the files of the user; of FILE:PART only the file is converted.
    assert run("pair --query distance a.ifc:Wall b.STP") == (
        "pair --shown-as /cache/a.ifc.impinge a.ifc --shown-as /cache/b.STP.impinge b.STP "
        "--query distance /cache/a.ifc.impinge:Wall /cache/b.STP.impinge"
    )
    assert run("pair a.ifc:b.ifc:Wall c.stl") == (
        "pair --shown-as /cache/a.ifc.impinge a.ifc /cache/a.ifc.impinge:b.ifc:Wall c.stl"
    )
    assert run("check a.ifc:Wall") == "check a.ifc:Wall" and not asked
    # Nothing to convert: the native command sees all of it.
    assert run("check c.stl --spaces") == "check c.stl --spaces" and not asked
    assert run("check missing.ifc") == "check missing.ifc"
    with pytest.raises(impinge.Error, match="two lengths"):
        run("check b.STP --chord 1 --chord 2")


def test_lengths() -> None:
    assert Options.checked("0.1mm", False).chord_in("m") == 0.0001
    assert Options.checked("1 inch", False).chord_in("mm") == 25.4
    assert Options.checked(0.25, False).chord_in("ft") == 0.25
    assert METRES["ft"] / METRES["in"] == 12
    assert Options.checked(unit="metre").unit == "m"
    with pytest.raises(impinge.Error, match="unit"):
        Options.checked(unit="parsec")
    for text in ("0", "-1", "1 parsec", "1e999", "nan", "", "mm", "1e9999999999"):
        with pytest.raises(impinge.Error, match="chord"):
            Options.checked(text, False)


def test_an_error_of_progress_ends_the_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    library = tmp_path / "site" / "ifcopenshell"
    library.mkdir(parents=True)
    (library / "__init__.py").write_text("while True: pass")
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")])
    )
    monkeypatch.setattr(cache, "need", lambda kind, shown: "1")
    (tmp_path / "house.ifc").write_bytes(HEADER)
    started = []
    begin = child._started

    def noted(job: dict[str, object]) -> subprocess.Popen[bytes]:
        started.append(begin(job))
        return started[0]

    monkeypatch.setattr(child, "_started", noted)

    def stop(stage: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        impinge.read(tmp_path / "house.ifc", progress=stop)
    assert started[0].returncode is not None, "the child has ended"
    assert not list(folder.rglob("*.impinge"))


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("number", [2, 15])
def test_a_signal_ends_the_command_and_its_child(tmp_path: Path, number: int) -> None:
    import pty

    library = tmp_path / "site" / "ifcopenshell"
    library.mkdir(parents=True)
    (library / "__init__.py").write_text("while True: pass")
    facts = tmp_path / "site" / "ifcopenshell-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: ifcopenshell\nVersion: 1\n")
    (tmp_path / "house.ifc").write_bytes(HEADER)
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path / "site"), environment.get("PYTHONPATH", "")])
    terminal, stderr = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "impinge", "check", "house.ifc"],
        cwd=tmp_path,
        env=environment,
        stderr=stderr,
        start_new_session=True,
    )
    os.close(stderr)
    seen = b""
    while b"reading" not in seen:
        seen += os.read(terminal, 1000)
    os.kill(running.pid, number)
    assert running.wait(20) == 128 + number
    os.close(terminal)
    # No process of the session is left.
    with pytest.raises(ProcessLookupError):
        os.killpg(running.pid, 0)
    assert not list((tmp_path / "cache").rglob("*.impinge"))


@pytest.mark.parametrize(
    ("name", "library"), [("bcf/MEP.ifc", "ifcopenshell"), ("step/as1-oc-214.stp", "OCP")]
)
def test_two_conversions_are_equal_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, library: str
) -> None:
    pytest.importorskip(library, reason="NOT TESTED: needs the extras ifc and step")
    folder = Path(os.environ.get("IMPINGE_DATA", Path(__file__).parents[3] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"NOT TESTED: there is no folder of models at {folder} (IMPINGE_DATA sets another)")
    made = []
    for i in (1, 2):
        monkeypatch.setenv("IMPINGE_CACHE", str(tmp_path / f"cache{i}"))
        made.append(cache.bundle_of(folder / name, Options()).read_bytes())
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("name", "library", "rounding", "within"),
    [("ifc/GEELEN-Dakvloer.ifc", "ifcopenshell", 1e-9, 2), ("step/as1-oc-214.stp", "OCP", 1e-5, 0)],
)
def test_the_precision_of_a_file_is_the_rounding_of_its_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, library: str, rounding: float, within: int
) -> None:
    pytest.importorskip(library, reason="NOT TESTED: needs the extras ifc and step")
    folder = Path(os.environ.get("IMPINGE_DATA", Path(__file__).parents[3] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"NOT TESTED: there is no folder of models at {folder} (IMPINGE_DATA sets another)")
    monkeypatch.setenv("IMPINGE_CACHE", str(tmp_path))
    assembly = impinge.read(folder / name)
    assert {part.rounding for part in assembly} == {rounding}
    [test] = assembly.check().tests
    assert test.within_rounding == within
