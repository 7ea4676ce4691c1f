"""Conversion of formats that programs in Python read: IFC, STEP, IGES, BREP, DAGMC.

`bundle_of` (`cache`) returns the path of a bundle for a file. A child process (`child`, `worker`) makes it: a
damaged file that crashes a library ends the child only. The readers (`ifc`, `step`, `h5m`) make a
`Conversion`, and `bundle` writes it.
"""
