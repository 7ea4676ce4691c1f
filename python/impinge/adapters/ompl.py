"""Validity of states and motions for planners of OMPL 2: sampled, or certified for a `Robot`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from impinge._robot import Robot
from impinge.adapters._need import need
from impinge.results import RobotSweep

InCollision = Callable[[NDArray[np.float64]], NDArray[np.bool_]]


def set_validity(
    setup: Any, in_collision: InCollision, numbers: Callable[[Any], Any], *, resolution: float
) -> None:
    """Make a planner's checks of states and motions exact at each sampled state, many states a call.

    A motion is sampled at steps of at most `resolution`, as OMPL's own check does, but all of its states are
    asked about in one call. What happens between the states is not examined.

    Parameters
    ----------
    setup : ompl.geometric.SimpleSetup or ompl.base.SpaceInformation
    in_collision : function
        Of states, an array of shape (P, n), that returns whether each collides, an array of shape (P,): such
        as `impinge.adapters.pinocchio.Robot.in_collision`.
    numbers : function
        Of a state of OMPL that returns its n numbers.
    resolution : float
        The largest step, in the metric of the state space.
    """
    base = need("ompl.base", "ompl")
    if not resolution > 0:
        raise ValueError(f"resolution must be more than 0, not {resolution}")
    information = setup.getSpaceInformation() if hasattr(setup, "getSpaceInformation") else setup

    def is_free(states: list[Any]) -> bool:
        return not bool(np.any(in_collision(np.array(states, dtype=np.float64))))

    def is_valid(_: Any, state: Any) -> bool:
        return bool(information.satisfiesBounds(state)) and is_free([numbers(state)])

    def check_motion(_: Any, first: Any, last: Any) -> bool:
        space = information.getStateSpace()
        steps = max(1, int(np.ceil(space.distance(first, last) / resolution)))
        state, states = space.allocState(), []
        for k in range(1, steps + 1):
            space.interpolate(first, last, k / steps, state)
            # A copy: OMPL writes the next state into this one.
            states.append(np.array(numbers(state), dtype=np.float64))
        return is_free(states)

    # Classes of OMPL exist once it is imported.
    validity = type("Validity", (base.StateValidityChecker,), {"isValid": is_valid})
    motions = type("Motions", (base.MotionValidator,), {"checkMotion": check_motion})
    setup.setStateValidityChecker(validity(information))
    information.setMotionValidator(motions(information))


class _Edges:
    """States of a planner as configurations of a robot."""

    def __init__(
        self, robot: Robot, space: Any, joints: Sequence[str] | None, others: ArrayLike | None, margin: float
    ) -> None:
        base = need("ompl.base", "ompl")
        names = robot.actuated_joint_names
        joints = names if joints is None else tuple(joints)
        for joint in joints:
            if joint not in names:
                raise KeyError(f"the robot has no joint {joint!r} that moves and follows no other")
        if not isinstance(space, base.RealVectorStateSpace):
            why = f"where motions are straight, not a {type(space).__name__}"
            raise TypeError(f"the state space must be a RealVectorStateSpace, {why}")
        dimension, count = space.getDimension(), len(joints)
        if dimension != count:
            raise ValueError(f"the state space has {dimension} dimensions, but there are {count} joints")
        if len(set(joints)) < count:
            raise ValueError(f"joints names a joint twice: {list(joints)}")
        self.robot, self.margin = robot, margin
        self._places = [names.index(joint) for joint in joints]
        self._others = robot.configuration({}) if others is None else np.array(others, dtype=np.float64)
        if self._others.shape != (len(names),):
            raise ValueError(f"others must have the shape ({len(names)},), not {self._others.shape}")
        # The margin and all numbers are checked here, not by the first motion.
        robot.within(self._others, margin)

    def configuration(self, state: Any) -> NDArray[np.float64]:
        q = self._others.copy()
        for k, place in enumerate(self._places):
            q[place] = state[k]
        return q

    def is_valid(self, state: Any) -> bool:
        return not self.robot.within(self.configuration(state), self.margin, threads=1)

    def sweep(self, first: Any, last: Any, verdict_only: bool = False) -> RobotSweep:
        ends = self.configuration(first), self.configuration(last)
        found: RobotSweep = self.robot.sweep(*ends, self.margin, verdict_only=verdict_only, threads=1)
        return found


def set_certified(
    setup: Any,
    robot: Robot,
    *,
    joints: Sequence[str] | None = None,
    others: ArrayLike | None = None,
    margin: float = 0.0,
) -> Any:
    """Make a planner's motions certified: each is proved free for all times, not at samples (`Robot.sweep`).

    A motion that is undecided counts as one in collision. The planner sees obstacles, paddings and attached
    bodies of the robot as they are when it plans.

    Parameters
    ----------
    setup : ompl.geometric.SimpleSetup or ompl.base.SpaceInformation
        The state space must be a ``RealVectorStateSpace``, in which all joints move evenly.
    robot : Robot
        The robot.
    joints : sequence of str, optional
        The joints that the numbers of a state move, in their order; None is all, in the robot's order.
    others : array_like, shape (nq,), optional
        A configuration for the other joints, which stand still; None is 0, or their limit nearest it.
    margin : float, optional
        The distance in metres up to which parts count as in collision.

    Returns
    -------
    ompl.base.MotionValidator
        It also has ``configuration(state)``, and ``sweep(first, last)``, which returns a `RobotSweep`: its
        `free_until` is the last valid time, which OMPL's Python bindings do not take from validators.
    """
    base = need("ompl.base", "ompl")
    information = setup.getSpaceInformation() if hasattr(setup, "getSpaceInformation") else setup
    edges = _Edges(robot, information.getStateSpace(), joints, others, margin)

    def is_valid(_: Any, state: Any) -> bool:
        return bool(information.satisfiesBounds(state)) and edges.is_valid(state)

    def check_motion(_: Any, first: Any, last: Any) -> bool:
        return edges.sweep(first, last, verdict_only=True).kind == "clear"

    # Classes of OMPL exist once it is imported.
    validity = type("CertifiedValidity", (base.StateValidityChecker,), {"isValid": is_valid})
    own = {
        "checkMotion": check_motion,
        "configuration": staticmethod(edges.configuration),
        "sweep": staticmethod(edges.sweep),
    }
    validator = type("CertifiedMotionValidator", (base.MotionValidator,), own)(information)
    setup.setStateValidityChecker(validity(information))
    information.setMotionValidator(validator)
    return validator
