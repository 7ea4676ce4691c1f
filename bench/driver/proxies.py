"""The league table of collision models: which of them cover the geometry of their robots, and by how much not.

Robots come from a wheel of PyPI, and from clones of GitHub in the folder of `--sources`. `impinge proxy check`
proves each model, `impinge proxy fix` repairs it, and the repaired file is checked again. Nothing of the
robots is committed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from . import page
from .build import command
from .proxies_models import CLONES, WHEELS, models
from .record import Record
from .report import machine
from .shell import CACHE, Failed, call, first_line, say
from .tables import table

#: Rounding of the files: a link that sticks out by less counts as nearly covered.
TOLERANCE = "1um"
#: Seconds of one call from which it is worth a line.
SLOW = 10
#: The ends of a volume's interval that counts as known differ by no more than this.
NARROW = 1.05
#: A robot whose output the page shows: source, folder inside, and the file.
EXAMPLE = ("example-robot-data", "example-robot-data/robots/panda_description/urdf", "panda.urdf")
#: Columns of the table of models.
COLUMNS = [
    "robot",
    "model",
    "source",
    "geometry",
    "links",
    "covered",
    "nearly",
    "undecided",
    "no shape",
    "worst mm",
    "worst link",
    "moving: worst mm",
    "moving: worst link",
    "excess mm",
    "volume",
    "robot: covered",
    "robot: worst mm",
    "fix: grown mm",
    "fix: links grown",
    "fix: excess mm",
    "fix: covered",
    "left out",
    "seconds",
]


@dataclass
class Checked:
    """The result of `impinge proxy check` as JSON, the links without their mesh, and the time."""

    json: dict
    left_out: list
    seconds: float

    @property
    def links(self):
        return self.json["links"]

    @property
    def shaped(self):
        """Links that have shapes."""
        return [link for link in self.links if link["shapes"]]

    def count(self, verdict):
        return sum(link["verdict"] == verdict for link in self.shaped)

    def worst(self, but=()):
        """The link that sticks out farthest, or None."""
        open_ = [link for link in self.shaped if link["verdict"] in ("no", "undecided")]
        open_ = [link for link in open_ if link["link"] not in but]
        return max(open_, key=lambda link: link["uncovered"][1] or float("inf"), default=None)

    def excess(self):
        """The mean over the links, in millimetres."""
        found = [link["excess"][1] for link in self.shaped if link["excess"] and link["excess"][1] is not None]
        return millimetres(sum(found) / len(found)) if found else "-"

    def volume(self):
        """The mean ratio of volumes over the links for which both are known, and their number."""
        ratios = []
        for link in self.shaped:
            shapes, part = link["proxy_volume"], link["part_volume"]
            if shapes and part and None not in (*shapes, *part) and shapes[1] <= NARROW * shapes[0]:
                ratios.append((shapes[0] + shapes[1]) / (part[0] + part[1]))
        return f"{sum(ratios) / len(ratios):.2f} of {len(ratios)}" if ratios else "-"


def millimetres(metres):
    """Three digits, never more than a micrometre's worth."""
    mm = 1e3 * metres
    return f"{mm:.0f}" if mm >= 100 else f"{mm:.1f}" if mm >= 10 else f"{mm:.2f}" if mm >= 0.1 else f"{mm:.3f}"


class Prover:
    """Runs the commands of a release binary."""

    def __init__(self, program, folder):
        self.program, self.folder, self.problems = program, folder, []

    def words(self, what, model, proxy, *more):
        words = [self.program, "proxy", what, model.part, *([proxy] if proxy else []), "--quiet"]
        for folder in model.packages(self.folder):
            words += ["--package-path", folder]
        if model.geometry != "visual":
            words += ["--geometry", model.geometry]
        return [str(word) for word in [*words, "--tolerance", TOLERANCE, *more]]

    def call(self, command):
        """Status 0 or 1 is a result. Returns the output and the time."""
        began = time.monotonic()
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1800)
        took = time.monotonic() - began
        if took > SLOW:
            self.problems.append(f"{took:.0f} s: {' '.join(command)}")
        if done.returncode not in (0, 1):
            lines = done.stderr.strip().splitlines() or ["no output"]
            raise Failed(f"status {done.returncode}: {lines[-1]}")
        return done.stdout, took

    def check(self, model, proxy, *more):
        """Checks a model, but for markers. A link whose mesh the source lacks is left out, and named."""
        markers = model.links()
        left_out, links = [], None
        if any(markers.values()) and "--link" not in more:
            links = [name for name, marker in markers.items() if not marker]
        while True:
            words = [] if links is None else [word for name in links for word in ("--link", name)]
            try:
                out, took = self.call(
                    self.words("check", model, proxy, "--format", "json", "-o", "-", *more, *words)
                )
                text = next(line for line in out.splitlines() if line.startswith("{"))
                return Checked(json.loads(text), left_out, took), words
            except Failed as why:
                missing = re.search(r"\.urdf:(\d+):\d+: the mesh '[^']*' is not found", str(why))
                if not missing or f"{model.part}:{missing.group(1)}:" not in str(why):
                    raise
                text = model.part.read_text().splitlines()[: int(missing.group(1))]
                name = re.findall(r'<link\s[^>]*?name="([^"]+)"', "\n".join(text))[-1]
                links = list(markers) if links is None else links
                if name not in links:
                    raise
                links.remove(name)
                left_out.append(name)

    def fix(self, model, proxy, words):
        """Grows the radii. Returns the lengths by which those of each link grew, and the file. Relative paths of
        meshes need it beside its source."""
        source = proxy or model.part
        file = source.with_name(f"impinge-fixed{source.suffix}")
        out, _ = self.call(self.words("fix", model, proxy, "-o", file, *words))
        grown = {}
        for line in out.splitlines():
            cells = re.split(r"\s{2,}", line.strip())
            if len(cells) == 4 and re.fullmatch(r"[\d.e,-]+", cells[2]):
                grown[cells[0]] = float(cells[2].replace(",", ""))
        return grown, file


def lines(found):
    """The links of a model for the record: link, verdict, uncovered, excess (metres), number of shapes."""
    text = "#link\tverdict\tuncovered\texcess\tshapes\n"
    for link in found.links:
        excess = link["excess"] or [None, None]
        numbers = ("-" if x is None else f"{x:.9g}" for x in (link["uncovered"][1], excess[1]))
        text += "\t".join([link["link"], link["verdict"], *numbers, str(link["shapes"])]) + "\n"
    return text


def read_lines(text):
    """What `lines` wrote, without volumes."""
    links = []
    for line in text.splitlines()[1:]:
        name, verdict, uncovered, excess, shapes = line.split("\t")
        bounds = [[None, None if x == "-" else float(x)] for x in (uncovered, excess)]
        link = {"link": name, "verdict": verdict, "uncovered": bounds[0], "excess": bounds[1]}
        links.append({**link, "shapes": int(shapes)})
    return Checked({"links": links}, [], 0.0)


def row(prover, model):
    """The cells of a model, and its links."""
    proxy = model.spheres(prover.folder)
    found, words = prover.check(model, proxy)
    worst, moving = found.worst(), found.worst(model.base())
    together = prover.check(model, proxy, "--against", "robot", *words)[0] if proxy else None
    cells = {
        "robot": model.robot,
        "model": model.name,
        "source": model.source,
        "geometry": model.geometry,
        "links": len(found.links),
        "covered": found.count("yes"),
        "nearly": found.count("nearly"),
        "undecided": found.count("undecided"),
        "no shape": len(found.links) - len(found.shaped),
        "worst mm": millimetres(worst["uncovered"][1]) if worst else "0",
        "worst link": worst["link"] if worst else "-",
        "moving: worst mm": millimetres(moving["uncovered"][1]) if moving else "0",
        "moving: worst link": moving["link"] if moving else "-",
        "excess mm": found.excess(),
        "volume": found.volume(),
        "left out": ", ".join(found.left_out) or "-",
        "seconds": f"{found.seconds:.1f}",
    }
    if together:
        # Links without shapes of their own have some of their neighbours now: they are not compared.
        own = {link["link"] for link in found.shaped}
        kept = [link for link in together.links if link["link"] in own]
        together = Checked({**together.json, "links": kept}, [], together.seconds)
        far = together.worst()
        cells["robot: covered"] = together.count("yes") + together.count("nearly")
        cells["robot: worst mm"] = millimetres(far["uncovered"][1]) if far else "0"
    fixed = {}
    if found.shaped and worst:
        grown, file = prover.fix(model, proxy, words)
        if grown:
            after, _ = prover.check(model, file, *words)
        file.unlink()
        if grown:
            fixed = {
                "fix: grown mm": millimetres(max(grown.values()) / 1e3),
                "fix: links grown": len(grown),
                "fix: excess mm": after.excess(),
                "fix: covered": after.count("yes") + after.count("nearly"),
            }
        else:
            fixed = {"fix: links grown": 0}
    cells |= fixed
    return [str(cells.get(column, "-")) for column in COLUMNS], found


def wheel(name):
    """The folder of the robots of a wheel of PyPI."""
    version, inside = WHEELS[name]
    folder = CACHE / "robots" / f"{name}-{version}"
    if not (folder / inside).is_dir():
        shutil.rmtree(folder, ignore_errors=True)
        say(f"  pip install {name}=={version}")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:"]
        call([*pip, "--target", folder, f"{name}=={version}"], f"pip install {name}", limit=3600)
    return folder / inside


def clones(folder):
    """The clones that are there: name -> (folder, commit)."""
    found = {}
    for name, (url, commit) in CLONES.items():
        at = folder / name if folder else None
        if at is None or not at.is_dir():
            continue
        head = first_line(["git", "-C", at, "rev-parse", "HEAD"])
        if head != commit:
            say(f"  {at}: commit {head[:10]}, not {commit[:10]}")
        found[name] = (at, head)
    missing = [name for name in CLONES if name not in found]
    if missing:
        where = folder or "FOLDER"
        say("These models are left out; --sources FOLDER names a folder with clones:")
        for name in missing:
            url, commit = CLONES[name]
            say(f"  git clone {url} {where}/{name} && git -C {where}/{name} checkout {commit[:10]}")
    return found


def summary(rows):
    """Links by source and kind of model."""
    kinds = {}
    for cells in rows:
        one = dict(zip(COLUMNS, cells))
        if one["geometry"] == "visual":
            kind = "own geometry" if one["model"] == "collision" else "spheres"
            kinds.setdefault((one["source"], kind), []).append(one)
    head = ["source", "models", "kind", "wholly covered", "links", "covered", "nearly", "undecided", "no shape"]
    lines = []
    for (source, kind), of in kinds.items():
        sums = {name: sum(int(one[name]) for one in of) for name in head[4:]}
        whole = sum(int(one["links"]) == int(one["covered"]) + int(one["nearly"]) for one in of)
        lines.append([source, len(of), kind, whole, *sums.values()])
    return table(head, lines)


def run(asked):
    """Checks all models, and writes the record."""
    sources = asked.sources or (Path(os.environ["PROXY_SOURCES"]) if "PROXY_SOURCES" in os.environ else None)
    if sources is not None and not sources.is_dir():
        raise Failed(f"--sources {sources}: no such folder")
    described = machine(asked.core)
    program = Path(os.environ["IMPINGE"]).resolve() if "IMPINGE" in os.environ else command()
    there = clones(sources.resolve() if sources else None)
    folders = {**{name: wheel(name) for name in WHEELS}, **{name: at for name, (at, _) in there.items()}}
    rows, failed, record = [], [], Record(asked.out)
    with tempfile.TemporaryDirectory() as made:
        prover = Prover(program, Path(made))
        all_models = models(folders)
        if asked.scenes:
            wanted = asked.scenes.split(",")
            all_models = [model for model in all_models if model.robot in wanted or model.source in wanted]
        for number, model in enumerate(all_models, 1):
            try:
                cells, links = row(prover, model)
            except (Failed, OSError, subprocess.TimeoutExpired) as why:
                text = str(why).replace(str(made), "TMP")
                for name, at in folders.items():
                    text = text.replace(str(at), name)
                failed.append([model.robot, model.name, model.source, model.geometry, text[:300]])
                say(f"[{number}/{len(all_models)}] {model.robot}, {model.name}: {why}")
                continue
            rows.append(cells)
            record.add(".".join(cells[: COLUMNS.index("links")]), lines(links))
            say(f"[{number}/{len(all_models)}] {' | '.join(cells)}")
    about = {
        "command": asked.command.replace(str(asked.sources), "FOLDER"),
        "method": f"impinge proxy check and fix, tolerance {TOLERANCE}: proved for all points, none is a sample.",
        "program": first_line([program, "--version"]),
        **described,
    }
    versions = [[name, version, f"https://pypi.org/project/{name}/"] for name, (version, _) in WHEELS.items()]
    versions += [[name, commit, CLONES[name][0]] for name, (_, commit) in there.items()]
    found = {
        "Models": table(COLUMNS, rows),
        "Summary": summary(rows),
        "Failed": table(["robot", "model", "source", "geometry", "why"], failed),
        "Engines": table(["source", "version", "address"], versions),
    }
    folder, file = folders[EXAMPLE[0]] / EXAMPLE[1], EXAMPLE[2]
    shown = subprocess.run([program, "proxy", "check", file, "-q"], cwd=folder, capture_output=True, text=True)
    record.add("example", f"$ impinge proxy check {file}\n{shown.stdout}")
    record.close(about, found)
    page.show(found, "Summary", "Failed")
    for problem in prover.problems:
        say(f"slow: {problem}")
    say(f"The record is in {asked.out}.")
    return 0
