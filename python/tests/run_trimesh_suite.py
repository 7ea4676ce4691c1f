"""Runs trimesh's own tests/test_collision.py, unmodified, on `impinge.compat.trimesh`; not one of our tests.

Usage: ``git clone https://github.com/mikedh/trimesh && python python/tests/run_trimesh_suite.py trimesh``, in
an environment with impinge, trimesh, networkx, lxml and scipy.
"""

from __future__ import annotations

import sys
import types
import unittest
from pathlib import Path

import trimesh.collision

import impinge.compat.trimesh


def main() -> None:
    """Put our manager in the place of trimesh's, and run the suite of the checkout that is named."""
    sys.path.insert(0, str(Path(sys.argv[1]) / "tests"))
    # The suite passes over all tests where this cannot be imported.
    sys.modules.setdefault("fcl", types.ModuleType("fcl"))
    for name in ("CollisionManager", "scene_to_collision"):
        setattr(trimesh.collision, name, getattr(impinge.compat.trimesh, name))
    unittest.main(module="test_collision", argv=["test_collision", "-v"])


if __name__ == "__main__":
    main()
