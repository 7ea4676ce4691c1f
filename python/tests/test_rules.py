"""Rules: errors, sets and warnings, and agreement with a reference on random rules."""

from __future__ import annotations

import copy
import json
import os
import pickle
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge
import rules_reference as reference

TRIANGLE = impinge.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
GLOBS = [
    "a",
    "b",
    "|",
    "/",
    "*",
    "?",
    "[ab]",
    "[!a]",
    "[a-b]",
    "[]a]",
    "[!]-a]",
    "[a-]",
    "\\*",
    "é",
    ".",
    "1",
]
TEXTS = ["a", "b", "|", "/", "*", "]", "-", "é", ".", "1", "2", "\\", "<"]
KEYS = ["file", "path", "name", "type", "guid", "material", "layer", "Mass", "mass", "F", "x y"]
FIELDS = ["file", "type", "guid", "name", "storey", "Mass", "path"]
MEASURED = ["volume", "triangles", "size", "length_x", "length_y", "length_z"]


def box(sides: tuple[float, ...], is_open: bool) -> impinge.Mesh:
    corners = np.array([[i >> k & 1 for k in range(3)] for i in range(8)]) * sides
    quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    faces = [face for a, b, c, d in quads for face in ([a, b, c], [a, c, d])]
    return impinge.Mesh(corners, faces[is_open:])


def text_of(r: random.Random, letters: list[str], most: int = 4) -> str:
    return "".join(r.choice(letters) for _ in range(r.randint(0, most)))


def number(r: random.Random) -> float:
    return r.choice([0, 1, 2, 2.5, 12, 0.5, -1, 6])


def ranged(r: random.Random, low: float) -> str | float:
    x, y = sorted(max(low, number(r)) for _ in range(2))
    return r.choice([x, f"<{x}", f"<= {x}", f">{y}", f">={x}", f"{x}..{y}", f"{x} .. {y}e0"])


def some(r: random.Random, one: Any) -> Any:
    return one() if r.random() < 0.7 else [one() for _ in range(r.randint(1, 3))]


def condition(r: random.Random, depth: int, names: list[str]) -> Any:
    """A random condition; it may refer to sets with these names."""

    def inner() -> Any:
        return condition(r, depth - 1, names)

    kind = r.random()
    if depth == 0 or kind < 0.2:
        return text_of(r, GLOBS) or "*"
    if kind < 0.35:
        return [inner() for _ in range(r.randint(1, 3))]
    table: dict[str, Any] = {}
    for _ in range(r.randint(1, 3)):
        key = r.choice(["any", "all", "not", "set", "field", "field", "field", "measured"])
        if key in ("any", "all", "not"):
            table[key] = some(r, inner)
        elif key == "set" and names:
            table["set"] = some(r, lambda: r.choice(names))
        elif key == "measured":
            table[r.choice(MEASURED)] = some(r, lambda: ranged(r, 0))
        else:
            key = r.choice([*KEYS, "storey"])
            is_text = key in KEYS[:7]
            table[key] = some(
                r,
                lambda is_text=is_text: (
                    text_of(r, GLOBS) or "*"
                    if is_text or r.random() < 0.5
                    else r.choice([ranged(r, -1), True, False])
                ),
            )
    return table


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def rules_of(r: random.Random) -> str:
    names = [f"s{i}" for i in range(r.randint(1, 5))]
    text = "version = 1\n"
    if r.random() < 0.5:
        fields = r.sample(FIELDS, r.randint(1, 4))
        ends = [r.choice(["", "", "|", "a"]), *(r.choice(["|", "|", "/", "||", ".."]) for _ in fields[1:])]
        pieces = (f"{before}{{{field}}}" for before, field in zip(ends, fields, strict=True))
        text += f"names.pattern = {toml(''.join(pieces) + ends[0])}\n"
    lines = [f"{name} = {toml(condition(r, 3, names[:i]))}\n" for i, name in enumerate(names)]
    r.shuffle(lines)
    return text + "[sets]\n" + "".join(lines)


def part_of(r: random.Random, meshes: dict[Any, impinge.Mesh]) -> tuple[impinge.Mesh, dict[str, Any]]:
    sides, is_open = r.choice([(1.0, 2.0, 3.0), (2.5, 1.0, 0.5), (2.0, 2.0, 2.0)]), r.random() < 0.3
    mesh = meshes.setdefault((sides, is_open), box(sides, is_open))
    values = [lambda: text_of(r, TEXTS), lambda: float(number(r)), lambda: r.random() < 0.5]
    values.append(lambda: r.choice(["true", "2.5", " 12 ", "1e0", "nan", "inf"]))
    keys = ["Mass", "MASS", "mass", "F", "f", "X y", "material", "Layer", "type", "storey"]
    properties = {key: r.choice(values)() for key in r.sample(keys, r.randint(0, 4))}
    optional = {key: r.choice([None, text_of(r, TEXTS)]) for key in ("type", "guid")}
    numbers = dict(zip(MEASURED[3:], map(reference.Measured, sides), strict=True))
    numbers |= {"size": reference.Measured(max(sides)), "triangles": reference.Measured(12 - is_open)}
    if not is_open:
        numbers["volume"] = reference.Measured(np.prod(sides))
    texts = {
        "name": text_of(r, TEXTS, 9),
        "path": text_of(r, TEXTS),
        "file": "x" + text_of(r, ["a", "b", "/b", ".", "é"]),
    }
    return mesh, {**texts, **optional, **numbers, "properties": properties}


def test_random_rules_agree_with_the_reference() -> None:
    cases = 3_000 if os.environ.get("IMPINGE_FULL") else 300
    meshes: dict[Any, impinge.Mesh] = {}
    inside = outside = 0
    for case in range(cases):
        r = random.Random(case)
        text = rules_of(r)
        parts = [part_of(r, meshes) for _ in range(6)]
        assembly = impinge.Assembly()
        for mesh, part in parts:
            texts = {key: part[key] for key in ("name", "path", "file", "type", "guid", "properties")}
            pose = np.eye(4)
            pose[:3, 3] = r.randint(-4, 4)
            assembly.add(mesh, pose, **texts)
        found = impinge.Rules(text).sets(assembly)
        assert found == reference.sets(text, [part for _, part in parts]), (case, text, parts)
        inside += sum(map(len, found.values()))
        outside += 6 * len(found) - sum(map(len, found.values()))
    # Both happen often, so that both are tested.
    assert min(inside, outside) > cases


def test_rules_have_tests_sets_and_warnings(tmp_path: Path) -> None:
    path = tmp_path / "impinge.toml"
    path.write_text('version = 1\n[sets]\na = "a*"\nb = { nmae = "b" }\n[[test]]\nname = "t"\na = "a"\n')
    rules = impinge.Rules.read(path)
    assert rules.tests == ("t",) and rules.file == str(path)
    assembly = impinge.Assembly.from_meshes({"a": TRIANGLE, "b": TRIANGLE})
    assert rules.sets(assembly) == {"a": [0], "b": []}
    assert rules.warnings(assembly) == [
        f"{path}: line 4: no part has 'nmae'; did you mean 'name'?",
        f"{path}: line 4: the set 'b' is not used by a test, an ignore rule or another set",
        f"{path}: line 4: no part is in the set 'b'",
        f"{path}: line 5: the test 't' has no pair of parts",
    ]
    for again in (pickle.loads(pickle.dumps(rules)), copy.deepcopy(rules)):
        assert again.sets(assembly) == rules.sets(assembly) and again.file == rules.file


def test_units_of_lengths() -> None:
    assembly = impinge.Assembly.from_meshes({"a": TRIANGLE})
    rules = impinge.Rules('version = 1\nsets = { large = { size = ">500mm" } }')
    assert rules.sets(assembly, unit="m") == {"large": [0]}
    assert rules.sets(assembly, unit="mm") == {"large": []}
    with pytest.raises(impinge.Error, match="rules:2: size >500mm: the unit of the coordinates is unknown"):
        rules.sets(assembly)
    with pytest.raises(ValueError, match='unit: "parsec" is not a unit'):
        rules.sets(assembly, unit="parsec")
    stated = impinge.Rules('version = 1\nunit = "mm"\nsets = { large = { size = ">0.5" } }')
    assert stated.sets(assembly) == {"large": [0]} and stated.sets(assembly, unit="m") == {"large": [0]}


def test_errors_have_a_place(tmp_path: Path) -> None:
    with pytest.raises(impinge.Error, match="^f:2:1: unknown key 'set'; did you mean 'sets'?"):
        impinge.Rules("version = 1\nset = 1", "f")
    path = tmp_path / "a.toml"
    path.write_bytes(b"version = 1 # \xff")
    with pytest.raises(impinge.Error, match="a.toml: cannot be read: stream did not contain valid UTF-8"):
        impinge.Rules.read(path)
    with pytest.raises(FileNotFoundError):
        impinge.Rules.read(tmp_path / "none.toml")


def test_gaps_along_poses(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]]
    faces += [[2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    assembly = impinge.Assembly.from_meshes({"arm": (corners, faces), "wall": (corners + [9, 0, 0], faces)})
    way = np.tile(np.eye(4), (20, 1, 1))
    way[:, :3, 3] = rng.uniform(-3, 7, (20, 3))
    np.save(tmp_path / "way.npy", way)
    text = 'version = 1\n[[test]]\nname = "clear"\nfind = "min-gap"\na = { name = "arm" }\nb = "*"\n'
    (tmp_path / "rules.toml").write_text(text + 'poses = "way.npy"\nclearance = 9\n')
    rules = impinge.Rules.read(tmp_path / "rules.toml")
    shift = way[:, :3, 3]
    # Along each axis: the arm ends at 1 + shift, the wall starts at (9, 0, 0).
    lo, hi = np.array([9, 0, 0]) - (1 + shift), shift - np.array([10, 1, 1])
    gaps = np.linalg.norm(np.maximum(0, np.maximum(lo, hi)), axis=1)
    for one in (rules, pickle.loads(pickle.dumps(rules)), impinge.Rules(rules.text).with_poses("way.npy", way)):
        (finding,) = assembly.check(rules=one).findings
        assert finding.kind == "min_gap" and finding.distance is not None
        assert abs(finding.distance - gaps.min()) < 1e-12
    with pytest.raises(impinge.Error, match="the poses 'way.npy' are not given"):
        assembly.check(rules=impinge.Rules(rules.text))
    (tmp_path / "way.npy").write_bytes(b"no array")
    with pytest.raises(impinge.Error, match=r"the poses 'way\.npy' of a test: it is no \.npy file"):
        impinge.Rules.read(tmp_path / "rules.toml")


def test_poses_come_from_the_folder_of_the_rules_alone(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("token=abc\n")
    (folder / "own.txt").write_text("token=abc\n")
    (folder / "way.txt").write_text("# at rest\n1 0 0 0, 0 1 0 0, 0 0 1 0\n")
    names = ["../secret.txt", "none.txt", str(tmp_path / "secret.txt")]
    if sys.platform != "win32":
        (folder / "link.txt").symlink_to("../secret.txt")
        os.mkfifo(folder / "pipe.txt")
        names += ["link.txt", "/proc/self/environ", "/dev/zero", "pipe.txt"]
    for name in [*names, "own.txt"]:
        text = f'version = 1\n[[test]]\nname = "t"\nfind = "min-gap"\na = "*"\nposes = "{name}"\nclearance = 1\n'
        (folder / "rules.toml").write_text(text.replace("\\", "/"))
        with pytest.raises(impinge.Error, match="rules.toml: the poses ") as raised:
            impinge.Rules.read(folder / "rules.toml")
        wrong = {"own.txt": "line 1: not numbers", "pipe.txt": "no regular file"}.get(name, "no such file inside")
        assert wrong in str(raised.value) and "abc" not in str(raised.value)
    (folder / "rules.toml").write_text(text.replace("own.txt", "way.txt"))
    assert impinge.Rules.read(folder / "rules.toml").tests == ("t",)
    if sys.platform != "win32":
        with pytest.raises(impinge.Error, match="/dev/zero: cannot be read: it is a device"):
            impinge.Rules.read("/dev/zero")
