"""Differences between an engine and ours: the exact oracle decides which of the two is right."""

import subprocess

from .programs import printed
from .race import command
from .shell import Failed

#: Maximum number of lines of one engine, scene and query in differences.tsv: some engines invent hundreds of
#: thousands of pairs.
LISTED = 500


def dump(engine, scene, frames, core, limit):
    """Pairs of the given frames: {frame: set of (i, j)}."""
    words = [*command(engine, scene, "pairs"), "--dump", ",".join(map(str, frames))]
    try:
        text = printed(words, core, limit)
    except Failed as why:
        raise Failed(f"{engine.name} on {scene.name}: listing pairs: {why}") from None
    pairs = {frame: set() for frame in frames}
    at = frames[0]
    for line in text.splitlines():
        first, second = line.split("\t")
        if first == "#frame":
            at = int(second)
        else:
            pairs[at].add((int(first), int(second)))
    return pairs


def ask(oracle, scene, questions, limit):
    """{(frame, i, j): whether they truly intersect}."""
    if not questions:
        return {}
    text = "".join(f"{frame}\t{i}\t{j}\n" for frame, i, j in sorted(questions))
    try:
        done = subprocess.run([oracle, scene.path], input=text, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        raise Failed(f"the oracle on {len(questions)} pairs of {scene.name}: over {limit} s") from None
    if done.returncode:
        raise Failed(f"the oracle on {scene.name}: {done.stderr.strip()[:200]}")
    rows = [tuple(map(int, line.split("\t"))) for line in done.stdout.splitlines()]
    if len(rows) != len(questions):
        raise Failed(f"the oracle on {scene.name}: {len(rows)} results for {len(questions)} pairs")
    return {row[:3]: bool(row[3]) for row in rows}


def judge(ours, theirs, oracle, core, limit, details):
    """Compares one result with ours. Writes each settled difference to `details`; returns our bugs, as
    text."""
    scene, name = theirs.scene, theirs.engine.name
    if theirs.query == "pairs":
        frames = [
            k
            for k, (x, y) in enumerate(zip(ours.frames, theirs.frames))
            if (x.digest, x.count) != (y.digest, y.count)
        ]
    else:
        frames = [k for k, (x, y) in enumerate(zip(ours.frames, theirs.frames)) if x.hit != y.hit]
    theirs.differing = frames
    if not frames:
        return []
    mine, other = (dump(r.engine, scene, frames, core, limit) for r in (ours, theirs))
    bugs, noted = [], 0

    def note(frame, i, j, words):
        nonlocal noted
        noted += 1
        if noted <= LISTED or "OUR" in words:
            details.write(f"{scene.name}\t{theirs.query}\t{name}\t{frame}\t{i}\t{j}\t{words}\n")

    if theirs.query == "pairs":
        truth = ask(oracle, scene, {(k, i, j) for k in frames for i, j in mine[k] ^ other[k]}, limit)
        for (frame, i, j), true in truth.items():
            ours_has_it = (i, j) in mine[frame]
            if ours_has_it and true:
                theirs.missed += 1
                note(frame, i, j, "missed")
            elif not ours_has_it and not true:
                theirs.invented += 1
                note(frame, i, j, "invented")
            else:
                what = "invented" if ours_has_it else "missed"
                bugs.append(
                    f"{scene.name}, frame {frame}, triangles {i} and {j}: {what} by impinge (differs from "
                    f"{name})"
                )
                note(frame, i, j, f"OUR BUG: {what}")
        # The run's count differs from the list: the engine is not deterministic.
        quiet = [k for k in frames if mine[k] == other[k]]
        theirs.unsettled += len(quiet)
        for k in quiet:
            note(k, "-", "-", "unsettled: a second run gives another result")
        if noted > LISTED:
            details.write(f"{scene.name}\t{theirs.query}\t{name}\t-\t-\t-\tand {noted - LISTED} more\n")
        return bugs
    truth = ask(oracle, scene, {(k, i, j) for k in frames for i, j in mine[k] | other[k]}, limit)
    for k in frames:
        meets = any(true for (frame, _, _), true in truth.items() if frame == k)
        ours_hit = ours.frames[k].hit
        if meets == ours_hit and (ours_hit or other[k]):
            theirs.missed += ours_hit
            theirs.invented += not ours_hit
            note(k, "-", "-", "missed" if ours_hit else "invented")
        elif ours_hit or meets:
            what = "invented" if ours_hit else "missed"
            bugs.append(f"{scene.name}, frame {k}: a first contact {what} by impinge (differs from {name})")
            note(k, "-", "-", f"OUR BUG: {what}")
        else:  # it reports a hit without a pair that the oracle could check
            theirs.unsettled += 1
            note(k, "-", "-", "unsettled: a hit without a pair to check")
    return bugs
