"""A shaft in a housing: the assembly that the workflow beside it checks."""

import impinge

SHAFT = 21.0  # millimetres; the bore is a square of 20

housing = impinge.Assembly()
housing.add_source("model.py", unit="mm", up="z")
for side, x in ("left", -20), ("right", 20):
    housing.add(
        impinge.Mesh.box([20, 40, 60]), impinge.pose([x, 0, 0]), name=f"housing {side}", file="model.py"
    )
housing.add(impinge.Mesh.box([SHAFT, 20, 80]), name="shaft", file="model.py")
housing.write("machine.impinge")
