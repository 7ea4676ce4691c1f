"""Validity of states and motions for planners of OMPL 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge.adapters._need import need

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
