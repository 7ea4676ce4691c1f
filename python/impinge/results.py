"""Classes of what queries return, and enumerations of their words."""

from __future__ import annotations

from impinge._batches import (
    ClosestPoints,
    Gaps,
    NearestBodies,
    PairLists,
    Penetrations,
    RayHitLists,
    RayHits,
    Relations,
    SceneGaps,
    SignedDistances,
)
from impinge._core import Coverage, Sweep, Sweeps
from impinge._results import (
    Boundary,
    Certainty,
    Closedness,
    ClosestPoint,
    Curves,
    Depth,
    DistanceBounds,
    FillRule,
    Line,
    Location,
    Patch,
    Penetration,
    RayHit,
    Relation,
    RelationKind,
    TreeStats,
)
from impinge._scene import SceneStats
from impinge._view import View

__all__ = [
    "Boundary",
    "Certainty",
    "Closedness",
    "ClosestPoint",
    "ClosestPoints",
    "Coverage",
    "Curves",
    "Depth",
    "DistanceBounds",
    "FillRule",
    "Gaps",
    "Line",
    "Location",
    "NearestBodies",
    "PairLists",
    "Patch",
    "Penetration",
    "Penetrations",
    "RayHit",
    "RayHitLists",
    "RayHits",
    "Relation",
    "RelationKind",
    "Relations",
    "SceneGaps",
    "SceneStats",
    "SignedDistances",
    "Sweep",
    "Sweeps",
    "TreeStats",
    "View",
]
