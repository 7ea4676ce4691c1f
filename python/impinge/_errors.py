"""Errors of the package."""

from __future__ import annotations


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
