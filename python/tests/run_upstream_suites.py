"""Runs the tests of trimesh and of python-fcl, unmodified, on `impinge.compat`; they are not among our tests.

Usage, in an environment with impinge, trimesh, networkx, lxml and scipy, and the repositories mikedh/trimesh
and BerkeleyAutomation/python-fcl checked out:

    python python/tests/run_upstream_suites.py trimesh TRIMESH          # on our manager
    python python/tests/run_upstream_suites.py trimesh-on-fcl TRIMESH   # on trimesh's manager, on our fcl
    python python/tests/run_upstream_suites.py fcl PYTHON-FCL
"""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

import impinge.compat.fcl
import impinge.compat.trimesh


def main() -> int:
    """Run one of them; how many tests failed."""
    suite, checkout = sys.argv[1:]
    sys.path.insert(0, str(Path(checkout) / "tests"))
    # Before trimesh looks for it.
    sys.modules["fcl"] = impinge.compat.fcl
    if suite == "trimesh":
        import trimesh.collision

        for name in ("CollisionManager", "scene_to_collision"):
            setattr(trimesh.collision, name, getattr(impinge.compat.trimesh, name))
    modules = ["test_fcl", "test_precision"] if suite == "fcl" else ["test_collision"]
    tests = unittest.defaultTestLoader.loadTestsFromNames(modules)
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    return len(result.errors) + len(result.failures)


if __name__ == "__main__":
    sys.exit(main())
