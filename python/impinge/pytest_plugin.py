"""The plugin of pytest: the fixture `assert_no_interference`, short failures, and a summary for CI.

It imports nothing of the package before a test uses it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_REPORTS = pytest.StashKey[list[tuple[str, str]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--impinge-markdown`."""
    group = parser.getgroup("impinge")
    group.addoption(
        "--impinge-markdown",
        metavar="FILE",
        default=None,
        help="append the reports of failed assert_no_interference to FILE, such as $GITHUB_STEP_SUMMARY",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make room for reports."""
    config.stash[_REPORTS] = []


@pytest.fixture
def assert_no_interference(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """`impinge.testing.assert_no_interference`."""
    from impinge import testing

    def check(*arguments: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        try:
            return testing.assert_no_interference(*arguments, **options)
        except testing.InterferenceError as error:
            markdown = error.report.to_markdown()
            request.config.stash[_REPORTS].append((request.node.nodeid, markdown))
            raise

    return check


def _is_refusal(raised: pytest.ExceptionInfo[BaseException]) -> bool:
    """Whether an exception is about the caller's data or arguments, or is a failed assertion."""
    return issubclass(raised.type, AssertionError | ValueError | TypeError | LookupError | OSError)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport() -> None:
    """Leave the package's own source out of the text of a refusal; ``--full-trace`` shows it."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "impinge":
            vars(module).setdefault("__tracebackhide__", _is_refusal)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Append the reports to the file."""
    path, reports = session.config.getoption("--impinge-markdown"), session.config.stash[_REPORTS]
    if path and reports:
        with Path(path).open("a", encoding="utf-8") as out:
            out.writelines(f"## {name}\n\n{text}\n" for name, text in reports)
