"""Reads names of a file of pairs without numpy: contract/src/pairs.rs describes the format."""

import struct


def names(path):
    """For each pair its name, and whether both bodies equal their meshes, without pieces."""
    with open(path, "rb") as file:
        data = file.read()
    at = 8

    def number():
        nonlocal at
        at += 4
        return struct.unpack_from("<I", data, at - 4)[0]

    def skip_mesh():
        nonlocal at
        points, triangles = number(), number()
        at += 24 * points + 12 * triangles

    if data[:8] != b"IMPPAIRS" or number() != 1:
        raise ValueError(f"{path}: no pairs of version 1")
    found = []
    for _ in range(number()):
        size = number()
        name = data[at : at + size].decode()
        at += size
        plain = True
        for _ in range(2):
            number()
            skip_mesh()
            pieces = number()
            plain = plain and pieces == 0
            for _ in range(pieces):
                number()
                skip_mesh()
            at += 96
        found.append((name, plain))
    return found
