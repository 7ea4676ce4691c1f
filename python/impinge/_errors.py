"""Errors of the package."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import TracebackType
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Error(ValueError):
    """Refused input: a coordinate that is not finite, a pose that is no motion, and so on.

    Attributes
    ----------
    vertex : int or None
        The vertex that it is about, if it is about one.
    triangle : int or None
        The triangle that it is about, if it is about one.

    Examples
    --------
    >>> import impinge
    >>> try:
    ...     impinge.Mesh([[0, 0, 0], [1, float("nan"), 0]], [[0, 1, 1]])
    ... except impinge.Error as error:
    ...     print(error, "- vertex", error.vertex)
    vertex 1 is not finite: (1, NaN, 0) - vertex 1
    """

    vertex: int | None
    triangle: int | None

    def __init__(self, text: str, vertex: int | None = None, triangle: int | None = None) -> None:
        super().__init__(text)
        self.vertex = vertex
        self.triangle = triangle

    def __reduce__(self) -> tuple[type[Error], tuple[str, int | None, int | None]]:
        return type(self), (str(self), self.vertex, self.triangle)


class FaceIndexError(Error, IndexError):
    """A face names a vertex that does not exist: an `Error`, and an `IndexError`.

    Examples
    --------
    >>> import impinge
    >>> impinge.Mesh([[0, 0, 0]], [[0, 0, -1]])
    Traceback (most recent call last):
        ...
    impinge._errors.FaceIndexError: face 0 names vertex -1, but vertices are 0 to 0
    """


def short_traceback(function: Callable[P, T]) -> Callable[P, T]:
    """A function whose `Error` is raised here: its traceback ends at the caller's line.

    An `Error` is about the caller's data, and its text has all of it. Other exceptions keep their tracebacks.
    """

    @wraps(function)
    def called(*arguments: P.args, **options: P.kwargs) -> T:
        __tracebackhide__ = True
        try:
            return function(*arguments, **options)
        except Error as error:
            if not _is_of_package(error.__traceback__):
                raise
            raise error.with_traceback(None) from error.__cause__

    return called


def _is_of_package(traceback: TracebackType | None) -> bool:
    """Whether all frames are of this package: none of a function that the caller gave."""
    while traceback is not None:
        if traceback.tb_frame.f_globals.get("__name__", "").partition(".")[0] != "impinge":
            return False
        traceback = traceback.tb_next
    return True
