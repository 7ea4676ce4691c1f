"""The robots and collision models of the league table, and where they come from."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

#: Wheels of PyPI: name -> (version, folder inside).
WHEELS = {
    "example-robot-data": ("6.0.0", "cmeel.prefix/share"),
    "icub-models": ("3.2.0", "share"),
    "airo-models": ("0.0.12", "airo_models"),
    "hello-robot-stretch-urdf": ("0.1.2", "stretch_urdf"),
    "dexmate-urdf": ("0.8.4", "dexmate_urdf/robots"),
}
#: Clones of GitHub: name -> (address, commit).
CLONES = {
    "vamp": ("https://github.com/KavrakiLab/vamp", "f6de6a72e0725ba08e0829f0a34261a3f465aed7"),
    "foam": ("https://github.com/CoMMALab/foam", "116928f71aaa7c40356d79c84d3c9ff1f4497d90"),
    "curobo": ("https://github.com/NVlabs/curobo", "a35a708ecfbb26eb9ab2d7ef22c65919c4fae4a9"),
    "curobo-0.7.8": ("https://github.com/NVlabs/curobo", "d64c4b005459db10c5dd867d8b30a87d5bda9bdb"),
    "moveit_resources": (
        "https://github.com/moveit/moveit_resources",
        "ef5836ddf4d6a7773cee895a675bfa852a3798f6",
    ),
}


@dataclass
class Model:
    """A robot, and the collision model that stands for it."""

    robot: str
    #: What the model is: "collision" is the collision geometry of the robot's own file.
    name: str
    source: str
    part: Path
    #: None for the collision geometry of `part`.
    proxy: Path | None = None
    geometry: str = "visual"
    #: Folders that are packages or contain them.
    folders: list = field(default_factory=list)
    #: Packages whose folder has another name: name -> folder.
    named: dict = field(default_factory=dict)
    #: What the planner adds to the radii of the file.
    buffer: float = 0

    def spheres(self, scratch):
        """The file of the proxy, with the buffer in its radii."""
        if not self.buffer:
            return self.proxy

        def grown(match):
            return f"{match.group(1)}{float(match.group(2)) + self.buffer!r}"

        file = scratch / self.proxy.name
        file.write_text(re.sub(r"(\bradius\"?\s*:\s*)([-+\d.eE]+)", grown, self.proxy.read_text()))
        return file

    def packages(self, scratch):
        """The folders of --package-path."""
        for name, folder in self.named.items():
            link = scratch / name
            if not link.exists():
                link.symlink_to(folder)
        return [*self.folders, *([scratch] if self.named else [])]

    def links(self):
        """Names of the links that have geometry to cover, and whether that is a marker."""
        root = ElementTree.fromstring(tags(self.part))
        found = {}
        for link in root.findall("link"):
            if bodies := link.findall(self.geometry):
                found[link.get("name")] = all(map(is_marker, bodies))
        return found

    def base(self):
        """Names of the links that fixed joints connect to the root: they do not move."""
        root = ElementTree.fromstring(tags(self.part))
        joints = [
            (joint.get("type"), joint.find("parent").get("link"), joint.find("child").get("link"))
            for joint in root.findall("joint")
        ]
        children = {child for _, _, child in joints}
        found = {link.get("name") for link in root.findall("link")} - children
        while grown := {b for kind, a, b in joints if kind == "fixed" and a in found} - found:
            found |= grown
        return found


def tags(file):
    """The text of a robot's file. Prefixes without a declaration, as in `drake:x`, are removed."""
    return re.sub(r"(</?|\s)[\w-]+:([\w-]+)(?=[\s=/>])", r"\1\2", file.read_text())


def is_marker(body):
    """Whether geometry is a sphere or a box of less than a millimetre, which shows a frame."""
    sphere, box = body.find("geometry/sphere"), body.find("geometry/box")
    if sphere is not None:
        return float(sphere.get("radius")) < 0.0005
    return box is not None and max(map(float, box.get("size").split())) < 0.001


#: Robot -> path in example-robot-data's folder of robots.
EXAMPLES = {
    "A1": "a1_description/urdf/a1.urdf",
    "Alex, nub hands": "alex_description/urdf/alex_nub_hands.urdf",
    "Allegro hand": "allegro_hand_description/urdf/allegro_right_hand.urdf",
    "ANYmal B": "anymal_b_simple_description/robots/anymal.urdf",
    "ANYmal C": "anymal_c_simple_description/urdf/anymal.urdf",
    "B1": "b1_description/urdf/b1.urdf",
    "Baxter": "baxter_description/urdf/baxter.urdf",
    "Bolt": "bolt_description/robots/bolt.urdf",
    "Centauro": "centauro_description/urdf/centauro.urdf",
    "G1, with hands": "g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf",
    "Go1": "go1_description/urdf/go1.urdf",
    "Go2": "go2_description/urdf/go2.urdf",
    "HyQ": "hyq_description/robots/hyq_no_sensors.urdf",
    "iCub": "icub_description/robots/icub.urdf",
    "Kinova j2s6s200": "kinova_description/robots/kinova.urdf",
    "Laikago": "laikago_description/urdf/laikago.urdf",
    "Panda": "panda_description/urdf/panda.urdf",
    "Panda, capsules": "panda_description/urdf/panda_collision.urdf",
    "PR2": "pr2_description/urdf/pr2.urdf",
    "Romeo": "romeo_description/urdf/romeo.urdf",
    "SO-100": "so_arm_description/urdf/so100.urdf",
    "SO-101": "so_arm_description/urdf/so101.urdf",
    "Solo 12": "solo_description/robots/solo12.urdf",
    "Talos": "talos_data/robots/talos_reduced.urdf",
    "Tiago": "tiago_description/robots/tiago.urdf",
    "Tiago Pro": "tiago_pro_description/robots/tiago_pro.urdf",
    "UR3": "ur_description/urdf/ur3_robot.urdf",
    "UR5": "ur_description/urdf/ur5_robot.urdf",
    "UR10": "ur_description/urdf/ur10_robot.urdf",
    "xArm 7": "xarm_description/urdf/xarm7.urdf",
    "Z1": "z1_description/urdf/z1.urdf",
}
#: Robot -> robot's file, sphere model, in both the same folder of VAMP.
VAMP = {"Panda": "panda", "UR5": "ur5", "Fetch": "fetch", "Baxter": "baxter"}
#: Robot -> (folder, file of the robot, files of its sphere models) of foam.
FOAM = {
    "Panda": ("assets/panda", "panda", ["smaller_panda_spherized"]),
    "Fetch": ("assets/fetch", "fetch", ["fetch_spherized", "fetch_spherized_1", "fetch_spherized_8"]),
    "Baxter": ("assets/baxter", "baxter", ["baxter_spherized_1", "baxter_spherized_8"]),
}
#: Robot, its file, the file of the spheres, and the `collision_sphere_buffer` of the configuration that uses
#: them: cuRobo adds it to all radii.
CUROBO = {
    "curobo": [
        ("Panda", "franka_description/franka_panda", "franka.yml", 0),
        ("UR10e", "ur_description/ur10e", "ur10e.yml", 0),
        ("G1, with hands", "g1/g1_29dof_with_hand_rev_1_0", "unitree_g1.yml", 0),
        ("G1", "g1/g1_29dof_rev_1_0", "unitree_g1_29dof_retarget.yml", 0),
    ],
    "curobo-0.7.8": [
        ("Panda", "franka_description/franka_panda", "spheres/franka_mesh.yml", 0.004),
        ("UR10e", "ur_description/ur10e", "spheres/ur10e.yml", 0.01),
        ("UR5e", "ur_description/ur5e", "ur5e.yml", 0),
        ("UR5e, Robotiq 2F-140", "ur_description/ur5e_robotiq_2f_140", "ur5e_robotiq_2f_140.yml", 0.005),
        ("Kinova Jaco j2s7s300", "jaco/jaco_7s", "jaco7.yml", 0.005),
        ("Kinova Gen3", "kinova/kinova_gen3_7dof", "spheres/kinova_gen3.yml", 0.005),
        ("iiwa 7, Allegro hand", "iiwa_allegro_description/iiwa_allegro", "spheres/iiwa_allegro.yml", 0.005),
    ],
}


def models(folders):
    """The models of the sources that are there; `folders`: source -> folder."""
    found = []

    def add(*cells, **more):
        found.append(Model(*cells, **more))

    if at := folders.get("example-robot-data"):
        robots = at / "example-robot-data/robots"
        for robot, file in EXAMPLES.items():
            add(robot, "collision", "example-robot-data", robots / file, folders=[at])
    if at := folders.get("icub-models"):
        file = at / "iCub/robots/iCubGazeboV2_7/model.urdf"
        add("iCub Gazebo 2.7", "collision", "icub-models", file, folders=[at])
    if at := folders.get("airo-models"):
        for robot in ("ur3e", "ur5e"):
            add(robot.upper().replace("E", "e"), "collision", "airo-models", at / f"arms/{robot}/{robot}.urdf")
    if at := folders.get("hello-robot-stretch-urdf"):
        file = at / "SE3/stretch_description_SE3_eoa_wrist_dw3_tool_sg3.urdf"
        add("Stretch SE3", "collision", "hello-robot-stretch-urdf", file)
    if at := folders.get("dexmate-urdf"):
        for robot, file in {
            "Vega 1": "humanoid/vega_1/vega_1",
            "Vega 1, F5D6 hands": "humanoid/vega_1/vega_1_f5d6",
        }.items():
            part, spheres = at / f"{file}.urdf", at / f"{file}_collision_spheres.collision.urdf"
            add(robot, "collision", "dexmate-urdf", part)
            add(robot, spheres.name.removesuffix(".collision.urdf"), "dexmate-urdf", part, spheres)
    if at := folders.get("vamp"):
        for robot, name in VAMP.items():
            folder = at / "resources" / name
            part, spheres = folder / f"{name}.urdf", folder / f"{name}_spherized.urdf"
            add(robot, "collision", "vamp", part, folders=[folder])
            for geometry in ("visual", "collision"):
                add(robot, spheres.stem, "vamp", part, spheres, geometry, [folder])
    if at := folders.get("foam"):
        for robot, (folder, name, spheres) in FOAM.items():
            part = at / folder / f"{name}.urdf"
            for file in spheres:
                for geometry in ("visual", "collision"):
                    add(robot, file, "foam", part, at / folder / f"{file}.urdf", geometry, [at / folder])
        if curobo := folders.get("curobo"):
            part = at / "spherized.urdf"
            meshes = curobo / "curobo/content/assets/robot"
            add("UR10e", "spherized", "foam", part, part, folders=[meshes])
    for source, of in CUROBO.items():
        if at := folders.get(source):
            content = at / ("curobo/content" if source == "curobo" else "src/curobo/content")
            robots = content / "assets/robot"
            for robot, name, spheres, buffer in of:
                file = content / "configs/robot" / spheres
                title = file.stem + (f" + {1e3 * buffer:.0f} mm" if buffer else "")
                add(robot, title, source, robots / f"{name}.urdf", file, folders=[robots], buffer=buffer)
    if at := folders.get("moveit_resources"):
        for robot, name in {"Panda": "panda", "Fanuc M-10iA": "fanuc"}.items():
            package = f"{name}_description"
            named = {f"moveit_resources_{package}": at / package}
            add(robot, "collision", "moveit_resources", at / f"{package}/urdf/{name}.urdf", named=named)
    return found
