"""The engines of the race."""

from dataclasses import dataclass, field

from . import build
from .shell import Failed, say

OURS = "impinge"


@dataclass
class Engine:
    name: str
    maker: object
    arguments: list = field(default_factory=list)
    program: object = None
    #: Reason that it cannot take part.
    problem: str = ""


def listed(name, maker, *arguments):
    return name, (maker, list(arguments))


def own(volume, leaf, arity=2):
    """A volume of the papers with the options that proved fastest (papers/docs/measurements.md). All options are given,
    as the library's defaults may change."""
    return listed(
        f"{OURS}-{volume}", build.impinge, "--volume", volume, "--leaf-size", str(leaf), "--arity", str(arity)
    )


#: The first ones race by default.
KNOWN = dict(
    [
        listed(OURS, build.impinge),
        own("aabb", leaf=4),
        own("obb", leaf=2),
        own("scb", leaf=2),
        own("dop18", leaf=2, arity=4),
        listed("fcl-obb", build.fcl, "--volume", "obb"),
        listed("fcl-obbrss", build.fcl, "--volume", "obbrss"),
        listed("coal-obb", build.coal, "--volume", "obb"),
        listed("coal-obbrss", build.coal, "--volume", "obbrss"),
        listed("parry3d", build.parry3d),
        listed("parry3d-f64", build.parry3d_f64),
        listed("opcode", build.opcode, "--test", "full"),
        listed("opcode-lite", build.opcode, "--test", "lite"),
        listed("bullet", build.bullet),
        listed("cgal-tree", build.cgal, "--method", "tree"),
        listed("cgal-boxes", build.cgal, "--method", "boxes"),
    ]
)
EXTRA = dict(
    [
        own("boxtree", leaf=4),
        own("sphere", leaf=2),
        listed("parry3d-f64-gjk", build.parry3d_f64, "--triangles", "gjk"),
        listed("opcode-quantised", build.opcode, "--test", "lite", "--tree", "quantised"),
        listed("bullet-plain", build.bullet, "--test", "plain"),
    ]
)


def parse(names):
    """Engines by name; `NAME:option=value:option=value` passes options to an engine. Ours is always the
    first."""
    engines = []
    for wanted in dict.fromkeys([OURS, *names]):
        name, *options = wanted.split(":")
        if name not in KNOWN and name not in EXTRA:
            raise Failed(f"there is no engine `{name}`; the engines are {', '.join([*KNOWN, *EXTRA])}")
        maker, arguments = {**KNOWN, **EXTRA}[name]
        for option in options:
            key, equals, value = option.partition("=")
            if not equals:
                raise Failed(f"`{wanted}`: options are written NAME:option=value")
            arguments = [*arguments, f"--{key}", value]
        engines.append(Engine(wanted, maker, arguments))
    return engines


def make(engines):
    """Builds the engines; one that cannot be built keeps the reason."""
    made = {}
    for engine in engines:
        if engine.maker not in made:
            say(f"build {engine.name.split(':')[0]}")
            try:
                made[engine.maker] = (engine.maker(), "")
            except Failed as why:
                made[engine.maker] = (None, str(why))
                say(f"  NOT BUILT: {why}")
                if engine.maker is build.impinge:
                    raise  # nothing to compare with
        engine.program, engine.problem = made[engine.maker]
    return engines
