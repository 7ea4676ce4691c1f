"""Inputs that geometries, requests and managers of `impinge.compat.fcl` take, and inputs that they refuse."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from impinge.compat import fcl


def placed(geometry: fcl.CollisionGeometry, *at: float) -> fcl.CollisionObject:
    return fcl.CollisionObject(geometry, fcl.Transform(np.array(at or (0.0, 0.0, 0.0))))


TETRAHEDRON = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])


def bvh(*parts: tuple[np.ndarray, np.ndarray]) -> fcl.BVHModel:
    model = fcl.BVHModel()
    model.beginModel()
    for points, faces in parts:
        model.addSubModel(points, faces)
    assert model.endModel() is True
    return model


def test_an_attribute_of_the_users_does_not_drop_the_shape() -> None:
    flat = np.column_stack([np.full(4, 3), FACES]).ravel()
    for geometry in (fcl.Convex(TETRAHEDRON, 4, flat), bvh((TETRAHEDRON, FACES)), fcl.Sphere(0.5)):
        geometry.name = "mine"  # type: ignore[attr-defined]
        assert fcl.collide(placed(geometry), placed(fcl.Box(1, 1, 1))) == 1


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: fcl.Box(-1, 1, 1), r"Box\.side must be finite and not negative, not \[-1\.0, 1\.0, 1\.0\]"),
        (lambda: fcl.Sphere(-0.5), r"Sphere\.radius must be finite and not negative, not -0\.5"),
        (lambda: fcl.Capsule(1, -2), r"Capsule\.lz must be"),
        (lambda: fcl.Cylinder(-1, 2), r"Cylinder\.radius must be"),
        (lambda: fcl.Cone(1, np.inf), r"Cone\.lz must be"),
        (lambda: fcl.Ellipsoid(1, np.nan, 1), r"Ellipsoid\.radii must be"),
        (lambda: setattr(fcl.Box(1, 1, 1), "side", [1, 2]), r"Box\.side has the shape \(2,\), not \(3,\)"),
        (lambda: setattr(fcl.Sphere(1), "radius", [1.0]), r"Sphere\.radius has the shape \(1,\), not \(\)"),
        (lambda: fcl.Convex(TETRAHEDRON, 2, [3, 0, 1, 2, 2, 0, 1]), "face 1 has 2 corners"),
        (lambda: fcl.Convex(TETRAHEDRON, 3, [3, 0, 1, 2]), "3 faces take"),
        (lambda: fcl.Transform([0.0, 0, 0, 0]), "a quaternion must be finite and not 0"),
        (lambda: placed(fcl.Sphere(1)).setQuatRotation([np.nan, 0, 0, 0]), "a quaternion must be finite"),
    ],
)
def test_sizes_that_no_shape_has_are_refused(make: object, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        make()  # type: ignore[operator]


def test_the_radii_of_an_ellipsoid_replace_the_shape_or_cannot_change() -> None:
    ball, radii = fcl.Ellipsoid(1, 1, 1), np.array([3.0, 3, 3])
    probe = placed(fcl.Sphere(0.1), 2.5, 0, 0)
    assert fcl.collide(placed(ball), probe) == 0
    with pytest.raises(ValueError, match="read-only"):
        ball.radii[0] = 3.0
    ball.radii = radii
    radii[:] = 1.0
    assert fcl.collide(placed(ball), probe) == 1 and ball.radii.tolist() == [3, 3, 3]


@pytest.mark.parametrize("kind", [fcl.Cylinder, fcl.Cone])
def test_a_shape_that_is_no_thicker_than_its_axis_meets_what_the_axis_meets(kind: type) -> None:
    axis = kind(0, 2)
    sheet = bvh((np.array([[-9.0, -9, 0.5], [9, -9, 0.5], [0, 9, 0.5]]), np.array([[0, 1, 2]])))
    for other in (fcl.Box(1, 1, 1), fcl.Sphere(1), fcl.Cylinder(1, 1), sheet):
        assert fcl.collide(placed(axis), placed(other)) == 1, type(other)
        assert fcl.collide(placed(axis, 0, 0, 5), placed(other)) == 0, type(other)
    assert np.isclose(fcl.distance(placed(axis), placed(fcl.Box(1, 1, 1), 3, 0, 0)), 2.5)


def test_a_submodel_is_what_it_was_when_it_was_added() -> None:
    points = TETRAHEDRON.copy()
    model = fcl.BVHModel()
    model.addSubModel(points, FACES)
    points += 100
    model.endModel()
    assert fcl.collide(placed(model), placed(fcl.Sphere(0.1))) == 1


def test_submodels_of_several_dtypes_and_none() -> None:
    for dtype in (np.uint64, np.uint8, np.int32):
        model = bvh((TETRAHEDRON, FACES), (TETRAHEDRON + 5, FACES.astype(dtype)))
        assert model.num_tries_ == 8
    assert bvh((TETRAHEDRON, np.empty((0, 3), dtype=int)), (TETRAHEDRON, FACES)).num_tries_ == 4
    assert bvh(([], []), (TETRAHEDRON, FACES)).num_tries_ == 4  # type: ignore[arg-type]


@pytest.mark.parametrize("vertex", [-1, 4])
def test_a_submodel_names_no_vertex_of_another(vertex: int) -> None:
    with pytest.raises(IndexError, match=f"vertex {vertex}, but its sub-model has 4"):
        bvh((TETRAHEDRON, FACES), (TETRAHEDRON, np.array([[0, 1, vertex]])), (TETRAHEDRON, FACES))


def test_costs_are_refused_whenever_they_are_asked_for() -> None:
    request = fcl.CollisionRequest()
    with pytest.raises(NotImplementedError, match="costs"):
        request.enable_cost = True
    request.enable_cost = False
    assert pickle.loads(pickle.dumps(request)).enable_cost is False


def test_managers_take_what_python_fcl_takes() -> None:
    manager, box = fcl.DynamicAABBTreeCollisionManager(), placed(fcl.Box(1, 1, 1))
    manager.registerObject(box)
    manager.registerObject(box)
    assert manager.size() == 1 and manager.tree_init_level == 0
    for arguments in ((), (lambda a, b, d: False,), (box, None, None), (box, box, None, lambda a, b, d: False)):
        for ask in (manager.collide, manager.distance):
            with pytest.raises(TypeError, match="callback"):
                ask(*arguments)
    # In a copy objects have other addresses.
    copied, data = pickle.loads(pickle.dumps((manager, box)))[0], fcl.CollisionData()
    copied.collide(box, data, fcl.defaultCollisionCallback)
    assert data.result.is_collision
    [own] = copied.getObjects()
    copied.unregisterObject(own)
    assert copied.empty() and not manager.empty()


def test_nearest_points_are_those_of_the_least_distance() -> None:
    one, far, near = placed(fcl.Sphere(1)), placed(fcl.Sphere(1), 9, 0, 0), placed(fcl.Sphere(1), 4, 0, 0)
    result = fcl.DistanceResult()
    fcl.distance(one, far, fcl.DistanceRequest(enable_nearest_points=True), result)
    assert np.allclose(result.nearest_points, [[1, 0, 0], [8, 0, 0]])
    # Not those of a pair that is farther apart.
    assert fcl.distance(one, near, fcl.DistanceRequest(), result) == 2 == result.min_distance
    assert result.nearest_points == [None, None]


# The names of python-fcl 0.7.0.11: `vars` of each class, and of the module.
NAMES = """
BVHModel: aabb_center addSubModel addTriangle addVertex beginModel buildState computeLocalAABB endModel
  getNodeType num_tries_
Box: side
CCDMotionType: CCDM_LINEAR CCDM_SCREW CCDM_SPLINE CCDM_TRANS
CCDSolverType: CCDC_CONSERVATIVE_ADVANCEMENT CCDC_NAIVE CCDC_POLYNOMIAL_SOLVER CCDC_RAY_SHOOTING
Capsule: lz radius
CollisionData: done request result
CollisionObject: getNodeType getObjectType getQuatRotation getRotation getTransform getTranslation isFree
  isOccupied isUncertain setQuatRotation setRotation setTransform setTranslation
CollisionRequest: enable_contact enable_cost gjk_solver_type num_max_contacts num_max_cost_sources
  use_approximate_cost
CollisionResult: contacts cost_sources is_collision
Cone: lz radius
Contact: b1 b2 normal o1 o2 penetration_depth pos
Convex: num_faces
CostSource: aabb_max aabb_min cost_density total_cost
Cylinder: lz radius
DistanceData: done request result
DistanceRequest: enable_nearest_points enable_signed_distance gjk_solver_type
DistanceResult: b1 b2 min_distance nearest_points o1 o2
DynamicAABBTreeCollisionManager: clear collide distance empty getObjects max_tree_nonbalanced_level
  octree_as_geometry_collide octree_as_geometry_distance registerObject registerObjects setup size
  tree_incremental_balance_pass tree_init_level tree_topdown_balance_threshold tree_topdown_level
  unregisterObject update
Ellipsoid: radii
GJKSolverType: GST_INDEP GST_LIBCCD
OBJECT_TYPE: OT_BVH OT_COUNT OT_GEOM OT_OCTREE OT_UNKNOWN
Sphere: radius
Transform: getQuatRotation getRotation getTranslation setQuatRotation setRotation setTranslation
"""


def test_all_names_of_python_fcl_are_there() -> None:
    flat = np.column_stack([np.full(4, 3), FACES]).ravel()
    made = {
        "BVHModel": bvh((TETRAHEDRON, FACES)),
        "Box": fcl.Box(1, 1, 1),
        "CollisionObject": placed(fcl.Box(1, 1, 1)),
        "Convex": fcl.Convex(TETRAHEDRON, 4, flat),
        "Ellipsoid": fcl.Ellipsoid(1, 1, 1),
        "Sphere": fcl.Sphere(1),
        **{name: getattr(fcl, name)(1, 1) for name in ("Capsule", "Cone", "Cylinder")},
    }
    seen = 0
    for line in NAMES.replace("\n  ", " ").strip().splitlines():
        name, members = line.split(": ")
        thing = made[name] if name in made else getattr(fcl, name)()
        for member in members.split():
            getattr(thing, member)
            seen += 1
    assert seen > 90
    assert made["BVHModel"].buildState() == 2 and fcl.BVHModel().buildState() == 0


def test_the_list_of_names_is_that_of_python_fcl() -> None:
    theirs = pytest.importorskip("fcl", reason="the list is compared where python-fcl is installed")
    mine = dict(line.split(": ") for line in NAMES.replace("\n  ", " ").strip().splitlines())
    for name, thing in vars(theirs).items():
        if name.startswith("_") or name in ("fcl", "version"):
            continue
        assert hasattr(fcl, name), name
        if isinstance(thing, type) and name in mine:
            members = {member for member in vars(thing) if not member.startswith("_")}
            assert members <= set(mine[name].split()), name
