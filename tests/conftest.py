"""What all tests share: properties are tried without a clock, for a busy machine is no fault of theirs."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

if "CI" not in os.environ:  # there hypothesis has a profile of its own, which is calm and tries the same each time
    settings.register_profile("calm", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("calm")

# The program is started often, and compiling it takes a third of a start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Whatever terminal or hook of git the tests are run from: their widths, colours and repositories are their own.
_THEIRS = {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"}
for name in [name for name in os.environ if name in _THEIRS or name.startswith("GIT_")]:
    del os.environ[name]
os.environ["GIT_CONFIG_GLOBAL"] = os.environ["GIT_CONFIG_SYSTEM"] = os.devnull


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers() -> int:
    """Use a process more than there are processors: some tests wait for a program in a terminal."""
    return (os.cpu_count() or 1) + 1
