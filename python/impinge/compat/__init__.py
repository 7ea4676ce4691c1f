"""Interfaces of other packages, answered by impinge: `impinge.compat.trimesh`, `impinge.compat.fcl`."""
