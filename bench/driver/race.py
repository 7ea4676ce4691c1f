"""One engine, one scene, one query: a run of the runner on its core, and its output."""

from dataclasses import dataclass, field

from .programs import printed, rows
from .shell import Failed

QUERIES = ("pairs", "first")


@dataclass
class Frame:
    us: float
    hit: bool
    count: int
    digest: str


@dataclass
class Result:
    scene: object
    engine: object
    query: str
    #: Reason for missing numbers: `not built`, `over the limit`, `failed`.
    problem: str = ""
    about: dict = field(default_factory=dict)
    frames: list = field(default_factory=list)
    #: The oracle's counts on frames that differ from ours: see verdict.py.
    missed: int = 0
    invented: int = 0
    unsettled: int = 0
    differing: list = field(default_factory=list)
    #: The result with swept caches, if requested; only its about and frames count.
    cold: object = None

    @property
    def mean(self):
        return sum(f.us for f in self.frames) / len(self.frames) if self.frames else float("nan")

    @property
    def count(self):
        return sum(f.count for f in self.frames)


def command(engine, scene, query):
    return [engine.program, scene.path, "--query", query, *engine.arguments]


def race(engine, scene, query, repeat, core, limit, record, sweep=0):
    """Runs with warm caches, and with `sweep` bytes read before each query also with cold ones. Never raises:
    a failure becomes the result's problem, which is reported."""
    result = Result(scene, engine, query)
    if engine.problem or scene.problem:
        result.problem = f"not built: {engine.problem}" if engine.problem else f"no scene: {scene.problem}"
        return result
    words, name = command(engine, scene, query), engine.name.replace(":", "_").replace("=", "-")
    called = f"{scene.name}.{name}.{query}"
    run(result, [*words, "--repeat", repeat], core, limit, record, called)
    if sweep and not result.problem:
        cold = result.cold = Result(scene, engine, query)
        run(
            cold,
            [*words, "--repeat", repeat, "--sweep", sweep],
            core,
            limit,
            record,
            f"{called}.cold",
        )
        answers = [[(f.hit, f.count, f.digest) for f in r.frames] for r in (result, cold)]
        if not cold.problem and answers[0] != answers[1]:
            cold.problem = "a result that differs from that with warm caches"
    return result


def run(result, words, core, limit, record, called):
    """Runs a runner into `result`, and records its output."""
    try:
        text = printed(words, core, limit)
    except Failed as why:
        result.problem = str(why)
        return
    record.add(called, text)
    try:
        read(result, text)
    except (ValueError, IndexError) as why:
        result.problem, result.frames = f"failed: its output does not keep the contract: {why}", []


def read(result, text):
    about, lines = rows(text)
    result.about.update(about)
    for words in lines:
        if int(words[0]) != len(result.frames):
            raise ValueError(f"frame {words[0]} where {len(result.frames)} was due")
        result.frames.append(Frame(float(words[1]), words[2] == "1", int(words[3]), words[4]))
    if len(result.frames) != result.scene.frames:
        raise ValueError(f"{len(result.frames)} frames of {result.scene.frames}")
    for key in ("engine", "version", "flags", "notes", "build_ms", "bytes"):
        if key not in result.about:
            raise ValueError(f"no #{key}")
