"""Plans paths by OMPL with sampled motions, and proves for each path whether it is free between the samples.

    pip install ompl pyyaml numpy
    pip install .                                            # or `maturin develop --release`
    python bench/planning.py --sources FOLDER [--problems N] [--record FOLDER]

FOLDER has a clone of VAMP, `vamp`, whose `resources` have MotionBenchMaker's problems, and sphere models of the
robots. The planner is RRTConnect, with OMPL's own simplification. It samples motions at a step that is a part
of the space's extent: OMPL's default is 0.01. Obstacles are boxes, spheres and prisms inside of cylinders, so a
contact is one of the true scene. Links whose spheres always meet are not checked against each other.
`Robot.sweep` certifies the path, or shows a contact.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import re
import sys
import tarfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import ompl.base as ob
import ompl.geometric as og
import ompl.util as ou
import yaml

import impinge
from driver.page import show
from driver.record import write_results
from driver.report import machine
from driver.shell import first_line
from driver.tables import table
from impinge.adapters.ompl import set_validity

ROBOTS = ("panda", "ur5", "fetch")
#: Steps of sampled motions, as parts of the space's extent.
STEPS = (0.05, 0.01, 0.002)
#: Seconds of a planner.
LIMIT = 10.0
SEED = 1


@dataclass
class Counts:
    """Paths of a robot at one step."""

    unsolved: int = 0
    paths: int = 0
    edges: int = 0
    not_free: int = 0
    undecided: int = 0
    seconds: list[float] = field(default_factory=list)
    """The times of the certifications."""


def transform(pose: dict[str, Any] | None) -> np.ndarray:
    """A pose of MoveIt as a matrix."""
    matrix = np.eye(4)
    if pose is not None:
        x, y, z, w = np.array(pose["orientation"]) / np.linalg.norm(pose["orientation"])
        matrix[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        matrix[:3, 3] = pose["position"]
    return matrix


def shape(kind: str, sizes: list[float]) -> Any:
    if kind == "box":
        return impinge.Mesh.box(sizes)
    if kind == "sphere":
        return impinge.Shape.sphere(sizes[0])
    height, radius = sizes
    return impinge.Mesh.prism(radius, height, 64)


def problems(archive: Path, most: int) -> dict[tuple[str, int], dict[str, Any]]:
    """The scene and the request of the first problems of each set."""
    found: dict[tuple[str, int], dict[str, Any]] = defaultdict(dict)
    with tarfile.open(archive) as files:
        for member in files.getmembers():
            name = re.fullmatch(r"problems/(\w+)/(scene|request)(\d+)\.yaml", member.name)
            if name and int(name[3]) <= most:
                found[name[1], int(name[3])][name[2]] = yaml.load(files.extractfile(member), yaml.CSafeLoader)
    return {key: one for key, one in sorted(found.items()) if len(one) == 2}


class Problem:
    """A robot among obstacles, a start and a goal."""

    def __init__(self, base: impinge.Robot, scene: dict[str, Any], request: dict[str, Any]) -> None:
        self.robot = base.copy()
        for number, item in enumerate(scene["world"]["collision_objects"]):
            for part, (body, pose) in enumerate(zip(item["primitives"], item["primitive_poses"])):
                placed = transform(item.get("pose")) @ transform(pose)
                self.robot.add_obstacle(f"{number}.{part}", shape(body["type"], body["dimensions"]), placed)
        state = request["start_state"]["joint_state"]
        start = dict(zip(state["name"], state["position"]))
        constraints = request["goal_constraints"][0]["joint_constraints"]
        goal = {one["joint_name"]: one["position"] for one in constraints}
        names = self.robot.actuated_joint_names
        self.rest = self.robot.configuration({name: x for name, x in start.items() if name in names})
        self.places = [names.index(name) for name in names if name in goal]
        self.start = self.rest[self.places]
        self.goal = [goal[names[place]] for place in self.places]

    def configuration(self, numbers: Any) -> np.ndarray:
        q = self.rest.copy()
        q[self.places] = numbers
        return q

    def path(self, step: float) -> np.ndarray | None:
        """The configurations of a planned path."""
        size = len(self.places)
        space, bounds = ob.RealVectorStateSpace(size), ob.RealVectorBounds(size)
        # Joints without limits turn once in each direction.
        bounds.low = list(np.maximum(self.robot.lower_limits[self.places], -2 * np.pi))
        bounds.high = list(np.minimum(self.robot.upper_limits[self.places], 2 * np.pi))
        space.setBounds(bounds)
        setup = og.SimpleSetup(space)

        def numbers(state: Any) -> np.ndarray:
            return self.configuration([state[k] for k in range(size)])

        set_validity(setup, self.robot.in_collision, numbers, resolution=step * space.getMaximumExtent())
        setup.setPlanner(og.RRTConnect(setup.getSpaceInformation()))
        ends = [space.allocState(), space.allocState()]
        for state, positions in zip(ends, (self.start, self.goal)):
            for k in range(size):
                state[k] = float(positions[k])
        setup.setStartAndGoalStates(*ends)
        if not (setup.solve(LIMIT) and setup.haveExactSolutionPath()):
            return None
        setup.simplifySolution()
        return np.array([numbers(state) for state in setup.getSolutionPath().getStates()])


def certify(problem: Problem, step: float, counts: Counts) -> None:
    path = problem.path(step)
    if path is None:
        counts.unsolved += 1
        return
    began = time.process_time()
    edges = problem.robot.sweep(path[:-1], path[1:], threads=1)
    counts.seconds.append(time.process_time() - began)
    counts.paths += 1
    counts.edges += len(path) - 1
    counts.not_free += bool(edges.contact.any())
    counts.undecided += not (edges.clear.all() or edges.contact.any())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sources", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--problems", type=int, default=10, metavar="N", help="of each set (10)")
    parser.add_argument("--record", type=Path, metavar="FOLDER")
    asked = parser.parse_args()
    resources = asked.sources / "vamp/resources"
    if not resources.is_dir():
        sys.exit(f"planning.py: {resources}: no such folder; clone https://github.com/KavrakiLab/vamp")
    ou.RNG.setSeed(SEED)
    ou.noOutputHandler()
    found: dict[tuple[str, float], Counts] = defaultdict(Counts)
    blocked: dict[str, int] = defaultdict(int)
    for name in ROBOTS:
        folder = resources / name
        base = impinge.Robot.load(folder / f"{name}_spherized.urdf", folder / f"{name}.srdf")
        for pair in base.acm(200).pairs:
            if pair.kind == "always":
                base.allow(*pair.pair)
        for (kind, number), one in problems(folder / "problems.tar.bz2", asked.problems).items():
            problem = Problem(base, one["scene"], one["request"])
            counts = [found[name, step] for step in STEPS]
            if problem.robot.in_collision([problem.rest, problem.configuration(problem.goal)]).any():
                blocked[name] += 1
                continue
            for step, count in zip(STEPS, counts):
                certify(problem, step, count)
            print(f"{name} {kind} {number}", file=sys.stderr)
    rows = []
    for (name, step), counts in found.items():
        mean = f"{1e3 * sum(counts.seconds) / counts.paths:.1f}" if counts.paths else "-"
        cells = [counts.paths, counts.edges, counts.not_free, counts.undecided, counts.unsolved, blocked[name]]
        rows.append([name, f"{step:g}", *map(str, cells), mean])
    head = ["robot", "step", "paths", "edges", "not free", "undecided", "unsolved", "blocked", "ms a path"]
    tables = {"Paths": table(head, rows)}
    show(tables, "Paths")
    if asked.record:
        asked.record.mkdir(parents=True, exist_ok=True)
        versions = [[name, importlib.metadata.version(name)] for name in ("impinge", "ompl", "numpy")]
        tables["Engines"] = table(["name", "version"], versions)
        commit = first_line(["git", "-C", resources, "rev-parse", "HEAD"])
        about = {
            "command": f"bench/planning.py --sources FOLDER --problems {asked.problems}",
            "problems": f"the first {asked.problems} of each set of MotionBenchMaker, in VAMP {commit[:10]}",
            "seed": str(SEED),
            **machine(0),
        }
        write_results(asked.record, about, tables)


if __name__ == "__main__":
    main()
