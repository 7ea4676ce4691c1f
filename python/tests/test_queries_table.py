"""The table of queries lists what the package has (crates/impinge/queries.md)."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import impinge

TABLE = Path(__file__).parents[2] / "crates/impinge/queries.md"
HELPERS = {
    "check_poses",
    "contact_normals",
    "contact_points",
    "get_threads",
    "nearest_rigid",
    "pose",
    "read",
    "set_threads",
    "signed_distance",
    "view",
}


def column(index: int) -> set[str]:
    """The names in a column of the table."""
    rows = [line for line in TABLE.read_text().splitlines()[2:] if line.startswith("|")]
    return {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[index + 1])}


def test_every_function_of_the_package_is_a_query_of_the_table() -> None:
    functions = {name for name in impinge.__all__ if inspect.isroutine(getattr(impinge, name))}
    assert functions - HELPERS == column(3)


def test_the_distributed_module_has_the_queries_of_the_table() -> None:
    import impinge.distributed as distributed

    assert set(distributed.__all__) - {"check", "resume", "scene_contacts_at"} == column(5)
