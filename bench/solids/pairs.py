"""Reads and writes files of pairs of solids: contract/src/pairs.rs describes the format."""

import struct
from dataclasses import dataclass, field

import numpy

HERE = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass
class Body:
    points: numpy.ndarray
    triangles: numpy.ndarray
    #: An embedded two-manifold that faces outwards.
    manifold: bool = True
    pieces: int = 0
    rows: numpy.ndarray = field(default_factory=lambda: numpy.array(HERE))
    translation: numpy.ndarray = field(default_factory=lambda: numpy.zeros(3))

    def placed(self):
        """Points at the pose, rounded."""
        return self.points @ self.rows.T + self.translation

    def merged(self):
        """Points without a pose, and triangles that share them; reversed if the pose mirrors."""
        points, index = numpy.unique(self.points + 0.0, axis=0, return_inverse=True)
        body = Body(points, index.reshape(-1)[self.triangles], rows=self.rows, translation=self.translation)
        triangles = body.triangles
        if numpy.linalg.det(self.rows) < 0:
            triangles = triangles[:, ::-1]
        return body.placed(), triangles


class Reader:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        self.at = 0

    def take(self, size):
        self.at += size
        return self.bytes[self.at - size : self.at]

    def number(self):
        return struct.unpack("<I", self.take(4))[0]

    def array(self, count, kind, columns):
        return numpy.frombuffer(self.take(count * numpy.dtype(kind).itemsize), kind).reshape(-1, columns)

    def mesh(self):
        points, triangles = self.number(), self.number()
        return self.array(3 * points, "<f8", 3), self.array(3 * triangles, "<u4", 3)

    def body(self):
        manifold = self.number() == 1
        points, triangles = self.mesh()
        pieces = self.number()
        for _ in range(pieces):
            self.number()
            self.mesh()
        pose = self.array(12, "<f8", 3)
        return Body(points, triangles, manifold, pieces, pose[:3], pose[3])


def read(path):
    """Pairs: a name and two bodies each."""
    reader = Reader(path)
    if reader.take(8) != b"IMPPAIRS" or reader.number() != 1:
        raise ValueError(f"{path}: no pairs of version 1")
    return [
        (reader.take(reader.number()).decode(), reader.body(), reader.body()) for _ in range(reader.number())
    ]


def write(path, pairs):
    """Pairs of bodies without pieces."""
    out = [b"IMPPAIRS", struct.pack("<II", 1, len(pairs))]
    for name, *bodies in pairs:
        name = name.encode()
        out += [struct.pack("<I", len(name)), name]
        for body in bodies:
            out.append(struct.pack("<III", body.manifold, len(body.points), len(body.triangles)))
            out += [body.points.astype("<f8").tobytes(), body.triangles.astype("<u4").tobytes()]
            out += [struct.pack("<I", 0), numpy.vstack([body.rows, body.translation]).astype("<f8").tobytes()]
    with open(path, "wb") as file:
        file.write(b"".join(out))
