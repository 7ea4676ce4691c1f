"""The league table of collision matrices: pairs of links that robots' SRDF files disable though they collide.

Robots come from the sources of `proxies`. `impinge robot lint` looks for a configuration of each pair; what it
finds is certain, and that it finds none proves nothing.
"""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

from . import page
from .build import command
from .proxies import clones, wheel
from .proxies_models import CLONES, WHEELS, models
from .record import Record
from .report import machine
from .shell import Failed, first_line, say
from .tables import table

#: Random configurations of each robot.
SAMPLES = 10_000
#: Reasons that say nothing about collisions.
MEANT = ("Default", "Always", "Adjacent", "User")
#: Source -> robot -> SRDF, in the folder of the source.
MATRICES = {
    "example-robot-data": {
        "A1": "a1_description/srdf/a1.srdf",
        "ANYmal B": "anymal_b_simple_description/srdf/anymal.srdf",
        "ANYmal C": "anymal_c_simple_description/srdf/anymal.srdf",
        "B1": "b1_description/srdf/b1.srdf",
        "Baxter": "baxter_description/srdf/baxter_manipulation.srdf",
        "Bolt": "bolt_description/srdf/bolt.srdf",
        "Go1": "go1_description/srdf/go1.srdf",
        "Go2": "go2_description/srdf/go2.srdf",
        "HyQ": "hyq_description/srdf/hyq.srdf",
        "Panda": "panda_description/srdf/panda.srdf",
        "PR2": "pr2_description/srdf/pr2.srdf",
        "Romeo": "romeo_description/srdf/romeo.srdf",
        "Solo 12": "solo_description/srdf/solo.srdf",
        "Talos": "talos_data/srdf/talos.srdf",
        "UR5": "ur_description/srdf/ur5.srdf",
        "xArm 7": "xarm_description/srdf/xarm7.srdf",
    },
    "vamp": {
        "Panda": "resources/panda/panda.srdf",
        "UR5": "resources/ur5/ur5.srdf",
        "Fetch": "resources/fetch/fetch.srdf",
        "Baxter": "resources/baxter/baxter.srdf",
    },
    "moveit_resources": {
        "Panda": "panda_moveit_config/config/panda.srdf",
        "Fanuc M-10iA": "fanuc_moveit_config/config/fanuc.srdf",
    },
}
#: Columns of the table.
COLUMNS = [
    "robot",
    "source",
    "disabled",
    "without effect",
    "unknown links",
    "meant",
    "never",
    "wrong",
    "first sample",
    "seconds",
]


def lint(program, model, srdf, folder):
    """The output of the command as JSON, and the time."""
    words = [program, "robot", "lint", model.part, srdf, "--samples", SAMPLES, "--format", "json", "--quiet"]
    for package in model.packages(folder):
        words += ["--package-path", package]
    began = time.monotonic()
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=1800)
    if done.returncode not in (0, 1):
        raise Failed((done.stderr.strip().splitlines() or ["no output"])[-1])
    return json.loads(done.stdout), time.monotonic() - began


def row(model, found, seconds):
    """The cells of a robot."""
    pairs = found["pairs"]
    moving = [pair for pair in pairs if pair["use"] == "moving"]
    meant = [pair for pair in moving if pair["reason"] in MEANT]
    wrong = [pair for pair in pairs if pair["wrong"]]
    cells = {
        "robot": model.robot,
        "source": model.source,
        "disabled": len(pairs),
        "without effect": sum(pair["use"] in ("no shape", "joined") for pair in pairs),
        "unknown links": sum(pair["use"] == "unknown" for pair in pairs),
        "meant": len(meant),
        "never": len(moving) - len(meant),
        "wrong": len(wrong),
        "first sample": min((pair["sample"] for pair in wrong), default="-"),
        "seconds": f"{seconds:.1f}",
    }
    return [str(cells[column]) for column in COLUMNS]


def lines(found):
    """The wrong pairs for the record, each with the configuration that shows it."""
    text = "#link\tlink\treason\tsample\tconfiguration\n"
    for pair in found["pairs"]:
        if pair["wrong"]:
            joints = " ".join(f"{name}={x!r}" for name, x in pair["configuration"].items())
            text += "\t".join([*pair["links"], pair["reason"] or "-", str(pair["sample"]), joints]) + "\n"
    return text


def robots(folders):
    """The robots whose sources are there, each with its SRDF."""
    every = models(folders)
    for source, of in MATRICES.items():
        at = folders.get(source)
        inside = "example-robot-data/robots" if source == "example-robot-data" else "."
        for robot, srdf in of.items() if at else ():
            model = next(m for m in every if (m.source, m.robot, m.name) == (source, robot, "collision"))
            yield model, at / inside / srdf


def run(asked):
    """Examines all matrices, and writes the record."""
    sources = asked.sources or (Path(os.environ["PROXY_SOURCES"]) if "PROXY_SOURCES" in os.environ else None)
    if sources is not None and not sources.is_dir():
        raise Failed(f"--sources {sources}: no such folder")
    described = machine(asked.core)
    program = Path(os.environ["IMPINGE"]).resolve() if "IMPINGE" in os.environ else command()
    there = {name: of for name, of in clones(sources.resolve() if sources else None).items() if name in MATRICES}
    wheels = [name for name in MATRICES if name in WHEELS]
    folders = {**{name: wheel(name) for name in wheels}, **{name: at for name, (at, _) in there.items()}}
    rows, failed, record = [], [], Record(asked.out)
    with tempfile.TemporaryDirectory() as made:
        for model, srdf in robots(folders):
            try:
                found, seconds = lint(program, model, srdf, Path(made))
            except (Failed, OSError, subprocess.TimeoutExpired) as why:
                text = str(why).replace(str(made), "TMP")
                for name, at in folders.items():
                    text = text.replace(str(at), name)
                failed.append([model.robot, model.source, text[:300]])
                say(f"{model.robot}: {text}")
                continue
            rows.append(row(model, found, seconds))
            if rows[-1][COLUMNS.index("wrong")] != "0":
                record.add(f"{model.robot}.{model.source}", lines(found))
            say(" | ".join(rows[-1]))
    about = {
        "command": asked.command.replace(str(asked.sources), "FOLDER"),
        "method": f"impinge robot lint, {SAMPLES} random configurations within the limits: each wrong pair has one.",
        "program": first_line([program, "--version"]),
        **described,
    }
    versions = [[name, WHEELS[name][0], f"https://pypi.org/project/{name}/"] for name in wheels]
    versions += [[name, commit, CLONES[name][0]] for name, (_, commit) in there.items()]
    found = {
        "Matrices": table(COLUMNS, rows),
        "Failed": table(["robot", "source", "why"], failed),
        "Engines": table(["source", "version", "address"], versions),
    }
    record.close(about, found)
    page.show(found, "Matrices", "Failed")
    say(f"The record is in {asked.out}.")
    return 0
