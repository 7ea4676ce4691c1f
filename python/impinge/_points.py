"""Queries of points that put others together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from impinge._batches import SignedDistances
from impinge._core import Body, closest_points, contains
from impinge._errors import Error


def signed_distance(
    body: Body,
    points: ArrayLike,
    *,
    fill_rule: str = "nonzero",
    exact: bool = False,
    threads: int | None = None,
) -> SignedDistances:
    """Distances of points to the surface of a solid, negative inside, with the nearest points.

    The sign is exact: drake's convention, and the opposite of trimesh's.

    Parameters
    ----------
    body : Body
        The solid.
    points : array_like, shape (P, 3)
        Points of the world.
    fill_rule : {"nonzero", "positive", "even_odd"}, optional
        Which points are inside of the solid.
    exact : bool, optional
        Whether intervals are to be two neighbours in float64, or one number.
    threads : int or None, optional
        How many threads share the points; None is `set_threads`' number.

    Returns
    -------
    SignedDistances
        For each point an interval `lo` to `hi` that holds the signed distance; ``.distance`` is its middle.

    Raises
    ------
    Error
        The mesh bounds no solid: it is open, or has no interior.

    Examples
    --------
    >>> import impinge
    >>> body = impinge.Body(impinge.Model(impinge.Mesh.box([2, 2, 2])))
    >>> impinge.signed_distance(body, [[0, 0, 0.5], [0, 0, 1], [0, 0, 3]], exact=True).distance
    array([-0.5,  0. ,  2. ])
    """
    if not body.model.status.is_closed:
        raise Error(
            "body: the mesh bounds no solid, so that no distance has a sign; closest_points has distances "
            "without one, and Model.boundaries lists the holes of the mesh"
        )
    found = closest_points(body, points, exact=exact, threads=threads)
    rule = {"fill_rule": fill_rule, "threads": threads}
    inside = contains(body, points, **rule)  # type: ignore[arg-type]
    # 0 is written without a sign.
    lo = np.where(inside, 0.0 - found.hi, found.lo)
    hi = np.where(inside, 0.0 - found.lo, found.hi)
    return SignedDistances(lo, hi, found.triangles, found.points)
