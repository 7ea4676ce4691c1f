"""Requests, results and contacts; python-fcl has a module of this name, too."""

from __future__ import annotations

from abc import ABC
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge._core import _Contact
from impinge.compat.fcl._geometry import CollisionGeometry
from impinge.compat.fcl._numbers import GJKSolverType

Floats = NDArray[np.float64]
FAR = float(np.finfo(np.float64).max)


class Contact(ABC):
    """A contact of two geometries."""

    o1: CollisionGeometry | None
    o2: CollisionGeometry | None
    b1: int
    b2: int
    normal: Floats
    pos: Floats
    penetration_depth: float

    def __init__(self) -> None:
        self.o1 = self.o2 = None
        self.b1 = self.b2 = 0
        self.normal, self.pos, self.penetration_depth = np.zeros(3), np.zeros(3), 0.0


# Contacts that `collide` finds: the same attributes, computed when they are first read.
Contact.register(_Contact)


class CostSource:
    """Never made: costs are not offered."""

    def __init__(self) -> None:
        self.aabb_min, self.aabb_max = np.zeros(3), np.zeros(3)
        self.cost_density = self.total_cost = 0.0


class CollisionRequest:
    """Options of a collision query."""

    def __init__(
        self,
        num_max_contacts: int = 1,
        enable_contact: bool = False,
        num_max_cost_sources: int = 1,
        enable_cost: bool = False,
        use_approximate_cost: bool = True,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
    ) -> None:
        self.num_max_contacts, self.enable_contact = num_max_contacts, enable_contact
        self.num_max_cost_sources, self.enable_cost = num_max_cost_sources, enable_cost
        self.use_approximate_cost, self.gjk_solver_type = use_approximate_cost, gjk_solver_type

    @property
    def enable_cost(self) -> bool:
        """False: costs are not offered."""
        return False

    @enable_cost.setter
    def enable_cost(self, enable: bool) -> None:
        if enable:
            raise NotImplementedError("fcl's costs are not offered by impinge.compat.fcl")


class CollisionResult:
    """Contacts so far."""

    def __init__(self, is_collision: bool = False) -> None:
        self.contacts: list[Contact] = []
        self.cost_sources: list[CostSource] = []
        # As in python-fcl, the argument has no effect.
        self.is_collision = False


class DistanceRequest:
    """Options of a distance query."""

    def __init__(
        self,
        enable_nearest_points: bool = False,
        enable_signed_distance: bool = False,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
    ) -> None:
        self.enable_nearest_points = enable_nearest_points
        self.enable_signed_distance = enable_signed_distance
        self.gjk_solver_type = gjk_solver_type


class DistanceResult:
    """The least distance so far."""

    def __init__(self, min_distance_: float = FAR) -> None:
        self.min_distance = min_distance_
        self.nearest_points: list[Any] = [None, None]
        self.o1: CollisionGeometry | None = None
        self.o2: CollisionGeometry | None = None
        self.b1 = self.b2 = -1


class CollisionData:
    """A request and a result, for callbacks."""

    def __init__(
        self, request: CollisionRequest | None = None, result: CollisionResult | None = None
    ) -> None:
        self.request = CollisionRequest() if request is None else request
        self.result = CollisionResult() if result is None else result
        self.done = False


class DistanceData:
    """A request and a result, for callbacks."""

    def __init__(self, request: DistanceRequest | None = None, result: DistanceResult | None = None) -> None:
        self.request = DistanceRequest() if request is None else request
        self.result = DistanceResult() if result is None else result
        self.done = False
