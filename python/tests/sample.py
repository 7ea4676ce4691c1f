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
assert_type(relation.kind, impinge.results.RelationKind)
if relation.kind is impinge.results.RelationKind.OVERLAP:
    print(relation.witness)
assembly = impinge.Assembly.from_meshes({"a": mesh, "b": model})
assert_type(assembly.add((np.eye(3), [[0, 1, 2]]), np.eye(4), name="c", properties={"mass": 2.5}), int)
report = assembly.check(
    limits=impinge.check.Limits(pairs=lambda a, b: a < b, time_limit=60),
    run=impinge.check.Run(progress=lambda stage, done, total: None),
)
for clash in report.ranked():
    assert_type(clash.a.name, str)
    assert_type(clash.volume, tuple[float, float] | None)
    assert_type(clash.relation, impinge.results.RelationKind | None)
for clash in report.filter(relation="overlap", counts=True):
    assert_type(clash.a.guid, str | None)
for finding in report.findings.filter(kind="overlap", part="a*"):
    assert_type(finding.b, impinge.check.CheckedPart | None)
    assert_type(finding.clash, impinge.check.Clash | None)
assert_type(report.ranked_findings(), impinge.check.Findings)
for group in report.groups(lambda part: part.type).groups:
    assert_type(len(group.findings), int)
assert_type([why.reason for why in report.explain("a", "b")], list[str | None])
assert_type(report.not_examined, NDArray[np.uint32])
assert_type([hit.triangle for hit in impinge.ray_all(a, [0, 0, 1], [0, 0, -1])], list[int])
assert_type(assembly[0], impinge.check.Part)
assert_type(assembly["a"].name, str)
assert_type(assembly[:1], tuple[impinge.check.Part, ...])
gaps = impinge.distance_at(a, model, np.zeros((0, 4, 4)))
assert_type(gaps[:1], impinge.results.Gaps)
for entry in gaps:
    assert_type(entry, impinge.results.DistanceBounds | None)
assert_type(impinge.relation_at(a, model, np.zeros((0, 4, 4))).kind, NDArray[np.str_])
assert_type(impinge.ray_all_each(a, np.zeros((0, 3)), np.zeros((0, 3))).counts, NDArray[np.int64])
checked = impinge.check_poses(assembly, {"c": impinge.pose([[5, 0, 0]])}, allow=[("a", "b")])
assert_type(checked.first_bad, int | None)
