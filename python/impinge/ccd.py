"""Continuous collision of vertices that move linearly, exact, for many queries at a time; and of shifts.

Four points move straight from where they are at time 0 to where they are at time 1. `point_triangle` decides
whether the first one is on the triangle of the others at any time between, `edge_edge` whether the edge of the
first two meets that of the last two. Triangles and edges are closed, and may be degenerate. There are no false
results, and no tolerance.

Examples
--------
>>> import impinge.ccd
>>> start = [[[0.2, 0.2, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]]]
>>> end = [[[0.2, 0.2, -2], [0, 0, 0], [1, 0, 0], [0, 1, 0]]]
>>> times = impinge.ccd.point_triangle(start, end)
>>> times.hits, times.free_until.round(9)
(array([ True]), array([0.33333333]))
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from impinge._core import Body, Mesh, _first_mesh_contact, _first_shift_contact, _first_times

__all__ = [
    "FirstContact",
    "FirstTimes",
    "edge_edge",
    "first_mesh_contact",
    "first_self_contact",
    "first_shift_contact",
    "point_triangle",
]


@dataclass(frozen=True, eq=False)
class FirstTimes:
    """First times of contact.

    Attributes
    ----------
    hits : numpy.ndarray of bool, shape (N,)
        Whether there is a contact.
    free_until, meets_at : numpy.ndarray of float64, shape (N,)
        The first time lies between them. They are equal, or neighbouring numbers; NaN where there is no
        contact.
    """

    hits: NDArray[np.bool_]
    free_until: NDArray[np.float64]
    meets_at: NDArray[np.float64]


def point_triangle(start: ArrayLike, end: ArrayLike, *, threads: int | None = None) -> FirstTimes:
    """Decide for each row whether a moving point comes to a moving triangle.

    Parameters
    ----------
    start, end : array_like, shape (N, 4, 3)
        The point and the corners of the triangle, at times 0 and 1.
    threads : int or None, optional
        Number of threads that share the rows; None is `set_threads`' number.

    Returns
    -------
    FirstTimes

    Examples
    --------
    >>> import impinge.ccd
    >>> start = [[[0.7, 0.7, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]]]
    >>> end = [[[0.2, 0.2, -1], [0, 0, 0], [1, 0, 0], [0, 1, 0]]]
    >>> impinge.ccd.point_triangle(start, end).meets_at
    array([0.5])
    """
    return FirstTimes(*_first_times(False, start, end, threads))


def edge_edge(start: ArrayLike, end: ArrayLike, *, threads: int | None = None) -> FirstTimes:
    """Decide for each row whether two moving edges meet.

    Parameters
    ----------
    start, end : array_like, shape (N, 4, 3)
        The ends of one edge and those of the other, at times 0 and 1.
    threads : int or None, optional
        Number of threads that share the rows; None is `set_threads`' number.

    Returns
    -------
    FirstTimes

    Examples
    --------
    >>> import impinge.ccd
    >>> start = [[[0, 0, 0], [1, 0, 0], [0.5, -1, 1], [0.5, 1, 1]]]
    >>> end = [[[0, 0, 0], [1, 0, 0], [0.5, -1, -1], [0.5, 1, -1]]]
    >>> impinge.ccd.edge_edge(start, end).hits
    array([ True])
    """
    return FirstTimes(*_first_times(True, start, end, threads))


@dataclass(frozen=True)
class FirstContact:
    """The first contact of two bodies or meshes, or of a mesh with itself.

    Attributes
    ----------
    free_until, meets_at : float
        The first time of contact lies between them. They are equal, or neighbouring numbers.
    pair : tuple of int
        The triangles, of the first and of the second, that meet then.
    """

    free_until: float
    meets_at: float
    pair: tuple[int, int]


def first_shift_contact(a: Body, b: Body, by: ArrayLike) -> FirstContact | None:
    """Find the exact first contact of a body at rest and a shifted one.

    `sweep` takes less time and turns bodies, too. It encloses the time to a resolution, and leaves it undecided
    where bodies graze each other.

    Parameters
    ----------
    a : Body
        The body that stands still.
    b : Body
        The body that is shifted by t `by` at the time t, from 0 to 1.
    by : array_like, shape (3,)
        The way.

    Returns
    -------
    FirstContact or None
        None if they never meet.

    Examples
    --------
    >>> import impinge, impinge.ccd
    >>> table = impinge.Body(impinge.Model(impinge.Mesh.box([9, 9, 2])))
    >>> cube = impinge.Body(impinge.Model(impinge.Mesh.box([2, 2, 2])), impinge.pose([0, 0, 3]))
    >>> contact = impinge.ccd.first_shift_contact(table, cube, [0, 0, -3])
    >>> contact.free_until == 1 / 3 < contact.meets_at
    True
    """
    found = _first_shift_contact(a, b, np.asarray(by, float))
    return None if found is None else FirstContact(*found)


def first_mesh_contact(a: Mesh, end_a: ArrayLike, b: Mesh, end_b: ArrayLike) -> FirstContact | None:
    """Find the first contact of two meshes whose vertices move straight.

    Contact is a vertex on a triangle, or two edges that meet. Meshes that cross each other at first
    (`intersects`) may have no such contact.

    Parameters
    ----------
    a, b : Mesh
        The meshes with their vertices at time 0.
    end_a, end_b : array_like, shape (V, 3)
        The vertices at time 1.

    Returns
    -------
    FirstContact or None
        None if they never meet.

    Examples
    --------
    >>> import impinge, impinge.ccd
    >>> floor, cube = impinge.Mesh.box([9, 9, 2]), impinge.Mesh.box([2, 2, 2])
    >>> cube = impinge.Mesh(cube.vertices + [0, 0, 3], cube.faces)
    >>> squeezed = cube.vertices * [2, 2, 0.5] - [0, 0, 3]
    >>> impinge.ccd.first_mesh_contact(floor, floor.vertices, cube, squeezed).meets_at
    0.25
    """
    found = _first_mesh_contact(a, end_a, b, end_b)
    return None if found is None else FirstContact(*found)


def first_self_contact(mesh: Mesh, end: ArrayLike) -> FirstContact | None:
    """Find the first contact of a mesh with itself while its vertices move straight.

    A vertex and a triangle, or two edges, that have a vertex in common do not count.

    Parameters
    ----------
    mesh : Mesh
        The mesh with its vertices at time 0.
    end : array_like, shape (V, 3)
        The vertices at time 1.

    Returns
    -------
    FirstContact or None
        None if it never meets itself.

    Examples
    --------
    >>> import impinge, impinge.ccd
    >>> strip = impinge.Mesh([[0, 0, 0], [0, 3, 0], [3, 1, 0], [-2, 1, 4]], [[0, 1, 2], [0, 1, 3]])
    >>> folded = strip.vertices.copy()
    >>> folded[3] = [4, 1, -4]
    >>> impinge.ccd.first_self_contact(strip, folded).meets_at
    0.5
    """
    found = _first_mesh_contact(mesh, end, None, None)
    return None if found is None else FirstContact(*found)
