"""Collisions of robots with themselves, by `impinge.Robot` and by Coal: verdicts, and processor time.

    pip install pin example-robot-data numpy
    pip install .                                            # or `maturin develop --release`
    python bench/robots.py [--configurations N] [--record FOLDER]

The pairs are those that the robot's SRDF leaves. Both get the same random configurations within the limits, and
one thread. Coal is called by `pinocchio.computeCollisions` for each configuration, which ends at the first
collision; `Robot.in_collision` takes all of them at once. Coal compares surfaces, as boxes, cylinders and trees
of triangles (OBBRSS). Ours are solids, and cylinders the meshes around them, so some verdicts differ: the record
counts how many, and why.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import math
import statistics
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio

import impinge
from driver.page import show
from driver.record import write_results
from driver.report import machine
from driver.tables import table

#: Folder and name of the URDF, and of the SRDF.
ROBOTS = {
    "panda": ("panda_description/urdf/panda.urdf", "panda_description/srdf/panda.srdf"),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", "ur_description/srdf/ur5.srdf"),
    "kinova": ("kinova_description/robots/kinova.urdf", "kinova_description/srdf/kinova.srdf"),
    "xarm7": ("xarm_description/urdf/xarm7.urdf", "xarm_description/srdf/xarm7.srdf"),
    "z1": ("z1_description/urdf/z1.urdf", "z1_description/srdf/z1.srdf"),
    "talos": ("talos_data/robots/talos_reduced.urdf", "talos_data/srdf/talos.srdf"),
    "pr2": ("pr2_description/urdf/pr2.urdf", "pr2_description/srdf/pr2.srdf"),
}
PASSES = 5
SEED = 1
#: Distances below this are of points that are equal but for rounding.
TOUCH = 1e-9


class Rival:
    """Coal on the shapes of a URDF, at poses by pinocchio."""

    def __init__(self, urdf: Path, share: Path, ours: impinge.Robot) -> None:
        self.model = pinocchio.buildModelFromUrdf(str(urdf), mimic=True)
        self.data = self.model.createData()
        kind = pinocchio.COLLISION
        self.geometry = pinocchio.buildGeomFromUrdf(self.model, str(urdf), kind, package_dirs=[str(share)])
        links = [self.model.frames[one.parentFrame].name for one in self.geometry.geometryObjects]
        checked = set(map(frozenset, ours.checked_pairs))
        for b in range(len(links)):
            for a in range(b):
                if frozenset((links[a], links[b])) in checked:
                    self.geometry.addCollisionPair(pinocchio.CollisionPair(a, b))
        self.results = self.geometry.createData()
        self.links = links

    def configurations(self, names: tuple[str, ...], q: np.ndarray) -> list[np.ndarray]:
        """Ours as pinocchio's: a joint without limits has sine and cosine."""
        found = []
        for row in q:
            position = pinocchio.neutral(self.model)
            for name, x in zip(names, row, strict=True):
                joint = self.model.joints[self.model.getJointId(name)]
                value = x if joint.nq == 1 else (math.cos(x), math.sin(x))
                position[joint.idx_q : joint.idx_q + joint.nq] = value
            found.append(position)
        return found

    def collides(self, q: np.ndarray, first: bool = True) -> bool:
        args = (self.model, self.data, self.geometry, self.results, q, first)
        return bool(pinocchio.computeCollisions(*args))

    def pairs(self, q: np.ndarray) -> dict[tuple[str, str], list[int]]:
        """The links in collision, and the numbers of the pairs of shapes."""
        self.collides(q, first=False)
        found: dict[tuple[str, str], list[int]] = {}
        for number, pair in enumerate(self.geometry.collisionPairs):
            if self.results.collisionResults[number].isCollision():
                names = tuple(sorted((self.links[pair.first], self.links[pair.second])))
                found.setdefault(names, []).append(number)
        return found

    def reason(self, names: tuple[str, str], q: np.ndarray) -> str:
        """Why a pair of links that ours has is not in Coal's list."""
        pinocchio.computeDistances(self.model, self.data, self.geometry, self.results, q)
        reasons = []
        for number, pair in enumerate(self.geometry.collisionPairs):
            if tuple(sorted((self.links[pair.first], self.links[pair.second]))) != names:
                continue
            shapes = [self.geometry.geometryObjects[k].geometry for k in (pair.first, pair.second)]
            distance = self.results.distanceResults[number].min_distance
            radii = [shape.radius for shape in shapes if type(shape).__name__ == "Cylinder"]
            if distance < TOUCH:
                reasons.append("touching")
            elif radii and distance < sum(radii) / 128:
                reasons.append("cylinder")
            elif any(hasattr(shape, "tri_indices") for shape in shapes) and self.is_inside(pair):
                reasons.append("inside")
        return min(reasons, default="unexplained")

    def is_inside(self, pair: Any) -> bool:
        """Whether a corner of one shape is inside the other, by winding numbers (van Oosterom)."""
        for inner, outer in ((pair.first, pair.second), (pair.second, pair.first)):
            shape = self.geometry.geometryObjects[outer].geometry
            if not hasattr(shape, "tri_indices"):
                continue
            faces = np.array([[shape.tri_indices(i)[k] for k in range(3)] for i in range(shape.num_tris)])
            points = corners(self.geometry.geometryObjects[inner].geometry)
            relative = self.results.oMg[outer].inverse() * self.results.oMg[inner]
            points = points @ relative.rotation.T + relative.translation
            ends = np.asarray(shape.vertices())[faces]
            for point in points[:: max(1, len(points) // 64)]:
                a, b, c = (ends[:, k] - point for k in range(3))
                la, lb, lc = (np.linalg.norm(x, axis=1) for x in (a, b, c))
                over = np.einsum("ij,ij->i", a, np.cross(b, c))
                under = la * lb * lc + np.einsum("ij,ij->i", a, b) * lc
                under += np.einsum("ij,ij->i", b, c) * la + np.einsum("ij,ij->i", c, a) * lb
                if abs(np.arctan2(over, under).sum() / (2 * np.pi)) > 0.5:
                    return True
        return False


def corners(shape: Any) -> np.ndarray:
    if hasattr(shape, "tri_indices"):
        return np.asarray(shape.vertices())
    box = shape.halfSide if hasattr(shape, "halfSide") else np.zeros(3)
    return np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * box


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--configurations", type=int, default=1000, metavar="N", help="of each robot (1000)")
    parser.add_argument("--record", type=Path, metavar="FOLDER")
    asked = parser.parse_args()
    share = Path(str(importlib.metadata.distribution("example-robot-data").locate_file("cmeel.prefix/share")))
    folder = share / "example-robot-data/robots"
    rows, differences, ratios = [], [], []
    for name, (urdf, srdf) in ROBOTS.items():
        ours = impinge.Robot.load(folder / urdf, folder / srdf)
        theirs = Rival(folder / urdf, share, ours)
        low, high = np.clip(ours.lower_limits, -np.pi, np.pi), np.clip(ours.upper_limits, -np.pi, np.pi)
        q = np.random.default_rng(SEED).uniform(low, high, (asked.configurations, ours.num_dofs))
        positions = theirs.configurations(ours.actuated_joint_names, q)
        # The first call computes and keeps what later ones need; it does not count.
        found = ours.colliding_pairs(q)
        seconds: dict[str, list[float]] = {"ours": [], "coal": []}
        for _ in range(PASSES):
            began = time.process_time()
            verdicts = ours.in_collision(q, threads=1)
            middle = time.process_time()
            for position in positions:
                theirs.collides(position)
            seconds["ours"].append(middle - began)
            seconds["coal"].append(time.process_time() - middle)
        mine, coal = (1e6 * statistics.median(times) / len(q) for times in seconds.values())
        ratios.append(coal / mine)
        counts: Counter[str] = Counter()
        for row, position in zip(found, positions, strict=True):
            here = {tuple(sorted(pair)) for pair in row}
            there = theirs.pairs(position)
            counts["both"] += len(here & there.keys())
            counts["coal alone"] += len(there.keys() - here)
            for pair in here - there.keys():
                counts[theirs.reason(pair, position)] += 1
        pairs = len(ours.checked_pairs)
        hit = f"{100 * verdicts.mean():.1f}"
        rows.append([name, str(pairs), hit, f"{mine:.2f}", f"{coal:.2f}", f"{coal / mine:.1f}"])
        kinds = ("both", "inside", "cylinder", "touching", "unexplained", "coal alone")
        differences.append([name, *(str(counts[kind]) for kind in kinds)])
    mean = math.exp(statistics.fmean(map(math.log, ratios)))
    rows.append(["geometric mean", "", "", "", "", f"{mean:.1f}"])
    tables = {
        "Time": table(["robot", "pairs", "colliding %", "ours us", "coal us", "ratio"], rows),
        "Pairs in collision": table(
            ["robot", "both", "inside", "cylinder", "touching", "unexplained", "coal alone"], differences
        ),
    }
    show(tables, "Time", "Pairs in collision")
    if asked.record:
        asked.record.mkdir(parents=True, exist_ok=True)
        names = ("coal", "pin", "example-robot-data", "numpy")
        versions = [[name, importlib.metadata.version(name)] for name in names]
        versions.insert(0, ["impinge", impinge.__version__])
        tables["Engines"] = table(["name", "version"], versions)
        about = {
            "command": f"bench/robots.py --configurations {asked.configurations}",
            "seed": str(SEED),
            "times": f"processor time of a configuration, median of {PASSES} passes in turn, one thread",
            **machine(0),
        }
        write_results(asked.record, about, tables)


if __name__ == "__main__":
    main()
