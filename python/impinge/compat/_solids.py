"""Pairs of bodies of which convex ones are full, as other packages have it: where, how deep, how far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import impinge

Floats = NDArray[np.float64]

# Of more pairs of edges directions are not tried one by one.
MOST_EDGE_PAIRS = 250_000


@dataclass(frozen=True, slots=True)
class Shape:
    """A body, and whether it counts as full."""

    body: impinge.Body
    is_convex: bool

    @property
    def corners(self) -> Floats:
        """The vertices of its faces in the world, rounded."""
        return self.place(self.body.model.mesh.vertices)

    def place(self, points: Floats) -> Floats:
        """Points of its own frame in the world, rounded."""
        pose = self.body.pose
        return np.asarray(points @ pose[:3, :3].T + pose[:3, 3])

    @property
    def triangles(self) -> Floats:
        """The corners of each face in the world: shape (M, 3, 3)."""
        return np.asarray(self.corners[self.body.model.mesh.faces])

    @property
    def bounds(self) -> Floats:
        """The least and the greatest coordinates, rounded outwards: shape (2, 3)."""
        mesh = self.body.model.mesh
        if len(mesh) == 0:
            return np.array([[np.inf] * 3, [-np.inf] * 3])
        used = self.place(mesh.vertices[np.unique(mesh.faces)])
        least, most = used.min(axis=0), used.max(axis=0)
        # Sums of products of four numbers, each some roundings off.
        off = 1e-14 * np.maximum(np.abs(least), np.abs(most)).max()
        off += 1e-14 * np.abs(self.body.pose[:3, :3]).max() * np.abs(mesh.vertices).max(initial=0.0)
        return np.array([least - off, most + off])


@dataclass(frozen=True, slots=True)
class Contact:
    """Where two bodies meet."""

    triangles: tuple[int, int]
    """A face of each."""
    point: Floats
    """A point that both have."""
    normal: Floats
    """The direction from the first to the second in which they are in each other."""
    depth: float
    """How far."""


def overlap(a: Floats, b: Floats) -> bool:
    """Whether two bounds meet."""
    return bool((a[0] <= b[1]).all() and (b[0] <= a[1]).all())


def apart(a: Floats, b: Floats) -> float:
    """How far two bounds are apart: no more than the bodies are."""
    return float(np.linalg.norm(np.maximum(0, np.maximum(a[0] - b[1], b[0] - a[1])))) * (1 - 1e-12)


def all_apart(many: Floats, one: Floats) -> Floats:
    """The same of many bounds, of shape (N, 2, 3), and one."""
    gaps = np.maximum(0, np.maximum(many[:, 0] - one[1], one[0] - many[:, 1]))
    return np.asarray(np.linalg.norm(gaps, axis=1) * (1 - 1e-12))


def meet(a: Shape, b: Shape) -> bool:
    """Whether two bodies meet: their surfaces, or the surface of one and the inside of a convex one."""
    return impinge.intersects(a.body, b.body) or _holds(a, b) or _holds(b, a)


def _holds(full: Shape, other: Shape) -> bool:
    """Whether a convex body has a vertex of another one inside, the surfaces not meeting."""
    if not full.is_convex or not full.body.model.status.is_closed:
        return False
    mesh = other.body.model.mesh
    # The surface of the one is inside or outside as a whole, for each of its connected parts.
    used = np.unique(mesh.faces) if other.body.model.shells != 1 else mesh.faces[:1, 0]
    return bool(impinge.contains(full.body, other.place(mesh.vertices[used])).any())


def contacts(a: Shape, b: Shape, most: int | None = None) -> list[Contact]:
    """Where two bodies meet: one contact of two convex bodies, else one for each pair of faces that meet."""
    if a.is_convex and b.is_convex:
        return [convex_contact(a, b)] if meet(a, b) else []
    pairs = impinge.pairs(a.body, b.body)
    if len(pairs) == 0:
        return [_held(a, b)] if meet(a, b) else []
    pairs = pairs[:most]
    points = impinge.contact_points(a.body, b.body, pairs)
    normals, depths = _separations(a.triangles[pairs[:, 0]], b.triangles[pairs[:, 1]])
    return [
        Contact((int(i), int(j)), point, normal, float(depth))
        for (i, j), point, normal, depth in zip(pairs, points, normals, depths, strict=True)
    ]


def _held(a: Shape, b: Shape) -> Contact:
    """Of a surface that is inside of a convex body and touches nothing of it."""
    full, other = (a, b) if _holds(a, b) else (b, a)
    where = impinge.closest_points(full.body, other.corners)
    deepest = int(np.nanargmax(where.hi))
    corner, point = other.corners[deepest], where.points[deepest]
    outward = (point - corner) / np.linalg.norm(point - corner)
    face, found = int(where.triangles[deepest]), np.argwhere(other.body.model.mesh.faces == deepest)
    of_other = int(found[0, 0]) if len(found) else 0
    if full is a:
        return Contact((face, of_other), corner, outward, float(where.hi[deepest]))
    return Contact((of_other, face), corner, -outward, float(where.hi[deepest]))


def _normals(triangles: Floats) -> Floats:
    """Unit normals of triangles; 0 of those that have none."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.asarray(np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0))


def _separations(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Of pairs of triangles, along which of their two normals the least shift parts them, and how long it is.

    Directions run from the first triangle to the second.
    """
    best = np.zeros((len(a), 3))
    depths = np.full(len(a), np.inf)
    for normals in (_normals(a), _normals(b)):
        for sign in (1.0, -1.0):
            along = sign * normals
            of_a = np.einsum("kij,kj->ki", a, along).max(axis=1)
            of_b = np.einsum("kij,kj->ki", b, along).min(axis=1)
            depth = np.where(np.abs(along).max(axis=1) > 0, of_a - of_b, np.inf)
            better = depth < depths
            best[better], depths[better] = along[better], depth[better]
    return best, np.where(np.isfinite(depths), np.maximum(depths, 0), 0)


def convex_contact(a: Shape, b: Shape) -> Contact:
    """Of two convex bodies that meet: the shortest translation that parts them, and its middle.

    Directions are the normals of the first's faces in their order, those of the second's, and the products of
    edges; of equally short ones the first counts, and of equally deep vertices, too. Where there are too many
    edges, a translation that `impinge.penetration` proves stands for them.
    """
    normals_a, normals_b = (_normals(shape.triangles) for shape in (a, b))
    corners_a, corners_b = (shape.corners[np.unique(shape.body.model.mesh.faces)] for shape in (a, b))
    directions = np.concatenate([normals_a, -normals_b])
    edges_a, edges_b = _edges(a), _edges(b)
    if len(edges_a) * len(edges_b) <= MOST_EDGE_PAIRS:
        products = np.cross(edges_a[:, None], edges_b[None]).reshape(-1, 3)
        lengths = np.linalg.norm(products, axis=1)
        # Of edges that are nearly parallel the product is noise.
        products = products[lengths > 1e-9] / lengths[lengths > 1e-9, None]
        directions = np.concatenate([directions, products, -products])
    else:
        clear_by = impinge.penetration(a.body, b.body).clear_by
        if clear_by is not None and np.any(clear_by):
            directions = np.concatenate([directions, [clear_by / np.linalg.norm(clear_by)]])
    reach_a = np.concatenate([(corners_a @ part.T).max(axis=0) for part in np.array_split(directions, 64)])
    reach_b = np.concatenate([(corners_b @ part.T).min(axis=0) for part in np.array_split(directions, 64)])
    depths = np.where(np.abs(directions).max(axis=1) > 0, reach_a - reach_b, np.inf)
    size = np.abs(corners_a).max() + np.abs(corners_b).max()
    first = int(np.argmax(depths <= depths.min() + 1e-12 * size))
    normal, depth = directions[first], max(0.0, float(depths[first]))
    # The vertex of the second that is deepest in the first.
    heights = b.corners @ normal
    used = np.unique(b.body.model.mesh.faces)
    vertex = int(used[np.argmax(heights[used] <= heights[used].min() + 1e-12 * size)])
    faces = first if first < len(normals_a) else int(np.argmax(normals_a @ normal))
    of_b = int(np.argwhere(b.body.model.mesh.faces == vertex)[0, 0])
    return Contact((faces, of_b), b.corners[vertex] + normal * (depth / 2), normal, depth)


def _edges(shape: Shape) -> Floats:
    """Unit vectors along edges between faces that are not in one plane."""
    faces, corners = shape.body.model.mesh.faces.astype(np.int64), shape.corners
    normals = _normals(corners[faces])
    ends = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    order = np.lexsort(ends.T)
    ends, of = ends[order], np.tile(np.arange(len(faces)), 3)[order]
    twins = (ends[1:] == ends[:-1]).all(axis=1)
    bent = np.einsum("ij,ij->i", normals[of[1:]], normals[of[:-1]]) < 1 - 1e-12
    chosen = ends[:-1][twins & bent]
    vectors = corners[chosen[:, 1]] - corners[chosen[:, 0]]
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = vectors[lengths[:, 0] > 0] / lengths[lengths[:, 0] > 0]
    # One of each direction; which way it runs does not matter.
    flipped = np.where(vectors[np.arange(len(vectors)), np.abs(vectors).argmax(axis=1)] < 0, -1.0, 1.0)
    return np.unique(np.round(vectors * flipped[:, None], 12), axis=0)


@dataclass(frozen=True, slots=True)
class Distance:
    """How far apart two bodies are."""

    distance: float
    """Of convex bodies that meet the depth, negative; 0 of others that meet."""
    triangles: tuple[int, int]
    """A face of each."""
    points: Floats
    """The nearest points: shape (2, 3)."""


def distance(a: Shape, b: Shape, above: float = np.inf) -> Distance | None:
    """How far two bodies are apart, or None if it is more than `above`."""
    if overlap(a.bounds, b.bounds) and meet(a, b):
        found = contacts(a, b, most=1)[0]
        if not (a.is_convex and b.is_convex):
            return Distance(0.0, found.triangles, np.array([found.point] * 2))
        half = found.normal * (found.depth / 2)
        points = np.array([found.point + half, found.point - half])
        return Distance(-found.depth, found.triangles, points)
    limit = max(above, 0.0) if np.isfinite(above) else None
    gap = impinge.distance(a.body, b.body, above=limit, exact=True)
    return None if gap is None else Distance(gap.hi, gap.triangles, gap.points)
