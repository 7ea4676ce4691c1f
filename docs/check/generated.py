"""Generated tables of pages, one function a block: see figures.py."""

from __future__ import annotations

from records import about, cell, figure, row, runs, table

# Folder: what the record is, and its heading in TABLES.md.
RECORDS = {
    "bench/records/pairs": ("all pairs and first contact, 43 scenes", "all-pairs-and-first-contact"),
    "bench/records/near": ("distance and clearance, Zen 5", "distance-and-clearance-zen-5"),
    "bench/records/near-zen1": ("distance and clearance, Zen 1", "distance-and-clearance-zen-1"),
    "bench/records/many": ("scenes of many bodies, broad phases", "many-bodies"),
    "bench/records/assemblies": ("`impinge check --surfaces` on whole files", "whole-assemblies"),
    "bench/records/solids": ("relations and volumes of solids", "solids"),
    "bench/records/curves": ("intersection curves", "intersection-curves"),
    "bench/records/points": ("nearest points, rays, point location", "points-and-rays"),
    "bench/records/cold": ("nine scenes with cold caches", "cold-caches"),
}


def grid(head: list[str], align: str, rows: list[list[str]]) -> str:
    """A Markdown table; `align` has l or r for each column."""
    lines = [f"| {' | '.join(row)} |" for row in [head, *rows]]
    lines.insert(1, "|" + "|".join("---" if side == "l" else "---:" for side in align) + "|")
    return "\n".join(lines) + "\n"


def records_used() -> str:
    rows = []
    for name, (what, heading) in RECORDS.items():
        made = about(name)
        commit = made["revision"].split()[0]
        processor = made.get("Model name", "?").replace("(R)", "").replace(" Processor", "")
        rows.append(
            [
                f"[{what}](../bench/TABLES.md#{heading})",
                made["date"].split()[0],
                f"`{commit[:7]}`",
                processor,
            ]
        )
    return grid(["record", "date", "revision", "processor"], "llll", rows)


SCENES = {
    "spheres-l1": "two spheres pass through each other, 20,480 triangles each",
    "spheres-nested": "a sphere inside one 3 % larger, 20,480",
    "knots-l3": "two knots 0.001 apart along a curve, 11,000",
    "horses": "two horses slowly part, 96,966",
    "hands": "dragons (a stand-in for the paper's hands), 202,520",
    "tumble-motor": "a motor, CAD, 20,228",
    "tumble-saw": "a reciprocating saw, CAD, 198,470",
    "held-ur5": "a UR5 robot, CAD, 95,694, not used for tuning",
    "rods": "thin rods in all directions, 9,996",
    "asm-saw": "the saw's assembly as designed: faces coincide",
    "asm-house-moved": "a house's assembly, both halves moved: faces coincide",
    "geometric mean": "geometric mean of all 43 scenes",
}


def race(caption: str) -> str:
    rivals = {"fcl-obb": "FCL 0.7, OBB", "coal-obb": "Coal 3, OBB", "parry3d-f64": "parry3d-f64"}
    source = table("bench/records/pairs", caption)
    rows = []
    for scene, what in SCENES.items():
        times = row(source, scene)
        name = f"`{scene}`: {what}" if " " not in scene else what
        rows.append(
            [
                name,
                times["impinge"],
                *(times[rival].strip("()") if " " in scene else times[rival] for rival in rivals),
            ]
        )
    return grid(["scene", "impinge", *rivals.values()], "lrrrr", rows)


def all_pairs() -> str:
    return race("All pairs")


def first_contact() -> str:
    return race("First contact")


NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def _word(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def _faster_parry() -> tuple[list[str], int]:
    """Scenes whose first contact parry finds faster than impinge, and the number of all scenes."""
    source = table("bench/records/pairs", "First contact")
    every = [dict(zip(source.head, cells)) for cells in source.rows]
    scenes = {times["scene"]: times for times in every if " " not in times["scene"]}
    measured = {name: times for name, times in scenes.items() if "(" in times["parry3d-f64"]}
    faster = [name for name, times in measured.items() if float(cell(times, "parry3d-f64 x")) < 1]
    if not all(name.startswith("asm-") for name in faster):
        raise LookupError(f"parry is faster on a scene whose parts do not touch: {', '.join(faster)}")
    return faster, len(scenes)


def parry_on_the_readme() -> str:
    """README: where another library is faster."""
    faster, scenes = _faster_parry()
    costs = table("bench/records/pairs", "Costs")
    ours, theirs = (float(row(costs, name)["Mtri/s"]) for name in ("impinge", "parry3d-f64"))
    builds = ", and it builds trees faster" if theirs > ours else ""
    return (
        f"Where parts touch, others are at times faster: parry3d at first contact in {_word(len(faster))} of {scenes} scenes"
        f"{builds}.\n"
    )


def parry_at_first_contact() -> str:
    """speed.md: the same, with an example."""
    faster, _ = _faster_parry()
    example = "asm-house-moved" if "asm-house-moved" in faster else faster[0]
    return (
        f"parry is faster than impinge in {_word(len(faster))} assembly scenes whose parts touch, such as "
        f"`{example}`.\n"
    )


def race_summary() -> str:
    """COMPARISON.md: the rivals' time over ours."""
    record = "bench/records/pairs"
    rivals = ["fcl-obb", "coal-obb", "parry3d-f64"]
    costs = [row(table(record, "Costs"), name) for name in ["impinge", *rivals]]
    rows: list[list[str]] = []
    for title in ["All pairs", "First contact"]:
        ratios = [row(table(record, f"{title}, means"), rival) for rival in rivals]
        rows += [
            [
                f"{title.lower()}, geometric mean",
                *(f"{of['x ours, geometric mean']} ({of['scenes']} scenes)" for of in ratios),
            ],
            [f"{title.lower()}, least scene", *(of["least"] for of in ratios)],
        ]
        if title == "All pairs":
            wrong = [f"{of['missed']}; {of['invented']}" for of in ratios]
    for what, column in [
        ("build, million triangles a second", "Mtri/s"),
        ("tree, bytes a triangle", "bytes a triangle"),
    ]:
        ours, *theirs = (of[column] for of in costs)
        rows.append([f"{what} (ours {ours})", *theirs])
    rows.append(["pairs missed; invented, all scenes", *wrong])
    head = ["rival's time over ours", "FCL 0.7.0, OBB", "Coal 3.0.3, OBB", "parry3d-f64 0.31.1"]
    return grid(head, "lrrr", rows)


def distance() -> str:
    rivals = {"fcl-obbrss": "FCL 0.7, OBBRSS", "coal-obbrss": "Coal 3, OBBRSS", "parry3d-f64": "parry3d-f64"}
    source = table("bench/records/near", "Distance")
    rows = []
    for scene, *_ in source.rows:
        named = row(source, scene)
        mean = scene == "geometric mean"
        rows.append(
            [
                scene if mean else f"`{scene}`",
                named["impinge"],
                *(named[rival].strip("()") if mean else named[rival] for rival in rivals),
            ]
        )
    return grid(["scene", "impinge", *rivals.values()], "lrrrr", rows)


def many() -> str:
    rows = []
    for what, caption, ours, fcl in [
        ("200 teapots that all move, which bodies meet", "200 bodies, which meet", "impinge", "fcl-obb"),
        (
            "200 teapots that all move, all pairs of triangles",
            "200 bodies, all pairs of triangles",
            "impinge",
            "fcl-obb",
        ),
        (
            "100,000 boxes that all move, which meet",
            "100,000 boxes, which meet",
            "impinge-tree",
            "fcl-tree",
        ),
    ]:
        source = table("bench/records/many", caption)
        times = [row(source, name) for name in (ours, fcl, "parry3d-f64")]
        own, *theirs = (of["ms a frame"] for of in times)
        rows.append([what, own, *(f"{ms} ({of['x ours']})" for ms, of in zip(theirs, times[1:]))])
    return grid(["milliseconds a frame", "impinge", "FCL 0.7", "parry3d-f64"], "lrrr", rows)


def solids() -> str:
    record = "bench/records/solids"
    names = {
        "manifold3d": "Manifold 3.5.4 (`manifold3d`)",
        "cgal-corefine": "CGAL 5.5.1, corefinement",
        "cgal-rigid": "CGAL 5.5.1, rigid collision",
        "manifold-rust": "manifold-rust",
    }
    rows = []
    for rival, name in names.items():
        relation = row(table(record, "Relation"), rival)
        volumes = {cells[0]: cells[1] for cells in table(record, "Volume").rows}
        rows.append(
            [
                name,
                relation["query: mean"],
                relation["query: rival faster"],
                relation["whole, on demand: mean"],
                volumes.get(rival, "-"),
            ]
        )
    return grid(
        [
            "rival's time over ours",
            "relation",
            "pairs where the rival is faster",
            "relation, models built each time",
            "volume",
        ],
        "lrrrr",
        rows,
    )


def assemblies() -> str:
    source = table("bench/records/assemblies", "Ratios")
    rows = [[f"`{file}`", *(of.removesuffix(" under") for of in ratios)] for file, _, *ratios in source.rows]
    bars = [
        "whole process, x CGAL",
        "without reading, x CGAL",
        "without reading, x FCL",
        "without reading, x parry",
    ]
    means = (figure(f"bench/records/assemblies | Bars | {bar}, geometric mean | found") for bar in bars)
    rows.append(["geometric mean", *means])
    head = ["file", *(name.removeprefix("x ").split(" (")[0] for name in source.head[2:])]
    return grid(head, "lrrrr", rows)


def points() -> str:
    """Times of parry and CGAL over ours, by query."""
    names = {"closest": "closest point", "inside": "inside or not"}
    rows = [[names.get(what, what), *ratios] for what, *ratios in table("bench/records/points", "Ranges").rows]
    return grid(["rival's time over ours: mean (range)", "parry3d-f64 0.31", "CGAL 5.5.1"], "lrr", rows)


def matrices() -> str:
    """robots.md: pairs of links that SRDF files disable."""
    folder = "bench/records/matrices"
    source = table(folder, "Matrices")
    every = [dict(zip(source.head, cells)) for cells in source.rows]
    names = ("disabled", "never", "wrong")
    rows = [[one["robot"], one["source"], *(one[name] for name in names)] for one in every]
    rows.append(["all", "", *(str(sum(int(one[name]) for one in every)) for name in names)])
    made = about(folder)
    words = f"{made['date'].split()[0]}, revision `{made['revision'][:7]}`; run again: `{made['command']}`."
    head = ["robot", "source", "disabled pairs", "that move, said never to collide", "that do collide"]
    return words + "\n\n" + grid(head, "llrrr", rows)


PROXIES = "bench/records/proxies"


def _models(*, spheres: bool) -> list[dict[str, str]]:
    source = table(PROXIES, "Models")
    every = [dict(zip(source.head, cells)) for cells in source.rows]
    return [one for one in every if (one["model"] != "collision") == spheres]


def _grown(one: dict[str, str]) -> list[str]:
    """What the repair did: growth, mean excess, links covered."""
    links = int(one["links"])
    if one["fix: links grown"] == "-":
        return ["-", "-", "-"]
    if one["fix: links grown"] == "0":
        return ["no radii", "-", "-"]
    return [one["fix: grown mm"], one["fix: excess mm"], f"{one['fix: covered']} of {links}"]


def _robot(one: dict[str, str]) -> str:
    return one["robot"] + (f", without {one['left out']}" if one["left out"] != "-" else "")


def _covered(one: dict[str, str]) -> str:
    return f"{int(one['covered']) + int(one['nearly'])} of {one['links']}"


def proxy_spheres() -> str:
    """proxies.md: models of spheres."""
    rows = []
    for one in _models(spheres=True):
        apart = one["robot: covered"] != str(int(one["covered"]) + int(one["nearly"]))
        differs = apart or one["robot: worst mm"] != one["worst mm"]
        together = f"{one['robot: covered']}; {one['robot: worst mm']}" if differs else ""
        moving = one["worst link"] != one["moving: worst link"]
        rows.append(
            [
                _robot(one),
                f"{one['source']}: `{one['model']}`",
                "" if one["geometry"] == "visual" else one["geometry"],
                _covered(one),
                one["undecided"],
                one["no shape"],
                f"{one['worst mm']} ({one['worst link']})",
                f"{one['moving: worst mm']} ({one['moving: worst link']})" if moving else "",
                together,
                one["excess mm"],
                one["volume"].partition(" ")[0],
                *_grown(one),
            ]
        )
    head = ["robot", "spheres", "of", "covered", "?", "none", "worst, mm", "worst that moves"]
    head += ["with neighbours", "excess", "volume", "grown by", "excess then", "covered then"]
    return grid(head, "lllrrrllrrrrrr", rows)


def proxy_collisions() -> str:
    """proxies.md: collision geometry of the robots' own files."""
    rows = []
    for one in _models(spheres=False):
        rows.append(
            [
                _robot(one),
                one["source"],
                _covered(one),
                one["undecided"],
                one["no shape"],
                f"{one['worst mm']} ({one['worst link']})" if one["worst link"] != "-" else "",
                one["excess mm"],
                one["volume"].partition(" ")[0],
                *_grown(one),
            ]
        )
    head = ["robot", "source", "covered", "?", "none", "worst, mm", "excess", "volume"]
    return grid([*head, "grown by", "excess then", "covered then"], "llrrrlrrrrr", rows)


def proxy_sources() -> str:
    """proxies.md: date, revision and sources of the record."""
    made = about(PROXIES)
    rows = [[f"[{name}]({address})", version[:10]] for name, version, address in table(PROXIES, "Engines").rows]
    failed = table(PROXIES, "Failed").rows
    words = f"{made['date'].split()[0]}, revision `{made['revision'][:7]}`; run again: `{made['command']}`."
    lines = "".join(f"* not checked: {robot}, {model} of {source}: {why}\n" for robot, model, source, _, why in failed)
    return words + "\n\n" + grid(["source", "version"], "ll", rows) + (f"\n{lines}" if lines else "")


def proxy_example() -> str:
    """proxies.md: the output of one robot."""
    return f"```text\n{runs(PROXIES)['example'].rstrip()}\n```\n"
