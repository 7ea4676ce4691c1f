"""Runs the tests of trimesh and of python-fcl, unmodified, on `impinge.compat`.

`.ci/upstream` runs them from source distributions. By hand, in an environment with impinge, trimesh,
networkx, lxml and scipy, and with a source distribution or a checkout in a folder:

    python python/tests/run_upstream_suites.py trimesh FOLDER          # on our manager
    python python/tests/run_upstream_suites.py trimesh-on-fcl FOLDER   # trimesh's manager, on our fcl
    python python/tests/run_upstream_suites.py fcl FOLDER

A third argument is the number of tests that must pass. Distributions of trimesh lack its models and the module
that loads them: `upstream_generic.py` then has stand-ins.
"""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

import impinge.compat.fcl
import impinge.compat.trimesh


def main() -> int:
    """Run a suite; 0 if as many tests pass as must."""
    suite, folder, least = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]) if sys.argv[3:] else 1
    tests = next(path for path in (folder / "tests", folder / "test") if path.is_dir())
    sys.path.insert(0, str(tests))
    # Before trimesh looks for it.
    sys.modules["fcl"] = impinge.compat.fcl
    if suite == "fcl":
        modules = [name for name in ("test_fcl", "test_precision") if (tests / f"{name}.py").exists()]
    else:
        modules = ["test_collision"]
        if not (tests / "generic.py").exists():
            import upstream_generic

            sys.modules["generic"] = upstream_generic
    if suite == "trimesh":
        import trimesh.collision

        for name in ("CollisionManager", "scene_to_collision"):
            setattr(trimesh.collision, name, getattr(impinge.compat.trimesh, name))
    result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromNames(modules))
    failed = {test.id().rsplit(".", 1)[-1] for test, _ in result.errors + result.failures}
    passed = result.testsRun - len(failed) - len(result.skipped)
    print(f"{suite}: {passed} passed, {len(failed)} failed {' '.join(sorted(failed))}")
    if passed < least:
        print(f"{least} must pass")
        return 1
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
