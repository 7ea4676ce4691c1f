"""A program as users write it, for `mypy --strict`: each type that is named here is what a checker infers."""

from __future__ import annotations

from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import impinge

mesh = impinge.Mesh(np.eye(3), [[0, 1, 2]])
model = impinge.Model(mesh, quality="fast", threads=2)
a, b = impinge.Body(model), impinge.Body(model, np.eye(4)[:3], affine=True)

assert_type(impinge.intersects(a, b), bool)
assert_type(impinge.first_contact(a, b), tuple[int, int] | None)
assert_type(impinge.pairs(a, b), NDArray[np.uint32])
assert_type(impinge.intersects_at(a, model, np.zeros((0, 4, 4))), NDArray[np.bool_])
gap = impinge.distance(a, b, above=1.0)
if gap is not None:
    assert_type(gap.lo, float)
    assert_type(gap.points, NDArray[np.float64])
relation = impinge.relation(a, b)
assert_type(relation.kind, impinge.RelationKind)
if relation.kind is impinge.RelationKind.OVERLAP:
    print(relation.witness)
assert_type([hit.triangle for hit in impinge.ray_all(a, [0, 0, 1], [0, 0, -1])], list[int])
