"""What to do where a fact is not known, by the fact's name: the one table that gates quote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

NEEDED: Final[Mapping[str, str]] = {
    "conformance_complete": "a registry with reviewed expressions, and the cases that denotary suite conformance "
    "writes for it",
    "repeats_complete": "listed texts in the suite (denotary suite conformance writes them), asked with --repeats 2",
    "no_systematic_cluster": "answers to texts with one right code or a named neighbour",
    "calibration_fixed": "in identity.toml: acceptance_threshold, a number in [0, 1]; calibration, with the SHA-256 of "
    "its file; threshold_fixed_on and a later test_date, as ISO dates",
    "leakage_audit": "a recorded split check (denotary suite split check --record) of this suite with those "
    "that the system was fitted or calibrated on, and in suite.toml controls.near_duplicates, "
    "controls.contamination_scan and controls.separation",
    "critical_error_named": "controls.critical_error in suite.toml: the one error that the use case cannot bear",
}
