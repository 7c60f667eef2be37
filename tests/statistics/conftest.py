from __future__ import annotations

from hypothesis import settings

# A shared machine and forty-digit oracles make single examples slow; the time of an example is no property.
settings.register_profile("statistics", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("statistics")
