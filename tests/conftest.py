"""What all tests share: properties are tried without a clock, for a busy machine is no fault of theirs."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

if "CI" not in os.environ:  # there hypothesis has a profile of its own, which is calm and tries the same each time
    settings.register_profile("calm", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("calm")
