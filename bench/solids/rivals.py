"""Results of other libraries on two solids: `rivals.py NAME PAIRS`, a line of JSON per pair.

Each line has `hit`, true or false, and `detail`, the text for a user. The libraries are called as their
documentation shows, with their default settings, and each in its own process, as some of them crash. """

import importlib.metadata
import json
import sys
import tempfile
from pathlib import Path

import numpy

sys.path.insert(0, str(Path(__file__).resolve().parent))
import pairs  # noqa: E402  (beside this file)

#: The clearance of IfcOpenShell's query, in metres.
CLEARANCE = 0.1


def fcl_bvh(a, b):
    import fcl

    objects = []
    for body in (a, b):
        points, triangles = numpy.array(body.points), numpy.array(body.triangles)
        model = fcl.BVHModel()
        model.beginModel(len(points), len(triangles))
        model.addSubModel(points, triangles)
        model.endModel()
        objects.append(fcl.CollisionObject(model, fcl.Transform(body.rows, body.translation)))
    result = fcl.CollisionResult()
    fcl.collide(*objects, fcl.CollisionRequest(num_max_contacts=100_000, enable_contact=True), result)
    return told(result.is_collision, [contact.penetration_depth for contact in result.contacts])


def coal_bvh(a, b, break_distance=None):
    import coal

    geometry, poses = [], []
    for body in (a, b):
        model = coal.BVHModelOBBRSS()
        model.beginModel(len(body.triangles), len(body.points))
        points = coal.StdVec_Vec3s()
        points.extend([numpy.array(point, dtype=float) for point in body.points])
        triangles = coal.StdVec_Triangle()
        triangles.extend([coal.Triangle(*map(int, triangle)) for triangle in body.triangles])
        model.addSubModel(points, triangles)
        model.endModel()
        geometry.append(model)
        poses.append(coal.Transform3s(numpy.array(body.rows), numpy.array(body.translation)))
    request, result = coal.CollisionRequest(), coal.CollisionResult()
    request.num_max_contacts, request.enable_contact = 100_000, True
    if break_distance is not None:
        request.break_distance = break_distance
    coal.collide(geometry[0], poses[0], geometry[1], poses[1], request, result)
    depths = [contact.penetration_depth for contact in result.getContacts()]
    return told(result.isCollision(), depths)


def coal_exact(a, b):
    return coal_bvh(a, b, 0.0)


def told(hit, depths):
    """Contacts, and the deepest as the library signs it."""
    if not depths:
        return hit, ""
    return hit, f"{len(depths)} contacts, depth {max(depths, key=abs):.3g}"


def pyvista_collision(a, b):
    import pyvista

    made = []
    for body in (a, b):
        points, triangles = body.merged()
        faces = numpy.hstack([numpy.full((len(triangles), 1), 3), triangles])
        made.append(pyvista.PolyData(points, faces.ravel()))
    _, contacts = made[0].collision(made[1])
    return contacts > 0, f"{contacts} contacts" if contacts else ""


def trimesh_manager(a, b):
    import trimesh

    manager = trimesh.collision.CollisionManager()
    for name, body in (("a", a), ("b", b)):
        pose = numpy.eye(4)
        pose[:3, :3], pose[:3, 3] = body.rows, body.translation
        mesh = trimesh.Trimesh(body.points, body.triangles)
        manager.add_object(name, mesh, pose)
    hit, data = manager.in_collision_internal(return_data=True)
    return hit, f"depth {max(one.depth for one in data):.3g}" if data else ""


def manifold_volume(a, b):
    import manifold3d

    made = []
    for body in (a, b):
        points, triangles = body.merged()
        mesh = manifold3d.Mesh64(
            numpy.ascontiguousarray(points), numpy.ascontiguousarray(triangles, dtype=numpy.uint64)
        )
        one = manifold3d.Manifold(mesh)
        if one.status() != manifold3d.Error.NoError:
            raise ValueError(f"refuses the mesh: {one.status()}")
        made.append(one)
    volume = (made[0] ^ made[1]).volume()
    return volume > 0, f"volume {volume:.3g}" if volume else ""


def ifc(a, b, ask):
    """A file of two walls with faceted bodies in metres, and the result of a tree of its geometry."""
    import ifcopenshell
    import ifcopenshell.geom
    import ifcopenshell.guid

    file = ifcopenshell.file(schema="IFC4")
    make = file.create_entity
    metre = make("IfcSIUnit", None, "LENGTHUNIT", None, "METRE")
    origin = make("IfcAxis2Placement3D", make("IfcCartesianPoint", (0.0, 0.0, 0.0)))
    context = make("IfcGeometricRepresentationContext", None, "Model", 3, 1e-9, origin)
    project = make("IfcProject", ifcopenshell.guid.new())
    project.UnitsInContext = make("IfcUnitAssignment", [metre])
    project.RepresentationContexts = [context]
    walls = []
    for body in (a, b):
        points, triangles = body.merged()
        listed = make("IfcCartesianPointList3D", [tuple(map(float, point)) for point in points])
        faces = [tuple(int(corner) + 1 for corner in triangle) for triangle in triangles]
        item = make("IfcTriangulatedFaceSet", Coordinates=listed, Closed=True, CoordIndex=faces)
        shape = make("IfcShapeRepresentation", context, "Body", "Tessellation", [item])
        wall = make("IfcWall", ifcopenshell.guid.new())
        wall.ObjectPlacement = make("IfcLocalPlacement", None, origin)
        wall.Representation = make("IfcProductDefinitionShape", None, None, [shape])
        walls.append(wall)
    with tempfile.NamedTemporaryFile(suffix=".ifc") as saved:
        file.write(saved.name)
        file = ifcopenshell.open(saved.name)
        walls = [file.by_guid(wall.GlobalId) for wall in walls]
        settings = ifcopenshell.geom.settings()
        settings.set("use-world-coords", True)
        # In 0.9, the only tree that finds clashes; before, there was one tree.
        tree = ifcopenshell.geom.tree(backend="opencascade.trianglebvh")
        iterator = ifcopenshell.geom.iterator(settings, file)
        if not iterator.initialize():
            raise ValueError("no geometry")
        while True:
            tree.add_element(iterator.get())
            if not iterator.next():
                break
        found = ask(tree, walls[:1], walls[1:])
    return len(found) > 0, f"distance {found[0].distance:.3g}" if found else ""


def ifc_intersection(a, b):
    return ifc(a, b, lambda tree, p, q: tree.clash_intersection_many(p, q, tolerance=0.002, check_all=True))


def ifc_collision(a, b):
    return ifc(a, b, lambda tree, p, q: tree.clash_collision_many(p, q, allow_touching=False))


def ifc_collision_touching(a, b):
    return ifc(a, b, lambda tree, p, q: tree.clash_collision_many(p, q, allow_touching=True))


def ifc_clearance(a, b):
    return ifc(a, b, lambda tree, p, q: tree.clash_clearance_many(p, q, clearance=CLEARANCE, check_all=True))


#: Column, package, function, and the kind of hit: insides have common points, solids have, or they are nearer
#: than the clearance.
KNOWN = {
    "FCL BVH": ("python-fcl", fcl_bvh, "points"),
    "Coal BVH": ("coal", coal_bvh, "points"),
    "Coal BVH, break_distance 0": ("coal", coal_exact, "points"),
    "PyVista collision": ("pyvista", pyvista_collision, "points"),
    "trimesh CollisionManager": ("trimesh", trimesh_manager, "points"),
    "IfcOpenShell intersection": ("ifcopenshell", ifc_intersection, "insides"),
    "IfcOpenShell collision": ("ifcopenshell", ifc_collision, "insides"),
    "IfcOpenShell collision, touching": ("ifcopenshell", ifc_collision_touching, "points"),
    "IfcOpenShell clearance 0.1": ("ifcopenshell", ifc_clearance, "near"),
    "manifold3d volume": ("manifold3d", manifold_volume, "insides"),
}


def main(name, path):
    package, ask, _ = KNOWN[name]
    print(json.dumps({"version": importlib.metadata.version(package)}), flush=True)
    for _, a, b in pairs.read(path):
        try:
            hit, detail = ask(a, b)
            print(json.dumps({"hit": bool(hit), "detail": detail}), flush=True)
        except Exception as why:
            words = " ".join(f"{type(why).__name__}: {why}".split())[:120]
            print(json.dumps({"failed": words}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
