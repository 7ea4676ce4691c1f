"""Bodies of other packages, one module for each. A module needs its package when it is called, not before.

==================================================  ==================================================
`impinge.adapters.trimesh`                          a ``trimesh.Scene`` to an `Assembly`, and back
`impinge.adapters.build123d`                        shapes and assemblies to an `Assembly`
`impinge.adapters.cadquery`                         the same, of CadQuery
`impinge.adapters.mujoco`                           geoms of a model, at the poses of its data
`impinge.adapters.pinocchio`                        a robot's geometry, at many configurations
`impinge.adapters.ompl`                             validity of states and motions, for planners
==================================================  ==================================================

Names that would be those of the packages are never imported here: ``import impinge.adapters.mujoco``.
"""
