"""Common volume of two solids, by manifold3d: `manifold.py volumes PAIRS` or `race PAIRS PASSES`.

Volumes: a line per pair: pair, common volume, volumes of both; `-` if a body is not a two-manifold. A race
has the format of the other runners; placing, rounded, is outside the clock. """

import importlib.metadata
import statistics
import sys
import time
from pathlib import Path

import manifold3d
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parent))
import pairs  # noqa: E402  (beside this file)


def arrays(body):
    points, triangles = body.merged()
    return (
        numpy.ascontiguousarray(points, dtype=numpy.float64),
        numpy.ascontiguousarray(triangles, dtype=numpy.uint64),
    )


def solid(points, triangles):
    made = manifold3d.Manifold(manifold3d.Mesh64(points, triangles))
    if made.status() != manifold3d.Error.NoError:
        raise ValueError(str(made.status()))
    return made


def head():
    print("#engine\tmanifold3d, (A ^ B).volume()")
    print(f"#version\t{importlib.metadata.version('manifold3d')}")
    print("#flags\tPyPI's wheel")


def volumes(path):
    head()
    for index, (_, *bodies) in enumerate(pairs.read(path)):
        if not all(body.manifold for body in bodies):
            print(f"{index}\t-\t-\t-")
            continue
        try:
            a, b = (solid(*arrays(body)) for body in bodies)
        except ValueError as why:
            print(f"{index}\tfailed: {why}\t-\t-")
            continue
        print(f"{index}\t{(a ^ b).volume()!r}\t{a.volume()!r}\t{b.volume()!r}")


def race(path, passes):
    head()
    made = []
    for _, *bodies in pairs.read(path):
        both = [arrays(body) for body in bodies]
        try:
            made.append((both, [solid(*one) for one in both], [], [], []))
            [one.volume() for one in made[-1][1]]
        except ValueError as why:
            made.append((both, f"failed: {why}", [], [], []))
    clock = time.process_time_ns
    for number in range(passes + 1):
        for both, solids, answer, alone, whole in made:
            if isinstance(solids, str):
                continue
            a, b = solids
            start = clock()
            found = (a ^ b).volume() > 0
            asked = clock()
            c, d = (manifold3d.Manifold(manifold3d.Mesh64(*one)) for one in both)
            (c ^ d).volume()
            end = clock()
            answer[:] = ["volume" if found else "no-volume"]
            if number:
                alone.append((asked - start) / 1e3)
                whole.append((end - asked) / 1e3)
    for index, (_, solids, answer, alone, whole) in enumerate(made):
        if isinstance(solids, str):
            print(f"{index}\t{solids}\t-\t-")
        else:
            print(f"{index}\t{answer[0]}\t{statistics.median(alone):.2f}\t{statistics.median(whole):.2f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["volumes"] and len(sys.argv) == 3:
        volumes(sys.argv[2])
    elif sys.argv[1:2] == ["race"] and len(sys.argv) == 4:
        race(sys.argv[2], int(sys.argv[3]))
    else:
        sys.exit("usage: manifold.py volumes PAIRS | race PAIRS PASSES")
