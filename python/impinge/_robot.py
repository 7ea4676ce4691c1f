"""Robots: links, joints and obstacles, and which of them collide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from impinge import _arguments
from impinge._core import Mesh, Model, Shape, _Robot
from impinge._errors import Error, short_traceback
from impinge._part import PathLike, mesh_of
from impinge._results import Floats
from impinge._robot_results import (
    Acm,
    AcmPair,
    DisabledPair,
    NamePair,
    RobotDistance,
    RobotDistances,
    RobotSweep,
    RobotSweeps,
    pair_of,
    pairs_of,
)

# A result for one configuration, an array or a list for many: the type follows the shape.
_OneOrMany = Any
_KINDS = ("clear", "contact", "near")
_REASONS = (None, "grazing", "budget")
_CELLS = 100_000


class Robot:
    """A robot of a URDF: which links, carried bodies and obstacles collide, and what is free between samples.

    `Robot.load` makes it. Lengths are in metres, angles in radians. A configuration `q` has the positions of
    the joints that move and follow no other, in the order of the file (`actuated_joint_names`, as in
    yourdfpy; pinocchio orders joints by its walk of the tree, so exchange positions by names). Limits are not
    checked.

    Queries take one configuration, of shape (nq,), or many, of shape (P, nq), on all cores. They are exact
    for the poses that `link_poses` gives. `sweep`, `certainty` and proofs cover the rounding of these, too. A
    part inside of a closed mesh is in collision. Spheres, capsules and boxes are exact; a cylinder is the
    prism around it, at most 1/256 of its radius wider.

    Pairs of links are not checked if a joint connects them, if only fixed joints are between them, or if the
    SRDF disables them: `allowed_pairs` has the reasons. Obstacles are not checked against each other.

    Examples
    --------
    >>> import impinge, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "arm.urdf"
    >>> _ = path.write_text('''<robot name="arm"><link name="base"/>
    ...   <link name="hand"><collision><origin xyz="1 0 0"/>
    ...     <geometry><sphere radius="0.1"/></geometry></collision></link>
    ...   <joint name="shoulder" type="continuous"><parent link="base"/><child link="hand"/>
    ...     <axis xyz="0 0 1"/></joint></robot>''')
    >>> robot = impinge.Robot.load(path)
    >>> robot.add_obstacle("plate", impinge.Mesh.box([1e-6, 2, 2]))
    >>> robot.in_collision([0.5]), robot.in_collision([[0.0], [1.5], [3.0]])
    (False, array([False,  True, False]))
    >>> robot.distance([0.5]).pair
    ('hand', 'plate')
    >>> edge = robot.sweep([0.0], [3.0])  # from one side of the plate to the other
    >>> edge.kind, edge.pair, round(edge.free_until, 4)
    ('contact', ('hand', 'plate'), 0.4902)
    """

    __slots__ = ("_names", "_robot")

    _names: tuple[str, ...]
    """Names of all parts, also of those that were removed."""
    _robot: _Robot

    def __init__(self) -> None:
        raise TypeError("impinge.Robot.load(urdf) makes a robot")

    @classmethod
    def _of(cls, native: _Robot) -> Robot:
        robot = cls.__new__(cls)
        robot._robot = native
        robot._rename()
        return robot

    def _rename(self) -> None:
        self._names = tuple(name for name, _, _ in self._robot.parts())

    @classmethod
    @short_traceback
    def load(
        cls, urdf: PathLike, srdf: PathLike | None = None, package_path: PathLike | Iterable[PathLike] = ()
    ) -> Robot:
        """Read a robot: its URDF, the meshes that this names, and the pairs of links that an SRDF disables.

        Meshes are STL, OBJ, PLY, OFF, glTF, GLB, 3MF or DAE; those of files that state their unit are scaled
        to metres. ``package://`` is looked up in `package_path`, above the URDF, and in the folders of
        ROS_PACKAGE_PATH and AMENT_PREFIX_PATH.

        Parameters
        ----------
        urdf : str or path
            The file of the robot. Templates (xacro) are to be expanded first.
        srdf : str or path, optional
            The file of pairs that are not checked.
        package_path : str, path, or several of them, optional
            Folders that are packages, or contain packages.

        Returns
        -------
        Robot

        Raises
        ------
        FileNotFoundError, OSError
            A file cannot be read.
        Error
            What is wrong with a file, with its line and column: XML, joints, numbers, a mesh that is not
            found, planar and floating joints.
        """
        _arguments.path("urdf", urdf)
        if srdf is not None:
            _arguments.path("srdf", srdf)
        one = isinstance(package_path, str | Path) or hasattr(package_path, "__fspath__")
        folders: list[Any] = [package_path] if one else list(package_path)  # type: ignore[arg-type]
        for folder in folders:
            _arguments.path("package_path", folder)
        files = Path(urdf), None if srdf is None else Path(srdf)
        return cls._of(_Robot.load(*files, [Path(folder) for folder in folders]))

    def copy(self) -> Robot:
        """A robot that can be edited without a change of this one. They share their meshes."""
        return Robot._of(self._robot.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Robot:
        return self.copy()

    def __repr__(self) -> str:
        counts = f"{len(self.link_names)} links, {self.num_dofs} joints that move"
        others = f"{len(self.attached)} attached, {len(self.obstacles)} obstacles"
        return f"Robot({self.name!r}, {counts}, {others})"

    # Names and limits.

    @property
    def name(self) -> str:
        """Its name in the URDF."""
        return self._robot.name()

    @property
    def base_link(self) -> str:
        """Name of the root of the tree. Poses of links and obstacles are in its frame."""
        return self._robot.base_link()

    @property
    def link_names(self) -> tuple[str, ...]:
        """Names of all links, in the order of the file."""
        return tuple(self._robot.link_names())

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of all joints, also of fixed ones and those that follow others, in the order of the file."""
        return tuple(self._robot.joint_names())

    @property
    def actuated_joint_names(self) -> tuple[str, ...]:
        """Names of the joints of a configuration: those that move and follow no other, in file order."""
        return tuple(self._robot.actuated_joint_names())

    @property
    def num_dofs(self) -> int:
        """The number of positions of a configuration."""
        return len(self._robot.actuated_joint_names())

    @property
    def lower_limits(self) -> Floats:
        """Lowest positions, in radians and metres: shape (nq,); minus infinity without a limit."""
        return self._robot.lower_limits()

    @property
    def upper_limits(self) -> Floats:
        """Highest positions, in radians and metres: shape (nq,); infinity without a limit."""
        return self._robot.upper_limits()

    @property
    def obstacles(self) -> tuple[str, ...]:
        """Names of the obstacles."""
        return tuple(name for name, kind, _ in self._robot.parts() if kind == "obstacle")

    @property
    def attached(self) -> dict[str, str]:
        """The link that carries each attached body, by the name of the body."""
        return {name: link for name, kind, link in self._robot.parts() if kind == "body" and link is not None}

    def configuration(self, positions: Mapping[str, float]) -> Floats:
        """A configuration from `positions` by names of joints; others are at 0, or their limit nearest it.

        Raises
        ------
        KeyError
            A name is none of `actuated_joint_names`.
        """
        places = {name: place for place, name in enumerate(self._robot.actuated_joint_names())}
        q = np.clip(np.zeros(len(places)), self.lower_limits, self.upper_limits)
        for name, position in positions.items():
            if name not in places:
                raise KeyError(f"the robot has no joint {name!r} that moves and follows no other")
            q[places[name]] = position
        return q

    def link_poses(self, q: ArrayLike, *, threads: int | None = None) -> Floats:
        """Poses of all links in the frame of the base link, rounded: the same on every machine.

        Parameters
        ----------
        q : array_like, shape (nq,) or (P, nq)
            Configurations.
        threads : int or None, optional
            Number of threads that share them; None is `set_threads`' number.

        Returns
        -------
        numpy.ndarray, shape (N, 4, 4) or (P, N, 4, 4)
            In the order of `link_names`.
        """
        poses = self._robot.link_poses(q, threads)
        return poses[0] if np.ndim(q) == 1 else poses

    # Queries.

    def in_collision(self, q: ArrayLike, *, threads: int | None = None) -> _OneOrMany:
        """Whether any pair of parts is in collision. Touching is collision.

        Parameters
        ----------
        q : array_like, shape (nq,) or (P, nq)
            Configurations.
        threads : int or None, optional
            Number of threads that share them; None is `set_threads`' number.

        Returns
        -------
        bool, or numpy.ndarray of bool, shape (P,)
        """
        return self.within(q, 0.0, threads=threads)

    def within(self, q: ArrayLike, margin: float, *, threads: int | None = None) -> _OneOrMany:
        """Whether any pair of parts is in collision, or no farther apart than a margin.

        Parameters
        ----------
        q : array_like, shape (nq,) or (P, nq)
            Configurations.
        margin : float
            A length in metres.
        threads : int or None, optional
            Number of threads that share them; None is `set_threads`' number.

        Returns
        -------
        bool, or numpy.ndarray of bool, shape (P,)
        """
        found = self._robot.within(q, margin, threads)
        return bool(found[0]) if np.ndim(q) == 1 else found

    def colliding_pairs(self, q: ArrayLike, margin: float = 0.0, *, threads: int | None = None) -> _OneOrMany:
        """All pairs of parts that are in collision, or no farther apart than a margin.

        Parameters
        ----------
        q : array_like, shape (nq,) or (P, nq)
            Configurations.
        margin : float, optional
            A length in metres.
        threads : int or None, optional
            Number of threads that share them; None is `set_threads`' number.

        Returns
        -------
        list of (str, str), or a list of P such lists
            Names, in the order of the parts: links, then bodies and obstacles.
        """
        counts, parts = self._robot.near_pairs(q, margin, threads)
        pairs = pairs_of(self._names, parts)
        if np.ndim(q) == 1:
            return pairs
        ends = np.cumsum(counts).tolist()
        return [pairs[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)] if ends else []

    def certainty(self, q: ArrayLike, *, threads: int | None = None) -> _OneOrMany:
        """Whether the robot is in collision at the true poses, with true cylinders, whatever was rounded.

        Parameters
        ----------
        q : array_like, shape (nq,) or (P, nq)
            Configurations.
        threads : int or None, optional
            Number of threads that share them; None is `set_threads`' number.

        Returns
        -------
        results.Certainty, or a list of P of them
            Clear, possible or definite. Contacts and surfaces that only cross are possible.
        """
        found = self._robot.certainty(q, threads)
        return found[0] if np.ndim(q) == 1 else found

    def distance(self, q: ArrayLike, *, threads: int | None = None) -> _OneOrMany:
        """The least distance of the pairs that are checked, its witnesses, and its gradient.

        The gradient is n . (Ja - Jb): n is the unit vector from the second nearest point to the first, and Ja
        and Jb are the Jacobians of these points, fixed to their links. A joint that follows another adds to
        that one's entry.

        Parameters
        ----------
        q : array_like, shape (nq,) or (P, nq)
            Configurations.
        threads : int or None, optional
            Number of threads that share them; None is `set_threads`' number.

        Returns
        -------
        results.RobotDistance or None, or results.RobotDistances
            None if no pair is checked.
        """
        lo, hi, error, parts, points, gradient = self._robot.distance(q, threads)
        if np.ndim(q) != 1:
            return RobotDistances(lo, hi, pairs_of(self._names, parts), points, gradient, error)
        pair = pair_of(self._names, parts[0])
        if pair is None:
            return None
        slope = gradient[0] if hi[0] > 0 and not np.isnan(gradient[0]).any() else None
        return RobotDistance(float(lo[0]), float(hi[0]), pair, points[0], slope, float(error[0]))

    def sweep(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        margin: float = 0.0,
        *,
        tolerance: float | None = None,
        resolution: float = 1e-9,
        verdict_only: bool = False,
        after: float = 0.0,
        threads: int | None = None,
    ) -> _OneOrMany:
        """The first collision while all joints move evenly from `q0` to `q1`, proved for all times.

        Joint k is at ``q0[k] + t * (q1[k] - q0[k])`` at time t, from 0 to 1. Joints do not take the shorter
        way round. A clear edge is clear over the real numbers. ``q0 + free_until * (q1 - q0)`` is the last
        configuration that is certainly reached.

        Parameters
        ----------
        q0, q1 : array_like, shape (nq,) or (P, nq)
            Ends of edges. One configuration goes with each of many. The edges of a trajectory are
            ``sweep(q[:-1], q[1:])``.
        margin : float, optional
            The distance in metres up to which parts count as in collision.
        tolerance : float, optional
            A length in which no difference is made: None is 2**-30 of the smaller shape.
        resolution : float, optional
            The largest difference of `free_until` and `meets_at`, except where the tolerance allows more.
        verdict_only : bool, optional
            Whether any collision is enough, not the first one: for planners.
        after : float, optional
            The time at which the sweep begins. Times before are not examined: for edges that start in
            collision.
        threads : int or None, optional
            Number of threads that share the edges; None is `set_threads`' number.

        Returns
        -------
        results.RobotSweep, or results.RobotSweeps for many edges
        """
        options = (margin, tolerance, resolution, verdict_only, after, threads)
        kinds, whys, times, parts = self._robot.sweep(q0, q1, *options)
        free_until, meets_at, until = times.T
        if np.ndim(q0) != 1 or np.ndim(q1) != 1:
            pairs = pairs_of(self._names, parts)
            return RobotSweeps(kinds == 0, kinds == 1, free_until.copy(), meets_at.copy(), pairs)
        return RobotSweep(
            _KINDS[kinds[0]],  # type: ignore[arg-type]
            float(free_until[0]),
            _known(meets_at[0]),
            pair_of(self._names, parts[0]),
            _known(until[0]),
            _REASONS[whys[0]],  # type: ignore[arg-type]
        )

    # Pairs.

    @property
    def allowed_pairs(self) -> dict[NamePair, str]:
        """Pairs of parts that are not checked, and why: ``Adjacent``, ``Rigid``, ``User``, or the SRDF's."""
        return dict(self._robot.allowed_pairs())

    @property
    def checked_pairs(self) -> list[NamePair]:
        """Pairs of parts that are checked."""
        return self._robot.checked_pairs()

    @property
    def unknown_pairs(self) -> list[NamePair]:
        """Pairs of the SRDF that name a link which the robot does not have."""
        return self._robot.unknown_pairs()

    def allow(self, a: str, b: str, allowed: bool = True) -> None:
        """Allow the parts `a` and `b` to collide: do not check them. `allowed` = False checks them again."""
        self._robot.allow(a, b, _arguments.flag("allowed", allowed))

    def acm(
        self,
        samples: int = 10_000,
        *,
        prove: bool | int = False,
        seed: int = 0,
        threads: int | None = None,
    ) -> Acm:
        """Find the pairs of links that need no check, by samples and proofs.

        A proof divides the ranges of the joints between two links until each cell is clear. Up to four joints
        take seconds.

        Parameters
        ----------
        samples : int, optional
            Number of random configurations within the limits; joints without limits make a full turn.
        prove : bool or int, optional
            Whether to prove that pairs never collide; a number limits the cells of each proof, 100,000 if
            True.
        seed : int, optional
            Chooses other random configurations.
        threads : int or None, optional
            Number of threads that share the work; None is `set_threads`' number.

        Returns
        -------
        results.Acm
        """
        _arguments.count("samples", samples, 1)
        _arguments.count("seed", seed)
        cells = (_CELLS if prove else 0) if isinstance(prove, bool) else prove
        _arguments.count("prove", cells)
        rows, srdf = self._robot.acm(samples, cells, seed, threads)
        names = self._names
        pairs = [
            AcmPair((names[a], names[b]), kind, hits, cells, example)
            for (a, b), kind, hits, cells, example in rows
        ]
        return Acm(pairs, samples, srdf)

    def lint(self, samples: int = 10_000, *, seed: int = 0, threads: int | None = None) -> list[DisabledPair]:
        """Find pairs of links that the SRDF disables though they collide.

        Obstacles, attached bodies, paddings and `allow` have no influence.

        Parameters
        ----------
        samples : int, optional
            Number of random configurations within the limits.
        seed : int, optional
            Chooses other random configurations.
        threads : int or None, optional
            Number of threads that share them; None is `set_threads`' number.

        Returns
        -------
        list of results.DisabledPair
            All pairs that the file disables, in its order. That a pair is not seen to collide proves nothing.

        Raises
        ------
        Error
            The robot was loaded without an SRDF.
        """
        _arguments.count("samples", samples)
        _arguments.count("seed", seed)
        rows = self._robot.lint(samples, seed, threads)
        if rows is None:
            raise Error("the robot was loaded without an SRDF: Robot.load(urdf, srdf)")
        return [DisabledPair(*row) for row in rows]

    # Obstacles and carried bodies.

    def add_obstacle(self, name: str, shape: Any, pose: ArrayLike | None = None) -> None:
        """Add a body that rests in the frame of the base link.

        Parameters
        ----------
        name : str
            A name that no other part has.
        shape : Mesh, Model, Shape, trimesh.Trimesh, or a pair (vertices, faces)
            In metres.
        pose : array_like, shape (4, 4) or (3, 4), optional
            A rigid motion; None is the identity.
        """
        self._robot.add_obstacle(name, _shape(shape), pose)
        self._rename()

    def set_obstacle_pose(self, name: str, pose: ArrayLike) -> None:
        """Move the obstacle `name` to `pose`, a rigid motion of shape (4, 4) or (3, 4)."""
        self._robot.set_obstacle_pose(name, pose)

    def remove_obstacle(self, name: str) -> None:
        """Remove the obstacle `name`."""
        self._robot.remove_obstacle(name)

    def attach(
        self,
        name: str,
        link: str,
        shape: Any,
        pose: ArrayLike | None = None,
        *,
        touching: Iterable[str] = (),
    ) -> None:
        """Attach a body to a link, which carries it. It is checked against all parts but that link.

        Parameters
        ----------
        name : str
            A name that no other part has.
        link : str
            The link.
        shape : Mesh, Model, Shape, trimesh.Trimesh, or a pair (vertices, faces)
            In metres.
        pose : array_like, shape (4, 4) or (3, 4), optional
            A rigid motion, in the frame of the link; None is the identity.
        touching : sequence of str, optional
            Other parts that it may touch, such as fingers.
        """
        if isinstance(touching, str):
            raise TypeError(f"touching must be a list of names, such as [{touching!r}]")
        self._robot.attach(name, link, _shape(shape), pose, list(touching))
        self._rename()

    def detach(self, name: str) -> None:
        """Remove the attached body `name`."""
        self._robot.detach(name)

    def padding(self, part: str) -> float:
        """The length in metres by which `part` is enlarged."""
        return self._robot.padding(part)

    def set_padding(self, padding: float, part: str | None = None) -> None:
        """Enlarge the shapes of `part`, of all links by default, by the length `padding` in metres."""
        self._robot.set_padding(padding, part)

    def set_margin(self, a: str, b: str, margin: float) -> None:
        """Count two parts as in collision up to a distance, in collision queries and sweeps.

        Parameters
        ----------
        a, b : str
            Names of links, bodies or obstacles.
        margin : float
            The distance in metres, which adds to the margin of a query. 0 takes it back.
        """
        self._robot.set_margin(margin, a, b)


def _shape(shape: Any) -> Mesh | Model | Shape:
    if isinstance(shape, Model | Shape):
        return shape
    try:
        return mesh_of(shape)
    except TypeError as error:
        if "a mesh is" in str(error):
            raise TypeError(
                "a shape is a Mesh, a Model, a Shape, a trimesh.Trimesh or a pair (vertices, faces), "
                f"not a {type(shape).__name__}"
            ) from None
        raise


def _known(time: np.float64) -> float | None:
    return None if np.isnan(time) else float(time)
