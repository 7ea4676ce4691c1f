"""The gate in CI: the assertion, the plugin of pytest, and the scripts of the GitHub Action."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from conftest import at
from test_docs import ROOT, blocks, run_examples

import impinge
from impinge import action, testing


def machine() -> impinge.Assembly:
    """A chain of five boxes, each a little in the next."""
    box = impinge.Mesh.box([2, 2, 2])
    assembly = impinge.Assembly.from_meshes((f"box {i}", box) for i in range(5))
    for i in range(5):
        assembly.set_pose(i, at((2 - 0.1 * i) * i))
    return assembly


def test_failures_name_the_worst_clashes() -> None:
    assembly = machine()
    with pytest.raises(testing.InterferenceError) as caught:
        testing.assert_no_interference(assembly, limit=2)
    lines = str(caught.value).splitlines()
    report = caught.value.report
    assert lines[0] == f"{len(report.findings)} interferences among 5 parts" and len(lines) == 4
    worst = report.ranked_findings()[0]
    assert f"{worst.a.name} overlaps {worst.b and worst.b.name}: volume {worst.volume:.4g}" in lines[1]
    assert lines[3] == f"  and {len(report.findings) - 2} more"


def test_allowed_pairs() -> None:
    assembly = machine()
    pairs = [(f.a.name, f.parts[1].name) for f in assembly.check().findings]
    assert testing.assert_no_interference(assembly, allow=pairs).findings
    assert testing.assert_no_interference(assembly, allow=["box *"]).findings
    with pytest.raises(testing.InterferenceError, match="1 allowed$"):
        testing.assert_no_interference(assembly, allow=pairs[:1])
    # All of one part's pairs, in either order.
    with pytest.raises(testing.InterferenceError) as caught:
        testing.assert_no_interference(assembly, allow=["box 1"])
    assert "box 1" not in str(caught.value)
    with pytest.raises(KeyError, match="no part is called 'bolt'"):
        testing.assert_no_interference(assembly, allow=[("bolt", "box 1")])


def test_touching_is_none_but_what_is_not_examined_fails(tmp_path: Path) -> None:
    box = impinge.Mesh.box([2, 2, 2])
    assembly = impinge.Assembly.from_meshes({"a": box, "b": box})
    assembly.set_pose("b", at(2))
    assert testing.assert_no_interference(assembly).is_clean
    with pytest.raises(testing.InterferenceError, match="a is too near to b: 0.5 apart"):
        assembly.set_pose("b", at(2.5))
        testing.assert_no_interference(assembly, clearance=1.0)
    assembly.omit("x.step", "its surface has no boundary", name="Face 7", failed=True)
    with pytest.raises(testing.InterferenceError, match="not examined: Face 7 of x.step, its surface has"):
        testing.assert_no_interference(assembly)
    with pytest.raises(testing.InterferenceError, match="not examined: .* pairs of parts, as"):
        testing.assert_no_interference(machine(), limits=impinge.check.Limits(time_limit=0))
    path = tmp_path / "machine.impinge"
    machine().write(path)
    with pytest.raises(testing.InterferenceError, match="among 5 parts"):
        testing.assert_no_interference(path)


def test_a_baseline_counts_what_is_new() -> None:
    assembly = machine()
    baseline = impinge.Baseline().updated(assembly.check(baseline=impinge.Baseline()))
    assert testing.assert_no_interference(assembly, baseline=baseline).findings
    assembly.set_pose("box 4", at(0, 1))
    with pytest.raises(testing.InterferenceError, match="box 4"):
        testing.assert_no_interference(assembly, baseline=baseline)


def test_examples() -> None:
    assert run_examples("impinge.testing", testing) >= 7


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder, with the plugin: as it is installed, or else by its module."""
    names = {point.name for point in metadata.entry_points(group="pytest11")}
    plugin = [] if "impinge" in names else ["-p", "impinge.pytest_plugin"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_plugin_of_pytest_and_its_page(tmp_path: Path) -> None:
    """The page's test passes; without `allow` it fails with the page's text, and a summary is written."""
    page = ROOT / "docs" / "ci.md"
    [block] = blocks(page, "run by python/tests/test_gate.py")
    (tmp_path / "test_machine.py").write_text(block)
    done = run_pytest(tmp_path)
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout
    (tmp_path / "test_machine.py").write_text(block.replace(', allow=[("plate", "bolt")]', ""))
    done = run_pytest(tmp_path, "--impinge-markdown", "summary.md")
    assert done.returncode == 1
    [wanted] = re.findall(r"```text\n(.*?)```", page.read_text(), flags=re.DOTALL)
    for line in wanted.splitlines():
        assert line.strip().removeprefix("E").strip() in done.stdout, done.stdout
    summary = (tmp_path / "summary.md").read_text()
    assert "test_machine.py::test_machine" in summary and "| `plate` | `bolt` | overlap" in summary


BOXES = """
import impinge
from impinge.testing import assert_no_interference as check

box = impinge.Mesh.box([2, 2, 2])
two = impinge.Assembly.from_meshes({"plate": box, "bolt": box})
"""

FAILURES = {
    "check(two)": "InterferenceError: 1 interference among 2 parts",
    "check(two, allow=['nut'])": "no part is called 'nut'",
    "check(two, clearance='5mm')": "Error: clearance '5mm': memory is in an unknown unit; state it",
    "check(two, rules='rules.toml')": "Error: rules.toml:",
    "check(two, chord=1)": "TypeError: chord: write geometry=impinge.check.Geometry(chord=...)",
    "check('none.stl')": "FileNotFoundError: none.stl: there is no such file",
    "impinge.read('rules.toml')": "Error: rules.toml: ",
}


def test_a_failure_shows_the_message_and_no_source_of_the_package(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text("nonsense = 1")
    tests = [f"def test_{i}():\n    {call}\n" for i, call in enumerate(FAILURES)]
    fixture = "def test_fixture(assert_no_interference):\n    assert_no_interference(two)\n"
    (tmp_path / "test_failures.py").write_text("\n".join([BOXES, *tests, fixture]))
    done = run_pytest(tmp_path, "--tb=long")
    failed = len(FAILURES) + 1
    assert f"{failed} failed" in done.stdout
    for text in FAILURES.values():
        assert text in done.stdout, done.stdout
    assert "_assembly.py" not in done.stdout and "testing.py" not in done.stdout
    assert len(done.stdout.splitlines()) < 15 * failed, done.stdout
    # A fault of the package shows where it is, and so does the option.
    assert "testing.py" in run_pytest(tmp_path, "--full-trace", "-k", "test_1").stdout
    fault = f"{BOXES}\ndef test_fault():\n    two._native = None\n    two.check()\n"
    (tmp_path / "test_fault.py").write_text(fault)
    assert "_lengths.py" in run_pytest(tmp_path, "test_fault.py").stdout


def test_a_traceback_ends_where_an_error_leaves_the_package(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text("nonsense = 1")
    for call in ("two.check(rules='rules.toml')", "two.check(clearance='5mm')", "impinge.read('rules.toml')"):
        command = [sys.executable, "-c", f"{BOXES}\n{call}"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.stderr.count("  File ") == 2 and len(done.stderr.splitlines()) <= 7, done.stderr

    def refuse(a: int, b: int) -> bool:
        raise impinge.Error("mine")

    assembly = machine()
    with pytest.raises(impinge.Error, match="mine") as raised:
        assembly.check(limits=impinge.check.Limits(pairs=refuse))
    assert raised.traceback[-1].name == "refuse"


def steps(name: str) -> str:
    """The script of a step of `action.yml`."""
    text = (ROOT / "action.yml").read_text()
    step = re.search(rf"- name: {name}\n(.*?)(?=\n    - name:|\Z)", text, flags=re.DOTALL)
    assert step is not None
    script = re.search(r"run: \|\n((?:        .*\n?)+)", step[1])
    assert script is not None
    return re.sub(r"^        ", "", script[1], flags=re.MULTILINE)


def test_the_action_is_red_on_an_interference_and_green_after_the_fix(tmp_path: Path) -> None:
    """The template's script, then the Action's step as it is in `action.yml`, as a runner calls them."""
    shutil.copytree(ROOT / "docs" / "template", tmp_path / "repository")
    repository = tmp_path / "repository"
    workflow = (repository / ".github" / "workflows" / "interference.yml").read_text()
    inputs = dict(re.findall(r'^          (files|arguments): "?(.*?)"?$', workflow, flags=re.MULTILINE))
    assert "python model.py" in workflow and set(inputs) == {"files", "arguments"}
    python = tmp_path / "runner/impinge/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)

    def run() -> tuple[int, str, str, str]:
        subprocess.run([sys.executable, "model.py"], cwd=repository, check=True)
        summary, output = tmp_path / "summary.md", tmp_path / "output"
        summary.write_text("")
        output.write_text("")
        environment = {
            **os.environ,
            "IMPINGE_FILES": inputs["files"],
            "IMPINGE_ARGUMENTS": inputs["arguments"],
            "IMPINGE_OUTPUT": "impinge-report",
            "RUNNER_TEMP": str(tmp_path / "runner"),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(summary),
        }
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", steps("Check")],
            cwd=repository,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, summary.read_text(), output.read_text()

    status, log, summary, output = run()
    assert status == 1 and output == "status=1\n" and "::error title=impinge::parts interfere" in log
    assert "2 findings" in summary and "`housing left`" in summary and "`shaft`" in summary
    assert {path.name for path in (repository / "impinge-report").iterdir()} == {
        "report.md",
        "report.json",
        "report.xml",
        "report.html",
    }
    model = repository / "model.py"
    model.write_text(model.read_text().replace("SHAFT = 21.0", "SHAFT = 19.9"))
    status, log, summary, output = run()
    assert status == 0 and output == "status=0\n" and "::error" not in log and "finding" in summary


def commands(log: str) -> list[str]:
    """The workflow commands of a log, as GitHub's runner finds them."""
    found, word = [], None
    for line in map(str.strip, log.splitlines()):
        if word is not None:
            word = None if line == f"::{word}::" else word
        elif stop := re.match(r"::stop-commands::(.+)", line):
            word = stop[1]
        elif re.match(r"::[^:]+::", line) or "##[" in line:
            found.append(line)
    assert word is None, "commands are on again at the end"
    return found


def step(name: str, repository: Path, runner: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run a step of the Action in a repository."""
    environment = {
        **os.environ,
        "RUNNER_TEMP": str(runner),
        "GITHUB_OUTPUT": str(runner / "output"),
        "GITHUB_STEP_SUMMARY": str(runner / "summary.md"),
        **inputs,
    }
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", steps(name)],
        cwd=repository,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def with_python(folder: Path) -> Path:
    """A folder of a runner where this Python is the installed one."""
    python = folder / "impinge/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return folder


def hijacked(folder: Path) -> Path:
    """A repository with a clash and with modules that must not run: they write a file."""
    folder.mkdir()
    machine().write(folder / "machine.impinge")
    for name in ("shlex", "glob", "json", "runpy", "venv", "ensurepip", "numpy", "impinge", "subprocess"):
        (folder / f"{name}.py").write_text(f"open({str(folder / 'RAN')!r}, 'a').write({name!r})")
    (folder / "pip").mkdir()
    shutil.copy(folder / "shlex.py", folder / "pip/__init__.py")
    return folder


def test_the_action_runs_no_module_of_the_repository(tmp_path: Path) -> None:
    repository = hijacked(tmp_path / "repository")
    runner = with_python(tmp_path / "runner")
    # Also where the workflow has its own folders for modules.
    done = step("Check", repository, runner, IMPINGE_FILES="*.impinge", PYTHONPATH=str(repository))
    assert done.returncode == 1 and "4 findings" in (runner / "summary.md").read_text(), done.stdout
    assert not (repository / "RAN").exists(), (repository / "RAN").read_text()


def test_the_action_installs_without_modules_of_the_repository(tmp_path: Path) -> None:
    repository, runner = hijacked(tmp_path / "repository"), tmp_path / "runner"
    runner.mkdir()
    wheel = tmp_path / "thing-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as package:
        package.writestr("thing.py", "")
        about = {"METADATA": "Metadata-Version: 2.1\nName: thing\nVersion: 1\n", "RECORD": ""}
        about["WHEEL"] = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        for name, text in about.items():
            package.writestr(f"thing-1.dist-info/{name}", text)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    inputs = {"IMPINGE_PACKAGE": str(wheel), "PIP_NO_INDEX": "1", "PATH": path}
    done = step("Install impinge", repository, runner, **inputs)
    assert done.returncode == 0 and next(runner.rglob("thing.py")), done.stdout
    assert not (repository / "RAN").exists(), (repository / "RAN").read_text()


def test_the_action_takes_files_of_any_name(tmp_path: Path) -> None:
    """No name is an option, standard input, or a command of the workflow."""
    repository, runner = tmp_path / "repository", with_python(tmp_path / "runner")
    repository.mkdir()
    machine().write(repository / "machine.impinge")
    (repository / "rules.toml").write_text("version = 1")
    cube = "".join(f"v {x} {y} {z}\n" for x, y, z in np.ndindex(2, 2, 2))
    cube += "".join(f"f {a} {b} {c}\n" for a, b, c in ((1, 3, 2), (1, 2, 5), (1, 5, 3), (2, 3, 5)))
    names = ["--rules=rules.obj", "-q.obj", "-.obj", "::error::a.obj", "##[error]b.obj"]
    names.append("a\n::set-output name=x::y.obj")
    for name in names:
        (repository / name).write_text(f"o ::warning::{len(name)}\n" + cube)
    done = step("Check", repository, runner, IMPINGE_FILES="*.obj\n*.impinge", IMPINGE_ARGUMENTS="--limit 0")
    assert done.returncode == 1, done.stdout
    assert commands(done.stdout) == ["::error title=impinge::parts interfere; the job's summary lists them"]
    report = json.loads((repository / "impinge-report/report.json").read_text())
    files = {part["file"] for part in report["parts"]}
    assert files >= {"--rules=rules.obj", "-q.obj", "-.obj"}
    # Files behind `--` of the arguments, and an error that names a file.
    more = step("Check", repository, runner, IMPINGE_FILES="-q.obj", IMPINGE_ARGUMENTS="-- ./-.obj")
    assert more.returncode == 1, more.stdout
    gone = step("Check", repository, runner, IMPINGE_FILES="::error::gone.obj")
    assert gone.returncode == 2 and "gone.obj" in gone.stdout
    assert commands(gone.stdout) == ["::error title=impinge::impinge check failed with exit status 2"]
    wrong = step("Check", repository, runner, IMPINGE_FILES="*.obj", IMPINGE_ARGUMENTS="'")
    assert wrong.returncode == 2 and "arguments: No closing quotation" in wrong.stdout


def test_the_action_of_files_that_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "impinge-report").mkdir()
    (tmp_path / "impinge-report/report.md").write_text("of an earlier run")
    environment = {"IMPINGE_FILES": "\n  no-such-*.glb\n", "GITHUB_STEP_SUMMARY": "summary.md"}
    assert action.main(environment) == 2
    assert "The check did not run: exit status 2" in (tmp_path / "summary.md").read_text()


def test_the_inputs_of_the_action_reach_the_script() -> None:
    text = (ROOT / "action.yml").read_text()
    source = (ROOT / "python/impinge/action.py").read_text()
    for name in ("files", "arguments", "output"):
        assert f"IMPINGE_{name.upper()}: ${{{{ inputs.{name} }}}}" in text
        assert f'"IMPINGE_{name.upper()}"' in source
    assert "$IMPINGE_PACKAGE" in steps("Install impinge")
